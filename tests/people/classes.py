"""Classes: data, collections, hierarchies."""

from __future__ import annotations

import enum
import functools
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, order=True)
class Vector:
    x: float
    y: float = 0.0

    def __add__(self, other):
        if not isinstance(other, Vector):
            return NotImplemented
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    @property
    def length(self):
        return (self.x**2 + self.y**2) ** 0.5

    @classmethod
    def of(cls, text):
        x, _, y = text.partition(",")
        return cls(float(x), float(y) if y else 0.0)

    def clipped(self, limit):
        if self.length <= limit:
            return self
        return limit / self.length * self


class Color(enum.Enum):
    RED = 1
    GREEN = 2

    @property
    def next(self):
        return Color.GREEN if self is Color.RED else Color.RED


@dataclass
class Account:
    owner: str
    balance: int = 0
    history: list[int] = field(default_factory=list)

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("deposit something")
        self.balance += amount
        self.history.append(amount)
        return self

    def withdraw(self, amount):
        if amount > self.balance:
            return False
        self.balance -= amount
        self.history.append(-amount)
        return True

    @functools.cached_property
    def label(self):
        return f"{self.owner} ({len(self.history)})"


class Stack:
    """A stack that knows its smallest item."""

    def __init__(self, items=()):
        self._items = []
        for item in items:
            self.push(item)

    def push(self, item):
        smallest = min(item, self._items[-1][1]) if self._items else item
        self._items.append((item, smallest))

    def pop(self):
        if not self._items:
            raise IndexError("the stack is empty")
        return self._items.pop()[0]

    @property
    def smallest(self):
        return self._items[-1][1] if self._items else None

    def __len__(self):
        return len(self._items)

    def __iter__(self):
        return (item for item, _ in reversed(self._items))

    def __contains__(self, wanted):
        return any(item == wanted for item, _ in self._items)


class Shape:
    def __init__(self, name="shape"):
        self.name = name

    def area(self):
        raise NotImplementedError

    def __lt__(self, other):
        return self.area() < other.area()


class Square(Shape):
    def __init__(self, side):
        super().__init__("square")
        self.side = side

    def area(self):
        return self.side**2


class Circle(Shape):
    def __init__(self, radius):
        super().__init__("circle")
        self.radius = radius

    def area(self):
        return 3 * self.radius**2 if self.radius > 0 else 0


class Node:
    def __init__(self, key, left=None, right=None):
        self.key, self.left, self.right = key, left, right

    def insert(self, key):
        side = "left" if key < self.key else "right"
        child = getattr(self, side)
        if child is None:
            setattr(self, side, Node(key))
        else:
            child.insert(key)

    def __iter__(self):
        if self.left:
            yield from self.left
        yield self.key
        if self.right:
            yield from self.right

    def depth(self):
        return 1 + max((child.depth() for child in (self.left, self.right) if child is not None), default=0)


class Cache(dict):
    def __init__(self, make):
        super().__init__()
        self.make = make

    def __missing__(self, key):
        value = self[key] = self.make(key)
        return value


def use_vectors(texts):
    total = sum((Vector.of(text) for text in texts), Vector(0))
    return total, total.clipped(1).length, replace(total, x=0), 2 * total > total


def use_account(amounts):
    account = Account("ann")
    for amount in amounts:
        if amount >= 0:
            account.deposit(amount)
        elif not account.withdraw(-amount):
            break
    return account, account.label


def use_stack(items):
    stack = Stack(items)
    return len(stack), stack.smallest, list(stack), 2 in stack, stack.pop() if stack else None


def biggest(sizes):
    shapes = [Square(s) if s % 2 else Circle(s) for s in sizes]
    shape = max(shapes)
    return shape.name, shape.area()


def sort_by_tree(items):
    root = None
    for item in items:
        if root is None:
            root = Node(item)
        else:
            root.insert(item)
    return (list(root), root.depth()) if root else ([], 0)


def lights(n):
    color = Color.RED
    for _ in range(n):
        color = color.next
    return color.name.title()


def squares(*numbers):
    cache = Cache(lambda n: n * n)
    return [cache[n] for n in numbers], dict(cache)


CALLS = {
    "use_vectors": [(["1,2", "3"],), ([],)],
    "use_account": [([5, -3, 4],), ([1, -9, 4],), ([0],)],
    "use_stack": [([3, 1, 2],), ((),)],
    "biggest": [([1, 2, 3],)],
    "sort_by_tree": [([3, 1, 2, 5],), ([],)],
    "lights": [(3,)],
    "squares": [(2, 3, 2)],
}
