"""Score a job from its directory: compute its result.json, and compare the present one with it.

`job_directory` reads the job's files and its trials (`trial_file`). `check` computes the result.json that Harbor would
write, and compares the present one: `differences` lists the places, and `any_order` returns whether another order of
the trials could be the reason. A directory may hold anything, so everything is read with limits (`files`, `documents`,
`verifier_files`). `recorded_rewards` compares the rewards of trials with their verifiers' files.
"""
