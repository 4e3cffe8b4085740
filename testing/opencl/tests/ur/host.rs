//! The adapter at one layout, with a context and queues of its first device.

use std::ffi::c_void;
use std::path::PathBuf;
use std::ptr::{null, null_mut};
use std::sync::Mutex;

use sycl_ur_core::*;
use testing_ur_host::{Adapter, Calls};

/// One loader with a context. Every object stays for the rest of the process.
#[derive(Clone, Copy)]
pub(crate) struct Host {
    pub(crate) calls: &'static Calls,
    pub(crate) device: ur_device_handle_t,
    pub(crate) context: ur_context_handle_t,
    /// In order.
    pub(crate) queue: ur_queue_handle_t,
}

// SAFETY: handles may be used on every thread.
unsafe impl Send for Host {}

/// Panics unless a call succeeded.
#[track_caller]
pub(crate) fn ok(code: ur_result_t) {
    assert_eq!(code, UR_RESULT_SUCCESS);
}

/// The file: `PI_TEST_UR_ADAPTER`, or the one beside the plugin under test.
fn path() -> PathBuf {
    match std::env::var_os("PI_TEST_UR_ADAPTER") {
        Some(path) => path.into(),
        None => testing_opencl::plugin::path().with_file_name("libur_adapter_opencl.so"),
    }
}

impl Host {
    /// The adapter at a layout.
    pub(crate) fn at(layout: Layout) -> Self {
        static HOSTS: Mutex<Vec<(Layout, Host)>> = Mutex::new(Vec::new());
        let mut hosts = HOSTS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some((_, host)) = hosts.iter().find(|(known, _)| *known == layout) {
            return *host;
        }
        let host = Self::connect(layout);
        hosts.push((layout, host));
        host
    }

    /// The adapter at the newest layout.
    pub(crate) fn newest() -> Self {
        Self::at(Layout::ALL[Layout::ALL.len() - 1])
    }

    fn connect(layout: Layout) -> Self {
        // SAFETY: the file that the test names, and trusts.
        let adapter = unsafe { Adapter::open(&path()) }.expect("build it, or set PI_TEST_UR_ADAPTER");
        let calls: &'static Calls = &Box::leak(Box::new(adapter.connect(layout).unwrap())).calls;
        let (mut adapter, mut platform, mut device) = (null_mut(), null_mut(), null_mut());
        let (mut context, mut queue) = (null_mut(), null_mut());
        // SAFETY: places for what is asked for, and handles of this loader.
        unsafe {
            ok(calls.urAdapterGet(1, &mut adapter, null_mut()));
            match calls.urPlatformGet_until_2025_2 {
                Some(_) => {
                    ok(calls.urPlatformGet_until_2025_2(&mut adapter, 1, 1, &mut platform, null_mut()))
                }
                None => ok(calls.urPlatformGet(adapter, 1, &mut platform, null_mut())),
            }
            ok(calls.urDeviceGet(platform, UR_DEVICE_TYPE_ALL, 1, &mut device, null_mut()));
            ok(calls.urContextCreate(1, &device, null(), &mut context));
            ok(calls.urQueueCreate(context, device, null(), &mut queue));
        }
        Self { calls, device, context, queue }
    }

    /// A new queue with flags.
    pub(crate) fn queue_with(&self, flags: ur_queue_flags_t) -> ur_queue_handle_t {
        let properties =
            ur_queue_properties_t { stype: UR_STRUCTURE_TYPE_QUEUE_PROPERTIES, pNext: null_mut(), flags };
        let mut queue = null_mut();
        // SAFETY: live handles, and a place for the queue.
        ok(unsafe { self.calls.urQueueCreate(self.context, self.device, &properties, &mut queue) });
        queue
    }

    /// Whether the device says yes.
    pub(crate) fn has(&self, query: ur_device_info_t) -> bool {
        let mut answer = 0_u8;
        // SAFETY: room for a truth value.
        ok(unsafe {
            self.calls.urDeviceGetInfo(self.device, query, 1, (&raw mut answer).cast(), null_mut())
        });
        answer != 0
    }

    /// A buffer of so many numbers.
    pub(crate) fn buffer(&self, count: usize) -> ur_mem_handle_t {
        let mut buffer = null_mut();
        // SAFETY: a live context, and a place for the buffer.
        ok(unsafe {
            self.calls.urMemBufferCreate(self.context, UR_MEM_FLAG_READ_WRITE, count * 4, null(), &mut buffer)
        });
        buffer
    }

    /// The numbers in a buffer.
    pub(crate) fn read(&self, buffer: ur_mem_handle_t, count: usize) -> Vec<u32> {
        let mut numbers = vec![0_u32; count];
        let room: *mut c_void = numbers.as_mut_ptr().cast();
        // SAFETY: live handles, and room for the bytes.
        ok(unsafe {
            self.calls.urEnqueueMemBufferRead(
                self.queue,
                buffer,
                1,
                0,
                count * 4,
                room,
                0,
                null(),
                null_mut(),
            )
        });
        numbers
    }
}
