"""What a user meets of the runtime: its public names are exported, documented by examples, and typed."""

import ast
import importlib
import inspect
from pathlib import Path
from types import ModuleType

import pytest

import runtime

FACE = sorted(
    f"runtime.{path.stem}" for path in Path(runtime.__file__).parent.glob("*.py") if not path.stem.startswith("_")
)


def exported(module):
    """The names that a type checker lets others import: ``__all__``, or what is defined or imported as itself."""
    tree = ast.parse(inspect.getsource(module))
    names = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names += [target.id for target in targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.ImportFrom):
            names += [alias.name for alias in node.names if alias.name == alias.asname]
    assert not hasattr(module, "__all__") or {n for n in names if not n.startswith("_")} <= set(module.__all__)
    return set(getattr(module, "__all__", [n for n in names if not n.startswith("_")]))


def test_the_package_exports_its_names():
    """Its layers are nobody's business, though Python makes attributes of them."""
    names = {name for name, value in vars(runtime).items() if not name.startswith("_")}
    layers = {
        name for name in names if isinstance(getattr(runtime, name), ModuleType) and f"runtime.{name}" not in FACE
    }
    assert exported(runtime) == names - layers


@pytest.mark.parametrize("name", FACE)
def test_a_module_exports_its_names(name):
    """Where there is no ``__all__``, all that can be seen is meant to be."""
    module = importlib.import_module(name)
    if hasattr(module, "__all__"):
        assert all(hasattr(module, n) for n in exported(module))
    else:
        assert exported(module) == {n for n in vars(module) if not n.startswith("_")} - {"annotations"}
