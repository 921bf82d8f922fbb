"""Which pictures a model can be shown, by their first bytes: names and servers say all sorts of things."""

from __future__ import annotations


def media_type(data: bytes) -> str | None:
    """None for what no provider takes for a picture."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    return None
