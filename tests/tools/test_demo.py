"""The demo comes true; and its story, told twice in simulated time with one seed, is the same to the byte."""

import io
import os
import subprocess
import sys
from pathlib import Path

from tools.demo import tell
from tools.screen import Screen

from kubewright.cluster import Cluster
from kubewright.trials.loop import run

ROOT = Path(__file__).resolve().parents[2]
#: Tells the story, lets ten minutes go by, and prints how many writes there were, how many at rest, and a hash of all.
TWIN = """
import asyncio, hashlib, io
from tools.demo import tell
from tools.screen import Screen
from kubewright.cluster import Cluster
from kubewright.entropy import Entropy
from kubewright.trials.loop import run

log = []

async def story():
    async with Cluster(port=None, seed=7) as cluster:
        cluster.store.listen("/", log.append)
        assert await tell(cluster, Screen(io.StringIO()), Entropy(8))
        told = len(log)
        await asyncio.sleep(600)
        print(told, {record.key.split("/")[1] for record in log[told:]})

run(story())
print(hashlib.sha256(repr([(record.revision, record.key, record.value) for record in log]).encode()).hexdigest())
"""


def test_the_demo_comes_true_without_a_terminal() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.demo"], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    assert "6. The WebServer is deleted" in done.stdout
    assert "Nothing is left." in done.stdout


#: The demo, with a cluster on which no pod can run.
SABOTAGED = """
import functools, sys
from tools import demo

demo.Cluster = functools.partial(demo.Cluster, nodes=0)
demo._PATIENCE = 0.2
sys.exit(demo.main())
"""


def test_a_step_that_does_not_come_true_ends_the_story_with_a_failure() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SABOTAGED], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.endswith("This did not come true within 0.2 seconds.\n")
    assert "2. Scaled to four" not in done.stdout


class Terminal(io.StringIO):
    """Something to look at."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal_there_is_time_to_see_how_pods_come_and_go() -> None:
    terminal = Terminal()

    async def story() -> None:
        async with Cluster(port=None, seed=7) as cluster:
            assert await tell(cluster, Screen(terminal))

    run(story())
    _, _, rollout = terminal.getvalue().partition("3. Another image")
    rollout, _, _ = rollout.partition("4. Somebody deletes")
    assert "ContainerCreating" in rollout
    assert "Terminating" in rollout
    assert rollout.count("UP-TO-DATE") > 5


def test_a_seed_tells_the_same_story_to_the_byte_and_nothing_but_heartbeats_is_written_at_rest() -> None:
    told = [_twin(seed) for seed in ("1", "2")]
    assert told[0] == told[1]
    assert int(told[0].split()[0]) > 100
    assert "{'leases.coordination.k8s.io'}" in told[0]


def _twin(hash_seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, "-c", TWIN], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=True
    )
    return done.stdout
