"""Scoring a job from its folder on disk: what its result.json should say, and whether it does.

`job_folder` reads the trials (`trial_file`), what was planned (`job_lock`, `job_config`) and what is there now
(`job_record`); `job_order` says in which order the job took them, and `job_document` judges by it; `differences` says
two documents apart. Everything is read with care (`files`, `reading`, `verifier_files`), because a folder may hold
anything, and quickly (`layout`, `trial_layout`), because it may hold a hundred thousand trials.
"""
