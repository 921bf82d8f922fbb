"""The plan is edited in the sidebar while the agent works: its next request tells it, once."""

import json
from pathlib import Path

from tests.provider.reply import Call, Reply
from tests.provider.server import Provider, Received
from tests.tui.app.pilots import running, screen_text, type_text, until

WAIT = "until [ -e go ]; do sleep 0.05; done"
ADDED, RENAMED = "Buy oat milk", "Boil water twice"


def call(name: str, **arguments: object) -> Call:
    return Call(name, json.dumps(arguments))


def tellings(request: Received, title: str) -> int:
    return json.dumps(request.json["messages"]).count(title)


async def test_the_next_request_contains_a_change_of_the_user_exactly_once(tmp_path: Path):
    replies = [
        Reply(calls=(call("todo_add", items=[{"title": "Boil water"}, {"title": "Make tea"}]),)),
        Reply(calls=(call("shell", command=WAIT),)),
        Reply(calls=(call("glob", pattern="*"),)),
        Reply(text="Tea is ready."),
    ]
    async with Provider(replies) as provider:
        environment = {
            "WAKEFUL_HOME": str(tmp_path / "home"),
            "PATH": "/usr/bin:/bin",
            "HOME": str(tmp_path),
            "OPENAI_BASE_URL": provider.url,
            "OPENAI_API_KEY": "sk-x",
        }
        changes: dict[str, object] = {
            "environment": environment,
            "model_name": "openai/gpt-4o",
            "allow": (f"shell {WAIT}",),
        }
        async with running(tmp_path, size=(120, 40), theme="wakeful", **changes) as (app, pilot):
            await type_text(pilot, "make tea")
            await pilot.press("enter")
            await until(pilot, lambda: "Running" in screen_text(app))

            await pilot.press("alt+t", "n")
            await type_text(pilot, ADDED)
            await pilot.press("enter")
            await until(pilot, lambda: ADDED in screen_text(app) and "#3" in screen_text(app))
            await pilot.press("home", "e", "end")
            await type_text(pilot, " twice")
            await pilot.press("enter")
            await until(pilot, lambda: RENAMED in screen_text(app))
            (tmp_path / "project" / "go").touch()
            await until(pilot, lambda: "Tea is ready" in screen_text(app))
            await pilot.press("escape", "escape")

    told = [[tellings(each, title) for title in (ADDED, RENAMED)] for each in provider.requests[:4]]
    assert told == [[0, 0], [0, 0], [1, 1], [1, 1]]
