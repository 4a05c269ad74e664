"""What controllers do for accounts and roles."""

from tests.referee.language import delete, get, patch, post, script, until
from tests.referee.scripts.auth import CLUSTER_ROLES, role, rule

CONTROLLERS = True
TYPE = "kubernetes.io/service-account-token"
OF_BOB = {"annotations": {"kubernetes.io/service-account.name": "bob"}}
AGGREGATE = {"clusterRoleSelectors": [{"matchLabels": {"{own}": "yes"}}, {"matchLabels": {"{own}-too": "yes"}}]}

SCRIPTS = (
    script(
        "a role gathers the rules of others",
        "AUTHZ-1",
        post(CLUSTER_ROLES, role("all-{own}", aggregationRule=AGGREGATE), only="rules"),
        post(
            CLUSTER_ROLES,
            {
                "metadata": {"name": "b-{own}", "labels": {"{own}": "yes"}},
                "rules": [rule("get", "b"), rule("get", "x")],
            },
            only="rules",
        ),
        until(get(f"{CLUSTER_ROLES}/all-{{own}}", only="rules"), has={"rules": (rule("get", "b"), rule("get", "x"))}),
        post(
            CLUSTER_ROLES,
            {
                "metadata": {"name": "a-{own}", "labels": {"{own}": "yes", "{own}-too": "yes"}},
                "rules": [rule("get", "x"), rule("get", "a")],
            },
            only="rules",
        ),
        until(get(f"{CLUSTER_ROLES}/all-{{own}}", only="rules"), has={"rules": (None, None, None)}),
        patch(f"{CLUSTER_ROLES}/all-{{own}}", "merge", {"rules": [rule("get", "mine")]}, only="kind"),
        until(get(f"{CLUSTER_ROLES}/all-{{own}}", only="rules"), has={"rules": (None, None, None)}),
        delete(f"{CLUSTER_ROLES}/b-{{own}}", only="status"),
        until(get(f"{CLUSTER_ROLES}/all-{{own}}", only="rules"), has={"rules": (None, None)}),
    ),
    script(
        "roles of every cluster are gathered",
        "AUTHZ-1",
        *(
            until(get(f"{CLUSTER_ROLES}/{name}", only=("rules", "metadata labels")), has={"rules": [{}]})
            for name in ("view", "edit", "admin")
        ),
    ),
    script(
        "a token in a secret",
        "AUTHN-1",
        post("{secrets}", {"metadata": {"name": "s", **OF_BOB}, "type": TYPE}, only="type"),
        until(
            get("{secrets}/s", masked="data *", without=("data ca.crt", "metadata managedFields")),
            has={"data": {"token": None, "namespace": None}},
        ),
        get("{secrets}/s", keep="s", only="data namespace"),
        post("{secrets}", {"metadata": {"name": "t"}, "type": TYPE}),
        post(
            "{secrets}",
            {"metadata": {"name": "u", "annotations": {"kubernetes.io/service-account.name": "eve"}}, "type": TYPE},
            only="type",
        ),
        until(get("{secrets}/u"), code=404),
        delete("{serviceaccounts}/bob", only="metadata name"),
        until(get("{secrets}/s"), code=404),
        setup=(post("{serviceaccounts}", {"metadata": {"name": "bob"}}),),
    ),
)
