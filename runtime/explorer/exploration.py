"""`explore`: the page of a function, for a notebook or a file."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from autograph.late import found

if TYPE_CHECKING:
    from runtime.explorer.data import Page


class Exploration:
    """The page that shows what becomes of a function; `explore` gives it. A notebook displays it.

    `page` is all that it shows, as plain data.

    >>> tf.explore(lambda x: x * 2, tf.TensorSpec([3], tf.float32))
    <Exploration of <lambda>>
    """

    def __init__(self, page: Page) -> None:
        self.page = page

    @functools.cached_property
    def html(self) -> str:
        """The page as text, which needs nothing else.

        >>> tf.explore(lambda x: x * 2, tf.constant(1.0)).html[:15]
        '<!DOCTYPE html>'
        """
        text: str = found("runtime.explorer.text:whole")(self.page)
        return text

    def save(self, path: str | Path) -> None:
        """Write the page to a file. Raises OSError where that cannot be written.

        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "page.html")
        ...     tf.explore(lambda x: x * 2, tf.constant(1.0)).save(path)
        ...     path.exists()
        True
        """
        Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        framed: str = found("runtime.explorer.text:framed")(self.html)
        return framed

    def __repr__(self) -> str:
        return f"<Exploration of {self.page.name}>"


def explore(f: Callable[..., object], *args: object, times: bool = False) -> Exploration:
    """Show all that becomes of a function, side by side: its source, converted, as a graph, optimised, as machine code.

    What belongs together is linked: pointing at a line highlights what came of it in every column.

    Args:
      f: a Python function, method or lambda, or what `function` has made of one.
      *args: the arguments of a call. Where a TensorSpec stands for a tensor, the function is traced for its dtype and
        shape, and not run.
      times: whether to tell how long a call takes in each form, for which real arguments are needed. The function is
        called some thousand times then, and what it does in Python (writing a file, say) is done each time.
    Returns: an Exploration: it has `html` and `save(path)`, and a notebook displays it. If the function cannot be
      traced for these arguments, the page shows why, and where.
    Raises:
      TypeError: for what is no function.
      SourceNotFoundError: for a function that is written in C.

    >>> def halve(x):
    ...     while x > 1:
    ...         x = x / 2
    ...     return x
    >>> shown = tf.explore(halve, tf.TensorSpec([], tf.float32))
    >>> shown.page.inputs, shown.page.outputs
    (['x: float32()'], ['float32()'])
    """
    return Exploration(found("runtime.explorer.data:page")(f, args, times))
