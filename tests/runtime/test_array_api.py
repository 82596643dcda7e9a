"""The functions of the array API standard, beside array-api-strict: results, dtypes, errors; eagerly and in graphs."""

import inspect

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS, lacks_native_form

strict = pytest.importorskip("array_api_strict")
strict.set_array_api_strict_flags(api_version="2024.12", enabled_extensions=["linalg", "fft"])
xp = tf.array_api

ARRAYS = {
    "f": np.array([[1.5, -2.0, 0.5], [0.25, 3.0, -0.75]]),
    "u": np.array([[0.5, 0.25, 1.0], [0.75, 0.125, 0.9]], np.float32),
    "g": np.array([[1.5, 2.0, 4.0], [1.25, 3.0, 8.0]]),
    "i": np.array([[3, 1, 2], [5, 4, 1]]),
    "j": np.array([[2, 1, 3], [2, 1, 1]], np.int8),
    "n": np.array([[3, 1, 2], [5, 4, 1]], np.uint8),
    "b": np.array([[True, False, True], [False, False, True]]),
    "d": np.array([[True, True, False], [False, True, True]]),
    "z": np.array([[1 + 2j, 3 - 1j], [0.5j, -2.0]]),
    "c": np.array([1 + 2j, 3 - 1j, 0.5j, -2.0], np.complex64),
    "v": np.array([1.0, 2.0, 4.0, 3.0]),
    "w": np.array([2.0, -1.0, 0.5, 0.25]),
    "m": np.array([[4.0, 1.0], [1.0, 3.0]]),
    "h": np.array([[4.0, 1 + 1j], [1 - 1j, 3.0]]),
    "t": np.array([[1.0, 2.0, 3.0], [0.0, 1.0, -1.0], [2.0, 0.5, 1.0]]),
    "s": np.array([1, 3, 5, 7]),
    "e": np.array([[np.nan, np.inf, -np.inf], [0.0, -0.0, 1.0]]),
    "o": np.array([], np.float64),
    "x": np.array(2.5),
}  # fmt: skip

UNARY = {
    "abs": "f i z e", "acos": "u z", "acosh": "g z", "asin": "u z", "asinh": "f z", "atan": "f z", "atanh": "u",
    "bitwise_invert": "i j n b", "ceil": "f i", "conj": "z f", "cos": "f z", "cosh": "f z", "exp": "f z u",
    "expm1": "f", "floor": "f i", "imag": "z c", "isfinite": "e i", "isinf": "e z", "isnan": "e", "log": "g z",
    "log10": "g", "log1p": "g", "log2": "g", "logical_not": "b", "negative": "f i z", "positive": "f i",
    "real": "z c", "reciprocal": "f z", "round": "f i z", "sign": "f i z", "signbit": "e", "sin": "f z", "sinh": "f z",
    "sqrt": "g z", "square": "f i z", "tan": "f", "tanh": "f z", "trunc": "f i",
}  # fmt: skip
BINARY = {
    "add": "ff iu ij zz fu", "atan2": "fg", "bitwise_and": "ij bd", "bitwise_left_shift": "ij",
    "bitwise_or": "ij bd", "bitwise_right_shift": "ij", "bitwise_xor": "ij bd", "copysign": "fe", "divide": "fg zz",
    "equal": "fg ij bd", "floor_divide": "fg ij", "greater": "fg ij", "greater_equal": "fe", "hypot": "fg",
    "less": "fg ij", "less_equal": "fg", "logaddexp": "fg", "logical_and": "bd", "logical_or": "bd",
    "logical_xor": "bd", "maximum": "fe ij", "minimum": "fe ij", "multiply": "fg ij zz", "nextafter": "fg",
    "not_equal": "fg zz", "pow": "gf ij", "remainder": "fg ij", "subtract": "fg ij zz",
}  # fmt: skip
TABLE = [f"xp.{name}({x})" for name, xs in UNARY.items() for x in xs.split()]
TABLE += [f"xp.{name}({', '.join(pair)})" for name, pairs in BINARY.items() for pair in pairs.split() if pair != "iu"]
TABLE += """
xp.add(f, 2.5)                                      | xp.add(2, i)
xp.subtract(1, f)                                   | xp.pow(2.0, f)
xp.multiply(z, 2j)                                  | xp.less(j, 2)
xp.equal(b, True)                                   | xp.bitwise_and(n, 3)
xp.clip(f, -1.0, 1.0)                               | xp.clip(i, 2)
xp.clip(f, max=0.5)                                 | xp.clip(i, xp.asarray([2, 2, 2]), xp.asarray([[4], [3]]))
xp.arange(5)                                        | xp.arange(1, 10, 3, dtype=xp.float32)
xp.arange(2.5)                                      | xp.asarray([[1, 2], [3, 4]])
xp.asarray([1.0, 2.0], dtype=xp.float32)            | xp.asarray(True)
xp.asarray(1j)                                      | xp.asarray(f, dtype=xp.float32)
xp.asarray(f, copy=True)                            | xp.zeros_like(xp.empty_like(f))
xp.zeros_like(xp.empty((2, 3)))                     | xp.zeros_like(xp.empty(2, dtype=xp.int8))
xp.eye(3)                                           | xp.eye(2, 3, k=1, dtype=xp.int8)
xp.full((2, 2), 7)                                  | xp.full(3, 1.5)
xp.full(2, True)                                    | xp.full_like(f, 3)
xp.full_like(i, 3, dtype=xp.float64)                | xp.linspace(0, 1, 5)
xp.linspace(0.0, 1.0, 4, endpoint=False)            | xp.meshgrid(v, w[:2])[0]
xp.meshgrid(v, w[:2], indexing="ij")[1]             | xp.ones((2, 3), dtype=xp.int32)
xp.ones_like(i)                                     | xp.zeros(3)
xp.zeros_like(f, dtype=xp.bool)                     | xp.tril(t)
xp.tril(t, k=-1)                                    | xp.triu(t, k=1)
xp.astype(f, xp.int32)                              | xp.astype(b, xp.float32)
xp.astype(f, xp.complex64)                          | xp.broadcast_arrays(f, x)[1]
xp.broadcast_to(v, (2, 4))                          | xp.concat([f, g])
xp.concat([f, g], axis=1)                           | xp.concat([i, j], axis=None)
xp.expand_dims(f, axis=1)                           | xp.flip(f)
xp.flip(f, axis=(0,))                               | xp.moveaxis(f, 0, 1)
xp.permute_dims(f, (1, 0))                          | xp.repeat(v, 2)
xp.repeat(f, 2, axis=1)                             | xp.reshape(f, (3, 2))
xp.reshape(f, (-1,))                                | xp.roll(f, 1)
xp.roll(f, (1, 2), axis=(0, 1))                     | xp.squeeze(xp.expand_dims(f, axis=0), 0)
xp.stack([f, g], axis=-1)                           | xp.tile(f, (2, 1))
xp.unstack(f, axis=1)[2]                            | xp.argmax(f)
xp.argmax(f, axis=1, keepdims=True)                 | xp.argmin(i, axis=0)
xp.count_nonzero(b)                                 | xp.count_nonzero(f, axis=1, keepdims=True)
xp.nonzero(b)[1]                                    | xp.searchsorted(s, i)
xp.searchsorted(s, s, side="right")                 | xp.searchsorted(v, v, sorter=xp.argsort(v))
xp.where(b, f, g)                                   | xp.where(b, i, 0)
xp.take(f, xp.asarray([2, 0]), axis=1)              | xp.take(v, xp.asarray([3, 3]))
xp.take_along_axis(f, xp.argsort(f), axis=-1)       | xp.unique_values(i)
xp.unique_all(i).indices                            | xp.unique_all(i).inverse_indices
xp.unique_counts(i).counts                          | xp.unique_inverse(i).inverse_indices
xp.argsort(i)                                       | xp.argsort(i, descending=True)
xp.argsort(f, axis=0)                               | xp.sort(f)
xp.sort(f, axis=0, descending=True)                 | xp.sort(n, stable=False)
xp.cumulative_sum(v)                                | xp.cumulative_sum(j, axis=1)
xp.cumulative_sum(f, axis=0, include_initial=True)  | xp.cumulative_sum(s, dtype=xp.float64)
xp.cumulative_prod(v)                               | xp.cumulative_prod(f, axis=1, include_initial=True)
xp.max(f)                                           | xp.max(i, axis=0)
xp.max(e)                                           | xp.min(f, axis=(0, 1), keepdims=True)
xp.mean(f)                                          | xp.mean(u, axis=1)
xp.mean(z)                                          | xp.prod(f)
xp.prod(j)                                          | xp.prod(u, axis=0)
xp.std(f)                                           | xp.std(f, axis=1, correction=1)
xp.var(u)                                           | xp.var(f, axis=0, correction=0.5, keepdims=True)
xp.sum(f)                                           | xp.sum(j)
xp.sum(n, axis=1)                                   | xp.sum(u)
xp.sum(f, dtype=xp.float32)                         | xp.sum(o)
xp.all(b)                                           | xp.all(f, axis=1)
xp.any(b, axis=0)                                   | xp.any(o)
xp.diff(v)                                          | xp.diff(f, axis=0)
xp.diff(v, n=2)                                     | xp.diff(v, prepend=w[:1], append=w[:2])
xp.diff(f, n=0, prepend=g, append=g)                | xp.add(f, 2j)
xp.multiply(1j, u)                                  | xp.where(b, f, 1j)
xp.matmul(m, m)                                     | xp.matmul(v, w)
xp.matrix_transpose(f)                              | xp.tensordot(m, m)
xp.tensordot(f, t, axes=1)                          | xp.tensordot(f, g, axes=((0, 1), (0, 1)))
xp.vecdot(v, w)                                     | xp.vecdot(c, c)
xp.vecdot(f, g, axis=-2)                            | xp.linalg.cholesky(m)
xp.linalg.cholesky(m, upper=True)                   | xp.linalg.cholesky(h)
xp.linalg.cross(v[:3], w[:3])                       | xp.linalg.cross(f.T, g.T, axis=-2)
xp.linalg.det(m)                                    | xp.linalg.det(t)
xp.linalg.diagonal(t)                               | xp.linalg.diagonal(i, offset=1)
xp.linalg.eigh(m).eigenvalues                       | xp.abs(xp.linalg.eigh(m).eigenvectors)
xp.linalg.eigvalsh(h)                               | xp.linalg.inv(m)
xp.linalg.matmul(m, m)                              | xp.linalg.matrix_norm(f)
xp.linalg.matrix_norm(f, ord=1)                     | xp.linalg.matrix_norm(f, ord=2, keepdims=True)
xp.linalg.matrix_norm(f, ord="nuc")                 | xp.linalg.matrix_norm(f, ord=xp.inf)
xp.linalg.matrix_power(m, 3)                        | xp.linalg.matrix_power(m, -1)
xp.linalg.matrix_rank(t)                            | xp.linalg.matrix_rank(f, rtol=0.9)
xp.linalg.matrix_transpose(f)                       | xp.linalg.outer(v, w)
xp.linalg.pinv(f)                                   | xp.linalg.pinv(m, rtol=0.5)
xp.abs(xp.linalg.qr(t).R)                           | xp.abs(xp.linalg.qr(f.T, mode="complete").Q[:, :2])
xp.linalg.slogdet(t).logabsdet                      | xp.linalg.slogdet(m).sign
xp.linalg.solve(m, m)                               | xp.linalg.solve(m, v[:2])
xp.linalg.svd(f).S                                  | xp.abs(xp.linalg.svd(f, full_matrices=False).Vh)
xp.linalg.svdvals(f)                                | xp.linalg.tensordot(f, t, axes=1)
xp.linalg.trace(t)                                  | xp.linalg.trace(i, offset=1)
xp.linalg.trace(t, dtype=xp.float32)                | xp.linalg.vecdot(v, w)
xp.linalg.vector_norm(f)                            | xp.linalg.vector_norm(f, axis=1, ord=1)
xp.linalg.vector_norm(f, ord=xp.inf, keepdims=True) | xp.linalg.vector_norm(z, axis=0, ord=3)
xp.fft.fft(c)                                       | xp.fft.fft(z, n=4, axis=0, norm="ortho")
xp.fft.ifft(z)                                      | xp.fft.fftn(z)
xp.fft.fftn(z, s=(3,), axes=(1,), norm="forward")              | xp.fft.ifftn(z, axes=(0,))
xp.fft.rfft(v)                                      | xp.fft.rfft(u, n=5)
xp.fft.irfft(z)                                     | xp.fft.irfft(c, n=5)
xp.fft.rfftn(f)                                     | xp.fft.irfftn(z)
xp.fft.hfft(c)                                      | xp.fft.ihfft(v)
xp.fft.fftfreq(5, d=0.5)                            | xp.fft.rfftfreq(4, dtype=xp.float32)
xp.fft.fftshift(f)                                  | xp.fft.ifftshift(f, axes=1)
f + g                                               | f - 1.5
2 / g                                               | i // 2
i % j                                               | g ** 2
f @ t                                               | -f
~b                                                  | b & d
i << 1                                              | abs(f)
f[1, ...]                                           | f[:, ::2]
f[b]                                                | f[None, :, -1]
f.mT                                                | f.T
f < g                                               | i == j
""".replace("|", "\n").split("\n")  # fmt: skip
TABLE = [line.strip() for line in TABLE if line.strip()]
VALUES = """
xp.isdtype(xp.int8, "signed integer")
xp.isdtype(xp.float32, ("integral", xp.float32))
xp.isdtype(xp.bool, "numeric")
xp.can_cast(xp.int8, xp.int16)
xp.can_cast(xp.int64, xp.float64)
xp.can_cast(xp.uint8, xp.int8)
xp.finfo(xp.float32).eps
xp.finfo(xp.complex128).max
xp.finfo(f).bits
xp.iinfo(xp.int8).min
xp.iinfo(i).max
isinstance(xp.meshgrid(v, w), list)
isinstance(xp.broadcast_arrays(v, x), list)
f.shape[:1] + (4,) == (2, 4)
(1,) + f.shape == (1, 2, 3)
hash(f.shape) == hash((2, 3))
xp.e
xp.pi
xp.inf
xp.newaxis
xp.result_type(xp.int8, xp.uint8) == xp.int16
xp.result_type(xp.float32, xp.complex64, 3) == xp.complex64
xp.result_type(f, 1j) == xp.complex128
xp.__array_namespace_info__().capabilities()["boolean indexing"]
xp.__array_namespace_info__().default_dtypes()["real floating"] == xp.float64
sorted(xp.__array_namespace_info__().dtypes(kind=("integral", "bool")))
f.ndim
f.size
tuple(f.shape)
f.device == f.to_device(f.device).device
f.__array_namespace__() is xp
float(x)
int(s[1])
bool(b[0, 0])
complex(z[0, 0])
""".strip().split("\n")
REFUSED = [
    "xp.add(f, i)", "xp.add(b, i)", "xp.exp(i)", "xp.logical_and(i, i)", "xp.bitwise_and(f, f)", "xp.max(b)",
    "xp.mean(i)", "xp.std(z)", "xp.sum(b)", "xp.sort(z)", "xp.divide(i, i)", "xp.concat([f, i])", "xp.where(i, f, f)",
    "xp.where(b, f, i)", "xp.add(i, 1.5)", "xp.add(j, 1000)", "xp.add(b, 1)", "xp.cumulative_sum(f)", "xp.take(f, s)",
    "xp.linalg.inv(i)", "xp.fft.fft(v)", "xp.fft.rfft(c)", "xp.astype(z, xp.float64)",
    "xp.result_type(xp.int8, xp.float32)",
    "xp.linalg.outer(f, f)", "xp.squeeze(f, 0)", "xp.isdtype(xp.int8, 'whole')", "xp.sin(1.0)", "xp.nonzero(x)",
    "xp.asarray('text')", "xp.zeros(2, device='gpu')", "xp.greater(z, z)", "xp.result_type(xp.uint64, xp.int64)",
]  # fmt: skip

# Functions of the standard that are not there, each with its reason; and what is there otherwise.
LEFT_OUT = {
    "__setitem__": "tensors do not change: TypeError, which says what to write instead",
    "tuples for shapes": "a TensorShape equals the tuple, adds to it and is none by isinstance, as "
    "in TensorFlow, whose programs take the two apart",
    "empty": "gives zeros, as it cannot be written",
    "broadcast_shapes": "of the version after 2024.12",
    "isin": "of the version after 2024.12",
}


def names(kind):
    return {name: kind(a) for name, a in ARRAYS.items()}


def as_strict(array):
    return strict.asarray(array)


def plain(value):
    """An array as NumPy's, whichever library has it."""
    if isinstance(value, tf.Tensor | tf.Variable):
        return value.numpy() if isinstance(value, tf.Variable) else np.asarray(value)
    return np.asarray(value._array) if hasattr(value, "_array") else value


def assert_same(found, wanted):
    found, wanted = plain(found), plain(wanted)
    assert found.dtype == wanted.dtype and found.shape == wanted.shape
    exact = wanted.dtype.kind in "biu"
    rtol = 0 if exact else 1e-5 if wanted.dtype in (np.float32, np.complex64) else 1e-10
    np.testing.assert_allclose(found, wanted, rtol=rtol, atol=0 if exact else rtol)


def used(expression):
    """The names of arrays in an expression."""
    code = compile(expression, "<expression>", "eval")
    return [name for name in code.co_names if name in ARRAYS]


RUNS = {"eager": None} | {f"jit_compile={jit}": jit for jit in EXECUTORS}


def run(expression, how):
    tensors = names(tf.constant)
    if how == "eager":
        return eval(expression, {"xp": xp, **tensors})
    given = used(expression)
    f = tf.function(lambda *args: eval(expression, {"xp": xp, **dict(zip(given, args))}), jit_compile=RUNS[how])
    try:
        return f(*(tensors[name] for name in given))
    except tf.errors.InvalidArgumentError as error:
        if RUNS[how] and lacks_native_form(error):
            pytest.skip(str(error).splitlines()[0])
        raise


@pytest.mark.sampled(8, each="expression")
@pytest.mark.parametrize("how", RUNS)
@pytest.mark.parametrize("expression", TABLE)
def test_functions(expression, how):
    with np.errstate(all="ignore"):
        assert_same(run(expression, how), eval(expression, {"xp": strict, **names(as_strict)}))


@pytest.mark.parametrize("expression", VALUES)
def test_values(expression):
    found = eval(expression, {"xp": xp, **names(tf.constant)})
    wanted = eval(expression, {"xp": strict, **names(as_strict)})
    assert found == wanted and isinstance(found, type(wanted))


@pytest.mark.parametrize("expression", REFUSED)
def test_what_the_standard_leaves_open_is_refused(expression):
    for space, arrays in ((strict, names(as_strict)), (xp, names(tf.constant))):
        with pytest.raises((TypeError, ValueError, OverflowError, IndexError, RuntimeError)):
            eval(expression, {"xp": space, **arrays})


def functions(space):
    found = {name for name in vars(space) if callable(getattr(space, name)) and not name.startswith("_")}
    return {name for name in found if not inspect.isclass(getattr(space, name)) and name not in NOT_OF_THE_STANDARD}


NOT_OF_THE_STANDARD = {
    "get_array_api_strict_flags", "set_array_api_strict_flags", "reset_array_api_strict_flags", "bool",
}  # fmt: skip


@pytest.mark.parametrize("space", ["", "linalg", "fft"])
def test_nothing_is_left_out(space):
    theirs, ours = (getattr(one, space) if space else one for one in (strict, xp))
    wanted = {name for name in getattr(theirs, "__all__", vars(theirs)) if not name.startswith("_")}
    wanted = {name for name in wanted if callable(getattr(theirs, name)) and not inspect.isclass(getattr(theirs, name))}
    wanted -= (
        NOT_OF_THE_STANDARD
        | {"ArrayAPIStrictFlags", "Device"}
        | {name for name in wanted if name in xp.__all__ and space}
    )
    assert {name for name in wanted if not hasattr(ours, name)} <= set(LEFT_OUT)
    text = "\n".join(TABLE + VALUES)
    prefix = f"xp.{space}." if space else "xp."
    tested = {name for name in wanted if f"{prefix}{name}(" in text}
    assert wanted - tested - set(LEFT_OUT) - {"from_dlpack"} == set()


@pytest.mark.parametrize("space", ["", "linalg", "fft"])
def test_signatures_are_the_standards(space):
    theirs, ours = (getattr(one, space) if space else one for one in (strict, xp))
    for name in getattr(ours, "__all__", vars(ours)):
        mine, other = getattr(ours, name), getattr(theirs, name, None)
        if name.startswith("_") or not inspect.isfunction(mine) or not inspect.isfunction(other):
            continue
        if mine.__module__.startswith("runtime.array_api"):
            a, b = (inspect.signature(f).parameters.values() for f in (mine, other))
            positional = [[p.name for p in s if p.kind is not p.KEYWORD_ONLY] for s in (a, b)]
            assert len(positional[0]) == len(positional[1]), name
            assert {p.name for p in b if p.kind is p.KEYWORD_ONLY} <= {p.name for p in a}, name
            defaults = [{p.name: p.default for p in s if p.name != "device"} for s in (a, b)]
            for key, value in defaults[1].items():
                if key in defaults[0] and isinstance(value, bool | int | float | str | None):
                    assert defaults[0][key] == value, (name, key)


OPERATORS = [
    f"__{name}__" for name in "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split()
] + [f"__r{name}__" for name in "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split()]


@pytest.mark.parametrize(
    "name", [*OPERATORS, *"__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __getitem__ __setitem__".split()]
)
def test_operands_have_no_names(name):
    method = getattr(tf.constant(1.0), name)
    kinds = {p.kind for p in inspect.signature(method).parameters.values()}
    assert kinds == {inspect.Parameter.POSITIONAL_ONLY}


def test_versions():
    x = tf.constant(1.0)
    assert x.__array_namespace__(api_version="2024.12") is tf.array_api and xp.__array_api_version__ == "2024.12"
    with pytest.raises(ValueError, match="there is no version '1.0'"):
        x.__array_namespace__(api_version="1.0")
    assert tf.Variable([1.0]).__array_namespace__() is xp


def test_a_library_for_any_arrays():
    def softmax(x):
        space = x.__array_namespace__()
        e = space.exp(x - space.max(x, axis=-1, keepdims=True))
        return e / space.sum(e, axis=-1, keepdims=True)

    wanted = softmax(as_strict(ARRAYS["f"]))
    x = tf.constant(ARRAYS["f"])
    assert_same(softmax(x), wanted)
    assert_same(tf.function(softmax)(x), wanted)
    open_shape = tf.function(softmax, input_signature=[tf.TensorSpec([None, None], tf.float64)])
    assert_same(open_shape(x), wanted)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = softmax(x)[0, 0]
    assert tape.gradient(y, x).shape == [2, 3]


# DLPack.


@pytest.mark.parametrize(
    "dtype",
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split(),
)
def test_to_numpy_and_back(dtype):
    x = tf.constant(np.arange(6).reshape(2, 3).astype(dtype))
    array = np.from_dlpack(x)
    assert array.dtype == dtype and array.tolist() == np.asarray(x).tolist()
    assert np.shares_memory(array, np.asarray(x)) and not array.flags.writeable
    back = xp.from_dlpack(array)
    assert back.dtype == x.dtype and np.shares_memory(np.asarray(back), array)
    assert xp.from_dlpack(x) is x and x.__dlpack_device__() == (1, 0)
    assert xp.asarray(strict.asarray([1.0, 2.0])).numpy().tolist() == [1, 2]


class Older:
    """A library that knows nothing of what must not be written."""

    def __init__(self, x):
        self.capsule, self.device = x.__dlpack__(), x.__dlpack_device__()

    def __dlpack__(self, **_):
        return self.capsule

    def __dlpack_device__(self):
        return self.device


class Taken:
    """A capsule as an array that NumPy takes."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self, **_):
        return self.capsule

    def __dlpack_device__(self):
        return 1, 0


def test_who_might_write_gets_a_copy():
    x = tf.constant([1.0, 2.0])
    array = np.from_dlpack(Older(x))
    assert not np.shares_memory(array, np.asarray(x)) and array.tolist() == [1, 2]
    shared = np.asarray(x.array)
    assert np.shares_memory(
        np.from_dlpack(Taken(x.__dlpack__(copy=False))), shared
    )  # who forbids the copy gets no other
    x.array.flags.writeable = False
    with pytest.raises(BufferError, match="max_version"):
        x.__dlpack__(copy=False)
    assert not np.shares_memory(np.from_dlpack(x, copy=True), np.asarray(x))
    assert np.from_dlpack(x, copy=False, device="cpu").tolist() == [1, 2]


@pytest.mark.parametrize("order", ["C", "F"])
def test_strides_are_kept(order):
    a = np.asarray(np.arange(12.0).reshape(3, 4), order=order)
    x = xp.from_dlpack(a[::2, 1:])
    assert np.asarray(x).strides == a[::2, 1:].strides
    assert np.from_dlpack(x).tolist() == a[::2, 1:].tolist()
    copied = xp.from_dlpack(a, copy=True)
    a[...] = 0
    assert np.asarray(x).tolist() == [[0, 0, 0]] * 2 and np.asarray(copied)[0, 1] == 1


BAD = [
    (lambda: tf.constant("text").__dlpack__(), BufferError, "no text"),
    (lambda: tf.constant(1).__dlpack__(stream=1), BufferError, "no streams"),
    (lambda: tf.constant(1).__dlpack__(dl_device=(2, 0)), BufferError, "only the CPU"),
    (lambda: xp.from_dlpack([1]), TypeError, "not list"),
    (lambda: xp.from_dlpack(np.ones(2), device="gpu"), ValueError, "only the CPU"),
    (lambda: xp.asarray([1], copy=False), ValueError, "has to be copied"),
    (lambda: xp.asarray(tf.constant(1), dtype=xp.int8, copy=False), ValueError, "int32 has to be copied to be int8"),
    (lambda: tf.constant(1).to_device("gpu"), ValueError, "only the CPU"),
    (lambda: tf.constant(1).to_device("cpu", stream=3), ValueError, "without streams"),
    (lambda: tf.constant([1]).mT, ValueError, "rank 2"),
    (lambda: tf.function(lambda x: np.from_dlpack(x))(tf.constant(1)), Exception, "when the graph runs"),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_what_dlpack_refuses(number):
    act, kind, text = BAD[number]
    with pytest.raises(kind, match=text):
        act()


def test_torch():
    torch = pytest.importorskip("torch")
    x = tf.constant(np.arange(6.0).reshape(2, 3))
    theirs = torch.from_dlpack(x)
    assert theirs.tolist() == [[0, 1, 2], [3, 4, 5]]
    theirs[0, 0] = 100
    assert x[0, 0] == 0 or np.asarray(x)[0, 0] == 0  # a tensor is one value
    assert xp.from_dlpack(torch.ones(2, 2)).numpy().tolist() == [[1, 1], [1, 1]]


DEVICES = [
    pytest.param(name, function, id=name)
    for name, function in sorted(vars(xp).items())
    if callable(function) and not isinstance(function, type) and "device" in inspect.signature(function).parameters
]
MADE_OF = {
    "asarray": ([1.0],), "arange": (3,), "empty": (2,), "empty_like": (tf.zeros(2),), "eye": (2,), "full": (2, 1.0),
    "from_dlpack": (tf.zeros(2),), "full_like": (tf.zeros(2), 1.0), "linspace": (0, 1, 3), "ones": (2,), "zeros": (2,),
    "ones_like": (tf.zeros(2),), "zeros_like": (tf.zeros(2),), "astype": (tf.zeros(2), tf.float64),
}  # fmt: skip


@pytest.mark.parametrize("name, function", DEVICES)
def test_there_is_one_device(name, function):
    for device in (None, "cpu"):
        assert function(*MADE_OF[name], device=device).dtype == function(*MADE_OF[name]).dtype
    with pytest.raises(ValueError, match="device"):
        function(*MADE_OF[name], device="gpu")


NUMBERS = [True, 2, 2.5, 1j]
TYPES = ["bool", "int8", "int64", "uint8", "float32", "float64", "complex64", "complex128"]


@pytest.mark.parametrize("number", NUMBERS, ids=str)
@pytest.mark.parametrize("other", [None, *TYPES])
@pytest.mark.parametrize("kind", TYPES)
def test_numbers_of_pythons_are_promoted_as_the_standard_has_it(kind, other, number):
    def found(space, make):
        given = [make(k) for k in (kind, other) if k is not None]
        try:
            return repr(space.result_type(*given, number)).rpartition(".")[2]
        except TypeError:
            return "refused"

    wanted = found(strict, lambda k: strict.zeros(2, dtype=getattr(strict, k)))
    assert found(xp, lambda k: tf.zeros(2, k)) == found(xp, lambda k: getattr(xp, k)) == wanted


def test_what_the_library_can_do_is_told():
    told, theirs = (space.__array_namespace_info__().capabilities() for space in (xp, strict))
    assert told.keys() == theirs.keys()
    assert told["max dimensions"] == 64  # as NumPy 2 has it
    with pytest.raises(ValueError, match="64"):
        tf.zeros([1] * 65)


@pytest.mark.parametrize("shape", [(3, 3), (2, 5), (5, 2), (2, 3, 3), (7, 2, 4), (7, 4, 2)], ids=str)
def test_ranks_turn_where_those_of_numpy_do(shape):
    for factor in range(1, 9):
        x = np.zeros(shape)
        x[..., 0, 0], x[..., 1, 1] = 1.0, factor * np.finfo(float).eps * 1.001
        np.testing.assert_array_equal(xp.linalg.matrix_rank(tf.constant(x)), np.linalg.matrix_rank(x))


def test_outer_products_are_of_vectors_on_both_sides():
    for left, right in ((1, 2), (2, 1), (0, 1), (1, 0)):
        with pytest.raises(ValueError, match="of rank 1"):
            xp.linalg.outer(tf.zeros([2] * left), tf.zeros([2] * right))
