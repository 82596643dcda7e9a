"""Closures, decorators and functions of functions."""

import functools
import time


def counter(start=0):
    count = start

    def step(by=1):
        nonlocal count
        count += by
        return count

    return step


def compose(*functions):
    def composed(value):
        for function in reversed(functions):
            value = function(value)
        return value

    return composed


def memoize(function):
    known = {}

    @functools.wraps(function)
    def called(*key):
        if key not in known:
            known[key] = function(*key)
        return known[key]

    return called


@memoize
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def retry(times, *errors):
    def decorate(function):
        @functools.wraps(function)
        def tried(*args, **kwargs):
            for left in reversed(range(times)):
                try:
                    return function(*args, **kwargs)
                except errors:
                    if not left:
                        raise

        return tried

    return decorate


def unreliable(failures):
    @retry(3, OSError)
    def attempt():
        nonlocal failures
        failures -= 1
        if failures >= 0:
            raise OSError("not now")
        return "done"

    return attempt()


def timed(function, *args, clock=time.perf_counter, **kwargs):
    start = clock()
    result = function(*args, **kwargs)
    return result, clock() - start >= 0


def adders():
    return [lambda x, n=n: x + n for n in range(3)]


def late():
    return [lambda: n for n in range(3)]


def group(items, key=lambda item: item):
    groups = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def pipeline(value, *steps):
    for step in steps:
        name, *rest = step if isinstance(step, tuple) else (step,)
        value = getattr(value, name)(*rest)
    return value


def use_counter():
    step = counter(5)
    return step(), step(10), step()


def use_lambdas(x):
    return [f(x) for f in adders()], [f() for f in late()], compose(str, abs)(-x)


CALLS = {
    "fibonacci": [(20,)],
    "unreliable": [(2,), (3,)],
    "timed": [(sorted, [2, 1])],
    "group": [(["bb", "a", "cc"], len), ([1, 1, 2],)],
    "pipeline": [(" a,b ", "strip", ("split", ","))],
    "use_counter": [()],
    "use_lambdas": [(4,)],
}
