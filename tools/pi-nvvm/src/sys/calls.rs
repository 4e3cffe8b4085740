//! libnvvm's functions, and a wrapper for its programs.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr::null_mut;

use sycl_pi_dynload::{DriverLibrary, FromDriver, driver_functions};
use sycl_pi_nvvm_compiler::protocol::MOST_BYTES;

/// A `nvvmProgram`.
type RawNvvmProgram = *mut c_void;

/// An `nvvmResult`.
#[repr(transparent)]
struct NvvmResult(c_int);

driver_functions! {
    /// The functions of libnvvm.
    struct NvvmFunctions {
        unsafe fn nvvmGetErrorString(result: c_int) -> *const c_char;
        unsafe fn nvvmCreateProgram(program: *mut RawNvvmProgram) -> NvvmResult;
        unsafe fn nvvmDestroyProgram(program: *mut RawNvvmProgram) -> NvvmResult;
        unsafe fn nvvmAddModuleToProgram(program: RawNvvmProgram, buffer: *const c_char, size: usize, name: *const c_char)
            -> NvvmResult;
        unsafe fn nvvmLazyAddModuleToProgram(program: RawNvvmProgram, buffer: *const c_char, size: usize, name: *const c_char)
            -> NvvmResult;
        unsafe fn nvvmCompileProgram(program: RawNvvmProgram, count: c_int, options: *const *const c_char) -> NvvmResult;
        unsafe fn nvvmVerifyProgram(program: RawNvvmProgram, count: c_int, options: *const *const c_char) -> NvvmResult;
        unsafe fn nvvmGetCompiledResultSize(program: RawNvvmProgram, size: *mut usize) -> NvvmResult;
        unsafe fn nvvmGetCompiledResult(program: RawNvvmProgram, buffer: *mut c_char) -> NvvmResult;
        unsafe fn nvvmGetProgramLogSize(program: RawNvvmProgram, size: *mut usize) -> NvvmResult;
        unsafe fn nvvmGetProgramLog(program: RawNvvmProgram, buffer: *mut c_char) -> NvvmResult;
    }
}

/// The name and result of a failed call. There is no result if libnvvm lacks the function.
struct FailedCall(&'static str, Option<c_int>);

impl FromDriver<NvvmFunctions> for NvvmResult {
    type Answer = Result<(), FailedCall>;

    fn answer(function: &'static str, returned: Self) -> Self::Answer {
        if returned.0 == 0 { Ok(()) } else { Err(FailedCall(function, Some(returned.0))) }
    }

    fn missing(function: &'static str) -> Self::Answer {
        Err(FailedCall(function, None))
    }
}

impl FromDriver<NvvmFunctions> for *const c_char {
    type Answer = Option<Self>;

    fn answer(_: &'static str, returned: Self) -> Self::Answer {
        (!returned.is_null()).then_some(returned)
    }

    fn missing(_: &'static str) -> Self::Answer {
        None
    }
}

/// An open libnvvm.
pub(crate) struct NvvmCalls {
    functions: NvvmFunctions,
    // Contains the functions' code.
    _library: DriverLibrary,
}

impl NvvmCalls {
    /// Opens libnvvm. Returns a message on failure.
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        // SAFETY: the vendor's library, which is made to be opened.
        let library = unsafe { DriverLibrary::open_first([path]) }.map_err(|error| error.to_string())?;
        // SAFETY: the rows have the types of the vendor's header.
        let functions = unsafe { NvvmFunctions::resolve(|name| library.function(name)) };
        Ok(Self { functions, _library: library })
    }

    fn text(&self, failed: &FailedCall) -> String {
        let FailedCall(call, Some(result)) = *failed else {
            return format!("{}: libnvvm lacks it", failed.0);
        };
        // SAFETY: takes any number.
        let name = unsafe { self.functions.nvvmGetErrorString(result) };
        // SAFETY: a string with static lifetime.
        let name = name.map(|name| unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned());
        format!("{call}: {} ({result})", name.unwrap_or_default())
    }
}

/// A program of libnvvm. Errors are messages that include libnvvm's log.
pub(crate) struct NvvmProgram<'a> {
    calls: &'a NvvmCalls,
    raw: RawNvvmProgram,
}

impl<'a> NvvmProgram<'a> {
    pub(crate) fn new(calls: &'a NvvmCalls) -> Result<Self, String> {
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for writing a handle.
        let created = unsafe { calls.functions.nvvmCreateProgram(&raw mut raw) };
        created.map_err(|failed| calls.text(&failed))?;
        Ok(Self { calls, raw })
    }

    /// Adds a module, text or bitcode.
    pub(crate) fn add(&mut self, module: &[u8], name: &CStr) -> Result<(), String> {
        let (functions, start) = (&self.calls.functions, module.as_ptr().cast());
        // SAFETY: the program is alive, the pointer is valid for `module.len()` bytes, and the name ends with NUL.
        let added = unsafe { functions.nvvmAddModuleToProgram(self.raw, start, module.len(), name.as_ptr()) };
        added.map_err(|failed| self.failure(&failed))
    }

    /// Adds bitcode, from which only the functions that others need are used.
    pub(crate) fn add_lazily(&mut self, module: &[u8], name: &CStr) -> Result<(), String> {
        let (functions, start) = (&self.calls.functions, module.as_ptr().cast());
        let added =
            // SAFETY: the program is alive, the pointer is valid for `module.len()` bytes, and the name ends with NUL.
            unsafe { functions.nvvmLazyAddModuleToProgram(self.raw, start, module.len(), name.as_ptr()) };
        added.map_err(|failed| self.failure(&failed))
    }

    /// Checks the modules.
    pub(crate) fn verify(&mut self, options: &[CString]) -> Result<(), String> {
        let list: Vec<_> = options.iter().map(|option| option.as_ptr()).collect();
        let verified =
            // SAFETY: the program is alive, and the list contains `list.len()` strings.
            unsafe { self.calls.functions.nvvmVerifyProgram(self.raw, list.len() as c_int, list.as_ptr()) };
        verified.map_err(|failed| self.failure(&failed))
    }

    /// Compiles the modules.
    pub(crate) fn compile(&mut self, options: &[CString]) -> Result<(), String> {
        let list: Vec<_> = options.iter().map(|option| option.as_ptr()).collect();
        let compiled =
            // SAFETY: the program is alive, and the list contains `list.len()` strings.
            unsafe { self.calls.functions.nvvmCompileProgram(self.raw, list.len() as c_int, list.as_ptr()) };
        compiled.map_err(|failed| self.failure(&failed))
    }

    /// Returns the PTX, without its NUL.
    pub(crate) fn ptx(&self) -> Result<Vec<u8>, String> {
        let (functions, mut size) = (&self.calls.functions, 0);
        // SAFETY: the program is alive, and `size` is valid for writing.
        let sized = unsafe { functions.nvvmGetCompiledResultSize(self.raw, &raw mut size) };
        sized.map_err(|failed| self.failure(&failed))?;
        if size > MOST_BYTES {
            return Err(format!("nvvmGetCompiledResultSize: {size} bytes"));
        }
        let mut text = vec![0_u8; size];
        // SAFETY: the program is alive, and `text` has room for the number of bytes that it reported.
        let copied = unsafe { functions.nvvmGetCompiledResult(self.raw, text.as_mut_ptr().cast()) };
        copied.map_err(|failed| self.failure(&failed))?;
        text.truncate(text.iter().position(|byte| *byte == 0).unwrap_or(size));
        Ok(text)
    }

    /// Returns the log, or an empty string if there is none.
    pub(crate) fn log(&self) -> String {
        let (functions, mut size) = (&self.calls.functions, 0);
        // SAFETY: the program is alive, and `size` is valid for writing.
        let sized = unsafe { functions.nvvmGetProgramLogSize(self.raw, &raw mut size) };
        let mut text = vec![0_u8; if sized.is_ok() && size <= MOST_BYTES { size } else { 0 }];
        if text.len() > 1 {
            // SAFETY: the program is alive, and `text` has room for the number of bytes that it reported.
            let _ = unsafe { functions.nvvmGetProgramLog(self.raw, text.as_mut_ptr().cast()) };
        }
        text.truncate(text.iter().position(|byte| *byte == 0).unwrap_or(text.len()));
        String::from_utf8_lossy(&text).into_owned()
    }

    fn failure(&self, failed: &FailedCall) -> String {
        let (what, log) = (self.calls.text(failed), self.log());
        if log.trim().is_empty() { what } else { format!("{what}\n{}", log.trim()) }
    }
}

impl Drop for NvvmProgram<'_> {
    fn drop(&mut self) {
        // SAFETY: the program is alive, and is not used any more.
        let _ = unsafe { self.calls.functions.nvvmDestroyProgram(&raw mut self.raw) };
    }
}
