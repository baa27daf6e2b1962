"""Tests of the bridges. Those of a bridge are collected if its package is installed; tox installs each.

If another Harbor than the reference is installed, run them with `--confcutdir tests/bridges`.
"""
