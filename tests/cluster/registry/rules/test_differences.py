from kubewright.cluster.registry.rules.differences import difference


def test_lines_before_and_after_stand_among_their_neighbours() -> None:
    old, new = ({"type": "x", "rollingUpdate": {"maxSurge": surge}} for surge in (1, 2))
    lines = difference(old, new, "apps/v1.DeploymentStrategy").split("\n")
    assert lines == [
        "@@ -2,6 +2,6 @@",
        '  "Type": "x",',
        '  "RollingUpdate": {',
        '   "MaxUnavailable": 0,',
        '-  "MaxSurge": 1',
        '+  "MaxSurge": 2',
        "  }",
        " }",
        "",
    ]


def test_what_html_would_misread_is_escaped() -> None:
    old, new = ({"type": text} for text in ("<", "&"))
    assert '"\\u003c"' in difference(old, new, "apps/v1.DeploymentStrategy")


def test_nothing_changed_is_nothing() -> None:
    assert difference({"type": "x"}, {"type": "x"}, "apps/v1.DeploymentStrategy") == ""
