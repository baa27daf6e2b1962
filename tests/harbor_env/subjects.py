"""The classes of HarborEnv that can be asked here: ours, and a release's own."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from parity.harbor_env import HarborEnv
from parity.reference.released import installed_release


@dataclass(frozen=True)
class Subject:
    """A class, how environments of it are made on local sandboxes, and how they are rolled out."""

    kind: Any
    make: Callable[..., Any]
    """By the agent's command, the folder of tasks, a class, and other arguments."""

    state: Callable[[Any], dict[str, Any]]
    """The state of a rollout of an environment's first task."""

    evaluate: Callable[..., Any]
    """What an evaluation by these arguments returns."""

    client: Callable[[], Any]

    def rolled(self, dataset: Path, agent: str = "true", kind: Any = None, **options: Any) -> dict[str, Any]:
        """The state of a rollout of the first task."""
        return self.state(self.make(agent, dataset, kind or self.kind, **options))


def subjects() -> dict[str, Subject]:
    """Those that can be asked here, by their columns."""
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
