"""Files that were shown to the model, as blocks of a message: pictures as such, anything else in words."""

from __future__ import annotations

import binascii
import re
from typing import Any

from agent.models.loose import as_dict, as_text, parse
from agent.pictures import media_type
from store.records import Part

_TEXTS = re.compile(r"text/.*|application/(.*\+)?(json|xml|toml|yaml)")


def blocks(part: Part, *, seen: bool = True) -> list[dict[str, Any]]:
    """What a request holds of a file part; nothing for one whose data cannot be read any more.

    `seen` says that the model can look at pictures.
    """
    fields = _fields(part)
    media, encoded = as_text(fields.get("media_type")), as_text(fields.get("base64"))
    data = _bytes(encoded)
    if data is None:
        return []
    name = name_of(part)
    if part.pruned_at is not None:
        return [_said(f"[{name} was shown here; dropped to save context, read it again if it is needed]")]
    if (picture := media_type(data)) and seen:
        return [{"type": "image_url", "image_url": {"url": f"data:{picture};base64,{encoded}"}}]
    if picture:
        return [_said(f"[{name}: a picture, which this model cannot see]")]
    if _TEXTS.fullmatch(media):
        return [_said(f"[{name}]\n{data.decode('utf-8', 'replace')}")]
    return [_said(f"[{name}: {media or 'of an unknown type'}, {len(data)} bytes, cannot be shown]")]


def name_of(part: Part) -> str:
    return " ".join(as_text(_fields(part).get("name")).split()) or "file"


def _said(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _fields(part: Part) -> dict[str, object]:
    try:
        return as_dict(parse(part.data or ""))
    except ValueError:
        return {}


def _bytes(encoded: str) -> bytes | None:
    try:
        return binascii.a2b_base64(encoded.encode("ascii"), strict_mode=True) or None
    except ValueError:
        return None
