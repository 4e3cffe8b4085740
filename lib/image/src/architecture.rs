//! Numbers device architectures (`sycl_ext_oneapi_device_architecture`) among the aspects.
//!
//! "Behavior for optional kernel features" gives each target device an aspect, which the property `fixed_target` lists.
//! No compiler assigns numbers to these aspects, so the numbers here are derived from the extension's own. An Intel GPU
//! is identified by its GMDID, which drivers report as the device's IP version: 10 bits for the major number, 8 for the
//! minor, 6 for a revision, and 8 more in between. Every other architecture has its family in the bits above: 1 for
//! NVIDIA, 3 for processors. No aspect has a number that large.

use std::borrow::Cow;

/// Bits that no GMDID sets.
const INTEL_VENDOR: u64 = 0x8086;
const NVIDIA_VENDOR: u64 = 0x10de;
const FAMILY: u32 = 0xf000_0000;
const NVIDIA: u32 = 0xf100_0000;
const PROCESSOR: u32 = 0xf300_0000;
/// The first GMDID, Broadwell's. Smaller numbers are aspects.
const FIRST: u32 = 8 << 22;

/// Any 64-bit processor.
pub const X86_64: u32 = PROCESSOR;

/// Architectures with their own names: number, enumerator.
const NAMED: &[(u32, &str)] = &[
    (gmdid(8, 0, 0), "intel_gpu_bdw"),
    (gmdid(9, 0, 9), "intel_gpu_skl"),
    (gmdid(9, 1, 9), "intel_gpu_kbl"),
    (gmdid(9, 2, 9), "intel_gpu_cfl"),
    (gmdid(9, 3, 0), "intel_gpu_apl"),
    (gmdid(9, 4, 0), "intel_gpu_glk"),
    (gmdid(9, 5, 0), "intel_gpu_whl"),
    (gmdid(9, 6, 0), "intel_gpu_aml"),
    (gmdid(9, 7, 0), "intel_gpu_cml"),
    (gmdid(11, 0, 0), "intel_gpu_icllp"),
    (gmdid(11, 2, 0), "intel_gpu_ehl"),
    (gmdid(12, 0, 0), "intel_gpu_tgllp"),
    (gmdid(12, 1, 0), "intel_gpu_rkl"),
    (gmdid(12, 2, 0), "intel_gpu_adl_s"),
    (gmdid(12, 3, 0), "intel_gpu_adl_p"),
    (gmdid(12, 4, 0), "intel_gpu_adl_n"),
    (gmdid(12, 10, 0), "intel_gpu_dg1"),
    (gmdid(12, 55, 8), "intel_gpu_acm_g10"),
    (gmdid(12, 56, 5), "intel_gpu_acm_g11"),
    (gmdid(12, 57, 0), "intel_gpu_acm_g12"),
    (gmdid(12, 60, 7), "intel_gpu_pvc"),
    (gmdid(12, 61, 7), "intel_gpu_pvc_vg"),
    (gmdid(12, 70, 4), "intel_gpu_mtl_u"),
    (gmdid(12, 71, 4), "intel_gpu_mtl_h"),
    (gmdid(12, 74, 4), "intel_gpu_arl_h"),
    (gmdid(20, 1, 4), "intel_gpu_bmg_g21"),
    (gmdid(20, 2, 0), "intel_gpu_bmg_g31"),
    (gmdid(20, 4, 4), "intel_gpu_lnl_m"),
    (gmdid(30, 0, 4), "intel_gpu_ptl_h"),
    (gmdid(30, 1, 1), "intel_gpu_ptl_u"),
    (X86_64, "x86_64"),
    (PROCESSOR | 8, "intel_cpu_spr"),
    (PROCESSOR | 9, "intel_cpu_gnr"),
    (PROCESSOR | 0x10, "intel_cpu_dmr"),
];

/// Alternative names.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("intel_gpu_bxt", "intel_gpu_apl"),
    ("intel_gpu_icl", "intel_gpu_icllp"),
    ("intel_gpu_jsl", "intel_gpu_ehl"),
    ("intel_gpu_tgl", "intel_gpu_tgllp"),
    ("intel_gpu_rpl_s", "intel_gpu_adl_s"),
    ("intel_gpu_dg2_g10", "intel_gpu_acm_g10"),
    ("intel_gpu_dg2_g11", "intel_gpu_acm_g11"),
    ("intel_gpu_dg2_g12", "intel_gpu_acm_g12"),
    ("intel_gpu_mtl_s", "intel_gpu_mtl_u"),
    ("intel_gpu_arl_u", "intel_gpu_mtl_u"),
    ("intel_gpu_arl_s", "intel_gpu_mtl_u"),
];

const fn gmdid(major: u32, minor: u32, revision: u32) -> u32 {
    major << 22 | minor << 14 | revision
}

/// Returns whether a number among the aspects is an architecture.
pub fn is_architecture(number: u32) -> bool {
    number >= FIRST
}

/// Returns the number of an architecture by its enumerator: `intel_gpu_pvc`, `intel_gpu_12_60_7`, `nvidia_gpu_sm_80`,
/// `x86_64`.
pub fn number(name: &str) -> Option<u32> {
    let name = OTHER_NAMES.iter().find(|(other, _)| *other == name).map_or(name, |(_, name)| name);
    let named = NAMED.iter().find(|(_, known)| *known == name).map(|&(number, _)| number);
    named.or_else(|| gmdid_of(name)).or_else(|| {
        // The digits are the version's, and some versions end with a letter: 90a.
        let version = u32::from_str_radix(name.strip_prefix("nvidia_gpu_sm_")?, 16).ok()?;
        (0x10..=0xffff).contains(&version).then_some(NVIDIA | version)
    })
}

/// Parses `intel_gpu_12_60_7`.
fn gmdid_of(name: &str) -> Option<u32> {
    let mut parts = name.strip_prefix("intel_gpu_")?.split('_').map(|part| part.parse::<u32>().ok());
    let (major, minor, revision) = (parts.next()??, parts.next()??, parts.next()??);
    let is_one = (8..0x3c0).contains(&major) && minor < 0x100 && revision < 0x40 && parts.next().is_none();
    is_one.then_some(gmdid(major, minor, revision))
}

/// Returns the enumerator of an architecture.
pub fn name(number: u32) -> Option<Cow<'static, str>> {
    if let Some((_, name)) = NAMED.iter().find(|(known, _)| *known == number) {
        return Some((*name).into());
    }
    match number & FAMILY {
        _ if !is_architecture(number) => None,
        FAMILY if number & 0x0f00_0000 == NVIDIA & 0x0f00_0000 => {
            Some(format!("nvidia_gpu_sm_{:x}", number & 0x00ff_ffff).into())
        }
        FAMILY => None,
        _ => {
            let (major, minor, revision) = (number >> 22, number >> 14 & 0xff, number & 0x3f);
            Some(format!("intel_gpu_{major}_{minor}_{revision}").into())
        }
    }
}

/// Returns the architecture of a GPU, by its vendor's number and its IP version. NVIDIA's IP version is the compute
/// capability as a decimal number: 80.
pub fn of_gpu(vendor: u64, ip_version: u32) -> Option<u32> {
    match vendor {
        INTEL_VENDOR => {
            is_architecture(ip_version).then_some(ip_version).filter(|version| version & FAMILY != FAMILY)
        }
        NVIDIA_VENDOR => number(&format!("nvidia_gpu_sm_{ip_version}")),
        _ => None,
    }
}

/// Returns the architectures of a processor: every 64-bit processor has the generic one, and some of Intel's also
/// report their own number.
pub fn of_processor(ip_version: Option<u32>) -> Vec<u32> {
    let own = ip_version.map(|version| PROCESSOR | version);
    let own = own.filter(|&own| own != X86_64 && NAMED.iter().any(|&(known, _)| known == own));
    if cfg!(target_arch = "x86_64") { std::iter::once(X86_64).chain(own).collect() } else { Vec::new() }
}

/// Returns whether code for this target of a device configuration can run on devices of the architecture. `spir64` code
/// is compiled later, for any device.
pub fn is_of_target(architecture: u32, target: &str) -> bool {
    let family = |family: u32| architecture & 0xff00_0000 == family;
    match target {
        "spir64" => is_architecture(architecture),
        "spir64_gen" => is_architecture(architecture) && architecture & FAMILY != FAMILY,
        "ptx64" => family(NVIDIA),
        "spir64_x86_64" => family(PROCESSOR),
        name if name.starts_with("x86_64_") => architecture == X86_64,
        name => is_architecture(architecture) && number(name) == Some(architecture),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers are from the extension's header in DPC++ 2025.3.3: `0xAABBBBCCCCCCCCDD` with a family AA and an
    /// architecture CCCCCCCC.
    #[test]
    fn numbers_are_those_of_the_extension() {
        for (word, of_extension) in [
            ("intel_gpu_bdw", 0x0000_0002_0000_0000_u64),
            ("intel_gpu_skl", 0x0000_0002_4000_0900),
            ("intel_gpu_kbl", 0x0000_0002_4040_0900),
            ("intel_gpu_apl", 0x0000_0002_40c0_0000),
            ("intel_gpu_icl", 0x0000_0002_c000_0000),
            ("intel_gpu_tgllp", 0x0000_0003_0000_0000),
            ("intel_gpu_12_0_0", 0x0000_0003_0000_0000),
            ("intel_gpu_dg1", 0x0000_0003_0280_0000),
            ("intel_gpu_dg2_g10", 0x0000_0003_0dc0_0800),
            ("intel_gpu_pvc", 0x0000_0003_0f00_0700),
            ("intel_gpu_pvc_vg", 0x0000_0003_0f40_0700),
            ("intel_gpu_arl_s", 0x0000_0003_1180_0400),
            ("intel_gpu_bmg_g21", 0x0000_0005_0040_0400),
            ("intel_gpu_lnl_m", 0x0000_0005_0100_0400),
            ("intel_gpu_ptl_u", 0x0000_0007_8040_0100),
            ("intel_gpu_35_10_0", 0x0000_0008_c280_0000),
            ("nvidia_gpu_sm_50", 0x0100_0000_0000_5000),
            ("nvidia_gpu_sm_90a", 0x0100_0000_0000_90a0),
            ("x86_64", 0x0300_0000_0000_0000),
            ("intel_cpu_spr", 0x0300_0000_0000_0800),
            ("intel_cpu_dmr", 0x0300_0000_0000_1000),
        ] {
            let family = (of_extension >> 56) as u32;
            let mut expected = (of_extension >> 8) as u32;
            if word == "nvidia_gpu_sm_90a" {
                // This one has a digit more than the others, in the last byte.
                expected = 0x90a;
            }
            if family != 0 {
                expected |= (0xf0 | family) << 24;
            }
            assert_eq!(number(word), Some(expected), "{word}");
            assert!(is_architecture(expected));
        }
        for word in [
            "intel_gpu_xyz",
            "intel_gpu_12_0",
            "intel_gpu_12_0_0_0",
            "intel_gpu_12_0_64",
            "intel_gpu_7_0_0",
            "intel_gpu_12_256_0",
            "intel_gpu_960_0_0",
            "nvidia_gpu_sm_",
            "nvidia_gpu_sm_x",
            "nvidia_gpu_sm_5",
            "nvidia_gpu_sm_10000",
            "gpu",
            "99",
            "spir64",
        ] {
            assert_eq!(number(word), None, "{word}");
        }
    }

    #[test]
    fn a_number_has_one_name() {
        let named = |word: &str| number(word).and_then(name).map(Cow::into_owned);
        for (word, expected) in [
            ("intel_gpu_12_60_7", "intel_gpu_pvc"),
            ("intel_gpu_tgl", "intel_gpu_tgllp"),
            ("intel_gpu_12_99_1", "intel_gpu_12_99_1"),
            ("nvidia_gpu_sm_90a", "nvidia_gpu_sm_90a"),
            ("x86_64", "x86_64"),
        ] {
            assert_eq!(named(word).as_deref(), Some(expected));
        }
        for number in [0, 6, 1099, 0x01ff_ffff, 0xf200_0000, 0xf300_0077] {
            assert_eq!(name(number), None, "{number:#x}");
        }
        let mut numbers: Vec<u32> = NAMED.iter().map(|&(number, _)| number).collect();
        numbers.dedup();
        assert!(numbers.len() == NAMED.len() && numbers.is_sorted());
    }

    #[test]
    fn devices_tell_their_architecture() {
        assert_eq!(of_gpu(0x8086, 0x030f_0007), number("intel_gpu_pvc"));
        assert_eq!(of_gpu(0x10de, 80), number("nvidia_gpu_sm_80"));
        assert_eq!(of_gpu(0x10de, 103), number("nvidia_gpu_sm_103"));
        // OpenCL drivers without such a number report their own version, 3.0.0.
        for (vendor, version) in
            [(0x8086, 0x00c0_0000), (0x8086, 0), (0x8086, X86_64), (0x10de, 0), (0x1002, 80)]
        {
            assert_eq!(of_gpu(vendor, version), None, "{vendor:#x} {version:#x}");
        }
        #[cfg(target_arch = "x86_64")]
        {
            assert_eq!(of_processor(Some(8)), [X86_64, number("intel_cpu_spr").unwrap_or(0)]);
            for version in [None, Some(0), Some(0x00c0_0000), Some(7)] {
                assert_eq!(of_processor(version), [X86_64], "{version:?}");
            }
        }
    }

    #[test]
    fn targets_stand_for_architectures() {
        let is = |word: &str, target: &str| is_of_target(number(word).unwrap_or(0), target);
        for (word, targets) in [
            ("intel_gpu_pvc", &["spir64", "spir64_gen", "intel_gpu_pvc", "intel_gpu_12_60_7"][..]),
            ("nvidia_gpu_sm_80", &["spir64", "ptx64", "nvidia_gpu_sm_80"]),
            ("x86_64", &["spir64", "spir64_x86_64", "x86_64", "x86_64_avx512"]),
            ("intel_cpu_spr", &["spir64", "spir64_x86_64", "intel_cpu_spr"]),
            // An aspect, not an architecture.
            ("gpu", &[]),
        ] {
            for target in [
                "spir64",
                "spir64_gen",
                "ptx64",
                "spir64_x86_64",
                "x86_64",
                "x86_64_avx512",
                "intel_gpu_pvc",
                "intel_gpu_12_60_7",
                "intel_gpu_bdw",
                "nvidia_gpu_sm_80",
                "intel_cpu_spr",
                "mine",
            ] {
                assert_eq!(is(word, target), targets.contains(&target), "{word} {target}");
            }
        }
    }
}
