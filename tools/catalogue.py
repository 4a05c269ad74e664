"""Write what is known of built-in resources again, as the released kube-apiserver tells it.

Two files come of it: `cluster/registry/catalogue.json`, which resources there are by default, from discovery; and
`cluster/wire/schemas.txt`, how their objects look, from OpenAPI v3. Kubernetes' checked-in documents would not do:
they are made with every alpha and beta feature on, and without enums. So a server is started (first: make real) and
asked. Descriptions are left out, since they are texts of Kubernetes and not facts about it.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from kubewright.cluster.registry.catalogue import Entry, EntrySubresource
from kubewright.model.resource import GroupVersionKind
from kubewright.testing.real import RealCluster

__all__ = ["generate", "main", "without_descriptions"]

TARGET: Final = Path(__file__).parent.parent / "src" / "kubewright" / "cluster"
META: Final = "io.k8s.apimachinery.pkg.apis.meta.v1."
#: Every group version registers these kinds; each document lists those that concern it.
EVERYWHERE: Final = (f"{META}DeleteOptions", f"{META}WatchEvent")
GVK: Final = "x-kubernetes-group-version-kind"
#: Any CRD will do to see what the documents of CRDs have in common.
PROBE: Final = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "probes.example.com"},
    "spec": {
        "group": "example.com",
        "scope": "Cluster",
        "names": {"plural": "probes", "singular": "probe", "kind": "Probe", "listKind": "ProbeList"},
        "versions": [
            {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
        ],
    },
}


def main() -> None:
    """Write both files below the package."""
    for path in generate(TARGET):
        print(path)


def generate(target: Path) -> list[Path]:
    """Write both files below `target`, and say where they are."""
    with RealCluster.start() as cluster:
        entries = list(_entries(cluster))
        schemas = _schemas(cluster)
    catalogue = target / "registry" / "catalogue.json"
    lines = ",\n".join(msgspec.json.encode(entry).decode() for entry in entries)
    _write(catalogue, f"[\n{lines}\n]\n")
    listing = target / "wire" / "schemas.txt"
    _write(listing, "".join(f"{name} {content}\n" for name, content in schemas))
    return [catalogue, listing]


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def _ask(cluster: RealCluster, path: str) -> Any:
    answer = cluster.kubectl("get", "--raw", path)
    if answer.returncode:
        raise SystemExit(f"catalogue: the server did not answer {path}: {answer.stderr.strip()}")
    return json.loads(answer.stdout)


def _entries(cluster: RealCluster) -> Iterator[Entry]:
    yield from _entries_of(cluster, "/api/v1", "", "v1")
    for group in _ask(cluster, "/apis")["groups"]:
        for version in group["versions"]:
            yield from _entries_of(cluster, f"/apis/{version['groupVersion']}", group["name"], version["version"])


def _entries_of(cluster: RealCluster, path: str, group: str, version: str) -> Iterator[Entry]:
    resources = _ask(cluster, path)["resources"]
    for resource in resources:
        plural = resource["name"]
        if "/" in plural:
            continue
        subresources = tuple(
            EntrySubresource(
                name=sub["name"].partition("/")[2],
                kind=GroupVersionKind(sub.get("group", group), sub.get("version", version), sub["kind"]),
                verbs=tuple(sub["verbs"]),
            )
            for sub in resources
            if sub["name"].startswith(f"{plural}/")
        )
        yield Entry(
            group=group,
            version=version,
            plural=plural,
            singular=resource["singularName"],
            kind=resource["kind"],
            namespaced=resource["namespaced"],
            verbs=tuple(resource["verbs"]),
            short_names=tuple(resource.get("shortNames", ())),
            categories=tuple(resource.get("categories", ())),
            storage_version_hash=resource.get("storageVersionHash", ""),
            subresources=subresources,
        )


def _schemas(cluster: RealCluster) -> Iterator[tuple[str, str]]:
    """The lines: each schema by name; before them, in which versions `EVERYWHERE` is registered.

    In documents of built-in versions that is the version itself, in those of CRDs and in the one of OpenAPI v2 a list.
    """
    found: dict[str, Any] = {}
    for path in _ask(cluster, "/openapi/v3")["paths"]:
        found |= _ask(cluster, f"/openapi/v3/{path}")["components"].get("schemas", {})
    definitions = _ask(cluster, "/openapi/v2")["definitions"]
    if definitions.keys() != found.keys():
        raise SystemExit("catalogue: OpenAPI v2 and v3 know different types; tools/catalogue.py must learn why.")
    lines = [("@v2", _versions(definitions[EVERYWHERE[0]])), ("@custom", _versions(_custom(cluster)))]
    for name in EVERYWHERE:
        del found[name][GVK]
    return iter(lines + [(name, _compact(without_descriptions(found[name]))) for name in sorted(found)])


def _custom(cluster: RealCluster) -> Any:
    """`DeleteOptions` as the document of a CRD has it."""
    made = cluster.kubectl("create", "--filename=-", input=json.dumps(PROBE))
    if made.returncode:
        raise SystemExit(f"catalogue: the server refused the probe: {made.stderr.strip()}")
    while "apis/example.com/v1" not in _ask(cluster, "/openapi/v3")["paths"]:
        pass  # published within a second; asking takes a tenth of one
    return _ask(cluster, "/openapi/v3/apis/example.com/v1")["components"]["schemas"][EVERYWHERE[0]]


def _versions(schema: Any) -> str:
    return _compact([[kind["group"], kind["version"]] for kind in schema[GVK]])


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True)


def without_descriptions(schema: Any) -> Any:
    """A schema without the texts that describe it; a property that is called `description` stays."""
    if isinstance(schema, list):
        return [without_descriptions(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: without_descriptions(each) for name, each in value.items()}
        if key == "properties"
        else without_descriptions(value)
        for key, value in schema.items()
        if not (key == "description" and isinstance(value, str))
    }


if __name__ == "__main__":
    main()
