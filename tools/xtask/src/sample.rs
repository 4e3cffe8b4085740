//! The part of a whole that the tests take each day, if the whole takes too long for every run.
//!
//! `PI_TEST_DAY=20000 cargo xtask test` takes that of another day again, and `PI_TEST_DAY=all` the whole.

use std::fmt::Display;

use testing_support::day::{self, VARIABLE};

/// Returns `count` of `all` in their order, and prints which. Other days take others, and so do those with another
/// number `who` on the same day. `part` is that of the tests.
pub(crate) fn of_the_day<T: Copy + Display>(
    what: &str,
    part: &str,
    all: &[T],
    count: usize,
    who: usize,
) -> Vec<T> {
    from_command(what, &format!("cargo xtask test --only {part}"), all, count, who)
}

/// Works like [`of_the_day`] for a check, which `command` runs.
pub(crate) fn from_command<T: Copy + Display>(
    what: &str,
    command: &str,
    all: &[T],
    count: usize,
    who: usize,
) -> Vec<T> {
    let Some(day) = day::of_sample().filter(|_| !all.is_empty()) else { return all.to_vec() };
    let taken = at(all, count, day + who);
    let names: Vec<String> = taken.iter().map(T::to_string).collect();
    let (of, taken_names) = (all.len(), names.join(", "));
    println!("{what}: of {of}, a sample ({VARIABLE}={day}): {taken_names}. All: {VARIABLE}=all {command}");
    taken
}

fn at<T: Copy>(all: &[T], count: usize, day: usize) -> Vec<T> {
    let start = day.wrapping_mul(count);
    let is_taken = |place: usize| (0..count).any(|one| (start + one) % all.len() == place);
    all.iter().enumerate().filter(|(place, _)| is_taken(*place)).map(|(_, item)| *item).collect()
}

#[cfg(test)]
mod tests {
    use super::at;

    #[test]
    fn every_part_comes_within_as_many_days_as_there_are_parts() {
        let all = ["a", "b", "c", "d", "e"];
        for count in 1..=2 {
            let days = all.len().div_ceil(count);
            let mut taken: Vec<&str> = (20_000..20_000 + days).flat_map(|day| at(&all, count, day)).collect();
            taken.sort_unstable();
            taken.dedup();
            assert_eq!(taken, all);
        }
    }

    #[test]
    fn a_part_is_in_the_order_of_the_whole() {
        assert_eq!(at(&["a", "b", "c", "d", "e"], 2, 7), ["a", "e"]);
    }
}
