"""The import hook."""

import importlib
import importlib.util
import os
import sys
import zipfile

import pytest

import autograph

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


def test_nothing_converted_is_left_in_the_caches(package):
    with autograph.install_import_hook("hooked"):
        importlib.import_module("hooked")
    for name in [n for n in sys.modules if n.startswith("hooked")]:
        del sys.modules[name]
    assert not autograph.is_converted(importlib.import_module("hooked").module.clip)
    assert not [f for _, _, files in os.walk(package) for f in files if "autograph" in f]


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
