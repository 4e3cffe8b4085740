//! A device, a context and a queue, and objects created from them.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Table;

use crate::{Kernel, Program, Usm, devices, ok, wait};

/// A plugin's first device, a context and a queue.
pub struct Fixture {
    pub pi: &'static Table,
    pub device: pi_device,
    pub context: pi_context,
    pub queue: pi_queue,
}

impl Fixture {
    /// Creates a fixture of any plugin, with an in-order queue.
    pub fn new(pi: &'static Table) -> Self {
        Self::with(pi, 0)
    }

    /// Creates a fixture with flags for the queue.
    pub fn with(pi: &'static Table, flags: pi_queue_properties) -> Self {
        let device = devices(pi)[0];
        let mut context = null_mut();
        ok!(pi, piContextCreate(null(), 1, &device, None, null_mut(), &mut context));
        let mut fixture = Self { pi, device, context, queue: null_mut() };
        fixture.queue = fixture.queue(flags);
        fixture
    }

    /// Creates another queue.
    pub fn queue(&self, flags: pi_queue_properties) -> pi_queue {
        let (mut queue, mut properties) = (null_mut(), [PI_QUEUE_FLAGS, flags, 0]);
        ok!(self.pi, piextQueueCreate(self.context, self.device, properties.as_mut_ptr(), &mut queue));
        queue
    }

    pub fn finish(&self) {
        ok!(self.pi, piQueueFinish(self.queue));
    }

    fn usm(&self, start: *mut c_void) -> Usm {
        Usm { start, pi: self.pi, context: self.context }
    }

    pub fn device_memory(&self, size: usize) -> Usm {
        let mut start = null_mut();
        ok!(self.pi, piextUSMDeviceAlloc(&mut start, self.context, self.device, null_mut(), size, 0));
        self.usm(start)
    }

    pub fn host_memory(&self, size: usize) -> Usm {
        let mut start = null_mut();
        ok!(self.pi, piextUSMHostAlloc(&mut start, self.context, null_mut(), size, 0));
        self.usm(start)
    }

    pub fn shared_memory(&self, size: usize) -> Usm {
        let mut start = null_mut();
        ok!(self.pi, piextUSMSharedAlloc(&mut start, self.context, self.device, null_mut(), size, 0));
        self.usm(start)
    }

    /// Copies between any two addresses and waits.
    pub fn copy(&self, dst: *mut c_void, src: *const c_void, size: usize) {
        ok!(self.pi, piextUSMEnqueueMemcpy(self.queue, 1, dst, src, size, 0, null(), null_mut()));
    }

    pub fn write<T: Copy>(&self, to: &Usm, values: &[T]) {
        self.copy(to.start, values.as_ptr().cast(), size_of_val(values));
    }

    pub fn read<T: Copy + Default>(&self, from: &Usm, count: usize) -> Vec<T> {
        let mut values = vec![T::default(); count];
        self.copy(values.as_mut_ptr().cast(), from.start, size_of_val(&*values));
        values
    }

    /// Creates a buffer with contents.
    pub fn buffer<T: Copy>(&self, values: &mut [T]) -> pi_mem {
        let mut mem = null_mut();
        let (flags, size) = (PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY, size_of_val(values));
        let start = values.as_mut_ptr().cast();
        ok!(self.pi, piMemBufferCreate(self.context, flags, size, start, &mut mem, null()));
        mem
    }

    /// Creates a program from SPIR-V without building it.
    pub fn unbuilt(&self, il: &[u8]) -> Program {
        let mut raw = null_mut();
        ok!(self.pi, piProgramCreate(self.context, il.as_ptr().cast(), il.len(), &mut raw));
        Program { raw, pi: self.pi }
    }

    /// Creates a program from a binary with its metadata without building it.
    pub fn binary(&self, bytes: &[u8], metadata: &[pi_device_binary_property]) -> Program {
        let (mut raw, length, start) = (null_mut(), bytes.len(), bytes.as_ptr());
        let (count, list) = (metadata.len(), if metadata.is_empty() { null() } else { metadata.as_ptr() });
        let (context, device, status) = (self.context, &raw const self.device, null_mut());
        ok!(
            self.pi,
            piProgramCreateWithBinary(context, 1, device, &length, &start, count, list, status, &mut raw)
        );
        Program { raw, pi: self.pi }
    }

    /// Builds the program.
    pub fn build(&self, program: Program) -> Program {
        ok!(self.pi, piProgramBuild(program.raw, 1, &self.device, c"".as_ptr(), None, null_mut()));
        program
    }

    /// Creates a program from SPIR-V and builds it.
    pub fn program(&self, il: &[u8]) -> Program {
        self.build(self.unbuilt(il))
    }

    /// Launches over `global` items. The event belongs to the caller.
    pub fn launch(&self, queue: pi_queue, kernel: &Kernel, global: usize, waits: &[pi_event]) -> pi_event {
        let mut event = null_mut();
        let list = if waits.is_empty() { null() } else { waits.as_ptr() };
        let (count, local) = (waits.len() as u32, null());
        ok!(
            self.pi,
            piEnqueueKernelLaunch(queue, kernel.raw, 1, &0, &global, local, count, list, &mut event)
        );
        event
    }

    /// Waits for events and releases them.
    pub fn wait(&self, events: &[pi_event]) {
        wait(self.pi, events);
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            ok!(self.pi, piQueueRelease(self.queue));
            ok!(self.pi, piContextRelease(self.context));
        }
    }
}
