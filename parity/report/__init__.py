"""The report of a run: who was asked, what came of every rule, and each divergence with its smallest case.

`record` is what a report holds, `assembling` makes one of a session, `writing` and `reading` keep it as JSON, and
`html`, `matrix` and `picture` show one or several of them to people.
"""
