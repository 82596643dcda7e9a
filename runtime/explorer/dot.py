"""A graph as a drawing of Graphviz's: its text, and where the program is there, the picture."""

from __future__ import annotations

import itertools
import shutil
import subprocess
from collections.abc import Iterator

from runtime.explorer.drawing import Box, outline
from runtime.graph.graph import Graph

_SHAPES = {"input": "ellipse", "output": "ellipse", "node": "box"}


def to_dot(graph: Graph) -> str:
    """A graph in the language of Graphviz: branches and loops are boxes around boxes.

    Args:
      graph: the graph, such as that of a ConcreteFunction.
    Returns: a text, for ``dot`` and other programs.
    """
    numbers = itertools.count()
    lines = [f"digraph {_text(graph.name)} {{", "  compound=true", '  node [fontname="monospace", fontsize=10]']
    lines += [f"  {line}" for line in _inside(outline(graph), numbers)]
    return "\n".join([*lines, "}", ""])


def _inside(box: Box, numbers: Iterator[int]) -> Iterator[str]:
    """The lines for what is in a box: each box inside, and the arrows between them."""
    names = []
    for inner in box.boxes:
        number = next(numbers)
        names.append((f"n{number}", f"cluster_{number}" if inner.boxes else ""))
        if not inner.boxes:
            text = "\n".join(filter(None, (inner.label, inner.detail)))
            yield f"n{number} [label={_text(text)}, shape={_SHAPES[inner.kind]}]"
            continue
        yield f"subgraph cluster_{number} {{"
        yield f"  label={_text(inner.label)}"
        yield f'  n{number} [style=invis, shape=point, label=""]'  # what arrows can end at
        for side in inner.boxes:
            yield f"  subgraph cluster_{next(numbers)} {{"
            yield f"    label={_text(side.label)}"
            yield from (f"    {line}" for line in _inside(side, numbers))
            yield "  }"
        yield "}"
    for start, end in box.joined:
        (tail, around), (head, into) = names[start], names[end]
        ends = [f"{what}={name}" for what, name in (("ltail", around), ("lhead", into)) if name]
        yield f"{tail} -> {head}" + (f" [{', '.join(ends)}]" if ends else "")


def _text(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def to_svg(graph: Graph) -> str:
    """The drawing of a graph as SVG, which Graphviz makes.

    Args:
      graph: the graph.
    Returns: the picture, as text.
    Raises:
      ImportError: if Graphviz is not installed.
    """
    program = shutil.which("dot")
    if program is None:
        raise ImportError(
            "to_svg needs Graphviz, whose program dot is not found (apt install graphviz, brew install graphviz). "
            "runtime.explore draws without it."
        )
    done = subprocess.run([program, "-Tsvg"], input=to_dot(graph), capture_output=True, text=True, check=True)
    return done.stdout
