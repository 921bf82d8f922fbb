import os
from pathlib import Path

from agent.rewind.blobs import Blobs
from agent.rewind.cleanup import LIVE, sweep
from store import rewinds, sessions
from store.database import Store
from store.lock import session_lock
from store.records import FileState, FileStep, Session
from tests.agent.openings import opening


async def test_contents_and_copies_that_nobody_needs_are_removed(
    tmp_path: Path, store: Store, session: Session
):
    paths = opening(tmp_path).paths
    blobs = Blobs(paths.snapshots, 1_000)
    used, unused = blobs.put(b"used"), blobs.put(b"unused")
    for digest in (used, unused):
        os.utime(blobs.folder / digest[:2] / digest, (1, 1))
    state = FileState("file", 0o644, used, 4)
    await store.write(
        rewinds.add_steps, [FileStep(0, session.id, 0, "edit", "/project/a", state, FileState())]
    )
    for name in (session.id, "gone"):
        (paths.snapshots / LIVE / name).mkdir(parents=True)

    with session_lock(paths.locks, session.id):
        assert await sweep(store, paths) == 1
        assert [each.name for each in (paths.snapshots / LIVE).iterdir()] == [session.id]
        assert (used in blobs, unused in blobs) == (True, False)
    await store.write(sessions.delete, session.id)

    assert await sweep(store, paths) == 0, "once a day is enough"
    assert await sweep(store, paths, at_once=True) == 1
    assert used not in blobs
