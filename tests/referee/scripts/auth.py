"""Who asks, as whom, and may he: tokens, impersonation, roles and reviews.

A step with an `Authorization` of its own goes without the administrator's credentials; an empty one is nobody's. The
real server hears of roles and bindings a moment late, so that the first step that needs one is repeated until it does.
"""

from typing import Any

from tests.referee.language import Ask, Step, ask, delete, edited, get, patch, post, put, script, until, watch

RBAC = "/apis/rbac.authorization.k8s.io/v1"
ROLES = f"{RBAC}/namespaces/{{ns}}/roles"
BINDINGS = f"{RBAC}/namespaces/{{ns}}/rolebindings"
CLUSTER_ROLES = f"{RBAC}/clusterroles"
CLUSTER_BINDINGS = f"{RBAC}/clusterrolebindings"
WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews"
TOKEN_REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews"
ACCESS = "/apis/authorization.k8s.io/v1"
TOKEN = "{serviceaccounts}/bob/token"
NOBODY = {"Authorization": ""}
BOB = {"Authorization": "Bearer {token.status.token}"}
Document = dict[str, Any]


def as_user(name: str, group: str = "", **more: str) -> dict[str, str]:
    """Headers by which the administrator acts as somebody."""
    headers = {"Impersonate-User": name} | ({"Impersonate-Group": group} if group else {})
    return headers | {key.replace("_", "-"): value for key, value in more.items()}


JANE = as_user("jane-{own}")


def token(body: Any, path: str = TOKEN, **more: Any) -> Ask:
    """A request for a token: made when it is asked for, though it bears the uid of the account."""
    return post(path, body, masked="metadata creationTimestamp", **more)


def documents(*given: Document) -> tuple[Document, ...]:
    """Documents of many forms."""
    return given


def role(name: str, *rules: Document, **more: Any) -> Document:
    return {"metadata": {"name": name}, "rules": list(rules), **more}


def rule(verbs: str, resources: str, group: str = "", names: str = "") -> Document:
    found = {"verbs": verbs.split(), "resources": resources.split(), "apiGroups": [group]}
    return found | ({"resourceNames": names.split()} if names else {})


def binding(name: str, ref: str, *subjects: Document) -> Document:
    kind, _, bound = ref.partition("/")
    return {"metadata": {"name": name}, "roleRef": {"kind": kind, "name": bound}, "subjects": list(subjects)}


def user(name: str) -> Document:
    return {"kind": "User", "name": name}


def account(name: str = "bob") -> Document:
    return {"kind": "ServiceAccount", "name": name, "namespace": "{ns}"}


def review(kind: str, spec: Document, **more: Any) -> Step:
    place = "namespaces/{ns}/local" if kind == "local" else kind
    return post(f"{ACCESS}/{place}subjectaccessreviews", {"spec": spec}, **more)


def attributes(verb: str, resource: str, **more: Any) -> Document:
    return {"resourceAttributes": {"verb": verb, "resource": resource, "namespace": "{ns}", **more}}


def granted(name: str, *rules: Document, headers: dict[str, str] = JANE, subject: Document | None = None) -> list[Step]:
    """A role in the namespace, bound to jane or somebody else, and heeded."""
    who = subject or user("jane-{own}")
    made: list[Step] = [post(ROLES, role(name, *rules)), post(BINDINGS, binding(name, f"Role/{name}", who))]
    return [*made, until(get("{configmaps}", headers=headers, only="kind"), code=200)]


def cluster_granted(name: str, *rules: Document, subject: Document) -> list[Step]:
    made = [
        post(CLUSTER_ROLES, role(f"{name}-{{own}}", *rules)),
        post(CLUSTER_BINDINGS, binding(f"{name}-{{own}}", f"ClusterRole/{name}-{{own}}", subject)),
    ]
    return [*made]


SETUP_BOB: tuple[Step, ...] = (
    post("{serviceaccounts}", {"metadata": {"name": "bob"}}, keep="bob"),
    token({}, keep="token"),
)
LIST = rule("list", "configmaps")

SCRIPTS = (
    script(
        "nobody may look at health and version",
        "AUTHN-1 AUTHZ-1 HEALTH-1 VER-1",
        *(get(path, headers=NOBODY, only="major") for path in ("/healthz", "/livez", "/readyz", "/version")),
        *(
            get(path, headers=NOBODY)
            for path in (
                *("/", "/api", "/apis", "/api/v1", "/apis/apps/v1", "/openapi/v2", "/openapi/v3", "/metrics", "/nope"),
                *("/healthz/ping", "/livez/x", "/openid/v1/jwks", "/.well-known/openid-configuration"),
                *("/a%20b%3Cc%3E", "//", "/apis/apps"),
            )
        ),
        post("/version", {}, headers=NOBODY),
        ask("HEAD", "/healthz", headers=NOBODY),
        ask("DELETE", "/healthz", headers=NOBODY),
        ask("OPTIONS", "/nope", headers=NOBODY),
    ),
    script(
        "nobody may touch objects",
        "AUTHN-1 AUTHZ-1 ERR-1",
        get("{configmaps}", headers=NOBODY),
        get("{configmaps}/a", headers=NOBODY),
        get("{configmaps}?watch=1", headers=NOBODY),
        get("{configmaps}/a?watch=1", headers=NOBODY),
        get("{configmaps}?fieldSelector=metadata.name%3Da", headers=NOBODY),
        get("{configmaps}?fieldSelector=metadata.name%21%3Da", headers=NOBODY),
        get("/api/v1/watch/configmaps", headers=NOBODY),
        get("/api/v1/watch/namespaces/{ns}/configmaps/a", headers=NOBODY),
        post("{configmaps}", {"metadata": {"name": "a"}}, headers=NOBODY),
        post("{configmaps}", b"nonsense", headers=NOBODY),
        post("{configmaps}", {}, content_type="text/plain", headers=NOBODY),
        put("{configmaps}/a", {}, headers=NOBODY),
        patch("{configmaps}/a", "merge", {}, headers=NOBODY),
        delete("{configmaps}/a", headers=NOBODY),
        delete("{configmaps}", headers=NOBODY),
        get("{deployments}/a/scale", headers=NOBODY),
        put("{namespace}/finalize", {}, headers=NOBODY),
        get("{namespace}", headers=NOBODY),
        get("/api/v1/namespaces", headers=NOBODY),
        get("/api/v1/nodes", headers=NOBODY),
        get("/api/v1/namespaces/{ns}/nope", headers=NOBODY),
        get("/api/v1/namespaces/a%3Cb%26/nope/x%22y", headers=NOBODY),
        get("/apis/nope/v1/namespaces/{ns}/things/a", headers=NOBODY),
        get("/apis/apps/v9/deployments", headers=NOBODY),
        get("{widgets}", headers=NOBODY),
        get("{widgets}/a/b/c", headers=NOBODY),
        ask("OPTIONS", "{configmaps}", headers=NOBODY),
        get("{configmaps}", headers=NOBODY, accept="application/yaml"),
        get("{configmaps}", headers=NOBODY, accept="text/html"),
    ),
    script(
        "authorization headers",
        "AUTHN-1 ERR-1",
        *(
            get("{configmaps}", headers={"Authorization": value}, note=note)
            for value, note in (
                ("Bearer nope", "unknown"),
                ("bearer nope", "small"),
                ("Bearer", "no token"),
                ("Bearer  nope", "two spaces"),
                ("Bearer nope nope", "two tokens"),
                ("Basic YTpi", "basic"),
                ("nope", "no scheme"),
                ("Bearer a.b.c", "no JWT"),
                ("Bearer eyJhbGciOiJub25lIn0.e30.", "signed by nobody"),
                (
                    "Bearer eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJodHRwczovL2t1YmVybmV0ZXMuZGVmYXVsdC5zdmMifQ.AAAA",
                    "signed wrongly",
                ),
            )
        ),
        get("/healthz", headers={"Authorization": "Bearer nope"}),
        get("/nope", headers={"Authorization": "Bearer nope"}),
        post("{configmaps}", b"nonsense", headers={"Authorization": "Bearer nope"}),
    ),
    script(
        "acting as others",
        "AUTHN-1",
        *(
            post(WHO, {}, headers=headers)
            for headers in (
                as_user("jane"),
                as_user("jane", "dev"),
                as_user("jane", "dev", Impersonate_Uid="7", Impersonate_Extra_Scopes="a"),
                {"Impersonate-User": "jane", "Impersonate-Extra-example.com%2fkey": "b"},
                {"Impersonate-User": "jane", "Impersonate-Extra-a%zz": "b"},
                as_user("system:serviceaccount:{ns}:bob"),
                as_user("system:serviceaccount:{ns}:bob", "dev"),
                as_user("system:serviceaccount:{ns}"),
                as_user("system:anonymous"),
                as_user("jane", "system:unauthenticated"),
                as_user("jane", "system:authenticated"),
                as_user("jane", "system:masters"),
                as_user("system:node:n1"),
                as_user("system:node:n1", "system:nodes"),
                {"Impersonate-Group": "dev"},
                {"Impersonate-Uid": "7"},
                {"Impersonate-Extra-Scopes": "a"},
            )
        ),
        get("{configmaps}", headers=as_user("jane")),
        get("{configmaps}", headers=as_user('ja"ne <x>')),
        get("{configmaps}", headers=as_user("jane", "system:masters"), only="kind"),
        get("{configmaps}", headers={**NOBODY, **as_user("jane")}),
        get("{configmaps}", headers={"Authorization": "Bearer nope", **as_user("jane")}),
    ),
    script(
        "who may act as whom",
        "AUTHN-1 AUTHZ-1",
        *(
            get(path, headers=BOB | headers)
            for path, headers in (
                ("{configmaps}", as_user("jane")),
                ("{configmaps}", as_user("jane", "dev")),
                ("{configmaps}/a", as_user("system:serviceaccount:{ns}:eve")),
                ("{configmaps}", as_user("system:node:n1")),
                ("{configmaps}", as_user("system:node:n1", "system:nodes")),
                ("/nope", as_user("jane")),
            )
        ),
        *cluster_granted("old", rule("impersonate", "users", names="jane kim"), subject=account()),
        until(
            get("/nope", headers=BOB | as_user("jane")),
            code=403,
            has={"message": 'forbidden: User "jane" cannot get path "/nope"'},
        ),
        get("{configmaps}", headers=BOB | as_user("jane")),
        get("{configmaps}", headers=BOB | as_user("lea")),
        get("{configmaps}", headers=BOB | as_user("jane", "dev")),
        get("{configmaps}", headers=BOB | as_user("jane", Impersonate_Uid="7")),
        get("{configmaps}", headers=BOB | as_user("jane", Impersonate_Extra_Scopes="a")),
        get("{configmaps}", headers=BOB | as_user("system:serviceaccount:{ns}:eve")),
        setup=SETUP_BOB,
    ),
    script(
        "who may act as whom for what",
        "AUTHN-1 AUTHZ-1",
        *cluster_granted(
            "new",
            rule("impersonate:user-info", "users", "authentication.k8s.io", names="kim"),
            rule("impersonate:user-info", "groups", "authentication.k8s.io", names="dev"),
            rule("impersonate-on:user-info:list", "configmaps"),
            subject=account(),
        ),
        until(
            get("{configmaps}", headers=BOB | as_user("kim")),
            code=403,
            has={
                "message": 'configmaps is forbidden: User "kim" cannot list resource "configmaps" in API group "" '
                'in the namespace "{ns}"'
            },
        ),
        get("{configmaps}", headers=BOB | as_user("lea")),
        get("{secrets}", headers=BOB | as_user("kim")),
        get("{configmaps}", headers=BOB | as_user("kim", "dev")),
        get("{configmaps}", headers=BOB | as_user("kim", "ops")),
        get("{configmaps}", headers=BOB | as_user("kim", "system:masters")),
        get("{configmaps}", headers=BOB | as_user("kim", Impersonate_Uid="7")),
        get("{configmaps}", headers=BOB | as_user("kim", Impersonate_Extra_Scopes="a")),
        get("{configmaps}", headers=BOB | {"Impersonate-User": "kim", "Impersonate-Extra-a.b%2fc": "d"}),
        get("{configmaps}", headers=BOB | {"Impersonate-User": "kim", "Impersonate-Extra-A_%2fc": "d"}),
        setup=SETUP_BOB,
    ),
    script(
        "a role in a namespace",
        "AUTHZ-1",
        *granted(
            "r",
            rule("get list create delete", "configmaps"),
            rule("patch", "configmaps", names="a b"),
            rule("get", "*/scale", "apps"),
            rule("get", "deployments/status", "apps"),
            rule("get", "namespaces"),
        ),
        post("{configmaps}", {"metadata": {"name": "a"}}, headers=JANE, only="metadata name"),
        get("{configmaps}/a", headers=JANE, only="metadata name"),
        patch("{configmaps}/a", "merge", {"data": {"k": "v"}}, headers=JANE, only="data"),
        patch("{configmaps}/c", "merge", {"data": {"k": "v"}}, headers=JANE),
        put("{configmaps}/a", {"metadata": {"name": "a"}}, headers=JANE),
        watch("w", "{configmaps}?watch=1", headers=JANE),
        delete("{configmaps}", headers=JANE),
        delete("{configmaps}/a", headers=JANE, only="status"),
        get("{configmaps}/a", headers=JANE),
        get("{secrets}", headers=JANE),
        get("/api/v1/configmaps", headers=JANE),
        get("/api/v1/namespaces/default/configmaps", headers=JANE),
        get("{namespace}", headers=JANE, only="metadata name"),
        get("{namespaces}", headers=JANE),
        get("{deployments}/d/scale", headers=JANE),
        get("{deployments}/d", headers=JANE),
        get("{deployments}/d/status", headers=JANE),
        get("{pods}/p/log", headers=JANE),
        get("{pods}/p", headers=JANE),
        get("{pods}/p/exec", headers=JANE),
    ),
    script(
        "a role for some names",
        "AUTHZ-1",
        *granted("r", rule("list", "configmaps"), rule("list watch get deletecollection", "secrets", names="a")),
        get("{secrets}/a", headers=JANE),
        get("{secrets}/b", headers=JANE),
        get("{secrets}", headers=JANE),
        get("{secrets}?fieldSelector=metadata.name%3Da", headers=JANE, only="kind"),
        get("{secrets}?fieldSelector=metadata.name%3Da,type%3DOpaque", headers=JANE, only="kind"),
        get("{secrets}?fieldSelector=metadata.name%3Db", headers=JANE),
        get("{secrets}?fieldSelector=type%3DOpaque", headers=JANE),
        get("{secrets}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Db", headers=JANE),
        delete("{secrets}?fieldSelector=metadata.name%3Da", headers=JANE),
    ),
    script(
        "a role of the cluster, everywhere and in one place",
        "AUTHZ-1",
        post(
            CLUSTER_ROLES,
            role(
                "c-{own}", rule("list", "configmaps"), {"verbs": ["get"], "nonResourceURLs": ["/x-{own}", "/y-{own}/*"]}
            ),
        ),
        post(BINDINGS, binding("b", "ClusterRole/c-{own}", user("jane-{own}"))),
        post(CLUSTER_BINDINGS, binding("b-{own}", "ClusterRole/c-{own}", {"kind": "Group", "name": "dev-{own}"})),
        until(get("{configmaps}", headers=JANE, only="kind"), code=200),
        get("/api/v1/configmaps", headers=JANE),
        get("/x-{own}", headers=JANE),
        until(get("/api/v1/namespaces/default/configmaps", headers=as_user("joe", "dev-{own}"), only="kind"), code=200),
        get("/api/v1/configmaps", headers=as_user("joe", "dev-{own}"), only="kind"),
        *(
            get(path, headers=as_user("joe", "dev-{own}"))
            for path in ("/x-{own}", "/x-{own}/z", "/y-{own}", "/y-{own}/", "/y-{own}/z", "/y-{own}z")
        ),
        post("/x-{own}", {}, headers=as_user("joe", "dev-{own}")),
        delete(f"{CLUSTER_BINDINGS}/b-{{own}}", only="status"),
        until(get("/api/v1/configmaps", headers=as_user("joe", "dev-{own}")), code=403),
    ),
    script(
        "roles that are missing are told",
        "AUTHZ-1 ERR-1",
        post(BINDINGS, binding("b", "Role/gone", user("jane-{own}"))),
        post(BINDINGS, binding("c", "ClusterRole/lost", user("jane-{own}"))),
        until(
            get("{configmaps}", headers=JANE),
            code=403,
            has={
                "message": 'configmaps is forbidden: User "jane-{own}" cannot list resource "configmaps" in API group '
                '"" in the namespace "{ns}": RBAC: [role.rbac.authorization.k8s.io "gone" not found, '
                'clusterrole.rbac.authorization.k8s.io "lost" not found]'
            },
        ),
        setup=(),
    ),
    script(
        "tokens of a service account",
        "AUTHN-1",
        token({"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}),
        token({}),
        token({"spec": {"audiences": ["a", "b"], "expirationSeconds": 600}}),
        token(
            {
                "metadata": {
                    "name": "bob",
                    "namespace": "{ns}",
                    "uid": "{bob.metadata.uid}",
                    "labels": {"a": "b"},
                    "generateName": "x-",
                },
                "spec": {"expirationSeconds": 7200},
                "status": {"token": "x"},
            },
        ),
        token({}, f"{TOKEN}?dryRun=All"),
        post(f"{TOKEN}?fieldValidation=Strict", {"spec": {"nope": 1}}),
        token({"spec": {"nope": 1}}),
        *(
            token(body)
            for body in (
                {"spec": {"expirationSeconds": 599}},
                {"spec": {"expirationSeconds": -1}},
                {"spec": {"expirationSeconds": 4294967297}},
                {"spec": {"expirationSeconds": "x"}},
                {"metadata": {"name": "eve"}},
                {"metadata": {"namespace": "other"}},
                {"metadata": {"uid": "other"}},
                {"kind": "Pod", "apiVersion": "v1"},
                {"kind": "TokenRequest", "apiVersion": "authentication.k8s.io/v2"},
                b"nonsense",
            )
        ),
        post("{serviceaccounts}/eve/token", {}),
        post("/api/v1/namespaces/nope/serviceaccounts/bob/token", {}),
        get(TOKEN),
        put(TOKEN, {}),
        delete(TOKEN),
        post("{serviceaccounts}/token", {}),
        setup=SETUP_BOB,
    ),
    script(
        "what a token is bound to",
        "AUTHN-1",
        post("{secrets}", {"metadata": {"name": "s"}}, keep="secret", only="metadata name"),
        *(
            token({"spec": {"boundObjectRef": ref}})
            for ref in (
                {"kind": "Secret", "apiVersion": "v1", "name": "s"},
                {"kind": "Secret", "apiVersion": "v1", "name": "s", "uid": "{secret.metadata.uid}"},
                {"kind": "Secret", "apiVersion": "v1", "name": "s", "uid": "other"},
                {"kind": "Secret", "apiVersion": "v1", "name": "nope"},
                {"kind": "Secret", "name": "s"},
                {"kind": "Pod", "apiVersion": "v1", "name": "nope"},
                {"kind": "Node", "apiVersion": "v1", "name": "nope"},
                {"kind": "ConfigMap", "apiVersion": "v1", "name": "s"},
                {"kind": "Deployment", "apiVersion": "apps/v1", "name": "s"},
                {},
            )
        ),
        token({"spec": {"boundObjectRef": {"kind": "Secret", "apiVersion": "v1", "name": "s"}}}, keep="bound"),
        post(WHO, {}, headers={"Authorization": "Bearer {bound.status.token}"}),
        token(
            {"spec": {"audiences": ["x"], "boundObjectRef": {"kind": "Secret", "apiVersion": "v1", "name": "s"}}},
            keep="other",
        ),
        delete("{secrets}/s", only="status"),
        post(TOKEN_REVIEWS, {"spec": {"token": "{other.status.token}", "audiences": ["x"]}}, masked="spec"),
        post("{secrets}", {"metadata": {"name": "s"}}, only="metadata name"),
        post(TOKEN_REVIEWS, {"spec": {"token": "{other.status.token}", "audiences": ["x", "y"]}}, masked="spec"),
        setup=SETUP_BOB,
    ),
    script(
        "tokens bound to pods and nodes",
        "AUTHN-1",
        post("/api/v1/nodes", {"metadata": {"name": "n-{own}"}}, only="metadata name"),
        post(
            "{pods}",
            {
                "metadata": {"name": "p"},
                "spec": {
                    "serviceAccountName": "bob",
                    "nodeName": "n-{own}",
                    "automountServiceAccountToken": False,
                    "containers": [{"name": "c", "image": "i"}],
                },
            },
            only="metadata name",
        ),
        token({"spec": {"boundObjectRef": {"kind": "Pod", "apiVersion": "v1", "name": "p"}}}, keep="token"),
        post(WHO, {}, headers=BOB),
        token({"spec": {"boundObjectRef": {"kind": "Node", "apiVersion": "v1", "name": "n-{own}"}}}, keep="node"),
        post(WHO, {}, headers={"Authorization": "Bearer {node.status.token}"}),
        post("{serviceaccounts}", {"metadata": {"name": "eve"}}, only="metadata name"),
        post(
            "{serviceaccounts}/eve/token",
            {"spec": {"boundObjectRef": {"kind": "Pod", "apiVersion": "v1", "name": "p"}}},
        ),
        get("{configmaps}", headers=BOB | as_user("system:node:n-{own}")),
        get("{configmaps}", headers=BOB | as_user("system:node:other")),
        setup=SETUP_BOB,
    ),
    script(
        "the token of an account is its user's",
        "AUTHN-1 AUTHZ-1",
        post(WHO, {}, headers=BOB),
        get("{configmaps}", headers=BOB),
        *granted("r", LIST, headers=BOB, subject=account()),
        get("{secrets}", headers=BOB),
        token({"spec": {"audiences": ["other"]}}, keep="other"),
        get("{configmaps}", headers={"Authorization": "Bearer {other.status.token}"}),
        token({"spec": {"audiences": ["other", "https://kubernetes.default.svc"]}}, keep="both"),
        get("{configmaps}", headers={"Authorization": "Bearer {both.status.token}"}, only="kind"),
        token({}, keep="late"),
        delete("{serviceaccounts}/bob", only="metadata name"),
        until(get("{configmaps}", headers={"Authorization": "Bearer {late.status.token}"}), code=401),
        post("{serviceaccounts}", {"metadata": {"name": "bob"}}, only="metadata name"),
        get("{configmaps}", headers={"Authorization": "Bearer {late.status.token}"}),
        setup=SETUP_BOB,
    ),
    script(
        "reviews of tokens",
        "AUTHN-1",
        *(
            post(TOKEN_REVIEWS, {"spec": spec}, note=note)
            for spec, note in (
                ({"token": "{token.status.token}"}, "good"),
                ({"token": "{token.status.token}", "audiences": ["x"]}, "for others"),
                ({"token": "{token.status.token}", "audiences": ["x", "https://kubernetes.default.svc"]}, "for both"),
                ({"token": "nope"}, "unknown"),
                ({"token": "a b"}, "two"),
                ({"token": " "}, "empty"),
                ({"token": "  x"}, "spaces"),
                ({"token": "a.b.c"}, "no JWT"),
                ({"token": "{token.status.token}x"}, "changed"),
                ({}, "none"),
                ({"audiences": ["x"]}, "none for others"),
            )
        ),
        post(TOKEN_REVIEWS, {}),
        post(TOKEN_REVIEWS, {"metadata": {"name": "n", "labels": {"a": "b"}, "uid": "x"}, "spec": {"token": "nope"}}),
        post(TOKEN_REVIEWS, {"metadata": {"namespace": "x"}, "spec": {"token": "nope"}}),
        post(f"{TOKEN_REVIEWS}?dryRun=All", {"spec": {"token": "nope"}}),
        get(TOKEN_REVIEWS),
        get(f"{TOKEN_REVIEWS}/x"),
        post(f"{TOKEN_REVIEWS}/x", {}),
        delete(TOKEN_REVIEWS),
        post(TOKEN_REVIEWS, {"spec": {"token": "x"}}, headers=JANE),
        setup=SETUP_BOB,
    ),
    script(
        "who am I",
        "AUTHN-1",
        post(WHO, {}, only="status userInfo username"),
        post(WHO, {"metadata": {"name": "x", "namespace": "y"}}, only="metadata name"),
        post(WHO, {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}, headers=JANE),
        post(WHO, {"apiVersion": "v1", "kind": "Pod"}, headers=JANE),
        post(WHO, {"nope": 1}, headers=JANE),
        post(f"{WHO}?fieldValidation=Strict", {"nope": 1}, headers=JANE),
        post(WHO, {}, headers=JANE, accept="application/json;as=Table;v=v1;g=meta.k8s.io"),
        post(WHO, {}, headers=NOBODY),
        get(WHO),
    ),
    script(
        "may I",
        "AUTHZ-1",
        *granted(
            "r", rule("list", "configmaps"), rule("get", "secrets", names="a"), rule("get", "pods/log", names="p")
        ),
        *(
            review("self", spec, headers=JANE)
            for spec in documents(
                attributes("list", "configmaps"),
                attributes("get", "configmaps"),
                attributes("get", "secrets"),
                attributes("get", "secrets", name="a"),
                attributes("get", "secrets", name="b"),
                attributes("get", "pods", subresource="log", name="p"),
                attributes("get", "pods", name="p"),
                attributes("list", "configmaps", version="v9"),
                attributes("list", "configmaps", group="x"),
                {"resourceAttributes": {}},
                {"resourceAttributes": {"verb": "list", "resource": "configmaps"}},
                {"nonResourceAttributes": {"path": "/api", "verb": "get"}},
                {"nonResourceAttributes": {"path": "/nope", "verb": "get"}},
                {"nonResourceAttributes": {}},
                {},
                {"nonResourceAttributes": {"path": "/x"}, "resourceAttributes": {}},
            )
        ),
        review("self", attributes("list", "configmaps")),
        review("self", attributes("list", "configmaps"), headers=NOBODY),
    ),
    script(
        "may he",
        "AUTHZ-1",
        *granted("r", rule("list", "configmaps")),
        *(
            review("", spec)
            for spec in (
                {"user": "jane-{own}", **attributes("list", "configmaps")},
                {"user": "joe", **attributes("list", "configmaps")},
                {"user": "joe", "groups": ["system:masters"], **attributes("list", "configmaps")},
                {"groups": ["system:authenticated"], "nonResourceAttributes": {"path": "/api/x", "verb": "get"}},
                {"user": "joe", "uid": "7", "extra": {"A": ["b"]}, **attributes("list", "configmaps")},
                {"user": "joe", "extra": {"A": [], "b": None}, **attributes("list", "configmaps")},
                attributes("list", "configmaps"),
                {"user": "", "groups": [], **attributes("list", "configmaps")},
                {"user": "joe"},
                {},
            )
        ),
        *(
            review("local", spec)
            for spec in (
                {"user": "jane-{own}", **attributes("list", "configmaps")},
                {"user": "joe", "resourceAttributes": {"verb": "get", "namespace": "other"}},
                {"user": "joe", "resourceAttributes": {"verb": "get"}},
                {"user": "joe", "nonResourceAttributes": {"path": "/x", "verb": "get"}},
                {},
            )
        ),
        post(
            f"{ACCESS}/namespaces/nope/localsubjectaccessreviews",
            {"spec": {"user": "a", "resourceAttributes": {"namespace": "nope"}}},
        ),
        post(f"{ACCESS}/namespaces/{{ns}}/localsubjectaccessreviews", {"metadata": {"namespace": "other"}}),
        post(f"{ACCESS}/localsubjectaccessreviews", {}),
        post(f"{ACCESS}/namespaces/{{ns}}/subjectaccessreviews", {}),
        post(f"{ACCESS}/selfsubjectaccessreviews/x", {}),
        post(f"{ACCESS}/selfsubjectaccessreviews", {"metadata": {"name": "x"}, "spec": {"resourceAttributes": {}}}),
        post(
            f"{ACCESS}/namespaces/{{ns}}/localsubjectaccessreviews",
            {"metadata": {"name": "x"}, "spec": {"user": "a", **attributes("get", "pods")}},
        ),
        get(f"{ACCESS}/subjectaccessreviews"),
        review("", {"user": "joe", **attributes("list", "configmaps")}, headers=JANE),
    ),
    script(
        "selectors in reviews",
        "AUTHZ-1",
        *(
            review("", {"user": "joe", "resourceAttributes": {"fieldSelector": fields, "labelSelector": labels}})
            for fields, labels in (
                ({"rawSelector": "a=b"}, {"rawSelector": "a in (b)"}),
                ({"rawSelector": "a in"}, {"rawSelector": "a in"}),
                ({}, {}),
                (
                    {"rawSelector": "a=b", "requirements": [{"key": "a", "operator": "In", "values": ["b"]}]},
                    {"rawSelector": "a=b", "requirements": [{"key": "a", "operator": "In", "values": ["b"]}]},
                ),
                (
                    {"requirements": [{"key": "a", "operator": "In", "values": ["b"]}]},
                    {
                        "requirements": [
                            {"key": "a", "operator": "Exists"},
                            {"key": "b", "operator": "NotIn", "values": ["c"]},
                        ]
                    },
                ),
                (
                    {
                        "requirements": [
                            {"key": "", "operator": "In"},
                            {"key": "a", "operator": "Exists", "values": ["b"]},
                        ]
                    },
                    {
                        "requirements": [
                            {"key": "!", "operator": "In"},
                            {"key": "a", "operator": "Exists", "values": ["b"]},
                        ]
                    },
                ),
                (
                    {
                        "requirements": [
                            {"key": "a", "operator": "Foo"},
                            {"key": "k", "operator": "In", "values": ["c"]},
                        ]
                    },
                    {"requirements": [{"key": "a", "operator": "Foo"}]},
                ),
                (
                    {"requirements": [{"key": "a", "operator": "Exists"}]},
                    {"requirements": [{"key": "a", "operator": "In", "values": ["&"]}]},
                ),
                (
                    {"requirements": [{"key": "a", "operator": "NotIn", "values": ["b", "c"]}]},
                    {"requirements": [{"key": "a", "operator": "In", "values": ["b", "c"]}]},
                ),
            )
        ),
    ),
    script(
        "what may I",
        "AUTHZ-1",
        *granted(
            "r", rule("list", "configmaps"), rule("get", "secrets", names="a b"), rule("get list", "pods pods/log", "*")
        ),
        post(
            f"{ACCESS}/selfsubjectrulesreviews",
            {"spec": {"namespace": "{ns}"}},
            headers=JANE,
            unordered=("status resourceRules", "status nonResourceRules"),
        ),
        post(
            f"{ACCESS}/selfsubjectrulesreviews",
            {"metadata": {"name": "x"}, "spec": {"namespace": "nope"}},
            headers=as_user("joe", "system:unauthenticated"),
            unordered=("status resourceRules", "status nonResourceRules"),
        ),
        post(f"{ACCESS}/selfsubjectrulesreviews", {}, headers=JANE),
        post(f"{ACCESS}/selfsubjectrulesreviews", {"spec": {"namespace": 1}}, headers=JANE),
        get(f"{ACCESS}/selfsubjectrulesreviews"),
        post(BINDINGS, binding("b", "Role/gone", user("jim-{own}"))),
        until(
            post(
                f"{ACCESS}/selfsubjectrulesreviews",
                {"spec": {"namespace": "{ns}"}},
                headers=as_user("jim-{own}"),
                unordered=("status resourceRules", "status nonResourceRules"),
            ),
            code=201,
            has={"status": {"evaluationError": 'role.rbac.authorization.k8s.io "gone" not found'}},
        ),
    ),
    script(
        "nobody gives what he has not",
        "AUTHZ-1",
        *granted(
            "r",
            rule("list get", "configmaps"),
            rule("get create update patch", "*", "rbac.authorization.k8s.io"),
            rule("get", "secrets", names="a"),
        ),
        post(ROLES, role("a", rule("get", "configmaps"), rule("get", "secrets", names="a")), headers=JANE),
        post(ROLES, role("b", rule("get list", "configmaps secrets")), headers=JANE),
        post(ROLES, role("b", rule("get", "secrets", names="a b"), rule("update", "secrets", names="b")), headers=JANE),
        post(ROLES, role("b", rule("*", "*", "*"), rule("get", "pods/log")), headers=JANE),
        post(ROLES, role("b", {}), headers=JANE),
        post(ROLES, role("b/c", rule("x", "y")), headers=JANE),
        put(f"{ROLES}/a", role("a", rule("*", "configmaps")), headers=JANE),
        put(f"{ROLES}/new", role("new", rule("*", "configmaps")), headers=JANE),
        put(f"{ROLES}/new", role("new", rule("get", "configmaps")), headers=JANE),
        patch(f"{ROLES}/a", "merge", {"rules": [rule("delete", "pods")]}, headers=JANE),
        patch(
            f"{ROLES}/a",
            "merge",
            {"metadata": {"finalizers": ["example.com/a"]}},
            headers=JANE,
            only="metadata finalizers",
        ),
        patch(f"{ROLES}/r", "merge", {"metadata": {"labels": {"a": "b"}}}, headers=JANE, only="metadata labels"),
        post(BINDINGS, binding("x", "Role/a", user("joe")), headers=JANE),
        post(BINDINGS, binding("y", "ClusterRole/cluster-admin", user("joe")), headers=JANE),
        post(BINDINGS, binding("y", "Role/gone", user("joe")), headers=JANE),
        post(BINDINGS, binding("y", "ClusterRole/gone", user("joe")), headers=JANE),
        post(BINDINGS, binding("y", "Pod/gone", user("joe")), headers=JANE),
        put(f"{BINDINGS}/x", binding("x", "Role/a", user("jim")), headers=JANE),
        put(f"{BINDINGS}/x", binding("x", "ClusterRole/cluster-admin", user("jim")), headers=JANE),
        post(ROLES, role("grow", rule("escalate", "roles", "rbac.authorization.k8s.io", names="a new"))),
        post(ROLES, role("tie", rule("bind", "clusterroles", "rbac.authorization.k8s.io", names="cluster-admin"))),
        post(BINDINGS, binding("grow", "Role/grow", user("jane-{own}"))),
        post(BINDINGS, binding("tie", "Role/tie", user("jane-{own}"))),
        until(patch(f"{ROLES}/a", "merge", {"rules": [rule("delete", "pods")]}, headers=JANE), code=200),
        post(ROLES, role("c", rule("delete", "pods")), headers=JANE),
        until(post(BINDINGS, binding("z", "ClusterRole/cluster-admin", user("joe")), headers=JANE), code=201),
        post(BINDINGS, binding("q", "ClusterRole/admin", user("joe")), headers=JANE, only="kind"),
    ),
    script(
        "nobody gives more than he has to the cluster",
        "AUTHZ-1",
        *cluster_granted(
            "r",
            rule("list", "configmaps"),
            rule("get create update patch", "*", "rbac.authorization.k8s.io"),
            subject=user("jane-{own}"),
        ),
        until(get("{configmaps}", headers=JANE, only="kind"), code=200),
        post(CLUSTER_ROLES, role("a-{own}", rule("list", "configmaps")), headers=JANE),
        post(CLUSTER_ROLES, role("b-{own}", rule("list", "configmaps secrets")), headers=JANE),
        post(
            CLUSTER_ROLES,
            role("b-{own}", {"nonResourceURLs": ["/x", "/y/*"], "verbs": ["get", "put"]}),
            headers=JANE,
        ),
        post(
            CLUSTER_ROLES,
            role("b-{own}", aggregationRule={"clusterRoleSelectors": [{"matchLabels": {"a": "b"}}]}),
            headers=JANE,
        ),
        post(CLUSTER_BINDINGS, binding("a-{own}", "ClusterRole/a-{own}", user("joe")), headers=JANE),
        post(CLUSTER_BINDINGS, binding("b-{own}", "ClusterRole/cluster-admin", user("joe")), headers=JANE),
        post(CLUSTER_BINDINGS, binding("b-{own}", "Role/a", user("joe")), headers=JANE),
        post(CLUSTER_BINDINGS, binding("b-{own}", "ClusterRole/gone", user("joe")), headers=JANE),
        post(CLUSTER_BINDINGS, binding("b-{own}", "Pod/x", user("joe")), headers=JANE),
    ),
    script(
        "roles that are none",
        "AUTHZ-1 ERR-1",
        *(
            post(ROLES, role("a", each))
            for each in documents(
                {},
                {"verbs": []},
                {"verbs": ["get"]},
                {"verbs": ["get"], "resources": ["pods"]},
                {"verbs": ["get"], "apiGroups": [""]},
                {"verbs": ["get"], "nonResourceURLs": ["/x"]},
                {"verbs": ["get"], "nonResourceURLs": ["/x"], "apiGroups": [""], "resources": ["pods"]},
                {"resourceNames": ["a"]},
            )
        ),
        post(ROLES, {"metadata": {"name": "a"}}),
        post(ROLES, {"metadata": {"name": "A:b"}, "rules": None}),
        post(ROLES, {"metadata": {"name": "a%b"}, "rules": None}),
        post(ROLES, {"metadata": {"generateName": "x/"}}),
        post(CLUSTER_ROLES, role("a-{own}", {"verbs": ["get"], "nonResourceURLs": ["/x"], "resourceNames": ["pods"]})),
        post(CLUSTER_ROLES, role("a-{own}", aggregationRule={})),
        post(CLUSTER_ROLES, role("a-{own}", aggregationRule={"clusterRoleSelectors": []})),
        post(
            CLUSTER_ROLES,
            role(
                "a-{own}",
                aggregationRule={
                    "clusterRoleSelectors": [
                        {"matchLabels": {"a b": "c"}},
                        {"matchExpressions": [{"key": "a", "operator": "Foo"}]},
                        {"matchExpressions": [{"key": "a", "operator": "In"}]},
                    ]
                },
            ),
        ),
        put(f"{ROLES}/new", role("new", rule("get", "pods"))),
        put(f"{ROLES}/new", role("new", {})),
        patch(f"{ROLES}/new", "merge", {"rules": [{}]}),
        patch(f"{ROLES}/new", "strategic", {"rules": [rule("list", "pods")]}),
        get(ROLES, accept="application/json;as=Table;v=v1;g=meta.k8s.io"),
    ),
    script(
        "bindings that are none",
        "AUTHZ-1 ERR-1",
        *(
            post(BINDINGS, {"metadata": {"name": "a"}, "roleRef": ref, "subjects": subjects})
            for ref, subjects in (
                ({}, []),
                ({"kind": "Role"}, []),
                ({"kind": "Pod", "name": "a"}, []),
                ({"kind": "Role", "name": "a/b"}, []),
                ({"kind": "Role", "name": "a", "apiGroup": "x"}, []),
                ({"kind": "Role", "name": "a"}, [{}]),
                ({"kind": "Role", "name": "a"}, [{"kind": "User"}]),
                ({"kind": "Role", "name": "a"}, [{"kind": "Group", "name": "x", "apiGroup": "y"}]),
                ({"kind": "Role", "name": "a"}, [{"kind": "Nobody", "name": "x"}]),
                ({"kind": "Role", "name": "a"}, [{"kind": "ServiceAccount", "name": "A_b", "apiGroup": "y"}]),
                (
                    {"kind": "Role", "name": "a"},
                    [{"kind": "ServiceAccount", "name": "b"}, user("x"), {"kind": "Group", "name": "g"}],
                ),
            )
        ),
        post(BINDINGS, {"metadata": {"name": "b"}}),
        *(
            post(CLUSTER_BINDINGS, {"metadata": {"name": "a-{own}"}, "roleRef": ref, "subjects": subjects})
            for ref, subjects in (
                ({"kind": "Role", "name": "a"}, None),
                ({"kind": "ClusterRole", "name": "a"}, [{"kind": "ServiceAccount", "name": "b"}]),
                ({"kind": "ClusterRole", "name": "a"}, [{"kind": "ServiceAccount", "name": "b", "namespace": "{ns}"}]),
            )
        ),
        get(f"{BINDINGS}/a", keep="a"),
        put(f"{BINDINGS}/a", edited("a", {"subjects": []})),
        put(f"{BINDINGS}/a", edited("a", {"roleRef": {"name": "other"}, "metadata": {"resourceVersion": None}})),
        patch(f"{BINDINGS}/a", "merge", {"roleRef": {"kind": "ClusterRole"}}),
        patch(f"{CLUSTER_BINDINGS}/a-{{own}}", "merge", {"roleRef": {"name": "x"}}),
        put(f"{BINDINGS}/new", binding("new", "Role/a", user("x"))),
        get(BINDINGS, accept="application/json;as=Table;v=v1;g=meta.k8s.io"),
    ),
    script(
        "what every cluster allows",
        "AUTHZ-1",
        *(
            get(
                f"{RBAC}/{plural}?labelSelector=kubernetes.io%2Fbootstrapping%3Drbac-defaults",
                only=(
                    "items * metadata name",
                    "items * metadata namespace",
                    "items * metadata labels",
                    "items * metadata annotations",
                    *(f"items * {part}" for part in ("rules", "aggregationRule", "roleRef", "subjects")),
                ),
            )
            for plural in ("clusterroles", "clusterrolebindings", "roles", "rolebindings")
        ),
        get(f"{CLUSTER_ROLES}/view"),
        get(f"{CLUSTER_BINDINGS}/cluster-admin", accept="application/json;as=Table;v=v1;g=meta.k8s.io"),
    ),
    script(
        "who signs tokens",
        "OIDC-1",
        get("/openid/v1/jwks", accept="*/*", masked=("keys * kid", "keys * x", "keys * y")),
        get("/openid/v1/jwks"),
        get("/openid/v1/jwks/x"),
        get("/openid/v1"),
        get("/.well-known/openid-configuration", masked="jwks_uri"),
        get("/.well-known/openid-configuration/", accept="text/html"),
        get("/.well-known"),
        post("/openid/v1/jwks", {}),
        get("/openapi/v3/openid/v1/jwks", without="** description"),
        get("/openapi/v3/.well-known/openid-configuration", without="** description"),
    ),
)
