from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.registry.kinds.pod.files import File, Files

parts = st.lists(st.sampled_from(["a", "b", "ab", ""]), max_size=4)
paths = st.lists(parts.map(lambda names: "/".join(names).rstrip("/")))


@given(paths)
def test_what_clashes_is_what_comparing_each_with_each_tells(given: list[str]) -> None:
    files = Files()
    for at, path in enumerate(given):
        expected = [
            other
            for other in given[:at]
            if path and other and (f"{other}/".startswith(f"{path}/") or f"{path}/".startswith(f"{other}/"))
        ]
        assert [each.path for each in files.add(File(path, ""))] == expected


def test_a_file_is_told_with_what_puts_it_there() -> None:
    assert [str(File("a/b", "")), str(File("a", "DownwardAPI"))] == ['"a/b"', '"a" (DownwardAPI)']
