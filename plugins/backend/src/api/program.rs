//! Programs: from SPIR-V, source or binaries through compile, link and build.

use core::ffi::{CStr, c_char, c_void};

use crate::raw::RawProgram;
use crate::types::*;
use crate::{Info, New};

/// Called when a build is complete, with the program and the caller's data.
pub type ProgramCallback = Option<unsafe extern "C" fn(program: *mut RawProgram, user_data: *mut c_void)>;

/// A property of a program that its device image declares, for example `kernel@reqd_work_group_size`.
#[derive(Clone, Copy, Debug)]
pub struct ProgramMetadata<'a> {
    /// Kernel or variable, `@`, and the name of the property.
    pub name: &'a [u8],
    /// The value; empty if it is not a byte array.
    pub bytes: &'a [u8],
}

/// A caller's callback for the end of a build, with its user data.
#[derive(Clone, Copy, Debug)]
pub struct ProgramNotify {
    /// The function, if any. Without one, the call returns when the build is complete.
    pub function: ProgramCallback,
    /// Passed to the function.
    pub user_data: *mut c_void,
}

/// The target of a compilation, link or build.
#[derive(Clone, Copy, Debug)]
pub struct BuildTarget<'a, D> {
    /// The devices; if empty, all devices of the program.
    pub devices: &'a [&'a D],
    /// Options in the driver's syntax.
    pub options: Option<&'a CStr>,
    /// Called when the build is complete.
    pub notify: ProgramNotify,
}

api! {
    /// Programs.
    trait ProgramApi {
        /// Creates a program from SPIR-V.
        #[doc(alias = "piProgramCreate")]
        #[doc(alias = "urProgramCreateWithIL")]
        fn program_create_with_il(context: &Self::Context, il: &[u8]) -> New<Self::Program>;
        /// Creates a program from source strings. `lengths` is empty if all are NUL-terminated; a length of 0 also
        /// means NUL-terminated.
        #[doc(alias = "piclProgramCreateWithSource")]
        fn program_create_with_source(context: &Self::Context, strings: &[*const c_char], lengths: &[usize])
            -> New<Self::Program>;
        /// Creates a program from one binary per device. `metadata` contains the program properties of the image.
        #[doc(alias = "piProgramCreateWithBinary")]
        #[doc(alias = "urProgramCreateWithBinary")]
        fn program_create_with_binary(context: &Self::Context, devices: &[&Self::Device], binaries: &[&[u8]],
            metadata: &[ProgramMetadata<'_>], status: Option<&mut [ErrorCode]>) -> New<Self::Program>;
        /// Answers queries for reference count, context, devices, source, binaries and kernels.
        #[doc(alias = "piProgramGetInfo")]
        #[doc(alias = "urProgramGetInfo")]
        fn program_info(program: &Self::Program, name: ProgramInfo, info: Info<'_>);
        /// Compiles to a linkable object.
        #[doc(alias = "piProgramCompile")]
        #[doc(alias = "urProgramCompile")]
        #[doc(alias = "urProgramCompileExp")]
        fn program_compile(program: &Self::Program, target: BuildTarget<'_, Self::Device>,
            headers: &[&Self::Program], header_names: &[*const c_char]);
        /// Compiles and links.
        #[doc(alias = "piProgramBuild")]
        #[doc(alias = "urProgramBuild")]
        #[doc(alias = "urProgramBuildExp")]
        fn program_build(program: &Self::Program, target: BuildTarget<'_, Self::Device>);
        /// Links compiled programs. A failed link may leave a program whose log can be read, which is returned with the
        /// error.
        #[doc(alias = "piProgramLink")]
        #[doc(alias = "urProgramLink")]
        #[doc(alias = "urProgramLinkExp")]
        fn program_link(context: &Self::Context, target: BuildTarget<'_, Self::Device>,
            programs: &[&Self::Program], failed: &mut Option<New<Self::Program>>) -> New<Self::Program>;
        /// Answers queries for build status, options, log and binary type for a device.
        #[doc(alias = "piProgramGetBuildInfo")]
        #[doc(alias = "urProgramGetBuildInfo")]
        fn program_build_info(program: &Self::Program, device: &Self::Device, name: ProgramBuildInfo,
            info: Info<'_>);
        /// Sets a specialization constant for the next build. The value is copied.
        #[doc(alias = "piextProgramSetSpecializationConstant")]
        #[doc(alias = "urProgramSetSpecializationConstants")]
        fn program_set_specialization_constant(program: &Self::Program, id: u32, value: &[u8]);
        /// Returns the driver's native handle.
        #[doc(alias = "piextProgramGetNativeHandle")]
        #[doc(alias = "urProgramGetNativeHandle")]
        fn program_native_handle(program: &Self::Program) -> NativeHandle;
        /// Creates a program from a native handle. If `owned`, the plugin takes over the caller's reference.
        #[doc(alias = "piextProgramCreateWithNativeHandle")]
        #[doc(alias = "urProgramCreateWithNativeHandle")]
        fn program_create_with_native_handle(native: NativeHandle, context: &Self::Context, owned: bool)
            -> New<Self::Program>;
    }
}
