"""The standard library as it stands: it prints and compiles, and CPython's own tests pass over it, converted."""

import ast
import json
import os
import subprocess
import sys
import sysconfig
import warnings
from pathlib import Path

import pytest

from autograph import printer, source
from autograph.commands.files import read
from autograph.convert_file import convert_module, converted_functions
from autograph.loading.guarded import guard_functions
from autograph.loading.inplace import either

LIBRARY = Path(sysconfig.get_paths()["stdlib"])
FILES = sorted(p for p in LIBRARY.rglob("*.py") if not {"site-packages", "__pycache__"} & set(p.parts))
OWN = [p for p in FILES if not {"test", "tests", "idlelib", "lib2to3", "turtledemo"} & set(p.parts)]


def parsed(path):
    """The file, or None where it is broken on purpose or is no text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return source.parse(read(path).text, str(path))
    except (SyntaxError, UnicodeDecodeError, ValueError):
        return None


def compiles(text, path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(text, str(path), "exec", dont_inherit=True)


def code_of(body, path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(ast.Module(body, []), str(path), "exec", dont_inherit=True)


PARTS = 8


@pytest.mark.parametrize("part", range(PARTS))
def test_every_file_compiles_once_it_is_converted(part):
    for path in OWN[part::PARTS]:
        module = parsed(path)
        if module is not None:
            compiles(convert_module(module), path)
            for place, _, outcome in converted_functions(module):
                if isinstance(outcome, Exception):
                    raise outcome
                if isinstance(outcome, tuple):
                    code_of([either(place.node, outcome[0])], path)
            guard_functions(module.tree)
            code_of(module.tree.body, path)


@pytest.mark.parametrize("part", range(PARTS))
def test_every_file_prints_as_it_was(part):
    for path in FILES[part::PARTS]:
        module = parsed(path)
        if module is not None:
            printed = printer.to_text(module.tree.body) if module.tree.body else ""
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                assert ast.dump(ast.parse(printed)) == ast.dump(ast.parse(module.text)), path


# The test module of CPython, and the modules that are converted while it runs.
SUITES = {
    "test_heapq": "heapq",
    "test_bisect": "bisect",
    "test_statistics": "statistics",
    "test_textwrap": "textwrap",
    "test_difflib": "difflib",
    "test_fractions": "fractions",
    "test_decimal": "_pydecimal",
    "test_calendar": "calendar",
    "test_string": "string",
    "test_shlex": "shlex",
    "test_csv": "csv",
    "test_configparser": "configparser",
    "test_copy": "copy",
    "test_pprint": "pprint",
    "test_random": "random",
    "test_tokenize": "tokenize",
    "test_ast": "ast",
    "test_argparse": "argparse",
    "test_collections": "collections",
    "test_ordered_dict": "collections",
    "test_functools": "functools",
    "test_contextlib": "contextlib",
    "test_contextlib_async": "contextlib",
    "test_dataclasses": "dataclasses",
    "test_enum": "enum",
    "test_typing": "typing",
    "test_inspect": "inspect",
    "test_ipaddress": "ipaddress",
    "test_urlparse": "urllib.parse",
    "test_htmlparser": "_markupbase html.parser",
    "test_graphlib": "graphlib",
    "test_gettext": "gettext",
    "test_optparse": "optparse",
    "test_getopt": "getopt",
    "test_reprlib": "reprlib",
    "test_weakref": "weakref",
    "test_weakset": "_weakrefset",
    "test_traceback": "traceback",
    "test_posixpath": "posixpath genericpath",
    "test_fnmatch": "fnmatch",
    "test_glob": "glob",
    "test_base64": "base64",
    "test_uuid": "uuid",
    "test_cmd": "cmd",
    "test_sched": "sched",
    "test_plistlib": "plistlib",
    "test_http_cookies": "http.cookies",
    "test_tempfile": "tempfile",
    "test_quopri": "quopri",
    "test_mimetypes": "mimetypes",
    "test_codeop": "codeop",
    "test_filecmp": "filecmp",
    "test_string_literals": "string",
    "test_symtable": "symtable",
    "test_types": "types",
}
if sys.version_info >= (3, 12):
    SUITES["test_datetime"] = "_pydatetime"
else:
    SUITES["test_datetime"] = "datetime"


SLOW = {"test_datetime", "test_tokenize", "test_weakref"}


def run(how, test, modules):
    root = str(Path(__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-m", "tests.standard_library", how, test, *modules]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=root, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout[done.stdout.rindex('{"tests"') :])


@pytest.mark.parametrize("test", SUITES)
def test_cpython_suite(test):
    if not list(LIBRARY.glob(f"test/{test}*")):
        pytest.skip(f"this Python comes without its {test}")
    plain = run("plain", test, SUITES[test].split())
    for how in ("converted",) if test in SLOW else ("converted", "staging"):
        converted = run(how, test, SUITES[test].split())
        assert converted["tests"] == plain["tests"]
        assert {k: v for k, v in converted["failed"].items() if k not in plain["failed"]} == {}
