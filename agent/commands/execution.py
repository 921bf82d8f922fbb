"""Runs one line; whatever refuses it below comes out as one kind of error."""

from __future__ import annotations

from agent.agents.load import AgentError
from agent.archive.records import ArchiveError
from agent.commands.errors import CommandError
from agent.commands.registry import Context
from agent.commands.results import Result
from agent.config.errors import ConfigError
from agent.context.errors import ContextError
from agent.limits import LimitReachedError
from agent.models.keys import KeyFileError
from agent.models.protocol import ModelError
from agent.opening import OpeningError
from agent.permissions.errors import PermissionsError
from agent.rewind.service import RewindError
from agent.session import BusyError
from agent.tools.tool import ToolError
from store.errors import StoreError

_REFUSALS = (
    AgentError,
    ArchiveError,
    BusyError,
    ConfigError,
    ContextError,
    KeyFileError,
    LimitReachedError,
    ModelError,
    OpeningError,
    PermissionsError,
    RewindError,
    StoreError,
    ToolError,
)


async def execute(context: Context, line: str) -> Result:
    """Raises CommandError and nothing else that a person could have caused."""
    command, rest = context.registry.find(line)
    try:
        values = list(command.values(rest))
    except CommandError as error:
        near = context.registry.nearest_form(command, rest)
        raise CommandError(error.message, near or error.hint, code=error.code) from error
    try:
        return await command.run(context, *values)
    except _REFUSALS as error:
        message, _, hint = str(error).partition("; ")
        raise CommandError(message, hint) from error
    except OSError as error:
        what = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        raise CommandError(what, "check the path and try again") from error
