"""The results of an evaluation, with the keys that programs for the results of `verifiers` read."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from parity.harbor_env.errors import causes, with_notes
from parity.harbor_env.hooks import State
from parity.harbor_env.scoring import average

_LOG = logging.getLogger("parity.harbor_env")


class Metadata(TypedDict):
    """The arguments of an evaluation, and its totals."""

    env_id: str
    """The name of the environment's class."""

    model: str | None
    base_url: str | None
    num_examples: int
    rollouts_per_example: int
    avg_reward: float
    avg_error: float
    """The fraction of rollouts with an error."""

    errors: int
    """The number of rollouts with an error, whether or not they have a reward."""

    faults: int
    """The number of rollouts with a fault caused by the agent or its tests, whether or not they have a reward."""


class Results(TypedDict):
    """The results of all rollouts, in the order of the dataset. Rollouts of the same example are adjacent."""

    outputs: list[dict[str, Any]]
    """For each rollout the keys that `verifiers` gives, with values that JSON can store, and `rewards` and `fault`."""

    reward: list[float]
    state: list[State]
    metadata: Metadata


def results_of(
    states: Sequence[State], *, env_id: str, model: str | None, base_url: str | None, rollouts_per_example: int
) -> Results:
    """Return the results of an evaluation with these states."""
    rewards = [state["reward"] for state in states]
    has_error = [state["error"] is not None for state in states]
    metadata = Metadata(
        env_id=env_id,
        model=model,
        base_url=base_url,
        num_examples=len(states) // rollouts_per_example,
        rollouts_per_example=rollouts_per_example,
        avg_reward=average(rewards),
        avg_error=sum(has_error) / len(states),
        errors=sum(has_error),
        faults=sum(state["fault"] is not None for state in states),
    )
    return Results(outputs=[_output_of(state) for state in states], reward=rewards, state=[*states], metadata=metadata)


def _output_of(state: State) -> dict[str, Any]:
    """Return a rollout as `verifiers` does. The fields about the agent's calls to a model are empty."""
    rows = ("example_id", "task", "prompt", "info")
    scored = ("reward", "rewards", "fault", "is_completed", "timing")
    return {
        **{key: state.get(key) for key in (*rows, *scored)},
        "answer": state.get("answer", ""),
        "completion": None,
        "error": None if state["error"] is None else _error_data(state["error"]),
        "is_truncated": False,
        "stop_condition": "timeout_reached" if state["timed_out"] else None,
        "metrics": {},
        "tool_defs": None,
    }


def _error_data(error: BaseException) -> dict[str, str]:
    chain = [*causes(error)]
    return {
        "error": type(error).__name__,
        "message": with_notes(error) or type(error).__name__,
        "error_chain_repr": " -> ".join(map(repr, chain)),
        "error_chain_str": " -> ".join(type(each).__name__ for each in chain),
    }


def base_url_of(client: Any, environment_vars: Mapping[str, str]) -> str | None:
    """Return the URL of the model's API that a client calls; None if there is no client.

    The client's key is not used, because a task's code is untrusted. A log line says how to pass a key on purpose.

    Args:
        client: a client from `openai` or `verifiers`, or the `ClientConfig` of such a client.
        environment_vars: the environment variables that sandboxes get anyway.

    Raises:
        ValueError: the client has no URL.
    """
    if client is None:
        return None
    for each in (client, getattr(client, "client", None)):
        if url := getattr(each, "base_url", None) or getattr(each, "api_base_url", None):
            if "OPENAI_API_KEY" not in environment_vars:
                how = "to let tasks have one, give the environment environment_vars={'OPENAI_API_KEY': ...}"
                _LOG.warning("agents get the client's URL and not its key; %s", how)
            return str(url).rstrip("/")
    raise ValueError(f"client is {client!r}: give a client from openai or verifiers, which has a base_url")
