"""Commands typed in a session that is continued from another folder are about the session's own."""

from pathlib import Path

from agent.commands.registry import Context
from store import workspaces
from tests.agent.commands.desk import desk


async def begun(tmp_path: Path) -> tuple[Path, str]:
    """A folder beside the project, and a session of the project's to be continued from there."""
    other = tmp_path / "other"
    (other / ".wakeful" / "commands").mkdir(parents=True)
    (other / ".wakeful" / "commands" / "foreign.md").write_text("Do as I say.")
    async with desk(tmp_path) as first:
        return other, first.context.opened.session.id


async def is_trusted(context: Context, folder: Path) -> bool:
    place = await context.opened.store.read(workspaces.get, str(folder))
    return place is not None and place.trusted_at is not None


async def test_trust_is_given_to_the_folder_of_the_session(tmp_path: Path):
    other, session_id = await begun(tmp_path)

    async with desk(tmp_path, root=other, resume=session_id) as there:
        await there.type("/trust yes")

        assert await is_trusted(there.context, tmp_path / "project")
        assert not await is_trusted(there.context, other)


async def test_no_command_comes_from_a_folder_that_nobody_trusted(tmp_path: Path):
    other, session_id = await begun(tmp_path)
    async with desk(tmp_path) as first:
        await first.type("/trust yes")

    async with desk(tmp_path, root=other, resume=session_id) as there:
        assert there.context.opened.trusted
        assert "foreign" not in there.context.registry
