"""Functions of neural networks against TensorFlow's figures, on every executor, and what they refuse."""

import itertools
import math

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS, lacks_native_form
from tests.runtime import nn_figures

FIGURES = nn_figures.read()


def array(written):
    return np.array(written["numbers"], written["dtype"]).reshape(written["shape"])


def close(mine, theirs):
    assert (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape)
    if theirs.dtype.kind == "f":
        scale = max(1.0, float(np.abs(theirs).max(initial=0)))
        np.testing.assert_allclose(mine, theirs, rtol=2e-5, atol=4e-6 * scale)
    else:
        np.testing.assert_array_equal(mine, theirs)


def with_gradients(expression):
    """What an expression gives, and the gradients of a sum of it, for the arrays that it names."""
    names = nn_figures.used(expression)

    def run(*given):
        floats = {n: x for n, x in zip(names, given) if x.dtype.is_floating}
        with tf.GradientTape() as tape:
            tape.watch(list(floats.values()))
            found = eval(expression, {"tf": tf, **dict(zip(names, given))})
            parts = found if isinstance(found, tuple | list) else [found]
            shapes = [array(v).shape for v in FIGURES[expression]["values"]]
            total = sum(
                tf.reduce_sum(p * nn_figures.weights(s)) for p, s in zip(parts, shapes) if p.dtype.is_floating
            ) + tf.constant(0.0)
        return found, tape.gradient(total, floats, unconnected_gradients="zero")

    return run, [nn_figures.ARRAYS[n] for n in names]


def check(expression, found, gradients):
    figures = FIGURES[expression]
    for mine, theirs in zip(nn_figures.values(found), figures["values"], strict=True):
        close(mine, array(theirs))
    if figures["gradients"] is None:  # TensorFlow has none
        return
    for name, mine in gradients.items():
        theirs = figures["gradients"].get(name)
        close(mine.numpy(), array(theirs) if theirs else np.zeros_like(nn_figures.ARRAYS[name]))


@pytest.mark.parametrize("expression", nn_figures.EXPRESSIONS)
def test_values_and_gradients_are_tensorflows(expression):
    run, given = with_gradients(expression)
    check(expression, *run(*map(tf.constant, given)))


@pytest.mark.sampled(8, each="expression")
@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("expression", nn_figures.EXPRESSIONS)
def test_a_graph_gives_the_same(expression, jit_compile):
    run, given = with_gradients(expression)
    check(expression, *tf.function(run, jit_compile=jit_compile)(*map(tf.constant, given)))


@pytest.mark.sampled(8, each="expression")
@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("expression", nn_figures.EXPRESSIONS)
def test_a_graph_that_knows_no_dimension_gives_the_same(expression, jit_compile):
    run, given = with_gradients(expression)
    known = 2 if "depthwise" in expression or "separable" in expression else 0  # the number of groups is asked for
    signature = [tf.TensorSpec([*(None,) * (x.ndim - known), *x.shape[x.ndim - known :]], x.dtype) for x in given]
    f = tf.function(run, input_signature=signature, jit_compile=jit_compile)
    try:
        found = f(*map(tf.constant, given))
    except ValueError as error:
        if jit_compile and lacks_native_form(error, unknown=True):
            pytest.skip(str(error).splitlines()[0])
        raise
    check(expression, *found)


F = tf.constant([[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]])

X, W = tf.ones([2, 5, 6, 3]), tf.ones([3, 2, 3, 4])

REFUSED = [
    (lambda: tf.nn.sparse_softmax_cross_entropy_with_logits([0.0, 1.0], F), TypeError, "integers, not float32"),
    (lambda: tf.nn.sparse_softmax_cross_entropy_with_logits([0, 1, 2], F), ValueError, r"\(3,\) and logits \(2, 3\)"),
    (lambda: tf.nn.sparse_softmax_cross_entropy_with_logits([0, 3], F), tf.errors.InvalidArgumentError, "3 classes"),
    (lambda: tf.nn.sparse_softmax_cross_entropy_with_logits([-1, 0], F), tf.errors.InvalidArgumentError, "3 classes"),
    (lambda: tf.nn.sigmoid_cross_entropy_with_logits([1.0, 0.0], F), ValueError, r"labels \(2,\) and logits \(2, 3\)"),
    (lambda: tf.nn.weighted_cross_entropy_with_logits([1.0], F, 2.0), ValueError, "have one shape"),
    (lambda: tf.nn.log_poisson_loss([1.0], F), ValueError, r"targets \(1,\) and log_input \(2, 3\)"),
    (lambda: tf.nn.dropout(F, 1.0), ValueError, r"rate=1.0: it is in \[0, 1\)"),
    (lambda: tf.nn.dropout(F, -0.5), ValueError, "rate=-0.5"),
    (lambda: tf.nn.dropout([1, 2], 0.5), ValueError, "dropout of int32"),
    (lambda: tf.nn.dropout(F, [0.5, 0.5]), ValueError, "one number"),
    (lambda: tf.function(lambda r: tf.nn.dropout(F, r))(tf.constant(1.5)), tf.errors.InvalidArgumentError, "the rate"),
    (lambda: tf.math.in_top_k([1], F, 1), ValueError, "1 targets and 2 rows"),
    (lambda: tf.math.in_top_k([[1]], F, 1), ValueError, r"targets \(1, 1\)"),
    (lambda: tf.math.erf(1j), tf.errors.InvalidArgumentError, "erf is not defined"),
    (lambda: tf.nn.embedding_lookup(F, [2]), tf.errors.InvalidArgumentError, r"\[0, 2\)"),
    (lambda: tf.nn.ctc_loss([[1]], F, [1], [2]), ValueError, r"labels \(1, 1\), logits \(2, 3\)"),
    (lambda: tf.nn.ctc_loss([[1]], F[:, None], [1, 1], [2]), ValueError, r"\(1, 1, 2, 1\) rows"),
    (lambda: tf.nn.ctc_loss([[3]], F[:, None], [1], [2]), tf.errors.InvalidArgumentError, "3 classes"),
    (lambda: tf.nn.ctc_loss([[1]], F[:, None], [1], [2], blank_index=3), ValueError, "there are 3 classes"),
    (lambda: tf.nn.scaled_dot_product_attention(F, F[:, :2], F), ValueError, r"queries \(2, 3\), keys \(2, 2\)"),
    (lambda: tf.nn.scaled_dot_product_attention(F, F, F[:1]), ValueError, r"values \(1, 3\)"),
    (lambda: tf.nn.scaled_dot_product_attention(F[0], F, F), ValueError, r"queries \(3,\)"),
    (lambda: tf.nn.conv2d(X, W[:, :, :2]), ValueError, r"\(2, 5, 6, 3\) and filters \(3, 2, 2, 4\): 3 channels meet 2"),
    (lambda: tf.nn.conv2d(X, tf.ones([9, 2, 3, 4])), ValueError, r"over \(9, 2\) pixels .* \(5, 6\)"),
    (lambda: tf.nn.conv2d(X[0], W), ValueError, r"rank 4, NHWC; these have shape \(5, 6, 3\)"),
    (lambda: tf.nn.conv2d(X, W[0]), ValueError, r"filters of rank 4; these have shape \(2, 3, 4\)"),
    (lambda: tf.nn.conv2d(X, W, strides=0), ValueError, "conv2d with strides=0: one positive number, or 2"),
    (lambda: tf.nn.conv2d(X, W, strides=[2, 1, 1, 1]), ValueError, "of the batch and of the channels must be 1"),
    (lambda: tf.nn.conv2d(X, W, padding="FULL"), ValueError, "padding='FULL': it is 'SAME', 'VALID'"),
    (lambda: tf.nn.conv2d(X, W, padding=[[0, 0], [1, 1]]), ValueError, "4 pairs of numbers"),
    (lambda: tf.nn.conv2d(X, W, padding=[[1, 0], [1, 1], [0, 0], [0, 0]]), ValueError, "first and the last"),
    (lambda: tf.nn.conv2d(X, W, data_format="CHWN"), ValueError, "'NHWC' .* or 'NCHW'"),
    (lambda: tf.nn.convolution(X[0, 0], W), ValueError, "rank 3, 4 or 5"),
    (lambda: tf.nn.depthwise_conv2d(X, W[:, :, :2]), ValueError, "depthwise_conv2d .* 3 channels meet 2"),
    (lambda: tf.nn.separable_conv2d(X, W, W, 1, "SAME"), ValueError, r"\[1, 1, channels, units\]"),
    (lambda: tf.nn.conv2d_transpose(X, W[..., :3], [2, 11, 12, 3], 2), ValueError, r"\(6, 6\), not of \(5, 6\)"),
    (lambda: tf.nn.conv2d_transpose(X, W[..., :3], [3, 10, 12, 3], 2), ValueError, "batch of 3 where it is 2"),
    (lambda: tf.nn.conv2d_transpose(X, W[..., :3], [2, 10, 12, 9], 2), ValueError, "channels of 9 where it is 3"),
    (lambda: tf.nn.conv2d_transpose(X, W, [2, 10, 12, 3], 2), ValueError, "3 channels meet 4"),
    (lambda: tf.nn.conv2d_transpose(X, W, [10, 12, 3], 2), ValueError, "4 numbers, for batch, sizes and channels"),
    (lambda: tf.nn.max_pool2d(X, 9), ValueError, r"over \(9, 9\) pixels"),
    (lambda: tf.nn.max_pool2d(X[0], 2), ValueError, "max_pool2d takes images of rank 4"),
    (lambda: tf.nn.pool(X, 2, "MIN"), ValueError, "'MAX' or 'AVG'"),
    (lambda: tf.nn.max_pool_with_argmax(X, 2, data_format="NCHW"), ValueError, "transpose the tensor"),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_what_does_not_fit_is_refused(number):
    call, error, words = REFUSED[number]
    with pytest.raises(error, match=words):
        call()


@pytest.mark.parametrize("jit_compile", [None, *EXECUTORS])
def test_dropout(jit_compile):
    def run(x, rate):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.nn.dropout(x, rate, seed=3)
        return y, tape.gradient(y, x)

    f = run if jit_compile is None else tf.function(run, jit_compile=jit_compile)
    x = tf.constant(np.full([100, 100], 2.0, np.float32))
    for rate in (0.25, tf.constant(0.25)):
        y, g = f(x, rate)
        kept = y.numpy() != 0
        assert 0.7 < kept.mean() < 0.8
        np.testing.assert_allclose(y.numpy(), np.where(kept, 2 / 0.75, 0), rtol=1e-6)
        np.testing.assert_allclose(g.numpy(), np.where(kept, 1 / 0.75, 0), rtol=1e-6)
    assert (f(x, 0.25)[0].numpy() != y.numpy()).any()  # fresh at each run


def test_dropout_of_whole_rows():
    y = tf.nn.dropout(tf.ones([50, 7]), 0.5, noise_shape=[50, 1]).numpy()
    assert set(np.unique(y.mean(1))) == {0.0, 2.0}


def test_dropout_of_nothing_and_by_nothing():
    assert tf.nn.dropout(tf.ones([0, 3]), 0.5).shape == (0, 3)
    assert (tf.nn.dropout(F, 0.0).numpy() == F.numpy()).all()


def test_in_top_k_counts_ties_and_finite_predictions_only():
    found = tf.math.in_top_k([0, 1, 9, 0], [[1.0, 1.0], [2.0, 1.0], [1.0, 0.0], [np.nan, 0.0]], 1)
    assert found.numpy().tolist() == [True, False, False, False]


def image_gradients(x, w):
    """Of convolution and pooling, where something is empty or of size 1."""
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        y = tf.nn.conv2d(x, w, padding="SAME")
        z = tf.nn.avg_pool2d(y, 2, 1, "SAME") + tf.nn.max_pool2d(y, 2, 1, "SAME")
        total = tf.reduce_sum(z * z)
    return y, *tape.gradient(total, [x, w])


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize(
    "images, filters",
    [((0, 3, 4, 2), (3, 3, 2, 5)), ((2, 3, 4, 0), (3, 3, 0, 5)), ((2, 3, 4, 2), (3, 3, 2, 0)),
     ((1, 1, 1, 1), (1, 1, 1, 1)), ((1, 1, 1, 3), (3, 3, 3, 2))],
    ids=str,
)  # fmt: skip
def test_empty_and_single_images(images, filters, known, jit_compile):
    x, w = (tf.constant(nn_figures.waves(*shape).astype(np.float32)) for shape in (images, filters))
    signature = None if known else [tf.TensorSpec([None] * 4), tf.TensorSpec([None] * 4)]
    found = tf.function(image_gradients, jit_compile=jit_compile, input_signature=signature)(x, w)
    for mine, wanted in zip(found, image_gradients(x, w), strict=True):
        close(mine.numpy(), wanted.numpy())
    assert found[1].shape == images and found[2].shape == filters


@pytest.mark.parametrize("jit_compile", [None, *EXECUTORS])
def test_the_largest_element_is_the_first_and_a_nan_before_all(jit_compile):
    def run(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.nn.max_pool2d(x, 2)
        return y, tape.gradient(y, x)

    f = run if jit_compile is None else tf.function(run, jit_compile=jit_compile)
    rows = [[1.0, 1.0, np.nan, 5.0, -np.inf, -np.inf], [1.0, 0.0, np.nan, 9.0, -np.inf, -np.inf]]
    y, g = f(tf.constant(np.array(rows, np.float32)[None, :, :, None]))
    np.testing.assert_array_equal(y.numpy().ravel(), [1, np.nan, -np.inf])
    np.testing.assert_array_equal(g.numpy()[0, :, :, 0], [[1, 0, 1, 0, 1, 0], [0] * 6])


def test_labels_that_do_not_fit_into_the_time():
    with tf.GradientTape() as tape:
        logits = tf.constant(nn_figures.waves(2, 2, 3))
        tape.watch(logits)
        loss = tf.nn.ctc_loss([[1, 1], [1, 2]], logits, [2, 2], [2, 2])  # the same label twice needs a blank between
    assert np.isinf(loss.numpy()).tolist() == [True, False]
    gradient = tape.gradient(loss, logits).numpy()
    assert np.isfinite(gradient).all() and not gradient[:, 0].any() and gradient[:, 1].any()


def attention(q, k, v, mask=None, causal=False, scale=None):
    """By its definition."""
    fit = q @ k.swapaxes(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    seen = np.broadcast_to(True if mask is None or mask.dtype != bool else mask, fit.shape)
    fit = fit if mask is None or mask.dtype == bool else fit + mask
    seen = seen & np.tri(*fit.shape[-2:], dtype=bool) if causal else seen
    weights = np.where(seen, np.exp(fit), 0)
    return weights / np.maximum(weights.sum(-1, keepdims=True), 1e-30) @ v


Q, K, V = (nn_figures.waves(*shape, step=s) for shape, s in (((2, 3, 4), 0.3), ((2, 5, 4), 0.4), ((2, 5, 6), 0.7)))
SEEN = np.arange(15).reshape(3, 5) % 3 > 0
SEEN[1] = False


@pytest.mark.parametrize("jit_compile", [None, *EXECUTORS])
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize(
    "options",
    [{}, {"mask": SEEN}, {"mask": nn_figures.waves(2, 1, 5)}, {"is_causal": True},
     {"is_causal": True, "mask": SEEN}, {"scale": 0.3}],
    ids=["plain", "mask", "added", "causal", "both", "scale"],
)  # fmt: skip
def test_attention(options, known, jit_compile):
    def run(q, k, v):
        return tf.nn.scaled_dot_product_attention(q, k, v, **options)

    f = run
    if jit_compile is not None:
        specs = [tf.TensorSpec([None] * 3, tf.float64)] * 3
        f = tf.function(run, jit_compile=jit_compile, input_signature=None if known else specs)
    given = {"mask": options.get("mask"), "causal": options.get("is_causal", False), "scale": options.get("scale")}
    found = f(*map(tf.constant, (Q, K, V)))
    np.testing.assert_allclose(found.numpy(), attention(Q, K, V, **given), rtol=1e-9, atol=1e-12)


def test_the_gradient_of_attention_is_that_of_differences_and_none_where_nothing_is_seen():
    def total(q, k, v):
        return tf.reduce_sum(tf.nn.scaled_dot_product_attention(q, k, v, mask=SEEN) ** 2)

    given = [Q, K, V]
    found = [g.numpy() for g in tf.grad(total, argnums=(0, 1, 2))(*map(tf.constant, given))]
    assert not found[0][:, 1].any()
    for number, mine in enumerate(found):
        for index in [(0, 0, 1), (1, 2, 3)]:
            moved = [[x.copy() for x in given] for _ in range(2)]
            moved[0][number][index] += 1e-6
            moved[1][number][index] -= 1e-6
            plus, minus = (float(total(*map(tf.constant, m))) for m in moved)
            np.testing.assert_allclose(mine[index], (plus - minus) / 2e-6, rtol=1e-5, atol=1e-7)


def test_attention_leaves_weights_out():
    q, k, v = np.zeros([1, 900, 2]), np.zeros([1, 9, 2]), np.ones([1, 9, 1])
    found = tf.nn.scaled_dot_product_attention(q, k, v, dropout=0.5, seed=2)
    assert len(np.unique(found.numpy().round(6))) > 3 and 0.9 < found.numpy().mean() < 1.1


def zeros(*dims):
    return tf.zeros(dims)


WRONG_SHAPES = {
    "channels": lambda x: tf.nn.conv2d(x, zeros(2, 2, 3, 4), 1, "SAME"),
    "channels of groups": lambda x: tf.nn.conv2d(x, zeros(2, 2, 3, 4), 1, "VALID"),
    "units of groups": lambda x: tf.nn.conv2d(x, zeros(2, 2, 2, 3), 1, "VALID"),
    "rank of images": lambda x: tf.nn.conv2d(x[0], zeros(2, 2, 4, 4), 1, "SAME"),
    "rank of filters": lambda x: tf.nn.conv2d(x, zeros(2, 4, 4), 1, "SAME"),
    "rank of images, 1d": lambda x: tf.nn.conv1d(x, zeros(2, 4, 4), 1, "SAME"),
    "rank of filters, 3d": lambda x: tf.nn.conv3d(x[None], zeros(2, 2, 4, 4), [1] * 5, "SAME"),
    "channels, transposed": lambda x: tf.nn.conv2d_transpose(x, zeros(2, 2, 3, 5), [1, 5, 5, 3], 1),
    "size, transposed": lambda x: tf.nn.conv2d_transpose(x, zeros(2, 2, 3, 4), [1, 99, 99, 3], 1),
    "depthwise channels": lambda x: tf.nn.depthwise_conv2d(x, zeros(2, 2, 3, 1), [1] * 4, "SAME"),
    "depthwise rank": lambda x: tf.nn.depthwise_conv2d(x, zeros(2, 2, 4), [1] * 4, "SAME"),
    "depthwise rank of images": lambda x: tf.nn.depthwise_conv2d(x[0], zeros(2, 2, 4, 1), [1] * 4, "SAME"),
    "separable": lambda x: tf.nn.separable_conv2d(x, zeros(2, 2, 4, 2), zeros(1, 1, 7, 3), [1] * 4, "SAME"),
    "separable rank": lambda x: tf.nn.separable_conv2d(x, zeros(2, 2, 4), zeros(1, 1, 4, 3), [1] * 4, "SAME"),
    "pooled rank": lambda x: tf.nn.max_pool2d(x[0], 2, 1, "SAME"),
    "pooled rank, 1d": lambda x: tf.nn.avg_pool1d(x, 2, 1, "SAME"),
    "bias": lambda x: tf.nn.bias_add(x, zeros(3)),
}


@pytest.mark.parametrize("name", WRONG_SHAPES)
def test_shapes_that_do_not_go_together_are_refused_when_they_are_known(name):
    """Where the graph is made, not only where it runs."""
    x = zeros(1, 5, 5, 4)
    words = r"rank|channels|units|results|fit|shape|bias"
    with pytest.raises(ValueError, match=words):
        WRONG_SHAPES[name](x)
    with pytest.raises(ValueError, match=words):
        tf.function(WRONG_SHAPES[name]).get_concrete_function(tf.TensorSpec([1, 5, 5, 4]))


@pytest.mark.parametrize("groups", [1, 2, 4])
def test_types_of_convolutions_know_what_their_results_have(groups):
    """Of images, of the filters' gradient, of the images' gradient: by the rule, and as it is computed."""
    x, w = np.ones((1, 5, 5, 4), np.float32), np.ones((2, 2, 4 // groups, 8), np.float32)

    @tf.function
    def f(x, w):
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = tf.nn.conv2d(x, w, 1, "VALID")
        gradients = tape.gradient(y, [x, w])
        gradients += [tf.nn.conv2d_transpose(y, w, tf.shape(x), 1, "VALID")] if groups == 1 else []
        seen.append([t.shape.as_list() for t in (y, *gradients)])
        return y, *gradients

    for dims, known in (((1, 5, 5, 4), True), ((None, None, None, 4), False)):
        seen = []
        found = tf.function(f.python_function, input_signature=[tf.TensorSpec(dims), tf.TensorSpec(w.shape)])(x, w)
        for shape, t in zip(seen[0], found):
            assert all(a == b or (a is None and not known) for a, b in zip(shape, t.shape.as_list(), strict=True))
            assert shape[-1] == t.shape[-1]


def blocks(x, size):
    """What `space_to_depth` gives, pixel by pixel."""
    made = np.zeros((x.shape[0], x.shape[1] // size, x.shape[2] // size, x.shape[3] * size**2), x.dtype)
    for b, i, j, c in np.ndindex(x.shape):
        made[b, i // size, j // size, ((i % size) * size + j % size) * x.shape[3] + c] = x[b, i, j, c]
    return made


@pytest.mark.parametrize("run", [None, *EXECUTORS])
@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
@pytest.mark.parametrize("size", [2, 3])
def test_blocks_of_pixels_become_channels_and_these_blocks(size, data_format, known, run):
    x = np.arange(2 * 6 * 12 * 3, dtype=np.float32).reshape(2, 6, 12, 3)
    first = data_format == "NCHW"
    given, wanted = (np.moveaxis(a, 3, 1) if first else a for a in (x, blocks(x, size)))

    def both(x, y):
        return tf.nn.space_to_depth(x, size, data_format), tf.nn.depth_to_space(y, size, data_format)

    if run is not None:
        specs = [tf.TensorSpec(a.shape if known else [None] * 4, tf.float32) for a in (given, wanted)]
        both = tf.function(both, input_signature=specs, jit_compile=run)
    for found, expected in zip(both(given, wanted), (wanted, given)):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda x: tf.nn.depth_to_space(x, 3), ValueError, "4 channels are no multiple of 9"),
        (lambda x: tf.nn.space_to_depth(x, 3), ValueError, "2 rows are no multiple of 3"),
        (lambda x: tf.nn.space_to_depth(x, 1), ValueError, "block_size=1: it must be at least 2"),
        (lambda x: tf.nn.space_to_depth(x, 2.5), TypeError, "block_size=2.5: it must be a whole number"),
        (lambda x: tf.nn.space_to_depth(x[0], 2), ValueError, "takes images of rank 4"),
        (lambda x: tf.nn.depth_to_space(x, 2, "NCHW_VECT_C"), ValueError, "it is 'NHWC'"),
    ],
)
def test_blocks_that_do_not_fit_are_refused(call, error, words):
    x = tf.zeros([1, 2, 3, 4])
    for form in (call, tf.function(call)):
        with pytest.raises(error, match=words):
            form(x)


ROW, IMAGES = (
    np.linspace(-2, 2, 20, dtype="f4").reshape(2, 2, 5),
    np.linspace(-2, 2, 96, dtype="f4").reshape(2, 4, 4, 3),
)
FILTERS = {shape: np.linspace(-1, 1, math.prod(shape), dtype="f4").reshape(shape) for shape in [
    (3, 5, 4), (3, 4, 5), (3, 3, 3, 2), (3, 3, 2, 3), (2, 2, 3, 1),
]}  # fmt: skip
CONVOLUTIONS = {
    "conv1d": (lambda x: tf.nn.conv1d(x, FILTERS[3, 5, 4], 1, "SAME"), ROW),
    "conv1d_transpose": (lambda x: tf.nn.conv1d_transpose(x, FILTERS[3, 4, 5], (2, 4, 4), 2), ROW),
    "conv2d": (lambda x: tf.nn.conv2d(x, FILTERS[3, 3, 3, 2], 2, "VALID"), IMAGES),
    "conv2d_transpose": (lambda x: tf.nn.conv2d_transpose(x, FILTERS[3, 3, 2, 3], (2, 8, 8, 2), 2), IMAGES),
    "depthwise_conv2d": (lambda x: tf.nn.depthwise_conv2d(x, FILTERS[2, 2, 3, 1], (1, 1, 1, 1), "SAME"), IMAGES),
    "max_pool2d": (lambda x: tf.nn.max_pool2d(x, 2, 2, "SAME"), IMAGES),
    "avg_pool2d": (lambda x: tf.nn.avg_pool2d(x, 2, 1, "VALID"), IMAGES),
}


def and_gradient(function):
    def both(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
            total = tf.reduce_sum(y * y)
        return y, tape.gradient(total, x)

    return both


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_any_dimension_of_images_may_be_unknown(name):
    function, x = CONVOLUTIONS[name]
    both = and_gradient(function)
    wanted = [part.numpy() for part in both(tf.constant(x))]
    for known in itertools.product([True, False], repeat=x.ndim):
        dims = [d if is_known else None for d, is_known in zip(x.shape, known)]
        graph = tf.function(both, jit_compile=True, input_signature=[tf.TensorSpec(dims, tf.float32)])
        for mine, other in zip(graph(x), wanted, strict=True):
            assert np.allclose(mine.numpy(), other, atol=1e-4), dims


@pytest.mark.parametrize("name", ["conv1d", "conv1d_transpose", "conv2d", "conv2d_transpose"])
def test_images_whose_channels_only_the_filters_tell(name):
    rank = 2 if "2d" in name else 1
    filters = tf.constant(np.arange(float(3**rank * 4 * 4)).reshape(*[3] * rank, 4, 4) % 7)
    sizes = ((2, *[5] * rank, 4),) if name.endswith("transpose") else ()

    def f(x):
        return getattr(tf.nn, name)(x, filters, *sizes, 1, "SAME")

    x = tf.constant(np.arange(float(2 * 5**rank * 4)).reshape(2, *[5] * rank, 4) % 5)
    graph = tf.function(f, jit_compile=True, input_signature=[tf.TensorSpec((None, *[5] * rank, None), tf.float64)])
    np.testing.assert_allclose(graph(x).numpy(), f(x).numpy())


@pytest.mark.parametrize(
    "kind, error", [("float16", 0.51), ("float32", 0.54), ("float64", 3), ("uint8", 0.51), ("int32", 1)]
)
def test_error_of_erf(kind, error):
    """In units in the last place, at more numbers than are computed at a time."""
    x = np.concatenate([np.linspace(-7, 7, 40_001), np.geomspace(1e-30, 1, 1001)])
    x = (x if kind.startswith("float") else np.arange(100)).astype(kind)
    found, wanted = tf.math.erf(tf.constant(x)).numpy(), np.array([math.erf(v) for v in x.tolist()])
    unit = np.spacing(np.maximum(np.abs(wanted), 1e-35).astype(found.dtype)).astype(np.float64)
    assert np.max(np.abs(found.astype(np.float64) - wanted) / unit) <= error


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_ends_and_shapes_of_erf(kind):
    x = np.array([[np.nan, np.inf, -np.inf], [0.0, 30.0, -30.0]], kind)
    for given in (x, x.T, x[:, ::2], x[:0], x[0, 1]):
        found = tf.math.erf(tf.constant(given)).numpy()
        np.testing.assert_array_equal(found, np.sign(given))
        assert found.dtype == kind
    assert np.signbit(tf.math.erf(tf.constant(-0.0, kind)))


def test_labels_and_integers_become_floats_of_the_dtype_of_what_is_predicted():
    logits = tf.constant([[1.0, 2.0]])
    losses = [
        tf.nn.softmax_cross_entropy_with_logits(labels, logits)
        for labels in ([[0, 1]], tf.constant([[0, 1]]), tf.constant([[0.0, 1.0]], tf.float64))
    ]
    assert {loss.dtype for loss in losses} == {tf.float32} and len({float(loss[0]) for loss in losses}) == 1
    assert tf.nn.leaky_relu([-1, 5]).dtype == tf.nn.leaky_relu(tf.constant([2], tf.int64)).dtype == tf.float32
    assert tf.nn.leaky_relu(tf.constant([-1], tf.float16)).dtype == tf.float16
