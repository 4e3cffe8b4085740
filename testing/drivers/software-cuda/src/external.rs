//! Memory and semaphores of other interfaces, which are passed as file descriptors. The driver owns a descriptor
//! after importing it.

use std::ffi::c_uint;
use std::fs::File;
use std::os::fd::FromRawFd;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Condvar, Mutex};

use cudarc::driver::sys::*;

use crate::{INVALID_HANDLE, INVALID_VALUE, array, context, entries, faults, lock, memory, put, stream};

/// Memory of another interface. A mapping has a copy of its bytes, and is independent otherwise.
struct External {
    file: File,
    size: u64,
}

/// Counts signals that were not waited for yet.
#[derive(Default)]
struct Semaphore {
    signals: Mutex<u64>,
    changed: Condvar,
}

/// Takes ownership of a file.
fn take(fd: i32) -> Result<File, crate::Code> {
    // SAFETY: only queries a number.
    if unsafe { libc::fcntl(fd, libc::F_GETFD) } < 0 {
        return Err(INVALID_VALUE);
    }
    // SAFETY: an open file, which the driver owns from now on.
    Ok(unsafe { File::from_raw_fd(fd) })
}

/// Returns the semaphore of a handle.
///
/// # Safety
///
/// `handle` is null or live.
unsafe fn semaphore(handle: CUexternalSemaphore) -> Result<Arc<Semaphore>, crate::Code> {
    // SAFETY: guaranteed by the caller.
    unsafe { handle.cast::<Arc<Semaphore>>().as_ref() }.cloned().ok_or(INVALID_HANDLE)
}

entries! {
    cuImportExternalMemory(out: *mut CUexternalMemory, desc: *const CUDA_EXTERNAL_MEMORY_HANDLE_DESC) {
        context::current()?;
        let external = External { file: take((*desc).handle.fd)?, size: (*desc).size };
        faults::live(1);
        put(out, Box::into_raw(Box::new(external)).cast())
    };
    cuDestroyExternalMemory(external: CUexternalMemory) {
        drop(Box::from_raw(external.cast::<External>()));
        faults::live(-1);
        Ok(())
    };
    cuExternalMemoryGetMappedBuffer(out: *mut CUdeviceptr, external: CUexternalMemory,
        desc: *const CUDA_EXTERNAL_MEMORY_BUFFER_DESC) {
        let external = external.cast::<External>().as_ref().ok_or(INVALID_HANDLE)?;
        let (offset, size) = ((*desc).offset, (*desc).size);
        if offset.checked_add(size).is_none_or(|end| end > external.size) {
            return Err(INVALID_VALUE);
        }
        let mut bytes = vec![0; size as usize];
        external.file.read_exact_at(&mut bytes, offset).map_err(|_| INVALID_VALUE)?;
        put(out, memory::allocate_with(&bytes)?)
    };
    cuExternalMemoryGetMappedMipmappedArray(out: *mut CUmipmappedArray, external: CUexternalMemory,
        desc: *const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC) {
        external.cast::<External>().as_ref().ok_or(INVALID_HANDLE)?;
        put(out, array::create_mipmap((*desc).arrayDesc, (*desc).numLevels)?)
    };
    cuImportExternalSemaphore(out: *mut CUexternalSemaphore, desc: *const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC) {
        context::current()?;
        drop(take((*desc).handle.fd)?);
        faults::live(1);
        put(out, Box::into_raw(Box::new(Arc::<Semaphore>::default())).cast())
    };
    cuDestroyExternalSemaphore(handle: CUexternalSemaphore) {
        drop(Box::from_raw(handle.cast::<Arc<Semaphore>>()));
        faults::live(-1);
        Ok(())
    };
    cuSignalExternalSemaphoresAsync(list: *const CUexternalSemaphore, _parameters: *const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS,
        count: c_uint, stream: CUstream) {
        for handle in std::slice::from_raw_parts(list, count as usize) {
            let semaphore = semaphore(*handle)?;
            stream::push(stream, Box::new(move || {
                *lock(&semaphore.signals) += 1;
                semaphore.changed.notify_all();
            }))?;
        }
        Ok(())
    };
    cuWaitExternalSemaphoresAsync(list: *const CUexternalSemaphore, _parameters: *const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS,
        count: c_uint, stream: CUstream) {
        for handle in std::slice::from_raw_parts(list, count as usize) {
            let semaphore = semaphore(*handle)?;
            stream::push(stream, Box::new(move || {
                let mut signals = lock(&semaphore.signals);
                while *signals == 0 {
                    signals = semaphore.changed.wait(signals).unwrap_or_else(std::sync::PoisonError::into_inner);
                }
                *signals -= 1;
            }))?;
        }
        Ok(())
    };
}
