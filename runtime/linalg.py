"""Linear algebra."""

from runtime.tensors.mathematics import (
    cholesky as cholesky,
    det as det,
    einsum as einsum,
    inv as inv,
    matmul as matmul,
    matrix_transpose as matrix_transpose,
    norm as norm,
    solve as solve,
    tensordot as tensordot,
    trace as trace,
)
from runtime.tensors.shaping import eye as eye, linalg_diag as _diag

diag = _diag
