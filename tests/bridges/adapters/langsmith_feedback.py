"""A bridge to harbor-langsmith's `LangSmithPlugin`, which sends each of a trial's rewards as feedback on the run.

The bridge replaces LangSmith with an adapter for requests that accepts every request. It makes the event for the
trial's end itself, because the event in Harbor 0.13.1 lacks the `trial_name` that the plugin reads. The feedback
`harbor_error`, which marks a trial with an exception, is left out, because it is not a score.
"""

import json
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

from tests.bridges.adapters.event_loop import run
from tests.bridges.adapters.third_party import named, third_party
from tests.bridges.adapters.trial_results import Means, harbor_result, means

_PLUGIN = third_party("harbor_langsmith.plugin")
_HOOKS = third_party("harbor.trial.hooks")
_REQUESTS = third_party("requests")
_NOW = datetime(2026, 1, 1, tzinfo=UTC)


class LangSmithFeedback:
    """A runner with a new plugin for each case, to which it passes the event for the trial's end."""

    def __init__(self) -> None:
        self.name = named("harbor-langsmith", "LangSmithPlugin")

    def trial_score(self, text: str) -> Means:
        """Return the feedback that the plugin sends for the trial's rewards."""
        result, sent = harbor_result(text), _Sent()
        plugin = _PLUGIN.LangSmithPlugin(
            endpoint="https://langsmith", api_key="none", experiment_id="experiment", sync_dataset=False
        )
        plugin.request_retry_delay = 0.0
        plugin._session.mount("https://", sent)
        ended = SimpleNamespace(
            event=_HOOKS.TrialEvent.END,
            trial_id=result.id,
            trial_name=result.trial_name,
            task_name=result.task_name,
            config=result.config,
            timestamp=_NOW,
            result=result,
        )
        job = _Job()
        run(plugin.on_job_start(job))
        run(job.hooks["on_trial_ended"](ended))
        return means(text, {each["key"]: each["score"] for each in sent.feedback if each["key"] != "harbor_error"})


class _Job:
    """The part of a job that the plugin uses when it starts."""

    def __init__(self) -> None:
        self.hooks: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return lambda hook: self.hooks.__setitem__(name, hook)


class _Sent(_REQUESTS.adapters.BaseAdapter):  # type: ignore[misc, name-defined]
    """A transport for requests that keeps the sent feedback."""

    def __init__(self) -> None:
        super().__init__()
        self.feedback: list[dict[str, Any]] = []

    def send(self, request: Any, **options: Any) -> Any:
        """Accept a request, and keep the feedback in it."""
        if request.url.endswith("/feedback"):
            self.feedback.append(json.loads(request.body))
        response = _REQUESTS.Response()
        response.status_code, response.request, response.url = 200, request, request.url
        return response

    def close(self) -> None:
        """Do nothing: the transport has no connections."""
