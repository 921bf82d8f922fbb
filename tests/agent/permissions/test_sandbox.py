from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from agent.permissions import landlock_rules
from agent.permissions.paths import Places
from agent.permissions.policy import Policy
from agent.permissions.protected_places import frozen_places, hidden_places, workspace_objection
from agent.permissions.sandbox import Confinement, Sandbox, find_sandbox
from tests.programs import lack
from tests.sandbox_escapes import ESCAPES, GIT, Scene

NOWHERE = "/nowhere"


@pytest.fixture(scope="module")
def scene() -> Iterator[Scene]:
    with Scene() as scene:
        yield scene


@pytest.fixture(scope="module", params=[None, NOWHERE], ids=["bubblewrap", "landlock"])
def sandbox(request: pytest.FixtureRequest, scene: Scene) -> Sandbox:
    found = find_sandbox(scene.places, request.param)
    wanted = "bubblewrap" if request.param is None else "landlock"
    if found.layer != wanted:
        lack(wanted, found.statement)
    return found


def run(
    sandbox: Sandbox, places: Places, state: Path, line: str, *, approved: bool = False, network: bool = False
) -> subprocess.CompletedProcess[str]:
    confinement = Confinement(sandbox, places, state, network=network)
    with confinement.command(["sh", "-c", line], line, approved=approved) as argv:
        done = subprocess.run(
            argv, cwd=places.root, env={**os.environ, **GIT}, capture_output=True, text=True, check=False
        )
    confinement.close()
    return done


@pytest.mark.parametrize("escape", ESCAPES)
def test_nothing_gets_out(scene: Scene, sandbox: Sandbox, escape: str) -> None:
    evidence = scene.attempt(sandbox, ESCAPES[escape])
    scene.clean()

    assert evidence == ""


@pytest.mark.parametrize("approved", [True, False])
def test_a_command_works_in_folders_of_the_workspace(
    sandbox: Sandbox, places: Places, tmp_path: Path, approved: bool
) -> None:
    line = "echo x > src/new && mkdir -p src/d && mv src/new src/d/ && cat src/a.py && : > /dev/null"
    line += " && echo y > ${TMPDIR:-/tmp}/scratch && head -c 1 /dev/urandom > src/random"

    done = run(sandbox, places, tmp_path / "state", line, approved=approved)

    assert (done.returncode, done.stdout, done.stderr) == (0, "a\n", "")
    assert (places.root / "src" / "d" / "new").read_text() == "x\n"


def test_an_approved_command_makes_names_in_the_workspace(
    sandbox: Sandbox, places: Places, tmp_path: Path
) -> None:
    done = run(sandbox, places, tmp_path / "state", "echo x > new && mkdir folder", approved=True)

    assert (done.returncode, done.stderr) == (0, "")
    assert (places.root / "folder").is_dir()


def test_git_commit_that_was_approved_writes_the_repository_and_nothing_else_does(
    places: Places, tmp_path: Path
) -> None:
    found = find_sandbox(places)
    if found.layer != "bubblewrap":
        lack("bubblewrap", found.statement)
    for words in (["init", "-q"], ["config", "user.name", "x"], ["config", "user.email", "x@y"]):
        subprocess.run(["git", *words], cwd=places.root, env={**os.environ, **GIT}, check=True)
    state = tmp_path / "state"

    assert run(found, places, state, "git add src/a.py", approved=True).returncode == 0
    assert run(found, places, state, "git commit -qm one", approved=False).returncode != 0
    assert run(found, places, state, "git commit -qm one; touch .git/x", approved=True).returncode != 0
    assert run(found, places, state, "git commit -qm one", approved=True).returncode == 0
    assert not (places.root / ".git" / "x").exists()


def test_stand_ins_are_gone_when_the_last_command_has_ended(places: Places, tmp_path: Path) -> None:
    found = find_sandbox(places)
    if found.layer != "bubblewrap":
        lack("bubblewrap", found.statement)
    before = sorted(places.root.iterdir())
    first, second = (Confinement(found, places, tmp_path / "state") for _ in range(2))

    with first.command(["true"], "true", approved=False):
        with second.command(["true"], "true", approved=False):
            pass
        assert (places.root / ".vscode").is_dir()
        (places.root / ".idea" / "mine").touch()

    assert sorted(places.root.iterdir()) == sorted([*before, places.root / ".idea"])


REPOSITORY = Path(__file__).parents[3]
FOUND = """
import sys
from pathlib import Path
from agent.permissions.paths import Places
from agent.permissions.sandbox import find_sandbox
found = find_sandbox(Places(Path(sys.argv[1])), *sys.argv[2:])
print(found.layer, found.present, found.statement)
"""


def found_after(script: str, *arguments: str) -> str:
    """What is found in a process that has given up rights first."""
    argv = [sys.executable, "-c", script + FOUND, *arguments]
    return subprocess.run(argv, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout


def test_without_any_layer_the_statement_is_loud(places: Places) -> None:
    support = landlock_rules.support()
    if support.complaint:
        pytest.skip(support.complaint)
    # The kernel takes no more than 16 of them.
    spent = """
import struct
from agent.permissions.landlock import CREATE_RULESET, LIBRARY, MAKE_BLOCK, NO_NEW_PRIVS, RESTRICT_SELF
LIBRARY.prctl(NO_NEW_PRIVS, 1, 0, 0, 0)
for _ in range(16):
    ruleset = LIBRARY.syscall(CREATE_RULESET, struct.pack("Q", MAKE_BLOCK), 8, 0)
    LIBRARY.syscall(RESTRICT_SELF, ruleset, 0)
"""

    found = found_after(spent, str(places.root), NOWHERE)

    assert found.startswith("none False NO SANDBOX: bubblewrap (bwrap) is not installed; landlock fails here")
    assert "Commands run unconfined; install bubblewrap" in found


def test_where_mounts_are_forbidden_landlock_is_used(places: Places) -> None:
    """As in a container, whose filter of system calls is much like ours."""
    real, support = find_sandbox(places), landlock_rules.support()
    if real.layer != "bubblewrap" or not support.complete:
        pytest.skip(f"needs both layers: {real.statement}; {support.complaint}")
    container = """
from agent.permissions.landlock import LIBRARY, NO_NEW_PRIVS, refuse_calls
LIBRARY.prctl(NO_NEW_PRIVS, 1, 0, 0, 0)
refuse_calls(7, network=False)
"""

    found = found_after(container, str(places.root))

    assert found.startswith("landlock True sandbox: Landlock, weaker than bubblewrap (")
    assert "fails here" in found


def test_a_bubblewrap_that_fails_is_named_and_the_next_layer_taken(places: Places, tmp_path: Path) -> None:
    broken = tmp_path / "bin" / "bwrap"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\necho no permission >&2\nexit 1\n")
    broken.chmod(0o755)

    found = find_sandbox(places, str(broken.parent))

    assert found.layer == ("none" if landlock_rules.support().complaint else "landlock")
    assert "no permission" in found.statement


def test_the_probe_fails_where_commands_would(places: Places, tmp_path: Path) -> None:
    """A bubblewrap that cannot mount /proc, as in many containers, must not count as one."""
    real = find_sandbox(places)
    if real.layer != "bubblewrap":
        lack("bubblewrap", real.statement)
    picky = tmp_path / "bin" / "bwrap"
    picky.parent.mkdir()
    picky.write_text(
        f'#!/bin/bash\nfor word; do [ "$word" = --proc ] && {{ echo no proc >&2; exit 1; }}; done\n'
        f'exec {real.program} "$@"\n'
    )
    picky.chmod(0o755)

    assert find_sandbox(places, str(picky.parent)).layer != "bubblewrap"


def test_doctor_names_the_layer_and_what_it_confines(tmp_path: Path) -> None:
    from tests.tui.wakeful import wakeful

    project = tmp_path / "project"
    project.mkdir()
    done = wakeful(tmp_path / "home", "doctor", "--json", cwd=project, PATH=NOWHERE, HOME=str(tmp_path))

    rows = {check["name"]: check["value"] for check in json.loads(done.stdout)["checks"]}
    if landlock_rules.support().complaint:
        assert rows["sandbox"].startswith("NO SANDBOX")
    else:
        assert rows["sandbox"].startswith("Landlock, weaker than bubblewrap")
        assert {"- files", "- network", "- processes"} <= rows.keys()


@pytest.mark.parametrize("root", ["home", ".", "/"])
def test_auto_mode_is_off_where_the_home_folder_would_be_writable(places: Places, root: str) -> None:
    wide = replace(places, root=places.home.parent / root)
    reason = workspace_objection(wide)

    for forced in (True, False):
        policy = Policy(wide, (), "auto", sandboxed=True, forced_auto=forced, no_auto=reason)
        decision = policy.decide("shell", "shell", "touch x")
        assert decision.verdict == "ask"
        assert "auto mode is off" in decision.reason
        assert policy.decide("write", "edit", "x").verdict == "ask"
    assert workspace_objection(places) == ""


def test_a_linked_repository_cannot_be_held_in_its_place(places: Places, tmp_path: Path) -> None:
    (places.root / ".git").symlink_to(tmp_path)

    assert ".git is a link" in workspace_objection(places)


def test_a_bare_repository_cannot_come_into_being_at_the_top(places: Places) -> None:
    assert places.root / "HEAD" in frozen_places(places).missing

    (places.root / ".git").mkdir()

    assert places.root / "HEAD" not in frozen_places(places).missing


def test_a_gitdir_inside_the_workspace_is_frozen_with_its_pointer(places: Places) -> None:
    (places.root / "real").mkdir()
    (places.root / ".git").write_text("gitdir: real\n")

    assert {places.root / ".git", places.root / "real"} <= set(frozen_places(places).present)


def test_only_places_that_exist_are_hidden(places: Places) -> None:
    (places.home / ".netrc").touch()

    hidden = hidden_places(places)

    assert places.home / ".netrc" in hidden
    assert places.home / ".ssh" not in hidden
    assert set(places.private) <= set(hidden)


def test_the_network_is_there_when_it_is_allowed(scene: Scene, sandbox: Sandbox) -> None:
    script = f"python3 -c \"import socket; socket.create_connection(('127.0.0.1', {scene.port}), 5)\""

    state = scene.base / "state"
    assert run(sandbox, scene.places, state, script, network=True).returncode == 0
    assert run(sandbox, scene.places, state, script, network=False).returncode != 0


def test_the_layer_is_told_in_the_statement_of_each(sandbox: Sandbox) -> None:
    assert sandbox.present
    assert [thing for thing, _ in sandbox.coverage] == ["files", "network", "processes"]
