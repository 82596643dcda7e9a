"""Statements that are too long for a line, over several lines, as formatters have them."""

from __future__ import annotations

import io
import itertools
import keyword
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_OPENING, _CLOSING = "([{", ")]}"
_STEP = 4
NEWLINE = "\ue000"  # stands, until all is laid out, for the end of a line inside a literal

# What a line may end before inside brackets, the loosest first; a comma, which it ends behind, comes before all.
_OPERATORS = (
    {"for", "async"}, {"if", "else"}, {"or"}, {"and"}, {"in", "not", "is", "==", "!=", "<", ">", "<=", ">="},
    {"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "//", "%", "@"},
)  # fmt: skip
_BEFORE_EXPRESSION = ("return", "if", "elif", "while", "assert")
_BEHIND = {"for": "in", "from": "import"}
_WITHOUT_EXPRESSION = (
    "", "@", "async", "case", "class", "def", "del", "except", "global", "import", "lambda", "nonlocal",
    "raise", "type", "with",
)  # fmt: skip


@dataclass
class _Token:
    start: int
    end: int
    text: str


@dataclass
class _Group:
    """A pair of brackets: where it stands in the text, and what is directly in it."""

    start: int
    follows: bool  # it is a call, a subscript or the parameters of a definition
    end: int = 0
    inside: list[_Token | _Group] = field(default_factory=list)


def wrapped(text: str, margin: int, width: int, tail: int = 0) -> list[str]:
    """The lines of a statement, which are as wide as `width` at most where that can be.

    Args:
      text: the statement on one line.
      margin: how far it is indented; the lines come without.
      width: columns that a line may have.
      tail: columns that its last line needs besides.

    >>> wrapped("result = function(first_argument, second)", 0, 30)
    ['result = function(', '    first_argument, second', ')']
    """
    if _is_within(text, margin, width, tail) or "\n" in text or text.startswith("#") or text.endswith(" "):
        return [text]
    try:
        parts = _parsed(text)
    except (tokenize.TokenError, SyntaxError, IndexError):
        return [text]
    return _Layout(text, width).statement(parts, margin, tail)


def _is_within(text: str, indent: int, width: int, tail: int = 0) -> bool:
    """Whether a text has room in a line; of a literal with lines of its own, where it begins and ends."""
    first, *more = text.split(NEWLINE)
    return indent + len(first) + tail * (not more) <= width and (not more or len(more[-1]) + tail <= width)


def _parsed(text: str) -> list[_Token | _Group]:
    """The tokens and brackets of a statement."""
    around: list[list[_Token | _Group]] = [[]]
    groups: list[_Group] = []
    before = None
    for token in _tokens(text):
        if token.text in _OPENING:
            called = before is not None and before.end == token.start and _is_value(before.text)
            group = _Group(token.start, called)
            around[-1].append(group)
            groups.append(group)
            around.append(group.inside)
        elif token.text in _CLOSING:
            around.pop()
            groups.pop().end = token.end
        else:
            around[-1].append(token)
        before = token
    return around[0]


def _is_value(text: str) -> bool:
    return text in _CLOSING or text[-1] in "\"'" or (text.isidentifier() and not keyword.iskeyword(text))


def _tokens(text: str) -> Iterator[_Token]:
    start, depth = 0, 0  # of an f-string, which is several tokens since Python 3.12
    for kind, string, (line, first), (_, last), _ in tokenize.generate_tokens(io.StringIO(text).readline):
        name = tokenize.tok_name[kind]
        if name in ("FSTRING_START", "TSTRING_START"):
            start, depth = (first, 1) if not depth else (start, depth + 1)
        elif name in ("FSTRING_END", "TSTRING_END"):
            depth -= 1
            if not depth:
                yield _Token(start, last, text[start:last])
        elif not depth and line == 1 and string.strip():
            yield _Token(first, last, string)


class _Layout:
    def __init__(self, text: str, width: int) -> None:
        self.text, self.width = text, width

    def _fits(self, text: str, indent: int, tail: int = 0) -> bool:
        return _is_within(text, indent, self.width, tail)

    def statement(self, parts: Sequence[_Token | _Group], indent: int, tail: int) -> list[str]:
        """A statement, whose expression may get parentheses to be broken in."""
        start = self._expression(parts)
        rest = [part for part in parts if part.start >= start]
        level, _ = _delimiters(rest)
        if start and level is not None and rest[0].start == start:
            end = len(self.text)
            lines = self._inside(start, end, rest, indent + _STEP, comma=True)
            head = self.text[:start] + "("
            if self._fits(head, indent) and not (len(rest) == 1 and isinstance(rest[0], _Group)):
                return [head, *(" " * _STEP + line for line in lines), ")"]
        return self._line(0, len(self.text), parts, indent, tail)

    def _expression(self, parts: Sequence[_Token | _Group]) -> int:
        """Where the expression of a statement begins that may stand in parentheses; 0 if none may."""
        tokens = [part for part in parts if isinstance(part, _Token)]
        first = tokens[0].text if tokens and tokens[0] is parts[0] else ""
        if first in _WITHOUT_EXPRESSION:
            return 0
        commas = [t.end for t in tokens if t.text == ","]
        if first == "assert" and commas:  # it is the message that gets them
            return next((p.start for p in parts if p.start >= commas[-1]), 0)
        found = 0
        for token in tokens:
            if token.text == "lambda":
                break
            begins = first in _BEFORE_EXPRESSION if token is parts[0] else _BEHIND.get(first) == token.text
            if begins or token.text == "=" or _is_augmented(token.text):
                found = next((p.start for p in parts if p.start >= token.end), 0)
        return found

    def _line(self, start: int, end: int, parts: Sequence[_Token | _Group], indent: int, tail: int) -> list[str]:
        """Part of the text, broken in the last brackets where that suffices, else in the first and again behind."""
        text = self.text[start:end].strip()
        groups = [p for p in parts if isinstance(p, _Group) and p.inside]
        if self._fits(text, indent, tail) or not groups:
            return [text]
        for group in reversed(groups):
            head, rest = self.text[start : group.start + 1].lstrip(), self.text[group.end - 1 : end].rstrip()
            if self._fits(head, indent) and self._fits(rest, indent, tail):
                return [head, *self._content(group, indent + _STEP), rest]
        group = groups[0]
        head = self.text[start : group.start + 1].lstrip()
        rest_of_it = self._line(group.end - 1, end, [p for p in parts if p.start >= group.end], indent, tail)
        return [head, *self._content(group, indent + _STEP), *rest_of_it]

    def _content(self, group: _Group, indent: int) -> list[str]:
        lines = self._inside(group.start + 1, group.end - 1, group.inside, indent, self._may_end_in_comma(group))
        return [" " * _STEP + line for line in lines]

    def _inside(
        self, start: int, end: int, parts: Sequence[_Token | _Group], indent: int, comma: bool = False
    ) -> list[str]:
        """What stands in brackets: on one line, or broken at its commas, or else at its loosest operators."""
        text = self.text[start:end].strip()
        if self._fits(text, indent):
            return [text]
        level, places = _delimiters(parts)
        if level is None:
            return self._line(start, end, parts, indent, 0)
        bounds = [start, *places, end]
        lines: list[str] = []
        for first, last in itertools.pairwise(bounds):
            if not self.text[first:last].strip():
                continue
            mine = [p for p in parts if first <= p.start < last]
            lines += self._part(first, last, mine, indent, level)
        if comma and level < 0 and not lines[-1].endswith(","):
            lines[-1] += ","
        return lines

    def _part(self, start: int, end: int, parts: Sequence[_Token | _Group], indent: int, level: int) -> list[str]:
        """What stands between two delimiters of a level: broken in its brackets, or else at delimiters of its own."""
        lines = self._line(start, end, parts, indent, 1)
        inner = [p for p in parts if not (isinstance(p, _Token) and p.text == ",")]
        if level >= 0 or all(self._fits(line, indent, 1) for line in lines):
            return lines
        found, places = _delimiters(inner)
        if found is None:
            return lines
        bounds = itertools.pairwise([start, *places, end])
        return [line for a, b in bounds for line in self._line(a, b, [p for p in parts if a <= p.start < b], indent, 1)]

    def _may_end_in_comma(self, group: _Group) -> bool:
        several = any(isinstance(p, _Token) and p.text == "," for p in group.inside)
        looped = any(isinstance(p, _Token) and p.text in ("for", "async") for p in group.inside)
        return several and not looped


def _is_augmented(text: str) -> bool:
    return text.endswith("=") and text not in ("==", "!=", "<=", ">=", ":=")


def _delimiters(parts: Sequence[_Token | _Group]) -> tuple[int | None, list[int]]:
    """How loosely the loosest delimiters bind, -1 for commas, and where the parts that they divide begin."""
    commas: list[int] = []
    found: dict[int, list[int]] = {}
    in_lambda, in_target, before = 0, False, ""
    for number, part in enumerate(parts):
        if isinstance(part, _Group):
            before = ")"
            continue
        text = part.text
        if text == "lambda":
            in_lambda += 1
        elif text == ":" and in_lambda:
            in_lambda -= 1
        elif in_lambda:
            pass
        elif text == "," and in_target:
            pass  # of the target of a comprehension
        elif text == ",":
            commas.append(part.end)
        elif _is_string(before) and _is_string(text):
            found.setdefault(len(_OPERATORS), []).append(part.start)
        else:
            level = next((n for n, operators in enumerate(_OPERATORS) if text in operators), None)
            unary = not before or not _is_operand(before)
            words = (before, text) in (("is", "not"), ("not", "in"), ("async", "for"))
            in_target = text == "for" or (in_target and text != "in")
            if level is not None and not unary and not words and (text != "not" or _next(parts, number) == "in"):
                found.setdefault(level, []).append(part.start)
        before = text
    if commas:
        return -1, commas
    if "lambda" in [p.text for p in parts[:1] if isinstance(p, _Token)] or not found:
        return None, []
    level = min(found)
    if level == 0:  # the conditions of a comprehension stand on lines of their own
        found[0] = sorted([*found[0], *(place for place in found.get(1, ()) if place > found[0][0])])
    return level, found[level]


def _is_string(text: str) -> bool:
    return text[-1:] in ("'", '"')


def _next(parts: Sequence[_Token | _Group], number: int) -> str:
    following = parts[number + 1] if number + 1 < len(parts) else None
    return following.text if isinstance(following, _Token) else ""


def _is_operand(text: str) -> bool:
    """Whether a value ends with this token, so that what follows stands between two."""
    last = text[-1]
    if last in ")]}\"'._":
        return True
    return last.isalnum() and (not keyword.iskeyword(text) or text in ("None", "True", "False"))
