//! The results of a case, which passes, fails, or is skipped because the device lacks a feature.

use std::fmt::Display;

use serde::{Deserialize, Serialize};
use sycl_pi_core::*;
use sycl_pi_loader::{CallError, result_name};
use sycl_ur_core::ur_result_t;
use testing_ur_host::bridge;

use crate::skip;
use crate::values::{InWords, UrResult, ur_name};

/// The result of a case's body.
pub(crate) type Verdict<T = ()> = Result<T, Failure>;

/// Why a case did not pass.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The plugin behaved differently than required.
    Fail(Box<Fail>),
    /// The device, the driver or the PI version lacks what the case needs.
    Skip(String),
}

/// A wrong outcome.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Fail {
    /// The C call.
    pub(crate) call: String,
    /// The expected result.
    pub(crate) expected: String,
    /// The actual result.
    pub(crate) got: String,
    /// The plugin's last error message.
    pub(crate) text: Option<String>,
    /// Whether all was right except for references that are left over.
    #[serde(default)]
    pub(crate) is_leak: bool,
    /// The code in PI, if a call failed.
    #[serde(skip)]
    pub(crate) code: Option<pi_result>,
}

impl Fail {
    /// More references to the context, the queue and the program that cases share than before the case.
    pub(crate) fn leak(before: &[Option<u32>; 3], after: &[Option<u32>; 3]) -> Self {
        let expected = format!("no more references than before: {}", references(before));
        Self { expected, got: references(after), is_leak: true, ..Self::default() }
    }
}

/// Returns the counts of the process's own objects, in words.
fn references(counts: &[Option<u32>; 3]) -> String {
    let named = ["context", "queue", "program"].into_iter().zip(counts);
    let known = named.filter_map(|(name, count)| Some(format!("{name} {}", (*count)?)));
    known.collect::<Vec<_>>().join(", ")
}

/// The end of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outcome {
    Passed,
    Failed,
    Crashed,
    Hung,
    Skipped,
}

/// Codes that a refusal may have.
#[derive(Clone, Copy)]
pub(crate) struct Codes {
    /// The interface's own codes: OpenCL's code for the error.
    pub(crate) native: &'static [pi_result],
    /// The codes of vendors' later plugins, whose bridge loses information.
    pub(crate) bridge: &'static [pi_result],
}

pub(crate) const fn codes(native: &'static [pi_result], bridge: &'static [pi_result]) -> Codes {
    Codes { native, bridge }
}

macro_rules! code_sets {
    ($($name:ident = [$($native:ident),*] [$($bridge:ident),*];)*) => {
        $(pub(crate) const $name: Codes = codes(&[$($native),*], &[$($bridge),*]);)*
    };
}

code_sets! {
    VALUE = [PI_ERROR_INVALID_VALUE] [];
    SIZE = [PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_BUFFER_SIZE] [];
    BUFFER_SIZE = [PI_ERROR_INVALID_BUFFER_SIZE] [PI_ERROR_INVALID_VALUE];
    PLATFORM = [PI_ERROR_INVALID_PLATFORM] [PI_ERROR_INVALID_VALUE];
    DEVICE = [PI_ERROR_INVALID_DEVICE] [PI_ERROR_INVALID_VALUE];
    CONTEXT = [PI_ERROR_INVALID_CONTEXT] [PI_ERROR_INVALID_VALUE];
    QUEUE = [PI_ERROR_INVALID_QUEUE] [PI_ERROR_INVALID_VALUE];
    QUEUE_PROPERTIES = [PI_ERROR_INVALID_QUEUE_PROPERTIES] [PI_ERROR_INVALID_VALUE];
    MEM = [PI_ERROR_INVALID_MEM_OBJECT] [PI_ERROR_INVALID_VALUE];
    HOST_PTR = [PI_ERROR_INVALID_HOST_PTR] [PI_ERROR_INVALID_VALUE];
    SAMPLER = [PI_ERROR_INVALID_SAMPLER] [PI_ERROR_INVALID_VALUE];
    PROGRAM = [PI_ERROR_INVALID_PROGRAM] [PI_ERROR_INVALID_VALUE];
    KERNEL = [PI_ERROR_INVALID_KERNEL] [PI_ERROR_INVALID_VALUE];
    EVENT = [PI_ERROR_INVALID_EVENT] [PI_ERROR_INVALID_VALUE];
    WAIT_LIST = [PI_ERROR_INVALID_EVENT_WAIT_LIST] [PI_ERROR_INVALID_VALUE];
    UNBUILT = [PI_ERROR_INVALID_PROGRAM_EXECUTABLE] [];
    OPERATION = [PI_ERROR_INVALID_OPERATION] [PI_ERROR_UNSUPPORTED_FEATURE];
    UNSUPPORTED = [PI_ERROR_INVALID_OPERATION, PI_ERROR_UNSUPPORTED_FEATURE] [];
    PROFILING = [PI_ERROR_PROFILING_INFO_NOT_AVAILABLE] [];
    COMMAND_BUFFER = [PI_ERROR_INVALID_COMMAND_BUFFER_KHR] [PI_ERROR_INVALID_VALUE];
    OTHER_CONTEXT = [PI_ERROR_INVALID_CONTEXT] [PI_ERROR_INVALID_MEM_OBJECT];
    IMAGE_DESC = [PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR, PI_ERROR_INVALID_IMAGE_DESCRIPTOR] [PI_ERROR_INVALID_VALUE];
}

impl Codes {
    fn in_words(self, strict: bool) -> String {
        let more: &[pi_result] = if strict { &[] } else { self.bridge };
        let names: Vec<String> = self.native.iter().chain(more).map(|code| code_name(*code)).collect();
        if !skip::is_through_ur() {
            return names.join(" or ");
        }
        // The bridge converts several results to one code, and some codes stand for none.
        let mut of_ur = Vec::new();
        for name in &names {
            let results = bridge::results_of(name);
            // This code stands for more than a reader can take in.
            let shown = if name == "PI_ERROR_INVALID_VALUE" { 1 } else { results.len() };
            of_ur.extend(results.into_iter().take(shown));
        }
        let more = if of_ur.contains(&"UR_RESULT_ERROR_INVALID_VALUE") { ANOTHER } else { "" };
        if of_ur.is_empty() { names.join(" or ") } else { of_ur.join(" or ") + more }
    }
}

/// The results that the bridge converts to `PI_ERROR_INVALID_VALUE`, beside the one of that name.
const ANOTHER: &str = ", or a result for one kind of argument, such as UR_RESULT_ERROR_INVALID_NULL_POINTER";

/// Returns the name of a result code.
pub(crate) fn code_name(code: pi_result) -> String {
    match result_name(code) {
        Some(name) => name.to_owned(),
        None => format!("unknown code {code}"),
    }
}

/// Returns the code of a failed call and the plugin's message. The code of an adapter is its own.
pub(crate) fn answer(error: CallError) -> String {
    match Failure::of_call(error, "") {
        Failure::Fail(fail) => match fail.text {
            Some(text) => format!("{}: {text}", fail.got),
            None => fail.got,
        },
        Failure::Skip(reason) => reason,
    }
}

impl Failure {
    pub(crate) fn skip(reason: &str) -> Self {
        Failure::Skip(reason.to_owned())
    }

    pub(crate) fn fail(call: &str, expected: impl Display, got: impl Display) -> Self {
        let (expected, got) = (expected.to_string(), got.to_string());
        Failure::Fail(Box::new(Fail { call: call.to_owned(), expected, got, ..Fail::default() }))
    }

    /// Returns the failure for a call with an unexpected result.
    pub(crate) fn of_call(error: CallError, expected: &str) -> Self {
        match error {
            CallError::Missing { function, version } => match table::entry_point(function) {
                Some(entry) if entry.slot(version).is_none() => Failure::skip(skip::NOT_IN_VERSION),
                Some(_) if skip::is_through_ur() => Failure::skip(skip::NO_COUNTERPART),
                _ => Failure::fail(function, "a function in the table", "a null pointer"),
            },
            CallError::Failed { function, code, text } => {
                let by = bridge::failed_call(function, code);
                Failure::Fail(Box::new(Fail {
                    call: by.map_or(function, |by| by.function).to_owned(),
                    expected: expected.to_owned(),
                    got: by.map_or_else(|| code_name(code), |by| ur_name(by.result)),
                    text: text.map(Into::into),
                    code: Some(code),
                    ..Fail::default()
                }))
            }
            other => Failure::fail("", expected, other),
        }
    }
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        Failure::of_call(error, "PI_SUCCESS")
    }
}

/// Checks a call that has to be refused, and returns the message of the refusal.
pub(crate) fn refusal(
    name: &str,
    strict: bool,
    result: Result<(), CallError>,
    codes: Codes,
) -> Verdict<String> {
    // Codes that came through UR are limited to those of UR.
    let own_codes_only = strict && !skip::is_through_ur();
    let expected = codes.in_words(own_codes_only);
    match result {
        Ok(()) => Err(Failure::fail(name, expected, "PI_SUCCESS")),
        Err(CallError::Failed { function, code, text })
            if codes.native.contains(&code) || (!own_codes_only && codes.bridge.contains(&code)) =>
        {
            match text {
                Some(text) => Ok(text.into()),
                None if strict => {
                    let got = format!("{} without a text", code_name(code));
                    Err(Failure::fail(function, "a text that piPluginGetLastError gives", got))
                }
                None => Ok(String::new()),
            }
        }
        Err(error) => Err(Failure::of_call(error, &expected)),
    }
}

/// Adds to a failure which of several attempts it was.
pub(crate) fn named<T>(what: impl Display, verdict: Verdict<T>) -> Verdict<T> {
    verdict.map_err(|wrong| match wrong {
        Failure::Fail(mut fail) => {
            fail.call = format!("{} ({what})", fail.call);
            Failure::Fail(fail)
        }
        skip => skip,
    })
}

/// Checks that two values are the same.
pub(crate) fn same<T: PartialEq + InWords>(what: &str, expected: T, got: T) -> Verdict {
    if expected == got {
        return Ok(());
    }
    let (expected, got) = (expected.in_words(), got.in_words());
    Err(Failure::fail(what, around(&expected, &got), around(&got, &expected)))
}

/// Checks the code of a call of UR.
pub(crate) fn same_code(what: &str, expected: ur_result_t, got: ur_result_t) -> Verdict {
    same(what, UrResult(expected), UrResult(got))
}

/// Returns the part of a long text around the first difference from another.
fn around(text: &str, other: &str) -> String {
    const ROOM: usize = 160;
    if text.len() <= ROOM {
        return text.to_owned();
    }
    let at = text.chars().zip(other.chars()).take_while(|(one, two)| one == two).count();
    let start = at.saturating_sub(ROOM / 2);
    let part: String = text.chars().skip(start).take(ROOM).collect();
    let before = if start > 0 { "..." } else { "" };
    format!("{before}{part}...")
}

/// Checks a condition.
pub(crate) fn check(what: &str, holds: bool, expected: impl Display, got: impl Display) -> Verdict {
    if holds { Ok(()) } else { Err(Failure::fail(what, expected, got)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_references_have_the_names_of_their_objects() {
        assert_eq!(references(&[Some(2), Some(1), None]), "context 2, queue 1");
    }
}
