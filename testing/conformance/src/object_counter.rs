//! A library that counts a driver's objects, to detect objects that a plugin leaks.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_char;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

use crate::env::Env;
use crate::outcome::{Verdict, check};

type Ask = unsafe extern "C" fn(*mut c_char, usize) -> usize;

/// The numbers of live objects by kind.
pub(crate) type Counts = BTreeMap<String, i64>;

/// The number of cases after which the process's own objects are released, whatever the counts are. Making them anew
/// after each case takes longer than most cases.
const KEPT: u32 = 16;

/// An open object counter, and its output before the first case.
pub(crate) struct ObjectCounter {
    ask: Ask,
    before: Counts,
    /// The number of cases that have used the process's own objects.
    cases: Cell<u32>,
}

impl ObjectCounter {
    /// Opens an object counter. It has to be loaded before the plugin.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        // SAFETY: the user who names the file trusts its initializers.
        let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) };
        let library = library.with_context(|| path.display().to_string())?;
        // SAFETY: an object counter's function of that name has this type (testing/robustness/object-counters/counter.h).
        let ask = *unsafe { library.get::<Ask>(b"count_objects\0") }.context("it has no `count_objects`")?;
        std::mem::forget(library);
        Ok(Self { ask, before: Counts::new(), cases: Cell::new(0) })
    }

    /// Records the current objects as those that may remain: the driver is initialized, and no case has run.
    pub(crate) fn begin(&mut self) -> Result<()> {
        self.before = self.counts();
        if self.before.is_empty() {
            bail!("the object counter sees no driver");
        }
        Ok(())
    }

    /// Makes the process's own objects, which the next case then does not seem to leak, and returns the counts.
    pub(crate) fn before_case(&self, env: &Env) -> Counts {
        // A case for which they cannot be made fails by itself.
        let _ = env.queue().and_then(|_| env.program());
        self.counts()
    }

    fn counts(&self) -> Counts {
        let mut text = vec![0_u8; 1 << 16];
        // SAFETY: there is room for this size.
        let length = unsafe { (self.ask)(text.as_mut_ptr().cast(), text.len()) }.min(text.len());
        let text = String::from_utf8_lossy(&text[..length]).into_owned();
        let lines = text.lines().filter_map(|line| line.rsplit_once(' '));
        lines.filter_map(|(kind, count)| Some((kind.to_owned(), count.parse().ok()?))).collect()
    }

    /// Checks that the counts are those before the case. If they are not, releases the process's own objects too, and
    /// checks that the counts are those before the first case. Drivers may take a moment.
    pub(crate) fn balance(&self, env: &Env, call: &str, before_case: &Counts) -> Verdict {
        self.cases.set(self.cases.get() + 1);
        let keeps = !self.cases.get().is_multiple_of(KEPT);
        if keeps && self.returns_to(before_case, Duration::from_millis(20)).is_empty() {
            return Ok(());
        }
        env.close();
        let off = self.returns_to(&self.before, Duration::from_secs(2));
        check(call, off.is_empty(), "as many of the driver's objects as before", off.join(", "))
    }

    /// Waits for the counts to be those of an earlier moment. Returns what still differs after the time.
    fn returns_to(&self, before: &Counts, time: Duration) -> Vec<String> {
        let start = Instant::now();
        loop {
            let now = self.counts();
            let count = |counts: &Counts, kind: &String| counts.get(kind).copied().unwrap_or(0);
            let kinds: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
            let off: Vec<String> = kinds
                .into_iter()
                .map(|kind| (kind, count(&now, kind) - count(before, kind)))
                .filter(|(_, change)| *change != 0)
                .map(|(kind, change)| format!("{kind}: {change:+}"))
                .collect();
            if off.is_empty() || start.elapsed() > time {
                return off;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}
