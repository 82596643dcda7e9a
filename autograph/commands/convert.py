"""``autograph convert``: files and packages, written converted into a folder."""

from __future__ import annotations

import argparse
import functools
import hashlib
import itertools
import json
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from autograph.code import STYLES, styled
from autograph.commands import cache, files, many, notebooks, settings, writing
from autograph.convert_file import convert_module
from autograph.printer import WIDTH

_DESCRIPTION = """\
Write converted copies of files, notebooks and packages into a folder; other files of a package are copied as they are.
Done again, it writes what has changed and removes what has gone. Nothing is imported or run."""

_STATUS = """\
exit status: 0 done; 1 a file is no Python, or a function of it cannot be converted (and stays as it is);
2 a path cannot be read or written"""

_CONVERTED = (".py", notebooks.SUFFIX)


@dataclass(frozen=True)
class _Written:
    """A file in the folder that was written before: of what source, and what (unknown if they are empty)."""

    source: str = ""
    content: str = ""

    def is_at(self, target: Path) -> bool:
        """Whether that is what is there."""
        try:
            return _digest(target.read_bytes()) == self.content
        except OSError:
            return False


@dataclass(frozen=True)
class _Made:
    """The content that a file became, and what there is to tell of what could not be converted."""

    content: bytes
    notes: tuple[str, ...] = ()
    is_python: bool = True


def main(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    options = settings.parsed(parser(), arguments, "paths")
    output = Path(options.output)
    try:
        return _convert([pair for name in options.paths for pair in files.found(name, output)], output, options)
    except ImportError:
        return files.fail(2, files.no_style(options.style))
    except OSError as error:
        return files.fail(2, files.reason(error))


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="autograph convert", description=_DESCRIPTION, epilog=_STATUS)
    parser.add_argument("paths", nargs="+", metavar="PATH", help=files.PATH)
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="the folder to write into")
    parser.add_argument("--exclude", action="append", default=[], metavar="PATTERN", help=files.EXCLUDED)
    parser.add_argument("--width", type=settings.width, default=WIDTH, help=files.WIDTH)
    parser.add_argument("--style", choices=STYLES, help=files.STYLE)
    parser.add_argument("-j", "--jobs", type=many.count, metavar="N", help=many.JOBS)
    parser.add_argument("--force", action="store_true", help="overwrite files there whatever they are")
    return parser


def _convert(found: list[tuple[Path, Path]], output: Path, options: argparse.Namespace) -> int:
    made: dict[Path, Path] = {}
    for path, place in found:
        if place in made:
            raise writing.RefusedError(f"{path} and {made[place]} would both become {output / place}")
        made[place] = path
    known = _written_before(output)
    keys = {place: _key(path, options) for place, path in made.items() if _is_converted(path, place, options)}
    old = {p for p, key in keys.items() if (w := known.get(p)) and w.source == key and w.is_at(output / p)}
    new = [place for place in keys if place not in old]
    converting = functools.partial(_converted, options.width, options.style)
    results = many.done(converting, [made[place] for place in new], options.jobs, "converted")
    contents: dict[Path, bytes | Path] = {place: path for place, path in made.items() if place not in old}
    contents.update((place, result.content) for place, result in zip(new, results))
    notes = {place: result.notes for place, result in zip(new, results) if result.notes}
    broken = sum(not result.is_python for result in results)

    sources = writing.identities(*made.values())
    gone = _gone(output, known, made)
    for place, content in contents.items():
        before = known.get(place)
        ours = before is not None and (not before.content or before.is_at(output / place))
        writing.check(output / place, content, sources, options.force, ours, [output / p for p in gone])
    for place in gone:  # all of them may be written
        writing.remove(output / place, output)
        del known[place]
    if output.exists() and not output.is_dir():
        raise writing.RefusedError(f"{output} is a file; -o names the folder to write into")
    if made:
        output.mkdir(parents=True, exist_ok=True)
        _keep(output, known | {place: _Written() for place in contents})  # they are ours, should this be interrupted
    for place, content in contents.items():
        (output / place).parent.mkdir(parents=True, exist_ok=True)
        whole = content.read_bytes() if isinstance(content, Path) else content
        writing.write(output / place, whole, stat.S_IMODE(made[place].stat().st_mode))
        known[place] = _Written("" if place in notes else keys.get(place, ""), _digest(whole))
    if made:
        _keep(output, known)
    for place in old:
        writing.set_mode(output / place, stat.S_IMODE(made[place].stat().st_mode))
    for note in itertools.chain(*notes.values()):
        print(f"autograph: {note}", file=sys.stderr)
    done = f"{len(keys) - broken} of " if broken else ""
    there = f", of which {len(old)} {'was' if len(old) == 1 else 'were'} there" if old else ""
    print(f"{done}{files.counted(len(keys), 'file')} converted into {output}{there}")
    return int(bool(notes))


def _is_converted(path: Path, place: Path, options: argparse.Namespace) -> bool:
    is_meant = path.suffix in _CONVERTED or len(place.parts) == 1
    return is_meant and not settings.is_excluded(path, place, options.exclude)


def _gone(output: Path, known: Mapping[Path, _Written], made: Mapping[Path, Path]) -> list[Path]:
    """What was written of folders that are converted now and has no source any more, if it is as it was written."""
    folders = {place.parts[0] for place in made if len(place.parts) > 1}
    left = [place for place in known if place not in made and len(place.parts) > 1 and place.parts[0] in folders]
    return [place for place in left if known[place].is_at(output / place)]


def _key(path: Path, options: argparse.Namespace) -> str:
    """What tells a source, and how it is converted, from another."""
    style = options.style and (options.style, _version(options.style))
    return _digest(b"\0".join([cache.program(), repr((options.width, style)).encode(), path.read_bytes()]))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _version(name: str) -> str | None:
    from importlib import metadata  # which takes longer to import than all of ours

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _written_before(output: Path) -> dict[Path, _Written]:
    """What was written into a folder. Earlier versions kept a list of names."""
    try:
        text = (output / files.LIST).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return {}
    try:
        return {Path(place): _Written(*map(str, facts)) for place, facts in json.loads(text).items()}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return {Path(name): _Written() for name in text.splitlines() if name}


def _keep(output: Path, known: Mapping[Path, _Written]) -> None:
    rows = {str(place): [written.source, written.content] for place, written in sorted(known.items())}
    writing.write(output / files.LIST, json.dumps(rows, indent=0).encode())


def _converted(width: int, style: str | None, path: Path) -> _Made:
    """The content of a converted file, or that of the file if it is no Python."""
    notes: list[str] = []
    refuse = files.refusing(str(path), notes)
    try:
        if path.suffix == notebooks.SUFFIX:
            notebook = notebooks.read(path)
            made = convert_module(notebook.module(str(path)), width, refuse)
            return _Made(notebook.with_cells(styled(made, style, width)).encode(), tuple(notes))
        text = files.read(path)
        made = convert_module(files.parsed(text.text, str(path)), width, refuse)
        content = path.read_bytes() if made == text.text else text.encoded(styled(made, style, width))
        return _Made(content, tuple(notes))
    except (SyntaxError, ValueError) as error:
        return _Made(path.read_bytes(), (files.not_python(error, str(path)),), is_python=False)
