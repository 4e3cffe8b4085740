//! A PI table whose functions call an adapter.
//!
//! There is one adapter with one layout per process, because PI's functions carry no state. PI functions without a
//! counterpart in UR have no entry: their slots are null, which the harness interprets as "not in this interface".
#![expect(unsafe_code, reason = "C functions on both sides")]

mod adapter;
mod answer;
mod command_buffer;
mod context;
mod device;
mod device_info;
mod enqueue;
mod event;
mod image;
mod kernel;
mod launch;
mod mem;
mod peer;
mod platform;
mod program;
mod queue;
mod recorded;
mod rect;
mod result;
#[cfg(test)]
mod same_devices;
mod sampler;
mod stubs;
mod symbol;
mod table;
mod usm;

use std::ffi::{c_char, c_void};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use sycl_pi_core::{PI_ERROR_INVALID_VALUE, PI_SUCCESS, pi_result};
use sycl_pi_loader::{LoadError, Plugin};
use sycl_ur_core::*;

pub use recorded::AdapterFailure;
pub use result::{failed_call, results_of};
pub use table::{VERSION, counterpart};

use crate::{Adapter, ConnectError, Connection};
use recorded::RecordedCalls;

/// The state that the functions of the table use.
struct Bridge {
    calls: RecordedCalls,
    adapter: AtomicPtr<ur_adapter_handle_t_>,
}

/// A process's adapter, for calls other than those of PI.
#[derive(Clone, Copy, Debug)]
pub struct Behind {
    /// The adapter's file.
    pub file: &'static Adapter,
    /// The tables that PI's functions call.
    pub connection: &'static Connection,
}

static BRIDGE: OnceLock<Bridge> = OnceLock::new();

/// The reason why an adapter cannot be called through PI.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The adapter provides no tables.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The table was not accepted.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The process already has an adapter behind PI.
    #[error("this process calls an adapter through PI already")]
    Taken,
}

/// Opens an adapter with a layout and puts PI in front of it. May be called once per process.
///
/// # Errors
/// Fails if the file is not an adapter for the layout, or if there already is an adapter.
///
/// # Safety
/// The file is trusted like a program.
pub unsafe fn open(path: &Path, layout: Layout) -> Result<(Plugin, Behind), OpenError> {
    // SAFETY: the caller trusts the file.
    let behind = unsafe { connect(path, layout) }?;
    // SAFETY: the function below is that of a PI plugin.
    let plugin = unsafe { Plugin::of_init(path, pi_plugin_init, VERSION) }?;
    Ok((plugin, behind))
}

/// Opens an adapter with a layout for [`pi_plugin_init`] to offer. May be called once per process, or once per library
/// that contains this crate.
///
/// # Errors
/// Fails if the file is not an adapter for the layout, or if there already is an adapter.
///
/// # Safety
/// The file is trusted like a program.
pub unsafe fn connect(path: &Path, layout: Layout) -> Result<Behind, OpenError> {
    // SAFETY: the caller trusts the file.
    let file: &'static Adapter = Box::leak(Box::new(unsafe { Adapter::open(path) }?));
    let connection: &'static Connection = Box::leak(Box::new(file.connect(layout)?));
    let bridge = Bridge { calls: RecordedCalls(&connection.calls), adapter: AtomicPtr::default() };
    BRIDGE.set(bridge).map_err(|_| OpenError::Taken)?;
    Ok(Behind { file, connection })
}

/// Returns the calls, once an adapter is open.
fn bridge() -> Option<&'static Bridge> {
    BRIDGE.get()
}

impl Bridge {
    fn layout(&self) -> Layout {
        self.calls.layout()
    }

    /// Returns the adapter's handle.
    fn adapter(&self) -> Result<ur_adapter_handle_t, ur_result_t> {
        let known = self.adapter.load(Ordering::Acquire);
        if known.is_null() { self.get() } else { Ok(known) }
    }

    /// Gets the adapter like the runtime: first the number, then the handles.
    fn get(&self) -> Result<ur_adapter_handle_t, ur_result_t> {
        let (mut count, mut handle) = (0, std::ptr::null_mut());
        // SAFETY: valid places.
        let result = unsafe { self.calls.urAdapterGet(0, std::ptr::null_mut(), &mut count) };
        if result != UR_RESULT_SUCCESS || count == 0 {
            return Err(result);
        }
        // SAFETY: there is space for one handle.
        let result = unsafe { self.calls.urAdapterGet(1, &mut handle, std::ptr::null_mut()) };
        if result != UR_RESULT_SUCCESS {
            return Err(result);
        }
        self.adapter.store(handle, Ordering::Release);
        Ok(handle)
    }
}

/// The bridge's `piPluginInit`.
///
/// # Safety
/// `plugin` must be null or have space for a `pi_plugin` of [`VERSION`].
pub unsafe extern "C" fn pi_plugin_init(plugin: *mut c_void) -> pi_result {
    let offsets = VERSION.offsets();
    if plugin.is_null() {
        return PI_ERROR_INVALID_VALUE;
    }
    if let Some(ur) = bridge() {
        // Each runtime has its own reference, which `piTearDown` releases. A failure becomes visible with the first
        // call.
        let _ = ur.get();
    }
    let text = VERSION.text().as_bytes();
    // SAFETY: the caller passes a `pi_plugin` of this version, and the fields lie within it.
    unsafe {
        let version = plugin.byte_add(offsets.version_field).cast::<c_char>();
        for (place, byte) in text.iter().chain(&[0]).enumerate() {
            version.add(place).write(*byte as c_char);
        }
        let slots = plugin.byte_add(offsets.table).cast::<*const c_void>();
        for (slot, function) in table::functions() {
            slots.add(usize::from(slot)).write(function);
        }
    }
    PI_SUCCESS
}
