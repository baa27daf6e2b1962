"""The sandbox driver: runs folders of Harbor tasks as Harbor runs them, in sandboxes of its own choosing.

Written from the rules in `parity.operations.rules`; it never imports Harbor.
"""
