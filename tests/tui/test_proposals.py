import pytest

from agent.events import QuestionAsked
from tui.proposals import proposal
from tui.theme import load_theme
from tui.transcript.ink import Ink

INK = Ink(load_theme())


def lines(*added: str) -> list[str]:
    diff = f"--- a/a.py\n+++ b/a.py\n@@ -1 +1,{len(added)} @@\n-x\n" + "".join(f"+{each}\n" for each in added)
    question = QuestionAsked("q", "permission", "change a.py", (), tool="edit", diff=diff)
    return ["".join(text for text, _ in line.runs) for line in proposal(question, 100, INK, "input").lines]


@pytest.mark.parametrize("indent", [" " * 12, "\t\t", " " * 40])
def test_the_indentation_of_code_is_shown_as_it_is(indent: str):
    shown = lines(f"{indent}return True")

    assert shown[1].rstrip().endswith(f"{indent.expandtabs(4)}return True")


def test_blanks_that_push_code_out_of_sight_are_spelled_out():
    shown = "\n".join(lines(f"{' ' * 100}evil()", f"ok(){' ' * 90}evil()"))

    assert "⟨100 spaces⟩evil()" in shown
    assert "⟨90 spaces⟩evil()" in shown
