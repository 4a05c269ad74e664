from pathlib import Path

import pytest

TEST = """
import pytest

@pytest.mark.real
def test_it(real_cluster):
    pass
"""


@pytest.fixture
def inner(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.Pytester:
    """A project with one test that asks for a real cluster, on a machine that has none."""
    for name in ("KUBEBUILDER_ASSETS", "KUBEWRIGHT_REQUIRE_REAL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("KUBEWRIGHT_REAL", str(tmp_path))
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))
    pytester.makepyfile(TEST)
    return pytester


def outcome(inner: pytest.Pytester, *arguments: str) -> tuple[dict[str, int], str]:
    result = inner.runpytest("--strict-markers", "-rs", "-p", "no:cacheprovider", *arguments)
    return result.parseoutcomes(), result.stdout.str()


def test_by_default_a_real_test_is_skipped_and_says_how_to_run_it(inner: pytest.Pytester) -> None:
    outcomes, output = outcome(inner)
    assert outcomes == {"skipped": 1}
    assert "run it with --cluster=real" in output


def test_a_test_that_starts_servers_itself_has_them_only_where_servers_are_started(inner: pytest.Pytester) -> None:
    inner.makepyfile(TEST.replace("real_cluster", "real_binaries"))
    outcomes, output = outcome(inner, "--cluster=kubeconfig")
    assert outcomes == {"skipped": 1}
    assert "starts Kubernetes' own servers: run it with --cluster=real" in output


def test_without_servers_a_real_test_is_skipped_and_says_how_to_get_them(inner: pytest.Pytester) -> None:
    outcomes, output = outcome(inner, "--cluster=real")
    assert outcomes == {"skipped": 1}
    assert "no etcd, kube-apiserver, kubectl in" in output
    assert "run `make real`" in output


def test_without_a_kubeconfig_a_real_test_is_skipped_and_says_what_to_set(inner: pytest.Pytester) -> None:
    outcomes, output = outcome(inner, "--cluster=kubeconfig")
    assert outcomes == {"skipped": 1}
    assert "set KUBECONFIG to the file of a cluster" in output


@pytest.mark.parametrize("choice", ["embedded", "real", "kubeconfig"])
def test_where_real_is_required_what_would_be_skipped_fails(
    choice: str, inner: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUBEWRIGHT_REQUIRE_REAL", "1")
    outcomes, output = outcome(inner, f"--cluster={choice}")
    assert outcomes == {"errors": 1}
    assert "KUBEWRIGHT_REQUIRE_REAL is set" in output


def test_another_word_for_a_cluster_is_refused(inner: pytest.Pytester) -> None:
    assert "invalid choice: 'imaginary'" in inner.runpytest("--cluster=imaginary").stderr.str()


@pytest.mark.parametrize(("choice", "chosen"), [("embedded", []), ("real", ["test_it"]), ("kubeconfig", ["test_it"])])
def test_on_a_real_cluster_a_test_with_the_fixture_cluster_is_one_of_the_real_ones(
    choice: str, chosen: list[str], pytester: pytest.Pytester
) -> None:
    pytester.makepyfile("def test_it(cluster): pass\n\ndef test_other(): pass\n")
    result = pytester.runpytest(f"--cluster={choice}", "-m", "real", "--collect-only", "-q", "-p", "no:cacheprovider")
    assert [line.rpartition("::")[2] for line in result.outlines if "::" in line] == chosen
