"""Linear algebra."""

from runtime.tensors.clipping import global_norm as global_norm
from runtime.tensors.decompositions import (
    adjoint as adjoint,
    band_part as band_part,
    cholesky_solve as cholesky_solve,
    eigh as eigh,
    eigvalsh as eigvalsh,
    logdet as logdet,
    matrix_rank as matrix_rank,
    normalize as normalize,
    pinv as pinv,
    qr as qr,
    slogdet as slogdet,
    svd as svd,
    tensor_diag as tensor_diag,
    tensor_diag_part as tensor_diag_part,
    triangular_solve as triangular_solve,
)
from runtime.tensors.diagonals import diag as diag, diag_part as diag_part, set_diag as set_diag
from runtime.tensors.linear_operators import (
    LinearOperator as LinearOperator,
    LinearOperatorAdjoint as LinearOperatorAdjoint,
    LinearOperatorBlockDiag as LinearOperatorBlockDiag,
    LinearOperatorComposition as LinearOperatorComposition,
    LinearOperatorDiag as LinearOperatorDiag,
    LinearOperatorFullMatrix as LinearOperatorFullMatrix,
    LinearOperatorHouseholder as LinearOperatorHouseholder,
    LinearOperatorIdentity as LinearOperatorIdentity,
    LinearOperatorInversion as LinearOperatorInversion,
    LinearOperatorKronecker as LinearOperatorKronecker,
    LinearOperatorLowerTriangular as LinearOperatorLowerTriangular,
    LinearOperatorLowRankUpdate as LinearOperatorLowRankUpdate,
    LinearOperatorPermutation as LinearOperatorPermutation,
    LinearOperatorScaledIdentity as LinearOperatorScaledIdentity,
    LinearOperatorToeplitz as LinearOperatorToeplitz,
    LinearOperatorZeros as LinearOperatorZeros,
)
from runtime.tensors.making import eye as eye
from runtime.tensors.matrix_functions import (
    eig as eig,
    eigvals as eigvals,
    expm as expm,
    logm as logm,
    lu as lu,
    lu_matrix_inverse as lu_matrix_inverse,
    lu_reconstruct as lu_reconstruct,
    lu_solve as lu_solve,
    sqrtm as sqrtm,
)
from runtime.tensors.normalisation import l2_normalize as l2_normalize
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
from runtime.tensors.special import cross as cross
from runtime.tensors.systems import (
    banded_triangular_solve as banded_triangular_solve,
    eigh_tridiagonal as eigh_tridiagonal,
    lstsq as lstsq,
    tridiagonal_matmul as tridiagonal_matmul,
    tridiagonal_solve as tridiagonal_solve,
)

__getattr__, __dir__ = _face("linalg", globals())
