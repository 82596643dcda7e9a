"""Regular expressions as TensorFlow's library, RE2, reads them, written for Python's `re`."""

from __future__ import annotations

import functools
import re
import string

# What stands in brackets for a set of letters, all of them of ASCII.
_SETS = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": r"\x00-\x7f", "blank": r"\t ", "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9", "graph": "!-~", "lower": "a-z", "print": " -~", "punct": re.escape(string.punctuation),
    "space": r"\t-\r ", "upper": "A-Z", "word": "0-9A-Za-z_", "xdigit": "0-9A-Fa-f",
}  # fmt: skip
_ESCAPES = {"d": "0-9", "s": r"\t\n\f\r ", "w": "0-9A-Za-z_"}  # \D, \S and \W are all others
_ENDS = {r"\z": r"\Z", r"\b": r"(?a:\b)", r"\B": r"(?a:\B)"}
_TOKEN = re.compile(
    r"""\\Q(?P<literal>.*?)(?:\\E|\Z)
      | \\x\{(?P<number>[0-9A-Fa-f]+)\}
      | \\(?P<letter>[dDsSwW])
      | \\.
      | (?P<brace>\{)(?=,)
      | \(\?(?P<flags>[a-zA-Z]*(?:-[a-zA-Z]+)?)(?P<colon>[:)])
      | \[:(?P<not>\^?)(?P<set>\w+):\]
      | .""",
    re.DOTALL | re.VERBOSE,
)


@functools.lru_cache(64)
def compiled(pattern: str) -> re.Pattern[str]:
    """A regular expression of RE2's: raises `re.error` for what is none.

    >>> compiled("[[:digit:]]+$").fullmatch("12\\n")
    >>> compiled("[[:digit:]]+$").fullmatch("12").span()
    (0, 2)
    """
    return re.compile(_translated(pattern))


def _translated(pattern: str) -> str:
    """Python's way to write it; brackets, and groups with flags of their own, are followed as they open and close.

    >>> print(_translated(r"[[:upper:]\\d]+$"))
    [A-Z0-9]+\\Z
    """
    made: list[str] = []
    lines = [False]  # whether ``$`` is the end of a line, here and in the groups around
    first = None  # where the brackets begin that are open: a bracket that closes is a letter there
    for token in _TOKEN.finditer(pattern):
        text, bracketed = token[0], first is not None
        if bracketed:
            first = None if text == "]" and token.start() != first else first
        elif text == "[":
            first = token.end() + pattern.startswith("^", token.end())
        elif token["flags"] is not None or text == "(":
            on, _, off = (token["flags"] or "").partition("-")
            inner = "m" not in off and ("m" in on or lines[-1])
            lines = [*(lines[:-1] if text.endswith(")") else lines), inner]
        elif text == ")":
            lines = lines[:-1] or lines
        made.append(_piece(token, bracketed, lines[-1]))
    return "".join(made)


def _piece(token: re.Match[str], bracketed: bool, lines: bool) -> str:
    text, letter = token[0], token["letter"]
    if token["literal"] is not None:
        return re.escape(token["literal"])
    if token["number"]:
        return re.escape(chr(int(token["number"], 16)))
    if token["set"] and bracketed:
        if token["set"] not in _SETS:
            raise re.error(f"there is no set of letters {text}", token.string, token.start())
        return _others(_SETS[token["set"]]) if token["not"] else _SETS[token["set"]]
    if letter:
        some = _ESCAPES[letter.lower()] if letter.islower() else _others(_ESCAPES[letter.lower()])
        return some if bracketed else f"[{some}]"
    if token["brace"]:
        return r"\{"
    if bracketed:
        return r"\[" if text == "[" else text
    return r"\Z" if text == "$" and not lines else _ENDS.get(text, text)


def _others(some: str) -> str:
    """All characters but some, as they stand in brackets."""
    found = re.compile(f"[{some}]")
    others = "".join(chr(n) for n in range(128) if not found.fullmatch(chr(n)))
    return re.escape(others) + "\\x80-\U0010ffff"
