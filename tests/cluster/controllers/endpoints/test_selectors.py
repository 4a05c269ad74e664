"""Services are found by the labels they select."""

from hypothesis import given
from hypothesis import strategies as st

from kubewright.cache import Key
from kubewright.cluster.controllers.endpoints.selectors import Selectors

LABELS = st.dictionaries(st.sampled_from("abc"), st.sampled_from("xy"))
KEYS = st.builds(Key, st.sampled_from(["one", "two"]), st.sampled_from("st"))


@given(st.lists(st.tuples(KEYS, st.none() | LABELS)), LABELS)
def test_those_are_found_whose_selector_matches(
    steps: list[tuple[Key, dict[str, str] | None]], labels: dict[str, str]
) -> None:
    selectors = Selectors()
    known: dict[Key, dict[str, str]] = {}
    for key, selector in steps:
        if selector is None:
            selectors.drop(key)
            known.pop(key, None)
        else:
            selectors.put(key, selector)
            known[key] = selector
    expected = {
        key for key, selector in known.items() if key[0] == "one" and selector and selector.items() <= labels.items()
    }
    found = selectors.match("one", labels)
    assert len(found) == len(set(found))
    assert set(found) == expected
