"""`python -m tests.spec` writes the specification and the evidence for its rules."""

from parity.operations.evidence import TRACEABILITY_FILE
from tests.spec.drawn import drawn_rules
from tests.spec.evidence import traceability_text
from tests.spec.text import SPEC_FILE, spec_text

TRACEABILITY_FILE.write_text(traceability_text(drawn_rules()), encoding="ascii")
SPEC_FILE.write_text(spec_text(), encoding="utf-8")
