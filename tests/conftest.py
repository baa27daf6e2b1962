"""Loads what nested runs of the suite need once, because pytester forgets what such a run imports."""

import importlib
import os

pytest_plugins = ["pytester"]

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
for module in (
    "parity.golden_snapshots",
    "parity.reference.wheel",
    "parity.strategies",
    "parity.summary",
    "parity.vectors",
):
    importlib.import_module(module)
