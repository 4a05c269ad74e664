import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from kubewright.cluster.auth.authority import Authority
from kubewright.cluster.auth.certificate import end, key_identifier, names
from kubewright.entropy import Entropy


def foreign(*attributes: x509.NameAttribute[str], last: datetime = datetime(2024, 1, 2, tzinfo=UTC)) -> bytes:
    key = ec.generate_private_key(ec.SECP384R1())
    name = x509.Name(attributes)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, last - timedelta(days=1), last)
    return builder.sign(key, hashes.SHA384()).public_bytes(Encoding.DER)


def test_a_server_is_known_by_its_names_and_addresses_and_shown_for_nothing_else() -> None:
    made = Authority.mint(Entropy()).server(["127.0.0.1", "::1", "localhost"])
    found = x509.load_pem_x509_certificate(made.certificate)
    hosts = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert hosts.get_values_for_type(x509.IPAddress) == [ip_address("127.0.0.1"), ip_address("::1")]
    assert hosts.get_values_for_type(x509.DNSName) == ["localhost"]
    purposes = found.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(purposes) == [ExtendedKeyUsageOID.SERVER_AUTH]
    assert found.extensions.get_extension_for_class(x509.BasicConstraints).value.ca is False
    assert found.not_valid_after_utc - found.not_valid_before_utc == timedelta(days=366)


def test_an_authority_signs_certificates_and_tells_its_key() -> None:
    authority = Authority.mint(Entropy())
    pem = authority.credential.certificate
    found = x509.load_pem_x509_certificate(pem)
    assert found.extensions.get_extension_for_class(x509.BasicConstraints).value.ca is True
    assert found.extensions.get_extension_for_class(x509.KeyUsage).value.key_cert_sign is True
    own = x509.SubjectKeyIdentifier.from_public_key(found.public_key())
    assert found.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value == own
    assert key_identifier(ssl.PEM_cert_to_DER_cert(pem.decode())) == own.digest
    leaf = x509.load_pem_x509_certificate(authority.client("a").certificate)
    issuer = leaf.extensions.get_extension_for_class(x509.AuthorityKeyIdentifier).value
    assert issuer.key_identifier == own.digest


def test_the_names_of_anybodys_certificate_are_read() -> None:
    certificate = foreign(
        x509.NameAttribute(NameOID.COUNTRY_NAME, "DE"),
        x509.NameAttribute(NameOID.ORGANIZATION_NAME, "dev", x509.name._ASN1Type.PrintableString),
        x509.NameAttribute(NameOID.ORGANIZATION_NAME, "öps"),
        x509.NameAttribute(NameOID.COMMON_NAME, "jane"),
    )
    assert names(certificate) == (("jane",), ("dev", "öps"))
    assert key_identifier(certificate) is None


@pytest.mark.parametrize("data", [b"", b"no", b"\x30\x00", b"\x30\x02\x30\x00"])
def test_what_is_no_certificate_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="this"):
        names(data)


@pytest.mark.parametrize("year", [1999, 2024, 2049, 2050, 2150])
def test_the_end_of_anybodys_certificate_is_read(year: int) -> None:
    last = datetime(year, 12, 31, 23, 59, 58, tzinfo=UTC)
    assert end(foreign(last=last)) == last
