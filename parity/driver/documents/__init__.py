"""The documents of a job's folder, text for text as Harbor writes them, and what an earlier run left of them.

`configurations` and `lock` say what is run, `result_trees` what came of a trial; all give trees that
`parity.scorer.result_text.text_of` spells out, and `atomic` puts the text in its place. `resume` reads them again.
"""
