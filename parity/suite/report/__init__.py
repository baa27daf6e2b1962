"""The report of a run: the runner, the verdict on every rule, and each divergence with its smallest case.

`parity.suite.records` has its form, `places` and `reading` keep it as JSON, `verdicts` shows it, and `page` makes one
HTML page of several.
"""
