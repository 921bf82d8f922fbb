import pytest

from agent.events import Choice, QuestionAsked
from agent.gate import CHOICES
from tui.asking import Reply, by_key, by_line, hint, title, told

PERMISSION = QuestionAsked("q1", "permission", "run make", CHOICES)
CHOOSING = QuestionAsked("q2", "ask_user", "which?", (Choice("red", "red", "1"), Choice("blue", "blue", "2")))
OPEN = QuestionAsked("q3", "ask_user", "what name?", ())


@pytest.mark.parametrize(
    ("question", "line", "reply"),
    [
        (PERMISSION, "y", Reply("once")),
        (PERMISSION, "yes", Reply("once")),
        (PERMISSION, "A", Reply("always")),
        (PERMISSION, "session", Reply("session")),
        (PERMISSION, "n", Reply("no")),
        (PERMISSION, "no, use the other one", Reply("no", "use the other one")),
        (PERMISSION, "yes please delete everything", None),
        (PERMISSION, "always look on the bright side", None),
        (PERMISSION, "please go on", None),
        (CHOOSING, "2", Reply("blue")),
        (CHOOSING, "blue", Reply("blue")),
        (CHOOSING, "something green", Reply("red", "something green")),
        (OPEN, "Ada", Reply("", "Ada")),
        (OPEN, "  ", None),
    ],
)
def test_a_line_is_an_answer_only_when_it_can_mean_nothing_else(
    question: QuestionAsked, line: str, reply: Reply | None
):
    assert by_line(question, line) == reply


def test_each_answer_has_its_key():
    assert [choice.name for key in "ysan" if (choice := by_key(PERMISSION, key))] == [
        "once",
        "session",
        "always",
        "no",
    ]
    assert by_key(PERMISSION, "x") is None
    assert "y Yes, once" in hint(PERMISSION)
    assert hint(CHOOSING).startswith("1-2")


def test_no_line_of_a_command_is_left_out_for_being_like_the_question():
    command = "echo one⏎\n" * 30 + "(this command)"
    asked = QuestionAsked("q", "permission", "run this command", CHOICES, detail=command, reason="of git")

    assert told(asked) == (command.split("\n"), "(of git)")


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (PERMISSION, "Run make?"),
        (QuestionAsked("q", "permission", "edit a.py", CHOICES), "Edit a.py?"),
        (CHOOSING, "which?"),
    ],
)
def test_a_question_is_a_sentence(question: QuestionAsked, sentence: str):
    assert title(question) == sentence
