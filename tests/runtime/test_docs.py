"""What a user meets of the runtime: its public names are exported, documented by examples, and typed."""

import ast
import functools
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import runtime
import runtime as tf
import runtime.keras
from docs.reference import INTERNAL, PAGES, members_of

FACE = sorted(
    [
        *(
            f"runtime.{path.stem}"
            for path in Path(runtime.__file__).parent.glob("*.py")
            if not path.stem.startswith("_")
        ),
        *(page for page in PAGES if page.startswith("runtime.keras")),
    ]
)
FACE += ["runtime.compat", "runtime.compat.v1", "runtime.summary", "runtime.summary.experimental"]
FACE += ["runtime.experimental", "runtime.experimental.numpy", "runtime.experimental.numpy.random"]
FACE += ["runtime.array_api", "runtime.array_api.fft", "runtime.array_api.linalg"]


def exported(module):
    """The names that a type checker lets others import: ``__all__``, or what is defined or imported as itself."""
    tree = ast.parse(inspect.getsource(module))
    names = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
            continue  # what annotations are written with
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names += [target.id for target in targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.ImportFrom):
            names += [alias.name for alias in node.names if alias.name == alias.asname]
    shared = module.__name__.startswith("runtime.keras.")  # its modules use one another
    assert (
        shared or not hasattr(module, "__all__") or {n for n in names if not n.startswith("_")} <= set(module.__all__)
    )
    return set(getattr(module, "__all__", [n for n in names if not n.startswith("_")]))


def test_the_package_exports_its_names():
    """Its layers are nobody's business, though Python makes attributes of them."""
    names = {name for name, value in vars(runtime).items() if not name.startswith("_")} | set(runtime._PLACES)
    layers = {
        name for name in names if isinstance(getattr(runtime, name), ModuleType) and f"runtime.{name}" not in FACE
    }
    assert exported(runtime) == names - (layers - set(runtime._PLACES))


@pytest.mark.parametrize("name", FACE)
def test_a_module_exports_its_names(name):
    """Where there is no ``__all__``, all that can be seen is meant to be."""
    module = importlib.import_module(name)
    if hasattr(module, "__all__"):
        assert all(hasattr(module, n) for n in exported(module))
    else:
        assert exported(module) == {n for n in vars(module) if not n.startswith("_")} - {"annotations"}


# Whose shapes there is nothing to say about.
SHAPELESS = set(
    """
    as_dtype executing_eagerly function set_seed map_structure name_scope print control_dependencies
    device inside_function init_scope name_scope.name
    functions_run_eagerly native_cache run_functions_eagerly set_native_cache set_loop_options
    set_unroll_limit unroll_limit no_op group compat flush
    list_logical_devices list_physical_devices get_visible_devices set_visible_devices
    as_bytes as_str as_str_any as_text
    get_logger get_current_name_scope is_gpu_available gpu_device_name is_built_with_cuda is_built_with_gpu_support
    runtime.test.main test.main
    isdtype __array_namespace_info__
    trace_on trace_off create_file_writer create_noop_writer latest_checkpoint do_not_convert to_code to_graph trace
    saved_model.save saved_model.load saved_model.contains_saved_model
    experimental_enable_numpy_behavior experimental.numpy.random.seed
    get_soft_device_placement set_soft_device_placement
""".split()
)
# What depends on the call: an array or a scalar of NumPy's; a Variable, a tensor or None; what was saved.
MADE_FOR_USERS = {"ConcreteFunction", "DType"}  # who do not make them
ANY = MADE_FOR_USERS | set(
    "Variable.numpy Variable.assign Variable.assign_add Variable.assign_sub saved_model.load".split()
)


def is_ours(value):
    return getattr(value, "__module__", None) is not None and value.__module__.split(".")[0] == "runtime"


def documented():
    """Each public function and class of the runtime, and each member of a class, by the name that a user has for it."""
    found = {}
    for module in (runtime, *map(importlib.import_module, FACE)):
        for name in sorted(exported(module)):
            value = getattr(module, name)
            if (
                not is_ours(value)
                or isinstance(value, ModuleType)
                or not (inspect.isroutine(value) or inspect.isclass(value))
            ):
                continue
            found.setdefault(id(value), (f"{module.__name__}.{name}", value))
    for name, value in found.values():
        yield name, value
        if inspect.isclass(value) and not issubclass(value, Exception):
            left_out = INTERNAL.get(value.__name__, "").split()
            for member, inner in members_of(value).items():
                if not member.startswith("_") and member not in left_out and is_documentable(inner):
                    yield f"{name}.{member}", inner


def is_documentable(member):
    return inspect.isroutine(member) or isinstance(member, property | functools.cached_property)


DOCUMENTED = dict(documented())


def function_of(value):
    """What has the signature."""
    if inspect.isclass(value):
        return vars(value).get("__init__")
    if isinstance(value, property):
        return value.fget
    if isinstance(value, classmethod | staticmethod):
        return value.__func__
    return value.func if isinstance(value, functools.cached_property) else value


# What a class replaces, and training calls: the classes that have it show it at work.
HOOK = re.compile(r".*[.](call|build|compute_mask|get_config|update_step|(train|test|predict)_step|on_\w+)")


@pytest.mark.parametrize("name", DOCUMENTED)
def test_a_public_name_is_documented(name):
    text = inspect.getdoc(DOCUMENTED[name]) or ""
    assert text.split("\n")[0].endswith((".", ":")), f"{name} has no sentence that says what it is"
    assert ">>> " in text or ((name.startswith("runtime.keras.") or "_initializer" in name) and HOOK.fullmatch(name)), (
        f"{name} has no example"
    )


@pytest.mark.parametrize("name", [name for name in DOCUMENTED if re.match("runtime[.][a-z_.]+$", name)])
def test_a_function_of_tensors_tells_shapes(name):
    # Layers, and what trains them and begins with them, say it of their calls.
    in_keras = name.startswith("runtime.keras.") or "_initializer" in name
    if not in_keras and not {name.split(".")[-1], name.removeprefix("runtime.")} & SHAPELESS:
        assert re.search(r"\bshapes?\b|\brank\b", inspect.getdoc(DOCUMENTED[name]) or ""), (
            f"{name} says nothing of shapes"
        )


@pytest.mark.parametrize("name", DOCUMENTED)
def test_a_public_signature_says_what_it_takes(name):
    """`Any` is left to results that depend on the call, and to what the functions of users take and return."""
    function = function_of(DOCUMENTED[name])
    if function is None or name.removeprefix("runtime.") in ANY:
        return
    for parameter in (signature := inspect.signature(function)).parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        assert parameter.annotation is not parameter.empty, f"{name}: {parameter} has no type"
        assert not is_any(parameter.annotation), f"{name}: {parameter}"
    assert not is_any(signature.return_annotation), f"{name}: {signature}"


def is_any(annotation):
    return re.search(r"\bAny\b", re.sub(r"(Callable\[\.\.\., |np\.\w+\[)Any\]", "", str(annotation))) is not None


def is_inexact(dtype):
    return dtype.is_floating or dtype.is_complex


def floats(dtype):
    """The floats that hold integers or booleans."""
    return dtype if is_inexact(dtype) else {1: tf.float16, 2: tf.float32}.get(dtype.size, tf.float64)


def real(dtype):
    return {tf.complex64: tf.float32, tf.complex128: tf.float64}.get(dtype, dtype)


def given(dtype):
    return dtype


def whole(dtype):
    return tf.int8 if dtype.is_bool else dtype


# What the docstrings of functions made for rows say of the result: its dtype for an operand of each dtype.
PROMISES = {
    "of the dtype of `x`.": given,
    "of the dtype of `x`, or int8 for booleans.": whole,
    "of the dtype of `x` if those are floats": floats,
    "of the dtype of `x`, or of its parts": real,
    "of floats.": lambda dtype: real(floats(dtype)) if not dtype.is_bool else tf.float64,
    "of the floats that both promote to": floats,
    "of the dtype that both promote to.": given,
    "of the dtype that both promote to, or int8 if that is one of booleans": whole,
    "of the dtype that both promote to, or float64": lambda dtype: dtype if is_inexact(dtype) else tf.float64,
    "which must be one of integers or booleans.": given,
    "which must be one of integers; booleans are taken for int8.": whole,
    "of the dtype of `input_tensor`.": given,
    "of the dtype of `input_tensor` if those are floats": lambda dtype: dtype if is_inexact(dtype) else tf.float64,
    "of the floats that `input_tensor` holds": lambda dtype: real(dtype) if is_inexact(dtype) else tf.float64,
    "of complex numbers of twice": lambda dtype: tf.complex64 if dtype == tf.float32 else tf.complex128,
    ", of booleans.": lambda dtype: tf.bool,
}
ROWS = [
    name
    for name, value in DOCUMENTED.items()
    if re.match(r"(unary|binary|_reduction)\b", getattr(getattr(value, "__code__", None), "co_qualname", ""))
]


@pytest.mark.parametrize("name", ROWS)
def test_the_dtype_of_a_result_is_the_one_documented(name):
    function = DOCUMENTED[name]
    returns = " ".join(re.search(r"^Returns: (.*?)^Raises", function.__doc__, re.S | re.M)[1].split())
    (promise,) = [found for words, found in PROMISES.items() if words in returns]
    count = 2 if "y" in inspect.signature(function).parameters else 1
    taken = 0
    for kind in "float32 float64 complex64 complex128 int8 int16 int32 int64 uint8 bool".split():
        operands = [tf.constant(np.ones((1, 1), kind))] * count
        try:
            found = function(*operands).dtype
        except tf.errors.InvalidArgumentError:  # there is no such function of these
            continue
        taken += 1
        assert found == promise(tf.as_dtype(kind)), f"{name} of {kind}"
        (output,) = tf.function(lambda *x: function(*x)).get_concrete_function(*operands).graph.outputs
        assert output.type.dtype == found, f"{name} of {kind}, while tracing"
    assert taken


@pytest.mark.slow
def test_a_type_checker_finds_nothing_in_a_program_that_uses_the_runtime():
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "tests/runtime/typed_program.py"]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
