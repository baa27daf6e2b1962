"""`parity score` as a command: its verdicts, bad input, streams and verifier folders."""
