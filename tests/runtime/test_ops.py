"""Every row of the table: its rule against its kernel, and the text of the graph against both."""

import re

import numpy as np
import pytest

import runtime as tf
from runtime.dtypes import DType, as_dtype
from runtime.executors.numpy import compile_graph
from runtime.graph.graph import Node, TensorType, Value
from runtime.graph.op import OPS
from runtime.graph.shapes import fits
from runtime.optimise.folding import constant_folding
from runtime.tensors.conversion import operand
from runtime.tensors.operations import apply
from runtime.tensors.tensor import EagerTensor
from runtime.tensors.trace import Trace, recording
from tests.programs import EXECUTORS, lacks_native_form
from tests.runtime.examples import ELSEWHERE, EXAMPLES

NUMBERS = [np.array([[0.5, -0.25], [0.75, 0.1]], t) for t in (np.float32, np.float64)]
INTEGERS = [np.array([[3, 1], [2, 5]], t) for t in (np.int32, np.int64, np.uint8)]
OTHERS = [np.array([True, False]), np.array([1 + 2j, -0.5j])]


def elementwise_cases():
    """Operands of each kind that NumPy takes; a row or a scalar for the second shows broadcasting."""
    for op in OPS.values():
        if not op.literals or op.name in EXAMPLES:
            continue
        count = len(set(re.findall(r"{(\d)}", op.text)))
        for x in [*NUMBERS, *INTEGERS, *OTHERS]:
            inputs = [x] if count == 1 else [x, x[0]] if x.ndim == 2 else [x, x]
            try:
                with np.errstate(all="ignore"):
                    op.kernel(*inputs)
            except TypeError:
                continue
            yield pytest.param(op, inputs, {}, id=f"{op.name}-{x.dtype}")


def other_cases():
    for name, examples in EXAMPLES.items():
        for number, (inputs, attributes) in enumerate(examples):
            yield pytest.param(OPS[name], inputs, attributes, id=f"{name}-{number}")


CASES = [*elementwise_cases(), *other_cases()]


def test_no_row_is_left_out():
    tested = {case.values[0].name for case in CASES}
    assert set(OPS) == tested | ELSEWHERE


def type_of(x):
    return TensorType(as_dtype(np.asarray(x).dtype), np.shape(x))


def as_tuple(x):
    return x if isinstance(x, tuple) else (x,)


def run(op, inputs, attributes):
    plain = {k: v.as_numpy_dtype if isinstance(v, DType) else v for k, v in attributes.items()}
    with np.errstate(all="ignore"):
        return as_tuple(op.kernel(*inputs, **plain))


# Operations whose inputs decide by their values how many elements there are.
BY_VALUE = """
    fill reshape range nonzero getitem boolean_mask unique string_split string_letters unicode_decode lstsq sum_to
    unicode_starts convolution_images convolution_filters best_boxes
""".split()
WITHOUT_RANK = (
    "gather_nd squeeze".split()
)  # operations whose inputs decide by their sizes how many dimensions there are


@pytest.mark.parametrize("op, inputs, attributes", CASES)
def test_the_rule_says_what_the_kernel_gives(op, inputs, attributes):
    found = as_tuple(op.rule(*map(type_of, inputs), **attributes))
    for kind, result in zip(found, run(op, inputs, attributes), strict=True):
        assert kind.dtype == as_dtype(np.asarray(result).dtype)
        assert fits(np.shape(result), kind.shape)
        assert kind.shape == np.shape(result) or (op.name in BY_VALUE and None in kind.shape)


@pytest.mark.parametrize("op, inputs, attributes", CASES)
def test_the_rule_takes_unknown_shapes(op, inputs, attributes):
    for unknown in (lambda t: TensorType(t.dtype, None), lambda t: TensorType(t.dtype, (None,) * len(t.shape))):
        given = [unknown(type_of(x)) for x in inputs]
        found = as_tuple(op.rule(*given, **attributes))
        for kind, result in zip(found, run(op, inputs, attributes), strict=True):
            assert fits(np.shape(result), kind.shape)
            without_rank = op.name in WITHOUT_RANK or any(x.shape is None for x in given)
            assert kind.shape is not None or without_rank


@pytest.mark.parametrize("op, inputs, attributes", CASES)
def test_a_graph_gives_what_the_kernel_gives(op, inputs, attributes):
    trace = Trace("f")
    values = [trace.input(type_of(x), "x") for x in inputs]
    from runtime.tensors.tensor import SymbolicTensor

    with recording(trace):
        outputs = as_tuple(apply(op, *(SymbolicTensor(trace, v) for v in values), **attributes))
    graph = trace.graph([o.value for o in outputs]).verify()
    for mine, wanted in zip(compile_graph(graph)(*inputs), run(op, inputs, attributes), strict=True):
        assert np.asarray(mine).dtype == np.asarray(wanted).dtype
        np.testing.assert_array_equal(mine, wanted)


@pytest.mark.parametrize("op, inputs, attributes", [case for case in CASES if not case.values[0].effect])
def test_of_constants_a_constant_is_made(op, inputs, attributes):
    """Whatever the operation: it has the values and the dtype that computing has them when the graph runs."""
    if any(isinstance(x, list) or np.asarray(x).dtype == object for x in inputs):
        return
    trace = Trace("f")
    with recording(trace):
        outputs = as_tuple(apply(op, *map(operand, inputs), **attributes))
    if any(not isinstance(o.value.type, TensorType) or o.dtype == tf.string for o in outputs):
        return
    graph = constant_folding(trace.graph([o.value for o in outputs])).verify()
    assert not inputs or {node.op for node in graph.nodes} == {OPS["constant"]}
    for mine, wanted in zip(compile_graph(graph)(), run(op, inputs, attributes), strict=True):
        assert np.asarray(mine).dtype == np.asarray(wanted).dtype
        np.testing.assert_array_equal(mine, wanted)


def _node(op, inputs, attributes):
    types = as_tuple(op.rule(*map(type_of, inputs), **attributes))
    given, made = (tuple(Value(t, "x") for t in found) for found in (map(type_of, inputs), types))
    return Node(op, given, made, attributes, ())


@pytest.mark.parametrize("op, inputs, attributes", CASES)
def test_a_row_says_whether_its_result_may_share_memory(op, inputs, attributes):
    results = run(op, inputs, attributes)
    if not op.shares(_node(op, inputs, attributes)):
        arrays = [x for x in [*inputs, *attributes.values()] if isinstance(x, np.ndarray)]
        assert not any(np.shares_memory(r, a) for r in results if isinstance(r, np.ndarray) for a in arrays)
    lists = [a for a in inputs if isinstance(a, list)]  # the list of a result is its own, whatever its elements are
    assert not any(r is a for r in results for a in lists)


ON_NUMBERS = [case for case in CASES if all(np.asarray(x).dtype.kind in "biufc" for x in case.values[1])]


@pytest.mark.sampled(6, each="op")
@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("op, inputs, attributes", ON_NUMBERS)
def test_what_outlives_a_call_does_not_see_what_the_caller_writes(op, inputs, attributes, jit_compile):
    """Results, what Variables hold, and what a Python function has kept: of a graph and of an eager operation."""
    if op.effect or jit_compile and not op.shares(_node(op, inputs, attributes)):
        return  # native code writes results of its own
    variables, kept = [], []

    def keep(*tensors):
        kept.extend(tensors)

    def program(*arrays):
        made = as_tuple(apply(op, *map(operand, arrays), **attributes))
        numbers = [t for t in made if isinstance(t, tf.Tensor) and t.dtype != tf.string]
        if not variables:
            variables.extend(tf.Variable(np.zeros(np.shape(t), t.dtype.dtype)) for t in numbers)
        for variable, tensor in zip(variables, numbers):
            variable.assign(tensor)
        tf.py_function(keep, numbers, [])
        return numbers

    eager = program(*(np.array(x) for x in inputs))
    for how in (lambda f: f, lambda f: tf.function(f, jit_compile=jit_compile)):
        kept.clear()
        given = [np.array(x) for x in inputs]
        try:
            results = how(program)(*given)
        except tf.errors.InvalidArgumentError as error:
            assert lacks_native_form(error)
            return
        for array in given:
            array[...] = 77 if array.dtype != bool else ~array
        for found in (results, kept, variables):
            assert len(found) == len(eager)
            for mine, wanted in zip(found, eager):
                np.testing.assert_array_equal(np.asarray(mine), np.asarray(wanted))


@pytest.mark.parametrize("op, inputs, attributes", CASES)
def test_eager_gives_what_the_kernel_gives(op, inputs, attributes):
    mine = as_tuple(apply(op, *map(EagerTensor.of, inputs), **attributes))
    for tensor, wanted in zip(mine, run(op, inputs, attributes), strict=True):
        np.testing.assert_array_equal(tensor.array, wanted)


@pytest.mark.parametrize(
    "function, name",
    [
        (lambda x: tf.nn.max_pool2d(x, 2), "MaxPool"), (lambda x: tf.nn.avg_pool2d(x, 2), "AvgPool"),
        (lambda x: tf.tensor_scatter_nd_add(x, [[0, 0, 0, 0]], [1.0]), "TensorScatterAdd"),
        (lambda x: tf.tensor_scatter_nd_update(x, [[0, 0, 0, 0]], [1.0]), "TensorScatterUpdate"),
        (lambda x: tf.searchsorted(x[0, 0, 0], x[0, 0, 0], out_type=tf.int64), "LowerBound"),
        (lambda x: tf.searchsorted(x[0, 0, 0], x[0, 0, 0], side="right", out_type="int64"), "UpperBound"),
        (lambda x: x @ x, "BatchMatMulV2"), (lambda x: x[0, 0] @ x[0, 0], "MatMul"), (lambda x: -x, "Neg"),
        (lambda x: tf.linalg.diag(x[0, 0, 0]), "MatrixDiagV3"), (lambda x: tf.random.uniform([2]), "RandomUniform"),
        (lambda x: tf.random.uniform([2], 0, 9, tf.int32), "RandomUniformInt"),
        (lambda x: tf.strings.lower("A", "utf-8"), "StringLower"), (lambda x: tf.where(x > 0, x, -x), "SelectV2"),
    ],
)  # fmt: skip
def test_names_are_those_of_tensorflow(function, name):
    graph = tf.function(function).get_concrete_function(tf.TensorSpec([1, 4, 4, 4], tf.float32)).traced
    assert graph.get_operations()[-2].type == name  # the last is what the graph returns


def test_two_rows_may_not_have_one_name():
    from runtime.graph.op import op

    with pytest.raises(AssertionError, match="two rows for add"):
        op("add", lambda x: x, "{0}")


@pytest.mark.parametrize("dtype", ["int8", "int64", "float16", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("order", ["euclidean", 1, 2, 3, np.inf])
@pytest.mark.parametrize("axis, keepdims", [(None, False), (None, True), (0, False), (1, True)])
def test_the_norm_is_of_floats_as_wide_as_the_parts(dtype, order, axis, keepdims):
    x = np.array([[3, -4, 1], [0, 2, -2]]).astype(dtype) * (1 + 1j if dtype.startswith("complex") else 1)
    x = x.astype(dtype)
    wide = {"int8": "float32", "int64": "float32", "complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
    numpys = None if order == "euclidean" else order
    wanted = np.linalg.norm(x.ravel() if axis is None else x, numpys, axis)
    if keepdims:
        wanted = np.reshape(wanted, (1, 1) if axis is None else (2, 1))
    for norm in (tf.norm, tf.function(tf.norm, jit_compile=False)):
        found = norm(tf.constant(x), order, axis, keepdims)
        assert found.dtype == wide
        np.testing.assert_allclose(found, wanted, rtol=4e-3 if dtype == "float16" else 1e-6)


def sizes_of(function, specs):
    """The sizes of what a graph gives, None where they are not known."""
    (output,) = tf.function(function).get_concrete_function(*specs).graph.outputs
    return tuple(size if isinstance(size, int) else None for size in output.type.shape)


@pytest.mark.parametrize("shapes, wanted", [
    (((2, None), (None, 4)), (2, 4)), (((None, 3), (3, 4)), (None, 4)), (((2, 3), (None, None)), (2, None)),
    (((2, None), (3, 4)), (2, 4)), (((1, 3), (3, 4)), (1, 4)),
])  # fmt: skip
def test_what_einsum_gives_has_the_sizes_that_are_known(shapes, wanted):
    specs = [tf.TensorSpec(shape, tf.float32) for shape in shapes]
    assert sizes_of(lambda a, b: tf.einsum("ij,jk->ik", a, b), specs) == wanted
    for one, other, size in ((None, 3, 3), (3, None, 3), (1, 3, 3), (3, 1, 3), (None, 1, None), (1, None, None)):
        specs = [tf.TensorSpec((2, n), tf.float32) for n in (one, other)]
        assert sizes_of(lambda a, b: tf.einsum("ij,ij->ij", a, b), specs) == (2, size), (one, other)


def test_an_axis_of_two_operands_that_is_of_one_unknown_size_is_of_that_size():
    (product,) = (
        tf.function(lambda x: tf.reshape(tf.einsum("ij,ij->ij", x, x), tf.shape(x)))
        .get_concrete_function(tf.TensorSpec((None, None), tf.float32))
        .graph.nodes
    )  # nothing is left to be reshaped
    assert product.op.name == "einsum"


@pytest.mark.parametrize("equation, shapes, wanted", [
    ("...x,xy->...y", ((None, 3, 4), (4, 5)), (None, 3, 5)),
    ("...ij,...jk->...ik", ((2, 1, 3, 4), (5, 4, 2)), (2, 5, 3, 2)),
    ("i...->...i", ((2, 3, None),), (3, None, 2)), ("...,...", ((2, None), (2,)), (2, 2)),
    ("...b,ab", ((2, 4), (3, 4)), (2, 3)),
    ("...ii->...i", ((2, 3, 3),), (2, 3)), ("ab...->", ((2, 3),), ()), ("...ab->ab...", ((2, 3),), (2, 3)),
])  # fmt: skip
def test_axes_that_einsum_names_by_dots_have_sizes(equation, shapes, wanted):
    specs = [tf.TensorSpec(shape, tf.float64) for shape in shapes]
    assert sizes_of(lambda *xs: tf.einsum(equation, *xs), specs) == wanted
    arrays = [np.random.default_rng(1).random([2 if size is None else size for size in shape]) for shape in shapes]
    found = tf.function(lambda *xs: tf.einsum(equation, *xs))(*arrays)
    assert np.allclose(found, np.einsum(equation, *arrays))


@pytest.mark.parametrize("shape, name", [((3,), "MatrixDiagV3"), ((3, 3), "MatrixDiagPartV3")])
def test_an_operation_has_the_name_that_tensorflow_has_for_what_it_does(shape, name):
    specs = [tf.TensorSpec(shape, tf.float32)]
    graph = tf.function(lambda x: apply(OPS["diag"], x)).get_concrete_function(*specs).graph
    assert [node.op.tensorflow_name(node) for node in graph.nodes] == [name]


SUMS = [
    ("abc,cde->abde", (20, 20, 20), (20, 20, 20)), ("bhqd,bhkd->bhqk", (3, 4, 16, 32), (3, 4, 16, 32)),
    ("ij,jk->ik", (60, 1), (50, 60)), ("...ij,jk->...ik", (2, 3, 30, 40), (40, 9)), ("ij,ij->", (50, 60), (50, 60)),
    ("ii,ij->j", (50, 50), (50, 60)), ("i,j->ij", (1500,), (1500,)), ("ij,jk", (0, 3000), (3000, 2)),
    ("ij,ij->ji", (50, 60), (1, 60)), ("ij->ji", (50, 60)), ("ab,bc,cd->ad", (30, 40), (40, 50), (50, 30)),
]  # fmt: skip


@pytest.mark.parametrize("jit", [None, *EXECUTORS])
@pytest.mark.parametrize("dtype", ["int32", "float16", "float32", "float64", "complex64"])
def test_large_sums_are_the_same_in_any_order(dtype, jit):
    rng = np.random.default_rng(0)
    for equation, *shapes in SUMS:
        xs = [rng.integers(-3, 4, shape).astype(dtype) for shape in shapes]

        def f(*xs, equation=equation):
            return tf.einsum(equation, *xs), tf.einsum(equation, *xs, optimize=False)

        for found in (f if jit is None else tf.function(f, jit_compile=jit))(*map(tf.constant, xs)):
            np.testing.assert_array_equal(found, np.einsum(equation, *xs), err_msg=equation)  # they are whole numbers


def test_gradients_of_large_sums():
    x, y = (np.random.default_rng(0).integers(-3, 4, shape).astype(np.float32) for shape in ((40, 50), (50, 60)))
    with tf.GradientTape() as tape:
        a, b = tf.constant(x), tf.constant(y)
        tape.watch([a, b])
        total = tf.reduce_sum(tf.einsum("ij,jk->ik", a, b))
    for found, wanted in zip(tape.gradient(total, [a, b]), (np.ones((40, 60)) @ y.T, x.T @ np.ones((40, 60)))):
        np.testing.assert_array_equal(found, wanted)
