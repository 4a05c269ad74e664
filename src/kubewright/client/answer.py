"""Whether an answer is what was asked for.

A status of 200 says little: the page of a proxy that wants a login has one, and so has a server to which a proxy led us
by mistake. Taken for a list such a page has no objects, and a cache that believes it forgets all it had. So the kind of
every answer is looked at: of a list that of the page alone, of an object mostly its first bytes.
"""

from typing import Any

import msgspec

from kubewright.client.endpoint import Endpoint, EndpointError
from kubewright.client.errors import error_of
from kubewright.model.documents import load_json
from kubewright.model.resource import Resource, definition_of

__all__ = ["AnswerError", "ListHead", "check_answer", "check_list", "check_success", "kind_of"]

#: What lists of any kind may be called.
_ANY_LIST = "List"
_METADATA_LIST = "PartialObjectMetadataList"


class AnswerError(EndpointError):
    """An answer of another kind than was asked for."""


class ListHead(msgspec.Struct, kw_only=True):
    """What a list says of itself; its objects stay bytes."""

    kind: str = ""
    apiVersion: str = ""  # noqa: N815 - the wire's name
    items: list[msgspec.Raw] | None = None


class _Head(msgspec.Struct, rename="camel"):
    kind: Any = None
    api_version: Any = None


#: What is raised for what is no object, or for one too deep to be read.
_NO_OBJECT = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)

_head = msgspec.json.Decoder(_Head).decode


def kind_of(data: bytes) -> object:
    """The kind that a document says it is of; None if it says none, or is no object."""
    try:
        return _head(data).kind
    except _NO_OBJECT:
        return None


def check_answer(endpoint: Endpoint[Any], data: bytes, source: str, *, wrote: bool = False, part: bool = False) -> None:
    """Refuse an object that is none of the kind; what is no object at all is left to who reads it.

    `wrote`: a Status that tells of success is as good, and so is another kind of the same group, since there are some
    that only ask for one (OpenShift's ProjectRequest is answered with the Project): it was done, and may not be again.
    `part`: it answers for a subresource, which may be of any kind where no class is to read it.
    """
    if data.startswith(endpoint.openings):
        return
    try:
        head = _head(data)
    except _NO_OBJECT:
        return
    kind = head.kind
    if kind == endpoint.kind:
        return
    if kind == "Status":
        check_success(data)
        if wrote:
            return
    elif (wrote and _is_related(head, endpoint)) or (part and not _is_typed(endpoint)):
        return
    raise AnswerError(f"{source} is {_said(kind)}, not of the kind {endpoint.kind}; it begins {data[:60]!r}.")


def _is_related(head: _Head, endpoint: Endpoint[Any]) -> bool:
    return endpoint.group != "" and str(head.api_version).startswith(f"{endpoint.group}/")


def _is_typed(endpoint: Endpoint[Any]) -> bool:
    return endpoint.model is not None and issubclass(endpoint.model, Resource)


def check_success(data: bytes) -> None:
    """Raise what a Status tells of, if that is a failure. Any other document passes."""
    if b'"Status"' not in data or kind_of(data) != "Status":
        return
    status = load_json(data)
    if isinstance(status, dict) and status.get("status") == "Failure":
        raise error_of(status)


def check_list(
    endpoint: Endpoint[Any], page: ListHead, data: bytes, source: str, *, metadata_only: bool = False
) -> None:
    """Refuse a list that is none of the kind's; a Status that tells of a failure is raised as that."""
    kind = page.kind
    if kind in (f"{endpoint.kind}List", _ANY_LIST) or (metadata_only and kind == _METADATA_LIST):
        return
    if kind == "Status":
        check_success(data)
    elif kind and (page.items is not None or b'"items":null' in data) and _may_be_called(endpoint, page):
        return
    raise AnswerError(f"{source} is {_said(kind)}, not {endpoint.kind}List; it begins {data[:60]!r}.")


def _may_be_called(endpoint: Endpoint[Any], page: ListHead) -> bool:
    """Whether a list may have that name: a CRD can call its lists anything, and some APIs have nothing but lists.

    A class need not know what a CRD of others calls them; then the objects say whether they are of its kind.
    """
    model = endpoint.model
    if model is not None and issubclass(model, Resource) and page.kind == definition_of(model).list_kind:
        return True
    if "." not in endpoint.group or page.apiVersion != endpoint.api_version:
        return False
    return model is None or not page.items or kind_of(bytes(page.items[0])) in (None, endpoint.kind)


def _said(kind: object) -> str:
    return f"of the kind {kind!r:.60}" if kind else "of no kind"
