"""Git calls that may write the repository: the decision alone, and what they do in the real sandbox."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from agent.executables import find_program
from agent.permissions.git_writing import READ_ONLY_NOTE, may_write_repository, refused_by_sandbox
from agent.permissions.paths import Places
from agent.permissions.policy import Policy
from agent.permissions.rules import parse_rules
from agent.permissions.sandbox import Confinement, Sandbox, find_sandbox
from agent.tools.local import LocalWorkspace
from agent.tools.shell import shell
from tests.programs import lack
from tests.repositories import run_git, seed_repository

pytestmark = pytest.mark.skipif(find_program("git") is None, reason="git is not installed")


@pytest.fixture
def repository(places: Places) -> Places:
    seed_repository(places.root)
    return places


def verdict(places: Places, command: str) -> str:
    return Policy(places, parse_rules(())).decide("shell", "shell", command).verdict


def configure(places: Places, text: str) -> None:
    with (places.root / ".git" / "config").open("a") as config:
        config.write(text)


@pytest.mark.parametrize(
    "command",
    [
        "git add .", "git add -A", "git add src seed.txt", "git commit -m 'what: why; and more'",
        "git commit -am x", "git commit --amend --no-edit",
        "git --no-pager commit -q --message=x -- seed.txt", "git add -N new.txt",
        "git checkout -b x", "git checkout main", "git checkout -q HEAD~1 -- seed.txt", "git switch -c x",
        "git switch -", "git restore --staged seed.txt", "git restore -s HEAD~1 src", "git stash",
        "git stash -k -m 'half done'", "git stash push -- seed.txt", "git stash pop",
        "git stash drop 'stash@{1}'",
        "git merge x", "git merge --no-ff -m 'join: all' x", "git merge -s ours x", "git merge -X theirs x",
        "git merge --strategy=resolve x", "git merge --abort", "git reset --hard HEAD~1", "git reset",
        "git branch new", "git branch -d x", "git branch -M main", "git branch -u origin/main", "git tag v1",
        "git tag -am x v1", "git tag -d v1", "git rm -r --cached src", "git mv seed.txt src/new.txt",
        "git revert --no-edit HEAD", "git revert -s -X ours HEAD",
        "git cherry-pick -x main~1..main", "git cherry-pick --continue", "git rebase main",
        "git rebase --onto main x y", "git rebase --continue", "git rebase -X ours main",
    ],
)  # fmt: skip
def test_a_known_call_alone_on_its_line_may_write_a_harmless_repository(
    repository: Places, command: str
) -> None:
    assert may_write_repository(command, repository) == ""


@pytest.mark.parametrize(
    "command",
    [
        "git add . && git commit -m x", "git add . | cat", "git add .; true", "A=1 git add .",
        "/usr/bin/git add .", "git add -p", "git add -i", "git add -e", "git add --edi",
        "git add --pathspec-from-file=x", "git commit", "git commit -F ../secret.txt", "git commit -m x -S",
        "git commit --amend", "git commit -m x --edit", "git commit -t x -m y",
        "git -c core.hooksPath=x commit -m y", "git -C src add .", "git push", "git status",
        "git commit -m x --pathspec-from-file=y", "git commit --fixup=amend:HEAD",
        "git commit -me --trailer=x", "git commit -m x > .git/config", "git add out",
        "git add ../secret.txt", "git add .git/config", "git commit -m \"$(touch x)\"", "git add *.txt", "",
        "git commit -c HEAD", "git commit -m x -p",
        "git config core.fsmonitor x", "git -c core.fsmonitor=x checkout x", "git checkout x && touch x",
        "git checkout -p", "git checkout --pathspec-from-file=x", "git checkout --recurse-submodules x",
        "git switch --recurse-submodules x", "git restore -p .", "git restore ../secret.txt", "git stash -p",
        "git stash -u", "git stash --all",
        "git stash store x", "git stash push --pathspec-from-file=x", "git stash evil", "git merge -s evil x",
        "git merge --strategy=evil x", "git merge -sevil x", "git merge --strategy evil x", "git merge -s",
        "git merge -Xevil x", "git merge -X evil x", "git merge --strategy-option=evil x", "git merge -e x",
        "git merge -S x", "git merge -F x y", "git merge --verify-signatures x", "git merge -qs evil x",
        "git cherry-pick --strategy evil x", "git revert --strategy=evil x", "git rebase -s evil main",
        "git reset -p", "git branch --edit-description", "git tag -s x", "git tag -F ../secret.txt x",
        "git tag -u key x", "git rm --pathspec-from-file=x", "git rm .git/config", "git mv seed.txt .git/x",
        "git mv seed.txt .GIT/hooks/x", "git mv seed.txt src/../.git/hooks/post-checkout",
        "git mv seed.txt out/new", "git mv seed.txt /etc/x", "git revert -e HEAD", "git revert -S HEAD",
        "git cherry-pick -e x", "git rebase -i main", "git rebase -x true main",
        "git rebase --exec=true main",
        "git rebase --exec true main", "git rebase --interactive main", "git rebase --edit-todo",
        "git rebase -qx true main", "git rebase -S main", "git rebase --gpg-sign main", "git checkout *",
        "git update-index --cacheinfo 1,2,3", "git worktree add x", "git submodule update", "git pull",
        "git fetch", "git init", "git am x", "git filter-branch", "git bisect run x", "git notes add",
        "git symbolic-ref HEAD x", "git update-ref x y", "git sparse-checkout set x", "git gc",
        "git clean -fd",
    ],
)  # fmt: skip
def test_no_other_line_may_write_the_repository(repository: Places, command: str) -> None:
    assert may_write_repository(command, repository)


@pytest.mark.parametrize(
    "name",
    ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-index-change",
     "reference-transaction", "anything"],
)  # fmt: skip
def test_a_repository_with_a_hook_is_not_written(repository: Places, name: str) -> None:
    hooks = repository.root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / f"{name}.sample").touch()
    assert may_write_repository("git add .", repository) == ""

    (hooks / name).touch()

    assert "hook" in may_write_repository("git add .", repository)


def test_a_tools_folder_of_hooks_is_harmless_until_looking_would_run_one(repository: Places) -> None:
    hooks = repository.root / ".husky"
    hooks.mkdir()
    configure(repository, "[core]\nhooksPath = .husky\n")
    assert verdict(repository, "git status") == "allow"
    assert "hooks" in may_write_repository("git commit -m x", repository)

    (hooks / "post-index-change").touch()

    assert verdict(repository, "git status") == "ask"


def test_hooks_in_a_folder_of_the_users_own_settings_count_as_well(
    repository: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".gitconfig").write_text("[core]\nhooksPath = .githooks\n")

    assert "hooks" in may_write_repository("git commit -m x", repository)


def test_no_repository_and_one_outside_the_workspace_are_not_written(places: Places, tmp_path: Path) -> None:
    assert may_write_repository("git add .", places)

    run_git(tmp_path, "init", "-q")

    assert "outside" in may_write_repository("git add .", places)


@pytest.mark.parametrize(
    ("name", "command"), [("rebase-merge/git-rebase-todo", "rebase"), ("sequencer/todo", "cherry-pick")]
)
def test_steps_planned_earlier_are_resumed_only_without_commands(
    repository: Places, name: str, command: str
) -> None:
    todo = repository.root / ".git" / name
    todo.parent.mkdir()
    todo.write_text("pick 1234567 exec: a title\nf 1234567 x\n\n# a comment\nbreak\n")
    assert may_write_repository(f"git {command} --continue", repository) == ""

    for step in ("exec make", "x make", "  exec make", "unknown x", "\texec\tmake"):
        todo.write_text(f"pick 1234567 x\n{step}\n")

        assert may_write_repository(f"git {command} --continue", repository)
        assert may_write_repository(f"git {command} --skip", repository)
    assert may_write_repository(f"git {command} --abort", repository) == ""


def test_a_target_behind_a_link_into_the_repository_is_refused(repository: Places) -> None:
    (repository.root / "g").symlink_to(".git")

    assert may_write_repository("git mv seed.txt g/hooks/post-checkout", repository)


@pytest.mark.parametrize(
    ("command", "output", "refused"),
    [
        ("git checkout x", "fatal: Unable to create '/p/.git/index.lock': Read-only file system", True),
        ("cd a && git config a b", "error: could not lock config file .git/config: Permission denied", True),
        ("/usr/bin/git gc", "a\nfatal: '.git': Read-only file system\nb", True),
        ("git stash", "", True),
        ("git diff --quiet", "", False),
        ("make", "fatal: Unable to create '/p/.git/index.lock': Read-only file system", False),
        ("git apply x", "error: unable to write file '.github/a.yml': Read-only file system", False),
        ("git push", "git@host: Permission denied (publickey).", False),
        ("git clone https://h/x.git", "x.git: Permission denied", False),
        ("git log", ".git/x\nPermission denied", False),
    ],
)
def test_only_a_git_call_that_could_not_write_the_repository_is_noted(
    command: str, output: str, refused: bool
) -> None:
    assert refused_by_sandbox(command, output) == refused


NOWHERE = "/nowhere"


@pytest.fixture(params=[None, NOWHERE], ids=["bubblewrap", "landlock"])
def sandbox(request: pytest.FixtureRequest, places: Places) -> Sandbox:
    found = find_sandbox(places, request.param)
    wanted = "bubblewrap" if request.param is None else "landlock"
    if found.layer != wanted:
        lack(wanted, found.statement)
    return found


@pytest.fixture
def bubblewrap(places: Places) -> Sandbox:
    found = find_sandbox(places)
    if found.layer != "bubblewrap":
        lack("bubblewrap", found.statement)
    return found


@pytest.fixture
def branched(repository: Places) -> Places:
    """On `main`, with `side` one commit ahead and a configured identity."""
    root = repository.root
    run_git(root, "config", "user.name", "Ada")
    run_git(root, "config", "user.email", "ada@example.org")
    run_git(root, "checkout", "-q", "-f", "-b", "side")
    (root / "side.txt").write_text("side\n")
    run_git(root, "add", "side.txt")
    run_git(root, "commit", "-qm", "side")
    run_git(root, "checkout", "-q", "main")
    return repository


class Runner:
    """Runs lines in a sandbox the way a session does."""

    def __init__(self, state: Path) -> None:
        self._state = state

    def __call__(
        self, sandbox: Sandbox, places: Places, line: str, *, approved: bool = True
    ) -> tuple[int, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        environment = {**kept, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        confinement = Confinement(sandbox, places, self._state)
        try:
            with confinement.command(["sh", "-c", line], line, approved=approved) as argv:
                done = subprocess.run(
                    argv,
                    cwd=places.root,
                    env=environment,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                    check=False,
                )
            return done.returncode, done.stdout + confinement.note(line, done.returncode, done.stdout)
        finally:
            confinement.close()


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path / "state")


LINES = (
    "git checkout -q -b new", "git checkout -q main", "git merge -q --no-ff side", "git tag -am one v1",
    "git revert -m 1 HEAD", "git reset -q --hard HEAD~1", "git switch -q -c topic HEAD~1",
    "git cherry-pick side", "git mv side.txt moved.txt", "git commit -qm moved", "git rm -q moved.txt",
    "git restore --staged moved.txt", "git restore moved.txt", "git reset -q --hard", "git rebase side",
    "git stash", "git checkout -q side", "git branch -D topic", "git branch -m new newer", "git tag -d v1",
)  # fmt: skip


def test_known_calls_that_were_approved_work(sandbox: Sandbox, branched: Places, runner: Runner) -> None:
    for line in LINES:
        code, said = runner(sandbox, branched, line)
        assert code == 0, f"{line}: {said}"

    assert run_git(branched.root, "branch", "--format=%(refname:short)") == "main\nnewer\nside"


def test_a_stash_is_made_and_taken_back(sandbox: Sandbox, branched: Places, runner: Runner) -> None:
    (branched.root / "seed.txt").write_text("mine\n")

    assert runner(sandbox, branched, "git stash")[0] == 0
    assert (branched.root / "seed.txt").read_text() == "seed\nmore\n"
    assert runner(sandbox, branched, "git stash pop")[0] == 0
    assert (branched.root / "seed.txt").read_text() == "mine\n"


@pytest.mark.parametrize(
    "line", ["git checkout -b x", "git stash", "git merge side", "git reset --hard side", "git config a.b c"]
)
def test_what_nobody_approved_leaves_the_repository_and_says_so(
    sandbox: Sandbox, branched: Places, runner: Runner, line: str
) -> None:
    (branched.root / "seed.txt").write_text("mine\n")
    before = everything_in(branched.root / ".git")

    code, said = runner(sandbox, branched, line, approved=False)

    assert code != 0
    assert said.endswith(READ_ONLY_NOTE)
    assert everything_in(branched.root / ".git") == before
    assert (branched.root / "seed.txt").read_text() == "mine\n"


def everything_in(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "line",
    [
        "git config core.fsmonitor x", "git -c core.fsmonitor=x checkout -b x",
        "git checkout side && touch .git/commondir", "git stash; git stash pop", "git rebase -x true side",
        "git merge -s evil side", "git update-ref refs/heads/x HEAD",
    ],
)  # fmt: skip
def test_no_other_line_writes_the_repository_though_approved(
    bubblewrap: Sandbox, branched: Places, runner: Runner, line: str
) -> None:
    (branched.root / "seed.txt").write_text("mine\n")
    before = everything_in(branched.root / ".git")

    assert runner(bubblewrap, branched, line)[0] != 0
    assert everything_in(branched.root / ".git") == before


@pytest.mark.parametrize("hook", ["post-checkout", "pre-commit", "reference-transaction", "post-rewrite"])
def test_with_a_hook_the_repository_stays_read_only(
    bubblewrap: Sandbox, branched: Places, runner: Runner, hook: str
) -> None:
    hooks = branched.root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / hook).write_text("#!/bin/sh\ntouch .git/ran ran\n")
    (hooks / hook).chmod(0o755)

    code, said = runner(bubblewrap, branched, "git checkout -q side")

    assert code != 0
    assert said.endswith(READ_ONLY_NOTE)
    assert not (branched.root / "ran").exists()


def test_no_program_of_the_workspace_runs_while_the_repository_is_written(
    bubblewrap: Sandbox, branched: Places, runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = branched.root / "bin"
    programs.mkdir()
    (programs / "git").write_text("#!/bin/sh\ntouch .git/ran\n")
    (programs / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")

    assert runner(bubblewrap, branched, "git checkout -q side")[0] == 0

    assert not (branched.root / ".git" / "ran").exists()
    assert run_git(branched.root, "branch", "--show-current") == "side"


async def test_the_report_of_a_refused_call_ends_with_what_the_user_can_do(
    sandbox: Sandbox, branched: Places, tmp_path: Path
) -> None:
    confinement = Confinement(sandbox, branched, tmp_path / "state")
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    workspace = LocalWorkspace(branched.root, tmp_path / "logs", environment, confinement)

    output = await shell(workspace, "git checkout -b x")
    other = await shell(workspace, "false")
    await workspace.close()

    assert output.text.endswith(f"\n{READ_ONLY_NOTE}")
    assert other.text == "(exit code 1)"


@pytest.mark.parametrize(
    "line",
    [
        "git checkout -q guarded", "git switch -q guarded", "git merge guarded", "git rebase guarded",
        "git reset -q --hard guarded", "git cherry-pick guarded", "git revert guarded",
        "git cherry-pick main..guarded", "git checkout guarded -- .", "git restore --source=guarded .",
    ],
)  # fmt: skip
def test_a_call_that_would_stop_halfway_at_a_read_only_file_changes_nothing(
    bubblewrap: Sandbox, guarded: Places, runner: Runner, line: str
) -> None:
    before = everything_in(guarded.root)

    code, said = runner(bubblewrap, guarded, line)

    assert code != 0
    assert said.endswith(READ_ONLY_NOTE)
    assert everything_in(guarded.root) == before


@pytest.mark.parametrize("line", ["git stash", "git reset -q --hard", "git restore .", "git checkout -q -f"])
def test_changes_of_a_read_only_file_are_not_undone_in_part(
    bubblewrap: Sandbox, guarded: Places, runner: Runner, line: str
) -> None:
    for name in ("AGENTS.md", "seed.txt"):
        (guarded.root / name).write_text("mine\n")

    assert runner(bubblewrap, guarded, line)[0] != 0

    assert {(guarded.root / name).read_text() for name in ("AGENTS.md", "seed.txt")} == {"mine\n"}


@pytest.mark.parametrize(
    "line",
    ["git checkout -q -b new", "git checkout -q side", "git merge -q side", "git reset -q guarded",
     "git restore --staged .", "git rebase -q side", "git tag v1 guarded"],
)  # fmt: skip
def test_read_only_files_that_stay_as_they_are_hinder_nothing(
    bubblewrap: Sandbox, guarded: Places, runner: Runner, line: str
) -> None:
    code, said = runner(bubblewrap, guarded, line)

    assert code == 0, said


@pytest.fixture
def guarded(branched: Places) -> Places:
    """With a branch that changes one file that is read-only in the sandbox, and others."""
    root = branched.root
    (root / "AGENTS.md").write_text("one\n")
    run_git(root, "add", "AGENTS.md")
    run_git(root, "commit", "-qm", "agents")
    run_git(root, "checkout", "-q", "side")
    run_git(root, "rebase", "-q", "main")
    run_git(root, "checkout", "-q", "-b", "guarded")
    for name in ("AGENTS.md", "seed.txt", "a.txt", "z.txt"):
        (root / name).write_text("other\n")
    run_git(root, "add", "AGENTS.md", "seed.txt", "a.txt", "z.txt")
    run_git(root, "commit", "-qm", "guarded")
    run_git(root, "checkout", "-q", "main")
    return branched
