//! The messages of the pipe protocol: reads the kit's lines, and writes the answers.
//!
//! Numbers are sent as `{"int": "12"}` or `{"f64": "3fb999999999999a"}`, so that no JSON library can
//! round them.

use crate::big_int::BigInt;
use crate::dict::Dict;
use crate::fault::Fault;
use crate::number::{Number, Rewards};
use crate::pass_at_k::{Estimates, Trial};
use crate::python_json::{loads, Json};
use crate::series::Series;
use crate::text::Text;
use std::ffi::OsString;
use std::fmt::Write;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

pub struct Question {
    pub id: Text,
    pub operation: String,
    pub input: Json,
}

pub enum Answer {
    Value(Value),
    Fault(Fault),
    Unsupported(String),
}

/// The shapes that the values of these operations have.
pub enum Value {
    Null,
    Number(Number),
    Object(Dict<Value>),
}

/// The answer to the kit's hello.
pub const HELLO: &str = concat!(
    r#"{"hello":{"name":"rust-example","version":"1","language":"rust","#,
    r#""operations":["read_reward","aggregate","pass_at_k"],"pipelining":true}}"#,
    "\n"
);

/// The series that the kit's hello asks for.
pub fn read_hello(line: &str) -> Result<Series, String> {
    let message = read(line)?;
    let hello = member(&message, "hello")?;
    let one = Number::Int(BigInt::from(1));
    match member(hello, "protocol")? {
        Json::Number(number) if *number == one => {}
        _ => return Err("another protocol than 1".to_owned()),
    }
    let interpreter = name(member(hello, "interpreter")?)?;
    Series::named(&interpreter)
        .ok_or_else(|| format!("interpreter {interpreter} is not known here"))
}

pub fn read_question(line: &str) -> Result<Question, String> {
    let message = read(line)?;
    Ok(Question {
        id: text(member(&message, "id")?)?,
        operation: name(member(&message, "operation")?)?,
        input: member(&message, "input")?.clone(),
    })
}

/// The line that answers the question of this id.
pub fn answer(id: &Text, answer: &Answer) -> String {
    let mut line = "{\"id\":".to_owned();
    id.write_json(&mut line);
    match answer {
        Answer::Value(value) => {
            line.push_str(",\"value\":");
            write_value(&mut line, value);
        }
        Answer::Fault(fault) => {
            line.push_str(",\"fault\":{\"kind\":");
            Text::from(fault.kind).write_json(&mut line);
            line.push_str(",\"message\":");
            Text::from(fault.message.as_str()).write_json(&mut line);
            line.push('}');
        }
        Answer::Unsupported(reason) => {
            line.push_str(",\"unsupported\":");
            Text::from(reason.as_str()).write_json(&mut line);
        }
    }
    line.push_str("}\n");
    line
}

/// The input of `read_reward`.
pub fn directory(input: &Json) -> Result<PathBuf, String> {
    let bytes = text(member(input, "directory")?)?.to_path_bytes();
    Ok(OsString::from_vec(bytes.ok_or("a directory that is no path")?).into())
}

/// The input of `aggregate`.
pub fn metric_and_rewards(input: &Json) -> Result<(Text, Vec<Option<Rewards>>), String> {
    let rewards = items(member(input, "rewards")?)?.iter().map(read_rewards);
    Ok((
        text(member(input, "metric")?)?,
        rewards.collect::<Result<_, _>>()?,
    ))
}

/// The input of `pass_at_k`.
pub fn trials(input: &Json) -> Result<Vec<Trial>, String> {
    items(member(input, "trials")?)?
        .iter()
        .map(read_trial)
        .collect()
}

/// The value of `aggregate`.
pub fn rewards(rewards: Rewards) -> Value {
    let pairs = rewards.into_iter();
    Value::Object(
        pairs
            .map(|(key, number)| (key, Value::Number(number)))
            .collect(),
    )
}

/// The value of `read_reward`.
pub fn rewards_or_null(found: Option<Rewards>) -> Value {
    found.map_or(Value::Null, rewards)
}

/// The value of `pass_at_k`, in which k is a key, and so a string.
pub fn groups(groups: Dict<Estimates>) -> Value {
    let by_k = |(k, estimate): (usize, f64)| {
        let key = Text::from(k.to_string().as_str());
        (key, Value::Number(Number::Float(estimate)))
    };
    let group = |estimates: Estimates| Value::Object(estimates.into_iter().map(by_k).collect());
    let pairs = groups.into_iter();
    Value::Object(
        pairs
            .map(|(key, estimates)| (key, group(estimates)))
            .collect(),
    )
}

fn read(line: &str) -> Result<Json, String> {
    loads(line).map_err(|error| format!("a line that is no JSON: {error:?}"))
}

fn read_trial(value: &Json) -> Result<Trial, String> {
    let optional = |name| match member(value, name)? {
        Json::Null => Ok(None),
        given => text(given).map(Some),
    };
    Ok(Trial {
        agent: text(member(value, "agent")?)?,
        model: optional("model")?,
        source: optional("source")?,
        task: text(member(value, "task")?)?,
        rewards: read_rewards(member(value, "rewards")?)?,
    })
}

fn read_rewards(value: &Json) -> Result<Option<Rewards>, String> {
    match value {
        Json::Null => Ok(None),
        Json::Object(members) => {
            let pairs = members
                .iter()
                .map(|(key, value)| Ok((key.clone(), read_number(value)?)));
            pairs.collect::<Result<_, String>>().map(Some)
        }
        _ => Err("rewards are an object or null".to_owned()),
    }
}

fn read_number(value: &Json) -> Result<Number, String> {
    let Json::Object(members) = value else {
        return Err("a number is an object of one member".to_owned());
    };
    let digits = |kind| members.member(kind).map(name).transpose();
    let number = match (digits("f64")?, digits("int")?) {
        (Some(hex), None) => read_double(&hex).map(Number::Float),
        (None, Some(decimal)) => BigInt::parse(&decimal).map(Number::Int),
        _ => None,
    };
    number.ok_or_else(|| "a number is f64 or int, and its digits".to_owned())
}

fn read_double(hex: &str) -> Option<f64> {
    let bits = u64::from_str_radix(hex, 16).ok()?;
    (hex.len() == 16).then_some(f64::from_bits(bits))
}

fn member<'a>(value: &'a Json, name: &str) -> Result<&'a Json, String> {
    match value {
        Json::Object(members) => members
            .member(name)
            .ok_or_else(|| format!("a message without {name}")),
        _ => Err(format!("no object, where {name} should be a member")),
    }
}

fn items(value: &Json) -> Result<&[Json], String> {
    match value {
        Json::Array(items) => Ok(items),
        _ => Err("no array where one should be".to_owned()),
    }
}

fn text(value: &Json) -> Result<Text, String> {
    match value {
        Json::String(text) => Ok(text.clone()),
        _ => Err("no string where one should be".to_owned()),
    }
}

/// A string that is a word of the protocol.
fn name(value: &Json) -> Result<String, String> {
    text(value)?
        .to_unicode()
        .ok_or_else(|| "half a surrogate pair in a name".to_owned())
}

fn write_value(line: &mut String, value: &Value) {
    match value {
        Value::Null => line.push_str("null"),
        Value::Number(number) => write_number(line, number),
        Value::Object(members) => {
            line.push('{');
            for (place, (key, item)) in members.iter().enumerate() {
                line.push_str(if place > 0 { "," } else { "" });
                key.write_json(line);
                line.push(':');
                write_value(line, item);
            }
            line.push('}');
        }
    }
}

fn write_number(line: &mut String, number: &Number) {
    let written = match number {
        Number::Int(int) => write!(line, "{{\"int\":\"{int}\"}}"),
        Number::Float(float) => write!(line, "{{\"f64\":\"{:016x}\"}}", float.to_bits()),
    };
    written.expect("a String takes whatever is written to it");
}
