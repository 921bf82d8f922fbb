"""Session ids: ULIDs, which sort by their time of birth and need no coordination."""

import os

from store.clock import now

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_session_id() -> str:
    number = (now() << 80) | int.from_bytes(os.urandom(10))
    return "".join(_ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))


def new_question_id() -> str:
    """Unique across sessions and processes, so that no answer can reach another question."""
    return f"q{chance_name(10)}"


def chance_name(size: int) -> str:
    """That nobody else has or could guess; `secrets` says the same, and brings OpenSSL along."""
    return os.urandom(size).hex()
