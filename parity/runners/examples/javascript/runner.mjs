// A runner for the kit's pipe, in JavaScript, for read_reward, aggregate and pass_at_k. It needs Node 18 or
// later, and no packages. In the kit's checkout, judge it:
//
//   pytest parity/ --runner-cmd "node parity/runners/examples/javascript/runner.mjs"
//
// This module is the conversation. The modules beside it handle the differences between JavaScript and Python:
// numbers in python-numbers.mjs and summation.mjs, text as numbers in python-float.mjs and lax-number.mjs, JSON in
// python-json.mjs, the order of keys in code-points.mjs, and differences between Python's releases in
// interpreters.mjs.

import { aggregate, METRICS } from "./aggregate.mjs";
import { INTERPRETERS } from "./interpreters.mjs";
import { passAtK } from "./pass-at-k.mjs";
import { PythonError } from "./python-error.mjs";
import { readReward } from "./read-reward.mjs";
import { decode, encode } from "./wire.mjs";

const OPERATIONS = new Map([
  ["read_reward", (input, interpreter) => readReward(input.get("directory"), interpreter)],
  ["aggregate", (input, interpreter) => aggregate(input.get("metric"), input.get("rewards"), interpreter)],
  ["pass_at_k", (input, interpreter) => passAtK(input.get("trials"), interpreter)],
]);

let interpreter; // the entry in INTERPRETERS for the series in the kit's hello

function greet(hello) {
  if (hello.get("protocol") !== 1n) throw new Error("this program speaks protocol 1 alone");
  const series = hello.get("interpreter");
  interpreter = INTERPRETERS.get(series);
  if (interpreter === undefined) throw new Error(`the arithmetic of Python ${series} is not known`);
  return new Map([
    ["name", "javascript-example"],
    ["language", "javascript"],
    ["operations", [...OPERATIONS.keys()]],
    ["pipelining", true], // questions may come before others are answered; see the end of this module
  ]);
}

/** Returns the member that answers a question: a value, a fault, or unsupported. */
function answer(question) {
  const operation = question.get("operation");
  const input = question.get("input");
  if (!OPERATIONS.has(operation)) return ["unsupported", `no ${operation} yet`];
  if (operation === "aggregate" && !METRICS.has(input.get("metric"))) {
    return ["unsupported", `no ${input.get("metric")} yet`];
  }
  try {
    return ["value", OPERATIONS.get(operation)(input, interpreter)];
  } catch (error) {
    // Any other error is a mistake in this program, and ends it, so that a crash is not taken for a fault.
    if (!(error instanceof PythonError)) throw error;
    return ["fault", new Map([["kind", error.kind], ["message", error.message]])];
  }
}

/** Returns the line that answers a line. */
function reply(line) {
  const message = decode(line);
  const members = message.has("hello")
    ? [["hello", greet(message.get("hello"))]]
    : [["id", message.get("id")], answer(message)];
  return `${encode(new Map(members))}\n`;
}

// A line may be longer than the chunk that arrives, so its beginning is kept until the rest arrives. Joining strings
// is cheap, however many pieces there are. All lines in a chunk are answered with one write. When the input ends, there
// is nothing left to do, and Node exits.
let pending = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (piece) => {
  const [rest, ...following] = piece.split("\n");
  pending += rest;
  let replies = "";
  for (const beginning of following) {
    replies += reply(pending);
    pending = beginning;
  }
  if (replies) process.stdout.write(replies);
});
