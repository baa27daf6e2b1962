"""Every README says what is so: places that are made by a command or a function, links, and the size of the first one.

`python -m tests.readme` renews the places of all documents, `python -m tests.readme FILE…` those of some. Two kinds of
places are renewed:

- A block of three backticks and `console` shows commands, each after `$ `, and what they print; `(exit code N)` follows
  where that is not 0. It runs in a copy of the checkout. Python blocks of the same document that begin with a comment
  `# NAME.py` lie there as files. A line `…` in the output stands for any lines, `…` within a line for anything.
- From `<!-- name words -->` to `<!-- end -->` stands what the function `name` returns for the words.

Words after `console` or the name say what the place needs: see `NEEDS` in `tests/needs.py`, and `STAGES`.
"""
