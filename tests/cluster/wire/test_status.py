"""The rows of the contract: code, reason, message and details, word for word."""

from typing import Any

import pytest

from kubewright.cluster.wire import status
from kubewright.cluster.wire.status import Failure, Target
from kubewright.schema.walk.errors import required

MODIFIED = "the object has been modified; please apply your changes to the latest version and try again"
CM = Target("", "configmaps", "ConfigMap", "a")
WIDGET = Target("example.com", "widgets", "Widget", "w")


@pytest.mark.parametrize(
    ("failure", "code", "reason", "message", "details"),
    [
        (status.not_found(CM), 404, "NotFound", 'configmaps "a" not found', {"name": "a", "kind": "configmaps"}),
        (
            status.not_found(WIDGET),
            404,
            "NotFound",
            'widgets.example.com "w" not found',
            {"name": "w", "group": "example.com", "kind": "widgets"},
        ),
        (
            status.already_exists(CM),
            409,
            "AlreadyExists",
            'configmaps "a" already exists',
            {"name": "a", "kind": "configmaps"},
        ),
        (
            status.no_unique_name(CM),
            409,
            "AlreadyExists",
            'configmaps "a" already exists, the server was not able to generate a unique name for the object',
            {"name": "a", "kind": "configmaps", "retryAfterSeconds": 1},
        ),
        (
            status.modified(CM),
            409,
            "Conflict",
            f'Operation cannot be fulfilled on configmaps "a": {MODIFIED}',
            {"name": "a", "kind": "configmaps"},
        ),
        (
            status.forbidden(CM, "no"),
            403,
            "Forbidden",
            'configmaps "a" is forbidden: no',
            {"name": "a", "kind": "configmaps"},
        ),
        (
            status.invalid(WIDGET, [required("spec.size")]),
            422,
            "Invalid",
            'Widget.example.com "w" is invalid: spec.size: Required value',
            {
                "name": "w",
                "group": "example.com",
                "kind": "Widget",
                "causes": [{"reason": "FieldValueRequired", "message": "Required value", "field": "spec.size"}],
            },
        ),
        (status.unauthorized(), 401, "Unauthorized", "Unauthorized", None),
        (
            status.too_large_version(999999, 232),
            504,
            "Timeout",
            "Timeout: Too large resource version: 999999, current: 232",
            {
                "causes": [{"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}],
                "retryAfterSeconds": 1,
            },
        ),
        (status.too_large(3145728), 413, "RequestEntityTooLarge", "Request entity too large: limit is 3145728", None),
        (status.no_version(), 500, None, "resourceVersion should not be set on objects to be created", None),
    ],
)
def test_a_failure_has_its_shape(
    failure: Failure, code: int, reason: str | None, message: str, details: dict[str, Any] | None
) -> None:
    document = failure.document
    assert (document["status"], document["code"], failure.code) == ("Failure", code, code)
    assert (document.get("reason"), document["message"], document.get("details")) == (reason, message, details)


def test_a_deletion_that_is_done_says_who_is_gone() -> None:
    assert status.success(WIDGET, "u-1") == {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Success",
        "details": {"name": "w", "group": "example.com", "kind": "widgets", "uid": "u-1"},
    }
