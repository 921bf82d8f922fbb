from __future__ import annotations

import secrets

import pytest

from tests.reliability.shell_lines import HARMLESS, PAYLOADS
from tests.reliability.shell_mutations import Arena, Mutation, run


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Arena:
    return Arena(tmp_path_factory.mktemp("arena"))


def test_no_mutation_that_passes_does_harm() -> None:
    print(run(0.03, secrets.randbelow(2**32)))


@pytest.mark.parametrize("home", [False, True])
def test_no_harmful_line_passes_by_itself(arena: Arena, home: bool) -> None:
    passed = [line for line in PAYLOADS if arena.allows(Mutation(line, home=home))]

    assert passed == []


def test_every_harmless_line_passes(arena: Arena) -> None:
    asked = [line for line in HARMLESS if not arena.allows(Mutation(line))]

    assert asked == []


@pytest.mark.parametrize(
    ("line", "harm"),
    [
        *((line, "wrote a file") for line in (*PAYLOADS[:4], "uniq M*", "cd evil && ./test.sh")),
        *(
            (line, "printed a canary")
            for line in ("cat link.txt", "diff -N one sub", "cat .env", "cat out/*")
        ),
        ("ls -la", ""),
    ],
)
def test_the_oracle_sees_harm_when_it_is_done(arena: Arena, line: str, harm: str) -> None:
    assert arena.harm(Mutation(line)) == harm


def test_the_oracle_sees_our_own_files_where_home_is_the_workspace(arena: Arena) -> None:
    assert arena.harm(Mutation("grep -r canary .config/wakeful/state.txt", home=True)) == "printed a canary"
    assert arena.harm(Mutation("cat .config/wakeful/state.txt")) == ""
