//! The operations through Unified Runtime.

mod bench;
mod device;
mod enqueue;
mod event;
mod handles;
mod kernel;
mod mem;
mod program;
mod queue;
mod usm;

use std::path::Path;

use anyhow::{Context, Result};
use testing_ur_host::{Adapter, Calls, Layout};

use self::bench::Bench;
use self::handles::Handles;
use super::{Case, Cases, case, nothing, ok};
use crate::driver::Driver;
use crate::objects::Objects;
use crate::plugins::check_two_files;
use crate::which::Which;

/// Loads the adapters for that layout. Returns all operations.
pub(super) fn cases(
    which: &Which,
    layout: Layout,
    driver: &'static Driver,
    objects: &'static Objects,
) -> Result<Vec<Case>> {
    check_two_files(&which.ours, &which.vendor)?;
    let (ours, vendor) = (side(&which.ours, layout, objects)?, side(&which.vendor, layout, objects)?);
    let mut bench = Bench { ours, vendor, driver, objects, only: which.only.clone(), list: Vec::new() };
    for family in
        [device::add, queue::add, mem::add, usm::add, program::add, kernel::add, event::add, enqueue::add]
    {
        family(&mut bench);
    }
    Ok(bench.list)
}

/// Loads one adapter by path, because libraries with the same soname then stay separate.
fn side(path: &Path, layout: Layout, objects: &Objects) -> Result<(&'static Calls, &'static Handles)> {
    let load = || {
        // SAFETY: an adapter, named by the person who measures it.
        let calls = unsafe { Adapter::open(path) }?.connect(layout)?.calls;
        let handles = Handles::new(&calls, objects)?;
        anyhow::Ok((calls, handles))
    };
    let (calls, handles) = load().with_context(|| path.display().to_string())?;
    Ok((Box::leak(Box::new(calls)), Box::leak(Box::new(handles))))
}
