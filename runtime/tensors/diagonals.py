"""Diagonals of matrices, above and below the main one, too: taken out, put in, and matrices made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from runtime.graph.errors import InvalidArgumentError
from runtime.tensors import decompositions, making, mathematics as m
from runtime.tensors.conversion import cast, known_numbers, operand
from runtime.tensors.parts import gather
from runtime.tensors.shaping import concat, expand_dims, reshape, shape
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Size, TensorLike

_ALIGNMENTS = ("LEFT_LEFT", "LEFT_RIGHT", "RIGHT_LEFT", "RIGHT_RIGHT")


@dataclass(frozen=True)
class _Band:
    """Diagonals next to each other: the numbers of the lowest and the highest, 0 for the main one, and to which side
    those above and below the main one are moved in rows that are longer."""

    low: int
    high: int
    above_right: bool
    below_right: bool

    @property
    def count(self) -> int:
        return self.high - self.low + 1

    def longest(self, rows: Size, columns: Size) -> Size:
        """The length of the longest."""
        return _least(rows + min(self.high, 0), columns - max(self.low, 0))

    def offset(self, number: TensorLike, rows: Size, columns: Size) -> Tensor:
        """How far to the right the diagonals of some numbers begin."""
        length = m.minimum(rows + m.minimum(number, 0), columns - m.maximum(number, 0))
        above, below = m.greater(number, 0), m.less(number, 0)
        right = [self.above_right and self.below_right, self.above_right, self.below_right]
        moved = m.where(above, right[1], m.where(below, right[2], right[0]))
        return m.where(moved, self.longest(rows, columns) - length, 0)


def _least(a: Size, b: Size) -> Size:
    return min(a, b) if isinstance(a, int) and isinstance(b, int) else m.minimum(a, b)


def _band(function: str, k: TensorLike, align: str) -> _Band:
    found = known_numbers(k)
    numbers = None if found is None else [int(n) for n in np.reshape(found, -1)]
    if numbers is None or len(numbers) not in (1, 2) or numbers[0] > numbers[-1]:
        raise ValueError(
            f"{function} with k={k!r}: it is the number of a diagonal, or those of the lowest and the highest"
        )
    if align not in _ALIGNMENTS:
        raise ValueError(f"{function} with align={align!r}: it is one of {', '.join(map(repr, _ALIGNMENTS))}")
    above, below = align.split("_")
    return _Band(numbers[0], numbers[-1], above == "RIGHT", below == "RIGHT")


def _check(function: str, band: _Band, rows: Size, columns: Size) -> None:
    if isinstance(rows, int) and isinstance(columns, int) and not -rows < band.low <= band.high < columns:
        raise InvalidArgumentError(
            f"{function} with k={(band.low, band.high)}: a matrix of shape ({rows}, {columns}) has diagonals from "
            f"{1 - rows} to {columns - 1}"
        )


def _sizes(x: Tensor) -> tuple[Size, Size]:
    """The last two sizes: numbers where they are known."""
    rows, columns = (shape(x)[a] if size is None else size for a, size in ((-2, x.shape[-2]), (-1, x.shape[-1])))
    return rows, columns


def _flat(x: Tensor) -> Tensor:
    """Matrices as rows."""
    return reshape(x, concat([shape(x)[:-2], [-1]], 0))


def diag_part(
    input: TensorLike,
    name: str | None = None,
    k: int | Sequence[int] = 0,
    padding_value: TensorLike = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Diagonals of matrices.

    Args:
      input: a tensor of shape [..., m, n].
      k: which diagonal: 0 is the main one, those above have positive numbers. Or two, the lowest and the highest.
      padding_value: what stands beside diagonals that are shorter than others.
      align: to which side those above the main one are moved, and those below: ``"RIGHT_LEFT"``, ``"LEFT_RIGHT"``,
        ``"LEFT_LEFT"`` or ``"RIGHT_RIGHT"``.
    Returns: a tensor of the dtype of `input`, and of shape [..., length of the diagonal]; of several, which stand from
      the highest to the lowest, [..., number of diagonals, length of the longest].
    Raises:
      InvalidArgumentError: if there is no such diagonal.
      ValueError: if `k` or `align` is none of these.

    >>> print(tf.linalg.diag_part([[1, 2, 3], [4, 5, 6]]))
    tf.Tensor([1 5], shape=(2,), dtype=int32)
    >>> print(tf.linalg.diag_part([[1, 2, 3], [4, 5, 6]], k=(0, 2)).numpy())
    [[0 3]
     [2 6]
     [1 5]]
    """
    x, band = operand(input), _band("diag_part", k, align)
    if band.low == band.high == 0:
        return decompositions.main_diagonals(x)
    rows, columns = _sizes(x)
    _check("diag_part", band, rows, columns)
    numbers = expand_dims(making.range(band.high, band.low - 1, -1), 1)
    at = making.range(band.longest(rows, columns)) - band.offset(numbers, rows, columns)
    row, column = at - m.minimum(numbers, 0), at + m.maximum(numbers, 0)
    there = m.logical_and(m.greater_equal(at, 0), m.logical_and(m.less(row, rows), m.less(column, columns)))
    found = gather(_flat(x), m.where(there, row * columns + column, 0), axis=-1)
    made = m.where(there, found, cast(padding_value, x.dtype))
    return made[..., 0, :] if band.low == band.high else made


def set_diag(
    input: TensorLike,
    diagonal: TensorLike,
    name: str | None = None,
    k: int | Sequence[int] = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Matrices with other diagonals.

    Args:
      input: a tensor of shape [..., m, n].
      diagonal: the diagonals, of the shape that `diag_part` gives.
      k, align: which, and how they stand in `diagonal`, as for `diag_part`.
    Returns: a tensor of the shape and dtype of `input`.
    Raises:
      InvalidArgumentError: if there is no such diagonal.
      ValueError: if `k` or `align` is none of these.

    >>> print(tf.linalg.set_diag([[1, 2], [3, 4]], [8, 9]))
    tf.Tensor(
    [[8 2]
     [3 9]], shape=(2, 2), dtype=int32)
    >>> print(tf.linalg.set_diag([[1, 2], [3, 4]], [8], k=1).numpy())
    [[1 8]
     [3 4]]
    """
    x, band = operand(input), _band("set_diag", k, align)
    given = cast(diagonal, x.dtype)
    if band.low == band.high == 0:
        return decompositions.with_main_diagonals(x, given)
    rows, columns = _sizes(x)
    _check("set_diag", band, rows, columns)
    return _placed(given, band, rows, columns, x)


def _placed(given: Tensor, band: _Band, rows: Size, columns: Size, others: Tensor) -> Tensor:
    """Matrices of a size with given diagonals, and others elsewhere."""
    row, column = expand_dims(making.range(rows), 1), expand_dims(making.range(columns), 0)
    number = column - row
    there = m.logical_and(m.greater_equal(number, band.low), m.less_equal(number, band.high))
    at = m.minimum(row, column) + band.offset(number, rows, columns)
    flat = given if band.low == band.high else _flat(given)
    place = (band.high - number) * band.longest(rows, columns) + at
    return m.where(there, gather(flat, m.where(there, place, 0), axis=-1), others)


def diag(
    diagonal: TensorLike,
    name: str | None = None,
    k: int | Sequence[int] = 0,
    num_rows: int = -1,
    num_cols: int = -1,
    padding_value: TensorLike = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """The matrices that have given diagonals, and zeros elsewhere.

    Args:
      diagonal: a tensor of shape [..., n]; of several diagonals, [..., number of diagonals, n], from the highest to the
        lowest.
      k, align: which diagonals, and how shorter ones stand in `diagonal`, as for `diag_part`.
      num_rows, num_cols: the size of the matrices, -1 for the least that has room; they are square if both are.
      padding_value: what stands elsewhere.
    Returns: a tensor of shape [..., rows, columns] and of the dtype of `diagonal`.
    Raises:
      InvalidArgumentError: if `diagonal` has too few axes, or the diagonals do not end with a matrix of this size.
      ValueError: if `k` or `align` is none of these.

    >>> print(tf.linalg.diag([1, 2]))
    tf.Tensor(
    [[1 0]
     [0 2]], shape=(2, 2), dtype=int32)
    >>> print(tf.linalg.diag([1, 2], k=1).numpy())
    [[0 1 0]
     [0 0 2]
     [0 0 0]]
    """
    x, band = operand(diagonal), _band("diag", k, align)
    default = band.low == band.high == 0 and num_rows == num_cols == -1
    if default and isinstance(padding_value, int | float) and not padding_value:
        return making.linalg_diag(x)
    if len(x.shape) < (1 if band.count == 1 else 2):
        raise InvalidArgumentError(f"diag of {x} with k={k!r}: it has an axis for the diagonals, and one along them")
    count, length = (band.count, x.shape[-1]) if band.count == 1 else _sizes(x)
    if isinstance(count, int) and count != band.count:
        raise InvalidArgumentError(f"diag of {x} with k={k!r}: these are {band.count} diagonals, not {count}")
    length = shape(x)[-1] if length is None else length
    rows, columns = length - min(band.high, 0), length + max(band.low, 0)
    wrong = isinstance(length, int) and (
        -1 != num_rows < rows or -1 != num_cols < columns or (num_rows > rows and num_cols > columns)
    )
    if wrong:
        raise InvalidArgumentError(
            f"diag of {x} with k={k!r}, num_rows={num_rows} and num_cols={num_cols}: the least size is ({rows}, "
            f"{columns}), and a larger one has more only in one direction"
        )
    if num_rows == num_cols == -1:
        rows = columns = m.maximum(rows, columns) if isinstance(rows, Tensor) else max(rows, columns)
    else:
        rows, columns = rows if num_rows == -1 else num_rows, columns if num_cols == -1 else num_cols
    return _placed(x, band, rows, columns, cast(padding_value, x.dtype))
