//! A fixture with a platform, a device, a context and a queue.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Table;

use crate::{call, made, ok, text, under_test};

/// The OpenCL driver of the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driver {
    /// Intel's CPU runtime.
    Intel,
    /// PoCL.
    Pocl,
    /// Another driver, of which nothing is known.
    Other,
}

impl Driver {
    /// Returns the driver of the platform that the fixture takes.
    pub fn of_environment() -> Self {
        let pi = under_test(Version::NEWEST);
        let name = text!(pi, piPlatformGetInfo(platform(pi), PI_PLATFORM_INFO_NAME));
        match name.as_str() {
            "Intel(R) OpenCL" => Driver::Intel,
            "Portable Computing Language" => Driver::Pocl,
            _ => Driver::Other,
        }
    }
}

/// Returns the first platform with a device.
pub(crate) fn platform(pi: &Table) -> pi_platform {
    let count: pi_uint32 = made!(pi, |out| piPlatformsGet(0, null_mut(), out));
    assert!(count > 0, "there is no OpenCL driver in this environment");
    let mut platforms: Vec<pi_platform> = vec![null_mut(); count as usize];
    ok!(pi, piPlatformsGet(count, platforms.as_mut_ptr(), null_mut()));
    let with_device = platforms.into_iter().find(|platform| {
        let devices: pi_uint32 =
            made!(pi, |out| piDevicesGet(*platform, PI_DEVICE_TYPE_ALL, 0, null_mut(), out));
        devices > 0
    });
    with_device.expect("no platform has a device")
}

/// The objects of a test, which are released at its end.
pub struct Fixture {
    /// The newest version's table.
    pub pi: &'static Table,
    /// The platform.
    pub platform: pi_platform,
    /// Its first device.
    pub device: pi_device,
    /// A context over the device.
    pub context: pi_context,
    /// An in-order queue of the context.
    pub queue: pi_queue,
}

impl Fixture {
    /// Creates a fixture with the newest version's table.
    pub fn new() -> Self {
        Self::at(Version::NEWEST)
    }

    /// Creates a fixture with the table of a version.
    pub fn at(version: Version) -> Self {
        Self::of(under_test(version))
    }

    /// Creates a fixture with any plugin's table.
    pub fn of(pi: &'static Table) -> Self {
        let platform = platform(pi);
        let device: pi_device =
            made!(pi, |out| piDevicesGet(platform, PI_DEVICE_TYPE_ALL, 1, out, null_mut()));
        let context = made!(pi, |out| piContextCreate(null(), 1, &device, None, null_mut(), out));
        let queue = made!(pi, |out| piQueueCreate(context, device, 0, out));
        Self { pi, platform, device, context, queue }
    }

    /// Returns the driver under the plugin.
    pub fn driver(&self) -> Driver {
        Driver::of_environment()
    }

    /// Creates a queue with these flags, which the caller must release.
    pub fn queue_with(&self, flags: pi_queue_properties) -> pi_queue {
        made!(self.pi, |out| piQueueCreate(self.context, self.device, flags, out))
    }

    /// Creates a buffer that contains `content`.
    pub fn buffer<T: Copy>(&self, content: &[T]) -> Owned<'_, pi_mem> {
        let flags = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY;
        let start = content.as_ptr().cast::<c_void>().cast_mut();
        let size = size_of_val(content);
        let mem = made!(self.pi, |out| piMemBufferCreate(self.context, flags, size, start, out, null()));
        Owned::new(self.pi, mem, |pi, mem| call!(pi, piMemRelease(mem)))
    }

    /// Returns the whole content of a buffer of `count` values, read on the fixture's queue.
    pub fn content<T: Copy + Default>(&self, mem: pi_mem, count: usize) -> Vec<T> {
        let mut values = vec![T::default(); count];
        let (size, room) = (count * size_of::<T>(), values.as_mut_ptr().cast());
        ok!(self.pi, piEnqueueMemBufferRead(self.queue, mem, 1, 0, size, room, 0, null(), null_mut()));
        values
    }

    /// Returns a complete event, at any version.
    pub fn signalled_event(&self) -> pi_event {
        if self.pi.piEventCreate.is_some() {
            return made!(self.pi, |out| piEventCreate(self.context, out));
        }
        let event: pi_event = made!(self.pi, |out| piEventCreate_until_9_11(self.context, out));
        ok!(self.pi, piEventSetStatus(event, PI_EVENT_COMPLETE));
        event
    }

    /// Waits for an event and releases it.
    pub fn wait(&self, event: pi_event) {
        ok!(self.pi, piEventsWait(1, &event));
        ok!(self.pi, piEventRelease(event));
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        // If the test is already failing, its own message tells more than a failed release.
        let _ = call!(self.pi, piQueueFinish(self.queue));
        let _ = call!(self.pi, piQueueRelease(self.queue));
        let _ = call!(self.pi, piContextRelease(self.context));
    }
}

impl Default for Fixture {
    fn default() -> Self {
        Self::new()
    }
}

/// An object that is released at the end of a scope.
pub struct Owned<'a, T: Copy> {
    pi: &'a Table,
    handle: T,
    release: fn(&Table, T) -> Result<(), crate::CallError>,
}

impl<'a, T: Copy> Owned<'a, T> {
    /// Takes over a reference.
    pub fn new(pi: &'a Table, handle: T, release: fn(&Table, T) -> Result<(), crate::CallError>) -> Self {
        Self { pi, handle, release }
    }

    /// Retains the object once more for another owner.
    pub fn retained(self, retain: fn(&Table, T) -> Result<(), crate::CallError>) -> Self {
        retain(self.pi, self.handle).unwrap_or_else(|error| panic!("{error}"));
        self
    }
}

impl<T: Copy> std::ops::Deref for Owned<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.handle
    }
}

impl<T: Copy> Drop for Owned<'_, T> {
    fn drop(&mut self) {
        let released = (self.release)(self.pi, self.handle);
        if let (Err(error), false) = (released, std::thread::panicking()) {
            panic!("{error}");
        }
    }
}

/// Creates an event that the test completes, as `piEventCreate` does until PI 9.11. Later versions create a complete
/// one.
pub fn user_event(f: &Fixture) -> pi_event {
    made!(under_test(Version::V9_11), |out| piEventCreate_until_9_11(f.context, out))
}
