"""The code of a document, run as a reader runs it: block after block, and what they show is what they print.

```python            is run; one that begins with >>> is a doctest
```python output     is a part of what the blocks above have printed since the last such part (whole lines; a line
                     of three dots stands for any lines); other languages may be named, as in ```text output
```python ahead      is a part of what the next block prints
```python file=a.py  is written to that file, in a folder of the document's own
```python needs=jax  is run where that can be imported
```console           commands after $, and what they print
```{code-cell}       is run, as a cell of a notebook

With UPDATE_GOLDEN in the environment, what is shown and not printed is replaced by what is printed.
"""

import ast
import contextlib
import doctest
import importlib.util
import io
import linecache
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r"^(?P<fence>```+)(?P<info>[^\n`]*)\n(?P<text>.*?)^(?P=fence) *$", re.M | re.S)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.M)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """A block of code, the number of its first line, and what stands behind its three backticks."""

    line: int
    info: str
    text: str

    @property
    def language(self):
        return self.info.split(" ")[0]

    @property
    def option(self):
        return self.info.partition(" ")[2]


def blocks(document):
    """The blocks of code of a document, in order.

    >>> blocks("Text.\\n```python output\\n1\\n```\\n")
    [Block(line=3, info='python output', text='1\\n')]
    """
    return [
        Block(document.count("\n", 0, m.start()) + 2, m["info"].strip(), m["text"]) for m in FENCE.finditer(document)
    ]


def prose(document):
    """A document without its code.

    >>> prose("Text with `code`.\\n```python\\n1\\n```\\nMore.\\n")
    'Text with .\\n\\nMore.\\n'
    """
    return re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", FENCE.sub("", document))


class Document:
    """What the blocks of one document have made so far: variables, files, and text that no block has accounted for
    (None of a block that was left out)."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        self.variables = {"__name__": "__main__"}
        self.program = ""  # the blocks that are no doctests, one below the other: messages count its lines
        self.printed = ""
        self.ahead = []
        self.updates = []  # blocks, and what they should show

    def run(self):
        text = self.path.read_text(encoding="utf-8")
        for block in blocks(text):
            self.meet(block)
        assert not self.ahead
        lines = text.splitlines(keepends=True)
        for block, shown in reversed(self.updates):
            lines[block.line - 1 : block.line - 1 + block.text.count("\n")] = [shown]
        if self.updates:
            self.path.write_text("".join(lines), encoding="utf-8")

    def meet(self, block):
        where = f"{self.path.name}:{block.line}"
        if block.option == "output":
            if self.printed is not None:
                self.update(block, self.account_for(block.text, where))
        elif block.option == "ahead":
            self.ahead.append((block, where))
        elif block.option.startswith("file="):
            (self.folder / block.option[5:]).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / block.option[5:]).write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            shown = [self.command(*found, where) for found in COMMAND.findall(block.text)]
            self.update(block, "".join(shown))
        elif block.option.startswith("needs=") and importlib.util.find_spec(block.option[6:]) is None:
            self.printed = None
        elif block.language == "{code-cell}" or block.language == "python":
            text = re.sub(r"\A(:.*\n)+\n?", "", block.text)  # the options of a cell
            if text.startswith(">>> "):
                self.doctest(text, where, block.line)
            else:
                self.python(text, where)

    def python(self, text, where):
        name = f"{self.path.stem}.py"
        self.program += "\n\n" * bool(self.program)
        padded = "\n" * self.program.count("\n") + text
        self.program += text
        linecache.cache[name] = (len(self.program), None, self.program.splitlines(keepends=True), name)
        out = io.StringIO()
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                exec(compile(ast.parse(padded, name), name, "exec", dont_inherit=True), self.variables)
        except Exception as error:
            error.add_note(f"in the block at {where}")
            raise
        self.printed = out.getvalue()
        while self.printed and self.ahead:
            block, place = self.ahead.pop(0)
            self.account_for(block.text, place)

    def account_for(self, text, where):
        pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r" *\n" for line in text.splitlines())
        found = re.search(f"^{pattern}", self.printed, re.M)
        if found is None and os.environ.get("UPDATE_GOLDEN"):
            return self.printed.rstrip() + "\n"
        assert found is not None, f"{where}: the text\n{text}\nis not in what was printed:\n{self.printed}"
        self.printed = self.printed[found.end() :]
        return text

    def update(self, block, shown):
        if shown != block.text:
            self.updates.append((block, shown))

    def doctest(self, text, where, line):
        test = doctest.DocTestParser().get_doctest(text, self.variables, where, where, line - 1)
        test.globs = self.variables  # and no copy
        for number, example in enumerate(test.examples):
            name = f"<doctest {where}[{number}]>"
            linecache.cache[name] = (len(example.source), None, example.source.splitlines(keepends=True), name)
        out = io.StringIO()
        failed, _ = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=out.write, clear_globs=False)
        assert not failed, out.getvalue()

    def command(self, command, shown, where):
        first, *words = shlex.split(command)
        start = {"autograph": [sys.executable, "-m", "autograph"], "python": [sys.executable]}[first]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"}
        done = subprocess.run([*start, *words], cwd=self.folder, env=environment, capture_output=True, encoding="utf-8")
        self.printed = done.stdout + done.stderr
        assert done.returncode == 0 or shown, f"{where}, {command}: {self.printed}"
        return f"$ {command}\n{self.account_for(shown, f'{where}, {command}')}"
