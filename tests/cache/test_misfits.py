"""What does not fit its type is told, once each."""

import msgspec
import pytest
from tests.cache.server import THINGS

from kubewright.cache import Cached, Key
from kubewright.cache.header import Header
from kubewright.cache.misfits import Misfits


def thing(misfits: Misfits, name: str) -> Cached:
    return Header(misfits).read(msgspec.json.encode({"metadata": {"name": name, "resourceVersion": "1"}}))


def test_an_object_is_told_of_once_and_again_when_it_fails_to_fit_otherwise(caplog: pytest.LogCaptureFixture) -> None:
    misfits = Misfits(THINGS)
    bad = thing(misfits, "bad")
    for _ in range(2):
        assert misfits.misfit(bad, "spec: no") == "Thing bad does not fit its type: spec: no."
    misfits.misfit(bad, "status: no", "It is left alone.")
    assert caplog.messages == [
        "Thing bad does not fit its type: spec: no. What does not fit is read as it is.",
        "Thing bad does not fit its type: status: no. It is left alone.",
    ]
    assert misfits == {Key("", "bad"): "Thing bad does not fit its type: status: no."}


def test_not_all_are_remembered_where_nothing_fits() -> None:
    misfits = Misfits(THINGS)
    for number in range(300):
        misfits.misfit(thing(misfits, f"t{number}"), "spec: no")
    assert len(misfits) == 100
