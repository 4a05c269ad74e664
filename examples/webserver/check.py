"""Checks objects as the server would, in this process: what is dropped, what is filled in, what is refused."""

import json

from kubewright.schema.crd import crd_of
from kubewright.schema.walk import compile_schema
from webserver import WebServer

walk = compile_schema(crd_of(WebServer)["spec"]["versions"][0]["schema"]["openAPIV3Schema"])

for spec in ({"image": "nginx"}, {"image": "nginx", "replicaz": 3}, {"image": "", "replicas": 500}, {"port": "http"}):
    envelope = {"apiVersion": WebServer.api_version, "kind": WebServer.kind, "metadata": {"name": "web"}}
    thing = {**envelope, "spec": dict(spec)}
    print(f"spec {json.dumps(spec)}")
    for path in walk.coerce(thing):
        print(f'  dropped: unknown field "{path}"')
    walk.default(thing)
    errors = walk.validate(thing)
    for error in errors:
        print(f"  refused: {error}")
    if not errors:
        print(f"  stored as {json.dumps(thing['spec'])}")
