"""Arrays and numbers that a program keeps, and changes, are inputs of a graph that is traced once."""

import gc
import random
import weakref

import numpy as np
import pytest

import runtime
from autograph import StagingError
from tests.runtime import state_programs

W, LISTED, NAMED = np.ones(2), [np.zeros(2), np.ones(2)], {"m": np.zeros(2)}


class Model:
    def __init__(self):
        self.w, self.b, self.n = np.ones(2), np.zeros(1), np.zeros((), int)
        self.params, self.named, self.buffer = [np.ones(2), np.zeros(2)], {"m": np.zeros(2)}, np.zeros((3, 2))

    def step(self, x):
        self.w -= 0.1 * x
        return self.w.sum()

    def items(self, x):
        self.w[0] = x[1]
        self.w[1:] += x[0]
        return self.w

    def out(self, x):
        np.add(self.w, x, out=self.w)
        return x

    def rows(self, x):
        self.buffer[1] = x
        self.buffer[:, 0] += 1
        return self.buffer.sum(), self.buffer

    def in_a_list(self, x):
        for p in self.params:
            p -= 0.1 * x
        return self.params[0].sum(), self.params

    def in_a_dictionary(self, x):
        self.named["m"] *= 0.9
        self.named["m"] += 0.1 * x
        self.w -= self.named["m"]
        self.n += 1
        return self.w.copy(), self.n

    def in_a_branch(self, x):
        if x[0] > 1:
            self.w -= x
        else:
            self.w += x
        return self.w.sum()

    def in_loops(self, x):
        for _ in range(5):
            self.w *= 0.5
            self.w += x
        while self.w.sum() > 1:
            self.w -= 0.25
        return self.w

    def by_another_name(self, x):
        self.w += x
        self.v = self.w
        self.v *= 2
        return self.v is self.w, self.v

    def by_a_helper(self, x):
        self._add(x)
        return self.w

    def _add(self, x):
        self.w += x

    def in_a_try(self, x):
        try:
            self.w += x
            self.w[int(x[0]) + 5] = 1.0
        except IndexError:
            self.w[0] = 9.0
        return self.w

    def filled_and_sorted(self, x):
        self.w.fill(x[0])
        self.w[0] += x[1]
        self.w.sort()
        return self.w

    def exchanged(self, x):
        self.params[0], self.params[1] = self.params[1], self.params[0]
        self.params[0] += x
        return self.params

    def bound_anew(self, x):
        self.w = self.w - x
        self.w *= 2
        return self.w

    def through_views(self, x):
        row = self.buffer[1]
        row += x
        turned = self.buffer.T
        turned[0, 0] = x[0]
        return self.buffer


METHODS = [name for name, member in vars(Model).items() if callable(member) and not name.startswith("_")]


def observed(make, decorate):
    """What calls of a method give and leave, and which arrays are the same as before."""
    model = Model()
    f, seen = decorate(make), []
    for number in range(4):
        x = np.array([1.0, 2.0]) + number
        before = [model.w, *model.params, model.named["m"], model.buffer]
        result = f(model, x)
        after = [model.w, *model.params, model.named["m"], model.buffer]
        seen.append(repr((result, vars(model), [a is b for a, b in zip(before, after)], result is model.w)))
        if number == 2:
            model.w = np.full(2, 7.0)
    return seen


@pytest.mark.parametrize("jit_compile", [None, False, True])
@pytest.mark.parametrize("name", METHODS)
def test_arrays_of_objects_are_written_in_place(name, jit_compile):
    if jit_compile and name == "in_a_try":
        pytest.skip("one executor less")
    make = getattr(Model, name)
    decorate = runtime.function(numpy=True, jit_compile=jit_compile)
    assert observed(make, decorate) == observed(make, lambda f: f)


@pytest.mark.parametrize("name", ["step", "items", "rows", "in_a_list", "in_a_dictionary", "in_loops", "by_a_helper"])
def test_a_method_that_writes_is_traced_once(name):
    f = runtime.function(getattr(Model, name), numpy=True)
    model = Model()
    f(model, np.array([1.0, 2.0]))
    traces = f.experimental_get_tracing_count()
    for number in range(5):
        f(model, np.array([1.0, 2.0]) * number)
    model.w = np.full(2, 3.0)  # another array of the same kind
    f(model, np.array([1.0, 2.0]))
    assert f.experimental_get_tracing_count() == traces


def test_variables_of_the_module_and_around_are_written_in_place():
    def run(decorate):
        global W
        W, LISTED[:], NAMED["m"] = np.ones(2), [np.zeros(2), np.ones(2)], np.zeros(2)
        around = np.zeros(2)

        def of_the_module(x):
            global W
            W -= x
            LISTED[0] += x
            NAMED["m"][0] = x[1]
            return W, LISTED

        def of_the_function(x):
            around[:] = x + around
            return around

        found = []
        for f in map(decorate, (of_the_module, of_the_function)):
            for number in range(3):
                result = f(np.array([1.0, 2.0]) + number)
                found.append(repr((result, W, LISTED, NAMED, around, result is around)))
        return found

    assert run(runtime.function(numpy=True)) == run(lambda f: f)


def test_arrays_of_which_each_shows_a_part_of_the_other_are_refused():
    model, base = Model(), np.arange(3.0)
    f = runtime.function(Model.step, numpy=True)
    f(model, np.array([1.0, 2.0]))
    model.w, before = base[1:], base.copy()
    for _ in range(2):
        with pytest.raises(TypeError) as refused:
            f(model, base[:2])
        assert "shares memory with another array cannot be written: w." in refused.value.__notes__[0]
        np.testing.assert_array_equal(base, before)

    @runtime.function(numpy=True)
    def of_the_argument(model, x):
        x += 1
        return model.w.sum()

    of_the_argument(model, np.array([1.0, 2.0]))
    for _ in range(2):
        with pytest.raises(StagingError, match="'x' and 'w' share memory, and one of them is written"):
            of_the_argument(model, base[:2])
        np.testing.assert_array_equal(base, before)


class Views:
    """Arrays beside what they are views of, or of one that nobody keeps; and in tuples."""

    def __init__(self):
        self.grid = np.arange(12.0).reshape(3, 4).copy()
        self.inner, self.back, self.turned = self.grid[1:, 1:3], self.grid[::-1, ::2], self.grid.T[1]
        self.pair, self.state = (np.zeros(2), np.ones(2)), (np.zeros(2), 3, (np.ones(1),))
        self.named = {"last": self.grid[-1]}


def part_and_whole(m, x):
    m.inner += x
    m.grid[1] *= 2
    m.back[0, 0] = x.sum()
    return m.inner, m.grid, m.back.sum(), m.turned


def parts_of_it(m, x):
    return m.grid[0], m.grid.T, m.grid[:, 1], m.grid.reshape(-1), m.inner[0], m.named["last"][1:], m.grid.copy()


def in_a_branch(m, x):
    if x[0] > 1:
        m.inner[:] = m.back[:2] * x
        m.named["last"][0] = 5
    return m.inner is m.grid, m.named["last"]


def in_tuples(m, x):
    for p in m.pair:
        p -= x
    w, n, (rest,) = m.state
    w += n * x
    rest *= 2
    return m.pair, m.state, w, rest


def in_zipped_tuples(m, x):
    for p, q in zip(m.pair, (x, 2 * x)):
        p *= 1 + q
    return m.pair[0].sum(), m.pair[1] is m.pair[0]


def a_new_tuple(m, x):
    first, second = m.pair
    m.pair = second, first + x
    m.inner = m.grid[:2, :2]
    return m.pair


def given_as_well(m, x):
    m.named["last"] += 1
    x[0] = 7
    return m.grid.sum(), x is m.turned, x, m.inner


@pytest.mark.parametrize(
    "f",
    [part_and_whole, parts_of_it, in_a_branch, in_tuples, in_zipped_tuples, a_new_tuple, given_as_well],
)
def test_views_of_what_is_kept_and_arrays_in_tuples(f):
    def observed(f, name):
        m, seen = Views(), []
        for number in range(4):
            x = np.array([1.0, 2.0]) * number
            given = m.grid if name == "given_as_well" and number % 2 else x
            if number == 2:
                m.grid = m.grid.copy()  # the views are of another one now
                m.turned = m.grid.T[1]
            result = f(m, given)
            found = [part for part in runtime.nest.flatten(result) if isinstance(part, np.ndarray)]
            kept = [
                *(v for v in vars(m).values() if isinstance(v, np.ndarray)),
                *m.pair,
                m.state[0],
                m.named["last"],
                x,
            ]
            which = [[(a is b, np.shares_memory(a, b)) for a in (*kept, *found)] for b in (*kept, *found)]
            is_one = (
                isinstance(result, tuple)
                and name != "a_new_tuple"
                and [part is m.pair or part is m.state for part in (result, *result)]
            )
            seen.append(repr((result, which, is_one, vars(m), x, [a.flags.writeable for a in found])))
            for part in found:
                part[...] += number  # as the program does with what it is given
        return seen

    assert observed(runtime.function(f, numpy=True), f.__name__) == observed(f, f.__name__)


def same(model, x):
    return x is model.w, model.w is x, model.params[0] is x


def both_are_written(model, x):
    model.w += 1
    x *= 2
    return x is model.w, x.sum(), model.w


def the_argument_is_written(model, x):
    x += 1
    return model.w.sum(), model.params[0] * x


def only_read(model, x):
    return (model.w * x).sum(), x


def as_a_default(model, x, out=None):
    if out is model.w:
        out = x
    if out is None:
        out = np.zeros(2)
    out += x
    return out, out is model.w


def in_a_tuple(model, x):
    return [x is one for one in (*model.pair, model.part)]


def one_of_them(model, x):
    found = model.w if x[0] > 0 else x
    found += 1
    return found is x, found is model.w


@pytest.mark.parametrize(
    "f", [same, both_are_written, the_argument_is_written, only_read, as_a_default, in_a_tuple, one_of_them, Model.step]
)
def test_what_is_given_may_be_what_is_kept(f):
    """Whatever was given first."""

    def observed(f, order, name):
        model = Model()
        model.pair = np.ones(2), (model.w if name == "in_a_tuple" else model.b)
        model.part = model.buffer[0]
        other = np.array([-1.0, 2.0])
        options = {"w": model.w, "param": model.params[0], "of a tuple": model.pair[0], "part": model.part,
                   "another": other}  # fmt: skip
        seen = []
        for key in order:
            given = options[key]
            more = [{"out": model.w}, {}] if name == "as_a_default" else [{}]
            for keywords in more:
                result = f(model, given, **keywords)
                found = result if isinstance(result, tuple | list) else [result]
                which = [[one is part for one in options.values()] for part in found if isinstance(part, np.ndarray)]
                seen.append(repr((key, result, which, vars(model), other)))
        return seen

    names = ["w", "param", "of a tuple", "part", "another"]
    for order in (names, names[::-1], [*names, *names[::-1]]):
        assert observed(runtime.function(f, numpy=True), order, f.__name__) == observed(f, order, f.__name__)


def test_an_array_of_another_kind_gets_another_graph():
    model = Model()
    f = runtime.function(Model.step, numpy=True)
    f(model, np.array([1.0, 2.0]))
    for w in (np.ones((3, 2)), np.ones(2, np.float32), np.ones((2, 2), order="F")[:, 1]):
        model.w = w
        wanted = w - (0.1 * np.array([1.0, 2.0])).astype(w.dtype)
        f(model, np.array([1.0, 2.0]))
        assert model.w is w
        np.testing.assert_allclose(w, wanted, 1e-6)


def test_graphs_keep_no_object_alive():
    f = runtime.function(Model.in_a_list, numpy=True)
    model = Model()
    f(model, np.array([1.0, 2.0]))
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None


# What is bound anew, and numbers.

COUNT, RATE = 0, 0.5


class Running:
    def __init__(self):
        self.n, self.total, self.mean, self.flag, self.name = 0, 0.0, None, False, "a"
        self.w, self.m, self.v, self.t = np.ones(2), np.zeros(2), np.zeros(2), 0
        self.small, self.sizes, self.named, self.log = np.float32(0), [0, 1.5], {"n": 0, "w": np.zeros(2)}, []

    def counted(self, x):
        self.n += 1
        self.total = self.total + x.sum()
        return self.total / self.n

    def welford(self, x):
        self.n += 1
        if self.mean is None:
            self.mean = x.copy()
        else:
            self.mean = self.mean + (x - self.mean) / self.n
        return self.mean

    def adam(self, x):
        self.t += 1
        self.m = 0.9 * self.m + 0.1 * x
        self.v = 0.99 * self.v + 0.01 * x**2
        self.w = self.w - 0.1 * (self.m / (1 - 0.9**self.t)) / (np.sqrt(self.v / (1 - 0.99**self.t)) + 1e-8)
        return self.w

    def in_place_and_anew(self, x):
        self.w -= x
        self.m = self.w * 2
        self.n = self.n + len(x)
        return self.m is self.w, self.m

    def decides(self, x):
        self.n += 1
        if self.n % 3 == 0:
            self.total = 0.0
        else:
            self.total += x[0]
        return self.total

    def as_an_index(self, x):
        self.n = (self.n + 1) % 2
        return x[self.n], [10, 20][self.n], "ab"[self.n]

    def as_a_length(self, x):
        self.n += 1
        return np.zeros(self.n), [0] * self.n, list(range(self.n))

    def as_a_key(self, x):
        self.n += 1
        self.named[f"call {self.n}"] = x.sum()
        return self.named

    def flags(self, x):
        self.flag = not self.flag
        self.name = self.name + "b"
        return (x if self.flag else -x), self.name

    def of_another_type(self, x):
        self.n = self.n + 0.5
        self.small = self.small + np.float32(x[0])
        return self.n, self.small

    def large(self, x):
        self.n = self.n * 1000 + 2**40
        return self.n

    def in_lists(self, x):
        self.sizes[0] += 1
        self.sizes[1] = self.sizes[1] + x[0]
        self.named["n"] += 2
        self.named["w"] = self.named["w"] + x
        return self.sizes, self.named["w"], self.named["n"]

    def logs(self, x):
        self.n += 1
        self.log.append(self.n * x.sum())
        return self.log

    def raises_at_times(self, x):
        self.n += 1
        self.total += x[0]
        if x[0] > 3:
            raise ValueError(f"call {self.n}")
        return self.total

    def asks(self, x):
        self.n += 1
        if self.n == 3:
            raise KeyError("the third")
        return self.n

    def of_the_module(self, x):
        global COUNT, RATE
        COUNT += 1
        RATE = RATE * 0.9
        return COUNT, RATE * x

    def by_others(self, x):
        return self.counted(x) + self.decides(x)

    def swapped(self, x):
        self.w, self.m = self.m + x, self.w
        return self.w, self.m


def followed(make, decorate):
    global COUNT, RATE
    COUNT, RATE, holder, f, seen = 0, 0.5, Running(), decorate(make), []
    for number in range(7):
        x = np.array([1.0, 2.0]) + number
        try:
            result = f(holder, x)
        except (ValueError, KeyError) as error:
            result = repr(error)
        except (IndexError, TypeError) as error:
            result = type(error).__mro__[-4:]
        seen.append(repr((result, vars(holder), COUNT, RATE)))
        if number == 4:  # as the program changes it itself
            holder.n, holder.w, holder.total = 10, np.full(2, 7.0), -1.0
        if number == 5:
            holder.n, holder.total = 2.5, 3
    return seen


ANEW = [name for name, member in vars(Running).items() if callable(member) and not name.startswith("_")]


@pytest.mark.parametrize("jit_compile", [None, False, True])
@pytest.mark.parametrize("name", ANEW)
def test_what_is_bound_anew_is_as_without_a_graph(name, jit_compile):
    if jit_compile and name in ("as_an_index", "as_a_key", "flags"):
        pytest.skip("text is Python's")
    make = getattr(Running, name)
    decorate = runtime.function(numpy=True, jit_compile=jit_compile)
    found, wanted = followed(make, decorate), followed(make, lambda f: f)
    if name == "raises_at_times":  # what the graph raises leaves all as it was
        found, wanted = found[:2], wanted[:2]
    assert found == wanted


@pytest.mark.parametrize("name", ["counted", "welford", "adam", "in_place_and_anew", "in_lists", "swapped"])
def test_what_changes_at_each_call_is_traced_a_few_times(name):
    f, holder = runtime.function(getattr(Running, name), numpy=True), Running()
    for number in range(12):
        f(holder, np.array([1.0, 2.0]) * number)
    assert f.experimental_get_tracing_count() <= 4


def test_variables_around_are_counted():
    def run(decorate):
        n, last = 0, np.zeros(2)

        @decorate
        def f(x):
            nonlocal n, last
            n += 1
            last = last * 0.5 + x
            return n, last

        return [repr((f(np.array([1.0, 2.0]) * k), n, last)) for k in range(5)]

    assert run(runtime.function(numpy=True)) == run(lambda f: f)


def test_objects_have_each_their_own():
    f = runtime.function(Running.counted, numpy=True)
    holders, plain = [Running() for _ in range(3)], [Running() for _ in range(3)]
    for number in range(9):
        x = np.array([1.0, number])
        assert f(holders[number % 3], x) == Running.counted(plain[number % 3], x)
    assert [vars(h)["total"] for h in holders] == [vars(h)["total"] for h in plain]


def test_graphs_of_what_changes_keep_no_object_alive():
    f, holder = runtime.function(Running.in_lists, numpy=True), Running()
    for _ in range(4):
        f(holder, np.array([1.0, 2.0]))
    gone = weakref.ref(holder)
    del holder
    gc.collect()
    assert gone() is None


LOG = []


class Recorded:
    """A history that nothing reads."""

    def __init__(self):
        self.w, self.n, self.history, self.logs, self.read = np.ones(2), 0, [], {"loss": [], "last": 0}, [1.0]

    def step(self, x):
        self.w -= 0.1 * x
        loss = (self.w**2).sum()
        self.history.append(loss)
        self.logs["loss"].append((self.n, loss))
        LOG.append(self.w.copy())
        self.n += 1
        return loss

    def of_many_kinds(self, x):
        self.history.extend([1, "a", [x.sum()], self.logs])
        self.history.append(x)
        return self.n

    def what_is_kept(self, x):
        self.history.append(self.w)
        self.w += x
        self.log(self.w * 2)

    def log(self, value):
        self.history.append(value)

    def behind_a_check(self, x):
        assert x[0] < 3, x[0]
        self.history.append(x[0])

    def mean(self, x):
        self.read.append(x.sum())
        return sum(self.read) / len(self.read)

    def in_a_branch(self, x):
        if len(self.history) < 2:
            self.history.append(x[0])
        return self.history


@pytest.mark.parametrize(
    "method, traces",
    [("step", 3), ("of_many_kinds", 3), ("what_is_kept", 3), ("behind_a_check", 3), ("mean", 6), ("in_a_branch", 4)],
)
def test_a_history_that_nothing_reads_is_appended_to_by_one_graph(method, traces):
    def observed(f):
        model, seen = Recorded(), []
        LOG.clear()
        for number in range(6):
            x = np.array([1.0, 2.0]) * number
            try:
                result = f(model, x)
            except AssertionError:
                result = "refused"
            which = [one is model.w or one is x or one is model.logs for one in model.history]
            seen.append(repr((result, vars(model), LOG, which, result is model.history)))
            if number == 4:
                model.history = []
        return seen

    f = runtime.function(getattr(Recorded, method), numpy=True)
    assert observed(f) == observed(getattr(Recorded, method))
    assert f.experimental_get_tracing_count() <= traces


@pytest.mark.parametrize("jit_compile", [None, False, True])
def test_programs_at_random(jit_compile, tmp_path):
    rng, count, refused = random.Random(f"state {jit_compile}"), 40, 0
    texts = [state_programs.source(rng, f"f{number}") for number in range(count)]
    path = tmp_path / "state_at_random.py"
    path.write_text("\n\n".join(texts))
    namespace = {"np": np, "AROUND": state_programs.AROUND, "__name__": "state_at_random"}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    for number, text in enumerate(texts):
        f = namespace[f"f{number}"]
        wanted, _ = state_programs.observed(f)
        found, why = state_programs.observed(runtime.function(f, numpy=True, jit_compile=jit_compile))
        refused += bool(why)
        assert found == wanted[: len(found)], text
    assert refused < count / 10


class Flagged:
    def marks(self, x):
        if x.sum() > 0:
            self.flag = True
        if x.sum() > 3:
            self.value = x * 2
        if x.sum() < -3:
            self.first = x[0]
            self.n = 2

    def marks_and_asks(self, x):
        if x.sum() > 0:
            self.flag = True
        return self.flag

    def by_an_exception(self, x):
        try:
            if x.sum() > 3:
                raise ValueError("large")
            self.value = x + 1
        except ValueError as error:
            self.error = str(error)


@pytest.mark.parametrize("jit_compile", [None, False])
@pytest.mark.parametrize("method", ["marks", "marks_and_asks", "by_an_exception"])
def test_an_attribute_that_a_branch_sets_first_is_there_where_it_is_taken(method, jit_compile):
    def observed(f):
        held, seen = Flagged(), []
        for by in (-1, 1, 3, -3, 1):
            one = held if by != 3 else Flagged()
            try:
                result = f(one, np.ones(2) * by)
            except AttributeError:
                result = "no attribute"
            seen.append(repr((result, sorted(vars(one).items()))))
        return seen

    f = getattr(Flagged, method)
    assert observed(runtime.function(f, numpy=True, jit_compile=jit_compile)) == observed(f)
