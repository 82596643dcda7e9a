"""Products of matrices in native code: parts of matrices, and of a matrix with its own transpose."""

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from runtime.executors.native import products  # noqa: E402 - it needs llvmlite

dtypes = pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, np.complex128])


def numbers(dtype, *dims):
    draw = np.random.default_rng(dims[0])
    made = draw.integers(-9, 9, dims) if np.dtype(dtype).kind == "i" else draw.standard_normal(dims)
    return (made + 1j * draw.standard_normal(dims) if np.dtype(dtype).kind == "c" else made).astype(dtype)


def agree(function, *arguments):
    found = tf.function(function, jit_compile=True, numpy=True)(*arguments)
    wanted = function(*arguments)
    close = 1e-4 if wanted.dtype == np.float32 else 1e-10
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, rtol=close, atol=close * max(1, np.abs(wanted).max(initial=0)))


@dtypes
def test_parts_that_begin_where_only_the_graph_knows(dtype):
    def columns(d):
        total = np.zeros(d.shape[1], d.dtype)
        for i in range(d.shape[1]):
            total[i:] += d[:, i] @ d[:, i:]
        return total

    def rows(d):
        total = np.zeros(d.shape[0], d.dtype)
        for i in range(d.shape[1]):
            total[i:] += d[i:, : i + 1] @ d[0, : i + 1]
        return total

    def transposed(d):
        total = np.zeros((3, 3), d.dtype)
        for i in range(d.shape[0] - 3):
            total += d[i : i + 3, i:].T[:3] @ d[i : i + 3, i : i + 3]
        return total

    agree(columns, numbers(dtype, 21, 17))
    agree(rows, numbers(dtype, 17, 17))
    agree(transposed, numbers(dtype, 12, 40))


@dtypes
@pytest.mark.parametrize("rows", [1, 5, 33])
def test_lines_that_do_not_lie_behind_one_another(dtype, rows):
    def repeated(v, n):
        return np.broadcast_to(v, (n, len(v))) @ np.broadcast_to(v, (n, len(v))).T

    def backwards(d):
        return d[::-1, ::-1] @ d[::-1].T

    def windows(v):
        return np.lib.stride_tricks.sliding_window_view(v, 4) @ v[:4]

    agree(lambda v: repeated(v, rows), numbers(dtype, 30))
    agree(backwards, numbers(dtype, rows, 7))
    agree(windows, numbers(dtype, 30 + rows))


@dtypes
@pytest.mark.parametrize("dims", [(1, 50), (50, 1), (7, 300), (129, 64), (130, 70), (331, 90)])
def test_a_matrix_with_its_transpose(dtype, dims, monkeypatch):
    monkeypatch.setattr(products, "_HALF", 10_000)
    matrix = numbers(dtype, *dims)
    agree(lambda a: a @ a.T, matrix)
    agree(lambda a: a.T @ a, matrix)
    agree(lambda a: a[1:, 1:] @ a[1:, 1:].T, matrix)
    agree(lambda a: a.T[:, 1:] @ a[1:], matrix)
    if np.dtype(dtype).kind == "f" and dims[1] > 1:
        agree(np.cov, matrix)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sizes_that_only_the_graph_knows(dtype):
    spec = tf.TensorSpec([None, None], dtype)
    square = tf.function(lambda a: tf.matmul(a, a, transpose_b=True), jit_compile=True, input_signature=[spec])
    for dims in ((0, 3), (1, 1), (200, 70), (70, 200), (513, 20)):
        a = numbers(dtype, *dims) if 0 not in dims else np.zeros(dims, dtype)
        np.testing.assert_allclose(square(a).numpy(), a @ a.T, rtol=1e-3, atol=1e-3)


def test_large_products_are_those_of_blas(monkeypatch):
    monkeypatch.setattr(products, "_HUGE", 1000)
    a, b = numbers(np.float64, 40, 30), numbers(np.float64, 30, 50)
    agree(lambda a, b: a @ b, a, b)
    agree(lambda a, b: b.T @ a.T, a, b)


def test_blocks_that_can_be_interrupted(monkeypatch):
    monkeypatch.setattr(products, "_BLOCK", 20_000)
    monkeypatch.setattr(products, "_WIDTH", 64)
    monkeypatch.setattr(products, "_HUGE", 1000)
    a, b = numbers(np.float64, 200, 60), numbers(np.float64, 60, 150)
    agree(lambda a, b: a @ b, a, b)
    agree(lambda a, b: a @ a.T, a, b)
