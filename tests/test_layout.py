"""Data flows one way through the folders; a test reads the imports and fails on any other arrow."""

import ast
import functools
import subprocess
import sys
from pathlib import Path

import pytest

import autograph
import runtime

ROOT = Path(__file__).parent.parent


FILES = sorted([*ROOT.glob("autograph/**/*.py"), *ROOT.glob("runtime/**/*.py")])
NAMES = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in FILES}
MODULES = set(NAMES.values())


def parts(tree, inside=False):
    """The nodes of a file that run, and whether each does so inside of a function."""
    for node in ast.iter_child_nodes(tree):
        yield node, inside
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):  # what only a type checker runs
            yield from (each for other in node.orelse for each in [(other, inside), *parts(other, inside)])
        elif isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):  # what expressions hold imports nothing
            is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            yield from parts(node, inside or is_function)


@functools.cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@functools.cache
def imports(path):
    """The modules of ours that a file imports, wherever it does, and whether that is inside of a function."""
    result = []
    for node, inside in parts(tree_of(path)):
        found = []
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            found = [name if name in MODULES else node.module for name in whole]
        result += [(name, inside) for name in found]
    return result


@functools.cache
def asked_for(path):
    """The modules of ours that a file names, in texts, for `autograph.late` to import when they are asked for."""
    texts = (n.value for n in ast.walk(tree_of(path)) if isinstance(n, ast.Constant) and isinstance(n.value, str))
    return {place for text in texts if "." in text and (place := text.partition(":")[0]) in MODULES}


# What a folder does without, besides what stands above it.
FORBIDDEN = {
    "autograph": ["runtime", "numpy"],
    "autograph/operators": ["gast", "autograph.analysis", "autograph.source"],
}

# The floors of the compiler, from the ground up: its folders and the files beside them. Each uses only lower floors.
FLOORS = (
    "build errors identity late reasons rules styles translating verbosity walk wrapping",
    "code printer",
    "analysis constructs context depth reading source",
    "dispatch eligibility generated",
    "operators except_clauses passes",
    "loading pipeline",
    "comments",
    "spelling",
    "listing",
    "convert_file",
    "api",
    "importing jax origins report",
    "__init__",
    "commands",
    "__main__",
)

# The layers of the runtime, and which others each may use; beside them lies the face, which none of them imports.
LAYERS = {
    "graph": "",
    "ops": "graph",
    "optimise": "graph ops",
    "executors": "graph ops",
    "tensors": "graph ops",
    "control": "graph ops optimise tensors",
    "gradients": "graph ops optimise tensors control",
    "functions": "graph ops optimise executors tensors control gradients",
    "datasets": "graph ops tensors control functions staging",
    "explorer": "graph ops optimise executors tensors functions",
    "compat": "graph ops optimise executors tensors control gradients datasets checkpoints",
    "array_api": "graph ops tensors",
    "experimental": "graph ops tensors staging datasets",
    "summary": "graph ops tensors functions",
    "staging": "graph ops tensors control functions",
    "checkpoints": "graph ops tensors",
    "serialization": "graph ops optimise tensors control gradients functions checkpoints",
    "keras": "graph ops tensors control gradients functions checkpoints summary datasets",
}


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_no_import_against_the_flow(folder):
    for path in FILES:
        if path.is_relative_to(ROOT / folder):
            for module, _ in imports(path):
                for other in FORBIDDEN[folder]:
                    assert module != other and not module.startswith(f"{other}."), f"{path} imports {module}"


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_imports_only_those_below(layer):
    below = {f"runtime.{name}" for name in (layer, *LAYERS[layer].split())}
    for path in (ROOT / "runtime" / layer).rglob("*.py"):
        for module in {*(m for m, _ in imports(path)), *asked_for(path)}:
            used = ".".join(module.split(".")[:2])
            assert not used.startswith("runtime") or used in below, f"{path} imports {module}"


def test_each_folder_of_the_runtime_is_a_layer():
    assert {path.parent.name for path in (ROOT / "runtime").glob("*/*.py")} == LAYERS.keys()


def floor_of(module):
    """On which floor of the compiler a file or folder of it stands."""
    unit = (module.split(".") + ["__init__"])[1]
    (floor,) = [number for number, units in enumerate(FLOORS) if unit in units.split()]
    return unit, floor


@pytest.mark.parametrize("path", [p for p in FILES if p.is_relative_to(ROOT / "autograph")], ids=NAMES.get)
def test_the_compiler_imports_only_from_lower_floors(path):
    unit, floor = floor_of(NAMES[path])
    for module in {*(m for m, _ in imports(path)), *asked_for(path)}:
        if module.partition(".")[0] == "autograph":
            other, lower = floor_of(module)
            assert other == unit or lower < floor, f"{path} imports {module}"


def test_each_part_of_the_compiler_stands_on_a_floor():
    units = {floor_of(NAMES[path])[0] for path in FILES if path.is_relative_to(ROOT / "autograph")}
    assert units == {unit for units in FLOORS for unit in units.split()}


def test_no_circle_of_files():
    """Packages aside, whose own file lists what is in them."""
    packages = {NAMES[path] for path in FILES if path.name == "__init__.py"}
    left = {NAMES[path]: {m for m, _ in imports(path)} & MODULES - packages - {NAMES[path]} for path in FILES}
    while free := {name for name, needed in left.items() if not needed & left.keys()}:
        left = {name: needed for name, needed in left.items() if name not in free}
    assert not left, "in a circle, or above one: " + "; ".join(
        f"{name} imports {', '.join(sorted(needed & left.keys()))}" for name, needed in sorted(left.items())
    )


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_what_is_ours_is_imported_at_the_top(path):
    late = [module for module, inside in imports(path) if inside and module in MODULES]
    assert not late, f"{path} imports {late} inside of a function"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_file_says_what_it_is(path):
    assert ast.get_docstring(tree_of(path)), f"{path} has no docstring"


def by_names_of_rows(tree):
    """The lines on which the name of an operation decides something, rather than being shown."""

    def is_name(node):
        row = node.value if isinstance(node, ast.Attribute) and node.attr == "name" else None
        return getattr(row, "attr", getattr(row, "id", "")) in ("op", "row", "fold")

    for node in ast.walk(tree):
        parts = []
        if isinstance(node, ast.Compare):
            parts = [*ast.walk(node)]
        elif isinstance(node, ast.Subscript):
            parts = [node.value, *ast.walk(node.slice)]
            if getattr(node.value, "id", getattr(node.value, "attr", "")) == "OPS":
                if isinstance(node.slice, ast.Constant):
                    yield node.lineno
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            lookup = node.func.attr in ("get", "pop", "setdefault", "index")
            parts = [node.func.value, *(node.args if lookup else [])]
        elif isinstance(node, ast.Match):
            parts = [*ast.walk(node.subject)]
        elif isinstance(node, ast.Assign | ast.NamedExpr):  # to be compared later
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            parts = values if not all(isinstance(t, ast.Attribute) for t in targets) else []
        if any(map(is_name, parts)):
            yield node.lineno


@pytest.mark.parametrize(
    "line, decides",
    [
        ("if node.op.name == 'add': pass", True), ("if node.op.name in NAMES: pass", True),
        ("RULES[node.op.name]", True), ("RULES.get(op.name)", True), ("name = node.op.name", True),
        ("name, kind = node.op.name, 1", True), ("node.op.name.startswith('list_')", True), ("OPS['cast']", True),
        ("if 'arg' in node.op.name: pass", True), ("x if node.op.fold.name == 'max' else y", True),
        ("node.op is ew.add", False), ("RULES.get(node.op)", False), ("f'{node.op.name} is refused'", False),
        ("function.__name__ = op.name", False), ("Value(type, op.name)", False), ("dtype.name == 'string'", False),
    ],
)  # fmt: skip
def test_lines_on_which_the_name_of_an_operation_decides(line, decides):
    assert bool([*by_names_of_rows(ast.parse(line))]) == decides


def test_no_file_asks_for_the_name_of_an_operation():
    """Facts are columns of a row, and what has code for it is registered under the row itself."""
    for path in (ROOT / "runtime").rglob("*.py"):
        lines = [*by_names_of_rows(tree_of(path))]
        assert not lines, f"{path}, lines {lines}: the name of an operation decides"


@pytest.mark.parametrize("folder", ["passes", "operators"])
def test_each_pass_and_operator_has_a_test_of_its_own(folder):
    stems = {path.stem for path in (ROOT / "autograph" / folder).glob("*.py")} - {"__init__", "rewriting"}
    assert not {s for s in stems if not (ROOT / "tests" / folder / f"test_{s}.py").exists()}


def loaded_by(code):
    """The modules that a program loads besides those that NumPy loads."""
    code = f"import numpy, sys; had = set(sys.modules); {code}; print(*(set(sys.modules) - had))"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(found.stdout.split())


def units_of(package, modules):
    return {module.split(".")[1] for module in modules if module.startswith(f"{package}.")}


def test_importing_autograph_needs_little():
    """The operators, which also run without the compiler, in modules that it has printed."""
    code = "import sys, autograph; print([m for m in ('numpy', 'runtime', 'pygments', 'jax') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "[]\n"
    loaded = loaded_by("import autograph")
    assert units_of("autograph", loaded) == {*"dispatch errors identity late operators reading rules".split()}
    assert not {"gast", "symtable", "traceback"} & loaded
    assert "autograph.api" in loaded_by("import autograph; autograph.convert")


def test_what_nothing_else_needs_is_imported_when_it_is_asked_for():
    """Each of these costs every program that imports `runtime`: the time for its modules and for those of Python's."""
    loaded = loaded_by("import runtime")
    assert units_of("runtime", loaded) == {
        *"graph ops tensors".split(), "gradients",  # its name, of which `tf.gradients` takes possession
        *"bitwise config dtypes errors nest".split(),
    }  # fmt: skip
    assert not {module for module in loaded if module.startswith("runtime.gradients.")}
    assert "autograph.api" not in loaded
    assert not {"llvmlite", "numpy.random", "pathlib", "subprocess", "random", "hashlib", "urllib", "gast"} & loaded


@pytest.mark.parametrize(
    "use, wanted, unwanted",
    [
        ("tf.constant([1.0]) + 1.0", "tensors", "functions control staging executors optimise"),
        ("tf.function(lambda x: x + 1.0)(tf.constant(1.0))", "functions staging executors optimise", "keras datasets"),
        ("numpy.sin(tf.constant(1.0))", "staging", "functions executors"),
        ("tf.constant(1.0).sum()", "staging", "functions executors"),
        ("tf.GradientTape()", "gradients", "functions executors"),
    ],
)
def test_the_first_use_of_a_thing_loads_what_it_needs(use, wanted, unwanted):
    units = units_of("runtime", loaded_by(f"import runtime as tf; {use}"))
    assert {*wanted.split()} <= units
    assert not {*unwanted.split()} & units


def test_the_face_has_for_type_checkers_what_it_has_late():
    tree = tree_of(ROOT / "runtime" / "__init__.py")
    (checked,) = [node for node in tree.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)]
    found = {}
    for node in checked.body:
        for alias in node.names:
            whole = f"{node.module}.{alias.name}"
            found[alias.asname or alias.name] = whole if whole in MODULES else f"{node.module}:{alias.name}"
    assert found == runtime._PLACES
    assert autograph._PLACES.keys() < {*autograph.__all__}


def test_the_name_of_a_folder_stays_the_function():
    code = "import runtime as tf; from runtime.gradients import tape; assert tf.gradients is tape.gradients"
    assert "runtime.gradients.tape" in loaded_by(code)
