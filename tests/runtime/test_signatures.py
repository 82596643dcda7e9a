"""The library's own functions by their signatures: each option does something, or says that it does nothing here."""

import ast
import contextlib
import inspect
import io
import sys
import types

import numpy as np
import pytest

import runtime as tf
from runtime.tensors.operations import apply
from tests.programs import EXECUTORS, lacks_native_form
from tests.runtime import nn_figures

F = np.array([[1.5, -2.0, 3.25], [0.5, 4.0, -1.75]], np.float32)
N = np.array([[3, 1, 2], [6, 5, 3]], np.int32)
U = np.array([3, 0, 2, 255, 2], np.uint8)
S = np.array([-128, 7, 127, 7, 0], np.int8)
D = np.array([[True, False, True], [False, False, True]])
E = np.array([1.0, np.nan, np.inf, -2.0])
C = np.arange(24.0).reshape(2, 3, 4)
V = np.array([3.0, 1.0, 2.0, 1.0])
I = np.array([2, 0, -1], np.int32)
Z = np.array([[1 + 2j, -0.5j], [2.0, 3 - 1j]])
Q = np.array([[4.0, 1.0], [2.0, 3.0]])
X = np.arange(50.0).reshape(1, 5, 5, 2) % 7
W = np.arange(16.0).reshape(2, 2, 2, 2) % 5 - 2
J = np.array([[2, 0], [1, 1]], np.int32)
A = [F, N, U, S, D, E, C, V, I, Z, Q, X, W, J]
ARRAYS = {name: value for name, value in globals().items() if any(value is a for a in A)}


def convolution(strides=1, dilation=1):
    """By its definition, without padding."""
    height = (5 - dilation - 1) // strides + 1
    out = np.zeros((1, height, height, 2))
    for i, j, a, b in np.ndindex(height, height, 2, 2):
        out[0, i, j] += X[0, i * strides + a * dilation, j * strides + b * dilation] @ W[a, b]
    return out


def spread(filters):
    """Filters with zeros between their elements: without dilation what these are with one of 2."""
    n = filters.ndim - 2
    wide = np.zeros([*(2 * k - 1 for k in filters.shape[:n]), *filters.shape[n:]], filters.dtype)
    wide[(slice(None, None, 2),) * n] = filters
    return wide


def pooled(how, size, stride):
    count = (5 - size) // stride + 1
    windows = [
        X[:, i : i + size, j : j + size]
        for i in range(0, count * stride, stride)
        for j in range(0, count * stride, stride)
    ]
    return np.stack([how(w, axis=(1, 2)) for w in windows], 1).reshape(1, count, count, 2)


def padded(x):
    return np.pad(x, ((0, 0), (0, 1), (0, 1), (0, 0)))


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def first(f, *args, **kwargs):
    return f(*args, **kwargs)[0]


def second(f, *args, **kwargs):
    return f(*args, **kwargs)[1]


# An expression of this library's, and what it gives, of NumPy.
TABLE = [
    ("tf.nn.sufficient_statistics(F, [1], shift=2.0)[1]", "(F - 2).sum(1)"),
    ("tf.nn.sufficient_statistics(F, [1], keepdims=True)[2]", "(F ** 2).sum(1, keepdims=True)"),
    ("tf.nn.weighted_moments(F, [1], 1.0, keepdims=True)[0]", "F.mean(1, keepdims=True)"),
    ("tf.linalg.tridiagonal_solve(np.array([[0, 1], [2j, 2j], [1, 0]]), np.array([1j, 1]), conjugate_rhs=True)",
     "np.array([-0.5, -0.5j])"),
    ("tf.linalg.banded_triangular_solve(np.array([[2j, 3], [0, 1]]), np.array([[1], [2 + 1j]]), adjoint=True)",
     "np.linalg.solve(np.array([[2j, 0], [1, 3]]).conj().T, np.array([[1], [2 + 1j]]))"),
    ("tf.argmax(F)", "np.argmax(F, 0)"), ("tf.argmax(F, axis=1)", "np.argmax(F, 1)"),
    ("tf.argmax(F, output_type=tf.int32)", "np.argmax(F, 0).astype('i4')"),
    ("tf.argmin(F, axis=-1)", "np.argmin(F, -1)"),
    ("tf.argmin(F, output_type=tf.int32)", "np.argmin(F, 0).astype('i4')"),
    ("tf.argsort(F)", "np.argsort(F).astype('i4')"), ("tf.argsort(F, axis=0)", "np.argsort(F, 0).astype('i4')"),
    ("tf.argsort(U, direction='DESCENDING')", "np.array([3, 0, 2, 4, 1], 'i4')"),
    ("tf.argsort(S, direction='DESCENDING')", "np.array([2, 1, 3, 4, 0], 'i4')"),
    ("tf.argsort(E, direction='DESCENDING')", "np.array([1, 2, 0, 3], 'i4')"),
    ("tf.argsort(V, direction='DESCENDING', stable=True)", "np.array([0, 2, 1, 3], 'i4')"),
    ("tf.argsort(D, 0, direction='DESCENDING')", "np.array([[0, 0, 0], [1, 1, 1]], 'i4')"),
    ("tf.sort(F)", "np.sort(F)"), ("tf.sort(F, axis=0)", "np.sort(F, 0)"),
    ("tf.sort(U, direction='DESCENDING')", "np.array([255, 3, 2, 2, 0], 'u1')"),
    ("tf.sort(S, direction='DESCENDING')", "np.array([127, 7, 7, 0, -128], 'i1')"),
    ("tf.sort(E, direction='DESCENDING')", "np.array([np.nan, np.inf, 1, -2])"),
    ("first(tf.math.top_k, S)", "np.array([127], 'i1')"),
    ("first(tf.math.top_k, S, k=3)", "np.array([127, 7, 7], 'i1')"),
    ("second(tf.math.top_k, S, k=3)", "np.array([2, 1, 3], 'i4')"),
    ("second(tf.math.top_k, S, k=3, index_type=tf.int64)", "np.array([2, 1, 3])"),
    ("second(tf.math.top_k, U, k=2)", "np.array([3, 0], 'i4')"),
    ("first(tf.math.top_k, U, k=4, sorted=False)", "np.array([255, 3, 2, 2], 'u1')"),
    ("first(tf.math.top_k, E, k=3)", "np.array([np.nan, np.inf, 1])"),
    ("tf.boolean_mask(F, D)", "F[D]"), ("tf.boolean_mask(C, D[0], axis=1)", "C[:, D[0]]"),
    ("tf.constant(2.5, dtype=tf.float64)", "np.float64(2.5)"),
    ("tf.constant(3, shape=[2, 2])", "np.full((2, 2), 3, 'i4')"),
    ("tf.convert_to_tensor(3, dtype=tf.float32)", "np.float32(3)"),
    ("tf.convert_to_tensor(3, dtype_hint=tf.float64)", "np.float64(3)"),
    ("tf.cumsum(F)", "np.cumsum(F, 0)"), ("tf.cumsum(F, axis=1)", "np.cumsum(F, 1)"),
    ("tf.cumsum(V, exclusive=True)", "np.array([0., 3, 4, 6])"),
    ("tf.cumsum(V, reverse=True)", "np.array([7., 4, 3, 1])"),
    ("tf.math.cumprod(F, axis=1)", "np.cumprod(F, 1)"),
    ("tf.math.cumprod(V, exclusive=True)", "np.array([1., 3, 3, 6])"),
    ("tf.math.cumprod(V, reverse=True)", "np.array([6., 2, 2, 1])"),
    ("tf.einsum('ij,kj->ik', F, F, optimize='greedy')", "F @ F.T"),
    ("tf.eye(3)", "np.eye(3, dtype='f4')"), ("tf.eye(2, num_columns=3)", "np.eye(2, 3, dtype='f4')"),
    ("tf.eye(2, dtype=tf.int32)", "np.eye(2, dtype='i4')"),
    ("tf.eye(2, batch_shape=[3, 1])", "np.broadcast_to(np.eye(2, dtype='f4'), (3, 1, 2, 2))"),
    ("tf.gather(F, [1, 0])", "F[[1, 0]]"), ("tf.gather(F, [2, 0], axis=1)", "F[:, [2, 0]]"),
    ("tf.gather(F, [0], validate_indices=True)", "F[[0]]"),
    ("tf.gather(F, J, batch_dims=1)", "np.take_along_axis(F, J, 1)"),
    ("tf.gather(C, J, axis=2, batch_dims=1)", "np.stack([C[0][:, [2, 0]], C[1][:, [1, 1]]])"),
    ("tf.gather(C, J, axis=1, batch_dims=1)", "np.stack([C[0][[2, 0]], C[1][[1, 1]]])"),
    ("tf.gather_nd(F, [[1, 2], [0, 0]])", "F[[1, 0], [2, 0]]"),
    ("tf.gather_nd(F, [[2], [0]], batch_dims=1)", "F[[0, 1], [2, 0]]"),
    ("tf.matmul(F, F, transpose_b=True)", "F @ F.T"), ("tf.matmul(F, F, transpose_a=True)", "F.T @ F"),
    ("tf.matmul(Z, Z, adjoint_a=True)", "Z.conj().T @ Z"), ("tf.matmul(Z, Z, adjoint_b=True)", "Z @ Z.conj().T"),
    ("tf.norm(F)", "np.sqrt(np.sum(F * F))"), ("tf.norm(F, ord=1)", "np.abs(F).sum()"),
    ("tf.norm(F, ord=np.inf)", "np.abs(F).max()"), ("tf.norm(F, axis=1)", "np.linalg.norm(F, axis=1)"),
    ("tf.norm(F, ord=1, axis=(0, 1))", "np.linalg.norm(F, 1)"),
    ("tf.norm(F, keepdims=True)", "np.linalg.norm(F, keepdims=True)"),
    ("tf.norm(Z)", "np.linalg.norm(Z)"),
    ("tf.norm(F, ord=3, keepdims=True)", "np.sum(abs(F) ** 3, keepdims=True) ** np.float32(1 / 3)"),
    ("tf.linalg.matvec(Q, V[:2])", "Q @ V[:2]"), ("tf.linalg.matvec(Q, V[:2], transpose_a=True)", "Q.T @ V[:2]"),
    ("tf.linalg.matvec(Z, Z[0], adjoint_a=True)", "Z.conj().T @ Z[0]"),
    ("tf.clip_by_norm(F, 1.0)", "F / np.sqrt(np.sum(F * F))"),
    ("tf.clip_by_norm(F, 2.0, axes=[1])", "F * 2 / np.linalg.norm(F, axis=1, keepdims=True)"),
    ("tf.linalg.global_norm([V, Q])", "np.sqrt(np.sum(V * V) + np.sum(Q * Q))"),
    ("tf.clip_by_global_norm([V, Q], 2.0)[0][1]", "Q * 2 / np.sqrt(np.sum(V * V) + np.sum(Q * Q))"),
    ("tf.clip_by_global_norm([V, Q], 2.0, use_norm=8.0)[0][1]", "Q / 4"),
    ("tf.linalg.solve(Q, Q)", "np.linalg.solve(Q, Q)"),
    ("tf.linalg.solve(Q, Q, adjoint=True)", "np.linalg.solve(Q.T, Q)"),
    ("tf.linalg.solve(Z, Z + 1, adjoint=True)", "np.linalg.solve(Z.conj().T, Z + 1)"),
    ("tf.linalg.diag(V)", "np.diag(V)"), ("tf.linalg.diag(F)", "np.stack([np.diag(F[0]), np.diag(F[1])])"),
    ("tf.linspace(0.0, 1.0, 3)", "np.linspace(0, 1, 3, dtype='f4')"),
    ("tf.linspace(V, V + 1, 3)", "np.linspace(V, V + 1, 3)"),
    ("tf.linspace(V, V + 1, 3, axis=1)", "np.linspace(V, V + 1, 3, axis=1)"),
    ("tf.math.count_nonzero(N - 3)", "np.int64(4)"), ("tf.math.count_nonzero(N - 3, axis=0)", "np.array([1, 2, 1])"),
    ("tf.math.count_nonzero([['a', ''], ['b', 'c']], axis=0)", "np.array([2, 1])"),
    ("tf.math.count_nonzero(N - 3, keepdims=True)", "np.array([[4]])"),
    ("tf.math.count_nonzero(N - 3, dtype=tf.int32)", "np.int32(4)"),
    *((f"tf.reduce_{name}({x}{how})", f"np.{numpy}({x}{how}{dtype})")
      for name, numpy, x, dtype in (("sum", "sum", "N", ", dtype='i4'"), ("prod", "prod", "N", ", dtype='i4'"),
                                    ("max", "max", "S[None]", ""), ("min", "min", "N", ""), ("all", "all", "D", ""),
                                    ("any", "any", "D", ""), ("mean", "mean", "F", ""))
      for how in ("", ", axis=1", ", keepdims=True", ", axis=(0, 1)", ", axis=-1")),
    *((f"tf.math.reduce_{name}(C{how})", f"np.{numpy}(C{how})") for name, numpy in (("std", "std"), ("variance", "var"))
      for how in ("", ", axis=1", ", keepdims=True")),
    ("tf.reduce_logsumexp(C)", "np.log(np.exp(C).sum())"),
    ("tf.reduce_logsumexp(C, axis=2)", "np.log(np.exp(C).sum(2))"),
    ("tf.reduce_logsumexp(C, keepdims=True)", "np.log(np.exp(C).sum(keepdims=True))"),
    ("tf.reduce_max(D, axis=0)", "D.max(0)"), ("tf.reduce_min(D)", "D.min()"),
    ("tf.where(D)", "np.argwhere(D)"), ("tf.where(D, x=F, y=F * 2)", "np.where(D, F, F * 2)"),
    ("tf.nn.leaky_relu(F)", "np.where(F > 0, F, F * np.float32(0.2))"),
    ("tf.nn.leaky_relu(F, alpha=2.0)", "np.where(F > 0, F, F * 2)"),
    ("tf.nn.softmax(F)", "softmax(F)"), ("tf.nn.softmax(F, axis=0)", "softmax(F, 0)"),
    ("tf.nn.log_softmax(F)", "np.log(softmax(F))"), ("tf.nn.log_softmax(F, axis=0)", "np.log(softmax(F, 0))"),
    ("tf.nn.conv2d(X, W)", "convolution()"), ("tf.nn.conv2d(X, W, strides=2)", "convolution(2)"),
    ("tf.nn.conv2d(X, W, dilations=2)", "convolution(1, 2)"),
    ("tf.nn.conv2d(X, W, padding='SAME')[:, :4, :4]", "convolution()"),
    ("tf.nn.conv2d(X, W, padding='SAME')[:, 4:, 4:]", "(X[:, 4:, 4:] @ W[0, 0])"),
    ("tf.nn.conv3d(X[:, None], W[None], dilations=2)", "tf.nn.conv3d(X[:, None], spread(W[None]))"),
    ("tf.nn.conv1d_transpose(X[0], W[0], [5, 7, 2], 1, 'VALID', dilations=2)",
     "tf.nn.conv1d_transpose(X[0], spread(W[0]), [5, 7, 2], 1, 'VALID')"),
    *((f"tf.nn.{name}(X, W, [1, 9, 9, 2], 2, dilations=2)", f"tf.nn.{name}(X, spread(W), [1, 9, 9, 2], 2)")
      for name in ("conv2d_transpose", "conv_transpose")),
    ("tf.nn.conv3d_transpose(X[:, None], W[None], [1, 1, 5, 5, 2], 1, dilations=2)",
     "tf.nn.conv3d_transpose(X[:, None], spread(W[None]), [1, 1, 5, 5, 2], 1)"),
    ("tf.nn.scaled_dot_product_attention(F, F, F, scale=0.01)", "softmax(F @ F.T / 100) @ F"),
    ("tf.nn.scaled_dot_product_attention(F * 0, F, F, is_causal=True)", "np.cumsum(F, 0) / np.array([[1], [2]], 'f4')"),
    ("tf.nn.scaled_dot_product_attention(F * 0, F, F, mask=np.eye(2) > 0)", "F"),
    ("tf.nn.max_pool2d(X, 2)", "pooled(np.max, 2, 2)"), ("tf.nn.max_pool2d(X, 2, strides=1)", "pooled(np.max, 2, 1)"),
    ("tf.nn.max_pool2d(X, 2, padding='SAME')[:, :2, :2]", "pooled(np.max, 2, 2)"),
    ("tf.nn.max_pool2d(X, 2, padding='SAME')[:, 2:, 2:]", "X[:, 4:, 4:]"),
    ("tf.nn.avg_pool2d(X, 2)", "pooled(np.mean, 2, 2)"), ("tf.nn.avg_pool2d(X, 2, strides=1)", "pooled(np.mean, 2, 1)"),
    ("tf.nn.avg_pool2d(X, 2, padding='SAME')[:, 2:, 2:]", "X[:, 4:, 4:]"),
    ("tf.one_hot(I, 3)", "np.array([[0, 0, 1], [1, 0, 0], [0, 0, 0]], 'f4')"),
    ("tf.one_hot(I, 3, dtype=tf.int32)", "np.array([[0, 0, 1], [1, 0, 0], [0, 0, 0]], 'i4')"),
    ("tf.one_hot(I, 3, on_value=5)", "np.array([[0, 0, 5], [5, 0, 0], [0, 0, 0]], 'i4')"),
    ("tf.one_hot(I, 3, off_value=-1.0)", "np.array([[-1, -1, 1], [1, -1, -1], [-1, -1, -1]], 'f4')"),
    ("tf.one_hot(I, 3, on_value=np.inf, off_value=0.0)", "np.array([[0, 0, np.inf], [np.inf, 0, 0], [0, 0, 0]], 'f4')"),
    ("tf.one_hot(I, 2, axis=0)", "np.array([[0, 1, 0], [0, 0, 0]], 'f4')"),
    ("tf.one_hot(J, 3, axis=1)", "np.moveaxis(np.eye(3, dtype='f4')[J], -1, 1)"),
    ("tf.ones([2], dtype=tf.int32)", "np.ones(2, 'i4')"), ("tf.zeros([2], dtype=tf.bool)", "np.zeros(2, bool)"),
    ("tf.ones_like(F, dtype=tf.int32)", "np.ones((2, 3), 'i4')"),
    ("tf.zeros_like(F, dtype=tf.bool)", "np.zeros((2, 3), bool)"),
    ("tf.pad(F, [[1, 0], [0, 2]])", "np.pad(F, ((1, 0), (0, 2)))"),
    ("tf.pad(F, [[1, 0], [0, 2]], constant_values=7)", "np.pad(F, ((1, 0), (0, 2)), constant_values=7)"),
    ("tf.pad(F, [[1, 0], [2, 1]], mode='REFLECT')", "np.pad(F, ((1, 0), (2, 1)), 'reflect')"),
    ("tf.pad(F, [[2, 0], [3, 1]], mode='SYMMETRIC')", "np.pad(F, ((2, 0), (3, 1)), 'symmetric')"),
    ("tf.range(2, limit=7)", "np.arange(2, 7, dtype='i4')"),
    ("tf.range(0, 7, delta=2)", "np.arange(0, 7, 2, dtype='i4')"),
    ("tf.range(4, dtype=tf.float64)", "np.arange(4.0)"), ("tf.range(7, 0, -3)", "np.arange(7, 0, -3, dtype='i4')"),
    ("tf.repeat(F, 2)", "np.repeat(F, 2)"), ("tf.repeat(F, 2, axis=1)", "np.repeat(F, 2, 1)"),
    ("tf.repeat(F, [2, 0, 1], axis=1)", "np.repeat(F, [2, 0, 1], 1)"),
    ("tf.searchsorted([1., 2., 3.], V)", "np.searchsorted([1., 2, 3], V).astype('i4')"),
    ("tf.searchsorted([[1, 3, 5], [2, 4, 6]], [[2, 3], [4, 9]])", "np.array([[1, 1], [1, 3]], 'i4')"),
    ("tf.searchsorted([[1, 3, 5], [2, 4, 6]], [[2, 3], [4, 9]], 'right', tf.int64)", "np.array([[1, 2], [2, 3]])"),
    ("tf.searchsorted([1., 2., 3.], V, side='right')", "np.searchsorted([1., 2, 3], V, 'right').astype('i4')"),
    ("tf.searchsorted([1., 2., 3.], V, out_type=tf.int64)", "np.searchsorted([1., 2, 3], V)"),
    ("tf.shape(F, out_type=tf.int64)", "np.array([2, 3])"), ("tf.size(F, out_type=tf.int64)", "np.int64(6)"),
    ("tf.stack(tf.split(V, 2))", "V.reshape(2, 2)"), ("tf.stack(tf.split(F, 3, axis=1), axis=1)", "F[:, :, None]"),
    ("tf.stack(tf.split(V, [2, 2], num=2))", "V.reshape(2, 2)"), ("tf.concat(tf.split(F, [1, -1], axis=1), 1)", "F"),
    ("tf.squeeze(C[:1, :1])", "C[0, 0]"), ("tf.squeeze(C[:1, :1], axis=1)", "C[:1, 0]"),
    ("tf.stack(F)", "F"), ("tf.stack(C, axis=1)", "np.stack(list(C), 1)"),
    ("tf.stack(C, axis=-1)", "np.stack(list(C), -1)"),
    ("tf.transpose(C)", "C.T"), ("tf.transpose(C, perm=[1, 0, 2])", "C.transpose(1, 0, 2)"),
    ("tf.transpose(Z, conjugate=True)", "Z.conj().T"),
    ("second(tf.unique, U)", "np.array([0, 1, 2, 3, 2], 'i4')"),
    ("second(tf.unique, U, out_idx=tf.int64)", "np.array([0, 1, 2, 3, 2])"),
    ("tf.unstack(F)[1]", "F[1]"), ("tf.unstack(F, axis=1)[2]", "F[:, 2]"), ("tf.unstack(F, num=2)[1]", "F[1]"),
    ("tf.strings.as_string(F[0])", "np.array([b'1.500000', b'-2.000000', b'3.250000'], object)"),
    ("tf.strings.as_string(F[0], shortest=True)", "np.array([b'1.5', b'-2', b'3.25'], object)"),
    ("tf.strings.as_string(F[0], precision=2, scientific=True)",
     "np.array([b'1.50e+00', b'-2.00e+00', b'3.25e+00'], object)"),
    ("tf.strings.as_string(N[0], width=3)", "np.array([b'  3', b'  1', b'  2'], object)"),
    ("tf.strings.as_string(N[0], width=3, fill='0')", "np.array([b'003', b'001', b'002'], object)"),
    ("tf.strings.substr('a\\xe4b', 1, 1, unit='UTF8_CHAR')", "np.array('\\xe4'.encode(), object)"),
    ("tf.strings.split('a,b c', sep=',')", "np.array([b'a', b'b c'], object)"),
    ("tf.strings.split('a b c', maxsplit=1)", "np.array([b'a', b'b c'], object)"),
    ("tf.strings.reduce_join(tf.constant([['a', 'b'], ['c', 'd']]), axis=0)", "np.array([b'ac', b'bd'], object)"),
    ("tf.strings.reduce_join(tf.constant(['a', 'b']), keepdims=True)", "np.array([b'ab'], object)"),
    ("tf.strings.reduce_join(tf.constant(['a', 'b']), separator='-')", "np.array(b'a-b', object)"),
    ("tf.strings.regex_replace('a1b2', '[0-9]', '', replace_global=False)", "np.array(b'ab2', object)"),
    ("tf.strings.format('<>', V, placeholder='<>')", "np.array(b'[3 1 2 1]', object)"),
    ("tf.strings.format('{}', V, summarize=1)", "np.array(b'[3 ... 1]', object)"),
    *((f"tf.strings.{f}(b'a\\xff\\x01', {more})", wanted) for f, more, wanted in (
        ("unicode_decode", "'UTF-8', errors='ignore'", "np.array([97, 1], 'i4')"),
        ("unicode_decode", "'UTF-8', replacement_char=63", "np.array([97, 63, 1], 'i4')"),
        ("unicode_decode", "'UTF-8', replace_control_characters=True", "np.array([97, 65533, 65533], 'i4')"),
        ("unicode_split", "'UTF-8', errors='ignore'", "np.array([b'a', b'\\x01'], object)"),
        ("unicode_split", "'UTF-8', replacement_char=63", "np.array([b'a', b'?', b'\\x01'], object)"),
        ("unicode_transcode", "'UTF-8', 'UTF-8', errors='ignore'", "np.array(b'a\\x01', object)"),
        ("unicode_transcode", "'UTF-8', 'UTF-8', replacement_char=63", "np.array(b'a?\\x01', object)"),
        ("unicode_transcode", "'UTF-8', 'UTF-8', replacement_char=63, replace_control_characters=True",
         "np.array(b'a??', object)"))),
    *((f"tf.strings.{f}_with_offsets(b'a\\xff\\x01', 'UTF-8', {more})[0]", wanted) for f, more, wanted in (
        ("unicode_decode", "errors='ignore'", "np.array([97, 1], 'i4')"),
        ("unicode_decode", "replacement_char=63", "np.array([97, 63, 1], 'i4')"),
        ("unicode_decode", "replace_control_characters=True", "np.array([97, 65533, 65533], 'i4')"),
        ("unicode_split", "errors='ignore'", "np.array([b'a', b'\\x01'], object)"),
        ("unicode_split", "replacement_char=63", "np.array([b'a', b'?', b'\\x01'], object)"))),
    ("tf.strings.unicode_encode([97, -1], 'UTF-8', errors='ignore')", "np.array(b'a', object)"),
    ("tf.strings.unicode_encode([97, -1], 'UTF-8', replacement_char=63)", "np.array(b'a?', object)"),
    ("tf.strings.as_string(F[0], precision=1)", "np.array([b'1.5', b'-2.0', b'3.2'], object)"),
    ("tf.strings.join([tf.constant(['a', 'b']), 'c'], separator='-')", "np.array([b'a-c', b'b-c'], object)"),
    ("tf.strings.length('\\xe4b')", "np.int32(3)"), ("tf.strings.length('\\xe4b', unit='UTF8_CHAR')", "np.int32(2)"),
    ("tf.strings.lower('\\xc4B')", "np.array('\\xc4b'.encode(), object)"),
    ("tf.strings.lower('\\xc4B', encoding='utf-8')", "np.array('\\xe4b'.encode(), object)"),
    ("tf.strings.upper('\\xe4b')", "np.array('\\xe4B'.encode(), object)"),
    ("tf.strings.upper('\\xe4b', encoding='utf-8')", "np.array('\\xc4B'.encode(), object)"),
    ("tf.strings.to_number('7')", "np.float32(7)"), ("tf.strings.to_number('7', out_type=tf.int64)", "np.int64(7)"),
    ("tf.slice(F, [0, 1], [2, -1])", "F[0:2, 1:]"), ("tf.clip_by_value(N, 1.5, 3)", "np.clip(N, 1.5, 3)"),
    ("tf.map_fn(lambda x: x * 2, V)", "V * 2"), ("tf.map_fn(lambda x: 2, V, dtype=tf.float64)", "V * 0 + 2"),
    ("tf.map_fn(lambda x: 2, V, fn_output_signature=tf.int64)", "np.full(4, 2)"),
    ("tf.scan(lambda a, x: a - x, V)", "np.array([3., 2, 0, -1])"),
    ("tf.scan(lambda a, x: a - x, V, initializer=np.float64(1))", "np.array([-2., -3, -5, -6])"),
    ("tf.scan(lambda a, x: a - x, V, reverse=True)", "np.array([-5., -2, -1, 1])"),
    ("tf.foldl(lambda a, x: a * 10 + x, V)", "3121."), ("tf.foldr(lambda a, x: a * 10 + x, V)", "1213."),
    ("tf.foldl(lambda a, x: a * 10 + x, V, initializer=np.float64(1))", "13121."),
    ("tf.foldr(lambda a, x: a * 10 + x, V, initializer=np.float64(1))", "11213."),
    ("tf.vectorized_map(lambda x: x * 2, V)", "V * 2"),
    ("tf.linalg.svd(Q)[0]", "np.linalg.svd(Q)[1]"), ("tf.linalg.svd(F, full_matrices=True)[2][:, 2] ** 2",
     "np.linalg.svd(F)[2][2] ** 2"), ("tf.linalg.svd(Q, compute_uv=False)", "np.linalg.svd(Q)[1]"),
    ("tf.abs(tf.linalg.qr(C[0].T)[1])", "np.abs(np.linalg.qr(C[0].T)[1])"),
    ("tf.abs(tf.linalg.qr(C[0].T, full_matrices=True)[1])", "np.abs(np.linalg.qr(C[0].T, 'complete')[1])"),
    ("tf.linalg.eigvalsh(Q)", "np.linalg.eigvalsh(Q)"), ("tf.linalg.eigh(Q)[0]", "np.linalg.eigh(Q)[0]"),
    ("tf.linalg.slogdet(Q)[1]", "np.linalg.slogdet(Q)[1]"),
    ("tf.linalg.slogdet(Q).sign", "np.linalg.slogdet(Q)[0]"),
    ("tf.linalg.slogdet(Q).log_abs_determinant", "np.linalg.slogdet(Q)[1]"),
    ("tf.linalg.qr(Q).q @ tf.linalg.qr(Q).r", "Q"),
    ("tf.linalg.inv(Q, adjoint=True)", "np.linalg.inv(Q.T)"),
    ("tf.linalg.inv(Z, adjoint=True)", "np.linalg.inv(Z).conj().T"),
    ("tf.linalg.logdet(Q @ Q.T)", "np.log(np.linalg.det(Q @ Q.T))"),
    ("tf.linalg.triangular_solve(Q, Q)", "np.linalg.solve(np.tril(Q), Q)"),
    ("tf.linalg.triangular_solve(Q, Q, lower=False)", "np.linalg.solve(np.triu(Q), Q)"),
    ("tf.linalg.triangular_solve(Z, Z, adjoint=True)", "np.linalg.solve(np.tril(Z).conj().T, Z)"),
    ("tf.linalg.cholesky_solve(tf.linalg.cholesky(Q @ Q.T), Q)", "np.linalg.solve(Q @ Q.T, Q)"),
    ("tf.linalg.adjoint(Z)", "Z.conj().T"), ("tf.linalg.adjoint(F)", "F.T"),
    ("tf.linalg.band_part(C, 1, 0)", "np.tril(C) - np.tril(C, -2)"), ("tf.linalg.band_part(C, -1, 1)", "np.tril(C, 1)"),
    ("tf.linalg.diag_part(C)", "np.diagonal(C, axis1=1, axis2=2)"),
    ("tf.linalg.diag_part(Z)", "np.diagonal(Z)"),
    ("tf.linalg.set_diag(C, C[:, :, 0] * 7)", "np.where(np.eye(3, 4) > 0, C[:, :, :1] * 7, C)"),
    ("tf.linalg.set_diag(C[:, :, :2], C[:, :2, 0] * 7)",
     "np.where(np.eye(3, 2) > 0, (C[:, :, :1] * 7).repeat(2, 2), C[:, :, :2])"),
    ("tf.math.unsorted_segment_sum(V, np.array([2, 0, 2, 0]), 4)", "np.array([2., 0, 5, 0])"),
    ("tf.math.unsorted_segment_sum(C, np.zeros((2, 3), int), 1)", "C.sum((0, 1))[None]"),
    ("tf.math.unsorted_segment_mean([[1., 2.], [3., 4.]], [[0, 1], [1, -1]], 2)", "np.array([1., 2.5], 'f4')"),
    ("tf.math.unsorted_segment_sum(C, np.array([1, 1]), 2)", "np.stack([C[0] * 0, C[0] + C[1]])"),
    ("tf.math.unsorted_segment_mean(V, np.array([2, 0, 2, 0]), 4)", "np.array([1., 0, 2.5, 0])"),
    ("tf.math.unsorted_segment_sqrt_n(V, np.array([2, 0, 2, 0]), 4)", "np.array([2 / 2**0.5, 0, 5 / 2**0.5, 0])"),
    ("tf.math.unsorted_segment_max(S, np.array([1, 0, 1, 0, 0]), 3)", "np.array([7, 127, -128], np.int8)"),
    ("tf.math.unsorted_segment_min(U, np.array([1, 0, 1, 0, 0]), 3)", "np.array([0, 2, 255], np.uint8)"),
    ("tf.math.unsorted_segment_prod(V, np.array([2, 0, 2, 0]), 4)", "np.array([1., 1, 6, 1])"),
    *((f"tf.math.segment_{name}(F, np.array([1, 1]))", f"np.stack([F[0] * 0 + {empty}, np.{numpy}(F, 0)])")
      for name, numpy, empty in (("mean", "mean", 0), ("prod", "prod", 1), ("max", "max", 0), ("min", "min", 0))),
    ("tf.dynamic_partition(F, np.array([1, 0]), num_partitions=2)[1]", "F[:1]"),
    ("tf.dynamic_stitch([np.array([1, 3]), np.array(0)], [F, F[0] * 2])", "np.stack([F[0] * 2, F[0], F[0] * 0, F[1]])"),
    ("tf.unique_with_counts(U).count", "np.array([1, 1, 2, 1], 'i4')"),
    ("tf.unique_with_counts(U, out_idx=tf.int64).count", "np.array([1, 1, 2, 1])"),
    ("tf.math.bincount(N)", "np.bincount(N.ravel()).astype('i4')"),
    ("tf.math.bincount(N, weights=F)", "np.array([0, -2, 3.25, -.25, 0, 4, .5], 'f4')"),
    ("tf.math.bincount(N, minlength=8)", "np.array([0, 1, 1, 2, 0, 1, 1, 0], 'i4')"),
    ("tf.math.bincount(N, maxlength=3)", "np.array([0, 1, 1], 'i4')"),
    ("tf.math.bincount(N, dtype=tf.float32)", "np.array([0, 1, 1, 2, 0, 1, 1], 'f4')"),
    ("tf.math.bincount(J, axis=-1)", "np.array([[1, 0, 1], [0, 2, 0]], 'i4')"),
    ("tf.math.bincount(J, binary_output=True)", "np.array([1, 1, 1], 'i4')"),
    ("tf.strided_slice(C, [0, 1, 0], [2, 3, 4], strides=[1, 1, 2])", "C[0:2, 1:3, 0:4:2]"),
    ("tf.strided_slice(C, [1, 1, 2], [2, 2, 3], begin_mask=1)", "C[:2, 1:2, 2:3]"),
    ("tf.strided_slice(C, [0, 1, 2], [1, 2, 3], end_mask=5)", "C[0:, 1:2, 2:]"),
    ("tf.strided_slice(C, [0, 1], [0, 2], ellipsis_mask=1)", "C[..., 1:2]"),
    ("tf.strided_slice(V, [0, 1], [0, 2], new_axis_mask=1)", "V[None, 1:2]"),
    ("tf.strided_slice(C, [1, 1], [2, 2], shrink_axis_mask=1)", "C[1, 1:2]"),
    ("tf.shape_n([F], out_type=tf.int64)[0]", "np.array([2, 3])"),
    ("tf.broadcast_dynamic_shape([2, 1], [3])", "np.array([2, 3], 'i4')"),
    ("tf.math.invert_permutation(J[0] // 2)", "np.array([1, 0], 'i4')"),
    ("tf.math.confusion_matrix(J[0], J[1])", "np.array([[0, 1, 0], [0, 0, 0], [0, 1, 0]], 'i4')"),
    ("tf.math.confusion_matrix(J[0], J[1], num_classes=4)[3]", "np.zeros(4, 'i4')"),
    ("tf.math.confusion_matrix(J[0], J[1], dtype=tf.float64)[0]", "np.array([0., 1, 0])"),
    ("tf.math.confusion_matrix(J[0], J[1], weights=[5, 7])[0]", "np.array([0, 7, 0], 'i4')"),
    ("tf.unravel_index(N[0], [3, 4])", "np.stack(np.divmod(N[0], 4))"),
    ("tf.reverse_sequence(F, np.array([2, 1]), seq_axis=1)", "np.stack([F[0, [1, 0, 2]], F[1]])"),
    ("tf.reverse_sequence(F, np.array([2, 1, 2]), seq_axis=0, batch_axis=1)",
     "np.stack([F[[1, 0, 1], [0, 1, 2]], F[[0, 1, 0], [0, 1, 2]]])"),
    ("tf.histogram_fixed_width(V, [0.0, 4.0], nbins=2)", "np.array([2, 2], 'i4')"),
    ("tf.histogram_fixed_width(V, [0.0, 1e-3], dtype=tf.int64)[-1]", "np.int64(4)"),
    ("tf.histogram_fixed_width_bins(V, [0.0, 4.0], nbins=4)", "np.array([3, 1, 2, 1], 'i4')"),
    ("tf.histogram_fixed_width_bins(V, [0.0, 1e-3], dtype=tf.int64)", "np.full(4, 99)"),
    ("tf.math.xlogy(V - 1, V - 1)[1]", "0."), ("tf.math.xlog1py(V, V)", "V * np.log1p(V)"),
    ("tf.math.xdivy(V - 1, V - 1)", "np.array([1., 0, 1, 0])"),
    ("tf.math.multiply_no_nan(E, [2.0] * 4)", "E * 2"), ("tf.math.multiply_no_nan(E, [0.0] * 4)", "np.zeros(4)"),
    ("tf.math.reciprocal_no_nan(V - 1)", "np.array([0.5, 0, 1, 0])"),
    ("tf.math.log_sigmoid(V)", "-np.log1p(np.exp(-V))"),
    ("tf.math.polyval([1.0, 2.0, 3.0], V)", "np.polyval([1.0, 2.0, 3.0], V)"),
    ("tf.scalar_mul(2.0, V)", "V * 2"), ("tf.math.reduce_euclidean_norm(F)", "np.linalg.norm(F)"),
    ("tf.math.reduce_euclidean_norm(F, axis=1)", "np.linalg.norm(F, axis=1)"),
    ("tf.math.reduce_euclidean_norm(Z, keepdims=True)", "np.linalg.norm(Z, keepdims=True) + 0j"),
    ("tf.math.cumulative_logsumexp(V)", "np.logaddexp.accumulate(V)"),
    ("tf.math.cumulative_logsumexp(F, axis=1)", "np.logaddexp.accumulate(F, axis=1)"),
    ("tf.math.cumulative_logsumexp(V, exclusive=True)[1:]", "np.logaddexp.accumulate(V)[:-1]"),
    ("tf.math.cumulative_logsumexp(V, reverse=True)", "np.logaddexp.accumulate(V[::-1])[::-1]"),
    ("tf.math.is_non_decreasing(I)", "False"), ("tf.math.is_strictly_increasing(V[1:3])", "True"),
    ("tf.truncatediv(I, 3)", "np.array([0, 0, 0], 'i4')"), ("tf.truncatemod(I, 3)", "I"),
    ("tf.saturate_cast(F, tf.uint8)", "np.array([[1, 0, 3], [0, 4, 0]], 'u1')"),
    ("tf.meshgrid(V, I)[0]", "np.meshgrid(V, I)[0]"), ("tf.meshgrid(V, I, indexing='ij')[1]",
     "np.meshgrid(V, I, indexing='ij')[1]"),
    ("tf.bitcast(F, tf.int32)", "F.view('i4')"), ("tf.bitcast(V, tf.uint8)", "V.view('u1').reshape(4, 8)"),
    ("tf.linalg.cross(F, F + 1)", "np.cross(F, F + 1)"), ("tf.linalg.pinv(F)", "np.linalg.pinv(F)"),
    ("tf.linalg.pinv(Q, rcond=0.9)[0, 0] < tf.linalg.pinv(Q)[0, 0]", "True"),
    ("tf.linalg.matrix_rank(F)", "np.int32(2)"), ("tf.linalg.matrix_rank(Q, tol=3.0)", "np.int32(1)"),
    ("tf.linalg.tensor_diag(V)", "np.diag(V)"), ("tf.linalg.tensor_diag_part(tf.linalg.tensor_diag(F))", "F"),
    ("tf.linalg.normalize(F)[0]", "F / np.linalg.norm(F)"), ("tf.linalg.normalize(F, ord=1)[1]",
     "np.abs(F).sum(keepdims=True)"),
    ("tf.linalg.normalize(F, axis=1)[1]", "np.linalg.norm(F, axis=1, keepdims=True)"),
    ("tf.scatter_nd([[1], [3], [1], [0]], V, [5])", "np.array([1., 5, 0, 1, 0])"),
    ("tf.sequence_mask(N)", "np.arange(6) < N[..., None]"),
    ("tf.sequence_mask(N, maxlen=4)", "np.arange(4) < N[..., None]"),
    ("tf.sequence_mask(N, dtype=tf.int8)", "(np.arange(6) < N[..., None]).astype(np.int8)"),
    ("tf.cond(V[0] > 1, true_fn=lambda: V, false_fn=lambda: -V)", "V"),
    ("tf.case([(V[0] < 1, lambda: V)], default=lambda: -V)", "-V"),
    ("tf.switch_case(I[0], [lambda: V, lambda: -V], default=lambda: V * 2)", "V * 2"),
    ("tf.nn.softmax_cross_entropy_with_logits(F * 0 + 0.5, F)", "-(np.log(softmax(F)) / 2).sum(-1)"),
    ("tf.nn.softmax_cross_entropy_with_logits(F * 0 + 0.5, F, axis=0)", "-(np.log(softmax(F, 0)) / 2).sum(0)"),
    ("tf.nn.l2_loss(F)", "np.float32(np.sum(F * F) / 2)"),
    ("tf.math.segment_sum(F, np.array([1, 1]))", "np.stack([F[0] * 0, F[0] + F[1]])"),
    ("tf.grad(lambda x, y: tf.reduce_sum(x * y * y))(V, V + 1)", "(V + 1) ** 2"),
    ("tf.grad(lambda x, y: tf.reduce_sum(x * y * y), argnums=1)(V, V + 1)", "2 * V * (V + 1)"),
    ("tf.grad(lambda x, y: tf.reduce_sum(x * y * y), argnums=(1, 0))(V, V + 1)[1]", "(V + 1) ** 2"),
    ("tf.grad(lambda x: (tf.reduce_sum(x * x), x[0]), has_aux=True)(V)[1]", "V[0]"),
    ("tf.value_and_grad(lambda x, y: tf.reduce_sum(x * y * y), argnums=1)(V, V + 1)[1]", "2 * V * (V + 1)"),
    ("tf.value_and_grad(lambda x: (tf.reduce_sum(x * x), x[0]), has_aux=True)(V)[0][1]", "V[0]"),
    ("tf.jvp(lambda x: x * x, [V], [V + 1])[1]", "2 * V * (V + 1)"),
    ("first(tf.while_loop, lambda v: v[0] < 9, lambda v: [v * 2], [V], maximum_iterations=1)", "V * 2"),
]  # fmt: skip

# What does nothing here, as the documentation says; most are about the way in which TensorFlow works.
WITHOUT_EFFECT = {
    "argsort": {"stable"}, "top_k": {"sorted"}, "gather": {"validate_indices"}, "einsum": {"optimize"},
    "map_fn": {"parallel_iterations", "back_prop", "swap_memory", "infer_shape"},
    "scan": {"parallel_iterations", "back_prop", "swap_memory", "infer_shape", "use_default_device"},
    "foldl": {"parallel_iterations", "back_prop", "swap_memory"},
    "foldr": {"parallel_iterations", "back_prop", "swap_memory"}, "vectorized_map": {"fallback_to_while_loop", "warn"},
    "while_loop": {"shape_invariants", "parallel_iterations", "back_prop", "swap_memory"},
    "set_loop_options": {"shape_invariants", "parallel_iterations", "swap_memory"},
    "case": {"strict"}, "numpy_function": {"stateful"},
    "map": {"num_parallel_calls", "deterministic", "synchronous", "use_unbounded_threadpool"},
    "interleave": {"num_parallel_calls", "deterministic"},
    "batch": {"num_parallel_calls", "deterministic"}, "assign": {"use_locking"}, "assign_add": {"use_locking"},
    "assign_sub": {"use_locking"}, "enable_check_numerics": {"stack_height_limit", "path_length_limit"},
    "TensorArray": {"tensor_array_name", "colocate_with_first_write_call"},
    "gradients": {"gate_gradients"}, "hessians": {"gate_gradients"}, "ExponentialMovingAverage": {"zero_debias"},
    "jacobian": {"parallel_iterations", "experimental_use_pfor"},
    "batch_jacobian": {"parallel_iterations", "experimental_use_pfor"},
    "moments": {"shift"}, "eigh_tridiagonal": {"tol"}, "tridiagonal_solve": {"partial_pivoting", "perturb_singular"},
    **dict.fromkeys(("pinv", "matrix_rank", "lu_matrix_inverse", "lu_reconstruct", "lu_solve"), {"validate_args"}),
    **dict.fromkeys(("stateless_categorical", "stateless_normal", "stateless_truncated_normal", "stateless_uniform",
                     "fold_in"), {"alg"}), "ctc_loss": {"unique"},
    "split": {"num"}, "unstack": {"num"},  # where they may be left out they only check
    **dict.fromkeys([name for name in dir(tf.debugging) if name.lower().startswith("assert")], {"summarize"}),
}  # fmt: skip
# What decides what is raised or printed, how a function is traced, or what a tensor is described by.
ELSEWHERE = {
    # tests/tensorflow/programs: matrices.py, everyday.py, pipelines.py
    "banded_triangular_solve": {"lower"}, "eigh_tridiagonal": {"select", "select_range", "eigvals_only"},
    "lstsq": {"fast", "l2_regularizer"}, "tridiagonal_matmul": {"diagonals_format"},
    "tridiagonal_solve": {"diagonals_format", "transpose_rhs"}, "list_files": {"shuffle", "seed"},
    "local_response_normalization": {"depth_radius", "bias", "alpha", "beta"},
    "compute_average_loss": {"global_batch_size", "sample_weight"},
    "bucket_by_sequence_length": {"no_padding"},  # tests/tensorflow/programs/pipelines.py
    "ignore_errors": {"log_warning"},  # test_data.py
    "depth_to_space": {"data_format"}, "space_to_depth": {"data_format"},  # test_nn.py
    # test_linalg_shapes.py
    "lu": {"output_idx_type"}, "diag": {"k", "num_rows", "num_cols", "padding_value", "align"},
    "diag_part": {"k", "padding_value", "align"}, "set_diag": {"k", "align"},
    **dict.fromkeys(("py_function", "numpy_function"), {"func", "inp", "Tout"}),  # test_function.py
    "explore": {"times"},  # test_explorer.py
    "ngrams": {"separator", "pad_values", "padding_width", "preserve_short_sequences"},  # test_strings.py
    "save": {"compression", "shard_func", "checkpoint_args"},  # test_data.py
    "load": {"compression", "element_spec", "wait", "reader_func"},
    "eval": {"feed_dict", "session"},  # test_compat.py
    "to_device": {"stream"},  # test_array_api.py
    "get_static_value": {"partial"},  # test_concrete.py
    "assert_integer": {"message"}, "assert_rank_at_least": {"message"}, "assert_rank_in": {"message"},
    "assert_same_float_dtype": {"tensors", "dtype"},  # test_check_numerics.py
    "function": {
        "func", "input_signature", "autograph", "jit_compile", "reduce_retracing", "experimental_compile",
        "experimental_relax_shapes", "experimental_follow_type_hints", "experimental_implements", "numpy",
        "experimental_attributes", "experimental_autograph_options",
    },
    "Function": {
        "input_signature", "autograph", "jit_compile", "reduce_retracing", "experimental_follow_type_hints", "numpy"
    },
    **dict.fromkeys(("stateless_normal", "stateless_truncated_normal"), {"mean", "stddev", "dtype"}),  # test_random.py
    "ragged_batch": {"drop_remainder", "row_splits_dtype"},  # test_ragged.py
    "rebatch": {"drop_remainder"}, "rejection_resample": {"seed", "initial_dist"},
    "snapshot": {"shard_func", "reader_func", "compression"},  # test_data.py
    "strided_slice": {"var"}, "stateless_uniform": {"minval", "maxval", "dtype"}, "stateless_categorical": {"dtype"},
    "split": {"alg", "num"},
    # gradients/test_tape.py
    "gradients": {"stop_gradients", "grad_ys", "aggregation_method", "unconnected_gradients"},
    "GradientTape": {"persistent", "watch_accessed_variables"}, "batch_jacobian": {"unconnected_gradients"},
    "hessians": {"aggregation_method"}, "jvp": {"unconnected_gradients"},  # gradients/test_forward.py
    "ExponentialMovingAverage": {"num_updates", "name"},  # test_moving_averages.py
    "gradient": {"output_gradients", "unconnected_gradients"}, "jacobian": {"unconnected_gradients"},
    "TensorShape": {"dims"}, "TensorSpec": {"shape", "dtype"}, "set_loop_options": {"maximum_iterations"},
}  # fmt: skip


def with_names(expression, names):
    return eval(expression, {"tf": tf, "np": np, "first": first, "second": second, **names})


def run(expression, jit_compile):
    used = [
        n for n in ARRAYS if n in {node.id for node in ast.walk(ast.parse(expression)) if isinstance(node, ast.Name)}
    ]
    function = tf.function(
        lambda *values: with_names(expression, dict(zip(used, values))), jit_compile=jit_compile, autograph=False
    )
    try:
        return function(*(ARRAYS[n] for n in used))
    except ValueError as error:
        if jit_compile and lacks_native_form(error):
            pytest.skip(str(error).splitlines()[0])
        raise


RUNS = {"eager": lambda e: with_names(e, {n: tf.constant(a) for n, a in ARRAYS.items()})}
RUNS |= {f"jit_compile={jit}": lambda e, jit=jit: run(e, jit) for jit in EXECUTORS}


def assert_same(mine, wanted):
    found, wanted = np.asarray(mine), np.asarray(wanted)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    if found.dtype.kind in "fc":
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    else:
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("how", RUNS.values(), ids=RUNS)
@pytest.mark.parametrize("expression, wanted", TABLE)
def test_options_mean_what_they_say(expression, wanted, how):
    with np.errstate(all="ignore"):
        assert_same(how(expression), eval(wanted, {**globals()}))


def options(function):
    parameters = inspect.signature(function).parameters.values()
    return {p.name for p in parameters if p.default is not p.empty or p.kind is p.VAR_KEYWORD} - {"name"}


NAMESPACES = [tf, tf.math, tf.linalg, tf.bitwise, tf.nn, tf.random, tf.strings, tf.debugging, tf.autograph.experimental]
CLASSES = [tf.Variable, tf.TensorArray, tf.data.Dataset, tf.Tensor, tf.GradientTape]


def public():
    """Functions by their identity, with the last part of their name, and methods of classes."""
    found = {}
    for space in NAMESPACES:
        for name in getattr(space, "__all__", vars(space)):
            value = getattr(space, name)
            ours = getattr(value, "__module__", "").startswith("runtime") and value is not apply
            if not name.startswith("_") and callable(value) and ours and not isinstance(value, types.ModuleType):
                if not isinstance(value, type) or value in CLASSES:
                    found.setdefault(id(value), (name, value))
    methods = [
        (name, getattr(value, "__func__", value))
        for cls in CLASSES
        for name, value in vars(cls).items()
        if not name.startswith("_") and callable(getattr(value, "__func__", value))
    ]
    return [*found.values(), *methods]


def used_in_table():
    """By function, the options that an expression gives, each of which changes what it gives."""
    found = {}
    table = [(expression, ARRAYS) for expression, _ in TABLE]
    for expression, arrays in [*table, *((e, nn_figures.ARRAYS) for e in nn_figures.EXPRESSIONS)]:
        for node in ast.walk(ast.parse(expression)):
            if isinstance(node, ast.Call):
                holder = (
                    node.args[0]
                    if isinstance(node.func, ast.Name) and node.func.id in ("first", "second")
                    else node.func
                )
                if isinstance(holder, ast.Attribute):
                    for keyword in node.keywords:
                        if has_effect(expression, holder.attr, keyword.arg, arrays):
                            found.setdefault(holder.attr, set()).add(keyword.arg)
    return found


def has_effect(expression, name, option, arrays):
    tree = ast.parse(expression, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            node.keywords = [k for k in node.keywords if k.arg != option]
    if option in WITHOUT_EFFECT.get(name, ()):
        return True
    names = {n: tf.constant(a) for n, a in arrays.items()}
    try:
        both = [nn_figures.values(with_names(e, names)) for e in (ast.unparse(tree), expression)]
        for mine, wanted in zip(*both, strict=True):
            assert_same(mine, wanted)
    except (AssertionError, TypeError, ValueError, IndexError):
        return True
    return False


def test_every_option_is_in_a_test():
    covered = used_in_table()
    for more in (WITHOUT_EFFECT, ELSEWHERE, effects_of_calls()):
        for name, given in more.items():
            covered[name] = covered.get(name, set()) | given
    missing = {
        f"{name}: {left}" for name, function in public() if (left := options(function) - covered.get(name, set()))
    }
    assert not missing, "\n".join(sorted(missing))


# Options that are seen in something else than a value: a call without and one with it, and what tells them apart.


def drawn(function, **kwargs):
    tf.random.set_seed(3)
    return [np.asarray(function(**kwargs)).tolist() for _ in range(2)]


def message(function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except (ValueError, TypeError, NotImplementedError, IndexError, tf.errors.InvalidArgumentError) as error:
        return type(error).__name__, str(error)
    return None


def elements(dataset):
    return [np.asarray(e).tolist() for e in dataset]


def variable(**kwargs):
    made = tf.Variable(**{"initial_value": np.ones(2), **kwargs})
    text = message(made.assign, np.ones(3)), message(made.assign, np.ones((2, 2)))
    return made.dtype.name, made.trainable, made.shape.rank, text, made.numpy().tolist()


def read_twice(**kwargs):
    made = tf.TensorArray(tf.float32, size=1, **kwargs).write(0, 1.0)
    return made.read(0), made.read(0)


def array(dtype=tf.float32, **kwargs):
    def f():
        made = tf.TensorArray(dtype, **kwargs)
        shape = made.element_shape.as_list() if made.element_shape.rank is not None else None
        made = made.write(0, [1.0])
        return made.size(), shape, message(lambda: made.write(1, [1.0, 2.0]))

    return str(message(f) or f())


DATA = tf.data.Dataset.range(5)


def generated(**kwargs):
    made = tf.data.Dataset.from_generator(lambda *a: iter([1, 2, *a]), **kwargs)
    return [(e.dtype.name, e.numpy().tolist()) for e in made], str(made.element_spec)


def _chosen_datasets():
    data, more = tf.data.Dataset, tf.data.Dataset.range(10, 12)
    choices = data.from_tensor_slices([1, 1, 1, 0])

    def rows(**given):
        found = DATA.map(lambda n: tf.fill([n % 3], n)).bucket_by_sequence_length(len, [5], [2, 2], **given)
        return found.map(lambda batch: tf.strings.as_string(batch)).map(lambda batch: tf.strings.reduce_join(batch))

    for what, option, *made in (
        ("choose_from_datasets", "stop_on_empty_dataset",
         lambda **k: data.choose_from_datasets([DATA, more], choices, **k), {"stop_on_empty_dataset": False}),
        *(("group_by_window", option, lambda **k: DATA.group_by_window(
            lambda n: n % 2, lambda key, some: some.batch(9), **(k or {"window_size": 1})), {option: value})
          for option, value in {"window_size": 2, "window_size_func": lambda key: key + 1}.items()),
        *(("bucket_by_sequence_length", option, lambda **k: rows(**k), {option: value}) for option, value in {
            "padded_shapes": [9], "padding_values": 7, "pad_to_bucket_boundary": True, "drop_remainder": True,
          }.items()),
        ("counter", "start", lambda **k: data.counter(**k).take(2), {"start": 4}),
        ("counter", "step", lambda **k: data.counter(**k).take(2), {"step": 4}),
        ("counter", "dtype", lambda **k: data.counter(**k).take(2).map(lambda v: v.dtype.size), {"dtype": tf.int8}),
        ("interleave", "cycle_length", lambda **k: DATA.interleave(data.range, **k), {"cycle_length": 2}),
        ("interleave", "block_length",
         lambda **k: DATA.interleave(data.range, cycle_length=3, **k), {"block_length": 2}),
        ("padded_batch", "padded_shapes", lambda **k: DATA.batch(2).padded_batch(2, **k), {"padded_shapes": [4]}),
        ("padded_batch", "padding_values", lambda **k: DATA.batch(2).padded_batch(3, **k), {"padding_values": 9}),
        ("padded_batch", "drop_remainder", lambda **k: DATA.padded_batch(2, **k), {"drop_remainder": True}),
        ("random", "seed", lambda **k: data.random(**k).take(2), {"seed": 4}),
        ("random", "rerandomize_each_iteration",
         lambda **k: (lambda d: d.concatenate(d).batch(2).map(tf.unique).map(lambda found: tf.size(found.y)))(
             data.random(seed=1, **k).take(1)), {"rerandomize_each_iteration": True}),
        ("sample_from_datasets", "seed",
         lambda **k: data.sample_from_datasets([data.range(40), data.range(40)], **k), {"seed": 4}),
        ("sample_from_datasets", "weights", lambda **k: data.sample_from_datasets([DATA, more], seed=1, **k),
         {"weights": [0.0, 1.0]}),
        ("sample_from_datasets", "stop_on_empty_dataset",
         lambda **k: data.sample_from_datasets([DATA, more], seed=1, **k), {"stop_on_empty_dataset": True}),
        ("sample_from_datasets", "rerandomize_each_iteration",
         lambda **k: (lambda d: d.batch(60).repeat(2).unbatch())(
             data.sample_from_datasets([data.range(30), data.range(30)], seed=1, **k)),
         {"rerandomize_each_iteration": True}),
        ("window", "shift", lambda **k: DATA.window(2, **k).flat_map(lambda w: w), {"shift": 1}),
        ("window", "stride", lambda **k: DATA.window(2, **k).flat_map(lambda w: w), {"stride": 2}),
        ("window", "drop_remainder", lambda **k: DATA.window(2, **k).flat_map(lambda w: w), {"drop_remainder": True}),
        ("zip", "datasets", lambda **k: data.zip(*([] if k else [DATA]), **k), {"datasets": (DATA, more)}),
    ):  # fmt: skip
        make, with_it = made
        yield what, option, elements(make()), elements(make(**with_it))


EYES = dict.fromkeys(("query", "key", "value"), np.eye(9))


def _draws():
    for function, required, more in (
        (tf.random.normal, {"shape": [3]}, {"mean": 5.0, "stddev": 2.0, "dtype": tf.float64, "seed": 4}),
        (tf.random.truncated_normal, {"shape": [3]}, {"mean": 5.0, "stddev": 2.0, "dtype": tf.float64, "seed": 4}),
        (tf.random.uniform, {"shape": [3]}, {"minval": -5.0, "maxval": 9.0, "dtype": tf.float64, "seed": 4}),
        (tf.random.shuffle, {"value": np.arange(20)}, {"seed": 4}),
        (tf.nn.dropout, {"x": np.ones((4, 9)), "rate": 0.5}, {"noise_shape": [4, 1], "seed": 4}),
        (tf.nn.scaled_dot_product_attention, EYES, {"dropout": 0.5}),
        (tf.nn.scaled_dot_product_attention, {**EYES, "dropout": 0.5}, {"seed": 4}),
        (tf.random.categorical, {"logits": [[0.0] * 50], "num_samples": 5}, {"dtype": tf.int32, "seed": 4}),
    ):
        for option, value in more.items():
            if option == "dtype":
                assert function(**required, dtype=value).dtype == value
                yield function.__name__, option, 0, 1
            else:
                yield (
                    function.__name__,
                    option,
                    drawn(function, **required),
                    drawn(function, **required, **{option: value}),
                )


def _checks():
    check = tf.debugging
    failing = {"equal": (1, 2), "none_equal": (1, 1), "less": (2, 1), "less_equal": (2, 1), "greater": (1, 2),
               "greater_equal": (1, 2), "positive": (-1,), "negative": (1,), "non_negative": (-1,),
               "non_positive": (1,), "near": (1.0, 2.0), "rank": (1, 2), "scalar": ([1],),
               "type": (1, tf.float32), "all_finite": (np.nan,), "shapes": ([([1.0], (2,))],)}  # fmt: skip
    for name, args in failing.items():
        function = getattr(check, f"assert_{name}")
        for option in options(function) & {"message", "data"}:
            value = {"message": "so", "data": [1]}[option]
            with_it = message(function, *args, **{option: value})
            assert "so" in with_it[1] or with_it[0] == "NotImplementedError" and f"{option}=" in with_it[1]
            yield function.__name__, option, message(function, *args), with_it
            yield f"assert_{name}", option, message(function, *args), with_it
            yield "check", option, message(function, *args), with_it
    for option in ("rtol", "atol"):
        yield (
            "assert_near",
            option,
            message(check.assert_near, 1.0, 2.0),
            message(check.assert_near, 1.0, 2.0, **{option: 3}),
        )
    yield "Assert", "data", message(tf.Assert, False), message(tf.Assert, False, data=[tf.constant(7)])


def _objects():
    plain = variable()
    for option, value in {"initial_value": np.zeros(2), "trainable": False, "validate_shape": False,
                          "dtype": tf.float32, "shape": [None]}.items():  # fmt: skip
        given = {option: value} if option != "dtype" else {"dtype": value, "initial_value": [1.0, 1.0]}
        yield "Variable", option, plain, variable(**given)
    assert "Variable() got an unexpected keyword" in message(tf.Variable, 1, colour=2)[1]
    assert "constraint=" in message(tf.Variable, 1, constraint=abs)[1]
    yield "Variable", "options", None, message(tf.Variable, 1, constraint=abs)
    for name in ("assign", "assign_add", "assign_sub"):
        method = getattr(tf.Variable(1.0), name)
        assert method(2.0, read_value=False) is None
        yield name, "read_value", method(2.0), method(2.0, read_value=False)
    for option, value in {"size": 3, "dynamic_size": True, "handle": 1, "flow": 1, "infer_shape": False,
                          "element_shape": [1]}.items():  # fmt: skip
        base = {} if option in ("size", "dynamic_size") else {"size": 2}
        yield "TensorArray", option, array(**base), array(**base, **{option: value})
    yield "TensorArray", "clear_after_read", *(message(read_twice, **k) for k in ({}, {"clear_after_read": False}))


def printed(**kwargs):
    streams = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
        tf.print(tf.range(9), 2, **({k: v() if callable(v) else v for k, v in kwargs.items()}))
    return [s.getvalue() for s in streams]


def _prints():
    for option, value in {"sep": "-", "end": "!", "summarize": 1, "output_stream": lambda: sys.stdout}.items():
        yield "print", option, printed(), printed(**{option: value})


def _datasets():
    spec = {"output_signature": tf.TensorSpec((), tf.int64)}
    yield "from_generator", "output_signature", message(generated), generated(**spec)
    yield "from_generator", "output_types", message(generated), generated(output_types=tf.int32)
    yield (
        "from_generator",
        "output_shapes",
        generated(output_types=tf.int32),
        generated(output_types=tf.int32, output_shapes=()),
    )
    yield "from_generator", "args", generated(**spec), generated(**spec, args=(3,))
    yield (
        "range",
        "output_type",
        DATA.element_spec.dtype,
        tf.data.Dataset.range(5, output_type=tf.int32).element_spec.dtype,
    )
    yield "batch", "drop_remainder", elements(DATA.batch(2)), elements(DATA.batch(2, drop_remainder=True))
    yield "repeat", "count", elements(DATA.repeat().take(20)), elements(DATA.repeat(count=2).take(20))
    yield "enumerate", "start", *(int(next(iter(DATA.enumerate(**k)))[0]) for k in ({}, {"start": 3}))
    shuffled = [elements(DATA.shuffle(5, seed=s)) for s in (1, 2, 1)]
    assert shuffled[0] == shuffled[2]
    yield "shuffle", "seed", *shuffled[:2]
    again = [DATA.shuffle(5, seed=1, reshuffle_each_iteration=r) for r in (True, False)]
    yield "shuffle", "reshuffle_each_iteration", *([elements(d), elements(d)] for d in again)
    yield from _chosen_datasets()
    assert "filename=" in message(DATA.cache, "f")[1]
    yield "cache", "filename", message(DATA.cache), message(DATA.cache, filename="f")
    pairs = [(True, lambda: 1), (True, lambda: 2)]
    yield "case", "exclusive", message(tf.case, pairs), message(tf.case, pairs, exclusive=True)
    staged = tf.function(lambda p: tf.case([(p, lambda: 1), (p, lambda: 2)], default=lambda: 3, exclusive=True))
    assert "exclusive" in message(staged, tf.constant(True))[1] and message(staged, tf.constant(False)) is None
    for name, wrong in (("split", 3), ("unstack", 3)):
        yield (
            name,
            "num",
            None,
            message(getattr(tf, name), tf.ones([2, 2]), *([2] if name == "split" else []), num=wrong),
        )
    yield "bias_add", "data_format", None, message(tf.nn.bias_add, X, [1.0, 2.0], data_format="NCHW")
    for function, last in ((tf.nn.depthwise_conv2d, W), (tf.nn.max_pool_with_argmax, 2), (tf.nn.conv2d, W)):
        yield function.__name__, "data_format", None, message(function, X, last, data_format="CHWN")
    for n in (1, 2, 3):
        last, first = (form.format(["W", "HW", "DHW"][n - 1]) for form in ("N{}C", "NC{}"))
        images, filters = nn_figures.waves(2, *[4] * n, 3).astype("f4"), np.ones([*[2] * n, 3, 3], np.float32)
        size = [2, *[4] * n, 3]
        for name, *rest in (
            (f"conv{n}d", filters), (f"max_pool{n}d", 2), (f"avg_pool{n}d", 2), ("max_pool", 2), ("avg_pool", 2),
            ("pool", 2, "MAX"), ("convolution", filters), (f"conv{n}d_transpose", filters, size, 1),
            ("conv_transpose", filters, size, 1), ("depthwise_conv2d", filters),
            ("separable_conv2d", filters, np.ones([1, 1, 9, 3], np.float32), 1, "SAME"),
        ):  # fmt: skip
            if n != 2 and "2d" in name:
                continue
            function = getattr(tf.nn, name)
            made = function(images, *rest, data_format=last)
            if "transpose" in name:
                rest[1] = [2, 3, *[4] * n]
            other = function(images.swapaxes(1, -1), *rest, data_format=first).numpy()
            assert_same(other.swapaxes(1, -1), made)
            yield name, "data_format", made.numpy().tolist(), other.tolist()


def effects_of_calls():
    found = {}
    for name, option, without, with_it in [*_draws(), *_checks(), *_objects(), *_datasets(), *_prints()]:
        assert without != with_it, f"{option} of {name} changes nothing"
        found.setdefault(name, set()).add(option)
    return found
