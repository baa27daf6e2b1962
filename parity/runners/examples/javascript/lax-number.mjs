// Reads a string in reward.json as a number, as pydantic does: first as a float, then as an int. Each has its own
// grammar, which differs from Python's: only ASCII digits are accepted.

import { plainFloat } from "./python-float.mjs";
import { MOST_DIGITS } from "./python-json.mjs";

// Padding is Unicode's White_Space, since pydantic is written in Rust: without U+FEFF, which JavaScript's \s
// has, and without U+001C, which Python's strip() has. Inside a number there is none.
const SPACES = "\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const PADDED = new RegExp(`^[${SPACES}]*([^${SPACES}]*)[${SPACES}]*$`);

const INT = /^-?(?:0|[1-9]\d*)$/;

/** A float (Number), an int (BigInt), or null where pydantic refuses. So "1" is 1.0, and " 1_0" is 10. */
export function laxNumber(text) {
  const match = PADDED.exec(text);
  return match === null ? null : (laxFloat(text, match[1]) ?? laxInt(match[1]));
}

/** A float may have padding or underscores, but not both. */
function laxFloat(text, unpadded) {
  const joined = withoutUnderscores(text);
  return plainFloat(unpadded) ?? (joined === null ? null : plainFloat(joined));
}

/** One sign, leading zeros and underscores, `.000` at the end, single underscores inside. */
function laxInt(unpadded) {
  const sign = unpadded.startsWith("-") ? "-" : "";
  const digits = withoutLeadingZeros(/^[+-]/.test(unpadded) ? unpadded.slice(1) : unpadded);
  const joined = digits && withoutUnderscores(digits.replace(/\.0+$/, ""));
  // A minus sign is accepted after leading zeros: "0-1" is read as -1. But "-0-1" is refused.
  if (joined === null || !INT.test(sign + joined)) return null;
  return joined.replace("-", "").length > MOST_DIGITS ? null : BigInt(sign + joined);
}

/** Underscores among leading zeros count as zeros; null where the text does not begin with a digit. */
function withoutLeadingZeros(digits) {
  if (/^[1-9]/.test(digits)) return digits;
  const zeros = /^0[0_]*/.exec(digits);
  if (zeros === null) return null;
  const rest = digits.slice(zeros[0].length);
  // One zero must remain from "000" and "00.0". If an underscore remains instead, it is refused later.
  if (rest === "" || rest.startsWith(".")) return zeros[0].at(-1) + rest;
  return /^[1-9-]/.test(rest) ? rest : null;
}

/** Drops underscores that stand alone inside; null where one leads, trails or doubles. */
function withoutUnderscores(text) {
  if (text.startsWith("_") || text.endsWith("_") || text.includes("__")) return null;
  return text.replaceAll("_", "");
}
