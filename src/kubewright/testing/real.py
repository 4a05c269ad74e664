"""A real Kubernetes API for tests: etcd, kube-apiserver and, if wanted, kube-controller-manager, on loopback.

What kubewright claims about Kubernetes is asked of Kubernetes. The servers are the released ones, with the admission
plugins that are on by default and RBAC enforced; they listen on loopback only, hold their state in a private
directory that goes with them, and are ready in about three seconds.

    with RealCluster.start() as cluster:
        cluster.kubectl("get", "namespaces")

The binaries are those of `make real`, or those `KUBEBUILDER_ASSETS` points at. An API that already runs somewhere is
reached with `RealCluster.existing(kubeconfig)`.
"""

import atexit
import base64
import contextlib
import json
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kubewright.entropy import SYSTEM
from kubewright.errors import KubewrightError
from kubewright.testing.kubectl import run_kubectl
from kubewright.testing.process import Child, wait_until
from kubewright.version import KUBERNETES

__all__ = ["RealCluster", "RealClusterError", "find_binaries", "find_kubectl"]

#: Ready takes 3 s on an idle machine; this is for one that is building something else at the same time.
_START_LIMIT: Final = 60.0

_SERVERS: Final = ("etcd", "kube-apiserver", "kubectl")


class RealClusterError(KubewrightError):
    """There is no real cluster to be had, and the sentence says what would give one."""


def find_binaries() -> Path:
    """The directory that holds the servers: `KUBEBUILDER_ASSETS`, or else what `make real` built."""
    if assets := os.environ.get("KUBEBUILDER_ASSETS"):
        directory = Path(assets)
        remedy = "point KUBEBUILDER_ASSETS at a directory that has them, or unset it and run `make real`"
    else:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        directory = Path(os.environ.get("KUBEWRIGHT_REAL") or cache / "kubewright" / "real") / KUBERNETES
        remedy = "run `make real` (it needs Go), or set KUBEBUILDER_ASSETS to a directory that has them"
    if missing := [name for name in _SERVERS if not (directory / name).is_file()]:
        raise RealClusterError(f"no {', '.join(missing)} in {directory}: {remedy}")
    return directory


def find_kubectl() -> Path:
    """A kubectl: the one on the path, or that of `make real`."""
    found = shutil.which("kubectl")
    return Path(found) if found else find_binaries() / "kubectl"


@dataclass(frozen=True)
class RealCluster:
    """A Kubernetes API that answers, and the file with which anything else reaches it."""

    kubeconfig: Path
    """Its current context is an administrator."""

    server: str
    """The address of the API, https://host:port."""

    program: Path
    """The kubectl that is used."""

    cache: Path | None = None
    """Where kubectl keeps what it discovered; by default, its own place."""

    @classmethod
    @contextlib.contextmanager
    def start(cls, binaries: Path | None = None, *, controllers: bool = False) -> "Iterator[RealCluster]":
        """Start the servers of `binaries` (by default, of `find_binaries()`), and stop them on the way out.

        With `controllers`, kube-controller-manager runs too: without it no service account appears in a namespace
        (so no Pod can be created), and nothing is garbage-collected.
        """
        binaries = binaries or find_binaries()
        with contextlib.ExitStack() as stack:
            # For a program that ends while the context is still open, as one that kept it in a global does.
            atexit.register(stack.close)
            stack.callback(atexit.unregister, stack.close)
            directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kubewright-real-")))
            yield _Start(binaries, directory, stack).run(controllers=controllers)

    @classmethod
    def existing(cls, kubeconfig: Path) -> "RealCluster":
        """The cluster of that file's current context; nothing is started, and nothing stopped."""
        if not kubeconfig.is_file():
            raise RealClusterError(f"there is no kubeconfig {kubeconfig}: set KUBECONFIG to the file of a cluster")
        cluster = cls(kubeconfig, "", find_kubectl())
        shown = cluster.kubectl("config", "view", "--minify", "--output=jsonpath={.clusters[0].cluster.server}")
        if not shown.stdout:
            raise RealClusterError(f"{kubeconfig} has no current context with a server: {shown.stderr.strip()}")
        return cls(kubeconfig, shown.stdout, cluster.program)

    def kubectl(self, *arguments: str, input: str | None = None) -> subprocess.CompletedProcess[str]:  # noqa: A002 - as in subprocess
        """Run kubectl as the administrator; what it printed and its status come back, whatever they are."""
        return run_kubectl(self.program, self.kubeconfig, self.cache, arguments, input)


class _Start:
    """One start: what is written to the directory, and the processes so far."""

    def __init__(self, binaries: Path, directory: Path, stack: contextlib.ExitStack) -> None:
        self.binaries = binaries
        self.directory = directory
        self.stack = stack
        self.children: list[Child] = []
        self.token = SYSTEM.token()
        # Held, not released: kube-apiserver shares the port (--permit-port-sharing), so no one else can take it
        # between our choice and its start. A socket that does not listen gets no connections.
        held = stack.enter_context(socket.socket())
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        held.bind(("127.0.0.1", 0))
        self.port: int = held.getsockname()[1]
        self.server = f"https://127.0.0.1:{self.port}"
        self.certificate = directory / "apiserver.crt"

    def run(self, *, controllers: bool) -> RealCluster:
        """etcd, then kube-apiserver, then the controllers: each when the one before answers."""
        self._start_etcd()
        self._start_apiserver()
        kubeconfig = self._write_kubeconfig()
        if controllers:
            self._start_controllers(kubeconfig)
        return RealCluster(kubeconfig, self.server, self.binaries / "kubectl", self.directory / "kubectl")

    def _start_etcd(self) -> None:
        # etcd asks nobody who they are, so its clients come through a socket only we can open. Its two TCP addresses
        # are for other members: one must be named, none is ever called.
        clients = self.directory / "etcd.sock"
        self._launch(
            "etcd",
            f"--data-dir={self.directory / 'etcd'}",
            f"--listen-client-urls=unix://{clients}",
            "--advertise-client-urls=http://127.0.0.1:2379",
            "--listen-peer-urls=http://127.0.0.1:0",
            "--unsafe-no-fsync",
            "--log-level=warn",
        )
        wait_until(clients.is_socket, self.children, _START_LIMIT)

    def _start_apiserver(self) -> None:
        tokens = self._write("tokens.csv", f'{self.token},kubernetes-admin,,"system:masters"\n'.encode())
        key = self._write("service-account.key", SYSTEM.private_key())
        self._launch(
            "kube-apiserver",
            f"--etcd-servers=unix://{self.directory / 'etcd.sock'}",
            "--bind-address=127.0.0.1",
            "--advertise-address=127.0.0.1",
            f"--secure-port={self.port}",
            "--permit-port-sharing",
            f"--cert-dir={self.directory}",  # no certificate there: it signs its own
            f"--token-auth-file={tokens}",
            "--authorization-mode=Node,RBAC",
            "--allow-privileged",
            "--service-account-issuer=https://kubernetes.default.svc",
            f"--service-account-key-file={key}",
            f"--service-account-signing-key-file={key}",
            "--service-cluster-ip-range=10.0.0.0/24",
            "--endpoint-reconciler-type=none",  # an endpoint may not be a loopback address, and ours is
        )
        wait_until(lambda: self._answers("/readyz"), self.children, _START_LIMIT)

    def _start_controllers(self, kubeconfig: Path) -> None:
        if not (self.binaries / "kube-controller-manager").is_file():
            raise RealClusterError(
                f"no kube-controller-manager in {self.binaries}: unset KUBEBUILDER_ASSETS and run `make real`"
            )
        self._launch(
            "kube-controller-manager",
            f"--kubeconfig={kubeconfig}",
            "--secure-port=0",
            "--leader-elect=false",
            "--use-service-account-credentials",
            "--kube-api-qps=500",  # it makes some forty accounts first: 5 s at the default rate
            "--kube-api-burst=500",
            f"--service-account-private-key-file={self.directory / 'service-account.key'}",
            f"--root-ca-file={self.certificate}",
        )
        account = "/api/v1/namespaces/default/serviceaccounts/default"
        wait_until(lambda: self._answers(account), self.children, _START_LIMIT)

    def _launch(self, name: str, *arguments: str) -> None:
        child = Child(self.binaries / name, arguments, self.directory / f"{name}.log")
        self.stack.callback(child.stop)
        self.children.append(child)

    def _answers(self, path: str) -> bool:
        """Whether the API says 200 to that path. No proxy is asked: it would look for loopback on itself."""
        request = urllib.request.Request(self.server + path, headers={"Authorization": f"Bearer {self.token}"})
        try:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.load_verify_locations(self.certificate)
            opener = urllib.request.build_opener(
                urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context)
            )
            with opener.open(request, timeout=5):
                return True
        except urllib.error.HTTPError as answer:
            answer.close()
            return False
        except OSError:  # no certificate written yet, nobody listening yet
            return False

    def _write_kubeconfig(self) -> Path:
        authority = base64.b64encode(self.certificate.read_bytes()).decode()
        document = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "real", "cluster": {"server": self.server, "certificate-authority-data": authority}}],
            "users": [{"name": "admin", "user": {"token": self.token}}],
            "contexts": [{"name": "real", "context": {"cluster": "real", "user": "admin"}}],
            "current-context": "real",
        }
        return self._write("kubeconfig", json.dumps(document, indent=2).encode())  # JSON is YAML

    def _write(self, name: str, content: bytes) -> Path:
        path = self.directory / name
        path.touch(mode=0o600)
        path.write_bytes(content)
        return path
