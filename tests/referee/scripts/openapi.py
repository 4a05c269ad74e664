"""OpenAPI: the index, a document of each group and version, and definitions in them."""

from tests.referee.language import ask, delete, get, patch, post, script, until
from tests.referee.objects import defined, definition, version

WORDS = "** description"
#: What another script that is alone leaves behind.
OTHERS = tuple(f"paths apis/list-a-version-that-is-too-old.example.com{version}" for version in ("", "/v1"))
CONFIGMAP = "components schemas io.k8s.api.core.v1.ConfigMap"
SPEC = {
    "type": "object",
    "description": "What is wanted.",
    "required": ["size"],
    "properties": {
        "size": {"type": "integer", "format": "int32", "minimum": 1, "default": 2},
        "name": {"type": "string", "nullable": True, "pattern": "^a", "enum": ["a", "ab"]},
        "port": {"x-kubernetes-int-or-string": True},
        "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        "tags": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
        "one": {"type": "object", "oneOf": [{"required": ["a"]}], "properties": {"a": {"type": "string"}}},
        "map": {"type": "object", "additionalProperties": {"type": "integer"}},
    },
}
THING = version(
    properties={"spec": SPEC, "status": {"type": "object", "properties": {"ok": {"type": "boolean"}}}},
    subresources={
        "status": {},
        "scale": {"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size"},
    },
    selectableFields=[{"jsonPath": ".spec.name"}],
)

SCRIPTS = (
    script(
        "the index",
        "OAPI-1",
        get("/openapi/v3", without=OTHERS),
        get("/openapi/v3/", only="paths", without=OTHERS),
        alone=True,
    ),
    script(
        "a document is kept by its hash",
        "OAPI-1",
        get("/openapi/v3/apis/events.k8s.io/v1", only=("openapi", "info"), keep="events"),
        get("/openapi/v3/apis/events.k8s.io/v1?hash={events_etag}", only=("openapi", "info")),
        get("/openapi/v3/apis/events.k8s.io/v1", headers={"If-None-Match": '"{events_etag}"'}, only="openapi"),
        get("/openapi/v3/apis/events.k8s.io/v1?hash=nope"),
        get("/openapi/v3/apis/events.k8s.io/v1", headers={"If-None-Match": '"nope"'}, only="openapi"),
        get("/openapi/v3/apis/nope/v1"),
        get("/openapi/v3/nope"),
        get("/openapi/v3/api/v1", accept="*/*", only="openapi"),
        get("/openapi/v3/api/v1", accept=None, only="openapi"),
        get("/openapi/v3/api/v1", accept="text/html", only="openapi"),
        ask("HEAD", "/openapi/v3/apis/events.k8s.io/v1"),
        alone=True,
    ),
    script(
        "the schema of a kind",
        "OAPI-1",
        get("/openapi/v3/api/v1", only=CONFIGMAP, without=WORDS),
        get("/openapi/v3/api/v1", only="components schemas io.k8s.api.core.v1.ConfigMapList", without=WORDS),
        get(
            "/openapi/v3/api/v1",
            only="components schemas io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta",
            without=WORDS,
        ),
        get("/openapi/v3/apis/apps/v1", only="components schemas io.k8s.api.core.v1.PodSpec", without=WORDS),
        get("/openapi/v3/apis/apps/v1", only="components schemas io.k8s.api.core.v1.Container", without=WORDS),
        get("/openapi/v3/apis/apps/v1", only="components schemas io.k8s.api.apps.v1.DeploymentSpec", without=WORDS),
        get(
            "/openapi/v3/apis/apps/v1",
            only=(
                "components schemas io.k8s.apimachinery.pkg.util.intstr.IntOrString",
                "components schemas io.k8s.apimachinery.pkg.api.resource.Quantity",
                "components schemas io.k8s.apimachinery.pkg.apis.meta.v1.Time",
                "components schemas io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime",
                "components schemas io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1",
                "components schemas io.k8s.api.core.v1.ServicePort",
            ),
            without=WORDS,
        ),
        get(
            "/openapi/v3/apis/coordination.k8s.io/v1",
            only="components schemas io.k8s.api.coordination.v1.LeaseSpec",
            without=WORDS,
        ),
    ),
    script(
        "the paths of a kind",
        "OAPI-1",
        get("/openapi/v3/api/v1", only="paths /api/v1/namespaces/{namespace}/configmaps", without=WORDS),
        get("/openapi/v3/apis/coordination.k8s.io/v1", only="paths", without=("** description", "** responses")),
    ),
    script(
        "the old document",
        "OAPI-2",
        get("/openapi/v2", only=("swagger", "info title", "definitions io.k8s.api.core.v1.ConfigMap"), without=WORDS),
        get("/openapi/v2", accept="application/yaml", only="swagger"),
        get("/openapi/v2", accept="text/html", only="swagger"),
        get("/openapi/v2", accept="*/*", only="swagger"),
        ask("HEAD", "/openapi/v2"),
        get("/openapi/v2", headers={"If-None-Match": '"nope"'}, only="swagger"),
        get("/swagger.json"),
        alone=True,
    ),
    script(
        "a definition is published",
        "OAPI-3",
        *defined(definition(THING)),
        until(get("/openapi/v3", only="nope"), has={"paths": {"apis/{group}/v1": None}}),
        get("/openapi/v3/apis/{group}/v1", without=(WORDS, "paths ** responses")),
        get(
            "/openapi/v3/apis/{group}/v1",
            only="components schemas com.example.openapi-a-definition-is-published.v1.Thing properties spec",
        ),
        get("/openapi/v3/apis/{group}/v1?hash=nope"),
        until(
            get("/openapi/v2", only="nope"),
            has={"paths": {"/apis/{group}/v1/things": None}},
        ),
    ),
    script(
        "a definition that is gone is published no more",
        "OAPI-3",
        *defined(definition()),
        until(get("/openapi/v3/apis/{group}/v1", only="openapi")),
        delete("{crds}/things.{group}", only="kind"),
        until(get("/openapi/v3/apis/{group}/v1"), code=404),
    ),
    script(
        "a definition that changes is published anew",
        "OAPI-3",
        *defined(definition(version(properties={"a": {"type": "string"}}))),
        until(get("/openapi/v3/apis/{group}/v1", only="openapi")),
        patch(
            "{crds}/things.{group}",
            "json",
            [
                {
                    "op": "add",
                    "path": "/spec/versions/0/schema/openAPIV3Schema/properties/b",
                    "value": {"type": "integer"},
                }
            ],
            only="kind",
        ),
        until(
            get("/openapi/v3/apis/{group}/v1", only="openapi"),
            has={"components": {"schemas": {"com.example.{own}.v1.Thing": {"properties": {"b": None}}}}},
        ),
    ),
    script(
        "what a definition keeps unknown is published so",
        "OAPI-3",
        *defined(definition(version())),
        until(
            get(
                "/openapi/v3/apis/{group}/v1",
                only="components schemas *",
                without=("** description", "components schemas io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"),
            )
        ),
    ),
    script(
        "methods",
        "OAPI-1",
        post("/openapi/v3", {}, only="nope"),
        post("/openapi/v2", {}, only="swagger"),
        ask("OPTIONS", "/openapi/v3", only="nope"),
    ),
)
