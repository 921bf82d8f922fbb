from pathlib import Path

from agent.models.scripted import Scripted, said
from store import workspaces
from tests.agent.openings import stage
from tui.keeping import keep


async def test_what_decides_is_looked_for_where_the_session_began(tmp_path: Path):
    began, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    (began / ".wakeful").mkdir(parents=True)
    (began / ".wakeful" / "config.toml").write_text("[wake]\nmax_cycles = 3\n")
    elsewhere.mkdir()
    async with stage(tmp_path, Scripted([said("hello")])) as first:
        await first.ask("hello")
        session = first.opened.session.id
        await first.opened.store.write(workspaces.trust, str(began), trusted=True)

    async with stage(tmp_path, Scripted([]), root=elsewhere, resume=session) as again:
        said_of_it = await keep(again.opened, ("wake", "max_cycles"), "5")

    assert "config.toml" in said_of_it
    assert said_of_it.endswith("wins")
