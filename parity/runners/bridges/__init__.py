"""Bridges: reward paths of third parties' installed packages, behind the interface of a runner.

A bridge runs the third party's own code and replaces only its sandbox. So the third party decides everything about a
score: which file is read, which texts are numbers, and whether a fault is an error or a score of 0.0. Each module needs
its third party's package, and little else.
"""
