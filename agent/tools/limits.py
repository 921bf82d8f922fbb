"""How much of a result a model is made to read."""

from __future__ import annotations

RESULT = 30_000


def bounded(text: str, limit: int = RESULT) -> str:
    """At most `limit` bytes of UTF-8, from both ends; names that are no UTF-8 get question marks."""
    data = text.encode("utf-8", "replace")
    if len(data) <= limit:
        return data.decode()
    half = (limit - 100) // 2
    head = data[:half].decode("utf-8", "ignore")
    tail = data[-half:].decode("utf-8", "ignore")
    return f"{head}\n[... {len(data) - 2 * half} bytes left out; ask for a smaller part ...]\n{tail}"
