"""Session ids: ULIDs, which sort by their time of birth and need no coordination."""

import secrets

from store.clock import now

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_session_id() -> str:
    number = (now() << 80) | secrets.randbits(80)
    return "".join(_ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))
