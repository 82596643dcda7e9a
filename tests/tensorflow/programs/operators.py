"""Linear operators: matrices that are told by what they are made of."""

MATRIX = [[4.0, 1.0], [1.0, 3.0]]


def made(tf):
    linalg = tf.linalg
    full, diag = linalg.LinearOperatorFullMatrix(MATRIX), linalg.LinearOperatorDiag([1.0, 2.0])
    return {
        "full": full,
        "positive": linalg.LinearOperatorFullMatrix(MATRIX, is_self_adjoint=True, is_positive_definite=True),
        "diag": diag,
        "complex_diag": linalg.LinearOperatorDiag(tf.constant([1.0 + 1j, 2.0])),
        "identity": linalg.LinearOperatorIdentity(2),
        "several_identities": linalg.LinearOperatorIdentity(2, batch_shape=[2]),
        "scaled": linalg.LinearOperatorScaledIdentity(2, 3.0),
        "lower": linalg.LinearOperatorLowerTriangular(MATRIX),
        "composed": linalg.LinearOperatorComposition([diag, full]),
        "kronecker": linalg.LinearOperatorKronecker([diag, full]),
        "block": linalg.LinearOperatorBlockDiag([diag, full]),
        "householder": linalg.LinearOperatorHouseholder([3.0, 4.0]),
        "toeplitz": linalg.LinearOperatorToeplitz([1.0, 2.0], [1.0, 3.0]),
        "update": linalg.LinearOperatorLowRankUpdate(diag, [[1.0], [0.0]]),
        "scaled_update": linalg.LinearOperatorLowRankUpdate(diag, [[1.0], [2.0]], [3.0], [[0.0], [1.0]]),
        "adjoint": linalg.LinearOperatorAdjoint(full),
        "inversion": linalg.LinearOperatorInversion(full),
        "permutation": linalg.LinearOperatorPermutation([1, 0]),
    }


def run(tf, see):
    names = "shape dtype name is_square is_non_singular is_self_adjoint is_positive_definite batch_shape tensor_rank"
    for kind, operator in made(tf).items():
        see(f"{kind} facts", lambda o=operator: [str(getattr(o, name)) for name in names.split()])
        size, dtype = operator.shape[-1], operator.dtype
        matrix = tf.cast(tf.reshape(tf.range(2.0 * size) + 1.0, [size, 2]), dtype)
        vector = tf.cast(tf.range(float(size)) + 1.0, dtype)
        calls = {
            "dense": lambda o=operator: o.to_dense(),
            "shape": lambda o=operator: o.shape_tensor(),
            "matmul": lambda o=operator, x=matrix: o.matmul(x),
            "matmul_adjoint": lambda o=operator, x=matrix: o.matmul(x, adjoint=True),
            "matmul_of_adjoint": lambda o=operator, x=matrix: o.matmul(tf.linalg.adjoint(x), adjoint_arg=True),
            "operator": lambda o=operator, x=matrix: o @ x,
            "matvec": lambda o=operator, x=vector: o.matvec(x),
            "solve": lambda o=operator, x=matrix: o.solve(x),
            "solve_adjoint": lambda o=operator, x=matrix: o.solve(x, adjoint=True),
            "solvevec": lambda o=operator, x=vector: o.solvevec(x),
            "determinant": lambda o=operator: o.determinant(),
            "trace": lambda o=operator: o.trace(),
            "diag_part": lambda o=operator: o.diag_part(),
            "H": lambda o=operator: o.H.to_dense(),
            "inverse": lambda o=operator: o.inverse().to_dense(),
            "add": lambda o=operator: o.add_to_tensor(tf.ones(o.shape, o.dtype)),
            "cholesky": lambda o=operator: o.cholesky().to_dense(),
            "twice": lambda o=operator: o.matmul(o).to_dense(),
        }  # fmt: skip
        for name, call in calls.items():
            see(f"{kind} {name}", call)
        if not dtype.is_complex:
            see(f"{kind} log_abs_determinant", lambda o=operator: o.log_abs_determinant())
            see(f"{kind} cond", lambda o=operator: o.cond())
    see("in_function", lambda: tf.function(lambda x: made(tf)["positive"].solvevec(x))(tf.constant([1.0, 2.0])))
    see("no_matrix", lambda: tf.linalg.LinearOperatorFullMatrix([1.0]))
    see("singular_definite", lambda: tf.linalg.LinearOperatorFullMatrix(MATRIX, False, None, True))
    see("eigenvalues", lambda: made(tf)["positive"].eigvals())
    see("no_eigenvalues", lambda: made(tf)["full"].eigvals())
    see("zeros", lambda: tf.linalg.LinearOperatorZeros(2).inverse())

    def gradient():
        x = tf.Variable(MATRIX)
        with tf.GradientTape() as tape:
            operator = tf.linalg.LinearOperatorFullMatrix(x)
            y = tf.reduce_sum(operator.solvevec([1.0, 2.0])) + operator.log_abs_determinant()
        return tape.gradient(y, x)

    see("gradient", gradient)
