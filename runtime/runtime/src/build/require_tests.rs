//! Tests the checks with fake devices.
#![expect(unsafe_code, reason = "tests with device images of C")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use sycl_pi_image::property::WorkGroupSize;

use super::*;

struct Made {
    aspects: Vec<u32>,
    sub_groups: Vec<u64>,
    most: u64,
    sizes: Vec<usize>,
}

impl Abilities for Made {
    fn has(&self, aspect: u32) -> bool {
        self.aspects.contains(&aspect)
    }
    fn sub_group_sizes(&self) -> &[u64] {
        &self.sub_groups
    }
    fn max_work_group_size(&self) -> Option<u64> {
        Some(self.most)
    }
    fn max_work_item_sizes(&self) -> &[usize] {
        &self.sizes
    }
    fn matrices(&self) -> &[Combination] {
        &[]
    }
}

fn device() -> Made {
    Made { aspects: vec![1, aspect::FP64], sub_groups: vec![8, 16], most: 256, sizes: vec![256, 128, 64] }
}

fn text(needs: &Requirements) -> String {
    check_requirements(needs, false, &device()).unwrap_err()
}

fn sized(dimensions: &[u64], spelling: WorkGroupSpelling) -> Requirements {
    Requirements {
        work_group_sizes: Some(vec![WorkGroupSize { dimensions: dimensions.to_vec() }]),
        work_group_spelling: spelling,
        ..Requirements::default()
    }
}

#[test]
fn the_designs_words() {
    let needs = Requirements { aspects: Some(vec![aspect::FP16]), ..Requirements::default() };
    assert_eq!(
        text(&needs),
        "Kernel uses optional feature corresponding to 'aspect::fp16' but device does not support this aspect."
    );
    let needs = Requirements { sub_group_sizes: Some(vec![32]), ..Requirements::default() };
    assert_eq!(
        text(&needs),
        "Kernel has a required sub-group size of '32' but device does not support this sub-group size."
    );
    let needs = Requirements { fixed_targets: Some(vec![2]), ..Requirements::default() };
    assert_eq!(
        text(&needs),
        "Kernel was compiled with '-fsycl-fixed-targets=gpu' but was submitted to a different device."
    );
}

#[test]
fn what_the_device_has_passes() {
    let needs = Requirements {
        aspects: Some(vec![1, aspect::FP64]),
        fixed_targets: Some(vec![2, 1]),
        sub_group_sizes: Some(vec![16]),
        ..sized(&[4, 64, 1], WorkGroupSpelling::Uint64)
    };
    assert_eq!(check_requirements(&needs, false, &device()), Ok(()));
}

/// A GPU of another vendor is a GPU, but does not run such code.
#[test]
fn explicit_simd_code_needs_its_aspect_whatever_the_device() {
    let mut device = device();
    let none = Requirements::default();
    device.aspects.push(2);
    let refusal = check_requirements(&none, true, &device).unwrap_err();
    assert!(refusal.contains("'aspect::ext_intel_esimd'"), "{refusal}");
    device.aspects.push(aspect::EXT_INTEL_ESIMD);
    assert_eq!(check_requirements(&none, true, &device), Ok(()));
    // Such code states a sub-group size of 1, which no device has. Other code is refused for it.
    let alone = Requirements { sub_group_sizes: Some(vec![1]), ..Requirements::default() };
    assert_eq!(check_requirements(&alone, true, &device), Ok(()));
    assert!(check_requirements(&alone, false, &device).is_err());
}

#[test]
fn an_aspect_without_a_name_is_told_by_its_number() {
    let needs = Requirements { aspects: Some(vec![999]), ..Requirements::default() };
    assert_eq!(
        text(&needs),
        "Kernel uses optional feature corresponding to aspect 999 but device does not support this aspect."
    );
}

#[test]
fn work_groups_overflow_and_are_compared_in_the_drivers_order() {
    let needs = sized(&[1 << 32, 1 << 32, 2], WorkGroupSpelling::Uint64);
    assert!(text(&needs).contains("does not fit size_t"));
    assert!(
        text(&sized(&[257, 1, 1], WorkGroupSpelling::Uint64))
            .contains("it has 257 work-items, the device takes 256")
    );
    // The third stored dimension is the slowest, with a limit of 64.
    assert!(text(&sized(&[1, 1, 65], WorkGroupSpelling::Uint64)).contains("one dimension is 65"));
    for largest in [[1, 1, 64], [2, 128, 1]] {
        let needs = sized(&largest, WorkGroupSpelling::Uint64);
        assert_eq!(check_requirements(&needs, false, &device()), Ok(()));
    }
    assert_eq!(check_requirements(&sized(&[65, 1, 1], WorkGroupSpelling::Uint32), false, &device()), Ok(()));
    // The design stores the slowest dimension first.
    assert_eq!(check_requirements(&sized(&[1, 1, 65], WorkGroupSpelling::Counted), false, &device()), Ok(()));
    assert!(text(&sized(&[65, 1, 1], WorkGroupSpelling::Counted)).contains("one dimension is 65"));
}

#[test]
fn k1_and_k2_of_which_one_uses_an_aspect() {
    let image = |name: &str, aspects: Vec<u32>| {
        let bytes: Vec<u8> = aspects.iter().flat_map(|aspect| aspect.to_le_bytes()).collect();
        let mut set = sycl_pi_image::PropertySet::new("SYCL/device requirements");
        set.properties
            .push(sycl_pi_image::Property::new("aspects", sycl_pi_image::Value::byte_array(&bytes)));
        let mut parts = sycl_pi_image::ImageParts::new(name.to_owned(), "spir64", vec![3, 2, 0x23, 7]);
        parts.entries.push(name.to_owned().into());
        parts.property_sets.push(set);
        parts
    };
    let registry = crate::Registry::new();
    // SAFETY: the image is never built.
    unsafe { registry.add(image("K1", vec![aspect::FP16])) }.unwrap();
    // SAFETY: the image is never built.
    unsafe { registry.add(image("K2", vec![])) }.unwrap();
    let of = |name| registry.images_with_kernel(name).remove(0);
    assert!(check(&of("K1"), &device()).unwrap_err().to_string().contains("aspect::fp16"));
    assert!(check(&of("K2"), &device()).is_ok());
}
