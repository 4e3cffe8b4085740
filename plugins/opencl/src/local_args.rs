//! The sizes of local-memory arguments, for drivers that lose them when a kernel is cloned.
//!
//! Before version 2025.20 (DPC++ 2025.2), a clone that Intel's CPU runtime creates has no size for its local-memory
//! arguments, so its work-items overwrite the stack of their thread (`testing/robustness/programs/opencl_faults.c`,
//! `cloned-local`). OpenCL cannot query the arguments of a kernel, so they are recorded when they are set.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use sycl_pi_backend::Result;

use crate::sys::{HasPlatform, Kernel, cl};

/// Index and size in bytes of each local-memory argument, by the kernel's address.
type Sizes = BTreeMap<usize, Vec<(u32, usize)>>;

static SIZES: Mutex<Sizes> = Mutex::new(BTreeMap::new());
/// Whether any size was recorded. Most processes set no such argument.
static ANY: AtomicBool = AtomicBool::new(false);

fn key(kernel: &Kernel) -> usize {
    kernel.cl().addr()
}

/// Records that the argument was set, either to the given number of bytes of local memory or to something else.
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

/// Removes the entry of an earlier kernel at this address, which now belongs to a new one.
pub(crate) fn forget(address: usize) {
    if ANY.load(Ordering::Relaxed) {
        SIZES.lock().remove(&address);
    }
}

/// Copies the local-memory arguments of a kernel to its clone.
pub(crate) fn copy(kernel: &Kernel, clone: &Kernel) -> Result<()> {
    let known = SIZES.lock().get(&key(kernel)).cloned();
    for (index, size) in known.into_iter().flatten() {
        cl().clSetKernelArg(clone.cl(), index, size, std::ptr::null())?;
    }
    Ok(())
}
