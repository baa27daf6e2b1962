//! Python's `json.loads`, for reward.json and for the messages of the wire.
//!
//! It accepts more than JSON: NaN and infinities, lone surrogates, and ints of up to 4300 digits.

use crate::big_int::{BigInt, MOST_DIGITS};
use crate::decimal::parse_decimal;
use crate::dict::Dict;
use crate::number::Number;
use crate::text::Text;

#[derive(Clone, Debug)]
pub enum Json {
    Null,
    Bool(bool),
    Number(Number),
    String(Text),
    Array(Vec<Json>),
    Object(Dict<Json>),
}

/// The reason why `json.loads` raised.
#[derive(Debug)]
pub enum JsonError {
    /// ValueError: the text is no JSON, or has an int of too many digits.
    Malformed(&'static str),
    /// RecursionError: its arrays and objects are nested too deeply.
    TooDeep,
}

/// The greatest depth of nested arrays and objects.
///
/// Python has no fixed number: 3.12 accepts about 1,500, 3.13 about 10,000, and 3.14 as many as the
/// stack allows. The kit's files have some hundreds, which all accept, or 100,000, which none does.
const DEEPEST: usize = 1500;

pub fn loads(text: &str) -> Result<Json, JsonError> {
    let mut reader = Reader { text, place: 0 };
    reader.skip_blanks();
    let document = reader.value(0)?;
    reader.skip_blanks();
    if reader.place < text.len() {
        return Err(JsonError::Malformed("more text after the document"));
    }
    Ok(document)
}

struct Reader<'a> {
    text: &'a str,
    /// In bytes, and always between two characters.
    place: usize,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Result<Json, JsonError> {
        match self.peek() {
            Some(b'"') => self.string().map(Json::String),
            Some(b'{' | b'[') if depth == DEEPEST => Err(JsonError::TooDeep),
            Some(b'{') => self.object(depth + 1),
            Some(b'[') => self.array(depth + 1),
            _ => self
                .constant()
                .map_or_else(|| self.number().map(Json::Number), Ok),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, JsonError> {
        self.place += 1;
        let mut members = Dict::new();
        self.skip_blanks();
        if self.takes("}") {
            return Ok(Json::Object(members));
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err(JsonError::Malformed("an object's key is a string"));
            }
            let key = self.string()?;
            self.skip_blanks();
            if !self.takes(":") {
                return Err(JsonError::Malformed("no colon after a key"));
            }
            self.skip_blanks();
            members.insert(key, self.value(depth)?);
            self.skip_blanks();
            if self.takes("}") {
                return Ok(Json::Object(members));
            }
            if !self.takes(",") {
                return Err(JsonError::Malformed("no comma between two members"));
            }
            self.skip_blanks();
        }
    }

    fn array(&mut self, depth: usize) -> Result<Json, JsonError> {
        self.place += 1;
        let mut items = Vec::new();
        self.skip_blanks();
        if self.takes("]") {
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.value(depth)?);
            self.skip_blanks();
            if self.takes("]") {
                return Ok(Json::Array(items));
            }
            if !self.takes(",") {
                return Err(JsonError::Malformed("no comma between two items"));
            }
            self.skip_blanks();
        }
    }

    fn constant(&mut self) -> Option<Json> {
        let constants = [
            ("null", Json::Null),
            ("true", Json::Bool(true)),
            ("false", Json::Bool(false)),
            ("NaN", Json::Number(Number::Float(f64::NAN))),
            ("Infinity", Json::Number(Number::Float(f64::INFINITY))),
            ("-Infinity", Json::Number(Number::Float(f64::NEG_INFINITY))),
        ];
        let found = constants.into_iter().find(|(word, _)| self.takes(word));
        found.map(|(_, constant)| constant)
    }

    /// A number without fraction and exponent is an int, whatever its size; `-0` is the int 0.
    fn number(&mut self) -> Result<Number, JsonError> {
        let start = self.place;
        self.takes("-");
        let digits = match self.peek() {
            Some(b'0') => {
                self.place += 1;
                1
            }
            _ => self.skip_digits(),
        };
        if digits == 0 {
            return Err(JsonError::Malformed("no value"));
        }
        let has_fraction = self.skips(|reader| reader.takes(".") && reader.skip_digits() > 0);
        let has_exponent = self.skips(Reader::skip_exponent);
        let text = &self.text[start..self.place];
        if has_fraction || has_exponent {
            return parse_decimal(text)
                .map(Number::Float)
                .ok_or(JsonError::Malformed("no number"));
        }
        if digits > MOST_DIGITS {
            return Err(JsonError::Malformed("an int of too many digits"));
        }
        BigInt::parse(text)
            .map(Number::Int)
            .ok_or(JsonError::Malformed("no number"))
    }

    fn skip_exponent(&mut self) -> bool {
        let begins = self.takes("e") || self.takes("E");
        if !self.takes("+") {
            self.takes("-");
        }
        begins && self.skip_digits() > 0
    }

    /// Skips a part of a number, or nothing if it is incomplete: `1.` is 1, followed by a point that
    /// is an error.
    fn skips(&mut self, skip: impl FnOnce(&mut Self) -> bool) -> bool {
        let start = self.place;
        let whole = skip(self);
        if !whole {
            self.place = start;
        }
        whole
    }

    fn skip_digits(&mut self) -> usize {
        let start = self.place;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.place += 1;
        }
        self.place - start
    }

    fn string(&mut self) -> Result<Text, JsonError> {
        self.place += 1;
        let mut string = Text::default();
        loop {
            let plain = |&byte: &u8| byte != b'"' && byte != b'\\' && byte >= b' ';
            let length = self.text.as_bytes()[self.place..]
                .iter()
                .take_while(|byte| plain(byte))
                .count();
            string.push_str(&self.text[self.place..self.place + length]);
            self.place += length;
            if self.takes("\"") {
                return Ok(string);
            }
            if !self.takes("\\") {
                return Err(JsonError::Malformed(
                    "a string with a control character, or without an end",
                ));
            }
            string.push(self.escape()?);
        }
    }

    /// Returns the code point of an escape. A high surrogate is joined with a low one after it, or
    /// else kept.
    fn escape(&mut self) -> Result<u32, JsonError> {
        let letter = self
            .peek()
            .ok_or(JsonError::Malformed("a string without an end"))?;
        if letter == b'u' {
            self.place += 1;
            let unit = self.four_hex_digits()?;
            let here = self.place;
            if (0xD800..0xDC00).contains(&unit) && self.takes("\\u") {
                let low = self.four_hex_digits()?;
                if (0xDC00..0xE000).contains(&low) {
                    return Ok(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00));
                }
                self.place = here;
            }
            return Ok(unit);
        }
        let escaped = match letter {
            b'"' | b'\\' | b'/' => letter,
            b'b' => 0x08,
            b'f' => 0x0C,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            _ => return Err(JsonError::Malformed("an unknown escape")),
        };
        self.place += 1;
        Ok(u32::from(escaped))
    }

    fn four_hex_digits(&mut self) -> Result<u32, JsonError> {
        let digits = self.text.as_bytes().get(self.place..self.place + 4);
        let value = digits.unwrap_or(&[]).iter().try_fold(0, |value, &digit| {
            char::from(digit)
                .to_digit(16)
                .map(|digit| value << 4 | digit)
        });
        self.place += 4;
        value
            .filter(|_| digits.is_some())
            .ok_or(JsonError::Malformed("\\u without four hex digits"))
    }

    fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.place += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.place).copied()
    }

    fn takes(&mut self, token: &str) -> bool {
        let found = self.text.as_bytes()[self.place..].starts_with(token.as_bytes());
        if found {
            self.place += token.len();
        }
        found
    }
}
