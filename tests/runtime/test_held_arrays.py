"""Arrays that a function makes and that objects, containers and helpers hold are written as others are."""

import numpy as np
import pytest

import runtime
from autograph import StagingError
from tests.programs import EXECUTORS, load


class Histogram:
    def __init__(self, bins):
        self.counts = np.zeros(bins)
        self.seen = 0

    def add(self, value):
        self.counts[int(value * len(self.counts))] += 1
        self.seen += 1


class Field:
    def __init__(self):
        self.cells = np.zeros((3, 3))
        self.named = {"top": np.ones(3), "all": {"low": np.zeros(3)}}
        self.sizes = np.array([3, 3])

    def put(self, i, value):
        self.cells[i % self.sizes[0], int(value * 3)] = value
        if value > 0.3:
            self.named["top"][int(value * 3)] += value
            self.named["all"]["low"][0] -= value


def made(n):
    return np.zeros(n)


def made_and_filled(n):
    cells = np.empty(n)
    cells[:] = 2.0
    return cells


def in_an_object(xs):
    histogram = Histogram(5)
    for x in xs:
        histogram.add(x)
    return histogram.counts, histogram.seen


def in_an_object_that_holds_several(xs):
    field = Field()
    for i, x in enumerate(xs):
        field.put(i, x)
    return field.cells, field.named


def in_a_dictionary(xs):
    found = {"counts": np.zeros(5), "sums": np.zeros(5)}
    for x in xs:
        found["counts"][int(x * 5)] += 1
        found["sums"][int(x * 5)] += x
    return found


def in_a_dictionary_that_a_call_makes(xs):
    found = dict(counts=np.zeros(3, int))
    for x in xs:
        found["counts"][int(x * 3)] += 1
    return found["counts"]


def in_a_list(xs):
    rows = [np.zeros(5), np.ones(5)]
    for x in xs:
        if x > 0.5:
            rows[1][int(x * 5)] -= x
    return rows


def in_a_comprehension(xs):
    rows = [np.zeros(5) for _ in range(2)]
    for x in xs:
        rows[0][int(x * 5)] += 1
    return rows


def in_a_tuple(xs):
    pair = (np.zeros(3), np.zeros(3))
    for x in xs:
        pair[0][int(x * 3)] += 1
        pair[1][int(x * 3)] += x
    return pair


def of_helpers(xs):
    zeros, twos = made(5), made_and_filled(5)
    for x in xs:
        zeros[int(x * 5)] += 1
        twos[int(x * 5)] -= x
    return zeros, twos


def given_to_a_helper(xs):
    def count(counts, x):
        counts[int(x * 4)] += 1
        return counts

    counts = np.zeros(4)
    for x in xs:
        count(counts, x)
    return counts, count(np.ones(4), xs[0])


PROGRAMS = [
    in_an_object, in_an_object_that_holds_several, in_a_dictionary, in_a_dictionary_that_a_call_makes, in_a_list,
    in_a_comprehension, in_a_tuple, of_helpers, given_to_a_helper,
]  # fmt: skip


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("size", [2, 30])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_it_is_written(program, size, jit_compile):
    xs = np.random.default_rng(size).random(size)
    found = runtime.function(program, numpy=True, jit_compile=jit_compile)(xs)
    np.testing.assert_equal(found, program(xs))


# Where an array stands that may be a part of another, or one of its own, when that other array is written.
KEEPS = [
    "kept.append(v)", "kept.append((v, n))", "kept.append({'v': v})", "kept = [v]", "kept = (v, v)", "kept = {'k': v}",
    "kept = kept + [v]", "kept.insert(0, v)", "kept.extend([v, b])", "kept[0] = v", "kept = [b, b, v]",
]  # fmt: skip
AROUND = {
    "a branch": "    if n > 9:\n        x = b + 1.0\n    else:\n        {}\n        {}\n        {}\n",
    "the other": "    if n < 9:\n        {}\n        {}\n        {}\n",
    "a loop": "    for i in range(n):\n        {}\n        {}\n        {}\n",
    "nothing": "    {}\n    {}\n    {}\n",
}
MAYBE = "v = c[n % 2] if b.shape[0] > m else np.zeros(2)"


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("write", ["c[...] = 7.0", "np.maximum(c, 3.0, out=c[:])", "c += 1.0"])
@pytest.mark.parametrize("first", [True, False])
def test_what_may_be_a_part_of_an_array_that_is_written_is_not_read_as_it_was(keep, around, write, first):
    lines = [MAYBE, keep, write] if first else [MAYBE, write, keep]
    text = "def f(c, b, n, m):\n    kept = [b * 1.0]\n" + AROUND[around].format(*lines) + "    return kept, c\n"
    f = load(text, "f", np=np)
    arrays = [runtime.TensorSpec(shape, np.float64) for shape in ([2, None], [None])]
    spec = [*arrays, *[runtime.TensorSpec([], np.int64)] * 2]
    staged = runtime.function(f, numpy=True, input_signature=spec)
    for m in (1, 5):
        mine, his = np.ones((2, 2)), np.ones((2, 2))
        wanted = f(his, his[0].copy(), np.int64(3), np.int64(m))
        try:
            found = staged(mine, np.ones(2), np.int64(3), np.int64(m))
        except StagingError:
            continue
        assert repr(found) == repr(wanted) and mine.tolist() == his.tolist()
