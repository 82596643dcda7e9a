"""Exceptions that a graph raises: of the class that Python's have, with their text and all that they hold."""

import copy
import pickle
import re
import sys
import types

import numpy as np
import pytest

import runtime as tf
from runtime.executors.native.regions import divide
from tests.programs import EXECUTORS, load


class Slots(Exception):
    __slots__ = ("a", "b")

    def __init__(self, a, b=2):
        self.a, self.b = a, b
        super().__init__("text")

    def __str__(self):
        return f"{self.a} {self.b}"


class Own(Exception):
    pass


class Both(Own, MemoryError):
    pass


class Unset(Exception):
    __slots__ = ("never",)


OP_ERRORS = [
    name for name, kind in vars(tf.errors).items() if isinstance(kind, type) and issubclass(kind, tf.errors.OpError)
]


def axis_error():
    try:
        np.sum(np.zeros(2), axis=3)
    except np.exceptions.AxisError as error:
        return error


RAISED = (
    "raise axis_error()", "raise np.exceptions.AxisError(3, 2, 'prefix')", "raise np.exceptions.AxisError('text')",
    "raise Slots(x * 2)", "raise Slots(1, [x, 3])", "raise Unset(x)",
    "raise UnicodeDecodeError('utf8', b'ab', 0, 1, 'why')", "raise OSError(2, 'no', 'file')",
    "raise ImportError('m', name='n', path='p')", "raise AttributeError('m', name='n', obj=3)", "raise KeyError('m')",
    "raise ExceptionGroup('m', [ValueError(1), KeyError(2)])", "raise SyntaxError('m', ('f', 1, 2, 'text'))",
    "raise SystemExit(3)", "sys.exit('bye')", "sys.exit()", "raise ValueError('m', x)",
    "raise ValueError from KeyError(1)", "raise NotImplementedError(f'm {x}')", "raise NotImplementedError",
    "raise Both('m', x)", "raise MemoryError", "raise errors.UnimplementedError(f'm {x}')",
    *(f"raise errors.{name}(None, None, f'm {{x}}')" for name in OP_ERRORS),
)  # fmt: skip


def outcome(function, x):
    try:
        return function(np.int64(x))
    except (Exception, SystemExit) as error:
        names = [n for n in dir(error) if not n.startswith("__") and not callable(getattr(error, n, None))]
        held = {n: getattr(error, n, None) for n in names if n != "exceptions"}
        return re.sub(r"np.int64\((\d+)\)", r"\1", f"{type(error)} {error} {held} {error.__cause__!r}")


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("statement", RAISED)
def test_what_the_graph_raises_holds_what_python_s_does(statement, jit_compile):
    names = {"np": np, "sys": sys, "Slots": Slots, "Unset": Unset, "axis_error": axis_error, "Both": Both}
    names["errors"] = tf.errors
    f = load(f"def f(x):\n    if x > 3:\n        {statement}\n    return x\n", **names)
    graph = tf.function(f, jit_compile=jit_compile)
    assert outcome(graph, 2) == 2
    assert outcome(graph, 4) == outcome(f, 4)


def test_the_cause_of_an_error_tells_of_values_of_the_graph():
    f = load("def f(x):\n    if x > 3:\n        raise ValueError('m') from KeyError(x * 2, 'text')\n    return x\n")
    with pytest.raises(ValueError) as caught:
        tf.function(f)(np.int64(4))
    cause = caught.value.__cause__
    assert type(cause) is KeyError and cause.args == (8, "text")


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize(
    "function, arguments, kinds",
    [
        (lambda x, i: x[i], ([1, 2], 7), (tf.errors.InvalidArgumentError, IndexError)),
        (lambda x, i: x[5], ([1, 2], 7), (tf.errors.InvalidArgumentError, IndexError)),
        (lambda x, i: tf.split(x, 3), ([1, 2], 7), (tf.errors.InvalidArgumentError,)),
    ],
)
def test_an_element_outside_is_an_error_of_an_operation(function, arguments, kinds, jit_compile):
    """At once, and in graphs; it stays the class that Python and NumPy have for it."""
    given = [tf.constant(a) for a in arguments]
    for form in (function, tf.function(function, jit_compile=jit_compile)):
        with pytest.raises((ValueError, IndexError)) as caught:
            form(*given)
        assert all(isinstance(caught.value, kind) for kind in kinds), caught.value


@pytest.mark.parametrize("error", [ValueError("mine"), IndexError("mine")])
def test_what_called_python_raises_stays_as_it_is(error):
    def fail(x):
        raise error

    for form in (lambda: tf.py_function(fail, [1], tf.int32), tf.function(lambda: tf.py_function(fail, [1], tf.int32))):
        with pytest.raises(type(error)) as caught:
            form()
        assert type(caught.value) is type(error)


CODES = {  # TensorFlow's
    "CancelledError": 1, "UnknownError": 2, "InvalidArgumentError": 3, "DeadlineExceededError": 4, "NotFoundError": 5,
    "AlreadyExistsError": 6, "PermissionDeniedError": 7, "ResourceExhaustedError": 8, "FailedPreconditionError": 9,
    "AbortedError": 10, "OutOfRangeError": 11, "UnimplementedError": 12, "InternalError": 13, "UnavailableError": 14,
    "DataLossError": 15, "UnauthenticatedError": 16,
}  # fmt: skip


@pytest.mark.parametrize("name", OP_ERRORS)
def test_errors_of_operations_are_made_as_tensorflow_s_and_of_a_message_alone(name):
    kind = getattr(tf.errors, name)
    for made in (
        kind("m"), kind(None, None, "m"), kind(None, None, message="m"), kind(node_def=None, op=None, message="m"),
    ):  # fmt: skip
        assert (str(made), made.message, made.args, made.op, made.node_def) == ("m", "m", ("m",), None, None)
        assert str(pickle.loads(pickle.dumps(made))) == "m"
    assert kind({}, "op", "m").op == "op"
    assert made.error_code == CODES.get(name, made.error_code)


def checked(x):
    found = np.zeros(len(x))
    for i in range(len(x)):
        found[i] = x[i] * 2
        if found[i] < 0:
            raise ValueError(f"{x[i]} at {i} is below 0", i)
    return found


def test_the_message_of_an_error_keeps_nothing_from_machine_code():
    graph = tf.function(checked, numpy=True, jit_compile=True).get_concrete_function(np.ones(50)).graph
    regions, left = divide(graph, True)
    assert len(regions) == 1 and not left


@pytest.mark.parametrize("jit_compile", [None, True, False])
def test_an_error_of_machine_code_has_its_message(jit_compile):
    graph, x = tf.function(checked, numpy=True, jit_compile=jit_compile), np.ones(50)
    assert graph(x).tolist() == checked(x).tolist()
    x[7] = -3
    with pytest.raises(ValueError) as error:
        graph(x)
    assert error.value.args == ("-3.0 at 7 is below 0", 7)


def test_an_array_is_written_in_place_beside_text():
    def spelled(x):
        found, text = np.zeros(len(x)), "ok"
        for i in range(len(x)):
            found[i] = x[i]
            if x[i] == 0:
                text = "bad"
        return found, text

    concrete = tf.function(spelled, numpy=True, jit_compile=True).get_concrete_function(np.ones(5000))
    regions, _ = divide(concrete.graph, True)
    assert not any(node.op.name == "setitem" for region, _ in regions for node in region.walk())
    assert concrete(np.ones(5000))[1] == "ok"


def guarded(decorated):
    """Functions that raise, and functions with clauses that call these; all of them are decorated."""

    @decorated
    def checked(x):
        if x > 3:
            raise KeyError("too large", x)
        return 10 // int(x)

    @decorated
    def quotient(x):
        try:
            return checked(x)
        except KeyError as error:
            return -int(error.args[1])
        except ZeroDivisionError:
            return -1

    class Total:
        def __init__(self):
            self.sum = 0.0

        @decorated
        def add(self, x):
            if x > 3:
                raise ValueError("too large")
            self.sum += x

        @decorated
        def added(self, x):
            try:
                self.add(x)
            except ValueError:
                return False
            return True

    total = Total()
    return lambda x: (quotient(x), total.added(x), total.sum)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_a_clause_catches_what_another_decorated_function_raises(jit_compile):
    graph = guarded(tf.function(numpy=True, jit_compile=jit_compile))
    plain = guarded(lambda function: function)
    for number in (1.0, 5.0, 2.0, 0.0, 7.0):
        assert graph(np.float64(number)) == plain(np.float64(number))


def keeping(decorated):
    """What only the function inside of the clauses knows, which it changes and reads."""
    kept = types.SimpleNamespace(count=1, last=None, weights=np.ones(2))

    @decorated
    def scaled(x):
        if x.sum() > 100:
            raise ValueError("too large")
        kept.last = x * 2
        kept.count += 1
        return x * kept.count + kept.weights

    @decorated
    def guarded(x):
        try:
            return scaled(x)
        except ValueError:
            return x * 0

    return guarded, kept


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_what_a_function_keeps_that_is_called_inside_of_a_clause(jit_compile):
    def calls(decorated):
        guarded, kept = keeping(decorated)
        for number in (1.0, 200.0, 2.0, 3.0):
            yield guarded(np.array([number, 1])).tolist(), kept.count, kept.last.tolist() if number < 100 else None
            kept.count += 10
            kept.weights = kept.weights + 1
            yield guarded(np.array([number, 2])).tolist(), kept.count, kept.weights.tolist()

    assert [*calls(tf.function(numpy=True, jit_compile=jit_compile))] == [*calls(lambda function: function)]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_a_clause_does_not_catch_that_an_array_cannot_be_written_while_tracing(jit_compile):
    """The array is the caller's, too, whose own code has no clause."""

    def made(decorated):
        class Kept:
            def __init__(self):
                self.total, self.rows = np.zeros(2), np.ones((2, 2))
                self.row = self.rows[0]

            @decorated
            def add(self, x):
                try:
                    self.row *= 2
                    self.total += x
                except ValueError:
                    return -x
                return x

            @decorated
            def added(self, x):
                return self.add(x) * 1

        return Kept()

    plain, graph = made(lambda function: function), made(tf.function(numpy=True, jit_compile=jit_compile))
    for number in range(3):
        expected, found = (one.added(np.full(2, number)).tolist() for one in (plain, graph))
        assert found == expected
        assert graph.total.tolist() == plain.total.tolist() and graph.rows.tolist() == plain.rows.tolist()


class Stack(list):
    def push(self, item):
        self.append(item)
        if len(self) > 2:
            raise OverflowError("full", len(self))


def filled(items, table, seen, x):
    items.append(x)
    table["k"] = items
    seen.add(4)
    raise ValueError(len(items))


def until_the_end(items, table, seen, x):
    for i in range(4):
        items.append(x[i] * 2)
        x[i] = 0
        table[i] = len(items)


def in_order(items, table, seen, x):
    items.insert(0, 2)
    del table["z"]
    seen.clear()
    items[9] = x


def handled(items, table, seen, x):
    stack = Stack(items)
    for _ in range(3):
        try:
            stack.push(x)
        except OverflowError as error:
            table[len(stack)] = error.args
    items[:] = stack
    raise KeyError(len(table))


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("x", [2, np.float64(2), np.arange(3), np.arange(2.0)], ids=repr)
@pytest.mark.parametrize("function", [filled, until_the_end, in_order, handled], ids=lambda f: f.__name__)
def test_what_was_done_to_arguments_before_python_raises_stays(function, x, jit_compile):
    def outcome(of):
        arguments = [1], {"z": 0}, {1.5}, copy.copy(x)
        try:
            of(*arguments)
        except Exception as error:
            return type(error), repr(arguments)

    graph = tf.function(function, jit_compile=jit_compile, numpy=True)
    for _ in range(2):
        assert outcome(graph) == outcome(function)


class Told(Exception):
    def __init__(self, x, *, why):
        super().__init__(x, why)
        self.x, self.half = x, x / 2


def told(x, a):
    if x > 3:
        raise Told(x * 2, why="large")
    if x > 2:
        raise ValueError("wrong", x, a, a[0], len(a), int(x), float(x), x + 1.5, a[:2], str(x), a.sum(), (x, [a[1]]))
    for i, v in enumerate(a):
        if v + x > 3:
            raise KeyError(i, v)
    return x


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("kind", [int, np.int64, np.float32, np.uint8])
@pytest.mark.parametrize("dtype", ["int64", "float32"])
def test_what_an_exception_holds_is_numpys_where_it_is_in_the_program(dtype, kind, jit_compile):
    def outcome(of, x):
        try:
            return repr(of(kind(x), np.arange(3).astype(dtype)))
        except Exception as error:
            held = {name: value for name, value in vars(error).items() if name != "__notes__"}
            return type(error), repr(error.args), repr(held), str(error)

    graph = tf.function(told, jit_compile=jit_compile, numpy=True)
    for x in range(5):
        assert outcome(graph, x) == outcome(told, x)
