from tests.cluster.admission.test_accounts import make_pod_at_once
from tests.cluster.stage import play

from kubewright.cluster.admission import chain


def test_every_plugin_that_is_named_is_there() -> None:
    named = {name for table in (chain._ADMITTING, chain._VETTING) for names in table.values() for name in names}
    assert all(callable(chain._plugin(name)) for name in named)


def test_nobody_owns_what_a_plugin_fills_in() -> None:
    _, pod = play(make_pod_at_once)
    assert pod["spec"]["tolerations"]
    owned = [entry["fieldsV1"]["f:spec"] for entry in pod["metadata"]["managedFields"]]
    assert owned
    assert not any("f:tolerations" in fields for fields in owned)
