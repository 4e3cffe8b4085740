//! Why kernels differ: by known faults of the driver, or else by the few statements that are left of them.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use regex::Regex;

use crate::generate;
use crate::kernel::Kernel;
use crate::node::Dropped;
use crate::pool::Plugin;
use crate::shrink::{self, Sides};

/// A construct that a driver is known to compute wrongly.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    name: String,
    pattern: Regex,
}

impl std::str::FromStr for Fault {
    type Err = anyhow::Error;

    /// Parses `NAME=REGEX`. The expression matches a line of each statement with the construct.
    fn from_str(text: &str) -> Result<Self> {
        let (name, pattern) = text.split_once('=').context("a fault is NAME=REGEX")?;
        Ok(Self { name: name.to_owned(), pattern: Regex::new(pattern)? })
    }
}

/// Two plugins that differ on kernels, and what is known about the second one.
pub(crate) struct Comparison<'a> {
    pub(crate) reference: &'a Plugin,
    pub(crate) plugin: &'a Plugin,
    pub(crate) seed: u64,
    pub(crate) known: &'a [Fault],
    /// The maximum number of kernels to reduce.
    pub(crate) most: usize,
}

impl Comparison<'_> {
    /// Returns the kernels that do not differ without the statements of known faults, each with the names of the
    /// faults. Prints others, reduced.
    pub(crate) fn explain(&self, numbers: &[u64], processes: usize) -> Result<BTreeMap<u64, String>> {
        let (queue, left) = (Mutex::new(numbers.iter()), Mutex::new(self.most));
        let explained = Mutex::new(BTreeMap::new());
        let work = || {
            loop {
                let Some(&index) = lock(&queue).next() else { return Ok(()) };
                let kernel = generate::kernel(self.seed, index);
                let mut sides = Sides::new(self.reference, self.plugin);
                if let Some(names) = self.faults(&mut sides, &kernel)? {
                    lock(&explained).insert(index, names);
                } else if takes_one(&mut lock(&left)) {
                    let without = self.known_statements(&kernel).into_values().flatten().collect();
                    let text = shrink::shrink(&mut sides, self.seed, &kernel, without)?;
                    println!("seed {}, kernel {index}:\n{text}", self.seed);
                }
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..processes.max(1)).map(|_| scope.spawn(work)).collect();
            threads
                .into_iter()
                .try_for_each(|thread| thread.join().unwrap_or_else(|_| bail!("a thread ended")))
        })?;
        Ok(explained.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the known faults without which the kernel does not differ: one, if it suffices.
    fn faults(&self, sides: &mut Sides<'_>, kernel: &Kernel) -> Result<Option<String>> {
        let found = self.known_statements(kernel);
        for (name, statements) in &found {
            if sides.differing(self.seed, kernel, statements)?.is_none() {
                return Ok(Some((*name).to_owned()));
            }
        }
        let all = found.values().flatten().copied().collect();
        if found.len() < 2 || sides.differing(self.seed, kernel, &all)?.is_some() {
            return Ok(None);
        }
        Ok(Some(found.into_keys().collect::<Vec<_>>().join(" and ")))
    }

    /// Returns the kernel's statements with known faults, by the fault.
    fn known_statements(&self, kernel: &Kernel) -> BTreeMap<&str, Dropped> {
        self.known
            .iter()
            .map(|fault| (fault.name.as_str(), kernel.statements_with(&fault.pattern)))
            .filter(|(_, statements)| !statements.is_empty())
            .collect()
    }
}

fn takes_one(left: &mut usize) -> bool {
    let has = *left > 0;
    *left = left.saturating_sub(1);
    has
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
