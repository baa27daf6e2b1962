// `aggregate`: computes a metric over the rewards of all trials.

import { byCodePoints } from "./code-points.mjs";
import { PythonError } from "./python-error.mjs";
import { divide } from "./python-numbers.mjs";
import { pythonSum } from "./summation.mjs";

/** The functions that compute one number from a column: the numbers of one reward key, in trial order. */
export const METRICS = new Map([
  ["mean", (column, interpreter) => divide(pythonSum(column, interpreter), column.length)],
  ["max", (column) => extreme("max", column, (number, best) => number > best)],
  ["min", (column) => extreme("min", column, (number, best) => number < best)],
  ["sum", pythonSum],
]);

/**
 * Returns a metric over the rewards of all trials: each a Map, or null for a trial without a verifier result.
 *
 * If the trials have at most one reward key in all, the answer's only key is the metric's name. If they have several,
 * the answer has these keys, sorted.
 */
export function aggregate(metric, rewards, interpreter) {
  const combine = METRICS.get(metric);
  const keys = new Set();
  for (const reward of rewards) {
    for (const key of reward?.keys() ?? []) keys.add(key);
  }
  // A missing number is the int 0, even if all others are floats.
  const column = (key) => rewards.map((reward) => reward?.get(key) ?? 0n);
  if (keys.size > 1) {
    return new Map([...keys].sort(byCodePoints).map((key) => [key, combine(column(key), interpreter)]));
  }
  const [onlyKey] = keys;
  return new Map([[metric, combine(column(onlyKey), interpreter)]]);
}

/**
 * Returns the first of equal numbers, with its type and sign, and a nan only if it comes first.
 * Math.max() keeps neither type nor sign, treats nan differently, and accepts no BigInt.
 */
function extreme(name, column, isBetter) {
  if (column.length === 0) throw new PythonError("ValueError", `${name}() of no rewards`);
  let best = column[0];
  for (const number of column) {
    if (isBetter(number, best)) best = number;
  }
  return best;
}
