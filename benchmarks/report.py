"""The report: tables and plots as one HTML file, and the table of the README."""

from __future__ import annotations

import html as escaping
import math
import re
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measuring import Result

COLUMNS = ["here", "here, jit", "here, NumPy", "TF graph", "TF XLA", "JAX", "torch", "numba", "NumPy", "Python"]
COLOURS = dict(zip(COLUMNS, "#0b6e4f #35a07c #7fc8a9 #d1495b #edae49 #30638e #8f2d56 #6a4c93 #888888 #bbbbbb".split()))


def shown(seconds: float) -> str:
    """A time in the unit that suits it.

    >>> shown(3.2e-7), shown(0.0123), shown(2.5)
    ('0.32 µs', '12.3 ms', '2.5 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size or unit == "µs":
            number = seconds / size
            return (
                f"{number:,.2f} {unit}"
                if number < 1
                else f"{number:,.3g} {unit}"
                if number < 1000
                else f"{number:,.0f} {unit}"
            )
    raise AssertionError


def table(results: Sequence[Result], group: str) -> list[str]:
    """A group as lines of Markdown; the quickest of each row is bold."""
    rows = [r for r in results if r.group == group]
    columns = [c for c in COLUMNS if any(c in r.seconds for r in rows)]
    columns += [c for c in dict.fromkeys(c for r in rows for c in r.seconds) if c not in columns]
    lines = ["| | " + " | ".join(columns) + " |", "|---|" + "---|" * len(columns)]
    for r in rows:
        best = min(r.seconds.values())
        cells = []
        for c in columns:
            if c not in r.seconds:
                cells.append("")
                continue
            text = shown(r.seconds[c])
            cells.append(f"**{text}**" if r.seconds[c] == best else text)
        lines.append(f"| {r.case} | " + " | ".join(cells) + " |")
    return lines


def _first_calls(results: Sequence[Result]) -> list[str]:
    rows = [r for r in results if r.first]
    columns = [c for c in COLUMNS if any(c in r.first for r in rows) and c not in ("NumPy", "Python", "torch")]
    lines = ["| first call | " + " | ".join(columns) + " |", "|---|" + "---|" * len(columns)]
    for r in rows:
        lines.append(f"| {r.case} | " + " | ".join(shown(r.first[c]) if c in r.first else "" for c in columns) + " |")
    return lines


def into_readme(path: Path, results: Sequence[Result], memory: dict[str, float], about: str) -> None:
    """Put the tables between the marks."""
    lines = [f"{about}.", ""]
    for group in dict.fromkeys(r.group for r in results if r.group != "Compiling"):
        lines += [*table(results, group), ""]
    if any(r.first for r in results):
        text = "conversion, tracing, compiling and the call itself included; medians over processes"
        lines += [f"From a Python function to its first result, {text}:", ""]
        lines += [*_first_calls(results), ""]
    compiling = [r for r in results if r.group == "Compiling" and r.case.startswith(("first", "import", "cold"))]
    if compiling:
        lines += [*table(compiling, "Compiling"), ""]
    if memory:
        sizes = ", ".join(f"{name} {size:,.0f} MB" for name, size in memory.items())
        lines += [f"Peak memory of the cold process: {sizes}.", ""]
    text = path.read_text(encoding="utf-8")
    marks = "<!-- benchmarks -->", "<!-- end of benchmarks -->"
    pattern = re.compile(f"{marks[0]}.*?{marks[1]}", re.DOTALL)
    assert pattern.search(text), f"{path} has no marks {marks}"
    body = "\n".join([marks[0], *lines, marks[1]])
    path.write_text(pattern.sub(lambda _: body, text), encoding="utf-8")


def _bars(result: Result) -> str:
    """A case as bars on a logarithmic scale."""
    names = sorted(result.seconds, key=lambda n: COLUMNS.index(n) if n in COLUMNS else 99)
    low = min(result.seconds.values()) / 2
    scale = 420 / max(math.log10(max(result.seconds.values()) / low), 0.1)
    parts = []
    for i, name in enumerate(names):
        seconds = result.seconds[name]
        width = scale * math.log10(seconds / low)
        y = 18 * i
        colour = COLOURS.get(name, "#555555")
        parts.append(f'<text x="120" y="{y + 12}" text-anchor="end">{escaping.escape(name)}</text>')
        parts.append(f'<rect x="126" y="{y + 2}" width="{width:.1f}" height="13" fill="{colour}"/>')
        parts.append(f'<text x="{130 + width:.1f}" y="{y + 12}">{shown(seconds)}</text>')
    return f'<svg width="680" height="{18 * len(names) + 4}">{"".join(parts)}</svg>'


def _curves(results: Sequence[Result], title: str) -> str:
    """How times grow with a number in the names of cases, both scales logarithmic."""
    points: dict[str, list[tuple[float, float]]] = {}
    for r in results:
        number = re.search(r"\d[\d,]*", r.case)
        if number is None:
            continue
        for name, seconds in r.seconds.items():
            points.setdefault(name, []).append((float(number[0].replace(",", "")), seconds))
    everything = [p for line in points.values() for p in line]
    if len({x for x, _ in everything}) < 2:
        return ""
    xs, ys = [math.log10(x) for x, _ in everything], [math.log10(y) for _, y in everything]

    def place(x: float, y: float) -> str:
        across = 60 + 480 * (math.log10(x) - min(xs)) / (max(xs) - min(xs))
        down = 20 + 260 * (max(ys) - math.log10(y)) / max(max(ys) - min(ys), 0.1)
        return f"{across:.1f},{down:.1f}"

    parts = [f'<text x="60" y="12" font-weight="bold">{escaping.escape(title)}</text>']
    for name, line in points.items():
        colour = COLOURS.get(name, "#555555")
        spots = " ".join(place(x, y) for x, y in line)
        parts.append(f'<polyline points="{spots}" fill="none" stroke="{colour}" stroke-width="2"/>')
        at = place(*line[-1]).split(",")
        parts.append(f'<text x="{float(at[0]) + 6}" y="{at[1]}" fill="{colour}">{escaping.escape(name)}</text>')
        for x, y in line:
            cx, cy = place(x, y).split(",")
            parts.append(f'<circle cx="{cx}" cy="{cy}" r="3" fill="{colour}"><title>{x:g}: {shown(y)}</title></circle>')
    for x in sorted({x for x, _ in everything}):
        parts.append(f'<text x="{place(x, 10 ** min(ys)).split(",")[0]}" y="300" text-anchor="middle">{x:g}</text>')
    return f'<svg width="720" height="310">{"".join(parts)}</svg>'


def html(results: Sequence[Result], memory: dict[str, float], about: str) -> str:
    """The whole report."""
    style = "body{font:14px sans-serif;max-width:60em;margin:2em auto}svg{font:12px sans-serif;display:block}"
    parts = [f"<!doctype html><meta charset=utf-8><title>Benchmarks</title><style>{style}</style><h1>Benchmarks</h1>"]
    parts.append(f"<p>{escaping.escape(about)}. Bars are on a logarithmic scale; shorter is quicker.")
    for group in dict.fromkeys(r.group for r in results):
        parts.append(f"<h2>{escaping.escape(group)}</h2>")
        for r in results:
            if r.group == group:
                warning = "" if r.agree else " (the results differ!)"
                parts.append(f"<h3>{escaping.escape(r.case)}{warning}</h3>{_bars(r)}")
    parts.append("<h2>Against size</h2>")
    for start, title in (
        ("first call,", "from a function to its first result, by operations"),
        ("converting ", "converting, by branches"),
    ):
        parts.append(_curves([r for r in results if r.case.startswith(start)], title))
    if memory:
        rows = "".join(f"<tr><td>{escaping.escape(n)}<td>{s:,.0f} MB" for n, s in memory.items())
        parts.append(f"<h2>Peak memory of a process that runs a loop</h2><table>{rows}</table>")
    return "\n".join(parts)
