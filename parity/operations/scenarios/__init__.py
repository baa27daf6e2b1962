"""What `run_trial` and `run_job` ask about: tasks, settings, what the sandbox answers, and what comes of it all."""
