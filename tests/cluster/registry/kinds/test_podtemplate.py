from tests.cluster.registry.kinds.judged import Judged

TEMPLATES = Judged("podtemplates")
TEMPLATE = {"spec": {"containers": [{"name": "c", "image": "i"}]}}


def test_its_pods_are_filled_in() -> None:
    assert TEMPLATES.made(template=TEMPLATE)["template"]["spec"]["dnsPolicy"] == "ClusterFirst"


def test_its_pods_are_judged() -> None:
    assert TEMPLATES.refused(template={"spec": {}}) == ["template.spec.containers: Required value"]


def test_changes_of_it_are_counted() -> None:
    change = {"template": {"spec": {"hostNetwork": True}}}
    assert TEMPLATES.changed(TEMPLATES.made(template=TEMPLATE), change)["metadata"]["generation"] == 2
