"""A conversation with the offline model, typed as somebody would who sees it for the first time."""

import os
import random
import re
import signal
from pathlib import Path

import pytest

from tests.tui.repl.conftest import Start

READY = r"› *\n.*dormant: nothing open"
APPROVAL = r"Run this command\?\s+(▌ )?make test"
CTRL_C, CTRL_D, CTRL_G, CTRL_L, CTRL_R, CTRL_S = "\x03\x04\x07\x0c\x12\x13"
ESCAPE, ALT_ENTER = "\x1b", "\x1b\r"
# Longer than the moment in which a key is still taken for typing.
GRACE = 0.8


@pytest.mark.smoke
def test_a_plan_appears_moves_and_is_done(start: Start):
    terminal = start()
    terminal.wait_for(READY)

    terminal.type("survey this project\r")
    terminal.wait_for(r"dormant: nothing open", on_screen=True)
    text = terminal.wait_for(r"Plan 5/5 ━{12}")

    assert "› survey this project" in text
    assert re.search(r"Plan 0/5 ─{12}\n  ▶ #1 List the files\n  ○ #2", text)
    assert "✓ Read README.md" in text
    assert "Files: 3" in text


def test_a_refusal_takes_a_reason_and_gives_back_what_was_typed(start: Start):
    terminal = start()
    terminal.wait_for(READY)
    terminal.type("run the tests\r")
    terminal.wait_for(APPROVAL)
    terminal.settle(GRACE)

    terminal.type("n")
    terminal.wait_for(r"why\?", on_screen=True)
    terminal.type("not today\r")

    terminal.wait_for(r"you: No: not today")
    terminal.wait_for(r"Did not run make test[\s\S]*refused: not today")


def test_keys_typed_while_a_question_comes_up_do_not_answer_it(start: Start):
    terminal = start()
    terminal.wait_for(READY)

    terminal.type("run the tests\rya")
    terminal.wait_for(APPROVAL)
    terminal.settle(GRACE)

    assert "you: " not in terminal.text
    assert re.search(r"› ya", terminal.shown)


def test_typing_ahead_is_queued_and_shown_then_sent(start: Start):
    terminal = start()
    terminal.wait_for(READY)
    terminal.type("run the tests\r")
    terminal.wait_for(APPROVAL)
    terminal.settle(GRACE)

    terminal.type("what are the largest files?\r")
    terminal.wait_for(r"queued  what are the largest files\?", on_screen=True)
    terminal.type("explain calc.py\r")
    terminal.wait_for(r"queued  explain calc", on_screen=True)
    terminal.type("\x1b[A")
    terminal.wait_for(r"› explain calc\.py\n", on_screen=True)
    assert "queued  explain" not in terminal.shown
    terminal.type("\x15")
    terminal.wait_for(r"› *\n", on_screen=True)
    terminal.settle(GRACE)
    terminal.type("y")

    terminal.wait_for(r"(?s)Ran make test.*› what are the largest files\?")
    terminal.wait_for(r"queued", gone=True)


def test_input_has_many_lines_history_search_an_editor_and_files(start: Start, tmp_path: Path):
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nprintf 'explain calc.py' > \"$1\"\n")
    editor.chmod(0o755)
    terminal = start(EDITOR=str(editor))
    terminal.wait_for(READY)

    terminal.type(f"one{ALT_ENTER}two\\\rthree")
    terminal.wait_for(r"› one\n  two\n  three")
    terminal.type("\r")
    terminal.wait_for(r"(?s)› one\n  two\n  three.*Then ask again.*dormant: nothing open")

    terminal.type(f"{CTRL_R}two")
    terminal.wait_for(r"› one\n  two\n  three\n.*two", on_screen=True)
    terminal.type(f"\r{CTRL_C}")
    terminal.wait_for(r"› *\n", on_screen=True)

    terminal.type(CTRL_G)
    terminal.wait_for(r"› explain calc\.py *\n", on_screen=True)
    terminal.type(CTRL_C)
    terminal.wait_for(r"› explain calc", gone=True)

    terminal.type("look at @ca")
    terminal.wait_for(r"look at @ca\n.*calc\.py", on_screen=True)
    terminal.type("\t")
    terminal.wait_for(r"› look at @calc\.py", on_screen=True)
    terminal.type(CTRL_C)

    terminal.type("/tod")
    terminal.wait_for(r"› /tod\n.*/todos", on_screen=True)
    terminal.type(f"{CTRL_C}/keys\r")
    terminal.wait_for(r"(?s)\nenter +send.*ctrl\+s +steer.*ctrl\+r +search")


def test_a_large_paste_stands_as_a_word_and_goes_out_whole(start: Start):
    terminal = start()
    terminal.wait_for(READY)
    pasted = "\n".join(f"line {number}" for number in range(5_000))

    terminal.type(f"\x1b[200~{pasted}\x1b[201~ is this")
    terminal.wait_for(r"› \[paste 1: 5000 lines\] is this", on_screen=True)
    terminal.type("\r")

    terminal.wait_for(r"line 4999 is this")


def test_a_rewind_gives_back_what_was_typed_and_a_diff_shows_what_was_done(start: Start, project: Path):
    terminal = start("--set", "permissions.mode=accept-edits")
    terminal.wait_for(READY)
    terminal.type("what are the largest files?\r")
    terminal.wait_for(r"(?s)largest files\?.*calc\.py.*dormant: nothing open")

    terminal.type("/diff\r")
    terminal.wait_for(r"the session changed nothing")
    terminal.type("/rewind 1 both\r")

    terminal.wait_for(r"(?s)back to before message 1.*/rewind undo takes this back")
    terminal.wait_for(r"› what are the largest files\? *\n", on_screen=True)


def test_history_outlives_the_session(start: Start):
    first = start()
    first.wait_for(READY)
    first.type("!echo remembered\r")
    first.wait_for(r"\nremembered")
    first.type(CTRL_D)
    first.end()

    second = start()
    second.wait_for(READY)
    second.type("\x1b[A")

    second.wait_for(r"› !echo remembered", on_screen=True)


def test_a_command_of_the_user_runs_at_once_and_may_be_told(start: Start):
    terminal = start()
    terminal.wait_for(READY)

    terminal.type("!printf '\\033[31mred\\033[0m\\n'; exit 3\r")
    terminal.wait_for(r"\nred\n\n?.*exit code 3")
    terminal.type("!!echo told\r")
    terminal.wait_for(r"(?s)› I ran `echo told` \(exit code 0\).*offline planner")


def test_half_a_line_of_a_command_waits_for_its_end(start: Start):
    terminal = start()
    terminal.wait_for(READY)
    terminal.type("!echo begun; printf half; sleep 1; echo ' a line'; printf rest\r")
    terminal.wait_for(r"\nbegun")
    terminal.type("/rename in between\r")

    terminal.wait_for(r"(?s)in between'\n.*half a line\nrest\n")


def test_a_command_of_the_user_is_stopped_by_escape(start: Start):
    terminal = start()
    terminal.wait_for(READY)
    terminal.type("!echo begun; sleep 1000\r")
    terminal.wait_for(r"\nbegun")

    terminal.type(ESCAPE)

    terminal.wait_for(r"stopped: echo begun")


def test_commands_typed_at_once_are_carried_out_one_after_the_other(start: Start):
    terminal = start()
    terminal.wait_for(READY)

    terminal.type("/hold\r/todo add Buy milk\r/todo start Buy\r/todo subject 1: Buy bread\r/todos all\r")
    text = terminal.wait_for(r"(?s)/todos all\n\nPlan 0/1.*▶ #1 Buy bread\n")

    said = [line for line in text.split("\n") if line.startswith(("› /", "held", "#1"))]
    assert said == [
        "› /hold",
        "held: nothing runs by itself until you type or /wake",
        "› /todo add Buy milk",
        "#1 [pending] Buy milk",
        "› /todo start Buy",
        "#1 [in_progress] Buy milk",
        "› /todo subject 1: Buy bread",
        "#1 [in_progress] Buy bread",
        "› /todos all",
    ]


def test_steering_goes_into_the_turn_that_runs(start: Start):
    terminal = start()
    terminal.wait_for(READY)
    terminal.type("run the tests\r")
    terminal.wait_for(APPROVAL)
    terminal.settle(GRACE)

    terminal.type(f"also look at README.md{CTRL_S}")
    terminal.wait_for(r"› also look at README", gone=True)
    terminal.wait_for(r"steers  also look at README\.md\n", on_screen=True)
    terminal.type("y")

    terminal.wait_for(r"(?s)Ran make test.*› also look at README\.md")
    terminal.wait_for(r"steers", gone=True)


def test_what_was_typed_ahead_is_told_when_it_is_left_unsent(start: Start):
    terminal = start()
    terminal.wait_for(READY)
    terminal.type("run the tests\r")
    terminal.wait_for(APPROVAL)
    terminal.settle(GRACE)

    terminal.type(f"first of two\rsecond of two{CTRL_S}")
    terminal.wait_for(r"steers  second of two\nqueued  first of two", on_screen=True)
    terminal.type(CTRL_D)

    assert terminal.end() == 0
    assert re.search(r"not sent: second of two\nnot sent: first of two\nsession", terminal.text)


@pytest.mark.parametrize("setting", [{"TERM": "dumb"}, {"NO_COLOR": "1"}, {"LANG": "C"}, {"LC_ALL": "C"}, {}])
@pytest.mark.parametrize("columns", [40, 80])
def test_every_kind_of_terminal_can_hold_a_conversation(start: Start, setting: dict[str, str], columns: int):
    terminal = start(columns=columns, **setting)
    terminal.wait_for(r"(?i)dormant: nothing open")

    terminal.type("what are the largest files?\r")
    terminal.wait_for(r"(?s)largest files\?.*calc\.py.*")
    terminal.wait_for(r"(?is)calc\.py.*dormant: nothing open")
    terminal.type(CTRL_D)

    assert terminal.end() == 0
    assert terminal.is_sane() == []
    if "NO_COLOR" in setting:
        assert not re.search(rb"\x1b\[(?:\d+;)*[349][0-7](?:;\d+)*m", terminal.captured)
    if setting.get("TERM") == "dumb":
        assert b"\x1b" not in terminal.captured
    if "C" in (setting.get("LANG"), setting.get("LC_ALL")):
        assert terminal.captured.isascii()


def test_letters_that_the_locale_does_not_know_are_kept(start: Start):
    terminal = start(LANG="C", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    terminal.wait_for(r"dormant: nothing open")

    terminal.type("/rename na\u00efve\r")
    terminal.wait_for(r"this session is called 'na\?ve'")
    terminal.type("/quit\r")
    assert terminal.end() == 0

    start("-c").wait_for(r"(?s)Wakeful.*dormant")
    again = start()
    again.wait_for(READY)
    again.type("/sessions\r")
    again.wait_for("na\u00efve")


def test_the_line_below_names_the_agent_that_was_chosen(start: Start):
    terminal = start()
    terminal.wait_for(READY)

    terminal.type("/agent plan\r")

    terminal.wait_for(r"dormant.*offline · plan", on_screen=True)


def test_what_is_confirmed_is_done_without_being_said_again(start: Start):
    terminal = start()
    terminal.wait_for(READY)
    terminal.type("/trust\r")
    terminal.wait_for(r"(?s)Trust .*\?")
    terminal.settle(GRACE)

    terminal.type("y")
    text = terminal.wait_for(r"(?s)you: Yes\n.*\sis\s+trusted\n.*› *\n.*dormant")

    assert "/trust yes" not in text
    assert text.count("/help lists the commands") == 1


def test_escape_says_no_to_a_question_and_holds_nothing(start: Start):
    terminal = start()
    terminal.wait_for(READY)
    terminal.type("/trust\r")
    terminal.wait_for(r"(?s)Trust .*\?")

    terminal.type(ESCAPE)
    terminal.wait_for(r"you: No\n")

    terminal.wait_for(r"y Yes   n No", gone=True)
    assert "held" not in terminal.text


def test_a_session_that_is_opened_again_is_not_printed_again(start: Start):
    terminal = start()
    terminal.wait_for(READY)
    terminal.type("/hold\r/todo add Buy milk\r")
    terminal.wait_for(r"○ #1 Buy milk")

    terminal.type("/trust yes\r")
    text = terminal.wait_for(r"(?s)\sis\s+trusted\n.*Wakeful.*› *\n.*idle: held")

    assert text.count("○ #1 Buy milk") == 1


def test_a_sitting_in_which_nothing_was_done_is_not_what_is_continued(start: Start):
    first = start()
    first.wait_for(READY)
    first.type("what are the largest files?\r")
    first.wait_for(r"(?s)calc\.py.*dormant")
    first.type(CTRL_D)
    first.end()
    second = start()
    second.wait_for(READY)
    second.type(CTRL_D)
    second.end()

    third = start("-c")

    third.wait_for(r"continuing what are the largest files")


def test_a_plan_that_was_only_typed_is_shown_when_it_is_continued(start: Start):
    first = start()
    first.wait_for(READY)
    first.type("/hold\r")
    first.wait_for(r"held: nothing runs")
    first.type("/todo add Buy milk\r")
    first.wait_for(r"○ #1 Buy milk")
    first.type(CTRL_D)
    first.wait_for(r"is kept; `wakeful repl -c` continues it")
    first.end()

    start("-c").wait_for(r"Plan 0/1 .*\n  ○ #1 Buy milk\n")


def test_glyphs_can_be_chosen(start: Start):
    terminal = start("--set", "ui.glyphs=ascii")
    terminal.wait_for(r"> *\n.*dormant: nothing open")

    assert terminal.captured.isascii()


def test_what_is_copied_inside_tmux_is_given_to_tmux(start: Start, tmp_path: Path):
    tmux = tmp_path / "bin" / "tmux"
    tmux.parent.mkdir()
    tmux.write_text(f'#!/bin/sh\n[ "$*" = "load-buffer -w -" ] && cat > {tmp_path}/copied\n')
    tmux.chmod(0o755)
    terminal = start(TMUX="/tmp/tmux,1,0", PATH=f"{tmux.parent}:{os.environ['PATH']}")
    terminal.wait_for(READY)
    terminal.type("/hold\r")
    terminal.wait_for(r"held: nothing runs")
    terminal.type("/todo add Buy milk\r")
    terminal.wait_for(r"○ #1 Buy milk")

    terminal.type("/copy todos\r")
    terminal.wait_for(r"copied the plan")

    assert (tmp_path / "copied").read_text() == "- [ ] Buy milk\n"


def test_a_storm_of_sizes_ends_in_a_prompt_that_works(start: Start):
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    terminal = start()
    terminal.wait_for(READY)
    terminal.type("survey this project\r")

    for _ in range(200):
        terminal.resize(rng.choice([1, 2, 7, 20, 40, 80, 200]), rng.choice([1, 2, 5, 24, 60]))
        terminal.read(0.005)
    terminal.resize(80, 24)
    terminal.type("still here")

    terminal.wait_for(r"› still here\n.*dormant", on_screen=True)
    terminal.type(CTRL_C * 2)
    assert terminal.end() == 130
    assert terminal.is_sane() == []


def test_linear_says_states_in_words_and_never_redraws(start: Start):
    terminal = start("--linear")
    terminal.wait_for("Dormant: nothing open")

    terminal.type("run the tests\r")
    text = terminal.wait_for(r"Answer with a\s+line: y\s+Yes, once, s\s+Yes, for this\s+session")
    assert text.index("Run this command?") < text.index("Answer with a")
    assert not set(text) & set("▌·›")
    terminal.type("y\r")
    terminal.wait_for(r"Plan: 3 of 3 done\.")
    terminal.wait_for(r"(?s)you: Yes, once.*Dormant: nothing open")
    terminal.kill(signal.SIGINT)
    terminal.wait_for("ctrl.c again leaves")
    terminal.kill(signal.SIGINT)

    assert terminal.end() == 130
    assert terminal.is_sane() == []
    assert b"\x1b" not in terminal.captured


def test_a_cleared_screen_keeps_a_row_above_the_prompt(start: Start):
    terminal = start()
    terminal.wait_for(READY)

    terminal.type(CTRL_L)

    # What is erased from the very first cell on goes into the history of some terminals.
    terminal.wait_for(r"\A\n\n› *\n.*dormant", on_screen=True)


def test_a_new_session_is_begun_with_the_same_model(start: Start):
    terminal = start("-m", "offline", "--set", "model.default=ollama/none")
    terminal.wait_for(READY)
    terminal.type("/hold\r/todo add Buy milk\r")
    terminal.wait_for(r"○ #1 Buy milk")

    terminal.type("/new\r")

    terminal.wait_for(r"(?s)a new session.*Wakeful · offline.*› *\n *dormant: nothing open")
    terminal.type("/todos\r")
    terminal.wait_for(r"there are no todos yet")


def test_only_what_is_open_of_a_plan_is_recalled(start: Start):
    first = start()
    first.wait_for(READY)
    first.type("/hold\r/todo add Buy milk\r/todo add Buy bread\r/todo done 1\r")
    first.wait_for(r"✓ #1 Buy milk")
    first.type("/quit\r")
    first.end()

    text = start("-c").wait_for(r"Plan 1/2 .*\n  ○ #2 Buy bread\n")

    assert "#1" not in text


@pytest.mark.parametrize("linear", [False, True], ids=["screen", "linear"])
@pytest.mark.parametrize("how", ["/new", "/fork all", "/trust yes"])
def test_lines_typed_right_behind_a_change_of_session_are_for_the_next(start: Start, how: str, linear: bool):
    terminal = start(*(["--linear"] if linear else []))
    terminal.wait_for("(?i)dormant: nothing open")
    terminal.type("/hold\r/todo add Buy milk\r")
    terminal.wait_for(r"#1 \[pending\] Buy milk")

    terminal.type(f"{how}\r!echo still here\r/todo add Buy bread\r/rename the next one\r")
    terminal.wait_for(r"(?s)\nWakeful.*#\d \[pending\] Buy bread.*called 'the next one'")

    terminal.wait_for(r"(?s)\nWakeful.*\nstill here\n")


def test_a_line_that_is_being_typed_outlasts_a_change_of_session(start: Start):
    terminal = start()
    terminal.wait_for(READY)

    terminal.type(f"/new\rfirst{ALT_ENTER}second")

    terminal.wait_for(r"(?s)Wakeful.*Wakeful.*› first\n  second\n.*dormant")


def test_what_waited_for_the_agent_is_told_when_its_session_is_left(start: Start):
    terminal = start()
    terminal.wait_for(READY)
    terminal.type("run the tests\r")
    terminal.wait_for(APPROVAL)
    terminal.settle(GRACE)
    terminal.type("what are the largest files?\r")
    terminal.wait_for(r"queued  what are the largest files\?", on_screen=True)

    terminal.type("/new\r")

    terminal.wait_for(r"(?s)not sent: what are the largest files\?.*Wakeful.*dormant: nothing open")


def test_what_waited_for_the_agent_still_waits_when_its_session_is_opened_again(start: Start):
    terminal = start()
    terminal.wait_for(READY)
    terminal.type("run the tests\r")
    terminal.wait_for(APPROVAL)
    terminal.settle(GRACE)
    terminal.type("what are the largest files?\r")
    terminal.wait_for(r"queued  what are the largest files\?", on_screen=True)

    terminal.type("/trust yes\r")

    terminal.wait_for(r"(?s)\sis\s+trusted\n.*Wakeful.*› what are the largest files\?.*calc\.py")


@pytest.mark.parametrize("how", ["/trust yes", "/fork all", "/resume older"])
def test_the_model_of_the_command_line_holds_in_sessions_opened_from_it(start: Start, how: str):
    first = start()
    first.wait_for(READY)
    first.type("/hold\r/todo add Buy milk\r/rename older\r")
    first.wait_for(r"called 'older'")
    first.type("/quit\r")
    first.end()
    terminal = start("-m", "offline", "--set", "model.default=ollama/none")
    terminal.wait_for(READY)
    terminal.type("/hold\r/todo add Buy bread\r")
    terminal.wait_for(r"○ #\d Buy bread")

    terminal.type(f"{how}\r")

    text = terminal.wait_for(r"(?s)Wakeful ·.*Wakeful ·.*› *\n")
    assert "ollama" not in text
