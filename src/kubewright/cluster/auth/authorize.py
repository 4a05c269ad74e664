"""May they: until there are roles, who is somebody may do everything, and nobody in particular may look around."""

from kubewright.cluster.auth.user import User
from kubewright.cluster.front.intent import Intent
from kubewright.cluster.verbs.status import Failure, Target, forbidden, forbidden_path

__all__ = ["authorize"]

#: What anyone may read: health, version, and what there is.
_OPEN = ("/api", "/apis", "/healthz", "/livez", "/readyz", "/openapi", "/version")


def authorize(user: User, intent: Intent) -> None:
    """Let a request pass, or raise the refusal."""
    if not user.anonymous:
        return
    if intent.is_resource:
        raise _refused(user, intent)
    if intent.verb != "get" or not any(intent.path == path or intent.path.startswith(f"{path}/") for path in _OPEN):
        raise forbidden_path(user.name, intent.verb, intent.path)


def _refused(user: User, intent: Intent) -> Failure:
    resource = f"{intent.resource}/{intent.subresource}" if intent.subresource else intent.resource
    where = f'in the namespace "{intent.namespace}"' if intent.namespace else "at the cluster scope"
    why = f'User "{user.name}" cannot {intent.verb} resource "{resource}" in API group "{intent.group}" {where}'
    return forbidden(Target(intent.group, intent.resource, "", intent.name), why)
