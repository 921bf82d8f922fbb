"""Every setting with its type, limits, default and a line on what it does: the source of docs and screens."""

from __future__ import annotations

from typing import Annotated, Literal

from agent.config.areas import Area, Field, Limits
from agent.models import names

Dialect = Literal["standard", "skills", "list", "tasks", "writ"]
Mode = Literal["ask", "accept-edits", "plan", "auto"]
Transport = Literal["auto", "direct", "litellm"]

COUNT = Limits(above=0)
Name = Annotated[str, Limits(shortest=1)]
OptionalModel = Annotated[str, Limits(pattern=names.PATTERN, expectation=names.EXPECTATION)] | None
OptionalCount = Annotated[int, COUNT] | None
Rule = Annotated[
    str, Limits(pattern=r"\s*\S+ +\S.*", expectation="TOOL PATTERN, with allow, ask or deny before it")
]
KeyNames = Annotated[tuple[Name, ...], Limits(commas=True)]
Url = Annotated[
    str, Limits(pattern=r"https?://\S+", expectation="an address that starts with http:// or https://")
]
Variable = Annotated[
    str,
    Limits(pattern=r"[A-Za-z_][A-Za-z0-9_]*", expectation="the name of a variable, not the key itself"),
]


class Todos(Area):
    dialect: Dialect = Field(default="standard", description="Which todo tools the model is given.")
    dialects: dict[str, Dialect] = Field(
        default_factory=dict[str, Dialect],
        description="Another dialect for models whose name matches a pattern, such as `ollama/*`.",
    )
    context: Literal["on-change", "every-step"] = Field(
        default="on-change", description="When the live list is put before the model."
    )


class Wake(Area):
    max_cycles: int = Field(
        default=25,
        limits=Limits(least=0),
        description="Wakes in a row before the agent waits for you; 0 never wakes.",
    )
    max_minutes: float = Field(default=60, limits=COUNT, description="Minutes an activation may last.")
    max_tokens: int = Field(default=2_000_000, limits=COUNT, description="Tokens an activation may use.")
    stagnation: int = Field(
        default=3, limits=COUNT, description="Wakes without progress before the agent waits for you."
    )
    countdown: float = Field(
        default=2,
        limits=Limits(least=0),
        description="Seconds shown before a wake, in which any key cancels it.",
    )
    workspace: bool = Field(default=False, description="Whether workspace-wide todos wake every session.")


class Budget(Area):
    max_cost: Annotated[float, COUNT] | None = Field(
        default=None,
        description="Hard cap on money for a session, in US dollars.",
        user_only=True,
    )


class Model(Area):
    default: OptionalModel = Field(
        default=None,
        description="The model a new session uses, as PROVIDER/NAME; without one the offline model.",
        consented=True,
    )
    small: OptionalModel = Field(
        default=None,
        description="A cheaper model for subagents and summaries; else the default.",
        consented=True,
    )
    transport: Transport = Field(
        default="auto",
        description="How requests travel: straight over HTTP or through litellm.",
        consented=True,
    )
    context: OptionalCount = Field(
        default=None, description="Context window in tokens, when the model table is wrong."
    )
    max_output: OptionalCount = Field(
        default=None, description="Longest reply in tokens, when the model table is wrong."
    )


class Permissions(Area):
    mode: Mode = Field(default="ask", description="What needs your consent.", user_only=True)
    rules: tuple[Rule, ...] = Field(
        default=(),
        description="`TOOL PATTERN` with `allow` (if left out), `ask` or `deny` before it; layers add up.",
    )
    network: bool = Field(
        default=False,
        description="Whether commands in the sandbox reach the network.",
        user_only=True,
    )


class Ui(Area):
    theme: Name = Field(default="wakeful", description="Name of a theme: one of ours or a file of yours.")
    instant: bool = Field(default=True, description="Whether the prompt is drawn before the rest has loaded.")
    glyphs: Literal["auto", "unicode", "ascii"] = Field(
        default="auto", description="Which symbols the screen is drawn with."
    )


class Rewind(Area):
    max_megabytes: int = Field(
        default=200,
        limits=Limits(least=0),
        description="Disk space for earlier contents of files, the oldest dropped first; 0 keeps none.",
        user_only=True,
    )


class Cleanup(Area):
    stale_days: int = Field(
        default=30,
        limits=Limits(least=1),
        description="Age in days at which finished todos are archived ...",
    )
    inactive_days: int = Field(
        default=7,
        limits=Limits(least=1),
        description="... once their session was inactive for this many days.",
    )


class Agent(Area):
    max_steps: int = Field(
        default=100, limits=COUNT, description="Model calls in one turn before the agent must conclude."
    )


class AgentChoice(Area):
    """What the user prefers for one agent, whoever wrote its file."""

    model: OptionalModel = Field(default=None, description="The model this agent uses.", consented=True)
    dialect: Dialect | None = Field(default=None, description="The todo tools this agent is given.")
    max_steps: OptionalCount = Field(default=None, description="Model calls in one turn of this agent.")


class Provider(Area):
    base_url: Url | None = Field(
        default=None, description="Where requests go, such as `http://localhost:11434/v1`."
    )
    key_env: Variable | None = Field(
        default=None, description="Name of the environment variable that holds the key; never the key itself."
    )
    transport: Transport = Field(default="auto", description="How requests to this provider travel.")
    models: tuple[Name, ...] = Field(default=(), description="Models offered in the picker.")


class Config(Area):
    todos: Todos = Field(default_factory=Todos, description="The plan and how the model works on it.")
    wake: Wake = Field(
        default_factory=Wake, description="When the agent goes on by itself, and when it stops."
    )
    budget: Budget = Field(default_factory=Budget, description="Money.")
    model: Model = Field(default_factory=Model, description="Which model, and how it is reached.")
    permissions: Permissions = Field(default_factory=Permissions, description="What may run without asking.")
    agent: Agent = Field(default_factory=Agent, description="The turn.")
    ui: Ui = Field(default_factory=Ui, description="The screen.")
    keys: dict[str, KeyNames] = Field(
        default_factory=dict[str, KeyNames],
        description="Other keys for what [keys.md](keys.md) lists, by its name there: one, several, `none`.",
        user_only=True,
    )
    rewind: Rewind = Field(
        default_factory=Rewind, description="What is kept so that files can be taken back."
    )
    cleanup: Cleanup = Field(default_factory=Cleanup, description="When finished todos leave the list.")
    agents: dict[str, AgentChoice] = Field(
        default_factory=dict[str, AgentChoice], description="Preferences for one agent, by its name."
    )
    providers: dict[str, Provider] = Field(
        default_factory=dict[str, Provider],
        description="Endpoints of your own, by a name you choose.",
        user_only=True,
    )
