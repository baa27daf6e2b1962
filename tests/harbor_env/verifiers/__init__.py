"""Tests of HarborEnv as a subclass of `CliAgentEnv` of `verifiers` 0.3.1.

Without `verifiers`, no test is collected here.
"""

import importlib
import warnings

import pytest

pytest.importorskip("verifiers", reason="of HarborEnv for verifiers; tox run -e verifiers-0.3.1")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # what the release's own imports warn of
    importlib.import_module("parity.harbor_env.for_verifiers")
