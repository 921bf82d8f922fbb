from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from agent.config.errors import ConfigError
from agent.config.load import Loaded, load, values
from agent.config.models import Config
from agent.paths import Paths


class Home:
    """A home and a project on disk, and what comes out when they are loaded."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.project = root / "project"
        (self.project / ".wakeful").mkdir(parents=True)
        (root / "home").mkdir()

    def user_file(self, text: str) -> None:
        (self.root / "home" / "config.toml").write_text(text)

    def project_file(self, text: str) -> None:
        (self.project / ".wakeful" / "config.toml").write_text(text)

    def load(
        self,
        assignments: Sequence[str] = (),
        *,
        trusted: bool = True,
        agreed: Sequence[str] = (),
        **variables: str,
    ) -> Loaded:
        environment = {"HOME": str(self.root), "WAKEFUL_HOME": str(self.root / "home"), **variables}
        return load(
            Paths.from_environment(environment),
            environment,
            project=self.project,
            trusted=trusted,
            agreed=frozenset(agreed),
            assignments=assignments,
        )

    def problems(self, assignments: Sequence[str] = (), **variables: str) -> list[str]:
        with pytest.raises(ConfigError) as caught:
            self.load(assignments, trusted=True, **variables)
        return [str(problem) for problem in caught.value.problems]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_without_any_layer_everything_is_the_documented_default(home: Home) -> None:
    loaded = home.load()

    config = loaded.config
    assert config == Config()
    assert (config.wake.max_cycles, config.wake.max_minutes, config.wake.max_tokens) == (25, 60, 2_000_000)
    assert (config.wake.stagnation, config.wake.countdown, config.wake.workspace) == (3, 2, False)
    assert (config.todos.dialect, config.todos.context) == ("standard", "on-change")
    assert (config.budget.max_cost, config.permissions.mode, config.permissions.rules) == (None, "ask", ())
    assert (config.cleanup.stale_days, config.cleanup.inactive_days, config.agent.max_steps) == (30, 7, 100)
    assert {origin for _, _, origin in values(loaded)} == {"default"}


def test_each_layer_covers_the_one_before_and_the_origin_tells_which(home: Home) -> None:
    home.user_file("[wake]\nmax_cycles = 1\nmax_minutes = 1\nmax_tokens = 1\nstagnation = 1\n")
    home.project_file("wake.max_minutes = 2\nwake.max_tokens = 2\nwake.stagnation = 2\n")

    loaded = home.load(["wake.stagnation=4"], WAKEFUL_WAKE_MAX_TOKENS="3", WAKEFUL_WAKE_STAGNATION="3")

    wake = loaded.config.wake
    assert (wake.max_cycles, wake.max_minutes, wake.max_tokens, wake.stagnation) == (1, 2, 3, 4)
    assert {key[1]: origin for key, _, origin in values(loaded) if key[0] == "wake"} == {
        "max_cycles": "~/home/config.toml:2",
        "max_minutes": "~/project/.wakeful/config.toml:1",
        "max_tokens": "env WAKEFUL_WAKE_MAX_TOKENS",
        "stagnation": "--set",
        "countdown": "default",
        "workspace": "default",
    }


def test_an_untrusted_project_is_not_read_and_said_so(home: Home) -> None:
    home.project_file("this is not even TOML")

    loaded = home.load(trusted=False)

    assert loaded.config == Config()
    assert loaded.notices == (
        "~/project/.wakeful/config.toml is not read: this folder is not trusted; see wakeful trust",
    )


def test_endpoints_keys_modes_money_and_allow_rules_never_come_from_a_project(home: Home) -> None:
    home.project_file(
        "[permissions]\nmode = 'auto'\nrules = [\n'deny shell rm *',\n'allow shell *',\n'shell ls',\n]\n"
        "[providers.evil]\nbase_url = 'http://evil'\nkey_env = 'OPENAI_API_KEY'\n[budget]\nmax_cost = 9.0\n"
    )

    loaded = home.load()

    assert loaded.config.permissions.mode == "ask"
    assert loaded.config.permissions.rules == ("deny shell rm *",)
    assert loaded.config.providers == {}
    assert loaded.config.budget.max_cost is None
    file = "~/project/.wakeful/config.toml"
    assert loaded.notices == (
        f"{file}:2: permissions.mode is ignored: a project may not set it",
        f"{file}:5: 'allow shell *' is ignored: a project may not allow",
        f"{file}:6: 'shell ls' is ignored: a project may not allow",
        f"{file}:9: providers.evil.base_url is ignored: a project may not set it",
        f"{file}:10: providers.evil.key_env is ignored: a project may not set it",
        f"{file}:12: budget.max_cost is ignored: a project may not set it",
    )


def test_rules_of_all_layers_add_up(home: Home) -> None:
    home.user_file("permissions.rules = ['deny shell rm *']\n")
    home.project_file("permissions.rules = ['ask edit docs/**']\n")

    loaded = home.load(['permissions.rules=["shell ls"]'])

    assert loaded.config.permissions.rules == ("deny shell rm *", "ask edit docs/**", "shell ls")
    assert loaded.origin(("permissions", "rules")) == (
        "~/home/config.toml:1 + ~/project/.wakeful/config.toml:1 + --set"
    )


@pytest.mark.parametrize(
    ("raw", "rules"),
    [
        ("shell git log*", ("shell git log*",)),
        ('"shell git log*"', ("shell git log*",)),
        ('["shell ls", "deny edit *"]', ("shell ls", "deny edit *")),
        ("", ()),
        ("[]", ()),
    ],
)
def test_bare_text_is_a_list_of_one(home: Home, raw: str, rules: tuple[str, ...]) -> None:
    assert home.load([f"permissions.rules={raw}"]).config.permissions.rules == rules


def test_what_begins_as_a_list_and_is_none_is_no_item(home: Home) -> None:
    assert home.problems(['permissions.rules=["shell ls"']) == [
        """--set: bad value for permissions.rules: should be a list: ["…", "…"], not '["shell ls"'"""
    ]


def test_an_item_by_itself_is_checked_as_one(home: Home) -> None:
    (problem,) = home.problems(["permissions.rules=ls"])

    assert "should be TOOL PATTERN" in problem


MODELS = """\
[model]
default = "openai/dear"
small = "openai/small"
transport = "litellm"
[agents.plan]
model = "openai/plan"
"""
WISHES = (
    "model.default = openai/dear",
    "model.small = openai/small",
    "model.transport = litellm",
    "agents.plan.model = openai/plan",
)


def test_models_of_a_project_wait_until_the_user_agreed_to_them(home: Home) -> None:
    home.user_file("model.default = 'ollama/mine'\n")
    home.project_file(MODELS)

    loaded = home.load()

    assert loaded.config.model.default == "ollama/mine"
    assert (loaded.config.model.small, loaded.config.model.transport) == (None, "auto")
    assert loaded.config.agents == {}
    assert loaded.wishes == WISHES
    assert loaded.notices[0] == (
        "~/project/.wakeful/config.toml:2: model.default = openai/dear is not used until you agree:"
        " /trust models, or `wakeful trust --models`"
    )


def test_agreement_holds_for_the_very_value(home: Home) -> None:
    home.project_file(MODELS)

    loaded = home.load(agreed=[WISHES[0], "model.small = openai/other", WISHES[3]])

    assert loaded.config.model.default == "openai/dear"
    assert loaded.config.agents["plan"].model == "openai/plan"
    assert loaded.wishes == (WISHES[1], WISHES[2])


@pytest.mark.parametrize("layer", ["user", "project", "flag", "environment"])
def test_no_layer_may_put_an_address_into_the_name_of_a_model(home: Home, layer: str) -> None:
    name = "oobabooga/http://evil.example"
    files = {"user": home.user_file, "project": home.project_file}
    if layer in files:
        files[layer](f"model.default = '{name}'\n")
    flags = [f"model.default={name}"] if layer == "flag" else []
    variables = {"WAKEFUL_MODEL_DEFAULT": name} if layer == "environment" else {}

    (problem,) = home.problems(flags, **variables)

    assert "bad value for model.default: should be PROVIDER/NAME" in problem


def test_settings_behind_a_link_out_of_the_project_are_not_read(home: Home) -> None:
    (home.root / "elsewhere.toml").write_text("ui.theme = 'other'\n")
    (home.project / ".wakeful" / "config.toml").symlink_to(home.root / "elsewhere.toml")

    loaded = home.load()

    assert loaded.config.ui.theme == "wakeful"
    assert "a link out of the folder" in loaded.notices[0]


def test_a_project_that_is_the_users_own_folder_is_read_once(tmp_path: Path) -> None:
    environment = {"HOME": str(tmp_path), "WAKEFUL_HOME": str(tmp_path / ".wakeful")}
    paths = Paths.from_environment(environment)
    paths.config.parent.mkdir()
    paths.config.write_text("permissions.mode = 'auto'\n")

    loaded = load(paths, environment, project=tmp_path, trusted=False)

    assert (loaded.config.permissions.mode, loaded.notices) == ("auto", ())


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[todos]\n\ndialct = 'skills'", "3: unknown key todos.dialct; did you mean todos.dialect?"),
        ("\ndialect = 'skills'", "2: unknown key dialect; did you mean todos.dialect?"),
        ("[tods]\na = 1\nb = 2", "1: unknown key tods; did you mean todos?"),
        ("[xyzzy]\na = 1", "1: unknown key xyzzy; wakeful config lists all keys"),
        (
            "wake.max_cycles.x = 1",
            "1: bad value for wake.max_cycles: should be a valid integer, not {'x': 1}",
        ),
        ("\nfoo.bar = 1", "2: unknown key foo; wakeful config lists all keys"),
        ("wake = 3", "1: wake is a group of settings, not a value; set wake.… instead"),
        (
            "[providers.x]\nbase_ur = ''",
            "2: unknown key providers.x.base_ur; did you mean providers.x.base_url?",
        ),
        (
            "[wake]\nmax_cycles = '25'",
            "2: bad value for wake.max_cycles: should be a valid integer, not '25'",
        ),
        ("wake.max_cycles = true", "1: bad value for wake.max_cycles: should be a valid integer, not True"),
        (
            "wake.max_cycles = -1",
            "1: bad value for wake.max_cycles: should be greater than or equal to 0, not -1",
        ),
        (
            "ui = { glyphs = 'emoji' }",
            "1: bad value for ui.glyphs: should be 'auto', 'unicode' or 'ascii', not 'emoji'",
        ),
        (
            "[permissions]\nrules = [\n'ask shell *',\n'shell',\n]",
            (
                "4: bad value for permissions.rules: "
                "should be TOOL PATTERN, with allow, ask or deny before it, not 'shell'"
            ),
        ),
        (
            "permissions.rules = 'shell ls'",
            """1: bad value for permissions.rules: should be a list: ["…", "…"], not 'shell ls'""",
        ),
        ("[todos]\ndialect = \n", "2: not TOML: invalid value"),
        ("a = 'x", '1: not TOML: expected "\'"'),
        ("budget.max_cost = inf", "1: bad value for budget.max_cost: should be a finite number, not inf"),
    ],
)
def test_a_mistake_in_a_file_names_line_and_remedy(home: Home, text: str, problem: str) -> None:
    home.user_file(text)

    assert home.problems() == [f"~/home/config.toml:{problem}"]


def test_a_key_pasted_where_its_variable_belongs_is_not_repeated(home: Home) -> None:
    home.user_file("providers.x.key_env = 'sk-canary-1234'\n")

    (problem,) = home.problems()

    assert "canary" not in problem
    assert "should be the name of a variable, not the key itself" in problem


def test_all_problems_of_all_layers_are_told_at_once(home: Home) -> None:
    home.user_file("wake.max_cycles = 'x'\nnonsense = 1\n")
    home.project_file("ui.instant = 'x'\n")

    problems = home.problems(["wake.stagnation=0", "ui.theme"], WAKEFUL_TODOS_DIALECT="x")

    assert [problem.partition(": ")[0] for problem in problems] == [
        "~/home/config.toml:2",
        "--set",
        "~/home/config.toml:1",
        "~/project/.wakeful/config.toml:1",
        "env WAKEFUL_TODOS_DIALECT",
        "--set",
    ]


def test_a_file_that_is_no_text_or_no_file_is_a_problem(home: Home) -> None:
    (home.root / "home" / "config.toml").write_bytes(b"\xff\xfe")
    (home.project / ".wakeful" / "config.toml").mkdir()

    assert home.problems() == [
        "~/home/config.toml: is not UTF-8 text",
        "~/project/.wakeful/config.toml: cannot be read: Is a directory",
    ]


@pytest.mark.parametrize(
    ("assignment", "key", "value"),
    [
        ("todos.dialect=skills", ("todos", "dialect"), "skills"),
        ('todos.dialect="skills"', ("todos", "dialect"), "skills"),
        ("model.default=123", ("model", "default"), "123"),
        ("ui.theme=a/b=c", ("ui", "theme"), "a/b=c"),
        ("model.default=2024-01-01", ("model", "default"), "2024-01-01"),
        ("model.default=none", ("model", "default"), None),
        ("wake.max_tokens=1_000", ("wake", "max_tokens"), 1000),
        ("wake.countdown=0.5", ("wake", "countdown"), 0.5),
        ("ui.instant=false", ("ui", "instant"), False),
        ("ui.instant=0", ("ui", "instant"), False),
        ("ui.instant=yes", ("ui", "instant"), True),
        ("providers.my-box.models=['a']", ("providers", "my-box", "models"), ("a",)),
        ('todos.dialects."ollama/*"=writ', ("todos", "dialects", "ollama/*"), "writ"),
    ],
)
def test_a_flag_takes_a_toml_value_or_bare_text(
    home: Home, assignment: str, key: tuple[str, ...], value: object
) -> None:
    loaded = home.load([assignment])

    assert (key, value, "--set") in list(values(loaded))


def test_a_flag_below_a_value_is_pointed_to_the_value(home: Home) -> None:
    assert home.problems(["wake.max_cycles.x=1"]) == [
        "--set: unknown key wake.max_cycles.x; did you mean wake.max_cycles?"
    ]


def test_variables_of_named_groups_find_their_name(home: Home) -> None:
    loaded = home.load(WAKEFUL_PROVIDERS_MY_BOX_BASE_URL="http://localhost:1/v1")

    assert loaded.config.providers["my_box"].base_url == "http://localhost:1/v1"


def test_an_unknown_variable_is_a_notice_with_the_nearest(home: Home) -> None:
    loaded = home.load(WAKEFUL_TODO_DIALECT="skills", WAKEFUL_UI_THEME="", WAKEFUL_INSTANT="0")

    assert loaded.notices == (
        "env WAKEFUL_TODO_DIALECT: no such setting; did you mean WAKEFUL_TODOS_DIALECT?",
    )


def test_a_value_cannot_smuggle_in_a_second_one(home: Home) -> None:
    loaded = home.load(["ui.theme='a'\npermissions.mode = 'auto'"])

    assert loaded.config.permissions.mode == "ask"
    assert loaded.config.ui.theme.startswith("'a'")


@pytest.mark.parametrize("assignment", ["=x", "..=1", "a b=1", "[b]\n[c]\nd=1", "[]=1", "wake.=1", '"=1'])
def test_a_flag_that_makes_no_sense_is_a_problem_and_no_crash(home: Home, assignment: str) -> None:
    (problem,) = home.problems([assignment])

    assert problem.startswith("--set: unknown key ")


@pytest.mark.parametrize("value", ["5", '""', "[5]", "{ a = 1 }"])
def test_a_key_that_cannot_be_read_is_a_notice_and_stops_nothing(home: Home, value: str) -> None:
    home.user_file(f'[keys]\nplan = "f2"\nnewline = {value}\n')

    loaded = home.load()

    assert loaded.config.keys == {"plan": ("f2",)}
    assert len(loaded.notices) == 1
    assert "config.toml:3: " in loaded.notices[0]
    assert "keys.newline" in loaded.notices[0]
