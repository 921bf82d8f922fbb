"""A program on a terminal at the other end of ssh: a server of its own, which is a child of the client."""

from __future__ import annotations

import getpass
import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

# Where a server keeps those out that have not logged in yet; only root's needs it.
_SEPARATION = Path("/run/sshd")
_SERVER = """\
HostKey {folder}/host
AuthorizedKeysFile {folder}/key.pub
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
PermitRootLogin yes
"""
_CLIENT = {
    "IdentitiesOnly": "yes",
    "StrictHostKeyChecking": "no",
    "UserKnownHostsFile": "/dev/null",
    "LogLevel": "ERROR",
}


def missing() -> str:
    """What is not here; empty where ssh can be used."""
    if not _sshd() or not all(map(shutil.which, ("ssh", "ssh-keygen"))):
        return "ssh or its server is not installed"
    if os.getuid() == 0 and not _SEPARATION.is_dir():
        return f"there is no {_SEPARATION}"
    return ""


def over_ssh(command: Sequence[str], variables: dict[str, str], *, cwd: Path, folder: Path) -> list[str]:
    """The words that run it, in its folder, through a server that knows one key and leaves no trace."""
    folder.mkdir(exist_ok=True)
    for name in ("host", "key"):
        if not (folder / name).exists():
            make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)]
            subprocess.run(make, check=True, capture_output=True)
    (folder / "config").write_text(_SERVER.format(folder=folder))
    server = shlex.join([_sshd(), "-i", "-f", str(folder / "config"), "-E", str(folder / "log")])
    options = [f"-o{name}={value}" for name, value in {**_CLIENT, "ProxyCommand": server}.items()]
    # A server passes no locale and no colours on; whatever shell there is may have its own.
    clean = ["env", *(f"-u{name}" for name in ("LANG", "LC_ALL", "LC_CTYPE", "COLORTERM", "NO_COLOR"))]
    there = shlex.join([*clean, *(f"{name}={value}" for name, value in variables.items()), *command])
    client = [str(shutil.which("ssh")), "-tt", "-F", "/dev/null", "-i", str(folder / "key"), *options]
    return [*client, f"{getpass.getuser()}@localhost", f"cd {shlex.quote(str(cwd))} && exec {there}"]


def _sshd() -> str:
    """By its whole path, as it wants to be called; often only root has its folder among the others."""
    return shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/local/sbin:/usr/sbin:/sbin") or ""
