//! `read_reward`: reads the rewards in a verifier's folder.
//!
//! If reward.json exists, it alone decides, whatever it holds; else reward.txt is read.

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

/// Returns the metadata of a path, links followed, or None if Python's `Path.exists` is False.
///
/// Until 3.13, `Path.exists` raises some errors, such as that of a folder without search permission.
/// From 3.14 on it raises none.
fn look_up(path: &Path, series: Series) -> Result<Option<Metadata>, Fault> {
    match fs::metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(error) if series == Series::Py314 || is_absence(&error) => Ok(None),
        Err(error) => Err(os_error(&error)),
    }
}

/// Returns whether an error means that nothing is there: no file, no folder on the way, or a link to
/// itself. A path with a NUL gives an error without a number.
fn is_absence(error: &io::Error) -> bool {
    matches!(
        error.raw_os_error(),
        None | Some(ENOENT | EBADF | ENOTDIR | ELOOP)
    )
}

fn content(path: &Path, found: &Metadata) -> Result<String, Fault> {
    // The size decides. A named pipe has size 0 and is never opened, because that would wait for a
    // writer.
    if found.len() == 0 {
        return Err(Fault::new(
            "RewardFileEmptyError",
            "the reward file is empty",
        ));
    }
    let bytes = fs::read(path).map_err(|error| os_error(&error))?;
    // Decoding is strict, as in Python: `from_utf8_lossy` would accept any bytes.
    String::from_utf8(bytes).map_err(|_| parse_error("the reward file is not UTF-8"))
}

fn parsed(text: &str) -> Result<Json, Fault> {
    loads(text).map_err(|error| match error {
        JsonError::Malformed(reason) => parse_error(reason),
        JsonError::TooDeep => Fault::new("RecursionError", "reward.json is nested too deeply"),
    })
}

/// Validates the document as pydantic does: it is null, or an object of numbers or of strings that
/// read as numbers.
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

/// Returns a fault with Python's class for the error's number; OSError if it has none.
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
