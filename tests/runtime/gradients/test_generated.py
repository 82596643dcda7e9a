"""Programs made at random: the gradient of the graph is that of the program run at once, and that of differences."""

import textwrap

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import runtime as tf
from tests.programs import EXECUTORS, lacks_native_form, load
from tests.runtime.gradients.differences import by_differences

NAMES = ("x", "y", "z")
EXPRESSIONS = [
    "tf.sin({})", "tf.tanh({}) + {}", "{} * {}", "{} - 0.5 * {}", "tf.where({} > 0.3, {}, tf.cos({}))",
    "{} * 0.9 + 0.1", "tf.maximum({}, {} * 0.5)", "{}[::-1] + {}", "tf.reduce_sum({}) * 0.3 + {}",
    "tf.concat([{}[1:], {}[:1]], 0)",
    "{} / (1.0 + {} * {})", "g({}, {})", "tf.exp(-tf.abs({}))", "tf.stack([{}[1], {}[0]])",
]  # fmt: skip
TESTS = ["tf.reduce_sum({}) > 0.4", "{}[0] < {}[1]", "n > 2", "k % 2 == 0", "tf.reduce_max({}) < 1.5"]


@st.composite
def expressions(draw):
    template = draw(st.sampled_from(EXPRESSIONS))
    return template.format(*(draw(st.sampled_from(NAMES)) for _ in range(template.count("{}"))))


@st.composite
def conditions(draw):
    template = draw(st.sampled_from(TESTS))
    return template.format(*(draw(st.sampled_from(NAMES)) for _ in range(template.count("{}"))))


@st.composite
def blocks(draw, depth, loop=False):
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        kinds = ["assign", "assign", "add"] + (["if", "while", "for", "items"] if depth else []) + ["jump"] * loop
        kind = draw(st.sampled_from(kinds))
        name = draw(st.sampled_from(NAMES))
        if kind == "assign":
            lines.append(f"{name} = {draw(expressions())}")
        elif kind == "add":
            lines.append(f"{name} = 0.7 * {name} + {draw(expressions())}")
        elif kind == "if":
            lines += [f"if {draw(conditions())}:", *inner(draw(blocks(depth - 1, loop)))]
            if draw(st.booleans()):
                lines += ["else:", *inner(draw(blocks(depth - 1, loop)))]
        elif kind == "for":
            lines += ["for k in tf.range(n):", *inner(draw(blocks(depth - 1, True)))]
        elif kind == "while":  # each level has a count of its own, or none would end
            count, body = f"m{depth}", inner(draw(blocks(depth - 1, False)))
            test = f"{count} < 4 and tf.reduce_sum({name} * {name}) < 6.0"
            lines += [f"{count} = 0", f"while {test}:", f"    {count} = {count} + 1", *body]
        elif kind == "items":
            lines += ["items = []", "for k in tf.range(n):", f"    items.append({draw(expressions())})"]
            lines += [f"    {name} = {name} * 0.5 + {draw(expressions())}", "for item in items:"]
            lines += [f"    {name} = {name} + 0.2 * item"]
        else:
            lines += [f"if {draw(conditions())}:", f"    {draw(st.sampled_from(['break', 'continue']))}"]
    return lines


def inner(lines):
    return ["    " + line for line in lines]


@st.composite
def programs(draw):
    body = ["y, z, k, m1, m2, m3 = x * 0.5, tf.cos(x), 0, 0, 0, 0", *draw(blocks(3))]
    if draw(st.booleans()):
        body.append("if tf.reduce_sum(y) > 0.5:\n    return tf.reduce_sum(y * z)")
    body.append("return tf.reduce_sum(x * y + z)")
    text = "@tf.function\ndef g(a, b):\n    if a[0] > b[0]:\n        return a * b\n    return tf.sin(a) + b\n\n"
    return text + "def f(x, n):\n" + textwrap.indent("\n".join(body), "    ") + "\n"


def gradient(f, x, n):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, n)
    return y, tape.gradient(y, x, unconnected_gradients="zero")


X = np.array([0.613, -0.287])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("jit_compile", EXECUTORS)
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=programs(), count=st.integers(0, 4), size=st.sampled_from([2, None]))
def test_generated(text, count, size, jit_compile):
    f = load(text, tf=tf)
    x, n = tf.constant(X), tf.constant(count)
    value, wanted = gradient(f, x, n)
    if not np.all(np.isfinite(wanted)) or np.max(np.abs(wanted)) > 1e6:
        return
    specs = [tf.TensorSpec([size], x.dtype), tf.TensorSpec([], n.dtype)]
    options = {"jit_compile": jit_compile, "input_signature": specs}
    staged, inside = tf.function(f, **options), tf.function(lambda x, n: gradient(f, x, n), **options)
    try:
        around, within = gradient(staged, x, n), inside(x, n)
    except tf.errors.InvalidArgumentError as error:
        if not (jit_compile and lacks_native_form(error, unknown=True)):
            raise
        return
    for y, found in (around, within):
        np.testing.assert_allclose(y, value, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(found, wanted, rtol=1e-7, atol=1e-9)
    graph = tf.function(f, jit_compile=False)
    coarse, fine = (by_differences(lambda x: float(graph(tf.constant(x), n)), [X], 0, step) for step in (1e-5, 1e-6))
    if np.allclose(coarse, fine, rtol=1e-4, atol=1e-6):  # away from corners
        np.testing.assert_allclose(wanted, fine, rtol=1e-3, atol=1e-5)
