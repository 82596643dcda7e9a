"""``python -m docs FOLDER``: write the sources of the site, those that are made from the code included."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from autograph.reasons import Reason
from docs import reference
from runtime.staging.numpy_protocol import coverage

ROOT = Path(__file__).parent.parent


def section(title: str, text: str) -> str:
    """What stands under a heading of the README."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.S | re.M)
    assert found is not None, f"the README has no section {title!r}"
    return found[1].strip()


def reasons() -> str:
    """The table of the reasons for which a statement stays Python."""
    head = ["| code | a statement stays Python, because | a staged value is refused there |", "|---|---|---|"]
    rows = [f"| {reason.code} | {reason} | {'yes' if reason.costs else 'no'} |" for reason in Reason]
    return "\n".join([*head, *rows])


def refusals() -> str:
    """The README's table of what is refused on staged values."""
    _, _, after = readme("What is converted").partition("**Refused**")
    return "\n".join(line for line in after.splitlines() if line.startswith("|"))


def rules_of_values() -> str:
    """What the README says of staged values, point by point."""
    before, _, _ = readme("What is converted").partition("**Refused**")
    return before[before.index("\n- ") :].strip()


def readme(title: str) -> str:
    return section(title, (ROOT / "README.md").read_text(encoding="utf-8"))


def benchmarks() -> str:
    """The README's tables of times."""
    text = readme("How fast")
    return text[text.index("<!-- benchmarks -->") :]


def changes() -> str:
    """The changelog, less its title."""
    return (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").partition("\n")[2].strip()


def deviations() -> str:
    """The differences from TensorFlow that are on record."""
    known = json.loads((ROOT / "tests" / "deviations.json").read_text(encoding="utf-8"))
    rows = [f"| `{name}` | {why} |" for name, why in known.items()]
    return "\n".join(["| program | here |", "|---|---|", *rows])


def numpy_functions() -> str:
    """What becomes of NumPy's functions, module by module."""
    rows = list(coverage.functions())
    parts = []
    for prefix, title in (
        ("", "numpy"),
        ("linalg.", "numpy.linalg"),
        ("fft.", "numpy.fft"),
        ("random.", "numpy.random"),
    ):
        mine = [row for row in rows if row.name.startswith(prefix) and (prefix or "." not in row.name)]
        parts.append(f"### `{title}`\n\n{coverage.table(iter(mine))}")
    return "\n\n".join(parts)


INSERTS: dict[str, Callable[[], str]] = {
    "reasons": reasons,
    "numpy functions": numpy_functions,
    "numpy ufunc methods": lambda: coverage.table(coverage.ufunc_methods()),
    "numpy array methods": lambda: coverage.table(coverage.methods()),
    "refusals": refusals,
    "rules of values": rules_of_values,
    "benchmarks": benchmarks,
    "changes": changes,
    "deviations": deviations,
}


def filled(text: str) -> str:
    """The text of a page, with what its comments ask for."""
    text = re.sub(r"<!-- insert ([\w ]+) -->", lambda found: INSERTS[found[1]](), text)
    text = re.sub(r"^```(\w+) (?:output|ahead)$", r"```{code-block} \1\n:class: output\n", text, flags=re.M)
    text = re.sub(r"^```(\w+) file=(\S+)$", r"```{code-block} \1\n:caption: '`\2`'\n", text, flags=re.M)
    text = re.sub(r"^```(\w+) needs=\S+$", r"```\1", text, flags=re.M)
    text = re.sub(
        r"<!-- columns -->\n(.*?)<!-- end of columns -->", r"::::{container} columns\n\1::::", text, flags=re.S
    )
    return re.sub(r"<!-- toctree\n(.*?)-->", r"```{toctree}\n\1```", text, flags=re.S)


def sources() -> dict[str, str]:
    """The text of each page of the site, by its path."""
    folder = ROOT / "docs"
    written = {
        path.relative_to(folder).as_posix(): filled(path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*.md"))
    }
    return {**written, **reference.pages()}


def write(folder: Path) -> None:
    """Write the sources, and remove what was there."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in sources().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
