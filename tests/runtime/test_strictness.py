"""What NumPy refuses is refused, and what it makes of the limits of numbers is made: at once, by NumPy and natively."""

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS

F = np.array([[1.5, -2.0, 3.25], [0.5, 4.0, -1.75]])
N = np.array([[3, 1, 2], [6, 5, 4]], np.int32)
EMPTY = np.zeros((0, 3))
ZERO, ONE, TWO, THREE, FIVE = (np.int32(n) for n in (0, 1, 2, 3, 5))

# A function of arrays, which are known or unknown in shape, and those that it refuses.
REFUSED = [
    ("range step 0", lambda n: tf.range(0, 5, n), [ZERO]),
    ("range step 0, known", lambda x: tf.range(0, 5, 0) + tf.cast(x[0, 0], tf.int32), [F]),
    ("linspace", lambda x: tf.linspace(x[0], x[1], -1), [F]),
    ("repeat", lambda x: tf.repeat(x, -1), [F]),
    ("repeats", lambda x: tf.repeat(x, [1, -1], axis=0), [F]),
    ("repeats of another length", lambda x: tf.repeat(x, [1, 1, 1], axis=0), [F]),
    ("pad", lambda x: tf.pad(x, [[0, -1], [0, 0]]), [F]),
    ("pad of another rank", lambda x: tf.pad(x, [[0, 1]]), [F]),
    ("tile", lambda x: tf.tile(x, [1, -2]), [F]),
    ("tile of another rank", lambda x: tf.tile(x, [2]), [F]),
    ("split", lambda x: tf.split(x, 2, axis=1)[0], [F]),
    ("split into none", lambda x: tf.split(x, 0, axis=1)[0], [F]),
    ("split sizes", lambda x: tf.split(x, [1, 1], axis=1)[0], [F]),
    ("split axis", lambda x: tf.split(x, 1, axis=2)[0], [F]),
    ("unstack", lambda x: tf.unstack(x, 3)[0], [F]),
    ("unstack axis", lambda x: tf.unstack(x, 2, axis=2)[0], [F]),
    ("one_hot", lambda x: tf.one_hot(x, -1), [N]),
    ("eye", lambda x: tf.eye(-1) + tf.cast(x[0, 0], tf.float32), [F]),
    ("top_k", lambda x: tf.math.top_k(x, 4)[0], [F]),
    ("slice", lambda x: tf.slice(x, [0, 2], [1, 2]), [F]),
    ("slice begin", lambda x: tf.slice(x, [-1, 0], [1, 2]), [F]),
    ("gather", lambda x: tf.gather(x, [2]), [F]),
    ("gather negative", lambda x: tf.gather(x, [-1]), [F]),
    ("gather batch", lambda x, i: tf.gather(x, i, batch_dims=1), [F, N]),
    ("gather_nd", lambda x: tf.gather_nd(x, [[0, 3]]), [F]),
    ("gather_nd negative", lambda x: tf.gather_nd(x, [[0, -1]]), [F]),
    ("scatter", lambda x: tf.tensor_scatter_nd_add(x, [[2]], [[1.0, 1.0, 1.0]]), [F]),
    ("take", lambda x: np.take(x, [6]), [F]),
    ("item", lambda x, n: x[n], [F, FIVE]),
    ("item, known", lambda x: x[0, 3], [F]),
    *((f"axis of {f.__name__}", lambda x, f=f: f(x, axis=2), [F])
      for f in (np.sum, np.prod, np.max, np.min, np.mean, np.std, np.any, np.argmax, np.argmin, np.cumsum, np.cumprod,
                np.sort, np.argsort, np.flip, np.expand_dims, np.squeeze, np.take_along_axis)
      if f not in (np.expand_dims, np.take_along_axis)),
    ("expand_dims", lambda x: tf.expand_dims(x, 4), [F]),
    ("roll", lambda x: np.roll(x, 1, axis=2), [F]),
    ("stack axis", lambda x: tf.stack([x, x], axis=3), [F]),
    ("concat axis", lambda x: tf.concat([x, x], axis=2), [F]),
    ("concat", lambda x, y: tf.concat([x, y], axis=0), [F, F[:, :2]]),
    ("stack", lambda x, y: tf.stack([x, y]), [F, F[:, :2]]),
    ("squeeze", lambda x: tf.squeeze(x, 0), [F]),
    ("transpose", lambda x: tf.transpose(x, [0, 0]), [F]),
    ("reshape", lambda x: tf.reshape(x, [4, 2]), [F]),
    ("reshape to unknown", lambda x: tf.reshape(x, [-1, 4]), [F]),
    ("reshape, dimension", lambda x, n: tf.reshape(x, [n, 2]), [F, FIVE]),
    ("broadcast_to", lambda x: tf.broadcast_to(x, [2, 4]), [F]),
    ("broadcast_to less", lambda x: tf.broadcast_to(x, [3]), [F]),
    ("broadcast_to, dimension", lambda x, n: tf.broadcast_to(x, [n, 3]), [F, FIVE]),
    ("fill", lambda x, n: tf.fill([n - 9], x[0, 0]), [F, FIVE]),
    ("operands", lambda x, y: x + y, [F, F[:, :2]]),
    ("matmul", lambda x, y: x @ y, [F, F]),
    ("ensure_shape", lambda x: tf.ensure_shape(x, [3, 3]), [F]),
    ("empty max", lambda x: np.max(x), [EMPTY]),
    ("empty min along", lambda x: np.min(x, axis=0), [EMPTY]),
    ("empty argmax", lambda x: np.argmax(x), [EMPTY]),
    ("empty argmin along", lambda x: np.argmin(x, axis=0), [EMPTY]),
    ("negative power", lambda n: TWO ** (n - 9), [FIVE]),
    ("negative power of 0", lambda n: n ** (n - 1), [ZERO]),
]  # fmt: skip


def staged(jit, unknown):
    def run(function, arrays):
        specs = [tf.TensorSpec([None] * np.ndim(a) if unknown else np.shape(a), np.asarray(a).dtype) for a in arrays]
        return tf.function(function, input_signature=specs, jit_compile=jit)(*arrays)

    return run


RUNS = {"eager": lambda function, arrays: function(*map(tf.constant, arrays))}
for _jit in EXECUTORS:
    for _unknown in (False, True):
        RUNS[f"{'native' if _jit else 'numpy'}{', unknown' * _unknown}"] = staged(_jit, _unknown)


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
@pytest.mark.parametrize("function, arrays", [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_refused(function, arrays, run):
    with pytest.raises((ValueError, IndexError)) as caught:
        run(function, arrays)
    assert (
        "cannot be compiled" not in str(caught.value)
        or "has no native form" in str(caught.value)
        or ("length is not known" in str(caught.value))
    )


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_a_scalar_has_no_border_to_be_padded(run):
    assert np.asarray(run(lambda x: tf.pad(x, np.zeros((0, 2), int)), [np.float32(1.5)])).tolist() == 1.5


def test_the_line_of_the_user_is_told():
    def f(x, n):
        y = x * 2
        return tf.reshape(y, [n, 2])

    for jit in EXECUTORS:
        with pytest.raises(ValueError) as caught:
            tf.function(f, jit_compile=jit)(F, FIVE)
        assert "return tf.reshape(y, [n, 2])" in "".join(caught.value.__notes__)


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32])
def test_bounds_of_a_range_may_lie_further_apart_than_the_dtype_counts(kind):
    low, high = np.iinfo(kind).min, np.iinfo(kind).max
    step = high // 3
    for bounds in ((low, high, step), (high, low, step), (high - 2, high, 1), (0, high, step), (high, low, high)):
        given = [kind(b) for b in bounds]
        runs = [lambda f, xs: f(*xs), RUNS["numpy"], RUNS["numpy, unknown"]]
        if low:
            runs += [RUNS["native"], RUNS["native, unknown"]]
        for run in runs:
            found = np.asarray(run(lambda *numbers: tf.range(*numbers), given))
            assert (found.tolist(), found.dtype) == (list(range(*bounds)), kind)


LIMITS = [np.array([np.nan, np.inf, -np.inf, 1e30, -1e30, 3e9, -3e9, 2.0**63, 300.7, -1.5, 0.0], f) for f in "fd"]
KINDS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]


def values(dtype):
    info = np.iinfo(dtype)
    return np.array([0, 1, 2, 3, 7, info.max, info.max - 1, info.min, info.min + 1], dtype)


def wholes():
    """Operations on whole numbers at their limits, with all pairs."""
    for kind in KINDS:
        x = values(kind)
        a, b = (m.ravel() for m in np.meshgrid(x, x))
        small = np.abs(b % np.asarray(9, kind)).astype(kind)
        for name, f, args in (
            ("floor_divide", lambda x, y: x // y, [a, b]), ("mod", lambda x, y: x % y, [a, b]),
            ("fmod", np.fmod, [a, b]), ("power", lambda x, y: x**y, [a, small]),
            ("left_shift", lambda x, y: x << y, [a, np.resize(np.arange(70).astype(kind), a.shape)]),
            ("right_shift", lambda x, y: x >> y, [a, np.resize(np.arange(70).astype(kind), a.shape)]),
            ("add", lambda x, y: x + y, [a, b]), ("subtract", lambda x, y: x - y, [a, b]),
            ("multiply", lambda x, y: x * y, [a, b]), ("negative", lambda x: -x, [a]), ("abs", np.abs, [a]),
            ("sign", np.sign, [a]), ("divide", lambda x, y: x / y, [a, b]), ("max", np.maximum, [a, b]),
            ("sum", np.sum, [a]), ("prod", np.prod, [x]), ("argsort", lambda x: np.argsort(x, kind="stable"), [a]),
            ("descending", lambda x: tf.argsort(x, direction="DESCENDING"), [a]), ("less", lambda x, y: x < y, [a, b]),
            ("to float", lambda x: x.astype(np.float32), [a]), ("to int8", lambda x: x.astype(np.int8), [a]),
        ):  # fmt: skip
            yield pytest.param(f, args, id=f"{name}-{kind.__name__}")


def floats():
    for x in LIMITS:
        for kind in KINDS:  # what does not fit 32 bits without a sign is as the machine leaves it, in NumPy as well
            fits = x[(x >= 0) & (x < 2**32)] if kind is np.uint32 else x
            yield pytest.param(lambda x, k=kind: x.astype(k), [fits], id=f"{x.dtype}-to-{kind.__name__}")
        x = np.array([0.0, -0.0, 1.5, -1.5, np.nan, np.inf, -np.inf, np.finfo(x.dtype).tiny / 4], x.dtype)
        a, b = (m.ravel() for m in np.meshgrid(x, x))
        for f in (np.floor_divide, np.mod, np.fmod, np.divide, np.maximum, np.minimum, np.power, np.copysign):
            yield pytest.param(f, [a, b], id=f"{f.__name__}-{x.dtype}")
        for f in (np.sign, np.sqrt, np.reciprocal, np.rint, np.floor, np.argmax, np.argmin, np.max, np.min, np.sort):
            yield pytest.param(f, [x], id=f"{f.__name__}-{x.dtype}")


@pytest.mark.parametrize("jit", EXECUTORS)
@pytest.mark.parametrize("function, arrays", [*wholes(), *floats()])
def test_limits_of_numbers(function, arrays, jit):
    with np.errstate(all="ignore"):
        eager = function(*map(tf.constant, arrays))
        wanted = np.asarray(eager) if function.__name__ == "<lambda>" else np.asarray(function(*arrays))
        found = np.asarray(tf.function(lambda *xs: function(*xs), jit_compile=jit)(*arrays))
    assert (found.dtype, np.asarray(eager).dtype) == (wanted.dtype, wanted.dtype)
    if found.dtype.kind == "f":
        np.testing.assert_allclose(found, wanted, rtol=1e-6)
        # Which of 0 and -0 is larger, and comes first, NumPy decides by the size of arrays.
        numbers = ~np.isnan(found) & (
            (found != 0) | (function not in (np.maximum, np.minimum, np.sort, np.max, np.min))
        )
        np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(wanted[numbers]))
    else:
        np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(np.asarray(eager), wanted)
