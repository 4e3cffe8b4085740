//! The plugin under test and objects made of it.

use std::ffi::{CStr, CString, c_void};
use std::path::PathBuf;
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

use pi_core::*;
use pi_loader::{Plugin, Table};

use crate::{code, ok};

static PLUGIN: OnceLock<Plugin> = OnceLock::new();

/// Opens the plugin; the first call decides which.
pub fn plugin() -> &'static Plugin {
    PLUGIN.get_or_init(|| {
        let path = std::env::var_os("PI_TEST_PLUGIN").expect("PI_TEST_PLUGIN names the plugin");
        Plugin::open(&PathBuf::from(path)).expect("the plugin opens")
    })
}

/// The same plugin as a runtime of PI 9.11 has it.
pub fn old_table() -> &'static Table {
    static OLD: OnceLock<Plugin> = OnceLock::new();
    let open = || {
        let path = std::env::var_os("PI_TEST_PLUGIN").expect("PI_TEST_PLUGIN names the plugin");
        Plugin::open_version(&PathBuf::from(path), Version::V9_11).expect("the plugin serves PI 9.11")
    };
    &OLD.get_or_init(open).table
}

/// Its functions.
pub fn table() -> &'static Table {
    &plugin().table
}

/// The text of the thread's last error.
pub fn last_error() -> String {
    let mut text = null_mut();
    let _ = code!(piPluginGetLastError(&mut text));
    if text.is_null() {
        return String::new();
    }
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// Whether kernels run on the software driver.
pub fn is_software() -> bool {
    images().join("kernels.so").exists()
}

/// The folder of kernel images.
pub fn images() -> PathBuf {
    std::env::var_os("PI_TEST_IMAGES").expect("PI_TEST_IMAGES names a folder").into()
}

/// The bytes of an image: `name`.ptx, or the one shared object of the software driver.
pub fn image(name: &str) -> Vec<u8> {
    let file = if is_software() { "kernels.so".to_owned() } else { format!("{name}.ptx") };
    std::fs::read(images().join(&file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

pub fn platform() -> pi_platform {
    let mut platform = null_mut();
    let mut count = 0;
    ok!(piPlatformsGet(1, &mut platform, &mut count));
    assert_eq!(count, 1, "a platform is needed");
    platform
}

pub fn devices() -> Vec<pi_device> {
    let mut count = 0;
    ok!(piDevicesGet(platform(), PI_DEVICE_TYPE_GPU, 0, null_mut(), &mut count));
    let mut devices = vec![null_mut(); count as usize];
    ok!(piDevicesGet(platform(), PI_DEVICE_TYPE_GPU, count, devices.as_mut_ptr(), null_mut()));
    devices
}

/// A device, a context and an in-order queue.
pub struct Fixture {
    pub device: pi_device,
    pub context: pi_context,
    pub queue: pi_queue,
}

impl Fixture {
    pub fn new() -> Self {
        Self::with(0)
    }

    /// With flags for the queue.
    pub fn with(flags: pi_queue_properties) -> Self {
        let device = devices()[0];
        let mut context = null_mut();
        ok!(piContextCreate(null(), 1, &device, None, null_mut(), &mut context));
        let mut fixture = Self { device, context, queue: null_mut() };
        fixture.queue = fixture.queue(flags);
        fixture
    }

    /// One more queue.
    pub fn queue(&self, flags: pi_queue_properties) -> pi_queue {
        let mut queue = null_mut();
        let mut properties = [PI_QUEUE_FLAGS, flags, 0];
        ok!(piextQueueCreate(self.context, self.device, properties.as_mut_ptr(), &mut queue));
        queue
    }

    pub fn finish(&self) {
        ok!(piQueueFinish(self.queue));
    }

    pub fn device_memory(&self, size: usize) -> Usm {
        let mut start = null_mut();
        ok!(piextUSMDeviceAlloc(&mut start, self.context, self.device, null_mut(), size, 0));
        Usm { start, context: self.context }
    }

    pub fn host_memory(&self, size: usize) -> Usm {
        let mut start = null_mut();
        ok!(piextUSMHostAlloc(&mut start, self.context, null_mut(), size, 0));
        Usm { start, context: self.context }
    }

    pub fn shared_memory(&self, size: usize) -> Usm {
        let mut start = null_mut();
        ok!(piextUSMSharedAlloc(&mut start, self.context, self.device, null_mut(), size, 0));
        Usm { start, context: self.context }
    }

    /// Copies between any two addresses and waits.
    pub fn copy(&self, dst: *mut c_void, src: *const c_void, size: usize) {
        ok!(piextUSMEnqueueMemcpy(self.queue, 1, dst, src, size, 0, null(), null_mut()));
    }

    pub fn write<T: Copy>(&self, to: &Usm, values: &[T]) {
        self.copy(to.start, values.as_ptr().cast(), size_of_val(values));
    }

    pub fn read<T: Copy + Default>(&self, from: &Usm, count: usize) -> Vec<T> {
        let mut values = vec![T::default(); count];
        self.copy(values.as_mut_ptr().cast(), from.start, size_of_val(&*values));
        values
    }

    /// A built program of an image.
    pub fn program(&self, name: &str) -> Program {
        let program = self.unbuilt(&image(name), &[]);
        ok!(piProgramBuild(program.0, 1, &self.device, c"".as_ptr(), None, null_mut()));
        program
    }

    pub fn unbuilt(&self, bytes: &[u8], metadata: &[pi_device_binary_property]) -> Program {
        let mut program = null_mut();
        let (length, start) = (bytes.len(), bytes.as_ptr());
        ok!(piProgramCreateWithBinary(
            self.context,
            1,
            &self.device,
            &length,
            &start,
            metadata.len(),
            if metadata.is_empty() { null() } else { metadata.as_ptr() },
            null_mut(),
            &mut program
        ));
        Program(program)
    }

    /// Launches without an event.
    pub fn launch(&self, kernel: pi_kernel, global: &[usize], local: Option<&[usize]>) {
        let local = local.map_or(null(), <[usize]>::as_ptr);
        let dims = global.len() as u32;
        ok!(piEnqueueKernelLaunch(
            self.queue,
            kernel,
            dims,
            null(),
            global.as_ptr(),
            local,
            0,
            null(),
            null_mut()
        ));
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
        ok!(piQueueRelease(self.queue));
        ok!(piContextRelease(self.context));
    }
}

/// A USM allocation.
pub struct Usm {
    pub start: *mut c_void,
    context: pi_context,
}

impl Usm {
    pub fn at(&self, offset: usize) -> *mut c_void {
        self.start.wrapping_byte_add(offset)
    }
}

impl Drop for Usm {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            ok!(piextUSMFree(self.context, self.start));
        }
    }
}

/// A program.
pub struct Program(pub pi_program);

impl Program {
    pub fn kernel(&self, name: &str) -> Kernel {
        let name = CString::new(name).unwrap();
        let mut kernel = null_mut();
        ok!(piKernelCreate(self.0, name.as_ptr(), &mut kernel));
        Kernel(kernel)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            ok!(piProgramRelease(self.0));
        }
    }
}

/// A kernel.
pub struct Kernel(pub pi_kernel);

impl Kernel {
    pub fn set<T: Copy>(&self, index: u32, value: T) -> &Self {
        ok!(piKernelSetArg(self.0, index, size_of::<T>(), (&raw const value).cast()));
        self
    }

    pub fn pointer(&self, index: u32, pointer: *const c_void) -> &Self {
        ok!(piextKernelSetArgPointer(self.0, index, 8, (&raw const pointer).cast()));
        self
    }

    pub fn local(&self, index: u32, size: usize) -> &Self {
        ok!(piKernelSetArg(self.0, index, size, null()));
        self
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            ok!(piKernelRelease(self.0));
        }
    }
}

/// An event's status.
pub fn status(event: pi_event) -> pi_event_status {
    let mut status: pi_event_status = -1;
    ok!(piEventGetInfo(
        event,
        PI_EVENT_INFO_COMMAND_EXECUTION_STATUS,
        size_of_val(&status),
        (&raw mut status).cast(),
        null_mut()
    ));
    status
}

/// Waits for events and releases them.
pub fn wait(events: &[pi_event]) {
    ok!(piEventsWait(events.len() as u32, events.as_ptr()));
    for event in events {
        ok!(piEventRelease(*event));
    }
}

/// An event that nothing waiting for it passes until it is opened.
pub struct Gate(pub pi_event);

impl Gate {
    /// Events that the host sets are PI 9.11's.
    pub fn new(fixture: &Fixture) -> Self {
        let mut event = null_mut();
        let create = old_table().piEventCreate_until_9_11.expect("9.11 has it");
        assert_eq!(unsafe { create(fixture.context, &mut event) }, 0);
        Self(event)
    }

    pub fn open(self) {
        ok!(piEventSetStatus(self.0, PI_EVENT_COMPLETE));
        ok!(piEventRelease(self.0));
    }
}
