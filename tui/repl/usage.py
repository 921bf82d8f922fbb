"""What the keys do, for `/keys`: at the prompt, and where the terminal itself edits a line."""

from __future__ import annotations

from agent.commands.results import Table

PROMPT = Table(
    (),
    (
        ("enter", "send; while the agent works it is queued"),
        ("ctrl+s", "steer: into the turn that runs, before its next request"),
        ("alt+enter, \\ enter", "a new line"),
        ("tab", "complete commands, their arguments and @files"),
        ("up, down", "earlier lines; up takes the last queued message back"),
        ("ctrl+r", "search what was typed before"),
        ("ctrl+g", "write in your editor ($VISUAL or $EDITOR)"),
        ("ctrl+l", "clear the screen"),
        ("esc, ctrl+c", "interrupt and hold; /wake goes on"),
        ("ctrl+c twice, ctrl+d", "leave; the session is kept, jobs end (asks again)"),
        ("!, !!", "run a command; !! also tells the agent what it printed"),
    ),
)
LINES = Table(
    (),
    (
        ("enter", "send; while the agent works it is queued"),
        ("\\ enter", "a new line"),
        ("ctrl+c", "interrupt and hold; /wake goes on, ctrl+c again leaves"),
        ("ctrl+d", "leave; the session is kept, jobs end (asks again)"),
        ("!, !!", "run a command; !! also tells the agent what it printed"),
    ),
)
