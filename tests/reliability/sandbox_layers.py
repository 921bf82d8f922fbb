"""Ways out of the sandbox, tried on every layer there is, and with a PATH that leads into the workspace."""

import json
import os
import subprocess
import sys
from pathlib import Path

from agent.permissions.paths import Places
from agent.permissions.sandbox import Sandbox, find_sandbox
from tests.sandbox_escapes import ESCAPES, GIT, Scene

NAME = "sandbox layers"
_DOCTOR = [sys.executable, "-c", "import sys; from tui.cli import main; sys.exit(main())", "doctor", "--json"]
_EVIDENCE = {
    # A process of its own namespace sees itself as one of the first.
    "bubblewrap": "test $(ls -d /proc/[0-9]* | wc -l) -lt 9 && grep -q 'CapEff:.0*$' /proc/self/status",
    "landlock": "grep -q 'NoNewPrivs:.1' /proc/self/status && test -n \"$TMPDIR\" && ! ls / 2>/dev/null",
}


def run(scale: float, seed: int) -> str:
    del seed
    rounds = max(1, round(3 * scale))
    figures: list[str] = []
    escaped: list[str] = []
    for path in (None, "/nowhere"):
        with Scene() as scene:
            sandbox = find_sandbox(scene.places, path)
            if any(sandbox.layer in figure for figure in figures) or sandbox.layer == "none":
                continue
            _check_doctor(scene, sandbox, path)
            for _ in range(rounds):
                for name, script in ESCAPES.items():
                    if evidence := scene.attempt(sandbox, script):
                        escaped.append(f"{sandbox.layer}: {name}: {evidence}")
                    scene.clean()
            figures.append(f"{sandbox.layer} {rounds * len(ESCAPES)}")
    assert figures, "no layer works here"
    assert not escaped, f"{len(escaped)} escapes: {'; '.join(escaped[:5])}"
    hostile = _hostile_paths()
    return f"{', '.join(figures)} tries, 0 escapes; {hostile} hostile PATHs, 0 programs of the workspace run"


def _check_doctor(scene: Scene, sandbox: Sandbox, path: str | None) -> None:
    """The layer that `doctor` names must be the one whose traces a command sees."""
    variables = {**os.environ, **GIT, "WAKEFUL_HOME": str(scene.home / "wakeful"), "HOME": str(scene.home)}
    if path is not None:
        variables["PATH"] = path
    done = subprocess.run(_DOCTOR, cwd=scene.root, env=variables, capture_output=True, check=False)
    (row,) = (check for check in json.loads(done.stdout)["checks"] if check["name"] == "sandbox")
    named = "bubblewrap" if "bwrap" in row["value"].partition("(")[0] else "landlock"
    assert named == sandbox.layer, f"doctor says {row['value']!r} for {sandbox.layer}"
    proof = f"{_EVIDENCE[sandbox.layer]} && echo {{done}}"
    assert "printed" in scene.attempt(sandbox, proof), f"{sandbox.layer} is not in force"
    scene.clean()


def _hostile_paths() -> int:
    tried = 0
    with Scene() as scene:
        marker = scene.base / "ran"
        for folder in (scene.root, scene.root / "bin"):
            folder.mkdir(exist_ok=True)
            for name in ("bwrap", "git", "bash", "rg"):
                (folder / name).write_text(f"#!/bin/sh\n/bin/touch {marker}\n")
                (folder / name).chmod(0o755)
        before = Path.cwd()
        os.chdir(scene.root)
        try:
            for entry in ("", ".", "bin", str(scene.root), f"{scene.root}/bin", f"{scene.root}/../ws"):
                for path in (f"{entry}:{os.environ['PATH']}", entry):
                    sandbox = find_sandbox(Places(scene.root, home=scene.home), path)
                    assert sandbox.program is None or not sandbox.program.startswith(str(scene.root))
                    tried += 1
        finally:
            os.chdir(before)
        assert not marker.exists(), "a program of the workspace was run"
    return tried
