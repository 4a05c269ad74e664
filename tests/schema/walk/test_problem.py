from kubewright.schema.walk.problem import Outcome, composite, invalid, missing


def test_the_dot_of_the_root_is_no_part_of_the_field() -> None:
    assert missing(".a").at("").field == "a"
    assert missing(".a").at("status").field == "status.a"


def test_a_problem_of_the_whole_is_at_the_base() -> None:
    assert composite("x").at("").field == "<nil>"
    assert composite("x").at("status").field == "status"


def test_problems_with_the_same_text_are_one() -> None:
    outcome = Outcome()
    for value in (1, 2):
        outcome.add(invalid("a", value, "same"))
    assert [problem.error.message for problem in outcome.problems.values()] == ["Invalid value: 1: same"]
