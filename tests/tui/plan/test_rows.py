from agent.todos.filters import parse_filter
from tests.tui.plan.plans import todo
from tui.plan.rows import FINISHED, NEW, Folds, Group, Item, Row, arrange, beside, index_of, with_blank


def keys(rows: list[Row]) -> list[int]:
    return [row.key for row in rows]


def test_what_is_finished_comes_last_below_a_line_of_its_own():
    rows = arrange([todo(2), todo(1, status="completed"), todo(3, status="cancelled")])

    assert keys(rows) == [2, FINISHED, 1, 3]
    assert rows[1] == Group(completed=1, cancelled=1, folded=False)


def test_folding_hides_what_is_finished_but_not_how_much_it_is():
    rows = arrange([todo(2), todo(1, status="completed")], Folds(finished=True))

    assert keys(rows) == [2, FINISHED]
    assert rows[1] == Group(completed=1, cancelled=0, folded=True)


def test_a_finished_parent_stays_above_its_open_subtask():
    rows = arrange([todo(3), todo(2, parent_id=1), todo(1, status="completed")])

    assert keys(rows) == [3, 1, 2]


def test_subtasks_stand_below_their_parent_and_are_counted_when_folded():
    todos = [todo(1), todo(2, parent_id=1), todo(3, parent_id=2), todo(4, parent_id=1), todo(5)]

    unfolded = arrange(todos)
    folded = arrange(todos, Folds(parents=frozenset({1})))

    assert [(row.key, row.level) for row in unfolded if isinstance(row, Item)] == [
        (1, 0), (2, 1), (3, 2), (4, 1), (5, 0),
    ]  # fmt: skip
    assert keys(folded) == [1, 5]
    assert isinstance(folded[0], Item)
    assert (folded[0].parent, folded[0].hidden) == (True, 3)


def test_only_dependencies_that_are_still_open_are_waited_for():
    rows = arrange([todo(3, depends_on=(1, 2, 99)), todo(2), todo(1, status="completed")])

    assert isinstance(rows[0], Item)
    assert rows[0].waits == (2,)


def test_a_filter_narrows_the_rows_and_still_knows_what_is_waited_for():
    todos = [todo(1), todo(2, priority="high", depends_on=(1,)), todo(3, status="completed")]

    rows = arrange(todos, shown=parse_filter("high").select(todos))

    assert [row for row in rows if isinstance(row, Item)] == [Item(todos[1], 0, (1,))]


def test_a_new_todo_is_typed_behind_what_is_pending():
    rows = arrange([todo(1), todo(2, parent_id=1), todo(3, status="blocked"), todo(4, status="completed")])

    assert keys(with_blank(rows)) == [1, 2, NEW, 3, FINISHED, 4]
    assert keys(with_blank([])) == [NEW]


def test_a_todo_changes_places_only_with_its_like():
    rows = arrange(
        [todo(1, status="in_progress"), todo(2), todo(4, parent_id=2), todo(3), todo(5, parent_id=2)]
    )
    second, fourth = rows[1], rows[2]
    assert isinstance(second, Item)
    assert isinstance(fourth, Item)

    above, below, beyond = beside(rows, second, -1), beside(rows, second, 1), beside(rows, fourth, 1)

    assert above is None
    assert below is not None
    assert below.id == 3
    assert beyond is not None
    assert beyond.id == 5


def test_a_row_that_is_not_there_has_no_place():
    assert index_of(arrange([todo(1)]), 2) is None
    assert index_of([], None) is None
