"""The page as HTML: the data put into the template, and for a notebook into a frame of its own."""

from __future__ import annotations

import html
from importlib import resources

from runtime.explorer.data import Page

_HEIGHT = 760  # pixels in a notebook


def whole(page: Page) -> str:
    """The page, which needs nothing else."""
    template = resources.files("runtime.explorer").joinpath("page.html").read_text(encoding="utf-8")
    before, after = template.split("{{data}}")
    return f"{before}{page.json()}{after}"


def framed(text: str) -> str:
    """A page within another, each with its own style."""
    style = f"width:100%;height:{_HEIGHT}px;border:0;border-radius:8px"
    return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{html.escape(text)}"></iframe>'
