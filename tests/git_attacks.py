"""Hostile repositories and git calls at random, and an oracle that really runs what the policy lets pass."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agent.permissions.git_options import LOOKING
from agent.permissions.paths import Places
from agent.permissions.policy import Policy
from agent.permissions.rules import parse_rules
from agent.permissions.shell import only_looks
from tests.repositories import PROGRAM_SETTINGS, SPELLINGS, run_git, seed_repository

CANARY = "CANARY-7f3a"
RULES = parse_rules(["shell git *", "shell git log*", "shell git diff*"])
_SECONDS = 10


@dataclass(frozen=True)
class Stage:
    """What all attacks of a run share: programs that leave a marker, secrets, repositories to copy."""

    folder: Path

    @property
    def program(self) -> Path:
        return self.folder / "evil.sh"

    @property
    def outside(self) -> Path:
        return self.folder / "outside"

    def template(self, name: str) -> Path:
        return self.folder / "templates" / name


@dataclass(frozen=True)
class Attack:
    """`about` says how the repository was made, to repeat it by hand."""

    folder: Path
    root: Path
    private: tuple[Path, ...]
    line: str
    about: str
    harm: str = ""

    @property
    def allowed(self) -> bool:
        policy = Policy(Places(self.root, self.private, home=self.root), RULES)
        return policy.decide("shell", "shell", self.line).verdict == "allow"

    @property
    def looks(self) -> bool:
        """True if only the repository can be the reason for a question."""
        return only_looks(self.line)


def make_stage(folder: Path) -> Stage:
    stage = Stage(folder)
    # Programs that git starts by name count like those that a setting names.
    for name in (
        "evil.sh",
        "bin/gpg",
        "bin/ssh",
        "bin/less",
        "bin/vi",
        "bin/man",
        "bin/editor",
        "hooks/post-index-change",
    ):
        script = folder / name
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text('#!/bin/sh\necho touched > "$MARKER"\n')
        script.chmod(0o755)
    stage.outside.mkdir()
    (stage.outside / "secret.txt").write_text(f"{CANARY}\n{CANARY} too\n")
    settings = [SPELLINGS[0](*setting, str(stage.program)) for setting in _STARTED if setting[2] != "path"]
    (stage.outside / "config").write_bytes(b"".join(settings))
    _rich(stage.template("plain"))
    _with_submodule(stage, stage.template("submodule"))
    removed = stage.template("removed")
    shutil.copytree(stage.template("submodule"), removed, symlinks=True)
    run_git(removed, "rm", "-q", "--cached", "sub")
    run_git(removed, "commit", "-qm", "no submodule")
    return stage


def _rich(root: Path) -> None:
    """A repository in which most calls have something to do: signature, tag, branch, stash, attributes."""
    seed_repository(root)
    (root / ".gitattributes").write_text("*.txt filter=f diff=d merge=m\n")
    (root / "sub.txt").write_text("text\n")
    run_git(root, "add", ".")
    run_git(root, "commit", "-qm", "attributes")
    signed = run_git(root, "cat-file", "commit", "HEAD")
    signed = signed.replace("\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n\n", 1)
    run_git(
        root,
        "reset",
        "-q",
        "--soft",
        run_git(root, "hash-object", "-t", "commit", "-w", "--stdin", text=signed),
    )
    run_git(root, "tag", "v1")
    run_git(root, "branch", "side")
    (root / "seed.txt").write_text("stashed\n")
    run_git(root, "stash", "-q")
    run_git(root, "remote", "add", "origin", "http://127.0.0.1:9/x")
    run_git(root, "repack", "-adq")
    (root / "seed.txt").write_text("seed\nchanged\n")
    (root / "new.txt").write_text("new\n")


def _with_submodule(stage: Stage, root: Path) -> None:
    shutil.copytree(stage.template("plain"), root, symlinks=True)
    seed_repository(root / "sub")
    (root / "sub" / ".gitattributes").write_text("*.txt filter=f diff=d\n")
    run_git(root, "add", "sub")
    run_git(root, "commit", "-qm", "submodule")
    run_git(root / "sub", "commit", "-qam", "more")


# The settings that the calls below make git obey most often.
_STARTED = tuple(
    setting
    for setting in PROGRAM_SETTINGS
    if setting[2] in ("fsmonitor", "hooksPath", "external", "textconv", "command", "clean", "path")
    and setting[0] in ("core", "diff", "filter", "include", "includeIf")
)
# Settings whose harm lies in the value, and harmless ones among which others hide.
_TEXTS = (
    "[log]\nshowSignature = true\n[gpg]\nprogram = {program}\n", "[submodule]\nrecurse = true\n",
    "[diff]\nsubmodule = diff\n", "[status]\nsubmoduleSummary = 9\n",
    "[remote \"origin\"]\nurl = ext::{program}\n",
    "[extensions]\npartialClone = origin\n[remote \"origin\"]\npromisor = true\nurl = ext::{program}\n",
    "[blame]\nignoreRevsFile = {outside}/secret.txt\n", "[format]\npretty = %G?\n",
    "[core]\nexcludesFile = {outside}/secret.txt\n", "[core]\nworktree = {outside}\n",
    "[url \"ext::{program} \"]\ninsteadOf = http\n", "[core]\nfsmonitor = true\n",
    "[core]\nrepositoryFormatVersion = 1\n[extensions]\nworktreeConfig = true\n",
    "[gpg]\nformat = ssh\n[gpg \"ssh\"]\nallowedSignersFile = {outside}/secret.txt\n",
)  # fmt: skip
_HARMLESS = (
    "[user]\nname = A \\\"B\\\" # C\n", "[core]\nautocrlf = input\n", "# only a comment \\\n", ";[core]\n",
    "[branch \"x\"]\nmerge = refs/heads/x\n", "[color]\nui = auto\n", "\n\n", "[pull] rebase = true\n",
    "[user][core]\n", "[remote \"a\\\"b\"]\nurl = https://example.org/x\n", "[user]\nname = a\\\n b\n",
    "# [core] fsmonitor = {program}\n",
)  # fmt: skip
_NOISE = (
    "[",
    "]",
    '"',
    "\\",
    "#",
    ";",
    "\n",
    "=",
    " ",
    "\t",
    "\ufeff",
    ".",
    "\\\n",
    "\r",
    "\0",
    "x",
    "core",
    "\x0c",
)


def _settings(chance: random.Random, stage: Stage) -> bytes:
    pieces: list[bytes] = []
    for _ in range(chance.randint(1, 4)):
        kind = chance.random()
        if kind < 0.4:
            section, subsection, key = chance.choice(chance.choice((_STARTED, PROGRAM_SETTINGS)))
            value = {"path": stage.outside / "config", "hooksPath": stage.folder / "hooks"}.get(
                key, stage.program
            )
            pieces.append(chance.choice(SPELLINGS)(section, subsection, key, str(value)))
        else:
            text = chance.choice(_TEXTS if kind < 0.6 else _HARMLESS)
            text = text.replace("{program}", str(stage.program)).replace("{outside}", str(stage.outside))
            pieces.append(text.encode())
    content = b"".join(pieces)
    for _ in range(chance.choice((0, 0, 0, 0, 0, 1, 3))):
        at = chance.randint(0, len(content))
        content = content[:at] + chance.choice(_NOISE).encode() + content[at + chance.randint(0, 1) :]
    return content


Layout = Callable[[Path, Path, random.Random, Stage], None]


def _append(root: Path, repository: Path, chance: random.Random, stage: Stage) -> None:
    del root
    config = repository / "config"
    content = config.read_bytes()
    added = _settings(chance, stage)
    config.write_bytes(b"\xef\xbb\xbf" + added + content if chance.random() < 0.1 else content + added)


def _worktree_settings(root: Path, repository: Path, chance: random.Random, stage: Stage) -> None:
    del root
    with (repository / "config").open("a") as config:
        config.write("[core]\nrepositoryFormatVersion = 1\n[extensions]\nworktreeConfig = true\n")
    (repository / "config.worktree").write_bytes(_settings(chance, stage))


def _common_folder(root: Path, repository: Path, chance: random.Random, stage: Stage) -> None:
    shutil.copytree(repository, root / "tools")
    _append(root, root / "tools", chance, stage)
    (repository / "commondir").write_text(chance.choice(("../tools\n", f"{root}/tools", "../tools")))


def _pointer(root: Path, repository: Path, chance: random.Random, stage: Stage) -> None:
    """A `.git` file, with and without a back-pointer that agrees."""
    place = root.parent / chance.choice(("other", "other/worktrees/x", "other/modules/sub"))
    place.parent.mkdir(parents=True, exist_ok=True)
    repository.rename(place)
    if chance.random() < 0.5:
        _append(root, place, chance, stage)
    (place / "gitdir").write_text(f"{chance.choice((root, root.parent))}/.git\n")
    (root / ".git").write_text(f"gitdir: {place}\n")
    if chance.random() < 0.3:
        shutil.copytree(place, root.parent / "common")
        _append(root, root.parent / "common", chance, stage)
        (place / "commondir").write_text(f"{root.parent}/common\n")


def _link(root: Path, repository: Path, chance: random.Random, stage: Stage) -> None:
    del root
    name = chance.choice(("config", "HEAD", "hooks", "rebase-merge", "BISECT_START", "info", "description"))
    (repository / name).unlink() if (repository / name).is_file() else None
    if name in ("rebase-merge", "info", "hooks"):
        shutil.rmtree(repository / name, ignore_errors=True)
        (repository / name).mkdir()
        files = {
            "rebase-merge": ("git-rebase-todo", "done", "onto"),
            "info": ("exclude", "attributes", "grafts"),
        }
        for file in files.get(name, ("x",)):
            (repository / name / file).symlink_to(stage.outside / "secret.txt")
        (repository / name / "interactive").touch()
    else:
        (repository / name).symlink_to(stage.outside / chance.choice(("config", "secret.txt")))


def _hooks(root: Path, repository: Path, chance: random.Random, stage: Stage) -> None:
    tracked = chance.random() < 0.5
    name = chance.choice(("post-index-change", "pre-commit", "fsmonitor-watchman", "reference-transaction"))
    hooks = root / ".githooks" if tracked else repository / "hooks"
    if tracked:
        with (repository / "config").open("a") as config:
            config.write("[core]\nhooksPath = .githooks\n")
    hooks.mkdir(exist_ok=True)
    shutil.copy(stage.program, hooks / name)


def _bare(root: Path, repository: Path, chance: random.Random, stage: Stage) -> None:
    """The folder itself is a repository, whole or through a `commondir`; so a clone could carry it."""
    place = root / chance.choice(("src", "."))
    place.mkdir(exist_ok=True)
    if chance.random() < 0.5:
        shutil.copytree(repository, place, dirs_exist_ok=True)
    else:
        shutil.copytree(repository, root / "tools")
        (place / "HEAD").write_text("ref: refs/heads/main\n")
        (place / "commondir").write_text(os.path.relpath(root / "tools", place))
        place = root / "tools"
    _append(root, place, chance, stage)
    (place / "config").write_bytes((place / "config").read_bytes().replace(b"bare = false", b"bare = true"))
    if chance.random() < 0.5:
        shutil.rmtree(repository)


def _borrowed(root: Path, repository: Path, chance: random.Random, stage: Stage) -> None:
    del root, chance
    (repository / "objects" / "info").mkdir(exist_ok=True)
    (repository / "objects" / "info" / "alternates").write_text(f"{stage.template('plain')}/.git/objects\n")


def _inner(root: Path, repository: Path, chance: random.Random, stage: Stage) -> None:
    """Settings of a repository in a subfolder, whether or not it stands in the index."""
    del repository
    inner = root / "sub"
    if not inner.exists():
        shutil.copytree(stage.template("plain"), inner, symlinks=True)
        if chance.random() < 0.5:
            run_git(root, "add", "sub")
    chance.choice((_append, _append, _hooks, _link))(inner, inner / ".git", chance, stage)


def _tracked_attributes(root: Path, repository: Path, chance: random.Random, stage: Stage) -> None:
    del stage
    target = chance.choice((root / ".gitattributes", repository / "info" / "attributes"))
    target.parent.mkdir(exist_ok=True)
    target.write_text("* diff=d filter=f\n[attr]a diff=d\nsub filter=f\n")


LAYOUTS: tuple[Layout, ...] = (
    _append, _append, _append, _append, _append, _worktree_settings, _common_folder, _pointer, _link, _hooks,
    _bare, _borrowed, _inner, _inner, _tracked_attributes,
)  # fmt: skip

CALLS = (
    "git status", "git status --short --branch", "git status --porcelain=v2", "git diff", "git diff --stat",
    "git diff --cached", "git diff HEAD~1 -- seed.txt", "git log", "git log --oneline -5", "git log -p",
    "git log --graph --all --decorate --oneline", "git log --format='%h %an %s' -n 3", "git log --stat -2",
    "git log --follow -- seed.txt", "git show", "git show --stat HEAD", "git show HEAD:seed.txt",
    "git show --name-only", "git blame seed.txt", "git blame -L 1,2 seed.txt", "git branch",
    "git branch -a", "git branch -vv", "git branch --show-current", "git branch --contains HEAD", "git tag",
    "git tag -l 'v*'", "git remote -v", "git remote", "git rev-parse HEAD",
    "git rev-parse --abbrev-ref HEAD", "git rev-parse --show-toplevel", "git rev-parse --git-dir",
    "git ls-files", "git ls-files -o --exclude-standard", "git ls-tree -r HEAD --name-only",
    "git grep -n seed", "git grep seed HEAD", "git stash list", "git reflog -5", "git worktree list",
    "git describe --tags --always", "git shortlog -sn HEAD",
    "git for-each-ref --sort=-committerdate refs/heads", "git merge-base HEAD HEAD~1",
    "git cat-file -p HEAD", "git rev-list --count HEAD", "git show-ref", "git count-objects -v",
    "git check-ignore -v seed.txt", "git diff-tree --no-commit-id --name-only -r HEAD",
    "git log --since=yesterday", "git diff HEAD --name-status", "git --no-pager log -1",
    "git --no-pager diff", "git log -1 --pretty=fuller", "git cherry HEAD~1",
    "git symbolic-ref --short HEAD", "git log HEAD~1..HEAD", "git diff --word-diff -w", "git stash show -p",
)  # fmt: skip

# Those for which git starts most of what settings name.
_STARTING = (
    "git status",
    "git diff",
    "git log -p",
    "git show",
    "git status -s",
    "git diff HEAD~1",
    "git blame seed.txt",
)

_PREFIXES = (
    "git -C sub", "git -c core.fsmonitor={program}", "git --git-dir=sub/.git", "GIT_DIR=sub/.git git",
    "GIT_EXTERNAL_DIFF={program} git", "git -p", "git --exec-path=.", "cd sub && git", "cd src && git",
    "git --config-env=core.fsmonitor=MARKER", "git --attr-source=HEAD", "/usr/bin/git",
)  # fmt: skip
_VALUES = (
    "{program}", "{outside}/secret.txt", "../outside/secret.txt", "WRITTEN", "seed.txt", "1", "HEAD",
    "'%G?'", "diff", ".config/wakeful/keys.toml", ".config", "{marker}", "'!{program}'", "true", "all",
    "sub", "-", "ext::{program}",
)  # fmt: skip
_OPERANDS = (
    "HEAD", "HEAD~1", "seed.txt", "sub.txt", "v1", "side", "-- seed.txt", "HEAD:seed.txt", ".", "sub",
    ".config", ".config/wakeful/keys.toml", ":0:.config/wakeful/keys.toml", "HEAD --", "seed.txt sub.txt",
    "src", "--", "origin", "{outside}/secret.txt", "../outside", "HEAD~2..HEAD",
    "--end-of-options --output=WRITTEN",
)  # fmt: skip


def known_options() -> dict[str, list[str]]:
    """The long options that git itself names for each subcommand."""
    found: dict[str, list[str]] = {}
    for name in LOOKING:
        done = subprocess.run(
            ["git", name, "--git-completion-helper-all"], capture_output=True, text=True, check=False, cwd="/"
        )
        words = re.findall(r"--[A-Za-z][\w-]*=?", done.stdout)
        found[name] = sorted(
            {
                "--output=",
                "--ext-diff",
                "--textconv",
                *words,
                *(f"--{option}" for option in LOOKING[name].long),
            }
        )
    return found


def _line(chance: random.Random, options: dict[str, list[str]]) -> str:
    if chance.random() < 0.6:
        line = chance.choice(chance.choice((CALLS, _STARTING)))
        if chance.random() < 0.3:
            line += f" {_option(chance, options[_subcommand(line)])}"
    else:
        name = chance.choice(list(options))
        words = [_option(chance, options[name]) for _ in range(chance.randint(0, 2))]
        words += [chance.choice(_OPERANDS) for _ in range(chance.randint(0, 2))]
        second = {
            "stash": ["list", "show", ""],
            "reflog": ["show", ""],
            "worktree": ["list"],
            "remote": ["get-url"],
        }
        line = " ".join(("git", name, *chance.sample(second.get(name, [""]), 1), *words))
    if chance.random() < 0.1:
        line = f"{line} {chance.choice(('&&', '|', ';'))} {chance.choice(CALLS)}"
    if chance.random() < 0.07:
        prefix = chance.choice(_PREFIXES)
        line = line.replace("git", prefix, 1)
    return line


def _subcommand(line: str) -> str:
    return next(word for word in line.split()[1:] if not word.startswith("-"))


def _option(chance: random.Random, options: Sequence[str]) -> str:
    if chance.random() < 0.3:
        letters = "".join(
            chance.choice("abcdefghilmnopqrstuvwxzABCDEFGHILMNOPRSTUWX") for _ in range(chance.randint(1, 3))
        )
        return f"-{letters}{chance.choice(('', '', ' ', '5'))}{chance.choice(_VALUES)}"
    option = chance.choice(options)
    if chance.random() < 0.3:
        option = option[: chance.randint(3, len(option))]
    if option.endswith("=") or chance.random() < 0.3:
        return f"{option.rstrip('=')}{chance.choice(('=', '=', ' '))}{chance.choice(_VALUES)}"
    return option


def attacks(
    folder: Path, chance: random.Random, stage: Stage, options: dict[str, list[str]], count: int
) -> list[Attack]:
    """Make one repository in `folder` and the lines to run there."""
    root = folder / "ws"
    template = chance.choice(("plain", "plain", "plain", "submodule", "removed"))
    shutil.copytree(stage.template(template), root, symlinks=True)
    (root / "src").mkdir()
    private = (_own_files(root, chance),) if chance.random() < 0.15 else ()
    layouts = chance.sample(LAYOUTS, chance.choice((0, 1, 1, 1, 2)))
    applied = [layout.__name__.strip("_") for layout in layouts if _applied(layout, root, chance, stage)]
    about = ", ".join((template, *applied, *("our own files",) * len(private)))
    places = (("program", stage.program), ("outside", stage.outside), ("marker", folder / "marker"))
    made: list[Attack] = []
    for _ in range(count):
        line = _line(chance, options)
        for name, value in places:
            line = line.replace(f"{{{name}}}", str(value))
        made.append(Attack(folder, root, private, line, about))
    return made


def _applied(layout: Layout, root: Path, chance: random.Random, stage: Stage) -> bool:
    """True unless another change has left nothing to change."""
    try:
        layout(root, root / ".git", chance, stage)
    except (OSError, subprocess.CalledProcessError, shutil.Error):
        return False
    return True


def _own_files(root: Path, chance: random.Random) -> Path:
    private = root / ".config" / "wakeful"
    private.mkdir(parents=True)
    (private / "keys.toml").write_text(f"{CANARY}\n")
    if chance.random() < 0.5:
        run_git(root, "add", "-f", ".config")
        run_git(root, "commit", "-qm", "keys")
        (private / "keys.toml").write_text(f"changed {CANARY}\n")
    return private


def run(attack: Attack, stage: Stage) -> Attack:
    """Run the line with bash and git, without settings that would keep git quiet. Fill in the harm."""
    marker = attack.folder / "marker"
    marker.unlink(missing_ok=True)
    environment = {
        "PATH": f"{stage.folder}/bin:/usr/local/bin:/usr/bin:/bin",
        "HOME": str(attack.folder / "home"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C.UTF-8",
        "MARKER": str(marker),
    }
    before = _content(attack.root)
    process = subprocess.Popen(
        ["bash", "-c", attack.line], cwd=attack.root, env=environment, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        printed, _ = process.communicate(timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        printed, _ = process.communicate()
    harm = "ran a program" if marker.exists() else "printed a secret" if CANARY.encode() in printed else ""
    if not harm and _content(attack.root) != before:
        harm = "changed a file"
    return replace(attack, harm=harm)


def _content(root: Path) -> dict[str, tuple[int, int]]:
    """Everything but git's index, which git refreshes when it looks."""
    found: dict[str, tuple[int, int]] = {}
    for folder, _, names in os.walk(root):
        for name in names:
            if name != "index":
                path = os.path.join(folder, name)  # noqa: PTH118 - ten thousand times
                about = os.lstat(path)
                found[path] = about.st_size, about.st_mtime_ns
    return found
