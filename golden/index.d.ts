export type Operation =
  | "aggregate"
  | "harbor_env"
  | "job_stats"
  | "outcome"
  | "pass_at_k"
  | "read_reward"
  | "reason_code"
  | "run_job"
  | "run_trial"
  | "trial_reward"
  | "trial_score";

/** A value in the form of the wire, or an error, of which only the kind counts. */
export type Answer =
  | { value: any; fault?: undefined }
  | { value?: undefined; fault: { kind: string } };

/** A case with Harbor's answer: the same one in every interpreter series, or one for each. */
export type Vector = { id: string; rule: string; input: any } & (
  | { answer: Answer; answers?: undefined }
  | { answer?: undefined; answers: { "3.12": Answer; "3.14": Answer } }
);

export const operations: readonly Operation[];

/** Returns the JSON of an operation's file. Throws RangeError for an unknown operation. */
export function raw(operation: Operation): string;

/**
 * Returns the vectors of an operation. Throws RangeError for an unknown operation.
 * Objects put keys such as "10" first: parse `raw` where the order of such keys counts.
 */
export function vectors(operation: Operation): Vector[];
