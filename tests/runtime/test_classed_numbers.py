"""Numbers of classes of their own, as an IntEnum, are what NumPy takes them for: arrays do not keep their dtype."""

from enum import IntEnum, IntFlag

import numpy as np
import pytest

import runtime as tf
from tests.exactly import difference
from tests.programs import EXECUTORS


class Level(IntEnum):
    LOW = 1
    HIGH = 100


class Bits(IntFlag):
    ONE = 1
    TWO = 2


class Metres(float):
    pass


class Index(int):
    pass


LENGTH, FIRST = Metres(2.5), Index(1)
COMPUTED = {
    "times": lambda x: (x * Level.HIGH, Level.HIGH * x, x[0] * Level.HIGH, Level.LOW + x[1]),
    "divided": lambda x: (x // Level.HIGH, x % Level.HIGH, x / Level.HIGH, x**Bits.TWO),
    "chosen": lambda x: (np.where(x > Level.LOW, x, Level.HIGH), np.maximum(x, Level.LOW)),
    "clipped": lambda x: np.clip(x, Bits.ONE, Level.HIGH),
    "compared": lambda x: (x < Level.HIGH, x == Level.LOW, x[0] > FIRST),
    "of floats": lambda x: (x * LENGTH, LENGTH - x, x[0] / LENGTH, np.hypot(x, LENGTH)),
    "of whole numbers": lambda x: (x * FIRST, x[0] - FIRST),
    "beside numbers of Python's": lambda x: (len(x) + Level.LOW, x * (Level.HIGH + 1), int(x[0]) + Level.LOW),
    "made": lambda x: (np.full(Bits.TWO, Level.HIGH), np.array([Level.LOW, Level.HIGH]) + x),
    "of a shape": lambda x: (np.zeros((Level.LOW, 2)) + x, x.reshape(Level.LOW, -1)),
}  # fmt: skip
DTYPES = "int8 uint8 int32 int64 float16 float32 float64".split()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", COMPUTED)
def test_what_is_computed_with_them_has_numpys_dtype(name, dtype):
    x = np.array([100, 3], dtype)
    with np.errstate(all="ignore"):
        wanted = COMPUTED[name](x)
    for jit_compile in EXECUTORS if dtype not in ("float16", "uint8") else (False,):
        found = tf.function(COMPUTED[name], jit_compile=jit_compile, numpy=True)(x)
        assert not difference(found, wanted)


def written(x):
    x[Level.LOW] = Level.HIGH
    x[FIRST:] += Bits.ONE
    x *= Bits.TWO
    table = np.zeros((2, 3))
    table[Index(0), Level.LOW :] = x[0]
    for at in Bits:
        table[:, at] += 1
    return x, x[Level.LOW], table, table[FIRST, Bits.TWO], table.sum(axis=FIRST), x.reshape(Level.LOW, -1)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("dtype", ["int8", "int64", "float32"])
def test_they_are_indices_and_are_written(dtype, jit_compile):
    mine, his = np.array([3, 4], dtype), np.array([3, 4], dtype)
    found = tf.function(written, jit_compile=jit_compile, numpy=True)(mine)
    assert not difference(found, written(his)) and found[0] is mine
