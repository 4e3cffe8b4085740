//! A runtime's side of a plugin at one PI version, with its table, a device, and objects created through it.

use std::ffi::{CStr, c_char, c_void};
use std::path::Path;
use std::ptr::{null, null_mut};

use anyhow::{Context, Result, ensure};
use libloading::os::unix::Library;
use sycl_pi_core::*;
use sycl_pi_loader::{CallError, Plugin, Table};

use crate::code::{Code, Kind};

/// Calls an entry point: `call!(host, piQueueFinish(queue))`.
macro_rules! call {
    ($host:expr, $name:ident($($arg:expr),* $(,)?)) => {{
        #[allow(unused_unsafe, reason = "an argument may be a call of its own")]
        // SAFETY: handles are live, or must be refused by the plugin. Buffers are as large as reported.
        unsafe { $host.pi.$name($($arg),*) }
    }};
}
pub(crate) use call;

/// The plugin at one version.
#[derive(Clone, Copy)]
pub(crate) struct Host {
    pub(crate) pi: &'static Table,
    pub(crate) version: Version,
    pub(crate) device: pi_device,
    pub(crate) context: pi_context,
    pub(crate) queue: pi_queue,
    pub(crate) program: pi_program,
}

// SAFETY: plugins may be called from any thread, and handles are only passed on.
unsafe impl Send for Host {}
// SAFETY: plugins may be called from any thread, and handles are only passed on.
unsafe impl Sync for Host {}

impl Host {
    /// Opens the plugin at a version, with a context, an in-order queue and the built program.
    pub(crate) fn open(path: &Path, version: Version, code: &Code) -> Result<Self> {
        // SAFETY: the file is the plugin under test, which the caller trusts.
        let plugin = unsafe { Plugin::open_version(path, version) }?;
        let pi = &Box::leak(Box::new(plugin)).table();
        let null_host = Self {
            pi,
            version,
            device: null_mut(),
            context: null_mut(),
            queue: null_mut(),
            program: null_mut(),
        };
        let mut host = null_host;
        let (mut platform, mut count) = (null_mut(), 0);
        call!(host, piPlatformsGet(1, &mut platform, &mut count))?;
        ensure!(count > 0, "the plugin finds no platform: install or name its driver");
        call!(host, piDevicesGet(platform, PI_DEVICE_TYPE_ALL, 1, &mut host.device, &mut count))?;
        call!(host, piContextCreate(null(), 1, &host.device, None, null_mut(), &mut host.context))?;
        host.queue = host.new_queue(0)?;
        host.program = host.new_program(path, code)?;
        Ok(host)
    }

    /// Creates a queue with the call that the version's runtimes use.
    pub(crate) fn new_queue(&self, flags: pi_queue_properties) -> Result<pi_queue, CallError> {
        let (mut list, mut queue) = ([PI_QUEUE_FLAGS, flags, 0], null_mut());
        match self.pi.piextQueueCreate.is_some() {
            true => call!(self, piextQueueCreate(self.context, self.device, list.as_mut_ptr(), &mut queue))?,
            false => call!(self, piQueueCreate(self.context, self.device, flags, &mut queue))?,
        }
        Ok(queue)
    }

    /// Creates and builds the program.
    pub(crate) fn new_program(&self, path: &Path, code: &Code) -> Result<pi_program> {
        let (start, length, mut program) = (code.bytes.as_ptr(), code.bytes.len(), null_mut());
        match code.kind {
            Kind::Spirv => call!(self, piProgramCreate(self.context, start.cast(), length, &mut program))?,
            Kind::Source => program = self.of_source(path, start.cast())?,
            Kind::Image => {
                let mut status = 0;
                call!(
                    self,
                    piProgramCreateWithBinary(
                        self.context,
                        1,
                        &self.device,
                        &length,
                        &start,
                        0,
                        null(),
                        &mut status,
                        &mut program
                    )
                )?;
            }
        }
        call!(self, piProgramBuild(program, 1, &self.device, c"".as_ptr(), None, null_mut()))?;
        Ok(program)
    }

    fn of_source(&self, path: &Path, text: *const c_char) -> Result<pi_program> {
        type Create = unsafe extern "C" fn(
            pi_context,
            u32,
            *const *const c_char,
            *const usize,
            *mut pi_program,
        ) -> pi_result;
        let mut program = null_mut();
        // SAFETY: the library stays loaded, and the symbol has this signature in every plugin that exports it.
        let code = unsafe {
            let library = Library::new(path)?;
            let create = *library.get::<Create>(b"piclProgramCreateWithSource\0").context("no OpenCL C")?;
            std::mem::forget(library);
            create(self.context, 1, &text, null(), &mut program)
        };
        ensure!(code == PI_SUCCESS, "piclProgramCreateWithSource: {code}");
        Ok(program)
    }

    pub(crate) fn kernel(&self, name: &CStr) -> Result<pi_kernel, CallError> {
        let mut kernel = null_mut();
        call!(self, piKernelCreate(self.program, name.as_ptr(), &mut kernel))?;
        Ok(kernel)
    }

    /// Sets an argument to a buffer, with the version's signature.
    pub(crate) fn set_mem(&self, kernel: pi_kernel, index: u32, mem: pi_mem) -> Result<(), CallError> {
        match self.pi.piextKernelSetArgMemObj_until_12_27.is_some() {
            true => call!(self, piextKernelSetArgMemObj_until_12_27(kernel, index, &mem)),
            false => call!(self, piextKernelSetArgMemObj(kernel, index, null(), &mem)),
        }
    }

    /// Creates a buffer with these values.
    pub(crate) fn buffer(&self, values: &[i32]) -> Result<pi_mem, CallError> {
        let (flags, mut mem) = (PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY, null_mut());
        let start = values.as_ptr().cast::<c_void>().cast_mut();
        call!(self, piMemBufferCreate(self.context, flags, size_of_val(values), start, &mut mem, null()))?;
        Ok(mem)
    }

    /// Returns the first values of a buffer.
    pub(crate) fn read(&self, queue: pi_queue, mem: pi_mem, count: usize) -> Result<Vec<i32>, CallError> {
        let mut values = vec![0_i32; count];
        let (size, to) = (4 * count, values.as_mut_ptr().cast());
        call!(self, piEnqueueMemBufferRead(queue, mem, PI_TRUE, 0, size, to, 0, null(), null_mut()))?;
        Ok(values)
    }

    /// Waits for an event and releases it.
    pub(crate) fn finish(&self, event: pi_event) -> Result<(), CallError> {
        call!(self, piEventsWait(1, &event))?;
        call!(self, piEventRelease(event))
    }

    /// Adds to each int of a buffer with the caller's own kernel.
    pub(crate) fn add(
        &self,
        queue: pi_queue,
        kernel: pi_kernel,
        mem: pi_mem,
        value: i32,
        count: usize,
    ) -> Result<pi_event, CallError> {
        self.set_mem(kernel, 0, mem)?;
        call!(self, piKernelSetArg(kernel, 1, 4, (&raw const value).cast()))?;
        let mut event = null_mut();
        call!(self, piEnqueueKernelLaunch(queue, kernel, 1, &0, &count, null(), 0, null(), &mut event))?;
        Ok(event)
    }

    /// Releases the objects of [`open`](Self::open).
    pub(crate) fn release(&self) -> Result<(), CallError> {
        call!(self, piProgramRelease(self.program))?;
        call!(self, piQueueRelease(self.queue))?;
        call!(self, piContextRelease(self.context))
    }

    /// Tears the plugin down for this runtime.
    pub(crate) fn tear_down(&self) -> Result<(), CallError> {
        let flag: &'static mut u64 = Box::leak(Box::new(0));
        call!(self, piTearDown(std::ptr::from_mut(flag).cast()))
    }
}
