"""`import kubewright` alone is enough, and costs little."""

import subprocess
import sys


def _python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_packages_are_there_without_being_imported() -> None:
    code = "import kubewright; print(kubewright.cluster.Cluster.__name__, kubewright.client.Api.__name__)"
    assert _python(code) == "Cluster Api"


def test_packages_are_loaded_when_they_are_used() -> None:
    code = "import sys, kubewright; print([name for name in sys.modules if name.startswith('kubewright.')])"
    assert _python(code) == "['kubewright.errors', 'kubewright.version']"


def test_what_is_no_package_is_no_name() -> None:
    assert _python("import kubewright; print(hasattr(kubewright, 'nothing'))") == "False"
