"""Where `verifiers` is not installed, there is nothing to test here."""

import pytest

pytest.importorskip("verifiers", reason="HarborEnv for verifiers is NOT TESTED: verifiers is not installed")
