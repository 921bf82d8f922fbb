from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Annotated, Any

import pytest

from agent.models.protocol import ToolSpec
from agent.tools import registry
from agent.tools.local import LocalWorkspace
from agent.tools.tool import Target, Tool, ToolError, Workspace


async def sample(
    workspace: Workspace,
    path: Annotated[str, "where"],
    title: str = "none",
    count: int | None = None,
    all: bool = False,  # noqa: A002
) -> str:
    return f"{path} {title} {count} {all}"


def no_targets(arguments: Mapping[str, Any]) -> tuple[Target, ...]:
    return ()


SAMPLE = Tool("sample", sample, no_targets, str)


def wire(spec: ToolSpec) -> str:
    return json.dumps([spec.name, spec.description, spec.parameters])


def test_the_default_tools_fit_in_six_kilobytes() -> None:
    size = sum(len(wire(registry.spec(tool))) for tool in registry.DEFAULTS)

    print(f"default tools: {size} bytes")
    assert size <= 6_000


def test_a_schema_says_what_a_model_needs_and_no_more() -> None:
    spec = registry.spec(SAMPLE)

    assert spec.description == "A sample."
    assert spec.parameters == {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "where"},
            "title": {"type": "string", "default": "none"},
            "count": {"type": "integer"},
            "all": {"type": "boolean"},
        },
        "required": ["path"],
    }


def test_the_bytes_of_the_tools_are_the_same_in_every_process() -> None:
    code = (
        "import json; from agent.tools import registry; "
        "specs = map(registry.spec, registry.DEFAULTS); "
        "print(json.dumps([[s.name, s.description, s.parameters] for s in specs]))"
    )

    runs = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }

    assert len(runs) == 1


def test_importing_the_tools_loads_nothing_slow() -> None:
    code = (
        "import sys; from agent.tools import registry, local; "
        "print([m for m in ('pydantic', 'httpx', 'pathspec', 'difflib') if m in sys.modules])"
    )

    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout

    assert loaded == "[]\n"


async def test_valid_arguments_come_with_their_defaults(workspace: LocalWorkspace) -> None:
    arguments = registry.validate(SAMPLE, '{"path": "x", "count": "3"}')

    output = await registry.call(SAMPLE, workspace, arguments)

    assert output.text == "x none 3 False"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{}", ["path is missing", "path, title, count, all"]),
        ("", ["path is missing"]),
        ('{"path": "x", "color": 1}', ["no argument color"]),
        ('{"path": "x", "count": "many"}', ["count", "valid integer", "'many'"]),
        ('{"path": ', ["not JSON"]),
        ("[1]", ["object"]),
        ('{"path": "\\ud800"}', ["not JSON"]),
    ],
)
def test_a_wrong_call_is_told_what_to_do(text: str, words: list[str]) -> None:
    with pytest.raises(ToolError) as caught:
        registry.validate(SAMPLE, text)

    assert not [word for word in words if word not in str(caught.value)], str(caught.value)


def test_an_unknown_tool_is_answered_with_those_that_exist() -> None:
    with pytest.raises(ToolError, match="no tool named 'raed'; there are: sample"):
        registry.find([SAMPLE], "raed")


async def test_a_huge_result_is_cut_before_the_model_reads_it(workspace: LocalWorkspace) -> None:
    output = await registry.call(SAMPLE, workspace, {"path": "é" * 100_000})

    assert len(output.text.encode()) <= 30_000
    assert "bytes left out" in output.text


async def test_an_error_of_the_system_reaches_the_model_as_words(workspace: LocalWorkspace) -> None:
    async def failing(workspace: Workspace) -> str:
        raise PermissionError(13, "Permission denied", "/x")

    with pytest.raises(ToolError, match="/x: Permission denied"):
        await registry.call(Tool("failing", failing, no_targets, str), workspace, {})


@pytest.mark.parametrize("tool", registry.DEFAULTS, ids=lambda tool: tool.name)
def test_every_tool_names_its_targets_and_a_title(tool: Tool) -> None:
    values: dict[str, Any] = {
        name: schema.get("default", 1 if schema["type"] == "integer" else "x")
        for name, schema in registry.spec(tool).parameters["properties"].items()
        if schema["type"] in ("string", "integer")
    }
    arguments = registry.validate(tool, json.dumps(values))

    assert tool.title(arguments)
    assert (tool.name in ("jobs", "ask_user", "patch")) == (tool.targets(arguments) == ())
