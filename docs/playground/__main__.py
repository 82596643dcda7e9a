"""``python -m docs.playground FOLDER``: write the playground, with the wheels that it installs in the browser."""

from __future__ import annotations

import importlib.metadata
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent

PYODIDE = "0.29.5"  # the newest with a version of Python that this project supports
CDN = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE}/full/"
NEEDED = ("gast", "astunparse", "six")  # six is astunparse's
SOURCES = ("pyproject.toml", "README.md", "LICENSE", "autograph", "runtime")


def pip(*arguments: str) -> None:
    """Run pip; what it says is shown if it fails, which ends the build."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def add_wheels(folder: Path) -> None:
    """The wheel of this project, made of the sources as they are, and those of what it needs, as installed here."""
    versions = [f"{name}=={importlib.metadata.version(name)}" for name in NEEDED]
    pip("download", "--no-deps", "--only-binary", ":all:", "--dest", str(folder), *versions)
    with tempfile.TemporaryDirectory() as made:  # setuptools would take what an earlier build has left in `build`
        for name in SOURCES:
            source, target = ROOT / name, Path(made, name)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, target)
        pip("wheel", "--no-deps", "--wheel-dir", str(folder), made)


def write(folder: Path) -> None:
    """Write the playground, and remove what was there."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE / "page", folder)
    shutil.copy(HERE / "session.py", folder)
    wheels = folder / "wheels"
    wheels.mkdir()
    add_wheels(wheels)
    names = sorted(path.name for path in wheels.glob("*.whl"))
    settings = {"pyodide": CDN, "wheels": [f"wheels/{name}" for name in names]}
    (folder / "settings.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")


def main(arguments: Sequence[str]) -> None:
    (folder,) = arguments
    write(Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
