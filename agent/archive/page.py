"""A session as one HTML page that needs nothing else: no script, no network, all foreign text escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from agent.archive.records import Archive
from agent.archive.telling import ending, moments, plain, speaker, spent, when
from agent.models.loose import as_dict, as_text, parse
from agent.titles import call_title
from agent.todos.lines import ratio, remarks
from agent.todos.rules import nested, order, progress
from store.records import Message, Part, Todo, TodoStatus

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

# Even if an escape were missed, the browser would load and run nothing.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
_MARKS: dict[TodoStatus, str] = {
    "pending": "○",
    "in_progress": "▶",
    "blocked": "■",
    "completed": "✓",
    "cancelled": "–",
}
_SIGNS = {"+": "added", "-": "removed", "@": "place"}
_PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")


def to_html(archive: Archive) -> str:
    title = _text(" ".join(archive.session.title.split()) or "A session")
    aside = "".join(_aside(archive))
    conversation = "".join(html for message in archive.messages for html in _message(message))
    facts = "".join(
        f"<div><dt>{_text(name)}</dt><dd>{_text(value)}</dd></div>" for name, value in spent(archive)
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>\n{_style()}</style>\n</head>\n<body>\n"
        f'<header>\n<h1 dir="auto">{title}</h1>\n<dl class="facts">{facts}</dl>\n</header>\n'
        f'<main class="{"" if aside else "alone"}">\n<div>\n{conversation}</div>\n'
        f"{f'<aside>{aside}</aside>' if aside else ''}\n</main>\n"
        f"<footer>Exported from Wakeful, session {_text(archive.session.id)}</footer>\n</body>\n</html>\n"
    )


def _aside(archive: Archive) -> Iterator[str]:
    if archive.todos:
        done = progress(archive.todos)
        rows = "".join(_todo(level, todo) for level, todo in nested(sorted(archive.todos, key=order)))
        yield (
            f"<section><h2>Plan: {ratio(done)}</h2>"
            f'<progress max="{max(done.total, 1)}" value="{done.completed}"></progress>'
            f'<ul class="plan">{rows}</ul></section>\n'
        )
    for document in archive.artifacts:
        artifact = document.artifact
        yield (
            f"<section><h2>{_text(artifact.type)}</h2><details><summary>{_text(artifact.title)} "
            f'<span class="who">{_text(artifact.stage)}, version {artifact.version}</span></summary>'
            f'<div dir="auto">{_rendered(artifact.content)}</div></details></section>\n'
        )
    if archive.timeline:
        rows = "".join(
            f'<li><time>{when(each.time)}</time> <span class="who">{_text(each.actor)}</span>'
            f'<div dir="auto"{" class=undone" if each.undone else ""}>{_text(each.summary)}</div></li>'
            for each in moments(archive)
        )
        yield f'<section><h2>How the plan moved</h2><ol class="timeline">{rows}</ol></section>\n'


def _todo(level: int, todo: Todo) -> str:
    remark = f'<span class="remark">{_text(remarks(todo).strip())}</span>' if remarks(todo) else ""
    notes = f'<span class="remark">{_text(todo.notes)}</span>' if todo.notes else ""
    return (
        f'<li class="{todo.status} level-{min(level, 4)}"><span class="mark" title="{todo.status}">'
        f'{_MARKS[todo.status]}</span><span dir="auto"><span class="title">{_text(todo.title)}</span>'
        f"{remark}{notes}</span></li>"
    )


def _message(message: Message) -> Iterator[str]:
    body = "".join(html for part in message.parts for html in _part(part))
    ended = ending(message)
    if not body and not ended:
        return
    who = _text(speaker(message))
    if message.role == "user" and message.origin != "human":
        yield (
            f'<details class="note message" id="m{message.id}"><summary>{who} '
            f"<time>{when(message.created_at)}</time></summary><div>{body}</div></details>\n"
        )
        return
    cut = f' <span class="cut">{_text(ended)}</span>' if ended else ""
    kind = "human" if message.role == "user" else "said"
    yield (
        f'<article class="{kind}" id="m{message.id}"><h3><a href="#m{message.id}">{who}</a>{cut}'
        f"<time>{when(message.created_at)}</time></h3>{body}</article>\n"
    )


def _part(part: Part) -> Iterator[str]:
    match part.kind:
        case "text" if part.text.strip():
            yield f'<div dir="auto">{_rendered(part.text)}</div>'
        case "reasoning" if part.text.strip():
            yield (
                '<details class="note"><summary>Thoughts</summary>'
                f'<div dir="auto">{_rendered(part.text)}</div></details>'
            )
        case "tool":
            yield _call(part)
        case "file":
            yield _picture(part)
        case _:
            pass


def _call(part: Part) -> str:
    taken = ""
    if part.started_at is not None and part.ended_at is not None and part.ended_at >= part.started_at:
        taken = f", {(part.ended_at - part.started_at) / 1000:.1f} s"
    metadata = as_dict(_data(part).get("metadata"))
    diff = _diff(as_text(metadata.get("diff")))
    # A command that ran and failed is no success to the reader.
    status = "failed" if part.status == "completed" and metadata.get("code") not in (0, None) else part.status
    # What a change was asked with says the same in a form that nobody reads.
    asked = part.input if not diff and part.input and part.input.strip() not in ("", "{}") else ""
    given = f"<pre>{_text(asked)}</pre>" if asked else ""
    output = f"<pre>{_text(part.output)}</pre>" if part.output else ""
    return (
        f'<details class="call {status}"><summary><code>{_text(call_title(part))}</code>'
        f'<span class="status">{status}{taken}</span></summary>{diff}{given}{output}</details>'
    )


def _diff(text: str) -> str:
    if not text:
        return ""
    lines = (f'<span class="{_SIGNS.get(line[:1], "")}">{_text(line)}\n</span>' for line in text.splitlines())
    return f'<pre class="diff">{"".join(lines)}</pre>'


def _picture(part: Part) -> str:
    data = _data(part)
    kind, encoded, name = (as_text(data.get(key)) for key in ("media_type", "base64", "name"))
    if kind not in _PICTURES or not _BASE64.fullmatch(encoded):
        return f"<p>{_text(name) or 'a file'}</p>"
    return f'<p><img alt="{_text(name)}" src="data:{kind};base64,{encoded}"></p>'


def _data(part: Part) -> dict[str, object]:
    try:
        return as_dict(parse(part.data or "{}"))
    except ValueError:
        return {}


def _text(text: str) -> str:
    from html import escape

    return escape(plain(text), quote=True)


def _rendered(text: str) -> str:
    return str(_markdown().render(plain(text)))


@cache
def _markdown() -> MarkdownIt:
    # 40 ms, and only pages need it.
    from markdown_it import MarkdownIt

    # HTML in a message is text, and a picture from elsewhere would be fetched by whoever opens the page.
    made = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    return made.disable(["image", "html_inline", "html_block"])


def _style() -> str:
    return resources.files("agent.archive").joinpath("page.css").read_text("utf-8")
