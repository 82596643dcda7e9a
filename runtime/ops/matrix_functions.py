"""Functions of square matrices as wholes: exponentials, logarithms and square roots."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.graph.dtypes import NumPyArray
from runtime.graph.op import kernel, op, where_shapes_are_known
from runtime.ops.linalg import square, square_matrices

_PADE = [  # the coefficients of the quotient of polynomials of degree 13 that is nearest to exp, as whole numbers
    math.factorial(26 - k) / (math.factorial(13 - k) * math.factorial(k)) for k in range(14)
]


@kernel
def exponential(x: NumPyArray) -> object:
    """By a quotient of polynomials, of matrices so often halved that it is exact, which are squared as often."""
    n = x.shape[-1]
    flat = square_matrices(x).astype(np.result_type(x.dtype, np.float64))
    made = np.empty_like(flat)
    for at, a in enumerate(flat):
        size = np.max(np.sum(np.abs(a), axis=0), initial=0)
        if not np.isfinite(size):
            made[at] = np.nan
            continue
        halved = max(0, int(np.ceil(np.log2(size / 5.37)))) if size else 0
        a = a / 2.0**halved
        powers = [np.eye(n, dtype=a.dtype), a @ a]
        while len(powers) < 7:
            powers.append(powers[-1] @ powers[1])
        even = sum(c * p for c, p in zip(_PADE[::2], powers))
        odd = a @ sum(c * p for c, p in zip(_PADE[1::2], powers))
        found = np.linalg.solve(even - odd, even + odd)
        for _ in range(halved):
            found = found @ found
        made[at] = found
    return made.reshape(x.shape).astype(x.dtype)


expm = op("expm", square, "exponential({0})", tf="MatrixExponential", total=where_shapes_are_known)


_WELL = 1e4  # a basis of vectors, so far from a singular one, that hardly more is lost by it than by other ways


def _at_eigenvalues(a: NumPyArray, function: Callable[[Any], Any], otherwise: Callable[[Any], Any]) -> NumPyArray:
    """A function of a matrix, by that of its eigenvalues; otherwise, if its eigenvectors are nearly dependent."""
    if not np.isfinite(a).all():
        return np.full(a.shape, np.nan, complex)
    if np.array_equal(a, a.conj().T):
        values, vectors = np.linalg.eigh(a)
        return np.asarray((vectors * function(values.astype(complex))) @ vectors.conj().T)
    values, vectors = np.linalg.eig(a)
    if np.linalg.cond(vectors) < _WELL:
        return np.asarray((vectors * function(values.astype(complex))) @ np.linalg.inv(vectors))
    return np.asarray(otherwise(a.astype(complex)))


def _of_each(x: NumPyArray, function: Callable[[Any], NumPyArray]) -> NumPyArray:
    """A function of each matrix, with 64 bits; NaN where matrices of real numbers have none."""
    flat = square_matrices(x).astype(np.result_type(x.dtype, np.float64))
    made = np.empty(flat.shape, complex)
    with np.errstate(all="ignore"):
        for at, a in enumerate(flat):
            made[at] = function(a)
    if x.dtype.kind != "c":
        off = np.abs(made.imag).max((-2, -1), initial=0) > 1e-6 * np.abs(made.real).max((-2, -1), initial=0)
        return np.where(off[:, None, None], np.nan, made.real).reshape(x.shape).astype(x.dtype)
    return made.reshape(x.shape).astype(x.dtype)


def _root_by_iteration(a: NumPyArray) -> NumPyArray:
    """By Newton's method, the product form of Denman and Beavers, scaled by determinants; NaN if that finds no end."""
    n, one = len(a), np.eye(len(a))
    found, left = a, a
    try:
        for _ in range(60):
            scale = np.exp(-np.linalg.slogdet(left)[1] / (2 * n))
            inverse = np.linalg.inv(left) / scale**2
            found = 0.5 * scale * found @ (one + inverse)
            left = 0.5 * (one + 0.5 * (scale**2 * left + inverse))
            if np.abs(left - one).max() < 1e-14 * n:
                return found
    except np.linalg.LinAlgError:  # the matrix has no inverse
        pass
    return np.full(a.shape, np.nan, complex)


def _root(a: NumPyArray) -> NumPyArray:
    return _at_eigenvalues(a, np.sqrt, _root_by_iteration)


_NODES, _SHARES = np.polynomial.legendre.leggauss(12)


def _logarithm_by_roots(a: NumPyArray) -> NumPyArray:
    """Roots until the matrix is nearly one, of which the logarithm is an integral, times as many twos."""
    one, halved = np.eye(len(a)), 0
    while np.abs(a - one).sum(0).max() > 0.25 and halved < 100:
        a, halved = _root_by_iteration(a), halved + 1
    rest = a - one
    parts = (0.5 * share * np.linalg.solve(one + 0.5 * (1 + node) * rest, rest) for node, share in zip(_NODES, _SHARES))
    return np.asarray(2.0**halved * sum(parts))


@kernel
def square_roots(x: NumPyArray) -> object:
    return _of_each(x, _root)


@kernel
def logarithms(x: NumPyArray) -> object:
    return _of_each(x, lambda a: _at_eigenvalues(a, np.log, _logarithm_by_roots))


sqrtm = op("sqrtm", square, "square_roots({0})", tf="MatrixSquareRoot", total=where_shapes_are_known)
logm = op("logm", square, "logarithms({0})", tf="MatrixLogarithm", total=where_shapes_are_known)
