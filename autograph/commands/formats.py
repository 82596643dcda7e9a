"""Findings as other programs read them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from autograph import __version__
from autograph.commands.selection import Checked, Finding, Selection
from autograph.reasons import Reason

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_json(checked: Sequence[Checked], selection: Selection) -> None:
    """All reports, without the statements that are not selected, and what else there is."""
    found: list[object] = []
    for file in checked:
        for report in file.reports:
            found.append(selection.within(report).as_dict())
    for file in checked:
        for finding in (f for f in file.others if f.reason in selection):
            place = {"filename": finding.path, "line": finding.line, "status": "broken"}
            found.append({**place, "reason": finding.message, "code": finding.reason.code})
    _write(found)


def as_sarif(checked: Sequence[Checked], selection: Selection) -> None:
    """A log of the format that code scanners exchange, version 2.1.0."""
    rules = [
        {"id": r.code, "shortDescription": {"text": r}, "defaultConfiguration": {"level": _level(r)}} for r in Reason
    ]
    driver = {"name": "autograph", "version": __version__, "rules": rules}
    results = [_result(finding) for finding in selection.of(checked)]
    _write({"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]})


def as_github(checked: Sequence[Checked], selection: Selection) -> None:
    """Lines that GitHub's workflows turn into annotations of the files."""
    for finding in selection.of(checked):
        line = f",line={finding.line}" if finding.line else ""
        place = f"file={_escaped(finding.path, ',:')}{line},title={finding.reason.code}"
        level = _level(finding.reason).replace("note", "notice")
        print(f"::{level} {place}::{_escaped(finding.message)}")


FORMATS: Mapping[str, Callable[[Sequence[Checked], Selection], None]] = {
    "json": as_json,
    "github": as_github,
    "sarif": as_sarif,
}


def _level(reason: Reason) -> str:
    if reason.is_error:
        return "error"
    return "warning" if reason.costs else "note"


def _result(finding: Finding) -> dict[str, object]:
    path = Path(finding.path)
    uri = path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))
    place: dict[str, object] = {"artifactLocation": {"uri": uri}}
    if finding.line:
        place["region"] = {"startLine": finding.line}
    return {
        "ruleId": finding.reason.code,
        "level": _level(finding.reason),
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": place}],
    }


def _escaped(text: str, others: str = "") -> str:
    for character in "%\r\n" + others:
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def _write(value: object) -> None:
    json.dump(value, sys.stdout, indent=1)
    print()
