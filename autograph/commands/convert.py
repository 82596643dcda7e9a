"""``autograph convert``: files and packages, written converted into a folder."""

from __future__ import annotations

import argparse
import functools
import hashlib
import importlib.metadata
import stat
import sys
from pathlib import Path

from autograph import source
from autograph.code import STYLES, styled
from autograph.commands import cache, files, many, notebooks, settings, writing
from autograph.convert_file import convert_module
from autograph.printer import WIDTH

_DESCRIPTION = """\
Write converted copies of files, notebooks and packages into a folder; other files of a package are copied as they are,
what has not changed since is left alone. Nothing is imported or run."""

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
    parser.add_argument("-j", "--jobs", type=many.count, metavar="N", help=many.JOBS)
    parser.add_argument("--force", action="store_true", help="overwrite files there whatever they are")
    return parser


def _convert(found: list[tuple[Path, Path]], output: Path, options: argparse.Namespace) -> int:
    made: dict[Path, Path] = {}
    known = _written_before(output)
    sources = writing.identities(*(path for path, _ in found))
    converting = functools.partial(_converted, options.width, options.style)
    try:
        for path, place in found:
            if place in made:
                raise writing.RefusedError(f"{path} and {made[place]} would both become {output / place}")
            made[place] = path
        keys = {place: _key(path, options) for place, path in made.items() if _is_converted(place, options)}
        old = {place for place, key in keys.items() if _is_as_written(output / place, key, known.get(str(place)))}
        new = [place for place in keys if place not in old]
        results = many.done(converting, [made[place] for place in new], options.jobs, "converted")
        contents: dict[Path, bytes | Path] = {place: path for place, path in made.items() if place not in old}
        contents.update((place, content) for place, (content, _) in zip(new, results))
        for place, content in contents.items():
            writing.check(output / place, content, sources, options.force, str(place) in known)
        for place, content in contents.items():  # all of them may be written
            target = output / place
            target.parent.mkdir(parents=True, exist_ok=True)
            whole = content.read_bytes() if isinstance(content, Path) else content
            writing.write(target, whole, stat.S_IMODE(made[place].stat().st_mode))
            known[str(place)] = [keys[place], hashlib.sha256(whole).hexdigest()] if place in keys else []
        if made:
            writing.write(output / _LIST, "".join("\t".join([n, *k]) + "\n" for n, k in sorted(known.items())).encode())
    except writing.RefusedError as error:
        return files.fail(2, str(error))
    except OSError as error:
        return files.fail(2, f"{error.filename}: {error.strerror}" if error.strerror else str(error))
    except ImportError:
        return files.fail(2, files.no_style(options.style))
    broken = [message for _, message in results if message is not None]
    for message in broken:
        print(f"autograph: {message}", file=sys.stderr)
    count = f"{len(keys) - len(broken)} of {len(keys)}" if broken else str(len(keys))
    print(f"{count} files converted into {output}" + (f", of which {len(old)} were there" if old else ""))
    return int(bool(broken))


def _is_converted(place: Path, options: argparse.Namespace) -> bool:
    return place.suffix in _CONVERTED and not settings.is_excluded(place, options.exclude)


def _key(path: Path, options: argparse.Namespace) -> str:
    """What tells a source, and how it is converted, from another."""
    style = options.style and (options.style, _version(options.style))
    parts = [cache.program(), repr((options.width, style)).encode(), path.read_bytes()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _is_as_written(target: Path, key: str, before: list[str] | None) -> bool:
    """Whether a file is what was made of the same source before."""
    if not before or before[0] != key:
        return False
    try:
        return hashlib.sha256(target.read_bytes()).hexdigest() == before[1]
    except OSError:
        return False


def _written_before(output: Path) -> dict[str, list[str]]:
    """What was written into a folder; of what was converted, the keys of source and text."""
    try:
        lines = (output / _LIST).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return {}
    return {name: keys if len(keys) == 2 else [] for name, *keys in (line.split("\t") for line in lines)}


def _converted(width: int, style: str | None, path: Path) -> tuple[bytes, str | None]:
    """The content of a converted file; or that of the file, and what keeps it from being Python."""
    try:
        if path.suffix == notebooks.SUFFIX:
            notebook = notebooks.read(path)
            made = convert_module(notebook.module(str(path)), width)
            return notebook.with_cells(styled(made, style, width)).encode(), None
        text = files.read(path)
        made = convert_module(source.parse(text, str(path)), width)
        return files.in_utf_8(styled(made, style, width) if made != text else text).encode(), None
    except (SyntaxError, ValueError) as error:
        return path.read_bytes(), files.not_python(error, str(path))
