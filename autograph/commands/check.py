"""``autograph check``: what stays Python in files and packages, and why."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter

from autograph import source
from autograph.commands import files, notebooks, settings
from autograph.report import Report, reports

_DESCRIPTION = """\
Tell for every function of files, notebooks and packages whether it is converted, left as Python or refused, and for
every `if`, loop, `match` and `assert` whether it can stage. Nothing is imported or run."""

_STATUS = """\
exit status: 0 all converted, or left for a reason; 1 something was refused or is no Python; 2 a path cannot be
read"""


def main(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    options = settings.parsed(_parser(), arguments, "paths")
    try:
        found_files = [pair for name in options.paths for pair in files.found(name)]
    except OSError as error:
        return files.fail(2, str(error))
    paths = [path for path, place in found_files if not settings.is_excluded(place, options.exclude)]
    found: list[Report] = []
    broken: list[dict[str, object]] = []
    for path in paths:
        try:
            if path.suffix == notebooks.SUFFIX:
                for cell in notebooks.read(path).cells(str(path)):
                    found += reports(cell)
            elif path.suffix == ".py":
                found += reports(source.parse(files.read(path), str(path)))
        except (SyntaxError, ValueError) as error:
            line, reason = getattr(error, "lineno", None), getattr(error, "msg", None) or str(error)
            broken.append({"filename": str(path), "line": line, "status": "broken", "reason": reason})
            if not options.json:
                print(files.not_python(error, str(path)))
        except OSError as error:
            return files.fail(2, f"{path}: {error.strerror or error}")
    if options.json:
        json.dump([*(report.as_dict() for report in found), *broken], sys.stdout, indent=1)
        print()
    else:
        if options.statistics:
            _print_reasons(found)
        else:
            _print_each(found, options.verbose)
        _print_counts(found, len(broken))
    return 1 if broken or any(report.status == "refused" for report in found) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="autograph check", description=_DESCRIPTION, epilog=_STATUS)
    parser.add_argument("paths", nargs="+", metavar="PATH", help=files.PATH)
    parser.add_argument("--exclude", action="append", default=[], metavar="PATTERN", help=files.EXCLUDED)
    parser.add_argument("--json", action="store_true", help="print a list of reports as JSON")
    parser.add_argument("--statistics", action="store_true", help="print how often there is each reason, and no more")
    parser.add_argument("-v", "--verbose", action="store_true", help="also show what is converted and can stage")
    return parser


def _print_reasons(found: list[Report]) -> None:
    given = (reason for report in found for reason in (report.reason, *(s.reason for s in report.statements)))
    reasons = Counter(filter(None, given))
    width = len(str(max(reasons.values(), default=0)))
    for reason, count in sorted(reasons.items(), key=lambda row: (-row[1], row[0])):
        print(f"{count:{width}}  {reason}")


def _print_each(found: list[Report], verbose: bool) -> None:
    for report in found:
        stays = tuple(s for s in report.statements if verbose or s.reason)
        if verbose or stays or report.status != "converted":
            print(report.showing(stays))


def _print_counts(found: list[Report], broken: int) -> None:
    counts = Counter(report.status for report in found)
    statements = [s for report in found for s in report.statements]
    kept = sum(s.reason is not None for s in statements)
    print(
        f"{counts['converted']} functions converted, {counts['left']} left as Python, {counts['refused']} refused; "
        f"{len(statements) - kept} of {len(statements)} statements can stage"
        + (f"; {broken} of the files {'is' if broken == 1 else 'are'} no Python" if broken else "")
    )
