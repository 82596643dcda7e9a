"""What can fail runs only where the program asks for it, and what is said to be total never fails."""

import itertools
import warnings

import numpy as np
import pytest

import runtime as tf
from runtime.dtypes import as_dtype
from runtime.graph.graph import Node, TensorType, Value
from runtime.graph.op import OPS
from runtime.ops import elementwise as ew
from tests.programs import EXECUTORS, lacks_native_form, load
from tests.runtime.examples import ELSEWHERE, EXAMPLES

SAMPLES = {
    "b": [True, False],
    "i": [0, 1, -1, 7, -9],
    "u": [0, 1, 7],
    "f": [0.0, -0.0, 1.5, -2.0, np.nan, np.inf, -np.inf, 1e300],
    "c": [0, 1j, np.nan, np.inf],
}


def extremes(dtype):
    dtype = np.dtype(dtype)
    with np.errstate(all="ignore"):
        values = np.array(SAMPLES[dtype.kind]).astype(dtype)
    if dtype.kind in "iu":
        values = np.append(values, [np.iinfo(dtype).min, np.iinfo(dtype).max]).astype(dtype)
    return values


def node_of(op, arrays, attributes):
    """A node for arguments like these; None if the row does not take them."""
    types = [TensorType(as_dtype(np.asarray(a).dtype), np.shape(a)) for a in arrays]
    try:
        made = op.rule(*types, **attributes)
    except TypeError:
        return None
    outputs = tuple(Value(t, "y") for t in (made if isinstance(made, tuple) else (made,)))
    return Node(op, tuple(Value(t, "x") for t in types), outputs, attributes, ())


def every_use():
    for name, op in OPS.items():
        if name in EXAMPLES:
            yield from ((op, [np.asarray(a) for a in arrays], attributes) for arrays, attributes in EXAMPLES[name])
        elif op.literals:
            for dtypes in itertools.product(
                ("bool", "int8", "int64", "uint8", "float32", "float64", "complex128"), repeat=2
            ):
                arrays = [*(np.ones(3, d) for d in dtypes)]
                for given in (arrays[:1], arrays):
                    if len(given) == op.text.count("{1}") + 1:
                        yield op, given, {}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", sorted(OPS))
def test_a_total_row_never_raises(name):
    uses = [(op, arrays, attributes) for op, arrays, attributes in every_use() if op.name == name]
    for op, arrays, attributes in uses:
        if any(a.dtype.kind not in SAMPLES for a in arrays):
            continue
        node = node_of(op, arrays, attributes)
        if node is None or not op.total(node):
            continue
        shown = {k: getattr(v, "as_numpy_dtype", v) for k, v in attributes.items()}
        samples = [extremes(a.dtype) for a in arrays]
        for shift in range(max(map(len, samples), default=1)):
            given = [
                np.resize(np.roll(s, shift * (i + 1)), a.shape)[()] for i, (s, a) in enumerate(zip(samples, arrays))
            ]
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
                op.kernel(*given, **shown)


M, V, N = np.array([[0.0, 1.0], [-1.0, 0.0]]), np.array([1.0, 2.0, 3.0]), np.int32(-1)
EMPTY = np.zeros(0)
BYTES = b"no number"

# For each row that can fail: an expression in `a` and `b`, and values for which it does.
FAILING = {
    "power": ("a ** b", (np.int32(2), N)),
    "argmax": ("tf.argmax(a)", (EMPTY,)),
    "argmin": ("tf.argmin(a)", (EMPTY,)),
    "max": ("tf.reduce_max(a)", (EMPTY,)),
    "min": ("tf.reduce_min(a)", (EMPTY,)),
    "fill": ("tf.fill([b], a)", (1.5, N)),
    "reshape": ("tf.reshape(a, [2, b])", (V, np.int32(2))),
    "broadcast_to": ("tf.broadcast_to(a, [b])", (V, np.int32(2))),
    "squeeze": ("tf.squeeze(a, 0)", (V,)),
    "sum_to": ("summed(a, b)", (V, np.int32(2))),
    "sum_like": ("summed_like(a, b)", (V, V[:2])),
    "concat": ("tf.concat([a, b], 1)", (M, M[:1])),
    "stack": ("tf.stack([a, b])", (V, V[:2])),
    "repeat": ("tf.repeat(a, b)", (V, N)),
    "ensure_shape": ("tf.ensure_shape(a, [2])", (V,)),
    "range": ("tf.range(0, 5, a)", (np.int32(0),)),
    "add": ("a + b", (V, V[:2])),
    "where": ("tf.where(a > 0, a, b)", (V, V[:2])),
    "clip": ("tf.clip_by_value(a, b, 5.0)", (V, V[:2])),
    "less": ("a < b", (V, V[:2])),
    "getitem": ("a[b]", (V, np.int32(9))),
    "setitem": ("with_item(a, b)", (V, np.int32(9))),
    "gather": ("tf.gather(a, b)", (V, np.int32(9))),
    "gather_nd": ("tf.gather_nd(a, [[b]])", (V, np.int32(9))),
    "scatter": ("tf.tensor_scatter_nd_update(a, [[b]], [1.0])", (V, np.int32(9))),
    "boolean_mask": ("tf.boolean_mask(a, b)", (V, np.array([True]))),
    "top_k": ("tf.math.top_k(a, 9)[0]", (V,)),
    "matmul": ("a @ b", (M, V)),
    "einsum": ("tf.einsum('i,i->', a, b)", (V, V[:2])),
    "tensordot": ("tf.tensordot(a, b, 1)", (V, V[:2])),
    "inverse": ("tf.linalg.inv(a)", (np.zeros((2, 2)),)),
    "cholesky": ("tf.linalg.cholesky(a)", (M,)),
    "solve": ("tf.linalg.solve(a, b)", (np.zeros((2, 2)), np.ones((2, 1)))),
    "eigh": ("np.linalg.eigh(a)[0]", (np.full((2, 2), np.nan),)),
    "eigvalsh": ("np.linalg.eigvalsh(a)", (np.full((2, 2), np.nan),)),
    "svd": ("np.linalg.svd(a)[1]", (np.full((2, 2), np.nan),)),
    "singular_values": ("np.linalg.svd(a, compute_uv=False)", (np.full((2, 2), np.nan),)),
    "eig": ("tf.abs(tf.linalg.eig(a)[0])", (np.full((2, 2), np.nan),)),
    "eigvals": ("tf.abs(tf.linalg.eigvals(a))", (np.full((2, 2), np.nan),)),
    "lu": ("tf.linalg.lu(a)[0]", (np.zeros((2, 2)),)),
    "lstsq": ("np.linalg.lstsq(a, b)[0]", (np.full((2, 2), np.nan), V[:2])),
    "fourier": ("np.fft.fft(a)", (V[:0],)),
    "text_method": ("ord(a)", (BYTES,)),
    "string_to_number": ("tf.strings.to_number(a)", (BYTES,)),
    "string_part": ("tf.strings.length(tf.strings.substr(a, b, 1))", (BYTES, np.int32(10))),
    "unicode_decode": ("tf.strings.unicode_decode(a, 'UTF-8', 'strict')", (np.array(b"\xff", object),)),
    "unicode_starts": (
        "tf.strings.unicode_split_with_offsets(a, 'UTF-8', 'strict')[1]",
        (np.array(b"\xff", object),),
    ),
    "unicode_encode": ("tf.strings.unicode_encode(a, 'UTF-8', 'strict')", (np.array([-1], np.int32),)),
    "unicode_transcode": (
        "tf.strings.length(tf.strings.unicode_transcode(a, 'UTF-8', 'UTF-8', 'strict'))",
        (np.array(b"\xff", object),),
    ),
    "split": ("tf.split(a, 2)[0]", (V,)),
    "list_popped": ("popped([a, b], 5)", (V, V)),
    "list_item": ("[a, a][b]", (V, np.int32(9))),
    "list_cell": ("[[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0]][b][0]", (V, np.int32(9))),
    "list_gather": ("tf.TensorArray(tf.float64, 1).unstack([a]).gather([b])", (np.float64(1), np.int32(9))),
    "assert": ("asserted(a)", (N,)),
    "raise": ("raising(a)", (N,)),
    "require": ("unbound(a)", (N,)),
    "fit": ("tf.constant(1, tf.int8) + int(a)", (np.int32(1000),)),
    "list_fit": ("tf.stack([v for v in [int(a), 5] if v > 4])", (np.int64(2**40),)),
    "python_int": ("int(a)", (np.float64("nan"),)),
    "python_round": ("round(int(a), -3)", (np.int64(2**63 - 1),)),
    "made": ("data((a, b)).reduce(tf.constant(0.0, tf.float64), lambda s, x: s + x[0])", (V, V[:2])),
    "advance": (
        "data(a).map(lambda v: tf.gather([1.0], 5)).reduce(tf.constant(0.0), lambda s, x: s + x)",
        (V,),
    ),
    "element_of": ("next(iter(data(a)))", (V[:0],)),
    "py_function": ("tf.py_function(failing, [a], tf.float64)", (V,)),
}

# No value of the right type makes them fail, as far as is known, or they hold others or draw numbers.
NEVER = set(
    "argsort python_order as_string assign assign_add assign_sub bitcast call categorical checked convolution draw "
    "convolution_filters convolution_images cumprod cumsum det diag expand_dims eye if iterator len length linspace "
    "rows_of rows_even rows_item rows_cell rows_put rows_put_cell rows_append rows_extend rows_tight list_append_cell "
    "rows_filled rows_is_written rows_split rows_first_length list_ordered "
    "list_add_at list_add_all_at list_read_like list_erase string_split string_letters "
    "list_add list_cast list_concat list_extend list_from_tensor list_insert list_narrow list_new list_pack "
    "list_read list_remove list_scatter list_set_cell list_set_item list_size list_slice list_split list_stack "
    "list_full_like list_write "
    "logged logsumexp mean narrow native nonzero norm one_hot outer pad pool pool_choice print qr "
    "random_normal shown "
    "random_shuffle random_uniform read_variable reverse roll searchsorted slogdet sort std string_buckets "
    "string_change string_fixed string_format string_join string_length string_lower string_matches string_reduce_join "
    "string_replace string_strip string_upper text tile trace transpose tril triu truncated_normal unique "
    "unpool var warned while widen custom_gradient stateless_random stop_gradient".split()
)

DEFINITIONS = """
from runtime.ops import reduce
from runtime.tensors.conversion import operand
from runtime.tensors.operations import apply

def summed(a, b):
    return apply(reduce.sum_to, operand(a), operand(b), shape=(None,))

def summed_like(a, b):
    return apply(reduce.sum_like, operand(a), operand(b))

def with_item(a, b):
    a[b] = 1.0
    return a

def popped(items, n):
    items.pop(n)
    return items[0]

def asserted(a):
    assert a > 0
    return a

def raising(a):
    if a < 0:
        raise ValueError("negative")
    return a

def unbound(a):
    if a > 0:
        y = a
    return y + 1

def failing(a):
    raise ValueError("called")

data = tf.data.Dataset.from_tensor_slices

"""

# `c` is False and `n` is 0; the expression must not be computed.
GUARDS = {
    "and": "r = 1 if c and USED else 2",
    "and, alone": "r = c and USED",
    "or": "r = not c or USED",
    "conditional expression": "r = COUNTED if c else 2",
    "if": "r = 0\nif c:\n    r = COUNTED",
    "else": "if not c:\n    r = 0\nelse:\n    r = COUNTED",
    "elif": "r = 0\nif n > 0:\n    r = 1\nelif c and USED:\n    r = 2",
    "while test": "r = 0\nwhile c and USED:\n    r += 1",
    "while": "r, i = 0, 0\nwhile i < n:\n    r += COUNTED\n    i += 1",
    "for": "r = 0\nfor _ in tf.range(n):\n    r += COUNTED",
    "inner loop": "r = 0\nfor _ in tf.range(n + 2):\n    for _ in tf.range(n):\n        r += COUNTED",
    "branch in a loop": "r = 0\nfor _ in tf.range(n + 2):\n    if c:\n        r += COUNTED",
    "after a return": "if n < 1:\n    return 0\nr = COUNTED",
    "after a break": "r = 0\nfor _ in tf.range(n + 2):\n    if not c:\n        break\n    r += COUNTED",
}


def used(text, expression, values):
    """A guard's program with an expression that the result depends on."""
    number = f"({expression})" if not any(map(np.ndim, values)) else f"tf.reduce_sum(tf.cast({expression}, tf.float64))"
    return text.replace("USED", f"{number} < 5").replace("COUNTED", f"tf.cast({number}, tf.int32)")


def test_every_row_is_total_or_made_to_fail():
    partial = set()
    for op, arrays, attributes in every_use():
        node = node_of(op, arrays, attributes)
        if node is not None and not op.total(node):
            partial.add(op.name)
    assert (partial | ELSEWHERE) - NEVER - FAILING.keys() == set()
    assert not ew.power.total(node_of(ew.power, [np.int32(2), np.int32(1)], {}))


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", FAILING)
def test_behind_a_false_guard(name):
    expression, values = FAILING[name]
    parameters = ["a", "b"][: len(values)]
    given = [tf.constant(v) for v in values]
    for shapes in ([t.shape for t in given], [[None] * len(t.shape) for t in given]):
        specs = [tf.TensorSpec(s, t.dtype) for s, t in zip(shapes, given)]
        specs = [tf.TensorSpec([], tf.bool), tf.TensorSpec([], tf.int32), *specs]
        for guard, text in GUARDS.items():
            body = "\n    ".join(used(text, expression, values).split("\n"))
            program = f"{DEFINITIONS}def program(c, n, {', '.join(parameters)}):\n    {body}\n    return r\n"
            function = load(program, "program", tf=tf)
            for native in EXECUTORS:
                graph = tf.function(function, jit_compile=native, input_signature=specs)
                try:
                    result = graph(tf.constant(False), tf.constant(0), *given)
                except tf.errors.InvalidArgumentError as error:
                    assert native and lacks_native_form(error, unknown=True)
                    continue
                assert int(result) in (0, 1, 2), (guard, native)


@pytest.mark.parametrize("name", FAILING)
def test_it_does_fail(name):
    expression, values = FAILING[name]
    parameters = ["a", "b"][: len(values)]
    given = [tf.constant(v) for v in values]
    program = f"{DEFINITIONS}def program({', '.join(parameters)}):\n    return {expression}\n"
    specs = [tf.TensorSpec([None] * len(t.shape), t.dtype) for t in given]
    graph = tf.function(load(program, "program", tf=tf), jit_compile=False, input_signature=specs)
    with pytest.raises(Exception):  # noqa: B017 (of whatever kind)
        graph(*given)
