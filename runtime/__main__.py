"""``python -m runtime FILE:NAME [ARGUMENT ...]``: print the graph of a function; ``explore`` shows all of it."""

from __future__ import annotations

import argparse
import sys

from autograph.commands import completion
from runtime.explorer import command
from runtime.explorer.loading import NoFunctionError, argument, function_in
from runtime.functions.function import Function
from runtime.optimise import PASSES, stages


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit status."""
    given = sys.argv[1:] if arguments is None else arguments
    if given and given[0] == "explore":
        return command.main(given[1:])
    own = parser()
    if given and given[0] == "completion":
        # No other shell completes a module of Python's.
        asked = completion.parser("python -m runtime completion", ["bash"])
        return completion.completed(given[1:], asked, own, {"explore": command.parser()})
    options = own.parse_args(given)
    try:
        found, args = function_in(options.function), [*map(argument, options.arguments)]
    except (NoFunctionError, ValueError) as error:
        own.error(str(error))
    function = found if isinstance(found, Function) else Function(found)
    concrete = function.get_concrete_function(*args)
    before = ""
    for stage, graph in stages(concrete.traced):
        text = str(graph)
        if options.after == stage:
            sys.stdout.write(text)
        elif options.after == "all" and text != before:
            sys.stdout.write(f"# {stage}\n{text}\n")
        before = text
    return 0


def parser() -> argparse.ArgumentParser:
    names = [rewrite.__name__ for rewrite in PASSES]
    made = argparse.ArgumentParser(
        prog="python -m runtime",
        description="Print the graph of a function.",
        epilog="python -m runtime explore FILE:NAME shows it with all that comes before and after it (see explore -h), "
        "and python -m runtime completion bash prints a script that completes all this.",
    )
    made.add_argument("function", metavar="FILE:NAME", help="a function in a file, which is run to get it")
    made.add_argument("arguments", nargs="*", help="a type such as float32[None,3] or int32[], or a Python value")
    made.add_argument(
        "--after", metavar="PASS", choices=["trace", *names, "all"], default=names[-1],
        help=f"the graph after that pass: trace, {', '.join(names)}; or after each that changes it: all",
    )  # fmt: skip
    return made


if __name__ == "__main__":
    raise SystemExit(main())
