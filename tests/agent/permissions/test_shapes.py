"""The calls that pass unasked fit the shape of a program that only looks; all else is a question."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from agent.permissions import paths
from agent.permissions.bash import Word
from agent.permissions.paths import Places
from agent.permissions.policy import Policy
from agent.permissions.programs import known_uses
from agent.permissions.project_tools import PROJECT_TOOLS
from agent.permissions.readers import NAMES
from agent.permissions.rules import parse_rules
from agent.permissions.shapes import Shape, ShapeError, uses


def _program(command: str) -> str:
    return command.partition(" ")[0]


def verdict(places: Places, command: str, *rules: str) -> str:
    return Policy(places, parse_rules(rules)).decide("shell", "shell", command).verdict


@pytest.fixture
def linked(places: Places) -> Places:
    """The workspace with files, folders that hold links out of it, and a file named like an option."""
    root = places.root
    for name in ("one", "two"):
        (root / name).mkdir()
        (root / name / "same.txt").symlink_to(root.parent / "secret.txt")
    (root / "-").symlink_to(root.parent)
    for name in ("seed.txt", "M1", "M2", "-o", "--output=x"):
        (root / name).write_text("a\n")
    return places


@pytest.mark.parametrize(
    "command",
    [
        "uniq seed.txt +PWNED", "xxd seed.txt +PWNED", "uniq seed.txt +/../.git/commondir", "uniq M*",
        "uniq ./M*", "uniq -- seed.txt out", "uniq seed.txt -", "uniq - out", "xxd M*", "xxd -ac 8 out",
        "xxd -r seed.txt", "xxd -c8 seed.txt out", "cmp M*", "diff M*", "tr M*", "comm M*", "seq M*",
        "date M*", "date seed.txt", "head -n M* seed.txt", "grep -f M* seed.txt", "grep M* seed.txt",
        "sort --outp=x seed.txt", "sort -no x seed.txt", "sort -k1 -o x", "sort +1 -o x",
        "sort -Tx seed.txt",
        "cat +x", "cat --show-al seed.txt", "head --line=3 seed.txt", "echo M*", "printf M*", "cd M*",
        "printf -v x y", "sleep M*", "tail -f seed.txt", "tail -F seed.txt", "tree -Pfoo .", "tree -ao x",
        "tree --fromfile seed.txt", "find . -name M*", "find . -fprin x", "find . -newerXY x",
        "find . -files0-from x", "find -f x", "sed -n M* seed.txt", "sed -ni p seed.txt",
        "sed -e p seed.txt",
        "file -m x seed.txt", "file -s seed.txt", "date -Iseconds -s now", "rg --hostname-bin=x y",
        "rg --pre-glob x y", "rg -z x", "rg --ignore-file=x y", "wc --files0-from=seed.txt", "df --sync",
        "ls --unknown", "cat .git/x", "cat .GIT/config", "ls .wakeful", "stat .git",
        "head src/.git/HEAD", "which -z x", "type M*/x y; z", "pwd -x", "echo x | sort -o y", "fd -x ls",
        "fd -l", "du --files0-from=x", "cd", "cd src one", "cd -P src", "cd +1",
    ],
)  # fmt: skip
def test_a_call_that_does_not_fit_exactly_is_asked(linked: Places, command: str) -> None:
    assert verdict(linked, command) == "ask"
    assert verdict(linked, command, "shell *", f"shell {_program(command)} *") == "ask"


@pytest.mark.parametrize(
    "command",
    [
        "uniq -c seed.txt", "xxd -l 16 seed.txt", "xxd -s -8 seed.txt", "cat M*", "cat ./M*",
        "cat src/*.py",
        "head -5 seed.txt", "head -n5 M*", "tail -n +2 seed.txt", "sort -t, -k2,2n seed.txt", "sort -rn M*",
        "cut -d ' ' -f1 seed.txt", "tr -d '\\n'", "grep -rn -A3 '../x' src", "grep -e a -e b seed.txt",
        "grep '/etc/passwd' seed.txt", "grep --include='*.py' -rl foo src", "rg -n --glob '*.py' foo src",
        "rg --files src", "find . -path './.git/*' -prune -o -type f -print",
        "find src -mtime -3 -size +1k",
        "find . -not -name '*.py' -maxdepth 2", "ls -lahtr", "ls -R src", "du -sh src",
        "du -h --max-depth=1",
        "diff -u seed.txt M1", "cmp M1 M2", "comm -12 M1 M2", "seq 5 -1 1", "date +%F", "date -u",
        "stat -c %s seed.txt", "tree -L 2 -I node_modules", "file src/a.py", "sha256sum M1",
        "wc -l seed.txt", "printf '%s: %d\\n' a -1", "echo -n ../x", "sed -n '1,5p' seed.txt",
        "sed 's/a/b/g' seed.txt", "cat seed.txt | sort | uniq -c | sort -rn | head", "basename ../x/y .py",
        "cat -- seed.txt", "type ls", "which python3", "nl -ba seed.txt", "od -c seed.txt", "fold -w80 M1",
        "realpath src/a.py", "readlink -f src", "id -un", "uname -a", "df -h", "free -m", "egrep -c a M1",
        "sort -u M1 M2 2", "paste -d, M1 M2", "join -1 1 -2 1 M1 M2", "cd src && cat a.py && ls",
    ],
)  # fmt: skip
def test_plain_looking_needs_no_answer(linked: Places, command: str) -> None:
    assert verdict(linked, command) == "allow"


@pytest.mark.parametrize(
    "command",
    [
        "diff one two", "diff -N one two", "diff one seed.txt", "diff -r one two",
        "cmp one/same.txt seed.txt",
        "ls -RL", "ls -L one", "ls -H one", "ls --dereference one", "cat one/same.txt", "cat one/*",
        "cat o*/*",
        "head one/same.txt", "wc one/s*", "stat -L one/same.txt", "stat one/same.txt", "readlink -f link",
        "file -L one/same.txt", "find -L .", "find one -follow", "find -H one/same.txt", "find out",
        "ls out",
        "ls out/", "grep -R a .", "grep --dereference-recursive a .", "grep a one/same.txt",
        "grep -r a out",
        "rg -L a", "rg --follow a", "rg a out", "du -L one", "du -D one", "du out", "tree -l", "tree out",
        "fd -L x", "fd x out", "md5sum one/same.txt", "sort one/same.txt", "cd out && ls",
        "ls -", "ls -- -", "fd x -", "cd one && cat same.txt",
    ],
)  # fmt: skip
def test_links_that_lead_outside_are_asked(linked: Places, command: str) -> None:
    assert verdict(linked, command) == "ask"


@pytest.mark.parametrize(
    "command",
    [
        "grep -r key .", "grep -rl key", "rg key", "rg --hidden key", "rg --files", "find . -name x",
        "find",
        "ls -R", "ls -aR .", "tree", "tree -a .", "du -a", "fd keys", "grep -r key .config",
        "cd .config && find",
        "diff -r .config src",
    ],
)  # fmt: skip
def test_a_walk_through_our_own_files_is_asked(tmp_path: Path, command: str) -> None:
    private = tmp_path / ".config" / "wakeful"
    private.mkdir(parents=True)
    (private / "keys.toml").write_text("key")
    (tmp_path / "src").mkdir()
    places = Places(tmp_path, (private,), home=tmp_path)

    assert verdict(places, command) == "ask"
    assert verdict(places, "cat .config/wakeful/keys.toml") == "deny"
    assert verdict(places, "find src") == verdict(places, "grep -r x src") == verdict(places, "ls") == "allow"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cat .env", "ask"), ("cat src/.env", "ask"), ("head keys/*", "ask"), ("wc keys/a.pem", "ask"),
        ("sort -f .env", "ask"), ("grep -f .env src/a.py", "ask"), ("diff .env src/a.py", "ask"),
        ("git diff --no-index .env src/a.py", "ask"),
        ("git diff --no-index keys src", "ask"), ("git diff keys src", "ask"), ("git show HEAD:.env", "ask"),
        ("sed -n p .env", "ask"), ("grep -r x .", "ask"), ("grep -r x src", "ask"),
        ("rg --hidden x src", "ask"),
        ("rg -uu x src", "ask"), ("rg -g '.env' x src", "ask"), ("rg x", "ask"), ("rg x keys", "ask"),
        ("rg x src", "allow"), ("rg -n x src/a.py", "allow"), ("ls -a", "allow"), ("stat .env", "allow"),
        ("find . -name '.env'", "allow"), ("grep x src/a.py", "allow"),
    ],
)  # fmt: skip
def test_secret_files_are_read_only_after_an_answer(places: Places, command: str, expected: str) -> None:
    (places.root / ".env").write_text("KEY=1\n")
    (places.root / "src" / ".env").write_text("KEY=1\n")
    (places.root / "keys").mkdir()
    (places.root / "keys" / "a.pem").write_text("key")

    assert verdict(places, command) == expected


def test_a_rule_that_names_the_secret_frees_it(places: Places) -> None:
    (places.root / ".env").write_text("KEY=1\n")

    assert verdict(places, "head -n 1 .env", "shell head -n 1 .env*") == "allow"
    assert verdict(places, "head -n 1 .env", "shell head *") == "ask"


@pytest.mark.skipif(not hasattr(paths, "is_linked"), reason="paths do not report further names of a file")
def test_a_file_that_has_a_further_name_outside_is_asked(places: Places) -> None:
    (places.root / "src" / "further.py").hardlink_to(places.root.parent / "secret.txt")

    for command in (
        "cat src/further.py",
        "head src/*.py",
        "grep -r x src",
        "rg x",
        "diff src/further.py src/a.py",
    ):
        assert verdict(places, command) == "ask", command
    assert verdict(places, "ls -l src/further.py") == verdict(places, "cat src/a.py") == "allow"


def test_a_folder_too_large_to_look_for_secrets_is_asked(places: Places) -> None:
    for number in range(34):
        (places.root / "src" / f"d{number}").mkdir()
        for inner in range(600):
            (places.root / "src" / f"d{number}" / str(inner)).touch()

    assert verdict(places, "grep -r x src") == "ask"
    assert verdict(places, "grep -r x src/d1") == "allow"


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        ("shell ./test.sh", "cd evil && ./test.sh"), ("shell make test", "cd evil && make test"),
        ("shell make test *", "cd evil; make test"), ("shell pytest*", "cd evil && pytest"),
        ("shell pytest *", "cd evil && ls && pytest -x"), ("shell npm test *", "cd evil && npm test"),
        ("shell ./test.sh", "(cd evil && ./test.sh)"), ("shell ./test.sh", "pushd evil && ./test.sh"),
        ("shell ./test.sh", "env -C evil ./test.sh"), ("shell make *", "make -C evil test"),
        ("shell make test *", "make test -C evil"), ("shell make test *", "make test -f evil/Makefile"),
        ("shell ./test.sh", "cd evil || ./test.sh"), ("shell ./test.sh", "cat evil/x | ./test.sh"),
    ],
)  # fmt: skip
def test_a_rule_holds_only_in_the_folder_of_the_workspace(places: Places, rule: str, command: str) -> None:
    (places.root / "evil").mkdir()

    assert verdict(places, command, rule) == "ask"


@pytest.mark.parametrize(
    "part", ["./test.sh", "ls && ./test.sh", "./test.sh | tail -n 5", "cd . && ./test.sh"]
)
def test_a_rule_frees_its_part_of_a_line_in_the_workspace(places: Places, part: str) -> None:
    assert verdict(places, part, "shell ./test.sh") == "allow"


@pytest.mark.parametrize(
    "command",
    [
        "compgen -C 'touch x' a", "complete -C x y", "trap 'touch x' EXIT", "eval ls", "source x", ". x",
        "enable -f ./x.so x", "mapfile -C 'touch x' -c 1", "readarray -C 'touch x' -c 1", "exec ls",
        "hash -p ./evil ls", "alias ls=x", "printf -v x y", "test -v 'a[$(touch x)]'", "let a=1",
        "declare x=1",
        "declare 'a[$(touch x)]=1'", "ssh-agent touch x", "run-parts .", "choom -n 1 touch x",
        "linux64 touch x",
        "gpg-agent --daemon touch x", "iconv -oF seed.txt", "cc -oF x.c", "foo", "foo bar", "foo -x",
        "./check fast", "command ls", "builtin cd src", "getconf -a", "look a seed.txt", "strings seed.txt",
        "gcc x.c", "ld x.o", "objcopy a b", "split a", "csplit a 1", "tee x", "pr -o x", "man ls",
        "info ls",
        "git-x log", "./ls", "./cat seed.txt", "src/ls", "ls2", "unbound-control", "dpkg -l",
        "hexdump -f x y",
        "ruff check --fix", "ruff format x", "eslint --fix x", "pytest --basetemp=x", "pytest -p x",
        "pytest -c x", "pytest --rootdir=x", "pytest @x", "pytest --junitxml=x", "pytest -o a=b",
        "cargo test --config x", "cargo test -- --logfile x", "go test -o x", "go test -exec x ./src",
        "mypy --junit-xml x", "mypy --python-executable x", "tox -c x", "tox -- touch x",
    ],
)  # fmt: skip
def test_a_wildcard_frees_no_program_that_is_not_known(places: Places, command: str) -> None:
    assert verdict(places, command, "shell *", f"shell {_program(command)} *") == "ask"


@pytest.mark.parametrize(
    "command", ["make test deploy", "make test SHELL=x", "npm test --prefix x", "npm test -- --config=x"]
)
def test_a_rule_for_one_job_frees_no_more(places: Places, command: str) -> None:
    assert verdict(places, command, f"shell {' '.join(command.split()[:2])} *") == "ask"


def test_no_program_of_the_system_passes_unless_a_table_knows_it() -> None:
    found = {path.name for folder in ("/usr/bin", "/bin") for path in Path(folder).iterdir()}
    passed: set[str] = set()
    for name in found:
        for words in ("", "-o x", "-ox", "--output=x", "-C y", "-exec touch x", "a b c", "+x +y", "x -y z"):
            with suppress(ShapeError):
                known_uses([Word(name), *map(Word, words.split())], f"{name} {words}")
                passed.add(name)

    assert passed <= {*NAMES, *PROJECT_TOOLS}


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        ("-a -n 3 x y", "NFF"), ("-n3 -- -x", "NF"), ("-an3 x", "NF"), ("--lines=3 x", "NF"),
        ("--lines 3 x", "NF"), ("-e x y", "TF"), ("x -a y", "FF"), ("--color x", "F"),
        ("--color=x y", "TF"),
    ],
)  # fmt: skip
def test_a_shape_tells_what_each_word_is(words: str, kinds: str) -> None:
    shape = Shape("-a -n:N -e:T --lines:N --color?:T", "F*")

    assert "".join(use.kind for use in uses(shape, [Word(text) for text in words.split()])) == kinds


@pytest.mark.parametrize(
    "words", ["-b", "-ab", "-n", "-n x", "--line=3", "--lines", "-a=1", "--color=", "-e"]
)
def test_a_word_beyond_the_shape_is_refused(words: str) -> None:
    shape = Shape("-a -n:N -e:T --lines:N", "F*")

    with pytest.raises(ShapeError):
        uses(shape, [Word(text) for text in words.split()])
