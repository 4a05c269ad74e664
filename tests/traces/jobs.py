"""What is done to a Job."""

from typing import Any, Final

from tests.traces.scenario import Document, Play, Scenario

__all__ = ["SCENARIOS"]


async def _make(play: Play, settings: dict[str, str], **spec: Any) -> None:
    template = play.template(None, **settings)
    template["spec"]["restartPolicy"] = "Never"
    await play.make("jobs", spec={"template": template, **spec})


def _has(job: Document, condition: str) -> bool:
    conditions = (job.get("status") or {}).get("conditions", [])
    return any(each["type"] == condition and each["status"] == "True" for each in conditions)


async def _until_over(play: Play, condition: str) -> None:
    """Wait until it has ended, and none of its pods is held or going."""
    await play.until("jobs", lambda job: _has(job, condition))
    await play.until_all("pods", lambda pods: not any(map(_is_held, pods)))


def _is_held(pod: Document) -> bool:
    return not pod["metadata"].keys().isdisjoint(("finalizers", "deletionTimestamp"))


async def _complete(play: Play) -> None:
    await _make(play, {"exit_after": "500ms"}, completions=3, parallelism=2)
    await _until_over(play, "Complete")


async def _index(play: Play) -> None:
    await _make(play, {"exit_after": "500ms"}, completions=3, parallelism=2, completionMode="Indexed")
    await _until_over(play, "Complete")


async def _fail(play: Play) -> None:
    await _make(play, {"exit_after": "500ms", "exit_code": "1"}, backoffLimit=1)
    await _until_over(play, "Failed")


async def _overrun(play: Play) -> None:
    await _make(play, {"exit_after": "1h"}, completions=2, parallelism=2, activeDeadlineSeconds=3)
    await _until_over(play, "Failed")


async def _suspend(play: Play) -> None:
    await _make(play, {"exit_after": "1h"}, completions=2, parallelism=2)
    await play.until("jobs", lambda job: (job.get("status") or {}).get("ready") == 2)
    await play.change("jobs", spec={"suspend": True})
    await play.until("jobs", lambda job: _has(job, "Suspended") and not job["status"].get("terminating"))
    await play.until_all("pods", lambda pods: not pods)
    shorter = {"annotations": {"kubewright.dev/exit-after": "500ms"}}  # of a suspended Job this may be changed
    await play.change("jobs", spec={"suspend": False, "template": {"metadata": shorter}})
    await _until_over(play, "Complete")


async def _shrink(play: Play) -> None:
    await _make(play, {"exit_after": "1h"}, completions=3, parallelism=3)
    await play.until("jobs", lambda job: (job.get("status") or {}).get("ready") == 3)
    await play.change("jobs", spec={"parallelism": 1})
    await play.until_all("pods", lambda pods: len(pods) == 1)
    await play.until("jobs", lambda job: job["status"]["active"] == 1 and not job["status"]["terminating"])


async def _delete(play: Play) -> None:
    await _make(play, {"exit_after": "1h"}, completions=2, parallelism=2)
    await play.until("jobs", lambda job: (job.get("status") or {}).get("ready") == 2)
    await play.client.delete(play.path("jobs", "web"), {"propagationPolicy": "Background"})
    await play.until_all("pods", lambda pods: not pods)


async def _expire(play: Play) -> None:
    await _make(play, {"exit_after": "500ms"}, ttlSecondsAfterFinished=2)
    await play.until("jobs", lambda job: (job.get("status") or {}).get("active") == 1)
    await play.until_gone("jobs")
    await play.until_all("pods", lambda pods: not pods)


_KINDS: Final = ("jobs", "pods")
_COMPLETED: Final = ("SuccessCriteriaMet=True/CompletionsReached", "Complete=True/CompletionsReached")
_SUSPENDED: Final = ("active=2", "active=0", "Suspended=True/JobSuspended", "active=2", "Suspended=False/JobResumed")
SCENARIOS: Final = {
    "job-complete": Scenario(_complete, _KINDS, _COMPLETED),
    "job-index": Scenario(_index, _KINDS, _COMPLETED),
    "job-fail": Scenario(
        _fail, _KINDS, ("FailureTarget=True/BackoffLimitExceeded", "Failed=True/BackoffLimitExceeded")
    ),
    "job-overrun": Scenario(_overrun, _KINDS, ("FailureTarget=True/DeadlineExceeded", "Failed=True/DeadlineExceeded")),
    "job-suspend": Scenario(_suspend, _KINDS, (*_SUSPENDED, *_COMPLETED)),
    "job-shrink": Scenario(_shrink, _KINDS, ("active=3", "active=1")),
    "job-delete": Scenario(_delete, _KINDS, ("active=2",)),
    "job-expire": Scenario(_expire, _KINDS, _COMPLETED),
}
