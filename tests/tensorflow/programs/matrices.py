"""Systems of equations, and functions of matrices."""

import numpy as np


def run(tf, see):
    c, F, L = tf.constant, tf.function, tf.linalg
    rs = np.random.RandomState(0)
    a = rs.rand(2, 4, 4) + 3 * np.eye(4)
    h = a @ a.swapaxes(-1, -2)
    turned = rs.rand(3, 3) + 1j * rs.rand(3, 3) + 2 * np.eye(3)
    b = rs.rand(2, 4, 3)
    tall, wide = rs.rand(2, 5, 3), rs.rand(2, 3, 5)
    sides, wide_sides = rs.rand(2, 5, 2), rs.rand(2, 3, 2)

    def both(name, f, *args):
        """At once, in a graph, and the slope."""
        see(name, lambda: f(*map(c, args)))
        see(f"{name} graph", lambda: F(f)(*map(c, args)))

        def slope():
            given = [c(x) for x in args]
            with tf.GradientTape() as tape:
                tape.watch(given)
                made = f(*given)
                loss = tf.reduce_sum(
                    tf.abs(made) ** 2 * tf.reshape(tf.linspace(c(1.0, tf.float64), 2.0, tf.size(made)), tf.shape(made))
                )
            return tape.gradient(loss, given)

        see(f"{name} slope", slope)

    for name, m in (("plain", a), ("symmetric", h), ("complex", turned), ("shear", np.array([[4.0, 1.0], [0.0, 4.0]]))):
        both(f"sqrtm {name}", L.sqrtm, m)
    see("sqrtm singular", lambda: L.sqrtm(c([[1.0, 1.0], [1.0, 1.0]])))
    see("sqrtm float", lambda: L.sqrtm(c(a.astype(np.float32))).dtype)
    see("logm", lambda: L.logm(c(turned)))
    see("logm of floats as complex", lambda: L.logm(tf.cast(a, tf.complex128)))
    see("logm shear", lambda: L.logm(c([[2.0, 1.0], [0.0, 2.0]], tf.complex128)))
    see("logm floats", lambda: L.logm(c(a)))
    see("sqrtm not square", lambda: L.sqrtm(tf.ones([2, 3])))

    both("lstsq tall", L.lstsq, tall, sides)
    rows = [tf.TensorSpec([None, 3], tf.float64), tf.TensorSpec([None, 2], tf.float64)]
    for weight in (0.0, 0.5):
        open_graph = F(lambda m, s, w=weight: L.lstsq(m, s, w), input_signature=rows)
        see(f"lstsq {weight} of any rows", lambda: open_graph(tall[0], sides[0]))
        see(f"lstsq {weight} of few rows", lambda: open_graph(tall[0, :2], sides[0, :2]))
    both("lstsq wide", L.lstsq, wide, wide_sides)
    for weight in (0.1, 2.0):
        both(f"lstsq tall {weight}", lambda m, s, w=weight: L.lstsq(m, s, w), tall, sides)
        both(f"lstsq wide {weight}", lambda m, s, w=weight: L.lstsq(m, s, l2_regularizer=w), wide, wide_sides)
    see("lstsq slow", lambda: L.lstsq(c(tall), c(sides), fast=False))
    see("lstsq slow wide", lambda: L.lstsq(c(wide), c(wide_sides), fast=False))
    see(
        "lstsq slow rank",
        lambda: L.lstsq(c([[1.0, 1.0], [1.0, 1.0], [2.0, 2.0]]), c([[1.0], [1.0], [2.0]]), fast=False),
    )

    bands = rs.rand(2, 3, 4) + [[0.0], [3.0], [0.0]]
    both("tridiagonal_solve", L.tridiagonal_solve, bands, b)
    both("tridiagonal_solve vector", L.tridiagonal_solve, bands, b[..., 0])
    both(
        "tridiagonal_solve sequence",
        lambda d, s: L.tridiagonal_solve((d[..., 0, :-1], d[..., 1, :], d[..., 2, 1:]), s, "sequence"),
        bands,
        b,
    )
    both("tridiagonal_solve matrix", lambda d, s: L.tridiagonal_solve(d, s, diagonals_format="matrix"), a, b)
    see(
        "tridiagonal_solve turned",
        lambda: L.tridiagonal_solve(c(bands), c(b.swapaxes(1, 2).copy()), transpose_rhs=True),
    )
    see("tridiagonal_solve bad", lambda: L.tridiagonal_solve(c(bands), c(b), diagonals_format="none"))
    both("tridiagonal_matmul", L.tridiagonal_matmul, bands, b)
    both("tridiagonal_matmul matrix", lambda d, s: L.tridiagonal_matmul(d, s, diagonals_format="matrix"), a, b)
    for lower in (True, False):
        for turn in (True, False):
            flat = bands if not lower else bands[:, ::-1] * 1.0
            flat = np.roll(flat, 1, 1) if lower else flat
            flat = flat + (np.array([[3.0], [0.0], [0.0]]) if lower else np.array([[0.0], [0.0], [3.0]]))
            both(
                f"banded {lower} {turn}",
                lambda d, s, lo=lower, t=turn: L.banded_triangular_solve(d, s, lower=lo, adjoint=t),
                flat,
                b,
            )
    see("eigh_tridiagonal", lambda: L.eigh_tridiagonal(c([1.0, 2.0, 3.0]), c([0.5, 0.25])))
    see(
        "eigh_tridiagonal i",
        lambda: L.eigh_tridiagonal(c([1.0, 2.0, 3.0]), c([0.5, 0.25]), select="i", select_range=(1, 2)),
    )
    see(
        "eigh_tridiagonal v",
        lambda: L.eigh_tridiagonal(c([1.0, 2.0, 3.0]), c([0.5, 0.25]), select="v", select_range=(1.5, 9.0)),
    )

    def back():
        values, vectors = L.eigh_tridiagonal(c([1.0, 2.0, 3.0]), c([0.5, 0.25]), eigvals_only=False)
        return vectors @ L.diag(values) @ tf.transpose(vectors)

    see("eigh_tridiagonal vectors", back)
    see("eigh_tridiagonal bad", lambda: L.eigh_tridiagonal(c([1.0, 2.0]), c([0.5]), select="x"))

    both("lu_reconstruct", lambda m: L.lu_reconstruct(*L.lu(m)), a)
    both("lu_solve", lambda m, s: L.lu_solve(*L.lu(m), s), a, b)
    both("lu_matrix_inverse", lambda m: L.lu_matrix_inverse(*L.lu(m)), a)
    see("lu_solve one", lambda: L.lu_solve(*L.lu(c(a[0])), c(b[0])))

    see("embedding of parts", lambda: tf.nn.embedding_lookup([c([[1.0], [2.0]]), c([[3.0], [4.0]])], [3, 0, 2]))
    see("embedding of one part", lambda: tf.nn.embedding_lookup([c([[1.0], [2.0]])], [1]))
    see("embedding of a list", lambda: tf.nn.embedding_lookup([[1.0, 2.0], [3.0, 4.0]], [1, 0]))
    see("embedding of an array", lambda: tf.nn.embedding_lookup(np.eye(2, dtype=np.float32), [1, 0]))
    see(
        "embedding of Variables",
        lambda: tf.nn.embedding_lookup([tf.Variable([[1.0], [2.0]]), tf.Variable([[3.0]])], [2, 1], max_norm=1.5),
    )
    see("embedding outside", lambda: tf.nn.embedding_lookup(c([[1.0], [2.0]]), [5]))
