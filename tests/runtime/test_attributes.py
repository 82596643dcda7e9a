"""What a tensor keeps for itself has no name that NumPy's arrays have for something else."""

import numpy as np
import pytest

import runtime as tf
from runtime.tensors.numbers import Scalar
from runtime.tensors.tensor import EagerTensor, SymbolicTensor
from runtime.tensors.views import Array, View


@pytest.mark.parametrize("kind", [EagerTensor, SymbolicTensor, Array, Scalar, View])
def test_attributes_are_those_of_arrays(kind):
    kept = {name for k in kind.__mro__ for name in getattr(k, "__slots__", ())} | {
        name for name, value in vars(kind).items() if not callable(value) and not isinstance(value, property)
    }
    assert not {name for name in kept if not name.startswith("_")} & set(dir(np.ndarray))
    for name in set(dir(np.ndarray)) & set(dir(kind)):
        if not name.startswith("_"):
            assert callable(getattr(kind, name)) == callable(getattr(np.ndarray, name)), name


@pytest.mark.parametrize("jit_compile", [False, True])
def test_the_method_trace(jit_compile):
    x = np.arange(12.0).reshape(3, 4)
    found = tf.function(lambda x: (x.trace(), x.trace(1)), jit_compile=jit_compile)(x)
    assert [float(v) for v in found] == [x.trace(), x.trace(1)]


def test_an_object_that_answers_to_any_name_is_no_tensor():
    """What stands for a tensor says so in its class: a `__getattr__` of the user's answers to that, too."""

    def program(a):
        class Total:
            def __init__(self, x):
                self.x = x

            def __getattr__(self, name):
                return 7

            def __iadd__(self, other):
                self.x = self.x + other
                return self

        total = Total(a[0])
        total += a[1]
        for v in a:
            total += v
        if a[0] > 1:
            total += a[2]
        return total.x, total.y

    a = np.array([3.0, 1, 2])
    assert tf.function(program, numpy=True)(a) == program(a)
