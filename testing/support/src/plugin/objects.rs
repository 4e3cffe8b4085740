//! Objects that release themselves, except while a test panics, because the remaining objects are then unknown.

use std::ffi::{CString, c_void};
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Table;

use crate::ok;

/// A USM allocation.
pub struct Usm {
    pub start: *mut c_void,
    pub(crate) pi: &'static Table,
    pub(crate) context: pi_context,
}

impl Usm {
    pub fn at(&self, offset: usize) -> *mut c_void {
        self.start.wrapping_byte_add(offset)
    }
}

impl Drop for Usm {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            ok!(self.pi, piextUSMFree(self.context, self.start));
        }
    }
}

/// A program.
pub struct Program {
    pub raw: pi_program,
    pub(crate) pi: &'static Table,
}

impl Program {
    pub fn kernel(&self, name: &str) -> Kernel {
        let name = CString::new(name).unwrap();
        let mut raw = null_mut();
        ok!(self.pi, piKernelCreate(self.raw, name.as_ptr(), &mut raw));
        Kernel { raw, pi: self.pi }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            ok!(self.pi, piProgramRelease(self.raw));
        }
    }
}

/// A kernel.
pub struct Kernel {
    pub raw: pi_kernel,
    pi: &'static Table,
}

impl Kernel {
    pub fn set<T: Copy>(&self, index: u32, value: T) -> &Self {
        ok!(self.pi, piKernelSetArg(self.raw, index, size_of::<T>(), (&raw const value).cast()));
        self
    }

    pub fn pointer(&self, index: u32, pointer: *const c_void) -> &Self {
        ok!(self.pi, piextKernelSetArgPointer(self.raw, index, 8, (&raw const pointer).cast()));
        self
    }

    pub fn local(&self, index: u32, size: usize) -> &Self {
        ok!(self.pi, piKernelSetArg(self.raw, index, size, null()));
        self
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            ok!(self.pi, piKernelRelease(self.raw));
        }
    }
}
