"""`kubewright types`: a CRD or an OpenAPI document becomes Python."""

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kubewright.cli.sources import CommandError, load_documents
from kubewright.schema.typegen import types_from_crd, types_from_openapi

__all__ = ["print_types"]


def print_types(arguments: Sequence[str]) -> int:
    """`kubewright types F`."""
    parser = argparse.ArgumentParser(
        prog="kubewright types",
        description="Turn CRDs, or an OpenAPI v3 document, into Python types: one module for each group and version.",
    )
    parser.add_argument("target", metavar="F", help="a YAML or JSON file (- for standard input)")
    parser.add_argument(
        "--version", dest="wanted", help="this version of a CRD (default: the stored one; with -d, all)"
    )
    parser.add_argument("-d", "--directory", type=Path, help="write one file for each module here instead of printing")
    options = parser.parse_args(arguments)
    command = shlex.join(
        ["kubewright", "types", options.target, *(["--version", options.wanted] if options.wanted else [])]
    )
    modules: dict[str, str] = {}
    for document in load_documents(options.target):
        if document.get("kind") == "CustomResourceDefinition":
            wanted = options.wanted or (None if options.directory else _stored(document))
            found = types_from_crd(document, version=wanted, source=options.target, command=command)
            modules |= {f"{_singular(document)}_{version}": text for version, text in found.items()}
        elif "openapi" in document:
            modules |= types_from_openapi(document, source=options.target, command=command)
    if not modules:
        raise CommandError(f"{options.target} holds neither a CustomResourceDefinition nor an OpenAPI v3 document.")
    if options.directory is None:
        if len(modules) > 1:
            names = ", ".join(modules)
            raise CommandError(f"{options.target} makes {len(modules)} modules ({names}); write them with --directory.")
        sys.stdout.write(next(iter(modules.values())))
        return 0
    for name, text in modules.items():
        path = options.directory / f"{name.replace('.', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        print(path)
    return 0


def _stored(crd: dict[str, Any]) -> str | None:
    """The version that is stored: the one to print where only one can be."""
    spec = crd.get("spec")
    versions = spec.get("versions") if isinstance(spec, dict) else None
    known = [each for each in versions if isinstance(each, dict)] if isinstance(versions, list) else []
    return next((str(each.get("name")) for each in known if each.get("storage")), None)


def _singular(crd: dict[str, Any]) -> str:
    return str(crd["spec"]["names"]["kind"]).lower()
