import pytest

from kubewright.cluster.registry.kinds.pod.image import image_tag


@pytest.mark.parametrize(
    ("image", "tag"),
    [
        ("nginx", "latest"),
        ("nginx:1", "1"),
        ("a/b:c", "c"),
        ("localhost:5000/x", "latest"),
        ("index.docker.io/x", "latest"),
        ("Host/x:1", "1"),
        ("[::1]:5000/x:2", "2"),
        ("x@sha256:" + "a" * 64, ""),
        ("x:1@sha256:" + "a" * 64, "1"),
        ("x@sha256:" + "a" * 32, ""),
        ("", ""),
        ("A B", ""),
        ("UPPER", ""),
        ("a" * 300, ""),
        ("a" * 64, ""),
        ("x:", ""),
        ("x__y", "latest"),
        ("x___y", ""),
    ],
)
def test_the_tag_of_an_image(image: str, tag: str) -> None:
    assert image_tag(image) == tag
