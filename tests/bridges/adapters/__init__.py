"""Bridges: runners that compute rewards with the installed packages of third parties.

A bridge runs the third party's own code and replaces only its sandbox. So the third party's code decides everything
about a score: which file is read, which strings are numbers, and whether a fault is an error or a score of 0.0. Each
module needs the package of its third party, and little else.
"""
