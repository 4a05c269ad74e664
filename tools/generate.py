"""Write `src/kubewright/k8s` again, from the documents of the Kubernetes release we speak.

The documents are files of the Go module `k8s.io/kubernetes`, fetched through Go's module proxy. With `--kubectl` they
are asked of the server that kubectl reaches, which shows what another release would change.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from kubewright.schema.typegen.builtins import builtin_sources
from kubewright.version import KUBERNETES

__all__ = ["generate", "main"]

TARGET = Path(__file__).parent.parent / "src" / "kubewright" / "k8s"


def main(arguments: list[str] | None = None) -> None:
    """Read the command line, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kubectl", action="store_true", help="ask the server of kubectl's current context")
    parser.add_argument("target", nargs="?", type=Path, default=TARGET, help="the directory to write")
    given = parser.parse_args(arguments)
    for path in generate(given.target, kubectl=given.kubectl):
        print(path)


def generate(target: Path, *, kubectl: bool = False) -> list[Path]:
    """Write the modules below `target`, remove those that are no more, and say which files there are now."""
    openapi, discovery, origin = _from_server() if kubectl else _from_module()
    written = []
    for path, source in builtin_sources(openapi, discovery, origin).items():
        file = target / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source, encoding="utf-8")
        written.append(file)
    for file in target.glob("*/v*.py"):
        if file not in written and "by `make generate`: do not edit." in file.read_text(encoding="utf-8"):
            file.unlink()
    return written


def _from_module() -> tuple[Iterable[Any], Iterable[Any], str]:
    module = f"k8s.io/kubernetes@v{KUBERNETES}"
    command = ["go", "mod", "download", "-json", module]
    try:
        told = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    except FileNotFoundError:
        sys.exit("generate: no `go` on the path; install Go, or give --kubectl to ask a running server.")
    except subprocess.CalledProcessError as failed:
        sys.exit(f"generate: {' '.join(command)} failed with code {failed.returncode}; its words stand above.")
    api = Path(told["Dir"]) / "api"
    return (
        _read(sorted((api / "openapi-spec" / "v3").glob("api*_openapi.json"))),
        _read(sorted((api / "discovery").glob("api*__v*.json"))),
        f"Kubernetes {KUBERNETES}'s OpenAPI v3 documents",
    )


def _read(files: Iterable[Path]) -> Iterator[Any]:
    for file in files:
        yield json.loads(file.read_text(encoding="utf-8"))


def _from_server() -> tuple[Iterable[Any], Iterable[Any], str]:
    def ask(path: str) -> Any:
        return json.loads(subprocess.run(["kubectl", "get", "--raw", path], check=True, stdout=subprocess.PIPE).stdout)

    paths = [path for path in ask("/openapi/v3")["paths"] if path.startswith("api")]
    versions = [path for path in paths if "/v" in path]
    origin = (
        f"the OpenAPI v3 documents of a server that is Kubernetes {ask('/version')['gitVersion'].removeprefix('v')}"
    )
    return (ask(f"/openapi/v3/{path}") for path in paths), (ask(f"/{path}") for path in versions), origin


if __name__ == "__main__":
    main()
