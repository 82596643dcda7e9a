"""Functions of matrices at the edges of shapes: of nothing, of one row or column, of stacks."""

import warnings

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS, lacks_native_form

SHAPES = [(0, 0), (0, 3), (3, 0), (1, 1), (1, 3), (3, 1), (2, 2), (3, 2), (2, 1, 1), (2, 1, 3), (0, 2, 2), (2, 3, 3)]
CALLS = {
    "pinv": np.linalg.pinv,
    "matrix_rank": np.linalg.matrix_rank,
    "svdvals": lambda x: np.linalg.svd(x, compute_uv=False),
    "from svd": lambda x: (lambda u, s, v: (u * s[..., None, :]) @ v)(*np.linalg.svd(x, full_matrices=False)),
    "from qr": lambda x: (lambda q, r: q @ r)(*np.linalg.qr(x)),
    "det": np.linalg.det,
    "slogdet": lambda x: np.linalg.slogdet(x)[1],
    "inv": np.linalg.inv,
    "cond": np.linalg.cond,
    "norm": lambda x: np.linalg.norm(x, axis=(-2, -1)),
    "nuclear norm": lambda x: np.linalg.norm(x, "nuc", axis=(-2, -1)),
    "norm 2": lambda x: np.linalg.norm(x, 2, axis=(-2, -1)),
    "norm -2": lambda x: np.linalg.norm(x, -2, axis=(-2, -1)),
    "norm inf": lambda x: np.linalg.norm(x, np.inf, axis=(-2, -1)),
    "matrix_power": lambda x: np.linalg.matrix_power(x, 3),
    "power 0": lambda x: np.linalg.matrix_power(x, 0),
    "solve": lambda x: np.linalg.solve(x, x),
    "eigvalsh": np.linalg.eigvalsh,
    "trace": lambda x: np.trace(x, axis1=-2, axis2=-1),
    "lstsq": lambda x: np.linalg.lstsq(x, np.ones(x.shape[-2]), rcond=None)[0],
    "outer": lambda x: np.outer(x, x),
    "kron": lambda x: np.kron(x, np.ones((2, 1))),
    "einsum": lambda x: np.einsum("...ij,...kj->...ik", x, x),
    "vander": lambda x: np.vander(x.reshape(-1), 3),
    "cross": lambda x: np.cross(x, x + np.arange(3.0)),
}
RUNS = {"eager": None} | {f"jit_compile={jit}": jit for jit in EXECUTORS}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", CALLS)
def test_functions_of_matrices_are_numpys_whatever_their_shapes(name, shape, run):
    x = (np.arange(np.prod(shape)) * 7 % 5 + 1.0).reshape(shape)
    x = x + 3 * np.eye(*shape[-2:])
    call = CALLS[name]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            wanted = call(x)
        except (ValueError, IndexError):  # a LinAlgError is a ValueError
            wanted = None
        try:
            found = call(tf.constant(x)) if run == "eager" else tf.function(call, jit_compile=RUNS[run])(x)
        except (ValueError, IndexError, TypeError) as error:
            if run == "jit_compile=True" and lacks_native_form(error):
                pytest.skip(str(error).splitlines()[0])
            assert wanted is None or "has no staged meaning" in str(error), error
            return
    assert wanted is not None, found
    assert (np.shape(found), np.asarray(found).dtype.kind) == (np.shape(wanted), np.asarray(wanted).dtype.kind)
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-9)
