"""Drift: the differences between the answers of two releases of Harbor.

`releases` starts them, `vectors` compares their answers to the inputs of the golden vectors, and `text` shows the
differences.
"""
