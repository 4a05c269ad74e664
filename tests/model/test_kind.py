import subprocess
import sys

from kubewright.model.kind import GroupVersionKind


def test_the_core_group_has_no_name() -> None:
    assert GroupVersionKind("", "v1", "Pod").api_version == "v1"
    assert GroupVersionKind("apps", "v1", "Deployment").api_version == "apps/v1"


def test_who_names_a_kind_loads_no_classes() -> None:
    asked = "import sys, kubewright.model.kind; sys.exit('kubewright.model.meta' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", asked], check=False).returncode == 0
