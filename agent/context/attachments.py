"""Files that were shown to the model, as blocks of a message: pictures as such, anything else in words."""

from __future__ import annotations

import binascii
import re
from typing import Any

from agent.models.loose import as_dict, as_text, parse
from store.records import Part

_PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_TEXTS = re.compile(r"text/.*|application/(.*\+)?(json|xml|toml|yaml)")


def blocks(part: Part) -> list[dict[str, Any]]:
    """What a request holds of a file part; nothing for one whose data cannot be read any more."""
    fields = _fields(part)
    media, encoded = as_text(fields.get("media_type")), as_text(fields.get("base64"))
    data = _bytes(encoded)
    if data is None:
        return []
    name = " ".join(as_text(fields.get("name")).split()) or "file"
    if part.pruned_at is not None:
        return [_said(f"[{name} was shown here; dropped to save context, read it again if it is needed]")]
    if media in _PICTURES:
        return [{"type": "image_url", "image_url": {"url": f"data:{media};base64,{encoded}"}}]
    if _TEXTS.fullmatch(media):
        return [_said(f"[{name}]\n{data.decode('utf-8', 'replace')}")]
    return [_said(f"[{name}: {media or 'of an unknown type'}, {len(data)} bytes, cannot be shown]")]


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
