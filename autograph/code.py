"""Converted source as users hold it: in the style that they ask for, and in colours where it is displayed."""

from __future__ import annotations

import sys
from typing import Any

from autograph.late import found

STYLES = ("black", "ruff")


class Code(str):
    """The text of a module: a `str`, but a notebook displays it highlighted, and IPython's prompt in colours.

    For that pygments must be installed, as it is wherever IPython is.
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        import html

        try:
            from pygments.formatters import HtmlFormatter
        except ImportError:
            return f"<pre>{html.escape(self)}</pre>"
        return highlighted(self, "python", HtmlFormatter(noclasses=True))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        terminal = sys.stdout.isatty()
        printer.text((highlighted(self, "python") if terminal else str(self)).rstrip("\n"))


def highlighted(text: str, language: str, formatter: object = None) -> str:
    """Text with the escapes that colour it on a terminal, or what a formatter of pygments makes of it; as it is where
    pygments is not installed."""
    try:
        from pygments import highlight
        from pygments.formatters import TerminalFormatter
        from pygments.lexers import get_lexer_by_name
    except ImportError:
        return text
    made: str = highlight(text, get_lexer_by_name(language), formatter or TerminalFormatter())
    return made


def styled(text: str, style: str | None, width: int) -> str:
    """Text as black or ruff would have it.

    Raises ValueError for another style, ImportError where the formatter is not installed.
    """
    if style is None:
        return text
    if style not in STYLES:
        raise ValueError(f"style={style!r} is none that is known here: {', '.join(map(repr, STYLES))}, or None")
    made: str = found("autograph.styles:styled")(text, style, width)
    return made
