//! The operations through PI.

mod bench;
mod context;
mod device;
mod enqueue;
mod event;
mod kernel;
mod mem;
mod program;
mod queue;
mod usm;

use anyhow::Result;

use self::bench::Bench;
use super::{Case, Cases, case, nothing, ok};
use crate::driver::Driver;
use crate::objects::Objects;
use crate::plugins::{self, Plugins};
use crate::which::Which;

/// Loads the plugins. Returns their PI version and all operations.
pub(super) fn cases(
    which: &Which,
    driver: &'static Driver,
    objects: &'static Objects,
) -> Result<(String, Vec<Case>)> {
    let plugins: &Plugins = Box::leak(Box::new(plugins::load(which)?));
    let (ours, vendor) = (plugins.ours.table(), plugins.vendor.table());
    let only = which.only.clone();
    let mut bench = Bench { ours: (ours, ()), vendor: (vendor, ()), driver, objects, only, list: Vec::new() };
    for family in [
        device::add,
        context::add,
        queue::add,
        mem::add,
        usm::add,
        program::add,
        kernel::add,
        event::add,
        enqueue::add,
    ] {
        family(&mut bench);
    }
    Ok((plugins.vendor.version.text().to_owned(), bench.list))
}
