//! The sizes of local-memory arguments, for a driver whose clones of kernels lose them.
//!
//! A clone that Intel's CPU runtime makes before version 2025.20 (DPC++ 2025.2) has no size for its local-memory arguments: its
//! work-items write over the stack of their thread (`testing/robustness/programs/opencl_faults.c`, `cloned-local`). OpenCL does not
//! tell the arguments of a kernel, so they are noted when they are set.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use sycl_pi_backend::Result;

use crate::sys::{HasPlatform, Kernel, cl};

/// Index and size in bytes of each local-memory argument, by the kernel's address.
type Sizes = BTreeMap<usize, Vec<(u32, usize)>>;

static SIZES: Mutex<Sizes> = Mutex::new(BTreeMap::new());
/// Whether anything was noted: most processes set no such argument.
static ANY: AtomicBool = AtomicBool::new(false);

fn key(kernel: &Kernel) -> usize {
    kernel.cl().addr()
}

/// Notes that the argument was set: to that many bytes of local memory, or to anything else.
pub(crate) fn note(kernel: &Kernel, index: u32, local: Option<usize>) {
    if local.is_some() || ANY.load(Ordering::Relaxed) {
        note_in_list(kernel, index, local);
    }
}

#[cold]
fn note_in_list(kernel: &Kernel, index: u32, local: Option<usize>) {
    if !kernel.driver().is_ok_and(|driver| driver.clones_lose_local_args) {
        return;
    }
    ANY.store(true, Ordering::Relaxed);
    let mut sizes = SIZES.lock();
    let args = sizes.entry(key(kernel)).or_default();
    args.retain(|(known, _)| *known != index);
    args.extend(local.map(|size| (index, size)));
}

/// Forgets the kernel that had this address before: a new one has it now.
pub(crate) fn forget(address: usize) {
    if ANY.load(Ordering::Relaxed) {
        SIZES.lock().remove(&address);
    }
}

/// Sets the local-memory arguments of a kernel on its clone.
pub(crate) fn copy(kernel: &Kernel, clone: &Kernel) -> Result<()> {
    let known = SIZES.lock().get(&key(kernel)).cloned();
    for (index, size) in known.into_iter().flatten() {
        cl().clSetKernelArg(clone.cl(), index, size, std::ptr::null())?;
    }
    Ok(())
}
