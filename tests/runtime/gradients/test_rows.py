"""Every row of the table: its gradient against differences, or that it has none and why."""

import re

import numpy as np
import pytest

import runtime as tf
from runtime.dtypes import DType
from runtime.gradients import control, custom, python, rules  # noqa: F401 - which enter the cells
from runtime.gradients.cells import CELLS
from runtime.graph.op import OPS
from runtime.tensors.operations import apply
from tests.programs import EXECUTORS, lacks_native_form
from tests.runtime.examples import EXAMPLES
from tests.runtime.gradients.differences import by_differences, close, weights_for

# Where the derivative of a row has its like: numbers that all functions take, away from corners.
PLACES = {
    "acosh": [1.5, 2.5], "copysign": [0.5, -0.75], "power": [0.5, 1.75], "float_power": [0.5, 1.75], "mod": [2.3, 0.7],
    "fmod": [2.3, 0.7], "log": [0.5, 1.5], "log2": [0.5, 1.5], "log10": [0.5, 1.5], "sqrt": [0.5, 1.5],
}  # fmt: skip
POINTS = [0.3, -0.6]
WIDER = {name: np.float64 for name in ("float32", "float16")}


def test_each_row_says_whether_it_has_a_gradient():
    assert set(CELLS) == set(OPS.values())


def test_a_reason_stands_where_there_is_no_gradient_but_changes():
    for op, cell in CELLS.items():
        assert not (cell.rule and cell.why), op.name


def operands(name, count, shapes, kind):
    x = np.array(PLACES.get(name, POINTS), np.float64)
    found = []
    for number, shape in enumerate(shapes[:count]):
        values = np.resize(x + 0.21 * number, shape)
        found.append(values + 0.4j * np.resize([1.0, -0.5], shape) if kind == "c" else values)
    return found


SHAPES = [
    [(2,), (2,)],
    [(3, 2), (2,)],
    [(2,), (3, 1)],
    [(3, 1), (1, 2)],
    [(), (2,)],
    [(1,), ()],
    [(0, 2), (1, 2)],
    [(), ()],
]


def elementwise():
    for op in OPS.values():
        if op.literals and op.name not in EXAMPLES and CELLS[op].rule:
            count = len(set(re.findall(r"{(\d)}", op.text)))
            for kind in "fc":
                given = operands(op.name, count, SHAPES[0], kind)
                try:
                    with np.errstate(all="ignore"):
                        op.kernel(*given)
                except TypeError:
                    continue
                if kind == "c" and op.name in _ORDERED:
                    continue
                for number, shapes in enumerate(SHAPES if kind == "f" else SHAPES[1:2]):
                    if count > 1 or number in (0, 4, 5, 6):
                        yield pytest.param(
                            op, operands(op.name, count, shapes, kind), {}, id=f"{op.name}-{kind}-{number}"
                        )


_ORDERED = {"maximum", "minimum", "relu", "softplus", "sigmoid", "float_power"}


def spread(x):
    """An array without elements that are the same: the largest of these has a corner."""
    x = np.asarray(x)
    if x.dtype.kind not in "fc" or x.size < 2:
        return x.astype(np.float64) if x.dtype.kind == "f" else x
    return x.astype(np.result_type(x.dtype, np.float64)) + 0.01 * np.sin(np.arange(x.size)).reshape(x.shape)


def others():
    for name, examples in EXAMPLES.items():
        op = OPS[name]
        if CELLS[op].rule is None or name == "custom_gradient":  # test_custom.py
            continue
        for number, (inputs, attributes) in enumerate(examples):
            given = [spread(x) for x in inputs]
            if name == "cholesky":
                given = [(x + x.T) / 2 for x in given]
            wide = {k: tf.float64 if isinstance(v, DType) and v.is_floating else v for k, v in attributes.items()}
            if any(x.dtype.kind in "fc" for x in given) and not any(
                isinstance(v, DType) and not v.is_floating for v in wide.values()
            ):
                yield pytest.param(op, given, wide, id=f"{name}-{number}")


def is_determined(op, inputs, attributes):
    """Whether the results are: vectors are not that may be turned, by a complex number or by one another."""
    if op.name == "eigh":
        return not np.iscomplexobj(inputs[0])
    return op.name != "svd" or not attributes["full_matrices"] or inputs[0].shape[-1] == inputs[0].shape[-2]


CASES = [case for case in (*elementwise(), *others()) if is_determined(*case.values)]


def made(op, attributes, tensors, weights):
    """A sum of what a row gives, each element of which counts something else."""
    result = apply(op, *tensors, **attributes)
    parts = result if isinstance(result, tuple) else (result,)
    parts = [p for p in parts if p.dtype.is_floating or p.dtype.is_complex]
    return sum(tf.reduce_sum(tf.math.real(part * w)) for part, w in zip(parts, weights, strict=True))


def numpys(op, arrays, attributes):
    """The same sum for arrays."""
    return sum(float(np.sum((p * weights_for(p.shape, p.dtype.kind)).real)) for p in results(op, arrays, attributes))


def results(op, arrays, attributes):
    plain = {k: v.as_numpy_dtype if isinstance(v, DType) else v for k, v in attributes.items()}
    if op.name == "cholesky":  # which looks at one half of a matrix that is the same on both sides
        arrays = [(x + x.T) / 2 for x in arrays]
    with np.errstate(all="ignore"):
        result = op.kernel(*arrays, **plain)
    parts = [np.asarray(p) for p in (result if isinstance(result, tuple) else (result,))]
    return [p for p in parts if p.dtype.kind in "fc"]


def gradient(op, attributes, tensors, weights):
    floats = [x for x in tensors if x.dtype.is_floating or x.dtype.is_complex]
    with tf.GradientTape() as tape:
        tape.watch(floats)
        total = made(op, attributes, tensors, weights)
    return tape.gradient(total, floats, unconnected_gradients="zero")


def wanted(op, inputs, attributes):
    return [
        by_differences(lambda *arrays: numpys(op, arrays, attributes), inputs, number)
        for number, x in enumerate(inputs)
        if np.asarray(x).dtype.kind in "fc"
    ]


@pytest.mark.sampled(6, each="op")
@pytest.mark.parametrize("op, inputs, attributes", CASES)
def test_the_gradient_is_that_of_differences(op, inputs, attributes):
    found = gradient(op, attributes, [tf.constant(x) for x in inputs], weights_of(op, inputs, attributes))
    for mine, other, x in zip(found, wanted(op, inputs, attributes), floats(inputs), strict=True):
        assert mine.dtype == x.dtype and mine.shape == np.shape(x)
        close(mine, other)


def floats(inputs):
    return [x for x in inputs if np.asarray(x).dtype.kind in "fc"]


@pytest.mark.sampled(8, each="op")
@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("op, inputs, attributes", CASES)
def test_a_graph_gives_the_same_gradient(op, inputs, attributes, jit_compile):
    in_graph(op, inputs, attributes, jit_compile, lambda x: tf.TensorSpec(x.shape, x.dtype))


WANTED_SIZES = {
    "scatter": "a tensor whose rank is known",  # the size of the index vectors decides that of the parts
}  # fmt: skip


def dims_unknown(x):
    return tf.TensorSpec([None] * x.ndim, x.dtype)


@pytest.mark.sampled(8, each="op")
@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("op, inputs, attributes", CASES)
def test_a_graph_that_knows_no_dimension_gives_the_same_gradient(op, inputs, attributes, jit_compile):
    in_graph(op, inputs, attributes, jit_compile, dims_unknown)


def in_graph(op, inputs, attributes, jit_compile, spec):
    weights = weights_of(op, inputs, attributes)
    eager = gradient(op, attributes, [tf.constant(x) for x in inputs], weights)
    function = tf.function(lambda *tensors: gradient(op, attributes, tensors, weights), jit_compile=jit_compile)
    tensors = [tf.constant(x) for x in inputs]
    try:
        found = function.get_concrete_function(*(spec(x.numpy()) for x in tensors))(*tensors)
    except (tf.errors.InvalidArgumentError, ValueError) as error:
        wants_sizes = spec is dims_unknown and WANTED_SIZES.get(op.name, "...") in str(error)
        if not wants_sizes and not (jit_compile and lacks_native_form(error, unknown=spec is dims_unknown)):
            raise
        return
    for mine, other in zip(found, eager, strict=True):
        assert mine.dtype == other.dtype and mine.shape == other.shape
        close(mine, other.numpy(), 1e-9)


def weights_of(op, inputs, attributes):
    return [weights_for(p.shape, p.dtype.kind) for p in results(op, [np.asarray(x) for x in inputs], attributes)]


def ends_in(case, digits):
    """Whether it is about one of the other shapes of what works element by element."""
    return bool(case.values[0].literals) and case.id[-1] in digits


def slope(op, attributes, tensors, weights):
    """A sum of the gradient, each element of which counts something else."""
    found = gradient(op, attributes, tensors, weights)
    parts = [tf.math.real(g * weights_for(tuple(g.shape), "c" if g.dtype.is_complex else "f", 1)) for g in found]
    return sum(tf.reduce_sum(part) for part in parts)


TWICE = [case for case in CASES if sum(np.size(x) for x in case.values[1]) <= 16 and not ends_in(case, "3456")]
TWICE = [case for case in TWICE if case.values[0].name != "cholesky"]  # which sees one half of what differs


@pytest.mark.sampled(6, each="op")
@pytest.mark.parametrize("op, inputs, attributes", TWICE)
def test_the_second_derivative_is_that_of_differences(op, inputs, attributes):
    weights = weights_of(op, inputs, attributes)
    tensors = [tf.constant(x) for x in inputs]
    watched = [x for x in tensors if x.dtype.is_floating or x.dtype.is_complex]
    with tf.GradientTape() as tape:
        tape.watch(watched)
        total = slope(op, attributes, tensors, weights)
    found = tape.gradient(total, watched, unconnected_gradients="zero")

    def first(*arrays):
        return float(slope(op, attributes, [tf.constant(np.asarray(a)) for a in arrays], weights))

    others = [by_differences(first, inputs, i, 1e-5) for i, x in enumerate(inputs) if np.asarray(x).dtype.kind in "fc"]
    for mine, other in zip(found, others, strict=True):
        close(mine, other, 1e-4)
