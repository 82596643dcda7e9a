"""``and``, ``or``, ``not`` and chained comparisons, as lazy as Python's."""

from __future__ import annotations

import operator
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType
from typing import Any

from autograph import dispatch
from autograph.dispatch import Backend, Name, Role, Statement, backend_of
from autograph.operators import spent
from autograph.operators.branches import if_exp, staged_if
from autograph.operators.plain import ORDINARY
from autograph.operators.protocols import containing, contains, truth_of
from autograph.operators.state import as_users, hide_frame, user_statement
from autograph.reading import found_in, gives_items, is_a

COMPARISONS: dict[str, Callable[..., object]] = {
    "==": lambda a, b: equal(a, b),
    "!=": lambda a, b: _unequal(a, b),
    "<": lambda a, b: less(a, b),
    "<=": lambda a, b: ordered(operator.le, a, b),
    ">": lambda a, b: greater(a, b),
    ">=": lambda a, b: ordered(operator.ge, a, b),
    "is": lambda a, b: is_(a, b),
    "is not": lambda a, b: is_not(a, b),
    "in": lambda a, b: in_(a, b),
    "not in": lambda a, b: not_in(a, b),
}


def _lazy(word: str, ends: bool, doc: str) -> Callable[..., object]:
    """``and`` (which ends at an operand that is false) or ``or`` (at one that is true)."""

    name = Name(f"an operand of '{word}'", Role.OPERAND, phrase=True)

    def operator(
        value: object, *rest: Callable[[], object], truth: bool = False, statement: Statement | None = None
    ) -> object:
        for index, thunk in enumerate(rest):
            test = value if type(value) is bool else truth_of(value)
            if type(test) is not bool and (backend := backend_of(test)) is not None:
                return staged(backend, test, value, rest[index:], truth, statement or user_statement(1))
            if (not test) is not ends:
                return ends if truth else value
            try:
                value = thunk()
            except BaseException as error:
                if (unbound := as_users(error, thunk)) is not None:
                    raise unbound from None
                raise
        return value

    def staged(
        backend: Backend,
        test: object,
        value: object,
        rest: tuple[Callable[[], object], ...],
        truth: bool,
        statement: Statement,
    ) -> object:
        if len(rest) > _MANY:  # in two halves, each of them nested half as deep
            value = test = staged(backend, test, value, rest[: len(rest) // 2], truth, statement)
            rest = rest[len(rest) // 2 :]
            if backend_of(value) is None:
                return operator(value, *rest, truth=truth, statement=statement)

        def other() -> object:
            return operator(rest[0](), *rest[1:], truth=truth, statement=statement)

        def same() -> object:
            return value

        branches = (same, other) if ends else (other, same)
        functions = [*branches, *rest]
        return staged_if(backend, test, *branches, (), (), statement, functions, name)

    operator.__name__ = operator.__qualname__ = f"{word}_"
    operator.__doc__ = doc
    return operator


_MANY = 8  # operands that may be nested in one another
_TRUTH = " With `truth` only that of the result counts, and an operand before the last is no result itself."

and_ = _lazy("and", False, "``value and rest[0]() and …``: the first operand that is false, or the last." + _TRUTH)
or_ = _lazy("or", True, "``value or rest[0]() or …``: the first operand that is true, or the last." + _TRUTH)


def not_(value: object) -> object:
    """``not value``."""
    if type(value) is not bool:
        value = truth_of(value)
    if type(value) is bool or (backend := backend_of(value)) is None:
        return not value
    return backend.not_(value)


# What holds nothing staged, as that cannot be hashed; a class need not be hashable either.
UNSTAGED = frozenset(map(id, (dict, set, frozenset, str, bytes, range, OrderedDict, defaultdict)))
_backend = dispatch.by_type.get  # gives None for the type of an ordinary value, once that is known


def in_(value: object, items: Any) -> object:
    """``value in items``; staged if one of them is, or an item of a list or tuple."""
    if dispatch.active:
        if id(type(items)) in UNSTAGED:
            ordinary = not issubclass(type(value), tuple) and _backend(id(type(value)), 0) is None
            backend = None if ordinary else dispatch.of_key(value)
        else:
            if (method := containing(items)) is not None:
                try:
                    return contains(method, items, value)
                except BaseException as error:
                    hide_frame(error)
                    raise
            if spent.left:
                spent.check(items)
            ordinary = _backend(id(type(items)), 0) is None and _backend(id(type(value)), 0) is None
            backend = None if ordinary else dispatch.staged_in((items, value))
            if backend is None and is_a(items, (list, tuple)) and not _are_ordinary(items):
                found = dispatch.elements(items) or ()
                backend = dispatch.staged_in(found) if dispatch.may_be_staged(found) else None
        if backend is not None:
            result = backend.call(operator.contains, (items, value), {})
            if result is not NotImplemented:
                return result
        elif id(type(items)) in _SEQUENCES and not _are_atoms(items) and may_ask((value, *items)):
            return _among(value, items)
    try:
        if dispatch.active and gives_items(items) and found_in(type(items), "__contains__") is None:
            return _among_given(value, (item for item in items))
        return value in items
    except BaseException as error:
        hide_frame(error)
        raise


def _among(value: object, items: Sequence[object]) -> object:
    """Whether one of the items of Python's is a value, or equals it."""
    tests = [lambda item=item: item is value or _decided(equal(item, value)) for item in items]  # type: ignore[misc]
    return or_(tests[0](), *tests[1:]) if tests else False


def _among_given(value: object, items: Iterator[object]) -> object:
    """The same of the items that an object of the user's gives, which is asked for no more of them than Python does
    as long as it is known what they are."""
    for item in items:
        test = item is value or _decided(equal(item, value))
        if type(test) is not bool:
            break
        if test:
            return True
    else:
        return False
    rest = [*items]
    return or_(test, lambda: _among(value, rest))


_SEQUENCES = dispatch.kinds(list, tuple)


def _are_ordinary(items: Any) -> bool:
    """Whether all items of a list or tuple are known at a look to be ordinary."""
    return id(type(items)) in _SEQUENCES and ORDINARY.issuperset(map(id, map(type, items)))


def _are_atoms(items: Sequence[object]) -> bool:
    return ATOMS.issuperset(map(id, map(type, items)))


ATOMS = dispatch.kinds(bool, int, float, complex, str, bytes, type(None))


def not_in(value: object, items: object) -> object:
    """``value not in items``."""
    result = in_(value, items)
    return not result if type(result) is bool else not_(result)


def _check_nothing(value: object, other: object) -> None:
    """What two lists are is known."""


_check_identity: Callable[[object, object], None] = _check_nothing


def set_identity(check: Callable[[object, object], None]) -> None:
    """Tell what raises an error where a backend has made a list of what another holds, so that the two may be one."""
    global _check_identity
    _check_identity = check


def is_(value: object, other: object) -> object:
    """``value is other``; staged if only the graph knows which of several objects one of them is."""
    if dispatch.active and (_backend(id(type(value)), 0) is not None or _backend(id(type(other)), 0) is not None):
        backend = dispatch.staged_in((value, other))
        result = NotImplemented if backend is None else backend.call(operator.is_, (value, other), {})
        if result is not NotImplemented:
            return result
    elif dispatch.active and value is not other and is_a(value, list) and is_a(other, list):
        _check_identity(value, other)
    if dispatch.active and is_a(value, tuple) and (same := found_in(type(value), "__is__")) is not None:
        return same(value, other)
    return value is other


def is_not(value: object, other: object) -> object:
    """``value is not other``."""
    result = is_(value, other)
    return not result if type(result) is bool else not_(result)


def chain(left: object, *links: tuple[str, Callable[[], object]], truth: bool = False) -> object:
    """``left < middle() < right()``: each operand made once, and only if the comparisons before it hold.

    With `truth` only that of the result counts.
    """
    result: object = True
    for index, (symbol, thunk) in enumerate(links):
        if index and type(result) is not bool and backend_of(result) is not None:
            rest = links[index:]
            return and_(result, lambda: chain(left, *rest, truth=truth))  # noqa: B023 (it is called at once)
        if index and not result:
            return False if truth else result
        try:
            right = thunk()
        except BaseException as error:
            if (unbound := as_users(error, thunk)) is not None:
                raise unbound from None
            raise
        result, left = COMPARISONS[symbol](left, right), right
    return result


def equal(left: object, right: object) -> object:
    """``left == right``; of two tuples or two lists that hold staged items, item by item, as Python compares them."""
    if _compare_themselves(left, right):
        return left == right
    mine, others = _items(left, right), _items(right, left)
    if mine is None or others is None or not may_ask((*mine, *others)):
        return left == right
    if len(mine) != len(others):
        return False
    if not mine:
        return True
    pairs = [(a, b) for a, b in zip(mine, others) if a is not b]
    tests = [lambda a=a, b=b: _decided(equal(a, b)) for a, b in pairs]  # type: ignore[misc]
    return and_(tests[0](), *tests[1:]) if tests else True


def _unequal(left: object, right: object) -> object:
    """``left != right``, as `equal` has it."""
    if _compare_themselves(left, right):
        return left != right
    mine, others = _items(left, right), _items(right, left)
    if mine is None or others is None or not may_ask((*mine, *others)):
        return left != right
    return not_(equal(left, right))


def less(left: Any, right: Any) -> object:
    """``left < right``; of two tuples or two lists that hold staged items, by the first items that are not equal."""
    return ordered(operator.lt, left, right)


def greater(left: Any, right: Any) -> object:
    """``left > right``, as `less` has it."""
    return ordered(operator.gt, left, right)


def ordered(compare: Callable[..., object], left: object, right: object) -> object:
    """What an ordering says of two values, of tuples and lists as `less` has it."""
    if _compare_themselves(left, right):
        return compare(left, right)
    mine, others = _items(left, right), _items(right, left)
    if mine is None or others is None or not may_ask((*mine, *others)):
        return compare(left, right)
    pairs = [(a, b) for a, b in zip(mine, others) if a is not b]

    def from_pair(number: int) -> object:
        if number == len(pairs):
            return compare(len(mine), len(others))
        a, b = pairs[number]
        return if_exp(_decided(equal(a, b)), lambda: from_pair(number + 1), lambda: ordered(compare, a, b))

    return from_pair(0)


def _compare_themselves(left: object, right: object) -> bool:
    """Whether one of two values is staged, and knows how it compares."""
    if not dispatch.active:
        return False
    return backend_of(left) is not None or backend_of(right) is not None


def _items(value: object, other: object) -> list[object] | None:
    """The items of a tuple or list that is compared with another one; of a class with a comparison of its own none."""
    if not dispatch.active:
        return None
    kinds: tuple[type, ...] = (tuple, list)
    kind = next((k for k in kinds if is_a(value, k) and is_a(other, k)), None)
    if kind is None or (_compares_itself(type(value), kind) and dispatch.is_ordinary(type(value))):
        return None
    return dispatch.elements(value)


def may_ask(values: Sequence[object]) -> bool:
    """Whether comparing these, or parts of them, may be a question to the graph: they are staged, or of a user's class
    that says how they compare."""
    kinds: tuple[type, ...] = (tuple, list)
    for value in values:
        if dispatch.backend_of(value) is not None or type(found_in(type(value), "__eq__")) is FunctionType:
            return True
        if is_a(value, kinds) and may_ask(dispatch.elements(value) or ()):
            return True
    return False


def _compares_itself(cls: object, kind: object) -> bool:
    return any(getattr(cls, name) is not getattr(kind, name) for name in _ORDERINGS)


_ORDERINGS = ("__eq__", "__lt__", "__le__", "__gt__", "__ge__")


def _decided(value: object) -> object:
    """What an item's comparison says: a bool, or one of the graph's."""
    test = value if type(value) is bool else truth_of(value)
    if type(test) is bool or (backend := backend_of(test)) is None:
        return bool(test)
    return backend.call(bool, (test,), {})
