//! The day whose sample of a long test is taken.

use std::time::{SystemTime, UNIX_EPOCH};

/// The variable with the day, for `cargo xtask test`, for test programs and for scripts.
pub const VARIABLE: &str = "PI_TEST_DAY";

/// Returns the number in [`VARIABLE`], or the days since 1970. `None` is the whole, for `all`.
pub fn of_sample() -> Option<usize> {
    let today = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() / 86_400);
    match std::env::var(VARIABLE) {
        Ok(text) if text == "all" => None,
        Ok(text) => Some(text.parse().unwrap_or_else(|_| today() as usize)),
        Err(_) => Some(today() as usize),
    }
}
