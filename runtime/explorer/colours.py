"""Python text cut into pieces that have a colour each, where pygments is installed."""

from __future__ import annotations

Piece = tuple[str, str]  # its kind, or nothing, and its text


def coloured(text: str) -> list[list[Piece]]:
    """The lines of a text as pieces; each is one piece without a kind where pygments is not installed."""
    try:
        from pygments.lexers import PythonLexer
        from pygments.token import Comment, Keyword, Name, Number, Operator, String
    except ImportError:
        return [[("", line)] if line else [] for line in text.removesuffix("\n").split("\n")]
    kinds = [
        (Keyword, "keyword"), (Operator.Word, "keyword"), (Comment, "comment"), (String, "string"), (Number, "number"),
        (Name.Function, "name"), (Name.Class, "name"), (Name.Decorator, "name"), (Name.Builtin, "builtin"),
    ]  # fmt: skip
    lines: list[list[Piece]] = [[]]
    for token, piece in PythonLexer(stripnl=False, ensurenl=False).get_tokens(text):
        kind = next((name for wanted, name in kinds if token in wanted), "")
        first, *others = piece.split("\n")
        for number, part in enumerate([first, *others]):
            if number:
                lines.append([])
            if part:
                _add(lines[-1], kind, part)
    return lines[:-1] if text.endswith("\n") else lines


def _add(line: list[Piece], kind: str, text: str) -> None:
    if line and line[-1][0] == kind:
        line[-1] = kind, line[-1][1] + text
    else:
        line.append((kind, text))
