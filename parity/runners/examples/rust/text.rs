//! Text as Python's `str`: a sequence of code points, which may include lone surrogates.
//!
//! A `String` cannot hold `"\ud800"`, but a reward's key may be just that. Comparing code points is
//! also how Python orders keys; UTF-16, as in JavaScript and Java, would put U+1F600 before U+FF5E.

use std::fmt::Write;

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(Vec<u32>);

impl Text {
    pub fn push(&mut self, code_point: u32) {
        self.0.push(code_point);
    }

    pub fn push_str(&mut self, text: &str) {
        self.0.extend(text.chars().map(u32::from));
    }

    pub fn push_text(&mut self, text: &Text) {
        self.0.extend(&text.0);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn is(&self, text: &str) -> bool {
        self.0.iter().copied().eq(text.chars().map(u32::from))
    }

    /// Returns the text as a `String`, or None if it has a lone surrogate.
    pub fn to_unicode(&self) -> Option<String> {
        self.0.iter().copied().map(char::from_u32).collect()
    }

    /// The text as the bytes of a path. Python writes a byte that is not UTF-8 as one of U+DC80 to
    /// U+DCFF.
    pub fn to_path_bytes(&self) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(self.0.len());
        for &code_point in &self.0 {
            match (code_point, char::from_u32(code_point)) {
                (0xDC80..=0xDCFF, _) => bytes.push((code_point - 0xDC00) as u8),
                (_, Some(character)) => bytes.extend(character.encode_utf8(&mut [0; 4]).bytes()),
                (_, None) => return None,
            }
        }
        Some(bytes)
    }

    /// Writes the text as a JSON string in ASCII, which every reader reads alike.
    pub fn write_json(&self, line: &mut String) {
        line.push('"');
        for &code_point in &self.0 {
            match char::from_u32(code_point) {
                Some(character @ ('"' | '\\')) => line.extend(['\\', character]),
                Some(character @ ' '..='~') => line.push(character),
                Some(character) => {
                    for unit in character.encode_utf16(&mut [0; 2]) {
                        write_escape(line, u32::from(*unit));
                    }
                }
                None => write_escape(line, code_point),
            }
        }
        line.push('"');
    }
}

fn write_escape(line: &mut String, unit: u32) {
    write!(line, "\\u{unit:04x}").expect("a String takes whatever is written to it");
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(text.chars().map(u32::from).collect())
    }
}
