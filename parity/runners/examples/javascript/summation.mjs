// Python's `sum()`, to the last bit. It is no plain loop: since Python 3.12 it collects the rounding errors of the
// additions of floats (Neumaier's variant of Kahan's summation), and adds them at the end. For ten times 0.1, a
// plain loop gives 0.9999999999999999, and sum() gives 1.0.

import { add, toFloat } from "./python-numbers.mjs";

/** `sum(numbers)` as the given interpreter computes it. It starts from the int 0, so no numbers give 0n. */
export function pythonSum(numbers, interpreter) {
  let total = 0n;
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at];
    if (typeof number === "number") {
      return sumFromFloat(add(total, number), numbers, at + 1, interpreter);
    }
    // A float starts compensation only if all values before it are ints that fit into a C long, as their sum does.
    if (!fitsLong(number) || !fitsLong(total + number)) {
      return sumPlainly(total + number, numbers, at + 1);
    }
    total += number;
  }
  return total;
}

/** Goes on from a float, compensated, for as long as the interpreter keeps compensating. */
function sumFromFloat(start, numbers, from, interpreter) {
  let total = start;
  let lost = 0;
  for (let at = from; at < numbers.length; at++) {
    const number = numbers[at];
    if (typeof number === "number" || interpreter.compensatesInts) {
      const value = toFloat(number);
      const after = total + value;
      // The rounding error is exact if the larger of the two is subtracted first.
      lost += Math.abs(total) >= Math.abs(value) ? total - after + value : value - after + total;
      total = after;
    } else if (fitsLong(number)) {
      total += Number(number);
    } else {
      return sumPlainly(settle(total, lost) + toFloat(number), numbers, at + 1);
    }
  }
  return settle(total, lost);
}

/** Goes on with ordinary additions. */
function sumPlainly(start, numbers, from) {
  let total = start;
  for (let at = from; at < numbers.length; at++) total = add(total, numbers[at]);
  return total;
}

/** Adds the rounding errors if they are finite; they are nan after infinities and nans. */
function settle(total, lost) {
  return lost !== 0 && Number.isFinite(lost) ? total + lost : total;
}

function fitsLong(int) {
  return BigInt.asIntN(64, int) === int;
}
