"""Static conversion: the text of a module in, the text or the code of the converted module out; nothing is imported."""

from __future__ import annotations

import ast
import marshal
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import source_hash
from typing import TypeVar

from autograph import eligibility, pipeline, printer
from autograph.build import Node
from autograph.comments import last_line
from autograph.context import Context
from autograph.depth import room
from autograph.errors import ConversionError
from autograph.listing import (
    converted_definition,
    function_around,
    header,
    imports_of,
    in_class,
    is_annotated,
    names_in,
    read,
)
from autograph.loading.guarded import (
    Function,
    Named,
    either_by_name,
    guard_functions,
    in_place_codes,
    looking_at_callers,
    marked,
)
from autograph.loading.imported import Kept
from autograph.loading.inplace import put_in_place
from autograph.loading.nodes import changed
from autograph.loading.written import translated
from autograph.source import Module, Place, first_line
from autograph.spelling import text_of
from autograph.translating import to_gast
from autograph.walk import every_node, every_statement

T = TypeVar("T", bound=ast.AST)
Names = tuple[str, ...]


class NoSuchFunctionError(LookupError):
    """The file has no function or class of that name; the message offers near matches."""

    def __str__(self) -> str:
        return str(self.args[0])


def convert_module(module: Module, width: int = printer.WIDTH, refuse: Refuse | None = None) -> str:
    """The module's text with every function converted; whatever needs no conversion stays as it is written.

    So does a function that cannot be converted, of which `refuse` is told. Without it, ConversionError is raised.
    """
    lines = [*module.lines]
    names = _every_name(module.tree)
    operators: set[str] = set()
    for place in reversed(_outermost(module)):
        first = first_line(place.node)
        margin = lines[first - 1][: len(lines[first - 1]) - len(lines[first - 1].lstrip())]
        try:
            text, used = _text(module, place, names, margin, width)
        except ConversionError as error:
            if refuse is None:
                raise
            refuse(place, error)
            continue
        if used is not None:
            operators.add(used)
            lines[first - 1 : place.node.end_lineno] = [text]
    for name in sorted(operators):
        line = _import_line(module.tree, lines)
        before = "" if line == 0 or lines[line - 1].endswith("\n") else "\n"
        after = "\n\n" if line < len(lines) and _DEFINITION.match(lines[line]) else ""
        lines.insert(line, f"{before}{header(name)}\n{after}")
    return "".join(lines)


Refuse = Callable[[Place, ConversionError], None]


@room()
def _text(module: Module, place: Place, names: set[str], margin: str, width: int) -> tuple[str, str | None]:
    """A converted function as it is printed, and the name that it has for the operators (None if it uses none)."""
    definition, used = _converted(module, place, names)
    if used is None:
        return "", None
    text = text_of(module, place.node, definition, margin, width)
    read(f"if True:\n{text}" if margin else text, ast.parse)
    return text, used


@room()
def compile_module(module: Module) -> Kept:
    """The module's code in the user's own lines, and what else is to be kept: functions are converted when a trace
    calls them.

    Those that look at who calls them are converted here, as they must run in the frame of the call. The tree of the
    module is changed.
    """
    text = module.text.encode(errors="surrogatepass")
    key = f"of_{source_hash(text).hex()}"
    helpers: set[str] = set()
    callees: set[str] = set()
    converted: dict[int, ast.AST] = {}
    named: set[Named] = set()
    names = _every_name(module.tree)
    looking = looking_at_callers(module.tree)
    for place in _outermost(module) if looking else ():
        if id(place.node) in looking and eligibility.whole_function(place.node) is None:
            context = _context(module, place, names)
            loaded, called = _loaded(place, context)
            original: Function = place.node  # type: ignore[assignment]  # it stands in no other function
            converted[id(original)] = either_by_name(original, loaded, key)  # type: ignore[arg-type]
            named.add((original.name, first_line(original)))
            helpers |= context.helpers
            callees |= set(called)
    in_place = b""
    if converted:
        whole = compile(_replaced(module.tree, converted), module.filename, "exec", dont_inherit=True)
        in_place = zlib.compress(marshal.dumps(dict(in_place_codes(whole, helpers, key))))
    guard_functions(module.tree)
    code = compile(module.tree, module.filename, "exec", dont_inherit=True)
    return Kept(marked(code, named, key), key, zlib.compress(text), tuple(sorted(callees)), in_place)


def converted_functions(module: Module) -> Iterator[tuple[Place, Context, str | Exception | tuple[ast.stmt, Names]]]:
    """Every function that stands in no other: why it stays as it is, or the error that refuses it, or what is loaded
    for it and the functions that it calls."""
    names = _every_name(module.tree)
    for place in _outermost(module):
        context = _context(module, place, names)
        why = eligibility.whole_function(place.node)
        if why is not None:
            yield place, context, why
            continue
        try:
            loaded = _loaded(place, context)
        except ConversionError as error:
            yield place, context, error
        else:
            yield place, context, loaded


@room()
def _loaded(place: Place, context: Context) -> tuple[ast.stmt, Names]:
    return put_in_place(translated(pipeline.convert(to_gast(place.node), context)), context)


def _replaced(node: T, others: Mapping[int, ast.AST]) -> T:
    """The tree with some of its definitions, by identity, replaced by others."""
    changes = {
        name: [others.get(id(p)) or _replaced(p, others) if isinstance(p, ast.AST) else p for p in part]
        for name, part in ast.iter_fields(node)
        if isinstance(part, list)
    }
    return changed(node, **changes)


@room()
def convert_one(module: Module, name: str, width: int = printer.WIDTH) -> tuple[str, str]:
    """A function, method or class of the module by its dotted name: its text before, and after, as a module that runs;
    twice the same where there is nothing to convert."""
    named = {place.qualname.replace(".<locals>", ""): place for place in module.places}
    named.pop("<lambda>", None)
    place = named.get(name)
    if place is None:
        import difflib

        near = difflib.get_close_matches(name, named, n=3, cutoff=0.5)
        near = near or [n for n in named if n.rpartition(".")[2] == name.rpartition(".")[2]][:3]
        hint = f" Did you mean {' or '.join(repr(n) for n in near)}?" if near else ""
        raise NoSuchFunctionError(f"{module.filename} has no function or class '{name}'.{hint}")
    last = last_line(module, place.node)
    before = "".join(module.lines[first_line(place.node) - 1 : last])
    definition, used = _converted(module, place, _every_name(module.tree))
    shown: Node = in_class(module, place, definition if used is not None else place.node)  # type: ignore[arg-type]
    declared = {name for n in every_statement(shown) if isinstance(n, ast.Nonlocal) for name in n.names}
    is_as_written = used is None and shown is place.node and not place.node.col_offset
    text = before if is_as_written else text_of(module, place.node, shown, width=width, last=last)
    inner, needed = names_in(text, declared)
    if inner:  # it writes variables of the function around it
        assert isinstance(shown, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        text = text_of(module, place.node, shown, "    ", width, last)
        text = (
            f"def {function_around(place.qualname)}({', '.join(sorted(inner))}):\n\n{text}\n    return {shown.name}\n"
        )
    head = imports_of(module, needed, used or "", is_annotated(shown), width)
    after = "\n".join([*head, *(["", ""] if head else []), text])
    return (after if used is None else before), after


def _converted(module: Module, place: Place, names: set[str]) -> tuple[Node, str | None]:
    """A converted definition, and the name that it has for the operators (None if it uses none)."""
    if not isinstance(place.node, ast.ClassDef) and eligibility.whole_function(place.node) is not None:
        return None, None
    context = _context(module, place, names)
    definition = converted_definition(place, context)
    used = any(isinstance(n, ast.Name) and n.id == context.operators for n in every_node(definition))
    return definition, context.operators if used else None


def _context(module: Module, place: Place, names: set[str]) -> Context:
    evaluated = not module.keeps_annotations
    return Context(place.class_name, module.imports, module.renamed, module.defined, set(names), annotations=evaluated)


def _outermost(module: Module) -> list[Place]:
    """Functions that stand in no other function, in the order of their lines."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = [p for p in module.places if isinstance(p.node, functions) and "<" not in p.qualname]
    return sorted(found, key=lambda p: p.node.lineno)


def _every_name(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in every_node(tree):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, _NAMED):
            names.add(node.name)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name)
    return names


_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _import_line(tree: ast.Module, lines: Sequence[str]) -> int:
    """The line after which to import: behind the docstring and the imports that the module begins with."""
    last = _first_lines(lines)
    for index, node in enumerate(tree.body):
        docstring = index == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if docstring or isinstance(node, ast.Import | ast.ImportFrom):
            last = node.end_lineno or node.lineno
        else:
            break
    return last


def _first_lines(lines: Sequence[str]) -> int:
    """How many lines have to stay the first: a declared encoding counts in the first two, behind a comment at most."""
    for number, line in enumerate(lines[:2], 1):
        if _ENCODING.match(line):
            return number
        if not _IDLE.match(line):
            break
    return int(bool(lines) and lines[0].startswith("#!"))


_DEFINITION = re.compile(r"@|(async[ \t]+)?def\b|class\b")
_ENCODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+")
_IDLE = re.compile(r"[ \t\f]*(#|[\r\n]|$)")
