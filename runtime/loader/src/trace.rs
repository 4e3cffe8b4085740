//! `SYCL_PI_TRACE`: bit 1 records the plugins that were tried, bit 2 every call with its arguments and its result.
//!
//! The records go to the `log` crate with the target [`TRACE_TARGET`] at level Info. The library itself prints nothing;
//! the program's logger decides. A value that is not a number enables nothing.
#![expect(unsafe_code, reason = "shows the caller's pointers")]

use std::any::TypeId;
use std::ffi::{CStr, c_char};
use std::fmt::Write as _;
use std::sync::OnceLock;
use std::time::Instant;

use crate::error::CallError;

/// The variable that enables records.
pub const TRACE_VARIABLE: &str = "SYCL_PI_TRACE";

/// The target of the records.
pub const TRACE_TARGET: &str = "sycl_pi_trace";

const DISCOVERY: i32 = 1;
const CALLS: i32 = 2;

/// Returns the value of the variable, which is read only once.
fn asked() -> i32 {
    static ASKED: OnceLock<i32> = OnceLock::new();
    *ASKED.get_or_init(|| std::env::var(TRACE_VARIABLE).map_or(0, |value| number(&value)))
}

fn number(value: &str) -> i32 {
    value.trim().parse().unwrap_or(0)
}

/// Returns whether calls are recorded.
pub fn traces_calls() -> bool {
    asked() & CALLS != 0
}

/// Records how a plugin was found, if the variable requests it.
pub(crate) fn discovery(line: impl FnOnce() -> String) {
    if asked() & DISCOVERY != 0 {
        log::info!(target: TRACE_TARGET, "{TRACE_VARIABLE}[basic]: {}", line());
    }
}

/// An argument of a call that can be shown as text.
pub(crate) trait Shown: Copy {
    /// Formats the value.
    fn show(self) -> String;

    /// Returns the value that a call wrote to an output address.
    ///
    /// # Safety
    /// An address that is not null points to such a value.
    unsafe fn answer(self) -> Option<String> {
        None
    }
}

macro_rules! plain {
    ($($ty:ty)*) => { $(
        impl Shown for $ty {
            fn show(self) -> String {
                self.to_string()
            }
        }
    )* };
}

plain!(u8 i32 u32 u64 usize f32 bool);

impl<T: 'static> Shown for *const T {
    fn show(self) -> String {
        if !self.is_null() && TypeId::of::<T>() == TypeId::of::<c_char>() {
            // SAFETY: character arguments that calls do not write end with a zero byte.
            let text = unsafe { CStr::from_ptr(self.cast()) }.to_string_lossy();
            return format!("{:?}", text.chars().take(120).collect::<String>());
        }
        self.cast_mut().show()
    }
}

impl<T: 'static> Shown for *mut T {
    fn show(self) -> String {
        if self.is_null() { "null".into() } else { format!("{self:p}") }
    }

    unsafe fn answer(self) -> Option<String> {
        if self.is_null() || !self.is_aligned() {
            return None;
        }
        // SAFETY: guaranteed by the caller; numbers and handles have 4 or 8 bytes.
        unsafe {
            match size_of::<T>() {
                4 => Some(self.cast::<u32>().read().to_string()),
                8 => Some(format!("{:#x}", self.cast::<u64>().read())),
                _ => None,
            }
        }
    }
}

impl<F: Copy> Shown for Option<F> {
    fn show(self) -> String {
        if self.is_some() { "a function".into() } else { "null".into() }
    }
}

/// Returns the value that a call wrote through a parameter, if it is an output.
///
/// # Safety
/// The call has succeeded. If the parameter is an address, it is null or valid.
pub(crate) unsafe fn answer(name: &str, argument: impl Shown) -> Option<String> {
    // SAFETY: guaranteed by the caller.
    if is_answer(name) { unsafe { argument.answer() } } else { None }
}

/// Returns whether a parameter with this name is an output: a handle, a count or a size.
fn is_answer(name: &str) -> bool {
    const NAMES: [&str; 13] = [
        "event",
        "queue",
        "device",
        "context",
        "program",
        "kernel",
        "mem",
        "platform",
        "nativeHandle",
        "sync_point",
        "result_ptr",
        "selected_binary_ind",
        "GlobalVariablePointerRet",
    ];
    let parts = ["ret_", "res_", "result_", "num_", "out_num_"];
    NAMES.contains(&name) || name.ends_with("_ret") || parts.iter().any(|part| name.starts_with(part))
}

/// A call that is recorded when it returns.
pub(crate) struct Call {
    line: String,
    start: Instant,
}

impl Call {
    pub(crate) fn new(function: &str, arguments: &[(&str, String)]) -> Self {
        let mut line = format!("---> {function}(");
        for (index, (name, value)) in arguments.iter().enumerate() {
            let _ = write!(line, "{}{name} = {value}", if index == 0 { "" } else { ", " });
        }
        line.push(')');
        Self { line, start: Instant::now() }
    }

    pub(crate) fn done(mut self, result: &Result<(), CallError>, answers: &[(&str, Option<String>)]) {
        let took = self.start.elapsed();
        match result {
            Ok(()) => self.line.push_str(" = PI_SUCCESS"),
            Err(error) => {
                let _ = write!(self.line, ": {error}");
            }
        }
        for (name, answer) in answers {
            if let Some(answer) = answer {
                let _ = write!(self.line, ", *{name} = {answer}");
            }
        }
        let _ = write!(self.line, " [{:.1} us]", took.as_secs_f64() * 1e6);
        log::info!(target: TRACE_TARGET, "{}", self.line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_bit_by_bit() {
        assert_eq!(number("1") & CALLS, 0);
        assert_eq!((number("-1") & CALLS, number("-1") & DISCOVERY), (CALLS, DISCOVERY));
        assert_eq!(number("2") & DISCOVERY, 0);
        assert_eq!(number("yes"), 0);
    }

    #[test]
    fn arguments_and_answers_are_shown() {
        assert_eq!(c"_ZTS1K".as_ptr().show(), "\"_ZTS1K\"");
        assert_eq!(std::ptr::null::<c_char>().show(), "null");
        assert_eq!(Some(drop::<u32> as fn(u32)).show(), "a function");
        assert_eq!(None::<fn(u32)>.show(), "null");
        let mut count = 3_u32;
        // SAFETY: valid, or null.
        unsafe {
            assert_eq!((&raw mut count).answer().as_deref(), Some("3"));
            assert_eq!(std::ptr::null_mut::<u32>().answer(), None);
        }
        assert!(is_answer("ret_mem") && is_answer("param_value_size_ret") && !is_answer("param_value"));
    }
}
