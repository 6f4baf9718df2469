"""Wheel and sdist, built without isolation or network and installed into an empty environment."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1]
SOURCES = {
    f"sinkwire/{file.relative_to(FOLDER / 'sinkwire').as_posix()}" for file in (FOLDER / "sinkwire").rglob("*.py")
}
USE = """
import sys, sinkwire
from importlib.metadata import version, requires
hook = sinkwire.Hook(id="hook_1", source_id="s", received_at=1, body=b"b")
assert sinkwire.decode_message(sinkwire.encode_message(hook).data).body == b"b"
assert not requires("sinkwire"), requires("sinkwire")
print(version("sinkwire"), sinkwire.__file__)
"""


def run(*command: str, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(FOLDER), cwd=out)
    (wheel,), (sdist,) = out.glob("*.whl"), out.glob("*.tar.gz")
    return wheel, sdist


def test_the_wheel_holds_the_package_its_types_and_nothing_else(built: tuple[Path, Path]) -> None:
    names = {name for name in zipfile.ZipFile(built[0]).namelist() if ".dist-info/" not in name}
    assert names == SOURCES | {"sinkwire/py.typed"}
    licences = {name.rsplit("/", 1)[1] for name in zipfile.ZipFile(built[0]).namelist() if "/licenses/" in name}
    assert licences == {"LICENSE", "NOTICE"}


def test_the_sdist_builds_the_same_package(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[1]) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames()}
    assert SOURCES | {"sinkwire/py.typed", "pyproject.toml", "README.md", "LICENSE", "NOTICE"} <= names
    assert not {name for name in names if name.startswith(("tests", ".venv"))}


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_installs_into_an_empty_environment(built: tuple[Path, Path], kind: str, tmp_path: Path) -> None:
    wheel, sdist = built
    if kind == "sdist":
        pip = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-index", "--no-build-isolation")
        run(*pip, "--wheel-dir", str(tmp_path), str(sdist), cwd=tmp_path)
        (wheel,) = tmp_path.glob("*.whl")
    venv.create(tmp_path / "empty", with_pip=True)
    python = str(tmp_path / "empty" / ("Scripts" if sys.platform == "win32" else "bin") / "python")
    run(python, "-m", "pip", "install", "--no-index", "--no-deps", str(wheel), cwd=tmp_path)
    version, file = run(python, "-I", "-c", USE, cwd=tmp_path).split(maxsplit=1)
    assert version == "0.1.0"
    assert Path(file.strip()).is_relative_to(tmp_path / "empty")
