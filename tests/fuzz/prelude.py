"""What generated programs have at hand: objects, decorators, generators, and a log of what they do, in order."""

# ruff: noqa
import contextlib
import functools

LOG, LATER = [], []


def t(k, v):
    LOG.append(k)
    return v


class Oops(Exception):
    pass


class Box:
    __match_args__ = ("n", "m")
    kind = 3

    def __init__(self, n=0, m=1):
        self.n, self.m = n, m

    def add(self, k, *more, sign=1, **rest):
        if k > 1:
            self.n += sign * k
            for r in more:
                self.n += r
        elif rest:
            return None
        return self

    @property
    def twice(self):
        if self.n > 3:
            return 2 * self.n % 101
        return 0

    @twice.setter
    def twice(self, v):
        self.n = v if v < 50 else 1

    @classmethod
    def make(cls, n):
        return cls(n) if n > 0 else cls(n=-n, m=2)

    @staticmethod
    def least(a, b):
        return a if a < b else b

    def __getitem__(self, k):
        if k > 4:
            raise IndexError(k)
        return self.n + k

    def __setitem__(self, k, v):
        LOG.append(("set", k))
        self.m = v

    def __len__(self):
        return abs(self.n) % 4

    def __bool__(self):
        LOG.append("bool")
        return self.n % 2 == 0

    def __iadd__(self, k):
        LOG.append("iadd")
        if k:
            self.n += k
        return self

    def __enter__(self):
        LOG.append("enter")
        return self

    def __exit__(self, kind, error, trace):
        # In printed code, where a variable lives decides which of the two it is.
        LOG.append(("exit", kind and kind.__name__.replace("UnboundLocalError", "NameError")))
        return kind is not None and issubclass(kind, KeyError) and self.m % 2 == 1

    def __eq__(self, other):
        return isinstance(other, Box) and self.n == other.n

    def __hash__(self):
        return 7


class Sub(Box):
    def add(self, k, *more, **rest):
        if k % 2:
            return super().add(k, *more, **rest)
        self.m = k
        return self

    def __call__(self, k=2):
        while k > 0:
            k -= 1
            if self[k] > 5:
                return k
        else:
            return self.m


def twice(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        found = function(*args, **kwargs)
        return function(*args, **kwargs) if found is None else found

    return wrapper


def times(k):
    def decorate(function):
        return lambda *args: sum([function(*args) or 0 for _ in range(k)])

    return decorate


def count(n, stop=None):
    ended = False
    try:
        for i in range(n):
            got = yield i
            if got:
                LOG.append(("got", got))
            if i == stop:
                ended = True
                return "stopped"
        ended = True
    except Oops:
        yield -1
    finally:  # when a generator that was left is closed is the collector's affair
        if ended:
            LOG.append("ended")
    return n


def chain(n):
    found = yield from count(n, 2)
    yield len(str(found))


def drive(coroutine):
    try:
        while True:
            coroutine.send(None)
    except StopIteration as stop:
        return stop.value


class Later:
    def __init__(self, v):
        self.v = v

    def __await__(self):
        yield
        return self.v

    async def __aenter__(self):
        return self.v

    async def __aexit__(self, *_):
        LOG.append("aexit")

    def __aiter__(self):
        return self

    async def __anext__(self):
        self.v -= 1
        if self.v < 0:
            raise StopAsyncIteration
        return self.v
