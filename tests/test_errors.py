"""What cannot be staged is refused, and what goes wrong in a graph is told: with the variable, the line, what was met
and what to write instead."""

import bisect
import contextlib
import functools
import itertools
import math
import re
import traceback
import types
from collections import namedtuple

import numpy as np
import pytest

import autograph
import runtime as tf
from runtime.executors import registry
from runtime.tensors.frames import OURS
from tests.programs import Table, load


def text_of(error):
    return "\n".join([str(error), *getattr(error, "__notes__", [])])


def two_tuples(x):
    if x > 0:
        y = (x, x + 1)
    else:
        y = (x - 1,)
    return y


def tuple_or_list(x):
    if x > 0:
        y = (x, x)
    else:
        y = [x, x]
    return y


def int_or_float_tensor(x):
    if x > 0:
        y = tf.constant(1)
    else:
        y = tf.constant(1.5)
    return y


def text_or_number(x):
    y = 1
    if x > 0:
        y = "one"
    return y


def vector_condition(x):
    if tf.stack([x, x]) > 0:
        return 1
    return 0


def dtype_changes(x):
    y = tf.constant(1)
    while x > 0:
        y = tf.cast(y, tf.float32) * 1.5
        x -= 1
    return y


def tuple_grows(x):
    y = (x,)
    while x > 0:
        y = (*y, x)
        x -= 1
    return y


def new_key(x):
    d = Table()
    if x > 0:
        d["a"] = x
    return d["a"]


def bytes_grow(x):
    found = bytearray()
    if x > 0:
        found.append(3)
    return len(found)


def list_of_objects(n):
    out = []
    for i in tf.range(n):
        out.append(object())
    return len(out)


COUNT = 0


def global_counter(x):
    global COUNT
    if x > 0:
        COUNT += 1
    return x


class Model:
    def __init__(self):
        self.calls = 0
        self.seen = [0]

    def step(self, x):
        if x > 0:
            self.calls = self.calls + 1
        return x

    def note(self, x):
        while x > 0:
            self.seen[0] = x
            x -= 1
        return x


def never_ends(n):
    if n > 0:
        return never_ends(n - 1)
    return never_ends(n + 1)


def no_end(x):
    for i in itertools.count():
        if i > x:
            break
    return i


def scalar_iterated(x):
    s = 0
    for e in x:
        s += e
    return s


def value_asked_for(x):
    return x.numpy()


def numpy_asked_for(x):
    return np.ma.array(x) + 1


@pytest.mark.parametrize(
    "function, words",
    [
        (two_tuples, ["'y'", "(int32, int32)", "(int32,)", "y = (x, x + 1)", "y = (x - 1,)", "if x > 0:"]),
        (tuple_or_list, ["'y'", "tuple (int32, int32)", "list [int32, int32]"]),
        (
            int_or_float_tensor,
            ["'y'", "int32", "float32", "y = tf.constant(1)", "y = tf.constant(1.5)", "runtime.cast"],
        ),
        (text_or_number, ["'y'", "string", "int64"]),
        (vector_condition, ["(2,)", "reduce_any", "reduce_all", "if tf.stack([x, x]) > 0:"]),
        (dtype_changes, ["'y'", "int32 before the loop", "float32 after an iteration", "y = tf.cast", "while x > 0:"]),
        (tuple_grows, ["'y'", "(int32,)", "(int32, int32)", "before the loop", "after an iteration"]),
        (new_key, ["d['a']", "also be initialized", "in the else branch", "Assign it before", "if x > 0:"]),
        (bytes_grow, ["'found' is a bytearray", "changes in place", "if x > 0:"]),
        (list_of_objects, ["'out'", "tensors, numbers, strings", "<object object", "for i in tf.range(n):"]),
        (global_counter, ["'COUNT' outlives the call", "Variable", "if x > 0:"]),
        (Model().step, ["'self.calls' outlives the call", "Variable", "if x > 0:"]),
        (Model().note, ["'self.seen[0]' outlives the call", "while x > 0:"]),
        (never_ends, ["never_ends", "never ends"]),
        (no_end, ["only the graph knows when to leave", "while", "for i in itertools.count():"]),
        (scalar_iterated, ["scalar", "for e in x:"]),
        (value_asked_for, ["numpy", "runtime.print", "py_function"]),
        (numpy_asked_for, ["Cannot convert a symbolic tensor", "py_function"]),
    ],
)
def test_refusals(function, words):
    with pytest.raises((ValueError, TypeError, AttributeError, NotImplementedError)) as info:
        tf.function(function)(tf.constant(3))
    message = text_of(info.value)
    for word in words:
        assert word in message, message
    assert "retval" not in message and "SymbolicTensor object at" not in message and "did_" not in message
    assert COUNT == 0, "nothing is left behind"


def unbound(x):
    if x > 0:
        z = x
    return z + 1


def nothing_there(x):
    y = None
    if x > 0:
        y = x
    return y * 2


def no_turn(x):
    for i in tf.range(x):
        last = i
    return last


def empty(x):
    found = []
    if x > 0:
        found.append(x)
    return found[0]


def too_few(x):
    found = []
    while x > 0:
        found.append(x)
        x -= 1
    return found.pop()


@pytest.mark.parametrize(
    "function, kind, words",
    [
        (unbound, UnboundLocalError, ["'z'", "not associated with a value", "if x > 0:", "return z + 1"]),
        (nothing_there, TypeError, ["'y'", "is None", "if x > 0:", "return y * 2"]),
        (no_turn, UnboundLocalError, ["'last'", "for i in tf.range(x):"]),
        (empty, IndexError, ["list index out of range", "return found[0]"]),
        (too_few, IndexError, ["pop from empty list", "return found.pop()"]),
    ],
)
def test_what_goes_wrong_when_the_graph_runs(function, kind, words):
    graph = tf.function(function)
    graph(tf.constant(3))
    with pytest.raises(kind):
        function(0)
    with pytest.raises(kind) as info:
        graph(tf.constant(0))
    for word in words:
        assert word in text_of(info.value)


def test_a_closure_that_outlives_the_call_is_not_changed():
    count = 0

    @tf.function
    def f(x):
        nonlocal count
        if x > 0:
            count += 1
        return x

    with pytest.raises(ValueError, match="'count' outlives the call"):
        f(tf.constant(1))
    assert count == 0


def test_zip_with_an_endless_iterator():
    def f(v):
        return sum(i * e for i, e in zip(itertools.count(1), v))

    assert tf.function(f)(tf.constant([3, 4, 5])).numpy() == f([3, 4, 5]) == 26
    with pytest.raises(ValueError, match=r"zip\(\) of a count iterator"):
        tf.function(f, input_signature=[tf.TensorSpec([None], tf.int32)])(tf.constant([1]))


def test_code_that_was_not_converted_is_named_with_the_reason():
    @autograph.do_not_convert
    def helper(v):
        return 1 if v > 0 else 2

    with pytest.raises(TypeError, match=r"helper \(.*test_errors.py:\d+\), which asks for it, was not converted"):
        tf.function(lambda x: helper(x))(tf.constant(1))
    with pytest.raises(TypeError, match="heapq.*standard library"):
        import heapq

        tf.function(lambda x: list(heapq.merge([x], [x + 1])))(tf.constant(1))


def test_an_error_of_the_users_own_keeps_its_type_and_its_line():
    class OwnError(Exception):
        def __init__(self, code, *, detail):
            super().__init__(code)
            self.detail = detail

    @tf.function
    def f(x):
        if x > 0:
            raise OwnError(7, detail=f"x is {x}")
        return x

    with pytest.raises(OwnError) as info:
        f(tf.constant(5))
    assert info.value.args == (7,) and info.value.detail == "x is 5"
    assert re.search(r"in the graph, from File .*test_errors.py", text_of(info.value))


def test_a_parameter_that_may_be_none_and_has_a_default():
    def scaled(x, by=None):
        if by is None:
            by = 2
        return x * by

    @tf.function
    def f(x):
        by = x if x > 0 else None
        return scaled(x, by)

    with pytest.raises(ValueError, match="'by' is None only in some runs"):
        f(tf.constant(1))
    assert functools.partial(scaled, 3)() == 6


EXPRESSIONS = """
def one_line(x):
    return 1 if x > 0 else "a"


def several_lines(x):
    y = (
        tf.constant(1)  # here
        if x > 0
        else (1, 2)
    )
    return y


def nested(x):
    y = 1 if x > 5 else (
        1 if x > 0 else  # here
        "text"
    )
    return y
"""


@pytest.mark.parametrize("name", ["one_line", "several_lines", "nested"])
def test_errors_of_conditional_expressions_name_their_line(name):
    function = load(EXPRESSIONS, name, tf=tf)
    lines = EXPRESSIONS.splitlines()
    start = lines.index(f"def {name}(x):")
    line = next((n for n, text in enumerate(lines) if n > start and "# here" in text), start + 1)
    line = start + 1 if name == "one_line" else line
    with pytest.raises(ValueError) as info:
        function = tf.function(function)
        function(tf.constant(3))
    assert "the conditional expression" in str(info.value)
    assert f":{line + 1}: {lines[line].strip()}" in text_of(info.value)


def test_a_function_that_wraps_itself_is_refused():
    def f(x):
        return x

    def g(x):
        return x

    f.__wrapped__, g.__wrapped__ = g, f
    with pytest.raises(autograph.SourceNotFoundError, match="again and again"):
        autograph.to_code(f)
    f.__wrapped__ = f
    assert "def f(x)" in autograph.to_code(f)


ASKED = {
    "math.nextafter(x, 1.0)": "`math.nextafter(x, 1.0)` .*asks for it now. Use tensor operations",
    "math.ulp(x)": "`math.ulp(x)` .*asks for it now. Use tensor operations",
    "(lambda m: m.gamma(x))(math)": "`m.gamma(x)` .*asks for it now. Use tensor operations",
    "'ab' * n": "`'ab' * n` .*asks for it now. Write runtime.strings.reduce_join(runtime.fill([n], 'ab')),",
    "n * b'ab'": "`n * b'ab'` .*asks for it now. Write runtime.strings.reduce_join(runtime.fill([n], b'ab')),",
    "{}.setdefault(n)": "cannot be a key of a dictionary .*Compare it with each key",
    "{1}.add(*[n])": "cannot be a key of a dictionary .*Compare it with each key",
    "{1}.discard(n)": "cannot be a key of a dictionary .*Compare it with each key",
    "{1: 2}.pop(n)": "cannot be a key of a dictionary .*Compare it with each key",
    "{1}.add(n)": "cannot be a key of a dictionary .*Append it to a list",
    "frozenset([n])": "cannot be a key of a dictionary or an element of a set .*Compare it with each key",
    "np.linalg.eig(x)": "eig has no staged meaning",
}


LOOKED_UP = {  # what a converted function looks up in the graph
    "{1: 2}.get(n)": "cannot be a key of a dictionary .*Write `{1: 2}[n] if n in {1: 2} else None`, which",
    "{1: 2}.get(n, -x)": "cannot be a key of a dictionary .*Write `{1: 2}[n] if n in {1: 2} else -x`, which",
    "{1: 2}.get(*[n])": "cannot be a key of a dictionary .*Compare it with each key",
    "{1: 2}.get(n, *[3])": "cannot be a key of a dictionary .*Compare it with each key",
    "'abc'[n]": "`'abc'[n]` .*asks for it now. Write runtime.strings.substr('abc', n, 1),",
    "[1, 2, 3][:n]": "`[1, 2, 3][:n]` .*asks for it now. Write runtime.constant([1, 2, 3])[:n],",
}


def test_tuples_compare_by_their_names_and_written_out():
    text = "def f(n):\n    rows = [(i % 3, i) for i in range(n)]\n    least = rows[0]\n    for row in rows:\n"
    for test in ("row < least", "(*row,) < (*least,)"):
        f = load(text + f"        if {test}:\n            least = row\n    return least\n")
        assert tuple(map(int, tf.function(f)(tf.constant(4)))) == (0, 0)


@pytest.mark.parametrize("operator", ["==", "!="])
def test_named_tuples_compare_and_where_they_do_not_it_is_named_what_to_write_instead(operator):
    place = namedtuple("place", "r c")
    text = "def f(grid, goal):\n    p = place(grid[0], grid[1])\n    return 1 if {} else 2\n"
    for test in (f"p {operator} goal", f"(*p,) {operator} (*goal,)"):
        f = load(text.format(test), place=place)
        for grid in (np.array([1, 2]), np.array([2, 1])):
            assert tf.function(f, numpy=True)(grid, place(1, 2)) == f(grid, place(1, 2))

    class Marked:
        def __init__(self, at):
            self.at = at

        def __eq__(self, other):
            return self.at == other.at

        def __ne__(self, other):
            return self.at != other.at

    f = load(f"def f(grid):\n    return Marked((grid[0], 1)) {operator} Marked((2, 1))", Marked=Marked)
    with pytest.raises(TypeError, match=rf"Write \(\*self.at,\) {operator} \(\*other.at,\), which"):
        tf.function(f, numpy=True)(np.array([1, 2]))


@pytest.mark.parametrize("text", LOOKED_UP)
def test_what_is_looked_up_by_code_that_stays_as_it_is(text):
    f = load(f"def f(x, n):\n    return {text}\n")
    with pytest.raises(TypeError, match=re.escape(LOOKED_UP[text]).replace(r"\ \.\*", ".*")):
        tf.function(f, autograph=False)(tf.constant(4.0), tf.constant(2))


@pytest.mark.parametrize("text", ASKED)
def test_what_asks_for_a_value_is_named_with_what_to_write_instead(text):
    f = load(f"def f(x, n):\n    return {text}\n", math=math, np=np)
    wanted = re.escape(ASKED[text]).replace(r"\ \.\*", ".*")
    for convert in (True, False):
        with pytest.raises(TypeError, match=wanted):
            tf.function(f, autograph=convert)(tf.constant(4.0), tf.constant(2))


def test_a_format_of_numbers_in_code_that_is_not_converted():
    @autograph.do_not_convert
    def shown(x):
        return f"{x:.2f}"

    # Since Python 3.12 the parts of such a text have places of their own.
    with pytest.raises(TypeError, match=r"as a Python `str` .*`(f\"{x:.2f}\"|{x:.2f})` \(.*\) asks for it now"):
        tf.function(lambda x: [shown(x)])(tf.constant(1.0))


class Cached:
    @functools.cache
    def get(self, key):
        return key

    @functools.cache
    def add(self, key):
        return key


TABLES = {"table": {1: 2}, "proxy": types.MappingProxyType({1: 2}), "items": {1}, "cached": Cached()}
TABLES |= {"space": types.SimpleNamespace, "functools": functools}
INSTEAD = {
    "proxy.get(n, 0)": "Write `proxy[n] if n in proxy else 0`",
    "items.add(n)": "Append it to a list, and write `if n not in items:`",
    "table.setdefault(n)": "Compare it with each key",
    "cached.get(n)": "Compare it with each key",
    "cached.get(key=n)": "Compare it with each key",
    "[cached][0].get(key=n)": "Compare it with each key",
    "[cached][0].get(**{'key': n})": "Compare it with each key",
    "space(get=functools.partial({1}.add, n)).get()": "Compare it with each key",
    "cached.add(n)": "Compare it with each key",
    "cached.add(key=n)": "Compare it with each key",
}


def test_an_array_is_to_be_written_to_in_the_place_of_a_dictionary():
    f = load("def f(n):\n    table = Table()\n    table[n] = 1\n    return table\n", Table=Table)
    for convert in (True, False):
        with pytest.raises(TypeError, match="cannot be a key of a dictionary .*Write to an array or a tensor instead"):
            tf.function(f, autograph=convert)(tf.constant(2))


@pytest.mark.parametrize("text", INSTEAD)
def test_what_is_no_table_is_not_said_to_be_one(text):
    f = load(f"def f(n):\n    return {text}\n", **TABLES)
    for convert in (True, False):
        with pytest.raises(TypeError, match="cannot be a key of a dictionary .*" + re.escape(INSTEAD[text])):
            tf.function(f, autograph=convert)(tf.constant(2))


def test_a_search_by_code_that_is_not_converted_is_said_to_be_numpys():
    f = load("def f(x):\n    return bisect.bisect([1, 2], x)\n", bisect=bisect)
    with pytest.raises(TypeError, match=r"`bisect.bisect\(\[1, 2\], x\)` .*asks for it now. Write np.searchsorted"):
        tf.function(f, autograph=False)(tf.constant(4.0))


def test_what_is_said_to_be_written_instead_is_right():
    table = {1: 10, 3: 30}

    def instead(x, n, words):
        order = np.argsort([len(w) * x for w in words])
        return (
            tf.strings.reduce_join(tf.fill([n], "ab")),
            tf.strings.substr("abcd", n, 1),
            table[n] if n in table else 0,
            np.searchsorted([1, 2, 3], x, side="right"),
            [words[i] for i in order],
            words[np.argmax([len(w) * x for w in words])],
        )

    found = tf.function(instead)(tf.constant(-2.0), tf.constant(3), ["a", "bcd", "ef"])
    assert [np.asarray(part).tolist() for part in found] == [b"ababab", b"d", 30, 0, [b"bcd", b"ef", b"a"], b"a"]


def test_a_tensor_of_a_trace_that_has_ended_says_so_whatever_is_asked_of_it():
    kept = []
    tf.function(lambda x: kept.append(x + 1))(tf.constant(1.0))
    for use in (
        bool,
        float,
        np.asarray,
        lambda v: v + 1,
        lambda v: [1, 2][v],
        lambda v: tf.cast(v, tf.int32),
        lambda v: f"{v:.2f}",
        lambda v: {v: 1},
    ):
        with pytest.raises(tf.errors.InaccessibleTensorError, match="was made while tracing .*, which has ended"):
            use(kept[0])
    with pytest.raises(AttributeError, match="'numpy': .* was made while tracing .*, which has ended"):
        kept[0].numpy()


def test_what_is_raised_whatever_the_values_tells_of_them():
    def f(n):
        raise ValueError(f"bad {n}", n + 1)

    def g(n):
        def inner():
            raise KeyError(n)

        return inner()

    for jit_compile in (False, None):
        with pytest.raises(ValueError) as caught:
            tf.function(f, jit_compile=jit_compile)(tf.constant(3))
        assert [str(part) for part in caught.value.args] == ["bad 3", "4"]
        assert 'raise ValueError(f"bad {n}", n + 1)' in text_of(caught.value) and "fail(" not in text_of(caught.value)
        with pytest.raises(KeyError) as caught:
            tf.function(g, jit_compile=jit_compile)(np.int64(5))
        assert caught.value.args == (5,)
        assert "raise KeyError(n)" in text_of(caught.value)


def test_a_variable_that_the_graph_finds_unbound_is_told_by_the_line_that_reads_it():
    def returned(x):
        if x > 0:
            y = x
        return y  # read here

    def used(x):
        while x > 10:
            y = x
            x = x - 1
        z = y + 1  # read here
        return z

    for function in (returned, used):
        with pytest.raises(UnboundLocalError, match="local variable 'y'.*only some cases assign it") as caught:
            tf.function(function)(tf.constant(-1.0))
        told = text_of(caught.value)
        assert "# read here" in told and "require(" not in told


def test_machine_code_that_nothing_here_makes_is_told_of_at_the_line_of_the_call(monkeypatch):
    for executor in registry.EXECUTORS.values():
        if executor.compiles:
            monkeypatch.setitem(vars(executor), "is_there", False)
    f = tf.function(lambda x: x + 1, jit_compile=True)
    with pytest.warns(UserWarning, match=r"jit_compile=True needs llvmlite .*; NumPy is used") as told:
        assert f(tf.constant(1)).numpy() == 2
    assert [one.filename for one in told] == [__file__]


class Holder:
    a = 1


@pytest.mark.parametrize("f, told", [
    (lambda x: getattr(Holder, x), r"getattr\(\) wants the name of an attribute as text, and Tensor\(\"x:0\""),
    (lambda x: getattr(Holder, x, 3), "Choose with `if`, or keep the values in a list or a tensor and index that"),
    (lambda x: hasattr(Holder, x), r"hasattr\(\) wants the name of an attribute as text"),
    (lambda x: sorted([x, x + 1], key=functools.cmp_to_key(lambda a, b: a - b)), "Give a key that makes one number"),
    (lambda x: sorted(np.stack([x, x]), key=functools.cmp_to_key(lambda a, b: a - b)), "key=functools.cmp_to_key"),
])  # fmt: skip
def test_a_name_or_an_order_that_only_the_graph_knows_is_refused_with_what_to_write(f, told):
    with pytest.raises((TypeError, autograph.StagingError), match=told):
        tf.function(f)(tf.constant(1))


def leaked():
    kept = []
    tf.function(lambda x: kept.append(x * 2) or x)(tf.constant(1))
    return kept[0]


def run_twice(tape):
    with tape:
        x = tf.constant(3.0)
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    tape.gradient(y, x)


# What is called outside of graphs, how many frames of this library's a traceback may show, and what is said.
AT_ONCE = [
    (lambda: autograph.to_code(len), 0, "written in C"),
    (lambda: autograph.to_code(3), 0, "3 is not a function"),
    (lambda: autograph.to_graph("f"), 0, "'f' is not a function"),
    (lambda: autograph.convert(3), 0, "3 is not a function"),
    (lambda: autograph.explain(3), 0, "3 is not a function"),
    (lambda: autograph.to_code(test_zip_with_an_endless_iterator, style="yapf"), 0, "style='yapf' is none"),
    (lambda: tf.function(3), 0, "3 cannot be called"),
    (lambda: tf.function(property(len)), 0, "write @property above @runtime.function"),
    (lambda: tf.function(jit_compile="fast")(len), 0, "jit_compile='fast' names no executor"),
    (lambda: tf.function(input_signature=tf.TensorSpec([]))(lambda x: x), 0, "a list or tuple of TensorSpecs"),
    (lambda: tf.function(lambda x, y=1: x)(1, 2, 3), 0, r"takes from 1 to 2 positional arguments but 3 were given"),
    (lambda: tf.function(lambda x: x)(1, 2), 0, r"takes 1 positional argument but 2 were given"),
    (lambda: tf.constant([1, 2]) + tf.constant([1, 2, 3]), 1, r"shapes \(2,\) and \(3,\)"),
    (lambda: tf.ones([2, 3]) @ tf.ones([4, 5]), 1, "3 columns meet 4 rows"),
    (lambda: tf.constant([1, 2])["a"], 0, "'a' is text, and only integers, slices"),
    (lambda: tf.constant([1, 2])[5], 0, "index 5 is out of bounds"),
    (lambda: bool(tf.constant([1, 2])), 0, "ambiguous"),
    (lambda: [*tf.constant(1)], 0, "a scalar tensor cannot be iterated over"),
    (lambda: tf.constant([[1, 2], [3]]), 0, r"\[\[1, 2\], \[3\]\] cannot become a tensor: its rows differ in length"),
    (lambda: tf.constant([1, 2], shape=[3]), 0, "2 elements do not fill the shape"),
    (lambda: tf.matmul(tf.ones([2, 3]), tf.ones([4, 5])), 3, "3 columns meet 4 rows"),
    (lambda: tf.Variable([1.0, 2.0]).assign([1.0, 2.0, 3.0]), 1, "Shape mismatch"),
    (lambda: leaked() + 1, 1, r"was made while tracing <lambda> \(.*test_errors.py:\d+: .*kept.append\(x \* 2\)"),
    (lambda: tf.grad(lambda x: x)(3), 0, "only floats and complex numbers"),
    (lambda: tf.grad(lambda x: x)(np.ones(2)), 0, "one float is wanted"),
    (lambda: tf.grad("x"), 2, "'x' cannot be called"),
    (lambda: run_twice(tf.GradientTape()), 0, "non-persistent GradientTape"),
    (lambda: tf.while_loop(lambda i: i < 3, 3, [0]), 0, "while_loop needs two functions"),
    (lambda: tf.while_loop(lambda i: i < 3, lambda i: (i + 1, 2), [0]), 0, "body must return 1 value, one for each"),
    (lambda: tf.cond(True, lambda: 1, None), 0, "cond needs two functions"),
    (lambda: tf.map_fn(3, [1, 2]), 0, "needs a function, and fn is 3"),
    (lambda: tf.scan(3, [1, 2]), 0, "needs a function, and fn is 3"),
    (lambda: tf.map_fn(lambda x: x, [1, 2]), 0, r"no parts .* holds 1: .* write tf.constant\(\[1, 2\]\)"),
    (lambda: tf.scan(lambda a, x: x, [1, 2]), 0, r"no parts .* write tf.constant\(\[1, 2\]\)"),
    (lambda: tf.foldl(lambda a, x: x, 3), 0, "no parts to go through, and elems holds 3$"),
    (lambda: tf.scan(lambda a, x: (a, x), tf.ones(2)), 0, r"begins as a value, and fn returns \(a value, a value\)"),
    (lambda: tf.switch_case(1, [len, 2]), 0, "branch 1 is 2"),
    (lambda: tf.ones([2, "a"]), 3, r"one of \[2, 'a'\] is 'a'"),
    (lambda: tf.one_hot([1, 2], "x"), 4, "depth='x': it must be a whole number"),
    (lambda: tf.constant(None), 0, "None cannot become a tensor: it is no number, text or array"),
    (lambda: tf.function(lambda x: x).get_concrete_function(1, 2), 0, "takes 1 positional argument but 2 were"),
    (lambda: tf.function(lambda x: x).get_concrete_function(tf.TensorSpec([]))(), 0, "needs the tensor 'x'"),
    (lambda: tf.data.Dataset.range(5).batch(-1), 0, "it must be 1 at least"),
    (lambda: tf.data.Dataset.range(5).map(lambda x: x + "a"), 0, "unsupported operand"),
    (lambda: [*tf.data.Dataset.range(5).map(lambda x: [1][x])], 0, "out of range"),
    (lambda: tf.relu, 1, r"did you mean runtime.nn.relu\?"),
    (lambda: tf.softmax, 1, r"did you mean runtime.math.softmax or runtime.nn.softmax\?"),
    (lambda: tf.jit, 1, r"tf.function\(jit_compile=True\) compiles it"),
]  # fmt: skip


@pytest.mark.parametrize("call, frames, told", AT_ONCE, ids=[row[2][:30] for row in AT_ONCE])
def test_what_is_wrong_outside_of_graphs_is_told_at_the_users_line(call, frames, told):
    with pytest.raises(Exception, match=told) as caught:
        call()
    shown = [entry.filename for entry in traceback.extract_tb(caught.tb)]
    ours = [name for name in shown if name.startswith(OURS)]
    assert len(ours) <= frames and not any(name in (functools.__file__, contextlib.__file__) for name in shown)
