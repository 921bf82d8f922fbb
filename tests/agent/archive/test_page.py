import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from agent.archive.markdown import to_markdown
from agent.archive.page import to_html
from agent.archive.records import Archive
from agent.archive.redaction import redacted
from agent.secrets import Redactor
from store.database import Store
from store.records import Message, Part
from tests.agent.archive.sample import archived

VOID = {"meta", "img", "br", "hr"}
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://evil.example/pixel.png)",
    "[x](javascript:alert(1))",
    "</pre></details></style><style>@import url(//evil.example)</style>",
    '"><svg onload=alert(1)>',
    "\x1b]0;owned\x07 \u202edesrever\u202c \x00 \x9b31m",
    "```html\n<iframe src=https://evil.example>\n```",
    "<https://evil.example/auto> & &lt;b&gt;",
)


class Reader(HTMLParser):
    """Every tag is closed where it was opened; what could load or run something is noted."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.loaded: list[str] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loaded += [
            f"{name}={value}" for name, value in attrs if name in ("src", "srcset", "data", "style")
        ]
        self.loaded += [name for name, _ in attrs if name.startswith("on")]
        self.loaded += [value or "" for name, value in attrs if name == "href" and "script" in (value or "")]
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self._open or self._open[-1] != "style":
            self.words.append(data)


def hostile(archive: Archive, text: str) -> Archive:
    first, reply = archive.messages[:2]
    changed = json.dumps({"title": text, "metadata": {"diff": text}})
    call = replace(reply.parts[2], tool=text, input=text, output=text, data=changed)
    parts: tuple[Part, ...] = (replace(reply.parts[0], text=text), replace(reply.parts[1], text=text), call)
    picture = replace(
        first.parts[1], data='{"media_type": "image/svg+xml", "base64": "PHN2Zz4=", "name": "<svg>"}'
    )
    said: tuple[Message, ...] = (
        replace(first, parts=(replace(first.parts[0], text=text), picture)),
        replace(reply, agent=text, model=text, parts=parts),
    )
    line = " ".join(text.split())
    todos = tuple(replace(todo, title=line, notes=text) for todo in archive.todos)
    return replace(
        archive,
        session=replace(archive.session, title=text, workspace=text, agent=text, model=text),
        messages=said,
        todos=todos,
        artifacts=tuple(
            replace(each, artifact=replace(each.artifact, title=text, content=text))
            for each in archive.artifacts
        ),
        timeline=tuple(replace(each, actor=text, after=todos[:1], before=()) for each in archive.timeline),
    )


async def test_the_page_tells_the_conversation_the_plan_and_how_it_moved(store: Store):
    page = Reader(to_html(await archived(store)))

    words = " ".join(" ".join(page.words).split())
    assert "fix the login" in words
    assert "Plan: 0/3" in words
    assert "all 3 passed" in words
    assert "Half a sen" in words
    assert "interrupted" in words
    assert "added #" in words
    assert "Add login: pending → in_progress" in words
    assert "<b>now</b>" in words
    assert "em" in page.tags
    assert [each for each in page.loaded if not each.startswith("src=data:image/png;base64,")] == []
    assert len(page.loaded) == 1


async def test_a_change_is_read_as_a_diff_and_a_command_that_failed_is_no_success(store: Store):
    archive = await archived(store)
    reply = archive.messages[1]
    edit = {"metadata": {"diff": "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old <b>\n+new\n"}}
    calls = tuple(
        replace(reply.parts[2], tool=tool, input='{"asked": 1}', data=json.dumps(data))
        for tool, data in (("edit", edit), ("shell", {"metadata": {"code": 3}}))
    )

    written = to_html(replace(archive, messages=(replace(reply, parts=calls),)))

    assert '<span class="removed">-old &lt;b&gt;\n</span><span class="added">+new\n</span>' in written
    assert written.count('class="call failed"') == 1
    assert written.count("asked") == 1


@pytest.mark.parametrize("text", HOSTILE)
async def test_nothing_foreign_is_loaded_run_or_taken_for_markup(store: Store, text: str):
    archive = await archived(store)
    plain = Reader(to_html(archive))

    written = to_html(hostile(archive, text))

    page = Reader(written)
    assert page.loaded == []
    assert set(page.tags) <= set(plain.tags) | {"code", "a", "pre", "p", "span"}
    assert page.tags.count("style") == 1
    assert "script" not in page.tags
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", written)
    assert "default-src 'none'" in written


@pytest.mark.parametrize("text", HOSTILE)
async def test_markdown_has_no_control_characters_and_outputs_stay_in_their_fence(store: Store, text: str):
    written = to_markdown(hostile(await archived(store), f"{text}\n````\n"))

    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", written)
    assert "\n`````text\n" in written


async def test_markdown_tells_the_same(store: Store):
    written = to_markdown(await archived(store))

    assert written.startswith("# fix the login\n\n- folder: /project\n")
    assert "## Plan: 0/3 done\n\n- [ ] Create the model\n  - [ ] fields\n    > two\n    > lines\n" in written
    assert "`shell make test`: completed\n\n````text\n```\nall 3 passed\n```\n````" in written
    assert "## build (openai/x) (interrupted), 20" in written
    assert "## How the plan moved" in written


async def test_both_say_why_a_reply_failed(store: Store):
    archive = await archived(store)
    data = json.dumps({"reason": "no key <for> x", "code": "auth", "hint": "", "final": True})
    last = archive.messages[-1]
    failed = replace(last, finish="failed", parts=(Part(9, last.id, "retry", data=data),))
    archive = replace(archive, messages=(*archive.messages, failed))

    assert "(no key \\<for\\> x)" in to_markdown(archive)
    assert '<span class="cut">no key &lt;for&gt; x</span>' in to_html(archive)


async def test_no_secret_is_exported_and_pictures_stay_whole(store: Store):
    from agent.archive.wire import to_json

    archive = hostile(await archived(store), "the key is canary-123456, or sk-abcdefghijklmnopqrst")
    cleaned = redacted(archive, Redactor({"SOME_API_KEY": "canary-123456"}))

    for written in (to_json(cleaned), to_markdown(cleaned), to_html(cleaned)):
        assert "canary-123456" not in written
        assert "sk-abcdefgh" not in written
        assert "[redacted]" in written
    assert cleaned.messages[0].parts[1] == archive.messages[0].parts[1]
