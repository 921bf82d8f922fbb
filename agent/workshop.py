"""Equips a session for one agent and one model, and anew when the user switches either."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from agent.agenda import Agenda, choose_dialect
from agent.agents.load import Agent
from agent.artifacts import ArtifactService
from agent.calls import Toolbox
from agent.config.models import Config
from agent.context.carried import carried_over
from agent.context.compactor import Compactor
from agent.context.keeper import ContextKeeper
from agent.context.summary import Scribe
from agent.context.window import with_room
from agent.entry import Opening
from agent.events import Notice
from agent.gate import Gate
from agent.interlude import Interlude
from agent.loop import Turn
from agent.mentions import Mentions
from agent.models import catalog
from agent.models.choosing import OFFLINE, Chosen
from agent.models.keys import secret_variables
from agent.models.protocol import ModelError
from agent.permissions.policy import Decision, Policy
from agent.permissions.rules import parse_rules
from agent.permissions.sandbox import Sandbox
from agent.prompts.system import compose
from agent.rewind.service import RewindService
from agent.session import Session
from agent.todos.actors import Actor
from agent.todos.dialects import registry as dialects
from agent.todos.dialects.registry import DIALECTS
from agent.todos.service import TodoService
from agent.tools import registry
from agent.tools.artifacts.tools import TOOLS as ARTIFACT_TOOLS
from agent.tools.artifacts.tools import ArtifactContext
from agent.tools.local import LocalWorkspace
from agent.tools.tool import Tool
from store.database import Store
from store.records import Session as SessionRecord

_UNLIMITED = 1_000_000
# What the model keeps of its plan and of how to work must not go before anything else.
_EXEMPT = frozenset(tool.name for dialect in DIALECTS for tool in dialects.tools(dialect)) | {"skill"}


@dataclass(slots=True)
class Workshop:
    """What stays for a session's life, and who works there from the next turn on."""

    opening: Opening
    config: Config
    store: Store
    record: SessionRecord
    instructions: tuple[str, ...]
    session: Session
    gate: Gate
    workspace: LocalWorkspace
    sandbox: Sandbox
    service: TodoService
    artifacts: ArtifactService
    rewinds: RewindService
    agent: Agent
    chosen: Chosen
    choose: Callable[[str | None], Chosen]
    small: Chosen | None = None
    equipped: Agent | None = None
    random: Random = field(default_factory=Random)

    def equip(self) -> None:
        """The same agent and model give the same tools and the same bytes of system prompt."""
        session, agent = self.session, self.agent
        session.journal.agent, session.journal.model = agent.name, self.chosen.name
        self.gate.policy = self._policy()
        self._hide_keys()
        entry = self.entry
        session.limits = replace(session.limits, priced=entry.prices is not None)
        agenda = self._agenda()
        agenda.begin_activation()
        session.equip(self._turn(agenda, entry), agenda, Mentions(self.workspace, self._may_read))
        session.warn_of_cap()
        self.equipped = agent

    @property
    def entry(self) -> catalog.Entry:
        """What is known of the chosen model."""
        sizes = self.config.model
        if self.chosen.name == OFFLINE:
            # It reads everything, and remembers only what it reads.
            return catalog.look_up(OFFLINE, context=_UNLIMITED)
        entry = catalog.look_up(self.chosen.name, context=sizes.context, max_output=sizes.max_output)
        return entry if sizes.max_output else with_room(entry)

    @property
    def sandbox_notices(self) -> tuple[str, ...]:
        """What the user has to know of the sandbox before the first command."""
        wanted = "auto" if self.opening.auto else self.agent.permissions or self.config.permissions.mode
        objection = self.gate.policy.no_auto if wanted == "auto" else ""
        weak = not self.sandbox.present or (self.opening.auto and self.sandbox.layer != "bubblewrap")
        return tuple(filter(None, (objection, self.sandbox.statement if weak else "")))

    def _scribes(self) -> tuple[Scribe, ...]:
        """The cheaper model first, when one is set and can be reached, then the one that works."""
        if self.chosen.name == OFFLINE:
            return ()
        working = Scribe(self.chosen.model, self.chosen.name, self.entry)
        name = self.config.model.small
        if name in (None, self.chosen.name):
            return (working,)
        try:
            self.small = self.small or self.choose(name)
        except ModelError as error:
            self.session.emit(Notice("warning", f"model.small cannot be used: {error}"))
            return (working,)
        small = Scribe(self.small.model, self.small.name, with_room(catalog.look_up(self.small.name)))
        return (small, working)

    def _may_read(self, path: str) -> Decision:
        return self.gate.policy.decide("read", "read", path)

    def _policy(self) -> Policy:
        policy = self.gate.policy
        if self.agent is self.equipped:
            # Another model is no reason to forget the mode that the user chose meanwhile.
            return policy
        own = self.agent.permissions
        # An agent that changes nothing is chosen for that; `--auto` is about not being asked.
        wanted = "auto" if self.opening.auto and own != "plan" else own
        others = (rule for rule in policy.rules if rule.layer != "agent")
        rules = (*others, *parse_rules(self.agent.rules, "agent"))
        return replace(policy, rules=rules, mode=wanted or self.config.permissions.mode)

    def _hide_keys(self) -> None:
        """A provider that nobody had configured has its key in the environment too."""
        secret = secret_variables({self.chosen.name.partition("/")[0]: None})
        kept = {name: value for name, value in self.workspace.environment.items() if name not in secret}
        self.workspace.environment = kept

    def _agenda(self) -> Agenda:
        config, agent = self.config, self.agent
        return Agenda(
            self.service,
            Actor(f"agent:{agent.name}", agent.access, assigned=agent.todos == "assigned"),
            dialect=choose_dialect(agent, config, self.chosen.name),
            limits=self.session.limits,
            countdown=config.wake.countdown if self.opening.attended else 0.0,
            wakes_on_workspace=config.wake.workspace,
            every_step=config.todos.context == "every-step",
        )

    def _turn(self, agenda: Agenda, entry: catalog.Entry) -> Turn:
        session, chosen = self.session, self.chosen
        tools = _offered(self.agent, agenda.tools)
        between = Interlude(self.store, session, agenda, self._max_steps())
        context = self._context(tools, agenda, entry, between)
        return Turn(
            model=chosen.model,
            name=chosen.name,
            entry=entry,
            context=context,
            specs=context.compactor.specs,
            box=self._box(tools, agenda),
            journal=session.journal,
            max_steps=between.max_steps,
            prepare=between.prepare,
            may_repeat=between.may_repeat,
            spoken=between.spoken,
            tail=agenda.tail,
            emit=session.emit,
            random=self.random,
        )

    def _context(
        self, tools: tuple[Tool, ...], agenda: Agenda, entry: catalog.Entry, between: Interlude
    ) -> ContextKeeper:
        session = self.session
        names = {tool.name for tool in tools}
        compactor = Compactor(
            store=self.store,
            journal=session.journal,
            system=compose(
                self.agent,
                Path(self.record.workspace),
                created_at=self.record.created_at,
                guidance=agenda.guidance,
                instructions=self.instructions,
            ),
            # Schemas are 5 MB that a session without a question does not need.
            specs=lambda: tuple(registry.spec(tool) for tool in tools),
            scribes=self._scribes,
            carried=lambda: carried_over(agenda, self.artifacts, names),
            emit=session.emit,
            random=self.random,
            pictures=entry.pictures,
        )
        return ContextKeeper(
            session.journal, entry, compactor, _EXEMPT.__contains__, between.check_limits, session.emit
        )

    def _max_steps(self) -> int:
        choice = self.config.agents.get(self.agent.name)
        chosen = choice.max_steps if choice else None
        return self.opening.max_steps or chosen or self.agent.max_steps or self.config.agent.max_steps

    def _box(self, tools: tuple[Tool, ...], agenda: Agenda) -> Toolbox:
        session = self.session
        artifacts = ArtifactContext(self.artifacts, agenda.actor)
        return Toolbox(
            tools,
            self.workspace,
            self.gate,
            session.journal,
            session.questions,
            session.emit,
            session.waiting,
            lambda on: agenda.context if on == "todos" else artifacts if on == "artifacts" else None,
        )


def _offered(agent: Agent, todo_tools: tuple[Tool, ...]) -> tuple[Tool, ...]:
    """All by default, for subagents without artifacts; an agent may name tools, `default`, `artifacts`."""
    default = (*registry.DEFAULTS, *todo_tools)
    if agent.tools is None:
        return default if agent.mode == "subagent" else (*default, *ARTIFACT_TOOLS)
    wanted = agent.tools
    return tuple(
        tool
        for group, tools in (("default", default), ("artifacts", ARTIFACT_TOOLS))
        for tool in tools
        if tool.name in wanted or group in wanted
    )
