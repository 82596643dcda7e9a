"""Functions of matrices at the edges of shapes: of nothing, of one row or column, of stacks."""

import math
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


def triangles(x):
    """What a factorisation gives back: the matrix, its rows in their order."""
    both, rows = tf.linalg.lu(x)
    lower = tf.linalg.set_diag(np.tril(both, -1), tf.ones_like(tf.linalg.diag_part(both)))
    back = lower @ np.triu(both)
    return tf.linalg.matmul(tf.one_hot(rows, x.shape[-1], dtype=x.dtype), back, True)


def of_eigenvalues(x):
    values, vectors = tf.linalg.eig(x)
    return vectors @ (tf.expand_dims(values, -1) * tf.linalg.inv(vectors))


def exponential(x):
    """By a series, where the numbers are small."""
    made = term = np.zeros(x.shape, x.dtype) + np.eye(x.shape[-1], dtype=x.dtype)
    for k in range(1, 80):
        term = term @ x / k
        made = made + term
    return made


def _far(x):
    """Matrices whose eigenvalues lie on the right: they have roots of their own kind."""
    return x + 6 * np.eye(x.shape[-1], dtype=x.dtype.as_numpy_dtype if isinstance(x, tf.Tensor) else x.dtype)


def _complex(x):
    return tf.cast(x, tf.complex128 if x.dtype in (tf.float64, tf.complex128) else tf.complex64)


OF_SQUARES = {
    "lu": (triangles, lambda x: x),
    "eig": (of_eigenvalues, lambda x: x.astype(complex)),
    "eigvals": (lambda x: tf.reduce_prod(tf.linalg.eigvals(x), -1), lambda x: np.linalg.det(x).astype(complex)),
    "expm": (tf.linalg.expm, exponential),
    "sqrtm": (lambda x: (root := tf.linalg.sqrtm(_far(x))) @ root, lambda x: _far(x)),
    "expm of logm": (lambda x: tf.linalg.expm(tf.linalg.logm(_complex(_far(x)))), lambda x: _far(x).astype(complex)),
    "large expm": (lambda x: tf.linalg.expm(x * 8) / 1e9, lambda x: exponential(x * 8) / 1e9),
}


@pytest.mark.parametrize("run", [None, *EXECUTORS])
@pytest.mark.parametrize("kind", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("shape", [(0, 0), (1, 1), (2, 2), (4, 4), (2, 0, 0), (0, 2, 2), (3, 3, 3)], ids=str)
@pytest.mark.parametrize("name", OF_SQUARES)
def test_functions_of_square_matrices(name, shape, kind, run):
    call, truth = OF_SQUARES[name]
    draw = np.random.default_rng(0)
    x = draw.normal(size=shape) + (1j * draw.normal(size=shape) if kind.startswith("complex") else 0)
    x = x.astype(kind)
    try:
        found = (call if run is None else tf.function(call, jit_compile=run))(tf.constant(x)).numpy()
    except tf.errors.InvalidArgumentError as error:
        assert run and lacks_native_form(error)
        return
    wanted = truth(x)
    assert found.shape == wanted.shape and found.dtype.kind == wanted.dtype.kind
    small = 1e-3 if kind in ("float32", "complex64") else 1e-9
    np.testing.assert_allclose(found, wanted, rtol=small, atol=small)


def test_exponentials_are_exact_to_the_last_digits():
    for t in (0.0, 1e-300, 1e-9, 0.25, 1.0, 3.0, 5.3, 5.37, 5.5, 8.0, 10.7, 10.8, 40.0, 300.0):
        found, error = tf.linalg.expm(np.array([[[t]], [[-t]]])), 5e-14 + 1e-15 * t  # what is large is squared often
        np.testing.assert_allclose(found, [[[math.exp(t)]], [[math.exp(-t)]]], rtol=error)
        turned = [[math.cos(t), -math.sin(t)], [math.sin(t), math.cos(t)]]
        np.testing.assert_allclose(tf.linalg.expm(np.array([[0.0, -t], [t, 0.0]])), turned, rtol=0, atol=error)


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("run", EXECUTORS)
@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (2, 2), (0, 2), (2, 1, 3), (2, 3, 1)], ids=str)
def test_diagonals_of_matrices_that_are_not_square(shape, run, known):
    def f(x, y):
        return tf.linalg.diag_part(x), tf.linalg.set_diag(x, y)

    x = np.arange(float(np.prod(shape))).reshape(shape)
    y = np.full((*shape[:-2], min(shape[-2:])), -1.0)
    specs = None if known else [tf.TensorSpec([None] * a.ndim, tf.float64) for a in (x, y)]
    part, exchanged = tf.function(f, jit_compile=run, input_signature=specs)(x, y)
    np.testing.assert_array_equal(part, np.diagonal(x, axis1=-2, axis2=-1))
    np.testing.assert_array_equal(exchanged, np.where(np.eye(*shape[-2:], dtype=bool), -1.0, x))


def test_roots_and_logarithms_of_matrices_without_a_basis_of_eigenvectors():
    for x in (0.25, 1.0, 9.0):
        block = np.array([[x, 1.0, 0.0], [0.0, x, 1.0], [0.0, 0.0, x]])
        root = tf.linalg.sqrtm(block).numpy()
        np.testing.assert_allclose(root @ root, block, rtol=1e-12, atol=1e-12)
        again = tf.linalg.expm(tf.linalg.logm(block.astype(complex))).numpy()
        np.testing.assert_allclose(again, block, rtol=1e-11, atol=1e-11)


def test_a_matrix_of_floats_without_a_root_of_floats_has_none():
    found = tf.linalg.sqrtm([[[-1.0, 0.0], [0.0, 1.0]], [[4.0, 0.0], [0.0, 0.0]]])
    np.testing.assert_array_equal(found, [[[np.nan] * 2] * 2, [[2.0, 0.0], [0.0, 0.0]]])
    np.testing.assert_allclose(tf.linalg.sqrtm(np.array([[-1 + 0j]])), [[1j]])


@pytest.mark.parametrize("call", [tf.linalg.lu, tf.linalg.eig, tf.linalg.eigvals, tf.linalg.expm, tf.linalg.sqrtm])
@pytest.mark.parametrize("specs", [None, [tf.TensorSpec([None, None], tf.float32)]], ids=["eager", "in a graph"])
def test_what_is_not_square_is_refused(call, specs):
    call = call if specs is None else tf.function(call, input_signature=specs)
    with pytest.raises(ValueError, match="must be square"):
        call(tf.ones([2, 3]))


def _logarithm(x):
    return tf.math.real(tf.linalg.logm(tf.cast(_far(x), tf.complex128)))


SMOOTH = {
    "expm": tf.linalg.expm, "lu": lambda x: tf.linalg.lu(x).lu, "sqrtm": lambda x: tf.linalg.sqrtm(_far(x)),
    "logm": _logarithm,
}  # fmt: skip


@pytest.mark.parametrize("call", SMOOTH.values(), ids=SMOOTH)
@pytest.mark.parametrize("graph", [False, True])
def test_gradients_of_functions_of_square_matrices(call, graph):
    x, change, weights = np.random.default_rng(1).normal(size=(3, 2, 3, 3))

    def weighed(x):
        return tf.reduce_sum(call(x) * weights)

    weighed = tf.function(weighed) if graph else weighed
    with tf.GradientTape() as tape:
        tape.watch(given := tf.constant(x))
        found = weighed(given)
    slope = np.sum(tape.gradient(found, given) * change)
    step = 1e-6 * change
    np.testing.assert_allclose(slope, (weighed(x + step) - weighed(x - step)) / 2e-6, rtol=1e-5)


def test_no_gradient_goes_through_eigenvalues_of_any_matrix():
    with tf.GradientTape() as tape:
        tape.watch(x := tf.constant([[1.0, 2.0], [3.0, 4.0]]))
        found = tf.abs(tf.linalg.eigvals(x))
    with pytest.raises(LookupError, match="linalg.eigh has"):
        tape.gradient(found, x)


@pytest.mark.parametrize("dtype", [tf.int32, tf.int64])
def test_the_rows_of_a_triangular_factorisation_are_numbered_as_asked(dtype):
    x = np.array([[1.0, 2.0], [3.0, 4.0]])
    for form in (tf.linalg.lu, tf.function(tf.linalg.lu)):
        rows = form(x, output_idx_type=dtype)[1]
        assert (rows.dtype, rows.numpy().tolist()) == (dtype, [1, 0])
    with pytest.raises(TypeError, match="output_idx_type=float32: it is int32 or int64"):
        tf.linalg.lu(x, output_idx_type=tf.float32)


@pytest.mark.parametrize(
    "call",
    [
        tf.linalg.svd,
        lambda x: tf.linalg.svd(x, compute_uv=False),
        lambda x: np.linalg.norm(x, 2),
        lambda x: np.linalg.norm(x, -2),
        lambda x: np.linalg.norm(x, "nuc"),
        lambda x: np.linalg.lstsq(x, x[:, 0], rcond=None),
        np.linalg.pinv,
    ],
)
@pytest.mark.parametrize("row", [[-np.inf, 0.5], [np.inf, np.nan], [np.inf, -np.inf]])
def test_singular_values_of_infinite_matrices_are_refused_at_once(call, row):
    """LAPACK itself may never end there."""
    for dtype in (np.float64, np.complex64):
        x = np.array([row, [2.0, 3.0], [1.0, -row[0]]], dtype)
        with pytest.raises(np.linalg.LinAlgError, match="did not converge"):
            tf.function(lambda x: call(x))(tf.constant(x) if call is tf.linalg.svd else x)  # noqa: PLW0108


def diagonals(matrix, low, high, align, padding):
    """The diagonals of one matrix, as a loop finds them."""
    rows, columns = matrix.shape
    found = [np.diagonal(matrix, number) for number in range(high, low - 1, -1)]
    made = np.full((len(found), max(map(len, found))), padding, matrix.dtype)
    above, below = align.split("_")
    for row, number, values in zip(made, range(high, low - 1, -1), found):
        right = {1: above == "RIGHT", -1: below == "RIGHT", 0: above == below == "RIGHT"}[int(np.sign(number))]
        row[slice(len(row) - len(values), None) if right else slice(len(values))] = values
    return made


@pytest.mark.parametrize("align", ["RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT"])
@pytest.mark.parametrize("low, high", [(1, 1), (-2, -2), (0, 1), (-1, 0), (-2, 3), (1, 2), (-2, -1)])
def test_diagonals_beside_the_main_one(low, high, align):
    x = np.arange(1.0, 25.0).reshape(2, 3, 4)
    k = low if low == high else (low, high)
    wanted = np.stack([diagonals(matrix, low, high, align, -9.0) for matrix in x])
    wanted = wanted[:, 0] if low == high else wanted
    there = (np.arange(4) - np.arange(3)[:, None] >= low) & (np.arange(4) - np.arange(3)[:, None] <= high)

    def program(x, y):
        made = tf.linalg.diag(y, k=k, num_rows=3, num_cols=4, padding_value=7.0, align=align)
        return (
            tf.linalg.diag_part(x, k=k, padding_value=-9.0, align=align),
            tf.linalg.set_diag(tf.zeros_like(x), y, k=k, align=align), made,
        )  # fmt: skip

    specs = [tf.TensorSpec([None] * 3, tf.float64), tf.TensorSpec([None] * wanted.ndim, tf.float64)]
    for run in (program, tf.function(program), tf.function(program, input_signature=specs)):
        part, placed, made = run(tf.constant(x), tf.constant(wanted))
        np.testing.assert_array_equal(part, wanted)
        np.testing.assert_array_equal(placed, np.where(there, x, 0))
        np.testing.assert_array_equal(made, np.where(there, x, 7))


def test_the_least_matrix_that_has_room_for_diagonals():
    assert tf.linalg.diag([1, 2], k=1).numpy().tolist() == [[0, 1, 0], [0, 0, 2], [0, 0, 0]]
    assert tf.linalg.diag([1, 2], k=-1, num_cols=2).shape == [3, 2]
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.linalg.diag(x, k=1) * [[0.0, 3.0, 0.0], [0.0, 0.0, 4.0], [5.0, 0.0, 0.0]])
    np.testing.assert_array_equal(tape.gradient(y, x), [3, 4])


@pytest.mark.parametrize(
    "program, error",
    [
        (lambda: tf.linalg.diag_part(tf.eye(2), k=2), "diagonals from -1 to 1"),
        (lambda: tf.linalg.diag_part(tf.eye(2), k=(1, 0)), "the lowest and the highest"),
        (lambda: tf.linalg.diag_part(tf.eye(2), k=(0, 1), align="LEFT"), "align='LEFT'"),
        (lambda: tf.linalg.set_diag(tf.eye(2), [1.0], k=2), "diagonals from -1 to 1"),
        (lambda: tf.linalg.diag([1, 2], num_rows=1), r"the least size is \(2, 2\)"),
        (lambda: tf.linalg.diag([1, 2], num_rows=3, num_cols=3), r"the least size is \(2, 2\)"),
        (lambda: tf.linalg.diag([[1, 2]], k=(0, 1)), "2 diagonals, not 1"),
    ],
)
def test_diagonals_that_there_are_not(program, error):
    with pytest.raises(ValueError, match=error):
        program()


@pytest.mark.parametrize("run", [None, *EXECUTORS])
def test_a_matrix_without_an_inverse_is_told_in_either_of_its_words(run):
    """Those of NumPy's for programs on arrays, which are what they catch; those of both for tensors."""
    invert = tf.linalg.inv if run is None else tf.function(tf.linalg.inv, jit_compile=run)
    for kind in (np.linalg.LinAlgError, tf.errors.InvalidArgumentError, ValueError):
        try:
            with pytest.raises(kind, match="Singular matrix"):
                invert(tf.zeros([2, 2]))
        except tf.errors.InvalidArgumentError as error:
            assert run and lacks_native_form(error)
    with pytest.raises(np.linalg.LinAlgError) as told:
        tf.function(lambda x: np.linalg.inv(x), numpy=True)(np.zeros((2, 2)))
    assert told.type is np.linalg.LinAlgError
