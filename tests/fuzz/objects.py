"""What generated programs on tensors have at hand: objects and functions that are converted where they are called."""

# ruff: noqa
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

import enum
from collections import deque, namedtuple

import numpy as np


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 4


class Limited:
    """An attribute that is never above 20, and 2 at least where it is read."""

    def __get__(self, box, kind=None):
        return max(getattr(box, "_level", 0), 2)

    def __set__(self, box, k):
        if k > 20:
            k = 20
        box._level = k


Point = namedtuple("Point", "x y")


class Box:
    level = Limited()

    def __init__(self, n, m=0.5):
        self.n = n
        self.m = m

    def add(self, k):
        if k > 1:
            self.n += k
        else:
            self.m = self.m * 0.5
        return self

    @property
    def twice(self):
        return self.n * 2 if self.n > 3 else self.n

    def __getitem__(self, k):
        return self.n + k

    __iter__ = None  # there would be no end, also where a graph has a branch that plain Python never takes

    def __add__(self, other):
        return Box(self.n + other.n, self.m)


class Sub(Box):
    def add(self, k):
        while k > 3:
            k = k // 2
        return super().add(k)


class Money:
    def __init__(self, v):
        self.v = v

    def __format__(self, spec):
        return "EUR " + format(self.v, spec) if self.v > 0 else "none"


class Base:
    """What there is before anything is traced."""

    def __add__(self, k):
        return k + 1 if k > 2 else k - 1


BOX = Base()


@dataclass
class Pair:
    left: object
    right: object = 0

    def larger(self):
        if self.left > self.right:
            return self.left
        return self.right


def helper(k):
    """A function that may return None, and may fail."""
    if k > 7:
        return None
    while k < 0:
        k = k + 2
        if k % 5 == 0:
            raise KeyError("five")
    return k * 2


def depth(k, far=0):
    if k <= 0 or far > 5:
        return far
    return depth(k - 2, far + 1)


def dig(array, k, by):
    if k > 0:
        array[k % 4] += by
        dig(array, k - 1, by)
        if array[0] > by:
            dig(array, k - 3, -by)


def gather(found, k):
    found.append(k)
    if k > 0:
        gather(found, k - 2)
        if k % 3 == 0:
            found[0] += gather(found, k - 3)
    return len(found)


def climb(found, k, far):
    if k > far:
        return far
    found.append(k)
    y = climb(found, k + 1, far)
    found.pop()
    return y - k


def tally(box, k, times=2):
    box.n += k
    box.m = k * 0.5
    while k > 0 and times > 0:
        k -= tally(box, k - 1, times - 1)
    return 1


def order(array, low, high):
    if low >= high:
        return 0
    at = low
    for k in range(low, high):
        if array[k] < array[high]:
            array[at], array[k] = array[k], array[at]
            at += 1
    array[at], array[high] = array[high], array[at]
    return 1 + order(array, low, at - 1) + order(array, at + 1, high)


def first_above(values, k):
    for i, v in enumerate(values):
        if v > k:
            return i
    return -1


def bump(array, at, by):
    array[at] += by
    return array


def apply(function, *arguments):
    return function(*arguments)


@contextmanager
def noted(items, v):
    items.append(v)
    yield v
