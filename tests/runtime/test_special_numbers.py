"""Zeros of both signs, infinities, NaN, the least numbers: every operation on elements gives the same with machine code
and with NumPy, the sign of a zero included, and what NumPy's own function gives."""

import itertools
import textwrap

import numpy as np
import pytest

import runtime as tf
from runtime.graph.op import Op
from runtime.ops import elementwise
from runtime.tensors.operations import apply
from tests.programs import EXECUTORS, load

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 3.0, -3.0, 1e-310, -1e-310, np.inf, -np.inf, np.nan]
PAIRS = [np.array(column) for column in zip(*itertools.product(SPECIAL, repeat=2))]
TRIPLES = [np.array(column) for column in zip(*itertools.product(SPECIAL, repeat=3))]
OPS = {name: op for name, op in vars(elementwise).items() if isinstance(op, Op)}
OF_NUMBERS = {  # how many floating-point numbers each is given; what needs more than them is tested elsewhere
    **dict.fromkeys(
        "negative positive absolute sign square sqrt cbrt reciprocal exp exp2 expm1 log log2 log10 log1p sin cos tan "
        "asin acos atan sinh cosh tanh asinh acosh atanh floor ceil trunc rint angle erf sigmoid softplus relu "
        "is_nan is_inf is_finite".split(), 1),
    **dict.fromkeys(
        "add subtract multiply divide floor_divide mod power maximum minimum atan2 hypot fmod copysign float_power "
        "logaddexp equal not_equal less less_equal greater greater_equal".split(), 2),
    "clip": 3,
}  # fmt: skip
OF_NUMPY = [
    np.maximum, np.minimum, np.add, np.subtract, np.multiply, np.divide, np.floor_divide, np.mod, np.fmod, np.copysign,
    np.power, np.arctan2, np.hypot, np.negative, np.absolute, np.sign, np.sqrt, np.cbrt, np.floor, np.ceil, np.trunc,
    np.rint, np.sin, np.tan, np.arctan, np.sinh, np.arcsinh, np.expm1, np.log1p, np.nan_to_num,
]  # fmt: skip


def kinds(x):
    """Which zero, infinity or NaN each number is, or its sign."""
    x = np.asarray(x)
    if x.dtype.kind != "f":
        return x
    return np.where(np.isnan(x), 9, np.where(np.isinf(x), 3, (x != 0) + 1) * np.where(np.signbit(x), -1, 1))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", OF_NUMBERS)
def test_executors_agree(name, dtype):
    numbers = [x.astype(dtype) for x in (None, [np.array(SPECIAL)], PAIRS, TRIPLES)[OF_NUMBERS[name]]]
    if name == "clip":  # its bounds are numbers
        numbers = numbers[:1]
    bounds = [()] if name != "clip" else [*itertools.product(map(dtype, SPECIAL), repeat=2)]
    how = {on: tf.function(lambda *x: apply(OPS[name], *x), jit_compile=on) for on in EXECUTORS}
    with np.errstate(all="ignore"):
        for more in bounds:
            mine, numpys = how[EXECUTORS[-1]](*numbers, *more), how[False](*numbers, *more)
            np.testing.assert_array_equal(kinds(mine), kinds(numpys), str(more))


@pytest.mark.parametrize("how", EXECUTORS)
@pytest.mark.parametrize("function", OF_NUMPY, ids=lambda f: f.__name__)
def test_they_are_numpys(function, how):
    numbers = PAIRS[: getattr(function, "nin", 1)]
    with np.errstate(all="ignore"):
        found = tf.function(lambda *x: function(*x), numpy=True, jit_compile=how)(*numbers)
        np.testing.assert_array_equal(kinds(found), kinds(function(*numbers)))


@pytest.mark.parametrize("how", EXECUTORS)
@pytest.mark.parametrize("are_numbers", [True, False])
def test_what_stands_on_the_bounds(how, are_numbers):
    """NumPy leaves it as it is, and where the bounds are arrays it gives the bound: its zero may be another."""
    clip = tf.function(lambda x, low, high: np.clip(x, low, high), numpy=True, jit_compile=how)
    for low, high in [(0.0, 1.0), (-0.0, 0.0), (0.0, -0.0), (-1.0, -0.0), (np.nan, 1.0), (0.0, np.nan)]:
        x, *bounds = np.array(SPECIAL), low, high
        if not are_numbers:
            bounds = [np.full(len(x), bound) for bound in bounds]
        np.testing.assert_array_equal(kinds(clip(x, *bounds)), kinds(np.clip(x, *bounds)))
        np.testing.assert_array_equal(kinds(tf.clip_by_value(x, *bounds)), kinds(np.clip(x, *bounds)))


@pytest.mark.parametrize("how", EXECUTORS)
def test_a_program_that_divides_by_such_a_zero(how):
    text = """
        def f(n, a):
            total, b = 0.0, 0.75
            for i in range(n):
                v = tf.cast(i, tf.float64)
                x, k = b / tf.maximum(v, a), 0
                while k < 12 and x < 1.0:
                    k += 1
                    x = x + 0.0
                total = total * 0.5 + tf.cast(k, tf.float64)
            return total
        """
    program = load(textwrap.dedent(text), tf=tf)
    with np.errstate(all="ignore"):
        assert float(tf.function(program, jit_compile=how)(np.int64(1), -0.0)) == 12.0
        assert float(tf.function(program, jit_compile=how)(np.int64(1), 0.0)) == 0.0


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("how", EXECUTORS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_running_sums_and_products_begin_with_the_first_number(dtype, how):
    """A sum that begins with 0.0, or a complex product with 1, would change zeros and infinities."""

    def program(x):
        return np.cumsum(x), np.cumprod(x), np.add.accumulate(x), np.multiply.accumulate(x[:2])

    run = tf.function(program, numpy=True, jit_compile=how)
    for first, second in itertools.product(SPECIAL[:4] + SPECIAL[-3:], repeat=2):
        x = np.array([first, second, 1.0]).astype(dtype)
        for found, wanted in zip(run(x), program(x), strict=True):
            for mine, theirs in ((found.real, wanted.real), (found.imag, wanted.imag)):
                np.testing.assert_array_equal(kinds(mine), kinds(theirs), err_msg=str(x))


SEVERAL = [np.array(one) for n in (1, 2, 3) for one in itertools.product([0.0, -0.0, np.nan, 1.0, -1.0], repeat=n)]


@pytest.mark.parametrize("jit", EXECUTORS)
@pytest.mark.parametrize(
    "f",
    [lambda x: (min(x), max(x)), lambda x: (min(x.tolist()), max(x.tolist())), lambda x: (min([*x]), max(list(x)))],
    ids=["array", "list", "elements"],
)
def test_the_least_and_the_greatest_are_those_that_python_finds_first(f, jit):
    """Zeros of both signs are equal, and nothing is less or greater than NaN."""
    staged = tf.function(f, numpy=True, jit_compile=jit)
    assert [repr(staged(x)) for x in SEVERAL] == [repr(f(x)) for x in SEVERAL]
