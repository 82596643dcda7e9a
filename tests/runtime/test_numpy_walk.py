"""NumPy's functions on arrays and arguments at random: on tensors, at once and in graphs, they give the same."""

import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from hypothesis.extra import numpy as hnp

import runtime as tf

DTYPES = ["?", "i1", "i4", "i8", "u1", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
NUMBERS = st.sampled_from([0, 1, 2, 3, -1, -2, 7])


@st.composite
def array(draw, shape=None, dtypes=DTYPES):
    """Of any kind, also empty and without dimensions; with ties, and NaN now and then."""
    dtype = np.dtype(draw(st.sampled_from(dtypes)))
    shape = draw(hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)) if shape is None else shape
    x = draw(hnp.arrays(np.int8, shape, elements=NUMBERS)).astype(dtype)
    if dtype.kind in "fc":
        x = x / np.asarray(2, dtype)
        if x.size and draw(st.integers(0, 5)) == 0:
            x.flat[0] = draw(st.sampled_from([np.nan, np.inf, -0.0]))
    return np.asarray(x)  # a number of NumPy's would take the dtype of a tensor beside it


def axis(x):
    """One of the axes of an array, or one beside them."""
    return st.integers(-x.ndim - (x.ndim < 2), x.ndim)


@st.composite
def axes(draw, x):
    return draw(st.one_of(st.none(), axis(x), st.lists(axis(x), max_size=2).map(tuple)))


def options(**strategies):
    """Some of these keyword arguments."""
    return st.fixed_dictionaries({}, optional=strategies)


def reduction(x, **more):
    return options(axis=axes(x), keepdims=st.booleans(), **more)


def calls(positional=lambda x: st.just(()), keywords=lambda x: st.just({})):
    return positional, keywords


def masks(x):
    return hnp.arrays(bool, hnp.broadcastable_shapes(x.shape, max_dims=x.ndim, max_side=3))


def one(*strategies):
    return lambda x: st.tuples(
        *(s(x) if callable(s) and not isinstance(s, st.SearchStrategy) else s for s in strategies)
    )


SMALL = st.integers(-2, 3)
SHAPES = st.one_of(st.integers(-1, 6), st.lists(st.integers(-1, 4), max_size=3).map(tuple))
FLOATS = st.sampled_from([None, np.float32, np.float64])
ALONG = calls(keywords=lambda x: options(axis=st.one_of(st.none(), axis(x))))
_sums = calls(keywords=lambda x: reduction(x, dtype=st.sampled_from([None, np.float64, np.int64, np.complex128]),
                                           initial=SMALL, where=masks(x)))  # fmt: skip
_extremes = calls(keywords=lambda x: st.one_of(reduction(x), reduction(x).map(lambda k: {**k, "initial": 2})))
_spread = calls(keywords=lambda x: reduction(x, ddof=st.integers(0, 3), where=masks(x)))
_places = calls(keywords=lambda x: options(axis=st.one_of(st.none(), axis(x)), keepdims=st.booleans()))
_like = calls(keywords=lambda x: options(dtype=FLOATS, shape=st.lists(st.integers(0, 3), max_size=2).map(tuple)))

TABLE = {
    np.sum: _sums, np.prod: _sums, np.max: _extremes, np.min: _extremes, np.argmax: _places, np.argmin: _places,
    np.any: calls(keywords=lambda x: reduction(x, where=masks(x))),
    np.all: calls(keywords=lambda x: reduction(x, where=masks(x))),
    np.mean: calls(keywords=lambda x: reduction(x, where=masks(x))), np.var: _spread, np.std: _spread,
    np.cumsum: ALONG, np.cumprod: ALONG, np.count_nonzero: calls(keywords=reduction),
    np.reshape: calls(one(SHAPES), lambda x: options(order=st.sampled_from("CFA"))),
    np.ravel: calls(keywords=lambda x: options(order=st.sampled_from("CFAK"))),
    np.transpose: calls(keywords=lambda x: options(axes=st.permutations(range(x.ndim)))),
    np.squeeze: calls(keywords=lambda x: options(axis=axes(x))),
    np.flip: calls(keywords=lambda x: options(axis=axes(x))),
    np.roll: calls(one(SMALL), lambda x: options(axis=st.one_of(st.none(), axis(x)))),
    np.broadcast_to: calls(one(SHAPES)),
    np.repeat: calls(one(SMALL), lambda x: options(axis=st.one_of(st.none(), axis(x)))),
    np.expand_dims: calls(one(axis)), np.swapaxes: calls(one(axis, axis)), np.moveaxis: calls(one(axis, axis)),
    np.tile: calls(one(st.one_of(SMALL, st.lists(st.integers(0, 2), max_size=3).map(tuple)))),
    np.diagonal: calls(one(SMALL)), np.trace: calls(one(SMALL)), np.diag: calls(one(SMALL)), np.triu: calls(one(SMALL)),
    np.tril: calls(one(SMALL)), np.sort: ALONG, np.take: calls(
        one(st.one_of(SMALL, st.lists(SMALL, max_size=3))),
        lambda x: options(axis=st.one_of(st.none(), axis(x)), mode=st.sampled_from(["raise", "wrap", "clip"])),
    ),
    np.argsort: calls(
        keywords=lambda x: options(axis=st.one_of(st.none(), axis(x))).map(lambda k: {**k, "stable": True})
    ),
    np.clip: calls(one(st.one_of(st.none(), NUMBERS), st.one_of(st.none(), st.just(2.5), NUMBERS))),
    np.nan_to_num: calls(keywords=lambda x: options(nan=NUMBERS, posinf=NUMBERS, neginf=NUMBERS)),
    np.round: calls(keywords=lambda x: options(decimals=st.integers(-1, 2))), np.real: calls(), np.imag: calls(),
    np.angle: calls(keywords=lambda x: options(deg=st.booleans())), np.nonzero: calls(), np.argwhere: calls(),
    np.flatnonzero: calls(), np.zeros_like: _like, np.ones_like: _like,
    np.full_like: calls(one(st.sampled_from([0, 1, 2.5, True])), lambda x: options(dtype=FLOATS)),
    np.concatenate: ALONG, np.atleast_1d: calls(), np.atleast_2d: calls(), np.atleast_3d: calls(), np.copy: calls(),
    np.linalg.norm: calls(keywords=lambda x: options(axis=st.one_of(st.none(), axis(x)), keepdims=st.booleans())),
    np.searchsorted: calls(one(array()), lambda x: options(side=st.sampled_from(["left", "right"]))),
    np.isclose: calls(one(lambda x: array(x.shape)), lambda x: options(equal_nan=st.booleans(), atol=st.just(0.6))),
    np.allclose: calls(one(lambda x: array(x.shape)), lambda x: options(equal_nan=st.booleans())),
    np.dot: calls(one(array())), np.outer: calls(one(array())), np.where: calls(one(array(), array())),
    np.matmul: calls(one(array())), np.add: calls(one(array())), np.multiply: calls(one(array())),
    np.maximum: calls(one(array())), np.subtract: calls(one(array())), np.divide: calls(one(array())),
    np.floor_divide: calls(one(array())), np.mod: calls(one(array())), np.less: calls(one(array())),
    np.equal: calls(one(array())), np.logical_and: calls(one(array())), np.negative: calls(), np.abs: calls(),
    np.sign: calls(), np.square: calls(), np.sqrt: calls(), np.exp: calls(), np.isnan: calls(), np.floor: calls(),
    np.rint: calls(), np.conj: calls(), np.logical_not: calls(), np.invert: calls(),
    np.bitwise_and: calls(one(array())),
    np.left_shift: calls(one(array())), np.add.reduce: calls(keywords=reduction),
    np.maximum.reduce: calls(keywords=reduction), np.add.accumulate: calls(keywords=lambda x: options(axis=axis(x))),
    np.subtract.outer: calls(one(array())),
    np.append: calls(one(array()), lambda x: options(axis=st.one_of(st.none(), axis(x)))),
    np.flipud: calls(), np.fliplr: calls(), np.rot90: calls(one(st.integers(-2, 5))),
    np.rollaxis: calls(one(axis, axis)), np.column_stack: calls(),
    np.array_split: calls(one(st.integers(1, 4)), lambda x: options(axis=axis(x))),
    np.split: calls(one(st.one_of(st.integers(1, 3), st.lists(st.integers(0, 3), max_size=2)))),
    np.hsplit: calls(one(st.integers(1, 2))), np.vsplit: calls(one(st.integers(1, 2))),
    np.pad: calls(one(st.integers(0, 4)),
                  lambda x: options(mode=st.sampled_from(["constant", "edge", "reflect", "symmetric", "wrap"]))),
    np.delete: calls(one(SMALL), lambda x: options(axis=st.one_of(st.none(), axis(x)))),
    np.insert: calls(one(SMALL, st.just(1)), lambda x: options(axis=st.one_of(st.none(), axis(x)))),
    np.resize: calls(one(st.lists(st.integers(0, 3), max_size=2).map(tuple))),
    np.diff: calls(keywords=lambda x: options(n=st.integers(-1, 3), axis=axis(x), prepend=st.just(1))),
    np.ediff1d: calls(), np.gradient: calls(keywords=lambda x: options(axis=axis(x), edge_order=st.integers(1, 2))),
    np.trapezoid: calls(keywords=lambda x: options(dx=st.just(0.5), axis=axis(x))),
    np.unwrap: calls(keywords=lambda x: options(axis=axis(x))),
    np.correlate: calls(one(array()), lambda x: options(mode=st.sampled_from(["valid", "same", "full"]))),
    np.convolve: calls(one(array()), lambda x: options(mode=st.sampled_from(["valid", "same", "full"]))),
    np.ptp: calls(keywords=reduction), np.average: calls(keywords=reduction), np.median: calls(keywords=reduction),
    np.percentile: calls(one(st.sampled_from([0, 25, 50.0, 90])), reduction),
    np.quantile: calls(one(st.sampled_from([0, 0.25, 0.5, 1.0])), reduction),
    np.cov: calls(keywords=lambda x: options(rowvar=st.booleans(), ddof=st.integers(0, 2))),
    np.nansum: calls(keywords=reduction), np.nanprod: calls(keywords=reduction), np.nanmean: calls(keywords=reduction),
    np.nanvar: calls(keywords=lambda x: reduction(x, ddof=st.integers(0, 2))), np.nanmax: calls(keywords=reduction),
    np.nanmin: calls(keywords=reduction), np.nanstd: calls(keywords=reduction), np.nanmedian: calls(keywords=reduction),
    np.nancumsum: ALONG, np.nancumprod: ALONG, np.nanargmax: _places, np.nanargmin: _places,
    np.bincount: calls(keywords=lambda x: options(minlength=st.integers(0, 4))),
    np.digitize: calls(one(st.sampled_from([(0, 1, 2), (3, 1), (0, 2, 1)])), lambda x: options(right=st.booleans())),
    np.histogram: calls(one(st.sampled_from([3, (0, 1, 2), (2, 1)])), lambda x: options(density=st.booleans())),
    np.compress: calls(one(array())), np.extract: calls(one(array())),
    np.lexsort: calls(keywords=lambda x: options(axis=axis(x))),
    np.unique: calls(keywords=lambda x: options(return_inverse=st.booleans(), return_counts=st.booleans(),
                                                return_index=st.booleans())),
    np.isin: calls(one(array()), lambda x: options(invert=st.booleans())), np.union1d: calls(one(array())),
    np.intersect1d: calls(one(array())), np.setdiff1d: calls(one(array())), np.setxor1d: calls(one(array())),
    np.inner: calls(one(array())), np.vdot: calls(one(array())), np.kron: calls(one(array())),
    np.diagflat: calls(one(SMALL)), np.cross: calls(one(array())), np.fmax: calls(one(array())),
    np.fmin: calls(one(array())), np.signbit: calls(), np.degrees: calls(), np.radians: calls(), np.fabs: calls(),
    np.heaviside: calls(one(array())), np.sinc: calls(), np.modf: calls(), np.divmod: calls(one(array())),
    np.logaddexp2: calls(one(array())), np.isposinf: calls(), np.isreal: calls(), np.array_equiv: calls(one(array())),
    np.maximum.accumulate: calls(keywords=lambda x: options(axis=axis(x))),
    np.bitwise_xor.reduce: calls(keywords=lambda x: options(axis=axis(x))),
    np.linalg.slogdet: calls(), np.linalg.svdvals: calls(), np.linalg.matrix_rank: calls(), np.linalg.pinv: calls(),
    np.linalg.eigvalsh: calls(), np.linalg.matrix_power: calls(one(st.integers(-1, 3))),
    np.fft.fft: calls(keywords=lambda x: options(n=st.integers(0, 4), axis=axis(x))), np.fft.fftshift: calls(),
    np.fft.rfft: calls(keywords=lambda x: options(n=st.integers(0, 4), axis=axis(x))), np.fft.fftn: calls(),
    np.fft.irfft: calls(keywords=lambda x: options(n=st.integers(1, 4), axis=axis(x))),
}  # fmt: skip


def outcome(call):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return call(), None
        except (ValueError, TypeError, IndexError, ArithmeticError, np.linalg.LinAlgError) as error:
            return None, error


def assert_same(mine, wanted):
    if isinstance(wanted, tuple | list):
        assert len(mine) == len(wanted)
        for a, b in zip(mine, wanted):
            assert_same(a, b)
        return
    if isinstance(wanted, np.dtype | type):
        assert mine == wanted
        return
    is_pythons = type(wanted) is int  # whose dtype is that of Python's numbers when it leaves the graph
    found, wanted = np.asarray(mine), np.asarray(wanted)
    assert found.shape == wanted.shape and (found.dtype == wanted.dtype or is_pythons)
    if found.dtype.kind in "fc":
        rough = {"e": 2e-3, "f": 1e-5, "F": 1e-5}.get(found.dtype.char, 1e-9)
        np.testing.assert_allclose(found, wanted, rtol=rough, atol=rough)
    else:
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("function", TABLE, ids=lambda f: getattr(f, "__qualname__", None) or f.__name__)
@settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_functions_give_what_they_give_for_arrays(function, data):
    positional, keywords = TABLE[function]
    x = data.draw(array())
    args, kwargs = data.draw(positional(x)), data.draw(keywords(x))
    arrays = [x, *(a for a in args if isinstance(a, np.ndarray))]
    named = [k for k, v in kwargs.items() if isinstance(v, np.ndarray)]

    def call(*tensors):
        rest = iter(tensors[1:])
        given = [next(rest) if isinstance(a, np.ndarray) else a for a in args]
        return function(tensors[0], *given, **kwargs | {k: next(rest) for k in named})

    given = [*arrays, *(kwargs[k] for k in named)]
    wanted, error = outcome(lambda: call(*given))
    unknown = [tf.TensorSpec([None] * a.ndim, a.dtype) for a in given]
    ways = [
        lambda: call(*map(tf.constant, given)),
        lambda: tf.function(call, jit_compile=False, autograph=False)(*given),
        lambda: tf.function(call, jit_compile=False, autograph=False, input_signature=unknown)(*given),
    ]
    for number, way in enumerate(ways):
        if number == 2 and function is np.linalg.pinv and not x.size:
            continue  # of an empty matrix it keeps the dtype, which is not known to be one
        mine, refusal = outcome(way)
        if error is not None:
            # Before NumPy 2.5 these cannot tell how much of nothing goes together.
            may = function in (np.median, np.quantile, np.percentile) and not x.size
            assert may or refusal is not None, f"NumPy refuses: {error}"
        elif refusal is not None:
            may = number == 2 and any(word in str(refusal) for word in ("known", "not return an iterable"))
            # Nothing is taken, by any number; NumPy looks whether there is anything before it looks at the axes.
            may |= function in (np.take, np.repeat, np.tile, np.nanmedian) and not x.size
            # Whether LAPACK converges for what is not finite differs from one version to another.
            may |= isinstance(refusal, np.linalg.LinAlgError) and not np.isfinite(x).all()
            may |= function is np.clip and "out of bounds" in str(refusal)  # of its dtype, which NumPy looks over
            assert may or "staged meaning" in str(refusal), f"refused: {type(refusal).__name__}: {refusal}"
        else:
            assert_same(mine, wanted)
