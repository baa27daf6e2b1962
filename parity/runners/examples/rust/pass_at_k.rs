//! `pass_at_k`: the chance that at least one of k attempts at a task succeeds, by group of trials.
//!
//! A group is an agent, a model and a dataset. A trial whose rewards are not a single 0 or 1
//! disables its group.

use crate::big_int::BigInt;
use crate::dict::Dict;
use crate::fault::Fault;
use crate::number::{Number, Rewards};
use crate::series::Series;
use crate::summation::sum;
use crate::text::Text;
use std::collections::BTreeSet;

/// The parts of a trial that pass@k reads.
pub struct Trial {
    pub agent: Text,
    pub model: Option<Text>,
    pub source: Option<Text>,
    pub task: Text,
    pub rewards: Option<Rewards>,
}

/// Estimates by k, ascending.
pub type Estimates = Vec<(usize, f64)>;

/// Estimates by evals key, for every group that has any.
pub fn pass_at_k(trials: &[Trial], series: Series) -> Result<Dict<Estimates>, Fault> {
    let mut groups: Dict<Vec<&Trial>> = Dict::new();
    for trial in trials {
        groups
            .or_insert_with(&evals_key(trial), Vec::new)
            .push(trial);
    }
    let mut answer = Dict::new();
    for (key, members) in groups {
        let estimates = estimates(&members, series)?;
        if !estimates.is_empty() {
            answer.insert(key, estimates);
        }
    }
    Ok(answer)
}

/// The group's name in result.json. An empty model or source counts as absent; different names may
/// collide.
fn evals_key(trial: &Trial) -> Text {
    let given = |name: &Option<Text>| name.clone().filter(|name| !name.is_empty());
    let source = given(&trial.source).unwrap_or_else(|| "adhoc".into());
    let mut key = trial.agent.clone();
    for part in given(&trial.model).iter().chain([&source]) {
        key.push_str("__");
        key.push_text(part);
    }
    key
}

/// The number of attempts at a task, and of those that succeeded.
#[derive(Default)]
struct Attempts {
    tried: usize,
    passed: usize,
}

fn estimates(trials: &[&Trial], series: Series) -> Result<Estimates, Fault> {
    // The order of the tasks decides the last bits of the mean over them.
    let mut tasks: Dict<Attempts> = Dict::new();
    for trial in trials {
        let Some(success) = success(trial.rewards.as_ref()) else {
            return Ok(Vec::new());
        };
        let attempts = tasks.or_insert_with(&trial.task, Attempts::default);
        attempts.tried += 1;
        attempts.passed += usize::from(success);
    }
    let fewest = tasks
        .iter()
        .map(|(_, attempts)| attempts.tried)
        .min()
        .unwrap_or(0);
    let mean = |k| -> Result<(usize, f64), Fault> {
        let estimates: Vec<Number> = tasks
            .iter()
            .map(|(_, task)| Number::Float(estimate(task, k)))
            .collect();
        Ok((k, sum(&estimates, series)?.divided_by(estimates.len())?))
    };
    eligible(fewest).into_iter().map(mean).collect()
}

/// Returns whether the trial succeeded (without rewards it did not); None if its rewards are not a
/// single 0 or 1.
fn success(rewards: Option<&Rewards>) -> Option<bool> {
    let Some(rewards) = rewards else {
        return Some(false);
    };
    let number = rewards
        .iter()
        .next()
        .filter(|_| rewards.len() == 1)
        .map(|(_, number)| number)?;
    let equals = |int: i64| *number == Number::Int(BigInt::from(int));
    (equals(0) || equals(1)).then(|| equals(1))
}

/// Returns the k: powers of two from 2 on and multiples of five, up to the fewest attempts of a
/// task.
fn eligible(fewest: usize) -> BTreeSet<usize> {
    let powers = (1..usize::BITS).map(|exponent| 1 << exponent);
    let fives = (5..=fewest).step_by(5);
    powers
        .take_while(|&power| power <= fewest)
        .chain(fives)
        .collect()
}

/// 1 - C(tried - passed, k) / C(tried, k), as a product of k quotients from the left: any other way
/// rounds differently.
fn estimate(task: &Attempts, k: usize) -> f64 {
    let failed = task.tried - task.passed;
    if failed < k {
        return 1.0;
    }
    let all_fail = (0..k).fold(1.0, |product, drawn| {
        product * ((failed - drawn) as f64 / (task.tried - drawn) as f64)
    });
    1.0 - all_fail
}
