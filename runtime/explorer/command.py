"""``python -m runtime explore FILE:NAME`` and ``autograph explore FILE:NAME``: the page of a function."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import autograph
from runtime.explorer.exploration import explore
from runtime.explorer.loading import NoFunctionError, argument, function_in, in_user_lines
from runtime.explorer.server import server

_EPILOG = """\
examples:
  autograph explore model.py:f 'float32[None,3]' 7 -o page.html
  autograph explore model.py:f 'float32[None,3]' 7 --serve

exit status: 0 done, also if the function cannot be traced, which the page shows; 2 there is no such file or function,
OUT cannot be written, the port is taken, or the call is wrong"""


def main(arguments: Sequence[str]) -> int:
    """Run the command and return its exit status."""
    options = parser().parse_intermixed_args(arguments)  # types may stand behind the options
    try:
        args = [*map(argument, options.arguments)]
    except ValueError as error:
        return _fail(str(error))
    if options.serve is not None:
        return _serve(options.function, args, options.serve, options.times)
    try:
        made = explore(function_in(options.function), *args, times=options.times)
    except (NoFunctionError, autograph.SourceNotFoundError) as error:
        return _fail(str(error))
    except (Exception, SystemExit) as error:  # of the file, which was run
        return _fail(in_user_lines(error))
    try:
        made.save(options.output)
    except OSError as error:
        return _fail(f"{options.output}: {error.strerror or error}")
    return 0


def _serve(name: str, args: Sequence[object], port: int, times: bool) -> int:
    try:
        function_in(name)
    except NoFunctionError as error:
        return _fail(str(error))
    except (Exception, SystemExit):
        pass  # the page tells, until the file is mended
    try:
        made = server(lambda: explore(function_in(name), *args, times=times), name, port)
    except (OSError, OverflowError) as error:
        return _fail(f"port {port}: {getattr(error, 'strerror', None) or error}")
    with made:
        print(f"http://127.0.0.1:{made.server_port}/ shows {name}; Ctrl-C ends it", flush=True)
        try:
            made.serve_forever()
        except KeyboardInterrupt:
            print()
    return 0


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="autograph explore",
        description="Show a function, converted, as a graph, optimised and as machine code on one page.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("function", metavar="FILE:NAME", help="a function in a file, which is run to get it")
    parser.add_argument("arguments", nargs="*", help="a type such as float32[None,3] or int32[], or a Python value")
    parser.add_argument("--times", action="store_true", help="call it many times, to tell how long each form takes")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("-o", "--output", metavar="OUT", help="write the page to this file")
    where.add_argument(
        "--serve", metavar="PORT", type=int, nargs="?", const=0,
        help="show the page on this port (by default, a free one); reload it after an edit",
    )  # fmt: skip
    return parser


def _fail(message: str) -> int:
    print(f"autograph explore: {message}", file=sys.stderr)
    return 2
