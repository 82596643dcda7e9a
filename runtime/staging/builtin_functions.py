"""What Python's built-in functions, and some of its operators, mean for staged values."""

from __future__ import annotations

import builtins
import functools
import itertools
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph import StagingError
from autograph.dispatch import staged_in
from autograph.errors import refused
from autograph.operators import definitions, ordered
from autograph.operators.aliases import held_besides
from autograph.operators.calls import defined, set_functions
from autograph.operators.items import Items as MappedItems
from autograph.operators.lists import displayed, unpacked
from autograph.operators.logic import set_identity
from autograph.operators.matches import alternatives
from autograph.operators.protocols import Written
from autograph.operators.raised import to_raise
from autograph.operators.state import user_statement
from autograph.operators.texts import of_text
from autograph.reading import is_a, is_exactly, is_made_later
from runtime import control
from runtime.control.characters import characters
from runtime.control.items import (
    Backwards,
    Items,
    OneShot,
    Source,
    Steps,
    items_of,
    no_items,
    python_number,
    taken,
    widened,
)
from runtime.control.lists import KnownList, TensorList, list_of_rows
from runtime.control.missing import may_be_missing
from runtime.control.places import when_memory
from runtime.control.rows import Column, Inner, Rows, element_of, is_of_one_type, position, weakened
from runtime.control.shared import called, may_be_one, note_lists
from runtime.control.tables import RowList, same_row
from runtime.control.unions import is_one_or_none, structures
from runtime.graph.dtypes import DType, as_dtype, complex128, float64, int64, python_numbers, string
from runtime.graph.errors import OperatorNotAllowedInGraphError, UnknownRankError
from runtime.graph.graph import TensorType
from runtime.graph.op import Op
from runtime.graph.owner import Owner
from runtime.graph.shapes import is_known, product
from runtime.ops import (
    effects,
    elementwise as ew,
    lists as list_ops,
    reduce,
    shape as shape_ops,
    strings,
    texts,
)
from runtime.staging.lookups import MEANINGS as LOOKUPS, is_among, item_of, value_there
from runtime.staging.numpy_protocol.indexers import INDEXERS, joined_by
from runtime.staging.one_number import is_number
from runtime.staging.sorting import sorted_tensor
from runtime.staging.stand_ins import StandIn
from runtime.staging.text_methods import GIVEN, answer
from runtime.tensors import making, mathematics, nest, reductions, shaping
from runtime.tensors.bounds import may_be_outside, outside
from runtime.tensors.clauses import is_caught, not_caught
from runtime.tensors.conversion import REPEATED, cast, index_parts, no_symbols, operand
from runtime.tensors.from_numpy import FromNumpy, owner_of, rank_of, type_of
from runtime.tensors.growing import Growing, contents, has_grown
from runtime.tensors.handles import Handle
from runtime.tensors.leaf_types import are_of_several_dtypes, is_beyond, is_leaf, leaf_type
from runtime.tensors.links import Condition, before_loops, when_same
from runtime.tensors.numbers import Range, Scalar, is_text, is_truth, number
from runtime.tensors.operations import apply, apply_all
from runtime.tensors.python_errors import refuse_where
from runtime.tensors.ragged_tensor import RaggedTensor
from runtime.tensors.sizes import Sizes, StagedSizes
from runtime.tensors.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.tensors.trace import current, in_force
from runtime.tensors.types import has_tensor
from runtime.tensors.views import Array, Perhaps, arrayed, as_it_is


def _len(value: Any) -> object:
    if isinstance(value, TensorList):
        length = value.known_length() if value.is_grown else None
        return value.staged().count() if length is None else length
    if type(value) is OneShot:
        raise TypeError(f"object of type {value.kind.__name__!r} has no len()")
    if (union := control.union_of(value)) is not None and not isinstance(value, Tensor):
        return control.each(union, _len)
    if not isinstance(value, Tensor):
        return len(value)
    if isinstance(value, control.Optional):
        value.check_there()
    dims = value.type.shape
    if dims == () and value.type.dtype == string:
        return widened(apply(strings.length, operand(value), unit="UTF8_CHAR"))
    if dims == () and isinstance(value, FromNumpy):
        raise value.no_length()
    if dims == ():
        raise TypeError(f"a scalar tensor has no length: {value}")
    return dims[0] if dims and isinstance(dims[0], int) else apply(list_ops.count, operand(value))


def _length_hint(value: object) -> object:
    if isinstance(value, Source):
        return None  # the graph finds out
    value = contents(value)
    if isinstance(value, Items | RaggedTensor):
        return items_of(value).length
    return value.left() if type(value) is OneShot else _len(_iterable(value))


def _iter(value: object, *sentinel: object) -> object:
    if sentinel or type(value) is OneShot:
        return NotImplemented
    if isinstance(value, Source):
        return value.iterated()
    if isinstance(value, TensorList):
        counted = value.known_length() is not None
    elif isinstance(value, Tensor):
        counted = value.type.shape is None or value.type.shape == () or isinstance(value.type.shape[0], int)
    else:
        counted = not isinstance(value, Items) or isinstance(value.length, int)
    return NotImplemented if counted else OneShot(value, _ITERATORS.get(type(value), type(iter([]))))


_ITERATORS: dict[type, type] = {Range: type(iter(range(0))), Array: type(iter(np.empty(0)))}


def _next(iterator: object, *default: object) -> object:
    if isinstance(iterator, Steps):
        if not default:
            return NotImplemented  # which raises where there is none, when the graph runs
        return control.cond(iterator.advance(), iterator.item, lambda: default[0])
    if type(iterator) is OneShot:
        return iterator.next((lambda: default[0]) if default else None)
    found = contents(iterator)
    return NotImplemented if found is iterator else next(found, *default)


_FEW = 64  # so many items are gone through one by one


def _sorted(value: object, key: Any, reverse: bool) -> object:
    value = _iterable(contents(taken(value)))
    if isinstance(value, Items):
        few = isinstance(value.length, int) and value.length <= _FEW
        value = KnownList(value) if few else defined(definitions.collect)(KnownList([]), value, None, None)
    if isinstance(value, TensorList):
        made = value.copy()
        made.sort(key=key, reverse=reverse)
        return made
    if not isinstance(value, SymbolicTensor):
        return NotImplemented
    ordered = sorted_tensor(value, key, reverse)
    return list_of_rows(
        Range(ordered.traced_in, ordered.value) if isinstance(value, Range) else arrayed(ordered, [value])
    )


def _iterable(value: object) -> object:
    """The value, if it has items; raises TypeError for a number."""
    if isinstance(value, Tensor) and value.type.shape == () and value.type.dtype != string:
        raise no_items(value)
    return value


def _enumerate(values: object, start: object = 0) -> object:
    if isinstance(values, Source):
        return values.numbered(start)
    items = items_of(taken(values, "enumerate() goes on with it", one_by_one=True))
    made = Items(
        items.length, lambda index: (python_number(index) + start, items.element(index)), of=(items,), now=items.now
    )
    return OneShot(made, enumerate)


def _zip(*values: object, strict: bool = False) -> object:
    values = tuple([taken(v, "zip() goes on with it", one_by_one=True) for v in values])
    source = next((v for v in values if isinstance(v, Source)), None)
    if source is not None:
        if strict:
            raise TypeError("zip() of datasets ends with the shortest of them: strict=True is not known there")
        return source.beside(values)
    sized = [items_of(v) for v in values if _is_indexed(v)]
    shortest = min((c.length for c in sized if isinstance(c.length, int)), default=None)
    columns = [items_of(v if _is_indexed(v) else _first(v, shortest)) for v in values]
    known = [c.length for c in columns if isinstance(c.length, int)]
    length: Any = min(known) if known else None
    for column in columns:
        if not isinstance(column.length, int):
            if strict and length is not None:
                same = apply(ew.equal, operand(length), column.length)
                apply_all(effects.assert_, same, message="zip() arguments have different lengths", python=False)
            length = column.length if length is None else mathematics.minimum(length, column.length)
    if strict and len(set(known)) > 1:
        raise ValueError("zip() arguments have different lengths")

    def now(index: object) -> object:
        counts = [c.length if c.now is None else c.now(index) for c in columns]
        whole = all(isinstance(count, int) for count in counts)
        return min(counts) if whole else functools.reduce(mathematics.minimum, counts)  # type: ignore[type-var]

    changing = now if any(c.now is not None for c in columns) else None
    return OneShot(
        Items(length, lambda index: tuple([c.element(index) for c in columns]), of=columns, now=changing), zip
    )


def _first(values: Any, count: int | None) -> list[object]:
    """So many values of an iterator of Python's, which may have no end."""
    if count is None and not (_ends(values) and not held_besides([values])):
        raise StagingError(
            f"zip() of a {type(values).__name__} iterator and items that only the graph can count: it is not known how "
            "many values to take. Make a list of it, or count in the loop."
        )
    return list(itertools.islice(values, count))


def _ends(iterator: object) -> bool:
    """Whether an iterator of Python's surely has an end."""
    if type(iterator) in (zip, map, enumerate, filter):
        parts: Any = iterator.__reduce__()[1]
        ending = [*map(_ends, parts[1:] if type(iterator) in (map, filter) else parts)]
        return any(ending)
    return operator.length_hint(iterator, -1) >= 0


def _is_indexed(value: object) -> bool:
    if control.union_of(value) is not None:
        return True
    return isinstance(value, Items | Tensor | list | tuple | range) or has_tensor(value)


def _reversed(values: Any) -> object:
    values = characters(values) if is_text(values) else _iterable(values)
    if isinstance(values, TensorList):
        return OneShot(Backwards(values), reversed)
    if isinstance(values, Tensor):
        return OneShot(values[::-1], reversed)
    if type(values) is OneShot:
        raise TypeError(f"{values.kind.__name__!r} object is not reversible")
    items = items_of(values)
    made = Items(items.length, lambda index: items.element(items.length - 1 - index), of=(items,), now=items.now)
    return OneShot(made, reversed)


def _chain(values: object) -> object:
    """What goes through items once, for whoever goes on with it."""
    return values if type(values) is OneShot else OneShot(values, itertools.chain)


def _list(values: Any = ()) -> object:
    if type(values) is list:
        return KnownList(values)
    values = contents(taken(values))
    if isinstance(values, Source) or (isinstance(values, Items) and not isinstance(values.length, int)):
        return defined(definitions.collect)(KnownList([]), values, None, None)
    if isinstance(values, TensorList):
        return values.copy()
    if isinstance(values, Tensor | Items) or has_tensor(values):
        items = items_of(values)
        return KnownList(items) if isinstance(values, Items) or isinstance(items.length, int) else list_of_rows(values)
    return KnownList(values)


def _to_raise(value: object) -> object:
    """The one of several exceptions that a variable is, raised where it is known which."""

    def one(option: Any) -> object:
        if isinstance(option, BaseException) or (isinstance(option, type) and issubclass(option, BaseException)):
            raise option
        raise TypeError("exceptions must derive from BaseException")

    union = control.union_of(value)
    return NotImplemented if union is None else control.whichever(union, one)


def _unpacked(value: object, refused: str = "cannot unpack non-iterable {} object") -> object:
    """What is taken apart as a list: text, and a list whose length only the graph knows."""
    if is_text(value):
        return _list(value)
    if isinstance(value, FromNumpy) and value.type.shape == () and not isinstance(value, Array):
        raise TypeError(refused.format(value._called()))
    return value if isinstance(value, TensorList) and value.known_length() is None else NotImplemented


_DISPLAYED = "Value after * must be an iterable, not {}"


def _tuple(values: object) -> object:
    return tuple(items_of(values))


def _numpys(function: Callable[..., object]) -> Callable[..., object]:
    """What the function makes of NumPy's and Python's numbers is theirs, too."""

    def called(*values: object, **keywords: object) -> object:
        result = function(*values, **keywords)
        if keywords.get("default", values) is None and control.union_of(result) is not None:
            return result  # it may be None
        return arrayed(result, values)

    return called


def _selected(test: Any, x: Any, y: Any) -> object:
    """One of two values; of Python's numbers as one of them, in 64 bits."""
    if any(control.union_of(v) is not None for v in (x, y)) or are_of_several_dtypes(x, y):
        return control.either(test, x, y)
    kinds = [leaf_type(v) for v in (x, y)]
    weak = [isinstance(k, TensorType) and k.weak for k in kinds]
    if not all(w or is_truth(v) for w, v in zip(weak, (x, y))) or not any(weak):
        return control.selected(arrayed(mathematics.where(test, x, y), [x, y]), test, x, y)
    kind = as_dtype(np.result_type(*(k.dtype.dtype for k in kinds)))
    made = weakened(mathematics.where(test, cast(x, kind), cast(y, kind)))
    return control.selected(arrayed(made, [x, y]), test, x, y)


def _beside_nan(op: Op, values: Tensor) -> Tensor:
    """What comparing the numbers of a vector one by one leaves: NaN if that stands first, for nothing is less or
    greater, and else the least or greatest of those that are none; of zeros, whatever their signs, the first one."""
    best: Any = apply(op, values, axis=0, keepdims=False)
    if not values.dtype.is_floating:
        return best

    def others() -> Tensor:
        numbers = mathematics.where(mathematics.is_nan(values), values[0], values)
        return apply(op, numbers, axis=0, keepdims=False)

    best = control.cond(mathematics.is_nan(best), others, lambda: best)
    is_zero = mathematics.equal(values, 0)
    first = lambda: values[apply(reduce.argmax, is_zero, axis=0, dtype=int64)]
    return control.cond(mathematics.equal(best, 0), first, lambda: best)


_NEAREST: dict[object, Callable[..., object]] = {operator.lt: min, operator.gt: max}


def _is_whole(value: object) -> bool:
    if isinstance(value, Tensor):
        return value.type.shape == () and value.type.dtype.is_integer
    return is_a(value, (int, np.integer))


def _extreme(better: Callable[[Any, Any], object], op: Op) -> Callable[..., object]:
    """``min`` or ``max``, as Python chooses: the first of those that none is better than."""

    def best_of(whole: Tensor, rows: Rows | None) -> object:
        one = _beside_nan(op, whole)
        if isinstance(whole, Range):
            return number(widened(one))
        if rows is None:
            return arrayed(one, [whole])
        return element_of(one, rows.owners[0])

    def chosen(*values: object, key: Any = None, **default: object) -> object:
        if len(values) == 1:
            whole: Any = taken(values[0])
            if (length := _known_length(whole)) == 0:
                return _NEAREST[better]([], **default)  # which says in Python's words that there is none
            if length is not None:
                default = {}
            rows = whole.rows if isinstance(whole, TensorList) and key is None else None
            if rows is not None and is_of_one_type(rows) and rows.kinds[0].dtype != string:
                whole = whole.stacked(exact=True)
            is_vector = isinstance(whole, Tensor) and rank_of(whole) == 1
            if key is None and is_vector and (not default or python_numbers.are_numpys):
                is_empty: Tensor | bool = False if length is not None else mathematics.equal(shaping.size(whole), 0)
                if default:
                    return control.cond(is_empty, lambda: default["default"], lambda: best_of(whole, rows))
                refuse_where(is_empty, lambda: _NEAREST[better]([]))
                return best_of(whole, rows)
            found = defined(ordered.min_ if better is operator.lt else ordered.max_)(whole, key, **default)
            is_there = not default and isinstance(found, control.TaggedUnion) and is_one_or_none(found)
            return control.only(found) if is_there else found  # where there was none it has raised
        best: Any = values[0]
        for other in values[1:]:
            pair = (best, other) if key is None else (key(best), key(other))
            # As programs begin the search for the least with.
            if any(map(is_beyond, pair)) and all(map(_is_whole, pair)):
                a, b = (value if type(value) is int else 0 for value in pair)  # 0 as well as any that has 64 bits
                best = other if better(b, a) else best
                continue
            test = better(pair[1], pair[0])
            if type(best) is Range or type(other) is Range:
                raise OperatorNotAllowedInGraphError("min() and max() of a range and a number have no staged meaning")
            best = _selected(control.truth(test), other, best)
        return best

    return chosen


def _known_length(values: object) -> int | None:
    """How many items something has, where that is known before the graph runs."""
    if isinstance(values, TensorList):
        return values.known_length()
    dims = values.type.shape if isinstance(values, Tensor) else None
    return dims[0] if dims and isinstance(dims[0], int) else None


def _sum(values: object, start: Any = 0) -> object:
    values = _iterable(taken(values))
    if not isinstance(values, Tensor):
        return defined(definitions.sum_)(contents(values), start)
    if _known_length(values) == 0:
        return start  # Python's 0, whatever the array holds
    if values.dtype.is_bool:
        values = cast(values, int64)  # Python adds them to the int 0
    total = reductions.reduce_sum(values, 0)
    if isinstance(values, FromNumpy) and isinstance(total, SymbolicTensor) and total.shape.rank == 0:
        total = number(widened(total)) if isinstance(values, Range) else Scalar(total.traced_in, total.value)
    if not isinstance(start, int) or start != 0:
        return start + total
    if _known_length(values) is None and isinstance(total, Scalar):
        return control.selected(total, mathematics.equal(shaping.size(values), 0), 0, total)
    return total


def _any(values: Any) -> object:
    return _told(reductions.reduce_any, values) if _is_vector(values) else defined(definitions.any_)(values)


def _all(values: Any) -> object:
    return _told(reductions.reduce_all, values) if _is_vector(values) else defined(definitions.all_)(values)


def _told(reduce: Callable[..., object], values: Tensor) -> object:
    made = reduce(_truths(values))
    return number(made) if isinstance(values, FromNumpy) else made


def _is_vector(values: object) -> bool:
    return isinstance(values, Tensor) and values.type.shape is not None and len(values.type.shape) == 1


def _truths(values: Tensor) -> object:
    return values if values.dtype.is_bool else mathematics.not_equal(values, 0)


def _text(function: Callable[..., object]) -> Callable[..., object]:
    """What makes text of values, made by the graph."""

    def made(*arguments: object, **keywords: object) -> object:
        values: list[object] = []
        arguments = tuple([nest.map_structure(_listed, argument) for argument in arguments])
        keywords = {key: nest.map_structure(_listed, value) for key, value in keywords.items()}
        parts = nest.flatten([*arguments, *keywords.values()])
        parts += [text for part in parts if type(part) is Written for text in (part.text, part.representation)]
        parts = [part for part in parts if control.union_of(part) is not None or isinstance(part, control.Promoted)]
        if parts:
            (one, *_) = parts
            union: Any = one.apart() if isinstance(one, control.Promoted) else control.union_of(one)
            return control.whichever(union, lambda option: known(one, option, arguments, keywords))

        if (trace := current()) is not None:
            trace.root.writes = True
        held = functools.partial(held_for_text, values)
        given = [nest.map_structure(held, argument) for argument in arguments]
        named = {key: nest.map_structure(held, value) for key, value in keywords.items()}
        if function in _FORMATTING:
            _try_format(function, given, named, values)
        return number(apply(strings.text, *values, function=function, arguments=given, keywords=named))

    def known(one: object, option: object, arguments: Sequence[object], keywords: Mapping[str, object]) -> object:
        """The text where it is known which object a variable holds."""
        union = control.union_of(one)

        def there(part: object) -> object:
            if type(part) is Written:
                return Written(there(part.text), there(part.representation))
            return option if part is one or (union is not None and control.union_of(part) is union) else part

        given = [nest.map_structure(there, argument) for argument in arguments]
        named = {key: nest.map_structure(there, value) for key, value in keywords.items()}
        return of_text(function, given, named)

    return made


def held_for_text(values: list[object], part: object) -> object:
    """What stands for a part of what text is made of when the graph runs: the place of a value of the graph's, which is
    added to the values."""
    if type(part) is Written:
        return effects.HeldObject(held_for_text(values, part.text), held_for_text(values, part.representation))
    if type(part) is slice and staged_in((part.start, part.stop, part.step)):
        raise OperatorNotAllowedInGraphError(f"a slice with numbers that only the graph knows has no text: {part}")
    if isinstance(part, SymbolicTensor) or has_tensor(part):
        values.append(operand(part))
        return effects.Held(len(values) - 1, _owner_of_text(part))
    if isinstance(part, str):
        no_symbols(part)
    return part.copy() if isinstance(part, np.ndarray) else part  # as it is now


def _ord(text: Any) -> object:
    if not isinstance(text, Tensor) or text.dtype != string:
        raise TypeError(f"ord() expected string of length 1, but {type_of(text).__name__} found")
    return answer(ord, "int", text)


def _join(separator: object, items: object) -> object:
    """`str.join`; by an operation of its own where only the graph knows how many texts there are."""
    if isinstance(items, Scalar) and not is_text(items):
        raise TypeError("can only join an iterable")
    if not isinstance(items, TensorList) or type(separator) is not str or items.known_length() is not None:
        return _text(str.join)(separator, items)
    column: Any = items.stacked(exact=True)
    if column.dtype != string or column.shape.rank != 1:
        return NotImplemented
    return number(apply(texts.reduce_join, column, axis=None, keepdims=False, separator=separator.encode()))


_FORMATTING = (str.format, format, operator.mod)
_MOST_SHOWN = 1000  # elements of what is formatted to see whether that fails


def _try_format(function: Any, given: Sequence[object], named: Mapping[str, object], values: Sequence[Any]) -> None:
    """Raise what a clause around would catch: which formats a value has depends on its dtype and shape, if not text."""
    types = [value.type for value in values]
    if any(t.dtype == string or not is_known(t.shape) or product(t.shape) > _MOST_SHOWN for t in types):
        return
    ones = [np.ones(t.shape, t.dtype.dtype) for t in types]
    try:
        strings.formatted(*ones, function=function, arguments=given, keywords=named)
    except Exception as error:
        if is_caught(error):
            raise error.with_traceback(None) from None


def _listed(part: Any) -> object:
    """A list of which only the graph knows what it holds as one of Python's, as far as its length is known."""
    if not has_grown(part):
        return part
    if part.known_length() is None:
        raise OperatorNotAllowedInGraphError(
            f"{part!r} has no text here: how many elements it has is known only when the graph runs. Stack it "
            "(runtime.stack), or make text of each."
        )
    return [_listed(element) for element in part]


def _owner_of_text(value: Any) -> Owner:
    """Whose text a value has; that of an array is NumPy's."""
    if isinstance(value, Range):
        raise OperatorNotAllowedInGraphError(
            f"a range whose bounds only the graph knows has no text there: {value}. Make a list of it first."
        )
    owner = owner_of(value.itself if isinstance(value, FromNumpy) else value)
    return Owner.NUMPY if owner is Owner.ARRAY and value.type.shape != () else owner


def _abs(value: Any) -> object:
    if isinstance(value, control.Promoted):
        return value._unary("abs")
    if isinstance(value, Range):
        return abs(value)
    return mathematics.abs(_int(value) if is_truth(value) else value)


def _round(value: Tensor, digits: int | None = None) -> object:
    if digits is not None:
        digits = operator.index(digits)
    if value.type.shape is None:
        raise UnknownRankError(
            f"round() of {value}: it makes a Python number of a number, and only the graph knows whether this is one. "
            "Use runtime.round, or tell the number of its dimensions: runtime.ensure_shape(x, ())."
        )
    if is_truth(value):
        return _round(_int(value), digits)
    if isinstance(value, FromNumpy) and (value.dtype.is_bool or not isinstance(value, Scalar)):
        kind = "bool" if value.dtype.is_bool else "ndarray"
        raise TypeError(f"type numpy.{kind} doesn't define __round__ method")
    if digits is None:  # Python makes an int of a number, NumPy floats of an array
        if value.dtype.is_integer and value.shape == ():
            return _int(value)
        return _int(mathematics.rint(value)) if value.shape == () else mathematics.rint(value)
    if type(value) is Scalar and value.python:
        return number(apply(ew.python_round, value, digits=digits))
    return apply(ew.round_, value, decimals=digits)


def _contains(items: object, value: object) -> object:
    items = contents(items)
    if isinstance(items, TensorList) and items.rows is not None:
        structure = items.rows.structure
        if isinstance(structure, Handle):
            return _any(MappedItems(items).each("map", lambda item: item == value))
        if may_be_missing(structure):
            return defined(definitions.contains_)(items, value)
        if isinstance(structure, tuple):
            alike = is_a(value, tuple) and nest.alike(value, structure)
            return defined(definitions.contains_)(items, value) if alike else False
        if type(structure) is not Column:
            return _contains_list(items, value)
        if structure.owner is Owner.NOBODY or is_a(value, (tuple, list, dict, set)) or value is None:
            return False
        other = leaf_type(value)
        if items.rows.kinds[0].dtype.is_integer and isinstance(other, TensorType) and other.dtype.is_floating:
            return defined(definitions.contains_)(items, value)  # which an array of floats would not hold
        items = items.stacked(exact=True)
    if type(items) is OneShot:
        return _any(MappedItems(items).each("map", lambda item: item == value))
    if is_text(items) or (type(items) is str and is_text(value)):
        if type_of(value) is not str:
            raise TypeError(f"'in <string>' requires string as left operand, not {type_of(value).__name__}")
        return answer(operator.contains, "bool", items, value)
    if type(items) is Range:
        if not is_a(value, (Tensor, bool, int, float, complex, np.number)):
            return False
        if is_a(value, Tensor) and value.type.shape != ():
            raise OperatorNotAllowedInGraphError(
                f"whether an array is one of the numbers of a range is not asked: {value}"
            )
        items = items.content
    if isinstance(items, FromNumpy) and items.type.shape == () and not isinstance(items, Array):
        raise TypeError(f"argument of type {items._called()!r} is not iterable")
    if is_a(items, Array) or isinstance(_iterable(items), Tensor):
        return reductions.reduce_any(items == value)
    if isinstance(items, dict | set | frozenset):
        return is_among(items, value)
    if not isinstance(items, list | tuple | range):
        return NotImplemented
    found: object = False
    for item in items:
        same = True if item is value else item == value
        if same is True:
            return True
        if same is not False:
            same = control.truth(same)
            found = same if found is False else apply(ew.logical_or, found, same)
    return found


def _contains_list(items: TensorList, value: Any) -> object:
    """Whether one of the elements of a list, which are lists or tuples, is equal to a value."""
    rows = items.rows
    kind = list if isinstance(rows.structure, Inner) else type(rows.structure)  # type: ignore[union-attr]
    if not issubclass(kind, list | tuple) or not is_a(value, kind):
        return _any(MappedItems(items).each("map", lambda item: item == value)) if is_a(value, kind) else False
    given: Any = value
    whole: Any = items.stacked(exact=True)
    row: Any = operand(given.stacked(exact=True) if has_grown(given) else given)
    width = whole.type.shape[1] if whole.type.shape else None
    known = row.type.shape[0] if row.type.shape else None
    if not isinstance(width, int) or not isinstance(known, int):
        raise OperatorNotAllowedInGraphError(
            f"whether {items!r} has an element equal to a list is only asked of lists whose lengths are known."
        )
    if width != known:
        return False
    return reductions.reduce_any(reductions.reduce_all(whole == row, axis=1))


def _getitem(table: Any, index: object) -> object:
    if type(table) is str and type(index) is slice:
        return answer(strings.part_of_text, "text", table, index.start, index.stop, index.step)
    if type(table) in (list, tuple) and type(index) is slice:
        return KnownList(table)[index] if type(table) is list else NotImplemented
    if type(table) in (list, tuple) and not isinstance(index, control.TaggedUnion):
        index = position(index, type(table).__name__)
        if all(is_leaf(leaf) for leaf in nest.flatten(list(table))):
            return _indexed(table, index, type(table).__name__)
        return _chosen(table, index)
    if type(table) in _INDEXED and type(index) is not slice and len(table) <= _MOST_INDEXED:
        return _indexed(table, position(index, type(table).__name__), _INDEXED[type(table)])
    if isinstance(table, dict):
        return item_of(table, index)
    if any(table is indexer for indexer in INDEXERS):
        made = joined_by(table, index)
        return NotImplemented if made is None else arrayed(made, [], Owner.ARRAY)
    if type(table) is np.flatiter:
        table = table.copy()
    if type(table) is np.ndarray and table.dtype.kind in "biufc" and current() is not None:
        array = as_it_is(table)
        may_be_outside(array, *index_parts(index), 0)
        return array[index]
    return NotImplemented


_NO_ITEM = "{} index out of range"
_INDEXED: dict[type, str] = {range: "range object", str: "string", bytes: ""}


def _indexed(table: Sequence[object], index: Tensor, kind: str) -> object:
    not_caught(IndexError(_NO_ITEM.format(kind).lstrip()), lambda: outside(index, len(table)))
    items = KnownList(table)
    items.is_copy, items.kind = True, kind
    return items[index]


_MOST_INDEXED = 4096  # elements of which the graph has each


def _chosen(table: Sequence[object], index: object) -> object:
    """The element of a sequence at a staged index, which keeps its identity: of arrays by a branch for each."""
    if not any(isinstance(leaf, Array | np.ndarray) for leaf in nest.flatten(list(table))):
        at = operand(index)
        not_caught(IndexError(_NO_ITEM.format(type(table).__name__)), lambda: outside(at, len(table)))
        return control.element_at(table, operand(index), user_statement(1))
    numbered = dict(enumerate(table)) | {i - len(table): value for i, value in enumerate(table)}
    return value_there(numbered, index, IndexError("list index out of range"))


TensorList.chosen = _chosen


def _of_object(function: Callable[[object], object], value: object) -> object:
    """``vars`` or ``dir`` of a variable that may be unbound or None: of the object that it is."""
    return function(control.only(value)) if isinstance(value, control.TaggedUnion) else NotImplemented


def _type(value: object, *more: object) -> object:
    """The type that a value has where nothing is staged."""
    if more:
        return NotImplemented  # a class is made
    if is_exactly(value, Sizes, StagedSizes):
        return tuple
    if is_a(value, StandIn):
        return type(value).stands_for
    if is_a(value, Handle):
        return type(value).of.kind
    if not is_a(value, _STAND_INS):
        return type(value)
    if (union := control.union_of(value)) is not None:
        return control.kind_of(union)
    if isinstance(value, control.Promoted):
        return control.whichever(value.apart(), type_of)
    if is_a(value, OneShot):
        return value.kind
    if is_a(value, Perhaps):
        raise value.of_either_class()
    return list if is_a(value, Growing) else type_of(value)


def _has(value: object, name: str) -> bool | None:
    """Whether what NumPy or Python has in the place of a value has an attribute; None if nothing says so."""
    if not is_a(value, FromNumpy | Growing | StandIn) or type(name) is not str:
        return None
    kinds: Any = (np.ndarray, value.dtype.as_numpy_dtype) if is_a(value, Perhaps) else (_type(value),)
    if is_made_later(kinds[0]):
        return None  # it may have attributes of its own
    found = {any(name in vars(base) for base in kind.__mro__) for kind in kinds}
    if len(found) > 1:
        raise value.of_either_class()  # type: ignore[attr-defined]
    return found.pop()


def _isinstance(value: object, kinds: Any) -> bool:
    """Whether what a value stands for is of a class that is told by its methods (``collections.abc.Sized``): what
    stands for a number has more of them."""
    union = control.union_of(value)
    known = [_type(value)] if union is None else [type_of(one) for one in union._options]
    if known == [type(value)]:
        return isinstance(value, kinds)
    found = {issubclass(kind, kinds) for kind in known if isinstance(kind, type)}
    return found.pop() if len(found) == 1 else isinstance(value, kinds)


set_functions([(isinstance, _isinstance)])


def _hasattr(value: object, name: str) -> bool:
    found = _has(value, name)
    return hasattr(value, name) if found is None else found


def _getattr(value: Any, name: str, *default: object) -> object:
    found = _has(value, name)
    if found is None:
        return getattr(value, name, *default)
    if found:
        return getattr(value, name)  # what has no staged meaning is no reason for the default
    if default:
        return default[0]
    raise AttributeError(f"{type_of(value).__name__!r} object has no attribute {name!r}")


_STAND_INS = (SymbolicTensor, Growing, OneShot, control.TaggedUnion)


def _is_one_list(value: object, other: object) -> object:
    return isinstance(value, list) and same_row(value, other)


def _is(value: object, other: object) -> object:
    for union, another in ((control.union_of(value), other), (control.union_of(other), value)):
        if union is not None and type(another) is RowList:
            return control.whichever(union, lambda one: one is another or _is_one_list(one, another))  # noqa: B023
    if type(value) is RowList or type(other) is RowList:
        return same_row(value, other)
    if all(isinstance(one, Array | np.ndarray) for one in (value, other)):
        in_force().ask_which()
        value, other = before_loops(value), before_loops(other)
        if isinstance(value, np.ndarray):
            value, other = other, value
        if isinstance(value, np.ndarray):
            return value is other
    if isinstance(value, Array) and isinstance(other, Array):
        return _is_array(value, other, when_same(value, other))
    for array, one in ((value, other), (other, value)):
        if isinstance(array, Array) and type(one) is np.ndarray:
            return _is_array(array, one, when_memory(array, one))
    if value is other:
        return True
    union, another = control.union_of(value), control.union_of(other)
    if union is not None or another is not None:
        for one, beside in itertools.product(_options_of(value), _options_of(other)):
            if one is not beside and not (is_truth(one) and is_truth(beside)):
                is_number(one, beside)  # which tells where that is not known
    for one, beside in ((value, other), (other, value)):
        if isinstance(one, control.Promoted) and (_is_of_several(beside) or is_truth(beside)):
            return one.distribute(lambda number: _is_one(number, beside))  # noqa: B023
    if union is not None and another is not None:
        return control.are_same(union, another)
    if union is not None:
        return control.is_option(union, other)
    if another is not None:
        return control.is_option(another, value)
    return is_number(value, other)


def _options_of(value: object) -> Sequence[object]:
    union = control.union_of(value)
    return [value] if union is None else union._options


def _is_of_several(value: object) -> bool:
    return isinstance(value, control.Promoted) or control.union_of(value) is not None


def _is_one(value: object, other: object) -> object:
    same = _is(value, other)
    return value is other if same is NotImplemented else same


def _check_lists(value: object, other: object) -> None:
    """Raise StagingError where two lists may be one, as the graph has found one of them in a list."""
    if may_be_one(value, other):
        note_lists()
        raise StagingError(
            f"whether {called(value, 'what the graph has found in a list')} is another list that is in one is not "
            "known: the graph has a copy. Compare what they hold, or keep in a variable of its own which it is."
        )


set_identity(_check_lists)


def _is_array(value: Array, other: object, when: Condition | None) -> object:
    if when is None:
        name = f"'{other.place.called}'" if isinstance(other, Array) else "an array of NumPy's"
        raise refused(
            StagingError(
                f"whether '{value.place.called}' is {name} is known only when the graph runs, and not "
                "there: it may be a part of it, too. Keep in a variable which it is."
            )
        )
    return when.is_sure if when.is_sure is not None else when.tensor()


def _int(value: object, *base: object, **named: object) -> Any:
    """A whole number of Python's, in 64 bits."""
    if is_text(value) or type_of(value) is str:
        return answer(int, "int", value, *base, **named)
    if base or named:
        raise TypeError("int() can't convert non-string with explicit base")
    tensor = _one_number(value, int64)
    if tensor.dtype.is_floating:
        return number(apply(ew.python_int, tensor))
    return number(widened(tensor))


def _float(value: object) -> object:
    """A float of Python's."""
    if is_text(value):
        return answer(float, "float", value)
    return number(apply(ew.cast, _one_number(value, float64), dtype=float64, weak=True))


def _complex(real: object = 0, imag: object = 0) -> object:
    """A complex number of Python's, of one number or of both its parts."""
    if any(isinstance(v, Tensor) and v.dtype == string for v in (real, imag)):
        raise TypeError("complex() of text has no staged meaning: make it of two floats, complex(float(a), float(b))")
    if any(
        is_a(v, (complex, np.complexfloating)) or (isinstance(v, Tensor) and v.dtype.is_complex) for v in (real, imag)
    ):
        if is_exactly(imag, int) and imag == 0:
            return number(apply(ew.cast, operand(real), dtype=complex128, weak=True))
        raise TypeError("complex() of a staged number takes two real ones; write a + b * 1j where one is complex")
    parts = [apply(ew.cast, _one_number(part, float64), dtype=float64) for part in (real, imag)]
    return number(apply(ew.cast, apply(ew.complex_, *parts), dtype=complex128, weak=True))


def _one_number(value: object, dtype: DType) -> Tensor:
    """A tensor of one number without dimensions; text is read as one of that dtype."""
    if isinstance(value, Range):
        name = "int" if dtype is int64 else "float"
        raise TypeError(f"{name}() argument must be a string or a real number, not 'range'")
    tensor = operand(value)
    if tensor.dtype == string:
        tensor = cast(tensor, dtype)
    if tensor.dtype.is_complex:
        raise TypeError(f"a complex number is neither an int nor a float: {tensor}")
    if tensor.type.shape != ():
        if isinstance(value, Array) and tensor.type.shape is None:
            name = "int" if dtype is int64 else "float"
            raise UnknownRankError(
                f"{name}() of {tensor}: only the graph knows whether it is one number. Tell the number of its "
                "dimensions: runtime.ensure_shape(x, ())."
            )
        if isinstance(value, Array):
            (int if dtype is int64 else float)(np.ones([1] * (rank_of(value) or 1)))  # raises what NumPy does
        if is_known(tensor.type.shape) and product(tensor.type.shape) != 1:
            raise TypeError(f"only one number can become an int or a float, not {tensor}")
        tensor = apply(shape_ops.reshape, tensor, shape=())
    return tensor


def _range(*bounds: Any) -> object:
    bounds = tuple([bound.as_index(slice) if isinstance(bound, Scalar) else bound for bound in bounds])
    for bound in bounds:
        if isinstance(bound, FromNumpy) and not bound.dtype.is_integer:
            name = type_of(bound).__name__
            called = name if owner_of(bound) is Owner.PYTHON else f"numpy.{name}"
            raise TypeError(f"'{called}' object cannot be interpreted as an integer")
    bounds = tuple([cast(bound, int64) if isinstance(bound, FromNumpy) else bound for bound in bounds])
    made = making.range(*bounds)
    return Range(made.traced_in, made.value) if type(made) is SymbolicTensor else made


def counter(items: range) -> object:
    """A range of Python's as one of the graph's, for a loop that is traced once for all its items."""
    start, stop, step = (EagerTensor.of(np.int64(bound)) for bound in (items.start, items.stop, items.step))
    made = making.numbers(start, stop, step, python=True)
    trace = current()
    assert trace is not None
    trace.root.counted.append((trace, len(trace.nodes)))
    return Range(trace, made.record_in(trace))


def _repeated(items: Any, count: object) -> object:
    return defined(definitions.repeat)(items if isinstance(items, TensorList) else KnownList(items), count)


REPEATED.update({list: _repeated, TensorList: _repeated, KnownList: _repeated, str: _text(operator.mul)})

MEANINGS: dict[object, Callable[..., object]] = {
    **LOOKUPS,
    **GIVEN,
    alternatives: structures,
    builtins.len: lambda value: number(_len(value)),
    builtins.range: _range,
    itertools.chain: _chain,
    builtins.iter: _iter,
    builtins.next: _next,
    operator.length_hint: _length_hint,
    builtins.abs: _numpys(_abs),
    builtins.int: _int,
    builtins.float: _float,
    builtins.complex: _complex,
    builtins.bool: lambda value: number(control.truth(value)),
    builtins.type: _type,
    builtins.hasattr: _hasattr,
    builtins.getattr: _getattr,
    builtins.vars: lambda value: _of_object(vars, value),
    builtins.dir: lambda value: _of_object(dir, value),
    builtins.round: _numpys(_round),
    builtins.sorted: lambda x, key=None, reverse=False: _sorted(x, key, reverse),
    builtins.divmod: lambda x, y: (x // y, x % y),
    operator.contains: lambda items, value: number(_contains(items, value)),
    operator.is_: lambda value, other: number(_is(value, other)),
    str.format: _text(str.format),
    str.format_map: _text(str.format_map),
    str.join: _join,
    builtins.str: _text(str),
    builtins.repr: _text(repr),
    builtins.ascii: _text(ascii),
    builtins.ord: _ord,
    builtins.format: _text(format),
    operator.mod: _text(operator.mod),
    operator.getitem: _getitem,
    builtins.list: _list,
    builtins.tuple: _tuple,
    unpacked: _unpacked,
    displayed: lambda value: _unpacked(value, _DISPLAYED),
    to_raise: _to_raise,
    builtins.enumerate: _enumerate,
    builtins.zip: _zip,
    builtins.reversed: _reversed,
    builtins.sum: _sum,
    builtins.any: _any,
    builtins.all: _all,
    builtins.min: _numpys(_extreme(operator.lt, reduce.reduce_min)),
    builtins.max: _numpys(_extreme(operator.gt, reduce.reduce_max)),
}
