"""Control flow: the same eagerly and in a graph; and what cannot be staged, refused with a reason."""

from typing import NamedTuple

import numpy as np
import pytest

import autograph
import runtime as tf
from tests.programs import EXECUTORS, Table, load


def same(function, *arguments):
    """The results of a function eagerly and as a graph, which must be equal; as NumPy values."""
    eager = function(*arguments)
    graph = tf.function(function)(*arguments)
    for mine, wanted in zip(tf.nest.flatten(graph), tf.nest.flatten(eager), strict=True):
        np.testing.assert_array_equal(mine, wanted)
    return tf.nest.map_structure(lambda t: np.asarray(t).tolist(), eager)


@pytest.mark.parametrize("x, wanted", [(3, 9), (-3, 3)])
def test_cond(x, wanted):
    assert same(lambda x: tf.cond(x > 0, lambda: x * x, lambda: -x), tf.constant(x)) == wanted


def test_cond_takes_structures_and_python_numbers():
    def f(x):
        return tf.cond(x > 0, lambda: {"a": x, "b": (x, 1)}, lambda: {"a": -x, "b": (x, 2.5)})

    assert same(f, tf.constant(-2.0)) == {"a": 2.0, "b": (-2.0, 2.5)}


class Standing:
    """What stands for a tensor."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __tensor__(self, dtype=None):
        return self.tensor


@pytest.mark.parametrize("choose, several", [
    (lambda number, first, second: tf.cond(number, first, second), False),
    (lambda number, first, second: tf.switch_case(number, [second, first]), True),
])  # fmt: skip
def test_whose_condition_is_known_while_tracing_has_one_branch(choose, several):
    """Where nothing is traced that is so of all; in a graph, of Python's own values alone."""
    kind = int if several else bool
    variable = tf.Variable(kind(1))

    def f(given, called, x):
        first, second = (lambda: called.append(1) or x + 1), (lambda: called.append(2) or x + 2)
        return choose(given() if callable(given) else given, first, second)

    for number in (1, 0):
        variable.assign(kind(number))
        for given in (kind(number), np.array(kind(number)), tf.constant(kind(number)), variable):
            called = []
            assert int(f(given, called, tf.constant(0))) == 2 - number and called == [2 - number]
        called = []
        assert int(tf.function(lambda x: f(kind(number), called, x))(tf.constant(0))) == 2 - number
        assert called == [2 - number]
    for make in (lambda: variable, lambda: Standing(variable.read_value())):
        called = []
        graph = tf.function(lambda x: f(make, called, x))
        for number in (1, 0, 1):
            variable.assign(kind(number))
            assert int(graph(tf.constant(0))) == 2 - number
        assert {*called} == {1, 2}


def test_while_loop():
    def f(n):
        return tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + i), (tf.constant(0), tf.constant(0)))

    assert same(f, tf.constant(5)) == (5, 10)


def test_while_loop_relaxes_shapes_and_promotes_python_numbers():
    def f(n):
        return tf.while_loop(
            lambda i, xs, s: i < n,
            lambda i, xs, s: (i + 1, tf.concat([xs, [1.5]], 0), s + 0.5),
            (tf.constant(0), tf.zeros([0]), 0),
        )

    _, xs, s = tf.function(f)(tf.constant(3))
    assert xs.numpy().tolist() == [1.5] * 3 and s.numpy() == 1.5


def test_while_loop_stops_at_maximum_iterations():
    f = lambda: tf.while_loop(lambda i: True, lambda i: (i + 1,), (tf.constant(0),), maximum_iterations=4)
    assert same(f) == (4,)


def test_while_loop_gives_tensors_whatever_it_was_given():
    for values in ((0, 5), [0, 5]):
        made = tf.while_loop(lambda i, n: i < 0, lambda i, n: (i + 1, n), values)
        assert type(made) is type(values) and all(tf.is_tensor(v) for v in made) and [int(v) for v in made] == [0, 5]


@pytest.mark.parametrize("shape", [[None, 2], None], ids=["size not known", "known"])
@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_elements(count, shape):
    rows = np.arange(2.0 * count).reshape(count, 2)
    given = {"input_signature": [tf.TensorSpec(shape, tf.float64)]} if shape else {}

    def f(v):
        twice, total = tf.map_fn(lambda r: (r * 2, tf.reduce_sum(r)), v)
        return twice, total, tf.scan(lambda a, r: a + r, v, np.zeros(2))

    def g(v):
        return tf.scan(lambda a, r: a + r, v), tf.scan(lambda a, r: a + r, v, reverse=True)

    for found in (f(rows), tf.function(f, **given)(rows)):
        for mine, wanted in zip(found, (rows * 2, rows.sum(1), rows.cumsum(0)), strict=True):
            np.testing.assert_array_equal(mine, wanted)
            assert np.shape(mine) == wanted.shape or (shape and not count)
    for found in (g(rows), tf.function(g, **given)(rows)) if count else ():
        for mine, wanted in zip(found, (rows.cumsum(0), rows[::-1].cumsum(0)[::-1]), strict=True):
            np.testing.assert_array_equal(mine, wanted)


@pytest.mark.parametrize("index, wanted", [(0, 1), (1, 10), (7, -1)])
def test_switch_case(index, wanted):
    f = lambda i: tf.switch_case(i, [lambda: tf.constant(1), lambda: tf.constant(10)], default=lambda: tf.constant(-1))
    assert same(f, tf.constant(index)) == wanted


def test_case():
    f = lambda x: tf.case(
        [(x > 10, lambda: tf.constant("big")), (x > 5, lambda: tf.constant("mid"))], lambda: tf.constant("small")
    )
    assert [same(f, tf.constant(v)) for v in (20, 7, 1)] == [b"big", b"mid", b"small"]


def test_map_fn_and_scan():
    x = tf.constant([[1, 2], [3, 4], [5, 6]])
    assert same(lambda x: tf.map_fn(lambda r: tf.reduce_sum(r), x), x) == [3, 7, 11]
    assert same(lambda x: tf.map_fn(lambda r: (r[0], r * 2), x), x) == ([1, 3, 5], [[2, 4], [6, 8], [10, 12]])
    assert same(lambda x: tf.scan(lambda a, r: a + r, x), x) == [[1, 2], [4, 6], [9, 12]]
    assert same(lambda x: tf.scan(lambda a, r: a + r, x, reverse=True), x) == [[9, 12], [8, 10], [5, 6]]
    assert same(lambda x: tf.scan(lambda a, r: a * 2 + r[0], x, tf.constant(1)), x) == [3, 9, 23]


@pytest.mark.parametrize("run, wanted", [
    (lambda fn, x: tf.map_fn(lambda r: fn(0, r), x), [11, 22, 33]), (tf.scan, [1, 13, 36]), (tf.foldl, 36),
    (tf.foldr, 36), (lambda fn, x: tf.scan(fn, x, 0), [11, 33, 66]),
    (lambda fn, x: tf.scan(fn, x, 0, reverse=True), [66, 35, 13]),
    (lambda fn, x: tf.vectorized_map(lambda r: fn(0, r), x), [11, 22, 33]),
])  # fmt: skip
def test_eager_bodies_are_called_once_for_each_part_which_has_a_value(run, wanted):
    more = iter([10, 20, 30])
    assert run(lambda a, r: a + r.numpy() + next(more), tf.constant([1, 2, 3])).numpy().tolist() == wanted


def test_eager_bodies_return_one_structure_and_elems_are_not_empty():
    x = tf.constant([1, 2])
    with pytest.raises(ValueError, match=r"a value, then \(a value,\)"):
        tf.map_fn(lambda r: r if r < 2 else (r,), x)
    with pytest.raises(ValueError, match="keep its structure"):
        tf.scan(lambda a, r: (a, r), x, 0)
    with pytest.raises(ValueError, match="at least one tensor"):
        tf.map_fn(lambda r: r, [])


@pytest.mark.parametrize("run", [
    lambda v, n: tf.map_fn(lambda x: x * v[n % 3], v), lambda v, n: tf.scan(lambda a, x: a + x * v[n], v),
    lambda v, n: tf.map_fn(lambda x: tf.map_fn(lambda y: x * y * v[n], v), v),
])  # fmt: skip
def test_what_runs_at_once_may_fail_within_a_try(run):
    v = tf.constant([1.0, 2.0, 3.0])
    try:
        found = run(v, tf.constant(1))
    except IndexError:
        found = None
    assert found is not None and found.shape[0] == 3
    try:
        tf.map_fn(lambda x: x * v[tf.cast(x, tf.int32) + 2], v)
        raised = False
    except IndexError:
        raised = True
    assert raised


def test_effects_run_in_program_order(capsys):
    v = tf.Variable(0)

    @tf.function
    def f(n):
        for i in tf.range(n):
            tf.print("turn", i, v)
            v.assign_add(i)
        tf.print("end", v)
        return v

    assert f(tf.constant(3)).numpy() == 3
    assert capsys.readouterr().err == "turn 0 0\nturn 1 0\nturn 2 1\nend 3\n"


def test_pure_operations_that_nobody_needs_do_not_run():
    @tf.function
    def f(x):
        tf.gather(x, [5])
        return x

    assert f(tf.constant([1.0])).numpy().tolist() == [1.0]
    assert "gathered" not in str(f.get_concrete_function(tf.constant([1.0])).graph)


def dtypes(x):
    if x > 0:
        y = tf.constant(1)
    else:
        y = tf.constant(1.0)
    return y


def structures(x):
    if x > 0:
        y = (x, x)
    else:
        y = [x, x]
    return y


def vector(x):
    if tf.stack([x, x]) > 0:
        return 1
    return 0


def changes(x):
    y = tf.constant(1)
    while x > 0:
        y = y + tf.constant(1.5)
        x -= 1
    return tf.cast(y, tf.int32)


@pytest.mark.parametrize(
    "function, words",
    [
        (dtypes, ["'y'", "int32", "float32", "if x > 0"]),
        (structures, ["'y'", "tuple", "list"]),
        (vector, ["(2,)", "reduce_any"]),
        (changes, ["'y'", "int32", "float64", "while x > 0"]),
    ],
)
def test_what_cannot_be_staged_is_refused_with_the_variable_and_the_line(function, words):
    with pytest.raises(ValueError) as caught:
        tf.function(function)(tf.constant(1))
    message = str(caught.value) + "".join(getattr(caught.value, "__notes__", []))
    for word in words:
        assert word in message
    assert __file__ in message or function is vector


def test_a_failing_graph_names_the_users_line():
    @tf.function
    def f(x, i):
        y = x * 2
        return tf.gather(y, i)

    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        f(tf.constant([1]), tf.constant([3]))
    assert "return tf.gather(y, i)" in "".join(caught.value.__notes__)


def test_an_assert_is_checked_when_the_graph_runs():
    @tf.function
    def f(x):
        assert x > 0, "must be positive"
        return x

    assert f(tf.constant(1)).numpy() == 1
    with pytest.raises(AssertionError, match="must be positive"):
        f(tf.constant(-1))


def test_a_raise_in_a_branch_happens_when_the_graph_takes_it():
    class TooLarge(Exception):
        pass

    @tf.function
    def f(x):
        if x > 10:
            raise TooLarge("x", 10)
        y = x + 1
        if x > 5:
            if x > 7:
                raise KeyError("seven")
        else:
            y = y * 2
        return y

    assert [int(f(tf.constant(v))) for v in (1, 6)] == [4, 7]
    with pytest.raises(TooLarge) as caught:
        f(tf.constant(11))
    assert caught.value.args == ("x", 10)
    with pytest.raises(KeyError):
        f(tf.constant(8))


def grows_an_array_of_bytes(x):
    found = bytearray(b"1")
    if x > 0:
        if x > 1:
            found.append(2)
    return len(found)


def grows_a_dictionary(x):
    found = Table()
    while x > 0:
        if x > 1:
            found["k"] = x
        x -= 1
    return x


def grows_a_list_from_elsewhere(x):
    for i in tf.range(x):
        ELSEWHERE.append(i)
    return x


ELSEWHERE = []


@pytest.mark.parametrize(
    "function, words",
    [
        (grows_an_array_of_bytes, "'found' is a bytearray that .* changes in place"),
        (grows_a_dictionary, r"'found\['k'\]' must also be initialized"),
        (grows_a_list_from_elsewhere, "'ELSEWHERE' is a list that .* changes in place"),
    ],
)
def test_what_a_staged_statement_cannot_change_is_refused_and_put_back(function, words):
    with pytest.raises(ValueError, match=words) as caught:
        tf.function(function)(tf.constant(3))
    assert __file__ in str(caught.value) and not ELSEWHERE


def test_both_branches_may_raise():
    @tf.function
    def f(x):
        if x > 0:
            raise KeyError("positive")
        else:
            raise IndexError("not positive")

    for value, error in ((1, KeyError), (-1, IndexError)):
        with pytest.raises(error):
            f(tf.constant(value))


def test_a_break_on_a_tensor_in_a_python_loop():
    @tf.function
    def f(x):
        total = 0
        for step in [1, 2, 3, 4]:
            total = total + step
            if total > x:
                break
        return total

    assert [int(f(tf.constant(v))) for v in (0, 2, 100)] == [1, 3, 10]


def test_a_name_that_only_a_loop_assigns_needs_a_turn():
    @tf.function
    def f(n):
        for i in tf.range(n):
            last = i * 2
        return last

    assert f(tf.constant(3)).numpy() == 4
    with pytest.raises(UnboundLocalError, match="'last' where it is not associated with a value.*for i in tf.range"):
        f(tf.constant(0))


@pytest.mark.sampled(6, each="bounds")
@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.int16])
@pytest.mark.parametrize(
    "bounds", ["n", "1, n", "n, 1", "n, 1, -1", "2, n, 3", "n, -9, -4", "1, n + 1", "0, n, 2", "n, n"]
)
def test_loops_over_ranges_count_as_pythons_do(bounds, dtype, jit_compile):
    program = f"""
def f(n):
    total, last = 0, -1
    for i in range({bounds}):
        total = (3 * total + i) % 101
        last = i
    for j, (i, k) in enumerate(zip(range({bounds}), range(n))):
        total = (5 * total + 2 * i + j - k) % 101
    for i in reversed(range({bounds})):
        total = (3 * total + i) % 101
    return total, last
"""
    f, plain = tf.function(load(program), jit_compile=jit_compile), load(program)
    for n in (0, 1, 2, 5, 6, 11):
        assert tuple(map(int, f(dtype(n)))) == plain(n)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_a_range_takes_no_memory(jit_compile):
    @tf.function(jit_compile=jit_compile)
    def f(n):
        total = 0
        for i in range(n):
            if i > 10:
                break
            total += i
        return total

    assert int(f(np.int64(10**15))) == 55


def test_each_raise_is_another_exception():
    def noted(x):
        if x > 0:
            error = KeyError("key")
            error.add_note("first")
            error.where = [1, 2]
            raise error from ValueError("cause")
        return x

    for jit_compile in (None, False, True):
        f = tf.function(noted, jit_compile=jit_compile)
        seen = []
        for _ in range(3):
            with pytest.raises(KeyError) as caught:
                f(tf.constant(1))
            seen.append(caught.value)
        assert [len(error.__notes__) for error in seen] == [2, 2, 2]
        assert len({id(error) for error in seen}) == len({id(error.where) for error in seen}) == 3
        assert all(error.__cause__.args == ("cause",) and error.where == [1, 2] for error in seen)


class Ends(NamedTuple):
    low: int
    high: int


@pytest.mark.parametrize("kind", [tuple, list, lambda p: dict(zip("ab", p)), lambda p: Ends(*p)])
def test_structures_inside_others_keep_their_kind(kind):
    def chosen(x):
        y = (Ends(x, 1), 2)
        if x > 0:
            y = (kind([x, 3]), 2)
        return y

    if isinstance(kind([1, 3]), Ends):
        (found, _) = tf.function(chosen)(tf.constant(1))
        assert isinstance(found, Ends) and [int(v) for v in found] == [1, 3]
        return
    with pytest.raises(autograph.StagingError, match=r"'y' must have the same nested structure.*Ends\(low="):
        tf.function(chosen)(tf.constant(1))


def reads_an_element(out):
    y = out[1]
    y[0] = 5


def writes_at_once(out):
    out[0][0] = 5


def writes_in_a_loop(out):
    for y in out:
        y[:] = 5


def writes_a_copy(out):
    y = out[1].copy()
    y[0] = 5
    out[1] = y


@pytest.mark.parametrize("write", [reads_an_element, writes_at_once, writes_in_a_loop, writes_a_copy])
def test_elements_of_lists_that_grow_are_not_written_behind_them(write):
    def f(x, n):
        out = []
        for i in range(n):
            out.append(x + i)
        write(out)
        return out[0], out[1]

    arguments = np.arange(3), np.int64(3)
    if write is not writes_a_copy:
        with pytest.raises(autograph.StagingError, match="element of a list .* cannot be written.*copy"):
            tf.function(f)(*arguments)
        return
    for found, expected in zip(tf.function(f)(*arguments), f(*arguments)):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("jit", [False, None])
def test_an_assertion_that_fails_at_once_fails_only_where_the_graph_gets_there(jit):
    def f(x, n):
        if n > 1:
            assert x.shape[0] > 5, "too short"
            return n
        return -n

    traced = tf.function(f, jit_compile=jit)
    assert int(traced(np.zeros(3), np.int64(1))) == -1
    with pytest.raises(AssertionError, match="too short"):
        traced(np.zeros(3), np.int64(2))


class Shape:
    def __init__(self, n):
        self.n = n


class Square(Shape):
    pass


def test_the_class_of_one_of_several_objects_is_not_made_up():
    """isinstance() said that it was of none of the classes."""

    def f(n, kind):
        made = Square(n) if n > 0 else Shape(n)
        return isinstance(made, kind)

    assert [bool(tf.function(f)(tf.constant(n), kind)) for n in (1, -1) for kind in (Square, Shape)] == [
        True,
        True,
        False,
        True,
    ]

    def g(n, kind):
        made = Square(n) if n > 0 else Square(-n)
        return isinstance(made, kind)

    assert [bool(tf.function(g)(tf.constant(1), kind)) for kind in (Square, Shape, int)] == [True, True, False]


def test_a_number_that_may_be_missing_has_the_text_of_the_number():
    def f(n, m):
        if n == m:
            late = n
        z = late
        return str(z), repr(z), f"{z}", f"{z!r}", str([z])

    given = np.int64(3), np.int64(3)
    assert [text.numpy().decode() for text in tf.function(f)(*given)] == [*f(*given)]


def test_elements_of_two_dtypes_have_one_in_a_list_that_grows():
    def grown(x, y, n):
        found = [x]
        for _ in range(n):
            found.append(y)
        return found

    parts = np.int32(1), np.float32(2.5), np.int64(2)
    made = tf.function(grown)(*parts)
    assert [part.dtype.name for part in made] == ["float64"] * 3
    assert [float(part) for part in made] == [1.0, 2.5, 2.5]


def sifted(a):
    """One item of a heap goes down to where it belongs."""
    i = 0
    while (j := 2 * i + 1) < len(a):
        if j + 1 < len(a) and a[j + 1] < a[j]:
            j += 1
        if a[i] <= a[j]:
            break
        a[i], a[j] = a[j], a[i]
        i = j
    return i, a


def first_beyond(a, limit):
    i = 0
    while (v := a[i % 3]) < limit:
        if i > 9:
            return -limit
        i += 1
        limit = limit - 0.1
    return v * i


@pytest.mark.parametrize("jit_compile", [False, True])
def test_a_loop_that_a_jump_ends_binds_a_variable_in_its_test(jit_compile):
    for program, given in (
        (sifted, (np.array([9.0, 1, 2, 5, 4, 8, 3]),)), (sifted, (np.array([0.0, 1]),)), (sifted, (np.array([3.0]),)),
        (first_beyond, (np.array([1.0, 2, 3]), np.float64(2.5))), (first_beyond, (np.zeros(3), np.float64(9.5))),
    ):  # fmt: skip
        run = tf.function(program, numpy=True, jit_compile=jit_compile)
        assert repr(run(*map(np.copy, given))) == repr(program(*map(np.copy, given)))


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("call", [
    lambda test, f: tf.cond(test, f, 1), lambda test, f: tf.cond(test, 1, f), lambda test, f: tf.cond(test, 1, 2),
    lambda test, f: tf.cond(test, None, f), lambda test, f: tf.cond(test, f, None),
], ids=range(5))  # fmt: skip
def test_what_is_no_function_is_refused_whichever_branch_is_taken(call, staged):
    def f(x):
        return call(x > 0, lambda: 1)

    for x in (1, -1):
        with pytest.raises(TypeError, match="needs two functions"):
            (tf.function(f, autograph=False) if staged else f)(tf.constant(x))
