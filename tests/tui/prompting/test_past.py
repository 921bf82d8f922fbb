from tui.prompting.past import Past


def past(*texts: str) -> Past:
    made = Past()
    made.load(texts)
    return made


def test_what_was_being_written_comes_back_at_the_end():
    walked = past("first", "second")

    assert walked.earlier("dra") == "second"
    assert walked.earlier("second") == "first"
    assert walked.earlier("first") is None
    assert walked.later("first") == "second"
    assert walked.later("second") == "dra"
    assert walked.later("dra") is None


def test_a_changed_entry_is_found_changed_until_something_is_sent():
    walked = past("first", "second")
    walked.earlier("")
    walked.earlier("second, changed")

    assert walked.later("first") == "second, changed"
    walked.add("third")
    assert walked.earlier("") == "third"
    assert walked.earlier("third") == "second"


def test_the_same_twice_in_a_row_is_kept_once():
    walked = past("same")
    walked.add("same")
    walked.add("  ")

    assert list(walked.texts) == ["same"]


def test_a_blank_at_the_end_makes_no_other_prompt():
    walked = past("/permissions ", "/model")
    walked.add("/permissions ")
    walked.load(["/permissions", "/model", "/permissions"])

    assert list(walked.texts) == ["/permissions", "/model", "/permissions"]
