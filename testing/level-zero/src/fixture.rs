//! A plugin, and objects made of it.

use std::ffi::{CStr, CString, c_void};
use std::path::{Path, PathBuf};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

use pi_core::*;
use pi_loader::{Backend, Plugin, Table};

use crate::{code, ok};

/// SPIR-V of `kernels/kernels.cl`.
pub const KERNELS: &[u8] = include_bytes!("../kernels/kernels.spv");
/// A program with a device variable of 64 bytes, `_Z7Counter`, made by DPC++.
pub const VARIABLE: &[u8] = include_bytes!("../../opencl/kernels/dg_basic.spv");
/// A kernel `calls` that calls a function of [`CALLEE`].
pub const CALLS: &[u8] = include_bytes!("../../conformance/kernels/calls.spv");
/// The function that [`CALLS`] calls.
pub const CALLEE: &[u8] = include_bytes!("../../conformance/kernels/callee.spv");

/// The table of a plugin at PI 12.27, which all that is compared here has.
pub fn open(path: &Path) -> &'static Table {
    open_version(path, Version::V12_27)
}

fn open_version(path: &Path, version: Version) -> &'static Table {
    let plugin = Plugin::open_version(path, version).unwrap_or_else(|error| panic!("{error}"));
    &Box::leak(Box::new(plugin)).table
}

/// The plugin under test as the newest runtime has it.
pub fn newest() -> &'static Table {
    static TABLE: OnceLock<&'static Table> = OnceLock::new();
    let path = || plugin_path().expect("PI_TEST_PLUGIN names the plugin");
    TABLE.get_or_init(|| open_version(&path(), Version::NEWEST))
}

/// The plugin under test as the oldest runtime has it: events there are set by the host.
pub fn oldest() -> &'static Table {
    static TABLE: OnceLock<&'static Table> = OnceLock::new();
    let path = || plugin_path().expect("PI_TEST_PLUGIN names the plugin");
    TABLE.get_or_init(|| open_version(&path(), Version::V9_11))
}

/// The plugin under test, if the environment names one of Level Zero and a driver for it.
pub fn plugin_path() -> Option<PathBuf> {
    std::env::var_os("ZE_ENABLE_ALT_DRIVERS")?;
    let path = std::env::var_os("PI_TEST_PLUGIN").map(PathBuf::from)?;
    (Backend::of_file(&path) == Some(Backend::LevelZero)).then_some(path)
}

/// Its table.
pub fn plugin() -> &'static Table {
    static TABLE: OnceLock<&'static Table> = OnceLock::new();
    TABLE.get_or_init(|| open(&plugin_path().expect("PI_TEST_PLUGIN names the plugin")))
}

/// The text of the thread's last error.
pub fn last_error(pi: &Table) -> String {
    let mut text = null_mut();
    let _ = code!(pi, piPluginGetLastError(&mut text));
    if text.is_null() {
        return String::new();
    }
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// All root devices.
pub fn devices(pi: &Table) -> Vec<pi_device> {
    let (mut platform, mut count) = (null_mut(), 0);
    ok!(pi, piPlatformsGet(0, null_mut(), &mut count));
    assert!(count > 0, "a platform is needed");
    ok!(pi, piPlatformsGet(1, &mut platform, null_mut()));
    // Intel's plugin of 2023.2 looks at what stands there before.
    count = 0;
    ok!(pi, piDevicesGet(platform, PI_DEVICE_TYPE_ALL, 0, null_mut(), &mut count));
    let mut devices = vec![null_mut(); count as usize];
    ok!(pi, piDevicesGet(platform, PI_DEVICE_TYPE_ALL, count, devices.as_mut_ptr(), null_mut()));
    devices
}

/// A device, a context and a queue.
pub struct Fixture {
    pub pi: &'static Table,
    pub device: pi_device,
    pub context: pi_context,
    pub queue: pi_queue,
}

impl Fixture {
    /// Of the plugin under test, with an in-order queue.
    pub fn new() -> Self {
        Self::of(plugin(), 0)
    }

    /// Of any plugin, with flags for the queue.
    pub fn of(pi: &'static Table, flags: pi_queue_properties) -> Self {
        let device = devices(pi)[0];
        let mut context = null_mut();
        ok!(pi, piContextCreate(null(), 1, &device, None, null_mut(), &mut context));
        let mut fixture = Self { pi, device, context, queue: null_mut() };
        fixture.queue = fixture.queue(flags);
        fixture
    }

    /// One more queue.
    pub fn queue(&self, flags: pi_queue_properties) -> pi_queue {
        let mut queue = null_mut();
        ok!(self.pi, piQueueCreate(self.context, self.device, flags, &mut queue));
        queue
    }

    pub fn finish(&self) {
        ok!(self.pi, piQueueFinish(self.queue));
    }

    pub fn device_memory(&self, size: usize) -> Usm {
        let mut start = null_mut();
        ok!(self.pi, piextUSMDeviceAlloc(&mut start, self.context, self.device, null_mut(), size, 0));
        Usm { start, pi: self.pi, context: self.context }
    }

    pub fn shared_memory(&self, size: usize) -> Usm {
        let mut start = null_mut();
        ok!(self.pi, piextUSMSharedAlloc(&mut start, self.context, self.device, null_mut(), size, 0));
        Usm { start, pi: self.pi, context: self.context }
    }

    pub fn host_memory(&self, size: usize) -> Usm {
        let mut start = null_mut();
        ok!(self.pi, piextUSMHostAlloc(&mut start, self.context, null_mut(), size, 0));
        Usm { start, pi: self.pi, context: self.context }
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

    /// A buffer with contents.
    pub fn buffer<T: Copy>(&self, values: &mut [T]) -> pi_mem {
        let mut mem = null_mut();
        let (flags, size) = (PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY, size_of_val(values));
        let start = values.as_mut_ptr().cast();
        ok!(self.pi, piMemBufferCreate(self.context, flags, size, start, &mut mem, null()));
        mem
    }

    pub fn unbuilt(&self, il: &[u8]) -> Program {
        let mut program = null_mut();
        ok!(self.pi, piProgramCreate(self.context, il.as_ptr().cast(), il.len(), &mut program));
        Program { program, pi: self.pi }
    }

    /// A program, built.
    pub fn program(&self, il: &[u8]) -> Program {
        let program = self.unbuilt(il);
        ok!(self.pi, piProgramBuild(program.program, 1, &self.device, c"".as_ptr(), None, null_mut()));
        program
    }

    /// Launches over `global` items; the event is the caller's.
    pub fn launch(&self, queue: pi_queue, kernel: &Kernel, global: usize, waits: &[pi_event]) -> pi_event {
        let mut event = null_mut();
        let list = if waits.is_empty() { null() } else { waits.as_ptr() };
        let (count, local) = (waits.len() as u32, null());
        ok!(
            self.pi,
            piEnqueueKernelLaunch(queue, kernel.kernel, 1, &0, &global, local, count, list, &mut event)
        );
        event
    }

    /// Waits for events and releases them.
    pub fn wait(&self, events: &[pi_event]) {
        ok!(self.pi, piEventsWait(events.len() as u32, events.as_ptr()));
        for event in events {
            ok!(self.pi, piEventRelease(*event));
        }
    }
}

impl Default for Fixture {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        ok!(self.pi, piQueueRelease(self.queue));
        ok!(self.pi, piContextRelease(self.context));
    }
}

/// A USM allocation.
pub struct Usm {
    pub start: *mut c_void,
    pi: &'static Table,
    context: pi_context,
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
    pub program: pi_program,
    pi: &'static Table,
}

impl Program {
    pub fn kernel(&self, name: &str) -> Kernel {
        let name = CString::new(name).unwrap();
        let mut kernel = null_mut();
        ok!(self.pi, piKernelCreate(self.program, name.as_ptr(), &mut kernel));
        Kernel { kernel, pi: self.pi }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            ok!(self.pi, piProgramRelease(self.program));
        }
    }
}

/// A kernel.
pub struct Kernel {
    pub kernel: pi_kernel,
    pi: &'static Table,
}

impl Kernel {
    pub fn set<T: Copy>(&self, index: u32, value: T) -> &Self {
        ok!(self.pi, piKernelSetArg(self.kernel, index, size_of::<T>(), (&raw const value).cast()));
        self
    }

    pub fn pointer(&self, index: u32, pointer: *const c_void) -> &Self {
        ok!(self.pi, piextKernelSetArgPointer(self.kernel, index, 8, (&raw const pointer).cast()));
        self
    }

    pub fn local(&self, index: u32, size: usize) -> &Self {
        ok!(self.pi, piKernelSetArg(self.kernel, index, size, null()));
        self
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            ok!(self.pi, piKernelRelease(self.kernel));
        }
    }
}
