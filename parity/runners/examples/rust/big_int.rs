//! Python's `int`, as far as rewards need it: decimal digits, sums, order, and rounding to a
//! double.
//!
//! A reward may be an int of 4300 digits, and Harbor keeps all of them. Where such an int becomes a
//! double, or is divided, Python rounds once, to the nearest, ties to even, and raises
//! OverflowError instead of giving an infinity.

use std::cmp::Ordering;
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BigInt {
    /// Never true of zero.
    negative: bool,
    /// Least significant first, with no zero at the end; none at all for zero.
    limbs: Vec<u64>,
}

/// The most digits from which Python and pydantic make an int. Ints on the wire have no such
/// limit.
pub const MOST_DIGITS: usize = 4300;

/// The largest power of ten in a limb, and its digits: decimal text is read and printed in pieces
/// of that size.
const CHUNK: u64 = 10_000_000_000_000_000_000;
const CHUNK_DIGITS: usize = 19;

impl BigInt {
    fn new(negative: bool, mut limbs: Vec<u64>) -> BigInt {
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        BigInt {
            negative: negative && !limbs.is_empty(),
            limbs,
        }
    }

    /// Reads ASCII digits, after a minus or not.
    pub fn parse(text: &str) -> Option<BigInt> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let mut limbs = Vec::new();
        let (first, rest) = digits.split_at(digits.len() % CHUNK_DIGITS);
        if !first.is_empty() {
            limbs.push(first.parse().ok()?);
        }
        for start in (0..rest.len()).step_by(CHUNK_DIGITS) {
            let piece = rest[start..start + CHUNK_DIGITS].parse().ok()?;
            multiply_and_add(&mut limbs, CHUNK, piece);
        }
        Some(BigInt::new(negative, limbs))
    }

    /// Converts a double without a fraction.
    fn from_whole(number: f64) -> BigInt {
        let bits = number.abs().to_bits();
        let (exponent, fraction) = (bits >> 52, bits & ((1 << 52) - 1));
        if exponent < 1023 + 64 {
            return BigInt::new(number < 0.0, vec![number.abs() as u64]);
        }
        // From 2**64 on, 53 bits and as many zeros below them as the exponent says.
        let zeros = (exponent - 1075) as usize;
        let wide = u128::from(fraction | 1 << 52) << (zeros % 64);
        let mut limbs = vec![0; zeros / 64];
        limbs.extend([wide as u64, (wide >> 64) as u64]);
        BigInt::new(number < 0.0, limbs)
    }

    /// The int as a C long, which is what CPython's `sum()` adds as long as it can.
    pub fn to_i64(&self) -> Option<i64> {
        let magnitude = match self.limbs[..] {
            [] => 0,
            [limb] => i128::from(limb),
            _ => return None,
        };
        i64::try_from(if self.negative { -magnitude } else { magnitude }).ok()
    }

    /// Python's `float(int)`; None where that raises OverflowError.
    pub fn to_f64(&self) -> Option<f64> {
        self.rounded(&self.limbs, false, 0)
    }

    /// Python's `int / int`; None where that raises OverflowError.
    ///
    /// The quotient is rounded once; converting the int to a double first would round twice.
    pub fn divided_by(&self, divisor: u64) -> Option<f64> {
        // With 128 more bits, the quotient of a limb has more than the 54 bits that rounding needs.
        // Of the dropped bits it only matters whether any is set.
        let mut limbs = vec![0, 0];
        limbs.extend(&self.limbs);
        let remainder = divide(&mut limbs, divisor);
        let quotient = BigInt::new(self.negative, limbs);
        self.rounded(&quotient.limbs, remainder != 0, -128)
    }

    /// The magnitude times a power of two, and a bit more where `more` is set, as a double with the
    /// sign of this int.
    fn rounded(&self, limbs: &[u64], more: bool, exponent: i64) -> Option<f64> {
        let Some((&top, below)) = limbs.split_last() else {
            return Some(0.0);
        };
        let zeros = top.leading_zeros();
        let (next, rest) = below
            .split_last()
            .map_or((0, below), |(&next, rest)| (next, rest));
        let wide = (u128::from(top) << 64 | u128::from(next)) << zeros;
        // The top 64 bits; the last one also says whether any bit follows. This is enough to tell a
        // tie from its neighbours.
        let follows = more || wide as u64 != 0 || rest.iter().any(|&limb| limb != 0);
        let head = (wide >> 64) as u64 | u64::from(follows);
        let power = exponent + 64 * below.len() as i64 - i64::from(zeros);
        if power > 1023 - 63 {
            return None;
        }
        // `as` rounds to the nearest, ties to even. No quotient is small enough to be rounded again
        // by the product.
        let magnitude = head as f64 * f64::from_bits(((power + 1023) as u64) << 52);
        magnitude
            .is_finite()
            .then_some(if self.negative { -magnitude } else { magnitude })
    }

    pub fn plus(&self, other: &BigInt) -> BigInt {
        if self.negative == other.negative {
            return BigInt::new(self.negative, add(&self.limbs, &other.limbs));
        }
        match compare(&self.limbs, &other.limbs) {
            Ordering::Less => BigInt::new(other.negative, subtract(&other.limbs, &self.limbs)),
            _ => BigInt::new(self.negative, subtract(&self.limbs, &other.limbs)),
        }
    }

    /// Compares an int with a double by their exact values, as Python does; None for a nan.
    pub fn compare_with(&self, number: f64) -> Option<Ordering> {
        if !number.is_finite() {
            return 0.0.partial_cmp(&number);
        }
        let whole = number.trunc();
        match self.cmp(&BigInt::from_whole(whole)) {
            Ordering::Equal => 0.0.partial_cmp(&(number - whole)),
            unequal => Some(unequal),
        }
    }
}

impl From<i64> for BigInt {
    fn from(number: i64) -> BigInt {
        BigInt::new(number < 0, vec![number.unsigned_abs()])
    }
}

impl Ord for BigInt {
    fn cmp(&self, other: &BigInt) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => compare(&self.limbs, &other.limbs),
            (true, true) => compare(&other.limbs, &self.limbs),
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
        }
    }
}

impl PartialOrd for BigInt {
    fn partial_cmp(&self, other: &BigInt) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for BigInt {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let mut rest = self.limbs.clone();
        let mut pieces = Vec::new();
        while !rest.is_empty() {
            pieces.push(divide(&mut rest, CHUNK));
            while rest.last() == Some(&0) {
                rest.pop();
            }
        }
        let sign = if self.negative { "-" } else { "" };
        write!(formatter, "{sign}{}", pieces.pop().unwrap_or(0))?;
        pieces
            .iter()
            .rev()
            .try_for_each(|piece| write!(formatter, "{piece:0CHUNK_DIGITS$}"))
    }
}

fn multiply_and_add(limbs: &mut Vec<u64>, factor: u64, summand: u64) {
    let mut carry = u128::from(summand);
    for limb in limbs.iter_mut() {
        carry += u128::from(*limb) * u128::from(factor);
        *limb = carry as u64;
        carry >>= 64;
    }
    limbs.push(carry as u64);
    if carry == 0 {
        limbs.pop();
    }
}

/// Divides in place, and returns the remainder.
fn divide(limbs: &mut [u64], divisor: u64) -> u64 {
    let mut remainder = 0;
    for limb in limbs.iter_mut().rev() {
        let dividend = u128::from(remainder) << 64 | u128::from(*limb);
        *limb = (dividend / u128::from(divisor)) as u64;
        remainder = (dividend % u128::from(divisor)) as u64;
    }
    remainder
}

fn add(left: &[u64], right: &[u64]) -> Vec<u64> {
    let (long, short) = if left.len() < right.len() {
        (right, left)
    } else {
        (left, right)
    };
    let mut sum = Vec::with_capacity(long.len() + 1);
    let mut carry = 0;
    for (place, &limb) in long.iter().enumerate() {
        carry += u128::from(limb) + u128::from(short.get(place).copied().unwrap_or(0));
        sum.push(carry as u64);
        carry >>= 64;
    }
    sum.push(carry as u64);
    sum
}

/// Subtracts the smaller magnitude from the larger.
fn subtract(larger: &[u64], smaller: &[u64]) -> Vec<u64> {
    let mut borrow = false;
    let limb_after = |(place, &limb): (usize, &u64)| {
        let (once, first) = limb.overflowing_sub(smaller.get(place).copied().unwrap_or(0));
        let (twice, second) = once.overflowing_sub(u64::from(borrow));
        borrow = first || second;
        twice
    };
    larger.iter().enumerate().map(limb_after).collect()
}

fn compare(left: &[u64], right: &[u64]) -> Ordering {
    let by_length = left.len().cmp(&right.len());
    by_length.then_with(|| left.iter().rev().cmp(right.iter().rev()))
}
