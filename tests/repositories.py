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
