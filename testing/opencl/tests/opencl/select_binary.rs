//! Tests of the choice among device binaries.

use std::ffi::CStr;

use testing_opencl::fake::{FakeDriver, device_type, query};
use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "select_binary",
        [
            nothing_loadable_is_invalid_binary_and_the_index_stays,
            each_kind_of_device_takes_its_own_images_before_spirv,
            the_last_of_images_of_spirv_is_taken_without_asking_the_device,
        ]
    );
}

fn image(target: &CStr) -> pi_device_binary_struct {
    // All pointers but the target are null, so nothing else may be read. SAFETY: numbers and pointers, for which all
    // bits zero is valid.
    let mut image: pi_device_binary_struct = unsafe { std::mem::zeroed() };
    image.Version = 1;
    image.Kind = 4;
    image.DeviceTargetSpec = target.as_ptr();
    image
}

fn choose(device: pi_device, targets: &[&CStr]) -> Result<u32, CallError> {
    let pi = under_test(Version::NEWEST);
    let mut images: Vec<_> = targets.iter().map(|target| image(target)).collect();
    let mut list: Vec<pi_device_binary> = images.iter_mut().map(std::ptr::from_mut).collect();
    let mut index = u32::MAX;
    let result = call!(pi, piextDeviceSelectBinary(device, list.as_mut_ptr(), list.len() as u32, &mut index));
    if result.is_err() {
        assert_eq!(index, u32::MAX, "a refusal left an index");
    }
    result.map(|()| index)
}

fn nothing_loadable_is_invalid_binary_and_the_index_stays() {
    let f = Fixture::new();
    for targets in [&[c"nvptx64", c"amdgcn"][..], &[c""], &[c"spir64_fpga"], &[c"\xff\xfe"], &[c"spir"]] {
        let text = calls::expect_refusal(choose(f.device, targets).map(|_| ()), &[PI_ERROR_INVALID_BINARY]);
        assert!(text.contains("spir64"), "says what would do: {text}");
    }
}

/// The targets are those that DPC++ compiles for ahead of time. Runtimes take the last of several images of SPIR-V.
fn each_kind_of_device_takes_its_own_images_before_spirv() {
    use device_type::*;
    let targets = [c"spir64", c"spir64_x86_64", c"spir64_gen", c"spir64_fpga", c"spir64_x86_64", c"spir64"];
    for (kind, index) in [(CPU, 1), (GPU, 2), (ACCELERATOR, 3), (CUSTOM, 5)] {
        // One device of each platform is also the default.
        for kind in [kind, kind | DEFAULT] {
            let driver = FakeDriver::unknown();
            let device = driver.device.tell(query::DEVICE_TYPE, kind).handle();
            assert_eq!(choose(device, &targets).unwrap(), index, "device type {kind}");
            assert_eq!(choose(device, &[c"nvptx64", c"spir64", c"spir64"]).unwrap(), 2);
        }
    }
}

/// Runtimes ask for each image and device.
fn the_last_of_images_of_spirv_is_taken_without_asking_the_device() {
    let device = FakeDriver::unknown().device.another().handle();
    assert_eq!(choose(device, &[c"spir64"]).unwrap(), 0);
    assert_eq!(choose(device, &[c"spir64"; 3]).unwrap(), 2);
    assert!(choose(device, &[c"spir64", c"spir64_gen"]).is_err(), "it has no type");
}
