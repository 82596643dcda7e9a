"""Linear algebra."""

from runtime.tensors.clipping import global_norm as global_norm
from runtime.tensors.decompositions import (
    adjoint as adjoint,
    band_part as band_part,
    cholesky_solve as cholesky_solve,
    diag_part as diag_part,
    eigh as eigh,
    eigvalsh as eigvalsh,
    logdet as logdet,
    qr as qr,
    set_diag as set_diag,
    slogdet as slogdet,
    svd as svd,
    triangular_solve as triangular_solve,
)
from runtime.tensors.making import eye as eye, linalg_diag as _diag
from runtime.tensors.products import (
    cholesky as cholesky,
    det as det,
    einsum as einsum,
    inv as inv,
    matmul as matmul,
    matrix_transpose as matrix_transpose,
    matvec as matvec,
    norm as norm,
    solve as solve,
    tensordot as tensordot,
    trace as trace,
)
from runtime.tensors.public import face as _face

diag = _diag

__getattr__, __dir__ = _face("linalg", globals())
