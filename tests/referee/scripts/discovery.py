"""What a server says it has: discovery, version, health."""

from tests.referee.fill import GROUP
from tests.referee.language import ask, delete, get, patch, post, script, until
from tests.referee.objects import defined, definition, version

AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
BETA = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList"
KUBECTL = f"{AGGREGATED},{BETA},application/json"

#: Every group and version that is served without asking for more.
VERSIONS = (
    "/api/v1",
    "/apis/admissionregistration.k8s.io/v1",
    "/apis/apiextensions.k8s.io/v1",
    "/apis/apiregistration.k8s.io/v1",
    "/apis/apps/v1",
    "/apis/authentication.k8s.io/v1",
    "/apis/authorization.k8s.io/v1",
    "/apis/autoscaling/v1",
    "/apis/autoscaling/v2",
    "/apis/batch/v1",
    "/apis/certificates.k8s.io/v1",
    "/apis/coordination.k8s.io/v1",
    "/apis/discovery.k8s.io/v1",
    "/apis/events.k8s.io/v1",
    "/apis/flowcontrol.apiserver.k8s.io/v1",
    "/apis/networking.k8s.io/v1",
    "/apis/node.k8s.io/v1",
    "/apis/policy/v1",
    "/apis/rbac.authorization.k8s.io/v1",
    "/apis/resource.k8s.io/v1",
    "/apis/scheduling.k8s.io/v1",
    "/apis/storage.k8s.io/v1",
)
RICH = version(
    properties={"spec": {"type": "object", "properties": {"replicas": {"type": "integer"}}}},
    subresources={
        "status": {},
        "scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"},
    },
)
NAMES = {
    "plural": "things",
    "singular": "thing",
    "kind": "Thing",
    "shortNames": ["th", "tg"],
    "categories": ["all", "mine"],
}

SCRIPTS = (
    script("the versions of the core", "DISC-1", get("/api"), get("/api/"), alone=True),
    script("the groups", "DISC-1", get("/apis"), alone=True),
    script("each group", "DISC-1", *(get(path.rpartition("/")[0]) for path in VERSIONS[1:]), alone=True),
    script("each group version", "DISC-1", *(get(path) for path in VERSIONS), alone=True),
    script(
        "everything at once",
        "DISC-2",
        get("/api", accept=AGGREGATED),
        get("/apis", accept=AGGREGATED),
        alone=True,
    ),
    script(
        "forms of everything at once",
        "DISC-2",
        get("/apis", accept=KUBECTL, only="kind"),
        get("/apis", accept=BETA, only="kind"),
        get("/apis", accept=f"{BETA},application/json", only="kind"),
        get("/apis", accept="application/json;g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList", only="kind"),
        get("/apis", accept="application/json;v=v2;as=APIGroupDiscoveryList", only="kind"),
        get("/apis", accept="application/json;as=APIGroupDiscoveryList", only="kind"),
        get(
            "/apis",
            accept="application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;profile=nopeer",
            only="kind",
        ),
        get("/api", accept=KUBECTL, only="kind"),
        get("/api", accept="*/*", only="kind"),
        get("/apis", accept="text/html"),
        get("/apis/apps", accept=AGGREGATED, only="kind"),
        get("/apis/apps/v1", accept=AGGREGATED, only="kind"),
        get("/api/v1", accept=AGGREGATED, only="kind"),
        ask("HEAD", "/apis", accept=AGGREGATED),
        alone=True,
    ),
    script(
        "what has not changed is not sent again",
        "DISC-2",
        get("/api", accept=AGGREGATED, headers={"If-None-Match": '"nope"'}, only="kind", keep="api"),
        get("/api", accept=AGGREGATED, headers={"If-None-Match": '"{api_etag}"'}, only="kind"),
        get("/api", accept=AGGREGATED, headers={"If-None-Match": "{api_etag}"}, only="kind"),
        get("/api", accept=AGGREGATED, headers={"If-None-Match": "*"}, only="kind"),
        alone=True,
    ),
    script(
        "a definition appears and vanishes",
        "DISC-1 DISC-3 CRD-2 CRD-3",
        get("/apis/{group}"),
        get("/apis/{group}/v1"),
        *defined(definition(RICH, version("v2", storage=False), names=NAMES)),
        until(get("/apis/{group}"), has={"versions": [{"version": "v1"}, {"version": "v2"}]}),
        until(get("/apis/{group}/v1"), has={"resources": [{"name": "things/scale"}]}),
        get("/apis/{group}/v2"),
        get("/apis/{group}/v3"),
        until(get("/apis", only="kind"), has={"groups": [{"name": "{group}"}]}),
        until(get("/apis", accept=AGGREGATED, only="kind"), has={"items": [{"metadata": {"name": "{group}"}}]}),
        delete("{crds}/things.{group}", only="kind"),
        until(get("/apis/{group}"), code=404),
        until(get("/apis/{group}/v1"), code=404),
        get("/apis/{group}/v1/things"),
    ),
    script(
        "a definition in the order of its versions",
        "DISC-1",
        *defined(
            definition(
                version("v1alpha1", storage=False),
                version("v10", storage=False),
                version("v2beta3"),
                version("foo", storage=False),
                version("v2", storage=False),
                version("v2beta10", storage=False),
                version("v1", storage=False, served=False),
            )
        )[:2],
        until(
            get("/apis/{group}"),
            has={"versions": [{"version": name} for name in ("v10", "v2", "v2beta10", "v2beta3", "v1alpha1", "foo")]},
        ),
        get("/apis/{group}/v1"),
        get("/apis/{group}/v1/things"),
    ),
    script(
        "a version that is no longer served",
        "DISC-3 CRD-4",
        *defined(definition(version(), version("v2", storage=False)))[:1],
        until(get("/apis/{group}/v2"), has={"resources": [{"name": "things"}]}),
        patch(
            "{crds}/things.{group}",
            "json",
            [{"op": "replace", "path": "/spec/versions/1/served", "value": False}],
            only="kind",
        ),
        until(get("/apis/{group}/v2"), code=404),
        until(get("/apis/{group}/v2/things"), code=404),
        until(get("/apis/{group}"), has={"preferredVersion": {"version": "v1"}}),
    ),
    script(
        "the resources of the shared definitions",
        "DISC-1",
        until(get(f"/apis/{GROUP}/v1", unordered="resources"), has={"resources": [{"name": "gadgets"}]}),
        get(f"/apis/{GROUP}"),
    ),
    script(
        "the version",
        "VER-1",
        get("/version", masked=("buildDate", "gitCommit", "goVersion", "platform", "gitTreeState", "compiler")),
        get("/version/", only="major"),
        post("/version"),
        get("/version/nope"),
    ),
    script(
        "health",
        "HEALTH-1",
        get("/healthz", exact=True),
        get("/livez", exact=True),
        get("/readyz", exact=True),
        get("/healthz/ping", exact=True),
        get("/livez/ping", exact=True),
        get("/readyz/ping", exact=True),
        get("/readyz/etcd", exact=True),
        get("/readyz/nope"),
        get("/healthz/", exact=True),
        get("/readyz?exclude=etcd", exact=True),
        ask("HEAD", "/healthz"),
        get("/healthz", accept="text/html", exact=True),
    ),
    script(
        "health, in words", "HEALTH-1", get("/livez?verbose"), get("/readyz?verbose=1"), get("/healthz?verbose=true")
    ),
    script(
        "the root lists paths",
        "HEALTH-1",
        get("/", only="paths"),
        get("/index.html", only="paths"),
        alone=True,
    ),
)
