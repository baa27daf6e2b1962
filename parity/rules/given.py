"""One rule of every operation whose input can be changed: a call reads what it is given, and leaves it as it was.

It is in question where the answer itself is the reference's. `parity.operations.given` sees what a call changed.
"""

from collections.abc import Iterator

from parity.rules.rule import Rule, rules

_FILES = "A call leaves the folder, its files and what links lead to as they were."
_ARGUMENTS = "A call leaves its arguments as they were, down to the order of keys."

_INPUTS = {
    "read_reward": ("harbor.verifier.verifier", _FILES),
    "aggregate": ("harbor.metrics.base", _ARGUMENTS),
    "pass_at_k": ("harbor.utils.pass_at_k", _ARGUMENTS),
    "trial_reward": ("harbor.trial.multi_step", _ARGUMENTS),
    "run_trial": ("harbor.trial.trial", _ARGUMENTS),
    "run_job": ("harbor.job", _ARGUMENTS),
    "job_stats": ("harbor.models.job.result", _ARGUMENTS),
    "outcome": ("scoring description, section 5", _FILES),
    "harbor_env": ("harbor.trial.trial", _ARGUMENTS),
}
"""Operation to the module that only reads, and the rule."""


def _rules() -> Iterator[Rule]:
    for operation, (source, sentence) in _INPUTS.items():
        slug = f"{operation.replace('_', '-')}/leaves-its-input-alone"
        yield from rules(operation, source, (slug, "", sentence, "input"))


RULES: list[Rule] = list(_rules())
