"""Which checkpoints a folder has, as a small file in it tells."""

from __future__ import annotations

import json
import os
import time
from dataclasses import asdict, dataclass, field

from runtime.checkpoints import archives


@dataclass
class State:
    """The checkpoints of a folder: paths from there, the times of their making, and until when all are kept."""

    folder: str
    name: str = "checkpoint"
    latest: str | None = None
    paths: dict[str, float] = field(default_factory=dict)
    preserved: float = 0.0

    @classmethod
    def read(cls, folder: str, name: str = "checkpoint") -> State | None:
        """What the file of a folder tells; None if there is none."""
        path = os.path.join(folder, name)
        if not os.path.isfile(path):
            return None
        with open(path, encoding="utf-8") as file:
            text = file.read()
        try:
            known = json.loads(text)
            paths = {str(one): float(made) for one, made in known["paths"].items()}
            return cls(folder, name, known["latest"], paths, float(known["preserved"]))
        except (json.JSONDecodeError, KeyError, TypeError, AttributeError, ValueError) as error:
            theirs = " It was written by TensorFlow." if text.startswith("model_checkpoint_path:") else ""
            raise ValueError(
                f"{path!r} does not tell which checkpoints there are, as this library writes it.{theirs} Use another "
                "folder, or remove it"
            ) from error

    def write(self) -> None:
        """Write the file, in the place of the one before."""
        told = {name: value for name, value in asdict(self).items() if name not in ("folder", "name")}
        text = json.dumps(told, indent=1)
        archives.replace(os.path.join(self.folder, self.name), lambda file: file.write(text.encode()))

    def noted(self, path: str) -> None:
        """Take note of a checkpoint, which is the only one from now on."""
        self.latest, self.paths = path, {path: time.time()}
        self.write()


def state_in(folder: str) -> State:
    """What is known of a folder, which may be nothing."""
    try:
        return State.read(folder) or State(folder)
    except ValueError:
        return State(folder)
