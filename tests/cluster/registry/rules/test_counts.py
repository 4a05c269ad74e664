from kubewright.cluster.registry.rules.counts import check_counts, check_growth, check_parts


def test_no_count_is_negative() -> None:
    [error] = check_counts({"a": -1, "b": 0, "c": None}, "s", "a", "b", "c", "d")
    assert str(error) == "s.a: Invalid value: -1: must be greater than or equal to 0"


def test_no_part_is_larger_than_its_whole() -> None:
    [error] = check_parts({"a": 2, "b": 1, "all": 1}, "s", ("a", "b", "c"), "all", "status.all")
    assert str(error) == "s.a: Invalid value: 2: cannot be greater than status.all"


def test_what_counts_up_neither_counts_down_nor_goes() -> None:
    assert [*check_growth({"a": 2}, {"a": 2}, "s", "a")] == []
    assert [*check_growth({"a": -1}, {}, "s", "a")] == []
    for one, other in (({}, {"a": 0}), ({"a": 0}, {"a": 1})):
        [error] = check_growth(one, other, "s", "a")
        assert str(error) == "s.a: Invalid value: 0: cannot be decremented"
