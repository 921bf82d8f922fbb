"""Lets the model ask the person instead of guessing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from agent.tools.tool import Target, Tool, ToolError, Workspace

ANSWERED = "The user answered: "


async def ask_user(
    workspace: Workspace,
    question: str,
    choices: Annotated[tuple[str, ...], "likely answers, best first"] = (),
) -> str:
    if not question.strip():
        raise ToolError("the question is empty; say what you need to know")
    return f"{ANSWERED}{await workspace.ask(question, choices)}"


def _targets(arguments: Mapping[str, Any]) -> tuple[Target, ...]:
    del arguments
    return ()


def _title(arguments: Mapping[str, Any]) -> str:
    return arguments["question"]


TOOL = Tool("ask_user", ask_user, _targets, _title)
