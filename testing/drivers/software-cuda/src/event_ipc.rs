//! Events that other processes use too.

use std::ffi::c_int;
use std::os::fd::AsRawFd;

use cudarc::driver::sys::{CUevent, CUipcEventHandle};

use crate::event_page::Page;
use crate::{INVALID_CONTEXT, INVALID_HANDLE, INVALID_VALUE, context, entries, event, put};

/// The content of the driver's 64 bytes.
#[derive(Clone, Copy)]
#[repr(C)]
struct Name {
    process: c_int,
    file: c_int,
}

entries! {
    cuIpcGetEventHandle(out: *mut CUipcEventHandle, event: CUevent) {
        context::current()?;
        let page = event::page(event)?.ok_or(INVALID_HANDLE)?;
        if out.is_null() {
            return Err(INVALID_VALUE);
        }
        let name = Name { process: libc::getpid(), file: page.file.as_raw_fd() };
        out.cast::<Name>().write_unaligned(name);
        Ok(())
    };
    cuIpcOpenEventHandle(out: *mut CUevent, handle: CUipcEventHandle) {
        context::current()?;
        let name = (&raw const handle).cast::<Name>().read_unaligned();
        if name.process == libc::getpid() {
            return Err(INVALID_CONTEXT);
        }
        let path = format!("/proc/{}/fd/{}", name.process, name.file);
        let file = std::fs::File::options().read(true).write(true).open(path).map_err(|_| INVALID_HANDLE)?;
        put(out, event::add(Some(Page::map(file.into())?)))
    };
}
