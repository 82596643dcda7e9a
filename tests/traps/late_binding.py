"""Closures that outlive the iteration which made them, and ``super()`` where expressions stand."""

import functools
import operator

# ruff: noqa: B023, C416, C417, C419, E731, PERF401, SIM103


def values(functions):
    return [f() for f in functions]


def list_comprehension(xs=(1, 2, 3)):
    return values([lambda: x for x in xs])


def generator_expression(xs=(1, 2, 3)):
    generator = (lambda: x for x in xs)
    first = next(generator)
    before = first()
    return before, values(generator), first()


def set_and_dict_comprehensions(xs=(1, 2, 3)):
    return sorted(values({lambda: x for x in xs})), values({x: lambda: x for x in xs}.values())


def default_keeps_its_value(xs=(1, 2, 3)):
    return values([lambda x=x: x for x in xs])


def tuple_target(xs=((1, 2), (3, 4))):
    return values([lambda: (a, b) for a, b in xs])


def two_loops(xs=((1, 2), (3, 4))):
    return values([lambda: (x, y) for x in xs for y in x]), values([lambda: y for x in xs for y in x if y > 1])


def three_loops_share_one_variable(xs=(1, 2)):
    return values([lambda: (x, y, z) for x in xs for y in (x, x + 1) for z in (y,) if z])


def inner_comprehension(xs=(1, 2, 3)):
    return [values([lambda: (x, y) for y in xs]) for x in xs], values([values for x in xs for values in [lambda: x]])


def condition_makes_a_closure(xs=(1, 2, 3)):
    kept = []
    made = [x for x in xs if not kept.append(lambda: x)]
    return made, values(kept)


def nested_generators_see_the_last(xs=(1, 2, 3)):
    return [list(g) for g in [(x * y for y in xs) for x in xs]]


def assigned_after_the_branch_that_made_the_closure(n=1):
    made = []
    if n > 0:
        x = n
        made.append(lambda: x)
    x = 7
    return values(made)


def target_of_a_loop_after_the_branch(pairs=((1, 2), (3, 4))):
    made = []
    if pairs:
        y = len(pairs)
        made.append(lambda: y)
    for x, y in pairs:
        if x:
            break
    return values(made)


def assigned_by_a_handler_after_the_branch(n=0):
    made = []
    try:
        if n < 1:
            x = n
            made.append(lambda: x)
        1 / n  # noqa: B018
    except ZeroDivisionError:
        x = "handled"
    return values(made)


def assigned_after_the_loop_that_made_the_closures(n=3):
    made = []
    while n > 0:
        n -= 1
        x = n
        made.append(lambda: x)
    x = "later"
    return values(made)


def deleted_after_the_branch_that_made_the_generator(n=2):
    rest = iter(())
    if n > 0:
        x = n
        rest = (x * k for k in range(n))
    del x
    return list(rest)


def generators_used_up_at_once(xs=(1, 2, 3)):
    return [sum(x * y for y in xs) for x in xs], [sorted(-x for _ in xs) for x in xs]


def used_up_by_a_function_of_that_name(xs=(1, 2, 3)):
    sum = lambda generator: generator
    return [list(g) for g in [sum(x * y for y in xs) for x in xs]]


def lambda_used_at_once(xs=(3, 1, 2)):
    return [sorted(xs, key=lambda y: abs(y - x)) for x in xs], [list(map(lambda y: y + x, xs)) for x in xs]


def partial_keeps_its_value(xs=(1, 2, 3)):
    return values([functools.partial(operator.neg, x) for x in xs])


def changed_by_a_closure(xs=(1, 2)):
    def one(v):
        return v

    return [[(lambda: one(x))(), x] for x in xs if (lambda: x > 0)()]


def loops(xs=(1, 2, 3)):
    made, more, defaults = [], [], []
    for x in xs:
        doubled = x * 2
        made.append(lambda: x)
        more.append(lambda: doubled)
        defaults.append(lambda x=x: x)
    return values(made), values(more), values(defaults)


def loops_with_conditions(xs=(1, 2, 3)):
    made = []
    for x in xs:
        if x > 1:
            y = x * 10
            made.append(lambda: (x, y))
    n = 0
    while n < 3:
        n += 1
        if n != 2:
            made.append(lambda: n)
    return values(made)


def unpacking_that_fails(xs=((1, 2, 3),)):
    found = []
    for ys in (xs, (1,), ((1,),), (b"ab",), ({1: 2, 3: 4},)):
        try:
            found.append([(lambda: (a, b))() for a, b in ys])
        except (TypeError, ValueError) as error:
            found.append(str(error))
        try:
            found.append([(b, a) for a, b in ys])
        except (TypeError, ValueError) as error:
            found.append(str(error))
    return found


def name_of_the_function_around(xs=(1, 2)):
    x = "outer"
    made = [lambda: x for x in [x, *xs]]
    return x, values(made)


class Base:
    def g(self, x=1):
        return f"base {x}"

    @property
    def name(self):
        return "base"

    @classmethod
    def make(cls, x):
        return cls.__name__, x


class Derived(Base):
    __secret = 3

    def g(self, x=1):
        return super().g(x) if x > 0 else x

    @property
    def name(self):
        return "derived " + (super().name if self else "")

    @classmethod
    def make(cls, x):
        return x > 0 and super().make(x)

    def everywhere(self, x):
        found = [x > 0 and super().g(x), x < 0 or super().g(2), not super().g(3)]
        found.append((lambda: __class__)().__name__ if x else None)
        while x > 0 and super().g(x) != "base 1":
            x -= 1
        for _ in range(x):
            if super().g(x):
                found.append(super().name)
        found.append(x > 0 > x or (1 < 2 < len(super().g(x)) < 9))
        assert x >= 0, super().g(x)
        try:
            assert x > 5, super().g(x)
        except AssertionError as error:
            found.append(str(error))
        if x:
            self = None
            found.append(self)
        return found

    def private(self, x):
        found = self.__secret if x > 0 else -self.__secret
        return found, x > 0 and self.__secret, [self.__secret + y for y in (x,) if y > 0 and self.__secret]

    def matched(self, x):
        match x:
            case int() if super().g(x):
                return super().g(x)
            case _ if x:
                return super().name
        return None


def supers():
    d = Derived()
    return d.g(1), d.g(-1), d.name, Derived.make(1), Derived.make(0), d.everywhere(3), d.everywhere(0)


def private_names_and_patterns():
    d = Derived()
    return d.private(2), d.private(-2), d.matched(2), d.matched("a"), d.matched("")


def own_super(x=1):
    super = lambda: "own"
    return super() if x > 0 else x, x > 0 and super()


def walrus_and_frames(x=1):
    y = 5
    found = x > 0 and "y" in locals()
    more = sorted(locals()) if x > 0 else ()
    z = eval("y + x") if x else 0
    w = x and (v := x + 1)
    try:
        assert x > 1, (u := "message")
    except AssertionError as error:
        found = str(error), u
    return found, more, z, w, v, [k for k in (x,) if k > 0 and "k" in locals()]


def walrus_in_a_loop_test_in_a_loop(x=1):
    z = 2
    for _ in range(1):
        n = 0
        while n < 2 and (z := (z + x) % 17) != 5:
            n += 1
        if x:
            return n, z


def super_in_a_default(x=3):
    class Outer(Base):
        def g(self, x=1):
            def inner(a=super().g(x) if x > 0 else x, b=x and super().g(2)):
                return a, b

            return inner()

    return Outer().g(x)


def unreachable_jump_in_finally(x=1):
    n = 0
    while n < 3:
        n += 1
        try:
            if x > 5:
                return n
        finally:
            while x > 3:
                break
                return n
    return n
