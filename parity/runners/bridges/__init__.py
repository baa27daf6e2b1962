"""Bridges: the reward path of somebody else's runner, as it is installed, behind the interface of a runner.

A bridge runs the third party's own code and replaces its sandbox alone, so that whatever decides a score is theirs:
which file counts, what is a number, and whether a fault is an error or a score of 0.0. Each module needs the package
that it is about, and little else.
"""
