"""The documents in a job's directory, written as Harbor writes them, and read again to resume a job.

The models in `parity.formats` describe the documents; the module `writing` writes them.
"""
