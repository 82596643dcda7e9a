"""Data flows one way through the folders; a test reads the imports and fails on any other arrow."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def imports(path):
    """Modules that a file imports when it is imported itself."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


FILES = sorted([*ROOT.glob("autograph/**/*.py"), *ROOT.glob("runtime/**/*.py")])

FORBIDDEN = {
    "autograph": ["runtime", "numpy"],
    "autograph/operators": ["gast", "autograph.passes", "autograph.analysis", "autograph.api", "autograph.pipeline"],
    "autograph/passes": ["autograph.operators", "autograph.api", "autograph.load", "autograph.pipeline"],
    "autograph/analysis": ["autograph.passes", "autograph.operators", "autograph.api"],
    "runtime/ops": ["runtime.executors", "runtime.trace", "runtime.tensor", "runtime.control", "runtime.function"],
    "runtime/executors": ["runtime.trace", "runtime.function", "runtime.control", "runtime.tensor", "runtime.optimise"],
    "runtime/optimise": ["runtime.executors", "runtime.trace", "runtime.tensor", "runtime.control", "runtime.function"],
}


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_no_import_against_the_flow(folder):
    for path in FILES:
        if path.is_relative_to(ROOT / folder):
            for module in imports(path):
                for other in FORBIDDEN[folder]:
                    assert module != other and not module.startswith(f"{other}."), f"{path} imports {module}"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_file_says_what_it_is(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), f"{path} has no docstring"


def test_importing_autograph_needs_little():
    code = "import sys, autograph; print([m for m in ('numpy', 'runtime', 'pygments', 'jax') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "[]\n"
