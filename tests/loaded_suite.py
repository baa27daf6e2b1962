"""What runs of the suite and of `parity run` import, loaded once: `tests.forked` forks them from a process that has it.

No plugin is registered and no test is loaded here, so each run still reads its options, opens its session and collects
by itself.
"""

import gc
import importlib
import sys

from _pytest.config import default_plugins
from hypothesis import strategies as st
from hypothesis.configuration import notice_initialization_restarted
from hypothesis.internal.entropy import deterministic_PRNG

from parity.reference.deferred import without_clients
from tests.suite_modules import SUITE_MODULES

_MODULES = (
    "parity.command.run_job",
    "parity.operations.job_stats.plan_strategies",
    "parity.operations.run_job.earlier_strategies",
    "parity.operations.run_job.rare_cases",
    "parity.operations.run_job.settings_strategies",
    "parity.operations.run_trial.rare_cases",
    "parity.pytest_plugin.opening",
    "parity.pytest_plugin.reporting",
    "parity.pytest_plugin.suite",
    "parity.pytest_plugin.summary",
    "parity.reference.authorities",
    "parity.reference.lacking",
    "parity.report.places",
    "pdb",
    "syrupy",
    "tests.faulty",
    *(f"_pytest.{name}" for name in default_plugins),
    *SUITE_MODULES,
)

gc.disable()
with without_clients():
    for module in _MODULES:
        importlib.import_module(module)

# Of packages with a plugin, pytest warns where it finds them loaded, unless their docstrings say this.
for package in ("_hypothesis_globals", "hypothesis", "parity", "syrupy"):
    sys.modules[package].__doc__ = f"{sys.modules[package].__doc__}\n\nPYTEST_DONT_REWRITE"

# Hypothesis goes through all of Unicode for this, a second in every folder that has no `.hypothesis` yet.
st.text().validate()
# It takes its generator for garbage if all that refers to it is frozen before the first test.
with deterministic_PRNG():
    pass
# A run would warn of that, since its plugin is loaded later.
notice_initialization_restarted(warn=False)

# No run looks at it again, which would also copy it.
gc.freeze()
gc.enable()
