from agent.todos.filters import parse_filter
from tests.tui.plan.plans import todo
from tui.plan.rows import FINISHED, NEW, Folds, Group, Item, Plan


def ids(plan: Plan) -> list[int]:
    return [row.id for row in plan.rows]


def items(plan: Plan) -> list[Item]:
    return [item for item in map(plan.item, plan.rows) if item]


def test_what_is_finished_comes_last_below_a_line_of_its_own():
    plan = Plan([todo(2), todo(1, status="completed"), todo(3, status="cancelled")])

    assert ids(plan) == [2, FINISHED, 1, 3]
    assert plan.rows[1] == Group(completed=1, cancelled=1, folded=False)


def test_folding_hides_what_is_finished_but_not_how_much_it_is():
    plan = Plan([todo(2), todo(1, status="completed")], Folds(finished=True))

    assert ids(plan) == [2, FINISHED]
    assert plan.rows[1] == Group(completed=1, cancelled=0, folded=True)


def test_a_finished_parent_stays_above_its_open_subtask():
    plan = Plan([todo(3), todo(2, parent_id=1), todo(1, status="completed")])

    assert ids(plan) == [3, 1, 2]


def test_subtasks_stand_below_their_parent_and_are_counted_when_folded():
    todos = [todo(1), todo(2, parent_id=1), todo(3, parent_id=2), todo(4, parent_id=1), todo(5)]

    unfolded = Plan(todos)
    folded = Plan(todos, Folds(parents=frozenset({1})))

    assert [(item.id, item.level) for item in items(unfolded)] == [(1, 0), (2, 1), (3, 2), (4, 1), (5, 0)]
    assert [(item.id, item.parent, item.hidden) for item in items(folded)] == [(1, True, 3), (5, False, 0)]


def test_an_open_subtask_counts_even_while_it_is_folded_away():
    todos = [todo(2, parent_id=1), todo(1, status="completed")]

    assert ids(Plan(todos, Folds(parents=frozenset({1})))) == [1]


def test_what_is_folded_below_a_finished_one_still_counts():
    todos = [todo(1, status="completed"), todo(2, parent_id=1, status="completed")]

    plan = Plan(todos, Folds(parents=frozenset({1})))

    assert plan.rows[0] == Group(completed=2, cancelled=0, folded=False, gap=False)
    assert ids(plan) == [FINISHED, 1]


def test_what_is_finished_below_an_open_parent_is_counted_with_the_rest():
    todos = [todo(1), todo(2, parent_id=1, status="completed"), todo(3, status="cancelled")]

    for folds in (Folds(), Folds(parents=frozenset({1}))):
        assert Group(completed=1, cancelled=1, folded=False) in Plan(todos, folds).rows


def test_only_dependencies_that_are_still_open_are_waited_for():
    plan = Plan([todo(3, depends_on=(1, 2, 99)), todo(2), todo(1, status="completed")])

    assert [item.waits for item in items(plan)] == [(2,), (), ()]


def test_a_filter_narrows_the_rows_and_still_knows_what_is_waited_for():
    todos = [todo(1), todo(2, priority="high", depends_on=(1,)), todo(3, status="completed")]

    plan = Plan(todos, shown=parse_filter("high").select(todos))

    assert items(plan) == [Item(todos[1], 0, (1,))]


def test_a_new_todo_is_typed_behind_what_is_pending():
    todos = [todo(1), todo(2, parent_id=1), todo(3, status="blocked"), todo(4, status="completed")]

    plan = Plan(todos, blank=True)
    empty = Plan(blank=True)

    assert ids(plan) == [1, 2, NEW, 3, FINISHED, 4]
    assert (plan.place(NEW), plan.place(3)) == (2, 3)
    assert ids(empty) == [NEW]


def test_a_todo_changes_places_only_with_its_like():
    second, fourth = todo(2), todo(4, parent_id=2)
    plan = Plan([todo(1, status="in_progress"), second, fourth, todo(3), todo(5, parent_id=2)])

    above, below, beyond = plan.beside(second, -1), plan.beside(second, 1), plan.beside(fourth, 1)

    assert above is None
    assert below
    assert below.id == 3
    assert beyond
    assert beyond.id == 5


def test_a_row_that_is_not_there_has_no_place():
    plan = Plan([todo(1)])

    assert plan.place(2) is None
    assert plan.place(None) is None
