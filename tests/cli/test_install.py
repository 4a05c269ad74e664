"""CRDs come to a cluster and go, and nothing is broken by accident."""

import json
import subprocess
from pathlib import Path

import pytest

from kubewright.cli.main import main
from kubewright.testing.sandbox import Sandbox

pytestmark = pytest.mark.usefixtures("kubectl")

MODULE = """
from typing import Annotated
import kubewright as kw

class Spec(kw.Model):
    size: Annotated[int, kw.Range(0, 10)] = 1
    color: str = "red"

class Gadget(kw.Resource, group="install.example.com", version="v1"):
    spec: Spec

class Unused(kw.Resource, group="install.example.com", version="v1"): ...

@kw.controller(Gadget)
async def gadget(gadget: Gadget, ctx: kw.Context) -> None: ...

app = kw.Operator("gadgets", [gadget])
"""
NAME = "gadgets.install.example.com"
GADGET = "apiVersion: install.example.com/v1\nkind: Gadget\nmetadata: {name: g}\nspec: {size: 3}\n"


class Terminal:
    """Commands on a cluster, and what they print."""

    def __init__(self, cluster: Sandbox, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.cluster, self.folder, self.capsys = cluster, folder, capsys

    def run(self, *words: str) -> tuple[int, list[str], str]:
        """The exit code, the lines of the output but the first, and what was said in error."""
        code = main([*words, f"--kubeconfig={self.cluster.kubeconfig}"])
        printed = self.capsys.readouterr()
        first, *lines = printed.out.splitlines()
        assert first.startswith("context ")
        assert first.endswith(f", server {self.cluster.server}")
        return code, lines, printed.err

    def written(self, text: str, name: str = "gadgets.py") -> str:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def crd(self) -> dict[str, object]:
        found: dict[str, object] = json.loads(self.kubectl("get", "crd", NAME, "-o", "json").stdout)
        return found

    def kubectl(self, *words: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
        done = self.cluster.kubectl(*words, input=text)
        assert done.returncode == 0, done.stderr
        return done


@pytest.fixture
def terminal(cluster: Sandbox, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(cluster, tmp_path, capsys)


def test_the_kinds_of_an_operator_are_installed_and_served(terminal: Terminal) -> None:
    module = terminal.written(MODULE)
    assert terminal.run("install", module) == (0, [f"{NAME} created"], "")
    terminal.kubectl("apply", "-f", "-", text=GADGET)  # at once
    assert terminal.run("install", f"{module}:app") == (0, [f"{NAME} unchanged"], "")


def test_a_file_of_crds_is_installed(terminal: Terminal) -> None:
    main(["crd", terminal.written(MODULE)])
    path = terminal.written(terminal.capsys.readouterr().out, "crds.yaml")
    code, lines, _ = terminal.run("install", path)
    assert (code, lines) == (0, [f"{NAME} created", "unuseds.install.example.com created"])


def test_a_harmless_change_is_installed(terminal: Terminal) -> None:
    terminal.run("install", terminal.written(MODULE))
    wider = terminal.written(MODULE.replace("Range(0, 10)", "Range(0, 20)"), "wider.py")
    assert terminal.run("install", wider) == (0, [f"{NAME} changed"], "")
    assert '"maximum": 20' in json.dumps(terminal.crd())


def test_a_breaking_change_is_refused_unless_forced(terminal: Terminal) -> None:
    terminal.run("install", terminal.written(MODULE))
    other = terminal.written(MODULE.replace("Range(0, 10)", "Range(0, 5)").replace("color", "colour"), "other.py")
    code, lines, said = terminal.run("install", other)
    assert code == 1
    assert [line.split(",")[0] for line in lines] == [
        f"{NAME} spec.versions[v1].schema.spec.color: FieldRemoved",
        f"{NAME} spec.versions[v1].schema.spec.size: BoundTightened",
    ]
    assert said == (
        "kubewright: 2 changes break what is there: serve them as a new version, or install them all the same with "
        "--force.\n"
    )
    assert '"maximum": 10' in json.dumps(terminal.crd())
    assert terminal.run("install", other, "--force") == (0, [f"{NAME} changed"], "")
    assert '"maximum": 5' in json.dumps(terminal.crd())


def test_what_kubectl_applied_before_does_not_outlive_the_install(terminal: Terminal) -> None:
    """Its fields are another's, and a server-side apply alone leaves them be."""
    main(["crd", terminal.written(MODULE), "-o", "json"])
    terminal.kubectl("apply", "-f", "-", text=terminal.capsys.readouterr().out)
    smaller = terminal.written(MODULE.replace('    color: str = "red"\n', ""), "smaller.py")
    assert terminal.run("install", smaller, "--force")[:2] == (0, [f"{NAME} changed"])
    assert "color" not in json.dumps(terminal.crd()["spec"])


def test_a_kind_with_objects_is_not_uninstalled_unless_forced(terminal: Terminal) -> None:
    module = terminal.written(MODULE)
    terminal.run("install", module)
    terminal.kubectl("apply", "-f", "-", text=GADGET)
    code, lines, said = terminal.run("uninstall", module)
    assert (code, lines) == (1, [])
    assert said.startswith(f"kubewright: {NAME} has 1 object ({terminal.cluster.namespace}/g): delete what is yours")
    assert terminal.run("uninstall", module, "--force") == (0, [f"{NAME} deleted"], "")
    assert terminal.run("uninstall", module) == (0, [f"{NAME} is not installed"], "")


def test_a_crd_that_the_server_refuses_is_one_sentence(terminal: Terminal) -> None:
    main(["crd", terminal.written(MODULE)])
    text = terminal.capsys.readouterr().out
    path = terminal.written(text.replace("plural: gadgets", "plural: others"), "bad.yaml")
    code, _, said = terminal.run("install", path)
    assert code == 2
    assert said.startswith(f"kubewright: the server refuses {NAME}: CustomResourceDefinition.apiextensions.k8s.io")
    assert said.count("\n") == 1


def test_names_that_are_taken_are_told(terminal: Terminal) -> None:
    terminal.run("install", terminal.written(MODULE))
    taken = MODULE.replace('version="v1"):\n    spec', 'version="v1", plural="widgets"):\n    spec')
    code, _, said = terminal.run("install", terminal.written(taken, "taken.py"))
    assert code == 2
    assert said.startswith("kubewright: the names of widgets.install.example.com are not accepted: ")
    assert said.endswith("; choose others.\n")


def test_who_may_not_is_told_so(terminal: Terminal) -> None:
    path = terminal.folder / "nobody"
    terminal.kubectl("create", "serviceaccount", "nobody")
    token = terminal.kubectl("create", "token", "nobody").stdout.strip()
    path.write_text(terminal.cluster.kubeconfig.read_text())
    for words in (("set-credentials", "nobody", f"--token={token}"), ("set-context", "--current", "--user=nobody")):
        subprocess.run(["kubectl", f"--kubeconfig={path}", "config", *words], check=True, capture_output=True)
    assert main(["install", terminal.written(MODULE), f"--kubeconfig={path}"]) == 2
    said = terminal.capsys.readouterr().err
    assert "may not do this: customresourcedefinitions.apiextensions.k8s.io" in said
    assert said.endswith("; use one that may, or grant it by a role.\n")


def test_a_cluster_that_does_not_answer_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module, config = tmp_path / "gadgets.py", tmp_path / "kubeconfig"
    module.write_text(MODULE)
    config.write_text(
        '{"clusters": [{"name": "c", "cluster": {"server": "http://127.0.0.1:9"}}], "current-context": "gone", '
        '"contexts": [{"name": "gone", "context": {"cluster": "c"}}]}'
    )
    for command in ("install", "uninstall", "run"):
        assert main([command, str(module), f"--kubeconfig={config}"]) == 2
        printed = capsys.readouterr()
        assert printed.out == "context gone, server http://127.0.0.1:9\n"
        assert printed.err.startswith("kubewright: cannot connect to http://127.0.0.1:9: ")
        assert printed.err.endswith("or name another with --kubeconfig or --context.\n")
        assert printed.err.count("\n") == 1


def test_an_operator_of_kubernetes_own_kinds_has_no_crd(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module = tmp_path / "plain.py"
    module.write_text(
        "import kubewright as kw\nfrom kubewright.k8s.core.v1 import ConfigMap\n"
        "@kw.controller(ConfigMap)\nasync def c(o: ConfigMap, ctx: kw.Context) -> None: ...\n"
        'app = kw.Operator("plain", [c])\n'
    )
    assert main(["install", str(module)]) == 2
    assert "declares no kind of its own" in capsys.readouterr().err
