"""Python lists under a trace: ordinary ones, until the graph decides how long they are."""

from __future__ import annotations

import copy
import operator
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from autograph import StagingError
from autograph.dispatch import staged_within
from autograph.operators import definitions
from autograph.operators.calls import defined
from autograph.operators.logic import may_ask
from autograph.reading import is_a
from runtime.control.rows import (
    Column,
    Content,
    Fixed,
    Rows,
    appended,
    as_column,
    as_rows,
    common,
    copied,
    given_away,
    one_of,
    places_of,
    position,
)
from runtime.control.shared import may_be_another, objects, share
from runtime.graph.dtypes import as_dtype
from runtime.graph.errors import NoValueYetError, OperatorNotAllowedInGraphError
from runtime.graph.graph import ListType, strong_dtype
from runtime.graph.owner import Owner
from runtime.ops import lists, shape as shape_ops
from runtime.tensors import nest
from runtime.tensors.clauses import indexed, not_caught
from runtime.tensors.conversion import cast, operand
from runtime.tensors.frames import marked
from runtime.tensors.from_numpy import FromNumpy, stored
from runtime.tensors.growing import WITHHELD, Growing, has_grown
from runtime.tensors.numbers import Range
from runtime.tensors.operations import apply, apply_to_list
from runtime.tensors.tensor import Meaning, SymbolicTensor, Tensor
from runtime.tensors.trace import current
from runtime.tensors.views import ELEMENT, Array, arrayed, before_update, note_element, owned

import numpy as np  # isort: skip


_NUMPY = os.path.dirname(np.__file__)


def _plain(value: Any) -> Any:
    """A structure with Python's own lists, as far as their length is known."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, TensorList):
        return value if value.rows is not None else [_plain(part) for part in list.__iter__(value)]
    return type(value)([_plain(part) for part in value]) if type(value) in (list, tuple) else value


class TensorList(Growing):
    """A list made while tracing. Where a staged statement has made it longer or shorter, `rows` holds its elements."""

    ordered: ClassVar[Callable[[Any, Any, bool], Content]]  # what it holds by a key: where loops are known
    chosen: ClassVar[Callable[[Sequence[object], Tensor], object]]  # the one at an index: where branches are known
    _rows_now: Rows | None = None  # what is asked most often asks this alone, which calls nothing
    _known: Fixed | None = None

    @property
    def rows(self) -> Rows | None:
        rows = self._rows_now
        if rows is not None and not (
            list.__len__(self) == len(WITHHELD) and all(map(operator.is_, list.__iter__(self), WITHHELD))
        ):
            raise StagingError(
                f"<list of {', '.join(map(str, rows.kinds))}> was changed by a function that is not converted, which "
                "knows nothing of what a graph puts into lists. Use the methods of lists in a converted function."
            )
        return rows

    @rows.setter
    def rows(self, rows: Rows | None) -> None:
        if self._rows_now is None and rows is not None:
            list.__setitem__(self, slice(None), WITHHELD)
        self._rows_now = rows

    @property
    def content(self) -> Content:
        """What it holds now; the same object until that changes."""
        if self.rows is not None:
            return self.rows
        known = self._known
        if known is None or len(known.elements) != list.__len__(self) or any(
            a is not b for a, b in zip(known.elements, list.__iter__(self))
        ):  # fmt: skip
            self._known = known = Fixed(list.__iter__(self))
        return known

    @content.setter
    def content(self, content: Content) -> None:
        if isinstance(content, Rows):
            self.__class__ = TensorList
            self.rows = content
        else:
            self.__class__ = KnownList
            self.rows, self._known = None, content
            list.__setitem__(self, slice(None), content.elements)

    @classmethod
    def holding(cls, content: Content) -> TensorList:
        made = cls()
        made.content = content
        return made

    def staged(self) -> Rows:
        """Its elements as rows from now on."""
        if self.rows is None:
            self.content = as_rows(self.content, *common(self.content))
        assert self.rows is not None
        return self.rows

    def stacked(self, exact: bool = False) -> object:
        """Its elements as one tensor; Python's numbers keep their 64 bits if it is to be `exact`."""
        rows = self.staged()
        return self._stacked(rows.structure, rows, exact)

    def _stacked(self, structure: object, rows: Rows, exact: bool) -> Tensor:
        if isinstance(structure, list | tuple) and structure:  # pairs, for example, are rows of two
            parts = [self._stacked(part, rows, exact) for part in structure]
            kind = as_dtype(np.result_type(*(part.dtype.dtype for part in parts)))
            made: Tensor = apply(shape_ops.stack, *(cast(part, kind) for part in parts), axis=1)
            return made
        if not isinstance(structure, int):
            raise TypeError(f"a list whose elements are a {type(structure).__name__} each becomes no array: {self}")
        column = rows.columns[structure]
        kind = column.type
        if kind.weak and not exact:
            column = as_column(column, ListType(strong_dtype(kind), kind.shape))
            kind = column.type
        shape = None if kind.shape is None else tuple(kind.shape)
        return apply(lists.stack, column, shape=shape, dtype=kind.dtype)  # type: ignore[no-any-return]

    # What changes it.

    def append(self, value: object) -> None:
        if self._rows_now is None:
            list.append(self, value)
        else:
            self.rows = appended(self.staged(), value)

    def extend(self, values: Iterable[object]) -> None:
        if isinstance(values, TensorList) and values.rows is not None:
            copied()
            structure, kinds = common(self.content, values.rows)
            mine, more = as_rows(self.content, structure, kinds), as_rows(values.rows, structure, kinds)
            pairs = zip(mine.columns, more.columns)
            self.content = Rows(structure, [apply_to_list(lists.extend, a, b) for a, b in pairs])
        elif self.rows is None and not isinstance(values, SymbolicTensor):
            list.extend(self, values)
        elif isinstance(values, SymbolicTensor) and not isinstance((values.type.shape or (None,))[0], int):
            self.extend(list_of_rows(values))
        else:
            for value in values:
                self.append(value)

    def __iadd__(self, values: list[object]) -> TensorList:  # type: ignore[override,misc]
        if is_a(values, (Tensor, np.ndarray, np.generic)) and not is_a(values, Range):
            return NotImplemented  # of arrays and numbers a sum is made
        self.extend(values)
        return self

    def insert(self, index: Any, value: object) -> None:
        if self.rows is None and not isinstance(index, SymbolicTensor):
            list.insert(self, index, value)
        else:
            self.rows = self.staged().changed(lists.insert, value, position(index))

    def pop(self, index: Any = -1) -> object:
        if self._rows_now is None and type(index) is int:
            return list.pop(self, index)
        if self.rows is None and not isinstance(index, SymbolicTensor):
            return list.pop(self, index)
        _may_miss()
        rows = self.staged()
        parts = [apply(lists.popped, column, position(index)) for column in rows.columns]
        found = nest.rebuild(rows.structure, map(owned, parts, rows.owners))
        for leaf in nest.flatten(found):
            if isinstance(leaf, Array):
                given_away(leaf)
        if may_be_another(found):
            share(found, ELEMENT)
        self.rows = rows.reduced(lists.remove, position(index))
        return found

    def clear(self) -> None:
        self.rows = None
        list.clear(self)

    def reverse(self) -> None:
        if self.rows is None:
            list.reverse(self)
        else:
            self.rows = self.rows.reduced(lists.part, operand(-1), given=(False, False, True))

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        if key is not None or self.rows is not None or staged_within([*list.__iter__(self)]):
            self.content = TensorList.ordered(self.content, key, bool(reverse))
        else:
            list.sort(self, reverse=reverse)

    def remove(self, value: object) -> None:
        self.pop(self.index(value))

    def __setitem__(self, index: Any, value: object) -> None:
        if type(index) is int and self._rows_now is None:
            list.__setitem__(self, index, value)
            return
        known = self._is_plain(index)
        if isinstance(index, slice) and not (known and not has_grown(value) and not isinstance(value, SymbolicTensor)):
            self._replace(index, value)
        elif known:
            list.__setitem__(self, index, value)
        else:
            _may_miss()
            elements = self.content.elements if isinstance(self.content, Fixed) else ()
            with before_update(value, places_of(elements)):
                rows = self.staged()
            self.rows = rows.changed(lists.set_item, value, position(index))

    def __delitem__(self, index: Any) -> None:
        if self._is_plain(index):
            list.__delitem__(self, index)
        elif isinstance(index, slice):
            self._replace(index, ())
        else:
            self.pop(index)

    def _is_plain(self, index: object) -> bool:
        """Whether the elements at an index, or slice, are known while tracing."""
        parts = (index.start, index.stop, index.step) if isinstance(index, slice) else (index,)
        return self.rows is None and not any(isinstance(p, SymbolicTensor) for p in parts)

    def _replace(self, index: slice, values: object) -> None:
        """Put values where a slice of the elements is."""
        start, stop = index.start, index.stop
        if self._is_plain(index):
            start, stop, _ = index.indices(list.__len__(self))
        known = all(isinstance(n, int) and n >= 0 for n in (start, stop))
        if index.step not in (None, 1) or not (known or start is None or stop is None):
            raise OperatorNotAllowedInGraphError(
                f"{self!r}: how many elements it has, or where the slice ends, is known only when the graph runs, so "
                "that only a slice from the start, to the end or between numbers that are known can be exchanged."
            )
        made = self[:0] if start is None else self[:start]
        rest = self[:0] if stop is None else self[max(start, stop) if known else stop :]
        made.extend(values)
        made.extend(rest)
        self.content = made.content

    # What reads it.

    @property
    def __array__(self) -> object:  # NumPy takes a list as it is, if it has none
        if self.rows is None:
            raise AttributeError("__array__")
        return self._no_array

    def __array_function__(
        self, function: Callable[..., object], types: object, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> object:
        return self._numpys(function, args, kwargs, lambda given: Meaning.function(function, args, given))

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **kwargs: object) -> object:
        function = ufunc if method == "__call__" else getattr(ufunc, method)
        return self._numpys(function, inputs, kwargs, lambda given: Meaning.ufunc(ufunc, method, inputs, given))

    def _numpys(
        self,
        function: Callable[..., object],
        args: Sequence[object],
        kwargs: Mapping[str, object],
        staged: Callable[[object], object],
    ) -> object:
        """What a function of NumPy's makes of lists: NumPy does it where they hold nothing of the graph."""
        if not any(isinstance(v, Tensor) or has_grown(v) for v in nest.flatten([_plain(args), _plain(kwargs)])):
            return function(*_plain(args), **_plain(kwargs))
        given = dict(kwargs)
        out = given.pop("out", None)
        result = staged(given)
        tensors = self.rows is not None and Owner.TENSOR in self.rows.owners
        return stored(function, result if tensors else arrayed(result, args), out)

    def _no_array(self, *_: object, **__: object) -> object:
        raise NoValueYetError(
            f"{self!r} cannot become a NumPy array here: how many elements it has is known only when the graph runs. "
            "Make it a tensor (runtime.stack)."
        )

    def __getitem__(self, index: Any) -> Any:
        if type(index) is int and self._rows_now is None:
            return list.__getitem__(self, index)
        if isinstance(index, slice):
            if self._is_plain(index):
                return KnownList(list.__getitem__(self, index))
            bounds = (index.start, index.stop, index.step)
            copied()
            given = [operand(b) for b in bounds if b is not None]
            present = tuple(b is not None for b in bounds)
            return TensorList.holding(self._rows().reduced(lists.part, *given, given=present))
        if self._is_plain(index):
            return list.__getitem__(self, index)
        indexed()
        return self.element(index)

    def element(self, index: Any) -> Any:
        """The element at an index that only the graph knows."""
        content = self.content
        if isinstance(content, Rows):
            return content.element(index)
        if are_chosen(content.elements):
            return TensorList.chosen(content.elements, position(index))
        return one_of(content, self._rows().element(index))

    def _rows(self) -> Rows:
        return self.rows if self.rows is not None else as_rows(self.content, *common(self.content), lasts=False)

    def copy(self) -> TensorList:
        if self.rows is not None:
            copied()
        return TensorList.holding(self.content)

    def __add__(self, other: object) -> TensorList:  # type: ignore[override]
        if not isinstance(other, list):
            return NotImplemented
        made = self.copy()
        made.extend(other)
        return made

    def __radd__(self, other: Any) -> TensorList:
        made = KnownList(other)
        made.extend(self)
        return made

    def __mul__(self, count: Any) -> TensorList:  # type: ignore[override]
        if isinstance(count, Tensor):
            return NotImplemented  # it knows
        if self.rows is not None:
            made = self[:0]
            for _ in range(count):
                made.extend(self)
            return made  # type: ignore[no-any-return]
        return KnownList(list.__mul__(self, count))

    __rmul__ = __mul__  # type: ignore[assignment]

    def __imul__(self, count: object) -> object:  # type: ignore[override,misc]
        made = self * count
        if not isinstance(made, TensorList):
            return made  # a tensor, of each element times the number
        self.content = made.content
        return self

    def __len__(self) -> int:
        if self._rows_now is not None:
            self._ordinary("counted by len()")
        return list.__len__(self)

    def __bool__(self) -> bool:
        if self._rows_now is not None:
            self._ordinary("asked for its truth")
        return list.__len__(self) > 0

    def __iter__(self) -> Iterator[object]:
        if self._rows_now is not None:
            if sys._getframe(1).f_code.co_filename.startswith(_NUMPY):
                return iter((self,))  # it looks for one that speaks its protocols
            self._ordinary("iterated over")
        return list.__iter__(self)

    def __reversed__(self) -> Iterator[object]:
        self._ordinary("iterated over")
        return list.__reversed__(self)

    def __contains__(self, value: object) -> bool:
        self._ordinary("searched")
        return list.__contains__(self, value)

    def index(self, value: object, *bounds: Any) -> Any:
        if bounds or not self._has_staged(value):
            self._ordinary("searched")
            return list.index(self, value, *bounds)
        return defined(definitions.index_)(self, value)

    def count(self, value: object) -> Any:
        return defined(definitions.count_)(self, value) if self._has_staged(value) else list.count(self, value)

    def _has_staged(self, value: object) -> bool:
        return self.rows is not None or may_ask((value, *list.__iter__(self)))

    def __eq__(self, other: object) -> bool:
        self._ordinary("compared")
        return list.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> TensorList:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> object:
        if self.rows is not None:  # whose elements never change
            return self.copy()
        return KnownList([copy.deepcopy(part, memo) for part in self])

    def __reduce__(self) -> str | tuple[object, ...]:
        return list, ([*self],)

    def __repr__(self) -> str:
        if self.rows is None:
            return list.__repr__(self)
        return marked(self, "!r", sys._getframe(1)) or f"<list of {', '.join(map(str, self.rows.kinds))}>"

    def _ordinary(self, wanted: str) -> None:
        if self.rows is not None:
            raise OperatorNotAllowedInGraphError(
                f"{self!r} cannot be {wanted} here: how many elements it has is known only when the graph runs. Use "
                "len(), indices, or `for` in a converted function, or stack it (runtime.stack)."
            )


class KnownList(TensorList):
    """A list made while tracing of which everything is known.

    It has the very methods of the others: who holds one goes on with it when the graph has made the list longer.
    """


_FEW = 16  # elements of which the graph finds the very one, whoever changes it; of more it finds what one holds


def are_chosen(elements: Sequence[object]) -> bool:
    """Whether the graph finds the very one of these, as the program that is traced may change them."""
    return len(elements) <= _FEW and any(objects((*elements,)))


def _may_miss() -> None:
    """There may be no element at the index that is given: no clause of the user's can catch that."""
    if current() is not None:
        not_caught(IndexError())


def growing(value: object) -> object:
    """A structure with lists in it that staged statements can change."""
    if type(value) is list:
        return KnownList(growing(part) for part in value)
    if type(value) in (tuple, dict):
        return nest.of_kind(value, [growing(part) for part in nest.parts(value)])
    return value


def list_of_rows(values: object) -> TensorList:
    """The rows of a tensor as a list."""
    tensor = operand(values)
    numbers = isinstance(values, FromNumpy) and tensor.shape.rank == 1
    owner = Owner.ARRAY if isinstance(values, Array) else Owner.TENSOR
    if numbers:
        owner = Owner.PYTHON if isinstance(values, Range) else Owner.NUMPY
    elif isinstance(values, Array):  # whose rows are views of it in Python
        values.place.held = values.place.held or "the array whose rows are elements of a list"
        note_element(values.place)
    return TensorList.holding(Rows(Column(0, owner), [apply_to_list(lists.from_tensor, tensor)]))
