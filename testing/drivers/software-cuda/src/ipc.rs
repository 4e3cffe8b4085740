//! Memory of other processes: pages of a memory file that both map.

use std::ffi::{c_int, c_uint, c_void};
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd};

use cudarc::driver::sys::{CUdeviceptr, CUipcMemHandle};

use crate::{
    Code, INVALID_CONTEXT, INVALID_HANDLE, INVALID_VALUE, OUT_OF_MEMORY, context, entries, memory, put,
};

const PAGE: usize = 4096;

/// The content of the driver's 64 bytes.
#[derive(Clone, Copy)]
#[repr(C)]
struct Shared {
    process: c_int,
    file: c_int,
    /// The size of the file in bytes.
    pages: usize,
    /// The position of the memory in the file, and its size.
    offset: usize,
    size: usize,
}

/// Replaces memory with pages of a new file, which get the content of the memory and of the rest of these pages.
fn share(start: usize, size: usize) -> Result<Shared, Code> {
    let first = start / PAGE * PAGE;
    let pages = (start + size).next_multiple_of(PAGE) - first;
    let at = std::ptr::with_exposed_provenance_mut::<c_void>(first);
    // SAFETY: a new file, and whole pages of this process's memory, which keep their content.
    unsafe {
        let file = libc::memfd_create(c"software-cuda".as_ptr(), 0);
        if file < 0 {
            return Err(OUT_OF_MEMORY);
        }
        let file = OwnedFd::from_raw_fd(file);
        // A direct system call, because the pages also contain freed memory, which AddressSanitizer does not let be
        // read.
        let written = libc::syscall(libc::SYS_write, file.as_raw_fd(), at, pages);
        let flags = libc::MAP_SHARED | libc::MAP_FIXED;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        if written != pages as i64
            || libc::mmap(at, pages, access, flags, file.as_raw_fd(), 0) == libc::MAP_FAILED
        {
            return Err(OUT_OF_MEMORY);
        }
        let process = libc::getpid();
        Ok(Shared { process, file: file.into_raw_fd(), pages, offset: start - first, size })
    }
}

/// Returns the memory's address in this process.
fn open(shared: Shared) -> Result<usize, Code> {
    // SAFETY: a number of this process.
    if shared.process == unsafe { libc::getpid() } {
        return Err(INVALID_CONTEXT);
    }
    let path = format!("/proc/{}/fd/{}", shared.process, shared.file);
    let file = std::fs::File::options().read(true).write(true).open(path).map_err(|_| INVALID_HANDLE)?;
    let access = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping of a file.
    let start = unsafe {
        libc::mmap(std::ptr::null_mut(), shared.pages, access, libc::MAP_SHARED, file.as_raw_fd(), 0)
    };
    if start == libc::MAP_FAILED { Err(OUT_OF_MEMORY) } else { Ok(start.expose_provenance() + shared.offset) }
}

entries! {
    cuIpcGetMemHandle(out: *mut CUipcMemHandle, pointer: CUdeviceptr) {
        context::current()?;
        if out.is_null() {
            return Err(INVALID_VALUE);
        }
        let (start, size) = memory::device_block(pointer as usize).ok_or(INVALID_VALUE)?;
        let shared = share(start, size)?;
        out.cast::<Shared>().write_unaligned(shared);
        Ok(())
    };
    cuIpcOpenMemHandle_v2(out: *mut CUdeviceptr, handle: CUipcMemHandle, _flags: c_uint) {
        let device = context::current()?.device;
        let shared = (&raw const handle).cast::<Shared>().read_unaligned();
        let start = open(shared)?;
        memory::add_imported(start, shared.size, device);
        put(out, start as u64)
    };
    cuIpcCloseMemHandle(pointer: CUdeviceptr) {
        context::current()?;
        let size = memory::remove_imported(pointer as usize).ok_or(INVALID_VALUE)?;
        let first = pointer as usize / PAGE * PAGE;
        let pages = (pointer as usize + size).next_multiple_of(PAGE) - first;
        match libc::munmap(std::ptr::with_exposed_provenance_mut(first), pages) {
            0 => Ok(()),
            _ => Err(INVALID_VALUE),
        }
    };
}
