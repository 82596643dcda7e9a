"""Parameters, defaults, identity, calls."""

import functools


def every_kind_of_parameter():
    def f(a, b=2, /, c=3, *args, d, e=5, **kw):
        if a > 0:
            c += 1
        return a, b, c, args, d, e, kw

    return f(1, d=4), f(1, 2, 3, 4, 5, d=6, z=7), f(-1, *[1, 2], **{"d": 1, "a": 9})


def wrong_calls():
    def f(a, /, b, *, c=1):
        if a:
            return b

    found = []
    for arguments, named in [((), {}), ((1,), {}), ((1, 2, 3), {}), ((1, 2), {"d": 1}), ((1,), {"a": 1, "b": 2})]:
        try:
            f(*arguments, **named)
        except TypeError as error:
            found.append(str(error))
    return found


def defaults_are_made_once():
    log = []

    def note():
        log.append("made")
        return []

    def f(x, items=note()):
        if x > 0:
            items.append(x)
        return items

    return f(1), f(2), f(0), log


def identity_of_inner_functions(n=3):
    def f(x: int, *, y: "str" = "a") -> "list[int]":
        """What it does."""
        if x > 0:
            return [x]
        return []

    f.attribute = n
    return (
        f.__name__, f.__qualname__, f.__doc__, f.__module__ == __name__, f.__defaults__, f.__kwdefaults__,
        f.__annotations__, f.__dict__, f.__code__.co_name, f.__code__.co_varnames[:2], f.__code__.co_argcount,
    )  # fmt: skip


def order_of_evaluation():
    log = []

    def note(x):
        log.append(x)
        return x

    def f(*args, **kw):
        return args, kw

    note(f)(note(1), *[note(2)], k=note(3), **{"m": note(4)})
    {note("key"): note("value")}
    [note(0)][note(0)] = note(9) if False else note(8)
    x = [[0, 0], [0, 0]]
    x[note(0)][note(1)] += note(5)
    note(1) < note(2) < note(0) < note(7)
    (note("a") and note("") and note("never")) or note("b") or note("never")
    return [getattr(entry, "__name__", entry) for entry in log], x


def operand_reads_before_it_is_changed():
    x = [1]

    def change():
        x[0] = 10
        return 1

    y = x[0] + change() if x else 0
    n = 5

    def bump():
        nonlocal n
        n += 1
        return n

    z = n + bump() + n
    return y, z, n < bump() < n + 1


def recursion_of_all_kinds():
    def even(n):
        if n == 0:
            return True
        return odd(n - 1)

    def odd(n):
        if n == 0:
            return False
        return even(n - 1)

    class Tree:
        def __init__(self, *children):
            self.children = children

        def size(self):
            total = 1
            for child in self.children:
                total += child.size()
            return total

    def ackermann(m, n):
        if m == 0:
            return n + 1
        if n == 0:
            return ackermann(m - 1, 1)
        return ackermann(m - 1, ackermann(m, n - 1))

    return even(50), odd(7), Tree(Tree(), Tree(Tree())).size(), ackermann(2, 3)


def callables_of_all_kinds():
    class Callable:
        def __call__(self, x):
            if x > 1:
                return "object", x
            return "small"

        @classmethod
        def make(cls, x):
            return cls()(x)

        @staticmethod
        def static(x):
            return x if x > 1 else None

    class Unhashable:
        __hash__ = None

        def __call__(self, x):
            return "unhashable", x

    def f(x, y=1):
        if x > y:
            return x
        return y

    unhashable = Unhashable()
    p = functools.partial(f, y=10)
    return (
        Callable()(3), Callable.make(3), Callable.static(3), p(5), p(50), unhashable(1),
        list(map(f, [1, 2])), max([1, 3, 2], key=lambda x: -x if x > 1 else x), sorted([3, 1, 2], key=f),
        functools.reduce(lambda a, b: a + b if a else b, [1, 2, 3]), int("5"), str(5).zfill(3),
    )  # fmt: skip


def not_callable(n=3):
    if n > 1:
        return n()


def arguments_before_the_failing_call():
    log, five = [], 5
    try:
        five(log.append("made"))
    except TypeError as error:
        return str(error), log


def function_attributes_and_copies():
    import copy
    import weakref

    def f(x):
        if x > 1:
            f.calls = getattr(f, "calls", 0) + 1
        return x

    f(2), f(3), f(0)
    return f.calls, copy.copy(f) is f, copy.deepcopy(f) is f, weakref.ref(f)() is f, {f: 1}[f], f == f


def currying(n=3):
    def add(a):
        def second(b):
            def third(c):
                if a > b:
                    return a - b + c
                return a + b + c

            return third

        return second

    return add(1)(2)(3), add(5)(2)(3)


def mutual_defaults(n=3, box=[]):
    box.append(n)
    if len(box) > 1:
        return "twice"
    return box


def keyword_only_names(*, n=3, if_=4):
    if n > 1:
        n, if_ = if_, n
    return n, if_


def docstring_only():
    """Nothing else."""


def many_locals(n=3):
    a = b = c = d = e = f = g = h = i = j = k = l = m = 0
    for x in range(n):
        if x % 2:
            a, b, c, d = a + 1, b + 2, c + 3, d + 4
        else:
            e, f, g, h = e + 1, f + 2, g + 3, h + 4
        i, j, k, l, m = j, k, l, m, x
    return a, b, c, d, e, f, g, h, i, j, k, l, m, n, x
