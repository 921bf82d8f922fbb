"""Git calls: the policy's answers, with real repositories that git itself made."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agent.executables import find_program
from agent.permissions.git_config import LARGEST, harmful_key, read_config
from agent.permissions.git_writing import may_write_repository
from agent.permissions.paths import Places
from agent.permissions.policy import Policy
from agent.permissions.rules import parse_rules
from tests.repositories import PROGRAM_SETTINGS, SPELLINGS, run_git, seed_repository

GIT = find_program("git") or ""
pytestmark = pytest.mark.skipif(not GIT, reason="git is not installed")


@pytest.fixture
def repository(places: Places) -> Places:
    seed_repository(places.root)
    return places


def verdict(places: Places, command: str, *rules: str) -> str:
    return Policy(places, parse_rules(rules)).decide("shell", "shell", command).verdict


def configure(places: Places, text: str | bytes) -> None:
    with (places.root / ".git" / "config").open("ab") as config:
        config.write(text.encode() if isinstance(text, str) else text)


@pytest.mark.parametrize("spelling", SPELLINGS, ids=lambda spelling: spelling.__name__)
@pytest.mark.parametrize("setting", PROGRAM_SETTINGS, ids=".".join)
def test_a_setting_that_may_name_a_program_is_found_however_it_is_spelled(
    spelling: Callable[[str, str, str, str], bytes], setting: tuple[str, str, str]
) -> None:
    content = b"[core]\n\tbare = false\n" + spelling(*setting, "./evil.sh")

    settings = read_config(GIT, content)

    # A folder of hooks is judged where it lies.
    assert settings is None or harmful_key(settings)


@pytest.mark.parametrize(
    "content",
    [
        b"[core]\n# x \\\nfsmonitor = ./evil.sh\n",
        b"[user]\nname = x # y \\\n[core]\nfsmonitor = ./evil.sh\n",
        b"[user][core] fsmonitor = ./evil.sh\n",
        b"[user][filter \"x\"] clean = ./evil.sh\n",
        b"[user][diff \"x\"] textconv = ./evil.sh\n",
        b"[user][include] path = ../evil\n",
        b"[filter \"a\\\"b\"]\nclean = ./evil.sh\n",
        b"\xef\xbb\xbf[filter \"x\"]\nclean = ./evil.sh\n",
    ],
)  # fmt: skip
def test_git_reads_the_configuration_and_no_spelling_hides_a_program(
    repository: Places, content: bytes
) -> None:
    config = repository.root / ".git" / "config"
    assert verdict(repository, "git status") == "allow"

    config.write_bytes(content if content.startswith(b"\xef") else config.read_bytes() + content)

    assert verdict(repository, "git status") == "ask"


@pytest.mark.parametrize(
    "setting",
    [
        "[remote \"o\"]\nurl = ext::sh -c x", "[remote \"o\"]\nurl = foo://x/y", "[remote \"o\"]\nurl = -x",
        "[remote \"o\"]\nuploadpack = x", "[core]\nworktree = ../x", "[core]\nattributesFile = ../x",
        "[extensions]\npartialClone = o", "[submodule \"s\"]\nupdate = !x", "[submodule]\nrecurse",
        "[diff]\nsubmodule = diff", "[log]\nshowSignature = true", "[status]\nsubmoduleSummary = 5",
        "[blame]\nignoreRevsFile = ../x", "[format]\npretty = %G?", "[alias]\nstatus = !x", "[core",
        "[pager]\nlog = ./x", "[core]\nfsmonitor = true", "[gc]\nrecentObjectsHook = x",
        "[unknown]\nkey = value",
    ],
)  # fmt: skip
def test_a_setting_that_is_not_known_to_be_harmless_is_asked(repository: Places, setting: str) -> None:
    configure(repository, f"{setting}\n")

    assert verdict(repository, "git status") == "ask"


@pytest.mark.parametrize(
    "setting",
    [
        "[remote \"o\"]\nurl = git@github.com:a/b-c.git\nfetch = +refs/heads/*:refs/remotes/o/*",
        "[remote \"o\"]\nurl = https://user@my-host.example/a/b\ngh-resolved = base\ntagOpt = --no-tags",
        "[branch \"m\"]\nremote = o\nmerge = refs/heads/m\nrebase = true\nvscode-merge-base = o/m",
        "[user]\nname = \"A; B # C\"\nemail = a@b", "[core]\nautocrlf = input\nlogAllRefUpdates",
        "[submodule]\nrecurse = false\n[submodule \"s\"]\nactive\nurl = ../s", "[pull]\nrebase = false",
        "[core]\nfsmonitor = false\n[log]\nshowSignature = no\n[color \"status\"]\nadded = green bold",
        "[pager]\nlog = false\n[gc]\nauto = 0\n[extensions]\nworktreeConfig = true",
    ],
)  # fmt: skip
def test_a_setting_of_ordinary_repositories_needs_no_answer(repository: Places, setting: str) -> None:
    configure(repository, f"{setting}\n")

    assert verdict(repository, "git status") == "allow"


def test_a_configuration_that_is_large_or_a_link_is_asked(repository: Places, tmp_path: Path) -> None:
    config = repository.root / ".git" / "config"
    saved = config.read_bytes()

    config.write_bytes(saved + b"#" * LARGEST)
    assert verdict(repository, "git status") == "ask"

    (tmp_path / "config").write_bytes(saved)
    config.unlink()
    config.symlink_to(tmp_path / "config")
    assert verdict(repository, "git status") == "ask"


def test_git_is_asked_about_without_a_git_outside_the_workspace(
    repository: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository.root / "git").symlink_to(GIT)
    monkeypatch.setenv("PATH", f"{repository.root}:.:relative")

    assert verdict(repository, "git status") == "ask"
    assert may_write_repository("git add .", repository)


def commondir(root: Path) -> None:
    (root / "tools").mkdir()
    (root / "tools" / "config").write_text("[core]\nfsmonitor = ../evil.sh\n")
    (root / ".git" / "commondir").write_text("../tools\n")


def separate(root: Path) -> None:
    (root / ".git").rename(root.parent / "elsewhere")
    (root / ".git").write_text("gitdir: ../elsewhere\n")


def linked_folder(root: Path) -> None:
    (root / ".git").rename(root.parent / "elsewhere")
    (root / ".git").symlink_to(root.parent / "elsewhere")


def borrowed(root: Path) -> None:
    (root / ".git/objects/info").mkdir(exist_ok=True)
    (root / ".git/objects/info/alternates").write_text("/srv/git/objects\n")


def linked_head(root: Path) -> None:
    (root / ".git/HEAD").unlink()
    (root / ".git/HEAD").symlink_to("refs/heads/main")


def rebase_of_a_secret(root: Path) -> None:
    (root / ".git/rebase-merge").mkdir()
    (root / ".git/rebase-merge/interactive").touch()
    (root / ".git/rebase-merge/git-rebase-todo").symlink_to(root.parent / "secret.txt")


def special_settings(root: Path) -> None:
    run_git(root, "config", "extensions.worktreeConfig", "true")
    (root / ".git/config.worktree").write_text("[core]\nfsmonitor = ./evil.sh\n")


def bare_in_two_folders(root: Path) -> None:
    (root / ".git").rename(root / "store")
    (root / "HEAD").write_text("ref: refs/heads/main\n")
    (root / "commondir").write_text("store\n")


def not_a_repository(root: Path) -> None:
    (root / ".git/HEAD").write_text("nothing\n")


@pytest.mark.parametrize(
    "change",
    [commondir, separate, linked_folder, borrowed, linked_head, rebase_of_a_secret, special_settings,
     bare_in_two_folders, not_a_repository],
)  # fmt: skip
def test_a_repository_of_unusual_layout_is_asked(repository: Places, change: Callable[[Path], None]) -> None:
    assert verdict(repository, "git log") == "allow"

    change(repository.root)

    assert verdict(repository, "git log") == "ask"


def test_a_linked_worktree_is_asked_only_when_the_repository_does_not_know_it(
    repository: Places, tmp_path: Path
) -> None:
    run_git(repository.root, "worktree", "add", "-q", "../tree")
    tree, store = Places(tmp_path / "tree"), repository.root / ".git" / "worktrees" / "tree"
    assert verdict(tree, "git status") == "allow"
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / ".git").write_text((tmp_path / "tree" / ".git").read_text())
    assert verdict(Places(tmp_path / "copy"), "git status") == "ask"

    configure(repository, "[core]\nfsmonitor = x\n")

    assert store.is_dir()
    assert verdict(tree, "git status") == "ask"


def test_a_submodule_is_judged_with_the_repository_around_it(repository: Places, tmp_path: Path) -> None:
    seed_repository(tmp_path / "other")
    run_git(
        repository.root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../other", "sub"
    )
    run_git(repository.root, "config", "--remove-section", "submodule.sub")
    for command in ("git status", "git diff", "cd sub && git status"):
        assert verdict(repository, command) == "allow", command

    with (repository.root / ".git" / "modules" / "sub" / "config").open("a") as config:
        config.write("[core]\nfsmonitor = x\n")

    for command in ("git status", "git diff", "cd sub && git status"):
        assert verdict(repository, command) == "ask", command


@pytest.mark.parametrize("mode", ["160000", "160644"])
def test_a_nested_repository_in_the_index_is_judged_too(repository: Places, mode: str) -> None:
    seed_repository(repository.root / "sub")
    run_git(repository.root, "add", "sub")
    index = repository.root / ".git" / "index"
    index.write_bytes(index.read_bytes().replace(b"\0\0\xe0\0", int(mode, 8).to_bytes(4)))
    assert verdict(repository, "git status") == "allow"

    with (repository.root / "sub" / ".git" / "config").open("a") as config:
        config.write("[core]\nfsmonitor = x\n")

    assert verdict(repository, "git status") == "ask"


@pytest.mark.parametrize("version", ["2", "3", "4"])
@pytest.mark.parametrize("hashes", ["sha1", "sha256"])
def test_submodules_are_found_in_every_kind_of_index(places: Places, version: str, hashes: str) -> None:
    seed_repository(places.root, f"--object-format={hashes}")
    seed_repository(places.root / "sub", f"--object-format={hashes}")
    run_git(places.root, "config", "index.version", version)
    (places.root / "sub.later").touch()
    run_git(places.root, "add", "-N", "sub.later")
    run_git(places.root, "add", "sub")
    assert verdict(places, "git status") == "allow"

    with (places.root / "sub" / ".git" / "config").open("a") as config:
        config.write("[core]\nfsmonitor = x\n")

    assert verdict(places, "git status") == "ask"


@pytest.mark.parametrize(
    "command",
    [
        "git log -p --submodule=diff", "git diff --submodule", "git log --show-sig", "git log --format=%G?",
        "git log --pretty=format:'%h %GS'", "git branch --format '%(signature)'",
        "git diff --no-ind x y --x", "git grep --untracked x", "git grep -fsrc/a.py x",
        "git grep --no-index x", "git blame --cont=x y", "git blame -S x y",
        "git ls-files --exclude-from=x", "git ls-files -X x", "git log -O x", "git status -v",
        "git hash-object x", "git rev-parse --parseopt", "git rev-parse --resolve-git-dir x",
        "git cat-file --textconv HEAD:x", "git cat-file --filters HEAD:x", "git help log", "git lg",
        "git show-x", "git remote show origin", "git reflog delete x", "git stash drop",
        "git worktree add x", "git symbolic-ref HEAD x", "git branch --edit-description",
        "git branch --list --set-upstream-to=x y", "git log --grep -- --output=x",
        "git log --diff-merges=remerge", "git log -pO", "git --attr-source=x log", "git -p log",
        "git branch --format --list x", "git branch --sort --list x", "git tag --format --list x",
        "git tag --format -l x", "git tag --sort --list x",
        "git --exec-path=. log", "GIT_DIR=x git log", "git describe --broken", "git log --remerge-diff",
        "git diff --dst-pre x", "git log --no-no-walk", "git submodule status", "git config -l",
    ],
)  # fmt: skip
def test_an_option_that_is_not_known_to_only_print_is_asked(repository: Places, command: str) -> None:
    assert verdict(repository, command) == "ask"
    assert verdict(repository, command, "shell git *") == "ask"


@pytest.mark.parametrize(
    "command",
    [
        "git status", "git status -sb", "git status --porcelain=v2 --branch -uall", "git log -3 --stat",
        "git log --oneline --graph --all --decorate", "git log --format='%h %an %s' -n 5 -- seed.txt",
        "git log -p -S seed --since '2 weeks ago'", "git log --author=x --no-merges", "git diff --stat",
        "git diff --cached -U5", "git diff HEAD~1..HEAD -- seed.txt", "git diff -w --word-diff=color",
        "git show HEAD:seed.txt", "git show --stat --format=fuller HEAD", "git blame -L 1,2 -w seed.txt",
        "git grep -n -e seed HEAD -- '*.txt'", "git grep -il seed", "git branch -vv",
        "git branch -a --sort=-committerdate", "git branch --show-current", "git tag -l", "git tag -n3",
        "git remote", "git remote get-url origin", "git rev-parse --abbrev-ref HEAD",
        "git rev-parse --short=8 HEAD", "git rev-parse --show-toplevel",
        "git ls-files -z --others --exclude-standard", "git ls-tree -r --name-only HEAD",
        "git cat-file -p HEAD", "git describe --tags --always --dirty",
        "git for-each-ref --format='%(refname:short)' refs/heads", "git merge-base main HEAD",
        "git rev-list --count HEAD", "git shortlog -sne HEAD", "git reflog", "git reflog show -5",
        "git stash list", "git stash show -p", "git worktree list", "git check-ignore -v seed.txt",
        "git symbolic-ref --short HEAD", "git count-objects -vH", "git show-ref --heads",
        "git name-rev HEAD", "git --no-pager log -1 --no-color", "git version", "git --version",
        "git diff --name-only --diff-filter=AM", "git diff --no-index seed.txt src/a.py",
        "git cherry -v main", "git whatchanged -1", "git diff-tree -p HEAD",
    ],
)  # fmt: skip
def test_an_ordinary_call_needs_no_answer(repository: Places, command: str) -> None:
    assert verdict(repository, command) == "allow"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git diff", "ask"), ("git log -p", "ask"), ("git show :0:x", "ask"),
        ("git stash show -p", "ask"), ("git blame seed.txt", "ask"), ("git grep key", "ask"),
        ("git diff --no-index .config src", "ask"), ("git diff --no-index seed.txt .", "ask"),
        ("cd src && git diff --no-index a.py ../.config", "ask"), ("git cat-file -p HEAD:x", "ask"),
        ("git status", "allow"), ("git branch", "allow"), ("git rev-parse HEAD", "allow"),
    ],
)  # fmt: skip
def test_a_repository_around_our_own_files_does_not_print_them(
    tmp_path: Path, command: str, expected: str
) -> None:
    seed_repository(tmp_path / "home")
    (tmp_path / "home" / "src").mkdir()
    private = tmp_path / "home" / ".config" / "wakeful"
    private.mkdir(parents=True)

    assert verdict(Places(tmp_path / "home", (private,), home=tmp_path / "home"), command) == expected


def test_a_comparison_outside_a_repository_does_not_print_our_own_files(tmp_path: Path) -> None:
    private = tmp_path / "home" / ".config" / "wakeful"
    private.mkdir(parents=True)
    (tmp_path / "home" / "src").mkdir()
    places = Places(tmp_path / "home", (private,), home=tmp_path / "home")

    assert verdict(places, "git diff .config src") == "ask"
    assert verdict(places, "git diff src src") == "allow"


def test_a_comparison_with_what_lies_beside_the_repository_reads_no_secrets(places: Places) -> None:
    seed_repository(places.root / "src")
    seed_repository(places.root)
    (places.root / "other").mkdir()
    command = f"cd src && git diff seed.txt {places.root}/other"
    assert verdict(places, command) == "allow"

    (places.root / "other" / ".env").write_text("KEY=secret\n")

    assert verdict(places, command) == "ask"


@pytest.mark.parametrize("value", ["../hooks", "/tmp/hooks", "~/hooks", "%(prefix)/hooks", "a/../../b", ""])
def test_a_folder_of_hooks_elsewhere_is_asked(repository: Places, value: str) -> None:
    configure(repository, f'[core]\nhooksPath = "{value}"\n')

    assert verdict(repository, "git status") == "ask"
