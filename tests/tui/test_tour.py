from pathlib import Path

from tests.tui.wakeful import wakeful


def test_bare_wakeful_shows_the_plan_move_without_a_key_or_a_terminal(tmp_path: Path):
    project = tmp_path / "project"
    project.mkdir()
    (project / "README.md").write_text("# Thing\n\nDoes a thing.\n")
    (project / "main.py").write_text("print('hi')\n")

    done = wakeful(tmp_path / "home", "-C", str(project), cwd=tmp_path)

    assert (done.returncode, done.stderr) == (0, "")
    assert "plan 0/5" in done.stdout
    assert "▶ #1" in done.stdout
    assert "plan 5/5" in done.stdout
    assert "Does a thing." in done.stdout
