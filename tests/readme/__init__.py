"""Every README is correct: its generated places and blocks of commands, its links, and the size of the first one.

`python -m tests.readme` renews the places of all documents, `python -m tests.readme FILE…` those of some. There are two
kinds of places:

- A block of three backticks and `console` has commands, each after `$ `, and their output; `(exit code N)` follows if
  the code is not 0. It runs in a copy of the checkout. Python blocks of the same document that begin with a comment
  `# NAME.py` are files there. A line `…` in the output stands for any lines, `…` within a line for any text.
- Between `<!-- name words -->` and `<!-- end -->` is the result of the function `name` for the words.

Words after `console` or the name are requirements of the place: see `NEEDS` in `tests/needs.py`, and `STAGES`.
"""
