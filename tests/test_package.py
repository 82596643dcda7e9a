"""What is uploaded: the sdist has all that the tests need."""

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from docs import compiler_wheel

ROOT = Path(__file__).parent.parent
NEEDLESS = (".ci/", ".gitignore")  # to whoever has no clone


def test_an_sdist_has_every_file(tmp_path):
    setuptools = pytest.importorskip("setuptools")
    if int(setuptools.__version__.partition(".")[0]) < 77:
        pytest.skip("this setuptools is older than what pyproject.toml asks for")
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("what belongs to the project is known in a clone")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    files = [name for name in listed if (ROOT / name).is_file()]
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    build = "from setuptools.build_meta import build_sdist; build_sdist('dist')"
    subprocess.run([sys.executable, "-c", build], cwd=tmp_path, capture_output=True, check=True, timeout=300)
    (made,) = (tmp_path / "dist").iterdir()
    with tarfile.open(made) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    assert [name for name in files if name not in packed and not name.startswith(NEEDLESS)] == []


def test_the_compiler_alone_is_a_distribution_of_its_own():
    made = tomllib.loads(compiler_wheel.configuration())
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for kept in ("version", "dependencies", "requires-python", "scripts"):
        assert made["project"][kept] == whole["project"][kept]
    assert made["project"]["name"] != whole["project"]["name"] and "entry-points" not in made["project"]
    assert "numpy" not in str(made) and "runtime" not in str(made)


def test_the_wheel_of_the_compiler_alone_imports_and_converts(tmp_path):
    setuptools = pytest.importorskip("setuptools")
    if int(setuptools.__version__.partition(".")[0]) < 77:
        pytest.skip("this setuptools is older than what pyproject.toml asks for")
    wheel = compiler_wheel.build(tmp_path, isolated=False)
    with zipfile.ZipFile(wheel) as archive:
        assert {name.partition("/")[0].partition("-")[0] for name in archive.namelist()} == {
            "autograph",
            "autograph_compiler",
        }
    (tmp_path / "larger.py").write_text("def larger(x, y):\n    if x > y:\n        return x\n    return y\n")
    script = (
        "import sys; sys.modules['numpy'] = None; import autograph, larger; print(autograph.to_code(larger.larger))"
    )
    paths = os.pathsep.join([str(wheel), str(tmp_path)])
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env={**os.environ, "PYTHONPATH": paths}, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    assert "ag__.if_stmt(x > y, " in done.stdout or "ag__.if_exp(x > y, " in done.stdout
