from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.permissions.paths import Places
from agent.permissions.policy import Mode, Policy
from agent.permissions.rules import parse_rules


def verdict(
    places: Places,
    command: str,
    *rules: str,
    mode: Mode = "ask",
    sandboxed: bool = False,
    forced_auto: bool = False,
) -> str:
    policy = Policy(places, parse_rules(rules), mode, sandboxed=sandboxed, forced_auto=forced_auto)
    return policy.decide("shell", "shell", command).verdict


@pytest.mark.parametrize(
    "command",
    [
        "ls -la", "cat src/a.py", "head -n 3 src/a.py | wc -l", "git status --short", "git log --oneline -5",
        "git diff HEAD~1 -- src/a.py", "git branch -a", "git remote -v", "git show HEAD", "rg -n foo src",
        "grep -rn 'foo bar' src", "find . -name '*.py' -type f", "echo hello", "pwd", "cd src && ls",
        "sed -n 1,20p src/a.py", "wc -l src/*.py", "ls 2", "date +%F", "sort src/a.py | uniq -c",
        "git stash list", "git tag --list 'v*'", "git branch --contains HEAD", "cat src/a.py; true || false",
        "grep -c '$HOME' src/a.py", "git --no-pager log", "printf '%s\\n' a",
    ],
)  # fmt: skip
def test_looking_around_needs_no_answer(places: Places, command: str) -> None:
    assert verdict(places, command) == "allow"


@pytest.mark.parametrize(
    "command",
    [
        "cat ../secret.txt", "cat link", "cat out/secret.txt", "cat /etc/passwd",
        "head -c9 /proc/self/environ",
        "grep -f/etc/passwd src/a.py", "grep -nf/etc/passwd src/a.py", "grep -nflink src/a.py",
        "wc -l out/*.txt",
        "grep --file=../x src/a.py", "cd .. && ls", "cd src && cat ../../secret.txt", "cd out && ls",
        "cd -", "cd",
        "cat src/../../secret.txt", "git diff --no-index /etc/passwd src/a.py", "git log --output=x",
        "git -C x log",
        "git log --outp x", "git grep -O x", "git diff --ext-diff", "git branch new", "git branch -D main",
        "git tag v1", "git remote -v add x y", "git remote add x y", "git stash", "git reflog expire",
        "git config x y",
        "git --git-dir=x log", "git -c a.b=c log", "git fetch", "git ls-remote", "git", "git log --textconv",
        "find . -delete", "find . -exec ls", "find . -execdir ls", "find . -ok ls", "find . -fprint x",
        "find -L .",
        "find . -fls x", "sort -o x y", "sort -ro x y", "sort --o=x y", "sort --compress-program=x y",
        "sort -T x y",
        "sed -i s/a/b/ x", "sed -n 'w x' y", "sed -n '1e ls' y", "sed s/a/b/w x y", "sed -n p -i x",
        "sed -nf x y",
        "sed -n 's/a/b/e' x", "sed -n '1p;w x' y", "uniq a b", "xxd a b", "date -s now", "date 01010101",
        "tree -o x",
        "rg --pre x y", "rg --pre=x y", "rg -L x", "grep -R x .", "wc --files0-from=x", "file -C x",
        "diff -r a b",
        "printf -v x y", "printf %n x", "md5sum -c x", "tee x", "touch x", "rm x", "python3 x", "bash x",
        "env ls",
        "xargs ls", "awk 1 x", "time ls", "command ls", "eval ls", "exec ls", "./ls", "src/ls", "foo",
        "make", "npm test",
        "pytest", "less x", "curl x", "test -v x", "cat .git/config", "ls > /dev/null", "ls\x0bx",
        "type -a ls; foo",
    ],
)  # fmt: skip
def test_what_is_not_only_looking_is_asked(places: Places, command: str) -> None:
    (places.root / ".git").mkdir()
    (places.root / ".git" / "config").write_text("[core]\n")

    assert verdict(places, command) == "ask"


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        ("shell *", "foo"), ("shell *", "touch x"), ("shell * *", "foo a"), ("shell py*", "pytest"),
        ("shell bash *", "bash -c x"), ("shell python3 *", "python3 x.py"), ("shell /usr/bin/env *",
        "/usr/bin/env x"),
        ("shell . *", ". x"), ("shell tar *", "tar cf x y"), ("shell git *", "git push"),
        ("shell git add*", "git add ."),
        ("shell npm *", "npm test"), ("shell npm test*", "npm test --script-shell=x"), ("shell make *",
        "make x"),
        ("shell make test*", "make test SHELL=x"), ("shell cargo check*", "cargo check --config x"),
        ("shell go test*", "go test -exec x"), ("shell foo *", "foo --exec x"), ("shell foo *", "foo -o x"),
        ("shell foo *", "foo ../x"), ("shell foo *", "foo key=/etc/x"), ("shell /usr/bin/git *",
        "/usr/bin/git push"),
        ("shell bash", "echo 'touch x' | bash"), ("shell bash", "bash -c x"), ("shell bash", "A=1 bash"),
        ("shell cat *", "cat /etc/passwd"), ("shell pytest *", "pytest -p evil"), ("shell src/sh *",
        "src/sh -c x"),
        ("shell python*", "python3.12 x"), ("shell PYTHON *", "PYTHON x"), ("shell git-x *", "git-x"),
    ],
)  # fmt: skip
def test_a_wildcard_frees_no_more_than_it_names(places: Places, rule: str, command: str) -> None:
    (places.root / "src" / "sh").symlink_to("/bin/sh")

    assert verdict(places, command, rule) == "ask"


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        ("shell npm test*", "npm test"), ("shell pytest *", "pytest -x src"), ("shell cargo check*",
        "cargo check"),
        ("shell make test *", "make test -j4"), ("shell make test", "make test"), ("shell foo", "foo"),
        ("shell foo -o x", "ls && foo -o x"), ("shell pytest -p evil *", "pytest -p evil -x"),
        ("shell npm run lint *", "npm run lint -- src/a.py"), ("shell ./gradlew test *", "./gradlew test"),
        ("shell bash build.sh", "bash build.sh"), ("shell echo x > y", "echo x > y"), ("shell go test *",
        "go test ./src"),
        (r"shell python3 -c 'print(2\*3)'", "python3 -c 'print(2*3)'"), ("shell cat /etc/*",
        "cat /etc/hosts"),
        ("shell git ls-remote*", "git ls-remote origin"), ("shell ./check fast", "./check fast | tail -n 3"),
    ],
)  # fmt: skip
def test_a_rule_that_names_the_call_frees_it(places: Places, rule: str, command: str) -> None:
    assert verdict(places, command, rule) == "allow"


@pytest.mark.parametrize(
    "command",
    [
        "touch x",
        't""ouch x',
        "\\touch x",
        "/bin/touch x",
        "env -i touch x",
        "A=1 touch x",
        "ls; touch x",
        "ls && (touch x)",
    ],
)
def test_deny_beats_every_other_rule_in_every_spelling(places: Places, command: str) -> None:
    given_rules = ("deny shell touch *", f"shell {command}", "shell *")

    assert verdict(places, command, *given_rules, mode="auto", sandboxed=True) == "deny"


def test_a_line_that_deny_rules_cannot_judge_is_asked_even_in_auto(places: Places) -> None:
    assert verdict(places, "a=touch; $a x", "deny shell touch *", mode="auto", sandboxed=True) == "ask"


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf /", "rm -rf -- /*", 'rm -rf "$HOME"', "rm -r -f ~", "mkfs.ext4 /dev/sda1",
        "dd if=x of=/dev/sda",
        "find / -delete", ":(){ :|:& };:", "echo x > /dev/sda", "cat ~/.config/wakeful/keys.toml", "ls\0x",
        "truncate -s 0 $HOME/.config/wakeful/x", "echo x >> ~/.bashrc", "echo x > .git/hooks/pre-commit",
        "cp x .git/hooks/y", "tee .wakeful/config.toml", "sed -i x .GIT/config", "echo \ud800",
    ],
)  # fmt: skip
def test_nothing_allows_what_is_never_meant(places: Places, command: str) -> None:
    policy = Policy(
        places, parse_rules([f"shell {command}", "shell *"]), "auto", sandboxed=True, forced_auto=True
    )

    assert policy.decide("shell", "shell", command).verdict == "deny"


@pytest.mark.parametrize(
    ("sandboxed", "forced", "expected"),
    [(False, False, "ask"), (True, False, "allow"), (False, True, "allow")],
)
def test_auto_needs_a_sandbox_or_the_flag(
    places: Places, sandboxed: bool, forced: bool, expected: str
) -> None:
    assert verdict(places, "make > log", mode="auto", sandboxed=sandboxed, forced_auto=forced) == expected


def test_an_asking_rule_holds_in_auto(places: Places) -> None:
    assert verdict(places, "git push", "ask shell git push*", mode="auto", sandboxed=True) == "ask"


def test_a_session_answer_outweighs_an_asking_rule(places: Places) -> None:
    rules = (*parse_rules(["ask shell make test*"]), *parse_rules(["shell make test *"], "session"))

    assert Policy(places, rules).decide("shell", "shell", "make test").verdict == "allow"


def test_plan_mode_lets_only_looking_pass(places: Places) -> None:
    assert verdict(places, "ls", mode="plan") == "allow"
    assert verdict(places, "pytest", "shell pytest *", mode="plan") == "ask"


@pytest.mark.parametrize(
    ("section", "key"),
    [("core", "fsmonitor = x"), ("filter \"x\"", "clean = y"), ("diff", "external = x"), ("include",
    "path = x"),
     ("core", "FsMonitor=x"), ("diff \"a\"", "textconv = x"), ("core] hooksPath=../x #[", ""), ("core",
     "pager = x")],
)  # fmt: skip
def test_a_repository_that_names_programs_makes_every_git_call_a_question(
    places: Places, section: str, key: str
) -> None:
    subprocess.run(["git", "init", "-q", str(places.root)], check=True)
    assert verdict(places, "git status") == "allow"

    with (places.root / ".git" / "config").open("a") as config:
        config.write(f"[{section}]\n{key}\n")

    assert verdict(places, "git status") == "ask"
    assert verdict(places, "cd src && git log") == "ask"


def test_a_hook_that_looking_would_run_makes_git_a_question(places: Places) -> None:
    subprocess.run(["git", "init", "-q", str(places.root)], check=True)
    (places.root / ".git" / "hooks" / "post-index-change").write_text("#!/bin/sh\n")

    assert verdict(places, "git status") == "ask"


def test_a_bare_repository_in_the_folder_makes_git_a_question(places: Places) -> None:
    subprocess.run(["git", "init", "-q", "--bare", str(places.root / "src" / "bare")], check=True)

    assert verdict(places, "cd src/bare && git status") == "ask"


def test_a_search_through_our_own_files_is_asked(tmp_path: Path) -> None:
    private = tmp_path / "ws" / ".config"
    private.mkdir(parents=True)
    places = Places(tmp_path / "ws", (private,), home=tmp_path)

    assert verdict(places, "grep -r key .") == "ask"
    assert verdict(places, "rg key") == "ask"
    assert verdict(places, "ls") == "allow"


@given(st.text())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_text_makes_the_policy_fail(places: Places, text: str) -> None:
    policy = Policy(places, parse_rules(["shell *", "edit **", "fetch *", "deny shell x *"]))

    verdicts = [
        policy.decide(access, access, text).verdict for access in ("shell", "read", "edit", "fetch", "none")
    ]

    assert all(verdicts)


def test_a_known_program_is_not_freed_by_name_where_the_workspace_has_its_own(places: Places) -> None:
    bin_folder = places.root / "bin"
    bin_folder.mkdir()
    for name in ("ls", "git", "pytest"):
        (bin_folder / name).write_text("#!/bin/sh\n")
        (bin_folder / name).chmod(0o755)
    found = replace(places, path=f"{bin_folder}:/usr/bin:/bin")
    behind = replace(places, path=f"/usr/bin:/bin:{bin_folder}")

    assert [verdict(found, command) for command in ("ls", "git log", "cat src/a.py")] == [
        "ask",
        "ask",
        "allow",
    ]
    assert verdict(found, "ls", "shell *") == "ask"
    assert verdict(found, "pytest -q", "shell pytest *") == "allow"
    assert verdict(behind, "ls") == "allow"


@pytest.mark.parametrize("command", ["cd -- inner && cat x", "cd -- inner && cat ./x", "cd inner && cat x"])
def test_a_change_of_folder_counts_in_every_spelling(places: Places, command: str) -> None:
    inner = places.root / "inner"
    inner.mkdir()
    (inner / "x").symlink_to(places.root.parent / "secret.txt")

    assert verdict(places, command) == "ask"


@pytest.mark.parametrize(
    ("file", "line"),
    [
        (".ignore", "!.env"), (".rgignore", "!.e*"), (".gitignore", "!/.env"), ("src/.ignore", "!.env"),
        (".ignore", "!\\.env"), (".ignore", "!*"), (".ignore", "!.[e]nv"), (".ignore", "!.deep/"),
    ],
)  # fmt: skip
def test_an_ignore_file_can_make_a_search_enter_hidden_names(places: Places, file: str, line: str) -> None:
    secret = places.root / "src" / (".deep/a.pem" if "deep" in line else ".env")
    secret.parent.mkdir(exist_ok=True)
    secret.write_text("TOKEN=1\n")
    assert verdict(places, "rg TOKEN") == "allow"
    assert verdict(places, "rg -tsh TOKEN") == "ask"

    (places.root / file).write_text(f"*.log\n{line}\n")

    assert verdict(places, "rg TOKEN") == "ask"
    assert verdict(places, "rg TOKEN src") == "ask"
    (places.root / file).write_text("*.log\n!.env.example\n!important.log\n")
    assert verdict(places, "rg TOKEN") == "allow"
