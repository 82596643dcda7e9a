"""Calls of NumPy's functions that have a staged meaning: for each parameter, one in which it matters."""

import numpy as np

F = np.array([[1.5, -2.0, 3.25], [0.5, 4.0, -1.75]])
G = F.astype(np.float32)
N = np.array([[3, 1, 2], [6, 5, 4]])
S = np.array([[-128, 7, 3], [0, 7, 127]], np.int8)
U = np.array([3, 0, 2, 255], np.uint8)
Z = np.array([[1 + 2j, -0.5j], [2.0, 3 - 1j]])
C = np.arange(24.0).reshape(2, 3, 4)
V = np.array([3.0, 1.0, 2.0, 1.0])
B = np.array([[True, False, True], [False, False, True]])
M = np.array([True, False, True])
Q = np.array([[4.0, 1.0], [2.0, 3.0]])
P = np.array([[4.0, 1.0], [1.0, 3.0]])
E = np.array([1.0, np.nan, np.inf])
EZ = np.array([1j, complex(np.nan, 1), complex(1, np.nan)])


def c(*args, **kwargs):
    return args, kwargs


_sums = [c(F), c(N, axis=0), c(S, axis=(0, 1)), c(B), c(F, axis=-1, keepdims=True), c(S, dtype=np.int8),
         c(N, dtype=np.float32), c(F, initial=2.5), c(F, where=B), c(F, axis=1, where=M), c(Z),
         c(F, 1, None, None, True), c(np.zeros((0, 3)), axis=0), c(F, axis=())]  # fmt: skip
_extremes = [c(F), c(N, axis=0), c(B, axis=1), c(F, axis=(0, -1), keepdims=True), c(F, initial=100.0), c(S),
             c(F, initial=-100.0), c(F, where=B, initial=0.0), c(F, 1, None, True), c(np.zeros((0, 3)), initial=1.0),
             c(F, axis=1, where=M, initial=-9.0), c(E), c(C, axis=(0, 2), initial=5.0)]  # fmt: skip
_questions = [
    c(B),
    c(N, axis=1),
    c(B, axis=(0, 1), keepdims=True),
    c(B, where=~B),
    c(B, where=B),
    c(F, axis=0, where=B),
]
_spreads = [c(F), c(N, axis=0), c(G), c(F, dtype=np.float32), c(F, ddof=1), c(F, axis=1, keepdims=True), c(F, where=B),
            c(F, mean=np.array(1.0)), c(F, correction=1), c(F, axis=1, ddof=1, where=np.array([[True, True, False]])),
            c(Z), c(V, 0, None, None, 2), c(S)]  # fmt: skip
_positions = [c(F), c(N, axis=1), c(F, axis=-1, keepdims=True), c(F, keepdims=True), c(B, 0), c(E), c(S, 1)]
_running = [c(F), c(N, axis=0), c(S, axis=-1), c(N, dtype=np.float32), c(B, 1)]
_stacks = [c([F, G]), c([F, N], dtype=np.float32), c([F, N], dtype=np.int64, casting="unsafe"), c([V, V])]

CALLS = {
    np.sum: _sums, np.prod: _sums, np.max: _extremes, np.min: _extremes, np.any: _questions, np.all: _questions,
    np.mean: [c(F), c(N, axis=0), c(F, axis=(0, 1), keepdims=True), c(F, dtype=np.float32), c(S), c(Z), c(B),
              c(F, where=B), c(G, axis=1, where=M), c(F, 0, None, None, True)],
    np.var: _spreads, np.std: _spreads,
    np.argmax: _positions, np.argmin: _positions, np.cumsum: _running, np.cumprod: _running,
    np.count_nonzero: [c(N), c(B, axis=0), c(F, axis=1, keepdims=True), c(F, (0, 1))],
    np.reshape: [c(F, (3, 2)), c(F, -1), c(N, (3, -1), order="F"), c(C, (4, -1), "F"), c(F, (6,), copy=True)],
    np.ravel: [c(F), c(C, order="F"), c(V, "F")],
    np.transpose: [c(F), c(C, axes=(1, 2, 0)), c(C, (0, -1, 1))], np.matrix_transpose: [c(C)],
    np.squeeze: [c(F[:, :1]), c(C[:1, :1], axis=0), c(C[:1, :1], axis=(0, 1))],
    np.flip: [c(F), c(F, axis=1), c(C, (0, 2))],
    np.roll: [c(V, 1), c(F, 1), c(F, 1, axis=1), c(F, (1, 2), axis=(0, 1))],
    np.broadcast_to: [c(V, (2, 4)), c(F[:, :1], (2, 2, 5))],
    np.copy: [c(F), c(F, order="F")], np.shape: [c(F)], np.ndim: [c(F)],
    np.size: [c(F), c(F, axis=0), c(C, axis=(0, 2))],
    np.shares_memory: [c(F, F + 1)], np.may_share_memory: [c(F, F + 1)],
    np.repeat: [c(V, 2), c(F, 2, axis=1), c(F, [2, 0, 1], 1), c(V, [1, 0, 2, 3]), c(F, 2)],
    np.expand_dims: [c(F, 0), c(F, -1), c(F, (0, 2))], np.swapaxes: [c(C, 0, 2), c(C, -1, 1)],
    np.moveaxis: [c(C, 0, -1), c(C, (0, 1), (2, 0))],
    np.concatenate: [*_stacks, c([F, G], axis=1), c([F, V], axis=None), c(F)],
    np.stack: [*_stacks, c([F, N], axis=1), c([F, F], -1)],
    np.vstack: [*_stacks, c([F, V[:3]])], np.hstack: _stacks, np.dstack: [c([F, G]), c([V, V]), c([C, C])],
    np.atleast_1d: [c(np.array(2.0)), c(V)], np.atleast_2d: [c(np.array(2.0)), c(V), c(C)],
    np.atleast_3d: [c(np.array(2.0)), c(V), c(F), c(C)],
    np.tile: [c(V, 2), c(V, (2, 3)), c(F, 2), c(C, (2, 1)), c(np.array(3.0), (2, 2))],
    np.zeros_like: [c(F), c(N, dtype=np.float32), c(F, shape=(4,)), c(F, order="F")],
    np.ones_like: [c(F), c(N, dtype=np.float32), c(F, shape=4), c(F, order="F")],
    np.full_like: [c(N, 2.5), c(F, 2), c(N, 2.5, dtype=np.float32), c(F, [1, 2, 3]), c(F, 7, shape=(2,)), c(B, 3),
                   c(F, 7, order="F")],
    np.diagonal: [c(F), c(F, offset=1), c(C, -1), c(C, 0, 1, 2), c(C, axis1=2), c(C, axis2=2), c(F, 5)],
    np.diag: [c(F), c(V), c(V, k=1), c(V, -2), c(F, k=1), c(F, -1)],
    np.trace: [c(F), c(F, offset=1), c(C, axis1=2), c(C, axis2=2), c(S), c(N, dtype=np.float32), c(S, dtype=np.int8)],
    np.triu: [c(F), c(F, k=1), c(V), c(C, -1)], np.tril: [c(F), c(F, k=1), c(V), c(C, -1)],
    np.sort: [c(F), c(F, axis=0), c(F, axis=None), c(S), c(U), c(E), c(F, kind="stable"), c(F, stable=True)],
    np.argsort: [c(F), c(F, axis=0), c(F, axis=None), c(V, kind="stable"), c(S, stable=True), c(E, kind="stable")],
    np.take: [c(F, [2, -1]), c(F, 1, axis=0), c(F, [[0], [-1]], 1), c(F, [7, -8], mode="wrap"),
              c(F, [7, -8], 1, mode="clip"), c(C, N % 3, 1)],
    np.searchsorted: [c(np.sort(V), V), c(np.sort(V), V, side="right"),
                      c(np.array([5, 3, 1]), N, sorter=np.array([2, 1, 0])), c(np.sort(V), 1.0)],
    np.argwhere: [c(N % 2)], np.nonzero: [c(N % 2), c(M)], np.flatnonzero: [c(N % 2)],
    np.where: [c(B, F, 0.0), c(B, 1, 0), c(N % 2, N, F), c(B)],
    np.ix_: [c(np.array([0, 1]), np.array([1, 2])), c(np.array([0, 1]), M)],
    np.clip: [c(F, 0, 1), c(N, 2.5, None), c(F, min=0), c(F, max=0), c(F, None, V[:3]), c(S, a_min=0, a_max=5),
              c(U, 1, 3)],
    np.nan_to_num: [c(E), c(E, nan=2.5), c(-E, posinf=9.0), c(-E, neginf=-9.0), c(E.astype(np.float32)), c(N), c(B),
                    c(E, True, 1.0, 2.0, 3.0), c(np.array([np.inf, -np.inf], np.float16))],
    np.round: [c(F), c(F / 3, decimals=2), c(N, 0), c(F * 100, -2), c(B)],
    np.real: [c(Z), c(F)], np.imag: [c(Z), c(F)], np.angle: [c(Z), c(Z, deg=True), c(F)],
    np.isclose: [c(F, F + 1e-9), c(F, F + 0.1, rtol=0.5), c(F, F + 0.1, atol=0.5), c(E, E), c(E, E, equal_nan=True),
                 c(N, N + 1)],
    np.allclose: [c(F, F), c(F, F + 1, rtol=10.0), c(F, F + 1, atol=10.0), c(E, E), c(E, E, equal_nan=True)],
    np.array_equal: [c(F, F), c(F, F + 1), c(F, F[0]), c(E, E), c(E, E, equal_nan=True), c(F, F > 0),
        c(EZ, EZ, equal_nan=True), c(EZ, EZ), c(EZ, E, equal_nan=True)],
    np.dot: [c(F, F.T), c(V, V), c(F, 2.0), c(C, np.ones((4, 2))), c(F, np.ones((2, 3, 2)))],
    np.outer: [c(V, V), c(F, N)],
    np.tensordot: [c(F, F), c(F, F.T, axes=1), c(C, C, axes=([0, 2], [0, 2])), c(F, N, ((1,), (1,)))],
    np.einsum: [c("ij,kj->ik", F, N), c("ii", Q), c("ij->j", N), c("ij,ij", F, F), c("ij->i", N, dtype=np.float64),
                c("ij->i", F, dtype=np.float32, casting="same_kind"), c("ij->ji", F, order="F")],
    np.linalg.inv: [c(Q), c(N[:, :2])], np.linalg.det: [c(Q), c(N[:, :2])],
    np.linalg.solve: [c(Q, Q), c(Q, V[:2])],
    np.linalg.cholesky: [c(P), c(P, upper=True)],
    np.linalg.norm: [c(F), c(N), c(F, ord=1), c(V, 3), c(F, axis=1), c(F, keepdims=True), c(F, np.inf, 0, True), c(Z),
                     c(F, "nuc"), c(G)],
}  # fmt: skip
CALLS |= {np.amax: _extremes, np.amin: _extremes, np.around: CALLS[np.round], np.concat: CALLS[np.concatenate],
          np.permute_dims: CALLS[np.transpose]}  # fmt: skip

Y, V1, I0, I1, G0 = np.array(3.0), np.array(1.0), np.array(3), np.array(1), np.array(1.5, np.float32)
R = np.arange(9.0).reshape(3, 3) ** 1.5
X = np.array([0.5, 2.0, 2.0, -1.0, 7.25, 3.0])
I = np.array([3, 1, 2, 3, 0, 3])
NV = np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, 2.0], [4.0, 5.0, 6.0]])
NA = np.array([[np.nan, 1.0], [np.nan, 2.0]])
T = np.array([[2.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 1.5]])
W = np.array([1.0, 2.0, 0.5])
_signal = [c(X), c(C), c(X, n=4), c(X, n=9), c(F, axis=0), c(X, norm="ortho"), c(X, norm="forward"), c(G)]
_spectrum = [c(Z), c(Z, n=5), c(Z, axis=0), c(Z, norm="ortho"), c(Z, 1), c(X)]
_images = [c(C), c(C, s=(2, 4)), c(C, axes=(0, 1)), c(C, norm="forward"), c(C, s=(5, -1), axes=(1, 2))]
_nan_sums = [c(NV), c(NV, axis=0), c(N, axis=1), c(NV, dtype=np.float32), c(NV, keepdims=True), c(NV, initial=2.0),
             c(NV, where=~np.isnan(NV) & (NV > 2)), c(EZ)]  # fmt: skip
_nan_spreads = [c(NV), c(NV, axis=0), c(NV, axis=1, ddof=1), c(NV, dtype=np.float32), c(NV, keepdims=True), c(N), c(EZ)]
_quantiles = ["linear", "lower", "higher", "nearest", "midpoint", "interpolated_inverted_cdf", "hazen", "weibull",
              "median_unbiased", "normal_unbiased"]  # fmt: skip
_sets = [c(I, X), c(N, I), c(X, X[::-1]), c(E, E), c(I, I[:0])]
_inverses = [c(T), c(C[0, :3, :3] + np.eye(3)), c(F), c(G), c(C)]

CALLS |= {
    np.append: [c(V, V), c(F, N), c(F, N, axis=0), c(V, 2.5), c(F, [[1], [2]], 1)],
    np.column_stack: [c([V, V]), c([F, V[:2]]), c([N, N])], np.block: [c([[F, N], [N, F]]), c([V, V]), c(F), c([[V],
        [V]])],
    np.array_split: [c(X, 4), c(C, [1, 2], axis=1), c(F, 2, 1)], np.split: [c(X, 3), c(X, [2, 4]), c(C, 2, axis=2)],
    np.hsplit: [c(X, 2), c(C, [1]), c(F, 3)], np.vsplit: [c(F, 2), c(C, [1])], np.dsplit: [c(C, 2), c(C, [1, 3])],
    np.unstack: [c(F), c(C, axis=1)], np.broadcast_arrays: [c(F, V[:3]), c(F[:, :1], V)],
    np.flipud: [c(F), c(V)], np.fliplr: [c(F), c(C)],
    np.rot90: [c(F), c(F, 2), c(F, k=3), c(C, axes=(1, 2)), c(F, 4), c(F, -1)],
    np.rollaxis: [c(C, 2), c(C, 0, 3), c(C, 2, start=1), c(C, 1, 1)],
    np.pad: [c(V, 2), c(F, ((1, 2), (0, 1))), c(F, (1, 2), constant_values=3), c(F, 1, constant_values=((1, 2), (3,
        4))),
             *(c(X, (4, 7), m) for m in ("edge", "reflect", "symmetric", "wrap")), c(F, 1, mode="edge"), c(N, (0, 1),
             "wrap"),
             c(V[:1], 3, "reflect")],
    np.delete: [c(V, 1), c(F, [0, -1], axis=1), c(F, 1, 0), c(X, slice(1, 4)), c(F, 2), c(X, [True, False] * 3)],
    np.insert: [c(V, 1, 9.5), c(F, 1, 7.0, axis=1), c(X, [1, 3], [8.0, 9.0]), c(F, 0, V[:3], 0), c(N, 1, 2.5), c(V,
        -1, 0)],
    np.resize: [c(V, (3, 3)), c(F, 4), c(V, (2, 1))], np.trim_zeros: [c(U[1:]), c(U[1:], "b"), c(U[1:], trim="f"),
        c(V * 0)],
    np.diff: [c(V), c(F), c(F, axis=0), c(X, n=2), c(B), c(V, prepend=0), c(V, append=[1, 2]), c(F, 1, -1, 2.5), c(S)],
    np.packbits: [c(B), c(N, axis=1), c(M, bitorder="little"), c(C > 4, 0, "little"), c(N > 2, axis=-1)],
    np.unpackbits: [c(U), c(U[:, None], axis=1), c(U, count=10), c(U, count=40), c(U, bitorder="little"),
        c(U.reshape(2, 2), axis=0, count=-3)],
    np.ediff1d: [c(F), c(V, to_end=9), c(V, to_begin=[1.5, 2]), c(N)],
    np.gradient: [c(X), c(F), c(F, axis=1), c(X, 0.5), c(X, edge_order=2), c(C, 1.0, 2.0, 0.5), c(X,
        np.cumsum(I + 1.0)),
                  c(I), c(X, np.cumsum(I + 1.0), edge_order=2), c(G, axis=(0, 1))],
    np.trapezoid: [c(X), c(F, dx=0.5), c(F, axis=0), c(X, np.cumsum(X)), c(F, x=F + N), c(F, V[:3])],
    np.unwrap: [c(X * 3), c(X * 3, discont=10.0), c(F * 4, axis=0), c(X * 3, period=4.0), c(I * 3, period=4),
        c(I * 2, period=5)],
    np.correlate: [c(X, V), c(X, V, "same"), c(X, V, mode="full"), c(V, X), c(I, I[:2], "full"), c(Z[0], Z[1, :1],
        "full"), c(X, V, 0), c(X, V, 1), c(X, V, mode=2),
                   c(np.tile(X, 9), np.tile(V, 9)), c(V, X, "same"), c(M, M, "full")],
    np.convolve: [c(X, V), c(X, V, "same"), c(X, V, mode="valid"), c(V, X), c(I, I[:2]), c(Z[0], Z[1, :1]), c(X, 2.0),
                  c(np.tile(X, 9), np.tile(V, 9))],
    np.interp: [c(X, V.cumsum(), V), c(X, V.cumsum(), V, left=-1.0), c(X, V.cumsum(), V, right=9.0), c(2.5, [1, 2,
        3], [4, 5, 7]),
                c(X, V.cumsum(), V * 1j), c(X, V, V, period=3.0), c(E, [0.5], [3.0]), c(F, [0, 1, np.inf], [1, 2, 3])],
    np.polyadd: [c(V, X), c(V, N[0]), c(N[0], V), c(2, V)], np.polysub: [c(V, X), c(N[0], V), c(V, 3)],
    np.polymul: [c(V, X), c(V * 0, V), c(np.array([0, 0, 3, 1]), N[0]), c(V, 2.5)],
    np.polyder: [c(V), c(N[0]), c(V, 2), c(V, m=3), c(V, 0)],
    np.polyint: [c(V), c(N[0]), c(V, 2), c(V, m=3), c(V, 2, [1.0, 2.0]), c(V, 2, 3.0), c(V, 0), c(V, k=4)],
    np.apply_over_axes: [c(np.sum, C, [0, 2]), c(np.max, F, 0), c(np.cumsum, F, [-1]), c(np.mean, C, (1,))],
    np.polyval: [c(V, X), c(I, F), c([1, 2], V)], np.vander: [c(V), c(I, 3), c(V, increasing=True), c(V, N=2)],
    np.cross: [c(F, N), c(F[0], F[1]), c(T, T + 1, axis=0), c(R, F[0], axisa=0), c(F[0], R, axisb=0), c(R, F[0],
        axisc=0)],
    np.ptp: [c(F), c(N, axis=0), c(F, keepdims=True), c(S, 1)],
    np.average: [c(F), c(N, axis=0), c(F, weights=N), c(F, 1, W), c(F, 1, W, True), c(F, keepdims=True), c(V,
        returned=True), c(N)],
    np.cov: [c(F), c(T), c(X), c(X, y=X[::-1]), c(R, rowvar=False), c(F, bias=True), c(F, ddof=0), c(F,
        dtype=np.float32), c(Z),
             c(F, N)],
    np.corrcoef: [c(F), c(T), c(X), c(X, y=X[::-1]), c(R, rowvar=False), c(F, dtype=np.float32), c(Z)],
    np.median: [c(F), c(N, axis=0), c(X), c(F, axis=(0, 1), keepdims=True), c(NV, 1), c(G, 1), c(S)],
    np.percentile: [c(F, 40), c(X, [10, 50, 95]), c(F, 25.0, axis=1), c(G, 30), c(N, 50, axis=0, keepdims=True),
        c(NV, 50, 0),
                    c(G, [30, 60]), *(c(X, 42, method=m) for m in _quantiles), c(X, [[10], [90]])],
    np.quantile: [c(F, 0.4), c(X, [0.1, 0.5, 1]), c(F, 0.25, axis=1), c(G, 0.3), c(N, 0.5, axis=0, keepdims=True),
        c(NV, 0.5, 0),
                  c(X, W[:1] / 3), *(c(X, 0.42, method=m) for m in _quantiles), c(X, 0), c(X, 1)],
    np.nansum: _nan_sums, np.nanprod: _nan_sums, np.nancumsum: [c(NV), c(NV, axis=0), c(NV, dtype=np.float32), c(N)],
    np.nancumprod: [c(NV), c(NV, axis=0), c(NV, dtype=np.float32), c(N)],
    np.nanmax: [c(NV), c(NV, axis=0), c(N), c(NV, keepdims=True), c(NA, 0)],
    np.nanmin: [c(NV), c(NV, axis=0), c(N), c(NV, keepdims=True), c(NA, 0)],
    np.nanargmax: [c(NV), c(NV, axis=0), c(N), c(NV, keepdims=True)],
    np.nanargmin: [c(NV), c(NV, axis=0), c(N), c(NV, keepdims=True)],
    np.nanmean: [c(NV), c(NV, axis=0), c(N), c(NV, dtype=np.float32), c(NV, keepdims=True), c(NA, 0), c(NV,
        where=NV > 2), c(EZ)],
    np.nanvar: _nan_spreads, np.nanstd: _nan_spreads,
    np.nanmedian: [c(NV), c(NV, axis=0), c(N), c(NV, 1, keepdims=True), c(NA, 0)],
    np.nanpercentile: [c(NV, 40), c(N, 40, axis=0), c(NV[0], [10, 60], 0), c(NV, 45, method="lower")],
    np.nanquantile: [c(NV, 0.4), c(N, 0.4, axis=0), c(NV[0], [0.1, 0.6], 0), c(NV, 0.45, method="lower")],
    np.bincount: [c(I), c(I, X), c(I, weights=I), c(I, minlength=9), c(I[:0])],
    np.digitize: [c(X, np.sort(V)), c(X, np.sort(V), right=True), c(X, np.sort(V)[::-1]), c(X, [0, 1, 2]), c(X, [3,
        1], True)],
    np.histogram_bin_edges: [c(X), c(X, 3, weights=I), c(X, 3), c(X, range=(0, 5)), c(I, bins=4), c(X, [0, 2, 5])],
    np.histogram: [c(X), c(X, 3), c(X, range=(0, 5)), c(I, bins=4), c(X, [0, 2, 5]), c(X, 4, density=True), c(X, 4,
        weights=I),
                   c(X, [0, 1, 2.5, 9], weights=X), c(N), c(V * 0 + 2), c(X, np.array([0, 2, 5, 9]), density=True),
                   c(G)],
    np.select: [c([F > 0, F < -1], [F, N]), c([F > 0, N > 2], [1, 2.5], default=7), c([B], [F[:, :1]], -1.0)],
    np.piecewise: [c(F, [F < 0, F > 1], [-1, 1]), c(X, [X < 0, X >= 0], [lambda v: -v, lambda v: v * 2]),
                   c(I, [I > 1], [lambda v: v * v, 7]), c(X, X > 99, [lambda v: v.max(), 0])],
    np.choose: [c(N % 3, [F, N, F * 2]), c(I, [X, X, X, -X]), c(I, [1, 2], mode="clip"), c(N, [F, F * 2], mode="wrap")],
    np.extract: [c(F > 0, F), c(N % 2, F)], np.compress: [c(M, F, axis=1), c([True, False], F, 0), c(B[0], V)],
    np.take_along_axis: [c(F, np.argsort(F, 1), 1), c(F, N[:, :1] % 2), c(F, N[:1] % 2, axis=0), c(F, I[:2],
        axis=None)],
    np.partition: [c(X[np.argsort(X)], 2), c(np.sort(F, 0), 1, axis=0), c(np.arange(4.0).reshape(2, 2), 1, axis=None)],
    np.argpartition: [c(np.arange(5.0), 2), c(np.sort(F, 0), 1, axis=0), c(np.arange(4.0).reshape(2, 2), 1, axis=None)],
    np.lexsort: [c((X, I)), c((N, F)), c((N, F), axis=0), c(N)], np.sort_complex: [c(Z), c(F), c(G), c(S)],
    np.unique: [c(I), c(X), c(N, return_index=True), c(X, return_inverse=True), c(I, return_counts=True), c(NV),
        c(NV, equal_nan=False),
                c(X, True, True, True), c(N, False, True), c(X[:0]), c(I, axis=0), c(B)],
    np.unique_values: [c(I[:1]), c(I[[0, 3]])], np.unique_counts: [c(I), c(N)], np.unique_inverse: [c(N)],
        np.unique_all: [c(X), c(N)],
    np.isin: [*_sets, c(X, [2, 3], invert=True), c(V[:2], X, True), c(B, [True])], np.union1d: _sets,
    np.intersect1d: [*_sets, c(V[1:], X, assume_unique=True)],
    np.setdiff1d: [*_sets, c(X, I[:2], assume_unique=True)], np.setxor1d: [*_sets, c(X, V[1:], assume_unique=True)],
    np.ravel_multi_index: [c([I, I], (4, 5)), c((I,), 4)], np.unravel_index: [c(I, (2, 2)), c(N, (2, 5)), c(I, 4)],
    np.inner: [c(F, N), c(V, V), c(C, F[:1, :1] * np.ones(4)), c(F, 2.0)], np.vdot: [c(F, N), c(Z, Z), c(V, V)],
    np.kron: [c(F, N), c(V, F), c(F, V), c(C, F), c(V, 2.0)], np.diagflat: [c(F), c(V, 1), c(V, k=-2)],
    np.linalg.matrix_power: [c(T, 3), c(T, 0), c(T, -2), c(T, 1)],
    np.linalg.multi_dot: [c([F, T, T]), c([F[0], T, T, F[1]]), c([F, T]), c([F, T, F[0]])],
    np.linalg.slogdet: [c(T), c(-T), c(T * 1j), c(C[:, :3, :3])],
    np.linalg.qr: [c(T), c(F), c(F.T), c(F.T, "complete"), c(F, mode="r"), c(G)],
    np.linalg.eigh: [c(T), c(T.astype(np.float32)), c(T, UPLO="U"), c(np.triu(T), "U")],
    np.linalg.eigvalsh: [c(T), c(np.triu(T), UPLO="U"), c(T.astype(np.float32))],
    np.linalg.svd: [c(T), c(F), c(F, full_matrices=False), c(F, compute_uv=False), c(F.T, False)],
    np.polyfit: [c(V, np.arange(4.0), 1), c(N[0], F.T, 1), c(V, V[::-1], 2, rcond=0.5), c(V, V[::-1], 1, w=V + 1)],
    np.apply_along_axis: [c(np.sum, 0, F), c(np.sort, -1, C), c(np.cumsum, 1, N)],
    np.lib.stride_tricks.sliding_window_view: [c(V, 2), c(F, (1, 2)), c(C, 2, axis=1), c(C, (2, 2), axis=(0, -1))],
    np.linalg.lstsq: [c(F.T, W), c(F.T, np.ones((3, 2))), c(F, V[:2]), c(T, W, rcond=0.6)],
    np.linalg.pinv: [*_inverses, c(F, rcond=0.9), c(F, rtol=0.9), c(N)],
    np.linalg.matrix_rank: [*_inverses, c(F, 5.0), c(F, tol=9.0), c(F, rtol=0.9), c(V)],
    np.linalg.cond: [c(T), c(F), c(T, 1), c(T, -2), c(T, p="fro"), c(T * 0)],
    np.array_equiv: [c(F, F), c(F, F[:1]), c(V, V[0] + 0 * V), c(F, V)], np.astype: [c(F, np.int32), c(F, np.float32,
        copy=False), c(N, np.float32)],
    np.fft.fft: [*_signal, *_spectrum], np.fft.ifft: [*_signal, *_spectrum], np.fft.rfft: _signal,
        np.fft.irfft: [*_spectrum[:4], c(X)],
    np.fft.hfft: [*_spectrum[:4], c(X)], np.fft.ihfft: _signal,
    **{f: _images for f in (np.fft.fft2, np.fft.ifft2, np.fft.rfft2, np.fft.irfft2, np.fft.fftn, np.fft.ifftn,
        np.fft.rfftn,
                            np.fft.irfftn)},
    np.fft.fftshift: [c(X), c(F), c(F, axes=1), c(C, (0, 2))], np.fft.ifftshift: [c(X), c(F), c(F, axes=1), c(C, (0,
        2))],
    np.linalg.diagonal: [c(C), c(F, offset=1)], np.linalg.trace: [c(C), c(F, offset=1), c(N, dtype=np.float32)],
    np.linalg.matrix_transpose: [c(C)], np.linalg.matmul: [c(F, T), c(C, C[0].T)], np.linalg.outer: [c(V, X)],
    np.linalg.tensordot: [c(F, N), c(F, T, axes=1)], np.linalg.cross: [c(F, N), c(T, T + 1, axis=0)],
    np.linalg.svdvals: [c(F)], np.linalg.matrix_norm: [c(F), c(C, keepdims=True), c(F, ord=1)],
    np.linalg.vector_norm: [c(F), c(C, axis=(0, 2)), c(F, axis=1, keepdims=True), c(F, ord=1)],
    np.linalg.vecdot: [c(F, N), c(Z, Z), c(F, N, axis=0)],
    np.cumulative_sum: [c(X), c(F, axis=1), c(F, axis=0, include_initial=True), c(N, axis=0, dtype=np.float32)],
    np.cumulative_prod: [c(X), c(F, axis=1), c(F, axis=0, include_initial=True), c(N, axis=0, dtype=np.float32)],
    np.fix: [c(F), c(X)], np.isposinf: [c(E), c(N)], np.isneginf: [c(-E), c(N)], np.isreal: [c(Z), c(F)],
    np.iscomplex: [c(Z), c(F)], np.iscomplexobj: [c(Z), c(F)], np.isrealobj: [c(Z), c(F)],
    np.result_type: [c(F, I), c(I, np.float32), c(I, 1.5)], np.can_cast: [c(F, np.int8), c(F, np.int8, "unsafe")],
    np.common_type: [c(F, I), c(Z)], np.sinc: [c(F), c(I), c(G)],
}  # fmt: skip

CALLS |= {
    np.empty_like: [c(F[:0]), c(N[:0], dtype=np.float32), c(F, shape=(0, 4)), c(F[:0], order="F")],
    np.linspace: [c(Y, 3, 5), c(Y, 3, num=4), c(Y, V1, 7, endpoint=False), c(F, F + 1, 3),
                  c(F, F + 1, 3, axis=1), c(I0, I1, 6, dtype=np.int64), c(Y, V1, 5, retstep=True), c(Y, Y, 4),
                  c(G0, 2.0, 5), c(Y, V1, 1), c(Y, V1),
                  c(Y, V1, 1, endpoint=False, retstep=True)],
    np.logspace: [c(Y, V1, 4), c(Y, V1), c(Y, V1, 4, endpoint=False), c(Y, V1, 4, base=2.0),
                  c(Y, V1, 4, dtype=np.float32), c(F[0], V[:3], 3, axis=1), c(Y, V1, num=3)],
    np.geomspace: [c(Y, V1, 4), c(Y, V1), c(Y, V1, 4, endpoint=False), c(Y, V1, num=3),
                   c(Y, V1, 4, dtype=np.float32)],
    np.meshgrid: [c(V, X), c(V, X, indexing="ij"), c(V, X, W, sparse=True), c(V, copy=False)],
    np.triu_indices_from: [c(F), c(F, k=1)], np.tril_indices_from: [c(F), c(F, k=1)], np.diag_indices_from: [c(Q),
        c(T)],
}  # fmt: skip

# What may be another value and yet gives the same: how an array lies in memory, how it is found, who may see it.
SAME = {"assume_unique": (np.isin,), "axis": (np.unique,), "weights": (np.histogram_bin_edges,),
        "order": (np.empty_like, np.copy, np.zeros_like, np.ones_like, np.full_like, np.einsum), "copy": (np.reshape,
        np.meshgrid, np.astype),
        "casting": (np.concatenate, np.concat, np.stack, np.vstack, np.hstack, np.einsum)}  # fmt: skip

METHODS = {
    "sum": _sums, "prod": _sums, "mean": CALLS[np.mean], "max": _extremes, "min": _extremes, "any": _questions,
    "all": _questions, "std": _spreads[:8], "var": _spreads[:8], "argmax": _positions, "argmin": _positions,
    "cumsum": _running, "cumprod": _running, "ravel": [c(C), c(C, order="F"), c(C, "F")],
    "flatten": [c(C), c(C, order="F")], "copy": [c(F), c(F, order="F")], "squeeze": CALLS[np.squeeze],
    "reshape": [c(F, 3, 2), c(F, (3, 2)), c(F, -1), c(C, 4, -1, order="F"), c(F, 6, copy=True)],
    "transpose": [c(F), c(C, 1, 2, 0), c(C, (1, 2, 0)), c(C, None)], "conj": [c(Z), c(F)], "conjugate": [c(Z)],
    "repeat": CALLS[np.repeat], "swapaxes": CALLS[np.swapaxes], "diagonal": CALLS[np.diagonal],
    "argsort": CALLS[np.argsort], "take": CALLS[np.take], "nonzero": CALLS[np.nonzero],
    "searchsorted": [c(np.sort(V), V), c(np.sort(V), V, side="right"), c(V, F, sorter=np.argsort(V))],
    "clip": [c(F, 0, 1), c(F, min=0), c(F, max=0)], "round": [c(F), c(F / 3, decimals=2)], "dot": [c(F, F.T)],
    "trace": CALLS[np.trace], "choose": CALLS[np.choose], "argpartition": CALLS[np.argpartition],
    "compress": [c(F, [True, False], axis=0), c(V, M)],
}  # fmt: skip
