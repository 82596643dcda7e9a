"""Names, configurations and defaults of metrics, losses, optimizers, schedules, initializers and their like."""

import re

import numpy as np

from tests.tensorflow.programs.layer_options import plain

METRICS = {
    "AUC": [
        "",
        "num_thresholds=3",
        "curve='PR', summation_method='minoring'",
        "multi_label=True, num_labels=3",
        "thresholds=[0.2, 0.7]",
        "from_logits=True",
        "curve='X'",
        "summation_method='x'",
        "num_thresholds=1",
        "label_weights=[1.0, 2.0]",
    ],
    "BinaryAccuracy": ["", "threshold=0.7"],
    "BinaryCrossentropy": ["", "from_logits=True, label_smoothing=0.1"],
    "BinaryIoU": ["", "target_class_ids=[1], threshold=0.3", "target_class_ids=[2]"],
    "CategoricalCrossentropy": ["", "from_logits=True"],
    "CosineSimilarity": ["", "axis=0"],
    "F1Score": ["", "average='macro', threshold=0.5", "average='most'", "threshold=2.0", "name='mine'"],
    "FBetaScore": ["", "beta=2.0, average='micro'", "beta=-1.0", "beta='1'"],
    "IoU": [
        "num_classes=3, target_class_ids=[0, 2]",
        "num_classes=3, target_class_ids=[5]",
        "num_classes=2, target_class_ids=[0], ignore_class=1",
    ],
    "MeanIoU": ["num_classes=3", "num_classes=3, sparse_y_true=False, sparse_y_pred=False"],
    "OneHotIoU": ["num_classes=3, target_class_ids=[0]"],
    "OneHotMeanIoU": ["num_classes=3", "num_classes=3, sparse_y_pred=True"],
    "Mean": ["", "name='m', dtype='float64'"],
    "Sum": [""],
    "Accuracy": [""],
    "CategoricalAccuracy": [""],
    "SparseCategoricalAccuracy": [""],
    "TopKCategoricalAccuracy": ["", "k=2"],
    "SparseTopKCategoricalAccuracy": ["", "k=2, from_sorted_ids=True"],
    "SparseCategoricalCrossentropy": ["", "from_logits=True, axis=-1"],
    "KLDivergence": [""],
    "LogCoshError": [""],
    "Poisson": [""],
    "MeanAbsoluteError": [""],
    "MeanAbsolutePercentageError": [""],
    "MeanSquaredError": [""],
    "MeanSquaredLogarithmicError": [""],
    "RootMeanSquaredError": [""],
    "Hinge": [""],
    "SquaredHinge": [""],
    "CategoricalHinge": [""],
    "Precision": ["", "thresholds=0.3", "thresholds=[0.3, 0.6]", "top_k=2, class_id=1", "thresholds=2.0"],
    "Recall": ["", "thresholds=[0.3, 0.6]", "class_id=0", "thresholds=[None]"],
    "TruePositives": ["", "thresholds=[0.1, 0.9]"],
    "TrueNegatives": [""],
    "FalsePositives": ["thresholds=0.5"],
    "FalseNegatives": [""],
    "PrecisionAtRecall": ["0.5", "0.5, num_thresholds=3, class_id=1", "1.5", "0.5, num_thresholds=0"],
    "RecallAtPrecision": ["0.5", "-1"],
    "SensitivityAtSpecificity": ["0.5", "2.0"],
    "SpecificityAtSensitivity": ["0.5, num_thresholds=5", "-0.1"],
    "R2Score": ["", "class_aggregation=None, num_regressors=1", "class_aggregation='sum'", "num_regressors=-1"],
}
LOSSES = {
    "BinaryCrossentropy": [
        "",
        "from_logits=True, label_smoothing=0.1, axis=0",
        "reduction='sum', name='b'",
        "reduction='most'",
    ],
    "BinaryFocalCrossentropy": ["", "apply_class_balancing=True, alpha=0.3, gamma=1.0"],
    "CategoricalCrossentropy": ["", "label_smoothing=0.1"],
    "CategoricalFocalCrossentropy": ["", "alpha=0.5, gamma=1.0"],
    "SparseCategoricalCrossentropy": ["", "ignore_class=-1, from_logits=True"],
    "Huber": ["", "delta=0.5"],
    "CosineSimilarity": ["", "axis=0"],
    "Dice": ["", "axis=1"],
    "Tversky": ["", "alpha=0.3, beta=0.6"],
    "Circle": ["", "gamma=2.0, margin=0.2, remove_diagonal=False"],
    "CategoricalGeneralizedCrossEntropy": ["", "q=0.7", "q=0.0"],
    "CTC": [""],
    **{
        name: ["", "reduction=None"]
        for name in (
            "MeanSquaredError",
            "MeanAbsoluteError",
            "MeanAbsolutePercentageError",
            "LogCosh",
            "MeanSquaredLogarithmicError",
            "KLDivergence",
            "Poisson",
            "Hinge",
            "SquaredHinge",
            "CategoricalHinge",
        )
    },
}
OPTIMIZERS = {
    "SGD": [
        "",
        "0.1",
        "momentum=0.9, nesterov=True",
        "momentum=2.0",
        "clipnorm=1.0",
        "clipvalue=0.5",
        "global_clipnorm=0.5",
        "clipnorm=1.0, clipvalue=1.0",
        "weight_decay=0.1",
        "use_ema=True, ema_momentum=0.5, ema_overwrite_frequency=2",
        "gradient_accumulation_steps=2",
        "gradient_accumulation_steps=1",
        "use_ema=True, ema_momentum=2.0",
        "loss_scale_factor=2.0",
        "speed=3",
        "name='mine'",
    ],
    "Adam": ["", "amsgrad=True", "epsilon=0.1, beta_1=0.5, beta_2=0.7"],
    "AdamW": ["", "weight_decay=0.1"],
    "Adamax": ["", "beta_1=0.5"],
    "Nadam": ["", "beta_2=0.9"],
    "RMSprop": ["", "rho=0.5, momentum=0.5, centered=True"],
    "Adagrad": ["", "initial_accumulator_value=0.5"],
    "Adadelta": ["", "rho=0.5"],
    "Lion": ["", "beta_1=0.5", "beta_1=0.0", "beta_1=1.5"],
    "Lamb": ["", "epsilon=0.1"],
    "Ftrl": [
        "",
        "l1_regularization_strength=0.1, l2_regularization_strength=0.2",
        "l2_shrinkage_regularization_strength=0.3, beta=0.1",
        "initial_accumulator_value=-1.0",
        "learning_rate_power=1.0",
    ],
}
SCHEDULES = {
    "CosineDecay": ["0.5, 10", "0.5, 10, alpha=0.1", "0.1, 10, warmup_target=0.5, warmup_steps=4", "0.5, 0"],
    "CosineDecayRestarts": ["0.5, 4", "0.5, 4, t_mul=1.0", "0.5, 4, t_mul=1.5, m_mul=0.5, alpha=0.1"],
    "ExponentialDecay": ["0.5, 10, 0.5", "0.5, 10, 0.5, staircase=True", "0.5, 0, 0.5"],
    "InverseTimeDecay": ["0.5, 10, 0.5", "0.5, 10, 0.5, staircase=True"],
    "PiecewiseConstantDecay": ["[3, 7], [1.0, 0.5, 0.1]", "[3], [1.0]"],
    "PolynomialDecay": ["0.5, 10", "0.5, 5, end_learning_rate=0.1, power=2.0", "0.5, 4, cycle=True"],
}
OTHERS = {
    "initializers": {
        "Constant": ["", "2.0", "[1.0, 2.0]"],
        "Identity": ["", "gain=2.0"],
        "Zeros": [""],
        "Ones": [""],
        "Orthogonal": ["gain=2.0, seed=1"],
        "RandomNormal": ["seed=1", "1.0, 2.0, seed=1"],
        "RandomUniform": ["seed=1", "-1.0, 2.0, seed=1"],
        "TruncatedNormal": ["seed=1"],
        "VarianceScaling": ["seed=1", "2.0, 'fan_avg', 'uniform', seed=1", "-1.0", "mode='far'", "distribution='odd'"],
        "GlorotUniform": ["seed=1"],
        "GlorotNormal": ["seed=1"],
        "HeNormal": ["seed=1"],
        "HeUniform": ["seed=1"],
        "LecunNormal": ["seed=1"],
        "LecunUniform": ["seed=1"],
    },
    "regularizers": {
        "L1": ["", "0.5"],
        "L2": ["", "0.5"],
        "L1L2": ["", "0.1, 0.2", "l1=None", "l2=-1.0"],
        "OrthogonalRegularizer": ["", "mode='columns'", "mode='x'"],
    },
    "constraints": {
        "MaxNorm": ["", "1.5, axis=[0, 1]"],
        "MinMaxNorm": ["", "0.5, 1.5, 0.5, axis=1"],
        "NonNeg": [""],
        "UnitNorm": ["", "axis=1"],
    },
}
SMALL = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]], np.float32)


def run(tf, see):
    k = tf.keras

    def cases(where, table, facts):
        for name, rows in table.items():
            for options in rows:

                def action(name=name, options=options):
                    made = getattr(where, name)
                    return facts(eval(f"made({options})", {"made": made}))

                see(f"{where.__name__.rpartition('.')[2]} {name}({options})", action)

    def config(thing):
        return plain(thing.get_config())

    def name(thing):
        """Keras numbers its metrics and optimizers."""
        return re.sub(r"_\d+$", "", thing.name)

    def empty(metric):  # of others it is unknown how many numbers there are
        return None if type(metric).__name__ in ("F1Score", "FBetaScore", "R2Score") else np.asarray(metric.result())

    cases(k.metrics, METRICS, lambda m: (name(m), config(m), [list(v.shape) for v in m.variables], empty(m)))
    cases(k.losses, LOSSES, lambda made: (made.name, config(made)))

    def trained(optimizer):
        v, w = tf.Variable(SMALL), tf.Variable(1.0)
        for step in range(4):
            optimizer.apply_gradients([(tf.constant(SMALL * (step - 1.5)), v), (tf.constant(0.5), w)])
        return name(optimizer), config(optimizer), v.numpy(), w.numpy(), optimizer.iterations.numpy()

    cases(k.optimizers, OPTIMIZERS, trained)
    cases(
        k.optimizers.schedules,
        SCHEDULES,
        lambda s: (config(s), [float(s(n)) for n in (0, 1, 3, 4, 5, 7, 9, 10, 11, 20)], float(s(tf.constant(2)))),
    )

    def drawn(made):
        values = np.asarray(made([3, 3]))
        return (
            config(made),
            list(values.shape),
            values if type(made).__name__ in ("Constant", "Ones", "Zeros") else None,
        )

    cases(k.initializers, OTHERS["initializers"], drawn)
    cases(k.regularizers, OTHERS["regularizers"], lambda made: (config(made), float(made(tf.constant(SMALL)))))
    cases(k.constraints, OTHERS["constraints"], lambda made: (config(made), made(tf.constant(SMALL))))

    # Names of functions and classes, as `get` takes them.
    for where, names in {
        k.losses: [
            "mse",
            "MSE",
            "mean_squared_error",
            "MeanSquaredError",
            "kld",
            "bce",
            "huber",
            "cosine_similarity",
            "nothing",
            "hinge",
        ],
        k.metrics: ["mse", "mae", "MeanSquaredError", "AUC", "acc", "accuracy", "bce", "nothing", "cosine_similarity"],
        k.optimizers: ["sgd", "SGD", "adam", "Adam", "rmsprop", "adamw", "ftrl", "nothing", "lion"],
        k.activations: ["relu", "linear", "nothing", "log_softmax", "Tanh", None],
        k.initializers: ["zeros", "Zeros", "glorot_uniform", "GlorotUniform", "one", "nothing", "he_normal", None],
        k.regularizers: ["l1", "l2", "l1_l2", "L1L2", "nothing", "orthogonal_regularizer", None],
        k.constraints: ["non_neg", "NonNeg", "max_norm", "unit_norm", "nothing", None],
    }.items():
        for name in names:

            def gotten(where=where, name=name):
                found = where.get(name)
                return getattr(found, "__name__", type(found).__name__)

            see(f"{where.__name__.rpartition('.')[2]} by name {name}", gotten)
        for given in (3, {"class_name": "Nothing", "config": {}}):
            if where in (k.initializers, k.activations):  # numbers are constants here
                continue
            see(f"{where.__name__.rpartition('.')[2]} of {given}", lambda where=where, given=given: where.get(given))
