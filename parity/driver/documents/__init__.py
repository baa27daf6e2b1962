"""The documents of a job's directory, written as Harbor writes them, and read again to resume a job.

The models of `parity.formats` are the documents; `writing` writes them.
"""
