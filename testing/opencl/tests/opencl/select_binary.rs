//! The choice among device binaries.

use std::ffi::CStr;
use std::ptr::null;

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "select_binary",
        [
            the_first_image_for_this_kind_of_device_wins,
            without_one_the_last_spirv_image_is_taken,
            nothing_loadable_is_invalid_binary_and_the_index_stays,
            an_empty_list_is_refused,
            null_arguments_are_refused,
        ]
    );
}

fn image(target: &CStr) -> pi_device_binary_struct {
    // All pointers null but the target: nothing else may be looked at.
    // SAFETY: numbers and pointers, for which all bits zero is a value.
    let mut image: pi_device_binary_struct = unsafe { std::mem::zeroed() };
    image.Version = 1;
    image.Kind = 4;
    image.DeviceTargetSpec = target.as_ptr();
    image
}

fn choose(f: &Fixture, targets: &[&CStr]) -> Result<u32, CallError> {
    let mut images: Vec<_> = targets.iter().map(|target| image(target)).collect();
    let mut list: Vec<pi_device_binary> = images.iter_mut().map(std::ptr::from_mut).collect();
    let mut index = u32::MAX;
    let result =
        call!(f.pi, piextDeviceSelectBinary(f.device, list.as_mut_ptr(), list.len() as u32, &mut index));
    if result.is_err() {
        assert_eq!(index, u32::MAX, "a refusal left an index");
    }
    result.map(|()| index)
}

fn the_first_image_for_this_kind_of_device_wins() {
    let f = Fixture::new();
    let kind = get!(f.pi, piDeviceGetInfo(f.device, PI_DEVICE_INFO_TYPE) as pi_device_type);
    let (own, other) = if kind & PI_DEVICE_TYPE_CPU != 0 {
        (c"spir64_x86_64", c"spir64_gen")
    } else {
        (c"spir64_gen", c"spir64_x86_64")
    };
    assert_eq!(choose(&f, &[c"spir64", other, own, own, c"spir64"]), Ok(2));
    assert_eq!(choose(&f, &[own]), Ok(0));
}

fn without_one_the_last_spirv_image_is_taken() {
    let f = Fixture::new();
    assert_eq!(choose(&f, &[c"nvptx64", c"spir64", c"amdgcn", c"spir64", c"native_cpu"]), Ok(3));
    assert_eq!(choose(&f, &[c"spir64"]), Ok(0));
}

fn nothing_loadable_is_invalid_binary_and_the_index_stays() {
    let f = Fixture::new();
    for targets in [&[c"nvptx64", c"amdgcn"][..], &[c""], &[c"spir64_fpga"], &[c"\xff\xfe"], &[c"spir"]] {
        let text = calls::expect_refusal(choose(&f, targets).map(|_| ()), &[PI_ERROR_INVALID_BINARY]);
        assert!(text.contains("spir64"), "says what would do: {text}");
    }
}

fn an_empty_list_is_refused() {
    let f = Fixture::new();
    calls::expect_refusal(
        choose(&f, &[]).map(|_| ()),
        &[PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_BUFFER_SIZE],
    );
}

fn null_arguments_are_refused() {
    let f = Fixture::new();
    let mut only = image(c"spir64");
    let mut list = [std::ptr::from_mut(&mut only)];
    let mut index = 0;
    let none = std::ptr::null_mut();
    refused!(f.pi, piextDeviceSelectBinary(f.device, none, 1, &mut index), PI_ERROR_INVALID_VALUE);
    let null_index = std::ptr::null_mut();
    refused!(
        f.pi,
        piextDeviceSelectBinary(f.device, list.as_mut_ptr(), 1, null_index),
        PI_ERROR_INVALID_VALUE
    );
    // SAFETY: `only`, which nothing else uses meanwhile.
    unsafe { (*list[0]).DeviceTargetSpec = null() };
    refused!(
        f.pi,
        piextDeviceSelectBinary(f.device, list.as_mut_ptr(), 1, &mut index),
        PI_ERROR_INVALID_VALUE
    );
    list[0] = std::ptr::null_mut();
    refused!(
        f.pi,
        piextDeviceSelectBinary(f.device, list.as_mut_ptr(), 1, &mut index),
        PI_ERROR_INVALID_VALUE
    );
}
