//! Host memory of the plugin's own, host functions in streams, copies on the host.

use std::ffi::c_void;
use std::ptr::NonNull;

use sycl_pi_backend::Result;
use sycl_pi_host_process::inside;

use super::handles::DriverHandle;
use super::library::cuda;
use cudarc::driver::sys::{CUdeviceptr, CUstream};

/// Flags of host memory that every context and device reaches.
pub(crate) const PORTABLE_AND_MAPPED: u32 = 1 | 2;

/// Host memory that the driver pinned, for all contexts. Not given back by itself.
pub(crate) struct PinnedMemory {
    start: usize,
    size: usize,
}

impl PinnedMemory {
    /// Of `size` bytes, with whatever is in them. A context is current.
    pub(crate) fn new(size: usize) -> Result<Self> {
        const PORTABLE: u32 = 1;
        let mut start = std::ptr::null_mut();
        cuda()?.cuMemHostAlloc(&mut start, size, PORTABLE)?;
        Ok(Self { start: start.expose_provenance(), size })
    }

    /// Bytes.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Where it is.
    pub(crate) fn start(&self) -> *mut c_void {
        std::ptr::with_exposed_provenance_mut(self.start)
    }

    /// Writes a pattern into the first `size` bytes, again and again.
    pub(crate) fn fill(&mut self, pattern: &[u8], size: usize) {
        let size = size.min(self.size);
        let mut at = 0;
        while at < size && !pattern.is_empty() {
            let count = pattern.len().min(size - at);
            // SAFETY: `at + count` bytes are inside of the block, which no copy uses yet, as it is borrowed mutably.
            unsafe { self.start().cast::<u8>().add(at).copy_from_nonoverlapping(pattern.as_ptr(), count) };
            at += count;
        }
    }

    /// Gives it back. A context is current.
    pub(crate) fn free(self) -> Result<()> {
        cuda()?.cuMemFreeHost(self.start())
    }
}

/// Copies between two host addresses of the caller's.
pub(crate) fn copy_bytes(dst: *mut c_void, src: *const c_void, size: usize) {
    // SAFETY: the caller of the interface vouches for both ranges.
    unsafe { std::ptr::copy(src.cast::<u8>(), dst.cast::<u8>(), size) };
}

/// Copies from the host to the device, and returns when that is done. A context is current.
pub(crate) fn write_now(dst: CUdeviceptr, src: *const c_void, size: usize) -> Result<()> {
    cuda()?.cuMemcpyHtoD_v2(dst, src, size)?;
    wait_for_copies()
}

/// Waits for copies that the driver calls synchronous. From pageable memory they return when the source was read; the bytes then
/// still travel in the default stream, for which the plugin's streams do not wait.
pub(crate) fn wait_for_copies() -> Result<()> {
    cuda()?.cuStreamSynchronize(std::ptr::null_mut())
}

/// Runs `work` on a thread of the driver's, behind the stream's commands. It must not call the driver.
pub(crate) fn call_after(stream: DriverHandle<CUstream>, work: Box<dyn FnOnce() + Send>) -> Result<()> {
    /// # Safety
    /// `data` is the box of `call_after`, and nobody has it after this call.
    unsafe extern "C" fn run(data: *mut c_void) {
        let Some(data) = NonNull::new(data) else { return };
        // SAFETY: the box that was handed to the driver, which calls once.
        let work = unsafe { Box::from_raw(data.cast::<Box<dyn FnOnce() + Send>>().as_ptr()) };
        // Nothing may unwind into the driver.
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
        /// Memory that a test has.
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
