"""The real `vf-eval` over the bundled tasks, with a model that answers on this machine.

Where a release of verifiers without it is installed, or none, there is nothing to test here.
"""

import pytest

pytest.importorskip("verifiers.legacy.scripts.eval", reason="of vf-eval; tox run -e verifiers-0.3.1")
