//! Host memory of the plugin itself, host functions in streams, and copies on the host.

use std::ffi::c_void;
use std::ptr::NonNull;

use sycl_pi_backend::Result;
use sycl_pi_host_process::inside;

use super::handles::DriverHandle;
use super::library::cuda;
use cudarc::driver::sys::{CUdeviceptr, CUstream};

/// Flags of host memory that every context and device can access.
pub(crate) const PORTABLE_AND_MAPPED: u32 = 1 | 2;

/// Host memory that the driver pinned, for all contexts. It is not freed on drop.
pub(crate) struct PinnedMemory {
    start: usize,
    size: usize,
}

impl PinnedMemory {
    /// Allocates `size` bytes with undefined content. A context must be current.
    pub(crate) fn new(size: usize) -> Result<Self> {
        const PORTABLE: u32 = 1;
        let mut start = std::ptr::null_mut();
        cuda()?.cuMemHostAlloc(&mut start, size, PORTABLE)?;
        Ok(Self { start: start.expose_provenance(), size })
    }

    /// Returns the size in bytes.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Returns the start address.
    pub(crate) fn start(&self) -> *mut c_void {
        std::ptr::with_exposed_provenance_mut(self.start)
    }

    /// Fills the first `size` bytes with a repeated pattern.
    pub(crate) fn fill(&mut self, pattern: &[u8], size: usize) {
        let size = size.min(self.size);
        let mut at = 0;
        while at < size && !pattern.is_empty() {
            let count = pattern.len().min(size - at);
            // SAFETY: `at + count` bytes are inside the block, which is borrowed mutably, so no copy uses it yet.
            unsafe { self.start().cast::<u8>().add(at).copy_from_nonoverlapping(pattern.as_ptr(), count) };
            at += count;
        }
    }

    /// Frees the memory. A context must be current.
    pub(crate) fn free(self) -> Result<()> {
        cuda()?.cuMemFreeHost(self.start())
    }
}

/// Copies between two host addresses of the caller.
pub(crate) fn copy_bytes(dst: *mut c_void, src: *const c_void, size: usize) {
    // SAFETY: the caller of the interface guarantees both ranges.
    unsafe { std::ptr::copy(src.cast::<u8>(), dst.cast::<u8>(), size) };
}

/// Copies from the host to the device and waits for it. A context must be current.
pub(crate) fn write_now(dst: CUdeviceptr, src: *const c_void, size: usize) -> Result<()> {
    cuda()?.cuMemcpyHtoD_v2(dst, src, size)?;
    wait_for_copies()
}

/// Waits for copies that the driver calls synchronous. From pageable memory, they return as soon as the source is read.
/// The bytes are then still in flight in the default stream, for which the plugin's streams do not wait.
pub(crate) fn wait_for_copies() -> Result<()> {
    cuda()?.cuStreamSynchronize(std::ptr::null_mut())
}

/// Runs `work` on a thread of the driver after the stream's commands. It must not call the driver.
pub(crate) fn call_after(stream: DriverHandle<CUstream>, work: Box<dyn FnOnce() + Send>) -> Result<()> {
    /// # Safety
    /// `data` must be the box of `call_after`, which no other code uses after this call.
    unsafe extern "C" fn run(data: *mut c_void) {
        let Some(data) = NonNull::new(data) else { return };
        // SAFETY: this is the box that was passed to the driver, which calls only once.
        let work = unsafe { Box::from_raw(data.cast::<Box<dyn FnOnce() + Send>>().as_ptr()) };
        // No panic may unwind into the driver.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| inside(work, || ())));
    }
    let data = Box::into_raw(Box::new(work));
    let result = cuda()?.cuLaunchHostFunc(stream.get(), Some(run), data.cast());
    if result.is_err() {
        // SAFETY: the driver did not take it.
        drop(unsafe { Box::from_raw(data) });
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    impl PinnedMemory {
        /// Wraps memory of a test.
        pub(crate) fn over(bytes: &mut [u8]) -> Self {
            Self { start: bytes.as_mut_ptr().expose_provenance(), size: bytes.len() }
        }
    }

    #[test]
    fn a_pattern_fills_the_first_bytes_and_its_last_copy_is_cut() {
        for (pattern, size, expected) in [
            (&[1, 2, 3][..], 8, [1, 2, 3, 1, 2, 3, 1, 2, 0, 0]),
            (&[1, 2, 3], 2, [1, 2, 0, 0, 0, 0, 0, 0, 0, 0]),
            (&[1, 2], 99, [1, 2, 1, 2, 1, 2, 1, 2, 1, 2]),
            (&[], 8, [0; 10]),
            (&[1], 0, [0; 10]),
        ] {
            let mut bytes = [0_u8; 10];
            let mut memory = PinnedMemory::over(&mut bytes);
            memory.fill(pattern, size);
            assert_eq!((memory.size(), bytes), (10, expected), "{pattern:?} {size}");
        }
        assert_eq!(PORTABLE_AND_MAPPED, 3);
    }
}
