//! The calling thread's current CUDA context. It is changed only if another one is current, and restored afterwards.

use std::ptr::null_mut;

use cudarc::driver::sys::{CUcontext, CUdevice};
use sycl_pi_backend::Result;

use super::handles::DriverHandle;
use super::library::cuda;

/// Keeps a context current as long as this lives. Afterwards, the caller's own context is current again. If the thread
/// had none, ours stays current, so that the next call finds it.
pub(crate) struct CurrentContext {
    callers: CUcontext,
}

/// Makes `context` current on the calling thread.
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
    // The caller's context cannot have been destroyed in the meantime, and there is no one to report an error to.
    let _ = cuda().and_then(|cuda| cuda.cuCtxSetCurrent(callers));
}

/// Runs `work` with a device's primary context current, and restores the thread's previous state exactly, because the
/// context may be destroyed.
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
