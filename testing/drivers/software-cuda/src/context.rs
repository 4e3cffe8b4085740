//! Devices and contexts.

use std::ffi::{c_char, c_int, c_uint};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};

use cudarc::driver::sys::*;

use crate::attributes::{self, PEERS, attribute};
use crate::current::CURRENT;
use crate::{Code, INVALID_CONTEXT, INVALID_DEVICE, INVALID_VALUE, entries, faults, lock, put};

/// A `CUcontext` points to this. It contains a device's number. Contexts are never freed because their addresses
/// may be queried at any time.
pub(crate) struct Context {
    pub(crate) device: c_int,
    references: AtomicI64,
}

/// The memory of a device in bytes.
pub(crate) const MEMORY: usize = 8 << 30;

static PRIMARY: Mutex<Vec<&'static Context>> = Mutex::new(Vec::new());

fn device_count() -> c_int {
    std::env::var("PI_SOFTWARE_CUDA_DEVICES").ok().and_then(|count| count.parse().ok()).unwrap_or(2)
}

/// Returns whether there is a device with that number.
pub(crate) fn is_device(device: c_int) -> bool {
    (0..device_count()).contains(&device)
}

fn primary(device: c_int) -> Result<&'static Context, Code> {
    if !is_device(device) {
        return Err(INVALID_DEVICE);
    }
    let mut list = lock(&PRIMARY);
    while list.len() <= device as usize {
        let device = list.len() as c_int;
        list.push(Box::leak(Box::new(Context { device, references: AtomicI64::new(0) })));
    }
    Ok(list[device as usize])
}

/// Returns the calling thread's context, or an error without one, because most calls need one.
pub(crate) fn current() -> Result<&'static Context, Code> {
    let raw = CURRENT.get();
    let list = lock(&PRIMARY);
    let found = list.iter().find(|context| std::ptr::from_ref(**context).cast_mut().cast() == raw);
    found.filter(|context| context.references.load(Ordering::Acquire) > 0).copied().ok_or(INVALID_CONTEXT)
}

unsafe fn text(out: *mut c_char, size: c_int, text: &str) -> Result<(), Code> {
    if out.is_null() || size <= text.len() as c_int {
        return Err(INVALID_VALUE);
    }
    // SAFETY: there is room for the text and its NUL.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr(), out.cast(), text.len());
        out.add(text.len()).write(0);
    }
    Ok(())
}

entries! {
    cuInit(_flags: c_uint) Ok(());
    cuDriverGetVersion(version: *mut c_int) put(version, attributes::version());
    cuDeviceGetCount(count: *mut c_int) put(count, device_count());
    cuDeviceGet(device: *mut CUdevice, ordinal: c_int) {
        if !(0..device_count()).contains(&ordinal) {
            return Err(INVALID_DEVICE);
        }
        put(device, ordinal)
    };
    cuDeviceGetName(name: *mut c_char, size: c_int, _device: CUdevice) text(name, size, "Software GPU");
    cuDeviceGetUuid_v2(uuid: *mut CUuuid, device: CUdevice) put(uuid, CUuuid { bytes: [device as c_char + 1; 16] });
    cuDeviceTotalMem_v2(bytes: *mut usize, _device: CUdevice) put(bytes, MEMORY);
    cuDeviceGetAttribute(value: *mut c_int, name: c_int, _device: CUdevice) put(value, attribute(name));
    cuDeviceGetPCIBusId(out: *mut c_char, size: c_int, device: CUdevice)
        text(out, size, &format!("0000:{:02X}:00.0", device + 1));
    cuDeviceCanAccessPeer(can: *mut c_int, device: CUdevice, peer: CUdevice) {
        put(can, (device != peer && attribute(PEERS) != 0).into())
    };
    cuDeviceGetP2PAttribute(value: *mut c_int, attribute: c_uint, device: CUdevice, peer: CUdevice) {
        // Like a bus, it has copies and no atomics.
        const NATIVE_ATOMIC_SUPPORTED: c_uint = 3;
        put(value, (device != peer && attribute != NATIVE_ATOMIC_SUPPORTED).into())
    };
    cuDevicePrimaryCtxRetain(context: *mut CUcontext, device: CUdevice) {
        let primary = primary(device)?;
        // One reference may be held by the process. The others count as live objects.
        if primary.references.fetch_add(1, Ordering::AcqRel) > 0 {
            faults::live(1);
        }
        put(context, std::ptr::from_ref(primary).cast_mut().cast())
    };
    cuDevicePrimaryCtxRelease_v2(device: CUdevice) {
        let primary = primary(device)?;
        let references = primary.references.fetch_sub(1, Ordering::AcqRel);
        if references <= 0 {
            primary.references.fetch_add(1, Ordering::AcqRel);
            return Err(INVALID_CONTEXT);
        }
        if references > 1 {
            faults::live(-1);
        }
        Ok(())
    };
    cuCtxGetCurrent(context: *mut CUcontext) put(context, CURRENT.get());
    cuCtxSetCurrent(context: CUcontext) {
        CURRENT.set(context);
        Ok(())
    };
    cuCtxDestroy_v2(_context: CUcontext) Ok(());
    cuCtxGetDevice(device: *mut CUdevice) put(device, current()?.device);
    cuCtxGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int) {
        current()?;
        put(least, 0)?;
        put(greatest, -5)
    };
    cuCtxEnablePeerAccess(peer: CUcontext, _flags: c_uint) {
        let peer = peer.cast::<Context>().as_ref().ok_or(INVALID_CONTEXT)?;
        faults::note("cuCtxEnablePeerAccess", u64::from(current()?.device as u32) << 32 | u64::from(peer.device as u32));
        Ok(())
    };
    cuCtxDisablePeerAccess(_peer: CUcontext) current().map(|_| ());
}
