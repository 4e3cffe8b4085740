//! How many processes were killed so far, and what the checks found.

use std::collections::HashMap;
use std::fmt;

use anyhow::{Result, bail};

/// The longest time in milliseconds that a program may take after the kills.
const LONGEST_MS: u64 = 5000;

#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    pub(crate) rounds: u64,
    pub(crate) kills: u64,
    programs: u64,
    hits: u64,
    items: u64,
    longest_ms: u64,
}

impl Progress {
    /// Adds the output of `run`. A wait without result, or a long one, is an error.
    pub(crate) fn ran(&mut self, numbers: &HashMap<String, u64>) -> Result<()> {
        self.programs += number(numbers, "programs")?;
        self.hits += number(numbers, "hits")?;
        let (timeouts, longest) = (number(numbers, "timeouts")?, number(numbers, "longest_ms")?);
        self.longest_ms = self.longest_ms.max(longest);
        if timeouts > 0 || longest > LONGEST_MS {
            bail!("{timeouts} waits for a program without result, the longest wait took {longest} ms");
        }
        Ok(())
    }

    /// Adds the output of `verify`. A damaged item is an error.
    pub(crate) fn verified(&mut self, numbers: &HashMap<String, u64>) -> Result<()> {
        self.items += number(numbers, "items")?;
        match number(numbers, "damaged")? {
            0 => Ok(()),
            damaged => bail!("{damaged} items do not verify"),
        }
    }
}

fn number(numbers: &HashMap<String, u64>, name: &str) -> Result<u64> {
    match numbers.get(name) {
        Some(number) => Ok(*number),
        None => bail!("the checking process did not print {name}"),
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rounds, kills, programs, hits, items, longest_ms } = self;
        write!(
            f,
            "{rounds} rounds, {kills} processes killed, {items} items verified, {programs} programs right ({hits} from \
             the disk), the slowest in {longest_ms} ms"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(&str, u64)]) -> HashMap<String, u64> {
        pairs.iter().map(|(name, number)| ((*name).to_owned(), *number)).collect()
    }

    #[test]
    fn damage_and_waits_are_errors() {
        let mut progress = Progress::default();
        progress.verified(&of(&[("items", 3), ("damaged", 0)])).unwrap();
        assert!(progress.verified(&of(&[("items", 3), ("damaged", 1)])).is_err());
        assert!(progress.verified(&of(&[("items", 3)])).is_err());
        let run = |timeouts, longest| {
            of(&[("programs", 64), ("hits", 60), ("timeouts", timeouts), ("longest_ms", longest)])
        };
        progress.ran(&run(0, 12)).unwrap();
        assert!(progress.ran(&run(1, 12)).is_err() && progress.ran(&run(0, 20_000)).is_err());
    }
}
