"""`kubewright types` as a user calls it."""

import json
from pathlib import Path

import pytest

from kubewright.cli.main import main

GALLERY = Path(__file__).parents[1] / "gallery"


def test_a_crd_becomes_a_module_of_its_stored_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["types", str(GALLERY / "certificate.yaml")]) == 0
    out = capsys.readouterr().out
    assert "class Certificate(" in out
    compile(out, "certificate.py", "exec")


def test_types_printed_and_turned_back_give_the_same_crd(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["types", str(GALLERY / "rollout.yaml"), "-d", str(tmp_path)]) == 0
    for path in capsys.readouterr().out.split():
        assert main(["crd", path]) == 0
        assert "kind: CustomResourceDefinition" in capsys.readouterr().out


def test_an_openapi_document_becomes_modules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema = {"type": "object", "properties": {"size": {"type": "integer"}}}
    document = {"openapi": "3.0.0", "components": {"schemas": {"com.example.v1.Thing": schema}}}
    (tmp_path / "api.json").write_text(json.dumps(document))
    assert main(["types", str(tmp_path / "api.json")]) == 0
    assert "class Thing(" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("swagger: '2.0'", "is a Swagger 2 document; OpenAPI v3 is wanted"),
        (
            "openapi: 3.0.0\ncomponents: {schemas: {io.k8s.api.core.v1.Pod: {type: object}}}",
            "in kubewright.k8s already",
        ),
        ("kind: Pod", "holds neither a CustomResourceDefinition nor an OpenAPI v3 document."),
        ("kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1beta1", "apiextensions.k8s.io/v1beta1"),
        ("kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1", "lacks"),
        ("kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nspec: 3", "spec must be an object"),
    ],
)
def test_what_is_no_crd_is_one_sentence(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.yaml").write_text(text)
    assert main(["types", str(tmp_path / "x.yaml")]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert message in err


def crd(kind: str, group: str) -> str:
    return f"""
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: things.{group}}}
spec:
  group: {group}
  names: {{kind: {kind}, plural: things}}
  scope: Namespaced
  versions: [{{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {{type: object}}}}}}]
"""


def test_a_strangers_crd_writes_nowhere_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.yaml").write_text(crd("../../Evil", "a.example.com"))
    main(["types", str(tmp_path / "x.yaml"), "-d", str(tmp_path / "out")])
    written = [Path(line) for line in capsys.readouterr().out.split()]
    assert all(path.resolve().is_relative_to(tmp_path / "out") for path in written)


def test_kinds_of_one_name_do_not_overwrite_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.yaml").write_text(crd("Thing", "a.example.com") + "---" + crd("Thing", "b.example.com"))
    assert main(["types", str(tmp_path / "x.yaml"), "-d", str(tmp_path)]) == 0
    assert len(capsys.readouterr().out.split()) == 2
    (tmp_path / "y.yaml").write_text(crd("Thing", "a.example.com") + "---" + crd("Thing", "a.example.org"))
    assert main(["types", str(tmp_path / "y.yaml"), "-d", str(tmp_path)]) == 2
    assert "makes the module a_thing_v1 twice" in capsys.readouterr().err
