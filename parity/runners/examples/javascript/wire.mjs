// Turns lines of the conversation into values and back. Numbers are sent as {"f64": "3ff0000000000000"}, the bits of
// a double, and as {"int": "1"}, so that no JSON library can confuse or round them.

import { readJson } from "./python-json.mjs";

const DEEPEST = 100; // messages are flat
const DOUBLE = new DataView(new ArrayBuffer(8));

/** Decodes a line into Maps, which keep the order of keys, arrays, strings, booleans, null, BigInt and Number. */
export function decode(line) {
  return decoded(readJson(line, DEEPEST));
}

/** The inverse of `decode`. A Map may have keys that are Numbers, such as the k of pass@k. */
export function encode(value) {
  switch (typeof value) {
    case "number":
      return `{"f64":"${bitsOf(value)}"}`;
    case "bigint":
      return `{"int":"${value}"}`;
    case "object":
      if (value instanceof Map) return `{${Array.from(value, encodeMember).join(",")}}`;
      if (Array.isArray(value)) return `[${value.map(encode).join(",")}]`;
  }
  return JSON.stringify(value); // a string, a boolean or null; lone surrogates are escaped
}

function decoded(value) {
  if (Array.isArray(value)) return value.map(decoded);
  if (!(value instanceof Map)) return value;
  if (value.size === 1) {
    const [[kind, digits]] = value;
    // A reward key may be "f64", too: the object is a number only if the value is a string.
    if (kind === "f64" && typeof digits === "string") return doubleOf(digits);
    if (kind === "int" && typeof digits === "string") return BigInt(digits);
  }
  // Setting the value of a key that exists does not change the order of the keys.
  for (const [key, item] of value) value.set(key, decoded(item));
  return value;
}

function encodeMember([key, value]) {
  return `${JSON.stringify(String(key))}:${encode(value)}`;
}

function doubleOf(digits) {
  DOUBLE.setUint32(0, Number.parseInt(digits.slice(0, 8), 16));
  DOUBLE.setUint32(4, Number.parseInt(digits.slice(8), 16));
  return DOUBLE.getFloat64(0);
}

function bitsOf(double) {
  DOUBLE.setFloat64(0, double);
  const halves = [DOUBLE.getUint32(0), DOUBLE.getUint32(4)];
  return halves.map((half) => half.toString(16).padStart(8, "0")).join("");
}
