"""The classes of HarborEnv that can be asked here: this kit's, and a release's."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from parity.harbor_env import HarborEnv
from parity.reference.released import installed_release


@dataclass(frozen=True)
class Subject:
    """A class, and functions that make its environments on local sandboxes and roll them out."""

    kind: Any
    make: Callable[..., Any]
    """Makes an environment, given the agent's command, the folder of tasks, a class, and other arguments."""

    state: Callable[[Any], dict[str, Any]]
    """Returns the state after a rollout of an environment's first task."""

    evaluate: Callable[..., Any]
    """Returns the results of an evaluation with these arguments."""

    client: Callable[[], Any]

    def rolled(self, dataset: Path, agent: str = "true", kind: Any = None, **options: Any) -> dict[str, Any]:
        """Return the state after a rollout of the first task."""
        return self.state(self.make(agent, dataset, kind or self.kind, **options))


def subjects() -> dict[str, Subject]:
    """Return the classes that can be asked here, by their columns."""
    known = {"plain": Subject(HarborEnv, _make_plain, _plain_state, _evaluated, object)}
    if (release := installed_release()) is not None:
        from parity.harbor_env import for_verifiers
        from parity.harbor_env.verifiers_release import vf
        from tests.harbor_env.verifiers import released, rollouts

        def make(agent: str, dataset: Path, kind: Any, **options: Any) -> Any:
            return rollouts.make(agent, dataset, kind, **{"scoring": "documented", **options})

        def evaluated(env: Any, **arguments: Any) -> Any:
            async def run() -> Any:
                async with rollouts.closing(env):
                    return await env.evaluate(**arguments)

            return asyncio.run(run())

        state, client = released.released_state, rollouts.client
        known["for verifiers"] = Subject(for_verifiers.HarborEnv, make, state, evaluated, client)
        known[release] = Subject(vf.HarborEnv, released.released, state, evaluated, client)
    return known


def _make_plain(agent: str, dataset: Path, kind: Any, **options: Any) -> HarborEnv:
    given = {"scoring": "documented", "base_url": "http://model:1", **options}
    return cast("HarborEnv", kind(agent, dataset, **given))


def _plain_state(env: HarborEnv) -> dict[str, Any]:
    return asyncio.run(env.rollout(env.rows[0], model="a-model"))


def _evaluated(env: HarborEnv, **arguments: Any) -> Any:
    return asyncio.run(env.evaluate(**arguments))
