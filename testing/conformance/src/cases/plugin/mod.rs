//! The start, the end and the last error of the plugin.

mod init;
mod last_error;
mod library;
mod tear_down;
mod threads;

pub(crate) use threads::{Table, together};

use crate::case::Case;

pub(super) const CASES: &[&[Case]] =
    &[init::CASES, library::CASES, last_error::CASES, threads::CASES, tear_down::CASES];
