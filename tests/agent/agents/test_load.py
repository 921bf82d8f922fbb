from pathlib import Path

import pytest

from agent.agents.load import AgentError, built_in, load_all, parse, pick


def test_the_built_in_agents_have_the_access_they_are_promised():
    access = {name: (agent.access, agent.mode) for name, agent in built_in().items()}

    assert access == {
        "build": ("full", "primary"),
        "plan": ("readonly-shell", "primary"),
        "general": ("full", "subagent"),
        "explore": ("readonly", "subagent"),
    }


def test_a_users_file_adds_an_agent_and_may_replace_one(tmp_path: Path):
    (tmp_path / "review.md").write_text(
        "---\naccess: minimal\ntools: read, grep\nmodel: openai/x\n---\nLook."
    )
    (tmp_path / "build.md").write_text("Build it my way.")

    agents = load_all(tmp_path, tmp_path / "missing").by_name

    assert agents["review"].tools == ("read", "grep")
    assert (agents["review"].access, agents["review"].model) == ("minimal", "openai/x")
    assert agents["build"].prompt == "Build it my way."
    assert "plan" in agents


def test_a_projects_agent_loosens_neither_the_users_nor_the_one_that_plans(tmp_path: Path):
    own, project = tmp_path / "own", tmp_path / "project" / ".wakeful" / "agents"
    own.mkdir()
    project.mkdir(parents=True)
    (own / "build.md").write_text("---\nrules: deny shell curl *\n---\nMine.")
    (project / "build.md").write_text("Theirs.")
    (project / "plan.md").write_text("---\npermissions: ask\n---\nTheirs.")

    agents = load_all(own, tmp_path / "project").by_name

    assert (agents["build"].prompt, agents["build"].rules) == ("Mine.", ("deny shell curl *",))
    assert (agents["plan"].prompt, agents["plan"].permissions) == ("Theirs.", "plan")


def test_the_model_of_a_projects_agent_waits_until_the_user_agreed_to_it(tmp_path: Path):
    folder = tmp_path / ".wakeful" / "agents"
    folder.mkdir(parents=True)
    (folder / "review.md").write_text("---\nmodel: openai/dear\n---\nLook.")

    before = load_all(tmp_path / "own", tmp_path)
    after = load_all(tmp_path / "own", tmp_path, before.wishes)

    assert (before.by_name["review"].model, before.wishes) == (None, ("agents.review.model = openai/dear",))
    assert "wakeful trust --models" in before.notices[0]
    assert (after.by_name["review"].model, after.wishes) == ("openai/dear", ())


def test_an_agent_that_is_a_link_out_of_the_project_is_not_read(tmp_path: Path):
    folder = tmp_path / "project" / ".wakeful" / "agents"
    folder.mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("the secret")
    (folder / "leak.md").symlink_to(tmp_path / "secret.txt")

    found = load_all(tmp_path / "own", tmp_path / "project")

    assert "leak" not in found.by_name
    assert "a link out of the folder" in found.notices[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("---\nacess: full\n---\nx", "review.md:2: unknown key 'acess'; did you mean access?"),
        ("---\naccess: all\n---\nx", "access is 'all'; it must be one of full, readonly"),
        ("---\naccess: full\n", "no closing ---"),
        ("---\nmodel: oobabooga/http://evil.example\n---\nx", "without an address"),
        ("---\nmax_steps: many\n---\n", "whole number"),
    ],
)
def test_a_bad_file_says_where_and_what(text: str, message: str):
    with pytest.raises(AgentError, match=r"review\.md") as error:
        parse("review", text, "review.md")

    assert message in str(error.value)


def test_an_unknown_agent_suggests_the_nearest():
    with pytest.raises(AgentError, match="did you mean build"):
        pick(built_in(), "biuld")


@pytest.mark.parametrize(
    ("front", "policy"),
    [
        ("mode: subagent", "none"),
        ("mode: primary", "own"),
        ("description: x", "own"),
        ("mode: subagent\ntodos: assigned", "assigned"),
        ("mode: subagent\ntodos: own", "own"),
    ],
)
def test_a_subagent_has_no_todo_tools_unless_its_file_says_so(front: str, policy: str):
    assert parse("review", f"---\n{front}\n---\nLook.", "review.md").todos == policy
