"""Words of a provider or a library as one clean line for people; what cannot be cleaned is left out."""

from __future__ import annotations

import ast
import re

from agent.models.loose import as_dict, as_list, as_text, parse

LONGEST = 300
_KEY = re.compile(r"\b(sk|pk|gsk|xai|key|rk|AIza)[-_]?[A-Za-z0-9*_-]{8,}|Bearer\s+\S+")
_URL = re.compile(r"\b([a-z][a-z0-9+.-]*://)(?:[^\s/@'\"<>]*@)?([^\s?#'\"<>)\]]*)[^\s'\"<>)]*")
# Names of Python classes, as libraries put them before their message or around it.
_CLASS = re.compile(r"`?\b(?:\w+\.)*[A-Z]\w*(?:Error|Exception)\b`?(?:[:,-](?=\s|$)|\s+-(?=\s|$))?\s*")
_HANDLE = re.compile(r"\.? Handle with `litellm\.\w+`\.?")
_QUOTED = re.compile(r"Traceback \(most recent|Received chunk:")
_CODE = re.compile(r"^\s*Error code: \d{3} - ")
_BYTES = re.compile(r"b(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")", re.DOTALL)
_ERRNO = re.compile(r"\[Errno -?\d+\] ?")
_PAGE = re.compile(r"<(title|h1)[^>]*>\s*([^<]*?)\s*</\1>", re.IGNORECASE)
# What sentences for people are made of; a repr, a trace or markup has other characters.
_SENTENCE = re.compile(r"[\w\s.,;:!?'\"“”\u2018\u2019()\[\]/%&+=@#$€*–—…`|^~-]+")
_FOREIGN = re.compile(
    r"0x[0-9a-fA-F]{4,}|\bobject at\b|\bb['\"]|Traceback|__|\^\^|\bline \d+ column \d+|File \""
)


def plain(text: str, limit: int = LONGEST) -> str:
    """One bounded line, or an empty one when there are no words in it.

    It holds no object address, bytes, class name, markup, key, or query of a URL.
    """
    # What a library quotes of the program and of the stream comes last.
    text = _QUOTED.split(text)[0]
    text = _message_in(_HANDLE.sub("", text).strip())
    # litellm has a word of its own for a key that it leaves out.
    text = _URL.sub(r"\1\2", _KEY.sub("[key]", text)).replace("REDACTED", "[key]")
    text = _ERRNO.sub("", _CLASS.sub("", text))
    sentences = re.split(r"(?<=[.!?;])\s+|[\r\n]+", text)
    kept = [each.strip() for each in sentences if _SENTENCE.fullmatch(each) and not _FOREIGN.search(each)]
    line = " ".join(" ".join(kept).split()).strip(" -:;,")
    return line if len(line) <= limit else line[: limit - 1] + "…"


def said_in(value: object) -> str:
    """The words in a JSON error, whichever of the usual shapes it has."""
    if isinstance(value, str):
        return value
    items = as_list(value)
    fields = as_dict(items[0] if items else value)
    inner = fields.get("error")
    if isinstance(inner, str):
        return inner
    nested = as_dict(inner) or fields
    metadata = as_dict(nested.get("metadata"))
    parts = [as_text(nested.get(name)) for name in ("message", "detail")] + [as_text(metadata.get("raw"))]
    return " ".join(part for part in parts if part)


def _message_in(text: str) -> str:
    """The message of a body that is quoted in the text: JSON, a page, or Python's repr of either."""
    text = _CODE.sub("", text)
    if quoted := _BYTES.search(text):
        text = f"{text[: quoted.start()]}{_decoded(quoted.group())}{text[quoted.end() :]}"
    if page := _PAGE.search(text):
        return page[2]
    starts = [at for at in (text.find("{"), text.find("[{")) if at >= 0]
    if not starts:
        return text
    begin, end = min(starts), max(text.rfind("}"), text.rfind("}]") + 1) + 1
    found = said_in(_value(text[begin:end]))
    return found or text[:begin]


def _decoded(literal: str) -> str:
    try:
        value: object = ast.literal_eval(literal)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return ""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def _value(text: str) -> object:
    try:
        return parse(text)
    except ValueError:
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
