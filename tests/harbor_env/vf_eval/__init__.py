"""Runs the real `vf-eval` on the bundled tasks.

The agent needs no model, because local sandboxes have no network. Without `vf-eval`, no test is collected here.
"""

import pytest

pytest.importorskip("verifiers.legacy.scripts.eval", reason="of vf-eval; tox run -e verifiers-0.3.1")
