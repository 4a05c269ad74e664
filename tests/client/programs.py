"""Programs that give credentials, or fail to: what a kubeconfig's exec may name."""

import sys
from pathlib import Path

from kubewright.client.plugin import ExecPlugin

__all__ = ["V1", "program"]

V1 = "client.authentication.k8s.io/v1"


def program(folder: Path, code: str, **options: str) -> ExecPlugin:
    """A plugin that runs this Python; it may use `json`, `os`, `pathlib`, `here` (the folder) and `give(token)`."""
    script = folder / "program.py"
    script.write_text(
        f"""import json, os, pathlib, sys, time
here = pathlib.Path({str(folder)!r})
info = json.loads(os.environ["KUBERNETES_EXEC_INFO"])
with (here / "runs").open("a") as runs:
    runs.write("x")
def give(token, **status):
    status = {{"token": token, **status}}
    print(json.dumps({{"apiVersion": info["apiVersion"], "kind": "ExecCredential", "status": status}}))
{code}
"""
    )
    return ExecPlugin(sys.executable, V1, ("-S", str(script)), interactive="Never", **options)  # type: ignore[arg-type]
