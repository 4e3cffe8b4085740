//! Tests of what a driver is called for about shared virtual memory, with fake drivers that note it.

use std::ffi::c_void;
use std::ptr::{null_mut, with_exposed_provenance};
use std::thread::sleep;
use std::time::Duration;

use testing_opencl::fake::{Fake, FakeDriver, enqueue, pi, query};
use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "svm_calls",
        [
            memory_is_as_fine_as_all_devices_of_the_context_have_it,
            an_address_in_an_allocation_tells_of_the_whole,
            an_empty_allocation_is_refused_before_the_driver,
            memory_is_freed_when_the_commands_of_each_queue_are_over,
            events_of_a_released_queue_are_released_with_the_memory,
        ]
    );
}

const COARSE: u64 = 1;
const FINE: u64 = 2;
const SYSTEM: u64 = 4;

extern "C" fn alloc(context: &Fake, flags: u64, _: usize, _: u32) -> *const c_void {
    const READ_WRITE: u64 = 1;
    const FINE_GRAIN_BUFFER: u64 = 1 << 10;
    context.note(match flags {
        READ_WRITE => "clSVMAlloc of coarse grain",
        flags if flags == READ_WRITE | FINE_GRAIN_BUFFER => "clSVMAlloc of fine grain",
        _ => "clSVMAlloc of another kind",
    });
    // Memory that is never read or written, one block for each context.
    with_exposed_provenance(std::ptr::from_ref(context).addr() << 8)
}

extern "C" fn free(context: &Fake, _: *const c_void) {
    context.note("clSVMFree");
}

extern "C" fn alloc_shared(context: &Fake) -> *const c_void {
    with_exposed_provenance(std::ptr::from_ref(context).addr() << 8)
}

/// # Safety
/// `value` must have room for an address.
unsafe extern "C" fn start_of(
    context: &Fake,
    _: *const c_void,
    _: u32,
    _: usize,
    value: *mut *const c_void,
    _: *mut usize,
) -> i32 {
    // SAFETY: what the caller guarantees.
    unsafe { value.write(alloc_shared(context)) };
    PI_SUCCESS
}

extern "C" fn free_usm(context: &Fake, _: *const c_void) -> i32 {
    context.note("clMemFreeINTEL")
}

/// # Safety
/// `event` must be null or valid.
unsafe extern "C" fn map(
    queue: &'static Fake,
    _: u32,
    _: u64,
    _: *mut c_void,
    _: usize,
    _: u32,
    _: *const c_void,
    event: *mut &'static Fake,
) -> i32 {
    // SAFETY: what the caller guarantees.
    unsafe { enqueue(queue, "clEnqueueSVMMap", event) }
}

extern "C" fn succeed() -> i32 {
    PI_SUCCESS
}

fn driver_of(capabilities: u64) -> FakeDriver {
    let functions = [
        (6, succeed as *const c_void), // clRetainContext
        (7, succeed as *const c_void), // clReleaseContext
        (126, alloc as *const c_void),
        (127, free as *const c_void),
        (131, map as *const c_void),
    ];
    let driver = FakeDriver::new("Fake", "Nobody", &functions);
    driver.device.tell(query::DEVICE_SVM_CAPABILITIES, capabilities);
    driver
}

fn block_of(driver: &FakeDriver) -> *mut c_void {
    let (context, device) = (driver.context.handle(), driver.device.handle());
    made!(pi(), |out| piextUSMSharedAlloc(out, context, device, null_mut(), 64, 0))
}

fn memory_is_as_fine_as_all_devices_of_the_context_have_it() {
    for (of_first, of_second, expected) in [
        (COARSE, COARSE, "clSVMAlloc of coarse grain"),
        (COARSE | FINE, COARSE, "clSVMAlloc of coarse grain"),
        (COARSE | FINE, COARSE | FINE, "clSVMAlloc of fine grain"),
        (COARSE | FINE | SYSTEM, COARSE | FINE | SYSTEM, "clSVMAlloc of fine grain"),
    ] {
        let driver = driver_of(of_first);
        let second = driver.add_device();
        second.tell(query::DEVICE_SVM_CAPABILITIES, of_second);
        let both = [driver.device, second].map(Fake::handle::<c_void>);
        driver.context.tell(query::CONTEXT_DEVICES, both);
        block_of(&driver);
        assert_eq!(driver.context.calls(), [expected], "{of_first} and {of_second}");
    }
}

fn an_address_in_an_allocation_tells_of_the_whole() {
    let driver = driver_of(COARSE | FINE);
    let (block, context) = (block_of(&driver), driver.context.handle());
    for offset in [0, 8, 63] {
        let address = block.wrapping_byte_add(offset);
        let size = get!(pi(), piextUSMGetMemAllocInfo(context, address, PI_MEM_ALLOC_SIZE) as usize);
        let start =
            get!(pi(), piextUSMGetMemAllocInfo(context, address, PI_MEM_ALLOC_BASE_PTR) as *mut c_void);
        let kind = get!(pi(), piextUSMGetMemAllocInfo(context, address, PI_MEM_ALLOC_TYPE) as pi_usm_type);
        assert_eq!((size, start, kind), (64, block, PI_MEM_TYPE_SHARED));
    }
    let behind = block.wrapping_byte_add(64);
    let kind = get!(pi(), piextUSMGetMemAllocInfo(context, behind, PI_MEM_ALLOC_TYPE) as pi_usm_type);
    assert_eq!(kind, PI_MEM_TYPE_UNKNOWN);
}

fn an_empty_allocation_is_refused_before_the_driver() {
    let (driver, mut out) = (driver_of(COARSE | FINE), null_mut());
    let (context, device) = (driver.context.handle(), driver.device.handle());
    refused!(
        pi(),
        piextUSMSharedAlloc(&mut out, context, device, null_mut(), 0, 0),
        PI_ERROR_INVALID_BUFFER_SIZE
    );
    assert_eq!(driver.context.calls(), [""; 0]);
}

/// Returns a driver with USM whose own wait for commands is not used.
fn pocl() -> FakeDriver {
    let functions = [(6, succeed as *const c_void), (7, succeed as *const c_void)];
    let driver = FakeDriver::new("Portable Computing Language", "The pocl project", &functions);
    driver.platform.extend("clSharedMemAllocINTEL", alloc_shared as *const c_void);
    driver.platform.extend("clGetMemAllocInfoINTEL", start_of as *const c_void);
    driver.platform.extend("clMemFreeINTEL", free_usm as *const c_void);
    driver
}

/// A queue is the plugin's or one of the caller, and may be released before its commands are complete. A command may use
/// the block without naming it.
fn memory_is_freed_when_the_commands_of_each_queue_are_over() {
    for (has_usm, is_native, is_released) in [
        (false, false, false),
        (false, false, true),
        (false, true, false),
        (false, true, true),
        (true, false, false),
        (true, false, true),
        (true, true, false),
        (true, true, true),
    ] {
        let driver = if has_usm { pocl() } else { driver_of(COARSE | FINE) };
        let free = if has_usm { "clMemFreeINTEL" } else { "clSVMFree" };
        let (context, device) = (driver.context.handle(), driver.device.handle());
        let block = block_of(&driver);
        let handle: pi_queue = if is_native {
            let native = driver.queue().handle::<c_void>().expose_provenance();
            made!(pi(), |out| piextQueueCreateWithNativeHandle(
                native,
                0,
                context,
                device,
                0,
                null_mut(),
                out
            ))
        } else {
            made!(pi(), |out| piQueueCreate(context, device, 0, out))
        };
        // SAFETY: a queue of the fake driver, which is never freed.
        let queue = unsafe { &*handle.cast::<Fake>() };
        queue.set_status(PI_EVENT_RUNNING);
        driver.context.calls();
        if is_released {
            ok!(pi(), piQueueRelease(handle));
        }
        ok!(pi(), piextUSMFree(context, block));
        assert_eq!(driver.context.calls(), [""; 0]);
        queue.set_status(PI_EVENT_COMPLETE);
        let other = if has_usm { pocl() } else { driver_of(COARSE | FINE) };
        block_of(&other);
        assert_eq!(driver.context.calls(), [free]);
        let block = block_of(&driver);
        driver.context.calls();
        ok!(pi(), piextUSMFree(context, block));
        assert_eq!(driver.context.calls(), [free], "no command is left");
        if !is_released {
            ok!(pi(), piQueueRelease(handle));
        }
    }
}

/// The events would keep the context alive. The commands end while the free waits for them, or later.
fn events_of_a_released_queue_are_released_with_the_memory() {
    for ends_later in [false, true] {
        let driver = pocl();
        let (context, device) = (driver.context.handle(), driver.device.handle());
        let block = block_of(&driver);
        let handle: pi_queue = made!(pi(), |out| piQueueCreate(context, device, 0, out));
        // SAFETY: a queue of the fake driver, which is never freed.
        let queue = unsafe { &*handle.cast::<Fake>() };
        queue.set_status(PI_EVENT_RUNNING);
        ok!(pi(), piQueueRelease(handle));
        assert_eq!(queue.event_references(), 1);
        std::thread::scope(|scope| {
            if !ends_later {
                scope.spawn(|| {
                    sleep(Duration::from_millis(20));
                    queue.set_status(PI_EVENT_COMPLETE);
                });
            }
            ok!(pi(), piextUSMFree(context, block));
        });
        queue.set_status(PI_EVENT_COMPLETE);
        if ends_later {
            block_of(&pocl());
        }
        assert_eq!(queue.event_references(), 0, "{ends_later}");
    }
}
