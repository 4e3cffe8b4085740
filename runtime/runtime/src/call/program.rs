//! Programs.

use std::ffi::{CString, c_void};
use std::sync::atomic::{AtomicBool, Ordering};

use sycl_pi_core::*;
use sycl_pi_image::Property;
use sycl_pi_loader::CallError;

use super::handle::Handle;
use super::select::c_text;
use super::{Context, Device};
use crate::error::{Error, Result, WithObject};
use crate::host_memory::filled;

/// A program, in any state.
pub(crate) struct RawProgram {
    context: Context,
    raw: Handle<_pi_program>,
    name: String,
    /// Whether copies to or from its variables were enqueued and not yet waited for.
    has_copies: AtomicBool,
}

/// Facts about a native image that are passed to the plugin (`SYCL/program metadata`).
pub(crate) type Metadata<'a> = &'a [Property<'static>];

impl RawProgram {
    fn new(context: &Context, raw: pi_program, name: &str) -> Self {
        let (context, raw, has_copies) = (context.clone(), Handle::new(raw), AtomicBool::new(false));
        Self { context, raw, name: name.into(), has_copies }
    }

    /// Creates a program from an intermediate language.
    pub(crate) fn from_il(context: &Context, name: &str, il: &[u8]) -> Result<Self> {
        let mut raw: pi_program = std::ptr::null_mut();
        let table = context.plugin().table();
        // SAFETY: the bytes are read only during the call.
        let done = unsafe { table.piProgramCreate(context.raw(), il.as_ptr().cast(), il.len(), &mut raw) };
        done.with_object(|| format!("image {name}"))?;
        Ok(Self::new(context, raw, name))
    }

    /// Creates a program from a device's own code.
    pub(crate) fn from_binary(
        context: &Context,
        device: &Device,
        name: &str,
        binary: &[u8],
        metadata: Metadata<'_>,
    ) -> Result<Self> {
        let names: Vec<CString> =
            metadata.iter().map(|property| c_text(&property.name)).collect::<Result<_>>()?;
        let mut properties: Vec<_pi_device_binary_property_struct> = Vec::with_capacity(names.len());
        for (property, name) in metadata.iter().zip(&names) {
            let (address, size) = match &property.value {
                sycl_pi_image::Value::Uint32(number) => (std::ptr::null_mut(), u64::from(*number)),
                sycl_pi_image::Value::ByteArray(bytes) | sycl_pi_image::Value::Other(_, bytes) => {
                    (bytes.as_ptr().cast_mut().cast::<c_void>(), bytes.len() as u64)
                }
            };
            properties.push(_pi_device_binary_property_struct {
                Name: name.as_ptr().cast_mut(),
                ValAddr: address,
                Type: property.value.type_number(),
                ValSize: size,
            });
        }
        let pointers: Vec<pi_device_binary_property> = properties.iter_mut().map(|one| one as _).collect();
        let (mut raw, mut status): (pi_program, pi_int32) = (std::ptr::null_mut(), 0);
        let (device, length, bytes) = (device.raw(), binary.len(), binary.as_ptr());
        let table = context.plugin().table();
        // SAFETY: one device with one binary of this length; the properties outlive the call.
        let done = unsafe {
            table.piProgramCreateWithBinary(
                context.raw(),
                1,
                &device,
                &length,
                &bytes,
                pointers.len(),
                pointers.as_ptr(),
                &mut status,
                &mut raw,
            )
        };
        done.with_object(|| format!("image {name}"))?;
        Ok(Self::new(context, raw, name))
    }

    /// Sets a scalar specialization constant, before the program is built or compiled.
    pub(crate) fn set_spec_constant(&self, id: u32, value: &[u8]) -> Result<()> {
        let table = self.context.plugin().table();
        // SAFETY: the value has this many bytes, and is read during the call.
        let done = unsafe {
            table.piextProgramSetSpecializationConstant(
                self.raw.get(),
                id,
                value.len(),
                value.as_ptr().cast(),
            )
        };
        done.with_object(|| format!("specialization constant {id} of image {}", self.name))
    }

    /// Builds it for one device.
    pub(crate) fn build(&self, device: &Device, options: &str) -> Result<()> {
        let (options, handle) = (c_text(options)?, device.raw());
        let (table, none) = (self.context.plugin().table(), std::ptr::null_mut());
        // SAFETY: one device; no callback.
        let done = unsafe { table.piProgramBuild(self.raw.get(), 1, &handle, options.as_ptr(), None, none) };
        done.map_err(|error| self.failed("build", device, &error))
    }

    /// Compiles it for one device.
    pub(crate) fn compile(&self, device: &Device, options: &str) -> Result<()> {
        let (options, handle) = (c_text(options)?, device.raw());
        let (table, none) = (self.context.plugin().table(), std::ptr::null_mut());
        let (no_headers, no_names) = (std::ptr::null(), std::ptr::null());
        // SAFETY: one device, no headers, no callback.
        let done = unsafe {
            table.piProgramCompile(
                self.raw.get(),
                1,
                &handle,
                options.as_ptr(),
                0,
                no_headers,
                no_names,
                None,
                none,
            )
        };
        done.map_err(|error| self.failed("compile", device, &error))
    }

    /// Links compiled programs.
    pub(crate) fn link(
        context: &Context,
        device: &Device,
        name: &str,
        programs: &[RawProgram],
        options: &str,
    ) -> Result<Self> {
        let (options, handle) = (c_text(options)?, device.raw());
        let handles: Vec<pi_program> = programs.iter().map(|program| program.raw.get()).collect();
        let mut raw: pi_program = std::ptr::null_mut();
        let (table, none) = (context.plugin().table(), std::ptr::null_mut());
        let count = handles.len() as pi_uint32;
        // SAFETY: one device; the programs are alive; no callback.
        let done = unsafe {
            table.piProgramLink(
                context.raw(),
                1,
                &handle,
                options.as_ptr(),
                count,
                handles.as_ptr(),
                None,
                none,
                &mut raw,
            )
        };
        // A failed link may leave a program, which contains the log.
        let linked = (!raw.is_null()).then(|| Self::new(context, raw, name));
        match (done, linked) {
            (Ok(()), Some(linked)) => Ok(linked),
            (Err(error), Some(linked)) => Err(linked.failed("link", device, &error)),
            (Err(error), None) => {
                let message = format!("image {name} does not link: {error}");
                Err(Error::Build { message, error: Some(error) })
            }
            (Ok(()), None) => Err(Error::build(format!("image {name}: piProgramLink gave no program"))),
        }
    }

    fn failed(&self, verb: &str, device: &Device, error: &CallError) -> Error {
        let why = with_log(error, self.log(device).trim());
        let message = format!("image {} does not {verb} for {device:?}: {why}", self.name);
        Error::Build { message, error: Some(error.clone()) }
    }

    fn log(&self, device: &Device) -> String {
        let table = self.context.plugin().table();
        let what = PI_PROGRAM_BUILD_INFO_LOG;
        let mut size = 0;
        let none = std::ptr::null_mut();
        let asked =
            // SAFETY: only the size is queried.
            unsafe { table.piProgramGetBuildInfo(self.raw.get(), device.raw(), what, 0, none, &mut size) };
        if asked.is_err() || size == 0 {
            return String::new();
        }
        let Ok(mut text) = filled(0_u8, size) else { return String::new() };
        let to = text.as_mut_ptr().cast();
        // SAFETY: `to` has `size` bytes.
        let result = unsafe {
            table.piProgramGetBuildInfo(self.raw.get(), device.raw(), what, size, to, std::ptr::null_mut())
        };
        if result.is_err() {
            return String::new();
        }
        String::from_utf8_lossy(&text).trim_end_matches('\0').to_owned()
    }

    /// Records a copy. The variables are part of the program, which is kept until the copies are complete.
    pub(super) fn note_copy(&self) {
        self.has_copies.store(true, Ordering::Release);
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn raw(&self) -> pi_program {
        self.raw.get()
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }
}

/// Formats the error of a build with the driver's log. The log appears only once, because some plugins include it, or
/// its beginning, in the error.
fn with_log(error: &CallError, log: &str) -> String {
    let mut told = error.to_string();
    if log.is_empty() || told.contains(log) {
        return told;
    }
    let beginning: String = log.chars().take(100).collect();
    if let CallError::Failed { function, code, .. } = error
        && told.contains(&beginning)
    {
        told = CallError::Failed { function, code: *code, text: None }.to_string();
    }
    format!("{told}\nthe driver's log:\n{log}")
}

impl Drop for RawProgram {
    fn drop(&mut self) {
        if *self.has_copies.get_mut() && !self.context.finish_queues() {
            // Leaked rather than freed during a copy.
            return;
        }
        // SAFETY: the handle is this object's own.
        let _ = unsafe { self.context.plugin().table().piProgramRelease(self.raw.get()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_is_told_once() {
        let error = |text: &str| CallError::Failed {
            function: "piProgramBuild",
            code: PI_ERROR_BUILD_PROGRAM_FAILURE,
            text: Some(text.into()),
        };
        let code = "piProgramBuild failed: PI_ERROR_BUILD_PROGRAM_FAILURE (-11)";
        let other = with_log(&error("no"), "line 7: oops");
        assert_eq!(other, format!("{code}: no\nthe driver's log:\nline 7: oops"));
        let whole = with_log(&error("build log: line 7: oops: failed"), "line 7: oops");
        assert_eq!(whole, format!("{code}: build log: line 7: oops: failed"));
        let long = "line 7: oops\n".repeat(20);
        let cut = with_log(&error(&format!("build log: {}", &long[..150])), &long);
        assert_eq!(cut, format!("{code}\nthe driver's log:\n{long}"));
        assert_eq!(with_log(&error("no"), ""), format!("{code}: no"));
    }
}
