"""Items that are made one by one from an index: what ``enumerate`` and ``zip`` make of tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn, cast as as_type

from autograph import StagingError
from autograph.dispatch import register_progress, register_view
from autograph.operators.branches import if_exp
from autograph.operators.definitions import NO_ITEM, NoItem
from runtime.control.characters import characters
from runtime.control.lists import KnownList, TensorList
from runtime.control.unions import TaggedUnion, among, each, only, union_of
from runtime.graph.errors import OperatorNotAllowedInGraphError
from runtime.graph.graph import TensorType
from runtime.ops import elementwise as ew, indexing, shape as shape_ops
from runtime.tensors.clauses import not_caught
from runtime.tensors.conversion import cast, operand, static_value
from runtime.tensors.from_numpy import FromNumpy
from runtime.tensors.growing import contents
from runtime.tensors.numbers import Range, is_text, number
from runtime.tensors.operations import apply
from runtime.tensors.ragged_tensor import RaggedTensor
from runtime.tensors.several import Arrays
from runtime.tensors.tensor import SymbolicTensor, Tensor
from runtime.tensors.trace import Moment, current
from runtime.tensors.views import Array

from runtime.graph.dtypes import int32, int64  # isort: skip


class Source:
    """What has items for a loop of the graph: a dataset, or an iterator over one."""

    def in_graph(self) -> Items | Steps:
        """The elements by index, or one after the other."""
        raise NotImplementedError

    def iterated(self) -> object:
        """What ``iter`` makes of it."""
        raise NotImplementedError

    def numbered(self, start: object) -> object:
        """What ``enumerate`` makes of it."""
        raise NotImplementedError

    def beside(self, values: Sequence[object]) -> object:
        """What ``zip`` makes of values, of which this is one."""
        raise NotImplementedError


class Steps:
    """Items that the graph asks for one after the other."""

    def advance(self) -> Tensor:
        """Go on to the next item; a boolean of shape () says whether there is one."""
        raise NotImplementedError

    def item(self) -> object:
        """The item that it is at."""
        raise NotImplementedError


class Items:
    """`length` items, an int or a scalar tensor; ``element(i)`` makes the one at a place, which may be staged.

    `end` is the length too, but may be negative where that is 0; `of` are the tensors and lists that they are items of.
    Of a list, ``now(i)`` tells how many there are when the item at a place is about to be asked for: a loop over it may
    have changed that.
    """

    def __init__(
        self,
        length: int | Tensor,
        element: Callable[[Any], object],
        end: int | Tensor | None = None,
        of: Sequence[object] = (),
        now: Callable[[Any], Any] | None = None,
    ) -> None:
        self.length, self.element, self.of, self.now = length, element, of, now
        self.end = length if end is None else end

    def __iter__(self) -> Iterator[object]:
        return (self.element(i) for i in range(self.count()))

    def sources(self) -> list[object]:
        """The tensors and lists that they are items of, those of items of items, too."""
        return [one for each in self.of for one in (each.sources() if isinstance(each, Items) else [each])]

    def may_have_some(self) -> bool:
        """Whether it is not known that there are none."""
        return not isinstance(self.length, int) or self.length > 0

    def count(self) -> int:
        """How many there are; raises OperatorNotAllowedInGraphError where only the graph knows."""
        if not isinstance(self.length, int):
            raise OperatorNotAllowedInGraphError(
                "how many items there are is known only when the graph runs; iterate over them with `for` in a "
                "converted function."
            )
        return self.length


register_view(Items, lambda items: items.of)


class Backwards(Items):
    """The elements of a list from its end, each as it is when it is asked for."""

    def __init__(self, values: TensorList) -> None:
        length = _count(values)
        self.values, self._before = values, values.version

        def now(index: Any) -> object:
            count = _count(values)
            if isinstance(length, int) and isinstance(count, int) and length <= count:
                return length
            more = apply(ew.less_equal, operand(length - index), operand(count))
            return apply(ew.where, more, operand(length), operand(0))

        super().__init__(length, lambda index: values[length - 1 - index], of=(values,), now=now)

    def whole(self) -> object:
        """All of them, for one who takes them at once."""
        if self.values.version is self._before or self.now is None:
            return self.values[::-1]
        return self.values[: self.now(0)][::-1]


class OneShot:
    """An iterator over staged items: it gives each once, whoever asks, and passes for the one of Python's that it is.

    Where only the graph knows how many have been asked for, nobody may ask for more.
    """

    __slots__ = ("__weakref__", "_asked", "_made_in", "_not_known", "kind", "values")

    def __init__(self, values: object, kind: type) -> None:
        self.values, self.kind = values, kind
        self._made_in = current()
        self._asked: list[_Asked] = []
        self._not_known: str | None = None  # why nobody knows which items are left

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return self.kind

    def __iter__(self) -> Iterator[object]:
        return self

    def __next__(self) -> object:
        return self.next(counted=True)  # Python would ask for ever

    def next(self, otherwise: Callable[[], object] | None = None, counted: bool = False) -> object:
        """The next item; where none is left, as the graph may find out, what there is to give instead. Where they have
        to be `counted`, that is refused."""
        (at, before), items = self._where(), items_of(self.values)
        length: Any = items.length if items.now is None or at is None else _plain(items.now(at))
        if counted:
            items.count()
            length = Items(length, items.element).count()
        if at is None or (isinstance(length, int) and at >= length):
            self._asked.append(_Asked(None))
            if otherwise is None:
                raise StopIteration
            return otherwise()
        if isinstance(length, int):
            self._asked.append(_Asked(at + 1))
            return items.element(at)
        there: Any = number(length > at)
        if before is not None:  # it stays at its end
            there = number(apply(ew.logical_and, operand(before), operand(there)))
        self._asked.append(_Asked(at + 1, there))
        return if_exp(there, lambda: items.element(at), otherwise or _ended)

    def left(self) -> object:
        """How many items are left, an int or a scalar tensor."""
        at, there = self._where()
        return 0 if at is None else _left(items_of(self.values).length, at, there)

    def rest(self, unless: str | None = None, one_by_one: bool = False) -> object:
        """The items that are left, for one who takes all of them, `unless` there is a reason why it may not."""
        at, there = self._where()
        self._asked.append(_Asked(None))
        self._not_known = unless
        if at == 0:
            return self.values.whole() if isinstance(self.values, Backwards) and not one_by_one else self.values
        items = items_of(self.values)
        if at is None:
            return Items(0, items.element, of=items.of)
        now = None if items.now is None else lambda index: _left(items.now(index + at), at, there)  # type: ignore[misc]
        return Items(_left(items.length, at, there), lambda index: items.element(index + at), of=items.of, now=now)

    def progress(self) -> tuple[list[_Asked], str | None]:
        """What it was asked for so far."""
        return [*self._asked], self._not_known

    def go_back(self, was: tuple[list[_Asked], str | None]) -> None:
        """Have it be asked for no more than it was then."""
        self._asked[:], self._not_known = was

    def _where(self) -> tuple[int | None, Any]:
        """How many items have been asked for, None for all, and whether the last was there if the graph alone knows."""
        here, around = [], current()
        while around is not None and around is not self._made_in:
            here.append(around)
            around = around.parent
        if any(trace.repeats for trace in here):
            self._refuse("a loop that the graph repeats would go on with it, which was made before the loop")
        if self._not_known:
            self._refuse(self._not_known)
        at: int | None = 0
        there: Any = None
        for asked in self._asked:
            has_run = asked.moment.is_past()
            if has_run is None:
                self._refuse("a branch that only the graph decides on went on with it")
            if has_run:
                at, there = asked.after, asked.there
        return at, there

    def _refuse(self, why: str) -> NoReturn:
        raise StagingError(
            f"this {self.kind.__name__} may have given some of its items already: {why}. It gives each item once, so "
            "only the graph knows which are left. Make a list of it first, or another one for each use."
        )


def _plain(length: Any) -> Any:
    """A length as a number of Python's, where it is known."""
    known = None if isinstance(length, int) else static_value(operand(length))
    return length if known is None else int(known)


def _left(length: int | Tensor, at: int, there: Any) -> Any:
    """How many items are left of so many; `there` is whether it was not at its end before, if only the graph knows."""
    left = length - at
    if isinstance(left, int):
        return left
    none = cast(0, left.dtype)
    left = apply(ew.maximum, left, none)
    return left if there is None else apply(ew.where, operand(there), left, none)


def _ended() -> NoReturn:
    error = NoItem(NO_ITEM)
    not_caught(error)
    raise error


register_view(OneShot, lambda items: (items.values,))
register_progress(OneShot, OneShot.progress, OneShot.go_back)


class _Asked:
    """That an iterator was asked for items, for how many by then, and whether the last was there if the graph alone
    knows."""

    def __init__(self, after: int | None, there: Any = None) -> None:
        self.after, self.there, self.moment = after, there, Moment()


def taken(value: object, unless: str | None = None, one_by_one: bool = False) -> Any:
    """What to go through for one who goes through all of a value: the rest of an iterator, the characters of text, the
    rows of a RaggedTensor, else the value itself."""
    if isinstance(value, RaggedTensor):
        count = value.shape[0]
        return Items(count if isinstance(count, int) else value.nrows(), value.row(), of=(value.values,))
    if type(value) is OneShot:
        return value.rest(unless, one_by_one)
    return characters(value) if is_text(value) else value  # type: ignore[arg-type]


def no_items(tensor: Tensor) -> TypeError:
    """What is raised where a loop would go through a number."""
    is_numpys = isinstance(tensor, FromNumpy)
    return tensor.no_items() if is_numpys else TypeError(f"cannot iterate over a scalar tensor, {tensor}")


def items_of(value: object) -> Items:
    """A tensor (along its first axis), a list or other items, by index.

    Raises TypeError for a scalar, and for items that come one after the other.
    """
    found = items_or_steps(value)
    if isinstance(found, Steps):
        raise TypeError(
            "the elements of a dataset are made one after the other when the graph runs: loop over it with `for` in a "
            "converted function"
        )
    return found


def items_or_steps(value: object) -> Items | Steps:
    """What a loop of the graph goes through."""
    value = taken(value)
    if (union := union_of(value)) is not None and all(isinstance(option, list | tuple) for option in union._options):
        if union.structure() is union:
            return _of_whichever(union)
    value = contents(value)
    if (union := union_of(value)) is not None and isinstance(union, Arrays):
        return _of_some_array(union)
    if union is not None:
        value = only(union)  # the graph checks that it is there
    if isinstance(value, Items):
        return value
    if isinstance(value, Source):
        return value.in_graph()
    if isinstance(value, TensorList) and value.is_grown:
        return Items(_count(value), value.element, of=(value,), now=lambda _: _count(value))
    if isinstance(value, list | tuple | range):
        items = value if isinstance(value, TensorList) and value.has_rows() else KnownList(value)
        items.is_copy = items is not value
        now = (lambda _: _count(value)) if items is value else None
        return Items(len(value), lambda index: items[index], of=(value,), now=now)
    tensor: Tensor = operand(value)
    kind = tensor.type
    assert isinstance(kind, TensorType)
    if kind.shape == ():
        raise no_items(tensor)
    numbers = _range(tensor)
    if numbers is not None:
        return numbers
    count = None if kind.shape is None or not isinstance(kind.shape[0], int) else kind.shape[0]
    length = apply(shape_ops.length, tensor, axis=0, dtype=int32) if count is None else count

    def element(index: int | Tensor) -> Tensor:
        if isinstance(index, int) or isinstance(tensor, Array | Range):
            return tensor[index]
        return apply(indexing.getitem, tensor, index, index=(indexing.INPUT,))

    return Items(length, element, of=(tensor,))


def _of_some_array(union: TaggedUnion) -> Items:
    """The elements of the one of several arrays, or of what is along its first axis; those without any are not asked.

    Raises TypeError where one has no dimensions.
    """
    found = {id(one): items_of(one) for one in union._options}

    def element(index: Any) -> object:
        some = [number for number, one in enumerate(union._options) if found[id(one)].may_have_some()]
        return each(among(union, some), lambda one: found[id(one)].element(index))

    length = each(union, lambda one: number(operand(found[id(one)].length)))
    return Items(length, element, of=union._options)  # type: ignore[arg-type]


def _of_whichever(union: TaggedUnion) -> Items:
    """The elements of the one of several lists that a variable is, each as it is when it is asked for."""
    lists = {id(one): one if isinstance(one, TensorList) else KnownList(one) for one in as_type(Any, union._options)}

    def element(index: Any) -> object:  # which those without elements are not asked for
        counts = [lists[id(one)].known_length() for one in union._options]
        found = among(union, [number for number, known in enumerate(counts) if known != 0])
        return each(found, lambda one: lists[id(one)].element(index))

    def count() -> Any:
        return each(union, lambda one: _count(lists[id(one)]))

    return Items(count(), element, of=[*lists.values()], now=lambda _: count())


def _count(value: TensorList) -> Any:
    """How many elements a list has now."""
    known = value.known_length()
    return value.staged().count() if known is None else known


def python_number(value: object) -> Any:
    """A whole number as one of Python's, which has no dtype of its own."""
    return value if isinstance(value, int) else number(widened(operand(value)))


def widened(tensor: Tensor) -> Tensor:
    """An integer as one of Python's; where an operation wants its dtype after all, it is at hand."""
    made = apply(ew.widen if tensor.dtype.is_bool or tensor.dtype.max <= int64.max else ew.python_int, tensor)
    if isinstance(made, SymbolicTensor):
        made.traced_in.origins[made.value] = tensor.record_in(made.traced_in)  # type: ignore[attr-defined]
    return made


def _range(tensor: Tensor) -> Items | None:
    """The integers of a range, computed one by one rather than read from memory; None for any other tensor."""
    made = tensor.maker if isinstance(tensor, SymbolicTensor) else None
    if made is None or made.op is not shape_ops.range_ or not (tensor.dtype.is_integer and tensor.dtype.min):
        return None
    start, limit, delta = (SymbolicTensor(tensor.traced_in, v) for v in made.inputs)
    step, first, count = static_value(delta), static_value(start), made.attributes["count"]
    if not step:
        return None
    span = limit if step > 0 and first == 0 else limit - start if step > 0 else start - limit
    end = span if abs(step) == 1 else (span + int(abs(step) - 1)) // int(abs(step))

    def element(index: Tensor) -> object:
        found = cast(index, tensor.dtype)
        found = found if step == 1 else found * int(step)
        found = found if first == 0 else start + found
        return python_number(found) if isinstance(tensor, Range) else found

    if count is not None:
        return Items(count, element)
    return Items(apply(ew.maximum, end, cast(0, end.dtype)), element, end)
