"""The report of a run: the runner, the verdict on every rule, and each divergence with its smallest case.

`parity.suite.records` has its form, `report_files` writes its JSON, `reading` reads it, `verdicts` shows it, and `page`
makes one HTML page of several.
"""
