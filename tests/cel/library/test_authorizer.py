import pytest

from kubewright.cel.declarations import overloads as declared
from kubewright.cel.library.authorizer import OVERLOADS
from kubewright.cel.values import EvaluationError


@pytest.mark.parametrize("number", OVERLOADS)
def test_what_may_be_asked_is_declared_with_these_arguments(number: str) -> None:
    known = OVERLOADS[number]
    (found,) = [one for one in declared(known.function) or () if one.id == number]
    assert tuple(one.text for one in found.args) == known.kinds


def test_nobody_answers_yet() -> None:
    with pytest.raises(EvaluationError, match="no authorizer"):
        OVERLOADS["decision_allowed"].call(None)
