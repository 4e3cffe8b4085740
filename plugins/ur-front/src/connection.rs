//! Connections of loaders, from which the layout of each loader is determined.
//!
//! A loader requests one table after another (`urGet...ProcAddrTable`), always in the same order, and never names its
//! layout: five layouts report the same version, 0x0c. However, all tables are in one structure of the loader, so the
//! distance between the first two identifies the layout.

use std::cell::Cell;

use parking_lot::Mutex;
use sycl_pi_backend::{Error, Result};
use sycl_ur_core::*;

use crate::convert::error;
use crate::handle::Origin;

/// The maximum number of loaders connected in one process.
pub(crate) const MAX_CONNECTIONS: usize = 8;

/// A loader that has requested its first table.
#[derive(Clone, Copy)]
struct Connection {
    /// The address of the loader's first table: the start of its structure of tables.
    tables: usize,
    /// The layout, known once the second table is requested.
    layout: Option<Layout>,
    /// Whether the loader's runtime has released the adapter, so that another loader may take this place.
    is_over: bool,
}

static CONNECTIONS: Mutex<[Option<Connection>; MAX_CONNECTIONS]> = Mutex::new([None; MAX_CONNECTIONS]);

thread_local! {
    /// The connection being established by this thread. A loader requests all tables on one thread.
    static CONNECTING: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Returns the loader of a connection, or `None` before it has requested its second table.
pub(crate) fn origin(connection: usize) -> Option<Origin> {
    let connection = (*CONNECTIONS.lock().get(connection)?)?;
    Some(Origin { word: connection.tables, layout: connection.layout? })
}

/// Records whether a loader's runtime uses the adapter.
pub(crate) fn set_in_use(origin: Origin, is_in_use: bool) {
    let mut connections = CONNECTIONS.lock();
    let of_loader = connections.iter_mut().flatten().find(|known| known.tables == origin.word);
    if let Some(connection) = of_loader {
        connection.is_over = !is_in_use;
    }
}

/// Returns a loader with one of the layouts whose adapter handles are wrapped.
pub(crate) fn any_wrapping_origin() -> Option<Origin> {
    let connections = *CONNECTIONS.lock();
    let layouts = connections.iter().flatten().filter_map(|known| Some((known.tables, known.layout?)));
    let mut origins = layouts.map(|(word, layout)| Origin { word, layout });
    origins.find(|origin| origin.layout <= Layout::V2025_2)
}

/// Begins a connection with the first table, called `Global` until 2025.2. Returns the connection's number, and a
/// layout whose first table has the same functions and slots.
///
/// # Errors
///
/// `UR_RESULT_ERROR_UNSUPPORTED_VERSION`, or `UR_RESULT_ERROR_OUT_OF_RESOURCES` for too many loaders.
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

/// Returns the layout of the connection being established by this thread. It is determined by the second table.
///
/// # Errors
///
/// `UR_RESULT_ERROR_UNSUPPORTED_VERSION`, which also closes the connection.
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
    // The record may be passed to a loader's callback, so no lock is held.
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

/// Returns a place for a loader. One that reconnects after a tear-down gets its old place.
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

/// Returns the error for a loader whose tables are unknown. The message goes to the log, because loaders drop an
/// adapter silently.
fn unknown(what: String) -> Error {
    let known: Vec<_> = Layout::ALL.iter().map(|layout| layout.name()).collect();
    let text = format!(
        "this loader of Unified Runtime is not known ({what}); this adapter knows the layouts of DPC++ {}. A newer release needs a \
         newer adapter",
        known.join(", ")
    );
    log::error!("{text}");
    error(UR_RESULT_ERROR_UNSUPPORTED_VERSION, text)
}
