"""Score a job from its folder on disk: compute its result.json, and compare it with the present one.

`job_folder` reads the trials (`trial_file`), the plan (`job_lock`, `job_config`) and the present result.json
(`job_record`). `job_order` finds the order in which the job took its trials, and `job_document` judges the result by
this order. `differences` lists the places where two documents differ, and `any_order` returns whether another order of
trials could be the reason. A folder may hold anything, so everything is read with limits (`files`, `documents`,
`verifier_files`).
"""
