"""Importing modules converted: a hook for packages, under which every function is converted as it is loaded."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from autograph import rules, source
from autograph.convert_file import compile_module
from autograph.errors import ConversionError

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec


def install_import_hook(*packages: str) -> ImportHook:
    """Convert the functions of these packages and modules, and of what is in them, when they are imported.

    Their code keeps the user's file and lines; nothing is written to disk. Call it before the first import of them. The
    result takes the hook away again (`uninstall`, or at the end of a ``with``); what has been imported stays converted.
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
    rules.prepare()  # no import may happen while the program runs: it may be going through sys.modules
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
            spec = find(fullname, path, target) if find is not None and finder is not self else None
            if spec is not None:
                if spec.loader is not None and hasattr(spec.loader, "get_source"):
                    spec.loader = _Loader(spec.loader)
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

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> types.ModuleType | None:
        made: types.ModuleType | None = self._loader.create_module(spec)
        return made

    def is_package(self, fullname: str) -> bool:
        return bool(self._loader.is_package(fullname))

    def get_source(self, fullname: str) -> str | None:
        text: str | None = self._loader.get_source(fullname)
        return text

    def get_code(self, fullname: str) -> types.CodeType | None:
        text = self.get_source(fullname)
        if text is None:  # a compiled file without its source stays as it is
            code: types.CodeType | None = self._loader.get_code(fullname)
            return code
        return compile_module(source.parse(text, self._loader.get_filename(fullname)))

    def exec_module(self, module: types.ModuleType) -> None:
        spec = module.__spec__
        assert spec is not None
        code = self.get_code(spec.name)
        if code is None:
            self._loader.exec_module(module)
        else:
            exec(code, module.__dict__)
