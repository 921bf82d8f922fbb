from __future__ import annotations

import stat
from pathlib import Path

from agent.paths import Paths, make_private_folder


def test_without_variables_the_documented_places_are_used() -> None:
    paths = Paths.from_environment({"HOME": "/home/ada"})

    assert paths.config == Path("/home/ada/.config/wakeful/config.toml")
    assert paths.keys == Path("/home/ada/.config/wakeful/keys.toml")
    assert paths.database == Path("/home/ada/.local/share/wakeful/wakeful.db")
    assert paths.log == Path("/home/ada/.local/state/wakeful/wakeful.log")
    assert paths.locks == Path("/home/ada/.local/state/wakeful/locks")


def test_xdg_variables_move_each_folder_and_relative_ones_are_ignored() -> None:
    environment = {"HOME": "/home/ada", "XDG_CONFIG_HOME": "/etc/ada", "XDG_DATA_HOME": "data"}

    paths = Paths.from_environment(environment)

    assert paths.config_folder == Path("/etc/ada/wakeful")
    assert paths.data_folder == Path("/home/ada/.local/share/wakeful")


def test_wakeful_home_moves_everything() -> None:
    paths = Paths.from_environment({"HOME": "/home/ada", "WAKEFUL_HOME": "/w", "XDG_CONFIG_HOME": "/etc/ada"})

    assert {paths.config, paths.keys, paths.database, paths.log, paths.locks} == {
        Path("/w") / name for name in ("config.toml", "keys.toml", "wakeful.db", "wakeful.log", "locks")
    }


def test_a_private_folder_is_the_owners_alone_at_every_new_level(tmp_path: Path) -> None:
    before = stat.S_IMODE(tmp_path.stat().st_mode)

    make_private_folder(tmp_path / "a" / "b")

    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700
    assert stat.S_IMODE(tmp_path.stat().st_mode) == before
