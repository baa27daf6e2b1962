"""The specification and the evidence for its rules: `golden/SPEC.md` and `golden/traceability.json`.

`python -m tests.spec` writes both.
"""
