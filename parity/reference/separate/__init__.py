"""The reference in an environment of its own, asked over the same pipe as runners in other languages.

`client` is the kit's side of the pipe. In the other environment, `bootstrap` starts `server`.
"""
