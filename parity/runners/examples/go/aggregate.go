package main

import (
	"math/big"
	"sort"
)

// metrics has the functions that make one number of a column: the numbers of one reward key, in trial order.
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

// aggregate is one of the metrics over the rewards of all trials: each a *dict, or nil for a trial without a verifier
// result. The answer has the metric's name for its only key as long as no more than one reward key occurs over all
// trials. With several it has those, sorted.
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

// column has the int 0 for what a trial lacks, also where all others have floats.
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

// extreme keeps the first of equal numbers, with its type and sign, and a nan only where it comes first.
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
