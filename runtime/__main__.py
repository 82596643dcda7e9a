"""``python -m runtime FILE:NAME [ARGUMENT ...]``: print the graph of a function."""

from __future__ import annotations

import argparse
import ast
import re
import runpy
import sys

from runtime.functions.function import Function
from runtime.optimise import PASSES, stages
from runtime.tensors.spec import TensorSpec


def argument(text: str) -> object:
    """A tensor's type or a Python value.

    >>> argument("float32[None, 3]"), argument("int32[]"), argument("7")
    (TensorSpec(shape=(None, 3), dtype=tf.float32, name=None), TensorSpec(shape=(), dtype=tf.int32, name=None), 7)
    """
    found = re.fullmatch(r"(\w+)\[(.*)\]", text.strip())
    if found is None:
        return ast.literal_eval(text)
    dims = [None if d.strip() in ("None", "?") else int(d) for d in found[2].split(",") if d.strip()]
    return TensorSpec(dims, found[1])


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit status."""
    names = [rewrite.__name__ for rewrite in PASSES]
    parser = argparse.ArgumentParser(prog="python -m runtime", description="Print the graph of a function.")
    parser.add_argument("function", metavar="FILE:NAME", help="a function in a file, which is run to get it")
    parser.add_argument("arguments", nargs="*", help="a type such as float32[None,3] or int32[], or a Python value")
    parser.add_argument(
        "--after", metavar="PASS", choices=["trace", *names, "all"], default=names[-1],
        help=f"the graph after that pass: trace, {', '.join(names)}; or after each that changes it: all",
    )  # fmt: skip
    options = parser.parse_args(arguments)
    path, _, name = options.function.rpartition(":")
    if not path:
        parser.error(f"{options.function!r} names no function: write FILE:NAME")
    made = runpy.run_path(path)
    if name not in made:
        parser.error(f"{path} defines no {name!r}")
    function = made[name] if isinstance(made[name], Function) else Function(made[name])
    concrete = function.get_concrete_function(*map(argument, options.arguments))
    before = ""
    for stage, graph in stages(concrete.traced):
        text = str(graph)
        if options.after == stage:
            sys.stdout.write(text)
        elif options.after == "all" and text != before:
            sys.stdout.write(f"# {stage}\n{text}\n")
        before = text
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
