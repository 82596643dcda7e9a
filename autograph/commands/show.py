"""``autograph FILE``: the converted source of a file or function, printed or compared with what it was."""

from __future__ import annotations

import argparse
import difflib
import importlib.util
import sys
from pathlib import Path

from autograph import __version__
from autograph.code import STYLES, highlighted, styled
from autograph.commands import files, notebooks, settings, writing
from autograph.convert_file import NoSuchFunctionError, convert_module, convert_one
from autograph.printer import WIDTH

_DESCRIPTION = """\
Print the converted source of a Python file: plain `if`, `while`, `for`, `break`, `return` … as functional Python.
The file is read, not imported, so nothing in it runs."""

_EPILOG = """\
examples:
  autograph model.py                     the whole file
  autograph model.py:train               one function
  autograph model.py:Model.step --diff   one method, before and after
  autograph model.py -o model_graph.py   a module that imports and runs
  autograph study.ipynb -o graphs.ipynb  a notebook, cell by cell
  autograph - < model.py                 standard input

other commands:
  autograph check PATH…                  what stays Python in files and packages, and why (see `autograph check -h`)
  autograph convert PATH… -o DIR         a package or tree of modules, converted (see `autograph convert -h`)
  autograph explore FILE:NAME -o PAGE    a function on one page, down to its graph (see `autograph explore -h`)
  autograph completion SHELL             a script that completes all this (see `autograph completion -h`)

exit status: 0 done; 1 the file has a syntax error, no such function, or one that cannot be converted and is left as it
is; 2 it cannot be read, OUT may not be written, or the call is wrong"""


def main(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    of_input = [argument for argument in arguments if argument.startswith(f"{files.STDIN}:")]
    if of_input and "--" not in arguments:  # they look like options
        arguments = [*(argument for argument in arguments if argument not in of_input), "--", *of_input]
    options = settings.parsed(parser(), arguments, "file")
    path, colon, name = options.file.partition(":") if not Path(options.file).exists() else (options.file, "", "")
    if not path:
        return files.fail(2, f"{options.file!r} names no file: it is FILE, or FILE:NAME for one function")
    if colon and not name:
        return files.fail(2, f"{options.file} names no function behind the colon; {path} alone is the whole file")
    try:
        read = files.read_input() if path == files.STDIN else files.read(path)
    except IsADirectoryError:
        return files.fail(2, f"{path} is a folder: autograph convert {path} -o DIR writes all of it, converted")
    except OSError as error:
        return files.fail(2, f"{path}: {error.strerror or error}{_instead(options.file)}")
    except (UnicodeDecodeError, SyntaxError) as error:
        return files.fail(2, files.not_python(error, path))
    filename, text = files.STDIN_NAME if path == files.STDIN else path, read.text
    notebook = None
    try:
        if path.endswith(notebooks.SUFFIX) or (path == files.STDIN and notebooks.is_notebook(text)):
            notebook = notebooks.Notebook(text)
            module = notebook.module(filename)
            text = module.text
        else:
            module = files.parsed(text, filename)
        width = options.width
        notes: list[str] = []
        refuse = files.refusing(filename, notes)
        before, after = convert_one(module, name, width) if name else (text, convert_module(module, width, refuse))
        after = styled(after, options.style, width)
    except (SyntaxError, ValueError) as error:
        return files.fail(1, files.not_python(error, filename))
    except NoSuchFunctionError as error:
        return files.fail(1, str(error))
    except ImportError:
        return files.fail(2, files.no_style(options.style))
    if notebook is not None and (options.diff or name or not str(options.output).endswith(notebooks.SUFFIX)):
        before, after = notebook.script(before), notebook.script(after)
    elif notebook is not None:
        after = notebook.with_cells(after)
    if options.diff:
        after = _diff(before, after, filename)
    if options.output is None:
        status = _show(after, options.color, options.diff)
    else:
        source = _stdin() if path == files.STDIN else Path(path)
        status = _save(read.encoded(after), Path(options.output), source, options.force)
    for note in notes:
        status = files.fail(status or 1, note)
    return status


def _instead(file: str) -> str:
    """What may have been meant by a file that there is not: one with a suffix, or the file of a module."""
    path, colon, name = file.partition(":")
    if Path(f"{path}.py").exists():
        return f". Did you mean {path}.py{colon}{name}?"
    if path.isidentifier() and (spec := importlib.util.find_spec(path)) is not None and spec.has_location:
        return f". The module {path} is {spec.origin}"
    return ""


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="autograph",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "file", metavar="FILE[:NAME]", help="a Python file or notebook, or - for standard input; NAME: one function"
    )
    parser.add_argument("-o", "--output", metavar="OUT", help="write a module to this file instead of printing")
    parser.add_argument("--force", action="store_true", help="overwrite OUT whatever it is, even FILE itself")
    parser.add_argument("--diff", action="store_true", help="show before and after as a unified diff")
    parser.add_argument("--width", type=settings.width, default=WIDTH, help=files.WIDTH)
    parser.add_argument("--style", choices=STYLES, help=files.STYLE)
    parser.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="colours: auto is on a terminal only"
    )
    parser.add_argument("--version", action="version", version=f"autograph {__version__}")
    return parser


def _save(content: bytes, output: Path, source: Path | int | None, force: bool) -> int:
    try:
        writing.check(output, content, writing.identities(*([] if source is None else [source])), force)
        writing.write(output, content)
    except writing.RefusedError as error:
        return files.fail(2, str(error))
    except OSError as error:
        return files.fail(2, f"{output}: {error.strerror or error}")
    return 0


def _stdin() -> int | None:
    """The open file of standard input, if it is one."""
    try:
        return sys.stdin.fileno()
    except (OSError, ValueError):
        return None


def _show(text: str, color: str, diff: bool) -> int:
    if color == "always" or (color == "auto" and sys.stdout.isatty()):
        text = highlighted(text, "diff" if diff else "python")
    sys.stdout.write(text)
    sys.stdout.flush()
    return 0


def _diff(before: str, after: str, filename: str) -> str:
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), filename, f"{filename} (converted)"
    )
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)
