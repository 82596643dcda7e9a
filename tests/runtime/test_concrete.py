"""ConcreteFunctions: what they take and return, as tensors, structures and text; how they are called."""

import collections
import dataclasses

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS, load

VECTOR = tf.TensorSpec([None], tf.float32)
NUMBER = tf.TensorSpec([], tf.int32)
Pair = collections.namedtuple("Pair", "left right")


@dataclasses.dataclass
class Held:
    first: object
    second: object


def concrete(function, *args, name="f", **kwargs):
    return tf.function(function, name=name).get_concrete_function(*args, **kwargs)


def kinds(tensors):
    return [(t.dtype.name, t.shape.rank and t.shape.as_list()) for t in tensors]


def positive(x):
    if x > 0:
        return x


def powers(n):
    found = []
    for i in tf.range(n):
        found.append(i * i)
    return found


TEXTS = [
    (lambda x, n: x**n, (VECTOR, 2),
     "f(x, n=2)\n  Args:\n    x: float32 Tensor, shape=(None,)\n  Returns:\n    float32 Tensor, shape=(None,)"),
    (lambda: None, (), "f()\n  Returns:\n    None"),
    (lambda x: [x, {"k": (x, None)}], (NUMBER,),
     "f(x)\n  Args:\n    x: int32 Tensor, shape=()\n  Returns:\n    [<1>, {'k': (<2>, None)}]\n"
     "      <1>: int32 Tensor, shape=()\n      <2>: int32 Tensor, shape=()"),
    (lambda d: d["p"], ({"p": VECTOR, "q": "text", "r": [NUMBER]},),
     "f(d)\n  Args:\n    d: {'p': <1>, 'q': 'text', 'r': [<2>]}\n      <1>: float32 Tensor, shape=(None,)\n"
     "      <2>: int32 Tensor, shape=()\n  Returns:\n    float32 Tensor, shape=(None,)"),
    (lambda p: p.left, (Pair(NUMBER, 3),),
     "f(p)\n  Args:\n    p: Pair(left=<1>, right=3)\n      <1>: int32 Tensor, shape=()\n  Returns:\n"
     "    int32 Tensor, shape=()"),
    (lambda *rest: (rest[0],), (NUMBER, "a"),
     "f(rest_0, rest_1='a')\n  Args:\n    rest_0: int32 Tensor, shape=()\n  Returns:\n    (<1>,)\n"
     "      <1>: int32 Tensor, shape=()"),
    (lambda v: v.assign_add(1.0), (tf.Variable(1.0),),
     "f(v)\n  Args:\n    v: float32 Variable, shape=()\n  Returns:\n    float32 Tensor, shape=()"),
    (lambda x: x, (tf.TensorSpec(None, tf.string),),
     "f(x)\n  Args:\n    x: string Tensor, shape=<unknown>\n  Returns:\n    string Tensor, shape=<unknown>"),
    (lambda x: 1.5, ([1, -1],), "f(x=[1, -1])\n  Returns:\n    float32 Tensor, shape=()"),
    (powers, (NUMBER,),
     "f(n)\n  Args:\n    n: int32 Tensor, shape=()\n  Returns:\n    [<1>]\n"
     "      <1>: list of int32 Tensors, shape=()"),
]  # fmt: skip


@pytest.mark.parametrize("function, arguments, text", TEXTS, ids=range(len(TEXTS)))
def test_signatures_as_text(function, arguments, text):
    made = concrete(function, *arguments)
    assert made.pretty_printed_signature() == text
    assert made.pretty_printed_signature(verbose=False) == text.split("\n")[0]
    assert str(made) == f"ConcreteFunction {text}"


def test_all_signatures_as_text():
    f = tf.function(lambda x, k=1: x * k, name="f")
    assert f.pretty_printed_concrete_signatures() == ""
    f(tf.constant(1))
    f(tf.constant([1.0]), k=3)
    f(tf.constant(2))
    assert f.pretty_printed_concrete_signatures(verbose=False) == "f(x, k=1)\n\nf(x, k=3)"
    blocks = f.pretty_printed_concrete_signatures().split("\n\n")
    assert [block.splitlines()[2].strip() for block in blocks] == [
        "x: int32 Tensor, shape=()", "x: float32 Tensor, shape=(1,)"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "function, arguments, wanted",
    [
        (lambda x: x, (VECTOR,), "T"),
        (lambda x: {"a": x, "b": (x, [None])}, (VECTOR,), {"a": "T", "b": ("T", [None])}),
        (lambda x: Pair(x, 2), (VECTOR,), Pair("T", "T")),
        (lambda x: Held(x, "text"), (VECTOR,), Held("T", "T")),
        (lambda x: tf.print(x), (VECTOR,), None),
        (powers, (NUMBER,), ["T"]),
    ],
)
def test_structured_outputs(function, arguments, wanted):
    made = concrete(function, *arguments)
    found = made.structured_outputs
    assert tf.nest.map_structure(lambda t: "T" if tf.is_tensor(t) else t, found) == wanted
    tensors = [t for t in tf.nest.flatten(found) if tf.is_tensor(t)]
    assert made.outputs == tensors if not tensors else all(a is b for a, b in zip(made.outputs, tensors, strict=True))
    assert tf.nest.flatten(made.output_dtypes) == [t.dtype if tf.is_tensor(t) else t for t in tf.nest.flatten(found)]
    shapes = tf.nest.flatten(made.output_shapes)
    assert [s if s is None else s.as_list() for s in shapes] == [
        t.shape.as_list() if tf.is_tensor(t) else t for t in tf.nest.flatten(found)
    ]


def test_what_may_be_one_of_several_things():
    found = concrete(positive, NUMBER).structured_outputs
    assert sorted(map(str, found.options)) == ["None", 'Tensor("Identity:0", shape=(), dtype=int32)']


def test_inputs_and_what_is_captured():
    v, frozen = tf.Variable([1.0, 2.0], name="v"), tf.Variable(1.0, trainable=False)
    other = tf.constant([3.0, 4.0])
    made = concrete(lambda x, given: x * v * given + other + frozen, VECTOR, tf.Variable(2.0))
    assert kinds(made.inputs) == [("float32", [None]), ("resource", 0), ("resource", 0), ("resource", 0)]
    assert [t.name for t in made.inputs][:3] == ["x:0", "given:0", "v:0"]
    assert made.captured_inputs == [v, frozen] and made.variables == made.graph.variables == (v, frozen)
    assert made.trainable_variables == (v,)


def test_a_nested_function_captures_tensors():
    def outer(x):
        inner = tf.function(lambda y: x + y).get_concrete_function(x)
        (captured,) = inner.captured_inputs
        assert captured.name == "x:0" and len(inner.inputs) == 2
        return inner(captured * 2)

    assert concrete(outer, NUMBER)(tf.constant(3)).numpy() == 9


def test_arguments_that_a_function_changes_are_no_outputs():
    def f(x, found):
        found.append(x)
        x[0] = 1.0
        return -x

    made = concrete(f, np.zeros(2, np.float32), [])
    assert len(made.outputs) == 1 and made.structured_outputs is made.outputs[0]


# Calls.


def weigh(a, scale=2, *, shift=1):
    return a * scale + shift


def parted(d, x, n=3):
    return d["p"] + d["q"][0] * x + n


PARTED = ({"p": NUMBER, "q": [NUMBER]}, NUMBER)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize(
    "function, traced, named, args, kwargs, wanted",
    [
        (weigh, (NUMBER,), {}, (5,), {}, 11),
        (weigh, (NUMBER,), {}, (), {"a": 5}, 11),
        (lambda x, n: tf.reduce_sum(x) * n, (VECTOR, 2), {}, ([1.0, 2.0],), {}, 6),
        (lambda x, n: tf.reduce_sum(x) * n, (VECTOR, 2), {}, (), {"x": [1.0, 2.0]}, 6),
        (weigh, (NUMBER,), {}, (5, 2), {}, 11),
        (weigh, (NUMBER,), {}, (5,), {"scale": 2, "shift": 1}, 11),
        (weigh, (NUMBER, 3), {"shift": NUMBER}, (5,), {"shift": 100}, 115),
        (weigh, (NUMBER, 3), {"shift": NUMBER}, (5, 100), {}, 115),
        (weigh, (NUMBER, 3), {"shift": NUMBER}, (5, 3), {}, 18),
        (weigh, (NUMBER, 3), {"shift": NUMBER}, (5, 3, 100), {}, 115),
        (weigh, (NUMBER, 3), {"shift": NUMBER}, (5, 3), {"shift": 100}, 115),
        (weigh, (NUMBER, NUMBER), {}, (5,), {"scale": 4}, 21),
        (parted, PARTED, {}, ({"p": 1, "q": [2]}, 5), {}, 14),
        (parted, PARTED, {}, (1, 2, 5), {}, 14),
        (parted, PARTED, {}, (), {"x": 5, "d": {"p": 1, "q": [2]}}, 14),
        (parted, PARTED, {}, (), {"d": 1, "d_1": 2, "x": 5, "n": 3}, 14),
        (lambda **k: k["a"] - k["b"], (), {"b": NUMBER, "a": NUMBER}, (), {"a": 5, "b": 1}, 4),
    ],
)
def test_calls(function, traced, named, args, kwargs, wanted, jit_compile):
    made = tf.function(function, jit_compile=jit_compile).get_concrete_function(*traced, **named)
    assert int(made(*args, **kwargs)) == wanted
    in_graph = tf.function(lambda: made(*args, **kwargs), jit_compile=jit_compile, autograph=False)
    assert int(in_graph()) == wanted


@pytest.mark.parametrize(
    "args, kwargs, error, words",
    [
        ((), {}, TypeError, r"weigh\(a=int32\(\), scale=2, shift=1\) needs the tensor 'a'"),
        ((1, 2, 1, 4), {}, TypeError, "takes 1 tensor, but 4 arguments were given"),
        ((1,), {"b": 2}, TypeError, "takes no argument 'b'; its arguments are a, scale, shift"),
        ((1,), {"a": 2}, TypeError, "got 'a' by position and by name"),
        ((1,), {"scale": 3}, TypeError, "'scale' is bound to 2 in weigh.*; it was given 3. Call the function itself"),
        ((1, 3, 1), {}, TypeError, "'scale' is bound to 2"),
        ((1.5,), {}, (TypeError, ValueError), "int32"),
        ((tf.constant([1]),), {}, ValueError, r"shape \(\) but has shape \(1,\)"),
        ((tf.constant(1.0),), {}, ValueError, "int32 tensor but is a float32 tensor"),
    ],
)
def test_calls_that_do_not_fit(args, kwargs, error, words):
    made = tf.function(weigh).get_concrete_function(NUMBER)
    with pytest.raises(error, match=words):
        made(*args, **kwargs)


@pytest.mark.parametrize("value", [{"p": 1}, {"p": 1, "q": 2}, {"q": [1], "p": 2}, 3, {"p": 1, "q": [2, 3]}])
def test_structures_by_name_that_do_not_fit(value):
    made = tf.function(parted).get_concrete_function(*PARTED)
    with pytest.raises(TypeError, match="another structure"):
        made(d=value, x=1)


def test_variables_are_passed_as_such():
    v, w = tf.Variable(1.0), tf.Variable(10.0)
    made = concrete(lambda a, b: a.assign_add(1.0) + b, v, w)
    assert float(made(w, v)) == 12.0 and float(made(a=v, b=v)) == 4.0
    for wrong in (3.0, tf.constant(1.0), tf.Variable(1), tf.Variable([1.0])):
        with pytest.raises(TypeError, match="'b' was expected to be a Variable of variable float32"):
            made(v, wrong)
    same = concrete(lambda a, b: a.assign_add(1.0) + b, v, v)
    assert float(same(w, w)) == 24.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="traced with one Variable for two arguments"):
        same(v, w)


def test_the_signature_has_what_is_given_by_name_apart():
    made = concrete(weigh, NUMBER, shift=NUMBER)
    a, shift = (tf.TensorSpec([], tf.int32, name) for name in ("a", "shift"))
    assert made.structured_input_signature == ((a, 2), {"shift": shift})
    assert concrete(lambda *r, **k: r[0], NUMBER, z=1).structured_input_signature == (
        (tf.TensorSpec([], tf.int32, "r_0"),), {"z": 1}
    )  # fmt: skip


# What it becomes.


def test_stages():
    made = tf.function(lambda x: tf.reduce_sum(x * x) + 0 * x[0], jit_compile=True, name="f")
    ir = made.experimental_get_compiler_ir(VECTOR)
    assert ir() == ir(stage="graph") == str(made.get_concrete_function(VECTOR).graph)
    assert "0.0 *" in ir("traced") or "0 *" in ir("traced")
    for more in ({"device_name": "/CPU:0"}, {"platform_name": "CPU"}):
        assert ir("traced", **more) == str(made.get_concrete_function(VECTOR).traced)
    if True in EXECUTORS:
        assert "define i32" in ir("llvm")


@pytest.mark.parametrize(
    "call, error, words",
    [
        ({"stage": "hlo"}, ValueError, "no stage 'hlo' here: it is 'traced', 'graph' or 'llvm'"),
        ({"device_name": "/GPU:0"}, tf.errors.InvalidArgumentError, "only the CPU computes here"),
        ({"platform_name": "CUDA"}, tf.errors.InvalidArgumentError, "only the CPU computes here"),
        ({"stage": "llvm"}, tf.errors.InvalidArgumentError, "nothing in f becomes machine code: jit_compile=False"),
    ],
)
def test_stages_that_there_are_not(call, error, words):
    ir = tf.function(lambda x: x, name="f", jit_compile=False).experimental_get_compiler_ir(VECTOR)
    with pytest.raises(error, match=words):
        ir(**call)


def test_values_that_are_known():
    assert tf.get_static_value(tf.constant([1, 2])).tolist() == [1, 2] and tf.get_static_value(3) == 3
    assert tf.get_static_value(tf.constant("a")) == b"a" and tf.get_static_value(tf.Variable(1)) is None
    with pytest.raises(NotImplementedError, match="partial"):
        tf.get_static_value(1, partial=True)


@pytest.mark.parametrize(
    "dtype, given, taken",
    [
        (tf.float32, np.array([1.0, 2.5]), True), (tf.float32, np.array([1, 2]), True), (tf.float32, np.int64(3), True),
        (tf.float32, np.array([True]), True), (tf.float64, np.array([1.5], np.float32), True),
        (tf.int32, np.array([1, 2]), True), (tf.uint8, np.array([1, 255]), True), (tf.complex64, np.array([1.5]), True),
        (tf.int32, np.array([2**40]), False), (tf.uint8, np.array([-1]), False), (tf.int32, np.array([1.5]), False),
        (tf.float32, np.array([1j]), False), (tf.bool, np.array([1]), False), (tf.float32, np.array(["1"]), False),
        (tf.float32, tf.constant([1.0], tf.float64), False), (tf.int64, tf.constant([1], tf.int32), False),
    ],
)  # fmt: skip
def test_arrays_of_numpys_are_of_the_dtype_of_a_signature_where_it_holds_them(dtype, given, taken):
    """Again and again: no short way has the graph compute with the array as it is."""
    declared = tf.function(lambda x: x, input_signature=[tf.TensorSpec(None, dtype)])
    concrete = tf.function(lambda x: x).get_concrete_function(tf.TensorSpec(None, dtype))
    for function in (declared, concrete):
        for _ in range(3):
            if taken:
                assert function(given).dtype == dtype and np.array_equal(function(given), given)
            else:
                with pytest.raises((TypeError, ValueError)):
                    function(given)


@pytest.mark.parametrize("body", ["x[0] = 7.0", "x *= 2.0"])
def test_an_array_of_another_dtype_is_not_written(body):
    write = tf.function(load(f"def f(x):\n    {body}\n"), input_signature=[tf.TensorSpec([None], tf.float32)])
    given = np.array([0.1, 0.2])
    for _ in range(2):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"Pass array.astype\(float32\)"):
            write(given)
    assert given.tolist() == [0.1, 0.2]


def test_a_graph_tells_of_arguments_results_and_captures():
    v = tf.Variable(2.0, name="v")
    concrete = tf.function(lambda x, *, k: {"a": x * v, "b": (k, None)}).get_concrete_function(
        tf.TensorSpec([None]), k=tf.constant(1)
    )
    graph = concrete.graph
    assert graph.building_function and not graph.finalized and graph.outer_graph is None
    assert graph.structured_input_signature == concrete.structured_input_signature
    assert repr(graph.structured_outputs) == repr(concrete.structured_outputs)
    ((outside, inside),) = graph.captures
    assert outside is v and inside.name == "v:0" and inside.dtype.name == "resource"


def test_the_graph_of_a_nested_function_knows_the_one_around():
    found = []

    @tf.function
    def outer(x):
        inner = tf.function(lambda y: y * x).get_concrete_function(tf.constant(1.0))
        found.append((inner.graph.outer_graph is x.graph, [(a is not b, b.name) for a, b in inner.graph.captures]))
        return inner(x)

    assert float(outer(tf.constant(3.0))) == 9.0
    assert found == [(True, [(True, "x:0")])]


@pytest.mark.parametrize(
    "argument, names",
    [
        ([NUMBER, [NUMBER, (NUMBER,)]], ["x_0", "x_1_0", "x_1_1_0"]),
        ({"a": [NUMBER, {"b b": NUMBER}]}, ["x_a_0", "x_a_1_b_b"]),
        ((NUMBER, None, 3, NUMBER), ["x_0", "x_3"]),
        (Pair(NUMBER, [NUMBER]), ["x_left", "x_right_0"]),
        ([tf.TensorSpec([], tf.int32, name="own"), NUMBER], ["own", "x_1"]),
        (NUMBER, ["x"]),
    ],
)
def test_specs_are_called_by_where_they_are(argument, names):
    concrete = tf.function(lambda x: 1).get_concrete_function(argument)
    leaves = tf.nest.flatten(concrete.structured_input_signature)
    assert [leaf.name for leaf in leaves if isinstance(leaf, tf.TensorSpec)] == names


@pytest.mark.parametrize("as_structure", [True, False])
def test_leaves_of_dictionaries_come_in_the_order_of_their_keys(as_structure):
    def spec(name):
        return tf.TensorSpec([], tf.int32, name=name)

    @tf.function
    def f(first, d):
        return first + 100 * d["z"] + 10 * d["a"][0] + d["a"][1]["c"] - d["a"][1]["b"]

    concrete = f.get_concrete_function(
        spec("first"), {"z": spec("z"), "a": (spec("a"), {"c": spec("c"), "b": spec("b")})}
    )
    assert [one.name for one in concrete.inputs] == ["first:0", "a:0", "b:0", "c:0", "z:0"]
    first, a, b, c, z = map(tf.constant, (1000, 1, 2, 3, 4))
    for _ in range(2):  # the second call is one that it knows
        found = concrete(first, {"z": z, "a": (a, {"c": c, "b": b})}) if as_structure else concrete(first, a, b, c, z)
        assert found == 1000 + 400 + 10 + 1
