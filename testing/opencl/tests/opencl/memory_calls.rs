//! Tests of what a driver is called for when memory is allocated or created, with fake drivers that note it.

use std::ffi::c_void;
use std::ptr::{null, null_mut, with_exposed_provenance};
use std::sync::Mutex;

use testing_opencl::fake::{Fake, FakeDriver, pi};
use testing_opencl::*;
use testing_support::image_desc;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "memory_calls",
        [
            an_allocation_has_the_properties_that_opencl_knows,
            rows_are_memory_of_the_device_without_an_alignment,
            memory_that_is_not_aligned_is_freed_and_refused,
            a_buffer_has_its_properties_where_a_driver_takes_them,
            a_part_of_a_buffer_is_refused_before_the_driver_if_its_end_is_no_number,
            an_image_that_opencl_does_not_have_is_refused_before_the_driver,
        ]
    );
}

/// The arguments of an allocation: the kind, the properties, the size and the alignment.
type Call = (&'static str, Vec<u64>, usize, u32);

/// The allocations of all contexts, each with that of its context.
static CALLS: Mutex<Vec<(usize, Call)>> = Mutex::new(Vec::new());

fn calls_of(context: &Fake) -> Vec<Call> {
    let (address, mut calls) = (std::ptr::from_ref(context).addr(), CALLS.lock().unwrap());
    calls.extract_if(.., |(of, _)| *of == address).map(|(_, call)| call).collect()
}

/// Memory that is never read or written.
const ADDRESS: usize = 0x1_0040;

/// # Safety
/// `properties` must be null or end with 0, and `code` must be valid.
unsafe fn alloc(
    (context, kind): (&Fake, &'static str),
    properties: *const u64,
    (size, alignment): (usize, u32),
    code: *mut i32,
) -> *const c_void {
    let mut list = Vec::new();
    // SAFETY: what the caller guarantees.
    while !properties.is_null() && unsafe { *properties.add(list.len()) } != 0 {
        // SAFETY: a key has a value.
        list.extend(unsafe { [*properties.add(list.len()), *properties.add(list.len() + 1)] });
    }
    let address = std::ptr::from_ref(context).addr();
    CALLS.lock().unwrap().push((address, (kind, list, size, alignment)));
    // SAFETY: what the caller guarantees.
    unsafe { code.write(PI_SUCCESS) };
    with_exposed_provenance(ADDRESS)
}

macro_rules! allocating {
    ($name:ident, $kind:literal, ($($device:ident)?)) => {
        /// # Safety
        /// `properties` must be null or end with 0, and `code` must be valid.
        unsafe extern "C" fn $name(
            context: &Fake,
            $($device: *const Fake,)?
            properties: *const u64,
            size: usize,
            alignment: u32,
            code: *mut i32,
        ) -> *const c_void {
            $(assert!(!$device.is_null());)?
            // SAFETY: what the caller guarantees.
            unsafe { alloc((context, $kind), properties, (size, alignment), code) }
        }
    };
}

allocating!(alloc_host, "host", ());
allocating!(alloc_device, "device", (device));
allocating!(alloc_shared, "shared", (device));

extern "C" fn free(context: &Fake, memory: *const c_void) -> i32 {
    assert_eq!(memory.addr(), ADDRESS);
    context.note("clMemBlockingFreeINTEL")
}

/// # Safety
/// `code` must be valid.
unsafe fn create(context: &Fake, function: &'static str, code: *mut i32) -> *const Fake {
    // SAFETY: what the caller guarantees.
    unsafe { code.write(context.note(function)) };
    context.another()
}

/// # Safety
/// `code` must be valid.
unsafe extern "C" fn create_buffer(
    context: &Fake,
    _: u64,
    _: usize,
    _: *mut c_void,
    code: *mut i32,
) -> *const Fake {
    // SAFETY: what the caller guarantees.
    unsafe { create(context, "clCreateBuffer", code) }
}

/// # Safety
/// `properties` must be a property, and `code` must be valid.
unsafe extern "C" fn create_with_properties(
    context: &Fake,
    properties: *const [u64; 3],
    _: u64,
    _: usize,
    _: *mut c_void,
    code: *mut i32,
) -> *const Fake {
    // SAFETY: what the caller guarantees.
    assert_eq!(unsafe { *properties }, CHANNEL);
    // SAFETY: same as above.
    unsafe { create(context, "clCreateBufferWithPropertiesINTEL", code) }
}

/// # Safety
/// `code` must be valid.
unsafe extern "C" fn create_part(
    buffer: &Fake,
    _: u64,
    _: u32,
    _: *const c_void,
    code: *mut i32,
) -> *const Fake {
    // SAFETY: what the caller guarantees.
    unsafe { create(buffer, "clCreateSubBuffer", code) }
}

/// # Safety
/// `code` must be valid.
unsafe extern "C" fn create_image(
    context: &Fake,
    _: u64,
    _: *const c_void,
    _: *const c_void,
    _: *mut c_void,
    code: *mut i32,
) -> *const Fake {
    // SAFETY: what the caller guarantees.
    unsafe { create(context, "clCreateImage", code) }
}

const CHANNEL: [u64; 3] = [PI_MEM_PROPERTIES_CHANNEL, 3, 0];

fn driver() -> FakeDriver {
    let functions = [
        (14, create_buffer as *const c_void),
        (82, create_part as *const c_void),
        (96, create_image as *const c_void),
    ];
    let driver = FakeDriver::new("Fake", "Nobody", &functions);
    driver.platform.extend("clHostMemAllocINTEL", alloc_host as *const c_void);
    driver.platform.extend("clDeviceMemAllocINTEL", alloc_device as *const c_void);
    driver.platform.extend("clSharedMemAllocINTEL", alloc_shared as *const c_void);
    driver.platform.extend("clMemBlockingFreeINTEL", free as *const c_void);
    driver
}

/// "Read-only on the device" is a promise that OpenCL does not have.
fn an_allocation_has_the_properties_that_opencl_knows() {
    const FLAGS: u64 = PI_MEM_ALLOC_FLAGS;
    const PLACE: u64 = PI_MEM_USM_ALLOC_BUFFER_LOCATION;
    const READ_ONLY: u64 = PI_MEM_ALLOC_DEVICE_READ_ONLY;
    let driver = driver();
    let (context, device) = (driver.context.handle(), driver.device.handle());
    let cases: [(&[u64], &[u64]); 8] = [
        (&[0], &[]),
        (&[FLAGS, READ_ONLY, 0], &[]),
        (&[FLAGS, 1, 0], &[FLAGS, 1]),
        (&[FLAGS, 2, 0], &[FLAGS, 2]),
        (&[FLAGS, 4 | READ_ONLY, 0], &[FLAGS, 4]),
        (&[PLACE, 5, 0], &[PLACE, 5]),
        (&[FLAGS, READ_ONLY, PLACE, 0, 0], &[PLACE, 0]),
        (&[FLAGS, 7, PLACE, 6, 0], &[FLAGS, 7, PLACE, 6]),
    ];
    for (given, taken) in cases {
        let list = given.as_ptr().cast_mut();
        let _: *mut c_void = made!(pi(), |out| piextUSMSharedAlloc(out, context, device, list, 64, 16));
        let _: *mut c_void = made!(pi(), |out| piextUSMDeviceAlloc(out, context, device, list, 32, 0));
        let _: *mut c_void = made!(pi(), |out| piextUSMHostAlloc(out, context, list, 96, 64));
        let taken = taken.to_vec();
        let expected =
            [("shared", taken.clone(), 64, 16), ("device", taken.clone(), 32, 0), ("host", taken, 96, 64)];
        assert_eq!(calls_of(driver.context), expected, "{given:?}");
    }
    let _: *mut c_void = made!(pi(), |out| piextUSMHostAlloc(out, context, null_mut(), 8, 0));
    assert_eq!(calls_of(driver.context), [("host", vec![], 8, 0)]);
}

fn rows_are_memory_of_the_device_without_an_alignment() {
    let (driver, mut pitch, none) = (driver(), 0, null_mut());
    let (context, device) = (driver.context.handle(), driver.device.handle());
    let _: *mut c_void =
        made!(pi(), |out| piextUSMPitchedAlloc(out, &mut pitch, context, device, none, 100, 5, 4));
    assert_eq!(pitch, 128);
    assert_eq!(calls_of(driver.context), [("device", vec![], 640, 0)]);
    let mut out = null_mut();
    for (width, height) in [(0, 5), (100, 0), (usize::MAX, 1), (1 << 40, 1 << 40)] {
        let text = refused!(
            pi(),
            piextUSMPitchedAlloc(&mut out, &mut pitch, context, device, none, width, height, 4),
            PI_ERROR_INVALID_VALUE
        );
        assert!(text.contains("is empty or exceeds the address space"), "{text}");
        assert_eq!(calls_of(driver.context), []);
    }
}

/// PoCL takes every alignment.
fn memory_that_is_not_aligned_is_freed_and_refused() {
    let (driver, mut out) = (driver(), null_mut());
    let context = driver.context.handle();
    let text =
        refused!(pi(), piextUSMHostAlloc(&mut out, context, null_mut(), 64, 128), PI_ERROR_INVALID_VALUE);
    assert!(text.contains("alignment 128"), "{text}");
    assert_eq!(driver.context.calls(), ["clMemBlockingFreeINTEL"]);
    let _: *mut c_void = made!(pi(), |out| piextUSMHostAlloc(out, context, null_mut(), 64, 64));
    assert_eq!(driver.context.calls(), [""; 0]);
}

fn a_buffer_has_its_properties_where_a_driver_takes_them() {
    let (with, without) = (driver(), driver());
    let function = create_with_properties as *const c_void;
    with.platform.extend("clCreateBufferWithPropertiesINTEL", function);
    for (driver, properties, expected) in [
        (&with, CHANNEL.as_ptr(), "clCreateBufferWithPropertiesINTEL"),
        (&with, [0].as_ptr(), "clCreateBuffer"),
        (&with, null(), "clCreateBuffer"),
        (&without, CHANNEL.as_ptr(), "clCreateBuffer"),
    ] {
        let (context, flags) = (driver.context.handle(), PI_MEM_FLAGS_ACCESS_RW);
        let _: pi_mem = made!(pi(), |out| piMemBufferCreate(context, flags, 64, null_mut(), out, properties));
        assert_eq!(driver.context.calls(), [expected]);
    }
}

fn a_part_of_a_buffer_is_refused_before_the_driver_if_its_end_is_no_number() {
    let driver = driver();
    let buffer = driver.context.another();
    let part = |origin, size| {
        let (mut region, mut out) = (pi_buffer_region_struct { origin, size }, null_mut());
        let (kind, region) = (PI_BUFFER_CREATE_TYPE_REGION, (&raw mut region).cast());
        call!(pi(), piMemBufferPartition(buffer.handle(), PI_MEM_FLAGS_ACCESS_RW, kind, region, &mut out))
    };
    for (origin, size) in [(0, 0), (usize::MAX, 1), (8, usize::MAX)] {
        calls::expect_refusal(part(origin, size), &[PI_ERROR_INVALID_BUFFER_SIZE]);
        assert_eq!(buffer.calls(), [""; 0]);
    }
    part(8, 8).unwrap();
    assert_eq!(buffer.calls(), ["clCreateSubBuffer"]);
}

fn an_image_that_opencl_does_not_have_is_refused_before_the_driver() {
    let driver = driver();
    let format = pi_image_format {
        image_channel_order: PI_IMAGE_CHANNEL_ORDER_RGBA,
        image_channel_data_type: PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
    };
    let good = image_desc(PI_MEM_TYPE_IMAGE2D, [4, 4, 0]);
    let create = |desc: pi_image_desc, memory: *mut c_void| {
        let (context, mut out) = (driver.context.handle(), null_mut());
        let flags = PI_MEM_FLAGS_ACCESS_RW | if memory.is_null() { 0 } else { PI_MEM_FLAGS_HOST_PTR_COPY };
        call!(pi(), piMemImageCreate(context, flags, &format, &desc, memory, &mut out))
    };
    let mut bytes = [0_u8; 64];
    let memory = bytes.as_mut_ptr().cast();
    for (what, desc) in [
        ("a pitch", pi_image_desc { image_row_pitch: 16, ..good }),
        ("a pitch", pi_image_desc { image_slice_pitch: 64, ..good }),
        ("unknown image type", pi_image_desc { image_type: PI_MEM_TYPE_BUFFER, ..good }),
        ("unknown image type", pi_image_desc { image_type: PI_MEM_TYPE_IMAGE1D_BUFFER + 1, ..good }),
    ] {
        let text = calls::expect_refusal(create(desc, null_mut()), &[PI_ERROR_INVALID_IMAGE_DESCRIPTOR]);
        assert!(text.contains(what), "{text}");
        assert_eq!(driver.context.calls(), [""; 0]);
    }
    create(good, null_mut()).unwrap();
    create(pi_image_desc { image_row_pitch: 16, ..good }, memory).unwrap();
    assert_eq!(driver.context.calls(), ["clCreateImage"; 2]);
}
