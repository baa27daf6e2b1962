"""Tests that the blocks of commands and the links in READMEs are correct.

A block that begins with three backticks and `console` contains commands, each after `$ `, and their output, followed by
`(exit code N)` if the exit code is not 0. The commands run in a copy of the checkout. Python blocks in the same
document that begin with a comment `# NAME.py` are written to files in that copy. In the output, a line `…` matches
any lines, and `…` within a line matches any text. Words after `console` are requirements of the block: see `NEEDS`
in `tests/needs.py`, and `STAGES` in `console.py`.

`python -m tests.readme` renews the output in all documents, and `python -m tests.readme FILE…` in these documents.
"""
