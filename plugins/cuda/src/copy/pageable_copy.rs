//! Large copies between a device and pageable host memory, done in pieces through the plugin's own pinned memory.
//!
//! The driver copies such memory with one thread, at a fraction of the link's bandwidth. Here several threads copy it.
//! As with the driver's own copies, the call returns once the stream has reached the copy and its bytes are copied
//! ("API synchronization behavior" in the driver's documentation).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Result};
use sycl_pi_host_process::spawn_scoped;

use crate::copy::device_address;
use crate::device::device_context::DeviceContext;
use crate::memory::pointer::{PointerAttributes, attributes_of};
use crate::memory::staging::StagingBlock;
use crate::sys::{CUdeviceptr, CUstream, DriverHandle, copy_bytes, cuda};

/// Bytes that a thread copies at a time.
const PIECE: usize = 4 << 20;
/// Minimum size. Smaller copies are left to the driver, because starting threads would take longer than they save.
const SMALLEST: usize = 4 * PIECE;
/// Number of threads, including the caller's.
const THREADS: usize = 4;

/// Copies `size` bytes between addresses of any kind, as a command of a stream. The context must be current.
#[inline]
pub(crate) fn copy_async(
    context: &DeviceContext,
    dst: CUdeviceptr,
    src: CUdeviceptr,
    size: usize,
    stream: CUstream,
) -> Result<()> {
    if size == 0 {
        return Ok(());
    }
    if size >= SMALLEST
        && let Some(copy) = PageableCopy::find(dst, src, size)?
    {
        return copy.run(context, stream);
    }
    cuda()?.cuMemcpyAsync(dst, src, size, stream)
}

/// A copy with one side in pageable host memory.
struct PageableCopy {
    dst: CUdeviceptr,
    src: CUdeviceptr,
    size: usize,
    to_device: bool,
}

impl PageableCopy {
    /// Returns `None` for a copy that the driver does equally fast, or refuses.
    fn find(dst: CUdeviceptr, src: CUdeviceptr, size: usize) -> Result<Option<Self>> {
        let (to, from) = (attributes_of(dst)?, attributes_of(src)?);
        let holds = |memory: &PointerAttributes, address| {
            memory.kind == UsmType::DEVICE && memory.check_inside(address, size).is_ok()
        };
        let to_device = match (to.is_known(), from.is_known()) {
            (true, false) if holds(&to, dst) => true,
            (false, true) if holds(&from, src) => false,
            _ => return Ok(None),
        };
        Ok(Some(Self { dst, src, size, to_device }))
    }

    fn run(&self, context: &DeviceContext, stream: CUstream) -> Result<()> {
        let stream = DriverHandle::new(stream);
        let moved = AtomicUsize::new(0);
        let helper = || {
            let _current = context.enter()?;
            self.move_pieces(&moved, context, stream)
        };
        thread::scope(|scope| {
            // Without helpers, the caller copies everything.
            let helpers: Vec<_> =
                (1..threads()).filter_map(|_| spawn_scoped(scope, "sycl-pi copy", helper).ok()).collect();
            let own = self.move_pieces(&moved, context, stream);
            let joined =
                helpers.into_iter().map(|helper| helper.join().unwrap_or_else(|_| Err(lost_thread())));
            joined.fold(own, Result::and)
        })
    }

    /// Copies pieces until none is left.
    fn move_pieces(
        &self,
        moved: &AtomicUsize,
        context: &DeviceContext,
        stream: DriverHandle<CUstream>,
    ) -> Result<()> {
        let mut block = None;
        loop {
            let at = moved.fetch_add(PIECE, Ordering::Relaxed);
            if at >= self.size {
                return Ok(());
            }
            let pinned = match block.take() {
                Some(kept) => kept,
                None => context.staging.acquire(PIECE)?,
            };
            if let Err(error) = self.move_piece(at, &pinned, stream) {
                // The copy to or from it may still be in flight.
                context.staging.retire(Arc::new(pinned));
                return Err(error);
            }
            block = Some(pinned);
        }
    }

    fn move_piece(&self, at: usize, block: &StagingBlock, stream: DriverHandle<CUstream>) -> Result<()> {
        let cuda = cuda()?;
        let size = PIECE.min(self.size - at);
        let pinned = device_address(block.start());
        let host = |address: CUdeviceptr| std::ptr::with_exposed_provenance_mut(address as usize + at);
        if self.to_device {
            copy_bytes(block.start(), host(self.src), size);
            cuda.cuMemcpyAsync(self.dst + at as CUdeviceptr, pinned, size, stream.get())?;
            return cuda.cuStreamSynchronize(stream.get());
        }
        cuda.cuMemcpyAsync(pinned, self.src + at as CUdeviceptr, size, stream.get())?;
        cuda.cuStreamSynchronize(stream.get())?;
        copy_bytes(host(self.dst), block.start(), size);
        Ok(())
    }
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, |processors| processors.get().min(THREADS))
}

#[cold]
fn lost_thread() -> Error {
    Error::new(ErrorCode::OUT_OF_HOST_MEMORY, "a thread of the copy ended early")
}
