//! Tests of when a call returns that takes coarse-grained shared virtual memory from the host, with a fake driver that has
//! only such memory. The host has its memory again when the call returns, unless the command waits for the host itself.

use std::ffi::c_void;
use std::ptr::{null, null_mut, with_exposed_provenance_mut};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use testing_opencl::fake::{Fake, FakeDriver, enqueue, pi, query};
use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "coarse_memory",
        [
            the_host_has_its_memory_again_when_a_call_returns,
            a_call_behind_another_command_waits_for_it,
            a_call_behind_an_event_of_the_caller_returns_at_once,
            a_blocking_call_waits_whatever_it_is_behind,
            a_call_behind_one_that_returned_at_once_returns_at_once,
            a_call_of_another_context_changes_nothing_of_that,
            memory_that_a_command_does_not_use_stays_with_the_host,
        ]
    );
}

const MAP: &str = "clEnqueueSVMMap";
const UNMAP: &str = "clEnqueueSVMUnmap";
const FILL: &str = "clEnqueueSVMMemFill";
const COPY: &str = "clEnqueueSVMMemcpy";
const END: &str = "clEnqueueMarkerWithWaitList";
const WAIT: &str = "clWaitForEvents";

/// Gives each block an address above those before it.
extern "C" fn alloc(_: &Fake, _: u64, size: usize, _: u32) -> *mut c_void {
    static START: OnceLock<usize> = OnceLock::new();
    static USED: AtomicUsize = AtomicUsize::new(0);
    const ROOM: usize = 1 << 16;
    let start = *START.get_or_init(|| Vec::leak(vec![0_u64; ROOM / 8]).as_mut_ptr().expose_provenance());
    let offset = USED.fetch_add(size.next_multiple_of(64), Ordering::Relaxed);
    if offset + size > ROOM { null_mut() } else { with_exposed_provenance_mut(start + offset) }
}

/// # Safety
/// `event` must be null or valid.
unsafe extern "C" fn map(
    queue: &'static Fake,
    _: u32,
    flags: u64,
    _: *mut c_void,
    _: usize,
    _: u32,
    _: *const c_void,
    event: *mut &'static Fake,
) -> i32 {
    const READ_AND_WRITE: u64 = 3;
    let function = if flags == READ_AND_WRITE { MAP } else { "clEnqueueSVMMap for less" };
    // SAFETY: what the caller guarantees.
    unsafe { enqueue(queue, function, event) }
}

/// # Safety
/// `event` must be null or valid.
unsafe extern "C" fn unmap(
    queue: &'static Fake,
    _: *mut c_void,
    _: u32,
    _: *const c_void,
    event: *mut &'static Fake,
) -> i32 {
    // SAFETY: what the caller guarantees.
    unsafe { enqueue(queue, UNMAP, event) }
}

/// # Safety
/// `event` must be null or valid.
unsafe extern "C" fn fill(
    queue: &'static Fake,
    _: *mut c_void,
    _: *const c_void,
    _: usize,
    _: usize,
    _: u32,
    _: *const c_void,
    event: *mut &'static Fake,
) -> i32 {
    // SAFETY: what the caller guarantees.
    unsafe { enqueue(queue, FILL, event) }
}

/// # Safety
/// `event` must be null or valid.
unsafe extern "C" fn copy(
    queue: &'static Fake,
    _: u32,
    _: *mut c_void,
    _: *const c_void,
    _: usize,
    _: u32,
    _: *const c_void,
    event: *mut &'static Fake,
) -> i32 {
    // SAFETY: what the caller guarantees.
    unsafe { enqueue(queue, COPY, event) }
}

fn block_of(driver: &FakeDriver) -> *mut c_void {
    let (context, device) = (driver.context.handle(), driver.device.handle());
    made!(pi(), |out| piextUSMSharedAlloc(out, context, device, null_mut(), 64, 0))
}

/// A context with one block of shared memory, and a queue with a command that runs.
struct Coarse {
    driver: FakeDriver,
    queue: &'static Fake,
    block: *mut c_void,
}

impl Coarse {
    fn new() -> Self {
        let functions = [
            (126, alloc as *const c_void),
            (129, copy as *const c_void),
            (130, fill as *const c_void),
            (131, map as *const c_void),
            (132, unmap as *const c_void),
        ];
        let driver = FakeDriver::new("rusticl", "Mesa/X.org", &functions);
        const COARSE_GRAIN_BUFFER: u64 = 1;
        driver.device.tell(query::DEVICE_SVM_CAPABILITIES, COARSE_GRAIN_BUFFER);
        let block = block_of(&driver);
        let queue = driver.queue().set_status(PI_EVENT_RUNNING);
        Self { driver, queue, block }
    }

    /// Returns an event that the caller completes.
    fn user_event(&self, status: i32) -> &'static Fake {
        const COMMAND_USER: u32 = 0x1204;
        self.driver.event(status).tell(query::EVENT_COMMAND_TYPE, COMMAND_USER)
    }

    /// Returns the event of another command.
    fn event(&self, status: i32) -> &'static Fake {
        self.driver.event(status).tell(query::EVENT_COMMAND_TYPE, PI_COMMAND_TYPE_MEM_BUFFER_WRITE)
    }

    /// Returns the calls for a fill behind these events.
    fn fill(&self, waits: &[&Fake]) -> Vec<&'static str> {
        let waits: Vec<pi_event> = waits.iter().map(|event| event.handle()).collect();
        let (n, list) = (waits.len() as u32, if waits.is_empty() { null() } else { waits.as_ptr() });
        ok!(pi(), piextUSMEnqueueMemset(self.queue.handle(), self.block, 0, 64, n, list, null_mut()));
        self.queue.calls()
    }
}

impl Drop for Coarse {
    fn drop(&mut self) {
        // Its commands are over, so that the plugin forgets them.
        self.queue.set_status(PI_EVENT_COMPLETE);
    }
}

fn the_host_has_its_memory_again_when_a_call_returns() {
    let coarse = Coarse::new();
    assert_eq!(coarse.fill(&[]), [UNMAP, FILL, MAP, END, WAIT]);
    coarse.queue.set_status(PI_EVENT_COMPLETE);
    assert_eq!(coarse.fill(&[]), [UNMAP, FILL, MAP, END, WAIT]);
}

fn a_call_behind_another_command_waits_for_it() {
    let coarse = Coarse::new();
    let event = coarse.event(PI_EVENT_RUNNING);
    assert_eq!(coarse.fill(&[event]), [UNMAP, FILL, MAP, END, WAIT]);
}

/// The caller completes its event only after the call.
fn a_call_behind_an_event_of_the_caller_returns_at_once() {
    for status in [PI_EVENT_QUEUED, PI_EVENT_SUBMITTED] {
        let coarse = Coarse::new();
        let (gate, event) = (coarse.user_event(status), coarse.event(PI_EVENT_RUNNING));
        assert_eq!(coarse.fill(&[event, gate]), [UNMAP, FILL, MAP, END]);
    }
    let coarse = Coarse::new();
    let open = coarse.user_event(PI_EVENT_COMPLETE);
    assert_eq!(coarse.fill(&[open]), [UNMAP, FILL, MAP, END, WAIT]);
}

fn a_blocking_call_waits_whatever_it_is_behind() {
    let coarse = Coarse::new();
    let gate: pi_event = coarse.user_event(PI_EVENT_SUBMITTED).handle();
    let mut bytes = [0_u8; 64];
    let (queue, to, from) = (coarse.queue.handle(), bytes.as_mut_ptr().cast(), coarse.block);
    ok!(pi(), piextUSMEnqueueMemcpy(queue, PI_TRUE, to, from, 64, 1, &gate, null_mut()));
    assert_eq!(coarse.queue.calls(), [UNMAP, COPY, MAP, END, WAIT]);
}

/// Commands on such memory run one after the other, so this one waits for the caller, too.
fn a_call_behind_one_that_returned_at_once_returns_at_once() {
    let coarse = Coarse::new();
    let gate = coarse.user_event(PI_EVENT_SUBMITTED);
    assert_eq!(coarse.fill(&[gate]), [UNMAP, FILL, MAP, END]);
    for _ in 0..2 {
        assert_eq!(coarse.fill(&[]), [UNMAP, FILL, MAP, END]);
    }
    coarse.queue.set_status(PI_EVENT_COMPLETE);
    assert_eq!(coarse.fill(&[]), [UNMAP, FILL, MAP, END, WAIT]);
}

fn a_call_of_another_context_changes_nothing_of_that() {
    let (coarse, other) = (Coarse::new(), Coarse::new());
    let gate = coarse.user_event(PI_EVENT_SUBMITTED);
    assert_eq!(coarse.fill(&[gate]), [UNMAP, FILL, MAP, END]);
    assert_eq!(other.fill(&[]), [UNMAP, FILL, MAP, END, WAIT]);
    assert_eq!(coarse.fill(&[]), [UNMAP, FILL, MAP, END]);
}

fn memory_that_a_command_does_not_use_stays_with_the_host() {
    let (mut coarse, other) = (Coarse::new(), Coarse::new());
    let [first, second] = [coarse.block, block_of(&coarse.driver)];
    for block in [first, second] {
        coarse.block = block;
        assert_eq!(coarse.fill(&[]), [UNMAP, FILL, MAP, END, WAIT]);
    }
    let queue = coarse.queue.handle();
    ok!(pi(), piextUSMEnqueueMemcpy(queue, PI_TRUE, first, second, 64, 0, null(), null_mut()));
    assert_eq!(coarse.queue.calls(), [UNMAP, UNMAP, COPY, MAP, MAP, END, WAIT]);
    assert_eq!(other.queue.calls(), [""; 0]);
}
