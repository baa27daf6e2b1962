"""The class of cases for `trial_score`: the text of a trial's result.json."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from parity.operations.wire import WireError

type Part = tuple[Any, str | None]
"""The `verifier_result` of a trial or step, and the class of its exception or None."""

AGENT_EXCEPTIONS = ("AgentTimeoutError", "NonZeroAgentExitCodeError")
"""The agent's exceptions after which Harbor still runs the verifier."""


@dataclass(frozen=True)
class TrialText:
    """The text of a trial's result.json."""

    text: str

    def document(self) -> Any:
        """Parse the text; return None if it is not JSON."""
        try:
            return json.loads(self.text)
        except (ValueError, RecursionError):
            return None


def check(case: TrialText) -> None:
    """Raise a WireError if no file can contain the text."""
    if any("\ud800" <= character <= "\udfff" for character in case.text):
        raise WireError("must be a string that UTF-8 can encode")


def trial_text(
    verifier: Any = None, exception: str | None = None, steps: Sequence[Part] = (), **others: Any
) -> TrialText:
    """Build a case from a trial's result.json with the keys that Harbor writes.

    Args:
        verifier: the trial's `verifier_result`.
        exception: the class of the trial's exception, or None.
        steps: the trial's steps. If there are any, each step has a run of the agent, and the trial has none.
        others: further members of the document, which replace members of the same name. `...` removes a member.
    """
    document = {
        "id": "00000000-0000-0000-0000-000000000001",
        "task_name": "task",
        "trial_name": "task__1",
        "trial_uri": "file:///jobs/job/task__1",
        "task_id": {"path": "tasks/task"},
        "source": None,
        "task_checksum": "0",
        "config": {"task": {"path": "tasks/task"}, "trial_name": "task__1"},
        "agent_info": {"name": "agent", "version": "1", "model_info": None},
        **_part(verifier, exception, ran=not steps),
        "started_at": "2026-01-01T00:00:00",
        "finished_at": "2026-01-01T00:01:00",
        "step_results": [{"step_name": f"step-{n}", **_part(*part)} for n, part in enumerate(steps, 1)] or None,
        **others,
    }
    return TrialText(json.dumps({name: value for name, value in document.items() if value is not ...}))


def _part(verifier: Any, exception: str | None, *, ran: bool = True) -> dict[str, Any]:
    info = {"exception_message": "it failed", "exception_traceback": "", "occurred_at": "2026-01-01T00:00:30"}
    return {
        "agent_result": {"n_input_tokens": 1} if ran else None,
        "verifier_result": verifier,
        "exception_info": None if exception is None else {"exception_type": exception, **info},
        "agent_execution": {"started_at": "2026-01-01T00:00:10"} if ran else None,
    }


def rewarded(rewards: Any, exception: str | None = None, steps: Sequence[Part] = (), **others: Any) -> TrialText:
    """Build a case from a trial with the given rewards. A value that is not a dict becomes the reward `reward`."""
    by_key = rewards if isinstance(rewards, dict) else {"reward": rewards}
    return trial_text({"rewards": by_key}, exception, steps, **others)
