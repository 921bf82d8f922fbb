"""The completion script for fish."""

from __future__ import annotations

from collections.abc import Iterator

from tui.completions.tree import Node, Value, valued_options

# The ids of this folder's sessions, below the headline.
_SESSIONS = "(wakeful sessions list 2>/dev/null | awk 'NR > 1 { print $1 }')"
SCRIPT = """\
# Completion of wakeful for fish. Use it with: wakeful completion fish | source
function __wakeful_at
    set -l node ''
    set -l skip 0
    set -l typed (commandline -opc)
    for word in $typed[2..]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case {valued}
                set skip 1
                continue
        end
        switch "$node/$word"
{walk}
        end
    end
    test "$node" = "$argv[1]"
end
complete -c wakeful -f
{lines}
"""


def write(nodes: list[Node], keys: list[str]) -> str:
    return SCRIPT.format(
        valued=" ".join(valued_options(nodes)),
        walk="\n".join(
            f"            case {_quoted(f'{node.path}/{name}')}\n"
            f"                set node {_quoted(f'{node.path}/{name}'.lstrip('/'))}"
            for node in nodes
            for name in node.commands
        ),
        lines="\n".join(line for node in nodes for line in _lines(node, keys)),
    )


def _lines(node: Node, keys: list[str]) -> Iterator[str]:
    at = f"complete -c wakeful -n {_quoted(f'__wakeful_at {_quoted(node.path)}')}"
    for name, line in node.commands.items():
        yield f"{at} -a {_quoted(name)} -d {_quoted(line)}"
    values = keys if node.positional.kind == "key" else node.positional.words
    if values:
        yield f"{at} -a {_quoted(' '.join(values))}"
    if node.positional.kind == "session":
        yield f"{at} -a {_quoted(_SESSIONS)}"
    for option in node.options:
        names = " ".join(
            f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names
        )
        yield f"{at} {names}{_value(option.value, keys)} -d {_quoted(option.help)}"


def _value(value: Value, keys: list[str]) -> str:
    match value.kind:
        case "none":
            return ""
        case "folder":
            return " -x -a '(__fish_complete_directories)'"
        case "assignment":
            return f" -x -a {_quoted(' '.join(f'{key}=' for key in keys))}"
        case "key":
            return f" -x -a {_quoted(' '.join(keys))}"
        case "words":
            return f" -x -a {_quoted(' '.join(value.words))}"
        case "session":
            return f" -x -a {_quoted(_SESSIONS)}"
        case "anything":
            return " -r"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
