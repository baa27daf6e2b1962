//! CPython's `sum()`, which is no plain loop of additions.
//!
//! It adds ints exactly while they fit a C long. From the first float on, it collects the rounding
//! errors of the additions (Neumaier's variant of Kahan's summation) and adds them at the end. From
//! 3.14 on, ints after a float are compensated, too. Until 3.13 they are added without
//! compensation, and an int that does not fit a C long ends all compensation. In every release,
//! such an int or such a sum before the first float prevents compensation.

use crate::big_int::BigInt;
use crate::fault::Fault;
use crate::number::Number;
use crate::series::Series;

/// Python's `sum(numbers)`.
pub fn sum(numbers: &[Number], series: Series) -> Result<Number, Fault> {
    let mut total: i64 = 0;
    for (place, number) in numbers.iter().enumerate() {
        let rest = &numbers[place + 1..];
        let longs = match number {
            Number::Float(float) => return sum_from_float(total as f64 + float, rest, series),
            Number::Int(int) => int.to_i64(),
        };
        match longs.and_then(|long| total.checked_add(long)) {
            Some(after) => total = after,
            None => return sum_plainly(Number::Int(BigInt::from(total)).plus(number)?, rest),
        }
    }
    Ok(Number::Int(BigInt::from(total)))
}

fn sum_from_float(mut total: f64, rest: &[Number], series: Series) -> Result<Number, Fault> {
    let mut lost = 0.0;
    for (place, number) in rest.iter().enumerate() {
        let float = number.to_f64()?;
        match number {
            Number::Int(int) if series == Series::Py312 => match int.to_i64() {
                Some(_) => total += float,
                None => {
                    let total = Number::Float(settled(total, lost) + float);
                    return sum_plainly(total, &rest[place + 1..]);
                }
            },
            _ => {
                let after = total + float;
                lost += if total.abs() >= float.abs() {
                    (total - after) + float
                } else {
                    (float - after) + total
                };
                total = after;
            }
        }
    }
    Ok(Number::Float(settled(total, lost)))
}

fn sum_plainly(mut total: Number, rest: &[Number]) -> Result<Number, Fault> {
    for number in rest {
        total = total.plus(number)?;
    }
    Ok(total)
}

/// Adds what was lost, unless an infinity or a nan has made it meaningless.
fn settled(total: f64, lost: f64) -> f64 {
    // Adding a loss of zero would turn -0.0 into 0.0.
    if lost != 0.0 && lost.is_finite() {
        total + lost
    } else {
        total
    }
}
