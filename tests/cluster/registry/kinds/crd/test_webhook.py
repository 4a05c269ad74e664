import base64

import pytest

from kubewright.cluster.auth.authority import Authority
from kubewright.cluster.registry.kinds.crd.webhook import bundle_problem, check_conversion
from kubewright.entropy import Entropy

# What is wrong with `spec.conversion` is held against recorded answers in `test_strategy`.


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def test_a_bundle_with_a_certificate_is_good() -> None:
    assert bundle_problem(encoded(Authority.mint(Entropy(1)).credential.certificate)) == ""


@pytest.mark.parametrize("data", [b"x", b"-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----\n"])
def test_a_bundle_that_is_no_pem_is_told(data: bytes) -> None:
    assert bundle_problem(encoded(data)) == "unable to load root certificates: unable to parse bytes as PEM block"


def test_a_bundle_with_keys_alone_holds_no_authority() -> None:
    key = Authority.mint(Entropy(1)).credential.key
    assert bundle_problem(encoded(key)) == "unable to load root certificates: no valid certificate authority data seen"


def test_an_empty_bundle_is_none() -> None:
    assert bundle_problem("") == ""


def test_a_bundle_is_not_looked_at_while_it_does_not_matter() -> None:
    conversion = {
        "strategy": "Webhook",
        "webhook": {"clientConfig": {"url": "https://a/", "caBundle": "eHg="}, "conversionReviewVersions": ["v1"]},
    }
    assert list(check_conversion(conversion, any_bundle=True)) == []
    assert len(list(check_conversion(conversion, any_bundle=False))) == 1
