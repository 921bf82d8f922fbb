"""The completion script for zsh."""

from __future__ import annotations

from tui.completions.tree import Node, Value, valued_options

# The ids of this folder's sessions, below the headline.
_SESSIONS = "${(f)\"$($words[1] sessions list 2>/dev/null | awk 'NR > 1 { print $1 }')\"}"
SCRIPT = """\
#compdef wakeful
# Completion of wakeful for zsh. Use it with: eval "$(wakeful completion zsh)"
_wakeful() {{
    local node="" word previous=${{words[CURRENT - 1]}}
    local -a offers
    integer i
    for ((i = 2; i < CURRENT; i++)); do
        word=${{words[i]}}
        case $word in
            ({valued}) ((i++)); continue ;;
        esac
        case "$node/$word" in
{walk}
        esac
    done
    case "$node:$previous" in
{values}
    esac
    case $node in
{offers}
    esac
    _describe wakeful offers
}}
# Autoloaded from fpath this file is the function's body; evaluated it only makes the function known.
if [[ $funcstack[1] == _wakeful ]]; then _wakeful "$@"; else compdef _wakeful wakeful; fi
"""


def write(nodes: list[Node], keys: list[str]) -> str:
    return SCRIPT.format(
        valued="|".join(valued_options(nodes)),
        walk="\n".join(
            f"            ('{node.path}/{name}') node='{f'{node.path}/{name}'.lstrip('/')}' ;;"
            for node in nodes
            for name in node.commands
        ),
        values="\n".join(
            f"        ({_either(node.path, option.names)}) {_reply(option.value, keys)}; return ;;"
            for node in nodes
            for option in node.options
            if option.value.kind != "none"
        ),
        offers="\n".join(f"        ('{node.path}') offers=({_offer(node, keys)}) ;;" for node in nodes),
    )


def _either(path: str, names: tuple[str, ...]) -> str:
    return "|".join(f"'{path}:{name}'" for name in names)


def _reply(value: Value, keys: list[str]) -> str:
    match value.kind:
        case "folder":
            return "_files -/"
        case "assignment":
            return f"compadd -S '=' -- {' '.join(keys)}"
        case "key":
            return f"compadd -- {' '.join(keys)}"
        case "words":
            return f"compadd -- {' '.join(map(_quoted, value.words))}"
        case "session":
            return f"compadd -- {_SESSIONS}"
        case "none" | "anything":
            return "_files"


def _offer(node: Node, keys: list[str]) -> str:
    values = keys if node.positional.kind == "key" else node.positional.words
    described = [*node.commands.items(), *((value, "") for value in values)]
    described += [(name, option.help) for option in node.options for name in option.names]
    offers = " ".join(_quoted(f"{_plain(word)}:{line}" if line else _plain(word)) for word, line in described)
    return f"{_SESSIONS} {offers}" if node.positional.kind == "session" else offers


def _plain(word: str) -> str:
    return word.replace(":", "\\:")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
