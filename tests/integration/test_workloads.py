"""kubectl's commands for workloads print what they print on a real cluster, where no controller interferes."""

import base64
from collections.abc import Iterator

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
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


STATEFUL = """
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: s}
spec:
  replicas: 2
  serviceName: s
  selector: {matchLabels: {app: s}}
  template:
    metadata: {labels: {app: s}}
    spec: {containers: [{name: main, image: "shop:1"}]}
"""
DAEMON = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: a}
spec:
  selector: {matchLabels: {app: a}}
  template:
    metadata: {labels: {app: a}}
    spec: {containers: [{name: main, image: "shop:1"}]}
"""


def test_sets_of_other_kinds(both: Both) -> None:
    for kind, text in (("statefulset/s", STATEFUL), ("daemonset/a", DAEMON)):
        both.run("apply", "-f", "-", text=text)
        both.run("get", kind, "-o", "wide")
        both.run("get", kind, *YAML)
        both.run("describe", kind)
        both.run("set", "image", kind, "main=shop:2")
        both.run("rollout", "history", kind)
        both.run("rollout", "restart", kind)
        both.run("rollout", "undo", kind)
        both.run("rollout", "status", kind, "--watch=false")
        both.run("rollout", "pause", kind)
        both.run("annotate", kind, "why=because")
        both.run("annotate", kind, "why=again")
        both.run("annotate", kind, "why=again", "--overwrite")
        both.run("annotate", kind, "why-")
    both.run("scale", "statefulset/s", "--replicas=5")
    both.run("scale", "daemonset/a", "--replicas=5")
    both.run("delete", "statefulset,daemonset", "--all", "--cascade=orphan", "--wait=false")


def test_how_far_a_rollout_is(both: Both) -> None:
    both.run("apply", "-f", "-", text=DEPLOYMENT)
    both.run("rollout", "status", "deployment/d", "--watch=false")
    both.run("rollout", "status", "deployment/d", "--timeout=1s")
    observed = '{"status":{"observedGeneration":GENERATION,"replicas":1,"updatedReplicas":1,"unavailableReplicas":1}}'
    patched = ("patch", "deployment", "d", "--subresource=status", "--type=merge", "-p")
    both.run(*patched, observed.replace("GENERATION", "1"))
    both.run("scale", "deployment/d", "--replicas=1")
    both.run("rollout", "status", "deployment/d", "--watch=false")
    both.run(*patched, observed.replace("GENERATION", "2"))
    both.run("rollout", "status", "deployment/d", "--watch=false")
    both.run("rollout", "status", "deployment/d", "--revision=3", "--watch=false")
    both.run("rollout", "pause", "deployment/d")
    both.run("rollout", "pause", "deployment/d")
    both.run("rollout", "undo", "deployment/d")
    both.run("rollout", "restart", "deployment/d")
    both.run("rollout", "resume", "deployment/d")
    both.run("rollout", "resume", "deployment/d")
    both.run("rollout", "undo", "deployment/d", "--to-revision=7")


EVENT = """
apiVersion: v1
kind: Event
metadata: {name: e.NUMBER, namespace: NAMESPACE}
involvedObject: {apiVersion: v1, kind: Pod, name: p, namespace: NAMESPACE}
type: TYPE
reason: Because
message: It was so.
count: NUMBER
source: {component: tests, host: n}
firstTimestamp: "2020-01-01T00:00:00Z"
lastTimestamp: "2020-01-01T00:00:00Z"
"""


def test_what_happened(both: Both) -> None:
    for number, kind in ((1, "Normal"), (2, "Warning")):
        text = EVENT.replace("NUMBER", str(number)).replace("TYPE", kind).replace("NAMESPACE", both.namespace)
        both.run("create", "-f", "-", text=text)
    both.run("get", "events", "-o", "wide")
    both.run("get", "events", "--field-selector=type=Warning")
    both.run("get", "events", "--field-selector=involvedObject.name=p,reason=Because", "-o", "name")
    both.run("get", "events.events.k8s.io", "e.1", *YAML)
    both.run("get", "events", "--sort-by=.count")
    both.run("events")
    both.run("events", "--types=Warning")
    both.run("events", "--for=pod/p")
    both.run("describe", "event", "e.1")
    both.run("delete", "events", "--all")


def test_to_replace_and_to_wait(both: Both) -> None:
    both.run("create", "configmap", "c", "--from-literal=a=1")
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: '2'}\n"
    both.run("create", "configmap", "c", "--from-literal=a=1")
    both.run("replace", "-f", "-", text=text)
    both.run("replace", "--force", "-f", "-", text=text.replace("'2'", "'3'"))
    both.run("replace", "-f", "-", text=text.replace("name: c", "name: d"))
    both.run("replace", "--force", "-f", "-", text=text.replace("name: c", "name: d"))
    both.run("get", "configmaps", "-o", "jsonpath={.items[*].data}")
    both.run("wait", "configmap/c", "--for=jsonpath={.data.a}=3", "--timeout=1s")
    both.run("wait", "configmap/c", "--for=jsonpath={.data.a}=4", "--timeout=1s")
    both.run("wait", "configmap/c", "--for=jsonpath={.data.a}", "--timeout=1s")
    both.run("wait", "configmap/c", "--for=create", "--timeout=1s")
    both.run("wait", "configmap/absent", "--for=create", "--timeout=1s")
    both.run("wait", "configmap/c", "--for=delete", "--timeout=1s")
    both.run("wait", "configmap/absent", "--for=delete", "--timeout=1s")
    both.run("delete", "configmap", "c", "--dry-run=server")
    both.run("delete", "configmap", "c", "d", "absent", "--ignore-not-found")
    both.run("delete", "configmap", "c")
    both.run("create", "configmap", "e", "--from-literal=a=1", "--dry-run=server", "-o", "yaml")
    both.run("apply", "-f", "-", "--prune", "-l", "app=x", text=text)


def test_to_delete_an_owner_alone(both: Both) -> None:
    both.run("apply", "-f", "-", text=DEPLOYMENT)
    both.run("delete", "deployment", "d", "--cascade=orphan", "--wait=false")
    both.run("get", "deployment", "d", "-o", "jsonpath={.metadata.finalizers}")
    both.run("delete", "deployment", "d", "--cascade=foreground", "--wait=false")
    both.run("patch", "deployment", "d", "--type=merge", "-p", '{"metadata":{"finalizers":["example.com/f"]}}')
    both.run("patch", "deployment", "d", "--type=merge", "-p", '{"metadata":{"finalizers":null}}')
    both.run("get", "deployment", "d")


def test_there_is_nothing_to_measure(both: Both) -> None:
    both.run("top", "pods")
    both.run("top", "nodes")
    both.run("top", "pod", "absent")


def test_who_may_do_everything(both: Both) -> None:
    both.run("auth", "can-i", "--list", "--as=nobody")
    both.run("auth", "can-i", "--list")
    both.run("create", "role", "r", "--verb=get", "--resource=pods")
    both.run("create", "rolebinding", "b", "--role=r", "--user=jane")
    both.run("set", "subject", "rolebinding", "b", "--user=joe", "--group=dev")
    both.run("get", "rolebinding", "b", "-o", "wide")


def test_a_pod_is_put_off_its_node(both: Both) -> None:
    name, own = f"{both.namespace}-node", both.namespace
    both.run("create", "-f", "-", text=NODE.replace("NAME", name))
    both.run("run", "p", "--image=shop:1", "--overrides", f'{{"spec":{{"nodeName":"{name}"}}}}')
    both.namespace = ""
    both.run("drain", name, "--timeout=1s")
    both.run("drain", name, "--force", "--dry-run=server")
    both.run("drain", name, "--force", "--grace-period=0", "--timeout=5s")
    both.run("get", "node", name)
    both.run("delete", "node", name)
    both.namespace = own
    both.run("get", "pods")


def test_to_look_into_a_pod(both: Both) -> None:
    both.run("run", "p", "--image=shop:1")
    both.run("debug", "p", "--image=tools:1", "--container=d", "--attach=false")
    both.run("get", "pod", "p", "-o", "jsonpath={.spec.ephemeralContainers}")
    both.run("debug", "p", "--image=tools:1", "--container=d", "--attach=false")
    both.run("debug", "p", "--image=tools:1", "--copy-to=q", "--container=d", "--attach=false")
    both.run("get", "pod", "q", "-o", "jsonpath={.spec.containers[*].name}")
    resized = '{"spec":{"containers":[{"name":"p","resources":{"requests":{"cpu":"100m"}}}]}}'
    both.run("patch", "pod", "p", "--subresource=resize", "-p", resized)


REQUEST = """
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: {name: NAME}
spec:
  request: REQUEST
  signerName: example.com/signer
  usages: [client auth]
"""


def test_requests_for_certificates(both: Both) -> None:
    name, own = f"{both.namespace}-csr", both.namespace
    both.namespace = ""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "ann")])
    signed = x509.CertificateSigningRequestBuilder().subject_name(subject).sign(key, hashes.SHA256())
    request = base64.b64encode(signed.public_bytes(serialization.Encoding.PEM)).decode()
    text = REQUEST.replace("NAME", name).replace("REQUEST", request)
    both.run("create", "-f", "-", text=text)
    both.run("get", "csr", name)
    both.run("certificate", "approve", name)
    both.run("get", "csr", name, "-o", "wide")
    both.run("certificate", "deny", name)
    both.run("describe", "csr", name)
    both.run("certificate", "approve", "absent")
    both.run("delete", "csr", name)
    both.namespace = own
