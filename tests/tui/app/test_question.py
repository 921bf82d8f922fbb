import re
from pathlib import Path

import pytest

from agent.models.scripted import Scripted, said
from tests.tui.app.pilots import running, screen_text, type_text, until
from tests.tui.app.questions import EDIT, SHELL, asked
from tests.tui.app.still import ASKED
from tui.widgets.prompt import Prompt
from tui.widgets.question import QuestionPanel


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "calc.py").write_text("def add(a, b):\n    return a + b\n")
    return folder


async def test_a_change_is_shown_before_it_is_allowed_and_made(tmp_path: Path, project: Path):
    async with running(tmp_path, model=Scripted([said("", EDIT), said("done")])) as (app, pilot):
        await asked(app, pilot)
        await until(pilot, lambda: "return a - b" in screen_text(app))

        await pilot.press("y")
        await until(pilot, lambda: "done" in screen_text(app))

        assert (project / "calc.py").read_text() == "def add(a, b):\n    return a - b\n"
        assert app.query_one(QuestionPanel).question is None
        assert app.focused is app.query_one(Prompt)


async def test_a_change_is_shown_as_the_file_will_have_it(tmp_path: Path, project: Path):
    lines = [f"line {number}\n" for number in range(1, 101)]
    (project / "long.txt").write_text("".join(lines))
    whole = "".join(lines).replace("line 70\n", "line seventy\n")
    answers = [
        said("", ("read", {"path": "long.txt"})),
        said("", ("write", {"path": "long.txt", "content": whole})),
        said("done"),
    ]
    async with running(tmp_path, model=Scripted(answers)) as (app, pilot):
        await asked(app, pilot)
        await until(pilot, lambda: "seventy" in screen_text(app))

        shown = screen_text(app)
        assert "70 - line 70" in shown
        assert "70 + line seventy" in shown
        assert "66" not in shown
        assert (project / "long.txt").read_text() == "".join(lines)


async def test_a_refusal_takes_a_reason_that_the_agent_reads(tmp_path: Path, project: Path):
    model = Scripted([said("", SHELL), said("as you wish")])
    async with running(tmp_path, model=model) as (app, pilot):
        await asked(app, pilot)

        await pilot.press("n")
        await type_text(pilot, "not today")
        await pilot.press("enter")
        await until(pilot, lambda: "as you wish" in screen_text(app))

        assert "refused: not today" in screen_text(app)
        assert "not today" in str(model.requests[-1].messages)


async def test_a_long_proposal_says_how_much_of_it_is_in_sight(tmp_path: Path, project: Path):
    command = " && ".join(f"echo step {number} of many" for number in range(200))
    model = Scripted([said("", ("shell", {"command": command})), said("done")])
    async with running(tmp_path, model=model, size=(80, 24)) as (app, pilot):
        await asked(app, pilot)
        await until(pilot, lambda: re.search(r"lines 1-\d+ of \d+", screen_text(app)))
        seen = ""
        for _ in range(40):
            seen += screen_text(app)
            await pilot.press("shift+down")

        assert all(f"step {number} " in "".join(seen.split("\n")).replace("▌", "") for number in (0, 199))


async def test_an_answer_says_what_else_it_would_allow(tmp_path: Path, project: Path):
    (project / "src").mkdir()
    (project / "src" / "calc.py").write_text("return a + b\n")
    edit = ("edit", {"path": "src/calc.py", "old": "return a + b", "new": "return a - b"})
    async with running(tmp_path, model=Scripted([said("", edit), said("done")])) as (app, pilot):
        await asked(app, pilot)

        await until(pilot, lambda: "Yes, always here: edit src/**" in screen_text(app))


async def test_the_arrow_keys_choose_and_enter_answers(tmp_path: Path, project: Path):
    model = Scripted([said("", ("ask_user", {"question": "Which?", "choices": ["red", "blue"]})), said("ok")])
    async with running(tmp_path, model=model) as (app, pilot):
        await asked(app, pilot)

        await pilot.press("down", "enter")
        await until(pilot, lambda: len(model.requests) == 2)
        await until(pilot, lambda: re.search(r"\n +Which\?\n\n▌ blue\n", screen_text(app)))

        assert "blue" in str(model.requests[-1].messages)
        assert screen_text(app).count("Which?") == 1


async def test_escape_interrupts_what_is_asked_about(tmp_path: Path, project: Path):
    async with running(tmp_path, model=Scripted([said("", SHELL), said("done")])) as (app, pilot):
        await asked(app, pilot)

        await pilot.press("escape")
        await until(pilot, lambda: "held" in screen_text(app))

        assert app.query_one(QuestionPanel).question is None


async def test_every_answer_is_in_sight_however_long_the_proposal_and_small_the_screen(
    tmp_path: Path, project: Path
):
    long = ("edit", {"path": "calc.py", "old": "return a + b", "new": "return a - b\n" * 40})
    async with running(tmp_path, size=(80, 24), model=Scripted([said("", long)])) as (app, pilot):
        await asked(app, pilot)
        await until(pilot, lambda: "Yes, once" in screen_text(app))
        assert "No, and say why" in screen_text(app)

        await pilot.press("n")
        await until(pilot, lambda: "why? the agent reads it" in screen_text(app))
        await pilot.resize_terminal(80, 16)
        await until(pilot, lambda: "why? the agent reads it" in screen_text(app))
        assert "No, and say why" in screen_text(app)


RACE = (
    "def is_expired(self):\n    if time() >= self.ends_at:\n        log(time())\n"
    "        return True\n    return False\n"
)
MEND = ("edit", {"path": "race.py", "old": RACE, "new": "def is_expired(now):\n    return now >= ends\n"})


@pytest.fixture
def race(project: Path) -> None:
    (project / "race.py").write_text(f"one\ntwo\nthree\n{RACE}")


@pytest.mark.usefixtures("race")
@pytest.mark.parametrize("size", [(30, 6), (50, 10), (60, 12), (80, 16), (80, 24), (100, 30)])
async def test_what_would_be_put_there_is_seen_on_screens_of_any_size(tmp_path: Path, size: tuple[int, int]):
    async with running(tmp_path, size=size, model=Scripted([said("", MEND)])) as (app, pilot):
        await asked(app, pilot)

        await until(pilot, lambda: "+ def is_expired(now):" in screen_text(app))
        shown = screen_text(app)
        assert "race.py? +2 −5" in shown
        assert "Yes, once" in shown
        assert app.screen.scrollbars_enabled == (False, False)


@pytest.mark.usefixtures("race")
@pytest.mark.parametrize("height", [16, 24, 30])
async def test_a_short_change_is_seen_whole(tmp_path: Path, height: int):
    async with running(tmp_path, size=(80, height), model=Scripted([said("", MEND)])) as (app, pilot):
        await asked(app, pilot)

        await until(pilot, lambda: "No, and say why" in screen_text(app))
        shown = screen_text(app)
        assert "1   one" in shown
        assert "5 + " in shown
        assert " of " not in shown


@pytest.mark.usefixtures("race")
async def test_the_rest_of_a_short_screen_gives_way_to_a_question_and_comes_back(tmp_path: Path):
    async with running(tmp_path, size=(80, 24), model=Scripted([said("", MEND), said("done")])) as (
        app,
        pilot,
    ):
        await asked(app, pilot)
        await until(pilot, lambda: "Yes, once" in screen_text(app))
        assert "waiting for your approval" not in screen_text(app)

        await pilot.resize_terminal(50, 8)
        await until(pilot, lambda: "of 10" in screen_text(app))
        assert "wakeful" not in screen_text(app)

        await pilot.resize_terminal(80, 40)
        await until(pilot, lambda: "waiting for your approval" in screen_text(app))
        assert "wakeful" in screen_text(app)


@pytest.mark.usefixtures("race")
async def test_a_conversation_that_is_gone_to_has_room_beside_a_question(tmp_path: Path):
    model = Scripted([said("before that", MEND)])
    async with running(tmp_path, size=(50, 10), model=model) as (app, pilot):
        await asked(app, pilot)
        await until(pilot, lambda: "Yes, once" in screen_text(app))
        assert "before that" not in screen_text(app)

        await pilot.press("alt+up")
        await until(pilot, lambda: "before that" in screen_text(app))
        assert "Yes, once" in screen_text(app)

        await pilot.press("escape")
        await until(pilot, lambda: "before that" not in screen_text(app))


async def test_an_answer_that_is_out_of_sight_is_shown_before_it_is_given(tmp_path: Path, project: Path):
    (project / "src").mkdir()
    (project / "src" / "race.py").write_text(RACE)
    name, arguments = MEND
    edit = (name, {**arguments, "path": "src/race.py"})
    async with running(tmp_path, size=(40, 8), model=Scripted([said("", edit), said("done")])) as (
        app,
        pilot,
    ):
        await asked(app, pilot)
        await until(pilot, lambda: "Yes, once" in screen_text(app))

        await pilot.press("s")
        await until(pilot, lambda: "session: edit" in screen_text(app))
        assert "src/**" in screen_text(app)
        assert app.query_one(QuestionPanel).question

        await pilot.press("s")
        await until(pilot, lambda: app.query_one(QuestionPanel).question is None)


async def test_answers_too_many_for_the_screen_are_gone_through_by_the_arrow_keys(tmp_path: Path):
    colours = [f"colour {number}" for number in range(1, 31)]
    model = Scripted([said("", ("ask_user", {"question": "Which?", "choices": colours})), said("ok")])
    async with running(tmp_path, size=(60, 20), model=model) as (app, pilot):
        await asked(app, pilot)
        await until(pilot, lambda: "colour 1" in screen_text(app))

        await pilot.press("up")

        await until(pilot, lambda: "colour 30" in screen_text(app))
        assert "Which?" in screen_text(app)
        await pilot.press("enter")
        await until(pilot, lambda: "▌ colour 30" in screen_text(app))


async def test_a_change_longer_than_the_screen_is_read_from_its_beginning(tmp_path: Path, project: Path):
    old, new = ("".join(f"{word} {number}\n" for number in range(1, 31)) for word in ("old", "new"))
    (project / "long.txt").write_text(old)
    edit = ("edit", {"path": "long.txt", "old": old, "new": new})
    async with running(tmp_path, model=Scripted([said("", edit), said("done")]), size=(80, 24)) as (
        app,
        pilot,
    ):
        await asked(app, pilot)

        await until(pilot, lambda: re.search(r"lines 1-\d+ of \d+", screen_text(app)))
        assert "1 - old 1\n" in screen_text(app)


async def test_a_question_may_come_before_its_panel_is_on_the_screen(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        app.show_question(ASKED)

        await until(pilot, lambda: ASKED.choices[0].label in screen_text(app))


@pytest.mark.parametrize("size", [(20, 8), (24, 6), (30, 10)], ids=str)
async def test_an_answer_is_read_in_words_in_the_narrowest_windows(tmp_path: Path, size: tuple[int, int]):
    async with running(tmp_path, size=size) as (app, pilot):
        app.show_question(ASKED)

        await until(pilot, lambda: "Yes, once" in screen_text(app))
