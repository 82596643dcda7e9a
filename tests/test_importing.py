"""The import hook."""

import asyncio
import builtins
import copy
import importlib
import importlib.util
import inspect
import marshal
import os
import pickle
import shutil
import subprocess
import sys
import traceback
import types
import warnings
import zipfile
from contextlib import nullcontext
from pathlib import Path

import pytest

import autograph
import runtime
from autograph import api, dispatch, importing, loading, pipeline
from autograph.loading import marks
from autograph.loading.marks import key_behind_guard
from autograph.operators.outside import found_outside
from tests.programs import staging

MODULE = '''\
"""What it is for."""
from __future__ import annotations

LIMIT = 3


def clip(x: int, low: int = 0) -> int:
    """Between two numbers."""
    if x > LIMIT:
        return LIMIT
    while x < low:
        x += 1
    return x


class Counter:
    __n = 0

    def count(self, by=1):
        global LAST
        LAST = by
        if by > 0:
            self.__n += by
        return self.__n, __class__.__name__
'''


@pytest.fixture
def package(tmp_path, monkeypatch):
    (tmp_path / "hooked" / "sub").mkdir(parents=True)
    (tmp_path / "hooked" / "__init__.py").write_text("from hooked.sub import module\n", encoding="utf-8")
    (tmp_path / "hooked" / "sub" / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "hooked" / "sub" / "module.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "hooked_too.py").write_text("def f(x):\n    return 1 if x else 2\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in [n for n in sys.modules if n.startswith("hooked")]:
        del sys.modules[name]


def test_a_package_is_imported_converted(package):
    with autograph.install_import_hook("hooked"):
        module = importlib.import_module("hooked").module
        other = importlib.import_module("hooked_too")
    assert autograph.is_converted(module.clip) and autograph.is_converted(module.Counter.count)
    assert not autograph.is_converted(other.f)
    for active in (False, True):
        if active:
            autograph.begin_staging()
        try:
            assert [module.clip(9), module.clip(-9), module.clip(-9, low=-2)] == [3, 0, -2]
            assert module.Counter().count(2) == (2, "Counter") and module.LAST == 2
        finally:
            if active:
                autograph.end_staging()
    assert module.__file__.endswith("module.py") and module.clip.__code__.co_filename == module.__file__
    assert module.clip.__code__.co_firstlineno == 7 and module.clip.__annotations__["x"] == "int"
    assert (module.__doc__, module.clip.__doc__) == ("What it is for.", "Between two numbers.")
    assert set(vars(module)) - {"__builtins__", "__cached__"} == {
        "__name__", "__doc__", "__package__", "__loader__", "__spec__", "__file__", "annotations", "LIMIT", "clip",
        "Counter", "LAST",
    }  # fmt: skip


def forgotten():
    """Import again what has been imported."""
    for name in [n for n in sys.modules if n.startswith("hooked")]:
        del sys.modules[name]


def kept(package):
    """The files that keep guarded code."""
    return sorted(path for path in package.rglob("*.pyc") if "autograph" in path.name)


@pytest.fixture
def writing(monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def imported():
    forgotten()
    importlib.invalidate_caches()
    with autograph.install_import_hook("hooked"):
        return importlib.import_module("hooked.sub.module")


def test_guarded_code_is_kept_and_read_by_nobody_else(package, writing, monkeypatch):
    imported()
    assert len(kept(package)) == 3
    forgotten()
    assert not autograph.is_converted(importlib.import_module("hooked").module.clip)
    monkeypatch.setattr(importing, "compile_module", None)  # nothing is compiled again
    module = imported()
    assert autograph.is_converted(module.clip) and module.clip(9) == 3
    with staging():
        assert module.clip(9) == 3 and module.Counter().count(2) == (2, "Counter")


@pytest.mark.parametrize("change", ["content", "time", "cut", "empty", "foreign", "other"])
def test_a_file_that_is_not_of_this_source_is_not_used(package, writing, monkeypatch, change):
    source = package / "hooked" / "sub" / "module.py"
    imported()
    file = next(path for path in kept(package) if path.name.startswith("module"))
    if change == "content":
        source.write_text(MODULE.replace("LIMIT = 3", "LIMIT = 2 + 2"), encoding="utf-8")
    elif change == "time":
        os.utime(source, (1, 1))
    elif change == "other":
        file.write_bytes(file.read_bytes()[:20] + marshal.dumps("no code"))
    else:
        file.write_bytes({"cut": file.read_bytes()[:-9], "empty": b"", "foreign": b"x" * 100}[change])
    compiled = []
    compile_module = importing.compile_module
    monkeypatch.setattr(importing, "compile_module", lambda m: compiled.append(m.filename) or compile_module(m))
    for _ in range(2):
        assert imported().clip(9) == (4 if change == "content" else 3)
    assert compiled == ([] if change == "time" else [str(source)])


def test_where_nothing_can_be_kept_modules_are_compiled_each_time(package, writing, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError("read-only")

    with monkeypatch.context() as patch:
        patch.setattr(importing, "open", refuse, raising=False)
        assert imported().clip(9) == 3 and not kept(package)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert imported().clip(9) == 3 and not kept(package)


GUARDED = """
import asyncio
import builtins
import copy


class Base:
    def g(self, x):
        return x + 1


class Box(Base):
    __total = 0

    def __init__(self, n):
        self.n = n

    def g(self, x, /, y=1, *more, __z=2, key=3, **named):
        if x > 0:
            return super().g(x) + y + sum(more) + __z + key + sum(named.values()), __class__.__name__
        return self.n

    @classmethod
    def made(cls, n):
        return cls(n) if n else cls(1)

    @property
    def size(self):
        return self.n if self.n > 1 else 0

    def __len__(self):
        return self.n if self.n > 1 else 7


def items(n):
    total = 0
    while n > 0:
        total += yield n
        n -= 1
    return total


async def later(x):
    await asyncio.sleep(0)
    return x if x > 0 else -x


async def several(n):
    for i in range(n):
        if i:
            yield i


def outer(n):
    def inner(x):
        return x if x > n else n
    return inner


def plain():
    return 1


def failing(x):
    if x > 0:
        raise ValueError(x)
    return failing(x + 1)


def failing_later(x):
    yield x
    if x > 0:
        raise ValueError(x)


big = lambda x: x if x > 1 else 1
"""


def results(module):
    async def listed():
        return [x async for x in module.several(3)]

    def ended(generator):
        found = [next(generator)]
        try:
            while True:
                found.append(generator.send(10))
        except StopIteration as stop:
            return found, stop.value

    def lines(function, *arguments):
        try:
            list(function(*arguments))
        except ValueError as error:
            return [(entry.name, entry.line) for entry in traceback.extract_tb(error.__traceback__)][1:]

    box = module.Box(3)
    return [
        box.g(1), box.g(1, 2, 3, 4, _Box__z=5, key=6, other=7), box.g(-1), module.Box.made(0).n, box.size, len(box),
        ended(module.items(3)), asyncio.run(module.later(-2)), asyncio.run(listed()), module.outer(3)(2),
        module.plain(), module.big(0), lines(module.failing, -1), lines(module.failing_later, 1),
    ]  # fmt: skip


def test_whatever_a_function_is_it_does_the_same_while_something_is_traced(package, writing):
    (package / "hooked_all.py").write_text(GUARDED, encoding="utf-8")
    plain = importlib.import_module("hooked_all")
    wanted, signature = results(plain), inspect.signature(plain.Box.g)
    for _ in range(2):  # compiled, then read
        forgotten()
        with autograph.install_import_hook("hooked_all"):
            module = importlib.import_module("hooked_all")
        assert results(module) == wanted and inspect.signature(module.Box.g) == signature
        with staging():
            assert results(module) == wanted
            assert results(module) == wanted
        assert results(module) == wanted


def test_a_function_is_converted_when_it_is_first_called_in_a_trace(package, monkeypatch):
    converted = []
    convert = pipeline.convert
    monkeypatch.setattr(api.pipeline, "convert", lambda tree, *_: converted.append(tree.name) or convert(tree, *_))
    module = imported()
    if not dispatch.active:  # no backend is registered that stages at any time
        module.clip(9)
    assert converted == []
    with staging():
        module.clip(9)
        module.clip(1)
    assert converted == ["clip"]


def test_staged_values_reach_the_functions_of_the_package(package):
    module = imported()

    def f(x):
        return module.clip(x) * 2

    graph = runtime.function(f)
    assert [int(graph(runtime.constant(n))) for n in (9, 1, -4)] == [6, 2, 0]


def test_what_is_marked_stays_python_under_the_hook(package):
    (package / "hooked" / "sub" / "module.py").write_text(
        "import autograph\n\n\n@autograph.do_not_convert\ndef marked(x):\n    return 1 if x > 0 else 2\n\n\n"
        "def other(x):\n    return 1 if x > 0 else 2\n",
        encoding="utf-8",
    )
    module = imported()
    assert int(runtime.function(module.other)(runtime.constant(3))) == 1
    with pytest.raises(runtime.errors.OperatorNotAllowedInGraphError):
        runtime.function(lambda x: module.marked(x))(runtime.constant(3))
    assert key_behind_guard(module.marked.__code__) is None
    assert key_behind_guard(module.other.__code__) is not None


def test_what_is_imported_already_is_refused(package):
    importlib.import_module("hooked")
    with pytest.raises(autograph.ConversionError, match="imported already"):
        autograph.install_import_hook("hooked")
    with pytest.raises(TypeError, match="name the packages"):
        autograph.install_import_hook()


def test_from_a_zip_file(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        archive.writestr("hooked_zip.py", MODULE)
    monkeypatch.syspath_prepend(str(tmp_path / "packed.zip"))
    with autograph.install_import_hook("hooked_zip"):
        module = importlib.import_module("hooked_zip")
    assert autograph.is_converted(module.clip) and module.clip(9) == 3
    del sys.modules["hooked_zip"]


def test_a_syntax_error_shows_the_users_line(package):
    (package / "hooked_broken.py").write_text("x = 1\ndef f(:\n", encoding="utf-8")
    with autograph.install_import_hook("hooked_broken"), pytest.raises(SyntaxError) as error:
        importlib.import_module("hooked_broken")
    assert error.value.lineno == 2 and error.value.filename.endswith("hooked_broken.py")


def test_modules_in_c_and_missing_ones_stay_as_they_are():
    with autograph.install_import_hook("hooked_missing"):
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module("hooked_missing")
        assert importlib.util.find_spec("hooked_missing") is None


def changed_later(package, change):
    """A module whose file is another once it has been imported."""
    file = package / "hooked_file.py"
    file.write_text('def f(x):\n    if x:\n        return "old"\n    return 0\n', encoding="utf-8")
    forgotten()
    with autograph.install_import_hook("hooked_file"):
        module = importlib.import_module("hooked_file")
    change(file)
    return module


@pytest.mark.parametrize("change", [
    lambda file: file.unlink(), lambda file: file.write_text(file.read_text().replace("old", "new")),
    lambda file: file.write_text("\n\n" + file.read_text()),
])  # fmt: skip
def test_what_was_imported_stays_what_it_was_whatever_becomes_of_the_file(package, change):
    module = changed_later(package, change)
    with staging():
        assert module.f(1) == "old" and module.f(0) == 0


def test_code_that_is_kept_moves_with_its_package(package, writing, monkeypatch):
    imported()
    other = package / "elsewhere"
    shutil.copytree(package / "hooked", other / "hooked")
    (package / "hooked" / "sub" / "module.py").write_text(MODULE.replace("return LIMIT", "return -1"), encoding="utf-8")
    monkeypatch.syspath_prepend(str(other))
    module = imported()
    assert module.clip.__code__.co_filename == module.__file__ == str(other / "hooked" / "sub" / "module.py")
    with staging():
        assert module.clip(9) == 3 and module.Counter().count(2) == (2, "Counter")


TRACED = """
def f(x):
    if x:
        y = 1
        return y
    return 2


def g(x):
    global LAST
    try:
        z = 1 / x
    except ZeroDivisionError:
        z = 0
    LAST = z
    return z


def h(x):
    '''Documented.'''
    return max(
        x,
        1,
    )
"""


def test_no_line_seems_to_run_that_did_not(package):
    def lines(module):
        found = []

        def local(frame, event, _):
            found.append((frame.f_code.co_name, event, frame.f_lineno))
            return local

        before = sys.gettrace()
        sys.settrace(lambda frame, *_: local if frame.f_code.co_filename == module.__file__ else None)
        try:
            results = [module.f(0), module.f(1), module.g(0), module.g(1), module.h(3)]
        finally:
            sys.settrace(before)
        return results, found

    (package / "hooked_lines.py").write_text(TRACED, encoding="utf-8")
    wanted = lines(importlib.import_module("hooked_lines"))
    forgotten()
    with autograph.install_import_hook("hooked_lines"):
        module = importlib.import_module("hooked_lines")
    if not dispatch.active:
        assert lines(module) == wanted


def test_hooks_may_name_the_same_packages(package):
    with autograph.install_import_hook("hooked"), autograph.install_import_hook("hooked", "hooked.sub"):
        module = importlib.import_module("hooked.sub.module")
    assert autograph.is_converted(module.clip) and module.clip(9) == 3


def test_loaders_specs_and_functions_are_copied_and_pickled_as_ever(package):
    module = imported()
    spec = copy.deepcopy(module.__spec__)
    assert spec.name == "hooked.sub.module" and copy.copy(spec.loader).is_package("hooked.sub.module") is False
    assert pickle.loads(pickle.dumps(module.__spec__)).origin == module.__file__
    assert pickle.loads(pickle.dumps(module.clip)) is module.clip


def test_what_has_no_file_is_imported_as_it_is():
    sys.modules.pop("__phello__", None)
    with autograph.install_import_hook("__phello__"):
        assert importlib.import_module("__phello__").__spec__.origin == "frozen"


WARNING = """
import warnings


def old(x):
    if x:
        warnings.warn("it is old", DeprecationWarning, 2)
    return x
"""


def test_a_warning_points_at_the_caller_however_it_is_written(package):
    (package / "hooked_old.py").write_text(WARNING, encoding="utf-8")
    forgotten()
    with autograph.install_import_hook("hooked_old"):
        module = importlib.import_module("hooked_old")
    for active in (False, True):
        with warnings.catch_warnings(record=True) as caught, staging() if active else nullcontext():
            warnings.simplefilter("always")
            module.old(1)
        assert [one.filename for one in caught] == [__file__]


def test_the_runtime_says_that_it_needs_numpy_and_the_compiler_does_without(tmp_path):
    """In a process that finds what this one finds, but NumPy."""
    program = (
        "import importlib.util as u\nfind = u.find_spec\n"
        "u.find_spec = lambda n, *a: None if n == 'numpy' else find(n, *a)\n"
        "import autograph\nassert 'numpy' not in __import__('sys').modules\n"
        "try: import runtime\nexcept ModuleNotFoundError as error: print(error.name, error)\n"
    )
    root = Path(autograph.__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("numpy runtime needs NumPy (pip install 'autograph-python[runtime]')")


SHARED = """
import functools


class Kept:
    def __init__(self, function):
        self.function = function

    def __call__(self, *arguments):
        return self.function(*arguments)


def around(function):
    @functools.wraps(function)
    def inner(*arguments):
        return function(*arguments)

    return inner


class Scale:
    def __init__(self, by):
        self.by = by

    @property
    def half(self):
        return self.by / 2 if self.by > 0 else 0

    @staticmethod
    def plain(x):
        return x if x > 0 else -x

    @classmethod
    def made(cls, by):
        return cls(by if by > 0 else -by)

    def times(self, x):
        return [x] * self.by if self.by > 1 else [x]

    def __class_name(self):
        return __class__.__name__ if self.by else ""

    def name(self):
        return self.__class_name()


class Twice(Scale):
    def times(self, x):
        return super().times(x) * 2 if self.by else []


@Kept
def kept(x):
    return x + 1 if x > 0 else x - 1


@around
def wrapped(x):
    return x + 1 if x > 0 else x - 1


def each(xs):
    for x in xs:
        yield wrapped(x) if x else kept(x)
"""


def test_functions_are_their_converted_form_while_something_is_traced(package):
    """They stay the same objects, and nothing comes between a call and the form: no frame, and no question."""
    (package / "hooked_shared.py").write_text(SHARED, encoding="utf-8")
    forgotten()
    with autograph.install_import_hook("hooked_shared"):
        m = importlib.import_module("hooked_shared")

    def used():
        one, two = m.Scale.made(-4), m.Twice(2)
        return (
            [one.half, m.Scale.plain(-3), one.times(1), two.times(1), one.name(), two.name()],
            [m.kept(1), m.wrapped(-1), list(m.each([0, 1, -1]))],
        )

    functions = [
        *[m.Scale.half.fget, m.Scale.plain, m.Scale.made.__func__, m.Scale.times, m.Scale._Scale__class_name],
        *[m.Twice.times, m.kept.function, m.wrapped.__wrapped__, m.each],
    ]
    guards, plain = [f.__code__ for f in functions], used()
    assert all(map(key_behind_guard, guards))
    with staging():
        assert used() == plain == used()
        for function, guard in zip(functions, guards):
            assert function.__code__ is not guard and api.is_converted(function), function
            assert (function.__code__.co_name, function.__code__.co_firstlineno) == (
                guard.co_name,
                guard.co_firstlineno,
            )
        generator = m.each([0, 1])
        assert next(generator) == -1
        held = [id(code) in loading.imported._forms for code in guards]
    if not dispatch.active:  # nor does another test have anything traced
        assert any(held) and [f.__code__ for f in functions] == guards
        assert not loading.imported._forms  # what is known of them is let go
    assert used() == plain and list(generator) == [2]


def test_a_function_with_the_variables_of_another_keeps_its_guard(package):
    """What has the code of a guarded function need not be that function."""
    module = imported()
    other = types.FunctionType(module.clip.__code__, {"LIMIT": 0, "__builtins__": __builtins__})
    with staging():
        assert [other(9, 0), module.clip(9), other(1, 0)] == [0, 3, 0]
        assert other.__code__ is not module.clip.__code__


LOOKING = """
import sys
import warnings


def hidden(function):
    def around(*arguments):
        return function(*arguments)
    return around


class Base:
    def name(self):
        return "base" if self else ""


class Looking(Base):
    def method(self):
        return sys._getframe(1).f_code.co_name, super().name(), [x for x in (1, 2) if x > 1]

    @property
    def attribute(self):
        return sys._getframe(1).f_code.co_name if self else ""

    @staticmethod
    def made():
        def inner():
            return sys._getframe(2).f_code.co_name
        return inner() if True else ""


def function(x=1):
    global LAST
    LAST = x
    return sys._getframe(1).f_code.co_name if x > 0 else [sys._getframe(1).f_code.co_name]


@hidden
def behind(x):
    return sys._getframe(2).f_code.co_name if x else ""


def items(x):
    if x:
        yield sys._getframe(1).f_code.co_name


async def later(x):
    return sys._getframe(1).f_code.co_name if x else ""


async def several(n):
    for i in range(n):
        yield i


IMPORTING = function()
"""
CALLS = {
    "method": lambda m: m.Looking().method(),
    "attribute": lambda m: m.Looking().attribute,
    "made": lambda m: m.Looking.made(),
    "function": lambda m: (m.function(), m.function(-1), m.LAST),
    "behind": lambda m: m.behind(1),
    "items": lambda m: list(m.items(1)),
    "later": lambda m: m.later(1).send,
    "several": lambda m: m.several(2).__anext__().send,
    "IMPORTING": lambda m: m.IMPORTING,
}


@pytest.mark.parametrize("before", [False, True], ids=["imported while traced", "imported before"])
@pytest.mark.parametrize("name", CALLS)
def test_who_looks_at_callers_finds_them_at_its_first_call_in_a_trace(package, writing, name, before):
    """Its code is exchanged when a trace begins, whoever holds the function."""

    def called():
        try:
            found = CALLS[name](module)
            return found(None) if callable(found) else found
        except StopIteration as stop:
            return stop.value

    (package / "hooked_looking.py").write_text(LOOKING, encoding="utf-8")
    module = importlib.import_module("hooked_looking")
    wanted = called()
    for _ in range(2):  # compiled, then read
        forgotten()
        with nullcontext() if before else staging(), autograph.install_import_hook("hooked_looking"):
            module = importlib.import_module("hooked_looking")
            if before:
                assert called() == wanted
            with staging():
                assert called() == wanted == called()
        assert called() == wanted
    with staging():  # as it is converted, not as it is written
        assert marks.is_marked(module.function.__code__) and not api.is_guarded(module.function)
        assert api.is_converted(module.Looking.method)


TRACING = """
import sys
import autograph

autograph.begin_staging()
autograph.end_staging()


def function(x):
    return sys._getframe(1).f_code.co_name if x else ""
"""


def test_a_module_that_traces_as_it_is_imported_still_defines_who_looks_at_callers(package):
    (package / "hooked_tracing.py").write_text(TRACING, encoding="utf-8")
    with autograph.install_import_hook("hooked_tracing"):
        module = importlib.import_module("hooked_tracing")
    with staging():
        assert module.function(1) == sys._getframe().f_code.co_name
        assert not api.is_guarded(module.function)


def test_code_that_is_kept_is_as_hashable_and_comparable_as_any(package, writing):
    for _ in range(2):
        code = imported().clip.__code__
        assert marshal.loads(marshal.dumps(code)) == code and hash(code) == hash(code.replace())


def test_without_what_it_finds_in_the_process_code_runs_as_it_is_written(package, monkeypatch):
    (package / "hooked_looking.py").write_text(LOOKING, encoding="utf-8")
    with autograph.install_import_hook("hooked"):
        module = importlib.import_module("hooked.sub.module")
        looking = importlib.import_module("hooked_looking")
    with staging():
        assert looking.Looking().method()[1:] == ("base", [2])
        for name in loading.imported.NAME, loading.imported.ACTIVE:
            monkeypatch.delitem(vars(builtins), name)
        assert [module.clip(9), module.clip(-9, low=-2)] == [3, -2]
        assert looking.function(-1) == [sys._getframe().f_code.co_name]
        assert looking.Looking().method()[1:] == ("base", [2]) and list(looking.items(0)) == []


ENDING = """
import warnings


class Last:
    def __init__(self, number):
        self.number = number
        self.self = self

    def close(self):
        print("closed", self.number if self.number > 1 else 0)

    def __del__(self):
        if self.number:
            self.close()
        else:
            warnings.warn("never closed")


HELD = [Last(0), Last(1), Last(2)]
"""


def test_objects_that_die_with_the_interpreter_are_finalised_as_ever(package):
    """By then Python has taken back what was put among its built-ins."""
    (package / "hooked_ending.py").write_text(ENDING, encoding="utf-8")
    start = "import sys\nsys.path.insert(0, sys.argv[1])\n"
    hook = "import autograph\nautograph.install_import_hook('hooked_ending')\n"
    traced = "autograph.begin_staging()\nautograph.end_staging()\n"
    results = []
    for before, after in (("", ""), (hook, ""), (hook, traced)):
        program = f"{start}{before}import hooked_ending\n{after}"
        command = [sys.executable, "-W", "default", "-c", program, str(package)]
        done = subprocess.run(command, cwd=Path(autograph.__file__).parent.parent, capture_output=True, text=True)
        results.append((done.returncode, done.stdout, done.stderr))
    assert "closed 2" in results[0][1] and results[1:] == results[:1] * 2


def test_imports_that_fail_or_warn_show_no_frame_of_the_hook(package):
    (package / "hooked_failing.py").write_text(
        "import warnings\nwarnings.warn('it is old', DeprecationWarning, 2)\n1 / 0\n", encoding="utf-8"
    )

    def shown():
        forgotten()
        with warnings.catch_warnings(record=True) as caught, pytest.raises(ZeroDivisionError) as error:
            warnings.simplefilter("always")
            importlib.import_module("hooked_failing")
        frames = [entry.filename for entry in traceback.extract_tb(error.tb) if "<frozen" not in entry.filename]
        return [one.filename for one in caught], frames

    wanted = shown()
    with autograph.install_import_hook("hooked_failing"):
        assert shown() == wanted


def test_what_a_guard_needs_is_nothing_that_a_function_reaches(package):
    module = imported()
    assert found_outside([module.clip]) is None
