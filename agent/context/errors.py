"""What cannot be done to a conversation, in words that say why."""

from __future__ import annotations


class ContextError(Exception):
    """Nothing was changed."""
