//! The tables that a loader receives.
//!
//! The first table must be filled before the layout is known, but its functions are the same in all layouts. Several
//! loaders may use this library in one process, each with its own layout. `urAdapterGet`, the only function without a
//! handle among its arguments, therefore exists once per connection. All other functions get their loader from the
//! handles.
#![expect(unsafe_code, reason = "the function tables that C code reads")]

use std::ffi::c_void;

use sycl_pi_backend::{Result, fence};
use sycl_ur_core::*;

use crate::adapter;
use crate::connection::{self, MAX_CONNECTIONS};
use crate::convert;

/// The table of one function, its slot in each layout, and the functions of older layouts.
#[derive(Debug)]
pub struct Entry {
    /// The table's name, such as `Enqueue`.
    pub table: &'static str,
    /// The slot in each layout, in the order of [`Layout::ALL`].
    pub slots: [Option<u16>; Layout::ALL.len()],
    /// The function of the newest layout that has it.
    pub function: Function,
    /// The functions of earlier layouts, up to and including the given one, oldest first.
    pub older: Vec<(Layout, Function)>,
}

/// The address of a C function.
#[derive(Clone, Copy, Debug)]
pub struct Function(pub *const c_void);

// SAFETY: this is the address of a function, which any thread may call.
unsafe impl Send for Function {}
// SAFETY: same as above.
unsafe impl Sync for Function {}

impl Entry {
    fn in_layout(&self, layout: Layout) -> Option<(u16, Function)> {
        let older = self.older.iter().find(|(until, _)| layout <= *until);
        let function = older.map_or(self.function, |(_, function)| *function);
        self.slots[layout as usize].map(|slot| (slot, function))
    }
}

/// Fills a loader's table. Every exported function calls this.
///
/// # Safety
///
/// `table` must be null or point to the loader's table of that name.
pub unsafe fn get_table(
    getter: &'static str, name: &str, version: ur_api_version_t, table: *mut c_void, entries: &[Entry],
) -> ur_result_t {
    convert::result(fence::call_at_any_time(getter, || {
        // SAFETY: guaranteed by the caller.
        unsafe {
            match name {
                "Adapter" => fill_first(getter == "urGetGlobalProcAddrTable", version, table, entries),
                _ => fill(name, version, table, entries),
            }
        }
    }))
}

/// Fills the first table, `Adapter`, called `Global` until 2025.2.
///
/// # Safety
///
/// `table` must be null or point to that table of a loader.
unsafe fn fill_first(
    is_global: bool, version: ur_api_version_t, table: *mut c_void, entries: &[Entry],
) -> Result<()> {
    let (connection, layout) = connection::begin(is_global, version, table.addr())?;
    // SAFETY: this is a table of this layout.
    unsafe {
        write(entries.iter().filter(|entry| entry.table == "Adapter"), layout, table);
        table.cast::<*const c_void>().write_unaligned(adapter_get()[connection].0);
    }
    Ok(())
}

/// Fills any other table.
///
/// # Safety
///
/// `table` must be null or point to that table of a loader.
unsafe fn fill(name: &str, version: ur_api_version_t, table: *mut c_void, entries: &[Entry]) -> Result<()> {
    let layout = connection::layout(version, table.addr())?;
    // SAFETY: this is a table of this layout.
    unsafe { write(entries.iter().filter(|entry| entry.table == name), layout, table) };
    Ok(())
}

/// The `urAdapterGet` function of each connection.
fn adapter_get() -> [Function; MAX_CONNECTIONS] {
    let [a, b, c, d, e, f, g, h] = [
        get_of::<0>,
        get_of::<1>,
        get_of::<2>,
        get_of::<3>,
        get_of::<4>,
        get_of::<5>,
        get_of::<6>,
        get_of::<7>,
    ]
    .map(|function: Get| Function(function as *const c_void));
    [a, b, c, d, e, f, g, h]
}

type Get = unsafe extern "C" fn(u32, *mut ur_adapter_handle_t, *mut u32) -> ur_result_t;

/// # Safety
///
/// Same as for `urAdapterGet`.
unsafe extern "C" fn get_of<const CONNECTION: usize>(
    capacity: u32, adapters: *mut ur_adapter_handle_t, count: *mut u32,
) -> ur_result_t {
    convert::result(fence::call_at_any_time("urAdapterGet", || {
        // SAFETY: the caller of a C function guarantees its pointers.
        unsafe { adapter::write(CONNECTION, capacity, adapters, count) }
    }))
}

/// # Safety
///
/// `table` must be a table of that layout, for the functions of these entries.
unsafe fn write<'e>(entries: impl Iterator<Item = &'e Entry>, layout: Layout, table: *mut c_void) {
    for (slot, function) in entries.filter_map(|entry| entry.in_layout(layout)) {
        // SAFETY: the slot is in the table of this layout (golden tests of ur-core check the list for this).
        unsafe { table.cast::<*const c_void>().add(usize::from(slot)).write_unaligned(function.0) };
    }
}
