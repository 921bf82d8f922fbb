import subprocess
import sys
from pathlib import Path

import pytest

LOOK = (
    "import sys; from pathlib import Path; from store.inspect import inspect;"
    " print(inspect(Path(sys.argv[1])).problem)"
)


@pytest.mark.parametrize("made", [False, True], ids=["no file yet", "a file"])
def test_a_folder_that_is_read_only_is_a_problem(tmp_path: Path, made: bool):
    make = f"{sys.executable} -m tests.reliability.disk write {tmp_path}/wakeful.db" if made else "true"
    script = f"""mount -t tmpfs none {tmp_path} && {make} && mount -o remount,ro {tmp_path} &&
    {sys.executable} -c '{LOOK}' {tmp_path}/wakeful.db"""

    done = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", script],
        capture_output=True,
        text=True,
        check=False,
    )

    if "unshare:" in done.stderr or "mount:" in done.stderr:
        pytest.skip(f"no mounts of our own here: {done.stderr.strip()}")
    assert done.stdout.splitlines()[-1] == f"{tmp_path}{'/wakeful.db' if made else ''} cannot be written"
