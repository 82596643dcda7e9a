"""An axis counted from the end is that axis, and one that there is not is refused, however the function runs."""

import inspect
import warnings

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS, lacks_native_form

X = (((np.arange(24.0) * 7) % 11 + 0.5) / 12).reshape(2, 3, 4)
TEXTS = np.array([*"abcdefgh"], object).reshape(2, 2, 2)
SPACES = [
    tf, tf.math, tf.linalg, tf.nn, tf.strings, tf.keras.activations, tf.keras.losses, tf.keras.utils, tf.array_api,
    tf.array_api.fft, tf.array_api.linalg,
]  # fmt: skip


def size(axis):
    return X.shape[axis] if -3 <= axis < 3 else 2


def labels(axis):
    dims = [n for a, n in enumerate(X.shape) if a != axis % 3]
    return (np.arange(np.prod(dims)) % 2).reshape(dims)


# How a function is called with an array of rank 3, where it takes more than that and an axis.
CALLS = {
    "stack": lambda f, x, axis: f([x, -x], axis=axis),
    "concat": lambda f, x, axis: f([x, 2 * x], axis=axis),
    "one_hot": lambda f, x, axis: f(tf.cast(x * 12, tf.int32), 5, axis=axis),
    "linspace": lambda f, x, axis: f(x, x + 2.0, 3, axis=axis),
    "reduce_all": lambda f, x, axis: f(x > 0.3, axis=axis),
    "reduce_any": lambda f, x, axis: f(x > 0.9, axis=axis),
    "all": lambda f, x, axis: f(x > 0.3, axis=axis),
    "any": lambda f, x, axis: f(x > 0.9, axis=axis),
    "gather": lambda f, x, axis: f(x, [1, 0, 1], axis=axis),
    "take": lambda f, x, axis: f(x, tf.constant([1, 0, 1]), axis=axis),
    "take_along_axis": lambda f, x, axis: f(x, tf.zeros([2, 3, 4], tf.int32) + 1, axis=axis),
    "boolean_mask": lambda f, x, axis: f(x, np.arange(size(axis)) % 2 == 0, axis=axis),
    "repeat": lambda f, x, axis: f(x, 2, axis=axis),
    "roll": lambda f, x, axis: f(x, 1, axis=axis),
    "reverse": lambda f, x, axis: f(x, axis=[axis]),
    "split": lambda f, x, axis: f(x, [1, size(axis) - 1], axis=axis),
    "unstack": lambda f, x, axis: f(x, axis=axis),
    "squeeze": lambda f, x, axis: f(x[1:, 2:, 3:], axis=axis),
    "clip_by_norm": lambda f, x, axis: f(x, 0.5, axes=axis),
    "moments": lambda f, x, axis: f(x, axes=[axis]),
    "sufficient_statistics": lambda f, x, axis: f(x, axes=[axis]),
    "weighted_moments": lambda f, x, axis: f(x, axes=[axis], frequency_weights=1.0),
    "tensordot": lambda f, x, axis: f(x, x, axes=[[axis], [axis]]),
    "permute_dims": lambda f, x, axis: f(x, [axis, *(a for a in range(3) if a != axis % 3)]),
    "sparse_categorical_crossentropy": lambda f, x, axis: f(labels(axis), x, axis=axis),
    "glu": lambda f, x, axis: f(tf.concat([x, x], axis), axis=axis),
    "cross": lambda f, x, axis: f(x[:, :, :3], 1 - x[:, :, :3], axis=axis),
    "reduce_join": lambda f, x, axis: f(TEXTS, axis=axis),
    **{name: lambda f, x, axis: f(tf.cast(x, tf.complex128), axis=axis) for name in ("fft", "ifft", "irfft", "hfft")},
    **{name: lambda f, x, axis: f(tf.cast(x, tf.complex128), axes=[axis]) for name in ("fftn", "ifftn", "irfftn")},
    **{name: lambda f, x, axis: f(x, axes=[axis]) for name in ("rfftn", "fftshift", "ifftshift")},
}  # fmt: skip
IN_NUMPY = {"normalize"}  # it takes no tensors of graphs
NEED_SIZES = {"cross", "categorical_crossentropy", "categorical_focal_crossentropy", "unstack"}  # that are known
FROM_THE_END = {"bincount", "cross", "vecdot"}  # as TensorFlow and the standard have it
MEANS_A_NEW_ONE = {"expand_dims", "stack", "one_hot", "linspace"}


def call_of(name, function):
    if name in CALLS:
        return CALLS[name]
    needed = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty and p.name != "axis"]
    return [lambda f, x, axis: f(x, axis=axis), lambda f, x, axis: f(0.5 * x, x, axis=axis)][len(needed) - 1]


def functions(but=()):
    found = {}
    for space in SPACES:
        for name in sorted(getattr(space, "__all__", vars(space))):
            function = getattr(space, name)
            if callable(function) and not isinstance(function, type) and not name.startswith("_"):
                if {"axis", "axes"} & {*inspect.signature(function).parameters} and name not in but:
                    found.setdefault(id(function), (f"{space.__name__}.{name}", name, function))
    return [
        pytest.param(name, function, how, id=f"{full}-{run}")
        for full, name, function in found.values()
        for run, how in RUNS.items()
        if (run == "eager" or name not in IN_NUMPY) and (run != "open sizes" or name not in NEED_SIZES)
    ]


def eagerly(call):
    return call(tf.constant(X))


def staged(jit_compile, dims=X.shape):
    def run(call):
        f = tf.function(call, input_signature=[tf.TensorSpec(dims, tf.float64)], jit_compile=jit_compile)
        try:
            return f(X)
        except ValueError as error:
            if jit_compile and lacks_native_form(error):
                pytest.skip(str(error).splitlines()[0])
            raise

    return run


RUNS = {"eager": eagerly} | {f"jit_compile={jit}": staged(jit) for jit in EXECUTORS}
RUNS["open sizes"] = staged(False, [None] * 3)
REFUSALS = (ValueError, IndexError)  # an AxisError is both


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name, function, run", functions(but=FROM_THE_END))
def test_an_axis_counted_from_the_end_is_that_axis(name, function, run):
    call, rank = call_of(name, function), 4 if name in MEANS_A_NEW_ONE else 3
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for axis in range(rank):
            outcomes = []
            for same in (axis, axis - rank):
                try:
                    found = run(lambda x, same=same: call(function, x, same))
                    outcomes.append([(a.dtype, a.shape, a.tolist()) for a in map(np.asarray, tf.nest.flatten(found))])
                except REFUSALS as error:
                    outcomes.append(type(error))
            assert str(outcomes[0]) == str(outcomes[1]), axis


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name, function, run", functions())
def test_an_axis_that_there_is_not_is_refused(name, function, run):
    call, rank = call_of(name, function), 4 if name in MEANS_A_NEW_ONE else 3
    for axis in (rank, -rank - 1):
        with pytest.raises(REFUSALS):
            run(lambda x, axis=axis: call(function, x, axis))


LAYERS = {
    "BatchNormalization": {}, "LayerNormalization": {}, "GroupNormalization": {"groups": 1}, "UnitNormalization": {},
    "RMSNormalization": {}, "Softmax": {}, "Normalization": {"mean": 1.0, "variance": 2.0}, "Concatenate": {},
    "Dot": {},
}  # fmt: skip


def layer(name, axis):
    made = getattr(tf.keras.layers, name)(**{"axes" if name == "Dot" else "axis": axis}, **LAYERS[name])
    x = tf.constant(X, tf.float32)
    return made([x, x] if name in ("Concatenate", "Dot") else x).numpy()


@pytest.mark.parametrize("name", LAYERS)
def test_axes_of_layers_are_counted_from_the_end_or_refused_likewise(name):
    for axis in (1, 2):
        np.testing.assert_array_equal(layer(name, axis), layer(name, axis - 3))
    for axis in (3, -4):
        with pytest.raises(ValueError, match="axis"):
            layer(name, axis)


MASKS = {
    "from the front": ([True, False], 0),
    "inside": ([True, False, True], 1),
    "at the end": ([False, True, True, False], -1),
    "over two axes": ([[True, False, True], [False, True, True]], -3),
    "without axes": (True, -2),
    "of nothing": (False, 0),
    "of integers": ([0, 2, 1], 1),
    "of floats": ([0.5, 0.0], 0),
    "of too many axes": ([[True]], 2),
    "of another size": ([True, False], 1),
}


@pytest.mark.parametrize("mask, axis", MASKS.values(), ids=MASKS)
def test_a_mask_is_along_the_axes_that_it_is_said_to_be_along(mask, axis):
    truth = np.asarray(mask) != 0
    try:
        wanted = X[(slice(None),) * (axis % 3) + (truth,)]
    except IndexError:
        wanted = None
    for run in RUNS.values():
        for given in (mask, np.asarray(mask)):
            if wanted is None:
                with pytest.raises(IndexError):
                    run(lambda x, given=given: tf.boolean_mask(x, given, axis))
            else:
                np.testing.assert_array_equal(run(lambda x, given=given: tf.boolean_mask(x, given, axis)), wanted)


WRONG_PAIRS = [1, 4, -1, [[0, 0], [1, 1]], [[0, 1], [1]], [[3], [0]], [[0], [-4]], [[0, -3], [1, 0]], [0, 5]]


@pytest.mark.parametrize("axes", WRONG_PAIRS, ids=str)
def test_products_over_axes_are_numpys_or_refused_as_there(axes):
    def product(x):
        return tf.tensordot(x, tf.transpose(x), axes)

    try:
        wanted = np.tensordot(X, X.T, axes)
    except (ValueError, IndexError):
        wanted = None
    for run in RUNS.values():
        if wanted is None:
            with pytest.raises(REFUSALS):
                run(product)
        else:
            np.testing.assert_allclose(run(product), wanted)


@pytest.mark.parametrize("axis", [[-1], (-1,), np.int64(-1), [2]])
def test_an_axis_may_be_the_only_one_of_a_list(axis):
    x = tf.zeros([2, 3])
    for run in (lambda f: f, tf.function):
        assert run(lambda x: tf.expand_dims(x, axis))(x).shape == [2, 3, 1]
        assert run(lambda x: tf.expand_dims(x, tf.constant(axis)))(x).shape == [2, 3, 1]
        assert run(lambda x: tf.concat([x[..., None], x[..., None]], axis))(x).shape == [2, 3, 2]
    for wrong in ([0, 1], []):
        with pytest.raises(ValueError, match="takes one axis"):
            tf.expand_dims(x, wrong)
