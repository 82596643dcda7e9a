"""Decorators, base classes and protocols of the standard library, as programs use them."""

import abc
import asyncio
import collections
import contextlib
import dataclasses
import enum
import functools
import inspect
import itertools
import threading
import typing
import weakref


def recursion_behind_a_cache():
    @functools.lru_cache(maxsize=None)
    def f(n):
        return n if n < 2 else f(n - 1) + f(n - 2)

    return f(20), f.cache_info().hits, f.cache_info().misses, f.__wrapped__(3)


def dispatch_by_type():
    @functools.singledispatch
    def f(x):
        return "any"

    @f.register
    def _(x: int):
        return "int" if x > 0 else "neg"

    @f.register(list)
    def _l(x):
        return [f(i) for i in x]

    class C:
        @functools.singledispatchmethod
        def m(self, x):
            return "any"

        @m.register
        def _(self, x: str):
            return "str" if x else "empty"

    return f(1), f(-1), f([1, "a"]), f(2.0), C().m("a"), C().m(1)


def cached_properties():
    log = []

    class C:
        @functools.cached_property
        def p(self):
            log.append(1)
            return 5 if log else 6

    c = C()
    return c.p, c.p, log, "p" in vars(c)


def orders_made_total():
    @functools.total_ordering
    class V:
        def __init__(s, v):
            s.v = v

        def __eq__(s, o):
            return s.v == o.v if isinstance(o, V) else NotImplemented

        def __lt__(s, o):
            return s.v < o.v if isinstance(o, V) else NotImplemented

    return V(1) <= V(2), V(2) >= V(3), sorted([V(3), V(1)])[0].v, max(V(1), V(5)).v, V(1) != V(2)


def managers_made_of_generators():
    log = []

    @contextlib.contextmanager
    def cm(n):
        log.append("in")
        try:
            yield n
        except ValueError as e:
            log.append(str(e))
            if n > 1:
                raise
        finally:
            log.append("out")

    with cm(1) as a:
        log.append(a)
        if a:
            raise ValueError("x")
    try:
        with cm(2) as a, contextlib.suppress(KeyError):
            raise ValueError("y")
    except ValueError as e:
        log.append(repr(e))

    @cm(3)
    def g():
        return 4

    log.append(g())
    with contextlib.ExitStack() as st:
        st.enter_context(cm(5))
        st.callback(log.append, "cb")
    return log


@dataclasses.dataclass(order=True)
class D:
    a: int
    b: list = dataclasses.field(default_factory=list, compare=False)
    c: typing.ClassVar[int] = 3

    def __post_init__(self):
        if self.a < 0:
            self.a = 0

    @property
    def double(self):
        return self.a * 2 if self.a else 0


def data_classes():
    @dataclasses.dataclass(frozen=True)
    class F:
        x: int
        y: int = 2

        def moved(self, n):
            return dataclasses.replace(self, x=self.x + n) if n else self

    f = F(1)
    try:
        f.x = 3
    except dataclasses.FrozenInstanceError as e:
        err = str(e)
    return (
        D(-1),
        D(1) < D(2),
        D(3).double,
        f.moved(2),
        f.moved(0) is f,
        err,
        dataclasses.asdict(D(2, [1])),
        {f: 1}[F(1)],
        D(1) == D(1, [2]),
    )


def enumerations():
    class Color(enum.Enum):
        RED = 1
        GREEN = 2

        @property
        def warm(self):
            return self is Color.RED

        @classmethod
        def parse(cls, s):
            return cls[s] if s in cls.__members__ else None

    class Fl(enum.Flag):
        A = enum.auto()
        B = enum.auto()
        C = A | B

    class Number(enum.IntEnum):
        X = 1
        Y = 2

    E = enum.Enum("E", "a b")
    return (
        Color.RED.warm,
        Color(2),
        Color.parse("RED"),
        Color.parse("q"),
        [c.name for c in Color],
        Fl.A | Fl.B is Fl.C,
        bool(Fl.A & Fl.B),
        Number.X < 2,
        sorted(Number),
        E.a.value,
        E.__module__,
        str(Color.RED),
        Color.RED in Color,
        {Color.RED: 1}[Color.RED],
        match_enum(Color.GREEN, Color),
    )


def match_enum(c, Color):
    match c:
        case Color.RED:
            return "r"
        case Color.GREEN if c.value > 1:
            return "g"


def abstract_classes():
    class Base(abc.ABC):
        @abc.abstractmethod
        def f(self): ...
        @property
        @abc.abstractmethod
        def p(self): ...
        @classmethod
        def __subclasshook__(cls, other):
            return True if hasattr(other, "quack") else NotImplemented

    class Impl(Base):
        def f(self):
            return super().f() or 1

        @property
        def p(self):
            return 2

    class Duck:
        quack = 1

    try:
        Base()
    except TypeError as e:
        err = str(e)

    class Seq(collections.abc.Sequence):
        def __init__(s, n):
            s.n = n

        def __len__(s):
            return s.n

        def __getitem__(s, i):
            if i >= s.n:
                raise IndexError(i)
            return i * i

    q = Seq(4)
    return (
        Impl().f(),
        Impl().p,
        isinstance(Duck(), Base),
        err,
        list(q),
        9 in q,
        q.index(4),
        list(reversed(q)),
        q.count(1),
    )


class NT(typing.NamedTuple):
    x: int
    y: int = 3

    def norm(self):
        return self.x if self.x > self.y else self.y


def named_tuples():
    P = collections.namedtuple("P", "a b", defaults=[5])
    p = P(1)
    a, b = p
    return (
        NT(1).norm(),
        NT(1)._replace(y=0).norm(),
        p,
        p._asdict(),
        P.__module__,
        a + b,
        p == (1, 5),
        NT.__annotations__,
        P(*[7, 8]).a,
    )


def generators_spoken_to():
    def g(n):
        got = []
        try:
            while True:
                x = yield n
                if x is None:
                    n += 1
                else:
                    got.append(x)
                if n > 3:
                    return got
        finally:
            got.append("done")

    def outer():
        r = yield from g(1)
        yield r

    o = outer()
    out = [next(o), o.send("a"), next(o), next(o), next(o)]

    def e():
        try:
            yield 1
        except KeyError as k:
            yield k.args

    x = e()
    next(x)
    out.append(x.throw(KeyError(4)))
    x.close()
    out.append(inspect.getgeneratorstate(x))
    out.append(list(itertools.islice((i * j for i in itertools.count() if i % 2 for j in (1, 2)), 4)))
    return out


def coroutines_and_their_loops():
    async def a(n):
        await asyncio.sleep(0)
        return n if n > 1 else -n

    async def ag():
        for i in range(3):
            if i == 1:
                continue
            yield await a(i)

    class CM:
        async def __aenter__(s):
            return 3

        async def __aexit__(s, *e):
            return True

    async def main():
        out = [x async for x in ag()]
        async with CM() as c:
            out.append(c)
            raise ValueError
        r = await asyncio.gather(a(1), a(2), return_exceptions=True)
        return out, r, [await a(i) for i in (1, 2)]

    return asyncio.run(main())


def variables_of_threads():
    l = threading.local()
    l.x = 1
    out = []

    def run():
        out.append(hasattr(l, "x"))
        l.x = 2
        out.append(l.x)

    t = threading.Thread(target=run)
    t.start()
    t.join()
    return out, l.x


def weak_proxies():
    class C:
        n = 1

        def m(self):
            return self.n if self.n else 0

        def __call__(self, a):
            return a + self.n

    c = C()
    p = weakref.proxy(c)
    out = [p.n, p.m(), p(3) if callable(p) else None, bool(p)]
    wm = weakref.WeakMethod(c.m)
    out.append(wm()())
    d = weakref.WeakValueDictionary(a=c)
    out.append(d["a"] is c)
    del c
    out.append(wm() is None)
    out.append(len(d))
    try:
        p.n
    except ReferenceError as e:
        out.append(str(e))

    def use(q):
        return 1 if q is not None else 2

    out.append(use(p))
    out.append([q is p for q in [p]])
    return out


def metaclasses():
    log = []

    class M(type):
        def __new__(m, n, b, ns, **k):
            log.append((n, sorted(k)))
            return super().__new__(m, n, b, ns)

        def __init__(c, n, b, ns, **k):
            super().__init__(n, b, ns)
            c.tag = k.get("tag")

        def __call__(c, *a):
            o = super().__call__(*a)
            o.made = True
            return o

        @classmethod
        def __prepare__(m, n, b, **k):
            return collections.OrderedDict(z=1)

        def __getitem__(c, i):
            return (c.__name__, i)

        def __len__(c):
            return 7

        def __iter__(c):
            return iter([1, 2])

        def __instancecheck__(c, o):
            return o == 5 or super().__instancecheck__(o)

        def __contains__(c, o):
            return o == 1

        @property
        def mp(c):
            return c.tag or "none"

    class A(metaclass=M, tag="t"):
        def __init__(self, x=0):
            self.x = x if x > 0 else 9

    class B(A):
        pass

    return log, A.tag, A(1).made, A[3], len(A), list(A), isinstance(5, A), 1 in A, A.mp, B.mp, A.z, B(-1).x, bool(A)


def subclasses_that_register():
    reg = []

    class P:
        def __init_subclass__(cls, /, name=None, **k):
            super().__init_subclass__(**k)
            reg.append((cls.__name__, name))
            cls.reg = len(reg)

        def __class_getitem__(cls, i):
            return f"{cls.__name__}[{i}]"

    class Q(P, name="q"):
        pass

    class R(Q):
        pass

    return reg, Q.reg, R.reg, Q[int]


def descriptors_that_log():
    log = []

    class V:
        def __set_name__(s, o, n):
            s.n = "_" + n
            log.append((o.__name__, n))

        def __get__(s, i, o=None):
            if i is None:
                return s
            log.append("get")
            return getattr(i, s.n, 0)

        def __set__(s, i, v):
            log.append("set")
            if v < 0:
                raise ValueError("neg")
            setattr(i, s.n, v)

        def __delete__(s, i):
            log.append("del")
            delattr(i, s.n)

    class C:
        v = V()

        def inc(self):
            self.v += 1
            return self.v

    c = C()
    c.v = 3
    r = [c.inc(), c.v]
    try:
        c.v = -1
    except ValueError as e:
        r.append(str(e))
    del c.v
    return r, c.v, log, C.v.n


def operators_of_all_kinds():
    class V:
        def __init__(s, v):
            s.v = v

        def __add__(s, o):
            return V(s.v + (o.v if isinstance(o, V) else o))

        __radd__ = __add__

        def __matmul__(s, o):
            return s.v * o.v

        def __eq__(s, o):
            return isinstance(o, V) and s.v == o.v

        def __hash__(s):
            return hash(s.v)

        def __bool__(s):
            return s.v != 0

        def __getattr__(s, n):
            if n.startswith("x"):
                return len(n)
            raise AttributeError(n)

        def __contains__(s, i):
            return i == s.v

        def __iter__(s):
            yield from range(s.v)

        def __call__(s, *a, **k):
            return (s.v, a, k)

        def __index__(s):
            return s.v

        def __lt__(s, o):
            return s.v < o.v

        def __format__(s, f):
            return f"V{s.v}{f}"

        def __missing__(s):
            pass

    v = V(3)
    return (
        sum([V(1), V(2)], V(0)).v,
        (1 + v).v,
        v @ V(2),
        v == V(3),
        {v: 1}[V(3)],
        bool(V(0)),
        v.xyz,
        hasattr(v, "q"),
        3 in v,
        list(v),
        v(1, a=2),
        [1, 2, 3, 4][v],
        sorted([V(2), V(1)])[0].v,
        f"{v:>}",
        min(V(2), V(1)).v,
        range(v)[1],
        (v and V(0) or V(9)).v,
        not v,
        v if v else None,
    )[:18]


def super_everywhere():
    class A:
        def __init__(self):
            self.log = ["A"]

        def f(self, x):
            return ("A", x)

        @classmethod
        def c(cls):
            return cls.__name__

    class B(A):
        def __init__(self):
            super().__init__()
            self.log.append("B")

        def f(self, x):
            if x > 0:
                return super().f(x) + ("B",)
            return [super(B, self).f(i) for i in range(2)]

        @classmethod
        def c(cls):
            return super().c() + "!"

    class Cc(B):
        f = lambda self, x: super(Cc, self).f(x) if x else __class__

    return B().log, B().f(1), B().f(0), Cc.c(), Cc().f(1)
