//! A job for a process: kernels by seed and number, and the statements to omit.

use std::fmt;
use std::str::FromStr;

use anyhow::{Context, Error, Result};

use crate::generate::has_sub_groups;
use crate::node::Dropped;

/// A kernel without some of its statements.
#[derive(Clone, Debug)]
pub(crate) struct One {
    pub(crate) index: u64,
    pub(crate) dropped: Dropped,
}

/// Kernels of one module.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) seed: u64,
    /// Whether to return all bytes of the results instead of only their hash.
    pub(crate) full: bool,
    pub(crate) kernels: Vec<One>,
}

impl Job {
    /// Creates a job of whole kernels.
    pub(crate) fn of(seed: u64, indices: &[u64]) -> Self {
        let kernels = indices.iter().map(|&index| One { index, dropped: Dropped::new() }).collect();
        Self { seed, full: false, kernels }
    }

    /// Creates a job of one kernel without some of its statements, with all bytes.
    pub(crate) fn single(seed: u64, index: u64, dropped: &Dropped) -> Self {
        Self { seed, full: true, kernels: vec![One { index, dropped: dropped.clone() }] }
    }

    /// Returns whether its kernels require sub-groups of a size.
    pub(crate) fn has_sub_groups(&self) -> bool {
        self.kernels.first().is_some_and(|one| has_sub_groups(one.index))
    }
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.seed, u8::from(self.full))?;
        for one in &self.kernels {
            write!(f, " {}", one.index)?;
            one.dropped.iter().try_for_each(|number| write!(f, ",{number}"))?;
        }
        Ok(())
    }
}

impl FromStr for Job {
    type Err = Error;

    fn from_str(line: &str) -> Result<Self> {
        let mut words = line.split_whitespace();
        let seed = words.next().context("a seed is missing")?.parse()?;
        let full = words.next() == Some("1");
        let kernels = words
            .map(|word| {
                let mut numbers = word.split(',');
                let index = numbers.next().unwrap_or_default().parse()?;
                let dropped = numbers.map(|number| Ok(number.parse()?)).collect::<Result<_>>()?;
                Ok(One { index, dropped })
            })
            .collect::<Result<_>>()?;
        Ok(Self { seed, full, kernels })
    }
}
