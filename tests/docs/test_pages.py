"""Every block of README, docs/ and the examples' READMEs does what the page says."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import pytest
from tests.docs.page import blocks
from tests.docs.reader import Reader

import kubewright as kw
import webserver
from kubewright.client import Api
from kubewright.cluster.auth.authority import Authority
from kubewright.entropy import Entropy
from kubewright.k8s.apps.v1 import Deployment
from kubewright.k8s.core.v1 import Service
from kubewright.schema.crd import crd_of
from kubewright.testing.sandbox import Sandbox

pytestmark = pytest.mark.usefixtures("kubectl")

ROOT = Path(__file__).parents[2]
PAGES = [
    page
    for page in (ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")), *sorted(ROOT.glob("examples/*/README.md")))
    if {block.language for block in blocks(page.read_text(encoding="utf-8"))} & {"python", "console", "sh"}
]


class Certificate(kw.Resource, group="cert-manager.io", version="v1"):
    """What a page names that is not ours."""


DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: other}}
  template: {metadata: {labels: {app: other}}, spec: {containers: [{name: c, image: nginx}]}}
"""
#: One to talk to.
TALKER = """
apiVersion: v1
kind: Pod
metadata: {name: web, annotations: {kubewright.dev/log: ready}}
spec: {containers: [{name: c, image: nginx}]}
"""
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: web-0}\nspec: {containers: [{name: c, image: nginx}]}\n"


def usual() -> Mapping[str, Any]:
    """What a fragment takes for granted."""
    return {
        "kw": kw,
        "Annotated": Annotated,
        "WebServer": webserver.WebServer,
        "WebServerSpec": webserver.WebServerSpec,
    }


def on_readme() -> Mapping[str, Any]:
    return {
        "Deployment": Deployment,
        "Service": Service,
        "deployment_for": webserver.deployment_for,
        "service_for": webserver.service_for,
    }


def on_controllers() -> Mapping[str, Any]:
    async def drop_dns_record(web: webserver.WebServer) -> None: ...

    return {**usual(), "drop_dns_record": drop_dns_record, **_connected()}


def _connected() -> Mapping[str, Any]:
    try:
        return {"api": Api.connect()}
    except RuntimeError:  # in no loop, where nobody could use it
        return {}


def on_objects() -> Mapping[str, Any]:
    value = {"metadata": {"name": "shop"}, "spec": {"image": "nginx"}}
    return {**usual(), "value": value, "data": kw.encode(kw.from_dict(value, webserver.WebServer))}


def on_schema() -> Mapping[str, Any]:
    spec = webserver.WebServerSpec(image="nginx")
    web = webserver.WebServer(metadata=kw.ObjectMeta(name="shop", namespace="default"), spec=spec)
    document = kw.to_dict(web)
    return {**usual(), "web": web, "before": web, "document": document, "obj": document, "crd": crd_of(type(web))}


STAGES: dict[str, Callable[[], Mapping[str, Any]]] = {
    "README.md": on_readme,
    "controllers.md": on_controllers,
    "objects.md": on_objects,
    "schema.md": on_schema,
}


#: What is there before the reader comes.
OBJECTS = {
    "client.md": (json.dumps(crd_of(Certificate)), DEPLOYMENT, POD, TALKER),
    "controllers.md": (json.dumps(crd_of(webserver.WebServer)),),
    "nodes.md": (TALKER,),
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_says_is_so(page: Path, cluster: Sandbox, tmp_path: Path) -> None:
    for text in OBJECTS.get(page.name, ()):
        made = cluster.kubectl("create", "-f", "-", input=text)
        assert made.returncode == 0, made.stderr
        if text is TALKER:
            assert cluster.kubectl("wait", "pod/web", "--for=condition=Ready", "--timeout=60s").returncode == 0
    folder = tmp_path / "home" / "folder"
    if page.parent.parent.name == "examples":
        shutil.copytree(page.parent, folder)
    if page.name == "controllers.md":
        folder.mkdir(parents=True)
        credential = Authority.mint(Entropy(1)).server(["localhost"])
        (folder / "tls.crt").write_bytes(credential.certificate)
        (folder / "tls.key").write_bytes(credential.key)
    with Reader(tmp_path / "home", cluster, STAGES.get(page.name, usual)) as reader:
        for block in blocks(page.read_text(encoding="utf-8")):
            try:
                reader.follow(block)
            except BaseException as error:
                error.add_note(f"{page.relative_to(ROOT)}:{block.line}")
                raise
