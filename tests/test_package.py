"""What is uploaded: the sdist has all that the tests need."""

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

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
