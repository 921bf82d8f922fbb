import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from agent.events import Event, QuestionAsked
from agent.gate import DeniedError, Gate
from agent.permissions.grants import NewGrant
from agent.permissions.paths import Places
from agent.permissions.policy import Policy
from agent.questions import Questions
from agent.tools.edit import TOOL as EDIT
from agent.tools.fetch import TOOL as FETCH
from agent.tools.shell import TOOL as SHELL
from agent.tools.tool import Target, Tool
from store.records import Grant, SessionState


@asynccontextmanager
async def _waiting(_: SessionState) -> AsyncGenerator[None, None]:
    yield


class Asking:
    """A gate and a person who always gives the same answer."""

    def __init__(self, root: Path, answer: str, text: str = "") -> None:
        self.asked: list[QuestionAsked] = []
        self.kept: list[NewGrant] = []
        self._answer, self._text = answer, text
        self._questions = Questions(self._hear, attended=True)
        self.gate = Gate(Policy(Places(root)), self._questions, keep=self._keep, waiting=_waiting)

    def labels(self) -> dict[str, str]:
        return {choice.key: choice.label for choice in self.asked[0].choices}

    def _hear(self, event: Event) -> None:
        if isinstance(event, QuestionAsked):
            self.asked.append(event)
            # Nobody would hear of an answer that is refused: the question would stay open for ever.
            assert self._answer in [choice.name for choice in event.choices]
            answer = self._questions.answer
            asyncio.get_running_loop().call_soon(answer, event, self._answer, self._text)

    async def _keep(self, wanted: NewGrant) -> Grant:
        self.kept.append(wanted)
        return Grant(1, "w", None, wanted.tool, wanted.pattern, wanted.verdict, 0)


@pytest.mark.parametrize(
    ("tool", "target", "rule"),
    [
        (SHELL, Target("shell", "cargo build --release"), "shell cargo build *"),
        (SHELL, Target("shell", "rm -rf build"), "shell rm -rf build, nothing else"),
        (SHELL, Target("shell", "make clean && make"), "shell make clean && make, nothing else"),
        (SHELL, Target("shell", "one\ntwo"), "exactly this, nothing else"),
        (SHELL, Target("shell", "one && " + "two " * 60), "exactly this, nothing else"),
        (SHELL, Target("shell", "make clean && make \n"), "exactly this, nothing else"),
        (EDIT, Target("edit", "src/a.py"), "edit src/**"),
        (EDIT, Target("edit", "a.py"), "edit a.py, nothing else"),
    ],
)
async def test_an_answer_that_lasts_says_what_it_allows(
    tmp_path: Path, tool: Tool, target: Target, rule: str
):
    asking = Asking(tmp_path, "always")

    await asking.gate.permit(tool, target)

    assert asking.labels()["s"] == f"Yes, for this session: {rule}"
    assert asking.labels()["a"] == f"Yes, always here: {rule}"
    await asking.gate.permit(tool, target)
    assert len(asking.asked) == 1


@pytest.mark.parametrize(
    ("tool", "target"),
    [
        (SHELL, Target("shell", "echo \u202eevil && true")),
        (FETCH, Target("fetch", "http://10.0.0.1/", private=True)),
    ],
    ids=["a command that looks like another", "an address that is asked about every time"],
)
async def test_an_answer_that_could_not_last_is_not_offered(tmp_path: Path, tool: Tool, target: Target):
    asking = Asking(tmp_path, "once")

    await asking.gate.permit(tool, target)

    assert list(asking.labels()) == ["y", "n"]


async def test_a_refusal_carries_what_the_person_said(tmp_path: Path):
    asking = Asking(tmp_path, "no", "use the branch")

    with pytest.raises(DeniedError) as caught:
        await asking.gate.permit(SHELL, Target("shell", "rm -rf build"))

    assert caught.value.reason == "use the branch"
    assert str(caught.value) == "the user refused shell rm -rf build: use the branch"
