"""locals, vars, dir, eval, exec, frames, warnings."""

import sys


def local_variables(n=3):
    x = n
    if x > 1:
        y = x
    for i in range(2):
        if i:
            z = i
    return sorted(locals()), {k: v for k, v in locals().items() if k in "xyz"}


def variables_in_a_branch(n=3):
    x = 1
    if n > 1:
        y = 2
        names = sorted(locals())
    return names, sorted(vars()), dir()


def variables_in_a_loop(n=3):
    found = []
    for i in range(n):
        if i == 1:
            continue
        if i == 2:
            found.append(sorted(locals()))
            break
        found.append(sorted(vars()))
    return found


def variables_of_a_closure(n=3):
    captured, unused = 1, 2

    def inner(a):
        b = captured
        if a > 1:
            b += a
        return sorted(locals())

    return inner(2), inner(0)


def variables_with_a_return_in_a_loop(n=3):
    for i in range(n):
        while i > 0:
            if i == 2:
                return sorted(locals())
            i -= 5


def evaluation(n=3):
    x = 10
    if n > 1:
        y = eval("x + n")
        exec("z = y")
    return eval("x + y"), eval("sorted(locals())"), eval("(lambda q: q + 1)(n)")


def execution(n=3):
    scope = {"n": n}
    exec("if n > 1:\n    m = n * 2\nelse:\n    m = 0", scope)
    x = 1
    exec("x = 2")
    return scope["m"], x, eval("n", {"n": 9}), eval("n", {}, {"n": 8})


def format_map_of_locals(name="a", n=3):
    if n > 1:
        text = "{name} is {n}".format_map(locals())
    return text, "%(name)s" % vars()


def parameters_named_like_readers(n=3, vars=lambda: [1], dir=lambda: (2,), eval=str.upper, exec=str.lower):
    found = [vars(), dir(), eval("n"), exec("N")]
    if n > 1:
        found.append([vars(), dir(), eval("m"), exec("M")])
    return found


def a_parameter_named_locals(n=3, locals=lambda: {1: 2}):
    if n > 1:
        return locals(), [locals() for _ in range(2)], eval("n + 1")


def a_variable_named_globals(n=3):
    def globals():
        return 7

    return globals(), sorted(locals()) if n else 0, eval("n + 1")


def evaluation_of_an_unbound_name(n=3):
    if n > 5:
        y = 1
    return eval("y")


def frames_of_callers(n=3):
    def who(depth=1):
        return sys._getframe(depth).f_code.co_name

    if n > 1:
        a = who()
    for i in range(1):
        b = who()
    c = who() if n > 1 else None
    return a, b, c, (lambda: who(2))()


def line_numbers(n=3):
    def line():
        return sys._getframe(1).f_lineno - sys._getframe(1).f_code.co_firstlineno

    found = [line()]
    if n > 1:
        found.append(line())
    for i in range(2):
        if i:
            found.append(line())
    return found


def warnings_name_the_caller(n=3):
    import warnings

    def old(x):
        if x > 1:
            warnings.warn("old", DeprecationWarning, stacklevel=2)

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        old(n)
        if n > 1:
            old(n)
    return [w.lineno - seen[0].lineno for w in seen], [w.filename == seen[0].filename for w in seen]


def modules_of_made_classes(n=3):
    import collections
    import enum

    if n > 1:
        T = collections.namedtuple("T", "a")
        E = enum.Enum("E", "X Y")
    return T.__module__ == __name__, E.__module__ == __name__


def globals_are_the_modules(n=3):
    if n > 1:
        here = globals()
    return here["__name__"] == __name__, here is globals(), "ag__" in locals()


def stack_names(n=3):
    import inspect

    if n > 1:
        for i in range(1):
            names = [f.function for f in inspect.stack()[:1]]
    return names, inspect.currentframe().f_code.co_name


def current_frame_variables(n=3):
    x = 1
    if n > 1:
        x = sys._getframe().f_locals["n"]
    return x


def frames_in_loops_with_jumps(n=3):
    def who():
        return sys._getframe(1).f_code.co_name, sys._getframe(2).f_code.co_name

    def loops(n):
        found = []
        for i in range(5):
            if i == n:
                break
            found.append(who())
            for j in "abc":
                while True:
                    found.append(who())
                    if j == "b":
                        break
                    j = "b"
                if i == 1:
                    continue
                found.append(who())
        while n > 0:
            n -= 1
            found.append(who())
            if n == 1:
                return found

    return loops(n)


def iterators_in_loops_with_jumps(n=3):
    asked = []

    class Items:
        def __init__(self):
            self.n = 0

        def __iter__(self):
            asked.append("iter")
            return self

        def __next__(self):
            asked.append(sys._getframe(1).f_code.co_name)
            self.n += 1
            if self.n > 5:
                raise StopIteration
            return self.n

    items = Items()
    items.__next__ = lambda: 1 / 0
    for item in items:
        if item > n:
            break
    else:
        asked.append("else")
    for item in items:
        if item > 9:
            break
    else:
        asked.append("else")
    return asked


def line_numbers_in_loops_with_jumps(n=3):
    def line():
        return sys._getframe(1).f_lineno - sys._getframe(1).f_code.co_firstlineno

    found = []
    for i in range(9):
        found.append(line())
        if i > n:
            found.append(line())
            break
    while found:
        found.append(line())
        if len(found) > 12:
            return found


def tracebacks_of_loops_with_jumps(n=3):
    def fails():
        for i in range(9):
            if i > 20:
                break
            while True:
                if i > 1:
                    [][i]
                if i < 9:
                    break

    try:
        fails()
    except IndexError as error:
        import traceback

        return [f.name for f in traceback.extract_tb(error.__traceback__)]


def variables_live_no_longer_than_loops(n=3):
    import weakref

    class Thing:
        pass

    found = []
    for i in range(3):
        thing = Thing()
        found.append(weakref.ref(thing))
        if i == 1:
            break
    while True:
        thing = Thing()
        found.append(weakref.ref(thing))
        if len(found) > 3:
            break
    del thing
    return [f() is None for f in found]


def generators_see_the_loop_as_their_caller(n=3):
    def items():
        while True:
            yield sys._getframe(1).f_code.co_name

    def loop(source):
        found = []
        for item in source:
            found.append(item)
            if len(found) == n:
                break
        for item in source:
            found.append(item)
            for inner in source:
                found.append(inner)
                return found

    def plain(source):
        for a, b in zip(range(3), source):
            pass
        for item in (i for i in [b]):
            return item, b

    return loop(items()), plain(items())
