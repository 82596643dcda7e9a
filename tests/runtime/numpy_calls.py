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

# What may be another value and yet gives the same: how an array lies in memory, how it is found, who may see it.
SAME = {"order": (np.copy, np.zeros_like, np.ones_like, np.full_like, np.einsum), "copy": (np.reshape,),
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
    "trace": CALLS[np.trace],
}  # fmt: skip
