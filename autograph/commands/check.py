"""``autograph check``: what stays Python in files and packages, and why."""

from __future__ import annotations

import argparse
import functools
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from autograph.commands import comments, files, formats, many, notebooks, settings
from autograph.commands.cache import NAME, Folder
from autograph.commands.selection import ALL, Checked, Finding, Selection, at
from autograph.reasons import Reason
from autograph.report import Report, reports, shown
from autograph.source import Module

_DESCRIPTION = """\
Tell what is refused in files, notebooks and packages, and which `if`, loops, `match` and `assert` stay Python where a
staged value would be refused. Nothing is imported or run."""

_EPILOG = """\
codes (* is told of if --select or -v does not say otherwise):
{codes}

  `# autograph: ignore` behind a statement, or `# autograph: ignore[AG201]`, keeps it from being told of; behind a
  `def`, everything in the function.

exit status: 0 nothing was refused, and all is Python; 1 something was not, or something was found that --select names;
2 a path cannot be read, or the call is wrong"""


def main(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    given = parser()
    options = settings.parsed(given, arguments, "paths")
    if options.statistics and options.format != "text":
        given.error(f"--statistics are text: not with --format {options.format}")
    try:
        whole = options.statistics or options.verbose or options.format == "json"
        selection = Selection(_codes(options.select), _codes(options.ignore) or (), whole)
    except ValueError as error:
        given.error(str(error))
    try:
        named = [path for path in options.paths if path != files.STDIN]
        paths = list({os.path.realpath(path): path for path in _paths(named, options)}.values())
        kept = None if options.no_cache or not named else Folder(Path(named[0]))
        checked = many.done(functools.partial(_checked, kept), paths, options.jobs, "checked")
        if len(named) < len(options.paths):
            checked.append(_found(files.STDIN_NAME, _modules_of_input))
    except OSError as error:
        return files.fail(2, files.reason(error))
    if not checked:
        files.fail(0, f"no Python files in {', '.join(map(shown, named))}")
    if options.format != "text":
        formats.FORMATS[options.format](checked, selection)
    else:
        if options.statistics:
            _print_reasons(checked, selection)
        else:
            _print_each(checked, selection, options.verbose)
        _print_counts(checked)
    return int(any(selection.fails(finding) for file in checked for finding in file.findings))


def parser() -> argparse.ArgumentParser:
    codes = "\n".join(f"  {reason.code}{'*' if reason.costs else ' '} {reason}" for reason in Reason)
    parser = argparse.ArgumentParser(
        prog="autograph check",
        description=_DESCRIPTION,
        epilog=_EPILOG.format(codes=codes),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("paths", nargs="+", metavar="PATH", help=f"{files.PATH}, or - for standard input")
    add("--exclude", action="append", default=[], metavar="PATTERN", help=files.EXCLUDED)
    add("--force-exclude", action="store_true", help="exclude files that are named themselves, too")
    add("--select", action="append", metavar="CODES", help=f"tell of these alone (AG2,AG301; {ALL}), and fail for them")
    add("--ignore", action="append", metavar="CODES", help="do not tell of these")
    add("--format", choices=["text", *formats.FORMATS], default="text", help="for people (%(default)s), or programs")
    add("--json", action="store_const", const="json", dest="format", help="the same as --format json")
    add("--statistics", action="store_true", help="print how often there is each reason, and no more")
    add("-v", "--verbose", action="store_true", help="tell of everything, and of what is converted and can stage")
    add("-j", "--jobs", type=many.count, metavar="N", help=many.JOBS)
    add("--no-cache", action="store_true", help=f"look at all files anew, and keep nothing in {NAME}")
    return parser


def _codes(given: Sequence[str] | None) -> list[str] | None:
    return None if given is None else [code for part in given for code in part.split(",")]


def _paths(named: Sequence[str], options: argparse.Namespace) -> Iterator[Path]:
    for name in named:
        for path, place in files.found(name):
            is_named = len(place.parts) == 1  # whatever it is called, it should be Python
            is_meant = is_named or path.suffix in (".py", notebooks.SUFFIX)
            if is_meant and not settings.is_excluded(path, place, options.exclude, options.force_exclude):
                yield path


def _checked(kept: Folder | None, path: Path) -> Checked:
    key, known = kept.get(path) if kept is not None else ("", None)
    if known is not None and (done := _as_kept(path, known)) is not None:
        return done
    done = _found(str(path), lambda: _modules(path))
    if kept is not None and not done.others:
        kept.put(path, key, {"reports": [report.as_dict() for report in done.reports], "ignored": done.ignored})
    return done


def _found(path: str, modules: Callable[[], Iterable[Module]]) -> Checked:
    """What is found in the modules of a file, which has several if it is a notebook."""
    found: list[tuple[Report, int]] = []
    others: list[Finding] = []
    try:
        for module in modules():
            ignored, wrong = comments.ignored(module)
            found += [comments.without(ignored, report) for report in reports(module)]
            others += [at(path, module.filename, n, Reason.WRONG_COMMENT, text) for n, text in wrong.items()]
    except (SyntaxError, ValueError) as error:
        message = files.not_python(error, path)
        line = None if path.endswith(notebooks.SUFFIX) else getattr(error, "lineno", None)
        return Checked(path, others=(Finding(path, line, Reason.NO_PYTHON, message),))
    return Checked(path, tuple(r for r, _ in found), tuple(others), sum(count for _, count in found))


def _as_kept(path: Path, known: Any) -> Checked | None:
    """What was kept of a file, unless that is damaged."""
    try:
        return Checked(str(path), tuple(map(Report.from_dict, known["reports"])), ignored=int(known["ignored"]))
    except (TypeError, KeyError, AttributeError, ValueError):
        return None


def _modules(path: Path) -> Iterator[Module]:
    if path.suffix == notebooks.SUFFIX:
        return notebooks.read(path).cells(str(path))
    return iter([files.parsed(files.read(path).text, str(path))])


def _modules_of_input() -> Iterator[Module]:
    text = files.read_input().text
    if notebooks.is_notebook(text):
        return notebooks.Notebook(text).cells(files.STDIN_NAME)
    return iter([files.parsed(text, files.STDIN_NAME)])


def _print_reasons(checked: Sequence[Checked], selection: Selection) -> None:
    reasons = Counter((f.reason.code, str(f.reason)) for f in selection.of(checked))
    width = len(str(max(reasons.values(), default=0)))
    for (code, reason), count in sorted(reasons.items(), key=lambda row: (-row[1], row[0])):
        print(f"{count:{width}}  {code}  {reason}")


def _print_each(checked: Sequence[Checked], selection: Selection, verbose: bool) -> None:
    for file in checked:
        for finding in file.others:
            if verbose or finding.reason in selection:
                path = shown(finding.path)
                where = f"{path}:{finding.line}: " if finding.line else f"{path}, "
                print(finding.message if finding.reason is Reason.NO_PYTHON else f"{where}{finding.message}")
        for report in file.reports:
            stays = tuple(s for s in report.statements if verbose or s.reason in selection)
            if verbose or stays or report.kind in selection:
                print(report.showing(stays))


def _print_counts(checked: Sequence[Checked]) -> None:
    found = [report for file in checked for report in file.reports]
    counts = Counter(report.status for report in found)
    statements = [s for report in found for s in report.statements]
    kept = sum(s.reason is not None for s in statements)
    ignored, broken = sum(file.ignored for file in checked), sum(not file.is_python for file in checked)
    print(
        f"{files.counted(counts['converted'], 'function')} converted, {counts['left']} left as Python, "
        f"{counts['refused']} refused; "
        f"{len(statements) - kept} of {len(statements)} statements can stage"
        + (f"; {ignored} ignored" if ignored else "")
        + (f"; {broken} of the files {'is' if broken == 1 else 'are'} no Python" if broken else "")
    )
