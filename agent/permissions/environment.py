"""What a command that a model runs gets to know of the environment we were started in."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from agent.executables import absolute_entries

# The policy reads a line as plain bash would: these make bash read it otherwise, or run something first.
_CHANGING = frozenset(
    {"BASH_ENV", "ENV", "CDPATH", "GLOBIGNORE", "SHELLOPTS", "BASHOPTS", "PROMPT_COMMAND", "PS4"}
)
# The same for git, whose looking around passes without a question.
_STEERING = ("BASH_FUNC_", "GIT_CONFIG", "GIT_DIR", "GIT_WORK_TREE", "GIT_EXTERNAL_DIFF", "GIT_PAGER")


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
