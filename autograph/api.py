"""What users call: convert, to_graph, to_code, do_not_convert; and the cache of converted code."""

from __future__ import annotations

import ast
import builtins
import functools
import types
import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, overload

import gast

from autograph import fence, operators, pipeline, printer, source
from autograph.context import Context
from autograph.depth import room
from autograph.errors import SourceNotFoundError
from autograph.load import bind, load
from autograph.operators import calls
from autograph.rules import is_installed, is_left_alone

F = TypeVar("F", bound=Callable[..., Any])

_codes: weakref.WeakValueDictionary[tuple[int, bool], types.CodeType] = weakref.WeakValueDictionary()
_asked: dict[tuple[int, bool], tuple[weakref.ref[types.FunctionType], types.FunctionType]] = {}
_made: dict[int, weakref.ref[types.CodeType]] = {}
_unconverted: weakref.WeakSet[Any] = weakref.WeakSet()


@overload
def convert(function: F, *, recursive: bool = True) -> F: ...
@overload
def convert(function: None = None, *, recursive: bool = True) -> Callable[[F], F]: ...
def convert(function: Any = None, *, recursive: bool = True) -> Any:
    """Convert a function, as a decorator (``@convert``, ``@convert(recursive=False)``) or in a call.

    The result is called like the original and does the same with ordinary values; with staged values (tensors under a
    trace) its ``if``, ``while``, ``for`` … build a graph. A class has its methods converted in place. With
    `recursive`, user functions that it calls are converted too. Raises SourceNotFoundError where there is no source.
    """
    if function is None:
        return functools.partial(convert, recursive=recursive)
    if isinstance(function, type):
        for name, method in _methods(function):
            setattr(function, name, to_graph(method, recursive=recursive))
        return function
    return to_graph(function, recursive=recursive)


def to_graph(entity: Any, recursive: bool = True, experimental_optional_features: object = None) -> Any:
    """The converted form of a function, lambda, method, partial, callable object, class or descriptor.

    A class gives a subclass of the same name with converted methods. The conversion is cached by code object, and
    converting twice gives the same function. `experimental_optional_features` is accepted for TensorFlow's sake; all
    features are always on.
    """
    if isinstance(entity, types.FunctionType):
        return _convert_function(entity, recursive)
    if isinstance(entity, types.MethodType):
        return types.MethodType(to_graph(entity.__func__, recursive), entity.__self__)
    if isinstance(entity, functools.partial):
        return functools.partial(to_graph(entity.func, recursive), *entity.args, **entity.keywords)
    if isinstance(entity, staticmethod | classmethod):
        return type(entity)(to_graph(entity.__func__, recursive))
    if isinstance(entity, property):
        fget, fset, fdel = (to_graph(f, recursive) if f else None for f in (entity.fget, entity.fset, entity.fdel))
        return property(fget, fset, fdel, entity.__doc__)
    if isinstance(entity, type):
        methods = {name: to_graph(method, recursive) for name, method in _methods(entity)}
        kept = {"__module__": entity.__module__, "__qualname__": entity.__qualname__, "__doc__": entity.__doc__}
        return type(entity)(entity.__name__, (entity,), {**kept, **methods})
    function = source.function_of(entity)
    assert isinstance(function, types.FunctionType)
    if function is getattr(type(entity), "__call__", None):
        return types.MethodType(to_graph(function, recursive), entity)
    return to_graph(function, recursive)


def _methods(cls: type) -> list[tuple[str, Any]]:
    kinds = (types.FunctionType, staticmethod, classmethod, property)
    return [(n, m) for n, m in vars(cls).items() if isinstance(m, kinds) and _has_source(m)]


def _has_source(method: Any) -> bool:
    try:
        function = source.function_of(method)
        return isinstance(function, types.FunctionType) and bool(source.find(function))
    except SourceNotFoundError:
        return False


def do_not_convert(function: Any = None) -> Any:
    """Mark a function or class so that converted code calls it as it is (a decorator, with or without parentheses)."""
    if function is None:
        return do_not_convert
    if isinstance(function, types.FunctionType | type):
        _unconverted.add(function)
    elif isinstance(function, types.MethodType | staticmethod | classmethod):
        _unconverted.add(function.__func__)
    return function


def is_converted(function: object) -> bool:
    """Whether the function is the result of a conversion, or was defined inside one."""
    code = getattr(function, "__code__", None)
    known = _made.get(id(code))
    return known is not None and known() is code


def _convert_function(function: types.FunctionType, recursive: bool) -> types.FunctionType:
    if is_converted(function) or function in _unconverted:
        return function
    key = (id(function), recursive)
    known = _asked.get(key)
    if known is not None and known[0]() is function:
        return known[1]
    result = _make(function, recursive)
    _asked[key] = (weakref.ref(function, functools.partial(calls.forget, _asked, key)), result)
    return result


@room()
def _make(function: types.FunctionType, recursive: bool = True) -> types.FunctionType:
    key = (id(function.__code__), recursive)
    code = _codes.get(key)
    if code is not None:
        return bind(code, function)
    module, place = source.find(function)
    node = gast.ast_to_gast(place.node)
    if fence.whole_function(node) is not None:
        return function
    context = _context(module, place, function, recursive)
    result = load(pipeline.convert(node, context), function, context)
    _codes[key] = result.__code__
    weakref.finalize(function.__code__, _codes.pop, key, None)
    _register(result.__code__)
    return result


def _register(code: types.CodeType) -> None:
    key = id(code)
    _made[key] = weakref.ref(code, functools.partial(calls.forget, _made, key))
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            _register(constant)


def _convert_callee(function: types.FunctionType) -> types.FunctionType:
    """What a call in converted code makes of a function that it meets."""
    if is_converted(function) or function in _unconverted or is_left_alone(function.__module__):
        return function
    if is_installed(function.__code__.co_filename):
        return function
    try:
        return _make(function)
    except SourceNotFoundError:
        if function.__code__.co_filename.startswith("<"):
            return function  # made by exec, as the methods of dataclasses and named tuples are
        raise


calls.set_converter(_convert_callee)


def _context(module: source.Module, place: source.Place, function: types.FunctionType, recursive: bool) -> Context:
    values = _closure_of(function)
    taken = {name for name in function.__code__.co_freevars if values.get(name) is not operators}
    return Context(place.class_name, _modules(module, function), taken, recursive)


def _modules(module: source.Module, function: types.FunctionType) -> Mapping[str, str]:
    """Names that stand for a module, or for something of a module that is left alone."""
    names = dict(module.imports)
    for name, value in function.__globals__.items():
        if isinstance(value, types.ModuleType):
            names[name] = value.__name__
        elif is_left_alone(getattr(value, "__module__", None)) and isinstance(value, type | types.FunctionType):
            names[name] = value.__module__
    return names


@room()
def to_code(entity: Any, recursive: bool = True, experimental_optional_features: object = None) -> str:
    """The converted source of whatever people hold, as a module that runs: it begins with its imports.

    Takes what `to_graph` takes, and functions that are decorated or converted already. The user's comments and
    docstrings are kept. Raises SourceNotFoundError where there is no source.
    """
    function = source.function_of(entity)
    if isinstance(function, type):
        return _class_code(function, recursive)
    module, place = source.find(function)
    return _assembled(module, place, function, recursive)


def _class_code(cls: type, recursive: bool) -> str:
    methods = [m for _, m in _methods(cls)]
    if not methods:
        raise SourceNotFoundError(f"no source text for the class {cls.__qualname__}: none of its methods has any.")
    method = source.function_of(methods[0])
    assert isinstance(method, types.FunctionType)
    module = source.module_of(method)
    places = (p for p in module.places if isinstance(p.node, ast.ClassDef) and p.qualname == cls.__qualname__)
    place = next(places, None)
    if place is None:
        raise SourceNotFoundError(f"{method.__code__.co_filename} defines no class {cls.__qualname__}.")
    return _assembled(module, place, method, recursive)


def _assembled(module: source.Module, place: source.Place, function: types.FunctionType, recursive: bool) -> str:
    """Imports, then the converted definition; a method stands in its class."""
    context = _context(module, place, function, recursive)
    converted = converted_definition(place, context)
    converted.decorator_list = []
    definition = in_class(module, place, converted)
    text = printer.to_text([definition], module.comments_of(place.node))
    own = place.qualname.rpartition(".")[0].rpartition(".")[2]
    used = {node.id for node in ast.walk(definition) if isinstance(node, ast.Name)}
    used -= {getattr(place.node, "name", ""), own, "__class__"}
    return "\n".join([*_imports(sorted(used), _values_of(function), function.__module__, context), "", "", text])


def in_class(module: source.Module, place: source.Place, definition: Any) -> Any:
    """A method in the class that it belongs to; anything else as it is."""
    name = place.qualname.rpartition(".")[0]
    classes = (p.node for p in module.places if p.qualname == name and isinstance(p.node, ast.ClassDef))
    holder = next(classes, None)
    if holder is None:
        return definition
    made = ast.ClassDef(holder.name, holder.bases, holder.keywords, [definition], [])
    return ast.fix_missing_locations(ast.copy_location(made, definition))


def converted_definition(place: source.Place, context: Context) -> Any:
    """The converted definition as a statement that can be printed."""
    tree = pipeline.convert(gast.ast_to_gast(place.node), context)
    if isinstance(tree, gast.Lambda):
        tree = gast.copy_location(gast.Expr(value=tree), tree)
    return ast.fix_missing_locations(gast.gast_to_ast(gast.Module(body=[tree], type_ignores=[]))).body[0]


def _values_of(function: types.FunctionType) -> dict[str, object]:
    return {**function.__globals__, **_closure_of(function)}


def _closure_of(function: types.FunctionType) -> dict[str, object]:
    values: dict[str, object] = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            values[name] = cell.cell_contents
        except ValueError:
            continue
    return values


def header(operators: str) -> str:
    """The import that converted code needs."""
    return f"from autograph import operators as {operators}"


def _imports(names: Iterable[str], values: Mapping[str, object], home: str, context: Context) -> list[str]:
    """Statements that give a printed function the global names that it uses."""
    plain, froms, constants, missing = [], [], [], []
    for name in names:
        if name == context.operators:
            froms.append(header(name))
        elif name not in values or values[name] is getattr(builtins, name, values):
            continue
        elif isinstance(value := values[name], types.ModuleType):
            plain.append(f"import {value.__name__}" + ("" if value.__name__ == name else f" as {name}"))
        elif (where := getattr(value, "__module__", None)) and getattr(value, "__qualname__", "").isidentifier():
            if where == "__main__":
                missing.append(name)
                continue
            own = value.__qualname__  # type: ignore[attr-defined]
            froms.append(f"from {where} import {own}" + ("" if own == name else f" as {name}"))
        elif type(value) in (int, float, str, bool, bytes, type(None)):
            constants.append(f"{name} = {value!r}")
        elif home not in ("__main__", "builtins"):
            froms.append(f"from {home} import {name}")
        else:
            missing.append(name)
    lines = [*sorted(set(plain)), *sorted(set(froms)), *constants]
    return [*lines, *([f"# it also uses, from where it was defined: {', '.join(missing)}"] if missing else [])]
