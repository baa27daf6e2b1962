//! Decimal text to the nearest double: the grammar that Python's `float()`, JSON and pydantic have
//! in common.

/// A number in ASCII without padding and underscores, or one of `inf`, `infinity` and `nan` in any
/// case.
///
/// The grammar is checked here. Rust only rounds, which it does correctly, ties to even.
pub fn parse_decimal(text: &str) -> Option<f64> {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => (true, unsigned),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let magnitude = match unsigned.to_ascii_lowercase().as_str() {
        "inf" | "infinity" => f64::INFINITY,
        "nan" => f64::NAN,
        _ => finite(unsigned)?,
    };
    Some(if negative { -magnitude } else { magnitude })
}

fn finite(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if !is_digits(&digits) {
        return None;
    }
    let significant = digits.trim_start_matches('0');
    if significant.is_empty() {
        return Some(0.0);
    }
    // The number is 0.significant times ten to this power. Rust reads only the first digits of a
    // long exponent, which is wrong if a million zeros compensate it. From 1000 on, the power alone
    // decides the result, so it can be limited here.
    let zeros = digits.len() - significant.len();
    let power = exponent.saturating_add(whole.len() as i64 - zeros as i64);
    format!("0.{significant}e{}", power.clamp(-1000, 1000))
        .parse()
        .ok()
}

fn parse_exponent(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    is_digits(digits).then(|| sign * digits.parse().unwrap_or(i64::MAX))
}

/// Returns whether the text is one or more ASCII digits.
pub fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
