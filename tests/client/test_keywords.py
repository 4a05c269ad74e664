"""What nobody knows is refused, with what may have been meant."""

import pytest

from kubewright.client.keywords import KeywordError, check_keywords


def test_what_is_known_passes() -> None:
    check_keywords({"dry_run": True}, ("dry_run", "force"), "a write")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("dryrun", "a write has no option 'dryrun'; did you mean 'dry_run'?"),
        ("xyz", "a write has no option 'xyz'; it knows dry_run, force."),
    ],
)
def test_what_nobody_knows_is_named_with_what_may_have_been_meant(given: str, message: str) -> None:
    with pytest.raises(KeywordError) as raised:
        check_keywords([given], ("dry_run", "force"), "a write")
    assert str(raised.value) == message
    assert isinstance(raised.value, TypeError), "as Python's own refusal is"
