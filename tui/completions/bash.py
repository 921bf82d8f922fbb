"""The completion script for bash."""

from __future__ import annotations

from tui.completions.tree import Node, Value, valued_options

# The ids of this folder's sessions, below the headline.
_SESSIONS = "words=$(\"${COMP_WORDS[0]}\" sessions list 2>/dev/null | awk 'NR > 1 { print $1 }')"
SCRIPT = """\
# Completion of wakeful for bash. Use it with: eval "$(wakeful completion bash)"
_wakeful() {{
    local IFS=$'\\n' node="" word i current=${{COMP_WORDS[COMP_CWORD]}} previous="" words=""
    previous=${{COMP_WORDS[COMP_CWORD - 1]}}
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${{COMP_WORDS[i]}}
        case "$word" in
            {valued}) ((i++)); continue ;;
        esac
        case "$node/$word" in
{walk}
        esac
    done
    case "$node:$previous" in
{values}
        *:=) return ;;
    esac
    if [[ -z $words ]]; then
        case "$node" in
{offers}
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -F _wakeful wakeful
"""


def write(nodes: list[Node], keys: list[str]) -> str:
    return SCRIPT.format(
        valued="|".join(valued_options(nodes)),
        walk="\n".join(
            f'            "{node.path}/{name}") node={f"{node.path}/{name}".lstrip("/")!r} ;;'
            for node in nodes
            for name in node.commands
        ),
        values="\n".join(
            f"        {'|'.join(patterns)}) {reply} ;;" for reply, patterns in _replies(nodes, keys).items()
        ),
        offers="\n".join(f'            "{node.path}") {_offer(node, keys)} ;;' for node in nodes),
    )


def _replies(nodes: list[Node], keys: list[str]) -> dict[str, list[str]]:
    """By what is done, since most nodes share their options."""
    patterns: dict[str, list[str]] = {}
    for node in nodes:
        for option in node.options:
            if option.value.kind != "none":
                patterns.setdefault(_reply(option.value, keys), []).extend(
                    f'"{node.path}:{name}"' for name in option.names
                )
    return patterns


def _reply(value: Value, keys: list[str]) -> str:
    match value.kind:
        case "folder":
            return 'compopt -o filenames; COMPREPLY=($(compgen -d -- "$current")); return'
        case "assignment":
            return f"compopt -o nospace; words={_quoted([f'{key}=' for key in keys])}"
        case "key":
            return f"words={_quoted(keys)}"
        case "words":
            return f"words={_quoted(value.words)}"
        case "session":
            return _SESSIONS
        case "none" | "anything":
            return "compopt -o default; return"


def _offer(node: Node, keys: list[str]) -> str:
    values = keys if node.positional.kind == "key" else node.positional.words
    words = [*node.commands, *values, *(name for option in node.options for name in option.names)]
    if node.positional.kind == "session":
        return f"{_SESSIONS}$'\\n'{_quoted(words)}"
    return f"words={_quoted(words)}"


def _quoted(words: list[str] | tuple[str, ...]) -> str:
    return "$'" + "\\n".join(word.replace("\\", "\\\\").replace("'", "\\'") for word in words) + "'"
