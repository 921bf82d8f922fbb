import configparser
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("tui", "agent", "store", "themes")
SHIPPED = {".py", ".sql", ".md", ".toml", ".tcss"}


def build(target: str, folder: Path) -> Path:
    """Without isolation, so that it needs no network: the back end is one of the locked tools."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    return zipfile.ZipFile(build("wheel", tmp_path_factory.mktemp("wheel")))


def test_the_wheel_holds_every_file_the_packages_read(wheel: zipfile.ZipFile):
    wanted = {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.suffix in SHIPPED
    }

    missing = wanted - set(wheel.namelist())

    assert not missing
    assert {"store/migrations/0001_initial.sql", "agent/tools/shell.md"} <= wanted


def test_the_wheel_holds_nothing_but_the_packages_and_their_description(wheel: zipfile.ZipFile):
    roots = {name.split("/")[0] for name in wheel.namelist()}

    (description,) = roots - set(PACKAGES)
    assert description.endswith(".dist-info")
    assert f"{description}/licenses/LICENSE" in wheel.namelist()
    assert not [name for name in wheel.namelist() if name.endswith((".pyc", ".db"))]


def test_the_wheel_brings_one_command(wheel: zipfile.ZipFile):
    (name,) = [name for name in wheel.namelist() if name.endswith("/entry_points.txt")]
    points = configparser.ConfigParser()
    points.read_string(wheel.read(name).decode())

    assert dict(points["console_scripts"]) == {"wakeful": "tui.cli:main"}


def test_the_source_archive_holds_what_its_own_commands_need(tmp_path: Path):
    with tarfile.open(build("sdist", tmp_path)) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}

    assert {"Makefile", "uv.lock", ".ci/uv.txt", ".ci/run", "README.md", "LICENSE", "pyproject.toml"} <= names
    assert "tests/test_packaging.py" in names
