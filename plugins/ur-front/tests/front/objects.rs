//! Lists of devices, buffers and programs, as they reach the backend.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_ur_core::*;
use sycl_ur_front::stubs::*;

use crate::fake::{
    Fake, Handles, OWN_CONTEXT, address, context_references, device_references, handles, noted,
};

const NEWEST: Layout = Layout::V2026_2;

/// The fake has two devices of every kind.
#[test]
fn a_list_has_room_or_is_absent() {
    let of = handles(NEWEST);
    let list = |capacity, has_list, has_count| {
        let (mut devices, mut count) = ([null_mut(); 3], 99);
        // SAFETY: a live handle, and room for what the call is told.
        let result = unsafe {
            let devices = if has_list { devices.as_mut_ptr() } else { null_mut() };
            let count = if has_count { &raw mut count } else { null_mut() };
            urDeviceGet::<Fake>(of.platform, UR_DEVICE_TYPE_ALL, capacity, devices, count)
        };
        (result, devices.iter().filter(|device| !device.is_null()).count(), count)
    };
    assert_eq!(list(0, false, true), (UR_RESULT_SUCCESS, 0, 2));
    assert_eq!(list(3, true, true), (UR_RESULT_SUCCESS, 2, 2));
    assert_eq!(list(1, true, true), (UR_RESULT_SUCCESS, 1, 2), "as many as fit");
    assert_eq!(list(2, true, false), (UR_RESULT_SUCCESS, 2, 99));
    assert_eq!(list(0, true, true), (UR_RESULT_ERROR_INVALID_SIZE, 0, 99));
    assert_eq!(list(2, false, true), (UR_RESULT_ERROR_INVALID_NULL_POINTER, 0, 99));
    assert_eq!(list(0, false, false), (UR_RESULT_ERROR_INVALID_VALUE, 0, 99));
}

/// A count of 0 asks for the number, with a list too.
#[test]
fn parts_of_a_device_are_as_many_as_there_is_room_for() {
    let of = handles(NEWEST);
    let property =
        |type_, count| ur_device_partition_property_t { type_, value: ur_device_partition_value_t { count } };
    for (list, wanted) in [
        (&[property(UR_DEVICE_PARTITION_EQUALLY, 4)][..], "parts [1086, 4, 0]"),
        (&[1, 3].map(|count| property(UR_DEVICE_PARTITION_BY_COUNTS, count)), "parts [1087, 1, 3, 0, 0]"),
        (&[property(UR_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 1)], "parts [1088, 1, 0]"),
        (&[property(UR_DEVICE_PARTITION_BY_CSLICE, 0)], "parts [1089, 0]"),
    ] {
        let properties = ur_device_partition_properties_t {
            stype: UR_STRUCTURE_TYPE_DEVICE_PARTITION_PROPERTIES,
            pNext: null_mut(),
            pProperties: list.as_ptr(),
            PropCount: list.len(),
        };
        for (capacity, filled) in [(0, 0), (1, 1), (3, 2)] {
            let (mut parts, mut count) = ([null_mut(); 3], 99);
            noted();
            // SAFETY: a live handle, properties, and room for what the call is told.
            let result = unsafe {
                urDevicePartition::<Fake>(of.device, &properties, capacity, parts.as_mut_ptr(), &mut count)
            };
            assert_eq!((result, count), (UR_RESULT_SUCCESS, 2));
            assert_eq!(parts.iter().filter(|part| !part.is_null()).count(), filled, "{capacity}");
            assert_eq!(noted()[0], wanted);
        }
    }
}

/// libsycl retains such a context once more, and releases it only once.
#[test]
fn a_context_that_the_caller_keeps_loses_a_reference_before_its_handle_ends() {
    let of = handles(NEWEST);
    let adapter = of_adapter(of);
    let create = |owned| {
        let properties = ur_context_native_properties_t {
            stype: UR_STRUCTURE_TYPE_CONTEXT_NATIVE_PROPERTIES,
            pNext: null_mut(),
            isNativeHandleOwned: owned,
        };
        let (mut context, devices) = (null_mut(), [of.device]);
        // SAFETY: live handles, and room for the context.
        let result = unsafe {
            let create = urContextCreateWithNativeHandle::<Fake>;
            create(OWN_CONTEXT, adapter, 1, devices.as_ptr(), &properties, &mut context)
        };
        assert_eq!(result, UR_RESULT_SUCCESS);
        context
    };
    // SAFETY: live handles.
    let retain = |context| assert_eq!(unsafe { urContextRetain::<Fake>(context) }, UR_RESULT_SUCCESS);
    // SAFETY: live handles, which keep a reference.
    let release = |context| assert_eq!(unsafe { urContextRelease::<Fake>(context) }, UR_RESULT_SUCCESS);
    assert_eq!(context_references(), 1);
    let kept = create(0);
    assert_eq!(context_references(), 2);
    retain(kept);
    release(kept);
    assert_eq!(context_references(), 1);
    let another = create(1);
    assert_ne!(another, kept);
    assert_eq!(context_references(), 2);
    retain(another);
    release(another);
    assert_eq!(context_references(), 2, "it is not the caller's");
    for _ in 0..2 {
        retain(kept);
        assert_eq!(context_references(), 3);
        release(kept);
        assert_eq!(context_references(), 2);
    }
    release(another);
    assert_eq!(context_references(), 1);
}

/// The number is the backends' own code of the error.
#[test]
fn the_last_error_has_its_text_and_number() {
    let (of, mut count) = (handles(NEWEST), 0);
    let adapter = of_adapter(of);
    // SAFETY: a live handle, and room for the results.
    unsafe {
        let wrong = urDeviceGet::<Fake>(of.platform, UR_DEVICE_TYPE_ALL, 0, null_mut(), null_mut());
        assert_eq!(wrong, UR_RESULT_ERROR_INVALID_VALUE);
        let (mut text, mut number) = (null(), 77);
        let told = urAdapterGetLastError::<Fake>(adapter, &mut text, &mut number);
        assert_eq!((told, number), (UR_RESULT_SUCCESS, sycl_pi_backend::types::ErrorCode::INVALID_VALUE.0));
        assert!(std::ffi::CStr::from_ptr(text).to_bytes().starts_with(b"urDeviceGet: "));
        for (text, number) in [(&raw mut text, null_mut()), (null_mut(), &raw mut count)] {
            let told = urAdapterGetLastError::<Fake>(adapter, text, number);
            assert_eq!(told, UR_RESULT_ERROR_INVALID_NULL_POINTER);
        }
    }
}

#[test]
fn kinds_of_devices_are_those_of_backends() {
    let of = handles(NEWEST);
    for (kind, wanted) in [
        (UR_DEVICE_TYPE_DEFAULT, "DeviceType(DEFAULT)"),
        (UR_DEVICE_TYPE_GPU, "DeviceType(GPU)"),
        (UR_DEVICE_TYPE_CPU, "DeviceType(CPU)"),
        (UR_DEVICE_TYPE_FPGA, "DeviceType(ACC)"),
        (UR_DEVICE_TYPE_MCA, "DeviceType(ACC)"),
        (UR_DEVICE_TYPE_VPU, "DeviceType(ACC)"),
        (UR_DEVICE_TYPE_CUSTOM, "DeviceType(CUSTOM)"),
    ] {
        let mut count = 0;
        noted();
        // SAFETY: a live handle and room for the count.
        let result = unsafe { urDeviceGet::<Fake>(of.platform, kind, 0, null_mut(), &mut count) };
        assert_eq!((result, noted().concat()), (UR_RESULT_SUCCESS, wanted.to_owned()));
    }
    let mut count = 0;
    // SAFETY: a live handle and room for the count.
    let unknown = unsafe { urDeviceGet::<Fake>(of.platform, 99, 0, null_mut(), &mut count) };
    assert_eq!(unknown, UR_RESULT_ERROR_INVALID_ENUMERATION);
    // SAFETY: an empty list of adapters.
    let none = unsafe { urPlatformGet_until_2025_2::<Fake>(null_mut(), 0, 0, null_mut(), &mut count) };
    assert_eq!(none, UR_RESULT_ERROR_INVALID_SIZE);
}

#[test]
fn an_answer_has_room_or_only_its_size_is_asked_for() {
    let of = handles(NEWEST);
    let ask = |size, has_room, has_size| {
        let (mut answer, mut length) = (0_u64, 99);
        let room: *mut c_void = if has_room { (&raw mut answer).cast() } else { null_mut() };
        let length_place = if has_size { &raw mut length } else { null_mut() };
        let result =
            // SAFETY: a live handle, and room for what the call is told.
            unsafe { urDeviceGetInfo::<Fake>(of.device, UR_DEVICE_INFO_VENDOR_ID, size, room, length_place) };
        (result, length)
    };
    assert_eq!(ask(0, false, true), (UR_RESULT_SUCCESS, 4));
    assert_eq!(ask(8, true, true), (UR_RESULT_SUCCESS, 4));
    assert_eq!(ask(8, false, true), (UR_RESULT_ERROR_INVALID_NULL_POINTER, 99));
    assert_eq!(ask(0, false, false), (UR_RESULT_ERROR_INVALID_NULL_POINTER, 99));
    assert_eq!(ask(2, true, false), (UR_RESULT_ERROR_INVALID_SIZE, 99));
}

#[test]
fn a_buffer_has_a_size_and_memory_of_the_host_if_its_flags_say_so() {
    let of = handles(NEWEST);
    let create = |flags, size, host: usize| {
        let properties = ur_buffer_properties_t {
            stype: UR_STRUCTURE_TYPE_BUFFER_PROPERTIES,
            pNext: null_mut(),
            pHost: address(host),
        };
        let mut buffer = null_mut();
        noted();
        // SAFETY: a live handle, a structure of its type, and room for the buffer.
        let result = unsafe { urMemBufferCreate::<Fake>(of.context, flags, size, &properties, &mut buffer) };
        (result, noted().concat())
    };
    let copied = UR_MEM_FLAG_ALLOC_COPY_HOST_POINTER;
    assert_eq!(create(UR_MEM_FLAG_READ_WRITE, 8, 0), (0, "MemFlags(ACCESS_RW) 8 0".into()));
    assert_eq!(create(copied, 8, 64), (0, "MemFlags(HOST_PTR_COPY) 8 64".into()));
    let refused = |code| (code, String::new());
    assert_eq!(create(0, 0, 0), refused(UR_RESULT_ERROR_INVALID_BUFFER_SIZE));
    assert_eq!(create(copied, 8, 0), refused(UR_RESULT_ERROR_INVALID_HOST_PTR));
    assert_eq!(create(0x8000_0000, 8, 0), refused(UR_RESULT_ERROR_INVALID_ENUMERATION));
}

#[test]
fn a_part_of_a_buffer_is_a_region() {
    let of = handles(NEWEST);
    let region =
        ur_buffer_region_t { stype: UR_STRUCTURE_TYPE_BUFFER_REGION, pNext: null(), origin: 0, size: 4 };
    let mut part = null_mut();
    // SAFETY: a live handle, a structure of its type, and room for the buffer.
    let result = unsafe { urMemBufferPartition::<Fake>(of.mem, 0, 99, &region, &mut part) };
    assert_eq!(result, UR_RESULT_ERROR_INVALID_ENUMERATION);
}

#[test]
fn code_is_not_empty() {
    let of = handles(NEWEST);
    let create = |bytes: &[u8]| {
        let mut program = null_mut();
        noted();
        // SAFETY: a live handle, code of that length, and room for the program.
        let result = unsafe {
            urProgramCreateWithIL::<Fake>(
                of.context,
                bytes.as_ptr().cast(),
                bytes.len(),
                null(),
                &mut program,
            )
        };
        (result, noted().concat())
    };
    assert_eq!(create(&[1, 2]), (0, "[1, 2]".into()));
    assert_eq!(create(&[]), (UR_RESULT_ERROR_INVALID_SIZE, String::new()));
}

/// Creates a program of binaries for one device after another, with a property that is a number and one that has bytes.
fn of_binaries(of: Handles, binaries: &[&[u8]]) -> (ur_result_t, String) {
    let mut devices = vec![of.device; binaries.len()];
    let mut lengths: Vec<usize> = binaries.iter().map(|binary| binary.len()).collect();
    let mut starts: Vec<*const u8> = binaries.iter().map(|binary| binary.as_ptr()).collect();
    let bytes = [5_u8, 6];
    let property = |name: &'static std::ffi::CStr, type_, size, value| ur_program_metadata_t {
        pName: name.as_ptr(),
        type_,
        size,
        value,
    };
    let number = ur_program_metadata_value_t { data32: 7 };
    let data = ur_program_metadata_value_t { pData: bytes.as_ptr().cast_mut().cast() };
    let metadata = [
        property(c"number", UR_PROGRAM_METADATA_TYPE_UINT32, 4, number),
        property(c"bytes", UR_PROGRAM_METADATA_TYPE_BYTE_ARRAY, 2, data),
    ];
    let properties = ur_program_properties_t {
        stype: UR_STRUCTURE_TYPE_PROGRAM_PROPERTIES,
        pNext: null_mut(),
        count: 2,
        pMetadatas: metadata.as_ptr(),
    };
    let mut program = null_mut();
    noted();
    // SAFETY: live handles, lists of that length, and room for the program.
    let result = unsafe {
        urProgramCreateWithBinary::<Fake>(
            of.context,
            binaries.len() as u32,
            devices.as_mut_ptr(),
            lengths.as_mut_ptr(),
            starts.as_mut_ptr(),
            &properties,
            &mut program,
        )
    };
    (result, noted().concat())
}

#[test]
fn each_device_has_its_binary_and_the_program_its_properties() {
    let of = handles(NEWEST);
    let metadata = r#"[("number", []), ("bytes", [5, 6])]"#;
    let wanted = format!("2 devices [[1], [2, 3]] {metadata}");
    assert_eq!(of_binaries(of, &[&[1], &[2, 3]]), (UR_RESULT_SUCCESS, wanted));
    let refused = (UR_RESULT_ERROR_INVALID_SIZE, String::new());
    assert_eq!(of_binaries(of, &[&[1], &[]]), refused);
    assert_eq!(of_binaries(of, &[]), refused);
}

#[test]
fn an_image_is_chosen_by_the_targets_in_their_order() {
    let of = handles(NEWEST);
    let binary = |target: &'static std::ffi::CStr| ur_device_binary_t {
        stype: UR_STRUCTURE_TYPE_DEVICE_BINARY,
        pNext: null_mut(),
        pDeviceTargetSpec: target.as_ptr(),
    };
    let binaries = [binary(c"spir64"), binary(c"nvptx64")];
    let mut chosen = 99;
    noted();
    // SAFETY: a live handle, a list of that length, and room for the number.
    let results = unsafe {
        [2, 0].map(|count| urDeviceSelectBinary::<Fake>(of.device, binaries.as_ptr(), count, &mut chosen))
    };
    assert_eq!(results, [UR_RESULT_SUCCESS, UR_RESULT_ERROR_INVALID_SIZE]);
    assert_eq!((chosen, noted()), (1, vec![r#"["spir64", "nvptx64"]"#.to_owned()]));
}

/// A device that the loader has a handle of keeps it, and the backend's new reference goes.
#[test]
fn a_native_device_is_the_one_that_is_known_or_a_new_one() {
    let of = handles(NEWEST);
    let (mut devices, before) = ([null_mut(); 2], device_references());
    let listed =
        // SAFETY: a live handle and room for two devices.
        unsafe { urDeviceGet::<Fake>(of.platform, UR_DEVICE_TYPE_ALL, 2, devices.as_mut_ptr(), null_mut()) };
    assert_eq!(listed, UR_RESULT_SUCCESS);
    let adapter = of_adapter(of);
    let create = |native| {
        let mut device = null_mut();
        // SAFETY: a live handle and room for the device.
        let result = unsafe { urDeviceCreateWithNativeHandle::<Fake>(native, adapter, null(), &mut device) };
        (result, device)
    };
    assert_eq!(create(2), (UR_RESULT_SUCCESS, devices[1]));
    assert_eq!(device_references(), before);
    let (result, other) = create(3);
    assert!(result == UR_RESULT_SUCCESS && !other.is_null() && !devices.contains(&other));
}

/// Returns the adapter of a loader, by its platform.
pub(crate) fn of_adapter(of: Handles) -> ur_adapter_handle_t {
    let mut adapter: ur_adapter_handle_t = null_mut();
    let (name, room) = (UR_PLATFORM_INFO_ADAPTER, (&raw mut adapter).cast());
    // SAFETY: a live handle and room for the answer.
    let result = unsafe { urPlatformGetInfo::<Fake>(of.platform, name, 8, room, null_mut()) };
    assert_eq!(result, UR_RESULT_SUCCESS);
    adapter
}
