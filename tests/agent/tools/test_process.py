from __future__ import annotations

import asyncio
import os
import random
import subprocess
import time
from pathlib import Path

import pytest

from agent.permissions.paths import Places
from agent.permissions.sandbox import Confinement, find_sandbox
from agent.tools.local import LocalWorkspace
from agent.tools.process import Process, run
from tests.programs import lack
from tests.reliability.processes import alive, orphans

LONG = 60.0


async def text_of(path: Path) -> str:
    """Waits for a command to have written its file."""

    def wait() -> str:
        while not (path.exists() and path.read_text().endswith("\n")):
            time.sleep(0.01)
        return path.read_text()

    return await asyncio.to_thread(wait)


async def gone(pid: int) -> bool:
    """For a process that was killed but may still be on its way out."""

    def wait() -> bool:
        for _ in range(3000):
            if not alive(pid):
                return True
            time.sleep(0.01)
        return False

    return await asyncio.to_thread(wait)


async def test_a_command_gives_its_output_and_exit_code(workspace: LocalWorkspace) -> None:
    finished = await workspace.run("echo out; echo err >&2; exit 3", timeout=LONG)

    assert (finished.code, finished.output) == (3, "out\nerr\n")


async def test_a_command_runs_in_the_root_with_only_the_given_environment(workspace: LocalWorkspace) -> None:
    finished = await workspace.run("pwd; env | cut -d= -f1 | sort | grep -v _$", timeout=LONG)

    assert finished.output.split() == [str(workspace.root), "PATH", "PWD", "SHLVL"]


async def test_a_command_killed_by_a_signal_has_the_code_a_shell_would_give(
    workspace: LocalWorkspace,
) -> None:
    finished = await workspace.run("kill -9 $$", timeout=LONG)

    assert finished.code == 137


async def test_what_confines_a_command_is_held_until_it_has_ended(root: Path, tmp_path: Path) -> None:
    places = Places(root, home=tmp_path / "home")
    confinement = Confinement(find_sandbox(places), places, tmp_path / "state")
    if confinement.sandbox.layer != "bubblewrap":
        lack("bubblewrap", confinement.sandbox.statement)
    workspace = LocalWorkspace(root, tmp_path / "logs", dict(os.environ), confinement=confinement)

    job = await workspace.jobs.start("sleep 600")
    finished = await workspace.run("ls -d .vscode; touch .vscode/x", timeout=LONG)
    assert (root / ".vscode").is_dir()
    await workspace.jobs.kill(job.id)

    assert finished.code != 0
    assert not (root / ".vscode").exists()


@pytest.mark.parametrize("command", ["cat", "read line", "cat < /dev/tty || true"])
async def test_a_command_that_waits_for_typing_gets_the_end_of_input(
    workspace: LocalWorkspace, command: str
) -> None:
    finished = await workspace.run(command, timeout=LONG)

    assert finished.code is not None


async def test_a_closed_pipe_ends_the_writer_as_in_any_shell(workspace: LocalWorkspace) -> None:
    finished = await workspace.run("yes | head -1; echo ${PIPESTATUS[0]}", timeout=LONG)

    assert finished.output == "y\n141\n"


@pytest.mark.parametrize(
    "command",
    [
        "echo $$ > pids; sleep 1e9",
        "trap '' TERM; echo $$ > pids; while :; do sleep 1; done",
        "setsid --wait bash -c 'trap \"\" TERM; echo $$ > pids; while :; do sleep 1; done'",
    ],
)
async def test_the_time_limit_ends_a_command_and_all_it_started(
    workspace: LocalWorkspace, command: str
) -> None:
    running = asyncio.ensure_future(workspace.run(command, timeout=0.5))
    pids = await text_of(workspace.root / "pids")

    finished = await running

    assert finished.code is None
    assert not [pid for pid in pids.split() if alive(int(pid))]


async def test_what_a_command_leaves_in_the_background_ends_with_it(workspace: LocalWorkspace) -> None:
    finished = await workspace.run("setsid sleep 1e9 & sleep 1e9 & echo $!", timeout=LONG)

    assert finished.code == 0
    assert not alive(int(finished.output))


async def test_output_still_on_its_way_through_a_filter_is_kept(workspace: LocalWorkspace) -> None:
    finished = await workspace.run("echo late > >(sleep 0.05; cat)", timeout=LONG)

    assert finished.output == "late\n"


async def test_cancelling_ends_the_command_before_it_returns(workspace: LocalWorkspace) -> None:
    command = "trap '' TERM; echo $$ > pids; while :; do sleep 1; done"
    running = asyncio.ensure_future(workspace.run(command, timeout=LONG))
    pid = int(await text_of(workspace.root / "pids"))

    running.cancel()
    await asyncio.sleep(0)
    running.cancel()

    with pytest.raises(asyncio.CancelledError):
        await running
    assert not alive(pid)


async def test_a_killed_reaper_takes_its_command_along(workspace: LocalWorkspace) -> None:
    finished = await workspace.run("echo $$; kill -9 $PPID; sleep 1e9", timeout=LONG)

    assert finished.code == 137
    assert await gone(int(finished.output))


async def test_a_flood_keeps_head_and_tail_and_the_rest_in_a_file(workspace: LocalWorkspace) -> None:
    finished = await workspace.run("seq 100000", timeout=LONG)

    assert finished.output.startswith("1\n2\n")
    assert finished.output.endswith("99999\n100000\n")
    assert len(finished.output) < 30_000
    assert finished.log is not None
    assert str(finished.log) in finished.output
    assert finished.log.read_text() == "".join(f"{number}\n" for number in range(1, 100_001))


async def test_live_output_arrives_before_the_command_ends(workspace: LocalWorkspace) -> None:
    pieces: list[str] = []

    def seen(text: str) -> None:
        pieces.append(text)
        (workspace.root / "go").touch()

    finished = await workspace.run(
        "echo first; until [ -e go ]; do sleep 0.02; done; echo second", timeout=LONG, emit=seen
    )

    assert finished.code == 0
    assert "".join(pieces) == "first\nsecond\n"
    assert pieces[0] == "first\n"


async def test_a_missing_program_is_said_with_127(tmp_path: Path) -> None:
    process = await Process.start(["no-such-program"], cwd=tmp_path, env={}, log=tmp_path / "log")

    code = await process.wait()

    assert code == 127
    assert process.capture.text() == "no-such-program: No such file or directory\n"


async def test_jobs_run_list_print_and_die(workspace: LocalWorkspace) -> None:
    job = await workspace.jobs.start("echo up; echo $$ > pids; sleep 1e9")
    pid = int(await text_of(workspace.root / "pids"))

    listed = workspace.jobs.list()
    killed = await workspace.jobs.kill(job.id)

    assert [(one.id, one.code) for one in listed] == [(1, None)]
    assert killed.code is not None
    assert workspace.jobs.output(job.id).output == "up\n"
    assert not alive(pid)


async def test_closing_the_workspace_ends_its_jobs(root: Path, tmp_path: Path) -> None:
    workspace = LocalWorkspace(root, tmp_path / "logs", {"PATH": os.environ["PATH"]})
    await workspace.jobs.start("echo $$ > pids; sleep 1e9")
    pid = int(await text_of(root / "pids"))

    await workspace.close()

    assert not alive(pid)


@pytest.mark.parametrize("way", ["exit", "TERM", "KILL"])
def test_no_child_outlives_wakeful(way: str) -> None:
    orphans(way, 0, patience=LONG)


async def test_a_cancel_at_any_moment_leaves_nothing_running(workspace: LocalWorkspace) -> None:
    seed = random.randrange(10**9)
    print(f"seed {seed}")
    chosen = random.Random(seed)
    marker = f"1e9{seed}"

    for _ in range(20):
        running = asyncio.ensure_future(workspace.run(f"sleep {marker} & sleep {marker}", timeout=LONG))
        await asyncio.sleep(chosen.uniform(0, 0.04))
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    assert not await asyncio.to_thread(_named, marker)


def _named(marker: str) -> list[str]:
    """Command lines that hold a word; those just killed get a moment to vanish."""
    left: list[str] = []
    for _ in range(300):
        found = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
        left = [line for line in found.split("\n") if marker in line]
        if not left:
            return []
        time.sleep(0.01)
    return left


async def test_a_start_that_is_cancelled_at_any_moment_neither_hangs_nor_leaves_a_child(tmp_path: Path):
    seed = 5
    print(f"seed {seed}")
    rng = random.Random(seed)
    for number in range(60):
        mark = tmp_path / f"mark{number}"
        command = ["sh", "-c", f"sleep 0.2; touch {mark}"]
        running = asyncio.ensure_future(
            run(command, cwd=tmp_path, env=dict(os.environ), log=tmp_path / f"{number}.log", timeout=60)
        )
        await asyncio.sleep(rng.random() ** 3 * 0.05)
        running.cancel()
        await asyncio.wait([running])

    await asyncio.sleep(0.3)
    assert not list(tmp_path.glob("mark*"))
