"""From a live function, a lambda or a file to its text and syntax tree."""

from __future__ import annotations

import ast
import functools
import inspect
import io
import linecache
import re
import symtable
import sys
import textwrap
import tokenize
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from autograph.errors import SourceNotFoundError
from autograph.walk import children

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Definition = FunctionNode | ast.ClassDef


@dataclass(frozen=True)
class Place:
    """A function or class in a module: its node, its dotted name and the class that mangles its private names."""

    node: Definition
    qualname: str
    class_name: str | None


@dataclass(frozen=True)
class Module:
    """The text of a file, parsed when it is asked for."""

    filename: str
    text: str
    shift: int = 0  # what the numbers of its lines have over those of its text

    @functools.cached_property
    def tree(self) -> ast.Module:
        """The whole file; raises SyntaxError with the user's own line."""
        tree = ast.parse(self.text, self.filename)
        if self.shift:
            ast.increment_lineno(tree, self.shift)
        return tree

    @functools.cached_property
    def places(self) -> tuple[Place, ...]:
        """The definitions of the file, lambdas too, in their order."""
        return tuple(_places(self.tree, children))

    @functools.cached_property
    def statements(self) -> tuple[Place, ...]:
        """Those of them that are statements, which are found much sooner."""
        return tuple(_places(self.tree, _statements))

    @functools.cached_property
    def comments(self) -> dict[int, tuple[str, int | None]]:
        """By line: the comment, and its column if it has the line to itself."""
        found: dict[int, tuple[str, int | None]] = {}
        try:
            for token in tokenize.generate_tokens(io.StringIO(self.text).readline):
                if token.type == tokenize.COMMENT:
                    line, column = token.start
                    is_alone = not token.line[:column].strip()
                    found[line + self.shift] = token.string, column if is_alone else None
        except (tokenize.TokenError, SyntaxError):  # a notebook cell may end with magics
            pass
        return found

    @property
    def imports(self) -> dict[str, str]:
        """Names that import statements bind, with the module that each is or comes from."""
        return self._imports[0]

    @property
    def renamed(self) -> dict[str, str]:
        """Names that import statements bind to what has another name in its module, with that name."""
        return self._imports[1]

    @functools.cached_property
    def _imports(self) -> tuple[dict[str, str], dict[str, str]]:
        modules: dict[str, str] = {}
        renamed: dict[str, str] = {}
        waiting: list[object] = [self.tree]
        while waiting:
            node = waiting.pop()
            waiting += _statements(node)
            if isinstance(node, ast.Import):
                for alias in node.names:
                    root = alias.name.partition(".")[0]
                    modules[alias.asname or root] = alias.name if alias.asname else root
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    modules[alias.asname or alias.name] = node.module
                    if alias.asname:
                        renamed[alias.asname] = alias.name
        return modules, renamed

    @functools.cached_property
    def keeps_annotations(self) -> bool:
        """Whether ``from __future__ import annotations``, under whatever name, has them stay text."""
        futures = (n for n in self.tree.body if isinstance(n, ast.ImportFrom) and n.module == "__future__")
        return any(alias.name == "annotations" for node in futures for alias in node.names)

    def imports_of(self, names: Iterable[str]) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """`imports` and `renamed`, if one of the names may be among them: a large file need not be parsed to know that
        none is."""
        return ({}, {}) if self._imported_words.isdisjoint(names) else self._imports

    @functools.cached_property
    def _imported_words(self) -> set[str]:
        """All that stands behind the word ``import``."""
        return {word for match in _IMPORT.finditer(self.text) for word in _WORD.findall(match[1])}

    @functools.cached_property
    def defined(self) -> frozenset[str]:
        """The names that the module itself binds."""
        table = symtable.symtable(self.text, self.filename, "exec")
        return frozenset(s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported())

    @functools.cached_property
    def lines(self) -> list[str]:
        """The lines of the file."""
        return io.StringIO(self.text).readlines()  # form feeds end no line

    def text_at(self, node: ast.expr) -> str:
        """The text in the place that a node has in the file; nothing where there is none."""
        first, last = node.lineno - self.shift, (node.end_lineno or 0) - self.shift
        end = node.end_col_offset
        if not 0 < first <= last <= len(self.lines) or end is None:
            return ""
        lines = [line.encode() for line in self.lines[first - 1 : last]]  # as positions count in them
        lines[-1] = lines[-1][:end]
        lines[0] = lines[0][node.col_offset :]
        return b"".join(lines).decode(errors="replace")


def parse(text: str, filename: str, shift: int = 0) -> Module:
    """Parse the text of a file; raises SyntaxError with the user's own line."""
    module = Module(filename, text, shift)
    assert module.tree
    return module


_IMPORT = re.compile(r"\bimport\b[ \t]*(\([^)]*\)|(?:[^\n\\]|\\.|\\\n)*)")
_WORD = re.compile(r"\w+")


_BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")
_blocks: dict[type, tuple[str, ...]] = {}  # by kind of node, the fields that hold statements, or what holds some


def _statements(node: Any) -> list[object]:
    """The statements directly below, and what holds some."""
    kind = node.__class__
    fields = _blocks.get(kind)
    if fields is None:
        fields = _blocks[kind] = tuple(name for name in _BLOCKS if name in kind._fields)
    return [child for name in fields for child in getattr(node, name, ())]


def _places(tree: ast.Module, below: Callable[[object], list[object]]) -> Iterator[Place]:
    """The definitions of a file, in their order."""
    waiting: list[tuple[object, str, str | None]] = [(tree, "", None)]
    while waiting:
        node, prefix, class_name = waiting.pop()
        if isinstance(node, _DEFINITIONS):
            name = getattr(node, "name", "<lambda>")
            yield Place(node, prefix + name, class_name)
            if isinstance(node, ast.ClassDef):
                prefix, class_name = f"{prefix}{name}.", name
            else:
                prefix = f"{prefix}{name}.<locals>."
        waiting += [(child, prefix, class_name) for child in below(node)[::-1]]


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


_parsed: dict[str, Module] = {}
_MOST = 100  # files and cells whose trees are kept


def module_of(function: types.FunctionType) -> Module:
    """The file, notebook cell or other text that the function's code was compiled from."""
    code = function.__code__
    text = _text_of(code.co_filename, function.__globals__)
    if code.co_filename == "<string>" and not _defines(text, code):  # it has this name from `exec` as from `python -c`
        text = ""
    text = text or _typed(code)
    if not text:
        raise SourceNotFoundError(_missing(function))
    return _known(code.co_filename, text)


def source_of_module(module: types.ModuleType) -> Module:
    """The file that a module was read from."""
    filename = getattr(module, "__file__", None)
    text = _text_of(filename, vars(module)) if isinstance(filename, str) else ""
    if not text or not str(filename).endswith((".py", ".pyw")):
        raise SourceNotFoundError(f"{module!r} has no Python source to convert.")
    return _known(str(filename), text)


def _text_of(filename: str, variables: dict[str, object]) -> str:
    linecache.checkcache(filename)
    return "".join(linecache.getlines(filename, variables))


def _known(filename: str, text: str) -> Module:
    known = _parsed.pop(filename, None)
    if known is None or known.text != text:
        known = Module(filename, text)
    _parsed[filename] = known
    while len(_parsed) > _MOST:  # the one that was asked for longest ago goes
        _parsed.pop(next(iter(_parsed)), None)
    return known


def _given(function: types.FunctionType, text: str) -> Module:
    """The text that the user gives for a function, with the lines that the function says it is from."""
    code = function.__code__
    text = textwrap.dedent(text)
    module = parse(text, code.co_filename)
    fitting = [place.node for place in module.places if _may_be(place.node, code)]
    if not fitting:
        raise SourceNotFoundError(
            f"the source given for {function.__qualname__} defines no '{code.co_name}' with the parameters "
            f"({', '.join(_parameters(code))})."
        )
    nearest = min((code.co_firstlineno - first_line(node) for node in fitting), key=abs)
    return parse(text, code.co_filename, nearest) if nearest else module


def _may_be(node: Definition, code: types.CodeType) -> bool:
    if isinstance(node, ast.ClassDef) or getattr(node, "name", "<lambda>") != code.co_name:
        return False
    a = node.args
    stars = [p for p in (a.vararg, a.kwarg) if p is not None]
    mine = [p.arg for p in [*a.posonlyargs, *a.args, *a.kwonlyargs, *stars]]
    return len(mine) == len(_parameters(code)) and all(a.endswith(b) for a, b in zip(_parameters(code), mine))


def _parameters(code: types.CodeType) -> tuple[str, ...]:
    stars = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars]


def first_line(node: Definition) -> int:
    """Where a definition begins: with its decorators."""
    return min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])


def find(function: types.FunctionType, text: str | None = None) -> tuple[Module, Place]:
    """The module and the exact definition of a live function or lambda; `text` is its source if the user gives one."""
    return _found(module_of(function) if text is None else _given(function, text), function)


def find_in(text: str, function: types.FunctionType) -> tuple[Module, Place]:
    """The module of this text, and the exact definition in it of a function that was compiled from it."""
    return _found(_known(function.__code__.co_filename, text), function)


def _found(module: Module, function: types.FunctionType) -> tuple[Module, Place]:
    code = function.__code__
    if code.co_name == "<lambda>":
        return module, _find_lambda(module, code)
    alone = _alone(module, code)
    if alone is not None:
        return module, alone
    for place in module.statements:
        if isinstance(place.node, ast.FunctionDef | ast.AsyncFunctionDef) and place.node.name == code.co_name:
            if first_line(place.node) == code.co_firstlineno:
                return module, place
    raise SourceNotFoundError(
        f"{function.__qualname__}: line {code.co_firstlineno} of {code.co_filename} no longer defines "
        f"'{code.co_name}'. The file seems to have changed since it was imported; reload it."
    )


def _alone(module: Module, code: types.CodeType) -> Place | None:
    """The definition that stands where the code says, parsed without the rest of the file; None if that cannot be."""
    lines, first = module.text.split("\n"), code.co_firstlineno  # a form feed ends no line
    if module.shift or not 0 < first <= len(lines):
        return None
    end = max((line for _, _, line in code.co_lines() if line is not None), default=first)
    margin = _margin(lines[first - 1])
    while end < len(lines) and (_is_idle(lines[end]) or _margin(lines[end]) > margin):
        end += 1
    inside = "if 1:\n" if margin else ""
    text = "\n" * (first - 1 - bool(inside)) + inside + "\n".join(lines[first - 1 : end])
    try:
        body = ast.parse(text, module.filename).body
    except SyntaxError:  # lines of a string, or of something in brackets, may stand further out
        return None
    if inside and len(body) == 1 and isinstance(body[0], ast.If):
        body = body[0].body
    node = body[0] if len(body) == 1 else None
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    if node.name != code.co_name or first_line(node) != first:
        return None
    return Place(node, code.co_qualname, _class_around(code.co_qualname))


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_idle(line: str) -> bool:
    """Whether a line is empty or holds a comment alone, wherever it begins."""
    return not line.strip() or line.lstrip().startswith("#")


def _class_around(qualname: str) -> str | None:
    """The class whose private names a function has. In dotted names, functions are followed by ``<locals>``."""
    parts = qualname.split(".")[:-1]
    while parts and parts[-1] == "<locals>":
        del parts[-2:]
    return parts[-1] if parts else None


def _find_lambda(module: Module, code: types.CodeType) -> Place:
    at_line = [
        place
        for place in module.places
        if isinstance(place.node, ast.Lambda) and place.node.lineno == code.co_firstlineno
    ]
    fitting = [place for place in at_line if _spans(code) == _span(place)] if len(at_line) > 1 else at_line
    if len(fitting) != 1:  # positions are switched off, or the body is a constant without any
        fitting = [place for place in at_line if _same_code(place, code)]
    if not fitting:
        raise SourceNotFoundError(
            f"the lambda of line {code.co_firstlineno} was not found in {code.co_filename}. "
            "The file seems to have changed since it was imported; reload it, or write the lambda as a def."
        )
    return fitting[0]


def _span(place: Place) -> tuple[int, int] | None:
    assert isinstance(place.node, ast.Lambda)
    body = place.node.body
    return (body.lineno, body.col_offset)


def _spans(code: types.CodeType) -> tuple[int, int] | None:
    """Where the body begins, by the positions of the instructions that belong to it."""
    starts = [
        (line, column)
        for line, _, column, _ in list(code.co_positions())[1:]
        if line is not None and column is not None and (line, column) != (code.co_firstlineno, 0)
    ]
    return min(starts, default=None)


def _same_code(place: Place, code: types.CodeType) -> bool:
    assert isinstance(place.node, ast.Lambda)
    compiled = compile(ast.Expression(place.node), "<lambda>", "eval")
    mine = next(c for c in compiled.co_consts if isinstance(c, types.CodeType))
    names = (code.co_varnames, sorted(code.co_names + code.co_freevars), len(code.co_code))
    same_names = names == (mine.co_varnames, sorted(mine.co_names + mine.co_freevars), len(mine.co_code))
    plain = [c for c in code.co_consts if not isinstance(c, types.CodeType)]
    return same_names and plain == [c for c in mine.co_consts if not isinstance(c, types.CodeType)]


def _typed(code: types.CodeType) -> str:
    """The text of what was typed behind ``python -c`` or at a prompt, which linecache knows from 3.13 on."""
    if code.co_filename == "<string>" and sys.argv[:1] == ["-c"]:
        command = sys.orig_argv[len(sys.orig_argv) - len(sys.argv)]
        if _defines(command, code):  # else it is written together with the option
            return command
    return _history(code)


def _defines(text: str, code: types.CodeType) -> bool:
    """Whether it is this very text that the code was compiled from."""
    try:
        compiled = compile(text, code.co_filename, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return any(_is_code(c, code) for c in _codes(compiled))


def _history(code: types.CodeType) -> str:
    """The text of a function typed at a plain Python prompt, which only the line editor remembers (before 3.13)."""
    if not code.co_filename.startswith("<"):
        return ""
    try:
        import readline
    except ImportError:
        return ""
    lines = [readline.get_history_item(i + 1) or "" for i in range(readline.get_current_history_length())]
    for start in range(len(lines) - 1, -1, -1):
        for end in range(start + 1, len(lines) + 1):
            text = "\n" * (code.co_firstlineno - 1) + "\n".join(lines[start:end]) + "\n"
            try:
                compiled = compile(text, code.co_filename, "exec", dont_inherit=True)
            except SyntaxError:
                continue
            if any(_is_code(c, code) for c in _codes(compiled)):
                return text
            if lines[start][:1].isspace() or not lines[start].strip():
                break
    return ""


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _codes(constant)


def _is_code(mine: types.CodeType, wanted: types.CodeType) -> bool:
    def essence(code: types.CodeType) -> tuple[object, ...]:
        constants = [essence(c) if isinstance(c, types.CodeType) else (type(c), repr(c)) for c in code.co_consts]
        return (code.co_name, code.co_varnames, code.co_names, code.co_code, code.co_firstlineno, constants)

    return essence(mine) == essence(wanted)


def _missing(function: types.FunctionType) -> str:
    name, filename = function.__qualname__, function.__code__.co_filename
    if filename == "<stdin>":
        why = "it was typed at a Python prompt without a line editor, or read from standard input"
        what = "put it in a file, give its text (source=), use IPython, or Python 3.13 or newer, which keeps the source"
    elif filename.startswith("<"):
        why = f"it was compiled from a string ({filename})"
        what = "give its text (autograph.convert(f, source=text)), or put it in a file"
    else:
        why = f"the file {filename} cannot be read"
        what = "make the file available where it was when it was compiled, or give its text (source=)"
    return f"no source text for {name}: {why}. To convert it, {what}; or mark it @autograph.do_not_convert."


def function_of(thing: object) -> types.FunctionType | type:
    """What people hold, unwrapped to the function or class whose source they mean.

    Accepts functions, methods, classes, partials, properties, static and class methods, callable objects, and
    objects that carry their function as `python_function` or `__wrapped__`.
    """
    for _ in range(_LONGEST):
        if isinstance(thing, types.FunctionType):
            inner = getattr(thing, "__wrapped__", thing)
            if not callable(inner) or inner is thing:
                return thing
            thing = inner
        elif isinstance(thing, type):
            return thing
        else:
            thing = _step(thing)
    raise SourceNotFoundError(
        f"{thing!r} says again and again that it stands for something else (__wrapped__, func …). Pass the function "
        "itself."
    )


_LONGEST = 1000  # chain of decorators, partials and the like


def _carried(thing: object) -> object:
    """The function that an object carries and stands for; None if it is called for its own sake."""
    for attribute in ("python_function", "__func__", "__wrapped__", "func", "fget"):
        inner = inspect.getattr_static(thing, attribute, None)
        if inner is not None and callable(found := getattr(thing, attribute, None)):
            return found
    return None


def carries_function(thing: object) -> bool:
    """Whether an object stands for a function that it carries."""
    return _carried(thing) is not None


def _step(thing: object) -> object:
    if (found := _carried(thing)) is not None:
        return found
    call = getattr(type(thing), "__call__", None)
    if isinstance(call, types.FunctionType):
        return call
    return _refuse(thing)


def _refuse(thing: object) -> types.FunctionType:
    if isinstance(thing, types.BuiltinFunctionType | types.MethodDescriptorType | types.WrapperDescriptorType):
        raise SourceNotFoundError(f"{thing!r} is written in C and has no Python source to convert.")
    raise SourceNotFoundError(
        f"{thing!r} is not a function. Pass a function, a method, a class, a partial, or an object with __call__."
    )
