"""Dimensions that are not known: symbols, and what is computed from them.

A symbol is a polynomial over atoms. An atom is a number that only the graph knows: one that stands for itself, or what
a function gives for other dimensions. Two symbols are equal if they surely are the same number; never because nothing
is known of either.
"""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Mapping
from typing import Any

Monomial = frozenset[tuple["_Atom", int]]  # atoms with their powers; the empty one is the number's

_ONE: Monomial = frozenset()
_LARGEST = 8  # terms; what gets longer is a number of its own
_MOST = 2**63


class _Atom:
    """A number of its own, and of a dimension if it is `natural`, so that it is not negative."""

    __slots__ = ("__weakref__", "natural")

    def __init__(self, natural: bool) -> None:
        self.natural = natural


# What functions give, by function and arguments, so that atoms need only be compared by identity.
_calls: weakref.WeakValueDictionary[tuple[object, ...], _Atom] = weakref.WeakValueDictionary()


class Symbol:
    """A dimension that only the graph knows: ``n``, ``2*n + 1``, ``n*m``.

    >>> n, m = Symbol.new(), Symbol.new()
    >>> n == m, n + n == 2 * n, n * m == m * n, n + 1 - n, (n * 6) // 2 == 3 * n
    (False, True, True, 1, True)
    """

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[Monomial, int]) -> None:
        self.terms = terms

    @classmethod
    def _alone(cls, atom: _Atom) -> Symbol:
        return cls({frozenset([(atom, 1)]): 1})

    @classmethod
    def new(cls, natural: bool = True) -> Symbol:
        """One that equals no other: a dimension, or any number where it need not be natural."""
        return cls._alone(_Atom(natural))

    @classmethod
    def of(cls, function: str, *arguments: object, natural: bool = False) -> Symbol:
        """What a function gives for these arguments: the same wherever they are the same."""
        key = (function, *arguments)
        return cls._alone(_calls.get(key) or _calls.setdefault(key, _Atom(natural)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Symbol) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __add__(self, other: object) -> int | Symbol:
        if not isinstance(other, int | Symbol):
            return NotImplemented
        total = dict(self.terms)
        for monomial, count in _terms(other).items():
            total[monomial] = total.get(monomial, 0) + count
        return _made(total)

    __radd__ = __add__

    def __mul__(self, other: object) -> Any:
        if not isinstance(other, int | Symbol):
            return NotImplemented
        if isinstance(other, int):
            return _made({monomial: count * other for monomial, count in self.terms.items()})
        total: Counter[Monomial] = Counter()
        for a, times in self.terms.items():
            for b, count in other.terms.items():
                powers = Counter(dict(a))
                powers.update(dict(b))
                total[frozenset(powers.items())] += times * count
        return _made(total)

    __rmul__ = __mul__

    def __neg__(self) -> object:
        return self * -1

    def __sub__(self, other: int | Symbol) -> int | Symbol:
        return self + other * -1

    def __rsub__(self, other: object) -> Any:
        return self * -1 + other

    def __floordiv__(self, other: object) -> object:
        """The quotient rounded down: exact if every term is a multiple of a number."""
        if not isinstance(other, int | Symbol):
            return NotImplemented
        exact = quotient(self, other) if isinstance(other, int) and other else None
        return exact if exact is not None else _divided(self, other)

    def __rfloordiv__(self, other: object) -> object:
        return _divided(other, self) if isinstance(other, int) else NotImplemented

    def __repr__(self) -> str:
        return "None"  # as users know it


def is_natural(size: int | Symbol) -> bool:
    """Whether a number is surely not negative.

    >>> n, k = Symbol.new(), Symbol.new(natural=False)
    >>> is_natural(2 * n + 1), is_natural(n - 1), is_natural(k), is_natural(largest(n - 1, 0))
    (True, False, False, True)
    >>> is_natural(n // 2), is_natural(k // 2), is_natural(n // k)
    (True, False, False)
    """
    if isinstance(size, int):
        return size >= 0
    positive = all(count >= 0 for count in size.terms.values())
    return positive and all(atom.natural for monomial in size.terms for atom, _ in monomial)


def _divided(a: int | Symbol, b: int | Symbol) -> Symbol:
    return Symbol.of("//", a, b, natural=is_natural(a) and is_natural(b))


def largest(a: int | Symbol, b: int | Symbol) -> int | Symbol:
    """The larger of two dimensions."""
    if isinstance(a, int) and isinstance(b, int):
        return max(a, b)
    difference = a - b
    if isinstance(difference, int):
        return a if difference >= 0 else b
    return Symbol.of("max", frozenset([a, b]), natural=is_natural(a) or is_natural(b))


def sliced(size: int | Symbol, start: int | None, stop: int | None, step: int | None) -> int | Symbol:
    """How many of `size` elements a slice takes.

    >>> n = Symbol.new()
    >>> sliced(10, 1, None, 2), sliced(n, 1, None, None) == sliced(n, None, -1, 1), sliced(n, None, None, -1) == n
    (5, True, True)
    """
    if isinstance(size, int):
        return len(range(*slice(start, stop, step).indices(size)))
    if (start, stop) in ((None, None), (0, None)) and step in (None, 1, -1) and (step != -1 or start is None):
        return size
    if step in (None, 1):  # from the front to the end, or to so many before it
        if (start or 0) >= 0 and (stop is None or stop < 0):
            return largest(size - (start or 0) + (stop or 0), 0)
    return Symbol.of("slice", size, start, stop, step, natural=True)


def _terms(value: int | Symbol) -> Mapping[Monomial, int]:
    return value.terms if isinstance(value, Symbol) else {_ONE: value}


def _made(terms: Mapping[Monomial, int]) -> int | Symbol:
    left = {monomial: count for monomial, count in terms.items() if count} if 0 in terms.values() else terms
    if not left or (len(left) == 1 and _ONE in left):
        return left.get(_ONE, 0)
    if len(left) > _LARGEST or any(not -_MOST < count < _MOST for count in left.values()):
        return Symbol.of("sum", frozenset(left.items()))
    return Symbol(left)


def quotient(a: int | Symbol, b: int | Symbol) -> int | Symbol | None:
    """How often `b`, which is not zero, goes into `a`; None if that is not known to be a whole number.

    >>> n, m = Symbol.new(), Symbol.new()
    >>> quotient(6 * n * m, 2 * n) == 3 * m, quotient(n, m)
    (True, None)
    """
    if isinstance(a, int) and isinstance(b, int):
        return a // b if b and not a % b else None
    divisor = _terms(b)
    if len(divisor) != 1:
        return None
    ((powers, times),) = divisor.items()
    left: dict[Monomial, int] = {}
    for monomial, count in _terms(a).items():
        rest = Counter(dict(monomial))
        rest.subtract(dict(powers))
        if count % times or any(power < 0 for power in rest.values()):
            return None
        left[frozenset((+rest).items())] = count // times
    return _made(left)
