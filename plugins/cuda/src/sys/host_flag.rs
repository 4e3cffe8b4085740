//! A flag in host memory, which streams wait for and the host sets.

use std::sync::atomic::{AtomicU32, Ordering};

use cudarc::driver::sys::{CUdeviceptr, CUstream};
use sycl_pi_backend::Result;

use super::handles::DriverHandle;
use super::host::PORTABLE_AND_MAPPED;
use super::library::cuda;

/// A flag that can be set once.
pub(crate) struct HostFlag {
    /// The word, in memory that the driver allocated.
    word: usize,
    device: CUdeviceptr,
}

impl HostFlag {
    /// Creates a flag that is not set. A context must be current.
    pub(crate) fn new() -> Result<Self> {
        let (cuda, mut start, mut device) = (cuda()?, std::ptr::null_mut(), 0);
        cuda.cuMemHostAlloc(&mut start, size_of::<AtomicU32>(), PORTABLE_AND_MAPPED)?;
        let flag = Self { word: start.expose_provenance(), device: 0 };
        flag.word().store(0, Ordering::Release);
        match cuda.cuMemHostGetDevicePointer_v2(&mut device, start, 0) {
            Ok(()) => Ok(Self { device, ..flag }),
            Err(error) => {
                // The first error is returned.
                let _ = flag.free();
                Err(error)
            }
        }
    }

    fn word(&self) -> &AtomicU32 {
        // SAFETY: this is aligned memory of the driver, which is valid until `free`.
        unsafe { &*std::ptr::with_exposed_provenance(self.word) }
    }

    /// Makes a stream wait until the flag is set.
    pub(crate) fn enqueue_wait(&self, stream: DriverHandle<CUstream>) -> Result<()> {
        const GREATER_OR_EQUAL: u32 = 0;
        let cuda = cuda()?;
        if cuda.has("cuStreamWaitValue32_v2") {
            cuda.cuStreamWaitValue32_v2(stream.get(), self.device, 1, GREATER_OR_EQUAL)
        } else {
            cuda.cuStreamWaitValue32(stream.get(), self.device, 1, GREATER_OR_EQUAL)
        }
    }

    /// Sets the flag.
    pub(crate) fn set(&self) {
        self.word().store(1, Ordering::Release);
    }

    /// Frees the memory once no stream reads it, for which the driver waits. The flag must not be used afterwards.
    pub(crate) fn free(&self) -> Result<()> {
        cuda()?.cuMemFreeHost(std::ptr::with_exposed_provenance_mut(self.word))
    }
}
