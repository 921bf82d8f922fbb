"""Repositories to try git calls on, and the ways in which a configuration can name a program."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

# Section, subsection and key of settings that make git run something.
PROGRAM_SETTINGS: tuple[tuple[str, str, str], ...] = (
    ("core", "", "fsmonitor"),
    ("core", "", "hooksPath"),
    ("core", "", "pager"),
    ("core", "", "editor"),
    ("core", "", "sshCommand"),
    ("core", "", "gitProxy"),
    ("core", "", "askPass"),
    ("core", "", "alternateRefsCommand"),
    ("core", "", "attributesFile"),
    ("core", "", "worktree"),
    ("alias", "", "status"),
    ("credential", "", "helper"),
    ("diff", "", "external"),
    ("diff", "d", "command"),
    ("diff", "d", "textconv"),
    ("filter", "f", "clean"),
    ("filter", "f", "smudge"),
    ("filter", "f", "process"),
    ("gpg", "", "program"),
    ("gpg", "ssh", "program"),
    ("include", "", "path"),
    ("includeIf", "gitdir:**", "path"),
    ("interactive", "", "diffFilter"),
    ("merge", "m", "driver"),
    ("pager", "", "log"),
    ("remote", "origin", "uploadpack"),
    ("remote", "origin", "vcs"),
    ("sequence", "", "editor"),
    ("trailer", "t", "command"),
    ("uploadpack", "", "packObjectsHook"),
)

Spelling = Callable[[str, str, str, str], bytes]


def _header(section: str, subsection: str) -> str:
    return f'[{section} "{subsection}"]' if subsection else f"[{section}]"


def plain(section: str, subsection: str, key: str, value: str) -> bytes:
    return f"{_header(section, subsection)}\n\t{key} = {value}\n".encode()


def after_a_comment(section: str, subsection: str, key: str, value: str) -> bytes:
    return f"{_header(section, subsection)}\n# a comment \\\n{key} = {value}\n".encode()


def after_a_comment_behind_a_value(section: str, subsection: str, key: str, value: str) -> bytes:
    return f"[user]\nname = x ; y \\\n{_header(section, subsection)}\n{key} = {value}\n".encode()


def second_header_of_a_line(section: str, subsection: str, key: str, value: str) -> bytes:
    return f"[user]{_header(section, subsection)} {key} = {value}\n".encode()


def after_an_escaped_quote(section: str, subsection: str, key: str, value: str) -> bytes:
    return f'[branch "a\\"]#"]\n{_header(section, subsection)}{key}={value}\n'.encode()


def with_an_escaped_subsection(section: str, subsection: str, key: str, value: str) -> bytes:
    return f"{_header(section, chr(92).join(('', *subsection)))}\n{key} = {value}\n".encode()


def in_other_case(section: str, subsection: str, key: str, value: str) -> bytes:
    return f"{_header(section.swapcase(), subsection)}\r\n{key.swapcase()}={value}\r\n".encode()


def continued(section: str, subsection: str, key: str, value: str) -> bytes:
    return f'{_header(section, subsection)}\n{key} = \\\n"{value[:3]}"\\\n{value[3:]}\n'.encode()


def in_the_old_way(section: str, subsection: str, key: str, value: str) -> bytes:
    name = f"{section}.{subsection}" if subsection.isalnum() else section
    return plain(name, "" if subsection.isalnum() else subsection, key, value)


def with_wide_blanks(section: str, subsection: str, key: str, value: str) -> bytes:
    return b"\x0c\x0b \t" + plain(section, subsection, key, value).replace(b"]\n", b"]\t")


SPELLINGS: tuple[Spelling, ...] = (
    plain,
    after_a_comment,
    after_a_comment_behind_a_value,
    second_header_of_a_line,
    after_an_escaped_quote,
    with_an_escaped_subsection,
    in_other_case,
    continued,
    in_the_old_way,
    with_wide_blanks,
)


def run_git(folder: Path, *words: str, text: str = "") -> str:
    """Run git with nobody's own settings and a fixed identity. Return what it says."""
    person = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main"]
    environment = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
        "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
    }
    done = subprocess.run(
        ["git", *person, *words],
        cwd=folder,
        check=True,
        env=environment,
        input=text,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def seed_repository(root: Path, *options: str) -> Path:
    """Make a repository with two commits and a change that is not staged."""
    root.mkdir(parents=True, exist_ok=True)
    run_git(root, "init", "-q", "--template=", *options)
    for text in ("seed\n", "seed\nmore\n"):
        (root / "seed.txt").write_text(text)
        run_git(root, "add", "seed.txt")
        run_git(root, "commit", "-qm", "seed")
    (root / "seed.txt").write_text("seed\nchanged\n")
    return root


def made_by_init(folder: Path) -> Path:
    return seed_repository(folder / "ws")


def made_by_clone(folder: Path) -> Path:
    seed_repository(folder / "origin")
    run_git(folder, "clone", "-q", "origin", "ws")
    run_git(folder / "ws", "remote", "set-url", "origin", "git@github.com:ada/engine.git")
    run_git(folder / "ws", "config", "remote.origin.gh-resolved", "base")
    run_git(folder / "ws", "config", "branch.main.vscode-merge-base", "origin/main")
    return folder / "ws"


def cloned_shallowly(folder: Path) -> Path:
    seed_repository(folder / "origin")
    run_git(folder, "clone", "-q", "--depth=1", "--no-tags", f"file://{folder}/origin", "ws")
    return folder / "ws"


def with_worktrees(folder: Path) -> Path:
    root = seed_repository(folder / "ws")
    run_git(root, "worktree", "add", "-q", "../tree")
    return root


def linked_worktree(folder: Path) -> Path:
    run_git(with_worktrees(folder), "config", "extensions.worktreeConfig", "true")
    return folder / "tree"


def worktree_of_a_bare_repository(folder: Path) -> Path:
    seed_repository(folder / "origin")
    run_git(folder, "clone", "-q", "--bare", "origin", "store")
    run_git(folder / "store", "worktree", "add", "-q", "../ws")
    return folder / "ws"


def with_a_submodule(folder: Path) -> Path:
    root = seed_repository(folder / "ws")
    seed_repository(folder / "part")
    run_git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../part", "part")
    run_git(root, "commit", "-qm", "part")
    return root


def the_submodule_itself(folder: Path) -> Path:
    return with_a_submodule(folder) / "part"


def with_the_settings_of_a_person(folder: Path) -> Path:
    root = seed_repository(folder / "ws")
    for key, value in {
        "user.name": "Ada L. (work)",
        "user.email": "ada@example.org",
        "user.signingKey": "0xABCD",
        "commit.gpgSign": "true",
        "pull.rebase": "merges",
        "push.default": "simple",
        "push.autoSetupRemote": "true",
        "core.autocrlf": "input",
        "core.ignoreCase": "true",
        "core.commentChar": ";",
        "color.diff.meta": "yellow bold",
        "diff.algorithm": "histogram",
        "merge.conflictStyle": "zdiff3",
        "rerere.enabled": "true",
        "branch.main.description": "The main line\nof work",
        "http.postBuffer": "524288000",
        "log.date": "iso",
        "blame.ignoreRevsFile": ".git-blame-ignore-revs",
        "gitflow.prefix.feature": "feature/",
        "lfs.repositoryformatversion": "0",
        "gc.auto": "256",
        "maintenance.auto": "false",
        "maintenance.strategy": "incremental",
    }.items():
        run_git(root, "config", key, value)
    (root / ".git-blame-ignore-revs").write_text("# none\n")
    return root


def with_hooks(folder: Path) -> Path:
    root = seed_repository(folder / "ws")
    (root / ".git" / "hooks").mkdir()
    for name in ("pre-commit", "pre-push", "commit-msg", "post-checkout"):
        (root / ".git" / "hooks" / name).write_text("#!/bin/sh\n")
    return root


def with_hooks_of_a_tool(folder: Path) -> Path:
    root = seed_repository(folder / "ws")
    (root / ".husky" / "_").mkdir(parents=True)
    (root / ".husky" / "_" / "pre-commit").write_text("#!/bin/sh\n")
    run_git(root, "config", "core.hooksPath", ".husky/_")
    return root


def in_the_middle_of_a_rebase(folder: Path) -> Path:
    root = seed_repository(folder / "ws")
    run_git(root, "stash", "-q")
    run_git(root, "-c", "sequence.editor=sed -i s/^pick/edit/", "rebase", "-q", "-i", "HEAD~1")
    return root


def sparse(folder: Path) -> Path:
    root = seed_repository(folder / "ws")
    run_git(root, "stash", "-q")
    run_git(root, "sparse-checkout", "set", "--cone", "src")
    return root


def below_the_top(folder: Path) -> Path:
    root = seed_repository(folder / "ws")
    (root / "src").mkdir()
    return root / "src"


ORDINARY: tuple[Callable[[Path], Path], ...] = (
    made_by_init,
    made_by_clone,
    cloned_shallowly,
    with_worktrees,
    linked_worktree,
    worktree_of_a_bare_repository,
    with_a_submodule,
    the_submodule_itself,
    with_the_settings_of_a_person,
    with_hooks,
    with_hooks_of_a_tool,
    in_the_middle_of_a_rebase,
    sparse,
    below_the_top,
)
