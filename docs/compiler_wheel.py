"""``python -m docs.compiler_wheel FOLDER``: build the wheel of the compiler alone, a distribution of its own.

It has `autograph`, its commands and nothing of `runtime`, under the version and the needs that pyproject.toml says.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAME = "autograph-compiler"
ABOUT = "Rewrites plain Python control flow into readable functional Python that builds graphs: the compiler alone."
README = f"""# {NAME}

{ABOUT} The distribution `autograph-python` has it, too, with a tensor library on NumPy beside it: install one of the
two, as both bring the package `autograph`.

```python
import autograph


def larger(x, y):
    if x > y:
        return x
    return y


print(autograph.to_code(larger))
```
"""
EXTRAS = ("color", "progress", "completion")  # those that are the compiler's


def configuration() -> str:
    """The pyproject.toml of the compiler alone."""
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = whole["project"]
    kept = ("version", "requires-python", "license", "license-files", "classifiers", "dependencies", "urls")
    keywords = [word for word in project["keywords"] if word != "numpy"]
    lines = ["[build-system]", *_table(whole["build-system"]), "", "[project]"]
    lines += _table({"name": NAME, "description": ABOUT, "readme": "README.md", "keywords": keywords})
    lines += _table({key: project[key] for key in kept if key in project and key != "urls"})
    if "urls" in project:
        lines += ["", "[project.urls]", *_table(project["urls"])]
    extras = {name: project["optional-dependencies"][name] for name in EXTRAS}
    lines += ["", "[project.optional-dependencies]", *_table(extras)]
    lines += ["", "[project.scripts]", *_table(project["scripts"])]
    lines += ["", "[tool.setuptools.packages.find]", 'include = ["autograph*"]']
    lines += ["", "[tool.setuptools.package-data]", 'autograph = ["py.typed"]', ""]
    return "\n".join(lines)


def _table(entries: dict[str, object]) -> list[str]:
    """Entries of a table whose values are texts or lists of texts, which TOML writes as JSON does."""
    return [f"{json.dumps(key)} = {json.dumps(value)}" for key, value in entries.items()]


def build(folder: Path, isolated: bool = True) -> Path:
    """Build the wheel in a folder, with setuptools as pip gets it or as it is here; pip's words end the program where
    it fails."""
    with tempfile.TemporaryDirectory() as made:
        shutil.copytree(ROOT / "autograph", Path(made, "autograph"), ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "LICENSE", made)
        Path(made, "README.md").write_text(README, encoding="utf-8")
        Path(made, "pyproject.toml").write_text(configuration(), encoding="utf-8")
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--no-deps"]
        command += [] if isolated else ["--no-build-isolation"]
        done = subprocess.run([*command, "--wheel-dir", str(folder), made], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    (found,) = folder.glob(f"{NAME.replace('-', '_')}-*.whl")
    return found


def main(arguments: Sequence[str]) -> None:
    (folder,) = arguments
    print(build(Path(folder)))


if __name__ == "__main__":
    main(sys.argv[1:])
