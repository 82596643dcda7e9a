"""What has been found out about files that have not changed since, in a folder of the project."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import sys
from pathlib import Path

import autograph
from autograph.commands import settings, writing

NAME = ".autograph_cache"
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# What autograph keeps between runs; see https://bford.info/cachedir/\n"


class Folder:
    """Something that JSON can hold for each file; where the folder cannot be written, nothing is kept."""

    def __init__(self, path: Path) -> None:
        """The folder of the project that a path lies in; of the current folder, if it lies in none."""
        self._folder = (settings.root(path) or Path.cwd()) / NAME
        try:
            self._folder.mkdir(exist_ok=True)
            for name, content in ((".gitignore", "*\n"), ("CACHEDIR.TAG", _TAG)):
                if not (self._folder / name).exists():
                    writing.write(self._folder / name, content.encode())
        except OSError:
            pass

    def get(self, path: Path) -> tuple[str, object]:
        """A key for a file of this name with this content, and what was kept for that, or None."""
        key = hashlib.sha256(b"\0".join([program(), os.fsencode(path), path.read_bytes()])).hexdigest()
        try:
            entry = json.loads(self._place(path).read_bytes())
            return key, entry["value"] if entry["key"] == key else None
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return key, None

    def put(self, path: Path, key: str, value: object) -> None:
        """Keep something for a file that had this key."""
        try:
            writing.write(self._place(path), json.dumps({"key": key, "value": value}).encode())
        except OSError:
            pass

    def _place(self, path: Path) -> Path:
        return self._folder / f"{hashlib.sha256(os.fsencode(path)).hexdigest()[:32]}.json"


@functools.cache
def program() -> bytes:
    """What tells this program from others, and from what it was before somebody changed it."""
    files = sorted(Path(autograph.__file__).parent.rglob("*.py"))
    stamps = [(str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in files]
    return repr((autograph.__version__, sys.version_info, stamps)).encode()
