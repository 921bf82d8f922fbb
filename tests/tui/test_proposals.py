import pytest

from agent.events import QuestionAsked
from tui.proposals import proposal
from tui.theme import load_theme
from tui.transcript.ink import Ink

INK = Ink(load_theme())


def lines(tool: str, **arguments: str) -> list[str]:
    question = QuestionAsked("q", "permission", "change a.py", (), tool=tool)
    return [
        "".join(text for text, _ in line.runs) for line in proposal(question, arguments, 200, INK, "input")
    ]


@pytest.mark.parametrize("indent", [" " * 12, "\t\t", " " * 40])
def test_the_indentation_of_code_is_shown_as_it_is(indent: str):
    edit = lines("edit", path="a.py", old="x", new=f"{indent}return True")
    patch = lines("patch", diff=f"--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+{indent}return True\n")

    for shown in (edit, patch):
        assert any(line.rstrip().endswith(f"{indent.expandtabs(4)}return True") for line in shown)


def test_blanks_that_push_code_out_of_sight_are_spelled_out():
    shown = "\n".join(lines("edit", path="a.py", old="x", new=f"{' ' * 100}evil()\nok(){' ' * 90}evil()"))

    assert "⟨100 spaces⟩evil()" in shown
    assert "⟨90 spaces⟩evil()" in shown
