"""The walk-throughs by which operators are taught, typed command by command, on either cluster.

What is expected is what those texts show. Three things are ours: the group is web.example.com, the namespace is the
test's own and so has no Service `kubernetes`, and a port of a node is reached through kubectl, for no network leads to
a node that is simulated. Names, addresses and times are masked; pods of one ReplicaSet keep a name in common, so that
those of another are seen to be others. A command whose output is not yet as expected is typed again, as a reader would.
"""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.examples.ground import EXAMPLES

from kubewright import clock
from kubewright.testing.process import Child, wait_until
from kubewright.testing.real import find_kubectl
from kubewright.testing.sandbox import Sandbox

pytestmark = pytest.mark.usefixtures("kubectl")

#: A real garbage collector looks only twice a minute for kinds that are new.
SECONDS = 60.0
MASKS = [
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "<time>"),
    (r"(?m)(\d+[smhd])+$", "<age>"),
    (r"(?m)(?<= )(\d+[smhd])+(?= )", "<age>"),
    (r"\d+\.\d+\.\d+\.\d+", "<address>"),
    (r"server https://<address>:\d+", "<server>"),
    (r"context (kubewright|real),", "context <context>,"),
    (r" (from|in) \S+ namespace", ""),  # what kubectl has added to its sentences since
    (r" +", " "),  # columns are as wide as what was masked
    (r"(?m) $", ""),
]
POD = re.compile(r"\b([a-z]+-sample)-([a-z0-9]{6,10})-[a-z0-9]{5}\b")

INSTALLED = """
$ kubewright install webserver.py
context <context>, <server>
webservers.web.example.com created

$ kubectl get crd|grep webservers
webservers.web.example.com                                       2022-08-06T21:55:45Z
"""
CREATED = """
$ kubectl apply -f samples/webserver.yaml
webserver.web.example.com/webserver-sample created

$ kubectl get service
NAME                       TYPE        CLUSTER-IP     EXTERNAL-IP   PORT(S)        AGE
webserver-sample-service   NodePort    172.26.173.0   <none>        80:30010/TCP   2m58s

$ kubectl get deployment
NAME               READY   UP-TO-DATE   AVAILABLE   AGE
webserver-sample   3/3     3            3           4m44s

$ kubectl get pods
NAME                               READY   STATUS    RESTARTS   AGE
webserver-sample-bc698b9fb-8gq2h   1/1     Running   0          4m52s
webserver-sample-bc698b9fb-vk6gw   1/1     Running   0          4m52s
webserver-sample-bc698b9fb-xgrgb   1/1     Running   0          4m52s
"""
SCALED = """
$ sed -i 's/replicas: 3/replicas: 4/' samples/webserver.yaml

$ kubectl apply -f samples/webserver.yaml
webserver.web.example.com/webserver-sample configured

$ kubectl get pods
NAME                               READY   STATUS    RESTARTS   AGE
webserver-sample-bc698b9fb-8gq2h   1/1     Running   0          9m41s
webserver-sample-bc698b9fb-v9gvg   1/1     Running   0          42s
webserver-sample-bc698b9fb-vk6gw   1/1     Running   0          9m41s
webserver-sample-bc698b9fb-xgrgb   1/1     Running   0          9m41s
"""
ROLLING = """
$ sed -i 's/nginx:1.23.1/nginx:1.23.0/' samples/webserver.yaml

$ kubectl apply -f samples/webserver.yaml
webserver.web.example.com/webserver-sample configured

$ kubectl get pods
NAME                               READY   STATUS              RESTARTS   AGE
webserver-sample-bc698b9fb-8gq2h   1/1     Running             0          10m
webserver-sample-bc698b9fb-vk6gw   1/1     Running             0          10m
webserver-sample-bc698b9fb-xgrgb   1/1     Running             0          10m
webserver-sample-ffcf549ff-g6whk   0/1     ContainerCreating   0          12s
webserver-sample-ffcf549ff-ngjz6   0/1     ContainerCreating   0          12s
"""
ROLLED = """
$ kubectl get pods
NAME                               READY   STATUS    RESTARTS   AGE
webserver-sample-ffcf549ff-g6whk   1/1     Running   0          6m22s
webserver-sample-ffcf549ff-m6z24   1/1     Running   0          3m12s
webserver-sample-ffcf549ff-ngjz6   1/1     Running   0          6m22s
webserver-sample-ffcf549ff-t7gvc   1/1     Running   0          4m16s
"""
HEALED = """
$ kubectl delete service/webserver-sample-service
service "webserver-sample-service" deleted

$ kubectl get service
NAME                       TYPE        CLUSTER-IP     EXTERNAL-IP   PORT(S)        AGE
webserver-sample-service   NodePort    172.26.173.0   <none>        80:30010/TCP   1s
"""
#: What the operators of those texts write into their log, ours tells by Events. The port may be another's yet.
TOLD = """
$ kubectl get events --field-selector involvedObject.kind=WebServer,reason!=ServiceRefused -o custom-columns=REASON:.reason,MESSAGE:.message
REASON MESSAGE
DeploymentCreated webserver-sample: 3 pods of nginx:1.23.1
ServiceCreated webserver-sample-service
Scaled from 3 to 4 pods
ImageChanged from nginx:1.23.1 to nginx:1.23.0
"""  # noqa: E501 - as it is typed
CLEANED = """
$ kubectl delete -f samples/webserver.yaml
webserver.web.example.com "webserver-sample" deleted

$ kubectl get deployments,replicasets,pods,services,endpointslices
No resources found.

$ kubewright uninstall webserver.py
context <context>, <server>
webservers.web.example.com deleted
"""
MEMCACHED = """
$ kubectl apply -f samples/memcached.yaml
memcached.cache.example.com/memcached-sample created

$ kubectl get deployment
NAME               READY   UP-TO-DATE   AVAILABLE   AGE
memcached-sample   3/3     3            3           8s

$ kubectl get pods
NAME                                READY   STATUS    RESTARTS   AGE
memcached-sample-6fd7c98d8-7dqdr    1/1     Running   0          8s
memcached-sample-6fd7c98d8-g5k7v    1/1     Running   0          8s
memcached-sample-6fd7c98d8-m7vn7    1/1     Running   0          8s
"""
RESIZED = """
$ kubectl patch memcached memcached-sample -p '{"spec":{"size": 5}}' --type=merge
memcached.cache.example.com/memcached-sample patched

$ kubectl get deployment
NAME               READY   UP-TO-DATE   AVAILABLE   AGE
memcached-sample   5/5     5            5           3m
"""
EMPTIED = """
$ kubectl delete -f samples/memcached.yaml
memcached.cache.example.com "memcached-sample" deleted

$ kubectl get deployments,pods
No resources found.
"""
MYAPP = """
$ kubectl apply -f samples/myapp.yaml
myapp.example.com/myapp-sample created

$ kubectl get myapp
NAME          AGE  REPLICAS  IMAGE
myapp-sample  10m  3         myapp:latest

$ kubectl get deployment
NAME           READY   UP-TO-DATE   AVAILABLE   AGE
myapp-sample   3/3     3            3           10m

$ sed -i 's/replicas: 3/replicas: 5/' samples/myapp.yaml

$ kubectl apply -f samples/myapp.yaml
myapp.example.com/myapp-sample configured

$ kubectl get deployment
NAME           READY   UP-TO-DATE   AVAILABLE   AGE
myapp-sample   5/5     5            5           10m

$ kubectl delete -f samples/myapp.yaml
myapp.example.com "myapp-sample" deleted

$ kubectl get deployments,pods
No resources found.
"""

#: What the pods serve; and, while it is there, that no new one comes to run.
SERVING = """
apiVersion: kubewright.dev/v1
kind: Stage
metadata: {name: serving}
spec: {settings: {ports: "80: <title>Welcome to nginx!</title>"}}
"""
HOLDING = """
apiVersion: kubewright.dev/v1
kind: Stage
metadata: {name: holding}
spec: {settings: {start-after: 1h}}
"""


class Reader:
    """Somebody at a terminal, in a folder with the example, who compares what he sees with what a text shows."""

    def __init__(self, cluster: Sandbox, folder: Path) -> None:
        self.folder = folder
        self._kubectl = find_kubectl()
        path = os.pathsep.join([str(Path(sys.executable).parent), str(self._kubectl.parent), os.environ["PATH"]])
        self.environment = {**os.environ, "PATH": path, "KUBECONFIG": str(cluster.kubeconfig), "KUBERC": "off"}
        self._shown: dict[str, str] = {}
        self._seen: dict[str, str] = {}

    def follow(self, text: str) -> None:
        """Type every command of a text, and see what it shows."""
        for part in text.strip().split("\n\n"):
            command, _, expected = part.partition("\n")
            wanted, self._shown = _masked(expected, self._shown)
            looks = re.match(r"\$ kubectl get ", command) is not None
            deadline = clock.monotonic() + (SECONDS if looks else 0.0)
            while (seen := _masked(output := self.type(command[2:]), self._seen))[0] != wanted:
                assert clock.monotonic() < deadline, f"{command}\nshows\n{output}\nand not\n{expected}"
                threading.Event().wait(0.1)
            self._seen = seen[1]

    def type(self, command: str, text: str | None = None) -> str:
        """What a command prints, wherever it does so."""
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=self.folder,
            env=self.environment,
            input=text,
            stdin=None if text else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.stdout.strip("\n")

    def stage(self, text: str) -> None:
        """Have the pods of the node fare as a Stage says."""
        name = self.type("kubectl apply -f - -o name", text)
        assert "condition met" in self.type(f"kubectl wait {name} --for=condition=Accepted --timeout=30s"), name

    def curl(self, service: str) -> str:
        """What a Service answers."""
        words = shlex.split(f"{self._kubectl} port-forward service/{service} :80")
        with subprocess.Popen(words, env=self.environment, stdout=subprocess.PIPE, text=True) as forward:
            try:
                assert forward.stdout is not None
                said = re.match(r"Forwarding from (127\.0\.0\.1:\d+) -> 80", forward.stdout.readline())
                assert said is not None
                opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
                with opener.open(f"http://{said[1]}/", timeout=SECONDS) as answer:
                    page: bytes = answer.read()
                    return page.decode()
            finally:
                forward.terminate()


def _masked(output: str, known: dict[str, str]) -> tuple[list[str], dict[str, str]]:
    """The lines, without what differs from one cluster to another; and which ReplicaSets have been seen by then.

    Lines are in order after that: which of two hashes sorts first is chance.
    """
    known = dict(known)
    output = POD.sub(lambda pod: f"{pod[1]}-{known.setdefault(pod[2], f'<{len(known)}>')}-<pod>", output)
    for pattern, replacement in MASKS:
        output = re.sub(pattern, replacement, output)
    return sorted(output.splitlines()), known


@contextmanager
def reading(cluster: Sandbox, example: str, folder: Path, *, install: bool = True) -> Iterator[Reader]:
    """A reader whose operator runs in another terminal; Ctrl-C ends it."""
    shutil.copytree(EXAMPLES / example, folder / example)
    reader = Reader(cluster, folder / example)
    log = folder / "operator.log"
    words = ["-m", "kubewright", "run", str(reader.folder / f"{example}.py"), f"--kubeconfig={cluster.kubeconfig}"]
    operator = Child(Path(sys.executable), [*words, *(["--install-crds"] if install else [])], log)
    try:
        wait_until(lambda: "runs until Ctrl-C" in log.read_text(), [operator], SECONDS)
        yield reader
        operator.process.send_signal(signal.SIGINT)
        assert operator.process.wait(SECONDS) == 0, operator.tail()
    finally:
        operator.stop()


def test_a_webserver(cluster: Sandbox, tmp_path: Path) -> None:
    with reading(cluster, "webserver", tmp_path, install=False) as reader:
        reader.follow(INSTALLED)
        reader.type("kubewright install kubewright.cluster.nodes.stage")
        reader.stage(SERVING)
        reader.follow(CREATED)
        assert "Welcome to nginx!" in reader.curl("webserver-sample-service")
        reader.follow(SCALED)
        reader.stage(HOLDING)
        reader.follow(ROLLING)
        reader.type("kubectl delete stage holding")
        reader.follow(ROLLED)
        reader.follow(HEALED)
        assert "Welcome to nginx!" in reader.curl("webserver-sample-service")
        reader.follow(TOLD)
        reader.follow(CLEANED)


def test_a_memcached(cluster: Sandbox, tmp_path: Path) -> None:
    with reading(cluster, "memcached", tmp_path) as reader:
        reader.follow(MEMCACHED)
        assert nodes(reader) == pods(reader)
        assert "size: 3" in reader.type("kubectl get memcached/memcached-sample -o yaml")
        reader.follow(RESIZED)
        assert (nodes(reader), len(pods(reader))) == (pods(reader), 5)
        reader.follow(EMPTIED)


def nodes(reader: Reader) -> list[str]:
    found: list[str] = json.loads(reader.type("kubectl get memcached/memcached-sample -o jsonpath='{.status.nodes}'"))
    return found


def pods(reader: Reader) -> list[str]:
    return reader.type("kubectl get pods -o jsonpath='{.items[*].metadata.name}'").split()


def test_a_myapp(cluster: Sandbox, tmp_path: Path) -> None:
    with reading(cluster, "myapp", tmp_path) as reader:
        reader.follow(MYAPP)
