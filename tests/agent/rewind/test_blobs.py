import os
import stat
from pathlib import Path

from agent.rewind.blobs import Blobs, digest_of


def blobs(tmp_path: Path, limit: int = 1_000_000) -> Blobs:
    return Blobs(tmp_path / "snapshots", limit)


def modes(folder: Path) -> set[int]:
    return {stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*") if path.is_file()}


def test_a_content_comes_back_by_its_digest_and_is_the_owners_alone(tmp_path: Path):
    kept = blobs(tmp_path)

    digest = kept.put(b"one\0\xff")

    assert kept.get(digest) == b"one\0\xff"
    assert digest in kept
    assert kept.get(digest_of(b"other")) is None
    assert modes(kept.folder) == {0o600}
    assert stat.S_IMODE(kept.folder.stat().st_mode) == 0o700


def test_the_same_content_is_kept_once(tmp_path: Path):
    kept = blobs(tmp_path)

    assert kept.put(b"same") == kept.put(b"same")

    assert len([path for path in kept.folder.rglob("*") if len(path.name) == 64]) == 1


def test_the_oldest_make_room_and_one_that_is_needed_again_is_no_longer_old(tmp_path: Path):
    kept = blobs(tmp_path, limit=3_000)
    digests = [kept.put(bytes([number]) * 1_000) for number in range(3)]
    for age, digest in enumerate(digests):
        os.utime(kept.folder / digest[:2] / digest, (age, age))
    kept.put(bytes([0]) * 1_000)

    newest = kept.put(b"x" * 1_000)

    assert [digest in kept for digest in (*digests, newest)] == [True, False, True, True]


def test_a_content_beyond_the_bound_is_not_kept_and_costs_no_other(tmp_path: Path):
    kept = blobs(tmp_path, limit=100)
    small = kept.put(b"small")

    large = kept.put(b"x" * 101)

    assert (small in kept, large in kept) == (True, False)


def test_a_damaged_content_is_none_rather_than_wrong(tmp_path: Path):
    kept = blobs(tmp_path)
    digest = kept.put(b"right")

    (kept.folder / digest[:2] / digest).write_bytes(b"wrong")

    assert kept.get(digest) is None


def test_a_sweep_leaves_what_is_used_and_what_is_young(tmp_path: Path):
    kept = blobs(tmp_path)
    used, unused, young = (kept.put(text) for text in (b"used", b"unused", b"young"))
    for digest in (used, unused):
        os.utime(kept.folder / digest[:2] / digest, (1, 1))

    removed = kept.sweep({used})

    assert removed == 1
    assert [digest in kept for digest in (used, unused, young)] == [True, False, True]
    assert Blobs(tmp_path / "nothing", 1).sweep(()) == 0
