//! A word in host memory that streams wait for and the host sets.

use std::sync::atomic::{AtomicU32, Ordering};

use cudarc::driver::sys::{CUdeviceptr, CUstream};
use sycl_pi_backend::Result;

use super::Raw;
use super::library::cuda;

/// A gate: shut at first, opened once.
pub(crate) struct Gate {
    /// The word, in memory that the driver allocated.
    word: usize,
    device: CUdeviceptr,
}

impl Gate {
    /// A shut gate. A context is current.
    pub(crate) fn new() -> Result<Self> {
        const PORTABLE_AND_MAPPED: u32 = 1 | 2;
        let (cuda, mut start, mut device) = (cuda()?, std::ptr::null_mut(), 0);
        cuda.cuMemHostAlloc(&mut start, size_of::<AtomicU32>(), PORTABLE_AND_MAPPED)?;
        let gate = Self { word: start.expose_provenance(), device: 0 };
        gate.word().store(0, Ordering::Release);
        match cuda.cuMemHostGetDevicePointer_v2(&mut device, start, 0) {
            Ok(()) => Ok(Self { device, ..gate }),
            Err(error) => {
                gate.free()?;
                Err(error)
            }
        }
    }

    fn word(&self) -> &AtomicU32 {
        // SAFETY: aligned memory of the driver's, until `free`.
        unsafe { &*std::ptr::with_exposed_provenance(self.word) }
    }

    /// Makes a stream wait until the gate opens.
    pub(crate) fn hold(&self, stream: Raw<CUstream>) -> Result<()> {
        const GREATER_OR_EQUAL: u32 = 0;
        let cuda = cuda()?;
        if cuda.has("cuStreamWaitValue32_v2") {
            cuda.cuStreamWaitValue32_v2(stream.get(), self.device, 1, GREATER_OR_EQUAL)
        } else {
            cuda.cuStreamWaitValue32(stream.get(), self.device, 1, GREATER_OR_EQUAL)
        }
    }

    /// Lets streams go on.
    pub(crate) fn open(&self) {
        self.word().store(1, Ordering::Release);
    }

    /// Gives the memory back; the driver waits for streams that still look at it. Not used after that.
    pub(crate) fn free(&self) -> Result<()> {
        cuda()?.cuMemFreeHost(std::ptr::with_exposed_provenance_mut(self.word))
    }
}
