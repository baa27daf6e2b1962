"""An agent's processes as one group, so that what the agent has left running can be ended before the tests."""

import shlex

from parity.harbor_env import places


def in_own_group(command: str) -> str:
    """A bash command that runs another in a process group of its own, and ends as that one ends."""
    run = f"set -m; bash -c {shlex.quote(command)} & echo $! > {places.AGENT_GROUP}; wait $!"
    return f"bash -c {shlex.quote(run)}"


END_GROUP = f'test ! -f {places.AGENT_GROUP} || kill -KILL -- "-$(cat {places.AGENT_GROUP})" 2>/dev/null; true'
"""Ends that group; a process that has left it runs on, as it does with Harbor."""
