// `read_reward`: a folder, as the verifier left it at /logs/verifier, to the rewards that its files hold.

import { readFileSync, statSync } from "node:fs";

import { laxNumber } from "./lax-number.mjs";
import { PythonError, withPythonErrors } from "./python-error.mjs";
import { pythonFloat } from "./python-float.mjs";
import { readJson } from "./python-json.mjs";

// Strict, so that bytes which are not UTF-8 are an error. A byte order mark is a character like any other
// here, and ends in a parse error; "ignoreBOM" means: do not treat it specially.
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// How stat() says that nothing is there; ENOTDIR where a file stands in the folder's place.
const ABSENT = new Set(["ENOENT", "ENOTDIR", "ELOOP", "EBADF"]);

/** The rewards: a Map from reward key to BigInt or Number, or null where reward.json says null. */
export function readReward(directory, interpreter) {
  // Not path.join(): it would resolve "a/.." before links are followed.
  const [inJson, inText] = [`${directory}/reward.json`, `${directory}/reward.txt`];
  // reward.json counts as soon as it exists, however broken it is; reward.txt is not looked at then.
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

/** The stats of what a path leads to, or null where Python's Path.exists() says that nothing is there. */
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

/** What `parse` makes of a file's text. That it is no JSON, no number or no UTF-8 is the same fault. */
function parsed(path, stats, parse) {
  // The size decides, before anything is opened: opening a FIFO, of size 0, would wait for a writer forever.
  if (stats.size === 0) throw new PythonError("RewardFileEmptyError", `${path} is empty`);
  const bytes = withPythonErrors(() => readFileSync(path));
  try {
    return parse(decoded(bytes));
  } catch (error) {
    if (error.kind !== "ValueError") throw error; // RecursionError stays what it is
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

/** Harbor's validation of reward.json: null, or an object of which every value is, or reads as, a number. */
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
