//! `aggregate`: the rewards of all trials to one metric.
//!
//! With one reward key over all trials, or none, the answer is named after the metric. With
//! several, each key gets a number of its own, and a trial that lacks the key counts as 0 under it.

use crate::dict::Dict;
use crate::fault::Fault;
use crate::number::{Number, Rewards};
use crate::series::Series;
use crate::summation::sum;
use crate::text::Text;
use std::collections::BTreeSet;

pub fn aggregate(
    metric: &Text,
    rewards: &[Option<Rewards>],
    series: Series,
) -> Result<Rewards, Fault> {
    let trials = || rewards.iter().map(Option::as_ref);
    // A BTreeSet of `Text` is in code point order, as Python's `sorted` of strings is.
    let keys: BTreeSet<&Text> = trials()
        .flatten()
        .flat_map(Rewards::iter)
        .map(|(key, _)| key)
        .collect();
    let mut answer = Dict::new();
    if keys.len() > 1 {
        for key in keys {
            let column = trials().map(|reward| reward.and_then(|reward| reward.get(key)));
            answer.insert(key.clone(), combine(metric, column, series)?);
        }
    } else {
        let column = trials().map(|reward| reward.and_then(|reward| reward.iter().next()));
        let column = column.map(|only| only.map(|(_, number)| number));
        answer.insert(metric.clone(), combine(metric, column, series)?);
    }
    Ok(answer)
}

fn combine<'a>(
    metric: &Text,
    column: impl Iterator<Item = Option<&'a Number>>,
    series: Series,
) -> Result<Number, Fault> {
    let numbers: Vec<Number> = column
        .map(|number| number.cloned().unwrap_or_else(Number::zero))
        .collect();
    match metric.to_unicode().as_deref() {
        Some("mean") => sum(&numbers, series)?
            .divided_by(numbers.len())
            .map(Number::Float),
        Some("max") => extreme(numbers, |number, best| number > best),
        Some("min") => extreme(numbers, |number, best| number < best),
        Some("sum") => sum(&numbers, series),
        _ => Err(Fault::new("ValueError", "unknown metric")),
    }
}

/// The first number that none after it beats, as Python's `max` and `min` find it.
///
/// Of equals the first stays, with its type and sign, and so does a nan in the first place, which
/// nothing beats. `f64::max` would keep neither.
fn extreme(
    numbers: Vec<Number>,
    beats: impl Fn(&Number, &Number) -> bool,
) -> Result<Number, Fault> {
    let better = |best: Number, number: Number| if beats(&number, &best) { number } else { best };
    let found = numbers.into_iter().reduce(better);
    found.ok_or_else(|| Fault::new("ValueError", "no trials, so no extreme"))
}
