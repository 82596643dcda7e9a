"""Operations that write to large arrays which nobody needs any more: nothing else changes."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import runtime as tf
from runtime.executors.numpy.text import program
from tests.programs import load


@st.composite
def programs(draw):
    """Statements on square arrays: arithmetic, views, reductions, branches and loops, whose results live on or not."""
    names = ["a", "b"]
    lines = []

    def pick():
        return draw(st.sampled_from(names[-5:] + ["a", "b"]))

    forms = [
        "{} + {}", "{} * {}", "{} - {}", "tf.maximum({}, {})", "tf.abs({}) + 1.0", "tf.tanh({})", "-{}",
        "tf.transpose({})", "tf.reshape({}, (100, 100))", "{}[::-1]", "{} @ {} * 0.01", "tf.reduce_sum({}, 0) + {}",
        "tf.where({} > 0.0, {}, 1.0)", "tf.identity({})", "tf.cast({}, tf.float64)", "tf.stack([{}, {}])[1]",
        "tf.math.floor({}) / ({} + 7.0)", "tf.cumsum({}, 1) + {}", "tf.sort({}, axis=0)",
        "tf.concat([{}, {}], 0)[50:150]", "tf.gather({}, tf.range(100))", "tf.roll({}, 1, 0) - {}",
        "tf.clip_by_value({}, -1.0, 1.0)", "tf.math.real({})", "tf.tensordot({}, {}, 1) * 0.01",
        "tf.einsum('ij->ji', {})",
    ]  # fmt: skip
    for number in range(draw(st.integers(3, 12))):
        form = draw(st.sampled_from(forms))
        text = form.format(*(pick() for _ in range(form.count("{}"))))
        kind = draw(st.integers(0, 8))
        name = f"v{number}"
        if kind == 0:
            lines += [f"{name} = {pick()}", f"if n > {draw(st.integers(0, 3))}:", f"    {name} = {text}"]
        elif kind == 1:
            lines += [
                f"{name} = {pick()}",
                "for _ in tf.range(n):",
                f"    w = {text}",
                f"    {name} = w * 0.5 - {name}",
            ]
        else:
            lines.append(f"{name} = {text}")
        names.append(name)
    kept = draw(st.lists(st.sampled_from(names), min_size=1, max_size=3))
    return "\n".join(["def f(a, b, n):", *(f"    {line}" for line in lines), f"    return {', '.join(kept)},", ""])


@given(programs(), st.integers(0, 3))
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_results_and_arguments_stay(text, n):
    f = load(text, tf=tf)
    draw = np.random.default_rng(0).standard_normal
    a, b = draw((100, 100)), draw((100, 100))
    before = a.copy(), b.copy()
    graph = tf.function(f, jit_compile=False)
    with np.errstate(all="ignore"):
        wanted = f(tf.constant(a), tf.constant(b), tf.constant(n))
    for _ in range(2):
        for mine, other in zip(graph(a, b, np.int32(n)), wanted, strict=True):
            np.testing.assert_array_equal(mine, other)
        np.testing.assert_array_equal((a, b), before)


def test_large_arrays_are_reused_and_small_ones_are_not():
    def f(x):
        y = x * 2.0
        z = tf.exp(y)
        z = z + y.shape[0]
        return tf.sqrt(z)

    for size, times in ((100_000, 2), (10, 0)):
        graph = tf.function(f, jit_compile=False).get_concrete_function(tf.TensorSpec((size,), tf.float32)).graph
        assert program(graph, in_place=True).text.count("out=") == times
        assert "out=" not in str(graph)


PUSHED = """
def f(n):
    a = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
    for i in tf.range(n):
        {}
    return a.stack()
"""


@pytest.mark.parametrize(
    "body",
    [
        "a = a.write(i, i * i)",
        "a = a.write(i + 2, i)",
        "a = a.write(i, a.size())",
        "b = a.write(i, 5)\n        a = b if a.size() > 1 else b.write(i, a.size())",
    ],
)
def test_a_list_that_nobody_else_has_is_changed_where_it_is(body):
    f = tf.function(load(PUSHED.format(body), tf=tf), jit_compile=False)
    concrete = f.get_concrete_function(tf.constant(3))
    text = program(concrete.graph, in_place=True).text
    assert "written_to(" in text and " written(" not in text
    assert "written_to(" not in str(concrete.graph)
    eager = load(PUSHED.format(body), tf=tf)
    for n in (0, 1, 4):
        np.testing.assert_array_equal(f(tf.constant(n)), eager(tf.constant(n)))


def test_what_a_loop_begins_with_stays_as_it_was():
    @tf.function(jit_compile=False)
    def f(x, n):
        a = tf.TensorArray(tf.float32, size=0, dynamic_size=True).write(0, x)
        b = a
        for i in tf.range(n):
            b = b.write(i + 1, x)
        return a.size(), b.size()

    assert [int(v) for v in f(tf.constant(1.0), tf.constant(3))] == [1, 4]


def test_arrays_that_are_written_again_and_again_are_there_until_the_last_time():
    def f(x, n):
        total = np.zeros(3)
        for i in range(n):
            made = np.zeros((200, 200))
            made[i] = x
            made[i, 1] = 5.0
            made[2] += made[i]
            kept = made[:3] * 2.0
            made[0] = kept[2, :1]
            total += made[0, :3] + kept[i, :3]
        return total

    x = np.linspace(0.0, 1.0, 200)
    found = tf.function(f, jit_compile=False, numpy=True)(x, np.int64(3))
    np.testing.assert_allclose(found, f(x, 3))


def test_an_array_that_branches_and_loops_write_is_there_after_them():
    def f(x, n):
        made = np.zeros((200, 200)) + x
        if n > 2:
            made[0] = x * 2.0
            made[1] = made[0] + 1.0
        else:
            made[2] = x
        for i in range(n):
            if made[i, 0] > 1.0:
                made[i] = made[i + 1] - 1.0
                made[i + 2] += made[i]
            other = made * 2.0
            other[i] = 0.0
            other[i + 1] = other[i + 2]
            made[3] += other[i + 1] + other[i]
        return made[:6, :3].copy()

    x = np.linspace(0.0, 3.0, 200)
    for n in (0, 1, 4):
        found = tf.function(f, jit_compile=False, numpy=True)(x, np.int64(n))
        np.testing.assert_allclose(found, f(x, n))
