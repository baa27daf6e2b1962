package main

import (
	"math"
	"math/big"
)

// Numbers as Python has them: *big.Int for an int of any size, float64 for a float.

// toFloat is float(number).
func toFloat(number any) (float64, error) {
	whole, isInt := number.(*big.Int)
	if !isInt {
		return number.(float64), nil
	}
	nearest, _ := new(big.Float).SetInt(whole).Float64() // rounds once, ties to even
	if math.IsInf(nearest, 0) {
		return 0, &pythonError{"OverflowError", "int too large to convert to float"}
	}
	return nearest, nil
}

// add is left + right: exact between ints; an int that meets a float is rounded first.
func add(left, right any) (any, error) {
	ours, isInt := left.(*big.Int)
	theirs, isIntToo := right.(*big.Int)
	if isInt && isIntToo {
		return new(big.Int).Add(ours, theirs), nil
	}
	first, err := toFloat(left)
	if err != nil {
		return nil, err
	}
	second, err := toFloat(right)
	return first + second, err
}

// divide is total / count, always a float. The quotient of two ints is rounded once.
func divide(total any, count int) (float64, error) {
	if count == 0 {
		return 0, &pythonError{"ZeroDivisionError", "division by zero"}
	}
	whole, isInt := total.(*big.Int)
	if !isInt {
		return total.(float64) / float64(count), nil
	}
	quotient, _ := new(big.Rat).SetFrac(whole, big.NewInt(int64(count))).Float64()
	if math.IsInf(quotient, 0) {
		return 0, &pythonError{"OverflowError", "integer division result too large for a float"}
	}
	return quotient, nil
}

// less is left < right, by value: an int is not rounded to be compared with a float.
func less(left, right any) bool {
	ours, theirs := exact(left), exact(right)
	return ours != nil && theirs != nil && ours.Cmp(theirs) < 0
}

// exact returns the exact value of a number; nil for a nan, which is neither less nor more than any number.
func exact(number any) *big.Float {
	if whole, isInt := number.(*big.Int); isInt {
		return new(big.Float).SetInt(whole)
	}
	if math.IsNaN(number.(float64)) {
		return nil
	}
	return big.NewFloat(number.(float64))
}
