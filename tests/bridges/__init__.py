"""Tests of the bridges. Those of one are collected where the package that it is about is installed; tox names them.

Where another Harbor than the reference is installed, run them with `--confcutdir tests/bridges`.
"""
