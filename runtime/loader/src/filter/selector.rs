//! `ONEAPI_DEVICE_SELECTOR`: terms of the form `backend:devices`, with accepting terms first and then discarding terms
//! (`!`).
//!
//! ```text
//! selector = term { ";" term }         term    = [ "!" ] backend ":" device { "," device }
//! backend  = "*" | "opencl" | ...      device  = ( "*" | "cpu" | "gpu" | "acc" | "fpga" | number )
//!                                                [ "." part [ "." part ] ]   with part = "*" | number
//! ```
//! Case does not matter. If all terms discard, every other device is accepted.

use super::device_id::DeviceId;
use super::names::{BACKENDS, device_type, similar_backend};
use crate::DeviceType;

/// A parsed selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    terms: Vec<Term>,
}

/// One `backend:devices` term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    text: String,
    discards: bool,
    /// `None` for `*`.
    backend: Option<&'static str>,
    devices: Vec<Pattern>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Pattern {
    text: String,
    root: Root,
    /// Whether it names sub-devices, which then replace the root device.
    sub_devices: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Root {
    Any,
    Kind(DeviceType),
    Number(u32),
}

/// A selector's verdict on a device.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The device is visible.
    Accepted,
    /// Only its sub-devices of this pattern are visible.
    OnlySubDevices(String),
    /// No term names the device.
    NotNamed,
    /// This term discards the device.
    Discarded(String),
}

/// A selector that cannot be read. For most of these, runtimes end the program with an exception.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ONEAPI_DEVICE_SELECTOR: in \"{term}\": {problem}")]
pub struct SelectorError {
    /// The term, or the whole value.
    pub term: String,
    /// The problem.
    pub problem: String,
}

impl Selector {
    /// Parses a selector. An empty text is an error, because a runtime treats it as an unset variable.
    ///
    /// # Errors
    /// The error names the invalid term, the problem, and what was probably meant.
    pub fn parse(text: &str) -> Result<Self, SelectorError> {
        let error = |problem: &str| SelectorError { term: text.into(), problem: problem.into() };
        let mut terms: Vec<Term> = Vec::new();
        for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let term = Term::parse(part)?;
            if !term.discards && terms.iter().any(|earlier| earlier.discards) {
                return Err(error("terms that discard (with \"!\") must come after all terms that accept"));
            }
            terms.push(term);
        }
        if terms.is_empty() {
            return Err(error("there is no term; unset the variable, or write \"*:*\" for all devices"));
        }
        Ok(Self { terms })
    }

    /// Returns the terms in order.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Returns the selector's verdict on a device.
    pub fn verdict(&self, id: DeviceId<'_>) -> Verdict {
        let mut accepting = self.terms.iter().filter(|term| !term.discards).peekable();
        let accepted = if accepting.peek().is_none() {
            Verdict::Accepted
        } else {
            let patterns: Vec<&Pattern> = accepting.filter_map(|term| term.matching(id)).collect();
            match patterns.as_slice() {
                [] => return Verdict::NotNamed,
                [only, ..] if patterns.iter().all(|pattern| pattern.sub_devices) => {
                    Verdict::OnlySubDevices(only.text.clone())
                }
                _ => Verdict::Accepted,
            }
        };
        let whole = |term: &&Term| term.matching(id).is_some_and(|pattern| !pattern.sub_devices);
        let discarding = self.terms.iter().filter(|term| term.discards).find(whole);
        discarding.map_or(accepted, |term| Verdict::Discarded(term.text.clone()))
    }
}

impl Term {
    /// Returns the term as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn parse(text: &str) -> Result<Self, SelectorError> {
        let error = |problem: String| SelectorError { term: text.into(), problem };
        let lower = text.to_ascii_lowercase();
        let (discards, body) = match lower.strip_prefix('!') {
            Some(rest) => (true, rest.trim_start()),
            None => (false, lower.as_str()),
        };
        let mut parts = body.split(':');
        let (Some(backend), Some(devices), None) = (parts.next(), parts.next(), parts.next()) else {
            return Err(error(match body.matches(':').count() {
                0 => no_colon(body),
                _ => "there is more than one colon; a term is backend:devices".into(),
            }));
        };
        let backend = read_backend(backend.trim(), devices).map_err(error)?;
        let named = devices.split(',').map(str::trim).filter(|device| !device.is_empty());
        let devices = named.map(read_device).collect::<Result<Vec<_>, _>>().map_err(error)?;
        if devices.is_empty() {
            return Err(error(format!("no device is named; write \"{body}*\" for all of them")));
        }
        Ok(Self { text: text.into(), discards, backend, devices })
    }

    fn matching(&self, id: DeviceId<'_>) -> Option<&Pattern> {
        if self.backend.is_some_and(|backend| backend != id.backend) {
            return None;
        }
        let matches = |pattern: &&Pattern| match pattern.root {
            Root::Any => true,
            Root::Kind(kind) => kind == id.kind,
            Root::Number(number) => number == id.number,
        };
        let whole = self.devices.iter().filter(|pattern| !pattern.sub_devices).find(matches);
        whole.or_else(|| self.devices.iter().find(matches))
    }
}

fn no_colon(body: &str) -> String {
    let backend =
        |name: &str| format!("a term is backend:devices; write \"{name}:*\" for all of its devices");
    if device_type(body).is_some() || body.parse::<u32>().is_ok() {
        return format!("a term needs a backend; write \"*:{body}\"");
    }
    match similar_backend(body) {
        Some(meant) => backend(meant),
        None => "a term is backend:devices, such as opencl:cpu".into(),
    }
}

fn read_backend(word: &str, devices: &str) -> Result<Option<&'static str>, String> {
    if word == "*" {
        return Ok(None);
    }
    if let Some(known) = BACKENDS.into_iter().find(|name| *name == word) {
        return Ok(Some(known));
    }
    Err(match similar_backend(word) {
        _ if word.is_empty() => format!("the backend is missing; write \"*:{devices}\""),
        _ if device_type(word).is_some() => {
            format!("\"{word}\" is a device type, no backend; write \"*:{word}\"")
        }
        Some(meant) => format!("there is no backend \"{word}\"; did you mean \"{meant}\"?"),
        None => format!("there is no backend \"{word}\"; the backends are *, {}", BACKENDS.join(", ")),
    })
}

fn read_device(text: &str) -> Result<Pattern, String> {
    let mut parts = text.split('.');
    let first = parts.next().unwrap_or_default();
    let root = match (first, device_type(first), first.parse()) {
        ("*", ..) => Root::Any,
        (_, Some(kind), _) => Root::Kind(kind),
        (_, _, Ok(number)) => Root::Number(number),
        _ => return Err(no_device(first)),
    };
    let mut wild = matches!(root, Root::Any);
    let mut levels = 0;
    for part in parts {
        levels += 1;
        if levels > 2 {
            return Err(format!("\"{text}\" has three levels; sub-devices have at most two"));
        }
        if let Root::Kind(kind) = root {
            return Err(format!(
                "\"{text}\": sub-devices are asked for by number or *, not by type; write \"*.*\" or the number \
                 of the {kind}"
            ));
        }
        match (part, part.parse::<u32>()) {
            ("*", _) => wild = true,
            (_, Ok(_)) if wild => {
                return Err(format!("\"{text}\": after a * only another * can follow"));
            }
            (_, Ok(_)) => {}
            _ => return Err(format!("\"{text}\": \"{part}\" is not a sub-device; write a number or *")),
        }
    }
    Ok(Pattern { text: text.into(), root, sub_devices: levels > 0 })
}

fn no_device(word: &str) -> String {
    let hint = match word {
        "accelerator" => "; write \"acc\"",
        "host" => "; release 2023.0 removed the host device",
        _ => "; write a number, *, cpu, gpu, acc or fpga",
    };
    format!("\"{word}\" is not a device{hint}")
}

#[cfg(test)]
mod tests;
