"""ConversionReviews: what a webhook is asked, and what may be made of its answer.

Of metadata only labels and annotations may come back changed; whatever else a webhook did to it is undone.
"""

from collections.abc import Sequence
from typing import Any, Final

from kubewright.cluster.registry.custom.gotype import go_type
from kubewright.cluster.registry.view import ConversionFailed
from kubewright.schema.walk.golang import quote
from kubewright.schema.walk.metarules import check_meta
from kubewright.schema.walk.values import copy

__all__ = ["ask", "read_answer", "spelled_kind"]

Document = dict[str, Any]

_GROUP: Final = "apiextensions.k8s.io"
_KNOWN: Final = ("v1", "v1beta1")


def spelled_kind(obj: Document) -> str:
    """What an object is, as messages have it: `example.com/v1, Kind=Widget`."""
    return f"{obj.get('apiVersion', '')}, Kind={obj.get('kind', '')}"


def ask(uid: str, objects: Sequence[Document], wanted: str, reviews: Sequence[str]) -> Document:
    """The review that asks for objects in the version `wanted`, in the first form that the webhook and we know."""
    form = next((each for each in reviews if each in _KNOWN), None)
    if form is None:
        raise ConversionFailed("no supported conversion review versions")
    return {
        "kind": "ConversionReview",
        "apiVersion": f"{_GROUP}/{form}",
        "request": {"uid": uid, "desiredAPIVersion": wanted, "objects": list(objects)},
        "response": {"uid": "", "convertedObjects": None, "result": {"metadata": {}}},
    }


def read_answer(answer: Document, question: Document) -> list[Document]:
    """The converted objects of an answer; `ConversionFailed` says what is wrong with it."""
    sent: list[Document] = question["request"]["objects"]
    wanted: str = question["request"]["desiredAPIVersion"]
    head = f"conversion webhook for {spelled_kind(sent[0])}"
    problem, found = _converted(answer, question)
    if problem:
        raise ConversionFailed(f"{head} failed: {problem}")
    if len(found) != len(sent):
        raise ConversionFailed(f"{head} returned {len(found)} objects, expected {len(sent)}")
    result: list[Document] = []
    for original, converted in zip(sent, found, strict=True):
        if not isinstance(converted, dict):
            what = "object" if converted is None else go_type(converted).replace("[]interface {}", "array")
            raise ConversionFailed(f"json: cannot unmarshal {what} into Go value of type map[string]interface {{}}")
        if problem := _unlike(original, converted, wanted):
            raise ConversionFailed(f"{head} returned invalid object{problem}")
        if problem := _restore(original, converted):
            raise ConversionFailed(f"{head} returned invalid metadata: {problem}")
        result.append(converted)
    return result


def _converted(answer: Document, question: Document) -> tuple[str, list[Any]]:
    if problem := _stranger(answer, question["apiVersion"]):
        return problem, []
    response = answer.get("response")
    if not isinstance(response, dict):
        return "no response provided", []
    uid, said = question["request"]["uid"], response.get("uid", "")
    if question["apiVersion"] == f"{_GROUP}/v1" and said != uid:
        return f"expected response.uid={quote(uid)}, got {quote(str(said))}", []
    result = response.get("result") or {}
    if result.get("status") != "Success":
        status = result.get("status", "")
        return result.get("message") or f"response.result.status was '{status}', not 'Success'", []
    return "", response.get("convertedObjects") or []


def _stranger(answer: Document, wanted: str) -> str:
    """Why an answer cannot be read as a review of the version `wanted`."""
    version, kind = answer.get("apiVersion") or wanted, answer.get("kind") or "ConversionReview"
    if (version, kind) == (wanted, "ConversionReview"):
        return ""
    if kind == "ConversionReview" and version in (f"{_GROUP}/{each}" for each in _KNOWN):
        there, here = (each.removeprefix(f"{_GROUP}/") for each in (version, wanted))
        return f"converting ({there}.{kind}) to ({here}.{kind}): unknown conversion"
    scheme = '"pkg/runtime/scheme.go:111"'
    return f"no kind {quote(kind)} is registered for version {quote(version)} in scheme {scheme}"


def _unlike(original: Document, converted: Document, wanted: str) -> str:
    """Why an object is not the converted form of another."""
    if (got := converted.get("apiVersion", "")) != wanted:
        return f" at index 0: invalid groupVersion (expected {wanted}, received {got})"
    if (got := converted.get("kind", "")) != original["kind"]:
        return f" at index 0: invalid kind (expected {original['kind']}, received {got})"
    before, after = original["metadata"], converted.get("metadata")
    after = after if isinstance(after, dict) else {}
    for name, word in (("name", "name"), ("namespace", "namespace"), ("uid", "UID")):
        if before.get(name, "") != after.get(name, ""):
            return f": must have the same {word}: {before.get(name, '')} != {after.get(name, '')}"
    return ""


def _restore(original: Document, converted: Document) -> str:
    """Put the metadata back, in place, but for labels and annotations; or say why that cannot be done."""
    if "metadata" not in converted:
        return "missing metadata in converted object"
    given = converted["metadata"]
    if not isinstance(given, dict):
        return f"invalid metadata of type {go_type(given)} in converted object"
    meta: Document = {name: copy(value) for name, value in original["metadata"].items()}
    for name in ("labels", "annotations"):
        texts = given.get(name)
        before = meta.pop(name, None) or {}
        if texts is None:
            continue
        if not isinstance(texts, dict):
            return f"invalid metadata.{name} of type {go_type(texts)} in converted object"
        for key, text in texts.items():
            if not isinstance(text, str):
                return f"metadata.{name}[{key}] must be a string, but is {go_type(text)} in converted object"
        if texts != before and (errors := _misspelled(name, texts)):
            return errors[0] if len(errors) == 1 else f"[{', '.join(errors)}]"
        meta[name] = texts
    converted["metadata"] = meta
    return ""


def _misspelled(name: str, texts: dict[str, str]) -> list[str]:
    """What is wrong with labels or annotations."""
    meta: dict[str, object] = {"name": "any", name: texts}
    errors = check_meta(meta, "metadata", name=lambda _: [], name_prefix=lambda _: [], namespaced=False)
    # The server calls annotations by another name here.
    return [str(error).replace("metadata.annotations", "metadata.annotation", 1) for error in errors]
