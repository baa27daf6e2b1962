// A bridge to noodlemind/prompt-library, which is JavaScript: `collectVerifierEvidence()` for a trial's directory. The
// environment variable PROMPT_LIBRARY is the path of a checkout. The bridge needs Node 18 or later, and no packages:
//
//   PROMPT_LIBRARY=… pytest parity/ --runner-cmd "node parity/runners/bridges/prompt_library.mjs"
//
// A reward is one number, a double; the answer is {"reward": number}, or null if there is none. An exception is a fault
// with the name of Node's error code.

import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";

import { decode, encode } from "../examples/javascript/wire.mjs";

const MODULE = "evals/external/terminal-bench/verifier.mjs";

if (!process.env.PROMPT_LIBRARY) throw new Error("PROMPT_LIBRARY is not set; set it to a checkout of prompt-library");
const { collectVerifierEvidence } = await import(path.resolve(process.env.PROMPT_LIBRARY, MODULE));

const HELLO = new Map([
  ["name", "prompt-library"],
  ["language", "javascript"],
  ["operations", ["read_reward"]],
  ["pipelining", true],
]);

/** Returns the member that answers a question about a verifier's folder; its parent is the trial's folder. */
function answer(directory) {
  try {
    const { reward } = collectVerifierEvidence(path.dirname(directory));
    return ["value", reward === null ? null : new Map([["reward", reward]])];
  } catch (error) {
    return ["fault", new Map([["kind", error.code ?? error.name], ["message", error.message]])];
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = decode(line);
  const members = message.has("hello")
    ? [["hello", HELLO]]
    : [["id", message.get("id")], answer(message.get("input").get("directory"))];
  process.stdout.write(`${encode(new Map(members))}\n`);
}
