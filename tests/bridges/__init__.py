"""Tests of what all bridges share. `tox` tests each bridge against its declared divergences."""
