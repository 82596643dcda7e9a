"""Programs on tensors do the same as plain Python, converted, and as graphs, of known and of unknown shapes."""

import copy
import importlib

import numpy as np
import pytest

import autograph
import runtime as tf
from tests.programs import EXECUTORS, staging
from tests.staged import PROGRAMS

for _name in "branches choices containers expressions functions lists loops mixtures".split():
    importlib.import_module(f"tests.staged.{_name}")

CASES = [
    pytest.param(function, call, plain, id=f"{function.__module__.rpartition('.')[2]}-{function.__name__}-{number}")
    for function, calls, plain in PROGRAMS
    for number, call in enumerate(calls)
]


def tensors(arguments):
    """The arguments as tensors; arrays stay arrays, whose items a function may change."""
    return [a.copy() if isinstance(a, np.ndarray) else tf.constant(a) for a in arguments]


def shown(value):
    """A result without regard to whether it is a tensor, an array or Python's."""
    if isinstance(value, dict):
        return {key: shown(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)([shown(part) for part in value])
    if value is None or isinstance(value, type):
        return value
    if isinstance(value, bytes | str):
        return value.decode() if isinstance(value, bytes) else value
    array = np.asarray(getattr(value, "array", value))
    if array.dtype.kind in "OS":
        return [shown(v) for v in array] if array.ndim else shown(array.item())
    return np.round(array.astype(float), 4).tolist() if array.dtype.kind == "f" else array.tolist()


def seen(function, arguments):
    """What a call returns or raises."""
    try:
        return "returns", shown(function(*arguments))
    except Exception as error:
        return error, None


def agrees(mine, wanted):
    if isinstance(wanted[0], str):
        return mine == wanted
    error, expected = mine[0], wanted[0]
    if not isinstance(error, type(expected)):
        return False
    return isinstance(expected, NameError | AttributeError | LookupError | TypeError) or str(error) == str(expected)


def relaxed(arguments):
    return [tf.TensorSpec([None] * np.ndim(a), tf.constant(a).dtype) for a in arguments]


@pytest.mark.sampled(8)
@pytest.mark.parametrize("function, arguments, plain", CASES)
def test_program(function, arguments, plain):
    def given():
        return [*copy.deepcopy(arguments)] if plain else tensors(arguments)

    def changed(run, values):
        """What a call does: its result, and its arguments afterwards."""
        return seen(run, values), [shown(v) for v in values]

    wanted, left = changed(function, given())
    assert agrees(seen(autograph.convert(function), given()), wanted)
    with staging():
        assert agrees(seen(autograph.to_graph(function), given()), wanted)
    graphs = [
        tf.function(function, jit_compile=native, **shapes)
        for native in EXECUTORS
        for shapes in ({}, {"input_signature": relaxed(arguments)})
    ]
    for graph in graphs:
        for _ in range(2):  # a second call finds nothing left behind by the first
            mine, mine_left = changed(graph, tensors(arguments))
            assert agrees(mine, wanted), (mine, wanted)
            assert mine_left == left
