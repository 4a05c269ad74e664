from enum import Enum

import pytest

import kubewright as kw
from kubewright.model.codec import decode
from kubewright.model.misfit import describe_misfit


class Color(Enum):
    RED = "Red"


class Port(kw.Model):
    port: int


class Spec(kw.Model):
    image: str = ""
    replicas: int = 0
    share: kw.Number = 0
    paused: bool = False
    color: Color = Color.RED
    ports: list[Port] = kw.field(default_factory=list)
    env: dict[str, str] = kw.field(default_factory=dict)
    memory: kw.Quantity = kw.Quantity("1")
    target: kw.IntOrString = 1


class Shop(kw.Resource, group="shop.example.com", version="v1"):
    spec: Spec


def misfits(document: bytes) -> list[str]:
    told: list[str] = []
    decode(document, Shop, misfit=told.append)
    return told


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        (b'{"image": 5}', "spec.image: a string is wanted, and this is an integer"),
        (b'{"replicas": "3"}', "spec.replicas: an integer is wanted, and this is a string"),
        (b'{"replicas": 1.5}', "spec.replicas: an integer is wanted, and this is one with a fraction, or too large"),
        (b'{"share": true}', "spec.share: a number is wanted, and this is a boolean"),
        (
            b'{"replicas": 1.2345678901234568e+29}',
            "spec.replicas: an integer is wanted, and this is one with a fraction, or too large",
        ),
        (b'{"paused": "yes"}', "spec.paused: a boolean is wanted, and this is a string"),
        (b'{"color": "Green"}', "spec.color: 'Green' is none of the values that it may have"),
        (b'{"ports": {}}', "spec.ports: a list is wanted, and this is an object"),
        (
            b'{"ports": [{"port": 1}, {"port": "x"}]}',
            "spec.ports[1].port: an integer is wanted, and this is a string",
        ),
        (b'{"env": {"a": 1}}', "spec.env[...]: a string is wanted, and this is an integer"),
        (b'{"target": []}', "spec.target: an integer or a string is wanted, and this is a list"),
        (b"[]", "spec: an object is wanted, and this is a list"),
    ],
)
def test_a_misfit_is_told_by_its_path_and_jsons_types(spec: bytes, told: str) -> None:
    assert misfits(b'{"spec": ' + spec + b"}") == [told]


def test_what_a_type_of_ours_says_of_its_text_stays() -> None:
    [told] = misfits(b'{"spec": {"memory": "xx"}}')
    assert told.startswith("spec.memory: 'xx' is no quantity: ")


def test_a_time_that_is_none_is_told_with_its_field() -> None:
    [told] = misfits(b'{"metadata": {"creationTimestamp": "noon"}}')
    assert told == "metadata.creationTimestamp: invalid RFC3339 encoded datetime"


@pytest.mark.parametrize("text", ["", "no pattern of ours", "Expected `x`"])
def test_a_text_that_is_not_known_is_told_all_the_same(text: str) -> None:
    assert describe_misfit(text).lower() == text.lower()
