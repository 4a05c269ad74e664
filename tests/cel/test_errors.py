from kubewright.cel.errors import ExpressionError, Issue, Missing, Unplaced, render


def test_an_issue_shows_its_line_with_a_caret_below() -> None:
    assert render([Issue(4, "undefined field 'zz'")], "self.zz") == (
        "ERROR: <input>:1:5: undefined field 'zz'\n | self.zz\n | ....^"
    )


def test_issues_come_in_the_order_of_their_places() -> None:
    shown = render([Issue(6, "third"), Issue(0, "first"), Issue(4, "second"), Issue(4, "as told")], "a +\nb c")
    assert [line for line in shown.splitlines() if line.startswith("ERROR")] == [
        "ERROR: <input>:1:1: first",
        "ERROR: <input>:2:1: second",
        "ERROR: <input>:2:1: as told",
        "ERROR: <input>:2:3: third",
    ]


def test_only_the_line_of_the_issue_is_shown() -> None:
    assert render([Issue(5, "x")], "one\ntwo\nthree").splitlines()[1:] == [" | two", " | .^"]


def test_a_carriage_return_ends_no_line() -> None:
    assert render([Issue(2, "x")], "a\rb\n").startswith("ERROR: <input>:1:3: x\n | a\rb\n")


def test_a_tab_is_shown_as_one_space() -> None:
    assert render([Issue(1, "x")], "\ta").splitlines()[1:] == [" |  a", " | .^"]


def test_wide_characters_have_wide_marks() -> None:
    assert render([Issue(3, "x")], "'世' y").splitlines()[2] == " | .\uff0e.^"
    assert render([Issue(1, "x")], "'世'").splitlines()[2] == " | .\uff3e"


def test_combining_characters_have_a_mark_each() -> None:
    assert render([Issue(3, "x")], "'e\u0301' y").splitlines()[2] == " | ..\uff0e^"


def test_behind_the_last_character_stands_a_caret_too() -> None:
    assert render([Issue(1, "x")], "a").splitlines()[2] == " | .^"


def test_an_issue_without_a_place_shows_no_line() -> None:
    assert render([Issue(Unplaced, "too deep")], "a") == "ERROR: <input>:-1:0: too deep"


def test_an_empty_text_is_not_shown() -> None:
    assert render([Issue(0, "x")], "") == "ERROR: <input>:1:1: x"


def test_a_very_long_line_is_not_shown() -> None:
    assert "\n" in render([Issue(0, "x")], "a" * 16384)
    assert "\n" not in render([Issue(0, "x")], "a" * 16385)
    assert "\n" not in render([Issue(0, "x")], "世" * 5462)


def test_after_a_hundred_issues_the_rest_are_counted() -> None:
    lines = render([Issue(Unplaced, "x")] * 103, "a").splitlines()
    assert len(lines) == 101
    assert lines[-1] == "3 more errors were truncated"


def test_an_error_carries_its_issues_and_reads_as_they_are_shown() -> None:
    error = ExpressionError([Issue(0, "x")], "a")
    assert error.issues == (Issue(0, "x"),)
    assert str(error) == render(error.issues, "a")


def test_what_is_missing_is_shown_before_the_text() -> None:
    assert render([Issue(Missing, "x")], "ab") == "ERROR: <input>:1:0: x\n | ab\n | ^"
