import asyncio
import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.provider.reply import Call, Reply, rate_limited, unauthorized
from tests.provider.server import Provider, Received
from tui.plain import in_a_shell

WAKEFUL = str(Path(sys.executable).with_name("wakeful"))


@dataclass(frozen=True, slots=True)
class Done:
    code: int
    out: str
    errors: str

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.out)

    @property
    def told(self) -> str:
        """The last line beside the output."""
        return self.errors.splitlines()[-1].removeprefix("wakeful: ")


def environment(tmp_path: Path, provider: Provider) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "WAKEFUL_HOME": str(tmp_path / "home"),
        "OPENAI_BASE_URL": provider.url,
        "OPENAI_API_KEY": "sk-test-canary",
    }


async def start(tmp_path: Path, provider: Provider, *words: str) -> asyncio.subprocess.Process:
    project = tmp_path / "project"
    project.mkdir(exist_ok=True)
    return await asyncio.create_subprocess_exec(
        WAKEFUL, "run", "-m", "openai/gpt-4o", *words,
        cwd=project,
        env=environment(tmp_path, provider),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip


async def run(tmp_path: Path, replies: Sequence[Reply], *words: str) -> tuple[Done, list[Received]]:
    async with Provider(replies) as provider:
        process = await start(tmp_path, provider, *words)
        out, errors = await process.communicate()
    return Done(process.returncode or 0, out.decode(), errors.decode()), provider.requests


def call(name: str, **arguments: object) -> Call:
    return Call(name, json.dumps(arguments))


@pytest.mark.parametrize("output", ["text", "json"])
async def test_a_file_that_stays_out_of_a_message_is_told_on_stderr(tmp_path: Path, output: str):
    (tmp_path / "project").mkdir()
    (tmp_path / "project/.env").write_text("TOKEN=1")

    done, _ = await run(tmp_path, [Reply(text="ok")], "--output", output, "read @.env")

    assert done.code == 0
    assert done.errors.startswith("wakeful: note: @.env is not attached: ")


async def test_a_pipe_gets_the_answer_and_nothing_else(tmp_path: Path):
    done, _ = await run(tmp_path, [Reply(text="The answer is **42**.")], "what", "is", "it?")

    assert (done.code, done.out, done.errors) == (0, "The answer is **42**.\n", "")


@pytest.mark.smoke
async def test_json_gives_one_object_with_the_published_names(tmp_path: Path):
    plan = call("todo_add", items=[{"title": "one"}, {"title": "two"}])
    finish = call("todo_complete", all=True)
    replies = [Reply(calls=(plan,)), Reply(calls=(finish,)), Reply(text="done")]

    done, _ = await run(tmp_path, replies, "plan it", "--output", "json")

    report = done.json
    assert set(report) == {"session", "result", "state", "reason", "todos", "usage", "cost", "exit"}
    assert (report["exit"], report["state"], report["result"]) == (0, "dormant", "done")
    assert [todo["status"] for todo in report["todos"]] == ["completed"] * 2


async def test_stream_json_is_the_event_stream_in_order(tmp_path: Path):
    replies = [Reply(calls=(call("glob", pattern="*"),)), Reply(text="nothing here")]

    done, _ = await run(tmp_path, replies, "look", "--output", "stream-json")

    events = [json.loads(line) for line in done.out.splitlines()]
    kinds = [event["kind"] for event in events]
    assert [event["seq"] for event in events] == sorted(event["seq"] for event in events)
    assert kinds.index("tool.started") < kinds.index("tool.finished") < kinds.index("text.delta")
    assert all(event["session"] and event["time"].endswith("Z") for event in events)
    assert kinds.count("session.started") == 1
    assert (kinds[0], events[0]["model"], events[0]["resumed"]) == ("session.started", "openai/gpt-4o", False)


async def test_work_left_open_is_woken_for_and_exits_3_without_progress(tmp_path: Path):
    plan = call("todo_add", title="never done")
    replies = [Reply(calls=(plan,)), *[Reply(text="I am thinking.") for _ in range(4)]]

    done, requests = await run(tmp_path, replies, "plan it", "--output", "json")

    assert (done.json["exit"], done.code) == (3, 3)
    assert "without progress" in done.json["reason"]
    assert len(requests) == 5
    assert "never done" in requests[-1].json["messages"][-1]["content"]


async def test_the_wake_limit_of_the_command_line_is_a_limit(tmp_path: Path):
    replies = [Reply(calls=(call("todo_add", title="long work"),)), Reply(text="a"), Reply(text="b")]

    done, requests = await run(tmp_path, replies, "go", "--max-wakes", "1", "--output", "json")

    assert (done.code, len(requests)) == (5, 3)
    assert "1/1 wakes used" in done.json["reason"]


async def test_a_refused_command_with_work_undone_exits_4(tmp_path: Path):
    replies = [Reply(calls=(call("shell", command="rm -rf build"),)), Reply(text="I may not.")]

    done, _ = await run(tmp_path, replies, "clean up")

    assert (done.code, done.out) == (4, "I may not.\n")
    assert done.told == (
        "a tool call was refused with work undone: shell rm -rf build; --allow RULE or --auto lets more pass"
    )


async def test_a_rule_given_on_the_command_line_lets_a_command_pass(tmp_path: Path):
    replies = [Reply(calls=(call("shell", command="touch made"),)), Reply(text="made")]

    done, _ = await run(tmp_path, replies, "make it", "--allow", "shell touch made")

    assert done.code == 0
    assert (tmp_path / "project" / "made").exists()


async def test_a_bad_key_exits_1_with_one_line_that_does_not_show_it(tmp_path: Path):
    done, _ = await run(tmp_path, [unauthorized("sk-test-canary")], "hello")

    assert done.code == 1
    assert done.errors.startswith("wakeful: ")
    assert done.errors.count("\n") == 1
    assert "canary" not in done.errors


async def test_an_answer_of_an_earlier_run_is_not_given_again(tmp_path: Path):
    await run(tmp_path, [Reply(text="the first answer")], "hello")

    done, _ = await run(tmp_path, [unauthorized()], "-c", "and now?")

    assert (done.code, done.out) == (1, "")


async def test_a_provider_that_refuses_exits_4(tmp_path: Path):
    refusal = {"message": "flagged by our content policy", "code": "content_policy_violation"}

    done, _ = await run(tmp_path, [Reply(status=400, error=refusal)], "hello")

    assert done.code == 4
    assert "refused to answer" in done.errors


async def test_a_model_that_goes_in_circles_exits_4(tmp_path: Path):
    replies = [Reply(calls=(call("glob", pattern="*"),)) for _ in range(3)]

    done, requests = await run(tmp_path, replies, "look")

    assert (done.code, len(requests)) == (4, 3)
    assert done.told == "the model went round in circles"


async def test_an_answer_cut_at_its_longest_exits_5(tmp_path: Path):
    done, _ = await run(tmp_path, [Reply(text="and so", finish="length")], "talk")

    assert (done.code, done.out) == (5, "and so\n")
    assert done.told.startswith("the reply was cut at the output limit of openai/gpt-4o; ")


async def test_an_empty_reply_is_an_error_that_is_told(tmp_path: Path):
    done, _ = await run(tmp_path, [Reply(text="")], "talk")

    assert (done.code, done.out) == (1, "")
    assert done.told == "openai/gpt-4o sent an empty reply; try again, or choose another model"


async def test_a_reply_that_the_provider_filtered_exits_4_and_is_told(tmp_path: Path):
    done, _ = await run(tmp_path, [Reply(text="I", finish="content_filter")], "talk")

    assert (done.code, done.out) == (4, "I\n")
    assert done.told == "openai/gpt-4o refused to answer; rephrase the message, or choose another model"


@pytest.mark.parametrize(
    "words",
    [
        ("--max-steps", "0"),
        ("--max-wakes", "-1"),
        ("--max-cost", "nan"),
        ("--timeout", "0"),
        ("--allow", "shell"),
        ("--output", "xml"),
    ],
)
async def test_words_that_mean_nothing_exit_2_before_anything_is_asked(
    tmp_path: Path, words: tuple[str, str]
):
    done, requests = await run(tmp_path, [], "hello", f"{words[0]}={words[1]}")

    assert (done.code, requests) == (2, [])
    assert done.errors.count("\n") == 1


async def test_the_step_limit_exits_5(tmp_path: Path):
    replies = [Reply(calls=(call("glob", pattern=f"*{n}"),)) for n in range(3)]

    done, requests = await run(tmp_path, replies, "look", "--max-steps", "3")

    assert (done.code, len(requests)) == (5, 3)
    assert done.told == "all steps of the turn are used; -c goes on, --max-steps gives more"


async def test_a_timeout_exits_5_and_keeps_what_was_said(tmp_path: Path):
    done, _ = await run(
        tmp_path,
        [Reply(text="so far", fault="silence", after=2)],
        "talk",
        "--timeout",
        "2",
        "--output",
        "json",
    )

    assert done.code == 5
    assert done.json["result"] == "so far"[:16]
    assert done.json["reason"] == "the time of --timeout is over; -c goes on"


async def test_a_wait_for_the_provider_is_told_beside_the_answer(tmp_path: Path):
    done, _ = await run(tmp_path, [rate_limited("1"), Reply(text="here")], "hello")

    assert (done.code, done.out) == (0, "here\n")
    assert "wakeful: note: trying again in 1 s: " in done.errors


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_exits_130_and_the_session_can_be_continued(tmp_path: Path, number: signal.Signals):
    async with Provider([Reply(text="half", fault="silence", after=2), Reply(text="whole")]) as provider:
        process = await start(tmp_path, provider, "talk")
        await provider.request(0)
        await asyncio.sleep(0.3)
        process.send_signal(number)
        await process.communicate()
        again = await start(tmp_path, provider, "-c", "go on")
        out, _ = await again.communicate()

    assert (process.returncode, again.returncode, out.decode()) == (130, 0, "whole\n")
    contents = [message.get("content") for message in provider.requests[1].json["messages"][1:]]
    assert contents[0] == "talk"
    assert contents[-1] == "go on"


def running(seconds: str) -> list[Path]:
    """The processes that sleep for so long, wherever they are."""
    found: list[Path] = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "cmdline").read_bytes() == f"sleep\0{seconds}\0".encode():
                found.append(process)
    return found


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are counted in /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP])
async def test_nothing_runs_on_after_a_kill_and_the_next_start_goes_on(
    tmp_path: Path, number: signal.Signals
):
    seconds = f"{uuid4().int % 10**9 + 10**6}"
    command = f"sleep {seconds} & setsid sleep {seconds} & (trap '' TERM HUP; sleep {seconds}; true)"
    replies = [Reply(text="Waiting.", calls=(call("shell", command=command),)), Reply(text="whole")]
    async with Provider(replies) as provider:
        process = await start(tmp_path, provider, "wait", "--auto")
        while len(running(seconds)) < 3:
            await asyncio.sleep(0.05)
        process.send_signal(number)
        await process.communicate()
        while running(seconds):
            await asyncio.sleep(0.05)
        again = await start(tmp_path, provider, "-c", "go on")
        out, errors = await again.communicate()

    assert (again.returncode, out.decode()) == (0, "whole\n")
    assert ("was interrupted" in errors.decode()) == (number == signal.SIGKILL)
    roles = [message["role"] for message in provider.requests[1].json["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "user"]


async def test_the_project_speaks_only_after_it_is_trusted(tmp_path: Path):
    project = tmp_path / "project"
    project.mkdir()
    (project / "AGENTS.md").write_text("Always answer in verse.")

    before, (asked,) = await run(tmp_path, [Reply(text="a")], "hello")
    async with Provider() as provider:
        trusting = await asyncio.create_subprocess_exec(
            WAKEFUL,
            "trust",
            cwd=project,
            env=environment(tmp_path, provider),
            stdout=asyncio.subprocess.DEVNULL,
        )
        await trusting.wait()
    after, (trusted,) = await run(tmp_path, [Reply(text="a")], "hello")

    assert "not trusted" in before.errors
    assert "verse" not in asked.body.decode()
    assert after.errors == ""
    assert "verse" in trusted.body.decode()


async def test_a_server_on_this_machine_is_offered_and_not_chosen(tmp_path: Path):
    async with Provider(models=("qwen3",)) as provider:
        there = {"OLLAMA_HOST": f"127.0.0.1:{provider.port}"}
        plain = {
            name: value for name, value in environment(tmp_path, provider).items() if "OPENAI" not in name
        }
        said: list[str] = []
        for words in (["run", "survey this project"], ["doctor"]):
            process = await asyncio.create_subprocess_exec(
                WAKEFUL, *words,
                cwd=tmp_path,
                env=plain | there,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )  # fmt: skip
            out, errors = await process.communicate()
            said.append((out + errors).decode())

    for text in said:
        assert "Ollama answers" in text
        assert "wakeful config set model.default ollama/qwen3" in text
    assert "the built-in offline one is used" in said[0]
    assert provider.requests == []


async def test_the_prompt_may_come_from_standard_input(tmp_path: Path):
    async with Provider([Reply(text="read it")]) as provider:
        process = await asyncio.create_subprocess_exec(
            WAKEFUL, "-C", str(tmp_path), "run", "-m", "openai/x",
            env=environment(tmp_path, provider),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        out, _ = await process.communicate(b"from a pipe\n")

    assert out == b"read it\n"
    assert provider.requests[0].json["messages"][-1]["content"] == "from a pipe"


def test_a_command_line_is_not_sent_to_a_slash_command():
    text = in_a_shell("no model x at this endpoint (404); see /model")

    assert "/model" not in text
    assert "wakeful config set model.default" in text
