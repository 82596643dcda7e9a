"""What is simplified is the same for every value of every dtype, to the last bit: each rule against the operation."""

from collections import Counter
from functools import partial
from itertools import permutations

import numpy as np
import pytest

import runtime as tf
from runtime.executors.numpy import compile_graph
from runtime.graph.dtypes import ALL
from runtime.graph.op import OPS
from runtime.ops import elementwise as ew, indexing, reduce, shape as shape_ops
from runtime.optimise.folding import constant_folding
from runtime.optimise.simplification import RULES, simplification
from runtime.tensors import conversion
from runtime.tensors.operations import apply
from tests.programs import EXECUTORS, load

DTYPES = [d for d in ALL if d.name != "string"]
NUMBERS = [0, -0.0, 1, -1, 2, 0.5, True, False, 0j, 1 + 0j, -0j, complex(-0.0, -0.0), complex(0, -0.0), np.nan, np.inf]


def specials(dtype):
    """Zeros of both signs, ones, the smallest and the largest, and what is no number."""
    kind = dtype.dtype
    if kind.kind == "b":
        return np.array([False, True])
    if kind.kind in "iu":
        limits = np.iinfo(kind)
        return np.array([0, 1, 2, limits.min, limits.max, limits.max - 1], kind)
    parts = np.array([0.0, -0.0, 1.0, -1.0, 0.5, np.nan, np.inf, -np.inf, np.finfo(kind).tiny / 2], kind)
    if kind.kind == "f":
        return parts
    made = np.empty((len(parts), len(parts)), kind)  # a product would lose the signs
    made.real, made.imag = np.meshgrid(parts.real, parts.real)
    return made.ravel()


def binary(op, x, y):
    return conversion.binary(op, x, y)


def undone(number, x):
    return (x + number) - number


def there_and_back(op, wanted, dtype, x):
    return apply(op, apply(op, x, dtype=wanted), dtype=dtype)


def written(parts, reads, x):
    """A part set, and then read, or set to what it is."""
    part = apply(OPS["getitem"], x, index=parts)
    turned = apply(OPS["reverse"], part, axis=(0,)) if part.shape.rank else part
    made = apply(OPS["setitem"], x, turned, index=parts, how="set")
    found = apply(OPS["getitem"], made, index=parts)
    return found if reads else apply(OPS["setitem"], made, found, index=parts, how="set")


def expressions(name, dtype):
    """Uses of an operation to which its rule may apply."""
    op = OPS[name]
    if name in ("negative", "logical_not", "invert", "conj"):
        yield "twice", lambda x: apply(op, apply(op, x))
    elif name in ("positive", "identity", "stop_gradient"):
        yield "once", lambda x: apply(op, x)
    elif name == "cast":
        for wanted in DTYPES:
            yield wanted.name, partial(apply, op, dtype=wanted)
            yield f"{wanted.name} and back", partial(there_and_back, op, wanted, dtype)
    elif name in ("reshape", "broadcast_to", "sum_to"):
        yield "same", lambda x: apply(op, x, shape=tuple(x.shape))
    elif name == "sum_like":
        yield "same", lambda x: apply(op, x, x)
    elif name == "transpose":
        yield "twice", lambda x: apply(op, apply(op, x, axes=None), axes=None)
    elif name == "where":
        yield "same", lambda x: apply(op, x == x, x, x)
    elif name in ("getitem", "setitem"):
        for part in (slice(1, None), slice(None, None, 2), Ellipsis, 0, -1, None):
            parts = part if isinstance(part, tuple) else (part,)
            yield f"read back {part}", partial(written, parts, True)
            yield f"written again {part}", partial(written, parts, False)
    elif name in ("fit", "narrow"):
        return  # of single numbers, below
    elif op.literals:
        if name != "power":  # a negative one of whole numbers is an error
            yield "itself", lambda x: apply(op, x, x)
        for number in NUMBERS:
            if name == "power" and not isinstance(number, complex) and not 0 <= number < 9:
                continue
            yield f"weak right {number}", partial(binary, op, y=number)
            yield f"weak left {number}", partial(binary, op, number)
            with np.errstate(all="ignore"):
                same = np.asarray(number if dtype.is_complex else np.real(number)).astype(dtype.dtype)
            yield f"right {number}", partial(binary, op, y=same)
            yield f"left {number}", partial(binary, op, same)
            yield f"array {number}", partial(binary, op, y=np.asarray([number]))
            yield f"undone {number}", partial(undone, number)
    else:
        raise AssertionError(f"no use of {name}")


def same_bits(one, other):
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    parts = [(one.real, other.real), (one.imag, other.imag)] if one.dtype.kind == "c" else [(one, other)]
    for a, b in parts:
        if a.dtype.kind == "f":  # which NaN it is, no one asks
            numbers = ~np.isnan(a) & ~np.isnan(b)
            if not np.array_equal(np.signbit(a[numbers]), np.signbit(b[numbers])):
                return False
        if not np.array_equal(a, b, equal_nan=a.dtype.kind == "f"):
            return False
    return True


@pytest.mark.sampled(4)
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: d.name)
@pytest.mark.parametrize("name", [op.name for op in RULES])
def test_rules_are_exact(name, dtype):
    x = specials(dtype)
    if name == "power" and dtype.is_integer:  # negative ones are an error
        x = x[x >= 0]
    uses = []

    def function(x):
        made = []
        for what, expression in expressions(name, dtype):
            try:
                made.append(expression(x))
                uses.append(what)
            except (TypeError, OverflowError):  # NumPy has no such operation
                pass
        return made

    traced = tf.function(function, autograph=False).get_concrete_function(tf.TensorSpec(x.shape, dtype)).traced
    with np.errstate(all="ignore"):
        after = simplification(constant_folding(traced)).verify()
    for what, one, other in zip(uses, compile_graph(traced)(x), compile_graph(after)(x), strict=True):
        assert same_bits(np.asarray(one), np.asarray(other)), what


@pytest.mark.parametrize(
    "function, arrays",
    [
        (lambda x, n: tf.reshape(x, [tf.shape(x)[1], tf.shape(x)[0]]), [np.ones((2, 3)), np.ones(1)]),
        (lambda x, n: tf.broadcast_to(x, [tf.shape(n)[0], tf.shape(x)[1]]), [np.ones((1, 3)), np.ones(4)]),
        (lambda x, n: tf.where(n > 0, x[0], x[0]), [np.ones((2, 1)), np.ones(4)]),
        (lambda x, n: x[0] + (n - n), [np.ones((2, 1)), np.ones(4)]),
    ],
)
def test_unknown_dimensions_are_not_equal_because_they_are_unknown(function, arrays):
    specs = [tf.TensorSpec([None] * a.ndim, a.dtype) for a in arrays]
    wanted = function(*map(tf.constant, arrays))
    for jit in EXECUTORS:
        found = tf.function(function, input_signature=specs, jit_compile=jit)(*arrays)
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("wanted", [(), (3,), (1, 3), (2, 1), (2, 3)])
def test_what_has_no_known_rank_is_not_of_the_shape_that_it_is_summed_to(wanted):
    x, other = np.arange(6.0).reshape(2, 3), np.zeros(wanted)

    def function(x, other):
        return apply(reduce.sum_like, conversion.operand(x), conversion.operand(other))

    expected = function(tf.constant(x), tf.constant(other))
    specs = [tf.TensorSpec(None, tf.float64)] * 2
    for jit in (False, None):
        found = tf.function(function, input_signature=specs, jit_compile=jit)(x, other)
        assert found.shape == wanted
        np.testing.assert_array_equal(found, expected)


def test_weak_numbers_are_as_exact():
    """Python numbers alone, which have no dtype yet: a counter that starts as one."""
    for start in (0, 0.0, -0.0, 1.5):
        for name in ("add", "subtract", "multiply", "divide", "power"):
            for number in (0, 1, 0.0, -0.0, 1.0, True):

                def f(n, start=start, op=OPS[name], number=number):
                    x = start
                    while n > 0:
                        x = conversion.binary(op, x, number)
                        n = n - 1
                    return x

                traced = tf.function(f).get_concrete_function(tf.TensorSpec([], tf.int32)).traced
                one, other = (np.asarray(compile_graph(g)(np.int32(2))[0]) for g in (traced, simplification(traced)))
                assert same_bits(one, other), (start, name, number)


def test_every_elementwise_rule_has_a_use():
    assert set(RULES) <= set(OPS.values()) and ew.add in RULES and shape_ops.transpose in RULES


@pytest.mark.parametrize("dtype", [tf.int8, tf.int16, tf.int32, tf.uint8, tf.uint16, tf.uint32, tf.int64], ids=str)
def test_what_was_widened_is_narrow_again(dtype):
    def both(x):
        wide = apply(OPS["widen"], x)
        return apply(OPS["fit"], wide, dtype=dtype), apply(OPS["narrow"], wide)

    traced = tf.function(both, autograph=False).get_concrete_function(tf.TensorSpec([], dtype)).traced
    before, after = (compile_graph(graph) for graph in (traced, simplification(traced)))
    for value in (dtype.min, dtype.max, 0, 1):
        x = dtype.as_numpy_dtype(value)
        assert [(r.dtype, r) for r in before(x)] == [(r.dtype, r) for r in after(x)]


@pytest.mark.parametrize("one", [None, *permutations(range(3))])
@pytest.mark.parametrize("other", [None, *permutations((-3, 1, -1))])
def test_what_is_transposed_twice_stays_only_if_its_axes_are_where_they_were(one, other):
    def twice(x):
        return apply(OPS["transpose"], apply(OPS["transpose"], x, axes=one), axes=other)

    x = np.arange(8).reshape(2, 2, 2)  # of one type, however it is transposed
    traced = tf.function(twice, autograph=False).get_concrete_function(x).traced
    after, wanted = simplification(traced), x.transpose(one).transpose(other)
    np.testing.assert_array_equal(compile_graph(after)(x)[0], wanted)
    assert (after.outputs == after.inputs) == np.array_equal(x, wanted)


@pytest.mark.parametrize("text", [
    "x * 1", "1 * x", "x / 1", "x ** 1", "x - 0",
])  # fmt: skip
def test_what_changes_nothing_is_left_out_on_either_side(text):
    f = tf.function(eval(f"lambda x: {text}", {}), jit_compile=False)
    dtype = tf.float32 if "/" in text else tf.int32
    graph = f.get_concrete_function(tf.TensorSpec(None, dtype)).graph
    assert not graph.nodes, str(graph)


@pytest.mark.parametrize("text", ["1 / x", "1 ** x", "0 - x", "0 << x", "x * 0", "x & 1"])
def test_what_changes_something_is_not(text):
    f = tf.function(eval(f"lambda x: {text}", {}), jit_compile=False)
    assert f.get_concrete_function(tf.TensorSpec(None, tf.float32 if "/" in text else tf.int32)).graph.nodes


def writes_of(f, *arguments):
    graph = tf.function(f).get_concrete_function(*arguments).graph
    return sum(node.op is indexing.setitem for node in graph.walk())


def test_what_is_written_twice_is_written_once():
    def grow(x, y, i):
        x[i] += y[0]
        x[0, :2] *= 2.0
        x[:, i] -= x[:, 0]
        return x

    x, y, i = np.arange(12.0).reshape(3, 4), np.ones((2, 4)), np.int64(1)
    assert writes_of(grow, x, y, i) == 3
    wanted = grow(x.copy(), y, i)
    np.testing.assert_array_equal(tf.function(grow)(x, y, i), wanted)
    np.testing.assert_array_equal(x, wanted)


def test_what_was_written_is_read_without_the_array():
    def last(x, y, i):
        x[i] = y
        return x[i] * 2 + x[i + 0], x

    x, y = np.zeros((3, 2)), np.array([1.0, 2.0])
    found = tf.function(last).get_concrete_function(x, y, np.int64(1)).graph
    assert sum(node.op is indexing.getitem for node in found.nodes) <= 1
    np.testing.assert_array_equal(tf.function(last)(x.copy(), y, np.int64(1))[0], [3.0, 6.0])


@pytest.mark.parametrize("value", [7, np.array([1.5, 2.5]), np.float32(0.1)])
def test_what_was_written_as_another_dtype_or_shape_is_read_from_the_array(value):
    def f(x, v):
        x[1:] = v
        y = x[1:] + 0
        x[np.array([0, 0])] = np.array([3, 4])
        return y, x[np.array([0, 0])]

    x = np.zeros(3, np.int32)
    for found, wanted in zip(tf.function(f)(x.copy(), value), f(x.copy(), value)):
        np.testing.assert_array_equal(found, wanted)
        assert found.dtype == wanted.dtype


# What is written, and how many writes and reads are left where the sizes are known.
LEFT = [
    ("x[...] = v\nreturn x", 0, 0), ("x[:] = v\nreturn x", 0, 0), ("x[:, :] = v\nreturn x", 0, 0),
    ("x[::-1] = v\nreturn x", 1, 0), ("x[i] = v[i]\nreturn x[i]", 0, 1),
    ("x[i] = v[i]\nx[i] = x[i]\nreturn x", 1, 1), ("x[i] = v[i]\nx[j] = x[i]\nreturn x", 2, 1),
    ("x[i] = v[i]\nreturn x[tf.cast(i, tf.int64)]", 0, 1), ("x[i] = v[i]\nreturn x[tf.cast(i, tf.uint8)]", 1, 2),
    ("x[i] = x[tf.cast(i, tf.int64)]\nreturn x", 0, 0), ("x[i] = v[i]\nreturn x[j]", 1, 2),
    ("x[rows] = v[1:]\nreturn x[rows]", 1, 2), ("x[mask] = v[1:, 0]\nreturn x[mask]", 1, 2),
    ("x[:, rows] = v[:, :2]\nreturn x[:, rows]", 1, 2), ("x[rows] = v[1:]\nx[rows] = x[rows]\nreturn x", 1, 1),
]  # fmt: skip


@pytest.mark.parametrize("text, writes, reads", LEFT)
def test_writes_and_reads_that_are_left(text, writes, reads):
    body = "".join(f"    {line}\n" for line in text.splitlines())
    f = load(f"def f(x, v, i, j, rows, mask):\n    x = x * 1\n{body}", tf=tf)
    x, v, mask = np.arange(6.0).reshape(3, 2), -np.arange(6.0).reshape(3, 2), np.array([[1, 0], [0, 1], [0, 0]], bool)
    for i, j, rows in ((0, 1, [1, 1]), (1, 1, [0, 1]), (2, 0, [1, 0])):
        given = x, v, np.int32(i), np.int32(j), np.array(rows), mask
        graph = tf.function(f, jit_compile=False, numpy=True)
        np.testing.assert_array_equal(graph(*given), f(*given))
    found = Counter(node.op for node in graph.get_concrete_function(*given).graph.walk())
    assert (found[indexing.setitem], found[indexing.getitem]) == (writes, reads)


def test_other_places_and_other_arrays_are_written_still():
    def f(x, y, i, j):
        x[i] = x[j]
        y[i] = x[i]
        x[j] += 1.0
        x[i] = x[i]
        return x, y

    for i, j in ((0, 1), (2, 0), (1, 1)):
        x, y = np.arange(3.0), np.zeros(3)
        wanted = f(x.copy(), y.copy(), i, j)
        for a, b in zip(tf.function(f)(x, y, np.int64(i), np.int64(j)), wanted):
            np.testing.assert_array_equal(a, b)


WRITES = [
    "x[...] = v\nreturn x", "x[:] = v\nreturn x", "x[i] = v\nreturn x[i]", "x[:1] = v\nreturn x[:1]",
    "x[:, 0] = v[0]\nreturn x[:, 0]", "x[i] = v\nx[i] = v\nreturn x", "x[i] = x[i]\nreturn x",
]  # fmt: skip


@pytest.mark.parametrize("shape", [None, [None, None], [2, None], [2, 4]], ids=str)
@pytest.mark.parametrize("text", WRITES)
def test_what_is_written_over_an_array_takes_its_size(text, shape):
    f = load("def f(x, v, i):\n    x = x * 1\n" + "".join(f"    {line}\n" for line in text.splitlines()))
    for value in ([[3.0]], [[1.0, 2.0, 3.0, 4.0]], [5.0], [5.0, 6.0, 7.0, 8.0]):
        value = np.array(value, np.float32)
        specs = [tf.TensorSpec(shape, tf.float32), tf.TensorSpec(None, tf.float32), tf.TensorSpec([], tf.int32)]
        graph = tf.function(f, input_signature=specs, jit_compile=False, numpy=True)
        x = np.arange(8, dtype=np.float32).reshape(2, 4)
        try:
            wanted = f(x.copy(), value, 1)
        except ValueError:
            continue
        np.testing.assert_array_equal(graph(x.copy(), value, np.int32(1)), wanted)
