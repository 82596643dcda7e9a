"""What is saved and loaded does the same, and what nobody has saved is refused whole."""

import collections
import copy
import importlib
import io
import json
import os
import random
import sys

import numpy as np
import pytest

import runtime as tf
from runtime.checkpoints import archives
from runtime.graph.op import OPS
from runtime.serialization import attributes
from runtime.serialization.functions import FunctionReader, FunctionWriter
from runtime.serialization.values import Reader, Writer
from tests.programs import EXECUTORS
from tests.staged import PROGRAMS
from tests.test_staged import agrees, seen, tensors

SCALAR = tf.TensorSpec([], tf.float32)
VECTOR = tf.TensorSpec([None], tf.float32)
NUMBER = tf.TensorSpec([], tf.int32)

for _name in "branches choices containers expressions functions lists loops mixtures".split():
    importlib.import_module(f"tests.staged.{_name}")


def module(**attributes):
    made = tf.Module()
    for name, value in attributes.items():
        setattr(made, name, value)
    return made


@pytest.fixture
def trip(tmp_path):
    """Saves an object, and loads it."""
    numbers = iter(range(1000))

    def trip(obj, **options):
        folder = tmp_path / str(next(numbers))
        tf.saved_model.save(obj, folder, **options)
        return tf.saved_model.load(folder)

    return trip


class Counter(tf.Module):
    def __init__(self, start):
        super().__init__(name="counter")
        self.total = tf.Variable(start, name="total")

    @tf.function(input_signature=[SCALAR])
    def add(self, x):
        tf.print(self.total.assign_add(x), output_stream=sys.stdout)
        return self.total

    @tf.function
    def __call__(self, x, scale=1.0, *, training=False):
        return {"out": x * self.total * scale, "training": training, "both": [x, (x, None)]}


def test_an_object_with_functions(trip, capsys):
    counter = Counter(56.0)
    for x in (tf.constant(1.0), tf.constant([1.0, 2.0])):
        counter(x)
    counter(tf.constant(1.0), training=True)
    loaded = trip(counter, signatures={"serving_default": counter.add})
    assert loaded.add(5.0).numpy() == loaded.total.numpy() == 61.0
    assert capsys.readouterr().out == "61\n"
    assert counter.total.numpy() == 56.0
    assert [v.name for v in loaded.trainable_variables] == ["total:0"] and loaded.name == "counter"
    found = loaded(tf.constant([1.0, 2.0]))
    assert found["out"].numpy().tolist() == [61.0, 122.0] and found["both"][1][1] is None
    assert loaded(2)["out"].numpy() == 122.0  # Python's numbers for a tensor
    assert bool(loaded(tf.constant(1.0), training=True)["training"])
    signature = loaded.signatures["serving_default"]
    assert str(signature.structured_input_signature) == (
        "((), {'x': TensorSpec(shape=(), dtype=tf.float32, name='x')})"
    )
    assert signature.structured_outputs == {"output_0": tf.TensorSpec([], tf.float32, "output_0")}
    assert signature(x=tf.constant(4.0))["output_0"].numpy() == loaded.total.numpy() == 65.0


@pytest.mark.parametrize(
    "call, error, says",
    [
        (lambda m: m(tf.constant(1)), ValueError, "Could not find matching concrete function"),
        (lambda m: m(tf.constant([1.0, 2.0, 3.0])), ValueError, "one of the following:\\n  __call__"),
        (lambda m: m(tf.constant(1.0), 2.0), ValueError, "scale=1.0"),
        (lambda m: m(), TypeError, "'x'"),
        (lambda m: m(tf.constant(1.0), other=1), TypeError, "other"),
        (lambda m: m.add(tf.constant(1)), TypeError, "'x' was expected to be a float32 tensor"),
        (lambda m: m.signatures["serving_default"](y=1.0), TypeError, "no argument 'y'"),
        (lambda m: m.never(1), ValueError, "Found zero restored functions"),
    ],
)
def test_calls_for_which_there_is_no_graph(trip, call, error, says):
    counter = Counter(1.0)
    counter(tf.constant(1.0))
    counter.never = tf.function(lambda x: x)
    with pytest.raises(error, match=says):
        call(trip(counter))


@pytest.mark.parametrize("shapes", [
    ([2], [3]), ([3], [2], [1, 2]), ([2], [None]), ([None], [2]), ([None, 2], [2, None], [2, 3]), ([], [None]),
    (None, [2]),
], ids=str)  # fmt: skip
def test_a_graph_is_found_for_all_that_one_was_saved_for(trip, shapes):
    @tf.function
    def f(x):
        return x + 1.0, str(x.shape)

    for shape in shapes:
        f.get_concrete_function(tf.TensorSpec(shape, tf.float32))
    loaded = trip(module(f=f)).f
    for given in ([], [1], [2], [3], [1, 2], [2, 2], [2, 3], [3, 3]):
        suits = [str(tf.TensorShape(s)) for s in shapes if tf.TensorShape(s).is_compatible_with(given)]
        x = tf.ones(given)
        for argument in (x, x.numpy(), x.numpy().tolist()):
            if suits:
                result, shape = loaded(argument)
                assert shape in suits and result.numpy().tolist() == (x + 1.0).numpy().tolist()
            else:
                with pytest.raises(ValueError, match="Could not find matching concrete function"):
                    loaded(argument)


@pytest.mark.parametrize("order", [1, -1])
def test_a_graph_for_a_number_of_pythons_goes_before_one_for_tensors(trip, order):
    @tf.function
    def f(x, y):
        return x + y, isinstance(y, float)

    for y in (tf.constant(2.0), 2.0, 3.0)[::order]:
        for size in (1, 2):
            f.get_concrete_function(tf.TensorSpec([size], tf.float32), y)
    loaded = trip(module(f=f)).f
    for y, is_known in ((2.0, True), (3.0, True), (4.0, False), (tf.constant(3.0), False), (np.float32(2), False)):
        for x in ([1.0], [1.0, 2.0]):
            for given in (tf.constant(x), x) if not is_known else (tf.constant(x),):
                result, known = loaded(given, y)
                assert (result.numpy().tolist(), known) == ([v + float(y) for v in x], is_known)


def test_what_is_kept_and_what_is_shared(trip):
    v, pair = tf.Variable([1.0, 2.0], shape=[None]), collections.namedtuple("Pair", "a b")
    inner = module(v=v, text="t")
    m = module(
        v=v, frozen=tf.Variable(1, trainable=False), inner=inner, parts=[v, {"i": inner, 3: 4}], pair=pair(1, v),
        plain=(1, 2.5, "s", b"b", None, 2j, float("inf")), constant=tf.constant([1]), array=np.arange(100),
        words=tf.Variable(["a", "bc"]), open=tf.Variable([[1]], shape=tf.TensorShape(None)), dtype=tf.int8,
        code=object(),
    )  # fmt: skip
    m.itself = m
    loaded = trip(m)
    assert loaded.inner.v is loaded.v is loaded.parts[0] is loaded.pair.b and loaded.itself is loaded
    assert loaded.parts[1]["i"] is loaded.inner and loaded.parts[1][3] == 4 and loaded.pair.a == 1
    assert loaded.plain == m.plain and loaded.constant.numpy() == [1] and loaded.array.tolist() == m.array.tolist()
    assert loaded.words.numpy().tolist() == [b"a", b"bc"] and loaded.dtype == tf.int8
    assert not loaded.frozen.trainable and not hasattr(loaded, "code")
    assert loaded.v.assign([1.0, 2.0, 3.0]).shape == [None] and loaded.open.assign(5).shape.rank is None


def test_loaded_functions_in_other_functions_and_tapes(trip):
    v = tf.Variable(3.0)
    loaded = trip(module(v=v, f=tf.function(lambda x: x * v, input_signature=[SCALAR])))

    @tf.function
    def around(x, n):
        with tf.GradientTape() as tape:
            total = loaded.f(x)
            while n > 0:
                total += loaded.f(x) if n > 1 else 0.0
                n -= 1
        return total, tape.gradient(total, loaded.v)

    assert [float(t) for t in around(tf.constant(2.0), tf.constant(3))] == [18.0, 6.0]
    loaded.v.assign(1.0)
    assert [float(t) for t in around(tf.constant(2.0), tf.constant(3))] == [6.0, 6.0]
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = loaded.f(x)
    assert [float(g) for g in tape.gradient(y, [x, loaded.v])] == [1.0, 2.0]
    assert v.numpy() == 3.0


def test_steps_of_training(trip):
    class Line(tf.Module):
        def __init__(self):
            super().__init__()
            self.w, self.optimizer = tf.Variable([[1.0], [2.0]]), tf.keras.optimizers.Adam(0.1)

        @tf.function(input_signature=[tf.TensorSpec([None, 2]), tf.TensorSpec([None, 1])])
        def step(self, x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((x @ self.w - y) ** 2)
            self.optimizer.apply_gradients([(tape.gradient(loss, self.w), self.w)])
            return loss

    line, x = Line(), np.arange(8, dtype=np.float32).reshape(4, 2)
    line.step(x, x[:, :1])
    loaded = trip(line)
    assert [float(line.step(x, x[:, :1])) for _ in range(3)] == [float(loaded.step(x, x[:, :1])) for _ in range(3)]
    again = trip(loaded)  # what was loaded is saved like anything else
    assert float(again.step(x, x[:, :1])) == float(loaded.step(x, x[:, :1]))


def test_functions_that_are_traced_while_others_are_saved(trip):
    v = tf.Variable(2.0)
    inner = module(f=tf.function(lambda x: x * v))
    loaded = trip(module(a=inner, b=tf.function(lambda x: inner.f(x) + 1.0, input_signature=[VECTOR])))
    assert loaded.a.f([1.0, 2.0]).numpy().tolist() == [2.0, 4.0]


def test_a_model_of_keras(trip):
    model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(4, "relu"), tf.keras.layers.Dense(2)])
    serve = tf.function(lambda x: {"scores": model(x)}, input_signature=[tf.TensorSpec([None, 3], name="x")])
    loaded, x = trip(model, signatures=serve), np.ones((2, 3), np.float32)
    np.testing.assert_array_equal(loaded.signatures["serving_default"](x=x)["scores"], model(x))
    assert len(loaded.trainable_variables) == 4


class Doubled(tf.keras.Model):
    def call(self, inputs, training=None):
        return {"twice": inputs * 2.0}


class Noisy(tf.keras.Model):
    def call(self, inputs):
        return tf.py_function(lambda x: x, [inputs], tf.float32)


def test_a_model_of_keras_has_a_signature(trip):
    keras = tf.keras
    a, b = keras.Input([3]), keras.Input([2])
    models = {
        "one": keras.Sequential([keras.Input([3]), keras.layers.Dense(2)]),
        "two": keras.Model([a, b], [keras.layers.Dense(2)(a) + b, b]),
        "of a class": Doubled(),
        "called": keras.Sequential([keras.layers.Dense(2)]),
    }
    x, y = np.ones((2, 3), np.float32), np.ones((2, 2), np.float32)
    for name in ("of a class", "called"):
        models[name](x)
    for name, model in models.items():
        given = {"inputs": x} if name != "two" else {"inputs": x, "inputs_1": y}
        found = trip(model).signatures["serving_default"](**given)
        wanted = model(x if name != "two" else [x, y])
        wanted = wanted if isinstance(wanted, dict) else dict(
            zip(("output_0", "output_1"), wanted if name == "two" else [wanted])
        )  # fmt: skip
        assert found.keys() == wanted.keys()
        for key in wanted:
            np.testing.assert_array_equal(found[key], wanted[key])
    assert trip(models["called"]).signatures["serving_default"](inputs=x[:1])["output_0"].shape == [1, 2]


def test_a_model_of_keras_that_gives_no_signature_is_saved_without(trip):
    noisy = Noisy()
    noisy(tf.ones([1, 3]))
    for model in (Doubled(), noisy):
        assert not trip(model).signatures


def test_a_signature_that_is_not_there(trip):
    f = tf.function(lambda x: x, input_signature=[SCALAR])
    with pytest.raises(KeyError, match=r"no signature 'g'. There are: 'f'. Save it with one: .*signatures="):
        trip(module(), signatures={"f": f}).signatures["g"]
    assert trip(module()).signatures.get("g") is None


def test_options_of_saving(trip, tmp_path):
    doubled = tf.custom_gradient(lambda x: (x, lambda upstream: upstream * 2.0))
    made = module(f=tf.function(doubled, input_signature=[SCALAR]))
    loaded = trip(made, options=tf.saved_model.SaveOptions(experimental_custom_gradients=True))
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = loaded.f(x * x)
    assert tape.gradient(y, x).numpy() == 12.0
    with pytest.raises(NotImplementedError, match="always saved"):
        tf.saved_model.SaveOptions(experimental_custom_gradients=False)
    with pytest.raises(NotImplementedError, match="SaveOptions and None"):
        tf.saved_model.save(made, tmp_path / "never", options="fast")
    assert not (tmp_path / "never").exists()


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_recursion_gradients_of_ones_own_and_lists(trip, jit_compile):
    @tf.function
    def factorial(n):
        return n * factorial(n - 1) if n > 1 else 1 * n

    @tf.custom_gradient
    def square(x):
        return x * x, lambda upstream: upstream * 100.0

    @tf.function(jit_compile=jit_compile, input_signature=[NUMBER])
    def evens(n):
        found = []
        for i in range(n):
            if i % 2 == 0:
                found.append((i, square(tf.cast(i, tf.float32))))
        return found

    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = square(x)
        return tape.gradient(y, x)

    factorial(tf.constant(3))
    loaded = trip(
        module(
            factorial=factorial, evens=evens, square=tf.function(square, input_signature=[SCALAR]),
            slope=tf.function(slope, input_signature=[SCALAR]),
        )
    )  # fmt: skip
    assert int(loaded.factorial(tf.constant(6))) == 720
    assert [(int(i), float(x)) for i, x in loaded.evens(tf.constant(5))] == [(0, 0.0), (2, 4.0), (4, 16.0)]
    assert float(loaded.slope(2.0)) == 100.0
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = loaded.square(x)
    assert float(tape.gradient(y, x)) == 100.0


def test_branches_deep_in_one_another(trip):
    def deep(n, x):
        return tf.cond(x > n, lambda: x, lambda: deep(n - 1, x)) if n else x * 2

    f = tf.function(lambda x: deep(300, x), input_signature=[NUMBER], autograph=False)
    assert [int(trip(module(f=f)).f(x)) for x in (-1, 7)] == [-2, 7]


class OwnError(ValueError):
    pass


def test_exceptions_are_of_the_nearest_class_that_everybody_has(trip):
    @tf.function(input_signature=[NUMBER])
    def refuse(n):
        if n > 3:
            raise OwnError(f"{n} is too much", n)
        return n

    with pytest.raises(ValueError, match="5 is too much") as caught:
        trip(module(refuse=refuse)).refuse(5)
    assert type(caught.value) is ValueError and caught.value.args[1] == 5
    assert f'File "<{os.path.basename(__file__)}>", line' in caught.value.__notes__[0]  # not the folder


def test_signatures(trip):
    f = tf.function(lambda x, y: (x + y["a"], x), input_signature=[VECTOR, {"a": tf.TensorSpec([], name="other")}])
    concrete = tf.function(lambda q: q).get_concrete_function(tf.TensorSpec([], tf.int32, name="named"))
    loaded = trip(module(), signatures={"f": f, "g": concrete})
    assert loaded.signatures["f"](x=[1.0], other=2.0)["output_0"].numpy() == [3.0]
    assert int(loaded.signatures["g"](named=1)["output_0"]) == 1
    assert sorted(trip(module(only=f)).signatures) == ["serving_default"]
    assert not trip(module(one=f, other=concrete)).signatures  # none of them is the one
    assert sorted(trip(loaded).signatures) == ["f", "g"]


TABLE = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [1]), -1)


@pytest.mark.parametrize(
    "make, says",
    [
        (lambda: 3, "Expected an object of type `Trackable`, such as `tf.Module`.*int"),
        (lambda: [tf.Variable(1.0)], "of type list"),
        (lambda: module(f=tf.function(lambda x: tf.py_function(abs, [x], tf.float32), input_signature=[SCALAR])),
         r"(?s)Module.f: .*'py_function' cannot be saved: it calls a function of Python's.*test_saved_model.py:"),
        (lambda: module(f=tf.function(TABLE.lookup, input_signature=[tf.TensorSpec([], tf.string)])), "a table"),
        (lambda: module(inner=[module(f=tf.function(lambda: tf.TensorArray(tf.int32, 1), input_signature=[]))]),
         r"Module.inner\[0\].f: .*a TensorArray: return array.stack\(\)"),
        (lambda: module(f=tf.function(lambda x: tf.print(x, output_stream="file://log"), input_signature=[SCALAR])),
         "it prints into a file"),
    ],
)  # fmt: skip
def test_what_cannot_be_saved(tmp_path, make, says):
    with pytest.raises(ValueError, match=says):
        tf.saved_model.save(make(), tmp_path / "model")
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize(
    "signature, says",
    [
        (tf.function(lambda x: x), "Only `tf.functions` with an input signature"),
        (abs, "Expected a TensorFlow function"),
        (tf.function(lambda x: (x, None), input_signature=[SCALAR]), "non-Tensor value None for key 'output_1'"),
        (tf.function(lambda x: {"a": [x]}, input_signature=[SCALAR]), r"non-Tensor value \[tensor\] for key 'a'"),
        (tf.function(lambda x: {1: x}, input_signature=[SCALAR]), "non-string key 1"),
        ({1: tf.function(lambda x: x, input_signature=[SCALAR])}, "by texts"),
    ],
)
def test_what_is_no_signature(tmp_path, signature, says):
    with pytest.raises(ValueError, match=says):
        tf.saved_model.save(module(), tmp_path / "model", signatures=signature)


def types_of(graph):
    """The types of all values of a graph, those of Python's numbers marked, without names for what is not known."""
    values = [v for node in graph.walk() for v in node.outputs]
    return [(v.type.dtype, v.type.shape is None or len(v.type.shape), getattr(v.type, "weak", None)) for v in values]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "function, call",
    [pytest.param(f, calls[0], id=f"{f.__module__.rpartition('.')[2]}-{f.__name__}") for f, calls, _ in PROGRAMS],
)
def test_staged_programs(function, call):
    """Graphs of all kinds are the same after a journey, up to the order in which passes find things."""
    graph = tf.function(function, jit_compile=False)
    wanted = seen(graph, tensors(call))
    writer = FunctionWriter(lambda variable: pytest.skip("it uses Variables"))
    try:
        number = writer.function(graph)
    except ValueError as error:
        assert "changes what it is given" in str(error)  # an array of NumPy's
        return
    about = {"functions": writer.functions, "concretes": writer.concretes, "callees": writer.graphs.callees,
             "graphs": writer.graphs.graphs}  # fmt: skip
    loaded = FunctionReader(json.loads(json.dumps(about)), writer.writer.arrays, lambda _: None).function(number)
    if not loaded.concrete_functions:
        return
    traced = [known[0].traced for known in graph._concrete.values()]
    assert [types_of(concrete.traced) for concrete in loaded.concrete_functions[:1]] == [types_of(traced[0])]
    mine = seen(loaded, tensors(call))
    own = isinstance(wanted[0], Exception) and type(wanted[0]).__module__.startswith("tests")
    assert str(mine[0]) == str(wanted[0]) if own else agrees(mine, wanted)


# Files that nobody has saved.


def test_every_attribute_is_checked():
    for op in OPS.values():
        for parameter in op.attributes:
            assert str(parameter.annotation) in attributes._CHECKS, (op.name, parameter)


@pytest.fixture
def saved(tmp_path):
    """A saved model of many kinds of things, as data, and what writes it again."""
    Pair = collections.namedtuple("Pair", "n x")

    @tf.function(input_signature=[VECTOR, NUMBER])
    def f(x, n):
        rows = tf.TensorArray(tf.float32, 0, dynamic_size=True)
        for i in tf.range(n):
            if i % 2 == 0:
                x = x * v[0] + tf.cast(i, tf.float32)
            elif i > 7:
                raise ValueError(f"{i} is too much")
            rows = rows.write(i, tf.reduce_sum(x, axis=0))
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.exp(x))
        tf.print("x", x, Pair(n, x))
        return {"a": x[1:], "rows": rows.stack(), "slope": tape.gradient(y, x)}

    @tf.function
    def factorial(n):
        return n * factorial(n - 1) if n > 1 else 1 * n

    v = tf.Variable([1.0, 2.0])
    factorial(tf.constant(3))
    m = module(v=v, f=f, factorial=factorial, parts=[v, {"a": (1, b"x")}])
    tf.saved_model.save(m, tmp_path)
    path = tmp_path / "saved_model.npz"
    about, arrays = archives.read(path, "a saved model")

    def load(changed, arrays=arrays):
        archives.write(path, changed, arrays)
        return tf.saved_model.load(tmp_path)

    load.arrays = arrays
    return about, load


def change(data, path, value):
    *around, last = path
    for key in around:
        data = data[key]
    data[last] = value


FIRST = ("graphs", -1, "nodes", 0)


@pytest.mark.parametrize(
    "path, value, says",
    [
        (("version",), 2, "version 2"), (("format",), None, "it is None"), (("objects",), {}, "a list"),
        (("objects", 0), {"variable": 3}, "a list of 5"), (("objects", 0), {"pickle": "x"}, "of no kind"),
        (("graphs", -1, "nodes"), [{"op": "system", "inputs": [], "hints": []}], "no operation 'system'"),
        (("graphs", -1, "nodes"), [{"op": "py_function", "inputs": [], "hints": []}], "no operation 'py_function'"),
        (("graphs", -1, "outputs"), [999], "a number below"), (("graphs", -1, "inputs"), ["x"] * 9, "9 inputs"),
        (("concretes", 0, "variables"), [0], "no Variable"), (("concretes", 0, "jit_compile"), "gpu", "executor"),
        (("signatures",), {"a": 99}, "a number below"),
        (("concretes", 0, "arguments", 0, 1), {"spec": ["float32", [2, "n"], None]}, "a shape"),
        (("concretes", 0, "arguments", 0, 1), {"spec": ["object", [2], None]}, "name of a dtype"),
        (("concretes", 0, "arguments", 0, 1), {"spec": ["string", [None], None]}, "."),
        (("functions", 0, "parameters", 0, 0), "not a name", "no parameter"),
        (("functions", 0, "parameters", 0), ["x", "POSITIONAL_OR_KEYWORD", 1, 2], "no parameters like"),
        (("concretes", 0, "results"), {"slot": 99}, "a number below"),
    ],
)  # fmt: skip
def test_data_of_another_kind(saved, path, value, says):
    about, load = saved
    change(about, path, value)
    with pytest.raises(ValueError, match=f"(?s)is not a saved model, or is damaged: .*{says}"):
        load(about)


def test_attributes_that_would_be_code(saved):
    """What is written into the text of a graph as it is must be a number there."""
    about, load = saved
    nodes = [node for graph in about["graphs"] for node in graph["nodes"]]
    (node, *_) = [node for node in nodes if node["op"] == "sum"]
    node["attributes"]["axis"] = "0) or __import__('os').system('true'"
    with pytest.raises(ValueError, match="which is no Axis"):
        load(about)


def test_a_constant_is_of_the_dtype_that_is_said_of_it(saved):
    about, load = saved
    constants = [n for graph in about["graphs"] for n in graph["nodes"] if n["op"] == "constant"]
    constants[0]["attributes"]["dtype"] = {"dtype": "complex128"}
    with pytest.raises(ValueError, match="constant says complex128 of what is"):
        load(about)


def test_other_files(tmp_path):
    with pytest.raises(OSError, match="SavedModel file does not exist at"):
        tf.saved_model.load(tmp_path / "nothing")
    (tmp_path / "saved_model.pb").write_bytes(b"\x08\x01")
    assert not tf.saved_model.contains_saved_model(tmp_path)
    with pytest.raises(ValueError, match="was written by TensorFlow"):
        tf.saved_model.load(tmp_path)
    (tmp_path / "saved_model.npz").write_bytes(b"PK\x03\x04 and so on")
    with pytest.raises(ValueError, match="is not a saved model, or is damaged"):
        tf.saved_model.load(tmp_path)
    np.savez(tmp_path / "saved_model.npz", a=np.arange(3))
    with pytest.raises(ValueError, match="is not a saved model"):
        tf.saved_model.load(tmp_path)
    with pytest.raises(ValueError, match="incompatible argument to `tags`"):
        tf.saved_model.load(tmp_path, tags=["train"])


def test_truncated_files(saved, tmp_path):
    data = (tmp_path / "saved_model.npz").read_bytes()
    for length in range(0, len(data), len(data) // 40):
        (tmp_path / "saved_model.npz").write_bytes(data[:length])
        with pytest.raises(ValueError, match="saved_model.npz"):
            tf.saved_model.load(tmp_path)


def test_an_array_is_no_larger_than_it_is(saved, tmp_path):
    """What begins an array says how large it is; there is no room made for what is not there."""
    about, load = saved
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": (2**50,)})
    with pytest.raises(ValueError, match="and has 0 bytes"):
        archives.replace(tmp_path / "saved_model.npz", lambda file: _with_member(file, about, header.getvalue()))
        tf.saved_model.load(tmp_path)


def _with_member(file, about, data):
    import zipfile

    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("about.json", json.dumps(about))
        archive.writestr("variables/0.npy", data)


VALUES = [
    None, True, 0, 1, -1, 2**63, 1.5, "x", "float32", "string", [], {}, [None], ["tensor", "float32", [2], False],
    {"tuple": []}, {"input": True}, {"slice": [None, None, None]}, {"dtype": "int8"}, "add", "while", "call", "gather",
    "constant", "list_read", "file:///tmp/written", "__class__", "max",
]  # fmt: skip


def paths(data, path=()):
    yield path
    for key, part in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from paths(part, (*path, key))


def test_anything_in_the_place_of_anything(saved):
    """One error for whatever there is, or a model that can be used."""
    about, load = saved
    known, chance = [p for p in paths(about) if len(p) > 1], random.Random(7)
    for _ in range(250):
        changed = copy.deepcopy(about)
        path = chance.choice(known)
        change(changed, path, chance.choice(VALUES))
        try:
            loaded = load(changed)
        except ValueError as error:
            assert "is not a saved model, or is damaged" in str(error), path
            continue
        assert loaded is not None


def test_copies_have_variables_of_their_own(trip):
    v = tf.Variable(1.0)
    loaded = trip(module(v=v, f=tf.function(lambda: v.assign_add(1.0), input_signature=[])))
    other = copy.deepcopy(loaded)
    assert [float(other.f()), float(other.f()), float(other.v), float(loaded.v)] == [2.0, 3.0, 3.0, 1.0]


def test_what_is_saved_is_json_that_everybody_reads():
    infinite = [float("inf"), -float("inf"), float("nan"), 1.5]
    written = json.dumps(Writer({}).value(infinite), allow_nan=False)
    read = Reader({}, {}).value(json.loads(written))
    assert repr(read) == repr(infinite)
