"""What is wrong whatever the values are is told while a graph is traced, though nobody needs the result."""

import builtins
import functools
import math

import numpy as np
import pytest

import runtime
import runtime as tf
from tests.programs import load

CALLS = (
    "np.sum(x, axis=3)", "np.linalg.inv(x)", "np.linalg.inv(m)", "np.linalg.det(m)", "np.linalg.det(x)",
    "np.linalg.solve(m, x)", "np.linalg.solve(m[:, :2], x)", "np.linalg.cholesky(m)", "np.linalg.cholesky(x)",
    "np.linalg.eigvals(m)", "np.linalg.norm(x, 'fro')", "np.linalg.norm(x, 'foo')", "np.linalg.matrix_power(m, 2)",
    "np.argmax(x[:0])", "np.argmin(x[:0])", "np.max(x[:0])", "np.min(m[:0], axis=0)", "np.min(m[:0], axis=1)",
    "np.mean(x[:0])", "np.ptp(x[:0])", "np.argmax(x, axis=2)", "np.median(x[:0])", "range(n)[0.5]", "range(n)['a']",
    "x[0.5]", "x['a']", "x[None, 0.5]", "x[[0, 7]]", "x[np.array([0, 7])]", "x[np.array([True, False])]",
    "x[np.array([0.5])]", "x[()][7]", "x[..., 0, 0]", "x[1, 2]", "m[0][9]", "m[5]", "m[:, 5]", "x.reshape(2, 2)",
    "x.reshape(-1, -1)", "x.reshape('a')", "x.reshape(0, -1)", "x + np.ones(4)", "x @ np.ones(4)", "m @ x",
    "m.dot(x)", "np.dot(x, np.ones(4))", "np.inner(x, np.ones(4))", "np.outer(x)", "np.vdot(x, np.ones(4))",
    "np.cross(x, np.ones(4))", "np.kron(x)", "np.tensordot(m, m, 1)", "np.tensordot(m, m, [[0], [1]])",
    "np.einsum('ij->i', x)", "np.einsum('ij,jk->ik', m, m)", "np.einsum('i,i', x)", "np.concatenate([x, m])",
    "np.concatenate([m, m], axis=2)", "np.concatenate([m, m[:, :1]])", "np.concatenate([])", "np.stack([x, x[:2]])",
    "np.stack([x, x], axis=3)", "np.stack([])", "np.vstack([x, x[:2]])", "np.hstack([m, m[:1]])", "np.split(x, 2)",
    "np.array_split(x, 0)", "np.tile(x, -1)", "np.repeat(x, -1)", "np.repeat(x, [1, 2])", "np.transpose(x, (1, 0))",
    "np.transpose(m, (0, 0))", "np.swapaxes(x, 0, 1)", "np.moveaxis(x, 0, 1)", "np.rollaxis(x, 2)",
    "np.expand_dims(x, 5)", "np.squeeze(x, 0)", "np.squeeze(x, 1)", "np.flip(x, 1)", "np.roll(x, 1, axis=1)",
    "np.rot90(x)", "np.broadcast_to(x, (2, 2))", "np.take(x, 7)", "np.take(x, [0, 1], axis=1)",
    "np.take_along_axis(m, x, 0)", "np.where(x)", "np.where(x > 1, x)", "np.where(x > 1, x, np.ones(4))",
    "np.clip(x)", "np.clip(x, np.ones(4), 2)", "np.clip(x, 0, 1, 2, 3)", "np.diff(x, -1)", "np.diff(n)",
    "np.cumsum(x, axis=1)", "np.sort(x, axis=1)", "np.sort(n)", "np.argsort(x, axis=1)", "np.sort(x, kind='foo')",
    "np.argsort(x, kind=3)", "np.sort(x, kind='q', stable=True)", "x.argsort(kind='foo')",
    "np.searchsorted(m, 1)", "np.interp(1, x, np.ones(4))", "np.polyval(x)", "np.trace(x)", "np.diag(m[None])",
    "np.triu(n)", "np.eye(-1)", "np.pad(x, 'a')", "np.pad(x, -1)", "np.pad(x, ((1, 1), (2, 2)))",
    "np.percentile(x, 120)", "np.quantile(x, 2)", "np.average(x, weights=np.ones(4))", "np.bincount(x)",
    "np.histogram(x, 0)", "np.unique(x, axis=3)", "np.nonzero(n)", "np.sqrt(x, x, x, x)", "np.sqrt('a')",
    "np.add(x)", "np.add(x, x, x, x)", "np.power(x, 'a')", "np.power(n, -1)", "n ** -1", "np.left_shift(x, 1)",
    "x << 1", "~x", "x & 1", "-(x > 1)", "(x > 1) - (x > 1)", "x % 'a'", "x + None", "x + [1, 2]", "x + 'a'",
    "x < 'a'", "x < None", "x == None", "x < [1, 2]", "n + [1, 2]", "n + 'a'", "n // 'a'", "abs('a')", "len(n)",
    "iter(n)", "list(n)", "tuple(n)", "sum(n)", "max(n)", "min(x, n)", "sorted(n)", "any(n)", "all(n)", "zip(n)",
    "enumerate(n)", "map(n, [1])", "[k for k in n]", "float(x)", "int(x)", "bool(x)", "complex(x)", "round(x, 'a')",
    "round(n, 'a')", "divmod(x, 'a')", "pow(n, 2, 0)", "hex(x)", "chr(x)", "x()", "n()", "x.foo", "n.foo",
    "x.sum(foo=3)", "x.sum(5)", "x.max(axis=1)", "x.astype('foo')", "x.shape[4]", "x.T.foo()", "x.dot(np.ones(4))",
    "x.transpose(1, 0)", "x.item(9)", "x.item()", "x.fill()", "x.repeat(-1)", "x.squeeze(0)", "x.swapaxes(0, 1)",
    "x.argmax(2)", "x.cumsum(1)", "x.clip()", "x.take(9)", "x.view('foo')", "x.tolist(2)", "np.zeros_like(x, foo=2)",
    "np.zeros(-1) + x", "np.full_like(x, 'a')", "np.ones_like(x, dtype='foo')", "np.maximum(x, np.ones(4))",
    "np.arctan2(x)", "np.logical_and(x, np.ones(4))", "np.isclose(x, np.ones(4))", "np.allclose(x, np.ones(4))",
    "np.array_equal(x, np.ones(4)) + 'a'", "np.copyto(x, np.ones(4))", "np.put(x, 9, 1)", "np.fill_diagonal(x, 1)",
    "np.random.shuffle(n)", "np.meshgrid(x, x, indexing='foo')", "np.linspace(0, 1, -1) + x",
    "np.arange(0, 1, 0) + x", "np.apply_along_axis(np.sum, 3, x)", "np.vectorize(abs)(x, x)",
    "np.linalg.norm(x, axis=3)", "np.linalg.norm(m, ord=5)", "np.linalg.lstsq(m, x)", "np.linalg.qr(x)",
    "np.linalg.svd(x)", "np.linalg.pinv(x)", "np.linalg.eigh(x)", "np.fft.fft(x, -1)", "np.ravel(x, order='Q')",
    "np.reshape(x, (3, 1), order='Q')", "np.count_nonzero(x, axis=4)", "np.var(x, axis=4)", "np.std(x, ddof='a')",
    "np.prod(x, axis=4)", "np.any(x, axis=4)", "np.all(x, axis=4)", "np.nan_to_num(x, 'a', 'b', 'c', 'd', 'e')",
    "np.sign('a')", "np.floor(1j * x)", "np.arctan2(1j * x, x)", "np.maximum.reduce(x, axis=3)",
    "np.add.reduce(x, axis=3)", "np.add.outer(x)", "np.subtract(x > 1, x > 1)", "np.negative(x > 1)", "x[n:n, 0]",
    "(1 if x else 2)", "(x and 1)", "(not x)", "x in [x]", "(x < 1) in [True]", "x[x]", "m[x > 1, :, 0]",
    "m[[0, 1, 2], [0, 1]]", "x[:, None, None, 0]", "x[1:2:0]",
)  # fmt: skip
# Known only when the graph computes it, which it does where somebody needs it.
LATER = {
    "np.linalg.solve(m[:, :2], x)", "x[[0, 7]]", "x[np.array([0, 7])]",
    "np.searchsorted(m, 1)",
    "np.triu(n)", "np.power(n, -1)", "n ** -1",
}  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", CALLS)
def test_a_wrong_call_is_refused_while_it_is_traced(call):
    f = load(f"def f(x, m, n):\n    v = {call}\n    return n\n", np=np)

    def fails(function):
        try:
            with np.errstate(all="ignore"):
                function(np.array([1.0, 2.0, 3.0]), np.arange(6.0).reshape(2, 3), np.int64(2))
        except Exception:
            return True
        return False

    assert fails(runtime.function(f, jit_compile=False)) or not fails(f) or call in LATER


@pytest.mark.parametrize("shape", [(3,), (2, 3), (1, 2, 3), (4, 2, 2, 3), (None, 3), (None, 2, 2, 3)])
def test_a_bias_has_a_number_for_each_channel(shape):
    specs = [runtime.TensorSpec(shape, runtime.float32), runtime.TensorSpec((None,), runtime.float32)]
    x = np.ones([size or 5 for size in shape], np.float32)
    for form in (
        runtime.nn.bias_add,
        runtime.function(runtime.nn.bias_add),
        runtime.function(lambda v, b: runtime.nn.bias_add(v, b), specs),
    ):
        assert (form(x, np.ones(3, np.float32)).numpy() == 2).all()
    for form in (runtime.nn.bias_add, runtime.function(runtime.nn.bias_add)):
        with pytest.raises(ValueError, match="3 channels meet 2 numbers"):
            form(x, np.ones(2, np.float32))


@pytest.mark.parametrize("jit", [None, False])
@pytest.mark.parametrize("of_x", [None, (None, None), (None, 3)])
@pytest.mark.parametrize("of_b", [None, (None,), (3,)])
def test_a_bias_whose_size_the_graph_knows(of_x, of_b, jit):
    specs = [runtime.TensorSpec(of_x, runtime.float32), runtime.TensorSpec(of_b, runtime.float32)]
    f = runtime.function(lambda x, b: runtime.nn.bias_add(x, b), specs, jit_compile=jit)
    x = np.ones((2, 3), np.float32)
    assert (f(x, np.ones(3, np.float32)).numpy() == 2).all()
    for wrong in (np.ones(1, np.float32), np.ones(2, np.float32), np.ones((1, 3), np.float32)):
        with pytest.raises((ValueError, TypeError)):  # what it takes, or what its signature does
            f(x, wrong)
    with pytest.raises(ValueError, match="of a scalar"):
        runtime.nn.bias_add(1.0, [1.0])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("jit", [None, False], ids=["native", "numpy"])
@pytest.mark.parametrize("shapes", [((None,), (None, None)), (None, None)], ids=["open sizes", "open ranks"])
@pytest.mark.parametrize("call", CALLS)
def test_a_wrong_call_is_refused_where_only_the_graph_knows_the_shapes(call, shapes, jit):
    f = load(f"def f(x, m, n):\n    v = {call}\n    return v\n", np=np)

    def outcome(function):
        try:
            with np.errstate(all="ignore"):
                return function(np.array([1.0, 2.0, 3.0]), np.arange(6.0).reshape(2, 3), np.int64(2))
        except Exception as error:
            return error

    specs = [runtime.TensorSpec(shape, "float64") for shape in shapes] + [runtime.TensorSpec([], "int64")]
    if isinstance(outcome(f), Exception):
        found = outcome(runtime.function(f, specs, jit_compile=jit))
        assert isinstance(found, Exception), found


@pytest.mark.parametrize("index", [1.0, np.float32(1), tf.constant(0.5), [0.0], slice(1.0, None), (0, 1.5), 1j])
def test_only_integers_number_elements(index):
    x = tf.constant([[1, 2], [3, 4]])
    for f in (lambda: x[index], lambda: tf.function(lambda x: x[index])(x), lambda: tf.Variable(x)[index]):
        with pytest.raises(TypeError if type(index) is slice else IndexError, match="only integers, slices"):
            f()
    assert x[[]].shape == [0, 2] and tf.function(lambda x: x[[], 0])(x).shape == [0]


@pytest.mark.parametrize("text", ["1", b"1", ["1", "2"], np.array(["1"]), np.array([b"1"], object)])
def test_text_becomes_no_number_by_itself(text):
    for make in (tf.constant, tf.convert_to_tensor):
        with pytest.raises(TypeError, match="is text, which does not convert to int32 by itself"):
            make(text, tf.int32)
    assert tf.constant(text, tf.string).dtype == tf.string


C_FUNCTIONS = {
    "len": len, "abs": abs, "math.sin": math.sin, "math.hypot": math.hypot, "str.join": "a".join,
    "list.append": [1].append, "list.index": [1, 2].index, "dict.get": {1: 2}.get, "dict.pop": {2: 1}.pop,
    "ndarray.dot": np.array([1.0, 2.0]).dot, "ndarray.sum": np.arange(3).sum, "partial": functools.partial([1].append),
}  # fmt: skip


@pytest.mark.parametrize("count", [0, 1, 2, 4])
@pytest.mark.parametrize("name", C_FUNCTIONS)
def test_a_function_in_c_is_called_with_arguments_that_it_looks_at_itself(name, count):
    def outcome(function):
        try:
            made = function(*[1] * count)
        except Exception as error:
            return str(error)
        return made if made is None else np.asarray(made).round(5).astype(float).tolist()

    assert outcome(tf.function(C_FUNCTIONS[name], jit_compile=False)) == pytest.approx(outcome(C_FUNCTIONS[name]))


REFUSED = [
    ("tf.fill([2], [1, 2])", "InvalidArgumentError", "one value for all elements"),
    ("tf.fill([2], [[1]])", "InvalidArgumentError", "one value for all elements"),
    ("tf.range(3, dtype=tf.string)", "TypeError", "range with dtype=string"),
    ("tf.range(3, dtype=tf.bool)", "TypeError", "range with dtype=bool"),
    ("tf.add_n([])", "ValueError", "at least one tensor"),
    ("tf.pad([1, 2], [[1]])", "InvalidArgumentError", "a pair of numbers"),
    ("tf.pad([1, 2], [1, 1])", "InvalidArgumentError", "a pair of numbers"),
    ("tf.pad([1, 2], [[1, 1], [1, 1]])", "InvalidArgumentError", "a pair of numbers"),
    ("tf.nn.conv2d(tf.ones([1, 4, 4, 3]), tf.ones([2, 2, 2, 1]), 1, 'SAME')", "InvalidArgumentError", "channels"),
    ("tf.data.Dataset.range(3).batch(0)", "InvalidArgumentError", "batch_size=0: it must be 1 at least"),
    ("tf.data.Dataset.range(3).window(0)", "InvalidArgumentError", "it must be 1 at least"),
]  # fmt: skip


@pytest.mark.parametrize("text, error, words", REFUSED)
def test_wrong_calls_raise_what_tensorflow_raises(text, error, words):
    kind = getattr(tf.errors, error, None) or getattr(builtins, error)
    run = lambda: eval(text, {"tf": tf})
    for call in (run, tf.function(run)):
        with pytest.raises(kind, match=words):
            call()
