//! A library that counts a driver's objects, to detect objects that a plugin leaks.

use std::collections::BTreeMap;
use std::ffi::c_char;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

use crate::env::Env;
use crate::outcome::{Verdict, check};

type Ask = unsafe extern "C" fn(*mut c_char, usize) -> usize;

/// An open object counter, and its output before the first case.
pub(crate) struct ObjectCounter {
    ask: Ask,
    before: BTreeMap<String, i64>,
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
        Ok(Self { ask, before: BTreeMap::new() })
    }

    /// Records the current objects as those that may remain: the driver is initialized, and no case has run.
    pub(crate) fn begin(&mut self) -> Result<()> {
        self.before = self.counts();
        if self.before.is_empty() {
            bail!("the object counter sees no driver");
        }
        Ok(())
    }

    fn counts(&self) -> BTreeMap<String, i64> {
        let mut text = vec![0_u8; 1 << 16];
        // SAFETY: there is room for this size.
        let length = unsafe { (self.ask)(text.as_mut_ptr().cast(), text.len()) }.min(text.len());
        let text = String::from_utf8_lossy(&text[..length]).into_owned();
        let lines = text.lines().filter_map(|line| line.rsplit_once(' '));
        lines.filter_map(|(kind, count)| Some((kind.to_owned(), count.parse().ok()?))).collect()
    }

    /// Releases the process's own objects, and checks that the counts are the same as before. Drivers may take a
    /// moment.
    pub(crate) fn balance(&self, env: &Env, call: &str) -> Verdict {
        env.close();
        let start = Instant::now();
        loop {
            let now = self.counts();
            let before = |kind: &str| self.before.get(kind).copied().unwrap_or(0);
            let off: Vec<String> = now
                .iter()
                .filter(|(kind, count)| **count != before(kind))
                .map(|(kind, count)| format!("{kind}: {:+}", count - before(kind)))
                .collect();
            if off.is_empty() {
                return Ok(());
            }
            if start.elapsed() > Duration::from_secs(2) {
                return check(call, false, "as many of the driver's objects as before", off.join(", "));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}
