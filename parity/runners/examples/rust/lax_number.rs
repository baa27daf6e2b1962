//! Reads a string as pydantic does where it expects a float or an int, as in `{"reward": "0.5"}`.
//!
//! It tries a float first and then an int, each with its own grammar. Neither is Python's: padding
//! is what Rust's `trim` removes, because pydantic calls that, and only ASCII digits count.

use crate::big_int::{BigInt, MOST_DIGITS};
use crate::decimal::{is_digits, parse_decimal};
use crate::number::Number;

/// The number that the string is, or None where pydantic raises ValidationError.
pub fn lax_number(text: &str) -> Option<Number> {
    let float = lax_float(text).map(Number::Float);
    float.or_else(|| lax_int(text).map(Number::Int))
}

/// A float may have padding or underscores, but not both.
fn lax_float(text: &str) -> Option<f64> {
    parse_decimal(text.trim()).or_else(|| parse_decimal(&without_underscores(text)?))
}

/// Padding, one sign, leading zeros and underscores, `.000` at the end, and single underscores
/// inside.
fn lax_int(text: &str) -> Option<BigInt> {
    let padded = text.trim();
    let (sign, digits) = match padded.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", padded.strip_prefix('+').unwrap_or(padded)),
    };
    let whole = without_decimals(without_leading_zeros(digits)?)?;
    // After leading zeros a second sign may stand: "0-1" is -1, while "-0-1" is refused for its two
    // signs.
    let number = format!("{sign}{}", without_underscores(whole)?);
    let unsigned = number.strip_prefix('-').unwrap_or(&number);
    let plain = is_digits(unsigned) && (unsigned == "0" || !unsigned.starts_with('0'));
    let short = unsigned.len() <= MOST_DIGITS;
    BigInt::parse(&number).filter(|_| plain && short)
}

fn without_leading_zeros(digits: &str) -> Option<&str> {
    let rest = digits.trim_start_matches(['0', '_']);
    match (digits.as_bytes().first()?, rest.as_bytes().first()) {
        (b'1'..=b'9', _) => Some(digits),
        // One of the leading characters stays if there is nothing else before the point.
        (b'0', None | Some(b'.')) => Some(&digits[digits.len() - rest.len() - 1..]),
        (b'0', Some(b'1'..=b'9' | b'-')) => Some(rest),
        _ => None,
    }
}

/// Returns the part before the point, if the part after it is one or more zeros.
fn without_decimals(digits: &str) -> Option<&str> {
    match digits.split_once('.') {
        None => Some(digits),
        Some((whole, decimals)) => {
            let zeros = !decimals.is_empty() && decimals.bytes().all(|byte| byte == b'0');
            zeros.then_some(whole)
        }
    }
}

/// Drops underscores, none of which may lead, trail or double.
fn without_underscores(text: &str) -> Option<String> {
    let misplaced = text.starts_with('_') || text.ends_with('_') || text.contains("__");
    (!misplaced).then(|| text.replace('_', ""))
}
