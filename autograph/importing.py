"""Importing modules converted: a hook for packages, under which functions run converted while something is traced."""

from __future__ import annotations

import functools
import importlib.util
import marshal
import os
import sys
import threading
import types
from collections.abc import Iterable, Mapping, Sequence
from importlib.machinery import SourceFileLoader as _PythonsLoader
from typing import TYPE_CHECKING, Any

from autograph import rules
from autograph.dispatch import before_staging
from autograph.errors import ConversionError
from autograph.late import called, found
from autograph.loading import imported

if TYPE_CHECKING:
    from importlib.abc import SourceLoader
    from importlib.machinery import ModuleSpec

# What is kept needs no compiler.
parse = called("autograph.source:parse")
compile_module = called("autograph.convert_file:compile_module")
imported.set_form(called("autograph.api:form_behind_guard"))


def install_import_hook(*packages: str) -> ImportHook:
    """Convert the functions of these packages and modules, and of what is in them, that are imported from now on.

    While something is traced they run converted; each is converted when it is called so for the first time. Their code
    keeps the user's file and lines, and is kept in ``__pycache__`` beside Python's. Call it before the first import of
    them. The result takes the hook away again (`uninstall`, or at the end of a ``with``); what has been imported stays
    converted.
    Raises ConversionError for a package that is imported already.
    """
    if not packages:
        raise TypeError('name the packages to convert: install_import_hook("package", …)')
    for name in packages:
        if name in sys.modules:
            raise ConversionError(
                f"{name} is imported already: importing it again would convert nothing. Install the hook before "
                "the first import, or convert its functions with autograph.convert."
            )
    # No import may happen while the program runs: it may be going through sys.modules.
    rules.prepare()
    before_staging(lambda: found("autograph.api"))
    _version()  # which is the same for all modules
    hook = ImportHook(packages)
    sys.meta_path.insert(0, hook)
    return hook


class ImportHook:
    """Finds the modules of some packages as ever, and loads them converted."""

    def __init__(self, packages: Iterable[str]) -> None:
        self.packages = tuple(packages)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        if not any(fullname == name or fullname.startswith(f"{name}.") for name in self.packages):
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(fullname, path, target) if find is not None and not isinstance(finder, ImportHook) else None
            if spec is not None:
                if hasattr(spec.loader, "get_source") and hasattr(spec.loader, "get_filename"):
                    runs = getattr(type(spec.loader), "exec_module", None)
                    spec.loader = (_Loader if runs is _PythonsLoader.exec_module else _OthersLoader)(spec.loader)
                return spec
        return None

    def uninstall(self) -> None:
        """Import these packages as they are from now on."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def __enter__(self) -> ImportHook:
        return self

    def __exit__(self, *_: object) -> None:
        self.uninstall()


class _Loader:
    """Another loader, but for the code: it is compiled from the converted source, where there is a source."""

    exec_module = _PythonsLoader.exec_module  # so that tracebacks and warnings of a module's show no frame more

    def __init__(self, loader: SourceLoader) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> object:
        if name == "_loader":  # of a copy that is being made
            raise AttributeError(name)
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> types.ModuleType | None:
        return self._loader.create_module(spec)

    def is_package(self, fullname: str) -> bool:
        return self._loader.is_package(fullname)

    def get_source(self, fullname: str) -> str | None:
        return self._loader.get_source(fullname)

    def get_code(self, fullname: str) -> types.CodeType | None:
        path = self._loader.get_filename(fullname)
        cache = Cache.of(self._loader, path)
        kept = cache.read() if cache is not None else None
        if kept is None:
            text = self.get_source(fullname)
            if text is None:  # a compiled file without its source stays as it is
                return self._loader.get_code(fullname)
            kept = compile_module(parse(text, path))
            if cache is not None:
                cache.write(kept)
        return imported.code_of(kept, fullname, path)


class _OthersLoader(_Loader):
    """Another loader that runs modules in a way of its own."""

    def exec_module(self, module: types.ModuleType) -> None:
        spec = module.__spec__
        assert spec is not None
        code = self.get_code(spec.name)
        if code is None:
            self._loader.exec_module(module)
        else:
            exec(code, module.__dict__)


class Cache:
    """The file in ``__pycache__`` that keeps the guarded code of a module, as others keep its plain code.

    It holds for the source of the time and size, or else of the content, that it tells.
    """

    def __init__(self, loader: SourceLoader, path: str, status: Mapping[str, Any], file: str) -> None:
        self._loader, self._path, self._status, self._file = loader, path, status, file

    @classmethod
    def of(cls, loader: SourceLoader, path: str) -> Cache | None:
        """The cache of a source; None if there can be none, as for what is in a zip file."""
        try:
            status = loader.path_stats(path)
            tag = f"{sys.flags.optimize or ''}autograph{_version()}"
            return cls(loader, path, status, importlib.util.cache_from_source(path, optimization=tag))
        except (AttributeError, OSError, NotImplementedError):
            return None

    def _head(self) -> bytes:
        numbers = (int(self._status["mtime"]) & 0xFFFFFFFF, self._status.get("size", 0) & 0xFFFFFFFF)
        return importlib.util.MAGIC_NUMBER + b"".join(n.to_bytes(4, "little") for n in numbers)

    def _source_hash(self) -> bytes:
        return importlib.util.source_hash(self._loader.get_data(self._path))

    def read(self) -> imported.Kept | None:
        """What was kept, if it is there and of this very source."""
        try:
            data, head = self._loader.get_data(self._file), self._head()
            known = data[: len(head)] == head or (
                data[:4] == head[:4] and data[len(head) : len(head) + 8] == self._source_hash()
            )
            parts = marshal.loads(memoryview(data)[len(head) + 8 :]) if known else None
        except (OSError, ValueError, EOFError, TypeError):  # there is none, or not a whole one
            return None
        return imported.Kept(*parts) if type(parts) is tuple and len(parts) == len(imported.Kept._fields) else None

    def write(self, kept: imported.Kept) -> None:
        """Keep what is given, as a whole or not at all."""
        if sys.dont_write_bytecode:
            return
        try:
            content = self._head() + self._source_hash() + marshal.dumps((*kept,))
            os.makedirs(os.path.dirname(self._file), exist_ok=True)
            other = f"{self._file}.{os.getpid()}-{threading.get_ident()}"
            try:
                with open(other, "wb") as file:
                    file.write(content)
                os.replace(other, self._file)
            except OSError:
                os.unlink(other)
                raise
        except (OSError, ValueError):  # it is compiled anew, then
            return


@functools.cache
def _version() -> str:
    """What tells apart the code that different versions of the compiler make: when its files were written, and how long
    they are, which is known sooner than what is in them."""
    marks = [sys.version]
    folders = [os.path.dirname(__file__)]
    try:
        while folders:
            with os.scandir(folders.pop()) as entries:  # which is quicker than to walk through names
                for entry in entries:
                    if entry.name.endswith(".py"):
                        status = entry.stat()
                        marks.append(f"{entry.name} {status.st_mtime_ns} {status.st_size}")
                    elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                        folders.append(entry.path)
    except OSError:
        return "0"
    return importlib.util.source_hash("\n".join(sorted(marks)).encode()).hex()[:8]
