// `aggregate`: the rewards of all trials to one metric.

import { byCodePoints } from "./code-points.mjs";
import { PythonError } from "./python-error.mjs";
import { divide } from "./python-numbers.mjs";
import { pythonSum } from "./summation.mjs";

/** Metric to the function that makes one number of a column: those of one reward key, in trial order. */
export const METRICS = new Map([
  ["mean", (column, interpreter) => divide(pythonSum(column, interpreter), column.length)],
  ["max", (column) => extreme("max", column, (number, best) => number > best)],
  ["min", (column) => extreme("min", column, (number, best) => number < best)],
  ["sum", pythonSum],
]);

/**
 * One of METRICS over the rewards of all trials: each a Map, or null for a trial without a verifier result.
 *
 * The answer has the metric's name for its only key as long as no more than one reward key occurs over all
 * trials. With several it has those, sorted.
 */
export function aggregate(metric, rewards, interpreter) {
  const combine = METRICS.get(metric);
  const keys = new Set();
  for (const reward of rewards) {
    for (const key of reward?.keys() ?? []) keys.add(key);
  }
  // What a trial lacks counts as the int 0, also where all others have floats.
  const column = (key) => rewards.map((reward) => reward?.get(key) ?? 0n);
  if (keys.size > 1) {
    return new Map([...keys].sort(byCodePoints).map((key) => [key, combine(column(key), interpreter)]));
  }
  const [onlyKey] = keys;
  return new Map([[metric, combine(column(onlyKey), interpreter)]]);
}

/**
 * Of equal numbers the first stays, with its type and sign, and a nan stays only where it comes first.
 * Math.max() does neither, nor does it take a BigInt.
 */
function extreme(name, column, isBetter) {
  if (column.length === 0) throw new PythonError("ValueError", `${name}() of no rewards`);
  let best = column[0];
  for (const number of column) {
    if (isBetter(number, best)) best = number;
  }
  return best;
}
