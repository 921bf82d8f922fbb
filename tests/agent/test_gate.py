import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from agent.events import Event, QuestionAsked
from agent.gate import DeniedError, Gate
from agent.permissions.grants import NewGrant
from agent.permissions.paths import Places
from agent.permissions.policy import Policy
from agent.permissions.rules import parse_rules
from agent.questions import Questions
from agent.tools.edit import TOOL as EDIT
from agent.tools.fetch import TOOL as FETCH
from agent.tools.patch import TOOL as PATCH
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


def exact(what: str) -> tuple[str, str]:
    return f"Yes, {what} for this session", f"Yes, {what}, always here"


def wider(rule: str) -> tuple[str, str]:
    return f"Yes, for this session: {rule}", f"Yes, always here: {rule}"


@pytest.mark.parametrize(
    ("tool", "targets", "session", "always"),
    [
        (SHELL, (Target("shell", "cargo build --release"),), *wider("shell cargo build *")),
        (SHELL, (Target("shell", "rm -rf build"),), *exact("this exact command")),
        (SHELL, (Target("shell", "make clean && make"),), *exact("this exact command")),
        (SHELL, (Target("shell", "one\ntwo"),), *exact("this exact command")),
        (SHELL, (Target("shell", "one && " + "two " * 60),), *exact("this exact command")),
        (SHELL, (Target("shell", "make clean && make \n"),), *exact("this exact command")),
        (EDIT, (Target("edit", "src/a.py"),), *wider("edit src/**")),
        (EDIT, (Target("edit", "a.py"),), *exact("edit this file")),
        (PATCH, (Target("edit", "a.py"), Target("edit", "b.py")), *exact("patch these 2 files")),
        (PATCH, (Target("edit", "src/a.py"), Target("edit", "src/b.py")), *wider("patch src/**")),
        (PATCH, (Target("edit", "src/a.py"), Target("edit", "b.py")), *wider("patch src/**, b.py")),
    ],
)
async def test_an_answer_that_lasts_says_what_it_allows(
    tmp_path: Path, tool: Tool, targets: tuple[Target, ...], session: str, always: str
):
    asking = Asking(tmp_path, "always")

    await asking.gate.permit(tool, targets)

    assert asking.labels()["s"] == session
    assert asking.labels()["a"] == always
    await asking.gate.permit(tool, targets)
    assert len(asking.asked) == 1


async def test_many_files_in_many_places_can_be_allowed_once_only(tmp_path: Path):
    asking = Asking(tmp_path, "once")

    await asking.gate.permit(PATCH, [Target("edit", f"{name}/a.py") for name in "abcd"])

    assert list(asking.labels()) == ["y", "n"]


async def test_a_patch_of_several_files_is_one_question(tmp_path: Path):
    asking = Asking(tmp_path, "once")

    await asking.gate.permit(PATCH, (Target("edit", "b.py"), Target("edit", "a.py")))

    (asked,) = asking.asked
    assert (asked.prompt, asked.detail, asked.reason) == ("edit 2 files", "b.py\na.py", "")


async def test_one_denied_file_refuses_a_patch_unasked(tmp_path: Path):
    asking = Asking(tmp_path, "once")
    rules = parse_rules(["deny edit b.py", "allow edit a.py"])
    asking.gate.policy = replace(asking.gate.policy, rules=rules)

    with pytest.raises(DeniedError, match=r"b\.py is not allowed"):
        await asking.gate.permit(PATCH, (Target("edit", "a.py"), Target("edit", "b.py")))

    assert not asking.asked
    assert asking.gate.refused == "patch b.py"


@pytest.mark.parametrize(
    ("target", "prompt"),
    [
        (Target("shell", "make dev"), "run this command"),
        (Target("shell", "make dev", manner="in the background"), "run this command in the background"),
    ],
)
async def test_a_command_is_asked_about_with_how_it_runs(tmp_path: Path, target: Target, prompt: str):
    asking = Asking(tmp_path, "once")

    await asking.gate.permit(SHELL, (target,))

    assert (asking.asked[0].prompt, asking.asked[0].detail) == (prompt, "make dev")


def test_a_background_command_says_so_to_the_gate():
    (target,) = SHELL.targets({"command": "make dev", "background": True})

    assert target.manner == "in the background"


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

    await asking.gate.permit(tool, (target,))

    assert list(asking.labels()) == ["y", "n"]


async def test_a_refusal_carries_what_the_person_said(tmp_path: Path):
    asking = Asking(tmp_path, "no", "use the branch")

    with pytest.raises(DeniedError) as caught:
        await asking.gate.permit(SHELL, (Target("shell", "rm -rf build"),))

    assert caught.value.reason == "use the branch"
    assert str(caught.value) == "the user refused shell rm -rf build: use the branch"
