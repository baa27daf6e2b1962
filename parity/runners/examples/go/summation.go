package main

import (
	"math"
	"math/big"
)

// sum is Python's sum(), to the last bit. It is no plain loop: since Python 3.12 it collects the rounding errors of the
// additions of floats (Neumaier's variant of Kahan's summation), and adds them at the end. It starts from the int 0, so
// the sum of no numbers is an int.
func sum(numbers []any) (any, error) {
	var total any = new(big.Int)
	for at, number := range numbers {
		after, err := add(total, number)
		if err != nil {
			return nil, err
		}
		if start, isFloat := after.(float64); isFloat {
			return sumFromFloat(start, numbers[at+1:])
		}
		// A float starts compensation only if all before it are ints that fit a C long, and so does their sum.
		if !fitsLong(number) || !fitsLong(after) {
			return sumPlainly(after, numbers[at+1:])
		}
		total = after
	}
	return total, nil
}

// sumFromFloat goes on from a float, compensated, for as long as the interpreter keeps compensating.
func sumFromFloat(total float64, numbers []any) (any, error) {
	lost := 0.0
	for at, number := range numbers {
		value, err := toFloat(number)
		if err != nil {
			return nil, err
		}
		_, isFloat := number.(float64)
		switch {
		case isFloat || compensatesInts:
			after := total + value
			// The rounding error is exact if the larger of the two is subtracted first.
			if math.Abs(total) >= math.Abs(value) {
				lost += total - after + value
			} else {
				lost += value - after + total
			}
			total = after
		case fitsLong(number):
			total += value
		default:
			return sumPlainly(settle(total, lost)+value, numbers[at+1:])
		}
	}
	return settle(total, lost), nil
}

// sumPlainly goes on with ordinary additions.
func sumPlainly(total any, numbers []any) (any, error) {
	var err error
	for _, number := range numbers {
		if total, err = add(total, number); err != nil {
			return nil, err
		}
	}
	return total, nil
}

// settle adds the rounding errors if they are finite; they are nan after infinities and nans.
func settle(total, lost float64) float64 {
	if lost != 0 && !math.IsInf(lost, 0) && !math.IsNaN(lost) {
		return total + lost
	}
	return total
}

func fitsLong(number any) bool {
	whole, isInt := number.(*big.Int)
	return isInt && whole.IsInt64()
}
