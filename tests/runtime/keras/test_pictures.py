"""Layers for pictures: what they draw, and where they are called. Their numbers are in test_preparation."""

import json

import numpy as np
import pytest
from scipy import ndimage

import runtime as tf
from tests.runtime.keras.preparation_figures import BYTES, FIRST, PICTURE, PICTURES

k = tf.keras
L = k.layers

MANY = np.stack([PICTURE] * 400)
RANDOM = {
    "flip": lambda **o: L.RandomFlip(**o),
    "crop": lambda **o: L.RandomCrop(3, 4, **o),
    "translation": lambda **o: L.RandomTranslation(0.4, (-0.2, 0.3), **o),
    "rotation": lambda **o: L.RandomRotation(0.3, **o),
    "zoom": lambda **o: L.RandomZoom(0.4, 0.2, **o),
    "contrast": lambda **o: L.RandomContrast(0.5, **o),
    "brightness": lambda **o: L.RandomBrightness(0.2, **o),
}
SURE = {
    "resizing": (lambda: L.Resizing(3, 4), PICTURES),
    "resizing with a border": (lambda: L.Resizing(8, 3, pad_to_aspect_ratio=True, fill_value=2.0), PICTURES),
    "center crop": (lambda: L.CenterCrop(3, 2), PICTURES),
    "center crop of less": (lambda: L.CenterCrop(9, 2, **FIRST), PICTURES.transpose(0, 3, 1, 2)),
    "translation": (lambda: L.RandomTranslation((0.3, 0.3), (0.1, 0.1), "wrap"), PICTURES),
    "rotation": (lambda: L.RandomRotation((0.3, 0.3), "constant", fill_value=3.0), PICTURES),
    "zoom": (lambda: L.RandomZoom((0.3, 0.3), None, "nearest", "nearest"), PICTURES),
    "brightness": (lambda: L.RandomBrightness((0.1, 0.1)), PICTURES),
}


def same(found, wanted):
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, rtol=2e-6, atol=2e-4)


@pytest.mark.parametrize("name", SURE)
def test_wherever_it_is_called(name, tmp_path):
    make, given = SURE[name]
    layer, x = make(), tf.constant(given)
    wanted = layer(x)
    same(tf.function(layer)(x), wanted)
    unknown = tf.function(layer, input_signature=[tf.TensorSpec([None, *given.shape[1:]])])
    same(unknown(x), wanted)
    (mapped,) = tf.data.Dataset.from_tensors(given).map(layer)
    same(mapped, wanted)
    (single,) = tf.data.Dataset.from_tensor_slices(given).map(layer).batch(2)
    same(single, wanted)
    inputs = k.Input(given.shape[1:])
    models = [k.Model(inputs, make()(inputs)), k.Sequential([k.Input(given.shape[1:]), make()])]
    for number, model in enumerate(models):
        assert model.outputs[0].shape == (None, *wanted.shape[1:])
        same(model(x, training=True), wanted)
        model.save(tmp_path / f"{number}.keras")
        same(k.models.load_model(tmp_path / f"{number}.keras")(x, training=True), wanted)
    config = json.loads(json.dumps(layer.get_config()))
    again = type(layer).from_config(config)
    assert json.loads(json.dumps(again.get_config())) == config
    same(again(x), wanted)
    assert layer(tf.constant(given, tf.float64)).dtype == "float32"
    assert type(layer)(**{**layer.get_config(), "dtype": "float64"})(x).dtype == "float64"


@pytest.mark.parametrize(
    "layer",
    [L.Resizing(3, 4), L.Resizing(4, 9, pad_to_aspect_ratio=True), L.Resizing(4, 9, crop_to_aspect_ratio=True),
     L.CenterCrop(3, 4), L.RandomRotation((0.1, 0.1))],
)  # fmt: skip
def test_pictures_of_any_size(layer):
    traced = tf.function(layer, input_signature=[tf.TensorSpec([None, None, None, 2])])
    for given in (PICTURES, PICTURES[:, :4], PICTURES[:1, :, :4]):
        same(traced(tf.constant(given)), layer(given))


@pytest.mark.parametrize("name", RANDOM)
def test_seeds(name):
    k.utils.set_random_seed(5)
    first, second, other = RANDOM[name](seed=3), RANDOM[name](seed=3), RANDOM[name](seed=4)
    images = tf.constant(MANY[:20])
    one, two = first(images), first(images)
    same(second(images), one)
    same(second(images), two)
    assert not np.array_equal(one, two) and not np.array_equal(other(images), one)
    traced = tf.function(RANDOM[name](seed=3))  # the same numbers in a graph
    same(traced(images), one)
    same(traced(images), two)
    k.utils.set_random_seed(7)
    layer = RANDOM[name]()
    free = layer(images)
    k.utils.set_random_seed(7)
    same(layer(images), free)


@pytest.mark.parametrize("name", RANDOM)
def test_in_training_only(name):
    layer = RANDOM[name]()
    images = tf.constant(PICTURES)
    same(layer(images, training=False), images)
    assert layer(tf.constant(BYTES), training=False).dtype == "float32"
    inputs = k.Input(PICTURE.shape)
    model = k.Model(inputs, RANDOM[name]()(inputs))
    same(model.predict(PICTURES, verbose=0), images)
    flagged = tf.function(lambda x, flag: layer(x, training=flag))
    if name != "crop":
        same(flagged(images, tf.constant(False)), images)
        assert not np.array_equal(flagged(tf.constant(MANY[:20]), tf.constant(True)), MANY[:20])
    assert layer(PICTURE).shape == layer(PICTURES).shape[1:]
    assert layer(BYTES).dtype == "float32"


def test_flips():
    for mode, axes in (("horizontal", 2), ("vertical", 1), ("horizontal_and_vertical", (1, 2))):
        found = L.RandomFlip(mode, seed=1)(MANY).numpy()
        flipped = np.flip(MANY, axes)
        which = np.array([np.array_equal(a, b) for a, b in zip(found, flipped)])
        np.testing.assert_array_equal(found, np.where(which[:, None, None, None], flipped, MANY))
        assert 150 < which.sum() < 250
    first = L.RandomFlip("vertical", data_format="channels_first", seed=1)(MANY.transpose(0, 3, 1, 2)).numpy()
    same(first.transpose(0, 2, 3, 1), L.RandomFlip("vertical", seed=1)(MANY))


def test_windows():
    layer, seen = L.RandomCrop(3, 5, seed=1), set()
    for _ in range(60):
        found = layer(PICTURES).numpy()
        assert found.shape == (2, 3, 5, 2)
        (place,) = [
            (i, j) for i in range(3) for j in range(2) if np.array_equal(PICTURES[:, i : i + 3, j : j + 5], found)
        ]
        seen.add(place)
    assert seen == {(i, j) for i in range(3) for j in range(2)}
    with pytest.raises(ValueError, match="whose height and width are known"):
        tf.function(layer, input_signature=[tf.TensorSpec([None, None, None, 2])])(PICTURES)


def spread(numbers, low, high):
    """Whether numbers are spread evenly between bounds."""
    numbers = np.sort(np.asarray(numbers))
    assert low <= numbers[0] and numbers[-1] <= high
    np.testing.assert_allclose(np.quantile(numbers, [0.1, 0.5, 0.9]), low + (high - low) * np.array([0.1, 0.5, 0.9]),
                               atol=0.08 * (high - low))  # fmt: skip


RAMP = np.broadcast_to(np.arange(100.0).reshape(1, 1, 100, 1), (400, 3, 100, 1)).astype(np.float32)
DOWN = np.broadcast_to(np.arange(100.0).reshape(1, 100, 1, 1), (400, 100, 3, 1)).astype(np.float32)


def test_shifts():
    found = L.RandomTranslation(0.0, (-0.1, 0.2), seed=1)(RAMP).numpy()
    spread(50 - found[:, 1, 50, 0], -10, 20)
    found = L.RandomTranslation(0.1, 0.0, seed=1)(DOWN).numpy()
    spread(50 - found[:, 50, 1, 0], -10, 10)
    layer = L.RandomTranslation(0.1, 0.1, seed=1)
    across, down = layer(RAMP[:, :, :, :]), L.RandomTranslation(0.1, 0.1, seed=1)(DOWN)
    together = np.corrcoef(50 - across.numpy()[:, 1, 50, 0], 50 - down.numpy()[:, 50, 1, 0])[0, 1]
    assert abs(together) < 0.2  # one does not follow from the other


def test_zooms():
    found = L.RandomZoom((-0.5, 0.2), 0.0, seed=1)(DOWN).numpy()
    spread((found[:, 52, 1, 0] - found[:, 48, 1, 0]) / 4, 0.5, 1.2)
    found = L.RandomZoom(0.0, 0.1, seed=1)(RAMP).numpy()
    spread((found[:, 1, 52, 0] - found[:, 1, 48, 0]) / 4, 0.9, 1.1)
    square = np.broadcast_to(np.add.outer(1000.0 * np.arange(50), np.arange(50.0))[None, :, :, None], (50, 50, 50, 1))
    found = L.RandomZoom(0.3, seed=1)(square.astype(np.float32)).numpy()
    by_rows, by_columns = found[:, 30, 25, 0] - found[:, 20, 25, 0], found[:, 25, 30, 0] - found[:, 25, 20, 0]
    np.testing.assert_allclose(by_rows / 1000, by_columns, atol=0.05)  # nothing is distorted


def test_turns():
    rows, columns = np.mgrid[:41, :41] - 20.0
    places = np.broadcast_to(np.stack([rows, columns], -1), (400, 41, 41, 2)).astype(np.float32)
    found = L.RandomRotation((-0.1, 0.2), seed=1)(places).numpy()
    angles = np.arctan2(found[:, 20, 30, 0], found[:, 20, 30, 1]) / (2 * np.pi)
    spread(angles, -0.1, 0.2)


def test_turns_as_scipy():
    image = PICTURE[:5, :5, 0]
    found = L.RandomRotation((0.1, 0.1), fill_mode="constant", fill_value=9.0)(image[..., None])[..., 0].numpy()
    wanted = ndimage.rotate(image, 36, reshape=False, order=1, mode="grid-constant", cval=9.0)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-2)
    found = L.RandomTranslation((0.3, 0.3), (-0.15, -0.15))(image[..., None])[..., 0].numpy()
    wanted = ndimage.shift(image, (1.5, -0.75), order=1, mode="reflect")
    np.testing.assert_allclose(found[2:, :-1], wanted[2:, :-1], rtol=1e-4, atol=1e-2)


def test_colours():
    grey = np.broadcast_to(np.array([0.4, 0.6]).reshape(1, 1, 2, 1), (400, 1, 2, 1)).astype(np.float32)
    found = L.RandomContrast(0.5, (0, 1), seed=1)(grey).numpy()
    spread((found[:, 0, 1, 0] - found[:, 0, 0, 0]) / 0.2, 0.5, 1.5)
    found = L.RandomContrast((0.1, 0.9), (0, 1), seed=1)(grey).numpy()
    spread((found[:, 0, 1, 0] - found[:, 0, 0, 0]) / 0.2, 0.9, 1.9)
    found = L.RandomBrightness((-0.1, 0.3), (0, 1), seed=1)(grey).numpy()
    spread(found[:, 0, 0, 0] - 0.4, -0.1, 0.3)
    assert L.RandomBrightness(1.0, (0.2, 0.7), seed=1)(grey).numpy().max() <= np.float32(0.7)


def test_gradients():
    layer = L.RandomRotation((0.1, 0.1), "constant")
    x = tf.constant(PICTURE[:4, :4, :1])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(layer(x) * 2.0)
    gradient = tape.gradient(y, x).numpy()
    step = np.zeros_like(PICTURE[:4, :4, :1])
    step[1, 2] = 1
    np.testing.assert_allclose(gradient[1, 2, 0], (2 * (layer(x + step) - layer(x))).numpy().sum(), rtol=1e-3)


def test_a_model_is_trained_on_changed_pictures():
    model = k.Sequential([
        k.Input(PICTURE.shape), L.RandomFlip(seed=1), L.RandomRotation(0.1, seed=2), L.RandomZoom(0.1, seed=3),
        L.RandomContrast(0.1), L.Flatten(), L.Dense(1),
    ])  # fmt: skip
    model.compile("sgd", "mse")
    model.fit(MANY[:8] / 255, np.zeros([8, 1]), batch_size=4, epochs=2, verbose=0)
    assert model.predict(MANY[:3], verbose=0).shape == (3, 1)


WRONG = [
    (lambda: L.Resizing(0, 3), "Resizing with height=0"),
    (lambda: L.Resizing(3, 3, "area"), "Resizing with interpolation='area'"),
    (lambda: L.Resizing(3, 3, fill_mode="reflect"), "Resizing with fill_mode='reflect'"),
    (lambda: L.Resizing(3, 3, crop_to_aspect_ratio=True, pad_to_aspect_ratio=True), "one of them"),
    (lambda: L.CenterCrop(3, 2.5), "CenterCrop with width=2.5"),
    (lambda: L.CenterCrop(3, 2, data_format="last"), "data_format='last'"),
    (lambda: L.RandomFlip("sideways"), "RandomFlip with mode='sideways'"),
    (lambda: L.RandomFlip(seed="x"), "RandomFlip with seed='x'"),
    (lambda: L.RandomFlip(bounding_box_format="xyxy"), "passed to RandomFlip: 'bounding_box_format'"),
    (lambda: L.RandomCrop(-1, 3), "RandomCrop with height=-1"),
    (lambda: L.RandomTranslation(1.5, 0), "RandomTranslation with height_factor=1.5"),
    (lambda: L.RandomTranslation(0, (0.1, 0.2, 0.3)), "RandomTranslation with width_factor=(0.1, 0.2, 0.3)"),
    (lambda: L.RandomRotation(0.1, fill_mode="mirror"), "RandomRotation with fill_mode='mirror': it is 'reflect'"),
    (lambda: L.RandomRotation(0.1, interpolation="bicubic"), "RandomRotation with interpolation='bicubic'"),
    (lambda: L.RandomZoom(-1.0), "RandomZoom with height_factor=-1.0"),
    (lambda: L.RandomContrast(-0.1), "RandomContrast with factor=-0.1"),
    (lambda: L.RandomBrightness("0.1"), "RandomBrightness with factor='0.1'"),
    (lambda: L.RandomBrightness(0.1, value_range=1), "RandomBrightness with value_range=1"),
    (lambda: L.RandomFlip(name="flips")(np.zeros([3, 3])), "layer 'flips' takes pictures of rank 3 or 4"),
    (lambda: L.RandomFlip(name="flips")({"images": PICTURES, "boxes": 1}), "of a dictionary, not 'boxes'"),
]  # fmt: skip


@pytest.mark.parametrize("make, says", WRONG)
def test_what_is_refused(make, says):
    with pytest.raises(ValueError) as error:
        make()
    assert says in str(error.value)
