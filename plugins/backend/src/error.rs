//! The error of a call: a code, and a message that says what to do next.

use std::borrow::Cow;
use std::fmt;

use crate::types::ErrorCode;

/// Result of everything behind the boundary.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error code and a message. One pointer wide, so that a `Result` stays in registers.
pub struct Error(Box<Detail>);

struct Detail {
    code: ErrorCode,
    text: Cow<'static, str>,
}

impl Error {
    /// An error with a code and the message that the last-error query of an interface gives.
    #[cold]
    pub fn new(code: ErrorCode, text: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Detail { code, text: text.into() }))
    }

    /// `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn invalid_value(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorCode::INVALID_VALUE, text)
    }

    /// A feature that this backend or its driver does not have: `ErrorCode::UNSUPPORTED_FEATURE`.
    #[cold]
    pub fn unsupported(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorCode::UNSUPPORTED_FEATURE, text)
    }

    /// The code for the caller.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// The message.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The same error with `context` in front of its text.
    #[cold]
    pub fn context(mut self, context: impl fmt::Display) -> Self {
        self.0.text = format!("{context}: {}", self.0.text).into();
        self
    }

    /// The same error with the name that a front's interface has for what it is about, in front of its text.
    ///
    /// A backend does not know that name. `names` has it by code; it counts where the call has a parameter of that name.
    #[cold]
    pub fn naming(self, names: &[(ErrorCode, &str)], is_parameter: impl Fn(&str) -> bool) -> Self {
        let candidates = names.iter().filter(|(code, _)| *code == self.code()).map(|(_, name)| *name);
        match candidates.into_iter().find(|name| is_parameter(name)) {
            Some(name) if !has_word(self.text(), name) => self.context(name),
            _ => self,
        }
    }

    /// The same text under another code.
    #[cold]
    pub fn with_code(mut self, code: ErrorCode) -> Self {
        self.0.code = code;
        self
    }
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|other| other == word)
}

/// Makes an error out of line, so that the path of a successful call stays short.
#[cold]
#[inline(never)]
pub fn cold_error<F: FnOnce() -> Error>(make: F) -> Error {
    make()
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({}: {})", self.0.code, self.0.text)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [(ErrorCode, &str); 2] =
        [(ErrorCode::INVALID_DEVICE, "hDevice"), (ErrorCode::INVALID_DEVICE, "phDevices")];

    fn named(text: &'static str, parameters: &[&str]) -> String {
        Error::new(ErrorCode::INVALID_DEVICE, text)
            .naming(&NAMES, |name| parameters.contains(&name))
            .text()
            .to_owned()
    }

    #[test]
    fn an_error_gets_the_name_that_the_call_has_for_what_it_is_about() {
        assert_eq!(named("is none", &["hContext", "phDevices"]), "phDevices: is none");
        assert_eq!(named("is none", &["hContext"]), "is none");
    }

    #[test]
    fn a_name_that_the_text_has_is_not_repeated() {
        assert_eq!(named("hDevice is null", &["hDevice"]), "hDevice is null");
        assert_eq!(named("hDevices are null", &["hDevice"]), "hDevice: hDevices are null");
    }

    #[test]
    fn an_error_of_another_code_stays_as_it_is() {
        assert_eq!(Error::invalid_value("is none").naming(&NAMES, |_| true).text(), "is none");
    }
}
