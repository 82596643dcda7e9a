"""From a converted tree to a function in the original's place: same file, lines, globals and closure cells."""

from __future__ import annotations
import __future__

import ast
import inspect
import itertools
import linecache
import types
from collections.abc import Collection, Mapping

import gast

from autograph import operators, printer
from autograph.build import Node, assign, constant, name
from autograph.context import Context
from autograph.errors import ConversionError
from autograph.loading import imported
from autograph.loading.asked import SEEN
from autograph.loading.clauses import asked_in_clauses
from autograph.loading.inplace import either, put_in_place
from autograph.loading.lookups import looked_up
from autograph.loading.marks import is_marked, key_behind_guard
from autograph.loading.nodes import changed
from autograph.loading.written import LOADED, Writer, translated, written
from autograph.operators.seen import Seen


def load(tree: Node, original: types.FunctionType, context: Context, in_place: bool = True) -> types.FunctionType:
    """Compile a converted function or lambda and give it what the original has; one that nothing staged reaches needs
    no plain statements beside its operators."""
    module, callees = compile_in_place(tree, original, context, in_place)
    code = _find(module, tree, original.__code__)
    return bind(
        finished(code, context.helpers, Seen(callees), (code.co_qualname, original.__code__.co_qualname)), original
    )


def bind(
    code: types.CodeType, original: types.FunctionType, traced: types.FunctionType | None = None
) -> types.FunctionType:
    """A function with the converted code and everything else of the original; the closure cells are the very same.

    `traced` is what a guarded function calls while something is traced.
    """
    cells = dict(zip(original.__code__.co_freevars, original.__closure__ or ()))
    closure = tuple(cells.get(free) or types.CellType(traced or operators) for free in code.co_freevars)
    converted = types.FunctionType(code, original.__globals__, original.__name__, original.__defaults__, closure)
    converted.__kwdefaults__ = original.__kwdefaults__
    converted.__annotations__ = original.__annotations__
    converted.__qualname__ = original.__qualname__
    converted.__module__ = original.__module__
    converted.__doc__ = original.__doc__
    if original.__dict__:
        converted.__dict__.update(original.__dict__)
    if hasattr(original, "__type_params__"):
        converted.__type_params__ = original.__type_params__  # type: ignore[attr-defined]
    return converted


def behind_guard(function: types.FunctionType) -> types.FunctionType:
    """The converted function behind a guarded one; any other as it is."""
    code = function.__code__
    if key_behind_guard(code) is not None:
        return imported.form_of(function)
    traced = code.co_consts[-2] if is_marked(code) and len(code.co_consts) > 1 else None
    if not isinstance(traced, _Traced):
        return function
    converted: types.FunctionType = (function.__closure__ or ())[code.co_freevars.index(traced)].cell_contents
    return converted


def is_guarded(function: types.FunctionType) -> bool:
    """Whether a function hands its calls to its converted form while something is traced."""
    code = function.__code__
    if not is_marked(code) or len(code.co_consts) < 2:
        return False
    return type(code.co_consts[-2]) is _Traced or key_behind_guard(code) is not None


class _Traced(str):
    """Among the constants of a guarded function's code: the name under which it has its converted form."""


def load_guarded(tree: Node, original: types.FunctionType, context: Context) -> types.CodeType:
    """The code of a function that hands its calls to another, which `bind` gives it, while something is traced."""
    code = load(tree, original, context, in_place=False).__code__
    return code.replace(co_consts=(*code.co_consts[:-1], _Traced(context.traced), operators))


def load_text(tree: Node, original: types.FunctionType, context: Context) -> types.FunctionType:
    """The converted function as its printed text runs, for a debugger to step through; linecache keeps that text."""
    factory = _factory(tree, original, context)
    name = getattr(tree, "name", "lambda")
    text = printer.to_text([written(factory, context.operators)])
    filename = f"<autograph {name} {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    code = _find(_compile(text, filename, original), tree, original.__code__)
    return bind(finished(code, set(), Seen(()), (code.co_qualname, original.__code__.co_qualname)), original)


_numbers = itertools.count(1)


def compile_in_place(
    tree: Node, original: types.FunctionType, context: Context, in_place: bool
) -> tuple[types.CodeType, tuple[str, ...]]:
    """The module of a factory with the definition, which has plain statements in place, if asked for.

    Also tells which functions from around it the code calls by name.
    """
    factory = _asking(tree, original, context)
    holder = factory
    if context.class_name is not None:
        holder = holder.body[-1]
    callees: tuple[str, ...] = ()
    if not in_place:
        factory = Writer().whole(factory) if context.has_operators else factory
    elif isinstance(tree, gast.Lambda):
        holder = holder.body[-1]
        holder.value, callees = put_in_place(holder.value, context)
    else:
        holder.body[-1], callees = put_in_place(holder.body[-1], context)
    return _compile(ast.Module([factory], []), original.__code__.co_filename, original), callees


def code_of_both(node: Node, tree: Node, original: types.FunctionType, context: Context) -> types.CodeType:
    """Code for a function that runs as it is written (`node`), unless something is traced: then as it is converted."""
    factory = _asking(tree, original, context)
    holder = factory if context.class_name is None else factory.body[-1]
    loaded, callees = put_in_place(holder.body[-1], context)
    holder.body[-1] = either(changed(loaded, body=node.body), loaded)
    code = _find(_compile(ast.Module([factory], []), original.__code__.co_filename, original), tree, original.__code__)
    renamed = (code.co_qualname, original.__code__.co_qualname)
    return finished(code, context.helpers, Seen(callees), renamed)


def _asking(tree: Node, original: types.FunctionType, context: Context) -> Node:
    """The factory in nodes of Python's: elements are looked up by an operator, and clauses ask whether what they have
    caught was theirs to catch."""
    factory = translated(_factory(tree, original, context))
    if context.holds(gast.Subscript, gast.Compare, gast.Tuple, gast.Starred, gast.Raise):
        factory = looked_up(factory)
    return asked_in_clauses(factory) if context.holds(gast.Try, gast.With) else factory


def _factory(tree: Node, original: types.FunctionType, context: Context) -> Node:
    """A function around the definition, whose parameters are the original's free variables. It never runs."""
    parameters = [context.operators, context.traced, *original.__code__.co_freevars]
    arguments = gast.arguments(
        args=[gast.Name(id=p, ctx=gast.Param(), annotation=None, type_comment=None) for p in parameters],
        posonlyargs=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[],
    )  # fmt: skip
    body = [_bare(tree) if context.class_name is None else _class(context.class_name, _bare(tree))]
    own = [getattr(tree, "name", None), context.class_name]
    # Where the function names itself or its class, it means the globals of these names.
    outside = [n for n in dict.fromkeys(own) if n is not None and n not in original.__code__.co_freevars]
    if outside:
        body.insert(0, gast.Global(names=outside))
    return gast.FunctionDef(
        name="factory", args=arguments, body=body, decorator_list=[], returns=None, type_comment=None, type_params=[]
    )


def _compile(module: ast.Module | str, filename: str, original: types.FunctionType) -> types.CodeType:
    try:
        return compile(module, filename, "exec", flags=original.__code__.co_flags & _FUTURE, dont_inherit=True)
    except SyntaxError as error:
        raise ConversionError(
            f"{original.__qualname__}: the converted code does not compile ({error.msg}, line {error.lineno}). "
            "Mark the function @autograph.do_not_convert to keep it as it is, and please report this."
        ) from error


_FUTURE = 0
for _feature in __future__.all_feature_names:
    _FUTURE |= getattr(__future__, _feature).compiler_flag


def _bare(tree: Node) -> Node:
    """The definition without what is evaluated outside it: decorators, defaults and annotations are the original's."""
    if isinstance(tree, gast.Lambda):
        return gast.Expr(value=gast.Lambda(args=_bare_arguments(tree.args), body=tree.body))
    fields: dict[str, object] = {key: getattr(tree, key, None) for key in tree._fields}
    # Nothing of the factory ever runs, but a decorator's place makes it the first line of the code, as it was.
    first = [gast.copy_location(constant(None), decorator) for decorator in tree.decorator_list[:1]]
    fields.update(args=_bare_arguments(tree.args), decorator_list=first, returns=None, type_params=[])
    return gast.copy_location(type(tree)(**fields), tree)


def _bare_arguments(arguments: Node) -> Node:
    def bare(parameter: Node) -> Node:
        if parameter is None:
            return None
        copy = gast.Name(id=parameter.id, ctx=parameter.ctx, annotation=None, type_comment=None)
        return gast.copy_location(copy, parameter)

    return gast.arguments(
        args=[bare(p) for p in arguments.args],
        posonlyargs=[bare(p) for p in arguments.posonlyargs],
        vararg=bare(arguments.vararg),
        kwonlyargs=[bare(p) for p in arguments.kwonlyargs],
        kw_defaults=[None for _ in arguments.kw_defaults],
        kwarg=bare(arguments.kwarg),
        defaults=[],
    )


def _class(class_name: str, definition: Node) -> Node:
    body = [assign("__module__", name("__name__")), definition]
    return gast.ClassDef(name=class_name, bases=[], keywords=[], body=body, decorator_list=[], type_params=[])


def _find(module: types.CodeType, tree: Node, original: types.CodeType) -> types.CodeType:
    factory = next(c for c in module.co_consts if isinstance(c, types.CodeType))
    inner = [c for c in factory.co_consts if isinstance(c, types.CodeType)]
    inner += [c for outer in inner for c in outer.co_consts if isinstance(c, types.CodeType)]
    wanted = "<lambda>" if isinstance(tree, gast.Lambda) else tree.name
    return next(c for c in inner if c.co_name in (wanted, original.co_name))


def finished(
    code: types.CodeType, helpers: Collection[str], seen: Seen, renamed: tuple[str, str] = ("", "")
) -> types.CodeType:
    """Compiled code with the operators among its constants, and under the names that it would have had. `renamed` is
    what its dotted name begins with, and shall begin with."""
    return completed(code, helpers, {LOADED: operators, SEEN: seen}, (operators,), renamed)


def completed(
    code: types.CodeType,
    helpers: Collection[str],
    values: Mapping[str, object],
    marks: tuple[object, ...],
    renamed: tuple[str, str] = ("", ""),
) -> types.CodeType:
    """Code, and that in it, with what some of its constants stand for and others at the end of them, under the names
    that it would have had: bodies are the function around, inner functions are in it."""
    made, wanted = renamed

    def done(code: types.CodeType) -> types.CodeType:
        old, name = code.co_qualname, code.co_name
        qualname = wanted + old.removeprefix(made)
        if helpers:
            qualname = ".<locals>.".join(part for part in qualname.split(".<locals>.") if part not in helpers)
            if name in helpers:
                name = qualname.rpartition(".")[2]
        own = values
        if not code.co_flags & inspect.CO_OPTIMIZED:  # a class body keeps its dotted name among its constants
            own = {**values, old: qualname}
        constants = [
            own.get(c, c) if type(c) is str else done(c) if type(c) is types.CodeType else c for c in code.co_consts
        ]
        return code.replace(co_name=name, co_qualname=qualname, co_consts=(*constants, *marks))

    return done(code)
