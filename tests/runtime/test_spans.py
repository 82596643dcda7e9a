"""Python's integers in loops of the graph are those of Python: where 64 bits may not hold one, the loop is unrolled."""

import math
import operator

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import runtime
from runtime.ops import elementwise as ew, shape, structure
from runtime.ops.intervals import limits_of
from runtime.ops.spans import _iterations
from runtime.ops.trip_count import counted, limited
from tests.programs import load, unrolled

LEAVES = st.sampled_from(["i", "k", "m", "2", "3", "7", "-1", "100", "10**6"])
BINARY = st.sampled_from(
    ["({} + {})", "({} - {})", "({} % 997 * {})", "({} // 7 + {})", "({} % 11 - {})", "max({}, {})", "min({}, {})"]
)
UNARY = st.sampled_from(
    ["abs({})", "-{}", "({} % 1000) ** 2", "{} % 1001", "{} // 3", "({} & 255)", "(1 << {} % 5)", "10 ** (i % 6) + {}"]
)
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(lambda text, a, b: text.format(a, b), BINARY, inner, inner),
        st.builds(lambda text, a: text.format(a), UNARY, inner),
    ),
    max_leaves=4,
)
STATEMENTS = st.one_of(
    st.builds("{} = {}".format, st.sampled_from("km"), EXPRESSIONS),
    st.builds("{} += {}".format, st.sampled_from("km"), EXPRESSIONS),
    st.builds("k, m = m, {}".format, EXPRESSIONS),
    st.builds("if {} > {}: k = {}".format, EXPRESSIONS, EXPRESSIONS, EXPRESSIONS),
    st.builds("for j in range(i % 4): m = m + {}".format, EXPRESSIONS),
)


def program(statements, iterations):
    body = "\n".join(f"        {statement}" for statement in statements)
    return (
        f"def f(x):\n    k, m = 1, 2\n    for i in range({iterations}):\n{body}\n        x = x * 0.5 + k % 97\n"
        "    return x, k % 1000003, m % 1000003, k > 10**30, m < -(10**30)\n"
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(STATEMENTS, min_size=1, max_size=3), st.sampled_from([24, 70]))
def test_integers_of_a_loop_are_pythons(statements, iterations):
    agrees(program(statements, iterations))


@settings(max_examples=60, deadline=None)
@given(st.lists(STATEMENTS, min_size=1, max_size=3), st.sampled_from(["i < 70", "300 >= i", "i < 900 and k < 10**18"]),
       st.sampled_from(["i += 1", "i += 1 + k % 3", "i = 2 * i + 1"]))  # fmt: skip
def test_integers_of_a_while_are_pythons(statements, test, step):
    body = "".join(f"        {statement}\n" for statement in [*statements, step])
    agrees(
        f"def f(x):\n    i, k, m = 0, 1, 2\n    while {test}:\n{body}        x = x * 0.5 + k % 97\n"
        "    return x, i, k % 1000003, m % 1000003, k > 10**30, m < -(10**30)\n"
    )


def agrees(text):
    """Whether a program computes as Python does where each of its loops that can be is one of the graph."""
    plain = load(text)
    try:
        wanted = plain(np.ones(1))
    except OverflowError:  # too large for the array that it is added to
        return
    try:
        with unrolled(0):
            found = runtime.function(load(text), jit_compile=False)(np.ones(1))
    except OverflowError as error:  # of a number that is multiplied beyond what a graph has
        assert "those have 64 bits there" in str(error), text
        return
    for mine, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(np.asarray(mine), theirs, rtol=1e-12, err_msg=text)


@pytest.mark.parametrize("step", ["i += 1", "i += 1 + k % 3", "i += 1 + (k > 5)"])
@pytest.mark.parametrize("statements", [["k, m = m, k + m"], ["k, m = m, k", "k += m"], ["k += m", "m += k"]])
def test_numbers_that_are_added_to_each_other_are_pythons(statements, step):
    """However often the loop runs: sums of Fibonacci's kind leave 64 bits after 92 of them."""
    body = "".join(f"        {statement}\n" for statement in [*statements, step])
    agrees(
        f"def f(x):\n    i, k, m = 0, 1, 2\n    while i < 400:\n{body}        x = x * 0.5 + k % 97\n"
        "    return x, i, k % 1000003, m % 1000003, k > 10**30\n"
    )


def loops(text):
    graph = runtime.function(load(text)).get_concrete_function(np.ones(1)).graph
    return sum(node.op.name == "while" for node in graph.nodes)


@pytest.mark.parametrize(
    "statement, repeated",
    [
        ("k = k + 1", True),
        ("k = k + i * i", True),
        ("k = k - m", True),
        ("k = (k * 7 + 3) % 1001", True),
        ("if i % 3: k = k + 5", True),
        ("x = x / (400 - i)", True),
        ("x = x * (i / 3)", True),
        ("x = x * 1.5 ** -(i % 5)", True),
        ("x = x / (399 - i)", True),
        ("x = x + 1 / (400 - i)", True),
        ("x = x + (i - 200) ** 0.5", False),
        ("if x[0] > 0: k = k * 2", True),
        ("k = 10 ** (i % 6)", True),
        ("k = 1 << (i % 50)", True),
        ("for j in range(i): k = k + j", True),
        ("k = k * 2", False),
        ("if i % 3: k = k * 5", False),
        ("if i % 3: k, m = m + 1, k", False),
        ("k = k + abs(k)", False),
        ("if k > 100: k = 0\n        k = k + 1", False),
        ("k, m = m, k + m", False),
        ("k = 10 ** i", False),
        ("k = 1 << i", False),
        ("k = k * (k % 5 + 2)", False),
        ("for j in range(i): k = k * 2", False),
        ("if i == 300: k = 10**10 * k\n        k = k * 10**10 - k", False),
    ],
)
def test_what_may_grow_without_end_is_left_to_python(statement, repeated):
    assert loops(program([statement], 400)) == repeated


@pytest.mark.parametrize(
    "op", [op for op in vars(ew).values() if getattr(op, "span", None) is not None], ids=lambda op: op.name
)
def test_a_span_holds_what_the_operation_gives(op):
    """For all whole numbers in small ranges; an operation that has no result for some of them may raise."""
    ranges = [(-3, -1), (-2, 2), (0, 3), (1, 4), (5, 5)]
    numbers = [np.int64(n) for n in range(-3, 6)]
    for x in ranges:
        for y in ranges:
            given_ = [x, y][: op.arity] if op.arity < 3 else [(0, 1), x, y]
            try:
                low, high = op.span(*given_)
            except ArithmeticError:  # as may be
                continue
            for a in numbers:
                for b in numbers:
                    inside = [a, b][: op.arity] if op.arity < 3 else [a > b, a, b]
                    bounds = given_[-2:] if op.arity > 1 else given_
                    if not all(l <= n <= h for n, (l, h) in zip([a, b], bounds)):
                        continue
                    try:
                        with np.errstate(all="raise"):
                            attributes = {"dtype": np.int64} if op is ew.cast else {}
                            result = op.kernel(*inside, **attributes)
                    except (ValueError, FloatingPointError):
                        continue
                    assert low <= result <= high, (inside, result, low, high)


def test_a_quotient_of_counters_that_becomes_an_int_stays_one_of_the_loop():
    def scaled(x, factor):
        out = np.zeros(400)
        for i in range(400):
            y = i / factor
            low = int(y)
            out[i] = x[low] + (y - low) * x[min(low + 1, 299)] + math.floor(y / 2)
        return out

    function = runtime.function(scaled, numpy=True)
    x = np.arange(300.0)
    assert len(function.get_concrete_function(x, 2).graph.nodes) < 20
    np.testing.assert_array_equal(function(x, 2), scaled(x, 2))


STEP = 2**56
# What adds STEP to a number in an iteration, or takes it away.
STEPS = {
    "k = k + {0}": 1, "k = {0} + k": 1, "k += {0}": 1, "k = k - -{0}": 1, "k = k - {0}": -1, "k = k + -{0}": -1,
    "k = {0} // 2 + k + {0} // 2": 1, "k = k + m": 1, "k = m + k": 1, "k = k - m": -1,
    "if i % 2 > 0:\n            k += {0}\n        else:\n            k += {0}": 1,
    "for j in range(2):\n            k += {0} // 2": 1,
    "for j in range(4):\n            k -= {0} // 4": -1,
}  # fmt: skip


@pytest.mark.parametrize("statement", STEPS)
@pytest.mark.parametrize("iterations", [126, 127, 128, 129])
def test_a_loop_that_adds_is_staged_as_long_as_64_bits_hold_the_sum(statement, iterations):
    """The last sum that they hold is 127 steps away from 1, and 128 from -1 downwards."""
    first, body = STEPS[statement], statement.format(STEP)
    text = (
        f"def f(x):\n    k, m = {first}, {STEP}\n    for i in range({iterations}):\n        {body}\n"
        "        x = x * 0.5\n"
        "    return x, k % 1000003, -(2**63) <= k < 2**63\n"
    )
    _, wanted, fits = load(text)(np.ones(1))
    with unrolled(0):
        function = runtime.function(load(text), jit_compile=False)
        assert int(function(np.ones(1))[1]) == wanted
        assert ("\n    while " in str(function.get_concrete_function(np.ones(1)).graph)) == fits


def halves(a):
    width, n = 1, len(a)
    while width < n:
        for low in range(0, n - width, 2 * width):
            a[low] += a[low + width]
        width *= 2
    return width


def pointers(a):
    low, high = 0, len(a) - 1
    while low < high:
        if a[low] > a[high]:
            a[low], a[high] = a[high], a[low]
        low += 1
        high -= 1
    return low


def until_broken_off(a):
    i = 0
    while True:
        if i >= len(a):
            break
        a[i] = a[i - 1] * 0.5 + i
        i += 1
    return i


def pairs(a):
    i = 0
    while i < len(a):
        j = i + 1
        while j < len(a):
            if a[j] < a[i]:
                a[i], a[j] = a[j], a[i]
            j += 1
        i += 1


def time_steps(a):
    t, steps = 0.0, 0
    while t < 1.0:
        a[1:-1] += 0.1 * (a[2:] - 2 * a[1:-1] + a[:-2])
        t += 0.001
        steps += 1
    return t, steps


@pytest.mark.parametrize("native", [False, None])
@pytest.mark.parametrize("function", [halves, pointers, until_broken_off, pairs, time_steps])
def test_a_long_while_that_python_could_decide_is_one_of_the_graph(function, native):
    mine, theirs = np.random.default_rng(0).random((2, 200))
    theirs[:] = mine
    staged = runtime.function(function, numpy=True, jit_compile=native)
    assert len(staged.get_concrete_function(mine).graph.nodes) < 20
    assert staged(mine) == function(theirs)
    np.testing.assert_allclose(mine, theirs, rtol=1e-12)


def test_a_long_while_that_no_graph_repeats_is_unrolled_from_its_start():
    seen = []

    def noted(a):
        i = 0
        while i < 200:
            a[i] = a[i] * 2 + 1
            a[i] -= np.float64([0.5, 0.25][i % 2]) if isinstance(i, int) else seen.append(i)
            i += 1
        return i

    mine, theirs = np.arange(200.0), np.arange(200.0)
    assert runtime.function(noted, numpy=True)(mine) == noted(theirs)
    np.testing.assert_array_equal(mine, theirs)


def test_a_loop_that_writes_an_array_is_tested_before_its_iterations():
    def fill(a, n):
        i = 0
        while i < n:
            a[i] = 1.0
            i += 1

    graph = runtime.function(fill).get_concrete_function(np.zeros(4), np.int64(3)).graph
    assert "while i < n" in str(graph)


def test_what_is_returned_out_of_a_loop_is_no_array_that_iterations_write():
    def relaxed(x, most):
        x = x.copy()
        for number in range(most):
            for i in range(len(x)):
                x[i] = (x[i] + x[i - 1]) / 2
            if x[0] - x[1] < 1e-3:
                return x, number
        return x, most

    start = np.linspace(0, 1, 6)
    staged = runtime.function(relaxed, numpy=True)
    assert len(staged.get_concrete_function(start, 300).graph.nodes) < 20
    found, wanted = staged(start, 300), relaxed(start, 300)
    np.testing.assert_allclose(found[0], wanted[0], rtol=1e-12)
    assert found[1] == wanted[1] < 300


def test_a_long_while_that_does_something_outside_is_unrolled(capsys):
    def told(a):
        i = 0
        while i < 200:
            if i % 50 == 0:
                print(i)
            a[i] = a[i] * 2 + i
            a[i] -= a[i - 1]
            i += 1

    mine, theirs = np.arange(200.0), np.arange(200.0)
    runtime.function(told)(mine)
    assert capsys.readouterr().out == "0\n50\n100\n150\n"
    told(theirs)
    np.testing.assert_array_equal(mine, theirs)


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_operations_on_bits_lie_where_they_are_told_to(data):
    ends = [sorted(data.draw(st.integers(-40, 70)) for _ in range(2)) for _ in range(2)]
    x, y = (range(low, high + 1) for low, high in ends)
    functions = {ew.bitwise_and: operator.and_, ew.bitwise_or: operator.or_, ew.bitwise_xor: operator.xor}
    for row, function in functions.items():
        low, high = row.span(*map(tuple, ends))
        assert all(low <= function(a, b) <= high for a in x for b in y)
    if ends[1][0] < 0:
        with pytest.raises(ArithmeticError):
            ew.right_shift.span(*map(tuple, ends))
    else:
        low, high = ew.right_shift.span(*map(tuple, ends))
        assert all(low <= a >> b <= high for a in x for b in y)


@pytest.mark.parametrize("jit_compile", [False, True, None])
def test_loops_over_bits(jit_compile):
    def checksum(data, poly):
        crc, ones, low = 0xFFFF, 0, -1
        for b in data:
            byte = 0xFF & b
            for _ in range(8):
                if (crc & 1) ^ (byte & 1):
                    crc = (crc >> 1) ^ poly
                else:
                    crc >>= 1
                byte >>= 1
            ones += (crc | 3) & 7
            low = (low ^ ones) | ~crc
        return ~crc & 0xFFFF, ones, low, crc >> 70, low >> 2

    data = np.random.default_rng(0).integers(0, 256, 300).astype(np.uint8)
    found = runtime.function(checksum, jit_compile=jit_compile, numpy=True)(data, 0x8408)
    assert [int(n) for n in found] == [int(n) for n in checksum(data, 0x8408)]


def loop_of(test, step="k = k + 1", **others):
    """The loop of a graph that begins with whole numbers of the graph's, `k` and what others there are."""
    names = ", ".join(["k", *others])
    f = load(f"def f({names}):\n    while {test}:\n        {step}\n    return k\n")
    specs = [runtime.TensorSpec([], runtime.int64)] * (1 + len(others))
    graph = runtime.function(f).get_concrete_function(*specs).graph
    return next(node for node in graph.nodes if node.op is structure.while_)


@pytest.mark.parametrize("test", ["k < 3", "k <= 3", "k > 3", "k >= 3", "3 > k", "3 >= k", "3 < k", "3 <= k"])
@pytest.mark.parametrize("step", [-128, -3, 1, 127])
@pytest.mark.parametrize("sign", "+-")
def test_how_often_a_loop_runs(test, step, sign):
    """As often as Python counts, whichever way it is said; one that counts away from its bound is not counted."""
    moved = step if sign == "+" else -step
    upwards = "<" in test if test.startswith("k") else ">" in test
    loop = loop_of(test, f"k = k {sign} {step}")
    count, runs = counted(loop), abs(step) < 128 and (moved > 0) == upwards
    assert (limited(loop) is not None, count is not None) == (runs, runs)
    if count is None:
        return
    assert (count.step, count.bound) == (moved, 3)
    for start in (*range(-9, 12), -500, 500):
        numbers = [*range(start, 3 + (1 if moved > 0 else -1), moved)]
        iterations = sum(eval(test, {"k": k}) for k in numbers)
        assert _iterations(count, loop.regions[1], [(start, start)]) == iterations


def test_what_else_may_end_a_loop_limits_it():
    """How often it runs at most is known then, and how often it does is not."""
    for text in ("k < 3 and k != m", "k != m and 3 > k"):
        loop = loop_of(text, m=0)
        assert counted(loop) is None and limited(loop).bound == 3
    assert limited(loop_of("k != m", m=0)) is None


COMPARISONS = st.sampled_from(["k < {}", "k <= {}", "k > {}", "k >= {}", "{} > k", "{} >= k", "{} < k", "{} <= k"])
ENDS = st.integers(-6, 6)


@given(st.lists(st.tuples(COMPARISONS, st.one_of(ENDS.map(str), st.just("m"))), min_size=1, max_size=3),
       st.tuples(ENDS, ENDS).map(sorted))  # fmt: skip
@settings(max_examples=40, deadline=None)
def test_a_test_says_where_the_numbers_of_a_loop_lie(parts, span):
    """Where all lie for which the test may hold: none is left out, and nothing is added to them."""
    texts = [part.format(end) for part, end in parts]
    region = loop_of(" and ".join(texts), m=0).regions[0]
    known = {node.outputs[0]: node.attributes["value"] for node in region.nodes if node.op is shape.constant}

    def span_of(value):
        return (int(known[value]),) * 2 if value in known else tuple(span) if value in region.inputs[1:] else None

    (low, high), *others = limits_of(region, 1, span_of, lambda node: node.op in (ew.cast, ew.widen)).values()
    each = [[any(eval(text, {"k": k, "m": m}) for m in span) for k in range(-20, 21)] for text in texts]
    assert not others and [low <= k <= high for k in range(-20, 21)] == [*map(all, zip(*each))]
