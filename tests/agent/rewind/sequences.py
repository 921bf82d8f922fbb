"""Random lives of a folder: edits, commands, messages, rewinds and their undo, judged by copies."""

import os
import shutil
import stat
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import strategies as st

from agent.rewind.baseline import Baseline
from agent.rewind.blobs import Blobs
from agent.rewind.ledger import Ledger
from agent.rewind.service import Outcome, RewindService
from agent.tools.local import LocalWorkspace
from agent.tools.tool import Change
from store import messages, sessions
from store.database import Store
from store.records import RewindWhat

Tree = dict[str, tuple[str, int, bytes]]
Step = tuple[str, int, int, bytes]

NAMES = ("a", "b", "d/a", "d/e/a", "d", "f")
MODES = (0o644, 0o600, 0o755, 0o777, 0o444)
KINDS = ("write", "delete", "command", "message", "rewind", "undo", "redo", "foreign")

steps: st.SearchStrategy[list[Step]] = st.lists(
    st.tuples(
        st.sampled_from((*KINDS, "write", "command", "message", "rewind", "rewind")),
        st.integers(0, 5),
        st.integers(0, 9),
        st.binary(max_size=12),
    ),
    min_size=6,
    max_size=16,
)


def tree(folder: Path) -> Tree:
    """Every file, link and folder with its mode and content."""
    found: Tree = {}
    for path in sorted(folder.rglob("*")):
        mode = stat.S_IMODE(path.lstat().st_mode)
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = ("link", 0, os.fsencode(path.readlink()))
        elif path.is_dir():
            found[name] = ("folder", mode, b"")
        else:
            found[name] = ("file", mode, path.read_bytes())
    return found


@dataclass
class Life:
    store: Store
    root: Path
    session_id: str
    workspace: LocalWorkspace
    service: RewindService
    said: list[tuple[int, Tree]] = field(default_factory=list[tuple[int, Tree]])
    """What the live conversation holds: the number of each message and the folder when it was said."""
    done: list[tuple[list[tuple[int, Tree]], Tree]] = field(
        default_factory=list[tuple[list[tuple[int, Tree]], Tree]]
    )
    undone: list[tuple[list[tuple[int, Tree]], Tree]] = field(
        default_factory=list[tuple[list[tuple[int, Tree]], Tree]]
    )
    foreign: dict[str, bytes] = field(default_factory=dict[str, bytes])
    rewinds: int = 0

    def own(self) -> Tree:
        return {name: what for name, what in tree(self.root).items() if not name.startswith("foreign")}


async def begin(store: Store, folder: Path) -> Life:
    root = folder / "project"
    root.mkdir(parents=True)
    (root / "a").write_bytes(b"as it was\r\n")
    (root / "a").chmod(0o640)
    (root / "link").symlink_to("a")
    session = await store.write(sessions.create, str(root), agent="build", model="scripted")
    baseline = Baseline(root, folder / "live", 1_000_000)
    ledger = Ledger(store, session.id, Blobs(folder / "snapshots", 10_000_000), baseline)
    workspace = LocalWorkspace(root, folder / "logs", {}, ledger=ledger)

    async def told(outcome: Outcome) -> None:
        assert outcome.left == (), f"left as it is: {outcome.left}"
        workspace.forget()

    service = RewindService(store, session.id, root, ledger, at_rest=nullcontext, told=told)
    return Life(store, root, session.id, workspace, service)


async def live(store: Store, folder: Path, sequence: list[Step]) -> int:
    """Play it, judging every rewind; says how many there were."""
    life = await begin(store, folder)
    for kind, which, number, data in [("message", 0, 0, b""), *sequence]:
        await _ACTS[kind](life, which, number, data)
        for name, content in life.foreign.items():
            assert (life.root / name).read_bytes() == content, f"{name} of someone else changed"
    assert life.service.ledger is not None
    life.service.ledger.close()
    shutil.rmtree(folder)
    return life.rewinds


async def _message(life: Life, which: int, number: int, data: bytes) -> None:
    del which, number, data
    message = await life.store.write(messages.append, life.session_id, "user", "human")
    life.said.append((message.id, life.own()))


async def _write(life: Life, which: int, number: int, data: bytes) -> None:
    del number
    path = life.root / NAMES[which]
    if path.is_dir() or path.is_symlink() or _blocked(path):
        return
    # As an agent does, whose last look a command may have made stale.
    before = await life.workspace.read(path, shown=True) if path.exists() else None
    if before != data:
        await life.workspace.apply([Change(path, before, data)])


async def _delete(life: Life, which: int, number: int, data: bytes) -> None:
    del number, data
    path = life.root / NAMES[which]
    if path.is_file() and not path.is_symlink() and not _blocked(path):
        seen = await life.workspace.read(path, shown=True)
        await life.workspace.apply([Change(path, seen, None)])


async def _command(life: Life, which: int, number: int, data: bytes) -> None:
    """What a shell could do between two looks, without the time that starting one takes."""
    ledger = life.service.ledger
    assert ledger is not None
    async with ledger.commanding():
        _shuffle(life.root / NAMES[which], number, data)


def _blocked(path: Path) -> bool:
    return any(parent.is_symlink() or parent.is_file() for parent in path.parents)


def _shuffle(path: Path, number: int, data: bytes) -> None:
    if _blocked(path):
        return
    mode = MODES[number % len(MODES)]
    exists = path.exists() or path.is_symlink()
    if number < 5:
        if exists and path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif exists:
            path.unlink()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(mode)
    elif number < 7 and exists:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    elif number == 7 and not exists:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(os.fsdecode(data.replace(b"\0", b"") or b"a"))
    elif number == 8 and path.is_file() and not path.is_symlink():
        path.chmod(mode)
    elif number == 9 and not exists:
        path.mkdir(parents=True)
        path.chmod(0o700)


async def _rewind(life: Life, which: int, number: int, data: bytes) -> None:
    del data
    what: RewindWhat = ("both", "files", "conversation")[number % 3]
    at = which % len(life.said) if life.said else None
    if at is None:
        return
    before = (list(life.said), life.own())
    expected = life.said[at][1] if what != "conversation" else before[1]

    await life.service.rewind(at + 1, what)

    life.done.append(before)
    life.undone.clear()
    if what != "files":
        del life.said[at:]
    await _judge(life, expected)


async def _undo(life: Life, which: int, number: int, data: bytes) -> None:
    await _taken_back(life, life.done, life.undone, life.service.undo)


async def _redo(life: Life, which: int, number: int, data: bytes) -> None:
    await _taken_back(life, life.undone, life.done, life.service.redo)


async def _taken_back(
    life: Life,
    source: list[tuple[list[tuple[int, Tree]], Tree]],
    other: list[tuple[list[tuple[int, Tree]], Tree]],
    act: Callable[[], Awaitable[Outcome]],
) -> None:
    if not source:
        return
    now = (list(life.said), life.own())

    outcome = await act()

    other.append(now)
    said, files = source.pop()
    if outcome.rewind.what != "files":
        life.said = said
    await _judge(life, files if outcome.rewind.what != "conversation" else now[1])


async def _foreign(life: Life, which: int, number: int, data: bytes) -> None:
    del number
    name = f"foreign{which}"
    (life.root / name).write_bytes(data)
    life.foreign[name] = data


async def _judge(life: Life, expected: Tree) -> None:
    life.rewinds += 1
    assert life.own() == expected
    stored = await life.store.read(messages.load, life.session_id)
    assert [message.id for message in stored] == [number for number, _ in life.said]


_ACTS = {
    "write": _write,
    "delete": _delete,
    "command": _command,
    "message": _message,
    "rewind": _rewind,
    "undo": _undo,
    "redo": _redo,
    "foreign": _foreign,
}
