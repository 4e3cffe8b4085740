//! Shared code for tests of a built plugin: macros that call it, a [`Fixture`] whose objects release themselves, and a
//! runner for named tests, [`Registry`].
//!
//! `PI_TEST_PLUGIN` names the plugin under test.
#![expect(unsafe_code, reason = "the tests call plugins")]
#![allow(missing_debug_implementations, reason = "tests print none of these")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::not_unsafe_ptr_arg_deref,
    clippy::macro_metavars_in_unsafe,
    clippy::print_stdout,
    missing_docs,
    reason = "a test fails by panicking; what its calls promise stands at the macros that make them"
)]

pub mod child;
mod events;
mod exports;
mod fixture;
mod image;
mod objects;
mod run;
pub mod signals;
mod under_test;

pub use events::{Gate, status, wait};
pub use exports::{exported_names, interface_names};
pub use fixture::Fixture;
pub use image::image_desc;
pub use objects::{Kernel, Program, Usm};
pub use run::{Case, Expected, Registry};
pub use under_test::{devices, last_error, open, platform, plugin_file, under_test};

/// Calls an entry point of a table and returns its code.
#[macro_export]
macro_rules! code {
    ($pi:expr, $name:ident($($arg:expr),* $(,)?)) => {
        // SAFETY: handles belong to the plugin. Pointers belong to the test, and are valid during the call.
        unsafe { ($pi.$name.expect(stringify!($name)))($($arg),*) }
    };
}

/// Calls an entry point, which must succeed.
#[macro_export]
macro_rules! ok {
    ($pi:expr, $name:ident($($arg:expr),* $(,)?)) => {{
        let code = $crate::code!($pi, $name($($arg),*));
        assert_eq!(code, 0, "{}: {}", stringify!($name), $crate::last_error($pi));
    }};
}

/// Calls an entry point, which must return one of the codes, and returns its text.
#[macro_export]
macro_rules! fails {
    ($pi:expr, $name:ident($($arg:expr),* $(,)?), $($code:expr),+) => {{
        let code = $crate::code!($pi, $name($($arg),*));
        let text = $crate::last_error($pi);
        assert!([$($code),+].contains(&code), "{} answered {code}: {text}", stringify!($name));
        text
    }};
}
