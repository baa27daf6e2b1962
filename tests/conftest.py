"""Loads what nested runs of the suite need once, because pytester forgets what such a run imports."""

import importlib

pytest_plugins = ["pytester"]

for module in (
    "parity.golden_snapshots",
    "parity.reference.jobs",
    "parity.reference.real_jobs",
    "parity.reference.trials",
    "parity.reference.wheel",
    "parity.strategies",
    "parity.summary",
    "parity.vectors",
):
    importlib.import_module(module)
