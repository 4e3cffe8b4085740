//! Connections of loaders: which layout a loader speaks, and the tables that it gets.
//!
//! A loader asks for one table after another (`urGet...ProcAddrTable`), always in the same order, and never tells its layout: five
//! layouts say that they are version 0x0c. But the tables lie in one structure of the loader. So the distance between the first
//! two tells the layout. The first table must be filled before that; its functions are the same in all layouts.
//!
//! Several loaders may use this library in one process, each with a layout of its own. So `urAdapterGet`, the one function without
//! a handle among its arguments, exists once per connection. Everything else learns its loader from the handles.

use std::cell::Cell;
use std::ffi::c_void;

use parking_lot::Mutex;
use sycl_pi_backend::{Backend, Error, Result, fence};
use sycl_ur_core::*;

use crate::adapter;
use crate::convert::{self, error};
use crate::handle::Origin;

/// Loaders that can be connected in one process.
pub const MAX_CONNECTIONS: usize = 8;

/// One function: its table, its slot in each layout, and the functions of older layouts.
pub struct Entry {
    /// The table's name: `Enqueue`.
    pub table: &'static str,
    /// Slot per layout, in the order of [`Layout::ALL`].
    pub slots: [Option<u16>; Layout::ALL.len()],
    /// The function of the newest layout that has it.
    pub function: Function,
    /// The functions of earlier layouts, up to and including the given one, oldest first.
    pub older: Vec<(Layout, Function)>,
}

/// The address of a C function.
#[derive(Clone, Copy)]
pub struct Function(pub *const c_void);

// SAFETY: the address of a function, which any thread may call.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

impl Entry {
    fn in_layout(&self, layout: Layout) -> Option<(u16, Function)> {
        let older = self.older.iter().find(|(until, _)| layout <= *until);
        let function = older.map_or(self.function, |(_, function)| *function);
        self.slots[layout as usize].map(|slot| (slot, function))
    }
}

/// A loader that has asked for its first table.
#[derive(Clone, Copy)]
struct Connection {
    /// The address of the loader's first table: the start of its structure of tables.
    tables: usize,
    /// Known from the second table on.
    layout: Option<Layout>,
}

static CONNECTIONS: Mutex<[Option<Connection>; MAX_CONNECTIONS]> = Mutex::new([None; MAX_CONNECTIONS]);

thread_local! {
    /// The connection that this thread is making. A loader asks for all tables on one thread.
    static CONNECTING: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The loader of a connection. None before it has asked for its second table.
pub fn origin(connection: usize) -> Option<Origin> {
    let connection = (*CONNECTIONS.lock().get(connection)?)?;
    Some(Origin { word: connection.tables, layout: connection.layout? })
}

/// Fills a loader's table: what every exported function does.
///
/// # Safety
///
/// `table` is null or points to the table of that name of a loader.
pub unsafe fn get_table<B: Backend>(
    getter: &'static str,
    name: &str,
    version: ur_api_version_t,
    table: *mut c_void,
    entries: &[Entry],
) -> ur_result_t {
    convert::result(fence::call_at_any_time(getter, || {
        // SAFETY: passed on.
        unsafe {
            match name {
                "Adapter" => fill_first::<B>(getter == "urGetGlobalProcAddrTable", version, table, entries),
                _ => fill(name, version, table, entries),
            }
        }
    }))
}

/// Fills the first table, `Adapter`, called `Global` until 2025.2.
///
/// # Safety
///
/// `table` is null or points to that table of a loader.
unsafe fn fill_first<B: Backend>(
    is_global: bool,
    version: ur_api_version_t,
    table: *mut c_void,
    entries: &[Entry],
) -> Result<()> {
    CONNECTING.set(None);
    check(version, table)?;
    // The functions of all layouts with this first table are the same, in the same slots.
    let layout = Layout::ALL
        .into_iter()
        .find(|layout| {
            layout.api_version() == version && (layout.first_table_name() == "Global") == is_global
        })
        .ok_or_else(|| unknown(format!("another first table than version {version:#x} has")))?;
    let connection = connect(table.addr())?;
    // SAFETY: a table of this layout.
    unsafe {
        write(entries.iter().filter(|entry| entry.table == "Adapter"), layout, table);
        table.cast::<*const c_void>().write_unaligned(adapter::get_functions::<B>()[connection].0);
    }
    CONNECTING.set(Some(connection));
    Ok(())
}

/// Fills any other table.
///
/// # Safety
///
/// `table` is null or points to that table of a loader.
unsafe fn fill(name: &str, version: ur_api_version_t, table: *mut c_void, entries: &[Entry]) -> Result<()> {
    check(version, table)?;
    let Some(index) = CONNECTING.get() else {
        return Err(unknown(format!("the table {name} before the first one")));
    };
    let layout = layout_of(index, version, table.addr())?;
    // SAFETY: a table of this layout.
    unsafe { write(entries.iter().filter(|entry| entry.table == name), layout, table) };
    Ok(())
}

/// The layout of a connection. The second table tells it.
fn layout_of(index: usize, version: ur_api_version_t, table: usize) -> Result<Layout> {
    let mut connections = CONNECTIONS.lock();
    let Some(connection) = connections.get_mut(index).and_then(Option::as_mut) else {
        return Err(unknown("a table without a connection".to_owned()));
    };
    if let Some(layout) = connection.layout {
        return Ok(layout);
    }
    let distance = table.wrapping_sub(connection.tables);
    match Layout::from_distance(distance).filter(|layout| layout.api_version() == version) {
        Some(layout) => {
            log::info!("connected to a loader of DPC++ {}", layout.name());
            connection.layout = Some(layout);
            Ok(layout)
        }
        None => {
            connections[index] = None;
            CONNECTING.set(None);
            Err(unknown(format!("version {version:#x} with {distance} bytes between its first two tables")))
        }
    }
}

/// A place for a loader. One that connects again, after a tear-down, gets its old place.
fn connect(tables: usize) -> Result<usize> {
    let mut connections = CONNECTIONS.lock();
    let known = connections.iter().position(|place| place.is_some_and(|known| known.tables == tables));
    let free = || connections.iter().position(Option::is_none);
    let Some(index) = known.or_else(free) else {
        let text = format!("more than {MAX_CONNECTIONS} loaders in one process");
        return Err(error(UR_RESULT_ERROR_OUT_OF_RESOURCES, text));
    };
    connections[index] = Some(Connection { tables, layout: None });
    Ok(index)
}

fn check(version: ur_api_version_t, table: *mut c_void) -> Result<()> {
    if table.is_null() {
        return Err(crate::view::null_pointer("pDdiTable"));
    }
    if !Layout::ALL.iter().any(|layout| layout.api_version() == version) {
        return Err(unknown(format!("version {version:#x}")));
    }
    Ok(())
}

/// The refusal of a loader whose tables are not known. It ends in the log, as loaders drop an adapter without a word.
#[cold]
fn unknown(what: String) -> Error {
    let known: Vec<_> = Layout::ALL.iter().map(|layout| layout.name()).collect();
    let text = format!(
        "this loader of Unified Runtime is not known ({what}); known are the layouts of DPC++ {}. A newer release needs a \
         newer adapter",
        known.join(", ")
    );
    log::error!("{text}");
    error(UR_RESULT_ERROR_UNSUPPORTED_VERSION, text)
}

/// # Safety
///
/// `table` is a table of that layout, for the functions of these entries.
unsafe fn write<'e>(entries: impl Iterator<Item = &'e Entry>, layout: Layout, table: *mut c_void) {
    for (slot, function) in entries.filter_map(|entry| entry.in_layout(layout)) {
        // SAFETY: the slot is in the table of this layout (golden tests of ur-core hold the list to that).
        unsafe { table.cast::<*const c_void>().add(usize::from(slot)).write_unaligned(function.0) };
    }
}
