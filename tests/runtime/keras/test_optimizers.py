"""Optimizers go where Keras's go, at once and in a graph that is traced once; what they are told is done or refused."""

import copy
import json
import warnings

import numpy as np
import pytest

import runtime as tf
from runtime.keras import optimizers
from runtime.keras.optimizers import schedules
from tests.programs import EXECUTORS
from tests.runtime.keras.row_figures import FIGURES as ROW_FIGURES, LOOKUPS, OPTIMIZERS, trained
from tests.runtime.keras.trajectories import RATES, TRAJECTORIES

WAYS = {"at once": lambda f: f} | {
    f"jit_compile={jit}": lambda f, jit=jit: tf.function(f, jit_compile=jit) for jit in EXECUTORS
}
FIGURES = json.loads(ROW_FIGURES.read_text())
ways = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
CLASSES = [getattr(optimizers, n) for n in optimizers.__all__ if n[0].isupper() and n != "Optimizer"]
each = pytest.mark.parametrize("cls", CLASSES, ids=lambda c: c.__name__)


def made(expression):
    return eval(expression, {**vars(optimizers), "schedules": schedules, **vars(schedules)})


def gradients(step):
    """Numbers that change their size, and some their sign."""
    first = np.float32(np.sin([step + 1.0, 2.0 * step, 0.5 * step * step]) * (1 + step % 3))
    return tf.constant(first), tf.constant(np.float32([[0.1 * step, -1.0, 4.0 - step]]))


def trajectory(optimizer, way, steps=10):
    v, w = tf.Variable([1.0, -2.0, 0.5]), tf.Variable([[0.25, 3.0, -1.5]])
    found, traced = [], []

    def step(g, h):
        traced.append(1)
        optimizer.apply_gradients([(g, v), (h, w)])

    run = way(step)
    for number in range(steps):
        run(*gradients(number))
        found.append(np.concatenate([v.numpy(), w.numpy()[0]]))
    if optimizer.use_ema:
        optimizer.finalize_variable_values([v, w])
        found.append(np.concatenate([v.numpy(), w.numpy()[0]]))
    return np.array(found), len(traced)


@ways
@pytest.mark.parametrize("expression, wanted", TRAJECTORIES, ids=[e for e, _ in TRAJECTORIES])
def test_ten_steps_lead_where_keras_goes(expression, wanted, way):
    found, traced = trajectory(made(expression), way)
    np.testing.assert_allclose(found[[0, 1, 4, 9, *range(10, len(found))]], wanted, rtol=1e-5, atol=6e-6)
    assert traced == (10 if way is WAYS["at once"] else 1)


@pytest.mark.parametrize("expression", [e for e, _ in TRAJECTORIES])
def test_ten_steps_lead_where_keras_goes_that_is_installed(expression):
    """The stored figures, computed anew."""
    tensorflow = pytest.importorskip("tensorflow")
    kinds = tensorflow.keras.optimizers
    optimizer = eval(expression, {**vars(kinds), "schedules": kinds.schedules})
    v, w = tensorflow.Variable([1.0, -2.0, 0.5]), tensorflow.Variable([[0.25, 3.0, -1.5]])
    for number in range(10):
        pairs = zip(map(np.asarray, gradients(number)), (v, w))
        optimizer.apply_gradients([(tensorflow.constant(g), one) for g, one in pairs])
    if optimizer.use_ema:
        optimizer.finalize_variable_values([v, w])
    found, _ = trajectory(made(expression), lambda f: f)
    np.testing.assert_allclose(found[-1], np.concatenate([v.numpy(), w.numpy()[0]]), rtol=1e-5, atol=6e-6)


@each
def test_every_class_and_option_has_a_trajectory(cls):
    assert any(expression.startswith(f"{cls.__name__}(") for expression, _ in TRAJECTORIES)
    text = " ".join(expression for expression, _ in TRAJECTORIES)
    assert not [option for option in cls(0.1).get_config() if f"{option}=" not in text and option != "name"]


@ways
@pytest.mark.parametrize("expression, wanted", RATES, ids=[e for e, _ in RATES])
def test_schedules_give_the_rates_of_keras(expression, wanted, way):
    run = way(lambda step: made(expression)(step))
    found = [float(run(tf.constant(step))) for step in (0, 1, 3, 4, 7, 8, 9, 12, 17, 24)]
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-8)
    assert run(tf.constant(1)).dtype == tf.float32


@pytest.mark.parametrize("expression", [e for e, _ in RATES])
def test_a_schedule_is_made_again_of_its_configuration(expression):
    schedule = made(expression)
    config = json.loads(json.dumps(schedules.serialize(schedule)))
    again = schedules.deserialize(config)
    assert type(again) is type(schedule) and again.get_config() == schedule.get_config()
    optimizer = optimizers.SGD(schedule)
    config = json.loads(json.dumps(optimizers.serialize(optimizer)))
    assert float(optimizers.deserialize(config).learning_rate) == float(optimizer.learning_rate)


@pytest.mark.parametrize("expression", [e for e, _ in TRAJECTORIES if "schedule" not in e])
def test_an_optimizer_is_made_again_of_its_configuration(expression):
    optimizer = made(expression)
    config = json.loads(json.dumps(optimizers.serialize(optimizer)))
    again = optimizers.deserialize(config)
    assert type(again) is type(optimizer) and again.get_config() == optimizer.get_config()
    assert type(optimizer).from_config(optimizer.get_config()).get_config() == optimizer.get_config()
    np.testing.assert_array_equal(*(trajectory(o, lambda f: f, 3)[0] for o in (optimizer, again)))


@ways
@each
def test_a_classifier_is_trained_inside_of_one_graph(cls, way):
    """Every step, the slots of the first one included, is in the graph of one loop."""
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 3, 60)
    x = np.float32(rng.normal(size=(60, 4)) + 3 * np.eye(3, 4)[labels])
    w, b = tf.Variable(tf.zeros([4, 3])), tf.Variable(tf.zeros([3]))
    more = {"epsilon_2": 1.0} if cls is optimizers.Adafactor else {}  # steps in proportion to zeros were none
    optimizer = cls(learning_rate={"Adadelta": 20.0, "Adagrad": 0.5}.get(cls.__name__, 0.05), **more)
    targets = np.float32(np.eye(3)[labels])
    steps = 30

    def loss_of(x, targets):
        return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(targets, x @ w + b))

    def train(x, targets, steps):
        loss = 0.0
        for _ in tf.range(steps):
            with tf.GradientTape() as tape:
                loss = loss_of(x, targets)
            optimizer.apply_gradients(zip(tape.gradient(loss, [w, b]), [w, b]))
        return loss

    before = float(loss_of(x, targets))
    run = way(train) if way is not WAYS["at once"] else train
    after = float(run(tf.constant(x), tf.constant(targets), tf.constant(steps)))
    assert after < 0.7 * before and int(optimizer.iterations) == steps
    if run is not train:
        assert run.experimental_get_tracing_count() == 1
        ops = [node.op.name for node in run.get_concrete_function(
            tf.constant(x), tf.constant(targets), tf.constant(steps)).graph.nodes]  # fmt: skip
        assert len(ops) < 80


@ways
def test_a_loop_over_a_dataset_is_one_graph_too(way):
    w = tf.Variable([0.0, 0.0])
    optimizer = optimizers.Adam(0.1)
    x = np.float32(np.random.default_rng(0).normal(size=(24, 2)))
    data = tf.data.Dataset.from_tensor_slices((x, x @ np.float32([1.0, -2.0]))).batch(8)

    def epoch(data):
        total = 0.0
        for x, y in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((tf.linalg.matmul(x, w[:, None])[:, 0] - y) ** 2)
            optimizer.apply_gradients([(tape.gradient(loss, w), w)])
            total += loss
            if loss < 1e-4:
                break
        return total

    run = way(epoch)
    totals = [float(run(data)) for _ in range(30)]
    assert totals[-1] < 0.1 * totals[0]
    assert int(optimizer.iterations) > 60


# The learning rate.


@ways
def test_the_learning_rate_can_be_set_between_steps_without_another_trace(way):
    w, traced = tf.Variable(0.0), []
    optimizer = optimizers.SGD(0.5)

    def step():
        traced.append(1)
        optimizer.apply_gradients([(tf.constant(1.0), w)])

    run = way(step)
    run()
    optimizer.learning_rate = 0.25
    run()
    optimizer.learning_rate.assign(0.125)
    run()
    assert w.numpy() == -0.875
    assert len(traced) == (3 if way is WAYS["at once"] else 1)


def test_what_a_learning_rate_may_be():
    rate = tf.Variable(0.5)
    w = tf.Variable(0.0)
    for given in (rate, lambda: rate * 1.0, schedules.InverseTimeDecay(0.5, 1, 0.0), np.float32(0.5), 1 / 2):
        optimizer = optimizers.SGD(given)
        assert float(optimizer.learning_rate) == 0.5
        optimizer.apply_gradients([(tf.constant(1.0), w)])
    assert w.numpy() == -2.5
    assert optimizers.SGD(rate).learning_rate is rate
    assert float(optimizers.SGD(1).learning_rate) == 1.0


def test_a_schedule_can_be_set_but_not_overwritten_by_a_number():
    optimizer = optimizers.SGD(0.5, name="sgd")
    optimizer.learning_rate = schedules.InverseTimeDecay(1.0, 1, 1.0)
    assert float(optimizer.learning_rate) == 1.0
    assert [(v.name, v.path) for v in optimizer.variables] == [("iteration", "sgd/iteration")]
    with pytest.raises(TypeError, match="the learning rate of 'sgd' is the schedule InverseTimeDecay"):
        optimizer.learning_rate = 0.5


# Gradients.


@ways
def test_none_for_a_gradient_leaves_a_variable_alone_with_a_warning(way):
    v, w = tf.Variable(1.0, name="v"), tf.Variable(1.0, name="w")
    optimizer = optimizers.Adam(0.5)
    run = way(lambda: optimizer.apply_gradients([(None, v), (tf.constant(1.0), w)]).read_value())
    with pytest.warns(UserWarning, match="Gradients do not exist for variables 'v': the loss does not depend on them"):
        assert run().numpy() == 1
    assert (v.numpy(), w.numpy() < 1) == (1.0, True)


@ways
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("lookup", LOOKUPS)
def test_tables_whose_rows_are_looked_up_go_where_keras_takes_them(lookup, optimizer, way):
    """Rows that come again count one by one where squares are taken, and in norms."""
    found, wanted = trained(tf, lookup, optimizer, way), FIGURES[f"{lookup} {optimizer}"]
    for place, there in zip(found, wanted, strict=True):
        np.testing.assert_allclose(place, there, rtol=2e-4, atol=2e-5)


def test_gradients_take_the_dtype_of_their_variables():
    v, w = tf.Variable(np.float64([1.0, 2.0])), tf.Variable(np.float16([1.0, 2.0]))
    optimizer = optimizers.Adam(0.5)
    optimizer.apply_gradients([(tf.constant([1.0, -1.0]), v), (tf.constant([1.0, -1.0]), w)])
    assert (v.dtype, w.dtype) == (tf.float64, tf.float16)
    far = 0.5 * np.sqrt(1 - 0.999) / (1 - 0.9) * 0.1 / (np.sqrt(0.001) + 1e-7)  # a little less than the rate
    np.testing.assert_allclose(v.numpy(), [1 - far, 2 + far], rtol=1e-12)
    np.testing.assert_array_equal(w.numpy(), np.float16([0.5063, 2.494]))  # as Keras, in so few digits


def test_constraints_of_variables_hold_after_each_step():
    w = tf.Variable([1.0, -1.0])
    w.constraint = lambda value: tf.maximum(value, 0.25)
    optimizers.SGD(1.0).apply_gradients([(tf.constant([2.0, -3.0]), w)])
    np.testing.assert_array_equal(w.numpy(), [0.25, 2.0])


# minimize.


@ways
def test_minimize_takes_a_function_or_a_tensor_with_its_tape(way):
    v, w = tf.Variable(3.0), tf.Variable(3.0)
    optimizer = optimizers.SGD(0.25)
    optimizer.build([v, w])

    def step():
        optimizer.minimize(lambda: v**2, lambda: [v])
        with tf.GradientTape() as tape:
            loss = w**2
        return optimizer.minimize(loss, [w], tape=tape).read_value()

    assert way(step)().numpy() == 2
    assert v.numpy() == w.numpy() == 1.5


@ways
def test_a_loss_that_minimize_is_given_may_hold_control_flow(way):
    w = tf.Variable(3.0)
    optimizer = optimizers.SGD(0.25)

    def loss():
        total = w * 0.0
        for _ in tf.range(3):
            if w > 0:
                total += w
            else:
                total -= w
        return total

    way(lambda: optimizer.minimize(loss, [w]).read_value())()
    assert w.numpy() == 2.25


# What is kept.


def test_what_is_kept_has_names_shapes_and_dtypes():
    w = tf.Variable(np.ones((2, 3)), name="dense/kernel")
    optimizer = optimizers.RMSprop(0.1, momentum=0.5, centered=True, use_ema=True, name="rmsprop")
    optimizer.build([w])
    kept = [(v.path, v.shape.as_list(), v.dtype.name, v.trainable) for v in optimizer.variables]
    assert kept == [
        ("rmsprop/iteration", [], "int64", False), ("rmsprop/learning_rate", [], "float32", False),
        *((f"rmsprop/dense_kernel_{name}", [2, 3], "float64", False)
          for name in ("average", "velocity", "momentum", "average_gradient")),
    ]  # fmt: skip


@pytest.mark.parametrize("expression", [e for e, _ in TRAJECTORIES if "schedule" not in e])
def test_an_optimizer_goes_on_where_another_was_saved(expression):
    v, w = tf.Variable([1.0, -2.0, 0.5]), tf.Variable([[0.25, 3.0, -1.5]])
    first = made(expression)
    for number in range(4):
        first.apply_gradients(zip(gradients(number), [v, w]))
    store = {}
    first.save_own_variables(store)
    a, b = tf.Variable(v.numpy()), tf.Variable(w.numpy())
    second = made(expression)
    second.build([a, b])
    second.load_own_variables(store)
    for number in range(4, 8):
        first.apply_gradients(zip(gradients(number), [v, w]))
        second.apply_gradients(zip(gradients(number), [a, b]))
    np.testing.assert_array_equal(v.numpy(), a.numpy())
    np.testing.assert_array_equal(w.numpy(), b.numpy())


def test_an_optimizer_in_two_functions_keeps_one_state():
    w = tf.Variable(1.0)
    optimizer = optimizers.SGD(1.0, momentum=0.5)
    f = tf.function(lambda: optimizer.apply_gradients([(tf.constant(1.0), w)]).read_value())
    g = tf.function(lambda: optimizer.apply_gradients([(tf.constant(1.0), w)]).read_value())
    assert [f().numpy(), g().numpy(), f().numpy()] == [1, 2, 3]
    assert w.numpy() == 1 - 1 - 1.5 - 1.75


@ways
def test_an_optimizer_of_ones_own(way):
    class Heavy(optimizers.Optimizer):
        def __init__(self, learning_rate=0.5, mass=0.5, **options):
            super().__init__(learning_rate, **options)
            self.mass = mass

        def build(self, variables):
            if self.built:
                return
            super().build(variables)
            (self.speeds,) = self.add_optimizer_variables(variables, ["speed"])

        def update_step(self, gradient, variable, learning_rate):
            speed = self.speeds[self._get_variable_index(variable)]
            if tf.reduce_sum(gradient) > 100:  # staged, as in the user's own functions
                gradient = gradient * 0
            self.assign(speed, speed * self.mass + gradient)
            self.assign_sub(variable, speed * learning_rate)

        def get_config(self):
            return {**super().get_config(), "mass": self.mass}

    w = tf.Variable([0.0])
    optimizer = Heavy(mass=0.25)
    run = way(lambda g: optimizer.apply_gradients([(g, w)]).read_value())
    for value in (1.0, 1000.0, 1.0):
        run(tf.constant([value]))
    np.testing.assert_allclose(w.numpy(), [-0.5 - 0.125 - 0.53125])
    again = optimizers.deserialize(optimizers.serialize(optimizer), {"Heavy": Heavy})
    assert again.mass == 0.25
    with pytest.raises(ValueError, match="Unknown optimizer: 'Heavy'"):
        optimizers.deserialize(optimizers.serialize(optimizer))


# By name.


@each
def test_optimizers_by_their_names(cls):
    for identifier in (cls.__name__, cls.__name__.lower(), cls, cls(), optimizers.serialize(cls())):
        assert type(optimizers.get(identifier)) is cls
    assert getattr(tf.optimizers, cls.__name__) is getattr(tf.keras.optimizers, cls.__name__) is cls


# What is refused.


def built():
    optimizer = optimizers.SGD()
    optimizer.build([tf.Variable(1.0)])
    return optimizer


V = tf.Variable([1.0, 2.0], name="v")
ONE = [(tf.constant([1.0, 1.0]), V)]

REFUSED = [
    (lambda: optimizers.Adam(lr=0.1), ValueError, "not recognized by Adam: 'lr'. Did you mean 'learning_rate'?"),
    (lambda: optimizers.Adam(learning_rat=0.1), ValueError, "'learning_rat'. Did you mean 'learning_rate'?"),
    (lambda: optimizers.SGD(momentun=0.1), ValueError, "'momentun'. Did you mean 'momentum'?"),
    (lambda: optimizers.SGD("fast"), TypeError, "SGD with learning_rate='fast': it is a number, a LearningRateSch"),
    (lambda: optimizers.SGD(None), TypeError, "learning_rate=None"),
    (lambda: optimizers.SGD(momentum=2.0), ValueError, "momentum=2.0: it is a number from 0 to 1"),
    (lambda: optimizers.Adam(beta_1=1.0), ValueError, "beta_1=1.0: it is a number from 0 to 1, and not 1"),
    (lambda: optimizers.Lion(beta_1=0.0), ValueError, "beta_1=0.0"),
    (lambda: optimizers.AdamW(weight_decay=None), ValueError, "AdamW with weight_decay=None"),
    (lambda: optimizers.Adagrad(initial_accumulator_value=-1.0), ValueError, "initial_accumulator_value=-1.0"),
    (lambda: optimizers.Ftrl(learning_rate_power=1.0), ValueError, "learning_rate_power=1.0: it is 0 or less"),
    (lambda: optimizers.Ftrl(l1_regularization_strength=-1.0), ValueError, "l1_regularization_strength=-1.0"),
    (lambda: optimizers.SGD(clipnorm=1.0, clipvalue=2.0), ValueError,
     "Only one of clipnorm, clipvalue and global_clipnorm can be set, not clipnorm=1.0, clipvalue=2.0"),
    (lambda: optimizers.SGD(clipnorm=-1.0), ValueError, "clipnorm=-1.0: it is a positive number, or None"),
    (lambda: optimizers.SGD(use_ema=True, ema_momentum=2.0), ValueError, "ema_momentum=2.0"),
    (lambda: optimizers.SGD(ema_overwrite_frequency=0), ValueError, "ema_overwrite_frequency=0"),
    (lambda: optimizers.SGD(gradient_accumulation_steps=1), ValueError, "a whole number, 2 or more, or None"),
    (lambda: optimizers.SGD().apply_gradients([(None, V)]), ValueError,
     "No gradients provided for any variable: all of those for 'v' are None"),
    (lambda: optimizers.SGD().apply_gradients([(tf.constant([1.0]), V)]), ValueError,
     r"the gradient for 'v' has shape \(1,\), and the Variable \(2,\)"),
    (lambda: optimizers.SGD().apply_gradients([(tf.constant([1.0]), [1.0])]), TypeError, "trains Variables, not"),
    (lambda: optimizers.SGD().apply_gradients([tf.constant(1.0)]), TypeError, "takes pairs of a gradient and a"),
    (lambda: built().apply_gradients(ONE), ValueError, "Unknown variable: 'v' was not among those of the first step"),
    (lambda: optimizers.SGD().apply([1.0]), ValueError, r"call optimizer.build\(variables\) first"),
    (lambda: built().apply([1.0, 2.0]), ValueError, "2 gradients for 1 Variables"),
    (lambda: optimizers.SGD().minimize(tf.constant(1.0), [V]), ValueError, "`tape` is required"),
    (lambda: built().exclude_from_weight_decay([V]), ValueError, "after its first step"),
    (lambda: optimizers.SGD().set_weights([1]), ValueError, "1 values for the 2 Variables of 'sgd"),
    (lambda: optimizers.SGD().add_variable([2], "one"), ValueError, "initializer='one'"),
    (lambda: optimizers.SGD().add_optimizer_variables([V], ["a"], ["zeros", "ones"]), ValueError, "1 names"),
    (lambda: optimizers.Optimizer(0.1).apply_gradients(ONE), NotImplementedError, "does not define update_step"),
    (lambda: optimizers.get("adm"), ValueError, "Unknown optimizer: 'adm'. Did you mean 'Adam'?"),
    (lambda: optimizers.get(3), ValueError, "Could not interpret optimizer 3"),
    (lambda: optimizers.get({"config": {}}), ValueError, "a dictionary with 'class_name' and 'config'"),
    (lambda: schedules.ExponentialDecay(0.1, 0, 0.5), ValueError, "ExponentialDecay with decay_steps=0"),
    (lambda: schedules.CosineDecayRestarts(0.1, -1), ValueError, "first_decay_steps=-1"),
    (lambda: schedules.PiecewiseConstantDecay([1, 2], [0.1]), ValueError, "2 boundaries and 1 values"),
    (lambda: schedules.LearningRateSchedule()(1), NotImplementedError, r"does not define __call__\(self, step\)"),
    (lambda: tf.linalg.global_norm([None]), ValueError, "global_norm of no tensors"),
]  # fmt: skip


@pytest.mark.parametrize("call, error, message", REFUSED, ids=[m for _, _, m in REFUSED])
def test_what_is_refused_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_nothing_is_warned_of_that_is_right():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        optimizers.Adam().apply_gradients([(tf.constant([1.0, 1.0]), tf.Variable([1.0, 2.0]))])


def test_an_optimizer_can_be_copied():
    optimizer = optimizers.SGD(0.5, momentum=0.5)
    w = tf.Variable([1.0])
    optimizer.apply_gradients([(tf.constant([1.0]), w)])
    other = copy.deepcopy(optimizer)
    optimizer.apply_gradients([(tf.constant([1.0]), w)])
    assert (int(optimizer.iterations), int(other.iterations)) == (2, 1)


# Clipping, by itself.


@ways
def test_clipping_by_norms(way):
    x, y = np.float32([[3.0, 4.0], [0.0, 0.0]]), np.float32([12.0])
    run = way(lambda x, y: (
        tf.clip_by_norm(x, 2.5), tf.clip_by_norm(x, 10.0), tf.clip_by_norm(x, 2.0, axes=[1]), tf.global_norm([x, y]),
        *tf.clip_by_global_norm([x, y], 6.5)[0], tf.clip_by_global_norm([x, y], 6.5)[1],
        *tf.clip_by_global_norm([x, y], 20.0)[0], *tf.clip_by_global_norm([x, y], 6.5, use_norm=26.0)[0],
    ))  # fmt: skip
    wanted = [x / 2, x, x * 0.4, np.float32(13.0), x / 2, y / 2, np.float32(13.0), x, y, x / 4, y / 4]
    for found, value in zip(run(tf.constant(x), tf.constant(y)), wanted, strict=True):
        np.testing.assert_allclose(found, value, rtol=1e-6)


def test_clipping_keeps_none_and_rows_and_says_where_a_norm_is_not_finite():
    clipped, norm = tf.clip_by_global_norm([None, tf.IndexedSlices([[3.0], [4.0]], [0, 2], [3, 1])], 1.0)
    assert clipped[0] is None and norm.numpy() == 5
    np.testing.assert_allclose(clipped[1].values, [[0.6], [0.8]], rtol=1e-6)
    assert np.isnan(tf.clip_by_global_norm([[np.inf]], 1.0)[0][0]).all()


def test_clipping_a_zero_has_a_gradient():
    x = tf.constant([0.0, 0.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.clip_by_norm(x, 1.0)
    np.testing.assert_array_equal(tape.gradient(y, x), [1.0, 1.0])


@pytest.mark.parametrize("make", [tf.keras.optimizers.Adam, tf.keras.optimizers.RMSprop, tf.keras.optimizers.SGD])
def test_variables_that_are_arguments_are_trained(make):
    def results(decorate):
        first, second, optimizer = tf.Variable([1.0, 2.0]), tf.Variable([3.0]), make(0.1)

        @decorate
        def step(variables):
            with tf.GradientTape() as tape:
                loss = sum(tf.reduce_sum(v**2) for v in variables)
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
            return loss

        losses = [float(step([first, second])) for _ in range(3)]
        return losses, first.numpy().tolist(), second.numpy().tolist()

    assert results(tf.function) == results(lambda function: function)


def test_a_variable_that_one_function_hands_to_another_is_trained():
    variable, optimizer = tf.Variable([1.0, 2.0]), tf.keras.optimizers.Adam(0.1)

    @tf.function
    def step(w):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w**2)
        optimizer.apply_gradients([(tape.gradient(loss, w), w)])
        return loss

    @tf.function
    def steps(w, n):
        for _ in tf.range(n):
            step(w)
        return step(w)

    assert float(steps(variable, tf.constant(2))) < 5 and optimizer.iterations.numpy() == 3
    with pytest.raises(ValueError, match="was not among those of the first step"):
        step(tf.Variable([5.0]))
