"""Tool calls as lines: what was done to what, how it went and how long it took; edits as coloured diffs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from agent.events import ToolFinished
from tui.escapes import safe
from tui.oneline import one_line
from tui.plain import PLAIN_TOOL_MARKS, TOOL_MARKS, duration
from tui.repl.paper import Paper
from tui.verbs import TALKATIVE, is_planning, is_unbegun, is_undone, refusal, tally
from tui.verbs import verb as tool_verb

_OUTPUT_ROWS = 5
_DIFF_ROWS = 60
_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")


class Calls:
    def __init__(self, paper: Paper, *, words: bool = False) -> None:
        self._paper = paper
        self._words = words

    def finished(self, event: ToolFinished, title: str) -> str:
        if event.status == "completed" and (is_planning(event.name) or event.name == "ask_user"):
            # The plan, or the answer, was shown by itself.
            return ""
        lines = [self._head(event, event.title or title)]
        if event.status in ("failed", "denied"):
            lines += self._rows(refusal(event.metadata) or event.output, self._paper.palette.bad)
        elif diff := event.metadata.get("diff"):
            lines += list(diff_lines(str(diff), self._paper))
        elif event.name in TALKATIVE:
            # The line above says the exit code.
            output = event.output.removesuffix(f"(exit code {event.metadata.get('code')})")
            lines += self._rows(output, self._paper.palette.faint)
        return "".join(self._paper.show(line, breaking=index == 0) for index, line in enumerate(lines))

    def _head(self, event: ToolFinished, title: str) -> Text:
        palette, good = self._paper.palette, event.status == "completed" and not _failed(event.metadata)
        marks = TOOL_MARKS if self._paper.abilities.unicode and not self._words else PLAIN_TOOL_MARKS
        verb = tool_verb(event.name, denied=is_undone(event.name, event.status, event.metadata))
        mark = marks.get(event.status if good or event.status != "completed" else "failed", "?")
        took = [] if is_unbegun(event.status, event.metadata) else [duration(event.duration_ms)]
        facts = (", " if self._words else " · ").join(["", *_facts(event), *took])
        room = self._paper.width - cell_len(f"{mark} {verb} {facts}")
        return Text.assemble(
            (mark, palette.good if good else palette.bad),
            (f" {verb}", "bold"),
            f" {self._paper.clipped(one_line(title), room)}",
            (facts, palette.faint),
        )

    def _rows(self, output: str, style: str) -> list[Text]:
        """The end of it, where programs say how it went."""
        lines = [line for line in safe(output).expandtabs(4).split("\n") if line.strip()]
        left_out = len(lines) - _OUTPUT_ROWS
        kept = lines[-_OUTPUT_ROWS:]
        margin = "  │ " if not self._words else "  "
        room = self._paper.width - len(margin)
        rows = [Text(f"{margin}… {left_out} more lines", style)] if left_out > 0 else []
        return [*rows, *(Text(f"{margin}{self._paper.clipped(line, room)}", style) for line in kept)]


def diff_lines(diff: str, paper: Paper, *, most: int = _DIFF_ROWS) -> Iterator[Text]:
    """A unified diff with the numbers of its lines; a long one keeps its beginning."""
    palette = paper.palette
    old = new = 0
    rows = safe(diff).rstrip("\n").split("\n")
    several = sum(row.startswith("+++ ") for row in rows) > 1
    for count, row in enumerate(rows):
        if count >= most:
            yield Text(f"  … {len(rows) - most} more lines of this change", palette.faint)
            return
        if hunk := _HUNK.match(row):
            old, new = int(hunk[1]), int(hunk[2])
            continue
        if row.startswith(("--- ", "+++ ")):
            # The line above names a single file already.
            if several and row.startswith("+++ ") and row[4:] != "/dev/null":
                yield Text(f"  {row[6:]}", "bold")
            continue
        sign, body = row[:1], row[1:].expandtabs(4)
        number = old if sign == "-" else new
        old += sign in ("-", " ")
        new += sign in ("+", " ")
        style = {"+": palette.good, "-": palette.bad}.get(sign, palette.faint)
        shown = f"{number:>5}" if sign in "+- " else " " * 5
        yield Text.assemble(
            (shown, palette.faint), (f" {sign or ' '} {paper.clipped(body, paper.width - 8)}", style)
        )


def git_lines(diff: str, paper: Paper, *, most: int) -> Iterator[Text]:
    """Of several files, each with its name and what changed beside its content."""
    for part in re.split(r"^(?=diff --git )", diff, flags=re.MULTILINE)[1:]:
        head, mark, body = part.partition("\n--- ")
        first, *more = safe(head).rstrip("\n").split("\n")
        yield Text(first.rpartition(" b/")[2], "bold")
        yield from (Text(f"  {row}", paper.palette.faint) for row in more)
        if mark:
            yield from diff_lines(f"--- {body}", paper, most=most)


def _facts(event: ToolFinished) -> Iterator[str]:
    metadata = event.metadata
    if event.status == "interrupted":
        yield event.status
    if _failed(metadata):
        yield f"exit {metadata['code']}"
    if "added" in metadata:
        yield f"+{metadata['added']} −{metadata['removed']}"
    if found := tally(metadata):
        yield found


def _failed(metadata: Mapping[str, Any]) -> bool:
    return metadata.get("code") not in (0, None)
