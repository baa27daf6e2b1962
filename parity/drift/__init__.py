"""Drift: what one release of Harbor answers otherwise than another.

`releases` opens them, `vectors` compares their answers to the golden vectors' inputs, and `text` shows what moved.
"""
