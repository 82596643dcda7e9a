"""Dimensions that are not known: equal only where they surely are, and numbers to compute with."""

import itertools

import numpy as np
import pytest

import runtime
from runtime.graph.dimensions import Symbol, is_natural, largest, quotient, sliced
from runtime.graph.shapes import surely_broadcast

JIT = (False, True, None)


def results(f, args, ranks):
    """What f gives for arrays whose dimensions are unknown, on each executor; or the class of the error."""
    found = []
    for jit in JIT:
        specs = [
            runtime.TensorSpec(None if rank is None else [None] * rank, np.asarray(a).dtype.name)
            for a, rank in zip(args, ranks)
        ]
        try:
            found.append(np.asarray(runtime.function(f, input_signature=specs, jit_compile=jit)(*args)))
        except Exception as error:  # whatever plain NumPy raises
            found.append(type(error))
    return found


X = np.arange(6.0).reshape(2, 3)
SQUARE = np.arange(9.0).reshape(3, 3)


# What an optimiser might take for what it is not: each on a matrix whose dimensions differ and on one where they agree.
PROGRAMS = {
    "swapped": lambda x: np.reshape(x, (x.shape[1], x.shape[0])),
    "swapped by len": lambda x: x.reshape(len(x[0]), len(x)),
    "kept": lambda x: np.reshape(x, (x.shape[0], x.shape[1])),
    "rest": lambda x: x.reshape(x.shape[1], -1),
    "flat and back": lambda x: x.reshape(-1).reshape(x.shape),
    "flat and back swapped": lambda x: x.reshape(-1).reshape(x.shape[::-1]),
    "rows twice": lambda x: np.concatenate([x, x]).reshape(2 * x.shape[0], x.shape[1]),
    "columns twice": lambda x: np.concatenate([x, x], axis=1).reshape(x.shape[0], x.shape[1] * 2),
    "mean": lambda x: x.sum(axis=0) / x.shape[0],
    "neighbours": lambda x: x[1:] - x[:-1],
    "neighbours both ways": lambda x: x[1:, :-1] + x[:-1, 1:],
    "columns spread": lambda x: np.where(x > 2, x, x[0]),
    "condition spread": lambda x: np.where(x[:, :1] > 0, x[0], x[0]),
    "transposed": lambda x: x.T + runtime.zeros((x.shape[1], x.shape[0]), "float64"),
    "spread": lambda x: np.broadcast_to(x[0], x.shape) + 0.0,
    "unpacked": lambda x: x * x.shape[0] + x.shape[1],
    "product": lambda x: (x @ x.T).reshape(x.shape[0] ** 2),
    "padded": lambda x: runtime.pad(x, ((1, 0), (0, 2))).reshape(x.shape[0] + 1, x.shape[1] + 2),
    "doubled": lambda x: np.concatenate([x, x]).reshape(x.shape),  # does not fit
    "does not fit": lambda x: np.reshape(x, (x.shape[0], x.shape[0])) * 1.0,  # fits squares alone
    "counted": lambda x: x.reshape(x.size),
    "strided": lambda x: x[::2, ::-1].reshape((x.shape[0] + 1) // 2, x.shape[1]),
}


@pytest.mark.parametrize("array", [X, SQUARE, X[:0], X[:1], X[:, :1]], ids=lambda a: str(a.shape))
@pytest.mark.parametrize("name", PROGRAMS)
def test_unknown_dimensions_are_equal_only_if_they_surely_are(name, array):
    program = PROGRAMS[name]
    try:
        with np.errstate(all="ignore"):
            wanted = program(array)
    except Exception as error:
        for found in results(program, [array], [2]):
            assert isinstance(found, type) and issubclass(found, type(error)), found
        return
    for found in results(program, [array], [2]):
        assert not isinstance(found, type), found
        assert found.dtype == wanted.dtype and found.shape == wanted.shape
        np.testing.assert_allclose(found, wanted)


@pytest.mark.numpy_may_take_over  # -1 stands for a size
def test_a_shape_that_is_given_as_numbers_of_the_graph():
    def f(x, n, m):
        return runtime.reshape(x, [n, m]) + runtime.zeros([n, m], "float64")

    for n, m in [(2, 3), (3, 2), (6, 1)]:
        for found in results(f, [X, np.int64(n), np.int64(m)], [2, 0, 0]):
            np.testing.assert_array_equal(found, X.reshape(n, m))
    for found in results(
        lambda x, n: runtime.reshape(x, [n, 3]) - runtime.reshape(x, [n, 3]), [X, np.int32(-1)], [2, 0]
    ):
        assert found.shape == (2, 3)  # -1 is no dimension of its own


@pytest.mark.numpy_may_take_over  # -1 stands for a size
def test_a_minus_one_that_only_the_graph_knows_is_not_a_dimension():
    def f(x, y, n):
        return runtime.reshape(runtime.reshape(x, [n]) * 0 + runtime.reshape(x, [n]), [-1]), runtime.reshape(y, [n])

    for jit in JIT:
        a, b = runtime.function(
            f, input_signature=[runtime.TensorSpec([None, None], "float64")] * 2 + [runtime.TensorSpec([], "int32")],
            jit_compile=jit,
        )(X, SQUARE, np.int32(-1))  # fmt: skip
        assert a.shape == (6,) and b.shape == (9,)


@pytest.mark.parametrize("jit", JIT)
def test_a_graph_drops_what_surely_changes_nothing(jit):
    f = runtime.function(
        lambda x: np.broadcast_to(x.reshape(x.shape) + 0.0, x.shape),
        input_signature=[runtime.TensorSpec([None, None], "int64")], jit_compile=jit,
    )  # fmt: skip
    ops = [n.op.name for n in f.get_concrete_function().graph.nodes]
    assert "reshape" not in ops and "broadcast_to" not in ops, ops
    np.testing.assert_array_equal(f(SQUARE.astype(int)), SQUARE)


def test_dimensions_in_loops_and_branches_are_those_of_the_iteration():
    def grow(x, n):
        y = x
        for _ in range(n):
            y = np.concatenate([y, x])
        return y.reshape(len(y), x.shape[1]) + runtime.zeros((len(y), x.shape[1]), "float64")

    def either(x, n):
        if n > 1:
            y, z = x[1:], x[:1]
        else:
            y, z = x, x[1:]
        return np.concatenate([y, z]).reshape(len(y) + len(z), -1)

    def shifted(x, n):
        y = z = x[:0]
        for i in range(n):
            z = y
            y = x[: i + 1]
        return np.concatenate([y, z]), len(y), len(z)

    for f, n in itertools.product((grow, either), (0, 1, 3)):
        for found in results(f, [X, np.int64(n)], [2, 0]):
            np.testing.assert_array_equal(found, f(X, n))
    for jit in JIT:
        traced = runtime.function(
            shifted, input_signature=[runtime.TensorSpec([None, None], "float64"), runtime.TensorSpec([], "int64")],
            jit_compile=jit,
        )  # fmt: skip
        for n in range(4):
            for a, b in zip(traced(X, np.int64(n)), shifted(X, n), strict=True):
                np.testing.assert_array_equal(a, b)


def test_a_function_called_twice_has_the_dimensions_of_each_call():
    @runtime.function
    def doubled(x):
        return np.concatenate([x, x])

    def f(x, y):
        a, b = doubled(x), doubled(y)
        return np.concatenate([a.reshape(2 * x.shape[0]), b.reshape(2 * y.shape[0])])

    for found in results(f, [np.arange(2.0), np.arange(3.0)], [1, 1]):
        np.testing.assert_array_equal(found, [0, 1, 0, 1, 0, 1, 2, 0, 1, 2])


@pytest.mark.parametrize("jit", JIT)
def test_shapes_are_numbers_of_the_graph(jit):
    @runtime.function(input_signature=[runtime.TensorSpec([None, 3], "float32")], jit_compile=jit)
    def f(x):
        n, m = x.shape
        assert x.shape == (n, 3)
        assert x.shape[1:] == (3,) and x.shape[-1] == m
        total = 0
        for i in range(x.shape[0]):
            total += i
        return x.sum() / x.shape[0], n * 2, total, runtime.zeros(x.shape + (1,)).shape[2]

    mean, twice, total, one = f(np.ones((4, 3), np.float32))
    assert mean.dtype == "float32" and mean.numpy() == 3.0
    assert (int(twice), int(total), int(one)) == (8, 6, 1)


def test_a_shape_prints_none_and_compares_as_numpys():
    seen = []

    @runtime.function(input_signature=[runtime.TensorSpec([None], "int32"), runtime.TensorSpec([None], "int32")])
    def f(x, y):
        seen.append((str(x.shape), x.shape.as_list(), x.shape == (None,), x.shape == x.shape, x.shape == (1, 2)))
        return x.shape == y.shape, x.shape != y.shape

    assert [bool(b) for b in f(np.zeros(3, np.int32), np.zeros(3, np.int32))] == [True, False]
    assert [bool(b) for b in f(np.zeros(3, np.int32), np.zeros(2, np.int32))] == [False, True]
    assert seen == [("(None,)", [None], True, True, False)]


@pytest.mark.parametrize("jit", JIT)
def test_a_shape_is_compared_with_numbers_of_the_graph(jit):
    @runtime.function(jit_compile=jit, input_signature=[runtime.TensorSpec([None, 3]), runtime.TensorSpec([], "int32")])
    def f(x, n):
        known = x.shape != (None, 3), x.shape != (4, 4), x.shape != (2, 3, 1)
        return x.shape == (n, 3), x.shape != (2, n + 1), x.shape == (n, 4), x.shape == (n,), *known

    for n in (2, 3):
        found = [bool(b) for b in f(np.ones((2, 3), np.float32), n)]
        assert found == [n == 2, n != 2, False, False, False, True, True]


def grown(a, n):
    out = []
    for _ in range(n):
        out.append(-a)
    return out


def stack(items):
    return runtime.stack(items) if isinstance(items[0], runtime.Tensor) else np.stack(items)


def summed_rows(a, n):
    total = a[0] * 0
    for row in a:
        total = total + row
    return total


def chosen(a, n):
    b = a
    if n > 1:
        b = a * 2
    return b


UNKNOWN_RANK = {
    "grown": grown,
    "stacked": lambda a, n: stack(grown(a, n)),
    "rows": summed_rows,
    "chosen": chosen,
    "element-wise": lambda a, n: np.tanh(a) * n + a,
    "reductions": lambda a, n: [
        np.sum(a),
        np.max(a, axis=-1),
        np.sum(a, axis=0, keepdims=True),
        np.sum(a, keepdims=True),
    ],
    "items": lambda a, n: [a[0], a[..., n], a[n:], a[-1]],
    "product": lambda a, n: a @ a,
    "shapes": lambda a, n: [np.reshape(a, [-1]), np.transpose(a), np.zeros_like(a), np.ones_like(a, dtype=np.int32)],
    "sizes": lambda a, n: [a.shape[0] * 2, len(a), a.size, a.shape[-1] + n],
}


@pytest.mark.parametrize("jit", JIT)
@pytest.mark.parametrize("name", UNKNOWN_RANK)
def test_unknown_rank(name, jit):
    program = UNKNOWN_RANK[name]
    specs = [runtime.TensorSpec(None, "float64"), runtime.TensorSpec([], "int32")]
    traced = runtime.function(program, input_signature=specs, jit_compile=jit)
    for a in (SQUARE, np.arange(8.0).reshape(2, 2, 2)):
        wanted = program(a, np.int32(1))
        for found, value in zip(
            *(v if isinstance(v, list) else [v] for v in (traced(a, np.int32(1)), wanted)), strict=True
        ):
            np.testing.assert_allclose(np.asarray(found), value)


def test_symbols():
    n, m = Symbol.new(), Symbol.new()
    assert n != m and n != 3 and n + 1 != n and hash(n + m) == hash(m + n)
    assert (n + m) * (n - m) == n * n - m * m
    assert quotient(n * m * 6, 3 * m) == 2 * n and quotient(n, m) is None and quotient(7, 2) is None
    assert largest(n + 1, n) == n + 1 and largest(n, m) == largest(m, n) and is_natural(largest(n - m, 0))
    assert not is_natural(n - m) and not is_natural(Symbol.new(natural=False))
    long = sum((Symbol.new() for _ in range(100)), n)
    assert long == long + 0 and long != n and is_natural(n * n)


@pytest.mark.parametrize("start", [None, 0, 1, 3, -1, -3])
@pytest.mark.parametrize("stop", [None, 0, 2, 7, -1, -2])
@pytest.mark.parametrize("step", [None, 1, 2, -1, -2])
def test_slices_of_the_same_size_take_as_many(start, stop, step):
    """A symbol says nothing of a slice that its numbers deny."""
    n = Symbol.new()
    found = sliced(n, start, stop, step)
    counts = [len(range(size)[start:stop:step]) for size in range(10)]
    if found == n:
        assert counts == list(range(10))
    for other in ((1, None, None), (None, -1, None), (2, None, None), (1, -1, None)):
        if found == sliced(n, *other):
            assert counts == [len(range(size)[slice(*other)]) for size in range(10)]


@pytest.mark.parametrize(
    "a, b, compatible",
    [
        ((2, None), (None, 3), True),
        ((2, 3), (2, None), True),
        (None, (2, 3), True),
        ((2, None), (3, None), False),
        ((2,), (2, None), False),
    ],
)
def test_shapes_are_compatible_where_one_shape_fits_both(a, b, compatible):
    first, second = runtime.TensorShape(a), runtime.TensorShape(b)
    assert first.is_compatible_with(b) is second.is_compatible_with(a) is compatible
    if compatible:
        assert first.merge_with(b) == second.merge_with(a)
    else:
        with pytest.raises(ValueError, match="not compatible"):
            first.merge_with(b)


def test_a_slice_has_no_negative_number_of_elements():
    n = Symbol.new()
    assert all(is_natural(sliced(n, *where)) for where in ((None, None, 2), (3, None, -1), (-4, 2, None)))


N = Symbol.new()


@pytest.mark.parametrize(
    "known, surely",
    [
        ([], True),
        ([()], True),
        ([None], True),
        ([None, ()], True),
        ([None, (1,)], False),
        ([None, None], False),
        ([None, None, ()], False),
        ([(2,), (2,)], True),
        ([(2,), (1,)], True),
        ([(2,), (3,)], False),
        ([(3, 2), (2,)], True),
        ([(3, 2), (3,)], False),
        ([(None,), (1,)], True),
        ([(None,), (2,)], False),
        ([(None,), (None,)], False),
        ([(None,)], True),
        ([(N,), (N,)], True),
        ([(N,), (None,)], False),
        ([(N, 1), (1, 3), ()], True),
        ([(N, 2), (2,), (1, 1)], True),
    ],
)
def test_what_surely_goes_together(known, surely):
    for order in itertools.permutations(known):
        assert surely_broadcast(*order) is surely


TOLD = {
    "py_function": (lambda x: runtime.py_function(lambda v: v + 1, [x], "float64"), [4, 2], (4, 2)),
    "numpy_function": (lambda x: runtime.numpy_function(lambda v: v + 1, [x], "float64"), [None, 2], (None, 2)),
    "an argument": (lambda x: x, [4, None], (4, None)),
    "reshape": (lambda x: runtime.reshape(x, [-1, 4]), [2, None], (2, 4)),
}


@pytest.mark.parametrize("jit", JIT)
@pytest.mark.parametrize("name", TOLD)
def test_a_shape_that_is_told_is_known(name, jit):
    make, told, shape = TOLD[name]

    def f(x):
        y = other = make(x)
        y.set_shape(None)
        y.set_shape(told)
        assert y.shape.as_list() == other.shape.as_list() == list(shape)
        return y * 2

    traced = runtime.function(f, input_signature=[runtime.TensorSpec(None, "float64")], jit_compile=jit)
    np.testing.assert_array_equal(traced(np.ones([4, 2])), make(np.ones([4, 2])) * 2)
    with pytest.raises(runtime.errors.InvalidArgumentError, match=r"\(3, 4\) is not compatible with expected shape"):
        traced(np.ones([3, 4]))


def test_a_shape_that_is_told_must_fit():
    with pytest.raises(ValueError, match="not compatible"):
        runtime.function(lambda x: x.set_shape([5]))(runtime.zeros([3]))


def test_a_branch_tells_nothing_of_what_is_around_it():
    @runtime.function(input_signature=[runtime.TensorSpec([None], "float64")])
    def f(x):
        if x[0] > 0:
            x.set_shape([2])
            y = x * 2
            y.set_shape([2])
        else:
            y = x
        return x, y

    assert [t.numpy().tolist() for t in f([-1.0])] == [[-1], [-1]]
    assert [t.numpy().tolist() for t in f([1.0, 2.0])] == [[1, 2], [2, 4]]


def test_elements_of_a_dataset_have_the_shape_that_was_told():
    def loaded(x):
        y = runtime.py_function(lambda v: v + 1, [x], "float32")
        y.set_shape([3])
        return y

    dataset = runtime.data.Dataset.from_tensor_slices(np.zeros([2, 3], "f4")).map(loaded)
    assert dataset.element_spec == runtime.TensorSpec([3], "float32")
    assert dataset.batch(2).element_spec.shape.as_list() == [None, 3]
