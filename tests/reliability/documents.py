"""Markdown may come in pieces cut anywhere: what is drawn in the end is what the whole would have shown."""

import random

from tests.documents import chunks, document, drawn, drawn_in_pieces

NAME = "Markdown in random pieces is drawn as in one go"


def run(scale: float, seed: int) -> str:
    rng = random.Random(seed)
    count = max(1, round(5_000 * scale))
    pieces = 0
    for _ in range(count):
        text = document(rng)
        width = rng.choice((10, 40, 80, 120))
        parts = list(chunks(rng, text))
        pieces += len(parts)

        assert drawn_in_pieces(parts, width) == drawn(text, width), f"drawn otherwise: {text!r} as {parts!r}"
    return f"{count} documents in {pieces} pieces"
