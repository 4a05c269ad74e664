"""`kubewright types`: a CRD or an OpenAPI document becomes Python."""

import argparse
import re
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
    words = ["kubewright", "types", options.target]
    words += ["--version", options.wanted] if options.wanted else []
    words += ["-d", str(options.directory)] if options.directory else []
    modules = _modules(options.target, options.wanted, bool(options.directory), shlex.join(words))
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


def _modules(target: str, wanted: str | None, several: bool, command: str) -> dict[str, str]:
    """Module name → source, for everything in a file of which types can be made."""
    modules: dict[str, str] = {}
    for document in load_documents(target):
        if document.get("kind") == "CustomResourceDefinition":
            version = wanted or (None if several else _stored(document))
            found = types_from_crd(document, version=version, source=target, command=command)
            made = {f"{_module_name(document)}_{version}": text for version, text in found.items()}
        elif "openapi" in document:
            made = types_from_openapi(document, source=target, command=command)
            if not made:
                raise CommandError(f"{target} holds only Kubernetes' own kinds, which are in kubewright.k8s already.")
        elif "swagger" in document:
            raise CommandError(f"{target} is a Swagger 2 document; OpenAPI v3 is wanted, as /openapi/v3 serves it.")
        else:
            continue
        if repeated := modules.keys() & made.keys():
            raise CommandError(
                f"{target} makes the module {min(repeated)} twice; split it, or its kinds overwrite each other."
            )
        modules |= made
    if not modules:
        raise CommandError(f"{target} holds neither a CustomResourceDefinition nor an OpenAPI v3 document.")
    return modules


def _stored(crd: dict[str, Any]) -> str | None:
    """The version that is stored: the one to print where only one can be."""
    spec = crd.get("spec")
    versions = spec.get("versions") if isinstance(spec, dict) else None
    known = [each for each in versions if isinstance(each, dict)] if isinstance(versions, list) else []
    return next((str(each.get("name")) for each in known if each.get("storage")), None)


def _module_name(crd: dict[str, Any]) -> str:
    """The kind and the first label of its group: no path, whatever a stranger's CRD says."""
    kind, group = crd["spec"]["names"]["kind"], crd["spec"]["group"].partition(".")[0]
    return re.sub(r"\W", "_", f"{group}_{kind}").lower()
