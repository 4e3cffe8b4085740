//! The adapter object, one per loader.
#![expect(unsafe_code, reason = "the caller's pointers and handles")]

use std::sync::atomic::{AtomicU32, Ordering};

use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Backend, Blocks, Counted, CountedKind, Error, Result, fence};
use sycl_ur_core::*;

use crate::connection;
use crate::convert::error;
use crate::handle::Origin;
use crate::v2_name;
use crate::view::null_pointer;

/// The adapter, as one loader sees it.
pub(crate) struct Adapter {
    /// The loader.
    pub origin: Origin,
    /// References held by callers. The object itself is never freed, because a loader may request its adapter again.
    references: AtomicU32,
}

// SAFETY: the blocks are in a static of this implementation, which nothing else can name.
unsafe impl CountedKind for Adapter {
    type Raw = ur_adapter_handle_t_;
    const INVALID: ErrorCode = ErrorCode::INVALID_VALUE;
    const NAME: &'static str = "adapter";

    fn blocks() -> &'static Blocks {
        static BLOCKS: Blocks = Blocks::new();
        &BLOCKS
    }
}

impl Adapter {
    /// Returns the number of references that callers hold.
    pub(crate) fn reference_count(&self) -> u32 {
        self.references.load(Ordering::Relaxed)
    }
}

/// Returns the adapter handle of a loader.
pub(crate) fn get(origin: Origin) -> ur_adapter_handle_t {
    let handle = crate::handle_map::get_or_insert(origin.word, origin.key(), || {
        let adapter = Adapter { origin, references: AtomicU32::new(0) };
        Counted::create_with_front_word(origin.word, adapter).into_raw().expose_provenance()
    });
    handle.cast()
}

/// Returns the adapter behind a handle.
///
/// # Safety
///
/// A non-null `handle` must be a handle from an adapter.
pub(crate) unsafe fn adapter<'a>(handle: ur_adapter_handle_t) -> Result<&'a Counted<Adapter>> {
    // SAFETY: guaranteed by the caller.
    unsafe { crate::view::counted(handle, "hAdapter") }
}

/// Writes the adapter, unless another copy of the library serves this loader. A caller who gets the handle counts as a
/// user of the library until the handle is released.
///
/// # Safety
///
/// `adapters` must be null or writable for `capacity` handles; `count` must be null or writable.
pub(crate) unsafe fn write(
    connection: usize, capacity: u32, adapters: *mut ur_adapter_handle_t, count: *mut u32,
) -> Result<()> {
    let origin = connection::origin(connection)
        .ok_or_else(|| error(UR_RESULT_ERROR_UNINITIALIZED, "the loader has not asked for all tables"))?;
    if adapters.is_null() && count.is_null() && capacity > 0 {
        return Err(null_pointer("phAdapters"));
    }
    if !adapters.is_null() && capacity == 0 {
        return Err(error(UR_RESULT_ERROR_INVALID_SIZE, "NumEntries is 0, but there is a list"));
    }
    let serves = v2_name::serves(origin.layout);
    // SAFETY: each is null or writable.
    unsafe {
        if !count.is_null() {
            count.write(u32::from(serves));
        }
        if serves && !adapters.is_null() && capacity > 0 {
            let handle = get(origin);
            retain(adapter(handle)?);
            adapters.write(handle);
        }
    }
    Ok(())
}

/// Adds a reference. The first one attaches the loader's runtime.
pub(crate) fn retain(adapter: &Counted<Adapter>) {
    // The count saturates.
    let more = |references: u32| Some(references.saturating_add(1));
    if adapter.references.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more) == Ok(0) {
        fence::init("urAdapterGet", || Ok(()));
        connection::set_in_use(adapter.origin, true);
    }
}

/// Releases a reference. When the last runtime releases its last one, the backend releases everything that it holds.
pub(crate) fn release<B: Backend>(adapter: &Counted<Adapter>) -> Result<()> {
    let before =
        adapter.references.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| count.checked_sub(1));
    match before {
        Ok(1) => {
            connection::set_in_use(adapter.origin, false);
            if fence::detach() { B::tear_down() } else { Ok(()) }
        }
        Ok(_) => Ok(()),
        Err(_) => Err(Error::invalid_value("hAdapter was released more often than it was retained")),
    }
}
