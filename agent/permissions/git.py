"""Which git calls only look, and whether this repository would make even those run something."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_GLOBAL = frozenset({"--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs"})

_LOOKING = _names(
    """
    blame cat-file check-attr check-ignore cherry count-objects describe diff diff-files diff-index
    diff-tree for-each-ref grep log ls-files ls-tree merge-base name-rev rev-list rev-parse shortlog
    show show-branch show-ref status version whatchanged
    """
)

_RUNNING = (
    "output", "output-directory", "ext-diff", "textconv", "exec", "upload-pack", "receive-pack", "filters",
    "open-files-in-pager", "exec-path", "git-dir", "work-tree", "config-env", "recurse-submodules",
    "show-signature", "paginate", "edit-description", "super-prefix",
)  # fmt: skip

_LISTING = {
    "branch": re.compile(
        r"-[arvlq]+|--(list|all|remotes|verbose|show-current|no-color|no-column|ignore-case)"
        r"|--(contains|no-contains|merged|no-merged|points-at|sort|format|color|column|abbrev)(=.*)?"
    ),
    "tag": re.compile(
        r"-l|-n\d*|--(list|no-column|ignore-case)"
        r"|--(contains|no-contains|merged|no-merged|points-at|sort|format|column)(=.*)?"
    ),
}
_SELECTING = ("--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at")

_SAFE_SECOND = {
    "remote": ("", "get-url"),
    "stash": ("list", "show"),
    "reflog": ("", "show"),
    "worktree": ("list",),
}

_PROGRAM_SECTIONS = frozenset(
    {"filter", "include", "includeif", "gpg", "credential", "pager", "difftool", "protocol"}
)
_PROGRAM_KEYS = _names(
    """
    fsmonitor hookspath pager sshcommand editor askpass gitproxy alternaterefscommand external
    command textconv uploadpack receivepack vcs worktree attributesfile program cmd helper driver
    partialclone promisor
    """
)


def objection(words: Sequence[str], literal: str) -> str:
    """Why a wildcard rule does not free this git call; empty when it only looks."""
    arguments = list(words[1:])
    while arguments and arguments[0] in _GLOBAL:
        arguments.pop(0)
    if not arguments or arguments[0].startswith("-"):
        return "" if arguments == ["--version"] else "git options before the subcommand can run programs"
    subcommand, *rest = arguments
    running = next((word for word in rest if _runs(word)), None)
    if running is not None:
        return f"git {subcommand} {running} writes or runs programs"
    if subcommand in _LISTING:
        return _listing_objection(subcommand, rest)
    asked = subcommand == "ls-remote" and literal.startswith("git ls-remote")
    helped = any("::" in word for word in rest)
    second = "" if rest in (["-v"], ["--verbose"]) and subcommand == "remote" else " ".join(rest[:1])
    if subcommand in _LOOKING or (asked and not helped) or second in _SAFE_SECOND.get(subcommand, ()):
        return ""
    return f"git {subcommand} is not known to only look: only an exact rule frees it"


def program_named(folder: Path) -> str:
    """What a look at this repository could run besides git itself; empty when it is plain."""
    for place in (folder, *folder.parents):
        if (place / "HEAD").is_file() and (place / "objects").is_dir() and (place / "refs").is_dir():
            return f"{place} is a bare repository inside the folder"
        found = place / ".git"
        if found.is_symlink() or found.is_file():
            return _pointed_objection(found)
        if found.is_dir():
            return _repository_objection(found)
    return ""


def _runs(word: str) -> bool:
    if word.startswith("--"):
        option = word[2:].partition("=")[0]
        return bool(option) and any(known.startswith(option) for known in _RUNNING)
    return word.startswith("-") and "O" in word


def _listing_objection(subcommand: str, rest: Sequence[str]) -> str:
    options = [word for word in rest if word.startswith("-")]
    unknown = next((word for word in options if not _LISTING[subcommand].fullmatch(word)), None)
    if unknown is not None:
        return f"git {subcommand} {unknown} is not known to only look"
    listing = any(option.partition("=")[0] in _SELECTING for option in options)
    if len(options) < len(rest) and not (listing or (subcommand == "tag" and "-l" in options)):
        return f"git {subcommand} with a name can change it"
    return ""


def _pointed_objection(pointer: Path) -> str:
    """A `.git` file is how worktrees and submodules look; the repository it names must be as plain."""
    text = _text(pointer)
    if pointer.is_symlink() or not text.startswith("gitdir: "):
        return f"{pointer} points elsewhere"
    target = (pointer.parent / text.removeprefix("gitdir: ").strip()).resolve()
    common = (target / _text(target / "commondir").strip()).resolve()
    return _repository_objection(target) or (_repository_objection(common) if common != target else "")


def _repository_objection(repository: Path) -> str:
    for config in (repository / "config", repository / "config.worktree"):
        key = _program_key(_text(config))
        if key:
            return f"{config} sets {key}, which can run programs"
    # The one hook that even `git status` runs, whenever it refreshes the index.
    if (repository / "hooks" / "post-index-change").exists():
        return "the repository has a post-index-change hook"
    if any(_has_links(index) for index in (repository / "index", *repository.glob("sharedindex.*"))):
        return "submodules run what their own configuration says"
    return ""


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def _program_key(config: str) -> str:
    section = ""
    for line in config.replace("\\\n", "").splitlines():
        header = re.match(r'\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"[^"]*")?\s*\]', line)
        if header:
            section = header[1].lower()
            if section.partition(".")[0] in _PROGRAM_SECTIONS:
                return section
        rest = line[header.end() :] if header else line
        key = re.match(r"\s*([A-Za-z][A-Za-z0-9-]*)", rest)
        if key and key[1].lower() in _PROGRAM_KEYS:
            return f"{section}.{key[1]}"
    return ""


def _has_links(index: Path) -> bool:
    """Whether the index may hold another repository: the bytes of its file mode, wherever they stand."""
    try:
        return b"\x00\x00\xe0\x00" in index.read_bytes()
    except OSError:
        return False
