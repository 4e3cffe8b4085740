//! The plugin under test at its newest version, its images, and objects created with it.

use std::cell::Cell;
use std::ffi::CStr;
use std::ops::Deref;
use std::path::PathBuf;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Table;
use testing_support::{Program, under_test};

use crate::{fails, ok, software};

thread_local! {
    static FORGETS: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work`, and leaves the thread without a current context before each call of the plugin.
pub(crate) fn without_contexts(work: impl FnOnce()) {
    struct Forgets;
    impl Drop for Forgets {
        fn drop(&mut self) {
            FORGETS.set(false);
        }
    }
    FORGETS.set(true);
    let _forgets = Forgets;
    work();
}

/// Returns the functions of the plugin under test.
pub fn table() -> &'static Table {
    if FORGETS.get() {
        software::forget_context();
    }
    under_test(Version::NEWEST)
}

/// Returns the text of the thread's last error.
pub fn last_error() -> String {
    testing_support::last_error(table())
}

/// Returns whether kernels run on the software driver.
pub fn is_software() -> bool {
    images().join("kernels.so").exists()
}

/// Returns the folder of kernel images.
pub fn images() -> PathBuf {
    std::env::var_os("PI_TEST_IMAGES").expect("PI_TEST_IMAGES names a folder").into()
}

/// Returns the bytes of an image: `name`.ptx, or the software driver's single shared object.
pub fn image(name: &str) -> Vec<u8> {
    let file = if is_software() { "kernels.so".to_owned() } else { format!("{name}.ptx") };
    std::fs::read(images().join(&file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

pub fn platform() -> pi_platform {
    testing_support::platform(table())
}

pub fn devices() -> Vec<pi_device> {
    testing_support::devices(table())
}

/// Returns an event's status.
pub fn status(event: pi_event) -> pi_event_status {
    testing_support::status(table(), event)
}

/// Waits for events and releases them.
pub fn wait(events: &[pi_event]) {
    testing_support::wait(table(), events);
}

/// Returns a text that describes a device.
pub fn device_text(fixture: &Fixture, query: pi_device_info) -> String {
    let mut text = vec![0_u8; 1024];
    let room = text.as_mut_ptr().cast();
    ok!(piDeviceGetInfo(fixture.device, query, text.len(), room, null_mut()));
    text.truncate(text.iter().position(|byte| *byte == 0).unwrap_or(0));
    String::from_utf8(text).unwrap()
}

/// Returns a program's binary, as caches keep it.
pub fn program_binary(program: &Program) -> Vec<u8> {
    let mut size = 0_usize;
    let room = (&raw mut size).cast();
    ok!(piProgramGetInfo(program.raw, PI_PROGRAM_INFO_BINARY_SIZES, 8, room, null_mut()));
    assert!(size > 0);
    let mut bytes = vec![0_u8; size];
    let mut room = bytes.as_mut_ptr();
    ok!(piProgramGetInfo(program.raw, PI_PROGRAM_INFO_BINARIES, 8, (&raw mut room).cast(), null_mut()));
    bytes
}

/// A device, a context and an in-order queue.
pub struct Fixture(testing_support::Fixture);

impl Fixture {
    pub fn new() -> Self {
        Self::with(0)
    }

    /// Creates a fixture with flags for the queue.
    pub fn with(flags: pi_queue_properties) -> Self {
        let fixture = Self(testing_support::Fixture::with(table(), flags));
        // A queue gets its stream with the first command. Tests count the driver's objects.
        ok!(piEnqueueEventsWait(fixture.queue, 0, null(), null_mut()));
        fixture.finish();
        fixture
    }

    /// Creates a program from an image and builds it.
    pub fn program(&self, name: &str) -> Program {
        self.build(self.binary(&image(name), &[]))
    }

    /// Creates a program whose image declares sizes of work-groups, by the names of the properties.
    pub fn declaring(&self, bytes: &[u8], sizes: &[(&CStr, &[u32])]) -> Program {
        // Byte arrays start with their length, in 8 bytes.
        let values = sizes.iter().map(|(_, sizes)| {
            [0; 8].into_iter().chain(sizes.iter().flat_map(|size| size.to_le_bytes())).collect()
        });
        let mut values: Vec<Vec<u8>> = values.collect();
        let properties =
            sizes.iter().zip(&mut values).map(|((name, _), value)| _pi_device_binary_property_struct {
                Name: name.as_ptr().cast_mut(),
                ValAddr: value.as_mut_ptr().cast(),
                Type: PI_PROPERTY_TYPE_BYTE_ARRAY,
                ValSize: value.len() as u64,
            });
        let mut properties: Vec<_> = properties.collect();
        let properties: Vec<_> = properties.iter_mut().map(std::ptr::from_mut).collect();
        self.binary(bytes, &properties)
    }

    /// Returns the message with which the plugin refuses to create a program from these bytes.
    pub fn refused_binary(&self, bytes: &[u8]) -> String {
        let (mut program, length, start) = (null_mut(), bytes.len(), bytes.as_ptr());
        let (context, device) = (self.context, &raw const self.device);
        fails!(
            piProgramCreateWithBinary(
                context,
                1,
                device,
                &length,
                &start,
                0,
                null(),
                null_mut(),
                &mut program
            ),
            PI_ERROR_INVALID_BINARY
        )
    }

    /// Launches a kernel without an event.
    pub fn launch(&self, kernel: pi_kernel, global: &[usize], local: Option<&[usize]>) {
        let local = local.map_or(null(), <[usize]>::as_ptr);
        let (dims, global) = (global.len() as u32, global.as_ptr());
        ok!(piEnqueueKernelLaunch(self.queue, kernel, dims, null(), global, local, 0, null(), null_mut()));
    }
}

impl Default for Fixture {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for Fixture {
    type Target = testing_support::Fixture;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}
