"""Pooling, window by window: the largest element, the mean, and what goes back to which element, at all edges."""

import itertools

import numpy as np
import pytest

from runtime.ops import nn

PADDINGS = ["SAME", "VALID", ((1, 2), (0, 3)), ((4, 0), (0, 4))]
WINDOWS = [(1, 1), (2, 2), (3, 3), (2, 1), (1, 3)]
STRIDES = [(1, 1), (2, 2), (3, 2)]
DILATIONS = [(1, 1), (2, 1)]
DTYPES = ["float16", "float32", "float64", "int32", "uint8"]


def windows(x, window, strides, padding, dilations):
    """For each place of the result the elements of its window, and which of them are inside of the image."""
    size = x.shape[1:-1]
    pads = nn.padding_of(padding, size, window, strides, dilations)
    reach = nn.reach_of(window, dilations)
    places = [(d + a + b - k) // s + 1 for d, (a, b), k, s in zip(size, pads, reach, strides)]
    for place in itertools.product(*map(range, places)):
        every = itertools.product(
            *(
                [p * s + k * r - a for k in range(w)]
                for p, s, r, w, (a, _) in zip(place, strides, dilations, window, pads)
            )
        )
        yield place, [at for at in every if all(0 <= i < d for i, d in zip(at, size))]


def expected(x, results, *how):
    """The largest, the mean, what the results add up to where the largest stand, and what they do shared among all."""
    places = list(windows(x, *how))
    dims = [max((place[axis] for place, _ in places), default=-1) + 1 for axis in range(x.ndim - 2)]
    largest = np.full((len(x), *dims, x.shape[-1]), nn._lowest(x), x.dtype)
    mean = np.full(largest.shape, np.nan)
    added, shared = np.zeros((2, *x.shape))
    for place, inside in places:
        for image, channel in itertools.product(range(len(x)), range(x.shape[-1])):
            here = (image, *place, channel)
            values = [x[(image, *at, channel)] for at in inside]
            if values:
                first = int(np.argmax(values))
                largest[here], mean[here] = values[first], np.mean(values, dtype=np.float64)
                added[(image, *inside[first], channel)] += results[here]
            for at in inside:
                shared[(image, *at, channel)] += results[here] / len(inside)
    return largest, mean, added, shared


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [(1, 1), (1, 4), (5, 4), (7, 8)])
@pytest.mark.parametrize("among", [3, 25])
def test_each_window(size, dtype, among):
    rng = np.random.default_rng(0)
    x = rng.integers(0, among, (2, *size, 2)).astype(dtype)
    if x.dtype.kind == "f" and among == 25:
        x = np.where(rng.random(x.shape) < 0.2, rng.choice([np.nan, -np.inf], x.shape), x).astype(dtype)
    tolerance = {"float16": 2e-3, "float32": 1e-6}.get(dtype, 1e-12)
    for how in itertools.product(WINDOWS, STRIDES, PADDINGS, DILATIONS):
        try:
            largest = nn.pooled(x, "max", *how)
        except nn.InvalidArgumentError:
            reach = nn.reach_of(how[0], how[3])
            assert any(
                d + sum(p) < k for d, p, k in zip(size, nn.padding_of(how[2], size, how[0], how[1], how[3]), reach)
            )
            continue
        results = rng.integers(-9, 9, largest.shape).astype(np.float32)
        with np.errstate(all="ignore"):
            wanted = expected(x, results, *how)
            mean = nn.pooled(x, "avg", *how)
            shared = nn.unpooled(x, results, "avg", *how)
        np.testing.assert_array_equal(largest, wanted[0], err_msg=str(how))
        np.testing.assert_allclose(mean, wanted[1], tolerance, tolerance, err_msg=str(how))
        np.testing.assert_array_equal(nn.unpooled(x, results, "max", *how), wanted[2], err_msg=str(how))
        np.testing.assert_allclose(shared, wanted[3], 1e-5, 1e-5, err_msg=str(how))


def test_what_is_not_finite_goes_to_the_largest_only():
    x = np.array([1.0, 3.0, 2.0, 5.0]).reshape(1, 2, 2, 1)
    for number in (np.nan, np.inf, -np.inf):
        found = nn.unpooled(x, np.full((1, 1, 1, 1), number), "max", (2, 2), (2, 2), "VALID")
        np.testing.assert_array_equal(found.ravel(), [0, 0, 0, number])


def test_no_images_and_no_channels():
    for dims in [(0, 4, 4, 3), (2, 4, 4, 0)]:
        x = np.zeros(dims, np.float32)
        for how in ("max", "avg"):
            made = nn.pooled(x, how, (2, 2), (2, 2), "SAME")
            assert made.shape == (dims[0], 2, 2, dims[3])
            assert nn.unpooled(x, made, how, (2, 2), (2, 2), "SAME").shape == dims


def test_three_sizes():
    x = np.random.default_rng(0).standard_normal((1, 3, 4, 5, 2))
    how = (2, 3, 2), (2, 1, 2), "SAME", (1, 1, 1)
    largest = nn.pooled(x, "max", *how)
    wanted = expected(x, largest, *how)
    np.testing.assert_array_equal(largest, wanted[0])
    np.testing.assert_allclose(nn.pooled(x, "avg", *how), wanted[1])
    np.testing.assert_allclose(nn.unpooled(x, largest, "max", *how), wanted[2])
    np.testing.assert_allclose(nn.unpooled(x, largest, "avg", *how), wanted[3])
