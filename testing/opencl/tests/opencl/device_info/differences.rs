//! The allowed differences between our plugin and the vendor's, with their reasons. Everything else must be the same.

use testing_opencl::*;

use super::compare::{Answer, Kind};

/// The verdict on a pair of answers.
pub(super) enum Verdict {
    Same,
    Declared(&'static str),
    Wrong,
}

/// A declared difference.
struct Difference {
    /// The first version of the vendor's plugin with the difference.
    since: Version,
    /// The last version with the difference.
    until: Version,
    /// Whether the difference applies to this number, with our answer and theirs.
    applies: fn(u32, &[u8], &[u8]) -> bool,
    reason: &'static str,
}

const DECLARED: &[Difference] = &[
    Difference {
        since: Version::V9_11,
        until: Version::V15_47,
        applies: |number, ours, theirs| {
            number == PI_DEVICE_INFO_PLATFORM && ours.len() == 8 && theirs.len() == 8
        },
        reason: "an address, another one in each process",
    },
    Difference {
        since: Version::V14_39,
        until: Version::V15_47,
        applies: |_, ours, theirs| {
            theirs.len() == 1 && ours.len() == 4 && ours[0] == theirs[0] && ours[1..] == [0, 0, 0]
        },
        reason: "PI says pi_bool, 4 bytes; the vendor's plugin writes a C++ bool, 1 byte. The truth is the same",
    },
    Difference {
        since: Version::V14_39,
        until: Version::V15_47,
        applies: |number, ours, theirs| {
            !FP_CONFIGS.contains(&number)
                && ours.len() == 8
                && theirs.len() == 8
                && theirs[4..] == [0xaa; 4]
                && ours[..4] == theirs[..4]
        },
        reason: "a bit field of 8 bytes, of which the vendor's plugin writes 4 and leaves the caller's other 4 as they \
                 were. The bits are the same",
    },
    Difference {
        since: Version::V14_39,
        until: Version::V15_47,
        applies: |_, ours, theirs| {
            theirs.len() == 4 && ours.len() == 8 && ours[..4] == *theirs && ours[4..] == [0; 4]
        },
        reason: "PI says 8 bytes (pi_bitfield, or a handle); the vendor's plugin answers Unified Runtime's 4. The value \
                 is the same",
    },
    Difference {
        since: Version::V12_27,
        until: Version::V14_37,
        applies: |number, ours, theirs| {
            number == PI_DEVICE_INFO_BACKEND_VERSION && theirs == [0] && ours.ends_with(&[0])
        },
        reason: "an empty text until 14.37; from 14.39 on both answer the version of OpenCL",
    },
    Difference {
        since: Version::V9_11,
        until: Version::V14_37,
        applies: |number, ours, theirs| {
            number == PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D && theirs.is_empty() && ours.len() == 24
        },
        reason: "three size_t; until 14.37 the vendor's plugin reports success to the size query and writes no size",
    },
    Difference {
        since: Version::V14_39,
        until: Version::V15_47,
        applies: |number, ours, theirs| {
            FP_CONFIGS.contains(&number)
                && ours.len() == 8
                && theirs.len() == 8
                && theirs[4..] == [0xaa; 4]
                && from_ur(low(theirs)) == low(ours)
        },
        reason: "floating-point abilities in Unified Runtime's bit numbers (and 4 of 8 bytes written); pi.h numbers \
                 them as OpenCL does (PI_FP_*). The abilities are the same",
    },
    Difference {
        since: Version::V9_11,
        until: Version::V14_37,
        applies: |number, ours, theirs| {
            number == PI_DEVICE_INFO_PARTITION_PROPERTIES && without_names(theirs) == ours
        },
        reason: "the vendor's plugin passes OpenCL's BY_NAMES scheme (0x4052) on, which PI has no number for",
    },
];

const FP_CONFIGS: [u32; 3] =
    [PI_DEVICE_INFO_SINGLE_FP_CONFIG, PI_DEVICE_INFO_DOUBLE_FP_CONFIG, PI_DEVICE_INFO_HALF_FP_CONFIG];

fn low(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// Unified Runtime: CORRECTLY_ROUNDED_DIVIDE_SQRT 0, ROUND_TO_NEAREST 1, ROUND_TO_ZERO 2, ROUND_TO_INF 3, INF_NAN 4,
/// DENORM 5, FMA 6, SOFT_FLOAT 7. OpenCL: DENORM 0, INF_NAN 1, ROUND_TO_NEAREST 2, ROUND_TO_ZERO 3, ROUND_TO_INF 4,
/// FMA 5, SOFT_FLOAT 6, CORRECTLY_ROUNDED_DIVIDE_SQRT 7.
fn from_ur(bits: u32) -> u32 {
    const OPENCL_BIT: [u32; 8] = [7, 2, 3, 4, 1, 0, 5, 6];
    (0..8).filter(|ur| bits & 1 << ur != 0).map(|ur| 1 << OPENCL_BIT[ur]).sum()
}

fn without_names(list: &[u8]) -> Vec<u8> {
    const BY_NAMES: [u8; 8] = 0x4052_u64.to_le_bytes();
    let words = list.chunks_exact(8);
    let count = words.len();
    let mut kept: Vec<u8> = words.filter(|word| **word != BY_NAMES).flatten().copied().collect();
    kept.resize(8 * count, 0);
    kept
}

pub(super) fn judge(version: Version, _: Kind, number: u32, ours: &Answer, theirs: &Answer) -> Verdict {
    match (ours, theirs) {
        (Answer::Value(ours), Answer::Value(theirs)) if ours == theirs => Verdict::Same,
        (Answer::Value(ours), Answer::Value(theirs)) => {
            let declared = DECLARED.iter().find(|entry| {
                (entry.since..=entry.until).contains(&version) && (entry.applies)(number, ours, theirs)
            });
            declared.map_or(Verdict::Wrong, |entry| Verdict::Declared(entry.reason))
        }
        (Answer::Refused(_), Answer::Refused(_)) => Verdict::Same,
        (Answer::Value(_), Answer::Refused(_)) => {
            Verdict::Declared("the vendor's plugin has no answer at this version; ours has")
        }
        (Answer::Value(_) | Answer::Refused(_), Answer::Crash) => {
            Verdict::Declared("the vendor's plugin ends the process on this question")
        }
        (Answer::Refused(_), Answer::Value(_)) | (Answer::Crash, _) => Verdict::Wrong,
    }
}
