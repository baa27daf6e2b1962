"""Tests for HarborEnv as a subclass of `CliAgentEnv` in `verifiers` 0.3.1.

Without `verifiers`, no test is collected here.
"""

import importlib
import warnings

import pytest

pytest.importorskip("verifiers", reason="of HarborEnv for verifiers; tox run -e verifiers-0.3.1")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # warnings from the release's own imports
    importlib.import_module("parity.harbor_env.for_verifiers")
