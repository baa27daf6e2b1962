//! `read_reward`: a folder, as the verifier left it, to rewards.
//!
//! reward.json decides whenever it exists, whatever it holds; reward.txt is read only where it does
//! not.

use crate::dict::Dict;
use crate::fault::Fault;
use crate::lax_number::lax_number;
use crate::number::{Number, Rewards};
use crate::python_float::python_float;
use crate::python_json::{loads, Json, JsonError};
use crate::series::Series;
use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

/// The rewards in the folder, or None where reward.json says `null`.
pub fn read_reward(directory: &Path, series: Series) -> Result<Option<Rewards>, Fault> {
    let (in_json, in_text) = (directory.join("reward.json"), directory.join("reward.txt"));
    if let Some(found) = look_up(&in_json, series)? {
        return validated(parsed(&content(&in_json, &found)?)?);
    }
    if let Some(found) = look_up(&in_text, series)? {
        let number = python_float(&content(&in_text, &found)?, series);
        let number = number.ok_or_else(|| parse_error("reward.txt is not a number"))?;
        let mut rewards = Dict::new();
        rewards.insert("reward".into(), Number::Float(number));
        return Ok(Some(rewards));
    }
    Err(Fault::new(
        "RewardFileNotFoundError",
        "neither reward.json nor reward.txt",
    ))
}

/// What is at the path, links followed, or None where Python's `Path.exists` gives False.
///
/// That lets an error through until 3.13, such as a folder that may not be searched. From 3.14 on
/// it never does.
fn look_up(path: &Path, series: Series) -> Result<Option<Metadata>, Fault> {
    match fs::metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(error) if series == Series::Py314 || is_absence(&error) => Ok(None),
        Err(error) => Err(os_error(&error)),
    }
}

/// Whether nothing is there: no file, no folder on the way, or a link to itself. A path with a NUL
/// has no number.
fn is_absence(error: &io::Error) -> bool {
    matches!(
        error.raw_os_error(),
        None | Some(ENOENT | EBADF | ENOTDIR | ELOOP)
    )
}

fn content(path: &Path, found: &Metadata) -> Result<String, Fault> {
    // The size decides. A named pipe has none, and is never opened: that would wait for somebody to
    // write to it.
    if found.len() == 0 {
        return Err(Fault::new(
            "RewardFileEmptyError",
            "the reward file is empty",
        ));
    }
    let bytes = fs::read(path).map_err(|error| os_error(&error))?;
    // Strictly, as Python decodes: `from_utf8_lossy` would make text of anything.
    String::from_utf8(bytes).map_err(|_| parse_error("the reward file is not UTF-8"))
}

fn parsed(text: &str) -> Result<Json, Fault> {
    loads(text).map_err(|error| match error {
        JsonError::Malformed(reason) => parse_error(reason),
        JsonError::TooDeep => Fault::new("RecursionError", "reward.json is nested too deeply"),
    })
}

/// The document as pydantic takes it: an object whose values are numbers, or read as numbers; or
/// null.
fn validated(document: Json) -> Result<Option<Rewards>, Fault> {
    let Json::Object(members) = document else {
        return match document {
            Json::Null => Ok(None),
            _ => Err(Fault::new("ValidationError", "rewards are an object")),
        };
    };
    let mut rewards = Dict::new();
    for (key, value) in members {
        let number = match value {
            Json::Number(number) => Some(number),
            Json::Bool(value) => Some(Number::Float(f64::from(u8::from(value)))),
            Json::String(text) => text.to_unicode().and_then(|text| lax_number(&text)),
            _ => None,
        };
        rewards.insert(
            key,
            number.ok_or_else(|| Fault::new("ValidationError", "a reward is a number"))?,
        );
    }
    Ok(Some(rewards))
}

fn parse_error(reason: &str) -> Fault {
    Fault::new("VerifierOutputParseError", reason)
}

/// Python has a class of its own for some numbers of errors, and OSError for all others.
fn os_error(error: &io::Error) -> Fault {
    let kind = match error.raw_os_error() {
        Some(EPERM | EACCES) => "PermissionError",
        Some(ENOENT) => "FileNotFoundError",
        Some(ENOTDIR) => "NotADirectoryError",
        Some(EISDIR) => "IsADirectoryError",
        _ => "OSError",
    };
    Fault::new(kind, error.to_string())
}

// Rust has no names for some of these, or has them only lately; the numbers are those of Linux and
// macOS.
const EPERM: i32 = 1;
const ENOENT: i32 = 2;
const EBADF: i32 = 9;
const EACCES: i32 = 13;
const ENOTDIR: i32 = 20;
const EISDIR: i32 = 21;
const ELOOP: i32 = if cfg!(target_os = "linux") { 40 } else { 62 };
