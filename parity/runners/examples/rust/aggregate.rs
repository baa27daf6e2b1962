//! `aggregate`: computes a metric over the rewards of all trials.
//!
//! If at most one reward key occurs over all trials, the answer's key is the metric's name. If
//! several occur, each key gets its own number, and a trial without the key counts as 0.

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

/// Returns the largest or smallest number, as Python's `max` and `min` do.
///
/// Of equal numbers it is the first, with its type and sign. A nan in the first place stays,
/// because no number is larger or smaller. `f64::max` does neither.
fn extreme(
    numbers: Vec<Number>,
    beats: impl Fn(&Number, &Number) -> bool,
) -> Result<Number, Fault> {
    let better = |best: Number, number: Number| if beats(&number, &best) { number } else { best };
    let found = numbers.into_iter().reduce(better);
    found.ok_or_else(|| Fault::new("ValueError", "no trials, so no extreme"))
}
