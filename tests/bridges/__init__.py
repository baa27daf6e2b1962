"""Tests of the code that all bridges share. `tox` checks each bridge against its declared divergences."""
