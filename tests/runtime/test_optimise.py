"""Each pass: what it makes of a graph, what it leaves alone, and that results stay the same to the last bit."""

import copy

import numpy as np
import pytest

import runtime as tf
from runtime import optimise
from runtime.__main__ import main
from runtime.executors.numpy import compile_graph
from runtime.graph.graph import Graph, Node, TensorType, Value
from runtime.graph.op import OPS
from runtime.ops import lists, shape as shape_ops, structure
from runtime.optimise.rewriting import frozen
from tests.programs import EXECUTORS, load
from tests.test_staged import PROGRAMS, tensors

X, N = tf.TensorSpec([3], tf.float32), tf.TensorSpec([], tf.int32)

# A pass, a function, and the body of its graph before and after the pass.
TABLE = [
    ("constant_folding", "x * np.sum(tf.constant([1.0, 2.0]))", "np.sum(", "x * 3.0"),
    ("constant_folding", "x * tf.maximum(n, tf.constant(3))", "np.maximum(n, 3)", "np.maximum(n, 3)"),
    ("simplification", "x * 1.0", "x * 1.0", "return (x,)"),
    ("simplification", "x / 1.0", "x / 1.0", "x"),
    ("simplification", "x - 0.0", "x - 0.0", "x"),
    ("simplification", "x + 0.0", "x + 0.0", "x + 0.0"),  # -0.0 + 0.0 is 0.0
    ("simplification", "n + 0", "n + 0", "n"),
    ("simplification", "x * 0.0", "x * 0.0", "x * 0.0"),  # of infinity it is no number
    ("simplification", "(1 + n) - 1", "1 + n - 1", "n"),
    ("simplification", "(1.0 + x) - 1.0", "1.0 + x - 1.0", "1.0 + x - 1.0"),  # what is lost is not regained
    ("simplification", "--x", "--x", "x"),
    ("simplification", "n / 1", "n / 1", "n / 1"),  # the result has another dtype
    ("simplification", "np.transpose(np.transpose(x))", "np.transpose(np.transpose(x, None), None)", "x"),
    ("simplification", "np.maximum(x, x)", "np.maximum(x, x)", "x"),
]


def stages(text, specs=(X, N), **names):
    function = load(text, np=np, tf=tf, **names)
    return dict(optimise.stages(tf.function(function).get_concrete_function(*specs).traced))


def body(graph):
    return str(graph).split("):\n")[1].strip()


@pytest.mark.parametrize("name, expression, before, after", TABLE)
def test_expressions(name, expression, before, after):
    found = stages(f"def f(x, n):\n    return {expression}\n")
    order = list(found)
    assert before in body(found[order[order.index(name) - 1]])
    assert after in body(found[name]) and (before == after or before not in body(found[name]))
    assert [v.type.dtype for v in found[name].outputs] == [v.type.dtype for v in found["trace"].outputs]


def test_equal_computations_are_done_once():
    found = stages("def f(x, n):\n    a = np.tanh(x)\n    b = np.tanh(x)\n    return a * 2.0, b * 2.0, np.tanh(-x)\n")
    after = found["dead_code"]
    assert sum(node.op.name == "tanh" for node in after.nodes) == 2
    assert after.outputs[0] is after.outputs[1]


def test_random_numbers_are_drawn_each_time():
    found = stages("def f(x, n):\n    return tf.random.uniform([]) - tf.random.uniform([])\n")
    assert sum(node.op.name == "random_uniform" for node in found["dead_code"].nodes) == 2


LOOP = """
def f(x, n):
    i = 0
    total = 0.0
    while i < n:
        total = total + np.sum(np.exp(x)) * 2.0
        i += 1
    return total
"""


def test_what_does_not_change_leaves_the_loop():
    found = stages(LOOP)
    loop = next(node for node in found["dead_code"].nodes if node.op.name == "while")
    assert "exp" not in [node.op.name for node in loop.regions[1].nodes]
    assert "exp" in [node.op.name for node in found["dead_code"].nodes]


def test_what_may_fail_stays_in_the_loop():
    found = stages(LOOP.replace("np.exp(x)", "x[n]"))  # with no turn there is no element to miss
    loop = next(node for node in found["dead_code"].nodes if node.op.name == "while")
    assert "getitem" in [node.op.name for node in loop.regions[1].nodes]


def test_variables_that_nobody_needs_leave_the_loop():
    text = """
def f(x, n):
    i = 0
    waste = 1.0
    same = x * 2.0
    while i < n:
        waste = waste * 1.5 + same[0]
        i += 1
    return i, same
"""
    found = stages(text)
    loop = next(node for node in found["dead_code"].nodes if node.op.name == "while")
    assert len(loop.outputs) == 1 and found["dead_code"].outputs[1] not in loop.outputs


def test_a_branch_on_a_constant_is_the_branch():
    text = "def f(x, n):\n    y = tf.constant(3)\n    if y > 2:\n        return x * 2.0\n    return x * 3.0\n"
    found = stages(text)
    assert "if" in [n.op.name for n in found["trace"].nodes] and body(found["dead_code"]) == "return (x * 2.0,)"


def test_a_loop_that_never_runs_goes():
    text = "def f(x, n):\n    y = tf.constant(3)\n    while y > 5:\n        y += 1\n        x = x * 2.0\n    return x\n"
    # The test is about a variable of the loop, so that it stays; one about a constant goes.
    assert "while" in [n.op.name for n in stages(text)["dead_code"].nodes]
    text = text.replace("while y > 5", "while tf.constant(3) > 5")
    assert body(stages(text)["dead_code"]) == "return (x,)"


def test_small_functions_are_written_where_they_are_called():
    @tf.function
    def double(x):
        return x + x

    found = stages("def f(x, n):\n    return double(double(x))\n", double=double)
    assert "call" in [n.op.name for n in found["trace"].nodes]
    assert [n.op.name for n in found["inlining"].nodes] == ["add", "add"]


def test_types_go_through_loops_and_into_lists():
    text = """
def f(x, n):
    out = tf.TensorArray(tf.float32, size=n)
    i = 0
    while i < n:
        out = out.write(i, x)
        i += 1
    return out.stack()
"""
    found = stages(text)

    def lists(graph):
        return [node.outputs[0].type.shape for node in graph.nodes if node.op.name == "list_new"]

    assert lists(found["trace"]) == [None] and lists(found["type_propagation"]) == [(3,)]


HALVED = """
def f(x, n):
    out = []
    for i in range(n):
        if n > 2 and i > 1 or x[i] > 0.0:
            out.append(half(x))
    return out, n > 5 and n < 9
"""


def half(x):
    return x / 2


@pytest.mark.parametrize("text", [LOOP, HALVED, "def f(x, n):\n    return half(x) * 1.0 if n > 2 else half(x)\n"])
def test_the_passes_that_a_graph_needs_are_all_passes(text):
    """Those that are left out, since it has no operation that they are about, would have done nothing."""
    function = load(text, np=np, tf=tf, half=tf.function(half))
    traced = tf.function(function).get_concrete_function(X, N).traced
    assert str(optimise.optimise(traced)) == str([*optimise.stages(traced)][-1][1])


# What a function does that is open to vectors of any size; the size of what it gives follows from that of its argument.
OPEN = {
    "at once": "return x * 2",
    "in a branch": "return x * 2 if n > 0 else -x",
    "in a loop": "for i in range(n):\n        x = x * 2\n    return x",
    "of its size": "return tf.zeros(tf.shape(x))",
    "of its size in a branch": "y = tf.shape(x)\n    return tf.zeros(y) if n > 0 else tf.ones(y)",
    "of its size in a loop": "y = z = tf.shape(x)\n    for i in range(n):\n        z = tf.shape(tf.zeros(y))\n"
    "    return tf.ones(y)",
    "of a size that a branch gives": "y = tf.shape(x) if n > 0 else tf.shape(-x)\n    return tf.zeros(y)",
}  # fmt: skip


@pytest.mark.parametrize("lines", OPEN.values(), ids=OPEN)
def test_types_go_into_what_is_called_and_come_out_again(lines):
    inner = load(f"def g(x, n):\n    {lines}\n", "g", tf=tf)
    open_ = tf.function(inner, input_signature=[tf.TensorSpec([None], tf.float32), N])
    found = stages("def f(x, n):\n    return g(x, n)\n", g=open_)
    assert found["trace"].outputs[0].type.shape != (3,) and found["dead_code"].outputs[0].type.shape == (3,)


# A size that is not the same in both branches, or in each iteration, is no size that is known.
@pytest.mark.parametrize("lines", [
    "y = tf.shape(x) if n > 0 else tf.shape(x[:2])\n    return tf.zeros(y)",
    "y = tf.shape(x)\n    while n > 0:\n        y = y + 1\n        n = n - 1\n    return tf.zeros(y)",
    "y = x\n    while n > 0:\n        y = tf.zeros(tf.shape(y) + 1)\n        n = n - 1\n    return y",
])  # fmt: skip
def test_what_has_several_sizes_has_none_that_is_known(lines):
    inner = load(f"def g(x, n):\n    {lines}\n", "g", tf=tf)
    g = tf.function(inner, input_signature=[tf.TensorSpec([None], tf.float32), N])
    f = tf.function(lambda x, n: g(x, n), autograph=False)
    x = np.ones(3, np.float32)
    assert f.get_concrete_function(X, N).graph.outputs[0].type.shape != (3,)
    for n in map(np.int32, (0, 1, 2)):
        np.testing.assert_array_equal(f(x, n), inner(tf.constant(x), n))


@pytest.mark.parametrize("branch", [False, True])
@pytest.mark.parametrize("call", ["write(0, x)", "write(0, x).write(1, x)"])
def test_a_list_without_a_shape_has_that_of_what_is_put_into_it(call, branch):
    """Where no loop fills it as well, and in a branch."""
    made = f"y = tf.TensorArray(tf.float32, size=n).{call}.stack()"
    text = f"def f(x, n):\n    y = tf.stack([x])\n    if n > 0:\n        {made}\n    return y\n"
    text = text if branch else f"def f(x, n):\n    {made}\n    return y\n"
    traced = stages(text)["trace"]
    for graph in (optimise.type_propagation(traced), optimise.optimise(traced)):
        shapes = [node.outputs[0].type.shape for node in graph.walk() if node.op is lists.new]
        assert shapes in ([(3,)], []), shapes


def captures(graph):
    """The nodes that make what the branches and loops of a graph take from around them."""
    made = {v: node for node in graph.nodes for v in node.outputs}
    for node in graph.nodes:
        state = len(node.outputs) if node.op is structure.while_ else int(node.op is structure.if_)
        if node.regions:
            yield from (made[v] for v in node.inputs[state:] if v in made)
        for region in node.regions:
            yield from captures(region)


@pytest.mark.parametrize("rows", [
    "if n > 0:\n        y = x * a + b\n    else:\n        y = x - b",
    "if n > 0:\n        if n > 1:\n            y = y + a * b",
    "while n > 0:\n        y = y * a + b * y\n        n = n - c",
    "for i in range(n):\n        if i > c:\n            y = y * a + b",
])  # fmt: skip
def test_constants_are_written_into_branches_and_loops(rows):
    head = "y, a, b, c = x * 2.0, tf.constant(3.0), tf.constant(4.0), tf.constant(2)"
    text = f"def f(x, n):\n    {head}\n    {rows}\n    return y\n"
    found = stages(text)
    assert any(node.op is shape_ops.constant for node in captures(found["trace"]))
    assert not any(node.op is shape_ops.constant for node in captures(found["constant_folding"]))
    x = np.arange(3, dtype=np.float32)
    for n in map(np.int32, (0, 1, 4)):
        before, after = (compile_graph(found[name])(x, n)[0] for name in ("trace", "constant_folding"))
        np.testing.assert_array_equal(before, after)


def test_large_results_are_made_when_the_graph_runs():
    text = "def f(x, n):\n    return tf.range(tf.constant(size)) + n\n"
    for size, is_folded in ((4096, True), (4097, False)):
        graph = stages(text, size=size)["constant_folding"]
        assert any(np.size(node.attributes.get("value")) == size for node in graph.nodes) == is_folded


@pytest.mark.parametrize("test, is_plain", [
    ("n > 0 and n < 5", True), ("n < 0 or n > 5", True), ("n > 0 and n < 5 and n != 3", True),
    ("n > 0 and (n < 3 or n > 4)", True), ("n > 0 and x[n] > 0", False), ("n > 2 or x[n] > 0", False),
    ("n < 0 and tf.reduce_all(tf.linalg.matmul(y, y) > 0.0)", False),  # which is work
])  # fmt: skip
def test_logic_that_cannot_fail_and_is_no_work_is_computed_without_branches(test, is_plain):
    found = stages(f"def f(x, y, n):\n    return {test}\n", (X, tf.TensorSpec([2, 2], tf.float32), N))
    assert "if" in [node.op.name for node in found["trace"].nodes]
    assert ("if" not in [node.op.name for node in found["dead_code"].nodes]) == is_plain
    x, y = np.array([-1, 1, 1], np.float32), np.ones((2, 2), np.float32)
    for n in map(np.int32, (-1, 0, 1, 2, 3, 4, 5, 6)):
        if is_plain or n < 3:
            before, after = (compile_graph(found[name])(x, y, n)[0] for name in ("trace", "dead_code"))
            assert bool(before) == bool(after)


def test_what_calls_is_not_written_where_it_is_called():
    steps = "    x = np.tanh(x)\n" * 13
    large = tf.function(load(f"def g(x):\n{steps}    return x\n", "g", np=np))
    calling = tf.function(lambda x: large(x) + 1)
    for called in (large, calling):
        found = stages("def f(x, n):\n    return g(x)\n", g=called)
        assert [node.op.name for node in found["inlining"].walk()] == ["call"]


CASES = [(function, call) for function, calls, _ in PROGRAMS for call in calls[:1]]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("function, arguments", CASES[::4])
def test_results_stay_the_same_to_the_last_bit(function, arguments):
    """The graph as it was traced, and after each pass."""
    given = tensors(copy.deepcopy(arguments))
    try:
        concrete = tf.function(function).get_concrete_function(*given)
    except Exception:  # there are programs that cannot be traced; this is not about them
        return
    seen = []
    for name, graph in optimise.stages(concrete.traced):
        leaves = [np.array(getattr(a, "array", a)) for a in given]
        if len(leaves) != len(graph.inputs):
            return
        try:
            seen.append(
                (name, [np.asarray(r, object if isinstance(r, list) else None) for r in compile_graph(graph)(*leaves)])
            )
        except Exception as error:
            seen.append((name, [np.asarray(type(error).__name__)]))
    for name, results in seen[1:]:
        for mine, wanted in zip(results, seen[0][1], strict=True):
            assert mine.dtype == wanted.dtype and mine.tobytes() == wanted.tobytes() or mine.dtype == object, name


def test_the_command_line_prints_the_graph_after_a_pass(tmp_path, capsys):
    path = tmp_path / "program.py"
    path.write_text("def f(x, n):\n    return x * 1.0 + n\n")
    assert main([f"{path}:f", "float32[None, 3]", "2.5", "--after", "trace"]) == 0
    assert "x * 1.0 + 2.5" in capsys.readouterr().out
    assert main([f"{path}:f", "float32[None, 3]", "2.5"]) == 0
    assert "return (x + 2.5,)" in capsys.readouterr().out
    assert main([f"{path}:f", "float32[]", "2.5", "--after", "all"]) == 0
    assert capsys.readouterr().out.count("# ") == 2
    with pytest.raises(SystemExit):
        main([f"{path}:g", "1"])
    assert "defines no 'g'" in capsys.readouterr().err


@pytest.mark.parametrize("limit, moves", [("6", True), ("5", False), ("n", False)])
def test_products_of_all_rows_are_made_before_the_loop(limit, moves):
    text = f"""
def f(x, w, n):
    i = tf.constant(0)
    h = tf.zeros([2, 4])
    while i < {limit}:
        h = tf.tanh(x[i] @ w + h)
        i += 1
    return h
"""
    specs = tf.TensorSpec([6, 2, 3], tf.float32), tf.TensorSpec([3, 4], tf.float32), N
    found = stages(text, specs)
    assert ("matmul" in [node.op.name for node in found["dead_code"].nodes]) == moves
    draw = np.random.default_rng(0).standard_normal
    x, w, n = draw((6, 2, 3)).astype(np.float32), draw((3, 4)).astype(np.float32), np.int32(5)
    before, after = (compile_graph(found[name])(x, w, n)[0] for name in ("trace", "dead_code"))
    assert before.tobytes() == after.tobytes()
    function = load(text, np=np, tf=tf)
    for native in EXECUTORS:
        np.testing.assert_allclose(tf.function(function, jit_compile=native)(x, w, n), after, rtol=1e-5)


class Alike:
    """Objects that print alike and are not."""

    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return "Alike"


class Numbered(int):
    def __repr__(self):
        return "Numbered"


@pytest.mark.parametrize(
    "one, other, same",
    [
        (1, 1, True), (1, True, False), (1, 1.0, False), (0.0, -0.0, False), (0.0, 0.0, True), (np.nan, np.nan, True),
        ("a", b"a", False), ((1, 2), (1, 2), True), ((1, 2), [1, 2], False), ((1, 2), (1, 3), False), (None, 0, False),
        (slice(1, 2), slice(1, 2), True), (slice(1, 2), slice(1, 3), False), (Alike(1), Alike(2), False),
        (Numbered(1), Numbered(2), False), ((Alike(1),), (Alike(1),), False), (1j, 1j, True), (0j, -0j, False),
        (np.arange(3), np.arange(3), True), (np.arange(3), np.arange(3.0), False), (np.arange(3), [0, 1, 2], False),
        (np.zeros(99), np.append(np.zeros(98), 1), False), (np.float32(1), np.float64(1), False),
        (np.array([0.0]), np.array([-0.0]), False), (tf.int32, tf.int64, False), (tf.int32, tf.int32, True),
    ],
)  # fmt: skip
def test_computations_are_equal_if_their_attributes_are(one, other, same):
    """Not if they print alike: the key tells apart whatever could give another result."""
    assert (frozen(one) == frozen(other)) == same
    x = Value(TensorType(tf.float32, ()), "x")
    nodes = [
        Node(OPS["tanh"], (x,), (Value(TensorType(tf.float32, ()), "y"),), {"option": option})
        for option in (one, other)
    ]
    graph = Graph("f", (x,), tuple(nodes), tuple(n.outputs[0] for n in nodes))
    assert len(optimise.common_subexpressions(graph).nodes) == (1 if same else 2)


def test_a_branch_on_a_constant_that_another_branch_left():
    text = """
def f(x, n):
    y = tf.constant(3)
    z = tf.constant(1)
    if y > 2:
        z = tf.constant(7)
    if z > 5:
        return x * 2.0
    return x * 3.0
"""
    graph = stages(text)["trace"]
    for _ in range(2):  # the test of the second is folded once the first is gone
        graph = optimise.constant_tests(optimise.constant_folding(graph))
    assert "if" not in [node.op.name for node in graph.nodes]
    inside = "if y > 2:\n        z = tf.constant(True)\n    else:\n        z = tf.constant(False)\n    if z:"
    text = text.replace("if y > 2:\n        z = tf.constant(7)\n    if z > 5:", inside).replace(
        "constant(1)", "constant(False)"
    )
    once = optimise.constant_tests(optimise.constant_folding(stages(text)["trace"]))
    assert "if" not in [node.op.name for node in once.nodes]
    assert body(stages(text)["dead_code"]) == "return (x * 2.0,)"


@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1)])
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("reduce", [tf.reduce_sum, tf.reduce_max, tf.reduce_mean, tf.math.reduce_std, tf.reduce_any])
def test_reductions_of_unknown_rank(reduce, keepdims, axis):
    x = np.arange(6.0).reshape(2, 3) > 2 if reduce is tf.reduce_any else np.arange(6.0).reshape(2, 3)
    spec = tf.TensorSpec(None, x.dtype)
    function = tf.function(lambda x: reduce(x, axis=axis, keepdims=keepdims), input_signature=[spec])
    shape = function.get_concrete_function().graph.outputs[0].type.shape
    wanted = reduce(tf.constant(x), axis=axis, keepdims=keepdims)
    assert shape == (() if axis is None and not keepdims else None)
    np.testing.assert_array_equal(function(x), wanted)
    assert function(x).shape == wanted.shape


def test_the_command_line_takes_what_it_was_started_with(monkeypatch, capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    wanted = capsys.readouterr().out
    monkeypatch.setattr("sys.argv", ["runtime", "--help"])
    with pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().out == wanted
