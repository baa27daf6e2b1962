// `pass_at_k`: computes the probability that one of k attempts succeeds, for each group of trials in a job.

import { divide } from "./python-numbers.mjs";
import { pythonSum } from "./summation.mjs";

/**
 * Returns a Map from evals key to a Map from k to the estimate, for every group that has one.
 *
 * Trials are Maps from the wire, with agent, model, source, task and rewards. Their order matters, because the last
 * bits of the mean depend on the order of the tasks.
 */
export function passAtK(trials, interpreter) {
  const groups = new Map();
  for (const trial of trials) listIn(groups, evalsKey(trial)).push(trial);
  const answer = new Map();
  for (const [key, members] of groups) {
    const estimates = estimatesOf(members, interpreter);
    if (estimates.size > 0) answer.set(key, estimates);
  }
  return answer;
}

/** The name of a trial's group in result.json. An empty model or source counts as absent: `||`, not `??`. */
function evalsKey(trial) {
  const model = trial.get("model") ? [trial.get("model")] : [];
  return [trial.get("agent"), ...model, trial.get("source") || "adhoc"].join("__");
}

/** Returns the estimates of a group; an empty Map if the rewards of any trial are not binary. */
function estimatesOf(members, interpreter) {
  const outcomes = new Map(); // task to the outcomes of its attempts
  for (const trial of members) {
    const succeeded = outcomeOf(trial.get("rewards"));
    if (succeeded === null) return new Map();
    listIn(outcomes, trial.get("task")).push(succeeded);
  }
  const tasks = [...outcomes.values()];
  const fewest = Math.min(...tasks.map((attempts) => attempts.length));
  return new Map(eligible(fewest).map((k) => [k, meanOverTasks(tasks, k, interpreter)]));
}

/** Returns whether the trial succeeded; null if its rewards are not a single 0 or 1, under any key. */
function outcomeOf(rewards) {
  if (rewards === null) return false;
  const [reward] = rewards.values();
  // == is intended: it compares a BigInt or a Number with 1 by value, as Python's == does.
  if (rewards.size !== 1 || !(reward == 0 || reward == 1)) return null;
  return reward == 1;
}

/** Powers of two and multiples of five that every task has enough attempts for, ascending; never 1. */
function eligible(fewest) {
  const ks = new Set();
  for (let k = 2; k <= fewest; k *= 2) ks.add(k);
  for (let k = 5; k <= fewest; k += 5) ks.add(k);
  return [...ks].sort((left, right) => left - right); // sort() alone would compare them as strings
}

function meanOverTasks(tasks, k, interpreter) {
  const estimates = tasks.map((attempts) => estimate(attempts, k));
  return divide(pythonSum(estimates, interpreter), estimates.length);
}

/** 1 minus the chance that k attempts drawn from all of them have failed, multiplied up from the left. */
function estimate(attempts, k) {
  const tried = attempts.length;
  const failed = attempts.filter((succeeded) => !succeeded).length;
  if (failed < k) return 1;
  let allFail = 1;
  for (let drawn = 0; drawn < k; drawn++) allFail *= (failed - drawn) / (tried - drawn);
  return 1 - allFail;
}

function listIn(lists, key) {
  let list = lists.get(key);
  if (list === undefined) lists.set(key, (list = []));
  return list;
}
