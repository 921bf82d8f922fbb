from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.permissions.bash import LONGEST, MOST_COMMANDS, MOST_WORDS, read_line


@pytest.mark.parametrize(
    ("command", "commands"),
    [
        ("ls -la", ["ls -la"]),
        ("ls -la && git status; pwd | wc -l || true", ["ls -la", "git status", "pwd", "wc -l", "true"]),
        ("grep -n 'a|b' \"c d\" e\\ f", ["grep -n a|b 'c d' 'e f'"]),
        ("ls 'name with $(not run)'", ["ls 'name with $(not run)'"]),
        ("l's' a\"b\"c", ["ls abc"]),
        ("git show HEAD~1 HEAD^", ["git show HEAD~1 HEAD^"]),
        ("find . \\( -name a -o -name 'b*' \\)", ["find . ( -name a -o -name b* )"]),
        ('grep "a\\.b" x', ["grep 'a\\.b' x"]),
        ("ls\n", ["ls"]),
        ("ls;", ["ls"]),
    ],
)
def test_plain_words_are_read_as_bash_reads_them(command: str, commands: list[str]) -> None:
    line = read_line(command)

    assert not line.puzzle
    assert [simple.text for simple in line.commands] == commands


@pytest.mark.parametrize(
    "command",
    [
        "", " ", "ls\ntouch x", "ls\r\ntouch x", "ls\rx", "ls & touch x", "ls |& cat", "ls > x", "ls 2>&1",
        "ls < x", "cat <<E\nx\nE", "cat <<< x", "echo $(x)", "echo `x`", 'echo "$(x)"', 'echo "`x`"',
        "echo $x", 'echo "a\\$b"', "echo ${x}", "echo $((1))", "cat <(ls)", "A=1 ls", "A=1", "export A=1",
        "! ls", "(ls)",
        "{ ls; }", "if x; then y; fi", "for i in 1; do ls; done", "f() { ls; }", "[[ a ]]", "[ a ]",
        "ls # x", "ls ~", "ls ~root", "ls a=~/x", "ls x:~/y", "echo {a,b}", "ls *", "ls *.py", "ls -*",
        "ls .*", "ls a/.*", "ls [a]*", "ls a/*/../b", "ls a**", "tou?h x", "\\ls", "l\\s", "ls 'x", 'ls "x',
        "ls ;; pwd", "ls | | wc", "ls &&", "| ls", "echo a!b", 'echo "!x"', "echo $'a'", 'echo $"a"',
        "ls\tx", "ls\x00x", "ls\x1b[0m", "l\u200bs", "\u0441at x", "ls \uff1b x", "echo \\",
        "coproc { ls; }", "function f { ls; }", "ls\\\n-la", "echo a\\\nb", "((1))",
        "select x in y; do ls; done",
    ],
)  # fmt: skip
def test_what_is_not_plain_is_a_puzzle(command: str) -> None:
    line = read_line(command)

    assert line.puzzle
    assert line.commands == ()


def test_length_is_limited_in_characters_and_in_commands() -> None:
    assert read_line("echo " + "a" * LONGEST).puzzle
    assert read_line("true;" * (MOST_COMMANDS + 1)).puzzle
    assert read_line("echo" + " a" * MOST_WORDS).puzzle
    assert not read_line("true;" * MOST_COMMANDS).puzzle


@given(st.text())
def test_no_text_makes_the_reader_fail(text: str) -> None:
    line = read_line(text)

    assert bool(line.puzzle) != bool(line.commands)
