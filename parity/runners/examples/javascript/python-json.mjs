// Python's `json.loads`. JSON.parse() cannot be used: it makes 1 and 1.0 the same, rounds large ints, refuses NaN
// and Infinity, and puts keys that look like integers before all others.
//
// An object becomes a Map, an int a BigInt, a float a Number. It is read without recursion, because Python
// 3.14 accepts deeper nesting than JavaScript's stack allows.

import { PythonError } from "./python-error.mjs";

/** Python refuses to convert longer ints, by default. */
export const MOST_DIGITS = 4300;

const LITERALS = [
  ["null", null],
  ["true", true],
  ["false", false],
  ["NaN", NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
];
const ESCAPES = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

// Sticky patterns match at `lastIndex` only, and leave it at the end of the match.
const BLANKS = /[ \t\n\r]*/y; // and nothing else: no other white space of Unicode, no comments
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?/iy;
const PLAIN_TEXT = /[^"\\\0-\x1f]*/y; // a control character must be escaped
const HEX = /[0-9a-f]{4}/iy;

/**
 * Returns `json.loads(text)`, for arrays and objects nested at most `deepest` levels deep.
 *
 * Raises PythonError "ValueError" if the text is not JSON, and "RecursionError" if it is nested too deeply; the
 * fault that comes first in the text decides.
 */
export function readJson(text, deepest) {
  return new Reader(text, deepest).document();
}

class OpenArray {
  end = "]";
  value = [];

  add(item) {
    this.value.push(item);
  }
}

class OpenObject {
  end = "}";
  value = new Map();
  key = "";

  /** Of a key that comes twice, the last value counts at the place of the first: just what a Map does. */
  add(item) {
    this.value.set(this.key, item);
  }
}

class Reader {
  constructor(text, deepest) {
    this.text = text;
    this.deepest = deepest;
    this.at = 0;
    this.open = []; // the arrays and objects around this place, the outermost first
  }

  document() {
    for (;;) {
      this.skipBlanks();
      const container = this.container();
      if (container !== null && !this.take(container.end)) {
        this.open.push(container);
        this.readKey(container);
        continue; // with its first value
      }
      let value = container === null ? this.scalar() : container.value;
      // Add the value to the innermost open array or object, which ends if its closing bracket follows.
      while (this.open.length > 0 && !this.goesOnAfter(value)) value = this.open.pop().value;
      if (this.open.length === 0) return this.whole(value);
    }
  }

  /** The array or object that begins here, or null. */
  container() {
    const bracket = this.text[this.at];
    if (bracket !== "{" && bracket !== "[") return null;
    if (this.open.length === this.deepest) throw new PythonError("RecursionError", "nested too deeply");
    this.at++;
    return bracket === "{" ? new OpenObject() : new OpenArray();
  }

  /** Puts a value into the innermost array or object; says whether another one follows. */
  goesOnAfter(value) {
    const container = this.open.at(-1);
    container.add(value);
    if (this.take(container.end)) return false;
    this.expect(",");
    this.readKey(container);
    return true;
  }

  readKey(container) {
    if (container instanceof OpenArray) return;
    this.expect('"');
    container.key = this.string();
    this.expect(":");
  }

  scalar() {
    if (this.text[this.at] === '"') {
      this.at++;
      return this.string();
    }
    NUMBER.lastIndex = this.at;
    const number = NUMBER.exec(this.text);
    if (number === null) return this.literal();
    this.at = NUMBER.lastIndex;
    const [digits, fraction, exponent] = number;
    // A number with a fraction or an exponent is a float, even if its value is whole; "-0" is the int 0.
    if (fraction !== undefined || exponent !== undefined) return Number(digits);
    if (digits.length - (digits.startsWith("-") ? 1 : 0) > MOST_DIGITS) this.fail("too many digits");
    return BigInt(digits);
  }

  literal() {
    const found = LITERALS.find(([word]) => this.text.startsWith(word, this.at));
    if (found === undefined) this.fail("expected a value");
    const [word, value] = found;
    this.at += word.length;
    return value;
  }

  /** The rest of a string whose opening quote has been read. Half an escaped surrogate pair is kept. */
  string() {
    let string = "";
    for (;;) {
      PLAIN_TEXT.lastIndex = this.at;
      PLAIN_TEXT.test(this.text);
      string += this.text.slice(this.at, PLAIN_TEXT.lastIndex);
      this.at = PLAIN_TEXT.lastIndex + 1;
      const next = this.text[PLAIN_TEXT.lastIndex];
      if (next === '"') return string;
      if (next !== "\\") this.fail("unfinished string or control character");
      string += this.escaped();
    }
  }

  /** The character of an escape whose backslash has been read. */
  escaped() {
    const letter = this.text[this.at++];
    if (letter !== "u") return ESCAPES.get(letter) ?? this.fail("unknown escape");
    HEX.lastIndex = this.at;
    if (!HEX.test(this.text)) this.fail("expected four hex digits");
    this.at += 4;
    return String.fromCharCode(Number.parseInt(this.text.slice(this.at - 4, this.at), 16));
  }

  whole(value) {
    this.skipBlanks();
    return this.at === this.text.length ? value : this.fail("text after the value");
  }

  skipBlanks() {
    if (this.text[this.at] > " ") return; // the most frequent case, and cheap to tell
    BLANKS.lastIndex = this.at;
    BLANKS.test(this.text);
    this.at = BLANKS.lastIndex;
  }

  take(character) {
    this.skipBlanks();
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  expect(character) {
    if (!this.take(character)) this.fail(`expected ${character}`);
  }

  fail(why) {
    throw new PythonError("ValueError", `${why} at character ${this.at}`);
  }
}
