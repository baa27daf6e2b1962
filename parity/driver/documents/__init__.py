"""The documents of a job's folder, written as Harbor writes them, and read again to resume a job.

`configurations` and `lock` describe the run, `result_trees` the result of a trial. All return trees, which
`parity.scorer.result_text.text_of` writes as text and `atomic` puts into a file. `resume` reads them again.
"""
