"""What a command that a model runs gets to know of the environment we were started in."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping

from agent.executables import absolute_entries
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
FOR_LOOKING: Mapping[str, str] = {
    "GIT_CONFIG_COUNT": str(len(_LOOKING)),
    **{f"GIT_CONFIG_KEY_{number}": key for number, key in enumerate(_LOOKING)},
    **{f"GIT_CONFIG_VALUE_{number}": value for number, value in enumerate(_LOOKING.values())},
    "GIT_EDITOR": "false",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_SSH_COMMAND": "false",
    "GIT_TERMINAL_PROMPT": "0",
    "PAGER": "cat",
}


def for_line(command: str) -> Mapping[str, str]:
    """Return what to add to the environment of this line: nothing if a person may have to approve it."""
    return FOR_LOOKING if shell.only_looks(command) else {}


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
