//! Failed calls of adapters.

use std::fmt;

use sycl_ur_core::{enumeration, ur_result_t};

/// A call of an adapter that failed. `Debug` formats the same sentence as `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct AdapterCallError {
    /// The function's C name.
    pub function: &'static str,
    /// The adapter's code.
    pub result: ur_result_t,
    /// The adapter's own message, if it has one.
    pub text: Option<Box<str>>,
}

impl fmt::Display for AdapterCallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { function, result, text } = self;
        match result_name(*result) {
            Some(name) => write!(f, "{function} failed: {name} ({result})")?,
            None => write!(f, "{function} failed: unknown code {result}")?,
        }
        text.as_ref().map_or(Ok(()), |text| write!(f, ": {text}"))
    }
}

impl fmt::Debug for AdapterCallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for AdapterCallError {}

/// Returns the name of a result code of UR, or `None` for a number that UR does not define.
pub fn result_name(result: ur_result_t) -> Option<&'static str> {
    let (name, _) = enumeration("ur_result_t")?.items.iter().find(|(_, value)| *value == result)?;
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_call_is_named_with_its_code_and_the_adapters_message() {
        let error = |result, text: Option<&str>| {
            let error = AdapterCallError { function: "urQueueCreate", result, text: text.map(Into::into) };
            assert_eq!(format!("{error:?}"), error.to_string());
            error.to_string()
        };
        let told = "urQueueCreate failed: UR_RESULT_ERROR_ADAPTER_SPECIFIC (66): the driver says no";
        assert_eq!(error(66, Some("the driver says no")), told);
        assert_eq!(error(66, None), "urQueueCreate failed: UR_RESULT_ERROR_ADAPTER_SPECIFIC (66)");
        assert_eq!(error(0x7fff_0000, None), "urQueueCreate failed: unknown code 2147418112");
    }
}
