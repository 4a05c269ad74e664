"""kubectl on the embedded cluster prints what it prints on a real one.

Each story is a sequence of commands that is run on both; what they print is compared line by line, with what must
differ (identifiers, times, ports, resourceVersions) masked. Descriptions in `explain` are texts of Kubernetes and not
ours to carry: there, fields and types are compared.
"""

import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from kubewright.cluster import Cluster
from kubewright.testing.beside import beside
from kubewright.testing.kubectl import run_kubectl
from kubewright.testing.real import RealCluster

pytestmark = pytest.mark.real

CRD = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.shop.example.com}
spec:
  group: shop.example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd], categories: [all]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}
    additionalPrinterColumns:
    - {name: Size, type: integer, jsonPath: .spec.size}
    - {name: Color, type: string, jsonPath: .spec.color, priority: 1}
    - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
    schema:
      openAPIV3Schema:
        type: object
        description: A widget.
        properties:
          spec:
            type: object
            description: What is wanted.
            required: [size]
            properties:
              size: {type: integer, minimum: 0, description: How large.}
              color: {type: string, default: red, description: Which colour.}
              parts:
                type: array
                items: {type: object, properties: {name: {type: string}}}
          status:
            type: object
            properties: {size: {type: integer}, ready: {type: boolean}}
"""
WIDGET = """
apiVersion: shop.example.com/v1
kind: Widget
metadata: {name: w, labels: {app: shop}}
spec: {size: 3}
"""
CONFIGMAP = """
apiVersion: v1
kind: ConfigMap
metadata: {name: c, labels: {app: shop}, annotations: {note: "é ✓"}}
data: {a: "1", file.txt: "line\\nline\\n"}
"""

#: What differs between any two clusters, or between two moments.
MASKS = [
    (r"(?m)^I\d{4} .*reflector\.go.*\n", ""),  # how a watch ended that nobody wanted any longer
    (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "<uid>"),
    (r"resourceVersion(\"?): \"\d+\"", r"resourceVersion\1: <rv>"),
    (r"Resource Version: +\d+", "Resource Version: <rv>"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "<time>"),
    (r"https://(127\.0\.0\.1|localhost):\d+", "<server>"),
    (r"(?m) (\d+[smh])+(?= |$)", " <age>"),
    (r"/tmp/(LIVE|MERGED)-\d+/", r"/tmp/\1/"),
    (r"(LIVE|MERGED)-\d+", r"\1"),
    (r"(?m)^(---|\+\+\+) (\S+).*$", r"\1 \2"),
    (r"\t\d{4}-\d\d-\d\d .*", ""),
    (r" {2,}", " "),  # columns are as wide as what was masked
]


class Both:
    """Two clusters to which the same is done."""

    def __init__(
        self, embedded: Path, real: RealCluster, directory: Path, masks: Sequence[tuple[str, str]] = ()
    ) -> None:
        self.masks = masks or MASKS
        self.places = {"embedded": (embedded, directory / "embedded"), "real": (real.kubeconfig, directory / "real")}
        self.program = real.program
        self.namespace = ""
        self.stories = 0

    def run(self, *arguments: str, text: str | None = None, env: dict[str, str] | None = None) -> str:
        """The output, which is the same on both."""
        said = {}
        for name, (kubeconfig, cache) in self.places.items():
            words = [*arguments, *([f"--namespace={self.namespace}"] if self.namespace else [])]
            done = run_kubectl(self.program, kubeconfig, cache, words, text, env)
            said[name] = f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        shown = {name: masked(output, self.masks) for name, output in said.items()}
        assert shown["embedded"] == shown["real"], f"kubectl {' '.join(arguments)}"
        return shown["real"]

    def until(self, *arguments: str) -> None:
        """Run it on both until it succeeds there: the real server hears of roles a moment late."""
        words = [*arguments, f"--namespace={self.namespace}"]
        for kubeconfig, cache in self.places.values():
            tries = (run_kubectl(self.program, kubeconfig, cache, words).returncode for _ in range(50))
            assert 0 in tries, f"kubectl {' '.join(words)}"

    def alone(self, name: str, *arguments: str, text: str | None = None) -> None:
        """Run it on one of the two, where it succeeds."""
        kubeconfig, cache = self.places[name]
        done = run_kubectl(self.program, kubeconfig, cache, [*arguments, f"--namespace={self.namespace}"], text)
        assert done.returncode == 0, done.stderr

    def quietly(self, *arguments: str, text: str | None = None) -> dict[str, subprocess.CompletedProcess[str]]:
        """The outputs, which may differ."""
        return {
            name: run_kubectl(self.program, kubeconfig, cache, arguments, text)
            for name, (kubeconfig, cache) in self.places.items()
        }


def masked(output: str, masks: Sequence[tuple[str, str]] = MASKS) -> str:
    for pattern, replacement in masks:
        output = re.sub(pattern, replacement, output)
    return output


@pytest.fixture(scope="module")
def pair(full_cluster: RealCluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    with beside(Cluster()) as embedded:
        both = Both(embedded.kubeconfig, full_cluster, tmp_path_factory.mktemp("kubectl"))
        for done in both.quietly("apply", "-f", "-", text=CRD).values():
            assert done.returncode == 0, done.stderr
        both.run("wait", "--for=condition=Established", "crd/widgets.shop.example.com", "--timeout=20s")
        yield both
        both.quietly("delete", "crd", "widgets.shop.example.com")


@pytest.fixture
def both(pair: Both, request: pytest.FixtureRequest) -> Iterator[Both]:
    """Both clusters, with a fresh namespace of the same name in each."""
    pair.stories += 1
    name = f"{re.sub(r'[^a-z0-9]+', '-', request.node.name.lower())[:40].strip('-')}-{pair.stories}"
    pair.run("create", "-f", "-", text=f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}}}\n")
    pair.namespace = name
    yield pair
    pair.namespace = ""
    pair.quietly("delete", "namespace", name, "--wait=false")


def test_apply_get_patch_label_and_delete_a_custom_resource(both: Both) -> None:
    assert "created" in both.run("apply", "-f", "-", text=WIDGET)
    assert "unchanged" in both.run("apply", "-f", "-", text=WIDGET)
    assert "configured" in both.run("apply", "-f", "-", text=WIDGET.replace("3", "4"))
    for words in (
        "wd",
        "wd -o wide",
        "widgets.shop.example.com w -o name",
        "wd --show-labels",
        "wd -l app=shop -L app",
    ):
        both.run("get", *words.split())
    both.run("get", "widget/w", "-o", "yaml", "--show-managed-fields=false")
    assert "red 4" in both.run("get", "wd", "w", "-o", "jsonpath={.spec.color} {.spec.size}")
    both.run(
        "get", "wd", "-A", "--field-selector=metadata.name=w", "-o", "custom-columns=N:.metadata.name,S:.spec.size"
    )
    both.run("patch", "wd", "w", "--type=merge", "-p", '{"spec":{"color":"blue"}}')
    both.run("patch", "wd", "w", "--type=json", "-p", '[{"op":"replace","path":"/spec/size","value":7}]')
    both.run("patch", "wd", "w", "--type=merge", "-p", '{"spec":{"size":-1}}')
    both.run("patch", "wd", "w", "--type=merge", "--subresource=status", "-p", '{"status":{"ready":true}}')
    both.run("label", "wd", "w", "tier=front", "app-")
    both.run("annotate", "wd", "w", "why=because")
    both.run("scale", "wd", "w", "--replicas=9")
    both.run("get", "wd", "w", "-o", "json", "--show-managed-fields=false")
    both.run("describe", "wd", "w")
    both.run("wait", "wd/w", "--for=jsonpath={.status.ready}=true", "--timeout=5s")
    both.run("delete", "wd", "w")
    both.run("get", "wd")
    both.run("get", "wd", "w")


def test_apply_get_edit_and_diff_a_configmap(both: Both) -> None:
    both.run("apply", "-f", "-", text=CONFIGMAP)
    both.run("get", "cm", "c", "-o", "yaml", "--show-managed-fields=false")
    both.run("get", "cm", "c", "-o", "wide")
    both.run("describe", "cm", "c")
    both.run("diff", "-f", "-", text=CONFIGMAP.replace('"1"', '"2"'))
    both.run("edit", "cm", "c", env={"KUBE_EDITOR": "sed -i s/note:/remark:/"})
    both.run("get", "cm", "c", "-o", "jsonpath={.metadata.annotations.remark}")
    both.run("patch", "cm", "c", "-p", '{"data":{"b":"2","a":null}}')
    both.run("replace", "-f", "-", text=CONFIGMAP)
    both.run("get", "cm", "c", "-o", "jsonpath={.data}")
    both.run("delete", "cm", "--all", "--field-selector=metadata.name=c")


def test_mistakes_are_told_alike(both: Both) -> None:
    both.run("apply", "-f", "-", text=WIDGET.replace("size: 3", "size: three"))
    both.run("apply", "-f", "-", text=WIDGET.replace("size: 3", "size: 3, colour: red"))
    both.run("create", "-f", "-", text=CONFIGMAP.replace("data:", "date:"))
    both.run("create", "-f", "-", text=CONFIGMAP.replace("name: c", "name: C_C"))
    both.run("create", "-f", "-", text=CONFIGMAP.replace("kind: ConfigMap", "kind: ConfigMop"))
    both.run("get", "nonsense")
    both.run("get", "cm", "--field-selector=data.a=b")
    both.run("get", "cm", "-l", "a in (b")
    both.run("get", "cm", "absent")
    both.run("delete", "wd", "absent")
    both.run("get", "wd", "-n", "absent")


def test_a_watch_shows_what_happens(both: Both) -> None:
    both.run("apply", "-f", "-", text=WIDGET)
    watches = [
        subprocess.Popen(
            [
                both.program,
                f"--kubeconfig={path}",
                f"-n{both.namespace}",
                "get",
                "wd",
                "-w",
                "--output-watch-events",
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        for path, _ in both.places.values()
    ]
    seen = []
    try:
        first = [[watch.stdout.readline(), watch.stdout.readline()] for watch in watches if watch.stdout]
        both.run("patch", "wd", "w", "--type=merge", "-p", '{"spec":{"size":8}}')
        both.run("delete", "wd", "w")
        for watch, lines in zip(watches, first, strict=True):
            assert watch.stdout is not None
            seen.append(masked("".join([*lines, watch.stdout.readline(), watch.stdout.readline()])))
    finally:
        for watch in watches:
            watch.terminate()
            watch.communicate()
    assert seen[0] == seen[1]
    assert "DELETED" in seen[0]


def test_namespaces(both: Both) -> None:
    name = f"{both.namespace}-x"
    own, both.namespace = both.namespace, ""
    both.run("create", "-f", "-", text=f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}}}\n")
    both.run("get", "namespace", name)
    both.run("get", "ns", name, "-o", "yaml", "--show-managed-fields=false")
    both.run("describe", "ns", name)
    both.run("label", "ns", name, "team=a")
    both.run("wait", "ns", name, "--for=jsonpath={.status.phase}=Active", "--timeout=5s")
    both.run("delete", "ns", name, "--timeout=30s")
    both.run("get", "ns", name)
    both.run("delete", "ns", "default")
    both.namespace = own


@pytest.mark.parametrize(
    "words",
    [
        "api-resources",
        "api-resources --api-group=shop.example.com -o wide",
        "api-resources --namespaced=false --verbs=list,get -o name",
        "api-versions",
        "cluster-info",
        "get all",
        "get --raw /apis/shop.example.com/v1",
        "get --raw /healthz",
        "get --raw /apis/shop.example.com",
    ],
)
def test_what_there_is(both: Both, words: str) -> None:
    both.run(*words.split())


def test_the_version_of_the_server(both: Both) -> None:
    own, both.namespace = both.namespace, ""
    assert "Server Version: v1.36.3" in both.run("version")
    both.namespace = own


@pytest.mark.parametrize(
    "what",
    [
        "widgets",
        "widgets.spec",
        "widgets.spec.parts --recursive",
        "widgets --recursive",
        "configmaps",
        "namespaces --recursive",
        "pods.spec.containers --recursive",
        "pods --recursive",
        "deployments --recursive",
        "statefulsets.spec --recursive",
        "cronjobs --recursive",
        "services --recursive",
        "ingresses --recursive",
        "persistentvolumes --recursive",
        "roles.rules",
        "hpa --recursive",
        "hpa --recursive --api-version=autoscaling/v1",
        "events --recursive",
        "leases.spec",
    ],
)
def test_explain_tells_the_same_fields_and_types(both: Both, what: str) -> None:
    told = {
        name: re.findall(r"(?m)^ +(\S+)\t<(\S+)>.*$", done.stdout)
        for name, done in both.quietly("explain", *what.split()).items()
    }
    assert told["real"]
    assert told["embedded"] == told["real"]


def test_explain_of_a_custom_resource_has_its_descriptions(both: Both) -> None:
    assert "How large." in both.run("explain", "widgets.spec.size")
    assert "What is wanted." in both.run("explain", "widgets.spec")


ROLE = """
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader, namespace: NAMESPACE}
rules:
- {apiGroups: [""], resources: [configmaps], verbs: [get, list]}
- {apiGroups: [""], resources: [secrets], resourceNames: [a], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: readers, namespace: NAMESPACE}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects: [{kind: ServiceAccount, name: bob, namespace: NAMESPACE}, {kind: User, name: jane}]
"""


def test_roles_and_who_has_them(both: Both) -> None:
    both.run("create", "serviceaccount", "bob")
    both.run("create", "role", "r", "--verb=get,list", "--resource=pods,deployments.apps", "--resource-name=a")
    both.run("create", "rolebinding", "b", "--role=r", "--user=jane", "--group=dev", "--serviceaccount=x:bob")
    both.run("create", "role", "r", "--verb=get", "--resource=pods")
    both.run("create", "rolebinding", "b", "--role=r", "--user=jane")
    both.run("get", "role,rolebinding", "-o", "wide")
    both.run("get", "role", "r", "-o", "yaml", "--show-managed-fields=false")
    both.run("describe", "role", "r")
    both.run("describe", "rolebinding", "b")
    text = ROLE.replace("NAMESPACE", both.namespace)
    both.run("auth", "reconcile", "-f", "-", text=text)
    both.run("auth", "reconcile", "-f", "-", text=text.replace("get, list", "get, watch"))
    both.run("get", "role", "reader", "-o", "jsonpath={.rules}")
    both.run("patch", "rolebinding", "b", "--type=merge", "-p", '{"roleRef":{"name":"other"}}')
    both.run("delete", "role", "r")
    own, both.namespace = both.namespace, ""
    name = f"{own}-c"
    both.run("create", "clusterrole", name, "--verb=get", "--non-resource-url=/x,/y/*")
    both.run("create", "clusterrole", f"{name}-all", f"--aggregation-rule={own}=yes")
    both.run("create", "clusterrolebinding", name, f"--clusterrole={name}", "--group=dev")
    both.run("get", "clusterrole,clusterrolebinding", "-o", "wide", f"--field-selector=metadata.name={name}")
    both.run("describe", "clusterrole", name, f"{name}-all", "cluster-admin")
    both.run("describe", "clusterrolebinding", name, "cluster-admin")
    both.run("delete", "clusterrole", name)
    both.namespace = own


def test_who_may_do_what(both: Both) -> None:
    both.run("create", "serviceaccount", "bob")
    both.run("auth", "reconcile", "-f", "-", text=ROLE.replace("NAMESPACE", both.namespace))
    account = f"--as=system:serviceaccount:{both.namespace}:bob"
    both.until("auth", "can-i", "list", "configmaps", account)
    for words in (
        "list configmaps",
        "delete configmaps",
        "get secrets",
        "get secrets/a",
        "get secrets/b",
        "get pods --subresource=log",
        "list configmaps -A",
        "get /healthz",
        "get /nope",
        "list nonsense",
    ):
        both.run("auth", "can-i", *words.split(), account)
        both.run("auth", "can-i", *words.split())
    both.run("get", "configmaps", account)
    both.run("get", "pods", account)
    both.run("delete", "configmap", "a", account)
    both.run("get", "configmaps", "--as=jane", "--as-group=dev")
    both.run("get", "configmaps", "--as=joe", "--as-group=dev", "--as-uid=7")
    both.run("create", "rolebinding", "more", "--clusterrole=cluster-admin", "--user=jane", account)
    both.run("auth", "whoami", "--as=jane", "--as-group=dev", "--as-uid=7", "--as-user-extra=a=b")
    both.run("auth", "whoami", account, "-o", "yaml")


def test_tokens_of_accounts(both: Both) -> None:
    both.run("create", "serviceaccount", "bob")
    for said in both.quietly("create", "token", "bob", f"--namespace={both.namespace}").values():
        assert said.stdout.count(".") == 2, said.stderr
    both.run("create", "token", "eve")
    both.run("create", "token", "bob", "--duration=1m")
    both.run("create", "token", "bob", "--bound-object-kind=Secret", "--bound-object-name=none")
    both.run("create", "token", "bob", "--bound-object-kind=ConfigMap", "--bound-object-name=none")


DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: d, labels: {app: shop}}
spec:
  replicas: 0
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec:
      containers:
      - {name: main, image: "shop:1", ports: [{containerPort: 80}], env: [{name: A, value: "1"}]}
"""


def test_apply_on_the_servers_side(both: Both) -> None:
    server = ("apply", "--server-side", "-f", "-")
    assert "serverside-applied" in both.run(*server, text=CONFIGMAP)
    both.run(*server, text=CONFIGMAP)
    both.run("get", "configmap", "c", "-o", "yaml", "--show-managed-fields")
    other = CONFIGMAP.replace('a: "1"', 'a: "2"')
    assert "conflict" in both.run(*server, "--field-manager=other", text=other)
    both.run(*server, "--field-manager=other", "--force-conflicts", text=other)
    both.run("get", "configmap", "c", "-o", "yaml", "--show-managed-fields")
    both.run(*server, "--dry-run=server", text=other)
    both.run(*server, text=WIDGET)
    both.run(*server, "--field-manager=other", text=WIDGET.replace("3", "4"))
    both.run("get", "widget", "w", "-o", "json", "--show-managed-fields")
    both.run(*server, text=WIDGET.replace("size: 3", "size: 3, colour: red"))
    both.run("diff", "--server-side", "-f", "-", text=WIDGET.replace("3", "5"))


def test_go_on_with_apply_on_the_servers_side(both: Both) -> None:
    server = ("apply", "--server-side", "-f", "-")
    for text in (CONFIGMAP, WIDGET, DEPLOYMENT):
        both.run("apply", "-f", "-", text=text)
        both.run(*server, text=text.replace("app: shop}, ann", "app: mall}, ann"))
        both.run("apply", "view-last-applied", "-f", "-", text=text)
    both.run("get", "configmap", "c", "-o", "yaml", "--show-managed-fields")
    both.run("get", "widget", "w", "-o", "yaml", "--show-managed-fields")
    both.run(*server, text=DEPLOYMENT.replace("shop:1", "shop:2"))
    both.run("apply", "-f", "-", text=DEPLOYMENT.replace("shop:1", "shop:3"))
    both.run("apply", "-f", "-", text=WIDGET.replace("3", "6"))
