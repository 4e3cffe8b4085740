//! Connections of loaders: which layout a loader speaks.
//!
//! A loader asks for one table after another (`urGet...ProcAddrTable`), always in the same order, and never tells its layout: five
//! layouts say that they are version 0x0c. But the tables lie in one structure of the loader. So the distance between the first
//! two tells the layout.

use std::cell::Cell;

use parking_lot::Mutex;
use sycl_pi_backend::{Error, Result};
use sycl_ur_core::*;

use crate::convert::error;
use crate::handle::Origin;

/// Loaders that can be connected in one process.
pub(crate) const MAX_CONNECTIONS: usize = 8;

/// A loader that has asked for its first table.
#[derive(Clone, Copy)]
struct Connection {
    /// The address of the loader's first table: the start of its structure of tables.
    tables: usize,
    /// Known from the second table on.
    layout: Option<Layout>,
    /// Whether its runtime has released the adapter: the place may go to another loader.
    is_over: bool,
}

static CONNECTIONS: Mutex<[Option<Connection>; MAX_CONNECTIONS]> = Mutex::new([None; MAX_CONNECTIONS]);

thread_local! {
    /// The connection that this thread is making. A loader asks for all tables on one thread.
    static CONNECTING: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The loader of a connection. None before it has asked for its second table.
pub(crate) fn origin(connection: usize) -> Option<Origin> {
    let connection = (*CONNECTIONS.lock().get(connection)?)?;
    Some(Origin { word: connection.tables, layout: connection.layout? })
}

/// Notes whether a loader's runtime uses the adapter.
pub(crate) fn set_in_use(origin: Origin, is_in_use: bool) {
    let mut connections = CONNECTIONS.lock();
    let of_loader = connections.iter_mut().flatten().find(|known| known.tables == origin.word);
    if let Some(connection) = of_loader {
        connection.is_over = !is_in_use;
    }
}

/// A loader that speaks one of the layouts whose adapter handles are wrapped.
pub(crate) fn any_wrapping_origin() -> Option<Origin> {
    let connections = *CONNECTIONS.lock();
    let layouts = connections.iter().flatten().filter_map(|known| Some((known.tables, known.layout?)));
    let mut origins = layouts.map(|(word, layout)| Origin { word, layout });
    origins.find(|origin| origin.layout <= Layout::V2025_2)
}

/// Begins a connection with the first table, called `Global` until 2025.2. Answers its number, and a layout that has the same
/// first table: the functions in it are the same, in the same slots.
///
/// # Errors
///
/// `UR_RESULT_ERROR_UNSUPPORTED_VERSION`, `UR_RESULT_ERROR_OUT_OF_RESOURCES` for too many loaders.
pub(crate) fn begin(is_global: bool, version: ur_api_version_t, table: usize) -> Result<(usize, Layout)> {
    CONNECTING.set(None);
    check(version, table)?;
    let fits = |layout: &Layout| {
        layout.api_version() == version && (layout.first_table_name() == "Global") == is_global
    };
    let layout = Layout::ALL
        .into_iter()
        .find(fits)
        .ok_or_else(|| unknown(format!("another first table than version {version:#x} has")))?;
    let connection = place_of(table)?;
    CONNECTING.set(Some(connection));
    Ok((connection, layout))
}

/// The layout of the connection that this thread is making. The second table tells it.
///
/// # Errors
///
/// `UR_RESULT_ERROR_UNSUPPORTED_VERSION`; the connection is then over.
pub(crate) fn layout(version: ur_api_version_t, table: usize) -> Result<Layout> {
    check(version, table)?;
    let index = CONNECTING.get().ok_or_else(|| unknown("another table before the first one".to_owned()))?;
    let mut connections = CONNECTIONS.lock();
    let Some(connection) = connections.get_mut(index).and_then(Option::as_mut) else {
        return Err(unknown("a table without a connection".to_owned()));
    };
    if let Some(layout) = connection.layout {
        return Ok(layout);
    }
    let distance = table.wrapping_sub(connection.tables);
    let layout = Layout::from_distance(distance).filter(|layout| layout.api_version() == version);
    if layout.is_none() {
        connections[index] = None;
        CONNECTING.set(None);
    } else {
        connection.layout = layout;
    }
    // A callback of a loader may get the record, so no lock is held.
    drop(connections);
    match layout {
        Some(layout) => {
            log::info!("connected to a loader of DPC++ {}", layout.name());
            Ok(layout)
        }
        None => {
            Err(unknown(format!("version {version:#x} with {distance} bytes between its first two tables")))
        }
    }
}

/// A place for a loader. One that connects again, after a tear-down, gets its old place.
fn place_of(tables: usize) -> Result<usize> {
    let mut connections = CONNECTIONS.lock();
    let known = connections.iter().position(|place| place.is_some_and(|known| known.tables == tables));
    let free = || connections.iter().position(Option::is_none);
    let over = || connections.iter().position(|place| place.is_some_and(|known| known.is_over));
    let Some(index) = known.or_else(free).or_else(over) else {
        let text = format!("more than {MAX_CONNECTIONS} loaders in one process");
        return Err(error(UR_RESULT_ERROR_OUT_OF_RESOURCES, text));
    };
    connections[index] = Some(Connection { tables, layout: None, is_over: false });
    Ok(index)
}

fn check(version: ur_api_version_t, table: usize) -> Result<()> {
    if table == 0 {
        return Err(crate::view::null_pointer("pDdiTable"));
    }
    if !Layout::ALL.iter().any(|layout| layout.api_version() == version) {
        return Err(unknown(format!("version {version:#x}")));
    }
    Ok(())
}

/// The refusal of a loader whose tables are not known. It ends in the log, as loaders drop an adapter without a word.
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
