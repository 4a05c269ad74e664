"""Where a command works: on which cluster, which is said before anything is done to it.

What goes wrong between us and that cluster becomes one sentence that says what to do: nobody answers, it does not know
us, or we may not.
"""

import argparse
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final

from kubewright.cli.sources import CommandError
from kubewright.client.api import Api
from kubewright.client.config import load_access
from kubewright.client.errors import Forbidden, Unauthorized
from kubewright.client.kubeconfig import Access
from kubewright.client.retry import NEVER
from kubewright.http import HttpError

__all__ = ["add_options", "connect", "explained", "find", "tell"]

#: Seconds for the first answer: a server that needs longer is as good as none to somebody who waits for a prompt.
_PATIENCE: Final = 10.0


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add `--kubeconfig` and `--context`."""
    parser.add_argument("--kubeconfig", type=Path, help="by default $KUBECONFIG, the pod's own, or ~/.kube/config")
    parser.add_argument("--context", help="which context of it; by default the current one")


def find(given: argparse.Namespace) -> Access:
    """The cluster that the options name, or the usual one; says which."""
    access = load_access(given.kubeconfig, context=given.context)
    tell(access.context, access.server)
    return access


def tell(context: str, server: str) -> None:
    """Say on which cluster a command works."""
    print(f"context {context or 'of the pod'}, server {server}", flush=True)


@asynccontextmanager
async def connect(access: Access) -> AsyncIterator[Api]:
    """A cluster that has answered; in a pod it may do so later."""
    async with Api.connect(access) as api:
        with explained(access):
            if access.context:
                await api.but(timeout=_PATIENCE, retry=NEVER).raw.get("/version")
            yield api


@contextmanager
def explained(access: Access) -> Iterator[None]:
    """Say what to do about a cluster that cannot be reached, or does not let us."""
    by = f"context {access.context!r}" if access.context else "the pod's service account"
    try:
        yield
    except HttpError as error:
        if isinstance(error.__cause__, ssl.SSLCertVerificationError):
            raise CommandError(f"{error}; get a kubeconfig with the authority of this very cluster.") from error
        raise CommandError(
            f"{error}; start the cluster (`kubewright cluster up --detach` starts one here), or name another with "
            "--kubeconfig or --context."
        ) from error
    except Unauthorized as error:
        raise CommandError(f"{access.server} does not know {by} ({error}): renew its credentials.") from error
    except Forbidden as error:
        raise CommandError(f"{by} may not do this: {_end(error)}; use one that may, or grant it by a role.") from error


def _end(error: Exception) -> str:
    return str(error).rstrip(".")
