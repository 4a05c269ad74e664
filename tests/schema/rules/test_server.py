"""Rules, asked of a real API server: it takes them, and says what Python says."""

import contextlib
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.schema.rules.expressions import Subject, defined, functions
from tests.schema.rules.gallery import Gallery, Messages, Thing, Times, Units
from tests.schema.rules.oracle import documents, outcome

import kubewright as kw
from kubewright.schema.crd import crd_of
from kubewright.schema.rules import Rule, compile_rules
from kubewright.testing.real import RealCluster

pytestmark = pytest.mark.real


class Shown(kw.Model):
    gallery: Gallery
    units: Units
    times: Times


class Telling(kw.Resource, group="rules.example.com", version="v1"):
    spec: Messages


class Show(kw.Resource, group="rules.example.com", version="v1"):
    spec: Shown


class Grown(kw.Resource, group="rules.example.com", version="v1"):
    size: int

    @kw.rule("size never shrinks", optional_old=True)
    def grows(self, old: "Grown | None") -> bool:
        return self.size > 0 if old is None else self.size >= old.size


def install(cluster: RealCluster, model: Any) -> str:
    """Create the CRD of a class, wait until it is served, and say what the server said against it."""
    crd = json.dumps(crd_of(model))
    result = cluster.kubectl("apply", "--server-side", "--force-conflicts", "--validate=strict", "-f", "-", input=crd)
    if result.returncode:
        return result.stderr
    name = crd_of(model)["metadata"]["name"]
    served = cluster.kubectl("wait", "--for=condition=Established", "--timeout=30s", f"crd/{name}")
    return served.stderr


def ask(cluster: RealCluster, model: Any, document: dict[str, Any], verb: str = "create") -> str:
    """What the server has against an object; nothing is stored."""
    body = {"apiVersion": model.api_version, "kind": model.kind, "metadata": {"name": "x"}} | document
    dry = ("--dry-run=server",) if verb == "create" else ()
    return cluster.kubectl(verb, *dry, "--validate=strict", "-f", "-", input=json.dumps(body)).stderr


def rules_of(model: Any) -> Iterator[Rule]:
    return (value for value in vars(model).values() if isinstance(value, Rule))


def agree(said: str, rule: Rule, says: bool | str) -> None:
    """That the server refuses for a rule, or stumbles over it, exactly where Python does."""
    assert "rules were not checked" not in said, said
    message = re.escape(str(rule.message))
    refused = re.search(rf": {message}$", said, re.MULTILINE)
    failed = re.search(rf"evaluating rule: {message}$", said, re.MULTILINE)
    assert ("error" if failed else not refused) == says, f"{rule.name}: {says}\n{said}"


def test_the_gallery_is_taken_and_says_what_python_says(real_cluster: RealCluster) -> None:
    assert install(real_cluster, Show) == ""
    asked = 0

    @given(documents(Shown))
    @settings(max_examples=25, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    def same(document: dict[str, Any]) -> None:
        nonlocal asked
        said = ask(real_cluster, Show, {"spec": document})
        obj = kw.from_dict(document, Shown)
        for part in (obj.gallery, obj.units, obj.times):
            for rule in rules_of(type(part)):
                if not rule.transition:
                    agree(said, rule, outcome(rule, part))
                    asked += 1

    same()
    assert asked > 1000


def test_messages_say_what_they_say_in_python(real_cluster: RealCluster) -> None:
    assert install(real_cluster, Telling) == ""
    document = {"a": -7, "s": "é's", "flag": True, "names": ["x", "y"]}
    said = ask(real_cluster, Telling, {"spec": document})
    obj = kw.from_dict(document, Messages)
    told = {rule.explain(obj) for rule in rules_of(Messages)}
    assert {line.partition("Invalid value: ")[2] for line in said.splitlines()[1:]} == told


@pytest.mark.filterwarnings("ignore::kubewright.RuleCostWarning")
def test_random_rules_are_taken_and_say_what_python_says(real_cluster: RealCluster) -> None:
    @given(st.lists(functions(), min_size=30, max_size=30), st.lists(documents(Subject), min_size=4, max_size=4))
    @settings(max_examples=4, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    def same(bodies: list[str], given: list[dict[str, Any]]) -> None:
        model, resource = _affordable(real_cluster, _possible(bodies))
        for document in given:
            said = ask(real_cluster, resource, {"spec": document})
            obj = kw.from_dict(document, model)
            for rule in rules_of(model):
                agree(said, rule, outcome(rule, obj))

    same()


def _affordable(cluster: RealCluster, bodies: list[str]) -> tuple[Any, Any]:
    """A kind with those of the rules that are not too dear for the server, which has nothing else against them."""
    model = defined(*bodies)

    class Random(kw.Resource, group="rules.example.com", version="v1"):
        spec: model  # type: ignore[valid-type]  # made up

    said = install(cluster, Random)
    if not said:
        return model, Random
    lines = [line for line in said.splitlines() if line.startswith("* ") or ": Forbidden" in line]
    assert all("cost" in line for line in lines), said
    dear = {int(number) for number in re.findall(r"validations\[(\d+)\]", said)}
    assert 0 < len(dear) < len(bodies) / 2, said
    return _affordable(cluster, [body for number, body in enumerate(bodies) if number not in dear])


def _possible(bodies: list[str]) -> list[str]:
    """Those that are rules, each once."""
    found = {}
    for body in bodies:
        with contextlib.suppress(kw.DefinitionError):
            found[compile_rules(defined(body))[0]["rule"]] = body
    return list(found.values())


def test_transition_rules_see_the_object_before(real_cluster: RealCluster) -> None:
    assert install(real_cluster, Thing) == ""
    thing = {"spec": {"replicas": 10, "image": "a"}}
    assert ask(real_cluster, Thing, thing, "apply") == ""
    shrunk = ask(real_cluster, Thing, {"spec": {"replicas": 4, "image": "a"}}, "apply")
    assert "spec.replicas: Forbidden: replicas may not shrink by more than half at once" in shrunk
    assert ask(real_cluster, Thing, {"spec": {"replicas": 5, "image": "a"}}, "apply") == ""
    changed = ask(real_cluster, Thing, {"spec": {"replicas": 5, "image": "b"}}, "apply")
    assert "image a may not become b" in changed


def test_a_rule_with_an_optional_old_is_asked_at_creation_too(real_cluster: RealCluster) -> None:
    assert install(real_cluster, Grown) == ""
    assert "size never shrinks" in ask(real_cluster, Grown, {"size": 0})
    assert ask(real_cluster, Grown, {"size": 3}, "apply") == ""
    assert "size never shrinks" in ask(real_cluster, Grown, {"size": 2}, "apply")
    assert ask(real_cluster, Grown, {"size": 4}, "apply") == ""
