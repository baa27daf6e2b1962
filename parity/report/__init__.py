"""The report of a run: the runner, the verdict on every rule, and each divergence with its smallest case.

`parity.judging.records` has its form, `places` and `reading` keep it as JSON, and `verdicts` shows it.
"""
