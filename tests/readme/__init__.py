"""What READMEs show is correct: their blocks of commands, and their links.

A block of three backticks and `console` has commands, each after `$ `, and their output; `(exit code N)` follows if the
code is not 0. It runs in a copy of the checkout. Python blocks of the same document that begin with a comment
`# NAME.py` are files there. A line `…` in the output stands for any lines, `…` within a line for any text. Words
after `console` are requirements of the block: see `NEEDS` in `tests/needs.py`, and `STAGES`.

`python -m tests.readme` renews the output of all blocks, `python -m tests.readme FILE…` that of some documents.
"""
