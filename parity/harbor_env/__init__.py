"""HarborEnv with Harbor's scoring: the environment that RL users run Harbor tasks with.

`HarborEnv` here works on a bare machine; the one in `parity.harbor_env.for_verifiers` trains with `verifiers`.
"""

from parity.harbor_env.env import HarborEnv
from parity.harbor_env.errors import AmbiguousRewardError, DatasetError, Faults, Mistake, SandboxError
from parity.harbor_env.scoring import Score, Scoring

__all__ = [
    "AmbiguousRewardError",
    "DatasetError",
    "Faults",
    "HarborEnv",
    "Mistake",
    "SandboxError",
    "Score",
    "Scoring",
]
