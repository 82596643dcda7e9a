"""What programs print and log is printed and logged when their graphs run: each time, in order, with the values."""

import contextlib
import io
import logging
import sys
import time
import warnings

import numpy as np
import pytest

import runtime
from autograph import StagingError
from runtime.executors.native import telling
from tests.programs import EXECUTORS


class Account:
    def __init__(self):
        self.total, self.entries = 0.0, 0

    def add(self, value):
        self.total += value
        self.entries += 1
        print("added", value, "->", self.total, self.entries)

    def __repr__(self):
        return f"Account(total={self.total}, entries={self.entries})"


def items(x):
    for v in x:
        print(v)


def separated(x):
    for i, v in enumerate(x):
        print(i, v, sep="{}: ", end=";\n")
    print()
    print("done", x.sum(), x.mean(), sep="")
    print(*x, sep=",")


def branches(x):
    s = 0
    while s < 5:
        s += 1
        if s % 2:
            print("odd", s)
        else:
            print("even", s, x[s % 3])
    return s


def of_objects(x):
    account = Account()
    for v in x:
        account.add(v)
    print(account, [account], {"a": account})
    return account.total


def none_at_first(x):
    best = None
    for v in x:
        if best is None or v > best:
            print("new best", v, "was", best)
            best = v
    return best


def of_a_list(x):
    kept = []
    for v in x:
        if v > 1:
            kept.append(v)
    print("kept", kept, len(kept))
    return kept


def before_exceptions(x):
    try:
        for v in x:
            print("try", v)
            if v > 2:
                raise ValueError(f"too big {v}")
        print("none")
    except ValueError as e:
        print("caught", e)
        return -1.0
    finally:
        print("finally")
    return 1.0


def recursive(x):
    def rest(n):
        print("rest", n)
        return 0 if n <= 0 else n + rest(n - 1)

    return rest(int(x[2]))


def by_other_names(x):
    say = print
    say("say", x[0])
    for told in (print, say):
        told(x[1])
    write = sys.stdout.write
    write(f"{x[0]} and\n")


def streams(x):
    sys.stdout.write(f"w {x[0]}\n")
    sys.stdout.writelines(["a", f"{x[1]}", "\n"])
    sys.stdout.flush()
    sys.stderr.write("e\n")
    print("to err", x[1], file=sys.stderr)
    print("flushed", x[1], flush=True)


def kinds(x):
    print(x > 1, x.astype(int), x.reshape(-1, 1), x[0] > 1, bool(x[0] > 1), int(x[1]), float(x[1]), (x > 1).any())
    print(type(x), x.shape, x.dtype, len(x), None, True, x[1:3], x[::-1], x.tolist(), tuple(x), np.float32(x[1]))
    print(f"{x[0]:8.3f}|{x[1]!r}|{x}", "%.2f %s" % (x[1], x[2]), "{} {:e}".format(x[1], x[2]))  # noqa: UP031, UP032


def of_either(x):
    y = x if x[0] > 0 else None
    print(y)
    z = [1, 2] if x[0] > 0 else "text"
    print("z", z)


def counted(x):
    d = {}
    for v in x.astype(int):
        d[v] = d.get(v, 0) + 1
    for k, c in d.items():
        print(k, c)
    print(d, sorted(d))


def rows(x):
    n = len(x)
    a = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            a[i, j] = x[i] * x[j]
        print("row", i, a[i], a.T[i], a[::-1, i])
    return a


def progress(x):
    step, error = 0, 1.0
    while error > 1e-3 and step < 50:
        error *= 0.5
        step += 1
        if step % 3 == 0:
            print(f"step {step}: error={error:.4e}")
    else:
        print("done")
    return step


def long_loop(x):
    s = 0.0
    for i in range(5000):
        s += x[i % 3]
        if i % 1000 == 0:
            print("at", i, s, x)
    return s


def jumps(x):
    for v in x:
        if v == 2:
            print("break at", v)
            break
        if v == 0:
            print("skip")
            continue
        print("use", v)
    else:
        print("never")


def suppressed(x):
    with contextlib.suppress(ZeroDivisionError):
        print("in", x[0])
        print(1 // int(x[0]))
        print("out")
    print("after")


def sorted_in_place(x):
    n = len(x)
    for i in range(n):
        for j in range(n - 1 - i):
            if x[j] > x[j + 1]:
                x[j], x[j + 1] = x[j + 1], x[j]
        print(x)
    return x


def fails_late(x):
    for i in range(1000):
        print("i", i)
        if i == len(x):
            print("now")
        x[i] += 1
    return x


def formats(x):
    for i in range(3):
        print("{:>8} {:<6.2f}|".format(i, x[i]), end=" " if i < 2 else "\n")  # noqa: UP032
        print(str(x[i]) + "!", repr(x[i]), [x[i], (i, x[i] > 1)])


PROGRAMS = [
    items, separated, branches, of_objects, none_at_first, of_a_list, before_exceptions, recursive, by_other_names,
    streams, kinds, of_either, counted, rows, progress, long_loop, jumps, suppressed, sorted_in_place, fails_late,
    formats,
]  # fmt: skip


def shown(function, *arguments):
    """What a function returns, what it prints, and what its arguments are then if it does not raise."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            result = function(*arguments)
        except Exception as error:
            result, arguments = (type(error), str(error).partition("\n")[0]), ()
    return repr(result), out.getvalue(), err.getvalue(), repr(arguments)


@pytest.mark.parametrize("jit", EXECUTORS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_a_graph_shows_what_the_program_does(program, jit):
    graph = runtime.function(program, numpy=True, jit_compile=jit)
    for x in ([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], [5.0, -1.0, 2.0, 1.0, 7.0]):
        assert shown(graph, np.array(x)) == shown(program, np.array(x))
    assert graph.experimental_get_tracing_count() <= 3


def test_a_loop_that_prints_is_machine_code():
    graph = runtime.function(long_loop, numpy=True, jit_compile=True)
    with contextlib.redirect_stdout(io.StringIO()):
        graph(np.arange(3.0))
    native, left = runtime.executors.native.divide(graph.get_concrete_function(np.arange(3.0)).graph, True)
    assert len(native) == 1 and not left and "@tell(" in native[0][1]


def test_what_ends_a_print_ends_machine_code():
    class Ends(io.StringIO):
        def write(self, text):
            if "3000" in text:
                raise KeyboardInterrupt
            return super().write(text)

    graph = runtime.function(long_loop, numpy=True)
    with contextlib.redirect_stdout(Ends()) as out, pytest.raises(KeyboardInterrupt):
        graph(np.arange(3.0))
    assert [line.split()[1] for line in out.getvalue().splitlines()] == ["0", "1000", "2000"]


def test_a_stream_that_fails_is_told_of_once():
    class Full(io.StringIO):
        def write(self, text):
            if "3000" in text:
                raise OSError("no space left")
            return super().write(text)

    graph = runtime.function(long_loop, numpy=True)
    with contextlib.redirect_stdout(Full()) as out, pytest.raises(OSError, match="no space left"):
        graph(np.arange(3.0))
    assert [line.split()[1] for line in out.getvalue().splitlines()] == ["0", "1000", "2000"]


def test_arrays_in_memory_are_shown_as_they_lie():
    cube = np.arange(24, dtype=np.int16).reshape(2, 3, 4)
    words = [cube, cube[::-1, ::2], cube.transpose(2, 0, 1), cube[:, 1:1], cube[0, 0, ::-1], cube > 3, cube * 1j]
    for array in words:
        strides = [s // array.itemsize for s in array.strides]
        found = telling._array(array.ctypes.data, array.dtype, list(array.shape), [array.itemsize * s for s in strides])
        assert np.array_equal(found, array) and found.dtype == array.dtype and found.flags.owndata


LOG = logging.Logger("program", logging.INFO)


def logs(x):
    LOG.info("start")
    LOG.debug("nobody sees %s", x)
    for i in range(3):
        LOG.info("%d of %s", i, x[i])
    if x[0] > 1:
        LOG.warning(f"large {x}")
    LOG.log(logging.ERROR, "%s %r", [x[0]], "text")
    LOG.error("object %s", Account(), extra={"user": 3})


@pytest.mark.parametrize("jit", EXECUTORS)
def test_logs_are_written_when_the_graph_runs(jit):
    records = []
    handler = logging.Handler()
    handler.emit = lambda r: records.append(
        (r.levelname, r.getMessage(), r.filename, r.lineno, r.funcName, vars(r).get("user"))
    )
    LOG.addHandler(handler)
    try:
        graph = runtime.function(logs, numpy=True, jit_compile=jit)
        for x in (np.arange(3.0), np.arange(3.0) + 2):
            for function in (logs, graph):
                function(x)
            half = len(records) // 2
            assert half > 5 and records[:half] == records[half:]
            records.clear()
    finally:
        LOG.removeHandler(handler)
    assert graph.experimental_get_tracing_count() == 1


def told(function, *arguments):
    """What the function logs: how often, in what order, and of which exception; statements that the graph decides stand
    in its traceback, too."""
    handler, records = logging.Handler(), []
    handler.emit = lambda record: records.append(
        (record.levelname, record.funcName, record.lineno, (record.exc_info or [None])[0],
         (text := logging.Formatter().format(record).splitlines())[0], text[-2:])
    )  # fmt: skip
    LOG.addHandler(handler)
    try:
        function(*arguments)
    finally:
        LOG.removeHandler(handler)
    return records


def of_what_is_caught(x):
    LOG.info("start")
    try:
        1 / (len(x) - 2)
    except ZeroDivisionError as error:
        LOG.exception("failed at %s", x[0])
        LOG.error("again", exc_info=True)
        LOG.error("and again", exc_info=error)
    LOG.error("nothing is wrong", exc_info=True)
    LOG.info("end", exc_info=False, stack_info=False)
    return x.sum()


def of_a_cause(x):
    try:
        try:
            {}["key"]
        except KeyError as error:
            raise ValueError("no such key") from error
    except ValueError:
        LOG.critical("failed", exc_info=True)
    return x


def of_one_in_the_graph(x):
    try:
        if x[0] > 1:
            raise ValueError("large")
    except ValueError:
        LOG.exception("in the graph")
    return x


@pytest.mark.parametrize("function", [of_what_is_caught, of_a_cause, of_one_in_the_graph])
def test_a_log_tells_of_the_exception_that_is_handled(function):
    graph = runtime.function(function, numpy=True)
    for x in (np.arange(2.0), np.arange(2.0) + 2, np.arange(2.0)):
        assert told(graph, x) == told(function, x)


def test_a_traceback_with_what_only_the_graph_knows_is_refused():
    @runtime.function(numpy=True)
    def f(x):
        try:
            if x[0] > 1:
                raise ValueError(f"large: {x[0]}")
        except ValueError:
            LOG.exception("failed")

    with pytest.raises(StagingError, match=r"(?s)whose text only the graph knows.*LOG.exception"):
        f(np.arange(3.0))


def test_the_calls_that_lead_to_a_log_are_refused():
    @runtime.function(numpy=True)
    def f(x):
        LOG.info("at %s", x[0], stacklevel=2)

    with pytest.raises(StagingError, match=r"(?s)info\(stacklevel=\) asks for the calls.*LOG.info"):
        f(np.arange(3.0))


def test_the_functions_of_the_module_use_the_logger_at_the_root(caplog):
    @runtime.function(numpy=True)
    def f(x):
        logging.warning("at %s", x[0])
        logging.info("not shown")

    for value in (1.5, 2.5):
        f(np.array([value]))
    assert [(r.levelname, r.getMessage()) for r in caplog.records] == [("WARNING", "at 1.5"), ("WARNING", "at 2.5")]


def test_other_files_are_refused(tmp_path):
    @runtime.function(numpy=True)
    def f(x):
        with open(tmp_path / "told", "w") as file:
            print(x[0], file=file)
        return x

    with pytest.raises(StagingError, match=r"(?s)goes to sys.stdout and sys.stderr alone.*test_showing.py"):
        f(np.arange(3.0))


def test_tensors_are_shown_while_tracing(capsys):
    @runtime.function
    def f(x):
        print("traced", x.shape)
        runtime.print("run", x[0], output_stream=sys.stdout)
        return x

    f(np.arange(3.0))
    f(np.arange(3.0))
    assert capsys.readouterr().out == "traced (3,)\nrun 0\nrun 0\n"


def test_what_is_no_text_is_refused_as_python_does():
    @runtime.function(numpy=True)
    def f(x):
        print(x[0], sep=1)

    with pytest.raises(TypeError, match="sep must be None or a string"):
        f(np.arange(3.0))


@pytest.mark.parametrize("jit", EXECUTORS)
def test_clocks_are_looked_at_when_the_graph_runs(jit):
    @runtime.function(numpy=True, jit_compile=jit)
    def waits(x, seconds):
        begin, began = time.perf_counter(), time.monotonic_ns()
        time.sleep(seconds)
        turns = 0
        while time.perf_counter() - begin < 2 * seconds:
            turns += 1
        return time.perf_counter() - begin, time.monotonic_ns() - began, turns > 0, time.time(), x

    times = []
    for seconds in (0.01, 0.02, 0.01):
        taken, in_ns, turned, now, _ = waits(np.ones(2), np.float64(seconds))
        assert type(taken) is float and type(in_ns) is int and turned and taken >= 2 * seconds
        assert in_ns >= 1.9 * seconds * 1e9  # the clocks tick apart
        times.append(now)
    assert times == sorted(set(times)) and abs(times[-1] - time.time()) < 60
    assert waits.experimental_get_tracing_count() == 1


def test_a_long_loop_that_tells_the_time_is_one_of_the_graph():
    @runtime.function(numpy=True)
    def f(n, x):
        total = 0.0
        for i in range(n):
            total += x[i % 2]
            if i % 1000 == 0:
                total += 0 * time.time()
        return total

    assert f(3000, np.array([1.0, 2.0])) == 4500
    assert len([*f.get_concrete_function(3000, np.array([1.0, 2.0])).graph.walk()]) < 40


def test_a_gradient_shows_what_the_function_does(capsys):
    @runtime.function(numpy=True)
    def f(x):
        s = 0.0
        for v in x:
            s = s + v * v
            print("at", v)
        return s

    for _ in range(2):
        assert runtime.grad(f)(np.array([1.0, 2.0])).numpy().tolist() == [2.0, 4.0]
        assert capsys.readouterr().out == "at 1.0\nat 2.0\n"


def warns(x):
    if x[0] > 1:
        warnings.warn("large")
    for i, v in enumerate(x):
        if v > 2:
            warnings.warn(f"at {i}: {v}", RuntimeWarning)
            warned_for_another(v)
    return x.sum()


def warned_for_another(v):
    warnings.warn(DeprecationWarning(f"old {v}"), stacklevel=2)


def warns_who_calls(x):
    warnings.warn(f"of {x}", FutureWarning, stacklevel=2)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_programs_warn_each_time_that_they_get_there_and_where_python_does(jit_compile):
    def told(function):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            for x in ([1.0, 3.0, 0.5], [0.0, 1.0], [3.0, 4.0]):
                function(np.array(x))
        return [(str(one.message), one.category, one.filename, one.lineno) for one in found]

    assert told(runtime.function(warns, numpy=True, jit_compile=jit_compile)) == told(warns)


def test_a_warning_names_the_line_that_calls_the_function():
    graph = runtime.function(warns_who_calls, numpy=True, jit_compile=False)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        graph(np.float64(1))
        graph(np.float64(2))
    lines = [found[0].lineno, found[0].lineno + 1]
    assert [(str(one.message), one.filename, one.lineno) for one in found] == [
        ("of 1.0", __file__, lines[0]), ("of 2.0", __file__, lines[1])
    ]  # fmt: skip


def test_a_warning_is_shown_once_for_a_line_or_raised_where_that_is_asked_for():
    graph = runtime.function(warns, numpy=True)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("default")
        for _ in range(3):
            graph(np.array([1.5]))
    assert [str(one.message) for one in found] == ["large"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="large"):
            graph(np.array([1.5]))
