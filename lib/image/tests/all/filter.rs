//! Tests the aspect filter: the design's configuration, its three checks, and 10,000 rows.

use sycl_pi_image::Properties;
use sycl_pi_image::filter::{DEFAULT_CONFIG, DeviceConfig, Unfit, check};
use sycl_pi_image::property::Requirements;

use crate::common;

/// The file that the design document shows.
const DESIGN: &str = "intel_gpu_12_0_0:
  aspects: [1, 2, 3]
  may_support_other_aspects: false
  sub-group-sizes: [8, 16]
intel_gpu_icl:
  aspects: [2, 3]
  may_support_other_aspects: false
  sub-group-sizes: [8, 16]
x86_64_avx512:
  aspects: [1, 2, 3, 9, 11]
  may_support_other_aspects: false
  sub-group-sizes: [8, 32]
";

#[test]
fn the_designs_file() {
    let config = DeviceConfig::read("design.yaml", DESIGN).unwrap();
    let names: Vec<&str> = config.devices.keys().map(String::as_str).collect();
    assert_eq!(names, ["intel_gpu_12_0_0", "intel_gpu_icl", "x86_64_avx512"]);
    let avx512 = &config.devices["x86_64_avx512"];
    let needs = |aspects: &[u32], sizes: &[u32], fixed: Option<&[u32]>| {
        let image = Requirements {
            aspects: Some(aspects.to_vec()),
            sub_group_sizes: Some(sizes.to_vec()),
            fixed_targets: fixed.map(<[u32]>::to_vec),
            ..Requirements::default()
        };
        check(&image, avx512)
    };
    assert_eq!(needs(&[1, 9], &[8, 32], Some(&[4, 11])), Ok(()));
    assert_eq!(needs(&[1, 5], &[], None), Err(Unfit::Aspects(vec![5])));
    assert_eq!(needs(&[], &[8, 16], None), Err(Unfit::SubGroupSize(16)));
    assert_eq!(needs(&[], &[], Some(&[5])), Err(Unfit::FixedTarget(vec![5])));
    assert_eq!(needs(&[], &[], Some(&[])), Err(Unfit::FixedTarget(vec![])));
    assert_eq!(Unfit::Aspects(vec![5, 99]).to_string(), "needs fp16, aspect 99");
}

/// The design writes no other requirement for such an image, because its builder decides where it runs. Earlier
/// versions of `pi image split` also wrote the aspects.
#[test]
fn fixed_targets_are_the_only_requirement() {
    let config = DeviceConfig::read("design.yaml", DESIGN).unwrap();
    let image = |targets: &[u32]| Requirements {
        aspects: Some(vec![5]),
        sub_group_sizes: Some(vec![64]),
        fixed_targets: Some(targets.to_vec()),
        ..Requirements::default()
    };
    let avx512 = &config.devices["x86_64_avx512"];
    assert_eq!(check(&image(&[1]), avx512), Ok(()));
    assert_eq!(check(&image(&[7, 1]), avx512), Ok(()));
    assert_eq!(check(&image(&[7]), avx512), Err(Unfit::FixedTarget(vec![7])));
}

/// "Each target device has a corresponding aspect": here an architecture, which an entry has because of its name.
#[test]
fn images_can_be_fixed_to_architectures() {
    let config = DeviceConfig::read("devices.yaml", DEFAULT_CONFIG).unwrap();
    let fits = |architectures: &[&str], target: &str| {
        let numbers = architectures.iter().map(|name| sycl_pi_image::aspect::number(name).unwrap());
        let image = Requirements { fixed_targets: Some(numbers.collect()), ..Requirements::default() };
        check(&image, &config.devices[target]).map_err(|unfit| unfit.to_string())
    };
    for target in ["intel_gpu_pvc", "spir64", "spir64_gen"] {
        assert_eq!(fits(&["intel_gpu_pvc"], target), Ok(()), "{target}");
    }
    assert_eq!(fits(&["intel_gpu_12_60_7"], "intel_gpu_pvc"), Ok(()));
    assert_eq!(fits(&["intel_gpu_tgllp"], "intel_gpu_12_0_0"), Ok(()));
    assert_eq!(fits(&["intel_gpu_dg2_g10", "x86_64"], "x86_64_avx2"), Ok(()));
    let others = fits(&["intel_gpu_pvc", "nvidia_gpu_sm_80"], "intel_gpu_bdw");
    assert_eq!(others, Err("is only for intel_gpu_pvc, nvidia_gpu_sm_80".into()));
    assert!(fits(&["intel_gpu_pvc"], "ptx64").is_err() && fits(&["nvidia_gpu_sm_80"], "ptx64").is_ok());
}

#[test]
fn names_comments_and_blocks() {
    let text =
        "---\n# mine\n\"my cpu\": # quoted\n  aspects:\n    - cpu\n    - 'fp64'\n  sub-group-sizes: []\n";
    let config = DeviceConfig::read("a.yaml", text).unwrap();
    assert_eq!(config.devices["my cpu"].aspects, [1, 6].into());
    for (text, message) in [
        ("  aspects: [1]\n", "a.yaml:1: a key comes before the first target"),
        ("a:\n  aspects: 1\n", "a.yaml:2: \"1\" is not a list, which is written [1, 2]"),
        ("a:\n  aspects: [fp63]\n", "a.yaml:2: \"fp63\" is neither an aspect nor a number"),
        ("a:\na:\n", "a.yaml:2: target a appears twice"),
        ("a:\n  color: red\n", "a.yaml:2: \"color\" is not a key of a target"),
        ("a:\n\taspects: [1]\n", "a.yaml:2: YAML is indented with spaces, not tabs"),
        ("a:\n  aspects:\nb:\n  - fp64\n", "a.yaml:4: an item is outside a list"),
        ("a: 1\n", "a.yaml:1: \"a: 1\" is not a target, which is written name:"),
    ] {
        assert_eq!(DeviceConfig::read("a.yaml", text).unwrap_err().to_string(), message);
    }
}

/// YAML allows the items of a list to be as far left as its key.
#[test]
fn items_may_start_their_line() {
    let config = DeviceConfig::read("a.yaml", "a:\n  aspects:\n- 1\n- 9\n").unwrap();
    assert_eq!(config.devices["a"].aspects, [1, 9].into());
}

#[test]
fn the_default_file() {
    let config = DeviceConfig::read("devices.yaml", DEFAULT_CONFIG).unwrap();
    for name in ["spir64", "x86_64", "ptx64", "intel_gpu_pvc", "intel_gpu_12_0_0"] {
        assert!(config.devices.contains_key(name), "{name}");
    }
    let fits = |image: &str, target: &str| {
        let decoded = Properties::decode(&common::image(image).parts()).unwrap();
        check(&decoded.requirements, &config.devices[target])
    };
    for image in common::images() {
        assert_eq!(fits(&image.name, "spir64"), Ok(()), "{}", image.name);
    }
    assert_eq!(fits("feat_fp64", "intel_gpu_12_0_0"), Err(Unfit::Aspects(vec![6])));
    assert_eq!(fits("feat_sg.0", "intel_gpu_pvc"), Err(Unfit::SubGroupSize(8)));
    assert_eq!(fits("feat_has.1", "x86_64"), Err(Unfit::Aspects(vec![2])));
}
