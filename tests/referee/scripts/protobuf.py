"""Bodies in protobuf, as Go clients send them, and answers in protobuf for who takes nothing else."""

from typing import Any

from tests.referee.language import Ask, close, delete, events, get, patch, post, put, script, watch
from tests.referee.objects import configmap, secret, widget

from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.cluster.wire.protobuf.envelope import write_object
from kubewright.cluster.wire.protobuf.write import message, number, sized, tag

PROTOBUF = "application/vnd.kubernetes.protobuf"
PARTIAL = f"{PROTOBUF};as=PartialObjectMetadata;v=v1;g=meta.k8s.io"
PARTIALS = f"{PROTOBUF};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"
TABLE = f"{PROTOBUF};as=Table;v=v1;g=meta.k8s.io"

_POD = {
    "automountServiceAccountToken": False,
    "terminationGracePeriodSeconds": 5,
    "securityContext": {"runAsUser": 1000, "supplementalGroups": [1, 2], "sysctls": []},
    "volumes": [
        {"name": "v", "configMap": {"name": "c", "defaultMode": 420, "items": [{"key": "k", "path": "p"}]}},
        {"name": "e", "emptyDir": {"sizeLimit": "1Gi"}},
    ],
    "containers": [
        {
            "name": "c",
            "image": "i:1",
            "command": ["a", ""],
            "env": [
                {"name": "A", "value": "1"},
                {"name": "B", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
            ],
            "ports": [{"containerPort": 80, "protocol": "TCP"}],
            "resources": {"requests": {"cpu": "0.1", "memory": "1024Mi"}},
            "livenessProbe": {"httpGet": {"path": "/", "port": "http"}, "periodSeconds": 3},
            "readinessProbe": {"tcpSocket": {"port": 80}},
            "lifecycle": {"preStop": {"exec": {"command": ["x"]}}},
            "volumeMounts": [{"name": "v", "mountPath": "/v", "readOnly": True}],
        }
    ],
    "tolerations": [{"key": "a", "operator": "Exists", "tolerationSeconds": 0, "effect": "NoExecute"}],
}


def packed(document: dict[str, Any]) -> bytes:
    """An object in protobuf."""
    group, _, version = document["apiVersion"].rpartition("/")
    return write_object(builtin_codec(group, version, document["kind"]).read(document).object)


def wrapped(api_version: str, kind: str, raw: bytes, *more: bytes) -> bytes:
    """A message of any kind, or what is none."""
    return b"k8s\0" + message(message(api_version.encode(), kind.encode()), raw, *more)


def raw(*fields: tuple[int, bytes | int]) -> bytes:
    """A message of fields by number."""
    return b"".join(
        tag(place, 0) + number(value) if isinstance(value, int) else tag(place, 2) + sized(value)
        for place, value in fields
    )


def sent(path: str, document: dict[str, Any], **options: Any) -> Ask:
    """Create an object that is sent in protobuf."""
    return post(path, packed(document), content_type=PROTOBUF, **options)


def bytes_to(path: str, body: bytes, **options: Any) -> Ask:
    """Send any bytes as if they were protobuf."""
    return post(path, body, content_type=PROTOBUF, **options)


def _named(name: bytes, *fields: tuple[int, bytes | int]) -> bytes:
    return raw((1, raw((1, name))), *fields)


#: Resources of a container with an amount that is none.
_WRONG = raw((1, raw((1, b"cpu"), (2, message(b"x")))))
_LEASE = "coordination.k8s.io/v1"

SCRIPTS = (
    script(
        "objects in protobuf",
        "NEG-1",
        sent("{configmaps}", configmap("a", {"x": "1", "": "", "k": "ü"}), keep="a"),
        sent("{configmaps}", configmap("b", {"x": "1"}, labels={"a": "b"}, finalizers=["example.com/f"])),
        get("{configmaps}/b"),
        put("{configmaps}/b", packed(configmap("b", {"x": "2"})), content_type=PROTOBUF),
        sent("{configmaps}", configmap("b")),
        sent("{secrets}", secret("a", data={"k": "AAE=", "e": ""}, type="Opaque", immutable=False)),
        sent("{configmaps}?fieldValidation=Strict", configmap("s")),
        sent("{configmaps}?dryRun=All", configmap("d")),
        patch("{configmaps}/b", PROTOBUF, packed(configmap("b"))),
    ),
    script(
        "workloads in protobuf",
        "NEG-1",
        sent(
            "{deployments}",
            {
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "metadata": {"name": "d"},
                "spec": {
                    "replicas": 0,
                    "selector": {"matchLabels": {"a": "b"}},
                    "strategy": {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": "25%"}},
                    "template": {
                        "metadata": {"labels": {"a": "b"}},
                        "spec": {"containers": _POD["containers"], **_POD},
                    },
                },
            },
        ),
        sent("{pods}", {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": _POD}),
        get("{deployments}/d/scale"),
        put(
            "{deployments}/d/scale",
            packed(
                {
                    "apiVersion": "autoscaling/v1",
                    "kind": "Scale",
                    "metadata": {"name": "d", "namespace": "protobuf-workloads-in-protobuf"},
                    "spec": {"replicas": 3},
                }
            ),
            content_type=PROTOBUF,
        ),
    ),
    script(
        "a kind that is left open, or another one",
        "NEG-1",
        bytes_to("{configmaps}", wrapped("", "", _named(b"a"))),
        bytes_to("{configmaps}", wrapped("v1", "", _named(b"b"))),
        bytes_to("{configmaps}", wrapped("", "ConfigMap", _named(b"c"))),
        bytes_to("{configmaps}", wrapped("a/b/c", "", _named(b"d"))),
        bytes_to("{configmaps}", wrapped("v1", "Secret", _named(b"e"))),
        bytes_to("{configmaps}", wrapped("v1", "Nope", _named(b"f"))),
        bytes_to("{configmaps}", wrapped("v2", "ConfigMap", _named(b"g"))),
        bytes_to("{configmaps}", wrapped("apps/v1", "Deployment", _named(b"h"))),
        bytes_to("{configmaps}", wrapped("apps/v1", "Deployment", b"\x0a\xff")),
        bytes_to("{configmaps}", wrapped("nope/v1", "ConfigMap", _named(b"i"))),
        bytes_to("{configmaps}", wrapped("v1", "ConfigMap", _named(b"j"), b"gzip", b"application/json")),
        bytes_to("{configmaps}", wrapped("v1", "ConfigMap", b'{"metadata":{"name":"k"}}', b"", b"application/json")),
        bytes_to("/apis/events.k8s.io/v1/namespaces/{ns}/events", wrapped("v1", "Event", _named(b"e"))),
        bytes_to("{crds}", wrapped("v1", "ConfigMap", _named(b"e"))),
    ),
    script(
        "bytes that are no object",
        "NEG-1",
        bytes_to("{configmaps}", b""),
        bytes_to("{configmaps}", b"k8s"),
        bytes_to("{configmaps}", b"k8s\0"),
        bytes_to("{configmaps}", b"{}"),
        bytes_to("{configmaps}", b'{"metadata": {"name": "x"}, "data": {"a": "b"}}'),
        bytes_to("{configmaps}", b"k8s\0\x0a"),
        bytes_to("{configmaps}", b"k8s\0\x01"),
        bytes_to("{configmaps}", b"k8s\0\x0c"),
        bytes_to("{configmaps}", b"k8s\0\x08\x01"),
        bytes_to("{configmaps}", b"k8s\0\x0a\x02\x08\x01"),
        bytes_to("{configmaps}", b"k8s\0" + b"\xff" * 11),
        *(
            bytes_to("{configmaps}", wrapped("v1", "ConfigMap", message_))
            for message_ in (
                b"",
                b"\x0a",
                b"\x0a\xff",
                b"\x0a\x05ab",
                b"\x08\x01",
                b"\x0c",
                b"\x00\x01",
                b"\x0f",
                b"\x92",
                b"\x0a" + number(2**63),
                b"\x0a" + b"\xff" * 11,
                _named(b"u", (99, b"x"), (98, 1)),
                _named(b"v") + b"\xa3\x06\x08\x01\xa4\x06",
                _named(b"w") + b"\xa3\x06\x08\x01",
                _named(b"x") + b"\xa4\x06",
                _named(b"y", (4, b"x")),
                _named(b"z", (2, b"\x0a")),
                _named(b"z", (2, b"\x0a\x05a")),
                _named(b"aa", (2, b"\x08\x01k\x12\x01v")),
                _named(b"ab", (2, b"")),
                _named(b"ac", (2, raw((2, b"v"))), (2, raw((1, b"k")))),
                _named(b"ad", (2, raw((1, b"k"), (2, b"v\xff\xfe")))),
                _named(b"ae", (4, 2)),
                _named(b"af", (4, 0)),
                raw((1, raw((1, b"ag"), (8, b"\x0a")))),
                raw((1, raw((1, b"ah"), (2, b"x"))), (1, raw((2, b""), (11, b"\x0a\x01a\x12\x01b")))),
            )
        ),
    ),
    script(
        "values with a message of their own",
        "NEG-1 LEASE-1",
        *(
            bytes_to("{leases}", wrapped(_LEASE, "Lease", _named(f"l{at}".encode(), (2, raw((3, stamp))))))
            for at, stamp in enumerate(
                (
                    message(5, 6000),
                    message(1_600_000_000, 123_456_789),
                    message(-62135596800),
                    message(-62135596801),
                    message(253402300800),
                    message(1, 1_999_999_999),
                    message(1, -5),
                    message(0),
                    b"",
                    b"\x0a\x01x",
                )
            )
        ),
        *(
            bytes_to(
                "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets",
                wrapped("policy/v1", "PodDisruptionBudget", _named(f"p{at}".encode(), (2, raw((1, amount))))),
                only=("spec", "kind"),
            )
            for at, amount in enumerate(
                (message(0, 3), message(1, 0, b"10%"), raw((2, 4), (3, b"5")), b"", b"\x0a\x01")
            )
        ),
        *(
            bytes_to(
                "/apis/apps/v1/namespaces/{ns}/controllerrevisions",
                wrapped("apps/v1", "ControllerRevision", _named(f"c{at}".encode(), (2, data), (3, 1))),
            )
            for at, data in enumerate((message(b'{"b": 1.5, "a": [null]}'), message(b"{}"), b"\x08\x01"))
        ),
        bytes_to("{pods}", wrapped("v1", "Pod", _named(b"q", (2, raw((2, raw((1, b"c"), (8, _WRONG)))))))),
        bytes_to(
            "{crds}",
            wrapped(
                "apiextensions.k8s.io/v1",
                "CustomResourceDefinition",
                _named(
                    b"x.example.com",
                    (2, raw((7, raw((1, b"v1"), (4, raw((1, raw((5, b"object"), (8, message(b"nonsense")))))))))),
                ),
            ),
        ),
    ),
    script(
        "options in protobuf",
        "DEL-1",
        post("{configmaps}", configmap("a"), only="kind"),
        post("{widgets}", widget("a"), only="kind"),
        *(
            delete("{configmaps}/a", body, content_type=PROTOBUF)
            for body in (
                b"k8s\0",
                b"{}",
                wrapped("v1", "ConfigMap", b""),
                wrapped("v1", "Nope", b""),
                wrapped("v1", "DeleteOptions", b"\x0a\xff"),
                wrapped("v1", "DeleteOptions", raw((5, b"Nope"))),
                wrapped("v1", "DeleteOptions", raw((2, raw((1, b"other"))))),
                wrapped("meta.k8s.io/v1", "DeleteOptions", raw((5, b"All"))),
                wrapped("", "", raw((5, b"All"))),
                wrapped("apps/v1", "DeleteOptions", raw((4, b"Foreground"))),
            )
        ),
        get("{configmaps}/a", only=("metadata finalizers", "kind")),
        delete("{widgets}/a", wrapped("v1", "DeleteOptions", raw((5, b"All"))), content_type=PROTOBUF),
        delete("{widgets}/a", wrapped("v1", "DeleteOptions", raw((1, 0))), content_type=PROTOBUF),
        delete("{configmaps}", wrapped("v1", "DeleteOptions", raw((5, b"All"))), content_type=PROTOBUF, only="kind"),
        delete("{configmaps}", wrapped("v1", "Nope", b""), content_type=PROTOBUF),
    ),
    script(
        "answers in protobuf",
        "NEG-3",
        post("{configmaps}", configmap("a", {"x": "y"}), accept=PROTOBUF),
        get("{configmaps}/a", accept=PROTOBUF),
        get("{configmaps}", accept=PROTOBUF),
        get("{configmaps}/a", accept=f"{PROTOBUF},application/json"),
        get("{configmaps}/nope", accept=PROTOBUF),
        get("{configmaps}/a", accept=TABLE),
        get("{configmaps}/a", accept=PARTIAL),
        get("{configmaps}", accept=PARTIALS),
        get("{configmaps}", accept=PARTIAL),
        get("{configmaps}?limit=nope", accept=PROTOBUF),
        get("{configmaps}?labelSelector=none", accept=PROTOBUF),
        get("{secrets}", accept=PARTIALS),
        post("{widgets}", widget("a"), only="kind"),
        get("{widgets}/a", accept=PROTOBUF),
        get("{widgets}/a", accept=PARTIAL),
        get("{widgets}", accept=PARTIALS),
        get("{widgets}/a", accept=TABLE),
        get("{widgets}/nope", accept=PROTOBUF),
        delete("{configmaps}/a", accept=PROTOBUF),
        get("/version", accept=PROTOBUF),
        get("/api/v1/nope", accept=PROTOBUF),
    ),
    script(
        "a watch in protobuf",
        "NEG-3 WATCH-1",
        post("{configmaps}", configmap("a"), keep="a", only="kind"),
        watch("w", "{configmaps}?watch=1&resourceVersion={a.metadata.resourceVersion}", accept=PROTOBUF),
        watch(
            "p", "{configmaps}?watch=1&resourceVersion={a.metadata.resourceVersion}", accept=f"{PARTIAL};stream=watch"
        ),
        watch("t", "{configmaps}?watch=1", accept=TABLE),
        watch("c", "{widgets}?watch=1", accept=PROTOBUF),
        post("{configmaps}", configmap("b", {"k": "2"}), only="kind"),
        patch("{configmaps}/b", "merge", {"data": {"k": "3"}}, only="kind"),
        delete("{configmaps}/a", only="kind"),
        events("w", 3),
        events("p", 3),
        close("w"),
        watch("old", "{configmaps}?watch=1&resourceVersion=1", accept=PROTOBUF),
        watch("wrong", "{configmaps}?watch=1&resourceVersion=nope", accept=PROTOBUF),
    ),
)
