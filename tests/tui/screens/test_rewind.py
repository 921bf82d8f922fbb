from tui.screens.rewind import Consequences, Outlook
from tui.theme import load_theme
from tui.transcript.ink import Glyphs, Ink

ROOM = 12


def told(outlook: Outlook, width: int) -> list[str]:
    drawn = Consequences(Ink(load_theme("wakeful"), Glyphs()))
    drawn.show(outlook)
    return ["".join(text for text, _ in row).rstrip() for row in drawn.rows(width)]


def test_of_many_files_some_are_named_and_those_of_others_always():
    width = 80
    foreign = tuple((f"theirs{number}.txt", "changed by someone else since") for number in range(5))
    back = tuple(f"folder/file{number}.txt" for number in range(30))
    beyond = "3 commands ran since: " + "what they did outside of the project stays " * 3

    rows = told(Outlook("1,204 messages", back, (*foreign, ("big.bin", "too large to keep")), beyond), width)

    text = "\n".join(rows)
    assert len(rows) <= ROOM
    assert all(len(row) <= width for row in rows)
    assert "and 24 more" in " ".join(text.split())
    assert "theirs0.txt, theirs1.txt, theirs2.txt and 2 more: changed by someone else" in " ".join(
        text.split()
    )
    assert "big.bin: too large to keep" in text
    assert "beware" in text
