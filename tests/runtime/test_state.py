"""Arrays and numbers that a program keeps, and changes, are inputs of a graph that is traced once."""

import gc
import weakref

import numpy as np
import pytest

import runtime

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


def test_arrays_that_share_memory_are_refused():
    model = Model()
    f = runtime.function(Model.step, numpy=True)
    f(model, np.array([1.0, 2.0]))
    with pytest.raises(ValueError, match="'w' shares memory with another array"):
        f(model, model.w)
    model.row = model.buffer[0]
    with pytest.raises(TypeError, match="cannot be put into a NumPy array"):
        runtime.function(Model.rows, numpy=True)(model, np.array([1.0, 2.0]))


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
