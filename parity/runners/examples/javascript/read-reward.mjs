// `read_reward`: reads the rewards in a directory that has the role of the verifier's /logs/verifier.

import { readFileSync, statSync } from "node:fs";

import { laxNumber } from "./lax-number.mjs";
import { PythonError, withPythonErrors } from "./python-error.mjs";
import { pythonFloat } from "./python-float.mjs";
import { readJson } from "./python-json.mjs";

// Strict, so that bytes which are not UTF-8 are an error. A byte order mark is a character like any other
// here, and ends in a parse error; "ignoreBOM" means: do not treat it specially.
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// The error codes of stat() for a missing file; ENOTDIR means that there is a file at the path of the directory.
const ABSENT = new Set(["ENOENT", "ENOTDIR", "ELOOP", "EBADF"]);

/** Returns the rewards: a Map from reward key to BigInt or Number, or null if reward.json is null. */
export function readReward(directory, interpreter) {
  // Not path.join(): it would resolve "a/.." before links are followed.
  const [inJson, inText] = [`${directory}/reward.json`, `${directory}/reward.txt`];
  // If reward.json exists, it is used, even if it is malformed, and reward.txt is ignored.
  const json = statsOf(inJson, interpreter);
  if (json !== null) {
    return validRewards(parsed(inJson, json, (text) => readJson(text, interpreter.deepestJson)));
  }
  const text = statsOf(inText, interpreter);
  if (text !== null) {
    return new Map([["reward", parsed(inText, text, (content) => pythonFloat(content, interpreter))]]);
  }
  throw new PythonError("RewardFileNotFoundError", `neither ${inJson} nor ${inText} exists`);
}

/** Returns the stats of a path, links followed, or null if Python's Path.exists() is false. */
function statsOf(path, interpreter) {
  return withPythonErrors(() => {
    try {
      return statSync(path);
    } catch (error) {
      if (ABSENT.has(error.code) || !interpreter.existsRaises) return null;
      throw error;
    }
  });
}

/** Returns the result of `parse` for a file's text. Invalid JSON, numbers and UTF-8 are the same fault. */
function parsed(path, stats, parse) {
  // The size is checked before the file is opened: opening a FIFO, whose size is 0, would wait for a writer forever.
  if (stats.size === 0) throw new PythonError("RewardFileEmptyError", `${path} is empty`);
  const bytes = withPythonErrors(() => readFileSync(path));
  try {
    return parse(decoded(bytes));
  } catch (error) {
    if (error.kind !== "ValueError") throw error; // a RecursionError is not a parse error
    throw new PythonError("VerifierOutputParseError", `${path}: ${error.message}`);
  }
}

function decoded(bytes) {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new PythonError("ValueError", "not UTF-8"); // a UnicodeDecodeError is a ValueError
  }
}

/** Validates reward.json as Harbor does: it is null, or an object of numbers or of strings that read as numbers. */
function validRewards(document) {
  if (document === null) return null;
  if (!(document instanceof Map)) throw new PythonError("ValidationError", "rewards must be an object");
  const rewards = new Map();
  for (const [key, value] of document) rewards.set(key, validReward(key, value));
  return rewards;
}

function validReward(key, value) {
  switch (typeof value) {
    case "bigint":
    case "number":
      return value;
    case "boolean":
      return value ? 1 : 0; // a float, so a Number
    case "string": {
      const number = laxNumber(value);
      if (number !== null) return number;
    }
  }
  throw new PythonError("ValidationError", `reward ${JSON.stringify(key)} must be a number`);
}
