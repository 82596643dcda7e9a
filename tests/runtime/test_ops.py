"""Every row of the table: its rule against its kernel, and the text of the graph against both."""

import re

import numpy as np
import pytest

import runtime  # noqa: F401 - fills the table
from runtime.dtypes import DType, as_dtype
from runtime.executors.numpy import compile_graph
from runtime.graph import TensorType
from runtime.ops.op import OPS
from runtime.shapes import fits
from runtime.tensor import EagerTensor
from runtime.trace import Trace, apply, recording
from tests.runtime.examples import ELSEWHERE, EXAMPLES

NUMBERS = [np.array([[0.5, -0.25], [0.75, 0.1]], t) for t in (np.float32, np.float64)]
INTEGERS = [np.array([[3, 1], [2, 5]], t) for t in (np.int32, np.int64, np.uint8)]
OTHERS = [np.array([True, False]), np.array([1 + 2j, -0.5j])]


def elementwise_cases():
    """Operands of each kind that NumPy takes; a row or a scalar for the second shows broadcasting."""
    for op in OPS.values():
        if not op.literals or op.name in EXAMPLES:
            continue
        count = len(set(re.findall(r"{(\d)}", op.text)))
        for x in [*NUMBERS, *INTEGERS, *OTHERS]:
            inputs = [x] if count == 1 else [x, x[0]] if x.ndim == 2 else [x, x]
            try:
                with np.errstate(all="ignore"):
                    op.kernel(*inputs)
            except TypeError:
                continue
            yield pytest.param(op, inputs, {}, id=f"{op.name}-{x.dtype}")


def other_cases():
    for name, examples in EXAMPLES.items():
        for number, (inputs, attributes) in enumerate(examples):
            yield pytest.param(OPS[name], inputs, attributes, id=f"{name}-{number}")


CASES = [*elementwise_cases(), *other_cases()]


def test_no_row_is_left_out():
    tested = {case.values[0].name for case in CASES}
    assert set(OPS) == tested | ELSEWHERE


def type_of(x):
    return TensorType(as_dtype(np.asarray(x).dtype), np.shape(x))


def as_tuple(x):
    return x if isinstance(x, tuple) else (x,)


def run(op, inputs, attributes):
    plain = {k: v.as_numpy_dtype if isinstance(v, DType) else v for k, v in attributes.items()}
    with np.errstate(all="ignore"):
        return as_tuple(op.kernel(*inputs, **plain))


@pytest.mark.parametrize("op, inputs, attributes", CASES)
def test_the_rule_says_what_the_kernel_gives(op, inputs, attributes):
    found = as_tuple(op.rule(*map(type_of, inputs), **attributes))
    for kind, result in zip(found, run(op, inputs, attributes), strict=True):
        assert kind.dtype == as_dtype(np.asarray(result).dtype)
        assert fits(np.shape(result), kind.shape)


@pytest.mark.parametrize("op, inputs, attributes", CASES)
def test_the_rule_takes_unknown_shapes(op, inputs, attributes):
    for unknown in (lambda t: TensorType(t.dtype, None), lambda t: TensorType(t.dtype, (None,) * len(t.shape))):
        found = as_tuple(op.rule(*(unknown(type_of(x)) for x in inputs), **attributes))
        for kind, result in zip(found, run(op, inputs, attributes), strict=True):
            assert fits(np.shape(result), kind.shape)


@pytest.mark.parametrize("op, inputs, attributes", CASES)
def test_a_graph_gives_what_the_kernel_gives(op, inputs, attributes):
    trace = Trace("f")
    values = [trace.input(type_of(x), "x") for x in inputs]
    from runtime.tensor import SymbolicTensor

    with recording(trace):
        outputs = as_tuple(apply(op, *(SymbolicTensor(trace, v) for v in values), **attributes))
    graph = trace.graph([o.value for o in outputs]).verify()
    for mine, wanted in zip(compile_graph(graph)(*inputs), run(op, inputs, attributes), strict=True):
        assert np.asarray(mine).dtype == np.asarray(wanted).dtype
        np.testing.assert_array_equal(mine, wanted)


@pytest.mark.parametrize("op, inputs, attributes", CASES)
def test_eager_gives_what_the_kernel_gives(op, inputs, attributes):
    mine = as_tuple(apply(op, *map(EagerTensor.of, inputs), **attributes))
    for tensor, wanted in zip(mine, run(op, inputs, attributes), strict=True):
        np.testing.assert_array_equal(tensor.array, wanted)


def test_two_rows_may_not_have_one_name():
    from runtime.ops.op import op

    with pytest.raises(AssertionError, match="two rows for add"):
        op("add", lambda x: x, "{0}")
