//! Driver objects that callers refer to by the driver's own handle: bindless images, and imported objects.
//!
//! CUDA dereferences every handle that it gets. A handle is therefore passed to it only while the object is alive.

use std::collections::BTreeMap;

use parking_lot::RwLock;
use sycl_pi_backend::{Error, Result};

use crate::sys::{CUcontext, CurrentContext, DriverHandle, make_current};

/// The object behind a handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DriverObject {
    /// An array, or one level of a mipmap.
    Array,
    Mipmap,
    Surface,
    Texture,
    ImportedMemory,
    Semaphore,
}

/// The device context of an object.
#[derive(Clone, Copy)]
pub(crate) struct Owner {
    /// An address that distinguishes it from other live contexts of the device.
    pub(crate) address: usize,
    pub(crate) context: DriverHandle<CUcontext>,
}

struct LiveObject {
    /// The mipmap that it is a level of, or 0.
    mipmap: u64,
    owner: Owner,
}

static LIVE: RwLock<BTreeMap<(DriverObject, u64), LiveObject>> = RwLock::new(BTreeMap::new());

/// Records a new object of a device context and returns its handle.
pub(crate) fn record(object: DriverObject, handle: u64, owner: Owner) -> u64 {
    LIVE.write().insert((object, handle), LiveObject { mipmap: 0, owner });
    handle
}

/// Records the array of a mipmap level, which lives as long as its mipmap.
pub(crate) fn record_level(handle: u64, mipmap: u64, owner: Owner) -> u64 {
    LIVE.write().insert((DriverObject::Array, handle), LiveObject { mipmap, owner });
    handle
}

/// Removes all objects of a device context that is about to be destroyed.
pub(crate) fn forget_of(owner: Owner) {
    LIVE.write().retain(|_, object| object.owner.address != owner.address);
}

/// Returns whether an object is alive.
pub(crate) fn is_live(object: DriverObject, handle: u64) -> bool {
    LIVE.read().contains_key(&(object, handle))
}

/// Refuses the handle of an object that is not alive.
pub(crate) fn check(object: DriverObject, handle: u64) -> Result<()> {
    if is_live(object, handle) { Ok(()) } else { Err(unknown(object, handle)) }
}

/// Makes the CUDA context of an object current. Refuses the handle of an object that is not alive.
pub(crate) fn enter_context_of(object: DriverObject, handle: u64) -> Result<CurrentContext> {
    let context = LIVE.read().get(&(object, handle)).map(|live| live.owner.context);
    make_current(context.ok_or_else(|| unknown(object, handle))?)
}

/// Removes a handle before its object is destroyed. Levels are removed together with their mipmap.
pub(crate) fn forget(object: DriverObject, handle: u64) -> Result<()> {
    let mut live = LIVE.write();
    if live.remove(&(object, handle)).is_none() {
        return Err(unknown(object, handle));
    }
    if object == DriverObject::Mipmap {
        live.retain(|_, object| object.mipmap != handle);
    }
    Ok(())
}

#[cold]
fn unknown(object: DriverObject, handle: u64) -> Error {
    let name = match object {
        DriverObject::Array | DriverObject::Mipmap => "image memory",
        DriverObject::Surface => "an unsampled image",
        DriverObject::Texture => "a sampled image",
        DriverObject::ImportedMemory => "imported memory",
        DriverObject::Semaphore => "an imported semaphore",
    };
    Error::invalid_value(format!("the device has no live handle {handle:#x} of {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(address: usize) -> Owner {
        Owner { address, context: DriverHandle::new(std::ptr::null_mut()) }
    }

    #[test]
    fn a_handle_is_alive_from_its_creation_to_its_release() {
        assert!(check(DriverObject::Surface, 0x1000).is_err());
        record(DriverObject::Surface, 0x1000, owner(1));
        assert!(check(DriverObject::Surface, 0x1000).is_ok());
        assert!(check(DriverObject::Texture, 0x1000).is_err());
        assert!(forget(DriverObject::Surface, 0x1000).is_ok());
        assert!(forget(DriverObject::Surface, 0x1000).is_err());
    }

    /// NVIDIA's driver dereferences handles even if their context was destroyed.
    #[test]
    fn a_handle_goes_with_its_device_context() {
        record(DriverObject::Texture, 0x3000, owner(3));
        record(DriverObject::Texture, 0x3010, owner(4));
        forget_of(owner(3));
        assert!(!is_live(DriverObject::Texture, 0x3000));
        assert!(is_live(DriverObject::Texture, 0x3010));
    }

    #[test]
    fn levels_go_with_their_mipmap() {
        record(DriverObject::Mipmap, 0x2000, owner(1));
        record_level(0x2010, 0x2000, owner(1));
        record(DriverObject::Array, 0x2020, owner(1));
        assert!(forget(DriverObject::Mipmap, 0x2000).is_ok());
        assert!(!is_live(DriverObject::Array, 0x2010));
        assert!(is_live(DriverObject::Array, 0x2020));
    }
}
