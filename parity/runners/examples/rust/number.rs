//! A reward or a metric: an int or a double. The type counts.
//!
//! Python computes with both mixed. It compares their exact values, but adds them as doubles.

use crate::big_int::BigInt;
use crate::dict::Dict;
use crate::fault::Fault;
use std::cmp::Ordering;

#[derive(Clone, Debug)]
pub enum Number {
    Int(BigInt),
    Float(f64),
}

/// The rewards of one verifier run: reward key to number, in the order of the file.
pub type Rewards = Dict<Number>;

impl Number {
    /// The int 0, which stands for a missing reward.
    pub fn zero() -> Number {
        Number::Int(BigInt::from(0))
    }

    /// Python's `float(number)`.
    pub fn to_f64(&self) -> Result<f64, Fault> {
        match self {
            Number::Float(float) => Ok(*float),
            Number::Int(int) => int.to_f64().ok_or_else(too_large),
        }
    }

    /// Python's `+`.
    pub fn plus(&self, other: &Number) -> Result<Number, Fault> {
        match (self, other) {
            (Number::Int(left), Number::Int(right)) => Ok(Number::Int(left.plus(right))),
            _ => Ok(Number::Float(self.to_f64()? + other.to_f64()?)),
        }
    }

    /// Python's `number / count`.
    pub fn divided_by(&self, count: usize) -> Result<f64, Fault> {
        match self {
            Number::Float(_) if count == 0 => {
                Err(Fault::new("ZeroDivisionError", "float division by zero"))
            }
            Number::Int(_) if count == 0 => {
                Err(Fault::new("ZeroDivisionError", "division by zero"))
            }
            Number::Float(float) => Ok(float / count as f64),
            Number::Int(int) => int.divided_by(count as u64).ok_or_else(too_large),
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        match (self, other) {
            (Number::Int(left), Number::Int(right)) => Some(left.cmp(right)),
            (Number::Float(left), Number::Float(right)) => left.partial_cmp(right),
            (Number::Int(left), Number::Float(right)) => left.compare_with(*right),
            (Number::Float(left), Number::Int(right)) => {
                right.compare_with(*left).map(Ordering::reverse)
            }
        }
    }
}

fn too_large() -> Fault {
    Fault::new("OverflowError", "int too large for a float")
}
