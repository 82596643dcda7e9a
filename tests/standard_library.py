"""Run one of CPython's own test modules over converted modules: ``python -m tests.standard_library HOW TEST MODULE…``.

HOW is ``plain``, ``converted`` or ``staging`` (converted, and as if something was being traced). Prints the number of
tests and the names of those that fail, as JSON.
"""

import importlib
import importlib.util
import io
import json
import sys
import types
import unittest
import warnings
from pathlib import Path

import autograph
import autograph.api  # no import of the compiler may happen once it is made of what is replaced
from autograph import source
from autograph.convert_file import compile_module
from autograph.loading.imported import code_of


def replace(name):
    """Put a converted module in the place of one that is in use already, if only by the compiler."""
    module = importlib.import_module(name)
    path = Path(module.__file__)
    text = path.read_text(encoding="utf-8")
    code = code_of(compile_module(source.parse(text, str(path))), name, str(path))
    made = types.ModuleType(name)
    made.__dict__.update({k: v for k, v in vars(module).items() if k.startswith("__")})
    sys.modules[name] = made
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, made)
    for key, value in list(sys.modules.items()):
        if key.rpartition(".")[0] == name:
            setattr(made, key.rpartition(".")[2], value)
    exec(code, made.__dict__)


def main(how, test, *modules):
    warnings.simplefilter("ignore")
    if how != "plain":
        for name in modules:
            replace(name)
        # The tests import some of them afresh; but nothing can be compiled while a part of the compiler is missing.
        hook = autograph.ImportHook(name for name in modules if name != "collections")
        sys.meta_path.insert(0, hook)
        autograph.rules.convert(*modules)
    if how == "staging":
        autograph.begin_staging()
    suite = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(f"test.{test}"))
    sys.stdout, out = io.StringIO(), sys.stdout
    result = unittest.TextTestRunner(io.StringIO(), verbosity=0).run(suite)
    failed = {str(case): text for case, text in [*result.failures, *result.errors]}
    json.dump({"tests": result.testsRun, "failed": failed}, out)


if __name__ == "__main__":
    main(*sys.argv[1:])
