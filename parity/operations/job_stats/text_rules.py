"""Rules of `job_stats` about spelling: how texts and numbers are written in result.json."""

from parity.operations.rule import rules

TEXT = list(
    rules(
        "job_stats",
        "pydantic-core",
        (
            "result-text/surrogates",
            "lone-surrogate",
            "Half of a surrogate pair in a key is written as three replacement characters.",
        ),
        (
            "result-text/escapes",
            "escaped-name",
            "Quotes, backslashes and control characters are escaped, with \\b \\f \\n \\r \\t for short; DEL and slashes are not.",
            "layout",
        ),
        (
            "result-text/unescaped",
            "non-ascii-name",
            "Characters beyond ASCII are written as they are.",
            "layout",
        ),
        (
            "result-text/non-finite-values",
            "non-finite-key non-finite-cost",
            "A metric or cost that is nan or infinite is written as null.",
            "",
            "metrics cost_usd",
        ),
        (
            "result-text/float-values",
            "exponent",
            "A float that is a value is written without an exponent from 0.00001 up to 1e+16, and otherwise as in 1e-7.",
            "",
            "metrics pass_at_k cost_usd",
        ),
        (
            "result-text/big-integers",
            "int-beyond-2**53",
            "An int is written in full, however large.",
            "value text keys",
            "metrics reward_stats n_input_tokens n_cache_tokens n_output_tokens",
        ),
    )
)
