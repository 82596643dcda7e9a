"""Lists of lists of arrays, texts and short lists, which are rows of the graph: groups of points, buckets of words."""

import copy

import numpy as np
import pytest

import runtime
from autograph import StagingError

POINTS = np.array([[1.0, 2.0], [0.0, 5.0], [2.0, 7.0], [1.0, 8.0], [0.0, 1.0], [2.0, 2.0]])
WORDS = ["ab", "c", "def", "g", "ab", ""]


def grouped(points):
    groups = [[] for _ in range(3)]
    for point in points:
        groups[int(point[0])].append(point)
    return groups


def nearest(points):
    centers = points[:2].copy()
    for _ in range(3):
        groups = [[] for _ in range(len(centers))]
        for point in points:
            groups[np.argmin(((centers - point) ** 2).sum(axis=1))].append(point)
        for j in range(len(centers)):
            if groups[j]:
                centers[j] = np.mean(groups[j], axis=0)
    return centers, [len(group) for group in groups]


def as_arrays(points):
    groups = grouped(points)
    return [np.array(group).mean(axis=0) if group else 0 for group in groups], [np.vstack(g) for g in groups if g]


def of_tuples(points):
    groups = [[] for _ in range(3)]
    for i, point in enumerate(points):
        groups[int(point[0])].append((i, point * 2, point[1]))
    return groups, [number + x[0] * y for group in groups for number, x, y in group]


def of_matrices(points):
    groups = [[] for _ in range(3)]
    for point in points:
        groups[int(point[0])].append(np.outer(point, point))
    return groups, [np.sum(group) for group in groups if group]


def sorted_rows(points):
    groups = grouped(points)
    for group in groups:
        group.sort(key=lambda point: -point[1])
    return groups, [sorted(group, key=lambda point: point[1]) for group in groups]


def parts(points):
    groups = grouped(points)
    row = groups[int(points[0, 0])]
    return row[1:], row[::-1], row[-1] if row else 0, row + groups[0], row[:], [point for g in groups for point in g]


def changed(points):
    groups = grouped(points)
    j = int(points[0, 0])
    groups[0].extend(groups[j])
    groups[j] += [points[0] * 2]
    groups[j].insert(0, np.zeros(2, points.dtype))
    del groups[j][1:]
    groups[j][0] = np.full(2, 3.0, points.dtype)
    groups.append([points[0] + 1])
    groups[0], groups[j] = groups[j], groups[0]
    return groups


def emptied(points):
    groups, i, total = grouped(points), 0, 0.0
    while len(groups[i]) > 0:
        total += groups[i].pop(0)[1]
        i = int(total) % 3
    return total, groups


def taken_out(points):
    groups = [[] for _ in range(3)]
    for point in points:
        groups[int(point[0])].append(point.copy())
    found = groups[int(points[0, 0])].pop()
    found[0] = -1
    return groups, found, points


def the_same_row(points):
    groups = grouped(points)
    row = groups[int(points[0, 0])]
    row.append(np.ones(2, points.dtype))
    return row is groups[int(points[0, 0])], row is groups[0], row


def copies(points):
    groups = grouped(points)
    others, deep = [group[:] for group in groups], copy.deepcopy(groups)
    groups[int(points[0, 0])].append(points[0] * 0)
    return groups, others, deep


def seeded(points, count=3):
    groups = [[points[0]] for _ in range(count)]
    for point in points:
        groups[int(point[0])].append(point)
    return groups, [np.mean(group, axis=0) for group in groups]


def many_seeded(points):
    return seeded(points, 20)


def none_found(points):
    groups = [[] for _ in range(3)]
    for point in points:
        if point[1] > 100:
            groups[int(point[0])].append(point)
    return groups, sum(len(group) for group in groups)


class Grid:
    def __init__(self):
        self.cells = [[] for _ in range(3)]

    def add(self, point):
        self.cells[int(point[0])].append(point)


def in_an_object(points):
    grid = Grid()
    for point in points:
        grid.add(point)
    return grid.cells


def of_cells(points):
    cells = [[[] for _ in range(3)] for _ in range(2)]
    for point in points:
        cells[int(point[1]) % 2][int(point[0])].append(point)
    return cells


def of_short_lists(points):
    groups = [[] for _ in range(3)]
    for point in points:
        groups[int(point[0])].append([point[0], point[1] > 4])
    return groups, [np.mean(group, axis=0) for group in groups if group]


def of_words(points):
    groups = [[] for _ in range(3)]
    for word, point in zip(WORDS, points):
        groups[int(point[0])].append(word)
    return groups, [",".join(group) for group in groups]


def of_keys_and_values(points):
    table = [[] for _ in range(3)]
    for i, point in enumerate(points):
        table[int(point[1]) % 3].append((str(int(point[0])), i))
    return table, [value for key, value in table[int(points[0, 0])] if key == "1"]


def of_objects(points):
    groups = [[] for _ in range(3)]
    for point in points:
        groups[int(point[0])].append({"x": point[0], "y": point[1]})
    return sum(one["x"] * one["y"] for group in groups for one in group)


PROGRAMS = [
    nearest, as_arrays, of_tuples, of_matrices, sorted_rows, parts, changed, emptied, taken_out, the_same_row, copies,
    seeded, many_seeded, none_found, in_an_object, of_cells, of_short_lists, of_words, of_keys_and_values, of_objects,
]  # fmt: skip


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_rows_are_what_they_are_in_python(program, jit_compile):
    f = runtime.function(program, numpy=True, jit_compile=jit_compile)
    for points in (POINTS, POINTS[:2], POINTS[::-1].astype(np.float32)):
        assert repr(f(points.copy())) == repr(program(points.copy()))


def writes_what_is_found(points):
    for group in grouped(points):
        for point in group:
            point[1] += 10
    return points


def writes_what_was_put(points):
    groups = grouped(points)
    points[0, 1] = 99
    return groups


def has_several_shapes(points):
    groups = [[] for _ in range(3)]
    for i, point in enumerate(points):
        groups[int(point[0])].append(points[: i + 1])
    return groups


def has_several_dtypes(points):
    groups = [[] for _ in range(3)]
    for point in points:
        groups[int(point[0])].append(point if point[1] > 4 else np.array([1, 2]))
    return groups


def gets_another_dtype(points):
    groups = grouped(points)
    groups[int(points[0, 0])][0] = np.array([1, 2])
    return groups


@pytest.mark.parametrize(
    "program, told",
    [
        (writes_what_is_found, "a list whose length the graph decides"),
        (writes_what_was_put, "a list whose length the graph decides"),
        (has_several_shapes, "arrays of one shape"),
        (has_several_dtypes, "array"),
        (gets_another_dtype, "have one dtype, and these have float64 and int64"),
    ],
    ids=lambda f: getattr(f, "__name__", ""),
)
def test_what_rows_do_not_follow_is_refused(program, told):
    with pytest.raises(StagingError, match=told):
        runtime.function(program, numpy=True)(POINTS.copy())


def of_arrays(x):
    groups = [[] for _ in range(3)]
    for i in runtime.range(6):
        groups[i % 3].append(runtime.stack([x[i], x[i] * x[i]]))
    groups[0][1] = groups[0][0] * groups[1][1]
    groups[1].append(groups[0][1])
    total = runtime.constant(0.0, runtime.float64)
    for i in runtime.range(3):
        total += runtime.reduce_sum(runtime.sin(runtime.stack(groups[i])))
    return total


def of_numbers(x):
    groups = [[] for _ in range(3)]
    for i in runtime.range(6):
        groups[i % 3].append(x[i] * x[i])
    total = runtime.constant(0.0, runtime.float64)
    for i in runtime.range(3):
        groups[i].append(total)
        groups[i][0] = groups[i][0] * groups[i][-1] + 1.0
        if i > 0:
            total += groups[i - 1].pop() * 3.0
        for one in groups[i]:
            total += runtime.sin(one)
    return total


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("program", [of_arrays, of_numbers], ids=lambda f: f.__name__)
def test_gradients_go_through_rows_of_any_length(program, jit_compile):
    f, x, step = runtime.function(program, jit_compile=jit_compile), np.array([0.3, 0.7, -1.2, 0.9, 2.1, 0.4]), 1e-6
    given = runtime.constant(x)
    with runtime.GradientTape() as tape:
        tape.watch(given)
        y = f(given)
    near = [[f(runtime.constant(x + way * step * e)).numpy() for way in (1, -1)] for e in np.eye(6)]
    np.testing.assert_allclose(tape.gradient(y, given), [(a - b) / (2 * step) for a, b in near], atol=1e-7)
