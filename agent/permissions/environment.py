"""What a command that a model runs gets to know of the environment we were started in."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from agent.executables import absolute_entries, safe_path
from agent.permissions import shell

# The policy reads a line as plain bash would: these make bash read it otherwise, or run something first.
_CHANGING = frozenset(
    {"BASH_ENV", "ENV", "CDPATH", "GLOBIGNORE", "SHELLOPTS", "BASHOPTS", "PROMPT_COMMAND", "PS4"}
    # These change what options and operands mean to programs that pass without a question.
    | {"POSIXLY_CORRECT", "_POSIX2_VERSION", "GREP_OPTIONS", "RIPGREP_CONFIG_PATH", "MAGIC"}
)
# The same for git, whose looking around passes without a question.
_STEERING = ("BASH_FUNC_", "GIT_CONFIG", "GIT_DIR", "GIT_WORK_TREE", "GIT_EXTERNAL_DIFF", "GIT_PAGER")


# For lines that run unasked: git starts no program, asks nothing and writes nothing, whatever a setting says.
_LOOKING = {
    "blame.ignoreRevsFile": "",
    "core.editor": "false",
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.pager": "cat",
    "core.sshCommand": "false",
    "diff.submodule": "short",
    "gc.auto": "0",
    "gpg.program": "false",
    "gpg.ssh.program": "false",
    "gpg.x509.program": "false",
    "grep.fallbackToNoIndex": "false",
    "log.showSignature": "false",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "safe.bareRepository": "explicit",
    "status.submoduleSummary": "false",
    "submodule.recurse": "false",
}
# For git while it may write the repository: it starts no program of the project and leaves nothing running.
_WRITING = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "gc.auto": "0",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "submodule.recurse": "false",
}


def _settings(values: Mapping[str, str]) -> dict[str, str]:
    return {
        "GIT_CONFIG_COUNT": str(len(values)),
        **{f"GIT_CONFIG_KEY_{number}": key for number, key in enumerate(values)},
        **{f"GIT_CONFIG_VALUE_{number}": value for number, value in enumerate(values.values())},
    }


FOR_LOOKING: Mapping[str, str] = {
    **_settings(_LOOKING),
    "GIT_EDITOR": "false",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_SSH_COMMAND": "false",
    "GIT_TERMINAL_PROMPT": "0",
    "PAGER": "cat",
}
# `true` as the editor takes the message that git proposes.
_FOR_WRITING = {
    **_settings(_WRITING),
    "GIT_EDITOR": "true",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_PAGER": "cat",
    "GIT_SEQUENCE_EDITOR": "true",
    "GIT_TERMINAL_PROMPT": "0",
}


def for_line(command: str, *, root: str | os.PathLike[str], path: str) -> Mapping[str, str]:
    """Return what to add to the environment of this line: nothing if a person may have to approve it.

    Programs that only look start others by name too (`egrep` is a script on some systems, git has filters),
    which must not be found in the workspace `root`.
    """
    if not shell.only_looks(command):
        return {}
    return {**FOR_LOOKING, "PATH": safe_path(root=root, path=path)}


def for_writing(root: Path) -> Mapping[str, str]:
    """Return what git gets while it may write the repository: it finds no program of the workspace."""
    return {**_FOR_WRITING, "PATH": safe_path(root=root)}


def for_commands(environment: Mapping[str, str], secret: Collection[str]) -> dict[str, str]:
    """Without the variables named in `secret`, and without what changes the meaning of a command."""
    kept = {
        name: value
        for name, value in environment.items()
        if name not in secret and name not in _CHANGING and not name.startswith(_STEERING)
    }
    # A relative entry would let a file of the project pose as `ls`. A project's own `.venv/bin` stays, for
    # what the user approves; the policy frees nothing by name that would be found there.
    kept["PATH"] = absolute_entries(kept.get("PATH", ""))
    return kept
