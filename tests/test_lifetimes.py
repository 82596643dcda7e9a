"""What is converted lives no longer than what it was made of, and leaves nothing behind."""

import gc
import importlib
import linecache
import sys
import types
import weakref

import numpy as np
import pytest

import autograph
import runtime
from autograph import dispatch
from autograph.operators import calls
from tests.memory import growth
from tests.programs import load, staging

CALLED = """
def helper(x):
    if x > 0:
        return x
    return -x

def f(x):
    if x > 0:
        return helper(x)
    return f(-x)
"""


def functions():
    """One of each kind of function, by name; nothing else holds it."""

    def plain(x):
        return 1 if x > 0 else 2

    def recursive(x):
        return recursive(x - 1) if x > 0 else 0

    def odd(x):
        return even(x - 1) if x > 0 else False

    def even(x):
        return odd(x - 1) if x > 0 else True

    held = types.SimpleNamespace()

    def holding(x):
        return held if x > 0 else 2

    held.function = holding

    class Made:
        def __init__(self):
            self.n = 1 if self else 2

        def method(self, x):
            return x if x > 0 else self.method(-x)

        def __add__(self, x):
            return x if x > 0 else -x

    return {
        "plain": plain,
        "lambda": lambda x: 1 if x > 0 else 2,
        "recursive": recursive,
        "mutually recursive": odd,
        "held by what it holds": holding,
        "method of a class made in a function": Made.method,
        "compiled": load(CALLED),
    }


WAYS = {
    "to_graph": lambda f: autograph.to_graph(f)(1) if f.__code__.co_argcount == 1 else autograph.to_graph(f),
    "convert": lambda f: autograph.convert(f),
    "called": lambda f: calls.call(f, *[1] * f.__code__.co_argcount) if f.__code__.co_argcount == 1 else f,
}


def is_freed(make):
    """Whether what `make` returns dies once nobody holds it."""
    found = weakref.ref(make())
    gc.collect()
    return found() is None


@pytest.mark.sampled(4)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", functions())
def test_a_function_that_nobody_holds_is_freed(kind, way):
    def make():
        function = functions()[kind]
        WAYS[way](function)
        with staging():
            WAYS[way](function)
        return function

    assert is_freed(make)


def test_a_function_is_freed_while_something_is_traced():
    def make(kind="plain"):
        function = functions()[kind]
        calls.call(function, 1)
        return function

    with staging():
        assert is_freed(make) and is_freed(lambda: make("held by what it holds"))


def test_a_function_without_circles_is_freed_at_once():
    def plain(x):
        return 1 if x > 0 else 2

    with staging():
        calls.call(plain, 1)
    found = weakref.ref(plain)
    del plain
    assert found() is None


def test_a_class_that_was_met_is_freed():
    def make():
        class Made:
            def __init__(self, n):
                self.n = n if n > 0 else 1

            @property
            def twice(self):
                return self.n * 2 if self.n else 0

        @runtime.function(jit_compile=False)
        def f(x):
            made = Made(3)
            if x > 0:
                made.n = 4
            return x * made.twice

        assert f(np.float32(2.0)).numpy() == 16
        return Made

    assert is_freed(make)


def test_a_traced_function_is_freed():
    def make():
        function = load(CALLED)
        traced = runtime.function(function, jit_compile=False)
        assert traced(np.float32(2.0)).numpy() == 2
        return function

    assert is_freed(make)


def test_a_module_under_the_hook_is_freed_when_it_is_loaded_again(tmp_path, monkeypatch):
    (tmp_path / "reloaded_module.py").write_text(CALLED, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with autograph.install_import_hook("reloaded_module"):
        module = importlib.import_module("reloaded_module")
        for _ in range(3):
            with staging():
                assert module.f(2) == 2
            before = [weakref.ref(module.f), weakref.ref(module.helper)]
            importlib.reload(module)
            gc.collect()
            assert [r() for r in before] == [None, None]
    del sys.modules["reloaded_module"]


@pytest.mark.slow
def test_memory_stays_flat_over_new_closures_of_the_same_code():
    def make(n):
        def closure(x):
            return closure if x > n else n

        return closure

    def step():
        calls.call(make(3), 1)

    with staging():
        assert growth(step, 4000)[0] < 100_000
    assert growth(lambda: autograph.to_graph(make(3)), 4000)[0] < 100_000


@pytest.mark.slow
def test_memory_stays_flat_over_new_code():
    def step():
        function = load(CALLED)
        with staging():
            assert function(3) == autograph.to_graph(function)(3) == 3
        linecache.cache.pop(function.__code__.co_filename)

    assert growth(step, 300)[0] < 150_000


@pytest.mark.slow
def test_types_that_were_asked_for_are_freed():
    def make():
        class Value:
            pass

        dispatch.backend_of(Value())
        return Value

    assert is_freed(make)
    assert growth(lambda: dispatch.backend_of(type("T", (), {})()), 2000)[0] < 100_000


def test_attributes_of_a_converted_function_are_its_own():
    def f(x):
        return 1 if x > 0 else 2

    f.marked = 1
    held = vars(f)
    with staging():
        assert calls.call(f, 1) == 1
    held["late"] = 2
    f.later = 3
    assert f.late == 2 and vars(f) == {"marked": 1, "late": 2, "later": 3}
    assert autograph.to_graph(f).marked == 1
