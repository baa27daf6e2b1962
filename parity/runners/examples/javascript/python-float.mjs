// Python's `float(text)`, which reads reward.txt. Number(text) would accept "" and "0x10", and refuse
// "1_000", "inf", and digits that are not ASCII. But it rounds plain decimals as Python does.

import { PythonError } from "./python-error.mjs";

// The code point of each digit zero of Unicode 15; nine more digits follow each. \p{Nd} cannot be used: it has
// the Unicode version of Node, not that of Python.
const ZEROS = [
  0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6,
  0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0,
  0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30,
  0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0,
  0x11950, 0x11c50, 0x11d50, 0x11da0, 0x11f50, 0x16a60, 0x16ac0, 0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2,
  0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e4f0, 0x1e950, 0x1fbf0,
];
// The zeros that Unicode 16 added.
const NEW_ZEROS = [0x10d40, 0x116d0, 0x116da, 0x11bf0, 0x16130, 0x16d70, 0x1ccf0, 0x1e5f1];

const OLD_DIGITS = digitsFrom(ZEROS);
const ALL_DIGITS = digitsFrom([...ZEROS, ...NEW_ZEROS]);

// White space beyond ASCII, as str.isspace() has it. JavaScript's \s lacks U+0085 and has U+FEFF.
const SPACES = /[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

// The white space of ASCII around a number; inside there may be none. U+001C to U+001F belong to it for
// str.strip(), but not for float().
const PADDED = /^[ \t-\r]*([^ \t-\r]*)[ \t-\r]*$/;

const MISPLACED_UNDERSCORE = /(?<![0-9])_|_(?![0-9])/;

// No two parts can match the same digits, so that a long text that is no number is refused at once.
const FLOAT = /^[+-]?(?:inf(?:inity)?|nan|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?)$/i;

/** `float(text)`; a PythonError "ValueError" where the text is not a number. */
export function pythonFloat(text, interpreter) {
  const match = PADDED.exec(inAscii(text, interpreter));
  if (match === null || MISPLACED_UNDERSCORE.test(match[1])) return fail(text);
  return plainFloat(match[1].replaceAll("_", "")) ?? fail(text);
}

/** The float of an ASCII text without padding or underscores, or null where it is none. */
export function plainFloat(text) {
  if (!FLOAT.test(text)) return null;
  if (/nan/i.test(text)) return NaN;
  if (/inf/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  return Number(text);
}

/** As Python does it: digits of all scripts become ASCII digits, and white space becomes blanks. */
function inAscii(text, interpreter) {
  if (/^[\0-\x7f]*$/.test(text)) return text;
  const digits = interpreter.knowsNewDigits ? ALL_DIGITS : OLD_DIGITS;
  let ascii = "";
  for (const character of text) {
    if (character <= "\x7f") ascii += character;
    else if (digits.has(character)) ascii += digits.get(character);
    else if (SPACES.test(character)) ascii += " ";
    else fail(text);
  }
  return ascii;
}

function digitsFrom(zeros) {
  const digits = new Map();
  for (const zero of zeros) {
    for (let digit = 0; digit < 10; digit++) digits.set(String.fromCodePoint(zero + digit), digit);
  }
  return digits;
}

function fail(text) {
  throw new PythonError("ValueError", `not a float: ${JSON.stringify(text.slice(0, 60))}`);
}
