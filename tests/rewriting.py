"""Rewrite a few lines with one pass, for tables of before and after."""

import textwrap

import gast

from autograph import printer
from autograph.analysis.symbols import all_names
from autograph.context import Context
from autograph.eligibility import mark_listed, mark_shadowed
from autograph.loading.written import written


def rewritten(source, *passes, modules=None, class_name=None):
    """The body of a function after the passes, as text; `source` is its body, or a whole def."""
    source = textwrap.dedent(source).strip()
    whole = source.startswith(("def ", "async def ", "@"))
    text = source if whole else "def f():\n" + textwrap.indent(source, "    ")
    tree = gast.parse(text).body[0]
    context = Context(class_name, modules or {}, taken=all_names(tree))
    mark_shadowed(tree, context)
    mark_listed(tree, context)
    for rewrite in passes:
        tree = rewrite.run(tree, context)
    context.finish()
    definition = written(tree, "ag__")
    return tidy(printer.to_text([definition] if whole else definition.body))


def tidy(text):
    """The text without margin and blank lines, so that tables stay short."""
    return "\n".join(line for line in textwrap.dedent(text).splitlines() if line.strip())
