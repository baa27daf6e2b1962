"""The sandbox driver: runs directories of Harbor tasks as Harbor runs them, in its own kinds of sandbox.

Written from the rules in `parity.operations.rules`; it never imports Harbor.
"""
