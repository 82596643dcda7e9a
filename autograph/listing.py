"""What `to_code` prints: a converted definition as a module that runs.

The module begins with what the definition uses of its own: the import lines that the user wrote there, names of that
module, variables of the functions around the definition.
"""

from __future__ import annotations

import ast
import builtins
import re
import symtable
import sys
import textwrap
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import resolve_name
from typing import Any, TypeVar

import gast

from autograph import pipeline, printer
from autograph.build import Node
from autograph.comments import last_line
from autograph.context import Context
from autograph.errors import ConversionError
from autograph.loading.written import written
from autograph.source import Module, Place
from autograph.spelling import text_of
from autograph.translating import to_gast
from autograph.walk import every_node, every_statement
from autograph.wrapping import wrapped

T = TypeVar("T")
_LONGEST = 60  # characters of a value that is printed
_OF_EVERY_MODULE = frozenset("__name__ __doc__ __file__ __spec__ __loader__ __package__ __builtins__".split())


@dataclass(frozen=True)
class Surroundings:
    """What a live definition finds around it: the variables of its module, and those of the functions around it."""

    variables: Mapping[str, object]
    cells: Mapping[str, object] = field(default_factory=dict)

    def home_of(self, name: str) -> str | None:
        """The module from which the name can be imported; None if it cannot be."""
        home = self.variables.get("__name__")
        module = sys.modules.get(home) if isinstance(home, str) else None
        if module is None or vars(module).get(name, self) is not self.variables[name]:
            return None
        return home  # type: ignore[return-value]


Sibling = Callable[[object], "tuple[Module, Place, Context, Mapping[str, object]] | None"]


def header(operators: str) -> str:
    """The import that converted code needs."""
    return f"from autograph import operators as {operators}"


def converted_definition(place: Place, context: Context) -> Node:
    """The converted definition as a statement that can be printed."""
    tree = pipeline.convert(to_gast(place.node), context)
    if isinstance(tree, gast.Lambda):
        tree = gast.copy_location(gast.Expr(value=tree), tree)
    return written(tree, context.operators)


def in_class(module: Module, place: Place, definition: ast.stmt) -> ast.stmt:
    """A method in the class that it belongs to; anything else as it is."""
    name = place.qualname.rpartition(".")[0]
    classes = (p.node for p in module.places if p.qualname == name and isinstance(p.node, ast.ClassDef))
    holder = next(classes, None)
    if holder is None:
        return definition
    body = [*_of_class(holder, definition), definition]
    made = ast.ClassDef(holder.name, holder.bases, holder.keywords, body, [])
    return ast.copy_location(made, definition)


def _of_class(holder: ast.ClassDef, definition: ast.stmt) -> list[ast.stmt]:
    """The statements of a class before a method that bind what is read as the method is defined, its defaults say."""
    wanted, kept = _read_at_definition(definition), list[ast.stmt]()
    for statement in [s for s in holder.body if s.lineno < definition.lineno][::-1]:
        if bound := wanted.intersection(_bound_in(statement)):
            kept.append(statement)
            wanted = (wanted - bound) | _read_at_definition(statement)
    return kept[::-1]


def _read_at_definition(statement: ast.AST) -> set[str]:
    """The names that a statement reads as it is run; a function, in its decorators, defaults and annotations."""
    found: set[str] = set()
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.add(node.id)
        inside: Any = node.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) else []
        inside = inside if isinstance(inside, list) else [inside]
        waiting += [child for child in ast.iter_child_nodes(node) if child not in inside]
    return found


def listing(
    module: Module, place: Place, context: Context, around: Surroundings, sibling: Sibling, width: int = printer.WIDTH
) -> str:
    """A converted definition as a module that runs, with lines of this many columns.

    `sibling` tells of a function that stands beside the definition, in the same function, where it is defined.
    """
    head = _Head(module, around, context.operators, width)
    beside = _Beside(around.cells, sibling, head, width)
    beside.add(module, place, context)
    unknown = {n: _UNKNOWN for n in beside.needed if "<locals>" in place.qualname and not head.knows(n)}
    cells = {**beside.cells, **unknown}
    lines = head.lines(beside.needed - unknown.keys(), any(map(is_annotated, beside.definitions)))
    # What the definition reads as it is made, and nothing can be said about but that it is there.
    cells |= {n: _UNKNOWN for n in head.missing if any(n in _read_at_definition(d) for d in beside.definitions)}
    if missing := [n for n in head.missing if n not in cells]:
        lines.append(f"# it also uses, from where it was defined: {', '.join(missing)}")
    name = function_around(place.qualname)
    plain = {n: text for n, v in cells.items() if (text := _literal(v))}
    imported = {n: line for n, v in cells.items() if n not in plain and (line := _import_of(n, v))}
    given = [n for n in cells if n not in plain and n not in imported]
    lines += sorted(imported.values())
    if not given and not beside.writes(cells):
        home = name if "<locals>" in place.qualname else place.qualname.rpartition(".")[0]
        variables = [f"{n} = {text}  # a variable of {home}" for n, text in plain.items()]
        lines += ["", *variables] if lines and variables else variables
        return "\n".join([*lines, *(["", ""] if lines else []), beside.text("")])
    inside = "".join(f"    {n} = {text}\n" for n, text in plain.items()) + ("\n" if plain else "")
    text = f"def {name}({', '.join(given)}):\n{inside}{beside.text('    ')}"
    text += f"\n    return {beside.name}\n" if beside.name else ""
    text += f"\n\n{beside.name or 'made'} = {name}()\n" if not given else ""
    return "\n".join([*lines, *(["", ""] if lines else []), text])


_UNKNOWN = object()  # the value of a name of a function that has returned


class _Beside:
    """A definition, and before it the functions beside it that it uses."""

    def __init__(self, cells: Mapping[str, object], sibling: Sibling, head: _Head, width: int) -> None:
        self._known = dict(cells)
        self._width = width
        self._sibling = sibling
        self._head = head
        self._beside: set[str] = set()
        self._texts: list[str] = []
        self.definitions: list[Node] = []
        self._places: list[tuple[Module, Place]] = []
        self.cells: dict[str, object] = {}  # the variables around that they use, besides one another
        self.needed: set[str] = set()  # the other names that they use

    @property
    def name(self) -> str:
        """What the definition itself is called."""
        return getattr(self.definitions[-1], "name", "")

    def add(self, module: Module, place: Place, context: Context) -> None:
        definition = converted_definition(place, context)
        if isinstance(place.node, ast.ClassDef):
            definition.decorator_list = [d for d in definition.decorator_list if not _is_ours(d, module)]
        elif not isinstance(place.node, ast.Lambda):
            kept = _METHODS if place.class_name is not None else ()
            definition.decorator_list = [d for d in definition.decorator_list if ast.unparse(d) in kept]
        definition = in_class(module, place, definition)
        self._head.make_absolute(definition)
        mine = getattr(definition, "name", "")
        text = text_of(module, place.node, definition, "", self._width, last_line(module, place.node))
        used, needed = names_in(text, self._known)
        self._beside.add(mine)  # it may call itself
        for name in sorted(used):
            if name in self._beside:
                continue
            value = self._known[name]
            found = self._sibling(value)
            if found is None or any(self._known.get(n, v) is not v for n, v in found[3].items()):
                self.cells[name] = value
                continue
            self._known |= found[3]
            self.add(*found[:3])
        self.needed |= needed
        self.definitions.append(definition)
        self._texts.append(text)
        self._places.append((module, place))

    def text(self, margin: str) -> str:
        if not margin:
            return "\n\n".join(self._texts)
        if isinstance(self.definitions[-1], ast.Expr):
            made = self.definitions[-1]
            self.definitions[-1] = ast.copy_location(ast.Return(made.value), made)
        pairs = zip(self.definitions, self._places)
        texts = [
            text_of(module, place.node, made, margin, self._width, last_line(module, place.node))
            for made, (module, place) in pairs
        ]
        return "\n".join(texts)

    def writes(self, cells: Collection[str]) -> bool:
        """Whether one of the variables is written."""
        nodes = (n for definition in self.definitions for n in every_statement(definition) if cells)
        return any(name in cells for node in nodes if type(node) is ast.Nonlocal for name in node.names)


_METHODS = ("staticmethod", "classmethod", "property", "cached_property", "functools.cached_property")


def _is_ours(decorator: ast.expr, module: Module) -> bool:
    """Whether a decorator is this library's, which has nothing left to do."""
    root = decorator
    while isinstance(root, ast.Call | ast.Attribute):
        root = root.func if isinstance(root, ast.Call) else root.value
    found = module.imports.get(root.id, "") if isinstance(root, ast.Name) else ""
    return found.partition(".")[0] in ("autograph", "runtime")


def is_annotated(definition: ast.AST) -> bool:
    """Whether a definition has annotations, in it or its functions."""
    return any(map(_has_annotation, every_statement(definition)))


def _has_annotation(node: ast.AST) -> bool:
    """Whether a statement is annotated, or a parameter or the result of one that is a function."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return isinstance(node, ast.AnnAssign)
    a = node.args
    parameters = [*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg]
    return node.returns is not None or any(getattr(p, "annotation", None) for p in parameters)


def function_around(qualname: str) -> str:
    """The function in which a definition stands."""
    before = qualname.rpartition(".<locals>.")[0]
    return before.rpartition(".")[2] or "make"


def read(text: str, as_what: Callable[[str], T]) -> T:
    """What is read in printed code. Raises ConversionError where that is too much for Python, as it may be where what
    the user wrote is not: an operator may become a call, and a value a function."""
    try:
        return as_what(text)
    except (SyntaxError, MemoryError) as error:
        why = getattr(error, "msg", "") or "it is nested too deeply"
        raise ConversionError(
            f"the converted code cannot be printed as Python ({why}). Split the longest expression or the deepest "
            "statement, or mark the function @autograph.do_not_convert."
        ) from None


def _symbols(text: str) -> symtable.SymbolTable:
    return read(text, lambda text: symtable.symtable(text, "<printed>", "exec"))


def names_in(text: str, around: Collection[str] = ()) -> tuple[set[str], set[str]]:
    """The names of functions around that a printed definition uses, and those that are neither theirs nor its own."""
    if not around:
        table = _symbols(text)
        return set(), _global_names(table) - {s.get_name() for s in table.get_symbols() if s.is_assigned()}
    text = f"def around({', '.join(around)}):\n{textwrap.indent(text, '    ')}"
    table = _symbols(text)
    function = next(
        child for child in table.get_children() if child.get_name() == "around"
    )  # 3.14 has others beside it
    free = {s.get_name() for child in function.get_children() for s in child.get_symbols() if s.is_free()}
    parameters = [s for s in function.get_symbols() if s.is_parameter()]
    used = {s.get_name() for s in parameters if s.is_referenced() or s.get_name() in free}
    return used, _global_names(function)


def _global_names(table: symtable.SymbolTable) -> set[str]:
    """The names that a definition needs from outside all functions. In a class, a name of its own may be one, too."""
    found = {name for child in table.get_children() for name in _global_names(child)}
    of_class = table.get_type() == "class"
    symbols = (s for s in table.get_symbols() if s.is_referenced())
    return found | {s.get_name() for s in symbols if s.is_global() or (of_class and s.is_local())}


def _literal(value: object) -> str:
    """A value as it is written; nothing if it is long, or none that can be written."""
    if callable(value) and vars(builtins).get(name := str(getattr(value, "__name__", ""))) is value:
        return name
    if type(value) is tuple:
        parts = [*map(_literal, value)]
        text = f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
        return text if all(parts) and len(text) <= _LONGEST else ""
    if type(value) not in (int, float, str, bool, bytes, type(None), complex):
        return ""
    text = repr(value)
    if len(text) > _LONGEST:
        return ""
    try:
        return text if repr(ast.literal_eval(text)) == text else ""
    except (ValueError, SyntaxError):  # inf
        return ""


def _import_of(name: str, value: object) -> str:
    """The import line that gives this very object a name; nothing if there is none."""
    if isinstance(value, types.ModuleType):
        if sys.modules.get(value.__name__) is not value:
            return ""
        return f"import {value.__name__}" + ("" if value.__name__ == name else f" as {name}")
    where, own = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(where, str) or not isinstance(own, str) or not own.isidentifier():
        return ""
    module = sys.modules.get(where)
    if module is None or vars(module).get(own) is not value:
        return ""
    return f"from {where} import {own}" + ("" if own == name else f" as {name}")


class _Head:
    """The statements that give a definition the names that it uses of its module."""

    def __init__(self, module: Module, around: Surroundings | None, operators: str, width: int) -> None:
        self._width = width
        self._module, self._around, self._operators = module, around, operators
        self._body = module.tree.body
        self._binding = _bindings(self._body)
        variables = around.variables if around is not None and any(map(_is_star, self._body)) else ()
        self._starred = set(variables)  # what may come from another module, which does not show
        self.missing: list[str] = []  # names of the module that no line gives

    def lines(self, names: Iterable[str], annotated: bool = False) -> list[str]:
        """The head for these names; `annotated` code needs to know how annotations are evaluated."""
        used: dict[int, set[str]] = {}  # by statement of the module
        guessed: list[str] = []
        constants: list[str] = []
        home: list[str] = []
        self.missing = missing = list[str]()
        waiting, seen = set(names), {self._operators, *_OF_EVERY_MODULE}
        with_operators = self._operators in waiting
        stars = False  # may a name come from an import of all that a module has?
        while waiting - seen:
            name = min(waiting - seen)
            seen.add(name)
            where: Sequence[int] = self._binding.get(name, ())
            if len(where) == 1 and (self._imports(where[0], name) or _is_switch(self._body[where[0]])):
                used.setdefault(where[0], set()).add(name)
                waiting |= self._read_by(where[0])
            elif self._around is None:
                stars |= name not in vars(builtins) and not where
            elif self._rebinds(where):
                used.setdefault(where[0], set()).add(name)
                waiting |= self._read_by(where[0])
            elif name not in self._around.variables:
                for number in where:
                    if not isinstance(self._body[number], _SIMPLE):
                        continue  # it was not bound here, as what is Windows' own
                    used.setdefault(number, set()).add(name)
                    waiting |= self._read_by(number)
            elif (value := self._around.variables[name]) is vars(builtins).get(name, self):
                continue
            elif literal := _literal(value):
                constants.append(f"{name} = {literal}")
            else:
                place, line = self._around.home_of(name), _import_of(name, value)
                if line and (place is None or (place == "__main__" and "__main__" not in line)):
                    guessed.append(line)
                else:
                    (missing if place is None else home).append(name)
        imports = [ast.unparse(s) for s in self._body if stars and _is_star(s)]
        others: list[str] = []
        for number in sorted(used):
            statement = self._body[number]
            goes_first = _only_imports(statement) or _is_switch(statement)
            (imports if goes_first else others).append(self._text(statement, used[number]))
        future = ["from __future__ import annotations"] if annotated and self._module.keeps_annotations else []
        made = [*future, *imports, *sorted(guessed)]
        made += [header(self._operators)] if with_operators else []
        if self._around is not None and home:
            made += [_from(str(self._around.home_of(home[0])), sorted(home), self._width)]
        is_first = True  # behind the imports, or a definition
        for text in [*sorted(constants), *others]:
            apart = ["", ""] if _DEFINITION.match(text) else [""]
            made += [*(apart if made and (len(apart) > 1 or is_first) else []), text]
            is_first = len(apart) > 1
        return made

    def knows(self, name: str) -> bool:
        """Whether the name is one of the module, or of Python."""
        variables = self._around.variables if self._around is not None else {}
        return name in variables or name in self._binding or name in vars(builtins) or name == self._operators

    def _imports(self, number: int, name: str) -> bool:
        """Whether a statement is there to import the name, and knows all that it needs by itself."""
        statement = self._body[number]
        if isinstance(statement, ast.Import | ast.ImportFrom):
            return _only_imports(statement)
        imported = (n for n in every_node(statement) if isinstance(n, ast.Import | ast.ImportFrom))
        if not _only_imports(statement) or not any(name in _bound_in(n) for n in imported):
            return False
        needed = [self._body[n] for used in self._read_by(number) for n in self._binding[used]]
        return all(isinstance(s, ast.Import | ast.ImportFrom) or _is_switch(s) for s in needed)

    def _rebinds(self, where: Sequence[int]) -> bool:
        """Whether a name is a function of the module that gives its variables other values: it has to stand beside."""
        statement = self._body[where[0]] if len(where) == 1 else None
        return isinstance(statement, ast.FunctionDef) and any(isinstance(n, ast.Global) for n in every_node(statement))

    def make_absolute(self, definition: object) -> None:
        """Have import statements in a definition say from where."""
        for node in every_statement(definition):
            if isinstance(node, ast.ImportFrom) and node.level and self._around is not None:
                node.module, node.level = self._absolute(node), 0

    def _read_by(self, number: int) -> set[str]:
        nodes = every_node(self._body[number])
        read = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        return read & (self._binding.keys() | self._starred)

    def _text(self, statement: ast.stmt, names: set[str]) -> str:
        """A statement of the module, as far as it binds these names."""
        kept = self._kept(statement, names)
        if isinstance(kept, ast.Import | ast.ImportFrom):
            return _wrapped(kept, self._width)
        if kept is not statement:
            return self._unparsed(kept)
        first, last = statement.lineno - self._module.shift, (statement.end_lineno or 0) - self._module.shift
        text = "".join(self._module.lines[first - 1 : last]).rstrip()
        return text if statement.col_offset == 0 and ";" not in text else self._unparsed(statement)

    def _unparsed(self, statement: ast.stmt) -> str:
        return printer.to_text([ast.fix_missing_locations(statement)], width=self._width).rstrip("\n")

    def _kept(self, statement: ast.stmt, names: set[str]) -> ast.stmt:
        if isinstance(statement, ast.Import):
            aliases = [a for a in statement.names if (a.asname or a.name.partition(".")[0]) in names]
            return ast.Import(aliases)
        if isinstance(statement, ast.ImportFrom):
            found = [a for a in statement.names if (a.asname or a.name) in names]
            return ast.ImportFrom(self._absolute(statement), found, statement.level if self._around is None else 0)
        if isinstance(statement, ast.If) and not statement.orelse and "TYPE_CHECKING" in ast.unparse(statement.test):
            body = [self._kept(s, names) for s in statement.body]
            return ast.If(statement.test, [s for s in body if getattr(s, "names", True)], [])
        if any(isinstance(n, ast.ImportFrom) and n.level for n in every_node(statement)) and self._around is not None:
            return self._without_levels(statement)
        return statement

    def _absolute(self, statement: ast.ImportFrom) -> str | None:
        if not statement.level or self._around is None:
            return statement.module
        package = self._around.variables.get("__package__") or ""
        return resolve_name("." * statement.level + (statement.module or ""), str(package))

    def _without_levels(self, statement: ast.stmt) -> ast.stmt:
        made = ast.parse(ast.unparse(statement)).body[0]
        self.make_absolute(made)
        return made


def imports_of(module: Module, names: Iterable[str], operators: str, annotated: bool, width: int) -> list[str]:
    """The head of a definition of a file that nobody has imported: the file's own import lines."""
    return _Head(module, None, operators, width).lines(names, annotated)


_DEFINITION = re.compile(r"@|(async )?def |class ")
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.FunctionDef, ast.ClassDef)  # what they bind was deleted if it is not there


def _bindings(body: Sequence[ast.stmt]) -> dict[str, list[int]]:
    """By name, the numbers of the statements that bind it in their module."""
    found: dict[str, list[int]] = {}
    for number, statement in enumerate(body):
        for name in set(_bound_in(statement)):
            found.setdefault(name, []).append(number)
    return found


def _bound_in(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Store):
            yield node.id
    elif not isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        for child in ast.iter_child_nodes(node):
            yield from _bound_in(child)


def _only_imports(statement: ast.stmt) -> bool:
    """Whether a statement does nothing but import, or name what else there is where it cannot."""
    if isinstance(statement, ast.Import):
        return True
    if isinstance(statement, ast.ImportFrom):
        return statement.module != "__future__"
    if isinstance(statement, ast.If):
        return all(map(_is_idle, (*statement.body, *statement.orelse)))
    if isinstance(statement, ast.Try):
        clauses = [s for handler in statement.handlers for s in handler.body]
        return all(map(_is_idle, (*statement.body, *clauses, *statement.orelse, *statement.finalbody)))
    return False


def _is_switch(statement: ast.stmt) -> bool:
    """Whether a statement is ``TYPE_CHECKING = False``, which type checkers take for True without an import."""
    is_it = isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant)
    return is_it and [getattr(t, "id", "") for t in statement.targets] == ["TYPE_CHECKING"]  # type: ignore[attr-defined]


def _is_star(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*"


def _is_idle(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Assign):
        plain = isinstance(statement.value, ast.Constant | ast.Name | ast.Attribute)
        return plain and all(isinstance(target, ast.Name) for target in statement.targets)
    return isinstance(statement, ast.Pass) or _only_imports(statement)


def _from(module: str, names: Sequence[str], width: int) -> str:
    return _wrapped(ast.ImportFrom(module, [ast.alias(name) for name in names], 0), width)


def _wrapped(statement: ast.Import | ast.ImportFrom, width: int) -> str:
    """An import statement, over several lines if it is long."""
    return "\n".join(wrapped(ast.unparse(statement), 0, width))
