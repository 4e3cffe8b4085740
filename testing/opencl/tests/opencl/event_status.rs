//! Tests of the status "queued" with a fake driver that reports it: which runtimes see it, and who flushes the queue.

use std::ffi::c_void;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "event_status",
        [
            runtimes_until_12_27_hear_of_a_queued_command_and_flush_its_queue_themselves,
            later_runtimes_hear_of_a_submitted_command_once_its_queue_is_flushed,
            a_queue_that_cannot_be_flushed_leaves_its_command_queued,
            a_queued_event_without_a_queue_stays_queued,
            every_other_status_is_the_drivers,
        ]
    );
}

/// Indices in a driver's table of functions (`cl_icd.h`).
const GET_EVENT_INFO: usize = 42;
const FLUSH: usize = 46;

/// An object of a driver with two functions. As cl_khr_icd requires, it starts with the address of the driver's table.
#[repr(C)]
struct Object {
    functions: *const [*const c_void; 149],
    queue: *const Object,
    status: AtomicI32,
    flushed: AtomicU32,
    code_of_flush: i32,
}

impl Object {
    fn new(status: i32) -> Self {
        let mut functions = [absent as *const c_void; 149];
        functions[GET_EVENT_INFO] = get_event_info as *const c_void;
        functions[FLUSH] = flush as *const c_void;
        Self {
            functions: Box::leak(Box::new(functions)),
            queue: std::ptr::null(),
            status: status.into(),
            flushed: 0.into(),
            code_of_flush: PI_SUCCESS,
        }
    }

    fn event_of(queue: &Self, status: i32) -> Self {
        Self { queue, ..Self::new(status) }
    }

    /// Returns the status that the plugin reports at a PI version.
    fn status_at(&self, version: Version) -> i32 {
        let (pi, event) = (under_test(version), (&raw const *self).cast_mut().cast());
        get!(pi, piEventGetInfo(event, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS) as i32)
    }

    fn times_flushed(&self) -> u32 {
        self.flushed.load(Ordering::Relaxed)
    }
}

extern "C" fn absent() -> i32 {
    PI_ERROR_INVALID_OPERATION
}

extern "C" fn flush(queue: &Object) -> i32 {
    queue.flushed.fetch_add(1, Ordering::Relaxed);
    queue.code_of_flush
}

/// # Safety
/// `value` must be null or have `size` bytes, and `size_ret` must be null or valid.
unsafe extern "C" fn get_event_info(
    event: &Object,
    name: u32,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> i32 {
    let bytes = match name {
        PI_EVENT_INFO_COMMAND_QUEUE => event.queue.addr().to_ne_bytes().to_vec(),
        PI_EVENT_INFO_COMMAND_EXECUTION_STATUS => event.status.load(Ordering::Relaxed).to_ne_bytes().to_vec(),
        _ => return PI_ERROR_INVALID_VALUE,
    };
    if !value.is_null() {
        assert!(size >= bytes.len());
        // SAFETY: the caller's buffer of that many bytes.
        unsafe { value.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    }
    // SAFETY: null or the caller's place for a size.
    if let Some(reported) = unsafe { size_ret.cast::<usize>().as_mut() } {
        *reported = bytes.len();
    }
    PI_SUCCESS
}

fn versions(is_wanted: impl Fn(Version) -> bool) -> impl Iterator<Item = Version> {
    Version::ALL.into_iter().filter(move |version| is_wanted(*version))
}

fn runtimes_until_12_27_hear_of_a_queued_command_and_flush_its_queue_themselves() {
    for version in versions(|version| version <= Version::V12_27) {
        let queue = Object::new(0);
        let event = Object::event_of(&queue, PI_EVENT_QUEUED);
        assert_eq!(event.status_at(version), PI_EVENT_QUEUED, "PI {}", version.text());
        assert_eq!(queue.times_flushed(), 0, "PI {}", version.text());
    }
}

fn later_runtimes_hear_of_a_submitted_command_once_its_queue_is_flushed() {
    for version in versions(|version| version > Version::V12_27) {
        let queue = Object::new(0);
        let event = Object::event_of(&queue, PI_EVENT_QUEUED);
        assert_eq!(event.status_at(version), PI_EVENT_SUBMITTED, "PI {}", version.text());
        assert_eq!(queue.times_flushed(), 1, "PI {}", version.text());
    }
}

fn a_queue_that_cannot_be_flushed_leaves_its_command_queued() {
    let queue = Object { code_of_flush: PI_ERROR_OUT_OF_RESOURCES, ..Object::new(0) };
    let event = Object::event_of(&queue, PI_EVENT_QUEUED);
    assert_eq!(event.status_at(Version::NEWEST), PI_EVENT_QUEUED);
    assert_eq!(queue.times_flushed(), 1);
}

fn a_queued_event_without_a_queue_stays_queued() {
    assert_eq!(Object::new(PI_EVENT_QUEUED).status_at(Version::NEWEST), PI_EVENT_QUEUED);
}

fn every_other_status_is_the_drivers() {
    let queue = Object::new(0);
    for status in [PI_EVENT_SUBMITTED, PI_EVENT_RUNNING, PI_EVENT_COMPLETE, -5] {
        let event = Object::event_of(&queue, status);
        for version in Version::ALL {
            assert_eq!(event.status_at(version), status, "PI {}", version.text());
        }
    }
    assert_eq!(queue.times_flushed(), 0);
}
