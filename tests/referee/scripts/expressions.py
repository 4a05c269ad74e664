"""Expressions in CEL of admission policies: which of them compile, and what is said of those that do not."""

from typing import Any

from tests.referee.language import Step, post, script
from tests.referee.objects import Document

_PATH = "/apis/admissionregistration.k8s.io/v1"
_RULES = {"resourceRules": [{"operations": ["CREATE"], "apiGroups": ["x"], "apiVersions": ["v1"], "resources": ["y"]}]}


def validating(**spec: Any) -> Step:
    """A policy that refuses; it never stays."""
    made = {"metadata": {"name": "{own}"}, "spec": {"matchConstraints": _RULES, **spec}}
    note = str(spec.get("validations") or spec)
    only = ("kind", "spec validations", "spec variables")
    return post(f"{_PATH}/validatingadmissionpolicies?dryRun=All", made, only=only, note=note)


def mutating(*mutations: Document, **spec: Any) -> Step:
    """A policy that changes; it never stays."""
    made = {
        "metadata": {"name": "{own}"},
        "spec": {"matchConstraints": _RULES, "reinvocationPolicy": "Never", "mutations": [*mutations], **spec},
    }
    only = ("kind", "spec mutations", "spec variables")
    return post(f"{_PATH}/mutatingadmissionpolicies?dryRun=All", made, only=only, note=str(mutations))


def judging(*texts: str, **spec: Any) -> tuple[Step, ...]:
    """Policies, each with one expression that judges."""
    return tuple(validating(validations=[{"expression": text}], **spec) for text in texts)


def applying(*texts: str, **spec: Any) -> tuple[Step, ...]:
    """Policies, each with one expression that makes an object."""
    return tuple(
        mutating({"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": text}}, **spec)
        for text in texts
    )


def patching(*texts: str, **spec: Any) -> tuple[Step, ...]:
    """Policies, each with one expression that makes a patch."""
    return tuple(mutating({"patchType": "JSONPatch", "jsonPatch": {"expression": text}}, **spec) for text in texts)


SCRIPTS = (
    script(
        "what a policy asks of who may do what",
        "ERR-1 CRD-8",
        *judging(
            "authorizer.path('/healthz').check('get').allowed()",
            "authorizer.group('apps').resource('deployments').namespace('default').check('create').allowed()",
            "authorizer.group('').resource('pods').subresource('status').name('x').check('get').allowed()",
            "authorizer.serviceAccount('default', 'sa').group('').resource('pods').check('get').allowed()",
            "authorizer.group('').resource('pods').labelSelector('a=b').fieldSelector('a=b').check('list').allowed()",
            "authorizer.requestResource.check('delete').allowed()",
            "authorizer.requestResource.subresource('x').check('delete').errored()",
            "authorizer.requestResource.check('delete').error() == ''",
            "authorizer.requestResource.check('delete').reason() == 'x'",
            "authorizer.path('/x').allowed()",
            "authorizer.path('/x')",
            "authorizer.path(1).check('get').allowed()",
            "authorizer.group('x').check('get').allowed()",
            "authorizer.requestResource",
            "authorizer.nothing",
            "authorizer",
            "authorizer == authorizer",
            "type(authorizer) == string",
            "type(authorizer)",
            "[authorizer.path('/x').check('get')].all(d, d.allowed())",
        ),
    ),
    script(
        "what a policy says of the request",
        "ERR-1 CRD-8",
        *judging(
            "request.operation == 'CREATE'",
            "request.userInfo.groups.exists(g, g == 'x')",
            "request.userInfo.extra['a'][0] == 'x'",
            "request.kind.group == request.requestKind.group",
            "request.options.dryRun == true",
            "request.nothing == 1",
            "request.userInfo == 1",
            "request.dryRun",
            "request.name + 1 == 'x'",
            "request.object == 1",
            "request",
            "namespaceObject.metadata.labels['a'] == 'b'",
            "namespaceObject.metadata.uid == 'b'",
            "namespaceObject.metadata.creationTimestamp < timestamp('2020-01-01T00:00:00Z')",
            "namespaceObject.spec.finalizers.size() > 0",
            "namespaceObject.status.phase == 'Active'",
            "namespaceObject",
            "object.a.b.c == oldObject.a",
            "object == null",
            "object.metadata.name.size() > 'a'",
            "has(object.spec) && has(request.userInfo.uid)",
            "has(request.nothing)",
            "object.?spec.orValue(1) == 1",
            "params.x == 1",
            "params",
            "variables.x == 1",
            "self.x == 1",
            "quantity('1Gi').isGreaterThan(quantity('1'))",
            "cidr('10.0.0.0/8').containsIP('10.0.0.1')",
            "semver('1.2.3').major() == 1",
            "format.named('dns1123Label').value().validate('x').hasValue()",
            "object.items.sortBy(x, x.n).size() == 1",
            "Object{a: 1}.a == 1",
            "jsonpatch.escapeKey('a/b') == 'x'",
            "duration('x') > duration('1s')",
            "1",
            "'x'",
            "dyn(true)",
            "object.a",
        ),
        *judging("params.x == 1", "params", "params.x", paramKind={"apiVersion": "v1", "kind": "ConfigMap"}),
    ),
    script(
        "what a policy computes before",
        "ERR-1 CRD-8",
        *judging(
            "variables.a == 1 && variables.b == 'x'",
            "variables.a == 'x'",
            "variables.b + 1 == 2",
            "variables.nothing == 1",
            "variables.c.exists(x, x == 1)",
            "variables.d",
            "variables.e.allowed()",
            "variables.f.operation == 'x'",
            "variables.g",
            "variables",
            "has(variables.a)",
            "a == 1",
            variables=[
                {"name": "a", "expression": "1"},
                {"name": "b", "expression": "'x' + string(variables.a)"},
                {"name": "c", "expression": "[1, 2]"},
                {"name": "d", "expression": "object.x"},
                {"name": "e", "expression": "authorizer.path('/x').check('get')"},
                {"name": "f", "expression": "request"},
                {"name": "g", "expression": "variables.d == 1"},
            ],
        ),
        validating(
            validations=[{"expression": "variables.b"}],
            variables=[{"name": "a", "expression": "variables.b"}, {"name": "b", "expression": "true"}],
        ),
        validating(
            validations=[{"expression": "variables.a"}],
            variables=[{"name": "a", "expression": "true"}, {"name": "a", "expression": "1"}],
        ),
        validating(validations=[{"expression": "variables.a"}], variables=[{"name": "a", "expression": "variables.a"}]),
        validating(validations=[{"expression": "variables.a"}], variables=[{"name": "a", "expression": "Object{}"}]),
        validating(
            validations=[{"expression": "true", "messageExpression": text} for text in ("1", "object.x", "'x' + 1")]
        ),
        validating(
            validations=[
                {"expression": "true", "messageExpression": text}
                for text in ("authorizer.path('/x').check('get').reason()", "variables.a", "string(object.x)")
            ],
            variables=[{"name": "a", "expression": "'x'"}],
        ),
        validating(auditAnnotations=[{"key": "k", "valueExpression": text} for text in ("1", "'x'", "null")]),
        validating(auditAnnotations=[{"key": "k", "valueExpression": "object.x == 1 ? 'x' : null"}]),
    ),
    script(
        "a policy makes an object",
        "ERR-1 CRD-8",
        *applying(
            "Object{}",
            "Object{spec: Object.spec{replicas: 1}}",
            "Object{spec: Object.spec{replicas: object.spec.replicas + 1}}",
            "Object{metadata: Object.metadata{labels: {'a': 'b'}}}",
            "Object{metadata: Object.metadata{labels: Object.metadata.labels{a: 'b'}}}",
            "Object{spec: Object.nothing{x: 1}}",
            "Object{spec: {'a': 1}}",
            "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'x'}]}}",
            "Object{spec: Object.spec{?a: optional.of(1)}}",
            "Object{?spec: 1}",
            "Object{spec: Object.spec{?a: object.?a}}",
            "object.x == 1 ? Object{} : Object{a: 1}",
            "true ? Object{} : object",
            "variables.x",
            "Object",
            "Object.spec",
            "Object.spec{}",
            "Object{a: 1}.a",
            "Object{a: 1}.b == 1",
            "Object{a: 1} == Object{a: 1}",
            "Objects{}",
            "Object.spec.deep.er{}",
            "type(Object{})",
            "type(Object{}) == Object",
            "[Object{}]",
            "[Object{}][0]",
            "[Object{}, Object.spec{}]",
            "Object{a: nothing}",
            "Object{a: 1 + 'x'}",
            "Object{a: 1, a: 2}",
            "Object{'a': 1}",
            "Object{a 1}",
            "Object{",
            "{}",
            "{'a': 1}",
            "object",
            "dyn(Object{})",
            "null",
            "1",
            "'x'",
            "JSONPatch{}",
            "Object{a: JSONPatch{op: 'add'}}",
            "jsonpatch.escapeKey('a/b') == 'x' ? Object{} : Object{}",
            "x" * 300,
            "params.x == 1 ? Object{} : Object{}",
            "request.operation == 'x' ? Object{} : Object{}",
            "authorizer.path('/x').check('get').allowed() ? Object{} : Object{}",
            "int{}",
            "object{}",
            "request{}",
            "has(Object{a: 1}.a) ? Object{} : Object{}",
            "Object{__true__: 1}",
            "Object{in: 1}",
            "Object{`a-b`: 1}",
        ),
        *applying(
            "variables.x",
            "Object{a: variables.y}",
            "variables.z",
            "variables.y",
            variables=[
                {"name": "x", "expression": "Object{a: 1}"},
                {"name": "y", "expression": "1"},
                {"name": "z", "expression": "[JSONPatch{op: 'add', path: '/x'}]"},
            ],
        ),
        *applying("Object{a: params.x}", paramKind={"apiVersion": "v1", "kind": "ConfigMap"}),
    ),
    script(
        "a policy makes a patch",
        "ERR-1 CRD-8",
        *patching(
            "[]",
            "[JSONPatch{op: 'add', path: '/x', value: 1}]",
            "[JSONPatch{op: 'add', path: '/x', value: Object.spec{a: 1}}]",
            "[JSONPatch{op: 'add', path: '/x', value: {'a': 1}}, JSONPatch{op: 'remove', path: '/y'}]",
            "[JSONPatch{op: 'copy', from: '/x', path: '/y'}]",
            "[JSONPatch{op: 'odd', path: 'x'}]",
            "[JSONPatch{}]",
            "[JSONPatch{op: 1}]",
            "[JSONPatch{path: null}]",
            "[JSONPatch{op: object.x, value: object.y}]",
            "[JSONPatch{nothing: 1}]",
            "[JSONPatch{?op: optional.of('add')}]",
            "[JSONPatch{?op: optional.of(1)}]",
            "[JSONPatch{?op: 'x'}]",
            "JSONPatch{op: 'add'}",
            "[JSONPatch]",
            "[Object{}]",
            "[1]",
            "[dyn(1)]",
            "['x', JSONPatch{op: 'add'}]",
            "[object]",
            "object",
            "object.list",
            "{}",
            "null",
            "true",
            "object.x ? [JSONPatch{op: 'add'}] : []",
            "[JSONPatch{op: 'add'}] + [JSONPatch{op: 'test'}]",
            "object.items.map(i, JSONPatch{op: 'add', path: '/x/' + jsonpatch.escapeKey(i), value: i})",
            "[JSONPatch{op: 'add', path: jsonpatch.escapeKey(1)}]",
            "[JSONPatch{op: 'add', path: jsonpatch.escape('x')}]",
            "[JSONPatch{op: 'add'}.op]",
            "[JSONPatch{op: 'add'}.nothing]",
            "[JSONPatch{op: 'add'}].filter(p, p.path == '/x')",
            "[JSONPatch{op: 'add'}].filter(p, p.op == 1)",
            "x" * 300,
            "[JSONPatch{op: 'add', path: 'x' + 1}]",
        ),
    ),
)
