"""``autograph convert``: files and packages, written converted into a folder."""

from __future__ import annotations

import argparse
import stat
import sys
from pathlib import Path

from autograph import source
from autograph.code import STYLES, styled
from autograph.commands import files, notebooks, settings, writing
from autograph.convert_file import convert_module
from autograph.printer import WIDTH

_DESCRIPTION = """\
Write converted copies of files, notebooks and packages into a folder; other files of a package are copied as they are.
Nothing is imported or run."""

_STATUS = """\
exit status: 0 done; 1 a file is no Python (and was copied as it is); 2 a path cannot be read or written"""

_CONVERTED = (".py", notebooks.SUFFIX)
_LIST = ".autograph"  # in the folder: what was written into it, and may be written again


def main(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    options = settings.parsed(_parser(), arguments, "paths")
    output = Path(options.output)
    try:
        found = [pair for name in options.paths for pair in files.found(name, output)]
    except OSError as error:
        return files.fail(2, str(error))
    return _convert(found, output, options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="autograph convert", description=_DESCRIPTION, epilog=_STATUS)
    parser.add_argument("paths", nargs="+", metavar="PATH", help=files.PATH)
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="the folder to write into")
    parser.add_argument("--exclude", action="append", default=[], metavar="PATTERN", help=files.EXCLUDED)
    parser.add_argument("--width", type=int, default=WIDTH, help="columns that a line may have (%(default)s)")
    parser.add_argument("--style", choices=STYLES, help="lay the text out with this formatter, if it is installed")
    parser.add_argument("--force", action="store_true", help="overwrite files there whatever they are")
    return parser


def _convert(found: list[tuple[Path, Path]], output: Path, options: argparse.Namespace) -> int:
    count = failures = 0
    made: dict[Path, Path] = {}
    contents: list[tuple[Path, bytes | Path, int]] = []
    known = _written_before(output)
    sources = writing.identities(*(path for path, _ in found))
    try:
        for path, place in found:
            if place in made:
                raise writing.RefusedError(f"{path} and {made[place]} would both become {output / place}")
            made[place] = path
            content: bytes | Path = path
            if path.suffix in _CONVERTED and not settings.is_excluded(place, options.exclude):
                count += 1
                content, done = _converted(path, options.width, options.style)
                failures += not done
            writing.check(output / place, content, sources, options.force, str(place) in known)
            contents.append((output / place, content, stat.S_IMODE(path.stat().st_mode)))
        for target, content, mode in contents:  # all of them may be written
            target.parent.mkdir(parents=True, exist_ok=True)
            writing.write(target, content.read_bytes() if isinstance(content, Path) else content, mode)
        if contents:
            names = "".join(f"{name}\n" for name in sorted({*known, *map(str, made)}))
            writing.write(output / _LIST, names.encode())
    except writing.RefusedError as error:
        return files.fail(2, str(error))
    except OSError as error:
        return files.fail(2, f"{path}: {error.strerror or error}")
    except ImportError:
        return files.fail(2, files.no_style(options.style))
    print(f"{f'{count - failures} of ' if failures else ''}{count} files converted into {output}")
    return int(failures > 0)


def _written_before(output: Path) -> set[str]:
    try:
        return set((output / _LIST).read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError):
        return set()


def _converted(path: Path, width: int, style: str | None) -> tuple[bytes, bool]:
    """The content of a converted file, and whether it is one; what is no Python stays as it is."""
    try:
        if path.suffix == notebooks.SUFFIX:
            notebook = notebooks.read(path)
            made = convert_module(notebook.module(str(path)), width)
            return notebook.with_cells(styled(made, style, width)).encode(), True
        text = files.read(path)
        made = convert_module(source.parse(text, str(path)), width)
        return files.in_utf_8(styled(made, style, width) if made != text else text).encode(), True
    except (SyntaxError, ValueError) as error:
        print(f"autograph: {files.not_python(error, str(path))}", file=sys.stderr)
        return path.read_bytes(), False
