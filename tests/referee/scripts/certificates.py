"""Requests for certificates: who made them, and who approves."""

from typing import Any

from tests.referee.language import delete, get, patch, post, script

_ALL = "/apis/certificates.k8s.io/v1/certificatesigningrequests"
_MINE = f"{_ALL}/{{own}}"
_REQUEST = (
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlISE1IQUNBUUF3RGpFTU1Bb0dBMVVFQXd3RFlXNXVNRmt3RXdZ"
    "SEtvWkl6ajBDQVFZSUtvWkl6ajBEQVFjRApRZ0FFZldRR2RjMlBnSkxnc3pDWURZNmtmVkFEbXlFa3lDcFBFZmtHamQ4elZETzJG"
    "dit4c01XZmRoeEpyUVhKCnRmLzkyNDB5RGpCbFF5L2UyNUZJQUNkUXZxQUFNQW9HQ0NxR1NNNDlCQU1DQTBjQU1FUUNJRlp4clBz"
    "SUtjVTUKMmNQai9pSmRzYks2dUtBdHE5MndLK0oxNlViNHpKc1dBaUJkWHFuZnBSNWR4WFZFdlh3aVBoOFh4VU5xMzVNQwpaK2Z1"
    "bmE1SzBjaVZ4QT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo="
)
_APPROVED = {"type": "Approved", "status": "True", "reason": "Because", "message": "m"}


def request(name: str = "{own}", **spec: Any) -> dict[str, Any]:
    """A request for a client's certificate."""
    made = {"request": _REQUEST, "signerName": "example.com/signer", "usages": ["client auth"], **spec}
    return {"metadata": {"name": name}, "spec": made}


SCRIPTS = (
    script(
        "a request says who made it",
        "CREATE-1 UPD-1",
        post(_ALL, request(username="eve", uid="u", groups=["g"], extra={"a": ["b"]}), keep="a"),
        patch(_MINE, "merge", {"spec": {"username": "eve", "signerName": "example.com/other"}}),
        patch(_MINE, "merge", {"metadata": {"labels": {"a": "b"}}}),
        patch(_MINE, "merge", {"status": {"certificate": "eA=="}}),
        get(_MINE, accept="application/json;as=Table;v=v1;g=meta.k8s.io"),
        delete(_MINE),
    ),
    script(
        "a request is approved",
        "SUB-1",
        post(_ALL, {**request(), "status": {"conditions": [_APPROVED]}}, keep="a"),
        patch(f"{_MINE}/approval", "merge", {"spec": {"username": "eve"}, "status": {"conditions": [_APPROVED]}}),
        get(f"{_MINE}/approval"),
        get(_MINE, accept="application/json;as=Table;v=v1;g=meta.k8s.io"),
        delete(_MINE),
    ),
)
