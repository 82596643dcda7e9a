"""Findings, which of them are told of, and by which codes they are named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from autograph.reasons import Reason
from autograph.report import Report

ALL = "ALL"


@dataclass(frozen=True)
class Finding:
    """Something to tell of: where, why, and in words."""

    path: str
    line: int | None
    reason: Reason
    message: str


@dataclass(frozen=True)
class Checked:
    """What was found in one file: the reports on its functions, and what else there is to tell."""

    path: str
    reports: tuple[Report, ...] = ()
    others: tuple[Finding, ...] = ()  # which no report tells of
    ignored: int = 0  # findings that comments keep from being told of

    @property
    def is_python(self) -> bool:
        """Whether it is, as far as can be told."""
        return all(finding.reason is not Reason.NO_PYTHON for finding in self.others)

    @property
    def findings(self) -> Iterator[Finding]:
        """All there is, in the order of the reports."""
        yield from self.others
        for report in self.reports:
            if report.kind is not None:
                words = "is left as Python" if report.status == "left" else "is refused"
                yield at(
                    self.path, report.filename, report.line, report.kind, f"{report.name} {words}: {report.reason}"
                )
            for s in report.statements:
                if s.reason is not None:
                    yield at(self.path, report.filename, s.line, s.reason, f"`{s.text}` stays Python: {s.reason}")


def at(path: str, filename: str, line: int, reason: Reason, message: str) -> Finding:
    """Something to tell of a line of a file, or of one of its cells, which `filename` names."""
    if filename == path:
        return Finding(path, line, reason, message)
    cell = filename.removeprefix(path).lstrip(", ")  # whose lines are not those of the file
    return Finding(path, None, reason, f"{cell}, line {line}: {message}")


class Selection:
    """Reasons by their codes, or by what their codes begin with. Raises ValueError for codes that there are not.

    >>> selection = Selection(["AG2"], ["AG204"])
    >>> Reason.WAITS in selection, Reason.JUMPS_IN_LOOP in selection, Reason.REFUSED in selection
    (True, False, False)
    """

    def __init__(self, select: Sequence[str] | None, ignore: Sequence[str] = (), whole: bool = False) -> None:
        """`whole`: everything if nothing is selected, instead of what costs something."""
        self._is_explicit = select is not None
        usual = {reason for reason in Reason if reason.costs or whole}
        self._reasons = (usual if select is None else {Reason.NO_PYTHON, *named(select)}) - named(ignore)

    def __contains__(self, reason: Reason | None) -> bool:
        return reason in self._reasons

    def fails(self, finding: Finding) -> bool:
        """Whether the exit status tells of a finding."""
        return finding.reason in self and (self._is_explicit or finding.reason.is_error)

    def of(self, checked: Sequence[Checked]) -> Iterator[Finding]:
        """The findings that are selected."""
        return (finding for file in checked for finding in file.findings if finding.reason in self)

    def within(self, report: Report) -> Report:
        """The report, with what stays Python for a reason that is selected alone."""
        kept = tuple(s for s in report.statements if s.reason is None or s.reason in self)
        return replace(report, statements=kept)


def is_code(given: str) -> bool:
    """Whether a code, or what codes begin with, stands for any reason."""
    return bool(_meant(given))


def named(codes: Sequence[str]) -> set[Reason]:
    """The reasons that codes stand for. Raises ValueError for codes that there are not."""
    found: set[Reason] = set()
    for given in [code for code in codes if code.strip()] or codes:
        if not is_code(given):
            raise ValueError(f"there is no code {given!r} (autograph check -h lists them)")
        found |= _meant(given)
    return found


def _meant(given: str) -> set[Reason]:
    code = given.strip().upper()
    return {reason for reason in Reason if code == ALL or (code and reason.code.startswith(code))}
