//! A complete runner for `read_reward`, `aggregate` and `pass_at_k`, with Rust's standard library
//! alone.
//!
//! Build it, and judge it:
//!
//! ```text
//! rustc -O --edition 2021 -o rust-example main.rs
//! pytest parity/ --runner-cmd ./rust-example
//! ```
//!
//! This file is the conversation, and `wire` has its messages. Every other module is one thing that
//! Python does with rewards, and that Rust does differently or not at all.

mod aggregate;
mod big_int;
mod decimal;
mod dict;
mod fault;
mod lax_number;
mod number;
mod pass_at_k;
mod python_float;
mod python_json;
mod read_reward;
mod series;
mod summation;
mod text;
mod wire;

use fault::Fault;
use series::Series;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use wire::{Answer, Question, Value};

fn main() -> ExitCode {
    match converse(&mut io::stdin().lock(), &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("rust-example: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Answers the kit's hello, and then all questions in order, until the input ends.
///
/// A line that is no message of the protocol ends the program, because an answer needs an id.
fn converse(input: &mut impl BufRead, output: &mut impl Write) -> Result<(), String> {
    let Some(line) = next_line(input)? else {
        return Ok(());
    };
    let series = wire::read_hello(&line)?;
    say(output, wire::HELLO)?;
    while let Some(line) = next_line(input)? {
        let question = wire::read_question(&line)?;
        let answer = answer(&question, series)?;
        say(output, &wire::answer(&question.id, &answer))?;
    }
    Ok(())
}

fn next_line(input: &mut impl BufRead) -> Result<Option<String>, String> {
    let mut line = String::new();
    match input.read_line(&mut line) {
        Ok(0) => Ok(None),
        Ok(_) => Ok(Some(line)),
        Err(error) => Err(format!("cannot read a line: {error}")),
    }
}

fn say(output: &mut impl Write, line: &str) -> Result<(), String> {
    // Without the flush, the kit would wait for an answer that is still in the buffer.
    output
        .write_all(line.as_bytes())
        .and_then(|()| output.flush())
        .map_err(|error| format!("cannot write a line: {error}"))
}

fn answer(question: &Question, series: Series) -> Result<Answer, String> {
    let input = &question.input;
    Ok(match question.operation.as_str() {
        "read_reward" => {
            let directory = wire::directory(input)?;
            value_or_fault(read_reward::read_reward(&directory, series).map(wire::rewards_or_null))
        }
        "aggregate" => {
            let (metric, rewards) = wire::metric_and_rewards(input)?;
            value_or_fault(aggregate::aggregate(&metric, &rewards, series).map(wire::rewards))
        }
        "pass_at_k" => {
            let trials = wire::trials(input)?;
            value_or_fault(pass_at_k::pass_at_k(&trials, series).map(wire::groups))
        }
        other => Answer::Unsupported(format!("no {other} here")),
    })
}

fn value_or_fault(result: Result<Value, Fault>) -> Answer {
    match result {
        Ok(value) => Answer::Value(value),
        Err(fault) => Answer::Fault(fault),
    }
}
