"""The reference in an environment of its own, asked over the pipe that runners in other languages use.

`client` is the kit's side, `server` what runs in that environment, `bootstrap` how it is started there.
"""
