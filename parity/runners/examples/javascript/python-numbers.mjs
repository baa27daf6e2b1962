// Arithmetic of Python's ints and floats. Everywhere in this program an int is a BigInt and a float is a Number, so
// that 1 and 1.0 have different types, and no int loses digits. Comparisons need no functions, because JavaScript
// compares a BigInt with a Number exactly, as Python does.

import { PythonError } from "./python-error.mjs";

const EXACT = 2n ** 53n; // up to here every int is a double
const WIDE = 2n ** 128n;

/** `float(number)`. */
export function toFloat(number) {
  if (typeof number === "number") return number;
  const nearest = Number(number); // rounds to nearest, ties to even, as Python does
  // Number() returns Infinity for an int beyond the largest double; Python raises OverflowError.
  if (!Number.isFinite(nearest)) throw new PythonError("OverflowError", "int too large to convert to float");
  return nearest;
}

/** `left + right`: exact between ints; an int that meets a float is rounded first. */
export function add(left, right) {
  if (typeof left === "bigint" && typeof right === "bigint") return left + right;
  return toFloat(left) + toFloat(right);
}

/** `total / count` for a count that is an integer, given as a Number: always a float. */
export function divide(total, count) {
  if (count === 0) throw new PythonError("ZeroDivisionError", "division by zero");
  return typeof total === "bigint" ? divideInt(total, count) : total / count;
}

/** The quotient of two ints, rounded once as in Python; to convert a large int first would round twice. */
function divideInt(total, count) {
  const magnitude = total < 0n ? -total : total;
  if (magnitude <= EXACT) return Number(total) / count;
  // Divide as ints, to far more bits than a double has. A remainder only has to be remembered: setting the
  // lowest bit keeps Number() from taking the quotient for a tie.
  const [shift, scale] = magnitude < WIDE ? [64n, 2 ** 64] : [0n, 1];
  const [dividend, divisor] = [magnitude << shift, BigInt(count)];
  const quotient = dividend / divisor;
  const rounded = Number(quotient * divisor === dividend ? quotient : quotient | 1n) / scale;
  if (rounded === Infinity) {
    throw new PythonError("OverflowError", "integer division result too large for a float");
  }
  return total < 0n ? -rounded : rounded;
}
