"""Reads agents from Markdown files: who they are, what they may do, and what they are told."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal, cast, get_args

from agent.config.consent import unheeded, wish
from agent.models.names import EXPECTATION, is_name
from agent.paths import lies_within
from store.frozen import frozen

Access = Literal["full", "readonly", "readonly-shell", "minimal"]
AgentMode = Literal["primary", "subagent"]
TodoPolicy = Literal["none", "assigned", "shared", "own"]
PermissionMode = Literal["ask", "accept-edits", "plan", "auto"]

_KEYS = frozenset(
    {
        "description",
        "mode",
        "access",
        "permissions",
        "todos",
        "tools",
        "model",
        "dialect",
        "max_steps",
        "rules",
    }
)


class AgentError(Exception):
    """Names the file, the line and what was expected there."""


@frozen
class Agent:
    name: str
    prompt: str
    description: str = ""
    mode: AgentMode = "primary"
    access: Access = "full"
    permissions: PermissionMode | None = None
    todos: TodoPolicy = "own"
    tools: tuple[str, ...] | None = None
    model: str | None = None
    dialect: str | None = None
    max_steps: int | None = None
    rules: tuple[str, ...] = ()


def built_in() -> dict[str, Agent]:
    files = sorted(Path(__file__).parent.glob("*.md"))
    return {file.stem: parse(file.stem, file.read_text("utf-8"), file.name) for file in files}


@frozen
class Agents:
    """All agents by name; `wishes` are models of the project's that wait for the user's agreement."""

    by_name: Mapping[str, Agent]
    notices: tuple[str, ...]
    wishes: tuple[str, ...]


def load_all(own: Path, project: Path | None, agreed: Collection[str] = ()) -> Agents:
    """The built-in agents, the user's, which may replace them, then those of a trusted project."""
    notices: list[str] = []
    built = built_in()
    mine = _read_folder(own)
    # The user's own agent may deny what a project's of the same name would not.
    theirs = _read_project(project, notices) if project else {}
    theirs = {name: agent for name, agent in theirs.items() if name not in mine}
    wishes = _take_models(theirs, agreed) if project else {}
    notices += [unheeded(f"the project's agent '{name}'", wanted) for name, wanted in wishes.items()]
    added = {name: _narrowed(agent, built.get(name), notices) for name, agent in theirs.items()}
    return Agents({**built, **added, **mine}, tuple(notices), tuple(wishes.values()))


def _read_folder(folder: Path, left_out: Collection[Path] = ()) -> dict[str, Agent]:
    return {
        file.stem: parse(file.stem, file.read_text("utf-8"), str(file))
        for file in sorted(folder.glob("*.md"))
        if file not in left_out
    }


def _read_project(root: Path, notices: list[str]) -> dict[str, Agent]:
    folder = root / ".wakeful" / "agents"
    outside = [file for file in sorted(folder.glob("*.md")) if not lies_within(file, root)]
    notices += [f"{file} is not read: it is a link out of the folder" for file in outside]
    return _read_folder(folder, outside)


def _take_models(agents: dict[str, Agent], agreed: Collection[str]) -> dict[str, str]:
    """Take away each model that the user has not agreed to; return these by the agent's name."""
    wishes: dict[str, str] = {}
    for name, agent in agents.items():
        wanted = wish(("agents", name, "model"), agent.model)
        if agent.model is not None and wanted not in agreed:
            wishes[name] = wanted
            agents[name] = replace(agent, model=None)
    return wishes


def _narrowed(agent: Agent, replaced: Agent | None, notices: list[str]) -> Agent:
    """However trusted, a project takes permissions away and gives none."""
    rules = tuple(rule for rule in agent.rules if rule.split()[:1] in (["ask"], ["deny"]))
    permissions = agent.permissions if agent.permissions in ("ask", "plan") else None
    if (rules, permissions) != (agent.rules, agent.permissions):
        notices.append(
            f"the project's agent '{agent.name}': its permissions are narrowed: a project may not allow"
        )
    if replaced is not None and replaced.permissions == "plan":
        permissions = "plan"
    return replace(agent, rules=rules, permissions=permissions)


def pick(agents: Mapping[str, Agent], name: str) -> Agent:
    if name in agents:
        return agents[name]
    from difflib import get_close_matches

    near = get_close_matches(name, agents, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(agents)}"
    raise AgentError(f"no agent named '{name}'; {hint}")


def parse(name: str, text: str, source: str) -> Agent:
    head, body = _split(text, source)
    values: dict[str, str] = {}
    for number, line in enumerate(head, 2):
        key, colon, value = line.partition(":")
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not colon or key.strip() not in _KEYS:
            from difflib import get_close_matches

            near = get_close_matches(key.strip(), _KEYS, 1)
            hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(sorted(_KEYS))}"
            raise AgentError(f"{source}:{number}: unknown key '{key.strip()}'; {hint}")
        values[key.strip()] = value.strip()
    return _agent(name, body, values, source)


def _split(text: str, source: str) -> tuple[list[str], str]:
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[0].strip() != "---":
        return [], text.strip()
    try:
        end = lines.index("---", 1)
    except ValueError:
        raise AgentError(f"{source}:1: the front matter has no closing --- line") from None
    return lines[1:end], "\n".join(lines[end + 1 :]).strip()


def _agent(name: str, body: str, values: Mapping[str, str], source: str) -> Agent:
    def one_of(key: str, choices: tuple[str, ...], default: str) -> str:
        value = values.get(key, default)
        if value not in choices:
            raise AgentError(f"{source}: {key} is '{value}'; it must be one of {', '.join(choices)}")
        return value

    permissions = one_of("permissions", get_args(PermissionMode), "ask") if "permissions" in values else None
    model = values.get("model")
    if model is not None and not is_name(model):
        raise AgentError(f"{source}: model is '{model}'; it must be {EXPECTATION}")
    steps = values.get("max_steps")
    if steps is not None and not steps.isdigit():
        raise AgentError(f"{source}: max_steps is '{steps}'; it must be a whole number")
    mode = cast("AgentMode", one_of("mode", get_args(AgentMode), "primary"))
    return Agent(
        name=name,
        prompt=body,
        description=values.get("description", ""),
        mode=mode,
        access=cast("Access", one_of("access", get_args(Access), "full")),
        permissions=cast("PermissionMode | None", permissions),
        todos=cast("TodoPolicy", one_of("todos", get_args(TodoPolicy), _default_policy(mode))),
        tools=_names(values["tools"]) if "tools" in values else None,
        model=model,
        dialect=values.get("dialect"),
        max_steps=int(steps) if steps else None,
        rules=tuple(rule.strip() for rule in values.get("rules", "").split(";") if rule.strip()),
    )


def _default_policy(mode: AgentMode) -> TodoPolicy:
    """A subagent has todo tools only where its file says so."""
    return "none" if mode == "subagent" else "own"


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
