import os
import subprocess
import sys
from pathlib import Path

import pytest

from store.errors import SessionBusyError
from store.lock import owner, session_lock

HOLD = """
import sys
from pathlib import Path
from store.lock import session_lock
with session_lock(Path(sys.argv[1]), "S"):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(folder: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_process_is_refused_and_told_who_holds_the_session(tmp_path: Path):
    with holder(tmp_path) as process:
        with (
            pytest.raises(SessionBusyError, match=f"process {process.pid}") as refused,
            session_lock(tmp_path, "S"),
        ):
            pass
        assert refused.value.pid == process.pid
        assert owner(tmp_path, "S") == process.pid
        process.communicate("")


def test_the_lock_dies_with_an_owner_that_is_killed(tmp_path: Path):
    with holder(tmp_path) as process:
        process.kill()
        process.wait()

        with session_lock(tmp_path, "S"):
            assert owner(tmp_path, "S") == os.getpid()
    assert owner(tmp_path, "S") is None


def test_sessions_do_not_lock_each_other(tmp_path: Path):
    with session_lock(tmp_path, "A"), session_lock(tmp_path, "B"):
        assert owner(tmp_path, "A") == owner(tmp_path, "B") == os.getpid()


def test_a_process_cannot_hold_one_session_twice(tmp_path: Path):
    with session_lock(tmp_path, "A"), pytest.raises(SessionBusyError), session_lock(tmp_path, "A"):
        pass


def test_asking_for_the_owner_never_turns_a_rightful_one_away(tmp_path: Path):
    code = "import sys; from pathlib import Path; from store.lock import owner\nprint(flush=True)\n"
    code += "while True: owner(Path(sys.argv[1]), 'S')"
    with session_lock(tmp_path, "S"):
        pass
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE) as asking:
        assert asking.stdout is not None
        asking.stdout.readline()
        try:
            for _ in range(300):
                with session_lock(tmp_path, "S"):
                    pass
        finally:
            asking.kill()
