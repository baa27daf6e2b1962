"""Score a job from its directory: compute its result.json, and compare the existing file with it.

`directory` reads the job's files and its trials (`trial_file`). `check` computes the result.json that Harbor would
write, and compares the existing file with it: `differences` lists the places where they differ, and `any_order` decides
whether a different order of the trials could explain that. A directory may hold anything, so all files are read with
limits (`files`, `documents`, `verifier_files`). `stored_rewards` compares the rewards in each result.json with the
files that its verifier wrote. `trial_score` says what a single trial's result.json counts.
"""
