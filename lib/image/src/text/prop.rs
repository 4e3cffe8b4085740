//! `.prop`: property sets as text, `[set]` lines and `name=type|value` lines, as `sycl-post-link` writes them and
//! `clang-offload-wrapper` reads them.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use super::base64::{self, DigitsProblem};
use crate::error::TextError;
use crate::parts::{Property, PropertySet, Value};
use crate::room::OutOfMemory;

/// Reads a property file; `file` is its name in messages. A repeated set continues the earlier one; a repeated property
/// is an error.
pub fn read_prop(file: &str, text: &str) -> Result<Vec<PropertySet<'static>>, TextError> {
    let mut sets: Vec<PropertySet<'static>> = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut names = HashSet::new();
    let mut current: Option<usize> = None;
    for (at, line) in text.lines().enumerate() {
        let error = |problem: String| TextError::new(file, at + 1, problem);
        if line.is_empty() {
            continue;
        }
        if line.contains('\r') {
            return Err(error("the line contains a carriage return".into()));
        }
        if let Some(rest) = line.strip_prefix('[') {
            let name = rest.rfind(']').and_then(|end| rest.get(..end));
            let name = name.ok_or_else(|| error("the line starts with [ and has no ]".into()))?;
            current = Some(*numbers.entry(name).or_insert_with(|| {
                sets.push(PropertySet::new(name.to_owned()));
                sets.len() - 1
            }));
            continue;
        }
        let Some((number, set)) = current.and_then(|number| Some((number, sets.get_mut(number)?))) else {
            return Err(error("a property comes before the first [set] line".into()));
        };
        let (name, value) = property(line).map_err(|problem| match problem {
            Problem::Line(problem) => error(problem),
            Problem::Memory(problem) => TextError::memory(file, at + 1, problem),
        })?;
        if !names.insert((number, name)) {
            return Err(error(format!("property \"{name}\" appears twice")));
        }
        set.properties.push(Property::new(name.to_owned(), value));
    }
    Ok(sets)
}

/// The problem with a line.
enum Problem {
    Line(String),
    Memory(OutOfMemory),
}

impl From<&str> for Problem {
    fn from(problem: &str) -> Self {
        Problem::Line(problem.into())
    }
}

impl From<DigitsProblem> for Problem {
    fn from(problem: DigitsProblem) -> Self {
        match problem {
            DigitsProblem::Memory(error) => Problem::Memory(error),
            other => Problem::Line(other.to_string()),
        }
    }
}

fn property(line: &str) -> Result<(&str, Value<'static>), Problem> {
    let (name, rest) = line.split_once('=').ok_or("a property is written name=type|value")?;
    let (kind, value) = rest.split_once('|').ok_or("a property is written name=type|value")?;
    if name.is_empty() {
        return Err("the property has no name".into());
    }
    let value = match kind {
        "1" => Value::Uint32(
            value.parse().map_err(|_| Problem::Line(format!("{value:?} is not a 32-bit number")))?,
        ),
        "2" => Value::ByteArray(base64::decode(value)?.into()),
        other => {
            return Err(Problem::Line(format!(
                "{other:?} is not a type, which is 1 (number) or 2 (byte array)"
            )));
        }
    };
    Ok((name, value))
}

/// Writes a property file. A name or value that the format cannot represent is an error.
pub fn write_prop(file: &str, sets: &[PropertySet<'_>]) -> Result<String, TextError> {
    let mut text = String::new();
    let mut line = 0;
    for set in sets {
        line += 1;
        if set.name.contains(['\n', '\r']) {
            return Err(TextError::new(file, line, "a set's name has a line break"));
        }
        // Writing to a String cannot fail.
        let _ = writeln!(text, "[{}]", set.name);
        for property in &set.properties {
            line += 1;
            let name = &property.name;
            if name.is_empty() || name.starts_with('[') || name.contains(['=', '\n', '\r']) {
                return Err(TextError::new(file, line, format!("the format cannot hold the name {name:?}")));
            }
            let _ = match &property.value {
                Value::Uint32(number) => writeln!(text, "{name}=1|{number}"),
                Value::ByteArray(bytes) => writeln!(text, "{name}=2|{}", base64::encode(bytes)),
                Value::Other(kind, _) => {
                    let problem = format!("the format cannot hold type {kind} of property {name:?}");
                    return Err(TextError::new(file, line, problem));
                }
            };
        }
    }
    Ok(text)
}
