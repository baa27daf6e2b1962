"""Measures whether the suite shows the rule that a runner breaks before rules that the same mistake breaks, too.

`python -m tests.shown` prints, for each group of wrong runners, how often a rule that the runner breaks is shown first,
and how often it is among the first two.
"""
