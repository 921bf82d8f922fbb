from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent.plans import added, digest, extract, paths
from agent.todos.drafts import Draft
from agent.todos.rules import check_text, check_title


def outline(steps: Sequence[Draft], level: int = 0) -> Iterator[str]:
    for step in steps:
        yield "  " * level + step.title
        yield from outline(step.subtasks, level + 1)


def steps(text: str) -> list[str]:
    return list(outline(extract(textwrap.dedent(text)).steps))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. one\n2. two", ["one", "two"]),
        ("- one\n- two", ["one", "two"]),
        ("* one\n\n+ two\n\n3) three", ["one", "two", "three"]),
        ("- one\n  - below\n    1. deeper\n- two", ["one", "  below", "    deeper", "two"]),
        ("## Step 1: Model\n- field\n## Step 2 - Login\ntext", ["Model", "  field", "Login"]),
        ("## 1. Model\n### 1.1 Field\n## 2) Login", ["Model", "  Field", "Login"]),
        ("# Auth\n## Phase 1: Base\n1. a\n## Phase II\n1. b", ["Phase 1: Base", "  a", "Phase II", "  b"]),
        ("## Implementation\n### Model\n### Login\n- form", ["Model", "Login", "  form"]),
        ("- - one", ["one"]),
        ("-\n- [ ]\n- :\n- one:", [":", "one"]),
    ],
)
def test_steps_are_list_items_and_step_headings_with_what_is_below_them(text: str, expected: list[str]):
    assert steps(text) == expected


def test_a_section_named_for_its_steps_is_the_only_one_read():
    text = """
        # Implementation plan
        - a remark
        ## Files
        - models.py
        ## 2. Implementation steps:
        1. Create the model
        ## Testing
        - run them
        """

    assert steps(text) == ["Create the model"]


def test_asides_are_left_out_unless_there_is_nothing_else():
    aside = "## Risks and open questions\n- it may break\n"

    assert steps(f"{aside}## 1. Context\n- old code\n## Work\n- build it") == ["build it"]
    assert steps(aside) == ["it may break"]
    assert [step.notes for step in extract("## Step 1\n### Notes\nwords").steps] == [None]


def test_a_step_heading_is_a_step_even_when_it_is_called_like_an_aside():
    assert steps("## Step 1: Notes\n- storage\n## Step 2: Plan") == ["Notes", "  storage", "Plan"]


def test_code_and_quotations_are_not_read():
    text = """
        - one
          ```
          - not this
          ```
        ~~~
        1. nor this
        ~~~
        > - nor that

            - nor indented code
        """

    assert steps(text) == ["one"]


def test_a_text_without_a_list_has_no_steps():
    assert extract("# Thoughts\n\nFirst we build it, then we ship it.\n").steps == ()
    assert extract("").steps == ()


def test_titles_lose_the_marks_of_style_and_span_wrapped_lines():
    text = "1. **Create** the _User_ model in\n   [models](x.md) with `id: int` and <name> \\* a"

    assert steps(text) == ["Create the User model in models with `id: int` and <name> * a"]


def test_task_marks_become_statuses():
    found = extract("- [ ] open\n- [x] done\n- [X] Done\n- [~] dropped\n- [!] waiting\n- [y] odd").steps

    assert [(step.title, step.status) for step in found] == [
        ("open", "pending"),
        ("done", "completed"),
        ("Done", "completed"),
        ("dropped", "cancelled"),
        ("waiting", "blocked"),
        ("[y] odd", "pending"),
    ]
    assert found[4].blocked_reason


def test_further_paragraphs_become_notes():
    found = extract("1. one\n\n   why it\n   matters\n\n## Step 2\nfirst\n\nsecond").steps

    assert [(step.title, step.notes) for step in found] == [
        ("one", "why it matters"),
        ("Step 2", "first\nsecond"),
    ]


def test_a_long_title_is_cut_at_a_word_with_the_rest_in_the_notes():
    words = " ".join(["word"] * 60)

    (step,) = extract(f"- {words}\n\n  more").steps

    assert len(step.title) <= 200
    assert step.title.endswith("word…")
    assert step.notes is not None
    rest, more = step.notes.splitlines()
    assert f"{step.title.removesuffix('…')} {rest.removeprefix('…')}" == words
    assert more == "more"


def test_a_long_title_without_words_is_cut_all_the_same():
    (step,) = extract("- " + "x" * 450).steps

    assert (step.title, step.notes) == ("x" * 199 + "…", "…" + "x" * 251)


def test_a_level_holds_25_steps_and_the_rest_is_counted():
    rows = [f"- step {number}\n  - below {number}" for number in range(30)]

    found = extract("\n".join(rows))

    assert len(found.steps) == 25
    assert found.left_out == 10


def test_what_is_nested_too_deep_stays_in_the_notes():
    rows = ["  " * level + f"- level {level}" for level in range(7)]

    found = list(outline(extract("\n".join(rows)).steps))

    assert found == ["  " * level + f"level {level}" for level in range(5)]
    step = extract("\n".join(rows)).steps[0]
    while step.subtasks:
        step = step.subtasks[0]
    assert step.notes == "- level 5\n  - level 6"


def test_only_new_steps_are_added_below_the_ones_that_are_known():
    before = extract("- one\n  - a\n- two").steps
    after = extract("- zero\n- one\n  - a\n  - b\n    - c\n- two").steps

    new = list(added(after, frozenset(paths(before))))

    assert [(path, list(outline([step]))) for path, step in new] == [
        ((), ["zero"]),
        (("one",), ["b", "  c"]),
    ]
    assert list(added(after, frozenset(paths(after)))) == []


def test_the_digest_tells_texts_apart_but_not_their_ends_of_line():
    assert digest("- a\r\n- b  \r\n") == digest("- a\n- b")
    assert digest("- a\n- b") != digest("- a\n  - b")


MARKDOWN = st.lists(
    st.one_of(
        st.text(max_size=20),
        st.sampled_from(
            [
                "- ",
                "  ",
                "    ",
                "1. ",
                "2) ",
                "* [x] ",
                "- [~] ",
                "# ",
                "## Step 1: ",
                "## Steps",
                "> ",
                "```",
            ]
        ),
        st.sampled_from(
            ["\n", "\n\n", "**", "`", "[a](b)", "<br>", "\\", "\u2028", "\x00", "\x1b[31m", "word " * 60]
        ),
    ),
    max_size=60,
).map("".join)


def check(found: Sequence[Draft], depth: int = 0) -> None:
    assert len(found) <= 25
    for step in found:
        assert depth <= 4
        assert check_title(step.title) == step.title
        check_text("notes", step.notes or "")
        check(step.subtasks, depth + 1)


@given(st.one_of(st.text(), MARKDOWN))
@example("- " * 100 + "a")
@example("\ud800- a\n- \udfff")
@example("- " + "[" * 3000)
def test_any_text_gives_steps_within_bounds_and_always_the_same(text: str):
    found = extract(text)

    check(found.steps)
    assert extract(text) == found
    assert list(added(found.steps, frozenset(paths(found.steps)))) == []


TITLES = st.text("abcdefgh äß", min_size=1, max_size=30).map(lambda text: "x" + " ".join(text.split()))
TREES = st.recursive(
    st.builds(Draft, TITLES, status=st.sampled_from(["pending", "completed", "cancelled"])),
    lambda below: st.builds(Draft, TITLES, subtasks=st.lists(below, max_size=4).map(tuple)),
    max_leaves=20,
)


def rendered(found: Sequence[Draft], level: int = 0) -> Iterator[str]:
    marks = {"pending": " ", "completed": "x", "cancelled": "~"}
    for number, step in enumerate(found, 1):
        lead = f"{number}. " if level % 2 else "- "
        yield "   " * level + f"{lead}[{marks[step.status]}] {step.title}"
        yield from rendered(step.subtasks, level + 1)


def height(step: Draft) -> int:
    return 1 + max(map(height, step.subtasks), default=0)


@given(st.lists(TREES.filter(lambda step: height(step) <= 5), max_size=25))
def test_a_tree_written_as_lists_is_read_back_as_it_was(tree: list[Draft]):
    assert extract("\n".join(rendered(tree))).steps == tuple(tree)


def test_importing_the_plans_does_not_load_the_parser():
    code = "import sys, agent.plans; print('markdown_it' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)

    assert done.stdout == "False\n"
