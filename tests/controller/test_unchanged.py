"""Whether an apply would change nothing, as we say and as the server does."""

from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.cluster.stage import Stage, play

import kubewright as kw
from kubewright.client import endpoint_of
from kubewright.controller.unchanged import contested, unchanged
from kubewright.k8s.apps.v1 import Deployment, StatefulSet
from kubewright.k8s.core.v1 import ConfigMap, LimitRange, Secret, Service
from kubewright.k8s.rbac.v1 import RoleBinding
from kubewright.model.markers import Nullable
from kubewright.model.shape import StructOf

CONTESTED = "spec.template.spec.containers[1].image"
DEPLOYMENT = StructOf(annotation=Deployment)
KINDS: dict[str, tuple[Any, str]] = {
    "Deployment": (Deployment, "/apis/apps/v1/namespaces/default/deployments/x"),
    "StatefulSet": (StatefulSet, "/apis/apps/v1/namespaces/default/statefulsets/x"),
    "Service": (Service, "/api/v1/namespaces/default/services/x"),
    "ConfigMap": (ConfigMap, "/api/v1/namespaces/default/configmaps/x"),
    "Secret": (Secret, "/api/v1/namespaces/default/secrets/x"),
    "LimitRange": (LimitRange, "/api/v1/namespaces/default/limitranges/x"),
    "RoleBinding": (RoleBinding, "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings/x"),
}


def owned(fields: dict[str, Any]) -> bytes:
    return msgspec.json.encode(fields)


def test_what_is_owned_and_equal_is_unchanged() -> None:
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"a": "1"}}
    live = {"metadata": {"name": "x", "uid": "u"}, "data": {"a": "1", "b": "2"}}
    assert unchanged(config, live, owned({"f:data": {"f:a": {}}}))


@pytest.mark.parametrize(
    ("why", "data", "fields"),
    [
        ("a value differs", {"a": "2"}, {"f:data": {"f:a": {}}}),
        ("a field is not owned yet", {"a": "1", "b": "2"}, {"f:data": {"f:a": {}}}),
        ("a field is owned and not wanted any more", {"a": "1"}, {"f:data": {"f:a": {}, "f:b": {}}}),
        ("nothing is owned", {"a": "1"}, {}),
        ("more is owned elsewhere", {"a": "1"}, {"f:data": {"f:a": {}}, "f:immutable": {}}),
        ("what is owned is not understood", {"a": "1"}, {"f:data": {"i:0": {}}}),
    ],
)
def test_it_is_changed_if(why: str, data: dict[str, str], fields: dict[str, Any]) -> None:
    live = {"metadata": {"name": "x"}, "data": {"a": "1", "b": "2"}}
    assert not unchanged({"metadata": {"name": "x"}, "data": data}, live, owned(fields)), why


def test_the_order_of_items_that_are_merged_by_key_is_ours() -> None:
    fields: dict[str, Any] = {"f:env": {f'k:{{"name":"{name}"}}': {".": {}, "f:name": {}} for name in "ab"}}
    live = {"env": [{"name": "a"}, {"name": "z"}, {"name": "b"}]}
    assert unchanged({"env": [{"name": "a"}, {"name": "b"}]}, live, owned(fields))
    assert not unchanged({"env": [{"name": "b"}, {"name": "a"}]}, live, owned(fields))


def test_a_key_left_to_the_servers_default_is_found() -> None:
    fields: dict[str, Any] = {"f:ports": {'k:{"port":80,"protocol":"TCP"}': {".": {}, "f:port": {}}}}
    live = {"ports": [{"port": 80, "protocol": "TCP"}]}
    assert unchanged({"ports": [{"port": 80}]}, live, owned(fields))
    assert not unchanged({"ports": [{"port": 80, "protocol": "TCP"}]}, live, owned(fields))


def test_a_quantity_is_one_however_it_is_spelled() -> None:
    item = 'k:{"name":"web"}'
    fields: dict[str, Any] = {"f:spec": {"f:template": {"f:spec": {"f:containers": {item: {
        ".": {}, "f:name": {}, "f:resources": {"f:limits": {"f:cpu": {}}}}}}}}}  # fmt: skip

    def document(cpu: str) -> dict[str, Any]:
        container = {"name": "web", "resources": {"limits": {"cpu": cpu}}}
        return {"spec": {"template": {"spec": {"containers": [container]}}}}

    assert unchanged(document("1000m"), document("1"), owned(fields), DEPLOYMENT)
    assert not unchanged(document("1000m"), document("2"), owned(fields), DEPLOYMENT)
    assert not unchanged(document("1000m"), document("1"), owned(fields))  # without the type nobody knows


def test_something_merged_that_was_applied_empty_is_not_ours_when_it_is_filled() -> None:
    fields: dict[str, Any] = {"f:spec": {"f:strategy": {}}}
    live = {"spec": {"strategy": {"type": "RollingUpdate"}}}
    assert unchanged({"spec": {"strategy": {}}}, live, owned(fields), DEPLOYMENT)
    assert not unchanged({"spec": {"strategy": {"type": "RollingUpdate"}}}, live, owned(fields), DEPLOYMENT)


def test_a_null_is_ours_where_nothing_is_and_where_what_is_there_is_merged() -> None:
    fields: dict[str, Any] = {"f:metadata": {"f:annotations": {}}, "f:data": {"f:a": {}}, "f:immutable": {}}
    config = {"metadata": {"annotations": None, "creationTimestamp": None}, "data": {"a": None}, "immutable": None}
    shape = StructOf(annotation=ConfigMap)
    live: dict[str, Any] = {"metadata": {"creationTimestamp": "2026-01-01T00:00:00Z"}, "data": {"a": ""}}
    assert unchanged(config, live, owned(fields), shape)
    assert unchanged(config, live | {"metadata": {"annotations": {"theirs": "1"}}}, owned(fields), shape)
    assert not unchanged(config, live | {"data": {"a": "1"}}, owned(fields), shape)
    assert not unchanged(config, live | {"immutable": True}, owned(fields), shape)


def test_a_null_that_the_server_has_filled_in_is_unchanged_and_one_that_it_would_fill_in_is_not() -> None:
    fields: dict[str, Any] = {"f:spec": {"f:replicas": {}}}
    config = {"spec": {"replicas": None}}
    assert unchanged(config, {"spec": {"replicas": 1}}, owned(fields), DEPLOYMENT)
    assert not unchanged(config, {"spec": {"replicas": 5}}, owned(fields), DEPLOYMENT)
    assert not unchanged(config, {"spec": {"replicas": 1}}, owned({"f:spec": {}}), DEPLOYMENT)


class Kid(kw.Resource, group="x.example.com", version="v1"):
    """A child of somebody's own, with defaults in its schema."""

    plain: int = 1
    nullable: Annotated[int | None, Nullable()] = 1
    whole: Annotated[dict[str, int] | None, Nullable()] = None


@pytest.mark.parametrize(
    ("name", "found", "expected"),
    [
        ("plain", 1, True),
        ("plain", 2, False),
        ("nullable", 1, False),
        ("nullable", None, True),
        ("whole", {}, False),
        ("whole", None, True),
    ],
)
def test_a_null_is_a_value_where_the_schema_says_so(name: str, found: object, expected: bool) -> None:
    shape = StructOf(annotation=Kid)
    assert unchanged({name: None}, {name: found}, owned({f"f:{name}": {}}), shape) is expected


def test_a_status_without_a_value_is_nothing_and_any_other_is_the_servers_to_refuse() -> None:
    fields: dict[str, Any] = {"f:spec": {"f:x": {}}}
    live = {"spec": {"x": 1}, "status": {"phase": "Ready"}}
    assert unchanged({"spec": {"x": 1}, "status": {"loadBalancer": {}, "phase": None}}, live, owned(fields))
    assert not unchanged({"spec": {"x": 1}, "status": {"phase": "Ready"}}, live, owned(fields))


def test_the_text_of_a_secret_is_compared_with_its_data() -> None:
    fields: dict[str, Any] = {"f:stringData": {"f:a": {}}}

    def secret(text: str) -> dict[str, Any]:
        return {"apiVersion": "v1", "kind": "Secret", "stringData": {"a": text}}

    live = {"data": {"a": "xb4=", "b": "/w=="}}
    assert unchanged(secret("ž"), live, owned(fields))
    assert not unchanged(secret("z"), live, owned(fields))
    assert not unchanged(secret("ž") | {"kind": "Other"}, live, owned(fields))
    assert not unchanged(secret("ž"), {}, owned(fields))


@pytest.mark.parametrize(
    ("config", "place"),
    [
        ({"spec": {"replicas": 2}}, "spec.replicas"),
        ({"spec": {"replicas": 1, "paused": True}}, ""),
        ({"spec": {"template": {"spec": {"containers": [{"name": "b"}, {"name": "a", "image": "j"}]}}}}, CONTESTED),
        ({"spec": {"template": {"spec": {"containers": [{"name": "a", "image": "i"}]}}}}, ""),
        ({"spec": {"strategy": {"type": "Recreate"}}}, ""),  # of which another owns the place alone
    ],
)
def test_what_another_has_made_otherwise_is_found(config: dict[str, Any], place: str) -> None:
    item = 'k:{"name":"a"}'
    pod: dict[str, Any] = {"f:containers": {item: {".": {}, "f:name": {}, "f:image": {}}}}
    theirs: dict[str, Any] = {"f:spec": {"f:replicas": {}, "f:strategy": {}, "f:template": {"f:spec": pod}}}
    containers = [{"name": "a", "image": "i"}, {"name": "b", "image": "k"}]
    live = {"spec": {"replicas": 1, "strategy": {"type": "X"}, "template": {"spec": {"containers": containers}}}}
    assert contested(config, live, owned(theirs), DEPLOYMENT) == place


def maybe(**fields: Any) -> Any:
    return st.fixed_dictionaries({}, optional=fields)


NAMES = st.sampled_from(["a", "b", "c"])
MAPS = st.dictionaries(NAMES, st.sampled_from(["1", "2"]), max_size=2)
QUANTITIES = st.sampled_from(["1", "1000m", "1Gi", "1024Mi", "0.5", "500m"])
ENV = st.one_of(
    st.builds(lambda name, value: {"name": name, "value": value}, NAMES, st.sampled_from(["", "1", "2"])),
    st.builds(lambda name: {"name": name, "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}, NAMES),
)
CONTAINER_PORTS = st.lists(
    st.fixed_dictionaries({"containerPort": st.sampled_from([80, 81])}, optional={"protocol": st.just("TCP")}),
    max_size=2,
    unique_by=lambda port: port["containerPort"],
)
CONTAINER = st.fixed_dictionaries(
    {"name": st.just("web"), "image": st.sampled_from(["nginx", "httpd"])},
    optional={
        "imagePullPolicy": st.sampled_from([None, "Always", "IfNotPresent"]),
        "env": st.lists(ENV, max_size=3, unique_by=lambda each: each["name"]),
        "ports": CONTAINER_PORTS,
        "args": st.lists(NAMES, max_size=2),
        "resources": maybe(limits=st.dictionaries(st.sampled_from(["cpu", "memory"]), QUANTITIES, max_size=2)),
    },
)
POD = st.fixed_dictionaries(
    {"containers": st.lists(CONTAINER, min_size=1, max_size=1)},
    optional={
        "nodeSelector": MAPS,
        "tolerations": st.lists(maybe(key=NAMES, operator=st.just("Exists")), max_size=2).map(
            lambda found: [{**each, "operator": "Exists"} for each in found]
        ),
        "volumes": st.lists(NAMES, max_size=2, unique=True).map(
            lambda names: [{"name": name, "emptyDir": {}} for name in names]
        ),
        "securityContext": st.just({}),
    },
)
#: What is null is ours, as any value is; in a map of texts the server makes it an empty one.
NULLED = st.none() | st.dictionaries(NAMES, st.sampled_from(["1", "", None]), max_size=2)
RESOURCES = st.dictionaries(st.sampled_from(["cpu", "memory"]), st.sampled_from(["1", "1000m"]), max_size=2)
LIMITS: st.SearchStrategy[Any] = st.fixed_dictionaries(
    {"type": st.just("Container")},
    optional=dict.fromkeys(("default", "defaultRequest", "max", "min"), RESOURCES),
) | st.just({"type": "Pod", "max": {"cpu": "1000m"}})
SUBJECTS = st.sampled_from(
    [
        {"kind": "User", "name": "a"},
        {"kind": "Group", "name": "a", "apiGroup": "rbac.authorization.k8s.io"},
        {"kind": "ServiceAccount", "name": "a", "namespace": "default"},
    ]
)
SELECTOR = {"matchLabels": {"app": "x"}}


def template(pod: Any) -> dict[str, Any]:
    return {"metadata": {"labels": {"app": "x"}}, "spec": pod}


SPECS: dict[str, Any] = {
    "Deployment": st.builds(
        lambda pod, more: {"spec": {"selector": SELECTOR, "template": template(pod), **more}},
        POD,
        maybe(
            replicas=st.integers(0, 2) | st.none(),
            strategy=st.sampled_from([None, {}, {"type": None}, {"type": "Recreate"}]),
            revisionHistoryLimit=st.sampled_from([None, 10]),
        ),
    ),
    "StatefulSet": st.builds(
        lambda pod, size: {
            "spec": {
                "serviceName": "x",
                "selector": SELECTOR,
                "template": template(pod),
                "volumeClaimTemplates": [
                    {
                        "metadata": {"name": "data"},
                        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": size}}},
                    }
                ],
            }
        },
        POD,
        st.just("1Gi"),
    ),
    "Service": st.builds(
        lambda ports, selector, more: {"spec": {"ports": ports, "selector": selector, **more}},
        st.lists(
            st.builds(
                lambda port, name, more: {"port": port, "name": name, **more},
                st.sampled_from([80, 81]),
                NAMES,
                maybe(targetPort=st.sampled_from([None, 80]), nodePort=st.none()),
            ),
            min_size=1,
            max_size=2,
            unique_by=(lambda each: each["port"], lambda each: each["name"]),
        ),
        MAPS,
        maybe(
            clusterIP=st.sampled_from([None, "10.0.0.9"]),
            type=st.sampled_from([None, "ClusterIP", "LoadBalancer"]),
            externalTrafficPolicy=st.none(),
        ),
    ),
    "ConfigMap": maybe(data=NULLED, binaryData=st.just({"z": "AQ=="}), immutable=st.none()),
    "Secret": maybe(data=st.just({"z": "AQ=="}), stringData=st.dictionaries(NAMES, st.sampled_from(["", "ž"]))),
    "LimitRange": st.lists(LIMITS, min_size=1, max_size=2, unique_by=lambda each: str(each["type"])).map(
        lambda limits: {"spec": {"limits": limits}}
    ),
    "RoleBinding": st.lists(SUBJECTS, max_size=2).map(
        lambda subjects: {
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "x"},
            "subjects": subjects,
        }
    ),
}
META = maybe(labels=MAPS, annotations=NULLED, creationTimestamp=st.none())


@st.composite
def changes(draw: Any, kind: str) -> list[tuple[str, dict[str, Any]]]:
    """Configurations to apply one after the other, each again at times, with edits of others between."""
    steps: list[tuple[str, dict[str, Any]]] = []
    configs = draw(st.lists(st.builds(lambda meta, rest: {"metadata": meta, **rest}, META, SPECS[kind]), min_size=2))
    for config in configs[:4]:
        steps.append(("apply", config))
        if draw(st.booleans()):
            steps.append(("edit", {"metadata": {"annotations": draw(MAPS)}}))
        if draw(st.booleans()):
            steps.append(("apply", config))
    return steps


@pytest.mark.parametrize("kind", list(KINDS))
@settings(max_examples=10, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(data=st.data())
def test_what_is_found_unchanged_the_server_does_not_change_either(kind: str, data: st.DataObject) -> None:
    steps = data.draw(changes(kind))
    model, path = KINDS[kind]
    shape = StructOf(annotation=model)

    async def story(stage: Stage) -> None:
        applied: dict[str, Any] | None = None
        touched = False
        for step, document in steps:
            if step == "edit":
                await stage.client.patch(path, "merge", document, fieldManager="editor")
                touched = True
                continue
            config = {"apiVersion": endpoint_of(model).api_version, "kind": kind, **document}
            config["metadata"] = {"name": "x", **document["metadata"]}
            said = None
            if applied is not None:
                live = await stage.client.get(path)
                fields = live["metadata"].pop("managedFields", [])
                ours = [each for each in fields if each["manager"] == "us"]
                said = bool(ours) and unchanged(config, live, msgspec.json.encode(ours[0]["fieldsV1"]), shape)
                if config == applied and not touched and ours:
                    assert said, "what was applied just now is found again"
            code, found = await stage.ask(
                "PATCH",
                f"{path}?fieldManager=us&force=true",
                config,
                {"content-type": "application/apply-patch+yaml"},
            )
            if code >= 300:
                return  # this kind does not allow the change
            if said:
                assert found["metadata"]["resourceVersion"] == live["metadata"]["resourceVersion"]
            applied, touched = config, False

    play(story)
