"""Places that a confined command must not see or change, whichever sandbox layer is in force."""

from __future__ import annotations

import os
import pwd
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from agent.permissions import obeyed_files
from agent.permissions.file_names import NameTable
from agent.permissions.git_index import submodules
from agent.permissions.paths import Places, real
from store.frozen import frozen


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Keys, tokens, cookies and histories of the user, below the home folder.
_SECRETS = _words(
    """
    .ssh .aws .gnupg .config/gh .config/hub .config/glab-cli .docker .kube .azure .config/gcloud
    .config/op .config/1Password .config/doctl .config/rclone .config/sops .config/age .password-store
    .oci .terraform.d .local/share/keyrings .local/share/kwalletd .mozilla .thunderbird
    .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge .config/vivaldi
    .config/opera .config/Bitwarden .config/Signal .config/Slack .config/discord .var/app snap/firefox
    snap/chromium .bitcoin .ethereum .electrum .pki .cert .config/github-copilot .netrc .pgpass .my.cnf
    .mylogin.cnf .npmrc .pypirc .git-credentials .config/git/credentials .cargo/credentials
    .cargo/credentials.toml .gem/credentials .m2/settings.xml .gradle/gradle.properties .vault-token
    .boto .s3cfg .terraformrc .dockercfg .bash_history .zsh_history .python_history .psql_history
    .mysql_history .node_repl_history .sqlite_history .lesshst .viminfo .local/share/fish/fish_history
    .Xauthority .ICEauthority .claude .claude.json .codex .gemini .local/share/opencode .colima .lima
    .rd .orbstack
    """
)
_SYSTEM_SECRETS = ("/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-")
# Daemons listen here, some of which run anything for whoever connects (docker, dbus, systemd).
SOCKET_FOLDERS = (Path("/run"), Path("/var/run"))
SCRATCH_FOLDERS = (Path("/tmp"), Path("/var/tmp"))  # noqa: S108 - replaced by private ones
# Some systems keep all programs here.
NEEDED_IN_RUN = (
    Path("/run/current-system"), Path("/run/booted-system"), Path("/run/opengl-driver"),
    Path("/run/wrappers"),
)  # fmt: skip

# Written inside, obeyed outside. Names that builds and installers write (`.config/`, `node_modules/`,
# `.venv/`) and recipes stay writable: only editing them by tool is asked.
_FROZEN = NameTable(
    " ".join(
        (
            obeyed_files.GIT,
            obeyed_files.EDITORS,
            obeyed_files.AGENTS,
            obeyed_files.SERVICES,
            ".envrc .direnv/ .npmrc .yarnrc .yarnrc.yml .mise.toml mise.toml .tmux.conf .exrc .pdbrc",
        )
    )
)
# These act as soon as they exist, so that they may not come into being either.
_UNBORN = (
    ".git", ".wakeful", ".vscode", ".idea", ".zed", ".devcontainer", ".claude", ".cursor", ".husky", ".envrc",
    ".mcp.json",
)  # fmt: skip


@frozen
class Frozen:
    """`present` is made read-only, `missing` must not be created, `parents` of either must not be moved."""

    present: tuple[Path, ...]
    missing: tuple[Path, ...]
    parents: tuple[Path, ...]


def workspace_objection(places: Places) -> str:
    """Return why a sandbox cannot protect what lies in this workspace; empty if it can."""
    root = real(places.root)
    if (root / ".git").is_symlink():
        return "auto mode is off where .git is a link, which a sandbox cannot hold in its place"
    for home in (*_homes(places), Path("/")):
        if home.is_relative_to(root):
            what = "your home folder" if root == home else "a folder that holds your home folder"
            return (
                f"auto mode is off in {what}, where a sandbox cannot protect your files; use a project folder"
            )
    return ""


def hidden_places(places: Places) -> list[Path]:
    """Return files and folders that exist and that commands must not read, links followed."""
    candidates = [Path(name) for name in _SYSTEM_SECRETS]
    candidates += Path("/etc/ssh").glob("*_key")
    candidates += [home / name for home in _homes(places) for name in _SECRETS]
    candidates += [*SOCKET_FOLDERS, *places.private]
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    candidates += [Path(runtime)] if runtime.startswith("/") else []
    there = (real(path) for path in candidates if _exists(path))
    return [path for path in dict.fromkeys(there) if _exists(path)]


def listening_sockets() -> list[Path]:
    """Return the Unix sockets in the file system to which somebody could connect now."""
    try:
        lines = Path("/proc/net/unix").read_text(errors="surrogateescape").splitlines()[1:]
    except OSError:
        return []
    named = {words[7] for line in lines if len(words := line.split(None, 7)) == 8 and words[7][0] != "@"}
    relative = {name for name in named if not name.startswith("/")}
    paths = [Path(name) for name in named - relative]
    # The kernel tells the name as it was given; most daemons stay in the folder they gave it in.
    paths += (
        [Path(os.path.normpath(folder / name)) for folder in _folders_of_processes() for name in relative]
        if relative
        else []
    )
    return sorted({real(path) for path in paths if _is_socket(path)})


def _folders_of_processes() -> set[Path]:
    folders: set[Path] = set()
    for name in _names(Path("/proc")):
        if name.isdigit():
            with suppress(OSError):
                folders.add(Path("/proc", name, "cwd").readlink())
    return folders


def frozen_places(places: Places) -> Frozen:
    """Return what a command may not change in the workspace, as it is now."""
    root = real(places.root)
    repositories = list(_repositories(root))
    wanted = [root / name for name in _UNBORN] + repositories
    # Without a repository these four names at the top would be one.
    wanted += [] if (root / ".git").exists() else [root / "HEAD"]
    wanted += [root / name for name in _names(root) if _FROZEN.find((name,))]
    present = [path for path in dict.fromkeys(wanted) if _exists(path)]
    pointed = [target for path in repositories if (target := _pointed(path)) is not None]
    present += [path for path in pointed if root in path.parents and _exists(path)]
    missing = [path for path in dict.fromkeys(wanted) if not _exists(path)]
    parents = {parent for path in repositories for parent in path.parents if root in parent.parents}
    return Frozen(tuple(present), tuple(missing), tuple(sorted(parents)))


def _repositories(root: Path) -> Iterator[Path]:
    """The `.git` of the workspace, of its submodules, checked out or not, and of folders just below."""
    yield root / ".git"
    folder = _pointed(root / ".git") or root / ".git"
    for link in submodules(folder, hash_size=20) or submodules(folder, hash_size=32) or ():
        path = root / link / ".git"
        if real(path.parent).is_relative_to(root):
            yield real(path.parent) / ".git"
    for name in _names(root):
        if name != ".git" and not (root / name).is_symlink() and _exists(root / name / ".git"):
            yield root / name / ".git"


def _pointed(git: Path) -> Path | None:
    """The folder that a `.git` file names."""
    try:
        text = git.read_text(errors="replace") if git.is_file() else ""
    except OSError:
        return None
    return real(git.parent / text.removeprefix("gitdir:").strip()) if text.startswith("gitdir:") else None


def _names(root: Path) -> list[str]:
    try:
        return sorted(os.listdir(root))  # noqa: PTH208 - names alone, without an object each
    except OSError:
        return []


def _homes(places: Places) -> list[Path]:
    homes = [real(places.home)]
    # The variable HOME may say something else than the system.
    with suppress(KeyError):
        homes.append(real(Path(pwd.getpwuid(os.getuid()).pw_dir)))
    return [home for home in dict.fromkeys(homes) if home != Path("/")]


def _exists(path: Path) -> bool:
    try:
        path.lstat()
    except OSError:
        return False
    return True


def _is_socket(path: Path) -> bool:
    try:
        return stat.S_ISSOCK(path.stat().st_mode)
    except OSError:
        return False
