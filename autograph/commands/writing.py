"""What the command line writes: never by halves, and over a source or a file of others only if asked to."""

from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Collection
from pathlib import Path

# Files that were converted have this line; those that needed no conversion are as they were.
_OURS = re.compile(rb'^(\+|\s*")?from autograph import operators as ', re.MULTILINE)


class RefusedError(OSError):
    """A file would be overwritten that is not to be."""


Identity = tuple[int, int]


def identities(*files: Path | int) -> set[Identity]:
    """What paths and open files are, by whatever name or link."""
    found = set()
    for file in files:
        try:
            status = os.stat(file)
        except OSError:
            continue
        found.add((status.st_dev, status.st_ino))
    return found


def check(
    target: Path, content: bytes | Path, sources: Collection[Identity], force: bool, ours: bool = False,
    gone: Collection[Path] = (),
) -> None:  # fmt: skip
    """Raise RefusedError where writing `content` (or a copy of that file) would destroy a source, or a file that this
    program has not written; `ours` says that it is known to have. What is `gone` is not there any more by then."""
    try:
        found = target.stat()
    except (FileNotFoundError, NotADirectoryError):
        return
    if stat.S_ISDIR(found.st_mode):
        if all(Path(folder, name) in gone for folder, _, names in os.walk(target) for name in names):
            return
        raise RefusedError(f"{target} is a folder")
    if force or not stat.S_ISREG(found.st_mode):
        return
    if (found.st_dev, found.st_ino) in sources:
        raise RefusedError(
            f"{target} is the source itself and would be overwritten; choose another place, or say --force"
        )
    if ours or not found.st_size:
        return
    before = target.read_bytes()
    after = content.read_bytes() if isinstance(content, Path) else content
    if before != after and not _OURS.search(before):
        raise RefusedError(f"{target} exists and is not as autograph wrote it; say --force to overwrite it")


def write(target: Path, content: bytes, mode: int | None = None) -> None:
    """Write a file as a whole or not at all; `mode` are its permissions, if not those that it has or that are usual."""
    target = Path(os.path.realpath(target))  # a link stays a link
    try:
        found = target.stat()
    except FileNotFoundError:
        found = None
    if found is not None and not stat.S_ISREG(found.st_mode):
        target.write_bytes(content)  # a device or pipe
        return
    if mode is None:
        mode = stat.S_IMODE(found.st_mode) if found is not None else 0o666 & ~_umask()
    number, name = tempfile.mkstemp(prefix=".autograph-", dir=target.parent)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def remove(target: Path, root: Path) -> None:
    """Remove a file, and the folders around it, up to a root, in which there is nothing else."""
    target.unlink(missing_ok=True)
    for folder in target.relative_to(root).parents:
        if folder == Path("."):
            return
        try:
            (root / folder).rmdir()
        except OSError:  # there is something else
            return


def set_mode(target: Path, mode: int) -> None:
    """Give a file these permissions."""
    if stat.S_IMODE(target.stat().st_mode) != mode:
        target.chmod(mode)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
