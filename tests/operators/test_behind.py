"""What is changed through something that only leads to it is as in Python: a view, a weak reference, ``super()``, an
array of objects, a function that a library holds and calls."""

import contextlib
import ctypes
import functools
import types
import weakref
from collections import OrderedDict

import numpy as np
import pytest

import runtime
from autograph import StagingError
from autograph.operators.behind import behind, elements_in, functions_in
from tests.programs import load


class Box:
    def __init__(self, p=1):
        self.p = p

    def step(self):
        self.p += 1


BEFORE = """
def f(n):
    k = 0
    box = Box()
    def step(*_):
        nonlocal k
        k += 1
        return k
    {setup}
    if n > 0:
        {change}
    return {look}
"""
VIEWS = {
    "a view of a class's kind": ("m = types.MappingProxyType({'k': [1]})", "m['k'][0] = 5", "m['k'][0]"),
    "values": ("m = {'k': box}.values()", "[*m][0].step()", "box.p"),
    "items of an ordered one": ("m = OrderedDict(k=box).items()", "[*m][0][1].step()", "box.p"),
    "a weak reference": ("r = weakref.ref(box)", "r().step()", "box.p"),
    "a weak method": ("r = weakref.WeakMethod(box.step)", "r()()", "box.p"),
    "a proxy": ("r = weakref.proxy(box)", "r.p = 5", "box.p"),
    "a weak set": ("r = weakref.WeakSet([box])", "[*r][0].step()", "box.p"),
    "super": ("class Sub(Box):\n        def step(self): pass\n    o = Sub()\n    s = super(Sub, o)", "s.step()", "o.p"),
    "objects in an array": ("a = np.array([box, Box(2)], dtype=object)", "a[0].step()", "box.p"),
    "a flat array": ("a = np.array([1, 2]).flat", "a[0] = 5", "a[0]"),
    "seen memory": ("b = memoryview(bytearray(b'ab'))", "b[1] = 5", "b[1]"),
    "a number of C's": ("c = ctypes.c_int(1)", "c.value = 5", "c.value"),
    "a struct of C's": ("class S(ctypes.Structure): _fields_ = [('a', ctypes.c_int)]\n    c = S(1)", "c.a = 5", "c.a"),
    "a subclass that is told of": (
        "class A:\n        def __init_subclass__(cls): box.step()", "class B(A): pass", "box.p"),
    "a class that is indexed": ("class A:\n        def __class_getitem__(cls, i): box.p = i", "A[5]", "box.p"),
    "a class of a class": (
        "class M(type):\n        def __call__(cls): return step()\n    class A(metaclass=M): pass", "A()", "k"),
}  # fmt: skip
CALLS = {
    "a context manager": (
        "@contextlib.contextmanager\n    def cm(): yield step()\n    def run():\n        with cm(): pass", "run()", "k"
    ),
    "a decorator of contexts": (
        "class D(contextlib.ContextDecorator):\n        def __enter__(self): step()\n"
        "        def __exit__(self, *_): step()\n    @D()\n    def run(): pass", "run()", "k"),
    "one of several functions": (
        "g = functools.singledispatch(lambda x: 0)\n    g.register(list, step)", "g([])", "k"),
    "a function that remembers": ("g = functools.cache(step)", "g(1)", "k"),
    "a method with arguments": (
        "class A: run = functools.partialmethod(step, 1)\n    a = A()", "a.run()", "k"),
    "a function of arrays": ("g = np.vectorize(step, otypes=[int])", "g([1, 2])", "k"),
}  # fmt: skip
NAMES = {
    "Box": Box, "types": types, "weakref": weakref, "OrderedDict": OrderedDict, "np": np, "ctypes": ctypes,
    "contextlib": contextlib, "functools": functools,
}  # fmt: skip


@pytest.mark.parametrize("name", {**VIEWS, **CALLS})
def test_a_change_is_as_in_python_or_refused(name):
    setup, change, look = {**VIEWS, **CALLS}[name]
    f = load(BEFORE.format(setup=setup, change=change, look=look), **NAMES)
    assert f(2) != f(-2)
    for n in (2, -2):
        try:
            found = runtime.function(f)(np.int64(n))
        except StagingError as error:
            assert "staged statement" in str(error) or "while tracing" in str(error)
        else:
            assert found == f(n)


def test_what_is_behind_a_thing():
    box, table = Box(), {"k": 1}
    assert [*behind(weakref.ref(box))] == [*behind(weakref.proxy(box))] == [box]
    assert [*behind(types.MappingProxyType(table))] == [*behind(table.keys())] == [table]
    assert [*behind(super(Box, box))] == [box, Box]
    assert [*behind(functools.cache(len))] == [len]
    gone = weakref.ref(Box()), weakref.proxy(Box())
    for value in (*gone, 3, "text", [box], table, len, Box, box):
        assert [*behind(value)] == []


def test_the_elements_of_an_array():
    box = Box()
    assert elements_in(np.array([[box, 1]], dtype=object)) == [box, 1]
    assert elements_in(np.ones(3)) == elements_in(np.array(["a"])) == []


def test_what_a_librarys_function_calls():
    def step():
        pass

    assert functions_in(contextlib.contextmanager(step)) == [step]
    (dispatches,) = functions_in(functools.singledispatch(step))
    assert step in functions_in(dispatches)
    assert functions_in(functools.wraps) == []
