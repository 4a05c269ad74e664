"""A cluster: everything put together, started and stopped in order.

    async with Cluster() as cluster:
        await cluster.client().create("/api/v1/namespaces", {"metadata": {"name": "web"}})
        kubectl = await asyncio.create_subprocess_exec("kubectl", f"--kubeconfig={cluster.kubeconfig}", "get", "ns")

It serves in the loop it was started in: over TLS on a port of this machine, on a plain port if wanted, and to
`client()` with no socket between. What blocks that loop blocks the server; so does the first use of a kind, whose
modules are loaded then, unless they were loaded ahead (`preload`).
"""

import contextlib
import shutil
import ssl
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from kubewright.client.context import add_context
from kubewright.cluster.auth.access import Access
from kubewright.cluster.auth.user import MASTERS, User
from kubewright.cluster.call import Api
from kubewright.cluster.controllers import Controllers, bootstrap
from kubewright.cluster.controllers.driver import choose
from kubewright.cluster.controllers.sleeper import Sleeper, Waker
from kubewright.cluster.definitions import follow_apiservices, install_crds
from kubewright.cluster.discovery.answer import Discovery
from kubewright.cluster.front.handler import Front
from kubewright.cluster.nodes.node import MOST_NODES
from kubewright.cluster.preload import load
from kubewright.cluster.registry.builtin import builtin_resources
from kubewright.cluster.registry.registry import Registry
from kubewright.cluster.snapshot import differences, take_snapshot
from kubewright.cluster.store import Store
from kubewright.cluster.store.expiry import Expiry
from kubewright.cluster.store.retention import Retention
from kubewright.cluster.verbs.decode import BODY_LIMIT
from kubewright.cluster.verbs.watch import end_watches
from kubewright.entropy import Entropy
from kubewright.errors import KubewrightError
from kubewright.http import Server, ServerLimits

if TYPE_CHECKING:
    from kubewright.client import Client
    from kubewright.cluster.auth.authority import Authority, Credential

__all__ = ["ADMIN", "Cluster", "ClusterError"]

#: Who the kubeconfig is for, and who asks where nobody can say who he is.
ADMIN: Final = User("kubernetes-admin", (MASTERS,))
_NAMES: Final = ("localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc")
_ADDRESSES: Final = ("127.0.0.1", "::1", "10.0.0.1")
#: So many seconds an event is kept after it was last written.
_EVENTS_LAST: Final = 3600.0
#: Each makes another stream of a seed.
_STREAMS: Final = (0, 0x9E3779B9, 0x85EBCA6B, 0xC2B2AE35, 0x27D4EB2F)


#: What the server that we take after looks at to tell whether it is well; here all of it is one process.
_CHECKS: Final = dict.fromkeys(("log", "etcd"), lambda: None)
_READINESS: Final = dict.fromkeys(("etcd-readiness", "informer-sync", "shutdown"), lambda: None)


class ClusterError(KubewrightError):
    """The cluster cannot be had as it was asked for."""


class Cluster:
    """A Kubernetes API in this process.

    - `port`: where to serve over TLS; 0 for a free port, None for no socket at all.
    - `plain_port`: where to serve without TLS, every client being an administrator; nowhere by default.
    - `controllers`: `"all"`, `"none"`, or the names of some.
    - `nodes`: how many nodes take pods; one by default, and none where there are no controllers.
    - `data`: the directory in which everything is kept; only in memory by default.
    - `seed`: makes names, identifiers and keys a function of the order of writes.
    - `kubeconfig`: the file to add a context to; a private one by default.
    - `tokens`: bearer tokens, and whose they are. Client certificates of the cluster's authority are good in any case.
    """

    def __init__(
        self,
        *,
        port: int | None = 0,
        plain_port: int | None = None,
        host: str = "127.0.0.1",
        controllers: str | Iterable[str] = "all",
        nodes: int | None = None,
        data: Path | str | None = None,
        seed: int | None = None,
        kubeconfig: Path | str | None = None,
        name: str = "kubewright",
        tokens: Mapping[str, User] | None = None,
    ) -> None:
        for given in (port, plain_port):
            if given is not None and not (type(given) is int and 0 <= given < 65536):
                raise ClusterError(f"{given!r} is no port: give a number from 0 to 65535.")
        if nodes is not None and not (type(nodes) is int and 0 <= nodes <= MOST_NODES):
            raise ClusterError(f"{nodes!r} is no number of nodes: give one from 0 to {MOST_NODES}.")
        if seed is not None and type(seed) is not int:
            raise ClusterError(f"{seed!r} is no seed: give a whole number.")
        if port and port == plain_port:
            raise ClusterError(f"port {port} cannot be with and without TLS: choose two.")
        self.name = name
        self._tokens = dict(tokens or {})
        self._host, self._port, self._plain_port = host, port, plain_port
        self._controllers = choose(controllers)
        self._nodes = nodes if nodes is not None else min(1, len(self._controllers))
        self._data = Path(data) if data is not None else None
        self._seed = seed
        self._file = Path(kubeconfig) if kubeconfig is not None else None
        self._stack = contextlib.AsyncExitStack()
        self._front: Front | None = None
        #: Where it serves: `https://127.0.0.1:40001`; empty if it does not.
        self.server = ""
        #: Where it serves without TLS; empty if it does not.
        self.plain_server = ""

    async def __aenter__(self) -> Self:
        try:
            await self._start()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._front = None
        await self._stack.aclose()

    def client(self) -> "Client":
        """A client in this process, an administrator."""
        # Loaded when it is wanted: a server of its own never is asked for one.
        from kubewright.client.client import Client
        from kubewright.client.transport import LocalTransport

        if self._front is None:
            raise ClusterError("the cluster is not running; use it inside `async with`.")
        return Client(LocalTransport(self._front))

    @property
    def kubeconfig(self) -> Path:
        """A file with which anything else reaches the cluster, as an administrator."""
        if self._file is None or not self.server:
            raise ClusterError("the cluster serves on no port; give it one, `Cluster(port=0)`, to have a kubeconfig.")
        return self._file

    def compact(self) -> None:
        """Forget the past now: whoever watches or pages from an older revision is told to begin anew."""
        self.store.compact(self.store.revision)

    def snapshot(self) -> bytes:
        """All that the cluster holds now, for `restore`; not its keys, and not the past."""
        return take_snapshot(self.store)

    async def restore(self, snapshot: bytes) -> None:
        """Hold again what was there when a snapshot was taken, of this cluster or another one.

        All of it happens at once, under new revisions: nobody sees a part of it, watches go on and are told what
        changed, and who wrote meanwhile meets a conflict. What every cluster needs and the snapshot lacks is made.
        """
        if self._front is None:
            raise ClusterError("the cluster is not running; use it inside `async with`.")
        changes = differences(self.store, snapshot)
        self._definitions.distrust(self.store.revision + len(changes))
        for change in changes:
            change.commit(self.store)
        await self._furnish()

    async def _start(self) -> None:
        """The store, what is served from it, who writes to it by itself, and last the doors."""
        disk = None
        if self._data is not None:
            # Loaded when it is wanted: most clusters are in memory alone.
            from kubewright.cluster.store.disk import Disk

            disk = Disk(self._data)
            self._stack.callback(disk.close)
        self.store = Store(disk)
        retention = Retention(self.store)
        retention.start()
        self._stack.callback(retention.stop)
        expiry = Expiry(self.store, "/events/", _EVENTS_LAST)
        expiry.start()
        self._stack.callback(expiry.stop)
        registry = Registry()
        written, chance, self._keys, self._account_keys, self._work_entropy = _streams(self._seed, self.store.revision)
        self.api = api = Api(self.store, registry, written, chance)
        api.absent = frozenset(self._absent())
        registry.replace((), builtin_resources())
        authority = self._authority() if self._port is not None else None
        self._stack.callback(end_watches, api)
        self._definitions = install_crds(api)
        self._stack.push_async_callback(self._definitions.close)
        self._stack.callback(follow_apiservices(api).close)
        certificate = authority.credential.certificate.decode() if authority is not None else ""
        api.access = access = Access(self.store, self._account_key, self._tokens, ADMIN)
        discovery = Discovery(registry, checks=_CHECKS, readiness=_READINESS, keys=access.keys)
        front = Front(api, discovery, access)
        # Who writes by himself does so over a client, as if he were somewhere else.
        self._front = front
        work = self._work_entropy
        controllers = Controllers(
            api, lambda: access.accounts, self._controllers, certificate, connect=self.client, entropy=work
        )
        port = await self._serve(front, authority)
        discovery.address = f"{self._host}:{port}"
        self._furnish = partial(bootstrap, api, certificate=certificate, port=port)
        await self._furnish()
        await controllers.start()
        self._stack.push_async_callback(controllers.stop)
        await self._start_nodes()
        if authority is not None:
            self._write_kubeconfig(authority)

    def _absent(self) -> Iterator[str]:
        if not self._controllers:
            yield "controller-manager"
        if not self._nodes:
            yield "scheduler"

    async def _start_nodes(self) -> None:
        """Register the nodes; who runs pods on them comes with the first pod, or when somebody says how pods fare.

        Where the controllers are somebody else's, he comes at once: they take a node for dead that sends no heartbeat.
        """
        if not self._nodes:
            return
        from kubewright.cluster.nodes.node import Shape
        from kubewright.cluster.nodes.register import register
        from kubewright.cluster.nodes.script import STAGES

        await register(self.client(), self._nodes, Shape())

        async def run() -> None:
            await load("kubewright.cluster.nodes.nodes")
            from kubewright.cluster.nodes.nodes import Nodes

            async with Nodes(self.client(), self._nodes, entropy=self._work_entropy) as nodes:
                self.api.kubelets.update(dict.fromkeys(nodes.names, nodes.handler))
                await nodes.wait()

        wakers = [Waker("/pods/"), Waker(f"/customresourcedefinitions.apiextensions.k8s.io/{STAGES}")]
        if not self._controllers:
            wakers.append(Waker("/nodes/"))
        sleeper = Sleeper("the nodes", self.store, wakers, run)
        sleeper.start()
        self._stack.push_async_callback(sleeper.stop)

    async def _serve(self, front: Front, authority: "Authority | None") -> int:
        """Open the doors; nobody knows where they are until all is ready. The port, a usual one where there is none."""
        limits = ServerLimits(body=BODY_LIMIT)
        port = 6443
        if self._plain_port is None and authority is None:
            return port
        server = Server(front, limits)
        self._stack.push_async_callback(server.stop, 2.0)
        host = f"[{self._host}]" if ":" in self._host else self._host
        if self._plain_port is not None:
            port = await self._listen(server, self._plain_port, None)
            self.plain_server = f"http://{host}:{port}"
        if authority is not None and self._port is not None:
            port = await self._listen(server, self._port, self._context(authority))
            self.server = f"https://{host}:{port}"
        return port

    async def _listen(self, server: Server, port: int, context: ssl.SSLContext | None) -> int:
        try:
            return await server.listen(self._host, port, context)
        except OSError as error:
            why = f"{error.strerror or error}; choose another port, or 0 for a free one"
            raise ClusterError(f"cannot listen on {self._host} port {port}: {why}.") from error

    # -- keys and files

    def _authority(self) -> "Authority":
        """The authority of the data directory, if there is one, or else a new one."""
        from kubewright.cluster.auth.authority import Authority, Credential

        if self._data is None:
            return Authority.mint(self._keys)
        certificate, key = self._data / "ca.crt", self._data / "ca.key"
        if certificate.exists() and key.exists():
            try:
                return Authority(Credential(certificate.read_bytes(), key.read_bytes()), self._keys)
            except KubewrightError as error:
                raise ClusterError(f"{certificate} and ca.key beside it are of no use: {error}.") from error
        authority = Authority.mint(self._keys)
        _write(key, authority.credential.key)
        _write(certificate, authority.credential.certificate)
        return authority

    def _account_key(self) -> bytes:
        """The key by which tokens of service accounts are signed: that of the data directory, or else a new one."""
        if self._data is None:
            return self._account_keys.private_key()
        path = self._data / "sa.key"
        if not path.exists():
            _write(path, self._account_keys.private_key())
        return path.read_bytes()

    def _context(self, authority: "Authority") -> ssl.SSLContext:
        credential = authority.server([*_ADDRESSES, *_NAMES, *([] if self._host in _ADDRESSES else [self._host])])
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.verify_mode = ssl.CERT_OPTIONAL
        context.load_verify_locations(cadata=authority.credential.certificate.decode())
        with tempfile.TemporaryDirectory(prefix="kubewright-") as directory:
            _load(context, credential, Path(directory))
        return context

    def _write_kubeconfig(self, authority: "Authority") -> None:
        admin = authority.client(ADMIN.name, ADMIN.groups)
        if self._file is None:
            directory = Path(tempfile.mkdtemp(prefix="kubewright-"))
            self._stack.callback(shutil.rmtree, directory, ignore_errors=True)
            self._file = directory / "kubeconfig"
        add_context(
            self._file,
            self.name,
            self.server,
            authority=authority.credential.certificate,
            certificate=admin.certificate,
            key=admin.key,
        )


def _streams(seed: int | None, revision: int) -> tuple[Entropy, ...]:
    """Randomness for what is written, for what is not, for keys, for the key of accounts, and for who works in the
    cluster: none moves the others on.

    A cluster that goes on from a revision does not draw again what it drew before: no two objects share a uid.
    """
    if seed is None:
        return tuple(Entropy() for _ in _STREAMS)
    seed ^= revision << 64
    return tuple(Entropy(seed ^ each) for each in _STREAMS)


def _load(context: ssl.SSLContext, credential: "Credential", directory: Path) -> None:
    """Give a context its certificate; the library reads it from files only."""
    certificate, key = directory / "server.crt", directory / "server.key"
    _write(certificate, credential.certificate)
    _write(key, credential.key)
    context.load_cert_chain(certificate, key)


def _write(path: Path, content: bytes) -> None:
    path.touch(mode=0o600)
    path.write_bytes(content)
