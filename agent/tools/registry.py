"""Turns tools into what a model is offered, and what a model sent into a checked call."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_type_hints

from agent.models.protocol import ToolSpec
from agent.tools import ask_user, edit, fetch, glob, grep, jobs, patch, read, shell, write
from agent.tools.limits import bounded
from agent.tools.tool import Output, Rare, Tool, ToolError

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

# The order is part of the bytes that providers cache: append only.
DEFAULTS: tuple[Tool, ...] = (
    read.TOOL,
    write.TOOL,
    edit.TOOL,
    patch.TOOL,
    glob.TOOL,
    grep.TOOL,
    shell.TOOL,
    jobs.TOOL,
    fetch.TOOL,
    ask_user.TOOL,
)


def find(tools: Iterable[Tool], name: str) -> Tool:
    tools = tuple(tools)
    for tool in tools:
        if tool.name == name:
            return tool
    raise ToolError(f"no tool named {name!r}; there are: {', '.join(tool.name for tool in tools)}")


def title_of(name: str, arguments: Mapping[str, Any]) -> str:
    """Of a call that was stored, as it was told while it ran; empty for a tool or arguments unknown here."""
    tool = next((each for each in DEFAULTS if each.name == name), None)
    if tool is None:
        return ""
    try:
        return tool.title(_defaults(tool) | dict(arguments))
    except (KeyError, TypeError, AttributeError):
        # What a model wrote may be anything.
        return ""


@cache
def spec(tool: Tool) -> ToolSpec:
    """The description is the `.md` beside the function's module; the schema comes from its annotations."""
    folder = Path(inspect.getfile(tool.function)).parent
    description = (folder / f"{tool.page or tool.name}.md").read_text(encoding="utf-8").strip()
    return ToolSpec(tool.name, description, _kept().get(full_name(tool)) or schema(tool))


@cache
def guide(tool: Tool) -> str:
    """The longer explanation, which the first result of the tool carries; empty where there is none."""
    if not tool.guide:
        return ""
    folder = Path(inspect.getfile(tool.function)).parent
    return (folder / f"{tool.guide}.md").read_text(encoding="utf-8").strip()


@cache
def _defaults(tool: Tool) -> dict[str, Any]:
    parameters = inspect.signature(tool.function).parameters.items()
    return {name: each.default for name, each in parameters if each.default is not each.empty}


def full_name(tool: Tool) -> str:
    """Two dialects may have tools of one name."""
    return f"{tool.function.__module__}.{tool.name}"


def schema(tool: Tool) -> dict[str, Any]:
    """Made anew: pydantic takes as long for this as all else before a first request."""
    made = _compact(_arguments(tool.function).model_json_schema())
    hints = get_type_hints(tool.function, include_extras=True)
    for name, argument in list(made.get("properties", {}).items()):
        if Rare in getattr(hints[name], "__metadata__", ()):
            del made["properties"][name]
            continue
        words = [note for note in getattr(hints[name], "__metadata__", ()) if isinstance(note, str)]
        if words:
            argument["description"] = words[0]
    made.setdefault("properties", {})
    return made


def validate(tool: Tool, text: str) -> dict[str, Any]:
    """The arguments as a model wrote them, checked and with defaults filled in."""
    from pydantic import ValidationError

    try:
        checked = _arguments(tool.function).model_validate_json(text.strip() or "{}")
    except ValidationError as error:
        raise ToolError(_explained(tool, error)) from error
    return {name: getattr(checked, name) for name in type(checked).model_fields}


async def call(tool: Tool, context: object, arguments: Mapping[str, Any]) -> Output:
    """Run a tool with validated arguments on what its `on` asks for; what the model reads is bounded."""
    try:
        result = await tool.function(context, **arguments)
    except OSError as error:
        raise ToolError(f"{error.filename or tool.name}: {error.strerror or error}") from error
    output = Output(result) if isinstance(result, str) else result
    return Output(bounded(output.text), output.title, output.metadata, output.attachments)


@cache
def _kept() -> dict[str, dict[str, Any]]:
    """Those of our own tools, as `agent.tools.schemas` wrote them."""
    return json.loads((Path(__file__).parent / "schemas.json").read_text(encoding="utf-8"))


@cache
def _arguments(function: Callable[..., object]) -> type[BaseModel]:
    # pydantic costs 90 ms, which the app's first frame must not wait for.
    from pydantic import ConfigDict, create_model

    hints = get_type_hints(function, include_extras=True)
    parameters = list(inspect.signature(function).parameters.values())[1:]
    fields: dict[str, Any] = {
        parameter.name: (
            hints[parameter.name],
            ... if parameter.default is parameter.empty else parameter.default,
        )
        for parameter in parameters
    }
    return create_model(function.__name__, __config__=ConfigDict(extra="forbid"), **fields)


def _compact(schema: dict[str, Any]) -> dict[str, Any]:
    """Without what tells a model nothing: titles, null and false defaults, closed objects."""
    kept: dict[str, Any] = {}
    for key, value in schema.items():
        if key in ("title", "additionalProperties") or (key == "default" and not value):
            continue
        if key in ("properties", "$defs"):
            kept[key] = {name: _compact(inner) for name, inner in value.items()}
        elif key == "anyOf":
            choices = [_compact(choice) for choice in value if choice != {"type": "null"}]
            kept.update(_plainest(choices))
        else:
            kept[key] = _compact(cast("dict[str, Any]", value)) if isinstance(value, dict) else value
    return kept


def _plainest(choices: list[dict[str, Any]]) -> dict[str, Any]:
    """Of several types the one to write; the others, such as JSON text for a list, are read all the same."""
    for kind in ("array", "integer", "object"):
        for choice in choices:
            if choice.get("type") == kind:
                return choice
    return choices[0] if len(choices) == 1 else {"anyOf": choices}


def _explained(tool: Tool, error: ValidationError) -> str:
    names = ", ".join(_arguments(tool.function).model_fields) or "none"
    problems: list[str] = []
    for problem in error.errors(include_url=False, include_context=False):
        where = ".".join(str(step) for step in problem["loc"])
        match problem["type"]:
            case "json_invalid":
                return f"the arguments of {tool.name} are not JSON ({problem['msg']}); send one object"
            case "missing":
                problems.append(f"{where} is missing")
            case "extra_forbidden":
                problems.append(f"there is no argument {where}")
            case _:
                given = repr(problem["input"])[:80]
                problems.append(f"{where or 'the whole'}: {problem['msg']}, got {given}")
    return f"{tool.name}: {'; '.join(problems)}. Its arguments: {names}"
