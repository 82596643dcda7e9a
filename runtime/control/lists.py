"""Python lists under a trace: ordinary ones, until the graph decides how long they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar

from autograph import StagingError
from autograph.operators import definitions
from autograph.operators.calls import defined
from autograph.reading import is_a
from runtime.control.shared import ELEMENT, FOUND, may_be_another, put, share
from runtime.graph import shapes
from runtime.graph.dtypes import as_dtype, int64, string
from runtime.graph.errors import NoValueYetError, OperatorNotAllowedInGraphError
from runtime.graph.graph import ListType, TensorType, strong_dtype
from runtime.graph.owner import Owner
from runtime.ops import elementwise as ew, lists
from runtime.tensors import nest
from runtime.tensors.clauses import indexed, not_caught
from runtime.tensors.conversion import cast, of_dtype, operand
from runtime.tensors.from_numpy import owner_of, type_of
from runtime.tensors.growing import Growing, has_grown
from runtime.tensors.leaf_types import describe, is_leaf, join_types, leaf_type
from runtime.tensors.numbers import Range, Scalar
from runtime.tensors.operations import apply
from runtime.tensors.tensor import EagerElements, EagerTensor, SymbolicTensor, Tensor
from runtime.tensors.trace import current
from runtime.tensors.views import Array, elements_known, may_be_put_twice, note_element, owned

import numpy as np  # isort: skip


class Fixed:
    """The elements of a list whose length is known."""

    def __init__(self, elements: Iterable[object]) -> None:
        self.elements = tuple(elements)


class Column(int):
    """The number of a column, and whose its elements are."""

    def __new__(cls, number: int, owner: Owner = Owner.TENSOR) -> Column:
        made = super().__new__(cls, number)
        made.owner = owner
        return made

    owner: Owner


class Rows:
    """The elements of a list whose length the graph knows: all of one structure, and a column for each of its leaves.

    The structure has a `Column` for each leaf.
    """

    def __init__(self, structure: object, columns: Sequence[Any]) -> None:
        self.structure, self.columns = structure, tuple(columns)

    @property
    def kinds(self) -> list[ListType]:
        return [column.type for column in self.columns]

    @property
    def owners(self) -> list[Owner]:
        """Whose the elements of each column are."""
        return [column.owner for column in nest.flatten(self.structure)]

    def count(self) -> Any:
        return apply(lists.count, self.columns[0])

    def element(self, index: object) -> Any:
        """An element as Python counts, from the end if the index is negative."""
        found = [apply(lists.item, column, position(index)) for column in self.columns]
        made = nest.rebuild(self.structure, map(_handed, found, self.owners))
        share(made, FOUND)
        return made

    def elements(self) -> list[Any]:
        """All elements, once the graph has run."""
        columns = [[EagerTensor.of(e) for e in column.elements] for column in self.columns]
        return [nest.rebuild(self.structure, iter(row)) for row in zip(*columns)]

    def changed(self, operation: Any, value: object, *given: object) -> Rows:
        """After an operation on each column that takes a part of `value` too."""
        rows, leaves = self.taking(value)
        columns = [apply(operation, column, *given, leaf) for column, leaf in zip(rows.columns, leaves)]
        return Rows(rows.structure, columns)

    def taking(self, value: object) -> tuple[Rows, list[Tensor]]:
        """Rows that can take an element like this, and the leaves of the element."""
        structure, kinds = common(self, Fixed([value]))
        put(value)
        for array in _places([value]):
            if any(one is array for one in elements_known()) or may_be_put_twice(array):
                _copied()
        leaves = [_element(leaf, kind) for leaf, kind in zip(nest.flatten(value), kinds)]
        return as_rows(self, structure, kinds), leaves

    def reduced(self, operation: Any, *given: object, **options: object) -> Rows:
        return Rows(self.structure, [apply(operation, column, *given, **options) for column in self.columns])


Content = Fixed | Rows


def _itself(leaf: object) -> object:
    return leaf


def as_rows(
    content: Content, structure: object, kinds: Sequence[ListType], lasts: bool = True,
    shown: Callable[[object], object] = _itself, name: str = "",
) -> Rows:  # fmt: skip
    """The content as rows of this structure, with columns of these types.

    Where the list `lasts` as these rows, its arrays must not be written any more. `shown` tells what a leaf holds, and
    `name` what the list is called.
    """
    if isinstance(content, Rows):
        return Rows(structure, [*map(_column, content.columns, kinds)])
    places = _places(content.elements)
    if lasts and len({*map(id, places)}) < len(places):
        _copied()
    leaves = [
        [_element(leaf, kind, lasts, shown, name) for leaf, kind in zip(nest.flatten(e), kinds)]
        for e in content.elements
    ]
    columns = []
    for number, kind in enumerate(kinds):
        column = [row[number] for row in leaves]
        columns.append(apply(lists.pack, *column, dtype=kind.dtype, shape=kind.shape, weak=kind.weak))
    return Rows(structure, columns)


def _places(elements: Iterable[object]) -> list[Array]:
    return [leaf.place for element in elements for leaf in nest.flatten(element) if isinstance(leaf, Array)]


def _column(column: Any, kind: ListType) -> Any:
    """A column with elements of a type that holds them; one of Python's integers may be too large for it."""
    mine = column.type
    if (mine.dtype, mine.weak) == (kind.dtype, kind.weak):
        return column
    integers = mine.weak and mine.dtype.is_integer and kind.dtype.is_integer
    return apply(lists.fit if integers else lists.cast, column, dtype=kind.dtype, weak=kind.weak)


def _handed(part: object, owner: Owner) -> object:
    """A part of an element that the list keeps."""
    made = owned(part, owner)
    if isinstance(made, Array):
        made.held = _HELD
        note_element(made)
    return Element(made.traced_in, made.value) if type(made) is SymbolicTensor else made


def weakened(tensor: Any) -> object:
    """A number in 64 bits as one of Python's."""
    made = apply(ew.cast, tensor, dtype=tensor.dtype, weak=True)
    return Scalar(made.traced_in, made.value, python=True) if isinstance(made, SymbolicTensor) else made


def element_of(tensor: Tensor, weak: bool, owner: Owner) -> Any:
    """A number out of the tensor that the elements of a list were stacked to, as the one that the list has."""
    return weakened(tensor) if weak else owned(tensor, owner)


_HELD = "an element of a list whose length the graph decides"


def _element(
    leaf: object, kind: ListType, lasts: bool = True, shown: Callable[[object], object] = _itself, name: str = ""
) -> Tensor:
    """A part of an element: an array cannot be written from now on, as the list would have to change with it."""
    if lasts and isinstance(leaf, Array):
        leaf.place.held = _HELD
        note_element(leaf.place, name)
    if lasts and isinstance(leaf, np.ndarray) and (trace := current()) is not None:
        trace.put(leaf)
    leaf = shown(leaf)
    if kind.weak and not isinstance(leaf, Tensor):
        return EagerTensor.of(kind.dtype.dtype.type(leaf))
    return of_dtype(leaf, kind.dtype) if type(leaf) is int else cast(operand(leaf), kind.dtype)


def position(index: Any, kind: str = "list") -> Tensor:
    """An index of a sequence of Python's; raises TypeError for one that is no whole number, as Python does."""
    tensor = operand(index)
    if tensor.dtype.is_bool and isinstance(index, Scalar) and index.python:
        return cast(tensor, int64)
    if not tensor.dtype.is_integer:
        raise TypeError(f"{kind} indices must be integers or slices, not {type_of(index).__name__}")
    return tensor


_ORDER = (
    Owner.RANGE,
    Owner.ARRAY,
    Owner.TENSOR,
    Owner.NUMPY,
    Owner.PYTHON,
)  # whose elements are of which there are several


def common(*contents: Content) -> tuple[Any, list[ListType]]:
    """The structure of the elements of lists, and the types of its leaves.

    Raises StagingError if they differ.
    """
    structure: Any = None
    kinds: list[Any] = []
    owners: list[set[Owner]] = []
    for content in contents:
        rows: list[tuple[Any, Any, Any]] = []
        if isinstance(content, Rows):
            rows.append((content.structure, content.kinds, content.owners))
        for element in content.elements if isinstance(content, Fixed) else ():
            leaves = nest.flatten(element)
            odd = [leaf for leaf in leaves if not is_leaf(leaf)]
            if odd:
                raise StagingError(
                    "a list that grows in a graph can hold tensors, numbers, strings and structures of them, not "
                    f"{describe(odd[0])}."
                )
            large = next((v for v in leaves if type(v) is int and not -(2**63) <= v < 2**63), None)
            if large is not None:
                raise OverflowError(f"Python integer {large} is too large for the 64 bits that a graph has for one")
            rows.append((element, [leaf_type(leaf) for leaf in leaves], [owner_of(leaf) for leaf in leaves]))
        for found, types, of in rows:
            if not kinds:
                structure, kinds, owners = found, [_tensor_type(t) for t in types], [{o} for o in of]
                continue
            if not nest.alike(found, structure):
                raise StagingError(
                    "a list that grows in a graph must have elements of one structure: it has "
                    f"{nest.describe(structure)} and {nest.describe(found)}."
                )
            kinds = [join_types(a, _tensor_type(b)) or _promoted(a, b) for a, b in zip(kinds, types)]
            owners = [known | {o} for known, o in zip(owners, of)]
    if not kinds:
        raise StagingError("nothing tells what its elements are: it is empty.")
    if any(Owner.RANGE in known and len(known) > 1 for known in owners):
        raise StagingError("a list that grows in a graph cannot hold both ranges and other values.")
    numbers = iter(range(len(kinds)))
    settled = [next(o for o in _ORDER if o in known) for known in owners]
    structure = nest.map_structure(lambda _: Column(number := next(numbers), settled[number]), structure)
    return structure, [ListType(t.dtype, t.shape, t.weak) for t in kinds]


def _promoted(a: TensorType, b: TensorType | ListType) -> TensorType:
    """The type that numbers of two dtypes have in one list."""
    if string in (a.dtype, b.dtype):
        raise StagingError("a list that grows in a graph cannot hold both strings and numbers.")
    return TensorType(as_dtype(np.result_type(a.dtype.dtype, b.dtype.dtype)), shapes.join(a.shape, b.shape))


def _tensor_type(kind: TensorType | ListType) -> TensorType:
    return kind if isinstance(kind, TensorType) else TensorType(kind.dtype, kind.shape, kind.weak)


class Element(SymbolicTensor):
    """An element of a list whose length the graph decides: the list has a copy, and would not see it written."""

    __slots__ = ()

    def __setitem__(self, index: object, value: object) -> None:
        raise StagingError(
            f"{self.value.hint!r} is an element of a list whose length the graph decides, and cannot be written: the "
            "list would not see it. Write a copy and put that into the list (y = items[i].copy(); y[0] = 5; "
            "items[i] = y)."
        )


class TensorList(Growing):
    """A list made while tracing. Where a staged statement has made it longer or shorter, `rows` holds its elements."""

    ordered: ClassVar[Callable[[Any, Any, bool], Any]]  # the rows of a tensor, by a key: from where loops are known
    rows: Rows | None = None
    _known: Fixed | None = None

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
            self.rows = content
            list.clear(self)
        else:
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

    def stacked(self, exact: bool = False) -> Any:
        """Its elements as one tensor; Python's numbers keep their 64 bits if it is to be `exact`."""
        (column,) = self.staged().columns
        kind = column.type
        if kind.weak and not exact:
            column = _column(column, ListType(strong_dtype(kind), kind.shape))
            kind = column.type
        shape = None if kind.shape is None else tuple(kind.shape)
        return apply(lists.stack, column, shape=shape, dtype=kind.dtype)

    # What changes it.

    def append(self, value: object) -> None:
        if self.rows is None:
            list.append(self, value)
        else:
            self.rows = _appended(self.rows, value)

    def extend(self, values: Iterable[object]) -> None:
        if isinstance(values, TensorList) and values.rows is not None:
            _copied()
            structure, kinds = common(self.content, values.rows)
            mine, more = as_rows(self.content, structure, kinds), as_rows(values.rows, structure, kinds)
            pairs = zip(mine.columns, more.columns)
            self.content = Rows(structure, [apply(lists.extend, a, b) for a, b in pairs])
        elif self.rows is None and not isinstance(values, SymbolicTensor):
            list.extend(self, values)
        else:
            for value in values:
                self.append(value)

    def __iadd__(self, values: Any) -> TensorList:  # type: ignore[override,misc]
        if is_a(values, (Tensor, np.ndarray, np.generic)) and not is_a(values, Range):
            return NotImplemented  # of arrays and numbers a sum is made
        self.extend(values)
        return self

    def insert(self, index: Any, value: object) -> None:
        if self.rows is None and not isinstance(index, SymbolicTensor):
            list.insert(self, index, value)
        else:
            self.rows = self.staged().changed(lists.insert, value, position(index))

    def pop(self, index: Any = -1) -> Any:
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
        if self.rows is None:
            if not self._has_staged(None):
                list.sort(self, key=key, reverse=reverse)
            elif len(self) > 1:
                known = TensorList(list.__iter__(self))
                ordered = TensorList.ordered(known.stacked(exact=True), key, reverse)
                rows = known.staged()
                elements = [element_of(ordered[i], rows.kinds[0].weak, rows.owners[0]) for i in range(len(self))]
                list.__setitem__(self, slice(None), elements)
            return
        (column,) = self.rows.columns
        ordered = TensorList.ordered(self.stacked(exact=True), key, reverse)
        self.rows = Rows(self.rows.structure, [apply(lists.from_tensor, ordered, weak=column.type.weak)])

    def remove(self, value: object) -> None:
        self.pop(self.index(value))

    def __setitem__(self, index: Any, value: object) -> None:
        known = self._is_plain(index)
        if isinstance(index, slice) and not (known and not has_grown(value) and not isinstance(value, SymbolicTensor)):
            self._replace(index, value)
        elif known:
            list.__setitem__(self, index, value)
        else:
            _may_miss()
            self.rows = self.staged().changed(lists.set_item, value, position(index))

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
    def __array__(self) -> Any:  # NumPy takes a list as it is, if it has none
        if self.rows is None:
            raise AttributeError("__array__")
        return self._no_array

    def _no_array(self, *_: object, **__: object) -> object:
        raise NoValueYetError(
            f"{self!r} cannot become a NumPy array here: how many elements it has is known only when the graph runs. "
            "Make it a tensor (runtime.stack)."
        )

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            if self._is_plain(index):
                return TensorList(list.__getitem__(self, index))
            bounds = (index.start, index.stop, index.step)
            _copied()
            given = [operand(b) for b in bounds if b is not None]
            present = tuple(b is not None for b in bounds)
            return TensorList.holding(self._rows().reduced(lists.part, *given, given=present))
        if self._is_plain(index):
            return list.__getitem__(self, index)
        indexed()
        return self._rows().element(index)

    def _rows(self) -> Rows:
        return self.rows if self.rows is not None else as_rows(self.content, *common(self.content), lasts=False)

    def copy(self) -> TensorList:
        if self.rows is not None:
            _copied()
        return TensorList.holding(self.content)

    def __add__(self, other: object) -> TensorList:  # type: ignore[override]
        if not isinstance(other, list):
            return NotImplemented
        made = self.copy()
        made.extend(other)
        return made

    def __radd__(self, other: Any) -> TensorList:
        made = TensorList(other)
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
        return TensorList(list.__mul__(self, count))

    __rmul__ = __mul__  # type: ignore[assignment]

    def __imul__(self, count: object) -> Any:  # type: ignore[override,misc]
        made = self * count
        if not isinstance(made, TensorList):
            return made  # a tensor, of each element times the number
        self.content = made.content
        return self

    def __len__(self) -> int:
        self._ordinary("counted by len()")
        return list.__len__(self)

    def __bool__(self) -> bool:
        self._ordinary("asked for its truth")
        return list.__len__(self) > 0

    def __iter__(self) -> Iterator[Any]:
        self._ordinary("iterated over")
        return list.__iter__(self)

    def __reversed__(self) -> Iterator[Any]:
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
        return self.rows is not None or any(isinstance(v, SymbolicTensor) for v in (value, *list.__iter__(self)))

    def __eq__(self, other: object) -> bool:
        self._ordinary("compared")
        return list.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return list, ([*self],)

    def __repr__(self) -> str:
        return list.__repr__(self) if self.rows is None else f"<list of {', '.join(map(str, self.rows.kinds))}>"

    def _ordinary(self, wanted: str) -> None:
        if self.rows is not None:
            raise OperatorNotAllowedInGraphError(
                f"{self!r} cannot be {wanted} here: how many elements it has is known only when the graph runs. Use "
                "len(), indices, or `for` in a converted function, or stack it (runtime.stack)."
            )


def given_away(array: Array) -> None:
    """Know that an array which a list has given away may be one that has another name; if lists have shared what they
    hold, it may be in one still."""
    trace = current()
    assert trace is not None
    if trace.root.copied:
        array.held = _HELD
    for other in elements_known():
        array.may_also_be(other)


def _copied() -> None:
    """Note that what a list of the graph holds may be in another one, too."""
    if (trace := current()) is not None:
        trace.root.copied = True


def _may_miss() -> None:
    """There may be no element at the index that is given: no clause of the user's can catch that."""
    if current() is not None:
        not_caught(IndexError())


def _appended(rows: Rows, value: object) -> Rows:
    rows, leaves = rows.taking(value)
    columns = []
    for column, leaf in zip(rows.columns, leaves):
        size = apply(lists.size, column)
        columns.append(apply(lists.write, column, size, leaf, dynamic=True))
    return Rows(rows.structure, columns)


def outside(columns: Sequence[object]) -> bool:
    """Whether the columns are those of a graph that has run."""
    return all(isinstance(column, EagerElements) for column in columns)


def growing(value: object) -> object:
    """A structure with lists in it that staged statements can change."""
    if type(value) is list:
        return TensorList(growing(part) for part in value)
    if type(value) in (tuple, dict):
        return nest.of_kind(value, [growing(part) for part in nest.parts(value)])
    return value
