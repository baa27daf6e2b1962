// The golden vectors of harbor-parity by operation. README.md explains the files, and has a test that uses them.

import { readFileSync } from "node:fs";

export const operations = Object.freeze([
  "aggregate",
  "harbor_env",
  "job_stats",
  "outcome",
  "pass_at_k",
  "read_reward",
  "reason_code",
  "run_job",
  "run_trial",
  "trial_reward",
  "trial_score",
]);

/** Returns the JSON of an operation's file. Throws RangeError for an unknown operation. */
export function raw(operation) {
  if (!operations.includes(operation)) {
    throw new RangeError(`unexpected operation ${operation}; expected one of ${operations.join(", ")}`);
  }
  return readFileSync(new URL(`${operation}.json`, import.meta.url), "utf8");
}

/**
 * Returns the vectors of an operation. Throws RangeError for an unknown operation.
 * Objects put keys such as "10" first: parse `raw` where the order of such keys counts.
 */
export function vectors(operation) {
  return JSON.parse(raw(operation)).vectors;
}
