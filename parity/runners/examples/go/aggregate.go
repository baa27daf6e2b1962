package main

import (
	"math/big"
	"sort"
)

// metrics has the functions that compute one number from a column: the numbers of one reward key, in trial order.
var metrics = map[string]func(column []any) (any, error){
	"mean": func(column []any) (any, error) {
		total, err := sum(column)
		if err != nil {
			return nil, err
		}
		return divide(total, len(column))
	},
	"max": func(column []any) (any, error) {
		return extreme("max", column, func(number, best any) bool { return less(best, number) })
	},
	"min": func(column []any) (any, error) { return extreme("min", column, less) },
	"sum": sum,
}

// aggregate returns a metric over the rewards of all trials: each a *dict, or nil for a trial without a verifier
// result. If at most one reward key occurs over all trials, the only key of the answer is the metric's name. If several
// occur, the answer has those keys, sorted.
func aggregate(metric string, rewards []any) (any, error) {
	known := newDict()
	for _, reward := range rewards {
		if reward, given := reward.(*dict); given {
			for _, key := range reward.keys {
				known.set(key, true)
			}
		}
	}
	combined := newDict()
	if len(known.keys) < 2 {
		key := append(known.keys, "")[0]
		number, err := metrics[metric](column(rewards, key))
		combined.set(metric, number)
		return combined, err
	}
	sort.Strings(known.keys)
	for _, key := range known.keys {
		number, err := metrics[metric](column(rewards, key))
		if err != nil {
			return nil, err
		}
		combined.set(key, number)
	}
	return combined, nil
}

// column returns the numbers of a key. A missing one is the int 0, even if all others are floats.
func column(rewards []any, key string) []any {
	numbers := make([]any, len(rewards))
	for at, reward := range rewards {
		numbers[at] = new(big.Int)
		if reward, given := reward.(*dict); given && reward.get(key) != nil {
			numbers[at] = reward.get(key)
		}
	}
	return numbers
}

// extreme returns the first of equal numbers, with its type and sign, and a nan only if it comes first.
func extreme(name string, column []any, isBetter func(number, best any) bool) (any, error) {
	if len(column) == 0 {
		return nil, &pythonError{"ValueError", name + "() of no rewards"}
	}
	best := column[0]
	for _, number := range column {
		if isBetter(number, best) {
			best = number
		}
	}
	return best, nil
}
