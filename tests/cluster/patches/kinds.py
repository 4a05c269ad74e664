"""A few built-in kinds, as an OpenAPI document of the size of a test, and how tests look at patches."""

from pathlib import Path
from typing import Any

import msgspec

from kubewright.cluster.patches.errors import PanickingPatch, PatchError
from kubewright.cluster.patches.lookup import PatchType, lookup_from_openapi
from kubewright.schema.walk.golang import marshal

__all__ = ["DOCUMENT", "answer", "kind", "same", "table"]

#: Each field: its name, its type (`[…]` a list, `{…}` a map, with a capital letter another of these), and after `@` its
#: patch strategies and merge key.
FIELDS = {
    "ConfigMap": "metadata:ObjectMeta data:{string} immutable:boolean",
    "Service": "metadata:ObjectMeta spec:ServiceSpec",
    "ServiceSpec": "type:string selector:{string} ports:[ServicePort]@merge,port externalIPs:[string] "
    "clusterIPs:[string]",
    "ServicePort": "name:string port:integer targetPort:string protocol:string",
    "Deployment": "metadata:ObjectMeta spec:DeploymentSpec status:DeploymentStatus",
    "DeploymentSpec": "replicas:integer selector:LabelSelector strategy:DeploymentStrategy@retainKeys "
    "template:Template",
    "DeploymentStrategy": "type:string rollingUpdate:RollingUpdate",
    "RollingUpdate": "maxSurge:string maxUnavailable:string",
    "DeploymentStatus": "replicas:integer conditions:[Condition]@merge,type",
    "Condition": "type:string status:string reason:string",
    "LabelSelector": "matchLabels:{string}",
    "Template": "metadata:ObjectMeta spec:PodSpec",
    "Pod": "metadata:ObjectMeta spec:PodSpec status:PodStatus",
    "PodSpec": "containers:[Container]@merge,name volumes:[Volume]@merge,retainKeys,name nodeSelector:{string} "
    "tolerations:[Toleration] imagePullSecrets:[LocalObjectReference]@merge,name restartPolicy:string",
    "PodStatus": "phase:string conditions:[Condition]@merge,type",
    "Container": "name:string image:string args:[string] env:[EnvVar]@merge,name ports:[Port]@merge,containerPort "
    "resources:Resources",
    "EnvVar": "name:string value:string valueFrom:EnvVarSource",
    "EnvVarSource": "fieldRef:FieldRef",
    "FieldRef": "fieldPath:string",
    "Port": "name:string containerPort:integer protocol:string",
    "Resources": "limits:{string}",
    "Volume": "name:string emptyDir:EmptyDir configMap:ConfigMapVolume",
    "EmptyDir": "medium:string",
    "ConfigMapVolume": "name:string defaultMode:integer items:[Item]",
    "Item": "key:string path:string",
    "Toleration": "key:string operator:string",
    "LocalObjectReference": "name:string",
    "ObjectMeta": "name:string labels:{string} annotations:{string} finalizers:[string]@merge "
    "ownerReferences:[OwnerReference]@merge,uid",
    "OwnerReference": "kind:string name:string uid:string",
}
#: Go's own names, where errors show them.
NAMES = {"Template": "PodTemplateSpec", "RollingUpdate": "RollingUpdateDeployment", "FieldRef": "ObjectFieldSelector"}
NAMES |= {"Condition": "PodCondition", "Port": "ContainerPort", "Resources": "ResourceRequirements"}
NAMES |= {"EmptyDir": "EmptyDirVolumeSource", "ConfigMapVolume": "ConfigMapVolumeSource", "Item": "KeyToPath"}


def _type(text: str) -> dict[str, Any]:
    if text[0] == "[":
        return {"type": "array", "items": _type(text[1:-1])}
    if text[0] == "{":
        return {"type": "object", "additionalProperties": _type(text[1:-1])}
    if text[0].isupper():
        return {"allOf": [{"$ref": f"#/components/schemas/io.example.{NAMES.get(text, text)}"}]}
    return {"type": text}


def _property(text: str, tag: str) -> dict[str, Any]:
    schema = _type(text)
    words = tag.split(",") if tag else []
    strategies = [word for word in words if word in ("merge", "replace", "retainKeys")]
    if strategies:
        schema["x-kubernetes-patch-strategy"] = ",".join(strategies)
    if words[len(strategies) :]:
        schema["x-kubernetes-patch-merge-key"] = words[-1]
    return schema


def _schema(fields: str) -> dict[str, Any]:
    properties = {}
    for field in fields.split():
        name, _, rest = field.partition(":")
        text, _, tag = rest.partition("@")
        properties[name] = _property(text, tag)
    return {"type": "object", "properties": properties}


DOCUMENT = {
    "components": {
        "schemas": {f"io.example.{NAMES.get(name, name)}": _schema(fields) for name, fields in FIELDS.items()}
    }
}


def kind(name: str) -> PatchType:
    """One of the kinds."""
    return lookup_from_openapi(DOCUMENT, f"io.example.{NAMES.get(name, name)}")


def table(name: str) -> list[dict[str, Any]]:
    """The cases of a table of recorded answers."""
    cases: list[dict[str, Any]] = msgspec.json.decode((Path(__file__).parent / "data" / f"{name}.json").read_bytes())[
        "cases"
    ]
    return cases


def answer(error: PatchError) -> dict[str, Any]:
    """An error, as the tables tell it: of a panic only that it was one."""
    return {"panic": True} if isinstance(error, PanickingPatch) else {"error": str(error), "code": error.code}


def same(ours: dict[str, Any], theirs: list[dict[str, Any]]) -> bool:
    """Whether an answer is one of those that Go may give."""
    return marshal(ours) in map(marshal, theirs)
