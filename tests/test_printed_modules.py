"""What `to_code` prints of packages that are installed is a module that runs."""

import importlib
import inspect
import io
import pkgutil
import random
import sys
import types
import warnings

import pytest

import autograph

# Those of the environment of the tests, and others, for whoever has them.
PACKAGES = """
pluggy iniconfig packaging pygments hypothesis sortedcontainers tqdm shtab coverage execnet gast astunparse joblib
threadpoolctl attr black cachetools click dateutil idna jinja2 jsonschema markdown_it more_itertools mpmath narwhals
networkx pandas parso pathspec platformdirs prompt_toolkit psutil referencing requests rich sympy toolz tornado
traitlets urllib3 wcwidth werkzeug yaml
""".split()


def modules_of(name):
    found = importlib.import_module(name)
    yield found
    for info in pkgutil.walk_packages(getattr(found, "__path__", ()), f"{name}.", onerror=lambda _: None):
        if not any(part in info.name for part in ("test", "__main__", "conftest", "deprecated", ".this", "stable")):
            try:
                yield importlib.import_module(info.name)
            except Exception:  # it needs what is not installed
                continue


def definitions_of(module):
    """The functions and classes of a module, and the methods of these."""
    for name, thing in list(vars(module).items()):
        if not isinstance(thing, types.FunctionType | type) or getattr(thing, "__module__", "") != module.__name__:
            continue
        if thing.__qualname__ == name:
            yield thing
            for part in [getattr(p, "__func__", p) for p in vars(thing).values()] if isinstance(thing, type) else ():
                if isinstance(part, types.FunctionType) and part.__qualname__ == f"{name}.{part.__name__}":
                    yield part


def executed(text):
    made = types.ModuleType("printed")
    sys.modules["printed"] = made  # dataclasses look there for the module of a class
    try:
        exec(compile(text, "<printed>", "exec", dont_inherit=True), vars(made))
    finally:
        del sys.modules["printed"]


def is_made_once(thing):
    """Whether the package itself sees to it that what is written there runs only once: it forbids further classes with
    these bases, as jinja2.nodes does, or the names are entered in a register, as by networkx."""
    module = sys.modules[thing.__module__]
    kind = getattr(module, thing.__qualname__.partition(".")[0])
    try:
        if isinstance(kind, type):
            types.new_class("Another", kind.__bases__, {"metaclass": type(kind)})
        again = types.ModuleType(module.__name__)
        again.__package__, again.__file__ = module.__package__, module.__file__
        exec(compile(inspect.getsource(module), module.__file__, "exec", dont_inherit=True), vars(again))
    except Exception:
        return True
    return False


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PACKAGES)
def test_what_is_printed_runs(name, monkeypatch):
    pytest.importorskip(name)
    monkeypatch.setattr(sys, "stdout", io.StringIO())  # some modules print something as they are imported
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [thing for module in modules_of(name) for thing in definitions_of(module)]
        for thing in random.Random(name).sample(found, min(len(found), 8)):
            try:
                text = str(autograph.to_code(thing))
            except autograph.SourceNotFoundError:  # of a namedtuple, or one that was written by a program
                continue
            try:
                executed(text)
            except Exception as error:
                assert is_made_once(thing), (thing, error, text)
