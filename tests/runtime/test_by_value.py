"""With `numpy=True` NumPy's numbers are known by their values where a function cannot be one graph for all of them."""

import decimal
import json
import warnings

import numpy as np
import pytest

import runtime
from tests.programs import EXECUTORS

NAMES = {0: "zero", 1: "one", 2: "two"}


class Kept:
    def __init__(self):
        self.memo, self.seen, self.log, self.calls, self.w = {}, set(), [], 0, np.zeros(3)

    def remembered(self, k, x):
        self.calls += 1
        if k in self.memo:
            return self.memo[k]
        self.memo[k] = x.sum() + k
        return self.memo[k]

    def counted(self, k, x):
        self.memo[int(k)] = self.memo.get(int(k), 0) + 1
        return self.memo

    def only_in_a_branch(self, k, x):
        if k > 1:
            self.memo["large"] = self.memo.get("large", 0) + 1
        self.w[k] += 1
        return len(self.memo)

    def a_set(self, k, x):
        self.seen.add(k)
        return k in self.seen, len(self.seen)

    def of_many_kinds(self, k, x):
        if k > 0:
            self.log.append([k, x * 2])
        self.log.append("end")
        return len(self.log)

    def sorted(self, k, x):
        self.log.append(k)
        self.log.sort()
        return self.log[0]

    def mean(self, k, x):
        self.log.append(k * 1.5)
        return np.mean(self.log)


METHODS = [value for name, value in vars(Kept).items() if not name.startswith("__")]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.__name__)
def test_what_is_kept_changes_as_without_a_graph(method, jit_compile):
    def observed(f):
        kept, found = Kept(), []
        for number in (1, 0, 2, 1, 2, 2):
            x = np.arange(3.0)
            found.append(repr((f(kept, np.int64(number), x), vars(kept), x)))
        return found

    assert observed(runtime.function(method, numpy=True, jit_compile=jit_compile)) == observed(method)


@pytest.mark.parametrize(
    "f",
    [
        lambda n: decimal.Decimal(int(n)) / 4,
        lambda n: json.dumps({"n": int(n)}),
        lambda n: n.to_bytes(2, "big") if isinstance(n, int) else int(n).to_bytes(2, "big"),
        lambda n: [[0] * int(n)] * 2,
        lambda n: {n: 1, n + 1: 2},
        lambda n: "abc"[n:] + "abcd"[: int(n)],
        lambda n: getattr(np, NAMES[int(n)][:1] + "eros", None) is np.zeros,
    ],
)
@pytest.mark.parametrize("kind", [np.int64, np.uint8, np.int32])
def test_what_only_python_can_do_with_a_number(f, kind):
    g = runtime.function(f, numpy=True)
    for number in (0, 1, 2, 1):
        assert repr(g(kind(number))) == repr(f(kind(number)))


def test_each_value_is_traced_once():
    def f(n, x):
        return {"1": x, "2": -x}.get(json.dumps(int(n)), x * 0)

    g = runtime.function(f, numpy=True)
    for _ in range(3):
        for number in (1, 2, 3):
            assert np.array_equal(g(np.int64(number), np.ones(2)), f(number, np.ones(2)))
    assert g.experimental_get_tracing_count() <= 4


def test_numbers_stay_inputs_where_one_graph_does_for_all():
    g = runtime.function(lambda n, x: x * n if n > 1 else x, numpy=True)
    for number in range(5):
        g(np.int64(number), np.ones(2))
    assert g.experimental_get_tracing_count() == 1


def test_a_function_that_is_refused_for_its_arrays_tells_why():
    f = runtime.function(lambda n, x: {x[0]: n}[x[0]] and json.dumps(x[0]), numpy=True)
    with pytest.raises((TypeError, runtime.errors.OperatorNotAllowedInGraphError), match="dictionary|serializable"):
        f(np.int64(1), np.ones(2))


def test_many_values_are_told_of_with_what_one_graph_was_refused_for():
    def noted(n, x):
        return json.dumps(int(n)) * len(x)

    g = runtime.function(noted, numpy=True)
    with pytest.warns(UserWarning, match="another value of 'n'(?s:.*)since one graph for all was refused: "):
        for number in range(12):
            assert g(np.int64(number), np.ones(2)) == 2 * str(number)


def test_what_a_refused_trace_has_done_is_done_once():
    calls = []

    def f(n, x):
        calls.append(1)
        x[0] += 1
        return json.dumps(int(n))

    g, x = runtime.function(f, numpy=True), np.zeros(2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(4):
            assert g(np.int64(number), x) == str(number)
            assert x[0] == number + 1 and len(calls) == number + 1
