//! Loading and linking of modules from images, with options and logs.

use std::ffi::{CStr, CString, c_void};
use std::ptr::null_mut;

use cudarc::driver::sys::*;
use sycl_pi_backend::{Error, Result};

use super::handles::DriverHandle;
use super::library::cuda;

/// Size in bytes of each of the two logs.
const LOG: usize = 16 * 1024;

/// A loaded module and the compiler's output.
pub(crate) struct LoadedModule {
    pub(crate) module: DriverHandle<CUmodule>,
    pub(crate) log: String,
}

/// A linked cubin and the linker's output.
pub(crate) struct LinkedCubin {
    pub(crate) cubin: Vec<u8>,
    pub(crate) log: String,
}

/// The error of a load or link, and the output of the compiler or linker.
pub(crate) struct JitFailure {
    pub(crate) error: Error,
    pub(crate) log: String,
}

impl JitFailure {
    /// Returns the error of a load, with the log in its message.
    pub(crate) fn into_error(self) -> Error {
        let Self { error, log } = self;
        if log.is_empty() { error } else { error.context(format!("build log: {log}")) }
    }
}

/// Buffers for the compiler's logs, and the options that refer to them.
struct JitLogs {
    info: Vec<u8>,
    error: Vec<u8>,
    options: Vec<CUjit_option>,
    values: Vec<*mut c_void>,
}

/// Indices of the two sizes in the lists, which the driver overwrites with the sizes that it used.
const INFO_SIZE: usize = 1;
const ERROR_SIZE: usize = 3;

impl JitLogs {
    fn new(wanted: &[(CUjit_option, usize)]) -> Self {
        let (mut info, mut error) = (vec![0_u8; LOG], vec![0_u8; LOG]);
        let number = std::ptr::without_provenance_mut::<c_void>;
        let mut options = vec![
            CUjit_option::CU_JIT_INFO_LOG_BUFFER,
            CUjit_option::CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
            CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
            CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
            CUjit_option::CU_JIT_LOG_VERBOSE,
        ];
        let mut values =
            vec![info.as_mut_ptr().cast(), number(LOG), error.as_mut_ptr().cast(), number(LOG), number(1)];
        options.extend(wanted.iter().map(|(option, _)| *option));
        values.extend(wanted.iter().map(|(_, value)| number(*value)));
        Self { info, error, options, values }
    }

    fn count(&self) -> u32 {
        self.options.len() as u32
    }

    fn text(&self) -> String {
        let text_of = |log: &[u8], used: usize| {
            let text = &log[..used.min(log.len())];
            let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
            String::from_utf8_lossy(&text[..end]).trim_end().to_owned()
        };
        // The sizes are 32-bit numbers in the space of pointers.
        let error = text_of(&self.error, self.values[ERROR_SIZE].addr() as u32 as usize);
        let info = text_of(&self.info, self.values[INFO_SIZE].addr() as u32 as usize);
        match (error.is_empty(), info.is_empty()) {
            (true, _) => info,
            (_, true) => error,
            _ => format!("{error}\n{info}"),
        }
    }
}

/// Loads an image, the binary if there is one and otherwise the text, into the current context.
pub(crate) fn load_module(
    text: &CStr,
    binary: Option<&[u8]>,
    wanted: &[(CUjit_option, usize)],
) -> std::result::Result<LoadedModule, JitFailure> {
    let mut logs = JitLogs::new(wanted);
    let mut module = null_mut();
    let start = binary.map_or(text.as_ptr().cast::<c_void>(), |binary| binary.as_ptr().cast());
    let (count, options, values) = (logs.count(), logs.options.as_mut_ptr(), logs.values.as_mut_ptr());
    let result = cuda().and_then(|cuda| cuda.cuModuleLoadDataEx(&mut module, start, count, options, values));
    match result {
        Ok(()) => Ok(LoadedModule { module: DriverHandle::new(module), log: logs.text() }),
        Err(error) => Err(JitFailure { error, log: logs.text() }),
    }
}

/// Links images, each PTX (with its NUL), cubin or fatbin, to one cubin for the current context.
pub(crate) fn link(
    images: &[(&[u8], CUjitInputType)],
    wanted: &[(CUjit_option, usize)],
) -> std::result::Result<LinkedCubin, JitFailure> {
    let mut logs = JitLogs::new(wanted);
    let mut state = null_mut();
    let result = (|| -> Result<Vec<u8>> {
        let cuda = cuda()?;
        cuda.cuLinkCreate_v2(logs.count(), logs.options.as_mut_ptr(), logs.values.as_mut_ptr(), &mut state)?;
        for (index, (image, kind)) in images.iter().enumerate() {
            let name = CString::new(format!("image {index}")).unwrap_or_default();
            let data = image.as_ptr().cast_mut().cast();
            cuda.cuLinkAddData_v2(state, *kind, data, image.len(), name.as_ptr(), 0, null_mut(), null_mut())?;
        }
        let (mut cubin, mut size) = (null_mut(), 0);
        cuda.cuLinkComplete(state, &mut cubin, &mut size)?;
        if cubin.is_null() {
            return Ok(Vec::new());
        }
        // SAFETY: this is the driver's own memory, which is valid until the link state is destroyed.
        Ok(unsafe { std::slice::from_raw_parts(cubin.cast::<u8>().cast_const(), size) }.to_vec())
    })();
    let log = logs.text();
    if !state.is_null() {
        let _ = cuda().and_then(|cuda| cuda.cuLinkDestroy(state));
    }
    match result {
        Ok(cubin) => Ok(LinkedCubin { cubin, log }),
        Err(error) => Err(JitFailure { error, log }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_has_what_was_written_errors_first() {
        for (error, info, expected) in
            [("", "", ""), ("bad\n", "", "bad"), ("", "good", "good"), ("bad", "good", "bad\ngood")]
        {
            let mut logs = JitLogs::new(&[(CUjit_option::CU_JIT_MAX_REGISTERS, 32)]);
            assert_eq!((logs.count(), logs.options.len(), logs.values.len()), (6, 6, 6));
            assert_eq!((logs.values[4].addr(), logs.values[5].addr()), (1, 32));
            logs.error[..error.len()].copy_from_slice(error.as_bytes());
            logs.info[..info.len()].copy_from_slice(info.as_bytes());
            // The driver counts the NUL.
            logs.values[ERROR_SIZE] = std::ptr::without_provenance_mut(error.len() + 1);
            logs.values[INFO_SIZE] = std::ptr::without_provenance_mut(info.len() + 1);
            assert_eq!(logs.text(), expected);
        }
    }
}
