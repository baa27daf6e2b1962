"""The sandbox driver: runs directories of Harbor tasks as Harbor runs them, in the driver's own kinds of sandbox.

The driver is written from the rules in `parity.operations.rules`, and never imports Harbor.
"""
