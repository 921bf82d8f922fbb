"""Where Wakeful keeps its files: the XDG folders, or everything below WAKEFUL_HOME."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from store.frozen import frozen


# platformdirs would cost 18 ms at every start, and on macOS would part from the paths we document.
@frozen
class Paths:
    config_folder: Path
    data_folder: Path
    state_folder: Path

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Paths:
        home = environment.get("WAKEFUL_HOME")
        if home:
            folder = Path(home).expanduser().absolute()
            return cls(folder, folder, folder)
        return cls(
            _xdg(environment, "XDG_CONFIG_HOME", ".config"),
            _xdg(environment, "XDG_DATA_HOME", ".local/share"),
            _xdg(environment, "XDG_STATE_HOME", ".local/state"),
        )

    @property
    def config(self) -> Path:
        return self.config_folder / "config.toml"

    @property
    def keys(self) -> Path:
        return self.config_folder / "keys.toml"

    @property
    def database(self) -> Path:
        return self.data_folder / "wakeful.db"

    @property
    def snapshots(self) -> Path:
        return self.data_folder / "snapshots"

    @property
    def locks(self) -> Path:
        return self.state_folder / "locks"

    def outputs(self, workspace: Path) -> Path:
        """The long outputs of one workspace: no other may read them."""
        return outputs_folder(self.state_folder, workspace)

    @property
    def log(self) -> Path:
        return self.state_folder / "wakeful.log"


def outputs_folder(state_folder: Path, workspace: Path) -> Path:
    from agent.digests import hashed

    return state_folder / "outputs" / hashed(os.fsencode(workspace.resolve()), size=16).hexdigest()


def make_private_folder(folder: Path) -> None:
    """Creates what is missing, readable by the owner alone; folders that exist keep their mode."""
    for missing in [each for each in (folder, *folder.parents) if not each.exists()][::-1]:
        missing.mkdir(mode=0o700, exist_ok=True)


def lies_within(path: Path, folder: Path) -> bool:
    """Whether a file that trust in `folder` covers is really there, and not elsewhere behind a link."""
    return path.resolve().is_relative_to(folder.resolve())


def project_config(root: Path) -> Path:
    return root / ".wakeful" / "config.toml"


def _xdg(environment: Mapping[str, str], variable: str, fallback: str) -> Path:
    value = environment.get(variable, "")
    # The XDG specification says that relative values are to be ignored.
    base = Path(value) if os.path.isabs(value) else _user_home(environment) / fallback  # noqa: PTH117
    return base / "wakeful"


def _user_home(environment: Mapping[str, str]) -> Path:
    home = environment.get("HOME")
    return Path(home) if home else Path.home()
