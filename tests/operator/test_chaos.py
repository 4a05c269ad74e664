"""A whole operator on a cluster, in simulated time, with everything going wrong at once; many lives, each from a seed.

Requests take their time, get lost on the way there or back, and are refused; watches end, or stand still; users make,
change and delete objects and what belongs to them; the operator is restarted. Throughout, no object is worked on twice
at once, and no reconcile sees a child older than this operator last made it. When the faults stop, everything is as it
should be, and nothing more is written.
"""

import asyncio
import random
from typing import Any

import pytest
from tests.operator.scene import Scene, Wire, play
from tests.operator.web import WEBS, WebServer, deployment_for, make, service_for
from tests.seeds import seeds

import kubewright as kw
from kubewright.client.errors import AlreadyExists, NotFound
from kubewright.http import ConnectError, DisconnectedError, Request, Response
from kubewright.k8s.apps.v1 import Deployment
from kubewright.k8s.core.v1 import Service

NAMES = ("a", "b", "c", "d")
CHILDREN = ("/apis/apps/v1/namespaces/default/deployments", "/api/v1/namespaces/default/services")


class Storm(Wire):
    """A wire on which anything may happen, until it is calm."""

    def __init__(self, wire: Wire, chance: random.Random) -> None:
        super().__init__(wire._transport)
        self.chance = chance
        self.calm = False

    async def send(self, request: Request) -> Response:
        if self.calm:
            return await super().send(request)
        chance = self.chance
        await asyncio.sleep(chance.choice((0, 0.001, 0.02, 1.5)))
        fate = chance.random()
        if fate < 0.04:
            raise ConnectError("nobody listens there")
        code = chance.choice((401, 403, 409, 429, 500, 503)) if fate < 0.1 else None
        self.refuse = lambda request: code
        response = await super().send(request)
        if fate > 0.95 and "watch=true" not in request.query:
            await response.read()
            raise DisconnectedError("the answer was lost")
        await asyncio.sleep(chance.choice((0, 0.001, 0.02, 1.5)))
        return response


class Life:
    """One life of an operator."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.chance = random.Random(seed)
        self.working: set[str] = set()
        self.made: dict[str, int] = {}
        life = self

        @kw.controller(WebServer, owns=[Deployment, Service], name="web", concurrency=3, timeout=60)
        async def web_server(web: WebServer, ctx: kw.Context) -> None:
            await life.reconcile(web, ctx)

        self.controller = web_server

    async def reconcile(self, web: WebServer, ctx: kw.Context) -> None:
        uid = web.metadata.uid
        assert uid not in self.working, "nobody else works on it"
        self.working.add(uid)
        try:
            seen = ctx.get(Deployment, web.metadata.name)
            if seen is not None and web.metadata.uid in [each.uid for each in seen.metadata.owner_references]:
                assert int(seen.metadata.resource_version) >= self.made.get(seen.metadata.uid, 0), "an older view"
            deployment = await ctx.apply(deployment_for(web))
            self.made[deployment.metadata.uid] = int(deployment.metadata.resource_version)
            await asyncio.sleep(self.chance.choice((0, 0.01, 2)))
            await ctx.apply(service_for(web))
            if self.chance.random() < 0.1:
                raise RuntimeError("by chance")
            web.status.ready_replicas = web.spec.replicas
        finally:
            self.working.discard(uid)

    async def play(self, scene: Scene) -> None:
        chance = self.chance
        storm = Storm(scene.wire, chance)
        scene.wire = storm
        for _ in range(chance.randint(1, 3)):  # restarts
            async with scene.running(self.controller, grace=chance.choice((0, 5))):
                for _ in range(chance.randint(3, 12)):
                    await self.befall(scene)
                    await asyncio.sleep(chance.choice((0, 0.01, 1, 30)))
            self.working.clear()
        storm.calm = True
        storm.refuse = lambda request: None
        async with scene.running(self.controller) as running:
            await scene.settle(running, 2500)  # the longest back-off is a thousand seconds
            self.chance.seed(0)
            await scene.settle(running, 2500)
            assert running.health.problems() == {}
            scene.wire.writes.clear()
            await scene.settle(running, 600)
            assert scene.wire.writes == [], "at rest nothing is written"
            await self.check(scene)

    async def befall(self, scene: Scene) -> None:
        chance, client = self.chance, scene.client
        name = chance.choice(NAMES)
        path = f"{WEBS.format('default')}/{name}"
        try:
            match chance.randrange(8):
                case 0 | 1:
                    await make(client, name, replicas=chance.randint(0, 9))
                case 2:
                    await client.patch(path, "merge", {"spec": {"replicas": chance.randint(0, 9)}})
                case 3:
                    await client.delete(path)
                case 4:
                    await client.delete(f"{chance.choice(CHILDREN)}/{name}")
                case 5:
                    await client.patch(f"{CHILDREN[0]}/{name}", "merge", {"spec": {"replicas": 77}})
                case 6:
                    scene.cut()
                case 7:
                    scene.wire.wedge()
        except (AlreadyExists, NotFound):
            pass

    async def check(self, scene: Scene) -> None:
        webs = {each["metadata"]["name"]: each for each in (await scene.client.get(WEBS.format("default")))["items"]}
        for name, web in webs.items():
            assert web["status"]["observedGeneration"] == web["metadata"]["generation"]
            assert web["status"]["readyReplicas"] == web["spec"]["replicas"]
            children: list[Any] = [await scene.client.get(f"{path}/{name}") for path in CHILDREN]
            assert children[0]["spec"]["replicas"] == web["spec"]["replicas"]
            for child in children:
                assert child["metadata"]["ownerReferences"][0]["uid"] == web["metadata"]["uid"]


def live(seed: int) -> None:
    try:
        play(Life(seed).play, seed=seed, controllers=["garbage-collector-controller"], nodes=0)
    except Exception as error:
        error.add_note(f"seed {seed}")
        raise


@pytest.mark.parametrize("seed", range(20))
def test_after_any_life_everything_is_as_it_should_be(seed: int) -> None:
    live(seed)


@pytest.mark.deep
def test_after_hundreds_of_lives_everything_is_as_it_should_be() -> None:
    for seed in seeds(400):
        live(seed)
