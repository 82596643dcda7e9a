"""What users call: convert, to_graph, to_code, do_not_convert; and the cache of converted code."""

from __future__ import annotations
import __future__

import ast
import builtins
import contextlib
import functools
import inspect
import sys
import types
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, overload

import gast

from autograph import dispatch, eligibility, operators, pipeline
from autograph.build import Node
from autograph.code import Code, styled
from autograph.context import Context
from autograph.convert_file import convert_module
from autograph.depth import room
from autograph.errors import ConversionError, SourceNotFoundError, hides_frames
from autograph.generated import source_of_comparison
from autograph.identity import ByIdentity, attributes_of
from autograph.listing import Surroundings, listing
from autograph.loading import imported
from autograph.loading.exchanged import Unequal, exchange, functions_named, lend
from autograph.loading.load import (
    behind_guard,
    bind,
    code_of_both,
    is_guarded,
    load,
    load_guarded,
    load_text,
)
from autograph.loading.marks import is_marked, key_behind_guard
from autograph.operators import calls, questions
from autograph.operators.appended import does_the_same
from autograph.operators.pushed import set_giving
from autograph.passes import yields
from autograph.printer import WIDTH
from autograph.reading import attributes_of as attributes_in, found_in, is_a, is_made_later, members_of, module_of_class
from autograph.rules import functions_of, is_left_alone, why_function_stays
from autograph.source import (
    Module,
    Place,
    carries_function,
    find,
    find_in,
    first_line,
    function_of,
    module_of,
    source_of_module,
)
from autograph.translating import to_gast
from autograph.verbosity import tell
from autograph.walk import every_statement

F = TypeVar("F", bound=Callable[..., object])

# What loaded code asks something in: a comparison may ask whether a parameter is None, a clause what it has caught.
_ASKED = frozenset([gast.Compare, gast.Subscript, gast.Try, gast.With])
# By the `recursive` that was asked for, then by the original code.
_codes: dict[bool, ByIdentity[types.CodeType | None]] = {True: ByIdentity(), False: ByIdentity()}  # None: it stays
_guards: dict[bool, ByIdentity[types.CodeType]] = {True: ByIdentity(), False: ByIdentity()}
_both: ByIdentity[types.CodeType | None] = ByIdentity()
_followed: ByIdentity[types.CodeType] = ByIdentity()  # by the code that runs in place
# Of generator functions, by whether they may end before their time, and by their code.
_pushed: dict[bool, ByIdentity[types.CodeType]] = {True: ByIdentity(), False: ByIdentity()}
_imported: ByIdentity[types.CodeType] = ByIdentity()  # by the code of a guarded function of an imported module
_unconverted: weakref.WeakSet[object] = weakref.WeakSet()


@overload
def convert(function: F, *, recursive: bool = True, source: str | None = None) -> F: ...
@overload
def convert(function: None = None, *, recursive: bool = True, source: str | None = None) -> Callable[[F], F]: ...
@hides_frames
def convert(function: object = None, *, recursive: bool = True, source: str | None = None) -> object:
    """Convert a function, as a decorator (``@convert``, ``@convert(recursive=False)``) or in a call.

    The result is called like the original and does the same with ordinary values; with staged values (tensors under a
    trace) its ``if``, ``while``, ``for`` … build a graph. Outside any trace it runs the code that the user wrote. A
    class has its methods converted in place. With `recursive`, user functions that it calls are converted too. `source`
    is the text of the function, or of the file that defines it, for one whose source cannot be found. Raises
    SourceNotFoundError where there is none.
    """
    if function is None:
        return functools.partial(convert, recursive=recursive, source=source)
    change = functools.partial(_decorate, recursive=recursive, text=source)
    if isinstance(function, type):
        for name, method in _methods(function, source):
            setattr(function, name, _each(method, change))
        return function
    return _each(function, change)


@overload
def to_graph(
    entity: F, recursive: bool = True, experimental_optional_features: object = None, *,
    source: str | None = None, generated_lines: bool = False,
) -> F: ...  # fmt: skip
@overload
def to_graph(
    entity: object, recursive: bool = True, experimental_optional_features: object = None, *,
    source: str | None = None, generated_lines: bool = False,
) -> Any: ...  # fmt: skip
@hides_frames
def to_graph(
    entity: object,
    recursive: bool = True,
    experimental_optional_features: object = None,
    *,
    source: str | None = None,
    generated_lines: bool = False,
) -> object:
    """The converted form of a function, lambda, method, partial, callable object, class or descriptor.

    A class gives a subclass of the same name with converted methods. The conversion is cached by code object, and
    converting twice gives the same function. `source` is the text to take where none can be found. With
    `generated_lines` it runs the text that `to_code` prints, to be stepped through in a debugger, rather than the
    user's own lines. `experimental_optional_features` is accepted for TensorFlow's sake; all features are always on.
    """
    if generated_lines:
        return _each(entity, functools.partial(_stepping, recursive=recursive, text=source))
    return _each(entity, functools.partial(_decorate, recursive=recursive, text=source))


def traced_form(entity: object, recursive: bool = True) -> Any:
    """What a backend runs while it traces: the converted form itself, without the user's own code beside it.

    Takes what `to_graph` takes, and its results.
    """
    return _each(entity, functools.partial(_convert_function, recursive=recursive))


def _each(entity: object, change: Callable[[types.FunctionType], types.FunctionType]) -> Any:
    """What people hold, with the functions in it changed."""
    if isinstance(entity, types.FunctionType):
        return change(entity)
    if isinstance(entity, types.MethodType):
        return types.MethodType(_each(entity.__func__, change), entity.__self__)
    if isinstance(entity, functools.partial):
        if isinstance(entity.func, types.BuiltinFunctionType) or (made := _each(entity.func, change)) is entity.func:
            return entity
        return functools.partial(made, *entity.args, **entity.keywords)
    if isinstance(entity, staticmethod | classmethod):
        return type(entity)(_each(entity.__func__, change))
    if isinstance(entity, property):
        fget, fset, fdel = (_each(f, change) if f else None for f in (entity.fget, entity.fset, entity.fdel))
        return property(fget, fset, fdel, entity.__doc__)
    if isinstance(entity, type):
        methods = {name: _each(method, change) for name, method in _methods(entity)}
        if not methods:
            return entity
        kept = {"__module__": entity.__module__, "__qualname__": entity.__qualname__, "__doc__": entity.__doc__}
        return type(entity)(entity.__name__, (entity,), {**kept, **methods})
    called = getattr(type(entity), "__call__", None)
    if isinstance(called, types.FunctionType) and not carries_function(entity):
        return types.MethodType(change(called), entity)
    function = function_of(entity)
    assert isinstance(function, types.FunctionType)
    return change(function)


def _methods(cls: type, text: str | None = None) -> list[tuple[str, object]]:
    kinds = (types.FunctionType, staticmethod, classmethod, property)
    return [(n, m) for n, m in vars(cls).items() if isinstance(m, kinds) and _has_source(m, text)]


def _has_source(method: object, text: str | None) -> bool:
    try:
        function = function_of(method)
        return isinstance(function, types.FunctionType) and bool(find(function, text))
    except SourceNotFoundError:
        return False


@overload
def do_not_convert(function: F) -> F: ...
@overload
def do_not_convert(function: None = None) -> Callable[[F], F]: ...
def do_not_convert(function: object = None) -> object:
    """Mark a function or class so that converted code calls it as it is (a decorator, with or without parentheses)."""
    if function is None:
        return do_not_convert
    for marked in functions_of(function):
        _unconverted.add(marked)
    return function


def is_converted(function: object) -> bool:
    """Whether the function is the result of a conversion, or was defined inside one."""
    code = getattr(function, "__code__", None)
    return isinstance(code, types.CodeType) and (is_marked(code) or _was_printed(function))


def is_form(function: types.FunctionType) -> bool:
    """Whether the function is what converted code calls, and nothing that hands its calls to that."""
    return is_marked(function.__code__) and not is_guarded(function)


def _was_printed(function: Any) -> bool:
    """Whether the function stands in a module that was written by this compiler."""
    names = (n for n in function.__code__.co_names if n.startswith("ag__"))
    return any(function.__globals__.get(n) is operators for n in names)


def _convert_function(function: types.FunctionType, recursive: bool, text: str | None = None) -> types.FunctionType:
    if function in _unconverted:
        return function
    if is_converted(function):
        return behind_guard(function)
    return _kept(function, ("converted", recursive), lambda: _make(function, recursive, text))


def _kept(
    function: types.FunctionType, form: tuple[str, bool], make: Callable[[], types.FunctionType]
) -> types.FunctionType:
    """What was made of a function before, if it was: it lives as long as the function."""
    own = attributes_of(function)
    if own.forms is None:
        own.forms = {}
    known = own.forms.get(form)
    if known is None:
        made = make()
        known = own.forms.setdefault(form, made if made is not function else _SAME)
    return function if known is _SAME else known  # type: ignore[no-any-return]


_SAME = object()  # to hold itself would keep the function from being freed at once


def _decorate(function: types.FunctionType, recursive: bool, text: str | None) -> types.FunctionType:
    """The function as it is written, which becomes the converted one while something is traced."""
    if is_converted(function) or function in _unconverted:
        return function

    def make() -> types.FunctionType:
        return _guarded(function, _convert_function(function, recursive, text), recursive, text)

    return _kept(function, ("decorated", recursive), make)


@room()
def _guarded(
    function: types.FunctionType, converted: types.FunctionType, recursive: bool, text: str | None
) -> types.FunctionType:
    code = function.__code__
    if converted is function or inspect.isasyncgenfunction(function):
        return converted
    known = _guards[recursive].get(code)
    if known is None:
        module, place = find(function, text)
        context = context_of(module, place, function, recursive=recursive)
        tree = pipeline.guard(to_gast(place.node), context)
        known = _guards[recursive].set(code, load_guarded(tree, function, context))
    return bind(known, function, converted)


@room()
def _make(function: types.FunctionType, recursive: bool = True, text: str | None = None) -> types.FunctionType:
    known, original = _codes[recursive], function.__code__
    if original in known:
        code = known.get(original)
        return function if code is None else bind(code, function)
    module, place = find(function, text)
    node = to_gast(place.node)
    if eligibility.whole_function(node) is not None:
        known.set(original, None)
        return function
    context = context_of(module, place, function, recursive=recursive)
    tree = pipeline.convert(node, context)
    if not context.has_operators and _ASKED.isdisjoint(context.kinds):
        known.set(original, None)
        return function
    result = load(tree, function, context)
    known.set(original, result.__code__)
    does_the_same(result.__code__, original)
    tell(1, lambda: f"converted {function.__qualname__} ({original.co_filename}:{original.co_firstlineno})")
    tell(3, lambda: f"{function.__qualname__} became\n{to_code(function, recursive, source=text)}")
    return result


@room()
def _stepping(function: types.FunctionType, recursive: bool, text: str | None) -> types.FunctionType:
    module, place = find(function, text)
    context = context_of(module, place, function, recursive=recursive)
    return load_text(pipeline.convert(to_gast(place.node), context), function, context)


def form_behind_guard(function: types.FunctionType, alone: bool = True) -> types.FunctionType:
    """What stands behind the guard of a function of a module that was imported converted.

    Unless it is asked for `alone`, the function that has this code has that of its form from now on, as long as
    something is traced: then nothing comes between a call and the form.
    """
    form = _kept(function, ("imported", True), lambda: _make_imported(function))
    if not alone and dispatch.active:
        for found in functions_named(function.__code__.co_qualname, function.__globals__):
            cells = zip(found.__closure__ or (), function.__closure__ or ())
            if found.__code__ is function.__code__ and all(a is b for a, b in cells):
                exchange(found, form.__code__)
    return form


@room()
def _make_imported(function: types.FunctionType) -> types.FunctionType:
    known = _imported.get(function.__code__)
    if known is None:
        text = imported.text_of(key_behind_guard(function.__code__) or "")
        module, place = find(function) if text is None else find_in(text, function)
        context = context_of(module, place, function)
        tree = pipeline.convert(to_gast(place.node), context)
        known = _imported.set(function.__code__, load(tree, function, context).__code__)
    return bind(known, function)


def convert_callee(function: types.FunctionType) -> types.FunctionType:
    """What a call in converted code makes of a function that it meets."""
    if function in _unconverted:
        return function
    if is_converted(function):
        form = behind_guard(function)
        return function if form is not function and exchange(function, form.__code__) else form
    if why_function_stays(function) is not None:
        return function
    try:
        return _make(function)
    except SourceNotFoundError:
        if function.__code__.co_filename.startswith("<"):
            return function  # made by exec, as the methods of dataclasses and named tuples are
        raise


def convert_class(cls: type) -> None:
    """Have what Python itself calls of a user's class (constructors, operators, properties) converted while something
    is traced; these functions stay the same objects, and run as they are written otherwise."""
    for name, member in list(members_of(cls).items()):
        found: tuple[object, ...] = (member,) if name.startswith("__") else ()
        if is_a(member, property):
            found = (member.fget, member.fset)
        elif is_a(member, functools.cached_property):
            found = (member.func,)
        for function in found:
            if type(function) is types.FunctionType and function not in _unconverted and not is_converted(function):
                _convert_itself(function, source_of_comparison(cls, name, function))
    if type(members_of(cls).get("__eq__")) is types.FunctionType and found_in(cls, "__ne__") is object.__ne__:
        lend(cls, "__ne__", Unequal())


def _convert_itself(function: types.FunctionType, text: str | None = None) -> None:
    """Exchange the code of a function; `text` is its source if that stands nowhere."""
    of_ordering = function.__module__ == "functools"  # which total_ordering has given to the user's class
    if (why_function_stays(function) is not None and not of_ordering) or inspect.isgeneratorfunction(function):
        return
    original = function.__code__
    code = _both.get(original) if original in _both else _both.set(original, _code_of_both(function, text))
    if code is not None:
        exchange(function, code)


@room()
def _code_of_both(function: types.FunctionType, text: str | None) -> types.CodeType | None:
    """Code that does what a function does, or its converted form while something is traced; None if it has none."""
    try:
        module, place = find(function, text)
        node = to_gast(place.node)
        if eligibility.whole_function(node) is not None or not isinstance(place.node, ast.FunctionDef):
            return None
        context = context_of(module, place, function)
        code = code_of_both(place.node, pipeline.convert(node, context), function, context)
    except ConversionError:
        return None  # it is called as it is, and tells if a staged value has to decide in it
    return code if code.co_freevars == function.__code__.co_freevars else None


def _outlined(function: types.FunctionType) -> types.FunctionType:
    """A converted function whose statements are functions; any other as it is."""
    if function in _unconverted:
        return function
    return _thoroughly(function, _followed, lambda tree: tree) or function


def _giving(function: types.FunctionType, ends: bool) -> types.FunctionType | None:
    """A converted generator function as `passes.yields` has it; None if it cannot be one."""
    return _thoroughly(function, _pushed[ends], lambda tree: yields.giving(tree, ends))


def _thoroughly(
    function: types.FunctionType, known: ByIdentity[types.CodeType], change: Callable[[Node], Node | None]
) -> types.FunctionType | None:
    """What a function becomes that is converted thoroughly once its tree is changed, as it is `known` by its code; None
    if there is no source, or nothing to change it to."""
    code = known.get(function.__code__)
    if code is None:
        try:
            module, place = find(function)
        except SourceNotFoundError:
            return None
        context = context_of(module, place, function)
        context.thorough = True
        tree = change(to_gast(place.node))
        if tree is None:
            return None
        form = load(pipeline.convert(tree, context), function, context, in_place=False)
        code = known.set(function.__code__, form.__code__)
    return bind(code, function)


imported.set_form(form_behind_guard)
questions.set_outlined(_outlined)
set_giving(_giving)
calls.set_converter(convert_callee, convert_class, traced_form, is_guarded, is_form)


def context_of(module: Module, place: Place, *functions: types.FunctionType, recursive: bool = True) -> Context:
    """What the passes are told about a live function, or of the functions of a class."""
    taken: set[str] = set()
    names: set[str] = set()
    variables: dict[str, object] = {}
    evaluated = True
    for function in functions:
        values = _closure_of(function)
        taken |= {name for name in function.__code__.co_freevars if values.get(name) is not operators}
        mentioned = _mentioned(function.__code__)
        names |= mentioned
        variables |= {name: function.__globals__[name] for name in mentioned if name in function.__globals__}
        evaluated = evaluated and not function.__code__.co_flags & __future__.annotations.compiler_flag
    python = vars(builtins)
    defined = {name for name, value in variables.items() if name not in python or value is not python[name]}
    known, renamed = _modules(module, names, variables)
    return Context(place.class_name, known, renamed, defined | taken, taken, recursive=recursive, annotations=evaluated)


def _modules(
    module: Module, names: set[str], variables: Mapping[str, object]
) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Names that stand for a module, or for something of a module that is left alone, and what that is called there if
    it has another name."""
    known, renamed = {}, {}
    for name, value in variables.items():
        if is_a(value, types.ModuleType):
            own_name = (attributes_in(value) or {}).get("__name__")
            if type(own_name) is str:
                known[name] = own_name
            continue
        home: str | None = module_of_class(value) if is_a(value, type) else None  # type: ignore[arg-type]
        if type(value) is types.FunctionType:
            home = value.__module__
        if home is not None and is_left_alone(home):
            known[name] = home
            renamed[name] = value.__name__  # type: ignore[attr-defined]  # it is a class or a function
    imports, others = module.imports_of(names - known.keys())
    return {**imports, **known}, {**others, **renamed}


def _mentioned(code: types.CodeType) -> set[str]:
    """All names in a function and those in it."""
    names = {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars}
    return names.union(*(_mentioned(c) for c in code.co_consts if isinstance(c, types.CodeType)))


@hides_frames
@room()
def to_code(
    entity: object,
    recursive: bool = True,
    experimental_optional_features: object = None,
    *,
    source: str | None = None,
    width: int = WIDTH,
    style: str | None = None,
) -> Code:
    """The converted source of whatever people hold, as a module that runs: it begins with its imports.

    Takes what `to_graph` takes, modules, and functions that are decorated or converted already. The user's comments and
    docstrings are kept. What comes is a `str`, highlighted where a notebook or IPython displays it.

    Args:
      entity: a function, method, class, module, lambda, partial or callable object.
      recursive: whether calls in it are converted, too.
      experimental_optional_features: accepted as TensorFlow's; everything that it could switch on is always on.
      source: the text to take where none can be found.
      width: columns that a line may have; longer statements are wrapped where they can be.
      style: "black" or "ruff", to have that formatter, if it is installed, lay the text out.
    Raises:
      SourceNotFoundError: where there is no source.
      ImportError: where the formatter of a style is not installed.
    """
    return Code(styled(_printed(entity, recursive, source, width), style, width))


def _printed(entity: object, recursive: bool, source: str | None, width: int) -> str:
    if isinstance(entity, types.ModuleType):
        return convert_module(source_of_module(entity), width)
    function = function_of(entity)
    if isinstance(function, type):
        module, place, functions, variables = _class_in_source(function)
        cells = {n: v for f in functions for n, v in _closure_of(f).items() if n != "__class__"}
        around = Surroundings(variables, cells)
    else:
        (module, place), functions = find(function, source), [function]
        around = _surroundings(function, place)
    context = context_of(module, place, *functions, recursive=recursive)

    def sibling(value: object) -> tuple[Module, Place, Context, Mapping[str, object]] | None:
        """A function that was defined in the same function as what is printed."""
        before = place.qualname.rpartition(".<locals>.")[0]
        if type(value) is not types.FunctionType or value.__code__.co_filename != module.filename or not before:
            return None
        if value.__code__.co_qualname != f"{before}.<locals>.{value.__name__}" or hasattr(value, "__wrapped__"):
            return None
        its_module, its_place = find(value)
        its_context = context_of(its_module, its_place, value, recursive=recursive)
        return its_module, its_place, its_context, _surroundings(value, its_place).cells

    return listing(module, place, context, around, sibling, width)


def _surroundings(function: types.FunctionType, place: Place) -> Surroundings:
    """What stands around a function; the names that are defaults of its parameters were there, too."""
    cells = {n: v for n, v in _closure_of(function).items() if n != "__class__" and v is not operators}
    a = place.node.args  # type: ignore[union-attr]
    defaults = list(zip(a.defaults, function.__defaults__ or ()))
    named = zip((p.arg for p in a.kwonlyargs), a.kw_defaults)
    defaults += [(d, (function.__kwdefaults__ or {}).get(n)) for n, d in named if d is not None]
    if "." in place.qualname:
        for expression, value in defaults:
            if isinstance(expression, ast.Name) and expression.id not in function.__globals__:
                cells.setdefault(expression.id, value)
    return Surroundings(function.__globals__, cells)


def _class_in_source(cls: type) -> tuple[Module, Place, list[types.FunctionType], dict[str, object]]:
    """Where a class is defined, those of its functions that are written there, and the variables of that module."""
    functions = [f for _, m in _methods(cls) if isinstance(f := function_of(m), types.FunctionType)]
    functions = [f for f in functions if f.__code__.co_qualname.startswith(f"{cls.__qualname__}.")]
    if not is_made_later(cls):
        raise SourceNotFoundError(f"no source text for the class {cls.__qualname__}: it is written in C.")
    for module, variables in _modules_of_class(cls, functions):
        found = [p for p in module.places if isinstance(p.node, ast.ClassDef) and p.qualname == cls.__qualname__]
        if found:
            lines = {f.__code__.co_firstlineno for f in functions}
            place = max(found, key=lambda p: len(lines & {first_line(n) for n in _functions_in(p.node)}))
            return module, place, functions, variables
    where = getattr(sys.modules.get(cls.__module__), "__file__", None) or cls.__module__
    why = f"{where} has no class statement for it; what calls make (type, namedtuple …) has none."
    raise SourceNotFoundError(f"no source text for the class {cls.__qualname__}: {why}")


def _modules_of_class(cls: type, functions: Sequence[types.FunctionType]) -> Iterator[tuple[Module, dict[str, object]]]:
    """Where a class may be written, with the variables there: where its functions are; else in the module that it
    names, or, as packages have it name the one to import it from, in another of that package."""
    if functions:
        yield module_of(functions[0]), functions[0].__globals__
        return
    home = sys.modules.get(cls.__module__)
    package = cls.__module__.partition(".")[0]
    others = [m for n, m in sys.modules.items() if n.startswith(f"{package}.") and m is not home]
    for module in [home, *others]:
        if isinstance(module, types.ModuleType) and (module is home or vars(module).get(cls.__name__) is cls):
            with contextlib.suppress(SourceNotFoundError):
                yield source_of_module(module), vars(module)


def _functions_in(node: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [n for n in every_statement(node) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]


def _closure_of(function: types.FunctionType) -> dict[str, object]:
    values: dict[str, object] = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            values[name] = cell.cell_contents
        except ValueError:
            continue
    return values
