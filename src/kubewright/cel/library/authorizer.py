"""What an expression about a request may ask of the authorizer: whether somebody may do something.

Nobody answers yet: policies are compiled when they are made, and not run.
"""

from typing import Final

from kubewright.cel.library.overload import Overload
from kubewright.cel.values import EvaluationError, Native

__all__ = ["OVERLOADS"]

_AUTHORIZER: Final = "kubernetes.authorization.Authorizer"
_PATH: Final = "kubernetes.authorization.PathCheck"
_GROUP: Final = "kubernetes.authorization.GroupCheck"
_RESOURCE: Final = "kubernetes.authorization.ResourceCheck"
_DECISION: Final = "kubernetes.authorization.Decision"


def _nobody(*args: Native) -> Native:
    raise EvaluationError("there is no authorizer to ask")


OVERLOADS: Final = {
    "authorizer_path": Overload("path", _nobody, (_AUTHORIZER, "string")),
    "authorizer_group": Overload("group", _nobody, (_AUTHORIZER, "string")),
    "authorizer_serviceaccount": Overload("serviceAccount", _nobody, (_AUTHORIZER, "string", "string")),
    "groupcheck_resource": Overload("resource", _nobody, (_GROUP, "string")),
    "resourcecheck_subresource": Overload("subresource", _nobody, (_RESOURCE, "string")),
    "resourcecheck_namespace": Overload("namespace", _nobody, (_RESOURCE, "string")),
    "resourcecheck_name": Overload("name", _nobody, (_RESOURCE, "string")),
    "authorizer_fieldselector": Overload("fieldSelector", _nobody, (_RESOURCE, "string")),
    "authorizer_labelselector": Overload("labelSelector", _nobody, (_RESOURCE, "string")),
    "pathcheck_check": Overload("check", _nobody, (_PATH, "string")),
    "resourcecheck_check": Overload("check", _nobody, (_RESOURCE, "string")),
    "decision_allowed": Overload("allowed", _nobody, (_DECISION,)),
    "decision_reason": Overload("reason", _nobody, (_DECISION,)),
    "decision_errored": Overload("errored", _nobody, (_DECISION,)),
    "decision_error": Overload("error", _nobody, (_DECISION,)),
}
