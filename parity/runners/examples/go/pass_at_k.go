package main

import (
	"sort"
	"strconv"
	"strings"
)

// passAtK returns pass@k for each group of a job's trials that has one: the chance that one of k attempts succeeds. The
// order of trials counts, because the order of tasks decides the last bits of the mean.
func passAtK(trials []any) (any, error) {
	groups, answer := newDict(), newDict()
	for _, trial := range trials {
		trial := trial.(*dict)
		group, _ := groups.get(evalsKey(trial)).([]any)
		groups.set(evalsKey(trial), append(group, trial))
	}
	for _, key := range groups.keys {
		estimates, err := estimatesOf(groups.get(key).([]any))
		if err != nil {
			return nil, err
		}
		if len(estimates.keys) > 0 {
			answer.set(key, estimates)
		}
	}
	return answer, nil
}

// evalsKey returns the name of a trial's group in result.json. An empty model or source counts as absent.
func evalsKey(trial *dict) string {
	parts := []string{trial.get("agent").(string)}
	if model, _ := trial.get("model").(string); model != "" {
		parts = append(parts, model)
	}
	source, _ := trial.get("source").(string)
	if source == "" {
		source = "adhoc"
	}
	return strings.Join(append(parts, source), "__")
}

// estimatesOf returns no estimates if the rewards of any trial are not binary.
func estimatesOf(trials []any) (*dict, error) {
	tasks, estimates := newDict(), newDict() // a task's name to the outcomes of its attempts
	for _, trial := range trials {
		trial := trial.(*dict)
		succeeded, isBinary := outcomeOf(trial.get("rewards"))
		if !isBinary {
			return estimates, nil
		}
		name := trial.get("task").(string)
		attempts, _ := tasks.get(name).([]bool)
		tasks.set(name, append(attempts, succeeded))
	}
	fewest := len(trials)
	for _, name := range tasks.keys {
		if attempts := len(tasks.get(name).([]bool)); attempts < fewest {
			fewest = attempts
		}
	}
	for _, k := range eligible(fewest) {
		column := []any{}
		for _, name := range tasks.keys {
			column = append(column, estimate(tasks.get(name).([]bool), k))
		}
		mean, err := metrics["mean"](column)
		if err != nil {
			return nil, err
		}
		estimates.set(strconv.Itoa(k), mean)
	}
	return estimates, nil
}

// outcomeOf returns whether a trial succeeded, and whether its rewards are a single 0 or 1, under any key.
func outcomeOf(rewards any) (succeeded, isBinary bool) {
	given, _ := rewards.(*dict)
	if given == nil {
		return false, true
	}
	if len(given.keys) != 1 {
		return false, false
	}
	number := exact(given.get(given.keys[0]))
	if number == nil {
		return false, false
	}
	return number.Cmp(exact(1.0)) == 0, number.Sign() == 0 || number.Cmp(exact(1.0)) == 0
}

// eligible returns the k: powers of two and multiples of five, without 1, up to the fewest attempts of a task, ascending.
func eligible(fewest int) []int {
	ks := []int{}
	for k := 2; k <= fewest; k *= 2 {
		ks = append(ks, k)
	}
	for k := 5; k <= fewest; k += 5 {
		ks = append(ks, k)
	}
	sort.Ints(ks)
	return ks
}

// estimate returns 1 minus the chance that k drawn attempts have all failed, as a product from the left.
func estimate(attempts []bool, k int) float64 {
	failed := 0
	for _, succeeded := range attempts {
		if !succeeded {
			failed++
		}
	}
	if failed < k {
		return 1
	}
	allFail := 1.0
	for drawn := 0; drawn < k; drawn++ {
		// Without the conversion, Go may fuse this with the subtraction below, which skips a rounding on some processors.
		allFail = float64(allFail * (float64(failed-drawn) / float64(len(attempts)-drawn)))
	}
	return 1 - allFail
}
