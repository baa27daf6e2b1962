"""Bridges: what released readers of rewards score otherwise than Harbor. They prove the kit; users do not install them.

`python -m tests.bridges NAME…` asks them. The tests here are about the table, and about code that all bridges share.
"""
