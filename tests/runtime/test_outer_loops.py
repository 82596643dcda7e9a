"""Loops whose turns run loops of their own: several turns at a time give what one after the other gives, to the bit."""

import itertools
import math
import textwrap

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import runtime as tf
from tests.programs import load, outcome

pytest.importorskip("llvmlite")
from runtime.executors.native import outer_loops


def lengths_of_collatz(n):
    best = 0
    total = 0
    for i in range(1, n):
        m, steps = i, 0
        while m != 1:
            if m % 2 == 0:
                m //= 2
            else:
                m = 3 * m + 1
            steps += 1
        total += steps
        best = tf.maximum(best, steps)
    return total, best


def ends_where_its_own_loop_would_not(n):
    """Turn 0 would never end; it is not to be begun."""
    total = 0
    while n > 0:
        m, turns = n, 0
        while m != 1:
            m = m // 2
            turns += 1
        total = total * 3 + turns
        n -= 3
    return total


def roots(n):
    """By Newton, as far as each needs; the order of the additions shows in the result."""
    total = 0.0
    for i in range(n):
        x = tf.cast(i, tf.float64) / 7.0
        guess, last = x + 1.0, 0.0
        while abs(guess - last) > 1e-9:
            last = guess
            guess = 0.5 * (guess + x / guess)
        total = total / 1.5 + guess
    return total


def shared_by_loops(n):
    """A number that several inner loops, and what is between them, have in common."""
    total, c = 0.0, tf.cast(n, tf.float64) / 20.0 + 1.1
    for i in range(n):
        x = 1.0 + 0.5 * tf.cast(i, tf.float64)
        while x > 1.5:
            x = x / c
        y = x + 10.0 * c
        while y > 2.0:
            y = y / c - 0.25
        total += x * c + y
    return total


def in_single_precision(n):
    total = tf.constant(0.0)
    for i in range(n):
        x, turns = tf.cast(i, tf.float32) * 0.1, 0
        while turns < 20 and not x > 3.0:
            x = tf.exp(x) * 0.5 + tf.tanh(x) if turns % 3 == 0 else x**2 + 0.25
            turns += 1
        total = total * 0.5 + x + turns
    return total


def truth_values(n):
    total = 0
    even = False
    for i in range(n):
        odd, m = False, i
        while m > 0:
            odd = not odd
            m -= 1
        even = even or not odd
        total += 1 if odd else 2
    return total, even


def a_loop_in_the_loop_in_the_loop(n):
    total = 0
    for i in range(n):
        found, a = 0, 1
        while a * a <= i:
            b = a
            while a * a + b * b < i:
                b += 1
            if a * a + b * b == i:
                found += 1
            a += 1
        total = (3 * total + found) % 1000003
    return total


def table(n):
    """What the turns found goes into an array, in order."""
    found = tf.TensorArray(tf.int64, size=0, dynamic_size=True)
    for i in tf.range(n):
        m = 0
        while m * m < i:
            m += 1
        found = found.write(found.size(), tf.cast(m, tf.int64))
    return found.stack()


PROGRAMS = [
    lengths_of_collatz, ends_where_its_own_loop_would_not, roots, in_single_precision, truth_values, shared_by_loops,
    a_loop_in_the_loop_in_the_loop, table,
]  # fmt: skip


@pytest.fixture
def planned(monkeypatch):
    """The plans that were made."""
    made = []
    plan = outer_loops.plan

    def noted(node):
        found = plan(node)
        made.extend([found] if found is not None else [])
        return found

    monkeypatch.setattr(outer_loops, "plan", noted)
    return made


def agree(mine, wanted):
    for a, b in zip(tf.nest.flatten(mine), tf.nest.flatten(wanted), strict=True):
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b))


@pytest.mark.numpy_may_take_over  # integers grow beyond 64 bits
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
@pytest.mark.parametrize("dtype", [np.int64, np.int32])
def test_several_turns_at_a_time(program, dtype, planned):
    fast, slow = tf.function(program, jit_compile=True), tf.function(program, jit_compile=False)
    exact = program is not in_single_precision  # which calls exp and tanh
    for n in (0, 1, 2, 7, 15, 16, 17, 40, 100):
        mine, wanted = fast(dtype(n)), slow(dtype(n))
        if exact:
            agree(mine, wanted)
        else:
            np.testing.assert_allclose(mine, wanted, rtol=2e-6)
    assert planned


@pytest.mark.numpy_may_take_over  # integers grow beyond 64 bits
@pytest.mark.parametrize(
    "start, end, step", [(-7, 8, 1), (100, 0, 3), (2**62, 2**62 + 5, 2), (-(2**63), 2**63 - 2, 127)]
)
@pytest.mark.parametrize("test", ["i < end", "i <= end", "end > i", "end >= i"])
def test_counting_to_the_ends_of_the_integers(start, end, step, test, planned):
    text = f"""
def f(i, end):
    total = 0
    while {test}:
        k = 0
        while k * k < i % 97:
            k += 1
        total = (total * 3 + k) % 1_000_000_007
        i += {step}
"""
    arguments = np.int64(start), np.int64(end)
    # Where the count of turns alone ends the loop there is a plan; where `end` changes there is none.
    changing = load(f"{text}        if total > 100_000_000:\n            end = i\n    return total, i\n")
    agree(tf.function(changing, jit_compile=True)(*arguments), tf.function(changing, jit_compile=False)(*arguments))
    assert not planned
    if end - start < 1000:
        plain = load(f"{text}    return total, i\n")
        agree(tf.function(plain, jit_compile=True)(*arguments), tf.function(plain, jit_compile=False)(*arguments))
        assert planned


@pytest.mark.parametrize(
    "inner",
    [
        "while k < total % 7: k += 1",  # needs the turn before
        "while k < i % m: k += 1",  # a division of integers by what is not a constant
        "while k < i % 5: k += 1; assert k < 5",
    ],
)
def test_loops_that_go_turn_by_turn(inner, planned):
    program = load(f"""
def f(n, m):
    total = 0
    for i in range(n):
        k = 0
        {inner}
        total += k
    return total
""")
    arguments = np.int64(30), np.int64(4)
    agree(tf.function(program)(*arguments), tf.function(program, jit_compile=False)(*arguments))
    assert not planned


@st.composite
def numbers(draw, names, depth=0):
    """An expression whose value is a floating-point number."""
    if depth > 2 or draw(st.integers(0, 3)) == 0:
        return draw(st.sampled_from([*names, "0.5", "1.25", "-2.0"]))
    a, b = draw(numbers(names, depth + 1)), draw(numbers(names, depth + 1))
    forms = [
        f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} / {b})", f"abs({a})", f"tf.maximum({a}, {b})",
        f"(-{a})", f"({a} ** 2)", f"({a} if {b} < 1.0 else {b})", f"tf.sqrt(abs({a}))", f"tf.math.floor({a})",
        f"tf.cast(tf.cast({a}, tf.int32), tf.float64)",
    ]  # fmt: skip
    return draw(st.sampled_from(forms))


@st.composite
def programs(draw):
    e = lambda *names: draw(numbers(["a", "b", "v", *names]))
    inner = [
        f"            x = {e('x', 'y', 't')}",
        f"            if {e('x', 'y')} < {e('y', 't')}:",
        f"                y = {e('x', 'y')}",
        *(["                continue"] if draw(st.booleans()) else []),
        *([f"            if {e('x')} > 4.0:", "                break"] if draw(st.booleans()) else []),
    ]
    step = draw(st.integers(1, 3))
    return "\n".join(
        [
            "def f(n, limit, a):",
            "    total, b, i = 0.0, 0.75, 0",
            f"    while {draw(st.sampled_from(['i < n', 'i <= n', 'n > i']))}:",
            "        v = tf.cast(i, tf.float64)",
            f"        x, y, t, k = {e()}, {e()}, 0.0, 0",
            f"        while k < limit and {e('x', 'y', 't')} < {e('x', 'y')}:",
            "            k += 1",
            *inner,
            "            t = t + 0.5",
            "        total = total * 0.5 + x + y * t + tf.cast(k, tf.float64)",
            f"        i += {step}",
            "    return total, i",
            "",
        ]
    )


@pytest.mark.slow
@given(programs(), st.integers(0, 40), st.floats(-3, 3))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_generated_loops(text, n, a):
    program = load(text, tf=tf)
    arguments = np.int64(n), np.int64(12), np.float64(a)
    with np.errstate(all="ignore"):
        (how, mine), (as_wanted, wanted) = (
            outcome(tf.function(program, jit_compile=jit_compile), *arguments) for jit_compile in (True, False)
        )
    assert how == as_wanted  # both may divide Python's own numbers by zero
    if how == "returns":
        agree(mine, wanted)


def steps(n, first):
    total, start = 0, int(first)
    for i in range(n):
        m, k = start + i, 0
        while m != 1 and k < 700:
            m = 3 * m + 1 if m % 2 else m // 2
            k += 1
        total += k
    return total


def grown(n, first):
    total, start = 0, int(first)
    for i in range(n):
        x = start + i
        while x < 10**12:
            x = x * x + x
        total = total * 7 % 1000 + x % 1000
    return total


@pytest.mark.numpy_may_take_over
@pytest.mark.parametrize("function", [steps, grown])
@pytest.mark.parametrize("start", [2, 27, 10**9, 2**61, 2**62 - 40])
def test_whole_numbers_in_lanes_are_exact_or_an_error(function, start, planned):
    """Those of lanes that have ended, or that a branch leaves out, raise nothing."""
    found = tf.function(function, jit_compile=True)
    for n in (1, 7, 33):
        given = np.int64(n), np.int64(start)
        if max(reached(function, start + i) for i in range(n)) < 2**63:
            assert int(found(*given)) == function(n, start)
        else:
            with pytest.raises(OverflowError):
                found(*given)
    assert planned


def reached(function, m):
    """The largest number on the way."""
    largest, k = m, 0
    while (m != 1 and k < 700) if function is steps else m < 10**12:
        m = (3 * m + 1 if m % 2 else m // 2) if function is steps else m * m + m
        largest, k = max(largest, m), k + 1
    return largest


LEAST, MOST, ROOT = -(2**63), 2**63 - 1, math.isqrt(2**63 - 1)
STEPS = [  # with the least and the most that they can be given
    ("-x", LEAST + 1, MOST),
    ("-x - x", -(2**62) + 1, 2**62),
    ("x + 2**62", LEAST, MOST - 2**62),
    ("x - 2**62", LEAST + 2**62, MOST),
    ("2**62 - x", -(2**62) + 1, MOST),
    ("-2**62 - x", LEAST, 2**62),
    ("5 * x", -(MOST // 5), MOST // 5),
    ("x * -3", -(MOST // 3), MOST // 3),
    ("-1 * x", LEAST + 1, MOST),
    ("x * 2**40", -(MOST // 2**40), MOST // 2**40),
    ("x * x", -ROOT, ROOT),
    ("x * i", -ROOT, ROOT),
    ("i * x", -ROOT, ROOT),
]


def one_step(step):
    """Every other turn takes a step."""
    text = f"""
        def f(n, x):
            total, first = 0, int(x)
            for i in range(n):
                x, k = first, 0
                while k < i % 2:
                    x = {step}
                    k += 1
                total = total * 7 % 1000 + x % 1000
            return total
        """
    return load(textwrap.dedent(text))


@pytest.mark.parametrize("step, least, most", STEPS)
def test_whole_numbers_in_lanes_may_be_as_large_as_their_type_holds(step, least, most, planned):
    function = one_step(step)
    found = tf.function(function, jit_compile=True)
    for n, x in itertools.product((1, 2, 9), (least, least + 1, -7, 0, 1, most - 1, most)):
        assert int(found(np.int64(n), np.int64(x))) == function(n, x)
    assert planned


@pytest.mark.numpy_may_take_over
@pytest.mark.parametrize("step, least, most", STEPS)
def test_whole_numbers_in_lanes_that_are_too_large_are_an_error(step, least, most, planned):
    """But for those of lanes that do not take the step."""
    function = one_step(step)
    found, result = tf.function(function, jit_compile=True), eval(f"lambda x, i: {step}")
    for n, x in itertools.product((1, 2, 9), {max(least - 1, LEAST), min(most + 1, MOST), LEAST, MOST}):
        if n == 1 or all(LEAST <= result(x, i) <= MOST for i in range(1, n, 2)):
            assert int(found(np.int64(n), np.int64(x))) == function(n, x)
        else:
            with pytest.raises(OverflowError):
                found(np.int64(n), np.int64(x))
    assert planned
