import asyncio
from pathlib import Path
from typing import Any

from tests.cluster.stage import Stage, play
from tests.http.certificates import Authority

from kubewright.client import Client, LocalTransport
from kubewright.http import Headers, HttpError, Origin, Pool, Request, Response
from kubewright.observe import Certificates, Guard, Metrics, Server
from kubewright.testing.sandbox import Sandbox, wait_for

ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts"
RBAC = "/apis/rbac.authorization.k8s.io/v1"


async def token_of(client: Client, name: str) -> str:
    await client.create(ACCOUNTS, {"metadata": {"name": name}})
    return str((await client.create(f"{ACCOUNTS}/{name}/token", {"spec": {}}))["status"]["token"])


async def allow(client: Client, name: str, namespace: str = "default", role: str = "metrics-reader") -> None:
    """Give an account what a reader of metrics needs."""
    rules = [{"nonResourceURLs": ["/metrics"], "verbs": ["get"]}]
    await client.create(f"{RBAC}/clusterroles", {"metadata": {"name": role}, "rules": rules})
    ref = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role}
    subject = {"kind": "ServiceAccount", "namespace": namespace, "name": name}
    binding = {"metadata": {"name": role}, "roleRef": ref, "subjects": [subject]}
    await client.create(f"{RBAC}/clusterrolebindings", binding)


def asking(authorization: str | None) -> Request:
    pairs = [(b"Authorization", authorization.encode())] if authorization else []
    return Request("GET", "/metrics", Headers(pairs))


def verdict(refusal: Response | None) -> Any:
    return None if refusal is None else (refusal.status, refusal.body)


def test_who_says_not_who_he_is_is_refused() -> None:
    async def story(stage: Stage) -> list[Any]:
        guard = Guard(stage.client)
        headers = (None, "Basic abc", "Bearer", "Bearer  ", "Bearer nobody's")
        return [verdict(await guard.refusal(asking(header))) for header in headers]

    assert play(story) == [(401, b"Unauthorized\n")] * 5


def test_an_account_reads_what_its_role_says() -> None:
    async def story(stage: Stage) -> list[Any]:
        guard = Guard(stage.client)
        ada, eve = await token_of(stage.client, "ada"), await token_of(stage.client, "eve")
        await allow(stage.client, "ada")
        return [verdict(await guard.refusal(asking(f"Bearer {token}"))) for token in (ada, eve)]

    denied = b"Authorization denied for user system:serviceaccount:default:eve\n"
    assert play(story) == [None, (403, denied)]


def test_answers_are_believed_for_a_while_and_no_longer() -> None:
    async def story(stage: Stage) -> None:
        metrics = Metrics()
        guard = Guard(stage.client.but(observer=metrics.client))
        reviews = metrics.client._requests.of("201", "POST", "local")
        request = asking(f"Bearer {await token_of(stage.client, 'ada')}")
        denied = await guard.refusal(request)
        assert denied is not None
        assert reviews.value == 2
        await allow(stage.client, "ada")
        assert await guard.refusal(request) is not None
        assert reviews.value == 2
        await asyncio.sleep(31)  # a refusal is kept for 30 seconds, who he is for 60
        assert await guard.refusal(request) is None
        assert reviews.value == 3
        await asyncio.sleep(60)
        assert await guard.refusal(request) is None
        assert reviews.value == 4

    play(story)


def test_an_api_that_does_not_answer_lets_nobody_in() -> None:
    def broken(request: Request) -> Response:
        raise HttpError("no route to host")

    def confused(request: Request) -> Response:
        if "tokenreviews" in request.target:
            return Response(201, body=b'{"status": {"authenticated": true, "user": {"username": "ada"}}}')
        return Response(500, body=b"{}")

    async def main(handler: Any) -> Any:
        return verdict(await Guard(Client(LocalTransport(handler))).refusal(asking("Bearer t")))

    assert asyncio.run(main(broken)) == (500, b"Authentication failed\n")
    assert asyncio.run(main(confused)) == (500, b"Authorization for user ada failed\n")


def test_metrics_are_read_over_tls_by_who_may(cluster: Sandbox, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    pair = authority.issue("server")
    accounts = f"/api/v1/namespaces/{cluster.namespace}/serviceaccounts"
    role = f"{cluster.namespace}-metrics-reader"

    async def read(port: int, token: str) -> int:
        headers = Headers([(b"Authorization", f"Bearer {token}".encode())])
        async with Pool() as pool:
            origin = Origin("localhost", port, authority.client())
            response = await pool.request(origin, Request("GET", "/metrics", headers))
            await response.read()
            return response.status

    async def story() -> None:
        async with cluster.client() as admin:
            tokens = {}
            for name in ("ada", "eve"):
                await admin.create(accounts, {"metadata": {"name": name}})
                made = await admin.create(f"{accounts}/{name}/token", {"spec": {"expirationSeconds": 600}})
                tokens[name] = made["status"]["token"]
            await allow(admin, "ada", cluster.namespace, role)
            tls, routes = Certificates(pair, pair), {"/metrics": Metrics().answer}
            async with asyncio.timeout(30), Server("127.0.0.1:0", routes, tls=tls, guard=Guard(admin)) as server:
                assert server.port is not None
                assert await read(server.port, "nobody's") == 401
                assert await read(server.port, tokens["eve"]) == 403
                # A real server hears of roles a moment late, and a guard believes a refusal for a while.
                while await read(server.port, tokens["ada"]) != 200:
                    server._guard = Guard(admin)

    wait_for(story())
