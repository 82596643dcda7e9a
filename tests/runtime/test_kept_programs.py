"""Methods as people write them, of objects that keep arrays, lists and numbers: what they return and leave, call after
call, is what they do without a graph."""

import numpy as np
import pytest

import runtime


class Kept:
    def __init__(self):
        self.n, self.mask, self.items = np.zeros(3), np.array([True, False, True]), [1]
        self.b, self.w, self.cache, self.calls = np.arange(4.0), np.arange(6.0).reshape(3, 2), {}, 0
        self.large = np.zeros((200, 200))

    # Parts of what is kept, at places that only the graph knows.

    def at_an_index(self, x):
        self.n[x.astype(int)[0] % 3] += 1

    def at_a_mask(self, x):
        self.n[self.mask] += x[0]

    def at_a_maximum(self, x):
        self.n[np.argmax(x)] -= x[1]

    def in_a_slice(self, x):
        k = len(x) - np.argmin(x)
        self.n[k - 2 : k] += x[0]

    def of_a_view(self, x):
        self.w[0] -= x

    def of_rows(self, x):
        self.w[np.argmax(x)] *= x + self.w[0]

    def with_numbers(self, x):
        for i, u in zip(range(2), x):
            self.n[i] += u

    # What is computed of what is kept, and then written.

    def momentum(self, x):
        self.w = 0.9 * self.w
        self.w += 0.1 * x

    def of_a_copy(self, x):
        self.n = self.n.copy()
        self.n[:2] += x

    def filled(self, x):
        self.n = self.n * 2
        self.n.fill(x[0])

    # Behind what the graph may raise.

    def behind_a_raise(self, x):
        if x[0] > 3:
            raise ValueError("too large")
        self.n += 1

    def behind_an_assertion(self, x):
        assert x[0] > 0
        self.n[0] += 1
        self.b.fill(2)
        np.add(self.n, 1, out=self.n)

    def caught(self, x):
        try:
            if x[0] > 3:
                raise KeyError("too large")
            self.n += 1
        except ValueError:
            self.calls += 100

    # What Python raises.

    def raises(self, x):
        self.n[:2] += x
        x *= 2
        self.calls += 1
        return {1: "one", 3: "three"}[self.calls]

    # Lists, which others hold, too.

    def longer(self, x):
        self.items += [x[0], 2.0]

    def longer_by_another(self, x):
        found = self.items
        more = [float(len(x))] * 2
        found += more

    # Views, and what is returned of what is kept.

    def reversed_(self, x):
        self.b = self.b[::-1]

    def without_the_first(self, x):
        self.b = self.b[1:] if len(self.b) > 2 else np.arange(4.0)

    def from_a_cache(self, x):
        if len(x) not in self.cache:
            self.cache[len(x)] = np.zeros(len(x))
        return self.cache[len(x)]

    def returned(self, x):
        self.n = self.n + 1
        return self.n

    # Others.

    def of_others(self, x):
        self.of_a_view(x * 2)
        self.at_an_index(x)
        return self.w.sum()

    def of_large(self, x):
        self.calls += 1
        return (self.large @ np.ones(200)).sum() + x


METHODS = [name for name, member in vars(Kept).items() if callable(member) and not name.startswith("_")]


def held(kept):
    return {key: value if key != "large" else value.sum() for key, value in vars(kept).items()}


def followed(name, decorate):
    """What five calls return and leave, where the program itself writes what the object keeps in between."""
    kind = type("Decorated", (Kept,), {key: decorate(vars(Kept)[key]) for key in METHODS})
    kept, seen = kind(), []
    items, array = kept.items, kept.n
    for number in range(5):
        x = np.array([1.0, 2.0]) + number
        try:
            result = getattr(kept, name)(x)
        except (ValueError, KeyError) as error:
            result = repr(error)
        within = [key for key, value in vars(kept).items() if value is result]
        seen.append(repr((result, within, held(kept), x, kept.items is items, kept.n is array)))
        kept.b[0], kept.large[number, 0] = number, 1
        if isinstance(result, np.ndarray):
            result[0] = 9
    return seen


@pytest.mark.parametrize("jit_compile", [None, False, True])
@pytest.mark.parametrize("name", METHODS)
def test_methods_do_as_without_a_graph(name, jit_compile):
    wanted = followed(name, lambda f: f)
    assert followed(name, runtime.function(numpy=True, jit_compile=jit_compile)) == wanted


def test_a_method_given_a_list():
    """Python asks the right side of ``a += b`` first, as of a sum."""
    for given in ([2], (2,), [np.float64(2)], []):
        kept = Kept()
        items = kept.items
        runtime.function(extended, numpy=True)(kept, given)
        assert kept.items is items == [1, *given]


def extended(kept, more):
    kept.items += more
    found = kept.items
    found += []


@pytest.mark.parametrize("size", [20, 300])
def test_what_is_read_is_traced_a_few_times(size):
    """The array that one method writes, and another reads, is an input of both."""

    class Model:
        def __init__(self):
            self.w = np.zeros((size, size))

        @runtime.function(numpy=True)
        def step(self, g):
            self.w -= g

        @runtime.function(numpy=True)
        def predict(self, x):
            return (x @ self.w).sum()

    model, x = Model(), np.ones(size)
    for number in range(6):
        assert model.predict(x) == -number * size**2
        model.step(1.0)
    assert model.predict.experimental_get_tracing_count() <= 2
    model.w[0, 0] += 5  # as the program writes it itself
    assert model.predict(x) == 5 - 6 * size**2


def test_an_object_becomes_one_of_another_class():
    class First:
        @runtime.function(numpy=True)
        def told(self, x):
            return self.name(), x

        def name(self):
            return "first"

    class Second(First):
        def name(self):
            return "second"

    one = First()
    assert one.told(1)[0] == "first"
    one.__class__ = Second
    assert one.told(1)[0] == "second"


def test_what_a_method_that_others_call_reads_may_change():
    def seen(decorate):
        class Model:
            def __init__(self):
                self.w, self.rate = np.zeros(2), 1.0

            @decorate
            def inner(self, x):
                self.w += self.rate * x

            @decorate
            def outer(self, x):
                self.inner(x * 2)

        model, found = Model(), []
        for number in range(6):
            model.outer(np.ones(2))
            found.append(model.w.tolist())
            model.rate += number > 2
        return found

    assert seen(runtime.function(numpy=True)) == seen(lambda f: f)
