"""Losses, metrics, activations and their like give Keras's figures, at once and in graphs; what is wrong is named."""

import json

import numpy as np
import pytest

import runtime as tf
from runtime.keras import activations, constraints, initializers, losses, metrics, regularizers
from runtime.keras.losses.reduction import find_masks_with
from tests.programs import EXECUTORS
from tests.runtime.keras.figures import (
    ACTIVATIONS,
    ARRAYS,
    CONSTRAINTS,
    LOSSES,
    METRICS,
    REGULARIZERS,
    WEIGHT,
    X,
)

WAYS = {"at once": lambda f: f} | {
    f"jit_compile={jit}": lambda f, jit=jit: tf.function(f, jit_compile=jit) for jit in EXECUTORS
}
ways = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


def close(found, wanted, rtol=3e-6, atol=2e-6):
    assert np.shape(found) == np.shape(wanted)
    np.testing.assert_allclose(found, wanted, rtol=rtol, atol=atol)


def figures(table):
    return pytest.mark.parametrize("expression, wanted", table, ids=[e for e, _ in table])


@pytest.mark.sampled(6, each="expression")
@ways
@figures(LOSSES)
def test_losses_are_those_of_keras(expression, wanted, way):
    names = list(ARRAYS)
    run = way(lambda *values: eval(expression, {**vars(losses), **dict(zip(names, values))}))
    found = run(*(tf.constant(ARRAYS[name]) for name in names))
    assert found.dtype == tf.float32
    close(found.numpy(), wanted)


def test_losses_and_metrics_are_those_of_keras_that_is_installed():
    """The stored figures, computed anew."""
    tensorflow = pytest.importorskip("tensorflow")
    values = {name: tensorflow.constant(a) for name, a in ARRAYS.items()}
    theirs = vars(tensorflow.keras.losses)
    shown = {ours: theirs[name] for ours, name in SHORTER.items()}
    for expression, wanted in LOSSES:
        close(np.asarray(eval(expression, {**theirs, **shown, **values})), wanted)
    for expression, batches, wanted in METRICS:
        names = {**vars(tensorflow.keras.metrics), "tf": tensorflow}
        metric = eval(expression, names)
        for batch in eval(f"[{batches}]", dict(values)):
            metric.update_state(*batch)
        close(np.asarray(metric.result()), wanted)


SHORTER = {  # names that tf.keras has only in short
    "mean_squared_error": "mse", "mean_absolute_error": "mae", "mean_absolute_percentage_error": "mape",
    "mean_squared_logarithmic_error": "msle", "log_cosh": "logcosh", "kl_divergence": "kld",
}  # fmt: skip


@figures([(e, w) for e, w in LOSSES if "circle" not in e.lower()])
def test_losses_of_any_number_of_samples(expression, wanted):
    """In a graph that knows nothing of the first axis."""
    used = [n for n in ARRAYS if n in expression.partition(")(")[2] or f"({n}," in expression or f",{n}" in expression]
    used = used or list(ARRAYS)
    function = tf.function(
        lambda *values: eval(expression, {**vars(losses), **{n: tf.constant(a) for n, a in ARRAYS.items()},
                                          **dict(zip(used, values))}),
        input_signature=[tf.TensorSpec([None, *ARRAYS[n].shape[1:]], ARRAYS[n].dtype) for n in used],
    )  # fmt: skip
    close(function(*(ARRAYS[n] for n in used)).numpy(), wanted)


@pytest.mark.sampled(8, each="expression")
@ways
@pytest.mark.parametrize("expression, batches, wanted", METRICS, ids=[f"{e} of {b}" for e, b, _ in METRICS])
def test_metrics_are_those_of_keras(expression, batches, wanted, way):
    metric = eval(expression, {**vars(metrics), "tf": tf})
    given = eval(f"[{batches}]", {name: tf.constant(a) for name, a in ARRAYS.items()})
    update, result = way(lambda *batch: metric.update_state(*batch)), way(lambda: metric.result())
    for _ in range(2):  # again, from the beginning
        metric.reset_state()
        for batch in given:
            update(*batch)
        close(result().numpy(), wanted)


@pytest.mark.parametrize("expression, batches, wanted", METRICS, ids=[f"{e} of {b}" for e, b, _ in METRICS])
def test_a_metric_is_made_again_of_its_configuration(expression, batches, wanted):
    metric = eval(expression, {**vars(metrics), "tf": tf})
    if type(metric) is metrics.MeanMetricWrapper:
        pytest.skip("its function has no configuration")
    config = json.loads(json.dumps(metrics.serialize(metric)))
    again = metrics.deserialize(config)
    assert type(again) is type(metric) and again.get_config() == metric.get_config()
    for batch in eval(f"[{batches}]", {name: tf.constant(a) for name, a in ARRAYS.items()}):
        again.update_state(*batch)
    close(again.result().numpy(), wanted)


def classes_of(module, base):
    return [
        c
        for n, c in sorted(vars(module).items())
        if isinstance(c, type) and issubclass(c, base) and n in module.__all__
    ]


def test_every_loss_and_metric_has_figures():
    texts = " ".join(e for e, *_ in [*LOSSES, *METRICS])
    for cls in [*classes_of(losses, losses.Loss), *classes_of(metrics, metrics.Metric)]:
        assert cls in (losses.Loss, losses.LossFunctionWrapper, metrics.Metric) or f"{cls.__name__}(" in texts, cls


@pytest.mark.parametrize("expression", [e.rpartition(")(")[0] + ")" for e, _ in LOSSES if e[0].isupper()])
def test_a_loss_is_made_again_of_its_configuration(expression):
    loss = eval(expression, vars(losses))
    again = losses.deserialize(json.loads(json.dumps(losses.serialize(loss))))
    assert type(again) is type(loss) and again.get_config() == loss.get_config()


@ways
@figures(ACTIVATIONS)
def test_activations_are_those_of_keras(expression, wanted, way):
    run = way(lambda x: eval(expression, {**vars(activations), "x": x}))
    close(run(tf.constant(X)).numpy(), wanted, rtol=2e-5)


def test_every_activation_has_figures_and_a_name():
    texts = " ".join(e for e, _ in ACTIVATIONS)
    plain = {"linear", "tanh", "sigmoid", "get", "serialize", "deserialize", "swish", "hard_swish"}
    for name in set(activations.__all__) - plain:
        assert f"{name}(" in texts, name
        assert activations.get(name) is activations.deserialize(activations.serialize(getattr(activations, name)))
    assert activations.get(None) is activations.linear
    assert activations.get("hard_swish") is activations.hard_silu


@ways
@figures(REGULARIZERS)
def test_regularizers_are_those_of_keras(expression, wanted, way):
    regularizer = eval(expression, vars(regularizers))
    close(way(lambda w: regularizer(w))(tf.constant(WEIGHT)).numpy(), wanted)
    again = regularizers.deserialize(json.loads(json.dumps(regularizers.serialize(regularizer))))
    close(again(WEIGHT).numpy(), wanted)


@ways
@figures(CONSTRAINTS)
def test_constraints_are_those_of_keras(expression, wanted, way):
    constraint = eval(expression, vars(constraints))
    close(np.ravel(way(lambda w: constraint(w))(tf.constant(WEIGHT))), wanted)
    again = constraints.deserialize(json.loads(json.dumps(constraints.serialize(constraint))))
    close(np.ravel(again(WEIGHT)), wanted)


# Losses and their gradients.


@ways
@pytest.mark.parametrize("name", ["BinaryCrossentropy", "CategoricalCrossentropy", "Huber", "LogCosh", "Hinge"])
def test_a_loss_has_the_gradient_of_its_differences(name, way):
    loss = getattr(losses, name)(dtype="float64")
    wanted, x = np.float64(ARRAYS["Z"]), np.float64(ARRAYS["Q"])

    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            value = loss(wanted, x)
        return tape.gradient(value, x)

    found = way(gradient)(tf.constant(x)).numpy()
    for place in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[place] = 1e-6
        slope = (float(loss(wanted, x + step)) - float(loss(wanted, x - step))) / 2e-6
        assert abs(found[place] - slope) < 1e-7


def test_a_loss_computes_in_the_dtype_of_the_predictions_or_in_its_own():
    a, b = np.float64([[0.1]]), np.float64([[0.2]])
    assert losses.MeanSquaredError()(a, b).dtype == tf.float64
    assert losses.MeanSquaredError(dtype="float32")(a, b).dtype == tf.float32
    assert losses.MeanSquaredError()([[0]], [[3]]).dtype == tf.float32


def test_masks_leave_samples_out():
    masked = tf.constant([[1.0], [2.0], [9.0]])
    find_masks_with(lambda tensor: tf.constant([True, True, False]) if tensor is masked else None)
    wanted = tf.zeros([3, 1])
    assert losses.MeanSquaredError()(wanted, masked).numpy() == 2.5
    assert losses.MeanSquaredError(reduction="sum")(wanted, masked).numpy() == 5.0
    assert losses.MeanSquaredError()(wanted, masked, sample_weight=[1, 0, 1]).numpy() == 0.5
    assert metrics.MeanSquaredError()(wanted, masked).numpy() == 2.5


def test_losses_and_metrics_of_ones_own_may_hold_control_flow():
    class Capped(losses.Loss):
        def call(self, y_true, y_pred):
            error = tf.reduce_mean(tf.abs(y_true - y_pred), axis=-1)
            if tf.reduce_max(error) > 1:
                error = tf.minimum(error, 1.0)
            return error

    class Worst(metrics.Metric):
        def __init__(self, name="worst"):
            super().__init__(name=name)
            self.seen = self.add_weight(name="seen")

        def update_state(self, y_true, y_pred, sample_weight=None):
            error = tf.reduce_max(tf.abs(y_true - y_pred))
            if error > self.seen:
                self.seen.assign(error)

        def result(self):
            return self.seen.read_value()

    loss, worst = Capped(), Worst()
    run = tf.function(lambda a, b: (loss(a, b), worst(a, b)))
    for value, capped, largest in ((0.5, 0.5, 0.5), (3.0, 1.0, 3.0), (0.25, 0.25, 3.0)):
        found = run(tf.constant([[0.0]]), tf.constant([[value]]))
        assert [float(x) for x in found] == [capped, largest]


@pytest.mark.parametrize("dtype", [None, "float64", "int64", tf.bool, np.float32])
@pytest.mark.parametrize("initializer", [None, "zeros", "ones", lambda shape, dtype: 3 * tf.ones(shape, dtype)])
@pytest.mark.parametrize("own", [None, "float64"])
def test_a_variable_of_a_metric_is_as_it_is_asked_for(own, initializer, dtype):
    first = {"ones": 1, "zeros": 0, None: 0}.get(initializer, 3)
    if dtype is tf.bool and first == 3:
        first, initializer = True, "ones"
    wanted = tf.as_dtype(dtype or own or "float32")
    metric = metrics.Mean(name="loss", dtype=own)
    made = [
        metric.add_variable([2, 3], initializer, dtype=dtype),
        metric.add_weight((2,), initializer, dtype, "last"),
        metric.add_weight(initializer=initializer, dtype=dtype, name="last"),
    ]
    assert [(v.path, v.shape) for v in made] == [
        ("loss/variable", (2, 3)),
        ("loss/last", (2,)),
        ("loss/last", ()),
    ]
    assert all(v.dtype == wanted and not v.trainable and (v.numpy() == first).all() for v in made)
    assert [id(v) for v in metric.variables[-3:]] == [id(v) for v in made]


def test_a_metric_in_a_loop_of_a_graph():
    mean = metrics.Mean(name="loss")

    @tf.function
    def run(n):
        for i in tf.range(n):
            mean.update_state(tf.cast(i, tf.float32))
            if i > 5:
                break
        return mean.result()

    assert run(tf.constant(4)).numpy() == 1.5
    mean.reset_state()
    assert run(tf.constant(100)).numpy() == 3.0
    assert (mean.name, repr(mean), [v.name for v in mean.variables]) == (
        "loss", "<Mean name=loss>", ["total", "count"])  # fmt: skip
    assert run.experimental_get_tracing_count() == 1


def test_metrics_in_a_metric_are_its_own():
    class Both(metrics.Metric):
        def __init__(self):
            super().__init__(name="both")
            self.mean, self.total = metrics.Mean(), metrics.Sum()

        def update_state(self, values):
            self.mean.update_state(values)
            self.total.update_state(values)

        def result(self):
            return self.mean.result() + self.total.result()

    both = Both()
    assert both([1.0, 3.0]).numpy() == 6.0
    assert len(both.variables) == 3
    both.reset_state()
    assert both.result().numpy() == 0.0


# Initializers.

INITIALIZERS = [
    ("Zeros()", 0.0, 0.0), ("Ones()", 1.0, 0.0), ("Constant(2.5)", 2.5, 0.0),
    ("RandomNormal(1.0, 0.5, seed=1)", 1.0, 0.5), ("RandomUniform(-1.0, 2.0, seed=1)", 0.5, 3 / 12**0.5),
    ("TruncatedNormal(1.0, 0.5, seed=1)", 1.0, 0.5 * 0.8796),
    ("VarianceScaling(3.0, 'fan_out', 'untruncated_normal', seed=1)", 0.0, (3 / 80) ** 0.5),
    ("VarianceScaling(3.0, 'fan_avg', 'uniform', seed=1)", 0.0, (3 / 100) ** 0.5),
    ("VarianceScaling(2.0, input_axes=[0], output_axes=[1], seed=1)", 0.0, (2 / 120) ** 0.5),
    ("GlorotUniform(seed=1)", 0.0, (2 / 200) ** 0.5), ("GlorotNormal(seed=1)", 0.0, (2 / 200) ** 0.5),
    ("HeUniform(seed=1)", 0.0, (2 / 120) ** 0.5), ("HeNormal(seed=1)", 0.0, (2 / 120) ** 0.5),
    ("LecunUniform(seed=1)", 0.0, (1 / 120) ** 0.5), ("LecunNormal(seed=1)", 0.0, (1 / 120) ** 0.5),
    ("Orthogonal(2.0, seed=1)", 0.0, 2 / 120**0.5), ("Identity(3.0)", 3 / 120, 3 * (119 / 120**2) ** 0.5),
]  # fmt: skip


@pytest.mark.parametrize("expression, mean, deviation", INITIALIZERS, ids=[e for e, *_ in INITIALIZERS])
def test_initializers_draw_from_their_distributions_the_same_each_time(expression, mean, deviation):
    initializer = eval(expression, vars(initializers))
    values = initializer([120, 80]).numpy()
    if "fan_avg" in expression or "fan_out" in expression:
        deviation = {"fan_avg": (3 / 100) ** 0.5, "fan_out": (3 / 80) ** 0.5}[expression.split("'")[1]]
    assert values.dtype == np.float32 and abs(values.mean() - mean) < 0.012
    assert abs(values.std() - deviation) < 0.02 * max(deviation, 0.02)
    config = json.loads(json.dumps(initializers.serialize(initializer)))
    for other in (initializer, initializers.deserialize(config), initializer.clone()):
        np.testing.assert_array_equal(other([120, 80]), values)
    assert initializer([3, 3], dtype="float64").dtype == tf.float64


def test_initializers_without_a_seed_follow_that_of_the_process():
    def values():
        tf.random.set_seed(5)
        return [initializers.get("he_normal")([3]).numpy().tolist() for _ in range(2)]

    first, second = values()
    assert first != second
    assert values() == [first, second]
    assert initializers.HeNormal(seed=3)([3]).numpy().tolist() != initializers.HeNormal(seed=4)([3]).numpy().tolist()


@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (2, 3, 4)])
def test_orthogonal_matrices(shape):
    x = initializers.Orthogonal(seed=2)(shape, dtype="float64").numpy().reshape(-1, shape[-1])
    product = x @ x.T if x.shape[0] < x.shape[1] else x.T @ x
    np.testing.assert_allclose(product, np.eye(len(product)), atol=1e-12)


def test_an_initializer_in_a_function_makes_a_constant():
    made = initializers.GlorotUniform(seed=1)
    np.testing.assert_array_equal(tf.function(lambda: made([2, 2]))(), made([2, 2]))


# By name.


@pytest.mark.parametrize(
    "module, names",
    [
        (initializers, ["zeros", "Zeros", "he_normal", "HeNormal", "glorot_uniform", "orthogonal", "identity"]),
        (regularizers, ["l1", "L1", "l2", "l1_l2", "L1L2"]), (constraints, ["max_norm", "MaxNorm", "non_neg"]),
        (losses, ["mse", "MeanSquaredError", "binary_crossentropy", "BinaryCrossentropy", "huber", "kld", "bce"]),
        (metrics, ["mse", "MeanSquaredError", "AUC", "Mean", "binary_accuracy", "F1Score"]),
        (activations, ["relu", "softmax", "linear"]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)  # fmt: skip
def test_all_are_found_by_their_names(module, names):
    for name in names:
        found = module.get(name)
        wanted = getattr(module, name, None) or getattr(module, "binary_crossentropy", None)
        assert found is wanted or type(found) is wanted
        assert module.get(found) is found
    assert module is activations or module.get(None) is None
    with pytest.raises(ValueError, match=f"Unknown .*: '{names[0]}_'. Did you mean "):
        module.get(f"{names[0]}_")


def test_aliases_of_tensorflow():
    assert (tf.losses, tf.metrics, tf.initializers) == (tf.keras.losses, tf.keras.metrics, tf.keras.initializers)


A, N, Q = ARRAYS["A"], ARRAYS["N"], ARRAYS["Q"]
REFUSED = [
    (lambda: losses.MeanSquaredError(reduction="average"), ValueError, "MeanSquaredError with reduction='average'"),
    (lambda: losses.CategoricalGeneralizedCrossEntropy(q=1.0), ValueError, "q=1.0: it lies between 0 and 1"),
    (lambda: losses.Loss()(A, A), NotImplementedError, r"Loss does not define call\(self, y_true, y_pred\)"),
    (lambda: losses.categorical_crossentropy(N, Q), ValueError, r"y_true has shape \(4,\) and y_pred \(4, 3\)"),
    (lambda: losses.binary_crossentropy(A[:2], Q), ValueError, "binary_crossentropy: y_true has shape"),
    (lambda: losses.sparse_categorical_crossentropy(Q, Q), ValueError, "there is categorical_crossentropy"),
    (lambda: losses.sparse_categorical_crossentropy(N, Q, axis=0), ValueError, "axis=0: the classes are along"),
    (lambda: losses.sparse_categorical_crossentropy(N + 9, Q), tf.errors.InvalidArgumentError, "is not the number"),
    (lambda: losses.MeanSquaredError()(A, A[:, :2]), ValueError, r"y_true has shape \(4, 3\) and y_pred \(4, 2\)"),
    (lambda: metrics.RootMeanSquaredError()(A, A[:2]), ValueError, r"y_true has shape \(4, 3\)"),
    (lambda: metrics.Recall()(A, A[:2]), ValueError, r"Recall: y_true has shape \(4, 3\) and y_pred \(2, 3\)"),
    (lambda: losses.get(3), ValueError, "Could not interpret loss 3"),
    (lambda: metrics.Metric()(A), NotImplementedError, "Metric does not define update_state"),
    (lambda: metrics.Precision(thresholds=[0.5, 2.0]), ValueError, "they are numbers from 0 to 1"),
    (lambda: metrics.Precision(class_id=1)(N, N), ValueError, "Precision with class_id=1"),
    (lambda: metrics.AUC(curve="roc2"), ValueError, "AUC with curve='ROC2': it is one of 'ROC', 'PR', 'PRGAIN'"),
    (lambda: metrics.AUC(summation_method="sum"), ValueError, "summation_method='sum'"),
    (lambda: metrics.AUC(num_thresholds=1), ValueError, "num_thresholds=1: it is 2 or more"),
    (lambda: metrics.AUC(num_labels=3), ValueError, "labels are counted with multi_label=True"),
    (lambda: metrics.AUC(multi_label=True)(N, N), ValueError, r"it has the shape \[batch, labels\]"),
    (lambda: metrics.AUC(multi_label=True).result(), ValueError, "before its first update_state"),
    (lambda: metrics.F1Score(average="mean"), ValueError, "F1Score with average='mean'"),
    (lambda: metrics.F1Score()(N, N), ValueError, r"F1Score of y_true of shape \(4,\)"),
    (lambda: metrics.F1Score().result(), ValueError, "before its first update_state"),
    (lambda: metrics.FBetaScore(beta=0.0), ValueError, "beta=0.0"),
    (lambda: metrics.FBetaScore(threshold=2.0), ValueError, "threshold=2.0"),
    (lambda: metrics.BinaryAccuracy(threshold=1.0), ValueError, "threshold=1.0: it lies between 0 and 1"),
    (lambda: metrics.SensitivityAtSpecificity(1.5), ValueError, "specificity=1.5: it is a number from 0 to 1"),
    (lambda: metrics.PrecisionAtRecall(0.5, num_thresholds=0), ValueError, "num_thresholds=0"),
    (lambda: metrics.IoU(2, [2]), ValueError, "2 is not the number of one of 2 classes"),
    (lambda: metrics.MeanIoU(3)(N, N, [0.5] * 4), ValueError, "dtype='float32' to weigh with fractions"),
    (lambda: metrics.R2Score("mean"), ValueError, "class_aggregation='mean'"),
    (lambda: metrics.R2Score(num_regressors=-1), ValueError, "num_regressors=-1"),
    (lambda: metrics.R2Score().result(), ValueError, "before its first update_state"),
    (lambda: initializers.RandomNormal(seed=1.5), ValueError, "RandomNormal with seed=1.5: it is a whole number"),
    (lambda: initializers.VarianceScaling(0.0), ValueError, "VarianceScaling with scale=0.0"),
    (lambda: initializers.VarianceScaling(mode="fan"), ValueError, "Invalid `mode` argument: 'fan'"),
    (lambda: initializers.VarianceScaling(distribution="bell"), ValueError, "Invalid `distribution` argument"),
    (lambda: initializers.Identity()([3]), ValueError, r"Identity of shape \(3,\): it makes matrices"),
    (lambda: initializers.Orthogonal()([3]), ValueError, r"Orthogonal of shape \(3,\)"),
    (lambda: initializers.Initializer()([3]), NotImplementedError, "Initializer does not define __call__"),
    (lambda: regularizers.L2(-1.0), ValueError, "Invalid value for argument l2: -1.0. It is a number, 0 or more"),
    (lambda: regularizers.OrthogonalRegularizer(mode="all"), ValueError, "mode='all': it is 'rows' or 'columns'"),
    (lambda: regularizers.OrthogonalRegularizer()([1.0]), ValueError, "it is for matrices"),
    (lambda: regularizers.Regularizer()(A), NotImplementedError, r"does not define __call__\(self, x\)"),
    (lambda: activations.glu([1.0, 2.0, 3.0]), ValueError, r"glu of a tensor of shape \(3,\)"),
    (lambda: activations.get(3), ValueError, "Could not interpret activation function 3"),
    (lambda: losses.deserialize({"class_name": "mse", "config": {"q": 1}}), ValueError, "is no class"),
    (lambda: losses.serialize(3), ValueError, "Could not serialize loss 3"),
]  # fmt: skip


@pytest.mark.parametrize("call, error, message", REFUSED, ids=[m for _, _, m in REFUSED])
def test_what_is_refused_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_one_class_by_itself_is_warned_of():
    with pytest.warns(SyntaxWarning, match="there is binary_crossentropy"):
        losses.categorical_crossentropy([[1.0]], [[0.5]])


def test_masks_of_layers_leave_steps_out():
    """As Keras has it for the same layer and numbers."""
    embedding = tf.keras.layers.Embedding(5, 1, mask_zero=True, embeddings_initializer="ones")
    numbers, wanted = np.array([[1, 2, 0], [3, 0, 0]]), np.zeros((2, 3, 1), np.float32)
    assert losses.MeanSquaredError()(wanted, embedding(numbers)).numpy() == 1.0
    assert losses.MeanSquaredError(reduction="sum")(wanted, embedding(numbers)).numpy() == 3.0
    run = tf.function(lambda x: losses.MeanSquaredError(reduction="sum")(wanted, embedding(x)))
    assert run(tf.constant(numbers)).numpy() == 3.0


def test_metrics_of_one_class_have_names_of_their_own():
    tf.keras.backend.clear_session()
    metrics = tf.keras.metrics
    assert [metrics.AUC().name for _ in range(3)] == ["auc", "auc_1", "auc_2"]
    assert [metrics.MeanIoU(2).name for _ in range(2)] == ["mean_io_u", "mean_io_u_1"]
    assert [metrics.Precision(name="p").name for _ in range(2)] == ["p", "p"]
    assert metrics.Precision().name == "precision"


def test_metrics_whose_class_has_a_name_share_it():
    class Own(tf.keras.metrics.Mean):
        pass

    class Close(tf.keras.metrics.BinaryAccuracy):
        pass

    metrics = tf.keras.metrics
    for made in (metrics.Mean, metrics.Sum, metrics.MeanSquaredError, metrics.F1Score, metrics.RootMeanSquaredError):
        assert made().name == made().name
    assert Own().name == "mean" and Close().name == "binary_accuracy"


def test_shapes_that_must_be_the_same_are_told_so():
    with pytest.raises(ValueError, match=r"binary_crossentropy: y_true has shape \(8,\) .*: both must have the same"):
        losses.binary_crossentropy(tf.zeros([8]), tf.zeros([8, 1]))
    with pytest.raises(ValueError, match="Precision: .*: both must have the same"):
        metrics.Precision()(tf.zeros([8]), tf.zeros([8, 3]))
