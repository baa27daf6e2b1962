"""Scoring a job from its folder on disk: what its result.json should say, and whether it does.

`job_folder` reads the trials (`trial_file`), what was planned (`job_lock`, `job_config`) and what is there now
(`job_record`); `job_document` tries the orders of `job_order`; `differences` tells two documents apart. Everything is
read with care (`files`), because a folder may hold anything.
"""
