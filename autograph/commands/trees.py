"""Files and packages on the command line: `check` tells what stays Python in them, `convert` writes them converted."""

from __future__ import annotations

import argparse
import importlib.util
import json
import stat
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from autograph import source
from autograph.commands import writing
from autograph.convert_file import convert_module
from autograph.report import Report, reports

COMMANDS = ("check", "convert")

_CHECK = """\
Tell for every function of files and packages whether it is converted, left as Python or refused, and for every `if`,
loop, `match` and `assert` whether it can stage. Nothing is imported or run."""

_CONVERT = """\
Write converted copies of files and packages into a folder; other files of a package are copied as they are. Nothing is
imported or run."""

_STATUS = {
    "check": "exit status: 0 all converted, or left for a reason; 1 something was refused or has a syntax error; "
    "2 a path cannot be read",
    "convert": "exit status: 0 done; 1 a file has a syntax error (and was copied as it is); 2 a path cannot be read or "
    "written",
}


def main(arguments: list[str]) -> int:
    """Run `autograph check …` or `autograph convert …`."""
    options = _parser().parse_args(arguments)
    try:
        files = [found for path in options.paths for found in _files(path, getattr(options, "output", None))]
    except OSError as error:
        return _fail(str(error))
    return _check(files, options) if options.command == "check" else _convert(files, options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="autograph")
    commands = parser.add_subparsers(dest="command")
    check = commands.add_parser("check", description=_CHECK, epilog=_STATUS["check"])
    check.add_argument("paths", nargs="+", metavar="PATH", help="a file, a folder, or the dotted name of a package")
    check.add_argument("--json", action="store_true", help="print a list of reports as JSON")
    check.add_argument("-v", "--verbose", action="store_true", help="also show what is converted and can stage")
    convert = commands.add_parser("convert", description=_CONVERT, epilog=_STATUS["convert"])
    convert.add_argument("paths", nargs="+", metavar="PATH", help="a file, a folder, or the dotted name of a package")
    convert.add_argument("-o", "--output", required=True, metavar="DIR", help="the folder to write into")
    convert.add_argument("--force", action="store_true", help="overwrite files there whatever they are")
    return parser


def _files(path: str, output: str | None) -> Iterator[tuple[Path, Path]]:
    """The files of a path or package, with where each stands in relation to it; not those of a folder inside that is
    written into."""
    root = Path(path)
    if not root.exists():
        root = _package(path)
    if root.is_file():
        yield root, Path(root.name)
        return
    written = None if output is None else Path(output).resolve()
    for file in sorted(root.rglob("*")):
        if written is not None and root.resolve() in written.parents and written in file.resolve().parents:
            continue
        parts = file.relative_to(root).parts
        hidden = any(part.startswith(".") or part == "__pycache__" for part in parts)
        if file.is_file() and not hidden:
            yield file, Path(root.resolve().name, *parts)


def _package(name: str) -> Path:
    missing = FileNotFoundError(f"{name}: no such file or folder, nor a package of that name")
    if not all(part.isidentifier() for part in name.split(".")):
        raise missing
    try:
        spec = importlib.util.find_spec(name.partition(".")[0])  # of the outermost, so that nothing is imported
    except (ImportError, ValueError):
        raise missing from None
    rest = name.split(".")[1:]
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        inside = Path(place, *rest)
        for candidate in (inside, inside.with_suffix(".py")):
            if candidate.exists():
                return candidate
    if spec is None or not spec.origin or not Path(spec.origin).exists() or rest:
        raise missing
    return Path(spec.origin)


def read(path: str | Path) -> str:
    """The text of a Python file, in the encoding that it declares."""
    with tokenize.open(path) as file:
        return file.read()


def _check(files: list[tuple[Path, Path]], options: argparse.Namespace) -> int:
    found: list[Report] = []
    broken: list[dict[str, object]] = []
    for path, _ in files:
        if path.suffix != ".py":
            continue
        try:
            found += reports(source.parse(read(path), str(path)))
        except SyntaxError as error:
            broken.append({"filename": str(path), "line": error.lineno, "status": "broken", "reason": error.msg})
            if not options.json:
                print(syntax_error(error, str(path)))
        except (OSError, UnicodeDecodeError) as error:
            return _fail(f"{path}: {error}")
    if options.json:
        json.dump([*(report.as_dict() for report in found), *broken], sys.stdout, indent=1)
        print()
    else:
        _print(found, options.verbose)
    return 1 if broken or any(report.status == "refused" for report in found) else 0


def _print(found: list[Report], verbose: bool) -> None:
    for report in found:
        stays = tuple(s for s in report.statements if verbose or s.reason)
        if verbose or stays or report.status != "converted":
            print(report.showing(stays))
    counts = Counter(report.status for report in found)
    statements = [s for report in found for s in report.statements]
    kept = sum(s.reason is not None for s in statements)
    print(
        f"{counts['converted']} functions converted, {counts['left']} left as Python, {counts['refused']} refused; "
        f"{len(statements) - kept} of {len(statements)} statements can stage"
    )


def _convert(files: list[tuple[Path, Path]], options: argparse.Namespace) -> int:
    output, status = Path(options.output), 0
    made: dict[Path, Path] = {}
    contents: list[tuple[Path, bytes | Path, int]] = []
    known = _written_before(output)
    sources = writing.identities(*(path for path, _ in files))
    try:
        for path, place in files:
            if place in made:
                raise writing.RefusedError(f"{path} and {made[place]} would both become {output / place}")
            made[place] = path
            content: bytes | Path = path
            if path.suffix == ".py":
                content, failed = _converted(path)
                status |= failed
            writing.check(output / place, content, sources, options.force, str(place) in known)
            contents.append((output / place, content, stat.S_IMODE(path.stat().st_mode)))
        for target, content, mode in contents:  # all of them may be written
            target.parent.mkdir(parents=True, exist_ok=True)
            writing.write(target, content.read_bytes() if isinstance(content, Path) else content, mode)
        if contents:
            names = "".join(f"{name}\n" for name in sorted({*known, *map(str, made)}))
            writing.write(output / _LIST, names.encode())
    except writing.RefusedError as error:
        return _fail(str(error))
    except (OSError, UnicodeDecodeError) as error:
        return _fail(f"{path}: {error}")
    print(f"{sum(path.suffix == '.py' for path, _ in files)} files converted into {output}")
    return status


_LIST = ".autograph"  # in the folder: what was written into it, and may be written again


def _written_before(output: Path) -> set[str]:
    try:
        return set((output / _LIST).read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError):
        return set()


def _converted(path: Path) -> tuple[bytes, int]:
    """The content of a converted file, and the exit status; one with a syntax error stays as it is."""
    text = read(path)
    try:
        return in_utf_8(convert_module(source.parse(text, str(path)))).encode(), 0
    except SyntaxError as error:
        print(f"autograph: {syntax_error(error, str(path))}", file=sys.stderr)
        return in_utf_8(text).encode(), 1


def in_utf_8(text: str) -> str:
    """The text without a line that declares another encoding, which it no longer has."""
    lines = text.split("\n")
    for index, line in enumerate(lines[:2]):
        if line.startswith("#") and "coding" in line:
            lines[index] = "# -*- coding: utf-8 -*-"
    return "\n".join(lines)


def syntax_error(error: SyntaxError, filename: str) -> str:
    """The line and the caret, as Python shows them."""
    text = f"{filename}:{error.lineno}: {type(error).__name__}: {error.msg}"
    if not error.text:
        return text
    line = error.text.rstrip("\n")
    stripped = line.lstrip()
    start = max((error.offset or 1) - 1 - (len(line) - len(stripped)), 0)
    same_line = error.end_lineno in (None, error.lineno)
    width = max((error.end_offset or 0) - (error.offset or 0), 1) if same_line else 1
    return f"{text}\n    {stripped}\n    {' ' * start}{'^' * width}"


def _fail(message: str) -> int:
    print(f"autograph: {message}", file=sys.stderr)
    return 2
