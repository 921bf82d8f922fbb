"""Names for contents. `hashlib` brings OpenSSL along: 0.7 MiB, which no app holds before it needs a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import blake2b


def hashed(data: bytes = b"", *, size: int) -> blake2b:
    """Of so many bytes; what follows may be added to it."""
    from hashlib import blake2b

    return blake2b(data, digest_size=size)
