from typing import Any

from tests.cluster.registry.kinds.pod.specs import told

from kubewright.cluster.registry.kinds.pod.template import check_template, default_template, template_warnings
from kubewright.cluster.wire.builtin import builtin_codec


def read(metadata: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    spec = {"containers": [{"name": "c", "image": "i"}], **spec}
    document = {"apiVersion": "v1", "kind": "PodTemplate", "template": {"metadata": metadata or {}, "spec": spec}}
    template: dict[str, Any] = builtin_codec("", "v1", "PodTemplate").read(document).object["template"]
    default_template(template)
    return template


def test_a_template_is_filled_in_less_than_a_pod() -> None:
    template = read(containers=[{"name": "c", "image": "i", "resources": {"limits": {"cpu": "1"}}}])
    assert "enableServiceLinks" not in template["spec"]
    assert template["spec"]["containers"][0]["resources"] == {"limits": {"cpu": "1"}}
    assert told(check_template(template, "t")) == []


def test_labels_are_told_beside_the_metadata() -> None:
    [error] = told(check_template(read({"labels": {"a": "x y"}}), "t"))
    assert error.startswith('t.labels: Invalid value: "x y": a valid label must be')


def test_nobody_looks_around_in_a_template() -> None:
    errors = told(check_template(read(ephemeralContainers=[{"name": "e", "image": "i"}]), "t"))
    assert errors == ["t.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template"]


def test_how_to_relabel_is_freer_once_it_was_said() -> None:
    old = read(securityContext={"seLinuxChangePolicy": "Recursive"})
    new = read(securityContext={"seLinuxChangePolicy": "MountOption"})
    assert told(check_template(new, "t", old)) == []
    assert len(told(check_template(new, "t"))) == 1


def test_the_writer_of_a_template_is_warned() -> None:
    key = "container.apparmor.security.beta.kubernetes.io/c"
    template = read({"annotations": {key: "unconfined"}}, terminationGracePeriodSeconds=-1)
    assert template_warnings(template, "spec.template") == [
        f'spec.template.metadata.annotations[{key}]: deprecated since v1.30; use the "appArmorProfile" field instead',
        (
            "spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be "
            "treated as 1"
        ),
    ]
