"""HarborEnv with Harbor's scoring: the environment in which RL users run Harbor tasks.

`HarborEnv` in this package works on a machine without `verifiers`; `parity.harbor_env.for_verifiers` has the class for
training with `verifiers`.
"""

from parity.harbor_env.env import HarborEnv
from parity.harbor_env.errors import AmbiguousRewardError, DatasetError, Mistake, SandboxError
from parity.harbor_env.scoring import Score, Scoring
from parity.harbor_env.settings import Faults

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
