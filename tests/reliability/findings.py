"""Each way in that was found once stays closed: its tests are run again, and none may fail."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from pydantic import TypeAdapter

NAME = "findings of the security reviews"
RESULTS = Path(__file__).with_name("findings.json")
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Finding:
    """`tests` are modules, or functions as `module::name`, below `tests/`."""

    id: str
    attack: str
    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    passed: int = 0
    skipped: int = 0
    failed: int = 0


FINDINGS: tuple[Finding, ...] = (
    Finding(
        "F-1",
        "a clone whose tracked files, moved by `uniq` to `.git/commondir`, make `git status` run a program",
        (
            "agent/permissions/test_shapes.py::test_a_call_that_does_not_fit_exactly_is_asked",
            "agent/permissions/test_git.py::test_a_repository_of_unusual_layout_is_asked",
        ),
    ),
    Finding(
        "F-2",
        "readers that write: `uniq seed.txt +PWNED`, `xxd seed.txt +PWNED`, `uniq M*`",
        (
            "agent/permissions/test_shapes.py",
            "agent/permissions/test_shell_mutations.py",
        ),
    ),
    Finding(
        "F-3",
        "git settings that only git reads right: continued comments, headers on one line, submodules",
        (
            "agent/permissions/test_git.py",
            "agent/permissions/test_git_attacks.py",
        ),
    ),
    Finding(
        "F-4",
        "`./bwrap`, `./rg`, `./git` or `./bash` found through an empty or relative entry of `PATH`",
        (
            "agent/test_executables.py",
            "tui/test_hostile_path.py",
        ),
    ),
    Finding(
        "F-5",
        "a model name that holds an address, from a project, an import or a stored session",
        (
            "agent/models/test_choose.py::test_a_name_that_could_hold_an_address_is_refused",
            "agent/config/test_load.py::test_no_layer_may_put_an_address_into_the_name_of_a_model",
            "agent/config/test_load.py::test_models_of_a_project_wait_until_the_user_agreed_to_them",
            "agent/archive/test_wire.py::test_a_file_chooses_neither_model_nor_agent_and_raises_no_cap",
            "agent/test_opening.py::test_a_stored_session_with_an_address_for_a_model_is_not_opened_with_it",
            "tui/test_trust.py",
        ),
    ),
    Finding(
        "F-6",
        "`diff -N a b` and `ls -RL` follow links out of the workspace",
        ("agent/permissions/test_shapes.py::test_links_that_lead_outside_are_asked",),
    ),
    Finding(
        "F-7",
        "`git diff --no-index` and programs that walk print our own keys",
        (
            "agent/permissions/test_git.py::test_a_repository_around_our_own_files_does_not_print_them",
            "agent/permissions/test_git.py::test_a_comparison_outside_a_repository_does_not_print_our_own_files",
            "agent/permissions/test_shapes.py::test_a_walk_through_our_own_files_is_asked",
        ),
    ),
    Finding(
        "F-8",
        "provider keys read from `/proc/PID/environ` of Wakeful or its model host",
        ("agent/test_own_process.py",),
    ),
    Finding(
        "F-9",
        "a rule for `./test.sh` frees `cd evil && ./test.sh`",
        ("agent/permissions/test_shapes.py::test_a_rule_holds_only_in_the_folder_of_the_workspace",),
    ),
    Finding(
        "F-10",
        "a link swapped while the question about an outside path stood",
        (
            "agent/test_approvals.py::test_a_link_swapped_while_the_question_stood_leads_nowhere",
            "agent/test_approvals.py::test_a_folder_replaced_by_a_link_while_the_question_stood_leads_nowhere",
        ),
    ),
    Finding(
        "F-11",
        "edits that pass unasked in files which other programs execute or obey",
        (
            "agent/permissions/test_file_names.py",
            "agent/permissions/test_policy_paths.py::test_no_mode_edits_unasked_what_other_programs_obey",
        ),
    ),
    Finding(
        "F-12",
        "long outputs of one project read in another",
        ("agent/test_privacy.py::test_long_outputs_are_read_in_their_own_workspace_alone",),
    ),
    Finding(
        "F-13",
        "private addresses carried in `64:ff9b::/96`, `2002::/16` and their like",
        (
            "agent/permissions/test_policy_paths.py",
            "agent/tools/test_fetch.py",
        ),
    ),
    Finding(
        "F-14",
        "AGENTS.md of untrusted parents, or linked from outside",
        (
            "agent/test_opening.py::test_instructions_of_a_parent_count_only_where_it_is_trusted_too",
            "agent/test_opening.py::test_instructions_behind_a_link_out_of_the_folder_are_not_used",
        ),
    ),
    Finding(
        "F-15",
        "a wildcard rule frees programs that execute or write by option: `compgen -C`, `cc -oF`",
        (
            "agent/permissions/test_shapes.py::test_a_wildcard_frees_no_program_that_is_not_known",
            "agent/permissions/test_shapes.py::test_no_program_of_the_system_passes_unless_a_table_knows_it",
        ),
    ),
    Finding(
        "F-16",
        "an edit applied to content that changed after its diff was shown",
        ("agent/test_approvals.py::test_a_file_that_changed_after_it_was_asked_about_is_left_alone",),
    ),
    Finding(
        "F-17",
        "folders of ours with mode 0755",
        ("agent/test_privacy.py",),
    ),
    Finding(
        "F-18",
        "a `keys.toml` that others can read goes unnoticed",
        (
            "agent/test_privacy.py::test_what_others_can_read_is_named",
            "tui/test_trust.py::test_doctor_names_keys_that_others_can_read",
        ),
    ),
    Finding(
        "F-19",
        "secret files, and hard links to outside, read unasked",
        (
            "agent/permissions/test_policy_paths.py",
            "agent/permissions/test_shapes.py::test_secret_files_are_read_only_after_an_answer",
            "agent/tools/test_find.py",
        ),
    ),
    Finding(
        "F-20",
        "`config`, `doctor` and `permissions check` show settings of an untrusted folder as if they held",
        ("tui/test_trust.py::test_what_is_shown_of_a_folder_is_what_is_in_force_there",),
    ),
    Finding(
        "S-1",
        "`.git` moved aside or given a `commondir` inside the sandbox",
        (
            "agent/permissions/test_sandbox.py::test_nothing_gets_out",
            "agent/permissions/test_sandbox.py::test_git_commit_that_was_approved_writes_the_repository_and_nothing_else_does",
            "agent/permissions/test_git_writing.py",
        ),
    ),
    Finding(
        "S-2",
        "protected names that do not exist yet, made inside the sandbox",
        (
            "agent/permissions/test_sandbox.py::test_nothing_gets_out",
            "agent/permissions/test_sandbox.py::test_stand_ins_are_gone_when_the_last_command_has_ended",
        ),
    ),
    Finding(
        "S-3",
        "the home folder as workspace, all of it writable in mode `auto`",
        ("agent/permissions/test_sandbox.py::test_auto_mode_is_off_where_the_home_folder_would_be_writable",),
    ),
    Finding(
        "S-4",
        "`~/.ssh`, `~/.aws`, `~/.gnupg`, `/run` and Unix sockets reached from the sandbox",
        ("agent/permissions/test_sandbox.py::test_nothing_gets_out",),
    ),
)


def run(scale: float, seed: int) -> str:
    """Always whole: a test that is left out would show nothing."""
    del scale, seed
    counts = _counts(sorted({test for finding in FINDINGS for test in finding.tests}))
    outcomes = {finding.id: _outcome(finding, counts) for finding in FINDINGS}
    RESULTS.write_bytes(TypeAdapter(dict[str, Outcome]).dump_json(outcomes, indent=1) + b"\n")
    open_ones = [name for name, outcome in outcomes.items() if outcome.failed or not outcome.passed]
    assert not open_ones, f"open: {', '.join(open_ones)}"
    passed = sum(counts[status] for status in counts if status[1] == "passed")
    return f"{len(FINDINGS)} findings, {passed} tests passed, 0 failed"


def load(path: Path = RESULTS) -> dict[str, Outcome]:
    return TypeAdapter(dict[str, Outcome]).validate_json(path.read_bytes()) if path.exists() else {}


def _counts(tests: list[str]) -> Counter[tuple[str, str]]:
    """How often each test of each module passed, was skipped or failed."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-n",
            "auto",
            "-p",
            "no:cacheprovider",
            f"--junitxml={report}",
        ]
        done = subprocess.run(
            [*command, *(f"tests/{test}" for test in tests)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert report.exists(), done.stdout[-2000:]
        assert done.returncode in (0, 1), done.stdout[-2000:]
        cases = ET.parse(report).iter("testcase")
        return Counter((_name_of(case), _status_of(case)) for case in cases)


def _name_of(case: ET.Element) -> str:
    module = case.get("classname", "").removeprefix("tests.").replace(".", "/")
    return f"{module}.py::{case.get('name', '').partition('[')[0]}"


def _status_of(case: ET.Element) -> str:
    if case.find("skipped") is not None:
        return "skipped"
    return "failed" if case.find("failure") is not None or case.find("error") is not None else "passed"


def _outcome(finding: Finding, counts: Counter[tuple[str, str]]) -> Outcome:
    found: Counter[str] = Counter()
    for (name, status), count in counts.items():
        if any(name == test or name.startswith(f"{test}::") for test in finding.tests):
            found[status] += count
    return Outcome(found["passed"], found["skipped"], found["failed"])
