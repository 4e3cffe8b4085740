//! Tests of calls over which PoCL 6 and 7 end the process, so that they must not reach it, or not at once. A fake of such a driver, which
//! has USM, records whether they do.

use std::ffi::c_void;
use std::ptr::{null, null_mut, without_provenance_mut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use testing_opencl::fake::{Fake, FakeDriver, enqueue, get_info, pi};
use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "faults_of_pocl",
        [
            only_memory_of_the_context_is_filled,
            memory_of_which_the_driver_cannot_tell_is_not_filled,
            only_copies_that_stay_in_their_allocations_and_do_not_overlap_are_made,
            a_copy_does_not_wait_for_an_event_of_another_context,
            a_buffer_is_not_asked_what_images_are,
            one_thread_at_a_time_allocates_even_if_it_takes_long,
        ]
    );
}

/// The only allocation of the fake driver.
const START: usize = 0x10_0000;
const SIZE: usize = 4096;
/// Queries of an allocation (`cl_ext.h`).
const BASE_PTR: u32 = 0x419b;
const ALLOC_SIZE: u32 = 0x419c;

const FILL: &str = "clEnqueueMemFillINTEL";
const COPY: &str = "clEnqueueMemcpyINTEL";

/// # Safety
/// The places must be null or valid.
unsafe extern "C" fn alloc_info(
    context: &Fake,
    address: usize,
    name: u32,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> i32 {
    let is_inside = (START..START + SIZE).contains(&address);
    let (start, length) = if is_inside { (START, SIZE) } else { (0, 0) };
    let allocation = context.another();
    allocation.tell(BASE_PTR, start).tell(ALLOC_SIZE, length);
    match context.note("clGetMemAllocInfoINTEL") {
        // SAFETY: what the caller guarantees.
        PI_SUCCESS => unsafe { get_info(allocation, name, size, value, size_ret) },
        code => code,
    }
}

/// # Safety
/// `event` must be null or valid.
unsafe extern "C" fn fill(
    queue: &'static Fake,
    _: usize,
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
    _: usize,
    _: usize,
    _: usize,
    _: u32,
    _: *const c_void,
    event: *mut &'static Fake,
) -> i32 {
    // SAFETY: what the caller guarantees.
    unsafe { enqueue(queue, COPY, event) }
}

/// The threads that allocate, and the most of them so far.
static ALLOCATING: AtomicUsize = AtomicUsize::new(0);
static MOST_ALLOCATING: AtomicUsize = AtomicUsize::new(0);

/// # Safety
/// `code` must be null or valid.
unsafe extern "C" fn slow_alloc(
    _: &Fake,
    _: &Fake,
    _: *const u64,
    size: usize,
    _: u32,
    code: *mut i32,
) -> *mut c_void {
    MOST_ALLOCATING.fetch_max(ALLOCATING.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
    std::thread::sleep(Duration::from_millis(400));
    ALLOCATING.fetch_sub(1, Ordering::SeqCst);
    // SAFETY: what the caller guarantees.
    if let Some(code) = unsafe { code.as_mut() } {
        *code = PI_SUCCESS;
    }
    Box::leak(vec![0_u64; size.div_ceil(8)].into_boxed_slice()).as_mut_ptr().cast()
}

fn pocl() -> FakeDriver {
    let driver = FakeDriver::new("Portable Computing Language", "The pocl project", &[]);
    driver
        .platform
        // The plugin takes a driver with one of these for one with USM.
        .extend("clSharedMemAllocINTEL", fill as *const c_void)
        .extend("clGetMemAllocInfoINTEL", alloc_info as *const c_void)
        .extend(FILL, fill as *const c_void)
        .extend(COPY, copy as *const c_void);
    driver
}

fn set(queue: &Fake, address: usize, size: usize) -> Result<(), CallError> {
    let (queue, ptr) = (queue.handle(), without_provenance_mut(address));
    call!(pi(), piextUSMEnqueueMemset(queue, ptr, 7, size, 0, null(), null_mut()))
}

fn only_memory_of_the_context_is_filled() {
    let queue = pocl().queue();
    for address in [START, START + SIZE - 64] {
        set(queue, address, 64).unwrap();
        assert_eq!(queue.calls(), [FILL]);
    }
    for address in [START - 64, START + SIZE] {
        calls::expect_refusal(set(queue, address, 64), &[PI_ERROR_INVALID_VALUE]);
        assert_eq!(queue.calls(), [""; 0]);
    }
}

fn memory_of_which_the_driver_cannot_tell_is_not_filled() {
    let driver = pocl();
    let queue = driver.queue();
    driver.context.refuse("clGetMemAllocInfoINTEL", PI_ERROR_INVALID_VALUE);
    calls::expect_refusal(set(queue, START, 64), &[PI_ERROR_INVALID_VALUE]);
    assert_eq!(queue.calls(), [""; 0]);
}

fn copy_in(queue: &Fake, to: usize, from: usize, size: usize, waits: &[pi_event]) -> Result<(), CallError> {
    let (queue, to, from) = (queue.handle(), without_provenance_mut(to), without_provenance_mut(from));
    let (n, list) = (waits.len() as u32, if waits.is_empty() { null() } else { waits.as_ptr() });
    call!(pi(), piextUSMEnqueueMemcpy(queue, PI_FALSE, to, from, size, n, list, null_mut()))
}

fn only_copies_that_stay_in_their_allocations_and_do_not_overlap_are_made() {
    let queue = pocl().queue();
    for (to, from, size) in
        [(START, START + 64, 64), (START + 64, START, 64), (START + SIZE / 2, START, SIZE / 2)]
    {
        copy_in(queue, to, from, size, &[]).unwrap();
        assert_eq!(queue.calls(), [COPY]);
    }
    for (to, from, size, code) in [
        (START, START, 64, PI_ERROR_MEM_COPY_OVERLAP),
        (START, START + 63, 64, PI_ERROR_MEM_COPY_OVERLAP),
        (START + 63, START, 64, PI_ERROR_MEM_COPY_OVERLAP),
        (START + SIZE - 63, START, 64, PI_ERROR_INVALID_VALUE),
        (START, START + SIZE - 63, 64, PI_ERROR_INVALID_VALUE),
    ] {
        calls::expect_refusal(copy_in(queue, to, from, size, &[]), &[code]);
        assert_eq!(queue.calls(), [""; 0], "{size} bytes from {from:#x} to {to:#x}");
    }
}

fn a_copy_does_not_wait_for_an_event_of_another_context() {
    let (driver, other) = (pocl(), pocl());
    let queue = driver.queue();
    let (own, foreign) = (driver.event(PI_EVENT_RUNNING), other.event(PI_EVENT_RUNNING));
    copy_in(queue, START, START + 64, 64, &[own.handle()]).unwrap();
    assert_eq!(queue.calls(), [COPY]);
    let waits = [own.handle(), foreign.handle()];
    calls::expect_refusal(copy_in(queue, START, START + 64, 64, &waits), &[PI_ERROR_INVALID_CONTEXT]);
    assert_eq!(queue.calls(), [""; 0]);
}

extern "C" fn image_info(image: &Fake, _: u32, _: usize, _: *const c_void, _: *const usize) -> i32 {
    image.note("clGetImageInfo")
}

fn a_buffer_is_not_asked_what_images_are() {
    const MEM_TYPE: u32 = 0x1100;
    const MEM_CONTEXT: u32 = 0x1106;
    let functions = [(20, get_info as *const c_void), (21, image_info as *const c_void)];
    for (name, kind, is_asked) in [
        ("Portable Computing Language", PI_MEM_TYPE_BUFFER, false),
        ("Portable Computing Language", PI_MEM_TYPE_IMAGE2D, true),
        ("Fake", PI_MEM_TYPE_BUFFER, true),
    ] {
        let driver = FakeDriver::new(name, "Nobody", &functions);
        let mem = driver.context.another();
        mem.tell(MEM_TYPE, kind).tell(MEM_CONTEXT, driver.context.handle::<c_void>());
        let (mut width, room) = (0_usize, size_of::<usize>());
        let place = (&raw mut width).cast();
        let asked =
            call!(pi(), piMemImageGetInfo(mem.handle(), PI_IMAGE_INFO_WIDTH, room, place, null_mut()));
        if is_asked {
            asked.unwrap();
            assert_eq!(mem.calls(), ["clGetImageInfo"]);
        } else {
            calls::expect_refusal(asked, &[PI_ERROR_INVALID_MEM_OBJECT]);
            assert_eq!(mem.calls(), [""; 0]);
        }
    }
}

/// The driver would end the process. It takes long where a computer is busy.
fn one_thread_at_a_time_allocates_even_if_it_takes_long() {
    let driver = pocl();
    driver.platform.extend("clSharedMemAllocINTEL", slow_alloc as *const c_void);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let (context, device) = (driver.context.handle(), driver.device.handle());
                let block: *mut c_void =
                    made!(pi(), |out| piextUSMSharedAlloc(out, context, device, null_mut(), 64, 0));
                assert!(!block.is_null());
            });
        }
    });
    assert_eq!(MOST_ALLOCATING.load(Ordering::SeqCst), 1);
}
