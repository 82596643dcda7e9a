import itertools
import math

import numpy as np
import pytest

import runtime as tf
from runtime.ops import lists
from tests.programs import EXECUTORS


@pytest.mark.parametrize(
    "value, dtype",
    [
        (1, "int32"), (1.5, "float32"), (True, "bool"), (1j, "complex128"), ("a", "string"), (b"a", "string"),
        ([1, 2], "int32"), ([[1.0], [2]], "float32"), (np.float64(1), "float64"), (np.arange(2), "int64"),
        (2**40, "int64"), ([], "float32"), (["a", "b"], "string"),
    ],
)  # fmt: skip
def test_python_values_become_tensors(value, dtype):
    assert tf.constant(value).dtype == dtype


@pytest.mark.parametrize(
    "x, y, dtype",
    [
        (tf.float32, 1, "float32"), (tf.float32, 1.5, "float32"), (tf.int32, 1, "int32"), (tf.int32, 1.5, "float64"),
        (tf.uint8, 1, "uint8"), (tf.float16, [1, 2], "float16"), (tf.bool, True, "bool"),
        (tf.int32, np.float32(1), "float64"), (tf.complex64, 1.0, "complex64"),
    ],
)  # fmt: skip
def test_promotion_follows_numpy(x, y, dtype):
    tensor = tf.cast(tf.constant([1, 0]), x)
    assert (tensor + y).dtype == dtype
    assert (y + tensor).dtype == dtype
    assert tf.function(lambda t: t + y)(tensor).dtype == dtype
    assert (tensor.numpy() + (np.asarray(y) if isinstance(y, list) else y)).dtype == dtype or isinstance(y, list)


COMBINED = [
    lambda x, y: x * y, lambda x, y: y * x, lambda x, y: x != y, lambda x, y: y - x,
    lambda x, y: tf.where([True, False], x, y), lambda x, y: tf.stack([x, y]), lambda x, y: tf.concat([y, x], 0),
    lambda x, y: tf.einsum("i,j->ij", x, y),
]  # fmt: skip


@pytest.mark.parametrize("combine", COMBINED)
@pytest.mark.parametrize(
    "dtype, array",
    [
        (tf.float32, np.array([2.5, 1.0])), (tf.float32, np.array([2, 1])), (tf.int32, np.array([2, 1])),
        (tf.float16, np.array([2.5, 1.0], np.float32)), (tf.int8, np.array([2, 1])),
        (tf.complex64, np.array([2.5, 1.0])),
    ],
)  # fmt: skip
def test_arrays_take_the_dtype_of_a_tensor(combine, dtype, array):
    x = tf.cast([1, 3], dtype)
    wanted = combine(x, tf.cast(array, dtype))
    for made in (combine(x, array), combine(tf.Variable(x), array), tf.function(lambda x: combine(x, array))(x)):
        assert made.dtype == wanted.dtype
        np.testing.assert_array_equal(made.numpy(), wanted.numpy())


@pytest.mark.parametrize(
    "dtype, y, wanted",
    [
        (tf.int8, np.array([300]), "int64"), (tf.int32, np.array([2**40]), "int64"),
        (tf.int32, np.array([0.5]), "float64"), (tf.uint8, np.array([-1]), "int64"),
        (tf.float32, np.array([1j]), "complex64"),
    ],
)  # fmt: skip
def test_arrays_that_do_not_fit_the_dtype_of_a_tensor_promote(dtype, y, wanted):
    x = tf.cast([1], dtype)
    for made in (x + y, tf.function(lambda x: x + y)(x)):
        assert made.dtype == wanted
        np.testing.assert_array_equal(made.numpy(), x.numpy().astype(wanted) + y)


def test_an_argument_that_is_an_array_computes_as_one():
    f = tf.function(lambda x: (np.ones(3) * x, np.arange(3) + x, x * np.float64(2)))
    for x in (np.ones(3, np.float32), np.ones(3, np.int32)):
        assert [made.dtype for made in f(x)] == [np.ones(3).dtype, (np.arange(3) + x).dtype, np.float64]


def test_shapes_are_tuples():
    x = tf.zeros([2, 3])
    assert x.shape == (2, 3) and x.shape.as_list() == [2, 3] and x.shape.rank == 2
    rows, columns = x.shape
    assert (rows, columns) == (2, 3)
    assert str(tf.TensorShape(None)) == "<unknown>" and tf.TensorShape([None, 2]).as_list() == [None, 2]
    with pytest.raises(ValueError, match="rank"):
        list(tf.TensorShape(None))


def test_text_of_tensors():
    assert str(tf.constant(1.0)) == "tf.Tensor(1.0, shape=(), dtype=float32)"
    assert repr(tf.constant([1])) == "<tf.Tensor: shape=(1,), dtype=int32, numpy=array([1], dtype=int32)>"
    seen = []
    tf.function(lambda a: seen.append(str(a)), autograph=False)(tf.constant(2))
    assert seen == ['Tensor("a:0", shape=(), dtype=int32)']


@pytest.mark.parametrize(
    "use, error, words",
    [
        (bool, TypeError, "not allowed"),
        (int, TypeError, "not allowed"),
        (lambda x: [1, 2][x], TypeError, "not allowed"),
        (lambda x: x.numpy(), AttributeError, "runtime.print"),
        (np.asarray, NotImplementedError, "symbolic"),
        (lambda x: np.i0(x), TypeError, "no staged meaning"),
        (hash, TypeError, "cannot be a key"),
    ],
)
def test_a_symbolic_tensor_has_no_value_yet(use, error, words):
    @tf.function(autograph=False)
    def f(x):
        return use(x)

    with pytest.raises(error, match=words):
        f(tf.constant(1))


def test_a_tensor_does_not_outlive_its_trace():
    kept = []
    tf.function(lambda x: kept.append(x + 1))(tf.constant(1))
    with pytest.raises(ValueError, match="has ended"):
        kept[0] + 1
    with pytest.raises(ValueError, match="has ended"):
        tf.function(lambda: kept[0] + 1)()


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5])), "3 columns meet 4 rows"),
        (lambda: tf.zeros([2]) + tf.zeros([3]), r"\(2,\) and \(3,\)"),
        (lambda: tf.reshape(tf.zeros([2, 3]), [4]), "6 elements do not fill 4"),
        (lambda: tf.concat([tf.zeros([2, 1]), tf.zeros([3, 2])], 1), "axis 0 differs"),
        (lambda: tf.gather(tf.constant([1]), [1]), r"indices\[0\] = 1 is not in \[0, 1\)"),
    ],
)
def test_errors_say_what_was_met(make, words):
    with pytest.raises(ValueError, match=words):
        make()
    with pytest.raises(ValueError, match=words):
        tf.function(make)()


@pytest.mark.parametrize(
    "index",
    [0, -1, slice(1, None), (slice(None), 1), (..., None, 0), (None, 1), (slice(None, None, -1),), np.array([1, 0])],
)
def test_indexing_is_numpys(index):
    x = np.arange(6).reshape(2, 3)
    np.testing.assert_array_equal(tf.constant(x)[index], x[index])
    np.testing.assert_array_equal(tf.function(lambda t: t[index])(x), x[index])


PARTS = {"number": 0, "slice": slice(None), "new": None, "dots": ..., "array": np.array([1, 0])}


@pytest.mark.parametrize("number", [0, np.int32(1)])
def test_parts_of_every_kind_go_together_as_numpy_has_it(number):
    """Numbers beside arrays of indices, new axes and ellipses between them."""
    x = np.arange(36).reshape(2, 3, 2, 3)
    chosen = [p for p in itertools.product(PARTS, repeat=4) if "array" in p and p.count("dots") < 2 > p.count("new")]

    def parts(x, array, number):
        given = PARTS | {"array": array, "number": number}
        return [x[tuple(given[kind] for kind in index)] for index in chosen]

    staged = tf.function(parts, autograph=False, jit_compile=False)
    wanted = parts(x, PARTS["array"], number)
    for mine, value, index in zip(staged(x, PARTS["array"], number), wanted, chosen, strict=True):
        np.testing.assert_array_equal(mine, value, str(index), strict=True)
    types = [v.type.shape for v in staged.get_concrete_function(x, PARTS["array"], number).graph.outputs]
    assert types == [value.shape for value in wanted]


@pytest.mark.parametrize("jit", EXECUTORS)
@pytest.mark.parametrize(
    "index",
    [
        "slice number array",
        "number slice array",
        "slice number dots array",
        "slice array dots array",
        "new array array",
    ],
)
def test_what_stands_between_parts_does_so_in_native_code(index, jit):
    """Where all sizes are alike, no other check would notice."""
    x = np.arange(8).reshape(2, 2, 2)
    parts = tuple(map(PARTS.get, index.split()))
    try:
        found = tf.function(lambda x: x[parts], autograph=False, jit_compile=jit)(x)
    except tf.errors.InvalidArgumentError as error:
        assert jit and "with slices between them" in str(error)
    else:
        np.testing.assert_array_equal(found, x[parts])


def test_indices_may_be_tensors():
    f = tf.function(lambda x, i, n: (x[i], x[i:n], x[i, ::2]))
    x = np.arange(12).reshape(3, 4)
    for mine, wanted in zip(f(x, np.int32(1), np.int32(3)), (x[1], x[1:3], x[1, ::2]), strict=True):
        np.testing.assert_array_equal(mine, wanted)


def test_a_copy_with_a_part_replaced():
    x = tf.with_item(tf.zeros([2, 2]), (0, slice(None)), 5)
    np.testing.assert_array_equal(x, [[5, 5], [0, 0]])


@pytest.mark.parametrize(
    "value, text",
    [
        (1, "1"), (0.1, "0.1"), ([0.5, 1.0], "[0.5 1]"), (np.float64(0.1), "0.1"), (True, "1"), ("a", "a"),
        (np.zeros((2, 2)), "[[0 0]\n [0 0]]"), (np.arange(9), "[0 1 2 ... 6 7 8]"), (1 / 3, "0.333333343"),
        ([np.nan, np.inf, -np.inf], "[nan inf -inf]"), (np.float16(np.nan), "nan"), (-math.inf, "-inf"),
        (complex(np.nan, -np.inf), "(nan,-inf)"), (np.complex64(1.5 - 2j), "(1.5,-2)"), (0.1 + 1j, "(0.1,1)"),
    ],
)  # fmt: skip
def test_run_time_printing(value, text, capsys):
    tf.print(tf.constant(value))
    tf.function(tf.print)(tf.constant(value))
    assert capsys.readouterr().err == f"{text}\n{text}\n"


def test_printing_structures_and_options(capsys):
    tf.print(
        "x:", [tf.constant(1), "b"], {"k": tf.constant(2)}, sep="|", end="!\n", output_stream=__import__("sys").stdout
    )
    assert capsys.readouterr().out == "x:|[1, 'b']|{'k': 2}!\n"


@pytest.mark.parametrize(
    "name",
    "rows in_graph dtype shape elements trace value array content place steps type item python length of".split(),
)
def test_the_attributes_of_a_users_object_say_nothing(name):
    class Numbers:
        def __array__(self, dtype=None, copy=None):
            return np.arange(3.0)

    numbers = Numbers()
    setattr(numbers, name, 3)
    wanted = np.arange(3.0)
    assert np.asarray(tf.convert_to_tensor(numbers)).tolist() == wanted.tolist()
    assert np.asarray(tf.constant(wanted) + numbers).tolist() == (wanted + wanted).tolist()
    assert np.asarray(tf.function(lambda x: x + numbers)(wanted)).tolist() == (wanted + wanted).tolist()
    assert np.asarray(tf.function(lambda x: tf.stack([x, numbers]))(wanted)).tolist() == [wanted.tolist()] * 2


@pytest.mark.parametrize("jit", [False, None])
def test_text_that_the_graph_finds(jit):
    def counted(n):
        return len("yes" if n > 2 else "nö")

    for n in (1, 3):
        assert int(tf.function(counted, jit_compile=jit)(np.int64(n))) == counted(n)
    for program in (lambda n: ("yes" if n > 2 else "no").upper(), lambda n: ("yes" if n > 2 else "no")[1:]):
        for n in (1, 3):
            assert tf.function(program, jit_compile=jit)(np.int64(n)).numpy().decode() == program(n)
    with pytest.raises(TypeError, match="is text that gets its value only when the graph runs.*no method 'encode'"):
        tf.function(lambda n: ("yes" if n > 2 else "no").encode(), jit_compile=jit)(np.int64(1))


@pytest.mark.parametrize("jit_compile", [None, False, True])
def test_the_sign_of_zero_in_complex_constants(jit_compile):
    for z in (complex(0.0, -1e30), complex(-0.0, 1.0), complex(0.0, -0.0), complex(-0.0, -0.0), -2 - 0j):
        f = tf.function(lambda x, z=z: np.arctan(x + tf.constant(z)), jit_compile=jit_compile and None)
        x = np.complex128([-0.0])
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(f(x).numpy(), np.arctan(x + z))


@pytest.mark.parametrize("kind", ["complex64", "complex128"])
def test_sigmoid_and_deviations_of_complex_numbers(kind):
    z = np.array([0.5 + 2j, -0.5 - 3j, -900 + 1j, 900 - 1j], kind)
    wanted = [*1 / (1 + np.exp(-z[:2])), 0, 1]
    for staged in (lambda f: f, tf.function, lambda f: tf.function(f, jit_compile=False)):
        found = staged(tf.sigmoid)(tf.constant(z))
        assert found.dtype == kind
        np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-6)
        for ours, numpys in ((tf.math.reduce_std, np.std), (tf.math.reduce_variance, np.var)):
            found = staged(lambda x, ours=ours: ours(x) + 0)(tf.constant(z))
            assert found.dtype == numpys(z).dtype
            np.testing.assert_allclose(found.numpy(), numpys(z), rtol=1e-6)


@pytest.mark.parametrize("dtype", "bhilBHIL")
def test_sigmoid_of_integers(dtype):
    x = np.array([0, 1, 2, np.iinfo(dtype).max, np.iinfo(dtype).min], dtype)
    with np.errstate(over="ignore"):
        wanted = 1 / (1 + np.exp(-x.astype(float)))
    for f in (tf.sigmoid, tf.function(tf.sigmoid, jit_compile=False), tf.function(tf.sigmoid)):
        np.testing.assert_allclose(f(tf.constant(x)), wanted, rtol=2e-3, atol=1e-7)


@pytest.mark.parametrize(
    "value", [np.array([b"a"], object), np.array([["a"], ["bc"]], object), tf.constant(["a", "b"])]
)
def test_text_is_a_constant_again(value):
    made = tf.constant(value)
    assert made.dtype == tf.string and made.shape == value.shape
    assert tf.constant(made.numpy()).numpy().tolist() == made.numpy().tolist()


def test_a_truth_value_squared_is_what_numpy_says():
    for x in (np.array([True, False]), np.array([[True]]), np.True_):
        for f in (lambda a: a**2, lambda a: a**3, lambda a: a**1):
            for jit_compile in (False, True):
                found = tf.function(f, jit_compile=jit_compile)(x)
                assert found.dtype == f(x).dtype
                np.testing.assert_array_equal(found, f(x))


@pytest.mark.parametrize("make", [
    lambda: tf.range(2**63 - 1), lambda: tf.range(-(2**63), 2**63 - 1), lambda: tf.range(0.0, 1e30),
    lambda: tf.TensorArray(tf.float32, size=2**62),
])  # fmt: skip
def test_more_than_any_memory_holds(make):
    with pytest.raises(tf.errors.InvalidArgumentError, match="than any memory holds|no memory holds so many"):
        make()


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("make", [
    lambda n: tf.range(n), lambda n: tf.range(-n, n, 2), lambda n: tf.range(-n - 1, n, 1), lambda n: tf.range(n, 0, -1),
    lambda n: tf.range(-n, n // 2, 1),
    lambda n: tf.reduce_sum(tf.range(n)), lambda n: tf.TensorArray(tf.int32, size=n).size(),
])  # fmt: skip
def test_more_than_any_memory_holds_where_the_graph_knows_how_many(make, jit_compile):
    for n in (2**63 - 1, 2**63 - 300, 2**62 + 3):
        with pytest.raises(tf.errors.InvalidArgumentError, match="than any memory holds|no memory holds so many"):
            tf.function(make, jit_compile=jit_compile)(tf.constant(n, tf.int64))


def test_a_tensor_array_for_which_there_is_no_memory(monkeypatch):
    class Much(int):
        def __index__(self):
            raise MemoryError

    monkeypatch.setattr(lists, "possible", Much)
    with pytest.raises(MemoryError, match="Unable to allocate a TensorArray of 9000000000 elements"):
        lists.places(9_000_000_000)


@pytest.mark.numpy_may_take_over  # NumPy counts further
@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint32", "uint64"])
def test_ranges_at_the_limits_of_their_dtype(dtype, jit_compile):
    if jit_compile and dtype.startswith("u"):
        pytest.skip("its length is not known natively")
    limits = np.iinfo(dtype)
    low, high, step = int(limits.min), int(limits.max), int(limits.max) // 4
    graph = tf.function(lambda *given: tf.range(*given), jit_compile=jit_compile)
    for bounds in ((low, high, step), (low, high, step + 1), (5, 3, 1), (high, high - 3, 1), (high - 9, high, 4)):
        found = graph(*(tf.constant(x, dtype) for x in bounds))
        assert found.dtype == dtype and found.numpy().tolist() == [*range(*bounds)]


@pytest.mark.parametrize("dtype", "?bilBIL")
@pytest.mark.parametrize("jit_compile", [False, True])
def test_logsumexp_of_integers(dtype, jit_compile):
    x = np.array([[1, 0, 3], [2, 5, 7]]).astype(dtype)
    for axis in (None, 0, 1):
        found = tf.function(lambda x, axis=axis: tf.reduce_logsumexp(x, axis), jit_compile=jit_compile)(tf.constant(x))
        assert found.dtype == tf.float64
        np.testing.assert_allclose(found, np.log(np.sum(np.exp(x.astype(float)), axis=axis)))


@pytest.mark.parametrize("value", [3, [[1], [1]]])
@pytest.mark.parametrize("shape", [..., None])
def test_unique_takes_tensors_of_rank_1(value, shape):
    x = tf.constant(value)
    with pytest.raises(ValueError, match="unique of .*: it takes a tensor of rank 1"):
        tf.unique(x)
    with pytest.raises(ValueError, match="unique of .*: it takes a tensor of rank 1"):
        tf.function(tf.unique, input_signature=[tf.TensorSpec(x.shape if shape is ... else shape, x.dtype)])(x)


LENDERS = {
    "an array": lambda a: a,
    "a part": lambda a: a[:],
    "a buffer": memoryview,
    "a matrix": lambda a: np.ndarray.view(a, np.recarray),
}
TAKERS = {
    "constant": tf.constant,
    "with a shape": lambda v: tf.constant(v, shape=[2, 2]),
    "with a dtype": lambda v: tf.constant(v, tf.float64),
    "converted": tf.convert_to_tensor,
    "reshaped": lambda v: tf.reshape(v, [2, 2]),
    "transposed": tf.transpose,
    "of some shape": lambda v: tf.ensure_shape(v, [4]),
}


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("taken", TAKERS.values(), ids=TAKERS)
@pytest.mark.parametrize("lent", LENDERS.values(), ids=LENDERS)
def test_a_tensor_does_not_see_what_becomes_of_the_array_that_it_was_made_of(lent, taken, traced):
    array = np.arange(4.0)
    value = lent(array)
    run = tf.function(lambda: taken(value), jit_compile=False) if traced else lambda: taken(value)
    found = run()
    wanted = np.array(found)
    array[:] = 9
    np.testing.assert_array_equal(found, wanted)
    assert 9 not in wanted


@pytest.mark.parametrize("values", [["a\0", "b"], [b"a\0", b"b"], [["a\0"], ["b"]], ("\0", "")])
def test_texts_in_lists_keep_zeros_at_their_ends(values):
    """NumPy's own texts of fixed length lose them."""
    found = [v if isinstance(v, bytes) else v.encode() for v in np.ravel(np.array(values, object))]
    assert [*np.ravel(tf.constant(values).numpy())] == found


def test_all_axes_are_reversed_where_none_is_given():
    x = np.arange(6).reshape(2, 3)
    assert (tf.reverse(x, None).numpy() == x[::-1, ::-1]).all()


def test_unpacking_what_has_another_number_of_parts_fails_while_tracing():
    def pair(x):
        a, b = x
        return a + b

    with pytest.raises(ValueError, match="too many values to unpack"):
        tf.function(pair).get_concrete_function(tf.TensorSpec([3], tf.float32))


@pytest.mark.parametrize(
    "dims, name", [((2, 2), "MatMul"), ((3, 2, 2), "BatchMatMulV2"), ((1, 3, 2, 2), "BatchMatMulV2")]
)
def test_products_are_named_for_their_ranks(dims, name):
    graph = tf.function(tf.matmul).get_concrete_function(*[tf.TensorSpec(dims, tf.float32)] * 2).graph
    (product,) = [node for node in graph.nodes if node.op.name == "matmul"]
    assert product.op.tensorflow_name(product) == name


def test_numpys_own_numbers_of_two_branches_are_numpys():
    def either(x):
        if x > 0:
            y = np.float64(1.5)
        else:
            y = np.float64(2.5)
        return isinstance(y, np.float64), y.ndim

    assert [*map(int, tf.function(either)(np.float64(1.0)))] == [1, 0]


@pytest.mark.parametrize(
    "check, says",
    [
        (lambda s: s.with_rank(1), "not compatible"), (lambda s: s.with_rank_at_least(3), "rank at least 3"),
        (lambda s: s.assert_has_rank(3), "must have rank 3"), (lambda s: s.assert_is_fully_defined(), "not fully"),
        (lambda s: s.assert_is_compatible_with([3, 3]), "incompatible"),
    ],
)  # fmt: skip
def test_what_is_asserted_of_a_shape(check, says):
    with pytest.raises(ValueError, match=says):
        check(tf.TensorShape([2, None]))
    if "defined" not in says and "fully" not in says:
        check(tf.TensorShape(None))


SHOWN = {  # as TensorFlow 2.21 shows them
    (1 / 3, tf.float32): "0.3333333432674408", (1 / 3, tf.float64): "0.3333333333333333", (True, None): "True",
    ("a", None): "b'a'", (1 + 2j, None): "(1+2j)", (1e20, None): "1.0000000200408773e+20",
    (1e-5, None): "9.999999747378752e-06",
    (float("nan"), None): "nan", (-float("inf"), None): "-inf", (3, tf.uint8): "3",
    (1 / 3, tf.float16): "0.333251953125",
}  # fmt: skip


@pytest.mark.parametrize("value, dtype", SHOWN)
def test_a_scalar_is_shown_with_all_its_digits(value, dtype):
    x = tf.constant(value, dtype)
    assert repr(x) == f"<tf.Tensor: shape=(), dtype={x.dtype.name}, numpy={SHOWN[value, dtype]}>"
    assert str(x) == f"tf.Tensor({x.numpy()!s}, shape=(), dtype={x.dtype.name})"
    if x.dtype != tf.string:
        assert repr(tf.Variable(x)).endswith(f"numpy={SHOWN[value, dtype]}>")


@pytest.mark.parametrize("size", [2, None])
def test_a_constant_of_tensors_has_the_shape_that_is_asked_for(size):
    def f(x):
        rows = tf.shape(x)[0] if size is None else size
        return tf.constant(x[0], shape=[3]), tf.constant([x[0], x[1]], shape=[rows, 1]), tf.constant(x, shape=[1, rows])

    x = tf.constant([4, 5])
    for form in (f, tf.function(f, input_signature=[tf.TensorSpec([size], tf.int32)])):
        assert [part.numpy().tolist() for part in form(x)] == [[4, 4, 4], [[4], [5]], [[4, 5]]]


@pytest.mark.parametrize("shape", [[2, 2], [5], 4, [], [3, 0], tf.TensorShape([2])])
def test_elements_that_do_not_fill_a_shape(shape):
    with pytest.raises(TypeError, match="^3 elements do not fill the shape \\("):
        tf.constant([1, 2, 3], shape=shape)


X32 = np.float32([1, 2])
BESIDE = {  # numbers of Python's, and lists of such, beside a tensor
    "stack": lambda x: tf.stack([x[0], 2]),
    "stack of lists": lambda x: tf.stack([[3, 4], x]),
    "concat": lambda x: tf.concat([x, [3]], 0),
    "a list": lambda x: tf.convert_to_tensor([[x[0], 2], [3, 4]]),
    "maximum": lambda x: tf.maximum([1, 2], x),
    "matmul": lambda x: tf.matmul(x[None], [[1], [2]]),
    "tensordot": lambda x: tf.tensordot(x, [1, 2], 1),
    "einsum": lambda x: tf.einsum("i,i->", x, [1, 2]),
    "linspace": lambda x: tf.linspace(x[0], 2, 3),
    "update": lambda x: tf.tensor_scatter_nd_update(x, [[0]], [5]),
    "xlogy": lambda x: tf.math.xlogy(x, 2),
    "xlog1py": lambda x: tf.math.xlog1py(2, x),
    "xdivy": lambda x: tf.math.xdivy(x, 2),
    "multiply_no_nan": lambda x: tf.math.multiply_no_nan(x, 2),
    "divide_no_nan": lambda x: tf.math.divide_no_nan(2, x),
    "truncatediv": lambda x: tf.truncatediv(x, 2),
    "truncatemod": lambda x: tf.truncatemod(7, x),
    "dynamic_stitch": lambda x: tf.dynamic_stitch([[0, 1], [2]], [x, [3]]),
}


@pytest.mark.parametrize("name", BESIDE)
def test_numbers_take_the_dtype_of_the_tensor_beside_them(name):
    f = BESIDE[name]
    x = tf.constant(X32)
    assert f(x).dtype == tf.float32
    wide = f(tf.constant(X32, tf.float64))
    assert wide.dtype == tf.float64
    np.testing.assert_allclose(tf.function(f)(x), wide, rtol=1e-6)


def test_numbers_without_a_tensor_are_tensors_as_anywhere():
    assert tf.stack([1, 2.5]).dtype == tf.float32 and tf.stack([1, 2]).dtype == tf.int32
    assert tf.concat([[1], [2**40]], 0).dtype == tf.int64 and tf.maximum([1, 2**40], [3]).dtype == tf.int64
    assert tf.stack(["a", "b"]).dtype == tf.string
    x = tf.constant(X32)  # NumPy's functions make arrays of lists
    assert np.tensordot(x, [1, 2], 1).dtype == np.stack([x, [1, 2]]).dtype == np.array([x[0], 2]).dtype == "float64"


def test_integers_are_round():
    for dtype in (tf.int32, tf.uint8, tf.int64):
        assert tf.round(tf.constant([1, 2], dtype)).dtype == dtype


def test_quotients_of_floats_are_rounded_towards_zero():
    x, y = tf.constant([7.0, -7.0, 7.0, -7.0, 0.0]), tf.constant([2.0, 2.0, 0.0, 0.0, 3.0])
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(tf.truncatediv(x, y), [3, -3, np.inf, -np.inf, 0])


UNLIKE = [
    ("tf.constant([1, 2]) == tf.constant([1, 2, 3])", False), ("tf.constant([1, 2]) != [1, 2, 3]", True),
    ("[1, 2, 3] == tf.constant([1, 2])", False), ("tf.constant(['a', 'b']) == tf.zeros([0], tf.string)", False),
    ("tf.zeros([2]) != tf.zeros([2, 3])", True), ("tf.Variable([1, 2]) == tf.constant([1, 2, 3])", False),
]  # fmt: skip


@pytest.mark.parametrize("text, wanted", UNLIKE)
def test_tensors_whose_shapes_do_not_go_together_are_not_equal(text, wanted):
    found = [eval(text, {"tf": tf})]
    if "Variable" not in text:
        found.append(tf.function(lambda: tf.identity(eval(text, {"tf": tf})))())
    for one in found:
        assert np.shape(one) == () and bool(one) is wanted


def test_a_tensor_is_not_among_those_of_other_shapes():
    is_among = lambda: tf.constant([1, 2]) in [tf.constant([1, 2, 3])]
    assert not is_among() and not tf.function(is_among)()


def test_what_compares_elements_needs_shapes_that_go_together():
    a, b = tf.constant([1, 2]), tf.constant([1, 2, 3])
    for compare in (tf.equal, tf.not_equal, lambda a, b: a < b):
        with pytest.raises(tf.errors.InvalidArgumentError, match="do not go together"):
            compare(a, b)
    with pytest.raises(ValueError, match="do not go together"):
        tf.function(lambda x, y: x == y, numpy=True)(np.arange(2), np.arange(3))


NOTHING = [
    ("tf.reduce_max(tf.zeros([0]))", -np.inf), ("tf.reduce_min(tf.zeros([0], tf.float64))", np.inf),
    ("tf.reduce_logsumexp(tf.zeros([0, 2]), 0, keepdims=True)", [[-np.inf, -np.inf]]),
    ("tf.reduce_max(tf.zeros([0], tf.int32))", -(2**31)), ("tf.reduce_min(tf.zeros([2, 0], tf.uint8), 1)", [255, 255]),
    ("tf.reduce_max(tf.zeros([0, 3]), 1)", []), ("tf.math.reduce_max(np.zeros([2, 0], np.float16))", -np.inf),
]  # fmt: skip


@pytest.mark.parametrize("text, wanted", NOTHING)
def test_the_largest_of_nothing_is_the_lowest_number(text, wanted):
    for found in (eval(text, {"tf": tf, "np": np}), tf.function(lambda: eval(text, {"tf": tf, "np": np}))()):
        assert found.numpy().tolist() == wanted


def test_the_largest_of_nothing_has_a_gradient_and_is_an_error_of_pythons_and_numpys():
    x = tf.zeros([0, 2])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_max(x, 0)
    assert tape.gradient(y, x).shape == (0, 2)
    for largest in (max, np.max, lambda x: x.max()):
        with pytest.raises(ValueError, match="."):
            largest(tf.zeros([0]))
        with pytest.raises(ValueError, match="."):
            tf.function(largest, numpy=True)(np.zeros(0))


def test_what_gets_its_value_when_the_graph_runs_is_symbolic():
    found = []

    @tf.function
    def f(x):
        found.extend(map(tf.is_symbolic_tensor, (x, x + 1, 3, np.ones(2))))
        return x

    x = f(tf.constant(1))
    assert found == [True, True, False, False]
    assert not any(map(tf.is_symbolic_tensor, (x, tf.Variable(1), None)))
