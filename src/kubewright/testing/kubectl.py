"""Runs kubectl as a test wants it: with one kubeconfig, without a person's own settings, and never asking anything."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

__all__ = ["run_kubectl"]


def run_kubectl(
    program: Path,
    kubeconfig: Path,
    cache: Path | None,
    arguments: Sequence[str],
    text: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run it with `text` as its input; what it printed and its status come back, whatever they are."""
    keep = [f"--cache-dir={cache}"] if cache else []
    return subprocess.run(
        [program, f"--kubeconfig={kubeconfig}", *keep, *arguments],
        input=text,
        stdin=subprocess.DEVNULL if text is None else None,
        capture_output=True,
        text=True,
        check=False,
        # A person's own aliases and defaults are not the test's.
        env={**os.environ, "KUBERC": "off", **(environment or {})},
    )
