from kubewright.schema.lint.finding import Finding


def test_a_finding_is_told_with_its_remedy_and_code() -> None:
    finding = Finding("float", "warning", "spec.ratio", "a float changes", "use a quantity")
    assert finding.message == "a float changes: use a quantity"
    assert str(finding) == "warning: spec.ratio: a float changes: use a quantity [float]"
