"""Names sessions by their first request and tool calls by what they were given, without asking any model."""

import re

from agent.models.loose import as_dict, as_text, parse
from store.records import Part

_LONGEST = 60
_LONGEST_CALL = 120
_MARKUP = re.compile(r"^[#>\s]+|[`*]+")
# Not those within a name such as test_login or __init__.
_UNDERLINED = re.compile(r"(?<!\w)_([^_]+)_(?!\w)")


def title_of(text: str) -> str:
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    plain = re.sub(r"\s+", " ", _UNDERLINED.sub(r"\1", _MARKUP.sub("", line))).strip(" .")
    if len(plain) <= _LONGEST:
        return plain
    cut = plain[:_LONGEST].rsplit(" ", 1)[0]
    return f"{cut}…"


def call_title(part: Part) -> str:
    """`shell make test`: the title the tool gave, or its name and what it was given first."""
    try:
        given = as_text(as_dict(parse(part.data or "{}")).get("title"))
        values = as_dict(parse(part.input or "{}")).values()
        first = next((each for each in values if isinstance(each, str | int)), "")
    except ValueError:
        given, first = "", ""
    line = " ".join(f"{part.tool} {given or first}".split())
    return line if len(line) <= _LONGEST_CALL else f"{line[: _LONGEST_CALL - 1]}…"
