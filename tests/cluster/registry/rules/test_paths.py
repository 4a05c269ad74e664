import pytest

from kubewright.cluster.registry.rules.paths import check_descending, check_file, check_no_backsteps


@pytest.mark.parametrize(
    ("target", "complaints"),
    [
        ("a/b", []),
        ("a..b", []),
        ("..a", ["must not start with '..'"]),
        ("../a", ["must not contain '..'"]),
        ("/a/../b", ["must be a relative path", "must not contain '..'"]),
    ],
)
def test_a_file_is_below_and_its_name_not_taken(target: str, complaints: list[str]) -> None:
    assert [error.message.rpartition(": ")[2] for error in check_file(target, "p")] == complaints


def test_an_absolute_path_may_have_no_steps_back_either() -> None:
    assert [*check_no_backsteps("/a/b", "p")] == []
    assert len([*check_no_backsteps("/a/..", "p")]) == 1
    assert len([*check_descending("/a", "p")]) == 1
