"""Methods, super, name mangling, descriptors, dunders, properties, metaclasses."""

import functools


def zero_argument_super(n=3):
    class Base:
        def m(self, x):
            return ("base", x)

        @classmethod
        def c(cls):
            return cls.__name__

    class Derived(Base):
        def m(self, x):
            if x > 1:
                return super().m(x)
            return ("derived", x)

        @classmethod
        def c(cls):
            if cls is not None:
                return super().c() + "!"

        def loop(self):
            found = []
            for i in range(3):
                if i > 0:
                    found.append(super().m(i))
            return found, __class__.__name__

    return Derived().m(3), Derived().m(0), Derived.c(), Derived().loop()


def variables_that_are_called_super(n=3):
    class Base:
        def f(self):
            return 10

        def g(self):
            return 20

    class Derived(Base):
        def f(self, times=1):
            if times > 0:
                y = super().f() + n
            else:
                y = super().f() - n
            return y

        def g(self, super=None):
            return super if super else [super for super in (1, 2) if super > 1]

        def alike(self, x):
            super = x if x else 2
            return (lambda: super + 1 if super else 0)()

        def asks(self, isinstance=1):
            return isinstance if isinstance > 1 else 0

        def parent(self, x):
            parent = super
            if x:
                return parent().f(), parent(Derived, self).f()
            return parent().g() if not x else 0

    d = Derived()
    return d.f(), d.f(0), d.g(), d.g(3), d.alike(0), d.asks(2), d.parent(1), d.parent(0)


def what_super_finds_no_class_for(n=3):
    class Base:
        def f(self):
            return 10

    class Derived(Base):
        def in_a_function(self):
            parent = super

            def inner():
                return parent().f() if n else 0

            try:
                return inner()
            except RuntimeError:
                return "no class"

    return Derived().in_a_function()


def super_in_a_comprehension(n=3):
    class Base:
        def f(self):
            return 10

    def outcome(function, *arguments):
        try:
            return function(*arguments)
        except TypeError as error:
            return type(error).__name__

    class Derived(Base):
        def of_items(self, x):
            return list(super().f() for y in "ab" if x)

        def by_items(self):
            return list(y for y in "ab" if super().f())

        def in_a_choice(self, x):
            return tuple(super().f() if x else y for z in "ab" for y in z if y)

        def listed(self, x):
            return [super().f() for y in "ab" if x]

        def listed_twice(self, x):
            return {super().f() + len(y) for z in "ab" if x for y in z if y}

        def first_iterable(self):
            return list(y for y in [super().f()] if y)

        def in_a_function(self, x):
            return [(lambda self: super().f() if x else 0)(self) for y in "ab" if x]

    d = Derived()
    found = [outcome(f, x) for f in (d.of_items, d.in_a_choice, d.listed, d.listed_twice, d.in_a_function) for x in (0, 1)]
    return found, outcome(d.by_items), outcome(d.first_iterable)


def super_in_a_nested_function():
    class Base:
        def m(self):
            return "base"

    class Derived(Base):
        def m(self):
            def inner(self=self):
                if self:
                    return super(Derived, self).m()

            return inner(), [super(Derived, self).m() for _ in range(1)]

    return Derived().m()


def private_names(n=3):
    class Counter:
        __total = 0

        def __init__(self):
            self.__count = 0

        def __step(self):
            if self.__count < 10:
                self.__count += 1
                __local = self.__count
            return __local

        def run(self):
            while self.__count < 3:
                self.__step()
            __n = 5
            if __n > 1:
                __n += 1
            return self.__count, __n, self.__total

    counter = Counter()
    return counter.run(), sorted(vars(counter))


def private_arguments():
    class C:
        def m(self, *, __key=1):
            if __key:
                __key += 1
            return __key

    return C().m(), C().m(_C__key=5)


def properties():
    class Temperature:
        def __init__(self, c):
            self._c = c

        @property
        def f(self):
            """Fahrenheit."""
            if self._c is None:
                return None
            return self._c * 9 / 5 + 32

        @f.setter
        def f(self, value):
            if value < -459:
                raise ValueError("too cold")
            self._c = (value - 32) * 5 / 9

        @f.deleter
        def f(self):
            if self._c:
                self._c = None

    t = Temperature(100)
    found = [t.f]
    t.f = 32
    found.append(t._c)
    try:
        t.f = -1000
    except ValueError as error:
        found.append(str(error))
    t._c = 1
    del t.f
    return found, t.f, Temperature.f.__doc__


def descriptors():
    class Positive:
        def __set_name__(self, owner, name):
            self.name = "_" + name

        def __get__(self, instance, owner):
            if instance is None:
                return self.name
            return getattr(instance, self.name)

        def __set__(self, instance, value):
            if value <= 0:
                raise ValueError(self.name)
            setattr(instance, self.name, value)

    class Item:
        price = Positive()

        def __init__(self, price):
            self.price = price

        def raise_by(self, n):
            for _ in range(n):
                self.price += 1
            return self.price

    try:
        Item(-1)
    except ValueError as error:
        return Item(1).raise_by(3), Item.price, str(error)


def dunders():
    class Vector:
        def __init__(self, *xs):
            self.xs = xs

        def __eq__(self, other):
            if not isinstance(other, Vector):
                return NotImplemented
            return self.xs == other.xs

        def __hash__(self):
            return hash(self.xs)

        def __lt__(self, other):
            for a, b in zip(self.xs, other.xs):
                if a != b:
                    return a < b
            return False

        def __len__(self):
            return len(self.xs)

        def __getitem__(self, i):
            if isinstance(i, slice):
                return Vector(*self.xs[i])
            return self.xs[i]

        def __contains__(self, x):
            return any(x == y for y in self.xs)

        def __add__(self, other):
            if isinstance(other, (int, float)):
                return Vector(*(x + other for x in self.xs))
            return Vector(*map(sum, zip(self.xs, other.xs)))

        __radd__ = __add__

        def __call__(self, scale=1):
            if scale == 1:
                return self
            return Vector(*(x * scale for x in self.xs))

        def __repr__(self):
            return f"Vector{self.xs}"

        def __getattr__(self, name):
            if name in "xyz" and len(name) == 1:
                return self.xs["xyz".index(name)]
            raise AttributeError(name)

    v, w = Vector(1, 2, 3), Vector(1, 2, 4)
    return [
        v == w, v != w, v < w, w < v, v == 5, len(v), v[0], v[1:], 2 in v, 9 in v, v + w, 1 + v, v(2), v.y,
        hasattr(v, "q"), sorted([w, v]), {v: 1}[Vector(1, 2, 3)],
    ]  # fmt: skip


def metaclasses():
    class Meta(type):
        def __new__(mcls, name, bases, namespace, **options):
            if options:
                namespace["options"] = options
            return super().__new__(mcls, name, bases, namespace)

        def __init__(cls, name, bases, namespace, **options):
            super().__init__(name, bases, namespace)

        def __instancecheck__(cls, instance):
            return instance == 5

    class C(metaclass=Meta, flag=True):
        pass

    return C.options, isinstance(5, C), isinstance(6, C)


def class_creation_hooks():
    log = []

    class Base:
        def __init_subclass__(cls, **kw):
            if kw:
                log.append((cls.__name__, kw))
            super().__init_subclass__()

    class Derived(Base, x=1):
        pass

    return log


def decorators_of_all_kinds(n=3):
    log = []

    def noisy(text):
        def decorate(f):
            log.append(text)

            @functools.wraps(f)
            def wrapper(*args, **kwargs):
                if args:
                    log.append(args)
                return f(*args, **kwargs)

            return wrapper

        return decorate

    @noisy("outer")
    @noisy("inner")
    def f(x):
        if x > 1:
            return x
        return 0

    @functools.lru_cache(maxsize=None)
    def fib(n):
        if n < 2:
            return n
        return fib(n - 1) + fib(n - 2)

    @functools.singledispatch
    def kind(x):
        return "object"

    @kind.register
    def _(x: int):
        if x > 1:
            return "large int"
        return "int"

    class C:
        @functools.cached_property
        def slow(self):
            log.append("computed")
            if n > 1:
                return n

        @staticmethod
        def s(x):
            return x + 1 if x > 1 else x

        @functools.partialmethod
        def bad(self):
            pass

        add = functools.partialmethod(lambda self, x, y: x + y if x else y, 5)

    c = C()
    return f(5), f.__name__, fib(30), kind("a"), kind(5), c.slow, c.slow, C.s(5), c.add(1), log


def total_ordering_and_dataclasses():
    import dataclasses
    import enum

    @functools.total_ordering
    @dataclasses.dataclass(eq=True)
    class Version:
        major: int
        minor: int = 0

        def __post_init__(self):
            if self.major < 0:
                raise ValueError("negative")

        def __lt__(self, other):
            if self.major != other.major:
                return self.major < other.major
            return self.minor < other.minor

    class Color(enum.Enum):
        RED = 1
        BLUE = 2

        @classmethod
        def of(cls, n):
            for c in cls:
                if c.value == n:
                    return c
            raise LookupError(n)

    return Version(1, 2) >= Version(1), repr(Version(3)), Color.of(2).name, Version.__match_args__


def slots_and_new():
    class Point:
        __slots__ = ("x", "y")

        def __new__(cls, x, y=0):
            if x is None:
                return None
            return super().__new__(cls)

        def __init__(self, x, y=0):
            self.x, self.y = x, y
            if y > 10:
                self.y = 10

    try:
        Point(1, 2).z = 3
    except AttributeError:
        return Point(None), Point(1, 20).y


def named_tuples():
    import collections
    import typing

    class P(typing.NamedTuple):
        x: int
        y: int = 2

        def norm(self):
            if self.x > 1:
                return self.x + self.y
            return 0

    Q = collections.namedtuple("Q", "a b")
    p = P(3)
    x, y = p
    return p.norm(), p._replace(x=1), Q(1, 2), x, y
