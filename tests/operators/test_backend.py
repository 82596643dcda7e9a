"""A backend of forty lines: staged values are expressions, and statements on them are written down."""

import itertools

import pytest

import autograph
from autograph import UNDEFINED


class Expression:
    def __init__(self, text):
        self.text = text

    def __gt__(self, other):
        return Expression(f"({self.text} > {text(other)})")

    def __add__(self, other):
        return Expression(f"({self.text} + {text(other)})")

    def __bool__(self):
        raise TypeError("no truth yet")


def text(value):
    return value.text if isinstance(value, Expression) else repr(value)


class Recorder:
    """Every result is the text of how it would be computed."""

    def is_staged(self, value):
        return True

    def cond(self, test, body, orelse, variables):
        def join(name, a, b):
            if a is b:
                return a
            if UNDEFINED in (a, b):
                raise NameError(f"{name} is unbound in a branch of {variables.statement}")
            return Expression(f"({text(a)} if {text(test)} else {text(b)})")

        return [join(*row) for row in zip(variables.names, body(), orelse(), strict=True)]

    def while_loop(self, test, body, state, variables):
        inside = [Expression(name) for name in variables.names]
        written = f"while {text(test(*inside))}: {', '.join(map(text, body(*inside)))}"
        return [Expression(f"<{name} after {written}>") for name in variables.names]

    def for_loop(self, items, test, body, state, variables, ask):
        inside = [Expression(name) for name in variables.names]
        after = body(lambda: Expression(variables.item), *inside)
        written = f"for {variables.item} in {text(items)}: {', '.join(map(text, after))}"
        return [Expression(f"<{name} after {written}>") for name in variables.names]

    def content(self, value):
        return None

    def set_content(self, value, content):
        raise NotImplementedError

    def not_(self, value):
        return Expression(f"(not {value.text})")

    def assert_(self, test, message, statement):
        raise AssertionError(f"staged: {text(test)}")

    def call(self, function, arguments, keywords):
        return Expression(f"{function.__name__}({', '.join(map(text, arguments))})")

    def recursive(self, function, arguments, keywords):
        return function(*arguments, **keywords)

    def attempt(self):
        return None


autograph.register_backend(Expression, Recorder())
X = Expression("x")


def branch(x):
    y = 1
    if x > 0:
        y = y + 1
        x = x + y
    return x, y


def early(x):
    if x > 0:
        return x
    return 0


def loop(x, n):
    while n > x:
        x = x + 1
    return x


def total(xs):
    s = 0
    for x in xs:
        s = x + s
    return s


def logic(x):
    return (x > 0) and not (x > 9), len(x)


def one_branch(x):
    if x > 0:
        y = 1
    return y


class Holder:
    n = 0


def attribute(x, holder):
    if x > 0:
        holder.n = x
    return holder.n


@pytest.mark.parametrize(
    "function, arguments, wanted",
    [
        (branch, (X,), ["((x + 2) if (x > 0) else x)", "(2 if (x > 0) else 1)"]),
        (early, (X,), "(x if (x > 0) else 0)"),
        (loop, (X, Expression("n")), "<x after while bool((n > x)): (x + 1)>"),
        (total, (Expression("xs"),), "<s after for x in xs: (x + s)>"),
        (logic, (X,), ["((not (x > 9)) if (x > 0) else (x > 0))", "len(x)"]),
        (attribute, (X, Holder()), "(x if (x > 0) else 0)"),
    ],
)
def test_statements_on_staged_values_go_to_the_backend(function, arguments, wanted):
    result = autograph.to_graph(function)(*arguments)
    assert (list(map(text, result)) if isinstance(result, tuple) else text(result)) == wanted


def test_the_same_functions_on_ordinary_values():
    assert autograph.to_graph(branch)(1) == branch(1) == (3, 2)
    assert autograph.to_graph(loop)(1, 4) == 4 and autograph.to_graph(total)([1, 2]) == 3


def test_the_backend_learns_the_statement():
    with pytest.raises(NameError, match=r"y is unbound in a branch of .*test_backend.py:\d+: if x > 0:"):
        autograph.to_graph(one_branch)(X)


def test_variables_are_as_before_after_a_failure():
    holder = Holder()

    def fails(x, h):
        if x > 0:
            h.n = 5
            raise KeyError
        return h.n

    with pytest.raises(KeyError):
        autograph.to_graph(fails)(X, holder)
    assert holder.n == 0


def test_a_backend_must_have_all_methods():
    with pytest.raises(TypeError, match="lacks .*while_loop"):
        autograph.register_backend(Holder, object())


def test_an_error_while_staging_is_the_users_own_with_a_note():
    mine = KeyError("missing")

    def lookup(x):
        y = 0
        for i in x:
            if i > 2:
                raise_it()
        return y

    def raise_it():
        raise mine

    with pytest.raises(KeyError) as caught:
        autograph.to_graph(lookup)(Expression("x"))
    assert caught.value is mine and mine.args == ("missing",)
    first, second = mine.__notes__
    assert first.startswith("while staging ") and first.endswith(": if i > 2:") and second.endswith(": for i in x:")


@pytest.mark.parametrize("turns", [0, 1, 3])
def test_a_loop_whose_test_is_staged_after_some_turns(turns):
    def f(x):
        i, answers = 0, itertools.chain([True] * turns, itertools.repeat(x > 0))
        while next(answers):
            i = i + 1
        return i

    # The test has taken an answer by then, which no backend can give back: it is made once more by each iteration.
    made = autograph.to_graph(f)(Expression("x")).text
    assert made == "<i after while the test of the loop: bool((x > 0)), (i + 1)>"


def test_a_variable_that_is_unbound_in_a_loop_under_a_trace():
    def f(n):
        i = 0
        while i < n:
            i += 1
            if i > 1:
                print(y)
            if i > 5:
                y = 1
        return i

    with pytest.raises(UnboundLocalError, match="cannot access local variable 'y'") as caught:
        autograph.to_graph(f)(3)
    assert [frame.name for frame in caught.traceback][-1] == "f"


def test_attempts_of_several_backends_go_back_together(monkeypatch):
    from autograph import Attempt, dispatch

    class Tracing(Recorder):
        def __init__(self):
            self.nodes = []

        def attempt(self):
            return Attempt(self.nodes, lambda length: self.nodes.__delitem__(slice(length, None)))

    one, two = Tracing(), Tracing()
    monkeypatch.setattr(dispatch, "_backends", [one, two, Recorder()])
    attempt = dispatch.attempt_all()
    one.nodes.append("a")
    mark = len(attempt.recorded)
    two.nodes.append("b")
    later = len(attempt.recorded)
    one.nodes.append("c")
    attempt.rewind(later)
    assert (one.nodes, two.nodes) == (["a"], ["b"])
    attempt.rewind(mark)
    assert (one.nodes, two.nodes) == (["a"], [])
