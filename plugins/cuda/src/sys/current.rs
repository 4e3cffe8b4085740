//! The calling thread's current CUDA context: set only where another one is current, and restored afterwards.

use std::ptr::null_mut;

use cudarc::driver::sys::{CUcontext, CUdevice};
use sycl_pi_backend::Result;

use super::handles::DriverHandle;
use super::library::cuda;

/// A context is current while this lives. The caller's own is current again afterwards; where the thread had none, ours
/// stays, so that the next call finds it.
pub(crate) struct CurrentContext {
    callers: CUcontext,
}

/// Makes `context` the calling thread's.
#[inline]
pub(crate) fn make_current(context: DriverHandle<CUcontext>) -> Result<CurrentContext> {
    let mut callers = null_mut();
    cuda()?.cuCtxGetCurrent(&mut callers)?;
    if callers == context.get() {
        Ok(CurrentContext { callers: null_mut() })
    } else {
        switch(context, callers)
    }
}

#[cold]
fn switch(context: DriverHandle<CUcontext>, callers: CUcontext) -> Result<CurrentContext> {
    cuda()?.cuCtxSetCurrent(context.get())?;
    Ok(CurrentContext { callers })
}

impl Drop for CurrentContext {
    #[inline]
    fn drop(&mut self) {
        if !self.callers.is_null() {
            restore(self.callers);
        }
    }
}

#[cold]
fn restore(callers: CUcontext) {
    // The caller's context cannot have gone meanwhile; and there is nobody to tell.
    let _ = cuda().and_then(|cuda| cuda.cuCtxSetCurrent(callers));
}

/// Runs `work` with a device's primary context current, and leaves the thread exactly as it was: the context may go.
pub(crate) fn with_primary(device: CUdevice, work: impl FnOnce(CUcontext) -> Result<()>) -> Result<()> {
    let cuda = cuda()?;
    let (mut callers, mut context) = (null_mut(), null_mut());
    cuda.cuDevicePrimaryCtxRetain(&mut context, device)?;
    let result = cuda.cuCtxGetCurrent(&mut callers).and_then(|()| {
        cuda.cuCtxSetCurrent(context)?;
        let result = work(context);
        result.and(cuda.cuCtxSetCurrent(callers))
    });
    result.and(cuda.cuDevicePrimaryCtxRelease_v2(device))
}
