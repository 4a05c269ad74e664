"""kubectl's commands for workloads print what they print on a real cluster, where no controller interferes."""

from collections.abc import Iterator

import pytest
from tests.integration.test_kubectl import DEPLOYMENT, MASKS, Both

from kubewright.cluster import Cluster
from kubewright.testing.beside import beside
from kubewright.testing.real import RealCluster

pytestmark = pytest.mark.real

ACCOUNT = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: default}\n"
NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: NAME, labels: {zone: a}}\n"
YAML = ("-o", "yaml", "--show-managed-fields=false")
#: What two servers draw by chance.
CHANCE = [
    (r"kube-api-access-[a-z0-9]{5}", "<token>"),
    (r"10\.0\.0\.\d+", "<address>"),
    (r"nodePort: 3\d{4}", "nodePort: <port>"),
    (r":3\d{4}/(TCP|UDP)", r":<port>/\1"),
    (r"(NodePort: +\S+ +)3\d{4}/TCP", r"\1<port>/TCP"),
    (r"\w{3}, \d\d \w{3} \d{4} [\d:]+ [+-]\d{4}", "<date>"),
    (r'(restartedAt"?: )"?[^"\n]*"?', r"\1<date>"),
]


@pytest.fixture(scope="module")
def pair(real_cluster: RealCluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    with beside(Cluster(controllers="none")) as embedded:
        embedded.api.accounts = True  # as the real server, which never asks who makes them
        yield Both(embedded.kubeconfig, real_cluster, tmp_path_factory.mktemp("workloads"), [*CHANCE, *MASKS])


@pytest.fixture
def both(pair: Both, request: pytest.FixtureRequest) -> Iterator[Both]:
    """Both clusters, with a fresh namespace of the same name in each, and the account that pods need."""
    pair.stories += 1
    name = f"story-{pair.stories}"
    pair.run("create", "namespace", name)
    pair.namespace = name
    pair.run("create", "-f", "-", text=ACCOUNT)
    yield pair
    pair.namespace = ""


def test_a_deployment(both: Both) -> None:
    both.run("create", "deployment", "made", "--image=shop:1", "--replicas=2", "--port=80")
    both.run("apply", "-f", "-", text=DEPLOYMENT)
    both.run("get", "deployments", "-o", "wide")
    both.run("get", "deployment", "d", *YAML)
    both.run("describe", "deployment", "d")
    both.run("scale", "deployment", "d", "--replicas=3")
    both.run("scale", "deployment", "d", "--replicas=4", "--current-replicas=2")
    both.run("set", "image", "deployment/d", "main=shop:2")
    both.run("set", "image", "deployment/d", "nobody=shop:2")
    both.run("set", "env", "deployment/d", "B=2", "A-")
    both.run("set", "resources", "deployment/d", "--limits=cpu=200m,memory=64Mi", "--requests=cpu=100m")
    both.run("set", "serviceaccount", "deployment/d", "default")
    both.run("rollout", "pause", "deployment/d")
    both.run("rollout", "resume", "deployment/d")
    both.run("rollout", "history", "deployment/d")
    both.run("rollout", "restart", "deployment/d")
    both.run("rollout", "undo", "deployment/d")
    both.run(
        "patch", "deployment", "d", "-p", '{"spec":{"template":{"spec":{"containers":[{"name":"b","image":"i"}]}}}}'
    )
    both.run("patch", "deployment", "d", "-p", '{"spec":{"selector":{"matchLabels":{"app":"other"}}}}')
    both.run("patch", "deployment", "d", "-p", '{"spec":{"replicas":-1}}')
    both.run("autoscale", "deployment", "d", "--min=1", "--max=5", "--cpu=80%")
    both.run("get", "hpa", "-o", "wide")
    both.run("describe", "hpa", "d")
    both.run("expose", "deployment", "d", "--port=80", "--target-port=8080")
    both.run("get", "all", "-o", "wide")
    both.run("get", "deployment", "d", *YAML)
    both.run("delete", "deployment", "d")


def test_revisions_of_a_deployment(both: Both) -> None:
    both.run("apply", "-f", "-", text=DEPLOYMENT)
    uid = {
        name: done.stdout
        for name, done in both.quietly(
            "get", "deployment", "d", "-o", "jsonpath={.metadata.uid}", f"--namespace={both.namespace}"
        ).items()
    }
    for number, image in ((1, "shop:0"), (2, "shop:1")):
        for name in both.places:
            text = (
                DEPLOYMENT.replace("kind: Deployment", "kind: ReplicaSet")
                .replace("shop:1", image)
                .replace(
                    "{name: d, labels: {app: shop}}",
                    f"{{name: d-{number}, labels: {{app: shop}}, annotations: "
                    f'{{deployment.kubernetes.io/revision: "{number}"}}, ownerReferences: '
                    f"[{{apiVersion: apps/v1, kind: Deployment, name: d, uid: {uid[name]}, controller: true}}]}}",
                )
            )
            both.alone(name, "create", "-f", "-", text=text)
    both.run("rollout", "history", "deployment/d")
    both.run("rollout", "history", "deployment/d", "--revision=1")
    both.run("get", "replicasets", "-o", "wide")
    both.run("describe", "replicaset", "d-1")
    both.run("rollout", "undo", "deployment/d", "--to-revision=1")
    both.run("get", "deployment", "d", "-o", "jsonpath={.spec.template.spec.containers[0].image}")


def test_a_pod(both: Both) -> None:
    both.run("run", "p", "--image=shop:1", "--port=80", "--env=A=1", "--labels=app=shop", "--expose")
    both.run("run", "q", "--image=shop:1", "--restart=Never", "--dry-run=client", "-o", "yaml")
    both.run("get", "pods", "-o", "wide")
    both.run("get", "pod", "p", *YAML)
    both.run("describe", "pod", "p")
    both.run("set", "image", "pod/p", "p=shop:2")
    both.run("label", "pod", "p", "tier=front")
    both.run("patch", "pod", "p", "-p", '{"spec":{"containers":[{"name":"p","image":""}]}}')
    both.run("logs", "p")
    both.run("exec", "p", "--", "ls")
    both.run("attach", "p", "--stdin=false")
    both.run("get", "pods", "--field-selector=status.phase=Pending,spec.nodeName=")
    both.run("wait", "pod/p", "--for=condition=Ready", "--timeout=1s")
    both.run("create", "poddisruptionbudget", "b", "--selector=app=shop", "--min-available=1")
    both.run("get", "pdb", "-o", "wide")
    both.run("describe", "pdb", "b")
    both.run("delete", "pod", "p", "--grace-period=0", "--force")


def test_jobs(both: Both) -> None:
    both.run("create", "job", "j", "--image=shop:1", "--", "run", "it")
    both.run("create", "cronjob", "c", "--image=shop:1", "--schedule=*/5 * * * *", "--", "run")
    both.run("create", "cronjob", "d", "--image=shop:1", "--schedule=never")
    both.run("create", "job", "k", "--from=cronjob/c")
    both.run("get", "jobs,cronjobs", "-o", "wide")
    both.run("describe", "job", "j")
    both.run("describe", "cronjob", "c")
    both.run("get", "cronjob", "c", *YAML)
    both.run("patch", "cronjob", "c", "-p", '{"spec":{"suspend":true}}')
    both.run("patch", "job", "j", "-p", '{"spec":{"completions":5}}')
    both.run("delete", "job", "--all")


def test_services(both: Both) -> None:
    both.run("create", "service", "clusterip", "a", "--tcp=80:8080")
    both.run("create", "service", "clusterip", "headless", "--clusterip=None")
    both.run("create", "service", "nodeport", "b", "--tcp=80", "--tcp=443:8443")
    both.run("create", "service", "loadbalancer", "c", "--tcp=80")
    both.run("create", "service", "externalname", "d", "--external-name=example.com")
    both.run("create", "service", "clusterip", "e", "--tcp=99999")
    both.run("get", "services", "-o", "wide")
    for name in "abcd":
        both.run("get", "service", name, *YAML)
        both.run("describe", "service", name)
    both.run("patch", "service", "a", "-p", '{"spec":{"clusterIP":"10.0.0.99"}}')
    both.run("set", "selector", "service", "a", "app=shop")
    both.run("create", "ingress", "i", "--rule=example.com/x*=a:80,tls=t", "--class=nginx")
    both.run("get", "ingress", "-o", "wide")
    both.run("describe", "ingress", "i")
    both.run("delete", "service", "a", "b")


def test_limits_and_classes(both: Both) -> None:
    both.run("create", "quota", "q", "--hard=cpu=1,pods=5")
    both.run("get", "quota", "-o", "wide")
    both.run("describe", "quota", "q")
    both.run("create", "priorityclass", f"{both.namespace}-high", "--value=1000", "--description=x")
    both.run("get", "priorityclass", f"{both.namespace}-high", "-o", "wide")
    both.run("describe", "priorityclass", f"{both.namespace}-high")
    both.run("create", "secret", "generic", "s", "--from-literal=a=1")
    both.run("create", "secret", "docker-registry", "r", "--docker-username=u", "--docker-password=p")
    both.run("get", "secrets", "-o", "wide")
    both.run("describe", "secret", "s")
    both.run("get", "events")


def test_nodes(both: Both) -> None:
    name, own = f"{both.namespace}-node", both.namespace
    both.namespace = ""
    both.run("create", "-f", "-", text=NODE.replace("NAME", name))
    both.run("get", "node", name, "-o", "wide")
    both.run("describe", "node", name)
    both.run("cordon", name)
    both.run("taint", "node", name, "a=b:NoExecute")
    both.run("get", "node", name, *YAML)
    both.run("uncordon", name)
    both.run("taint", "node", name, "a-")
    both.run("label", "node", name, "zone=b", "--overwrite")
    both.run("delete", "node", name)
    both.namespace = own
