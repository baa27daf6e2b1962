"""Tests of HarborEnv as a subclass of the installed release of `verifiers`; tox runs them in each."""
