//! The error of a call: a code, and a message that tells the user how to fix it.

use std::borrow::Cow;
use std::fmt;

use crate::types::ErrorCode;

/// The result type of everything behind the C boundary.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error code and a message. It is one pointer wide, so that a `Result` stays in registers.
pub struct Error(Box<Detail>);

struct Detail {
    code: ErrorCode,
    text: Cow<'static, str>,
}

impl Error {
    /// Creates an error with a code and the message that an interface's last-error query returns.
    #[cold]
    pub fn new(code: ErrorCode, text: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Detail { code, text: text.into() }))
    }

    /// `ErrorCode::INVALID_VALUE`.
    #[cold]
    pub fn invalid_value(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorCode::INVALID_VALUE, text)
    }

    /// Creates the error for a feature that this backend or its driver does not support:
    /// `ErrorCode::UNSUPPORTED_FEATURE`.
    #[cold]
    pub fn unsupported(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorCode::UNSUPPORTED_FEATURE, text)
    }

    /// Returns the error code.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// Returns the message.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Prepends `context` to the message.
    #[cold]
    pub fn context(mut self, context: impl fmt::Display) -> Self {
        self.0.text = format!("{context}: {}", self.0.text).into();
        self
    }

    /// Prepends the name of the faulty parameter, as the front's interface spells it, to the message.
    ///
    /// The backend does not know that name. `names` maps error codes to names; a name is used only if the call has a
    /// parameter with that name.
    #[cold]
    pub fn naming(self, names: &[(ErrorCode, &str)], is_parameter: impl Fn(&str) -> bool) -> Self {
        let candidates = names.iter().filter(|(code, _)| *code == self.code()).map(|(_, name)| *name);
        match candidates.into_iter().find(|name| is_parameter(name)) {
            Some(name) if !has_word(self.text(), name) => self.context(name),
            _ => self,
        }
    }

    /// Returns the error with the same message and another code.
    #[cold]
    pub fn with_code(mut self, code: ErrorCode) -> Self {
        self.0.code = code;
        self
    }
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|other| other == word)
}

/// Creates an error out of line, so that the path of a successful call stays short.
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
