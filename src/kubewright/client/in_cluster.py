"""The API as a pod sees it: address from the environment, the rest from the files of its service account.

The token is replaced under way (it is good for an hour or so), and so may be the authority, when a cluster gets another
one: their files are read again and again, never just once.
"""

import os
from pathlib import Path

from kubewright.client.kubeconfig import Access, KubeconfigError

__all__ = ["in_cluster", "load_in_cluster"]

_FOLDER = Path("/var/run/secrets/kubernetes.io/serviceaccount")


def in_cluster(folder: Path = _FOLDER) -> bool:
    """Whether this looks like a pod with a service account."""
    return bool(os.environ.get("KUBERNETES_SERVICE_HOST")) and (folder / "token").exists()


def load_in_cluster(folder: Path = _FOLDER) -> Access:
    """The access of this pod's service account."""
    host, port = os.environ.get("KUBERNETES_SERVICE_HOST", ""), os.environ.get("KUBERNETES_SERVICE_PORT", "")
    if not host or not port:
        raise KubeconfigError("this is no pod: KUBERNETES_SERVICE_HOST and _PORT are not set; use a kubeconfig.")
    address = f"[{host}]" if ":" in host else host
    token = folder / "token"
    if not token.exists():
        raise KubeconfigError(
            f"this pod has no token at {token}: its service account is not mounted (automountServiceAccountToken)."
        )
    return Access(
        server=f"https://{address}:{port}",
        namespace=_text(folder / "namespace") or "default",
        authority=_bytes(folder / "ca.crt"),
        authority_file=folder / "ca.crt",
        token_file=token,
    )


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise KubeconfigError(f"{path} of this pod's service account cannot be read: {error.strerror}.") from error


def _text(path: Path) -> str:
    return path.read_text().strip() if path.exists() else ""
