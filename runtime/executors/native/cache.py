"""Machine code on disk: kept from one process to the next, and run only if it is known to be what it should.

The linker runs whatever it is given. So the folder and its files have to belong to the user, with nobody else allowed
to write there; a file says what it was made from and what it holds, both of which are checked; and everything that is
not as it should be is as good as absent.
"""

from __future__ import annotations

import functools
import hashlib
import os
import stat
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import numpy as np

import autograph

_MAGIC = b"autograph native code 1\n"
_DIGEST = hashlib.sha256
_HEAD = len(_MAGIC) + 2 * _DIGEST().digest_size
_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_PART = ".part"  # how the name of a file ends that is being written
_ABANDONED = 600  # seconds after which nobody writes to such a file any more

_refused: set[str] = set()  # folders that there was a warning about
_tidied: set[str] = set()


@functools.cache
def _versions() -> str:
    """What made the code and what it works with, but for the processor."""
    import llvmlite

    return "\n".join([autograph.__version__, llvmlite.__version__, np.__version__, sys.version])


class Entry:
    """The place of one piece of machine code in a folder: `about` is all that decides what it is."""

    def __init__(self, folder: str, about: str) -> None:
        self.folder = folder
        self.about = _DIGEST(f"{_versions()}\n{about}".encode()).digest()
        self.name = f"{self.about.hex()}.o"

    def read(self) -> bytes | None:
        """The code, if it is there and is what it says."""
        with suppress(OSError), _opened(self.folder) as folder:
            file = os.open(self.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
            try:
                if _is_safe(os.fstat(file), stat.S_ISREG):
                    with open(file, "rb", closefd=False) as stream:
                        return self._content(stream.read())
            finally:
                os.close(file)
        return None

    def _content(self, found: bytes) -> bytes | None:
        code = found[_HEAD:]
        return code if found[:_HEAD] == self._head(code) else None

    def _head(self, code: bytes) -> bytes:
        return _MAGIC + self.about + _DIGEST(self.about + code).digest()

    def write(self, code: bytes) -> None:
        """Keep the code, if that can be done; another process sees all of it or nothing."""
        with suppress(OSError):
            os.makedirs(self.folder, 0o700, exist_ok=True)
        with suppress(OSError), _opened(self.folder) as folder:
            _tidy(self.folder, folder)
            part = f"{self.name}.{os.getpid()}.{os.urandom(8).hex()}{_PART}"
            try:
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
                with open(os.open(part, flags, 0o600, dir_fd=folder), "wb") as stream:
                    stream.write(self._head(code) + code)
                os.replace(part, self.name, src_dir_fd=folder, dst_dir_fd=folder)
            finally:  # nothing is left behind by a full disk or Ctrl-C either
                with suppress(OSError):
                    os.unlink(part, dir_fd=folder)


@contextmanager
def _opened(path: str) -> Iterator[int]:
    """The folder itself, whatever its path comes to mean; FileNotFoundError if it is not safe."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if not (_is_safe(os.fstat(folder), stat.S_ISDIR) and os.lstat(path).st_uid in (0, os.geteuid())):
            if path not in _refused:
                _refused.add(path)
                warnings.warn(
                    f"compiled code is not kept in {path!r}: the folder has to belong to the user, "
                    "and nobody else may write to it",
                    stacklevel=2,
                )
            raise FileNotFoundError(path)
        yield folder
    finally:
        os.close(folder)


def _is_safe(found: os.stat_result, is_right: Callable[[int], bool]) -> bool:
    """Whether a file or folder is one, is the user's own, and writable by nobody else."""
    return is_right(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & _OTHERS


def _tidy(path: str, folder: int) -> None:
    """Remove, once in a process, what others that were killed have left."""
    if path in _tidied:
        return
    _tidied.add(path)
    for name in os.listdir(folder):
        if name.endswith(_PART):
            with suppress(OSError):
                if os.stat(name, dir_fd=folder, follow_symlinks=False).st_mtime < time.time() - _ABANDONED:
                    os.unlink(name, dir_fd=folder)
