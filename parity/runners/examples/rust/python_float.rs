//! Python's `float(text)`, by which reward.txt is read.
//!
//! It takes the digits of all scripts, Unicode's white space around the number, and single
//! underscores between digits.

use crate::decimal::parse_decimal;
use crate::series::Series;

/// `float(text)` as an interpreter of the series reads it; None where that raises ValueError.
pub fn python_float(text: &str, series: Series) -> Option<f64> {
    let plain: String = text
        .chars()
        .map(|character| in_ascii(character, series))
        .collect::<Option<_>>()?;
    // In ASCII this is white space to C's `isspace`. U+001C to U+001F are so to `str.strip`, but
    // not to `float`.
    let number = plain.trim_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']);
    parse_decimal(&without_underscores(number)?)
}

/// A character as CPython's `float` sees it: white space as a blank, decimal digits as 0 to 9.
fn in_ascii(character: char, series: Series) -> Option<char> {
    match character {
        _ if character.is_ascii() => Some(character),
        _ if character.is_whitespace() => Some(' '),
        _ => decimal_digit(character, series),
    }
}

/// Drops underscores, each of which has to stand between two ASCII digits.
fn without_underscores(text: &str) -> Option<String> {
    let digit_at = |place: usize| text.as_bytes().get(place).is_some_and(u8::is_ascii_digit);
    let misplaced =
        |(place, _): (usize, &str)| place == 0 || !digit_at(place - 1) || !digit_at(place + 1);
    if text.match_indices('_').any(misplaced) {
        return None;
    }
    Some(text.replace('_', ""))
}

fn decimal_digit(character: char, series: Series) -> Option<char> {
    let known = |zeros: &[u32]| {
        let started = zeros.partition_point(|&zero| zero <= u32::from(character));
        let value = u32::from(character) - zeros[..started].last()?;
        char::from_digit(value, 10)
    };
    let newly = || known(&NEW_ZEROS).filter(|_| series == Series::Py314);
    known(&ZEROS).or_else(newly)
}

/// The zeros of Unicode 15.1, which CPython 3.13 knows, and 3.12 no less; nine digits follow each.
/// Made with
///
/// ```python
/// [hex(point) for point in range(0x80, 0x110000) if unicodedata.decimal(chr(point), None) == 0]
/// ```
const ZEROS: [u32; 67] = [
    0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6,
    0xE50, 0xED0, 0xF20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50,
    0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10,
    0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650,
    0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x11F50, 0x16A60, 0x16AC0,
    0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E950,
    0x1FBF0,
];

/// The zeros that Unicode 16.0 added, which CPython 3.14 knows.
const NEW_ZEROS: [u32; 8] = [
    0x10D40, 0x116D0, 0x116DA, 0x11BF0, 0x16130, 0x16D70, 0x1CCF0, 0x1E5F1,
];
