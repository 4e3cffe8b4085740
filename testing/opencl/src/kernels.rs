//! Programs for tests: SPIR-V that DPC++ compiled, and OpenCL C.

use std::ffi::{CStr, CString, c_char};
use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use crate::{CallError, Fixture, Owned, call, made, ok};

/// Device images under `lib/image/tests/images`, next to their sources and property sets.
macro_rules! modules {
    ($($name:ident $file:literal;)*) => { $(
        #[doc = concat!("`", $file, ".spv`.")]
        pub const $name: &[u8] = include_bytes!(concat!("../../../lib/image/tests/images/", $file, ".spv"));
    )* };
}

modules! {
    SPEC_SCALAR "spec_scalar";
    SPEC_STRUCT "spec_struct";
    SPEC_ARRAY "spec_array";
    DG_BASIC "dg_basic";
    DG_SCOPE "dg_scope";
    DL_MISSING "dl_missing";
}

/// [`SOURCE`] as SPIR-V.
pub const BASIC: &[u8] = include_bytes!("../../kernels/basic.spv");
/// Kernels of many shapes in OpenCL C 1.2.
pub const SOURCE: &str = include_str!("../../kernels/basic.cl");

/// Returns PI 12.27's table, for programs from source, which newer tables lack. Handles belong to the driver, so tables
/// can be mixed.
pub fn old_table() -> &'static crate::Table {
    testing_support::under_test(Version::V12_27)
}

impl Fixture {
    /// Creates a program from OpenCL C without building it.
    pub fn source(&self, source: &str) -> Owned<'_, pi_program> {
        let source = CString::new(source).expect("no NUL in source");
        let strings = [source.as_ptr()];
        let program = made!(old_table(), |out| piclProgramCreateWithSource(
            self.context,
            1,
            strings.as_ptr(),
            null(),
            out
        ));
        self.own_program(program)
    }

    /// Creates a program from SPIR-V without building it.
    pub fn spirv(&self, il: &[u8]) -> Owned<'_, pi_program> {
        let program = made!(self.pi, |out| piProgramCreate(self.context, il.as_ptr().cast(), il.len(), out));
        self.own_program(program)
    }

    /// Builds a program for the fixture's device.
    pub fn build(&self, program: pi_program, options: &CStr) -> Result<(), CallError> {
        call!(self.pi, piProgramBuild(program, 1, &self.device, options.as_ptr(), None, null_mut()))
    }

    /// Creates a built program of [`SOURCE`].
    pub fn built_source(&self) -> Owned<'_, pi_program> {
        let program = self.source(SOURCE);
        self.build(*program, c"").unwrap_or_else(|error| panic!("{error}"));
        program
    }

    /// Creates a built program from SPIR-V.
    pub fn built_spirv(&self, il: &[u8]) -> Owned<'_, pi_program> {
        let program = self.spirv(il);
        self.build(*program, c"").unwrap_or_else(|error| panic!("{error}"));
        program
    }

    /// Creates a kernel of a built program.
    pub fn kernel(&self, program: pi_program, name: &CStr) -> Owned<'_, pi_kernel> {
        let kernel = made!(self.pi, |out| piKernelCreate(program, name.as_ptr(), out));
        Owned::new(self.pi, kernel, |pi, kernel| call!(pi, piKernelRelease(kernel)))
    }

    /// Takes over a reference to a program.
    pub fn own_program(&self, program: pi_program) -> Owned<'_, pi_program> {
        Owned::new(self.pi, program, |pi, program| call!(pi, piProgramRelease(program)))
    }

    /// Launches in one dimension on the fixture's queue and waits.
    pub fn launch(&self, kernel: pi_kernel, global: usize) {
        let event = made!(self.pi, |out| piEnqueueKernelLaunch(
            self.queue,
            kernel,
            1,
            null(),
            &global,
            null(),
            0,
            null(),
            out
        ));
        self.wait(event);
    }

    /// Sets an argument by value.
    pub fn set_arg<T: Copy>(&self, kernel: pi_kernel, index: u32, value: T) {
        ok!(self.pi, piKernelSetArg(kernel, index, size_of::<T>(), (&raw const value).cast()));
    }

    /// Sets an argument to a buffer with the signature of the table.
    pub fn set_mem(&self, kernel: pi_kernel, index: u32, mem: pi_mem) {
        if self.pi.piextKernelSetArgMemObj.is_some() {
            ok!(self.pi, piextKernelSetArgMemObj(kernel, index, null(), &mem));
        } else {
            ok!(self.pi, piextKernelSetArgMemObj_until_12_27(kernel, index, &mem));
        }
    }

    /// Sets an argument to a USM address.
    pub fn set_pointer<T>(&self, kernel: pi_kernel, index: u32, pointer: *mut T) {
        let place = &raw const pointer;
        ok!(self.pi, piextKernelSetArgPointer(kernel, index, size_of::<*mut T>(), place.cast()));
    }

    /// Returns the build log of a program on the fixture's device.
    pub fn log(&self, program: pi_program) -> String {
        let log =
            crate::bytes!(self.pi, piProgramGetBuildInfo(program, self.device, PI_PROGRAM_BUILD_INFO_LOG));
        String::from_utf8_lossy(&log).trim_end_matches('\0').to_owned()
    }
}

/// Returns a list of texts in the interface's form.
pub fn pointers(texts: &[&CStr]) -> Vec<*const c_char> {
    texts.iter().map(|text| text.as_ptr()).collect()
}
