"""The report of a run: the runner, the verdict on every rule, and each divergence with its smallest case.

`parity.suite.records` defines its form, `report_files` writes it as JSON, `reading` reads it, `verdicts` shows it, and
`page` makes an HTML page from one or several reports.
"""
