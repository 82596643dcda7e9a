"""What only the graph knows to be raised, and the program catches: the graph goes the way that Python goes."""

import math
from contextlib import suppress

import numpy as np
import pytest

import runtime
from autograph import StagingError
from tests.programs import load


class Empty(Exception):
    def __init__(self, n):
        super().__init__(n)
        self.n = n


class Stack:
    def __init__(self):
        self.items = []

    def push(self, x):
        self.items.append(x)

    def pop(self):
        if len(self.items) == 0:
            raise Empty(0)
        return self.items.pop()


def all_clauses(n):
    try:
        if n > 2:
            raise Empty(n)
        y = n * 2
    except Empty as e:
        y = -e.n
    else:
        y += 1
    finally:
        n = 0
    return y + n


def another_clause_between(n):
    out = 0
    for k in range(n):
        try:
            try:
                out += 10 // (k - 2)
            except KeyError:
                out += 1000
        except ZeroDivisionError:
            out += 100
    return out


def one_after_the_other(n):
    d = {1: 2, 3: 4}
    d[n] = n
    try:
        a = d[1] + d[n + 1]
    except KeyError:
        a = -1
    try:
        b = d[n - 1]
    except (KeyError, IndexError):
        b = -2
    return a, b


def popped(n):
    q = [1, 2]
    for i in range(n):
        try:
            q.pop()
        except IndexError:
            q = [7, 8, i]
    return q


def item_of_a_list(n):
    xs = [5, 6, 7]
    try:
        return xs[n - 5]
    except IndexError:
        return -1


def item_of_an_array(n):
    xs = np.arange(4.0)
    try:
        v = xs[n]
    except IndexError:
        v = -1.0
    return v


def item_of_a_matrix(n):
    xs = np.arange(12.0).reshape(3, 4) * (n + 1)
    try:
        return xs[1, n]
    except IndexError as e:
        return -xs[0, 1]


def written_item(n):
    xs = np.zeros(3) + n
    k = 0
    try:
        xs[0] = 1
        k = 1
        xs[n] = 2
        k = 2
        xs[n + 1] = 3
        k = 3
    except IndexError:
        k += 10
    return xs, k


def written_before(n):
    xs, k = [0, 0, 0], 0
    try:
        xs[0] = 1
        k = 1
        xs[n] = 2
        k = 2
        xs[n + 1] = 3
        k = 3
    except IndexError:
        k += 10
    return xs, k


def asserted(n):
    try:
        assert n > 2, f"small: {n}"
        return n
    except AssertionError:
        return -n


def suppressed(n):
    d = {}
    for i in range(n):
        d[i * 2] = i
    with suppress(KeyError):
        d[4] = d[4] + 100
        d[2] = d[2] + d[100]
    return sorted(d.items())


def in_a_function_of_its_own(n):
    d = {2: 20}
    d[n] = 7

    def get(k, default):
        try:
            return d[k]
        except KeyError:
            return default

    return get(2, 1) + get(n, 2) * 100 + get(n + 1, 3) * 1000


def raised_again(n):
    try:
        try:
            if n > 3:
                raise KeyError("a")
            if n > 1:
                raise ValueError("b")
            r = 0
        except KeyError:
            r = 1
            raise ValueError("c")
    except ValueError:
        r += 2 if n > 3 else 0 * n
    return n


def jumps(n):
    t = 0
    for i in range(n):
        try:
            if i == 1:
                raise KeyError
            if i == 4:
                break
            t += i
        except KeyError:
            continue
        finally:
            t += 100
    return t


def in_a_loop_of_pythons(n):
    found = []
    for k in (3, 1, 0, 2, 5, 7, 8, 9):
        try:
            found.append(10 // (n - k))
        except ZeroDivisionError:
            found.append(-1)
    return found


def searched(n):
    q, seen = [4, 2, 8], []
    for i in range(n):
        try:
            seen.append(q.index(i))
        except ValueError:
            seen.append(-1)
    return seen


def removed(n):
    q = [1]
    for i in range(n):
        try:
            q.remove(i)
        except ValueError:
            q.append(i)
    return q


def outside_of_its_domain(n):
    try:
        return math.sqrt(n - 3)
    except ValueError:
        return 0.0


def fails_in_the_clause(n):
    try:
        if n > 1:
            raise KeyError(n)
        return 0
    except KeyError:
        if n > 4:
            raise ValueError("big")
        return 1


def ended_by_a_jump(n):
    v = 50
    try:
        v = 10 // n
    finally:
        return v


def unbound(n):
    if n > 2:
        late = n
    try:
        kept = (late, 1)
    except NameError:
        kept = (n, 0)
    return kept


def objects(n):
    s = Stack()
    for i in range(n):
        if i % 3 == 2:
            try:
                a = s.pop()
                b = s.pop()
                c = s.pop()
                s.push(a + b + c)
            except Empty:
                s.push(50)
        else:
            s.push(i)
    return s.items


def a_whole_loop(n):
    t = 0
    try:
        for i in range(n):
            if i > 3:
                raise ValueError
            t += i
    except ValueError:
        t = -t
    return t


def keys_in_a_loop(n):
    d = {0: 5, 1: 7, 2: 1}
    d[n] = 9
    t = 0
    try:
        for i in range(n + 1):
            t += d[i]
    except KeyError:
        return (-1, t)
    return (1, t)


def two_kinds_from_a_loop(n):
    xs = [3, 0, 5, 2]
    t = 0
    try:
        for i in range(n):
            t += 60 // xs[i] if i != 1 else 1
            if t > 30:
                raise OverflowError("big")
    except IndexError:
        t += 1000
    except OverflowError as e:
        t += 2000
    else:
        t += 4000
    finally:
        t += 1
    return t


def a_loop_with_an_else_clause(n):
    t = 0
    try:
        for i in range(n):
            if i == 6:
                break
            if i * i > n:
                raise ValueError("x")
            t += i
        else:
            t += 100
    except ValueError:
        t += 10
    return t


def a_loop_that_returns(n):
    try:
        for i in range(n):
            if i == 2 and n > 6:
                return 77
            if i == 3:
                raise KeyError
    except KeyError:
        return 5
    return 6


def a_loop_in_another(n):
    found = []
    for k in range(n):
        try:
            for i in range(k):
                if i * k == 6:
                    raise ValueError
                found.append(i)
        except ValueError:
            found.append(-k)
    return found


def what_is_done_before_it_is_raised(n):
    t = 0
    s = []
    try:
        for i in range(n):
            s.append(i)
            if i == 4:
                raise ValueError("four")
            t += 1
        t += 50
    except ValueError as e:
        s.append(100 if str(e) == "four" else 200)
    return (t, s)


def a_list_that_a_loop_empties(n):
    xs = [4, 2, 9]
    xs.append(n)
    try:
        for i in range(n):
            xs.pop()
    except IndexError:
        return (len(xs), -1)
    return (len(xs), 1)


def two_loops_at_once(n):
    t = 0
    try:
        for i in range(n):
            for j in range(i):
                if i * j == 6:
                    raise ValueError
                t += 1
    except ValueError:
        t += 1000
    return t


def a_generator_that_raises(n):
    def checked(k):
        if k > 2:
            raise ValueError
        return k

    try:
        v = sum(checked(k) for k in range(n))
    except ValueError:
        v = -1
    try:
        w = [checked(k) for k in range(n)]
    except ValueError:
        w = [9]
    return v, w


def item_of_a_list_that_is_written(n):
    xs, ys = [1, 2, 3], [n, 2]
    try:
        xs[0] = xs[n]
    except IndexError:
        xs[0] = -6
    try:
        ys[1] = ys[n] + xs[n]
    except IndexError:
        ys.append(7)
    return xs, ys


def a_list_that_is_given_back(n):
    def put(acc):
        try:
            acc.append(n)
            if n > 3:
                raise Empty(n)
            acc.append(-n)
        except Empty:
            acc[0] = 100
            return acc
        return acc[:]

    a = [0]
    b = put(a)
    c = put(a)
    b.append(55)
    return a, b, c


PROGRAMS = [
    all_clauses, another_clause_between, one_after_the_other, popped, item_of_a_list, item_of_an_array,
    item_of_a_matrix, written_item, written_before, asserted, suppressed, in_a_function_of_its_own, raised_again, jumps,
    in_a_loop_of_pythons, searched, removed, outside_of_its_domain, fails_in_the_clause, ended_by_a_jump, unbound,
    objects, a_whole_loop, keys_in_a_loop, two_kinds_from_a_loop, a_loop_with_an_else_clause, a_loop_that_returns,
    a_loop_in_another, what_is_done_before_it_is_raised, a_list_that_a_loop_empties, two_loops_at_once,
    a_generator_that_raises, item_of_a_list_that_is_written, a_list_that_is_given_back,
]  # fmt: skip


def plain(value):
    if isinstance(value, list | tuple):
        return [*map(plain, value)]
    return np.asarray(value).tolist()


def outcome(function, n):
    try:
        return plain(function(np.int64(n)))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("jit", [None, False], ids=["default", "numpy"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
def test_the_graph_goes_the_way_that_python_goes(program, jit):
    staged = runtime.function(program, jit_compile=jit, numpy=True)
    for n in (0, 1, 2, 3, 5, 8):
        assert outcome(staged, n) == outcome(program, n), n


def test_what_the_caller_gives_is_as_python_leaves_it():
    def spent(limits, n):
        try:
            limits[0] -= n
            limits[n] += 10
        except IndexError:
            limits[1] = -1
        return limits[2]

    for n in (1, 2, 5):
        mine, pythons = np.array([9, 8, 7]), np.array([9, 8, 7])
        assert int(runtime.function(spent)(mine, np.int64(n))) == spent(pythons, n)
        assert mine.tolist() == pythons.tolist()


def test_variables_are_written_on_the_way_that_is_taken():
    v = runtime.Variable(1.0)

    def raised(n):
        try:
            if n > 2:
                raise ValueError
            v.assign_add(2.0)
        except ValueError:
            v.assign_add(0.5)

    @runtime.function
    def f(n):
        v.assign(10.0 if n > 5 else 20.0)
        raised(n)

    for n, wanted in ((3, 20.5), (1, 22.0)):
        f(np.int64(n))
        assert float(v) == wanted


def test_what_would_be_done_twice_is_refused():
    v = runtime.Variable(np.int64(0))

    @runtime.function
    def f(n):
        v.assign(n)
        try:
            if n > 2:
                raise KeyError
        except KeyError:
            return 0
        return 1

    with pytest.raises(StagingError, match="(?s)writes a Variable.*Put the `try` into a function of its own"):
        f(np.int64(3))


def test_what_is_printed_before_an_exception_is_printed_once(capfd):
    @runtime.function
    def f(xs, n):
        runtime.print("begin", n)
        try:
            for x in xs:
                runtime.print("item", x)
                if x > n:
                    runtime.print("above")
                    raise KeyError
            runtime.print("none above")
        except KeyError:
            runtime.print("caught")
            return 0
        return 1

    xs = np.array([1, 5, 2])
    assert int(f(xs, np.int64(3))) == 0
    assert capfd.readouterr().err.split("\n") == ["begin 3", "item 1", "item 5", "above", "caught", ""]
    assert int(f(xs, np.int64(9))) == 1
    assert capfd.readouterr().err.split("\n") == ["begin 9", "item 1", "item 5", "item 2", "none above", ""]


SEVERAL = {  # so many clauses one after the other, each with what may jump behind it
    "": "", "return": "        if t > 5000:\n            return -1\n", "loop": "        t = total([t])\n",
}  # fmt: skip


def total(items):
    t = 0
    for item in items:
        try:
            t += item
        except OverflowError:
            t = -1
    return t


@pytest.mark.parametrize("behind", SEVERAL)
@pytest.mark.parametrize("count", [2, 7, 20])
def test_clauses_one_after_the_other_are_followed_one_by_one(count, behind):
    lines = ["def f(n, xs):", "    t = 0"]
    for i in range(count):
        lines += [
            "    try:",
            f"        t += xs[n + {i}]",
            SEVERAL[behind].rstrip("\n"),
            "    except IndexError:",
            f"        t += {2**i}",
        ]
    f = load("\n".join([*filter(None, lines), "    return t\n"]), total=total)
    g = runtime.function(f)
    for n in (0, 1, 3, -2):
        assert int(g(np.int64(n), [1, 2, 3])) == f(n, [1, 2, 3])


def test_many_exceptions_of_one_clause_are_followed():
    lines = [f"            t += table[xs[{i}]]" for i in range(12)]
    f = load("\n".join(["def f(xs, table):", "    t = 0", "    for _ in range(1):", "        try:", *lines,
                        "        except KeyError:", "            t = -t", "    return t\n"]))  # fmt: skip
    g = runtime.function(f, numpy=True)
    for missing in (None, 0, 5, 11):
        xs = np.arange(12) % 3
        if missing is not None:
            xs[missing] = 9
        table = {0: 1, 1: 10, 2: 100}
        assert g(xs, table) == f(xs, table)


def test_too_many_ways_are_refused():
    lines = [f"        t += xs[n + {i}]" for i in range(70)]
    f = load("\n".join(["def f(n, xs):", "    t = 0", "    try:", *lines, "    except IndexError:", "        t = -t",
                        "    return t\n"]))  # fmt: skip
    with pytest.raises(StagingError, match="more than 64 ways"):
        runtime.function(f)(np.int64(3), [1, 2, 3])


class Reader:
    """A method whose loop Python ends, and whose clause catches what the graph raises."""

    def __init__(self, tokens):
        self.tokens, self.at, self.seen, self.stack = tokens.tolist(), 0, {}, []

    def next(self):
        if self.at >= len(self.tokens):
            raise IndexError("end")
        self.at += 1
        return self.tokens[self.at - 1]

    def read(self):
        bad = 0
        while self.at < len(self.tokens):
            token = self.next()
            try:
                if token >= 0:
                    self.stack.append(token)
                elif token == -1:
                    self.stack.append(self.stack.pop() + self.stack.pop())
                elif token == -2:
                    self.seen[self.next()] = self.stack.pop()
                elif token == -3:
                    self.stack.append(self.seen[self.next()])
                else:
                    raise ValueError("unknown")
            except IndexError:
                bad += 1
            except KeyError:
                bad += 100
            except ValueError:
                bad += 10000
        return self.stack, self.seen, bad


def read(tokens):
    return Reader(tokens).read()


@pytest.mark.parametrize(
    "tokens", [[1, 2, -1, 3, -2, 2, -3, 2, -9, -1, -1, -1, -1] * 2, [-2], [4, -2, 1, -3, 1, -3]], ids=str
)
def test_a_method_goes_through_its_loop_one_iteration_at_a_time(tokens):
    tokens = np.array(tokens)
    assert runtime.function(read, numpy=True)(tokens) == read(tokens)


def paired(items, others):
    counts, bad = {}, 0
    for a, b in zip(items.tolist(), others.tolist()):
        try:
            counts[a] += b
        except KeyError:
            counts[a] = 0
            bad += 1
    return counts, bad


def numbered(items, others):
    counts, bad = {}, 0
    for i, a in enumerate(items.tolist()):
        try:
            counts[a] += i
        except KeyError:
            counts[a] = 0
            bad += 1
    return counts, bad


@pytest.mark.parametrize("program", [paired, numbered])
@pytest.mark.parametrize("count", [3, 40])
def test_items_that_the_graph_counts_are_followed_one_at_a_time(program, count):
    items, others = np.arange(count) % 4, np.arange(count) % 3
    assert runtime.function(program, numpy=True)(items, others) == program(items, others)


def test_an_exception_from_a_while_loop_of_the_graph_is_refused():
    @runtime.function
    def f(n):
        t = 0
        try:
            while t < n:
                t += 1
                if t == 4:
                    raise ValueError
        except ValueError:
            t = -t
        return t

    with pytest.raises(StagingError, match="ValueError is raised only when the graph runs.*would catch it"):
        f(np.int64(3))


def test_values_that_only_an_iteration_has_are_told_of_outside():
    def f(n):
        d = {0: 5}
        d[n] = 9
        try:
            for i in range(n + 1):
                d[i] += 1
        except KeyError as error:
            return error.args[0]
        return n

    for n in (3, 0):
        assert int(runtime.function(f)(np.int64(n))) == f(np.int64(n))


def early(n):
    a, k = np.arange(4), 0
    if n == 7:
        return a, k
    try:
        a[1] = 50
    except ValueError:
        k = 1
    return a, k


def in_each_iteration(n):
    a, t = np.arange(4), 0
    for i in range(n):
        try:
            a[i % 4] = 7
            t += 1
        except Exception:
            t += 100
    return a, t


def behind_what_may_fail(n):
    d, a = {1: 2}, np.arange(4)
    try:
        x = d[n]
        a[0] = n + x
    except Exception:
        d[5] = 9
    return a, d[5] if 5 in d else 0


def suppressed_everything(n):
    a = np.arange(4)
    if n == 7:
        return a
    with suppress(Exception):
        a[1] = 50
        if n > 3:
            raise Empty(n)
        a[2] = 60
    return a


def ended_by_a_return(n):
    a = np.arange(4)
    if n == 7:
        return a
    try:
        a[1] = 50
    finally:
        return a


@pytest.mark.parametrize(
    "program", [early, in_each_iteration, behind_what_may_fail, suppressed_everything, ended_by_a_return]
)
def test_no_clause_hides_that_an_array_is_written(program):
    graph = runtime.function(program, numpy=True)
    for n in (0, 1, 2, 5, 7):
        assert plain(graph(np.int64(n))) == plain(program(n))


COUNTS = np.zeros(4)


def outside(n):
    try:
        COUNTS[1] += 1
    except Exception:
        return n + 100
    return n


def outside_in_a_branch(n):
    if n > 2:
        with suppress(Exception):
            COUNTS[:] = 7
        n = n + 1
    return n


def outside_written_by_another(n):
    def write():
        try:
            np.copyto(COUNTS, 5.0)
        finally:
            return n

    for _ in range(n):
        n = write() + 1
    return n


@pytest.mark.parametrize("program", [outside, outside_in_a_branch, outside_written_by_another])
def test_no_clause_hides_that_an_array_is_written_which_outlives_the_call(program):
    with pytest.raises(StagingError, match="'COUNTS' is a NumPy array that is written"):
        runtime.function(program)(np.int64(3))
    assert not COUNTS.any() and COUNTS.flags.writeable


def inverted(a):
    try:
        return np.linalg.inv(a)
    except np.linalg.LinAlgError:
        return None


def solved(a):
    try:
        return np.linalg.solve(a, np.ones(2))
    except Exception as error:
        return str(error)


def decomposed_with_jitter(a):
    jitter = 0.0
    for _ in range(5):
        try:
            found = np.linalg.cholesky(a + jitter * np.eye(len(a)))
            break
        except np.linalg.LinAlgError:
            jitter = max(jitter * 10, 1e-3)
    else:
        return None, jitter
    return found, jitter


def solved_in_a_loop(a):
    x = np.ones(2)
    for i in range(int(np.sum(a > 0)) + 2):
        try:
            x = np.linalg.solve(a - i * np.eye(2), x)
        except np.linalg.LinAlgError:
            x = x + 100
    return x


@pytest.mark.parametrize("jit", [None, True, False])
@pytest.mark.parametrize("program", [inverted, solved, decomposed_with_jitter, solved_in_a_loop])
def test_a_matrix_without_an_inverse_is_caught(program, jit):
    graph = runtime.function(program, jit_compile=jit, numpy=True)
    for a in (np.eye(2), np.zeros((2, 2)), np.ones((2, 2)), -np.eye(2), np.diag([1.0, 2.0])):
        assert repr(graph(a)) == repr(program(a))
