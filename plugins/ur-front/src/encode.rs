//! Encodings, which convert an answer from the neutral encoding, that of OpenCL, to UR's.

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Result};
use sycl_ur_core::*;

use crate::handle::Origin;

/// The bytes of an answer.
pub type Bytes = Vec<u8>;

/// The conversion of a backend's answer.
#[derive(Clone, Copy, Debug)]
pub enum Encode {
    /// The answer already has UR's encoding.
    Same,
    /// The answer is a number, which is mapped to a number of 4 bytes.
    Word(fn(u64) -> u32),
    /// The answer is a number of any size, which is widened to 8 bytes.
    Long,
    /// The answer is a boolean, which is reduced to one byte.
    Truth,
    /// The answer is one object of the backend or a list of them, which are replaced by their handles.
    Handles,
    /// The answer is converted by this function.
    As(fn(&[u8], Origin) -> Result<Bytes>),
}

/// A boolean: 4 bytes become one.
pub const BOOL: Encode = Encode::Truth;
/// A set of flags: 8 bytes become 4.
pub const FLAGS: Encode = Encode::Word(|number| number as u32);
/// A number of any size becomes 4 bytes.
pub const U32: Encode = FLAGS;
/// A number of any size becomes 8 bytes.
pub const U64: Encode = Encode::Long;
/// A size: 8 bytes, regardless of the size of the backend's answer.
pub const SIZE: Encode = U64;

/// Floating-point capabilities: the same bits in another order.
pub const FP_CONFIG: Encode = Encode::Word(|number| {
    const BITS: [(FpConfig, ur_device_fp_capability_flags_t); 8] = [
        (FpConfig::CORRECTLY_ROUNDED_DIVIDE_SQRT, UR_DEVICE_FP_CAPABILITY_FLAG_CORRECTLY_ROUNDED_DIVIDE_SQRT),
        (FpConfig::ROUND_TO_NEAREST, UR_DEVICE_FP_CAPABILITY_FLAG_ROUND_TO_NEAREST),
        (FpConfig::ROUND_TO_ZERO, UR_DEVICE_FP_CAPABILITY_FLAG_ROUND_TO_ZERO),
        (FpConfig::ROUND_TO_INF, UR_DEVICE_FP_CAPABILITY_FLAG_ROUND_TO_INF),
        (FpConfig::INF_NAN, UR_DEVICE_FP_CAPABILITY_FLAG_INF_NAN),
        (FpConfig::DENORM, UR_DEVICE_FP_CAPABILITY_FLAG_DENORM),
        (FpConfig::FMA, UR_DEVICE_FP_CAPABILITY_FLAG_FMA),
        (FpConfig::SOFT_FLOAT, UR_DEVICE_FP_CAPABILITY_FLAG_SOFT_FLOAT),
    ];
    let config = FpConfig::from_bits_retain(number);
    BITS.iter().filter(|(neutral, _)| config.contains(*neutral)).fold(0, |all, (_, bit)| all | bit)
});

/// The type of a device.
pub const DEVICE_TYPE: Encode = Encode::Word(|number| {
    let kind = DeviceType::from_bits_retain(number);
    match kind {
        _ if kind.contains(DeviceType::GPU) => UR_DEVICE_TYPE_GPU,
        _ if kind.contains(DeviceType::CPU) => UR_DEVICE_TYPE_CPU,
        _ if kind.contains(DeviceType::ACC) => UR_DEVICE_TYPE_FPGA,
        _ => UR_DEVICE_TYPE_CUSTOM,
    }
});

/// A list of partition schemes: UR has the same numbers in 4 bytes, without zeros.
pub const PARTITIONS: Encode = Encode::As(|answer, _| {
    let schemes = answer.chunks_exact(8).map(|scheme| number(scheme).unwrap_or(0) as u32);
    Ok(schemes.filter(|scheme| *scheme != 0).flat_map(u32::to_ne_bytes).collect())
});

/// The partition scheme of a sub-device: OpenCL's list of words becomes a list of UR's structures.
pub const PARTITION_TYPE: Encode = Encode::As(|answer, _| {
    let words: Vec<u64> =
        answer.chunks_exact(8).map(|word| number(word).unwrap_or(0)).take_while(|word| *word != 0).collect();
    let Some((scheme, values)) = words.split_first() else { return Ok(Bytes::new()) };
    // `ur_device_partition_property_t` consists of the scheme and its value, 4 bytes each.
    Ok(values.iter().flat_map(|value| [*scheme as u32, *value as u32]).flat_map(u32::to_ne_bytes).collect())
});

/// Build status.
pub const BUILD_STATUS: Encode = Encode::Word(|number| {
    let status = ProgramBuildStatus(number as i32);
    match status {
        ProgramBuildStatus::NONE => UR_PROGRAM_BUILD_STATUS_NONE,
        ProgramBuildStatus::SUCCESS => UR_PROGRAM_BUILD_STATUS_SUCCESS,
        ProgramBuildStatus::IN_PROGRESS => UR_PROGRAM_BUILD_STATUS_IN_PROGRESS,
        _ => UR_PROGRAM_BUILD_STATUS_ERROR,
    }
});

/// Type of a program binary.
pub const BINARY_TYPE: Encode = Encode::Word(|number| match ProgramBinaryType(number as u32) {
    ProgramBinaryType::COMPILED_OBJECT => UR_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
    ProgramBinaryType::LIBRARY => UR_PROGRAM_BINARY_TYPE_LIBRARY,
    ProgramBinaryType::EXECUTABLE => UR_PROGRAM_BINARY_TYPE_EXECUTABLE,
    _ => UR_PROGRAM_BINARY_TYPE_NONE,
});

/// Execution status of a command. A negative number is an error.
pub const EVENT_STATUS: Encode = Encode::Word(|number| {
    let status = number as i32;
    if status < 0 { UR_EVENT_STATUS_ERROR } else { status as u32 }
});

/// Type of a USM allocation.
pub const USM_TYPE: Encode = Encode::Word(|number| match UsmType(number as u32) {
    UsmType::HOST => UR_USM_TYPE_HOST,
    UsmType::DEVICE => UR_USM_TYPE_DEVICE,
    UsmType::SHARED => UR_USM_TYPE_SHARED,
    _ => UR_USM_TYPE_UNKNOWN,
});

/// The driver interface of a platform.
pub fn backend(interface: PlatformBackend) -> ur_backend_t {
    match interface {
        PlatformBackend::LEVEL_ZERO => UR_BACKEND_LEVEL_ZERO,
        PlatformBackend::OPENCL => UR_BACKEND_OPENCL,
        PlatformBackend::CUDA => UR_BACKEND_CUDA,
        PlatformBackend::HIP => UR_BACKEND_HIP,
        PlatformBackend::NATIVE_CPU => UR_BACKEND_NATIVE_CPU,
        _ => UR_BACKEND_UNKNOWN,
    }
}

/// A list of sizes becomes a list of 4-byte numbers.
pub const SIZES_AS_U32: Encode = Encode::As(|answer, _| {
    let sizes = answer.chunks_exact(size_of::<usize>()).map(|size| number(size).unwrap_or(0) as u32);
    Ok(sizes.flat_map(u32::to_ne_bytes).collect())
});

/// Image format: in UR both numbers start at 0.
pub const IMAGE_FORMAT: Encode = Encode::As(|answer, _| {
    let (order, kind) = answer.split_at(answer.len().min(4));
    let order = order_of(ImageChannelOrder(number(order)? as u32))?;
    let kind = (number(kind)? as u32).wrapping_sub(ImageChannelType::SNORM_INT8.0);
    Ok([order, kind].into_iter().flat_map(u32::to_ne_bytes).collect())
});

/// The channel orders of UR's formats, in the order of their numbers.
pub const CHANNEL_ORDERS: [ImageChannelOrder; 15] = [
    ImageChannelOrder::A,
    ImageChannelOrder::R,
    ImageChannelOrder::RG,
    ImageChannelOrder::RA,
    ImageChannelOrder::RGB,
    ImageChannelOrder::RGBA,
    ImageChannelOrder::BGRA,
    ImageChannelOrder::ARGB,
    ImageChannelOrder::ABGR,
    ImageChannelOrder::INTENSITY,
    ImageChannelOrder::LUMINANCE,
    ImageChannelOrder::RX,
    ImageChannelOrder::RGX,
    ImageChannelOrder::RGBX,
    ImageChannelOrder::SRGBA,
];

fn order_of(order: ImageChannelOrder) -> Result<u32> {
    let place = CHANNEL_ORDERS.iter().position(|known| *known == order);
    place
        .map(|place| place as u32)
        .ok_or_else(|| Error::invalid_value(format!("UR has no channel order {order:?}")))
}

/// Addressing mode for coordinates outside of an image.
pub const ADDRESSING_MODE: Encode =
    Encode::Word(|number| (number as u32).wrapping_sub(SamplerAddressingMode::NONE.0));
/// Filter mode.
pub const FILTER_MODE: Encode =
    Encode::Word(|number| (number as u32).wrapping_sub(SamplerFilterMode::NEAREST.0));

// Command types of cl_intel_unified_shared_memory.
const CL_COMMAND_MEMFILL_INTEL: CommandType = CommandType(0x4204);
const CL_COMMAND_MEMCPY_INTEL: CommandType = CommandType(0x4205);
const CL_COMMAND_MIGRATEMEM_INTEL: CommandType = CommandType(0x4206);
const CL_COMMAND_MEMADVISE_INTEL: CommandType = CommandType(0x4207);

/// Type of an event's command.
pub const COMMAND_TYPE: Encode = Encode::Word(|number| match CommandType(number as u32) {
    CommandType::NDRANGE_KERNEL | CommandType::NATIVE_KERNEL => UR_COMMAND_KERNEL_LAUNCH,
    CommandType::MARKER => UR_COMMAND_EVENTS_WAIT,
    CommandType::BARRIER => UR_COMMAND_EVENTS_WAIT_WITH_BARRIER,
    CommandType::MEM_BUFFER_READ => UR_COMMAND_MEM_BUFFER_READ,
    CommandType::MEM_BUFFER_WRITE => UR_COMMAND_MEM_BUFFER_WRITE,
    CommandType::MEM_BUFFER_READ_RECT => UR_COMMAND_MEM_BUFFER_READ_RECT,
    CommandType::MEM_BUFFER_WRITE_RECT => UR_COMMAND_MEM_BUFFER_WRITE_RECT,
    CommandType::MEM_BUFFER_COPY => UR_COMMAND_MEM_BUFFER_COPY,
    CommandType::MEM_BUFFER_COPY_RECT => UR_COMMAND_MEM_BUFFER_COPY_RECT,
    CommandType::MEM_BUFFER_FILL => UR_COMMAND_MEM_BUFFER_FILL,
    CommandType::IMAGE_READ => UR_COMMAND_MEM_IMAGE_READ,
    CommandType::IMAGE_WRITE => UR_COMMAND_MEM_IMAGE_WRITE,
    CommandType::IMAGE_COPY => UR_COMMAND_MEM_IMAGE_COPY,
    CommandType::MEM_BUFFER_MAP => UR_COMMAND_MEM_BUFFER_MAP,
    CommandType::MEM_BUFFER_UNMAP => UR_COMMAND_MEM_UNMAP,
    CommandType::EXT_COMMAND_BUFFER => UR_COMMAND_ENQUEUE_COMMAND_BUFFER_EXP,
    CommandType::DEVICE_GLOBAL_VARIABLE_READ => UR_COMMAND_DEVICE_GLOBAL_VARIABLE_READ,
    CommandType::DEVICE_GLOBAL_VARIABLE_WRITE => UR_COMMAND_DEVICE_GLOBAL_VARIABLE_WRITE,
    CommandType::SVM_MEMFILL | CL_COMMAND_MEMFILL_INTEL => UR_COMMAND_USM_FILL,
    CommandType::SVM_MEMCPY | CL_COMMAND_MEMCPY_INTEL => UR_COMMAND_USM_MEMCPY,
    CommandType::MIGRATE_MEM_OBJECTS | CL_COMMAND_MIGRATEMEM_INTEL => UR_COMMAND_USM_PREFETCH,
    CL_COMMAND_MEMADVISE_INTEL => UR_COMMAND_USM_ADVISE,
    _ => UR_COMMAND_EVENTS_WAIT,
});

/// Returns the value of a number of 1 to 8 bytes.
pub(crate) fn number(bytes: &[u8]) -> Result<u64> {
    let mut word = [0; 8];
    let Some(place) = word.get_mut(..bytes.len()) else {
        return Err(Error::invalid_value(format!("an answer of {} bytes is not a number", bytes.len())));
    };
    place.copy_from_slice(bytes);
    Ok(u64::from_ne_bytes(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The word that stands for a number of the backends.
    fn word(encode: Encode, number: u64) -> Option<u32> {
        if let Encode::Word(to_word) = encode { Some(to_word(number)) } else { None }
    }

    #[test]
    fn a_failure_of_an_event_is_an_error_whatever_its_code() {
        for (status, wanted) in [
            (0_i32, UR_EVENT_STATUS_COMPLETE),
            (1, UR_EVENT_STATUS_RUNNING),
            (2, UR_EVENT_STATUS_SUBMITTED),
            (3, UR_EVENT_STATUS_QUEUED),
            (-1, UR_EVENT_STATUS_ERROR),
            (-9999, UR_EVENT_STATUS_ERROR),
        ] {
            // A backend answers with 32 bits.
            assert_eq!(word(EVENT_STATUS, u64::from(status.cast_unsigned())), Some(wanted));
        }
    }

    #[test]
    fn what_a_program_and_a_device_are_has_the_number_of_the_interface() {
        // CL_PROGRAM_BINARY_TYPE_*.
        let types = [0, 1, 2, 4].map(|number| word(BINARY_TYPE, number));
        let wanted = [
            UR_PROGRAM_BINARY_TYPE_NONE,
            UR_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
            UR_PROGRAM_BINARY_TYPE_LIBRARY,
            UR_PROGRAM_BINARY_TYPE_EXECUTABLE,
        ];
        assert_eq!(types, wanted.map(Some));
        // CL_DEVICE_TYPE_*, alone and with that of a default device.
        let kinds = [2, 4, 8, 16, 3, 5].map(|number| word(DEVICE_TYPE, number));
        let [cpu, gpu] = [UR_DEVICE_TYPE_CPU, UR_DEVICE_TYPE_GPU];
        assert_eq!(kinds, [cpu, gpu, UR_DEVICE_TYPE_FPGA, UR_DEVICE_TYPE_CUSTOM, cpu, gpu].map(Some));
        // CL_BUILD_*.
        let states = [0, -1, -2, -3].map(|number: i32| word(BUILD_STATUS, u64::from(number.cast_unsigned())));
        let wanted = [
            UR_PROGRAM_BUILD_STATUS_SUCCESS,
            UR_PROGRAM_BUILD_STATUS_NONE,
            UR_PROGRAM_BUILD_STATUS_ERROR,
            UR_PROGRAM_BUILD_STATUS_IN_PROGRESS,
        ];
        assert_eq!(states, wanted.map(Some));
    }

    /// The words that stand for words of the backends, which have `SIZE` bytes each.
    fn words<const SIZE: usize>(encode: Encode, words: &[u64]) -> Vec<u32> {
        let answer: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()[..SIZE].to_vec()).collect();
        let Encode::As(convert) = encode else { return Vec::new() };
        let bytes = convert(&answer, Origin { word: 0, layout: Layout::NEWEST }).unwrap_or_default();
        bytes.as_chunks().0.iter().map(|word| u32::from_ne_bytes(*word)).collect()
    }

    /// The numbers are those of `CL_COMMAND_*`.
    #[test]
    fn each_command_of_opencl_is_one_of_the_interface() {
        for (number, wanted) in [
            (0x11f0, UR_COMMAND_KERNEL_LAUNCH),
            (0x11f2, UR_COMMAND_KERNEL_LAUNCH),
            (0x11f3, UR_COMMAND_MEM_BUFFER_READ),
            (0x11f4, UR_COMMAND_MEM_BUFFER_WRITE),
            (0x11f5, UR_COMMAND_MEM_BUFFER_COPY),
            (0x11f6, UR_COMMAND_MEM_IMAGE_READ),
            (0x11f7, UR_COMMAND_MEM_IMAGE_WRITE),
            (0x11f8, UR_COMMAND_MEM_IMAGE_COPY),
            (0x11fb, UR_COMMAND_MEM_BUFFER_MAP),
            (0x11fd, UR_COMMAND_MEM_UNMAP),
            (0x11fe, UR_COMMAND_EVENTS_WAIT),
            (0x1201, UR_COMMAND_MEM_BUFFER_READ_RECT),
            (0x1202, UR_COMMAND_MEM_BUFFER_WRITE_RECT),
            (0x1203, UR_COMMAND_MEM_BUFFER_COPY_RECT),
            (0x1205, UR_COMMAND_EVENTS_WAIT_WITH_BARRIER),
            (0x1206, UR_COMMAND_USM_PREFETCH),
            (0x1207, UR_COMMAND_MEM_BUFFER_FILL),
            (0x120a, UR_COMMAND_USM_MEMCPY),
            (0x120b, UR_COMMAND_USM_FILL),
            (0x4204, UR_COMMAND_USM_FILL),
            (0x4205, UR_COMMAND_USM_MEMCPY),
            (0x4206, UR_COMMAND_USM_PREFETCH),
            (0x4207, UR_COMMAND_USM_ADVISE),
            (0x12a8, UR_COMMAND_ENQUEUE_COMMAND_BUFFER_EXP),
            (0x418e, UR_COMMAND_DEVICE_GLOBAL_VARIABLE_READ),
            (0x418f, UR_COMMAND_DEVICE_GLOBAL_VARIABLE_WRITE),
        ] {
            assert_eq!(word(COMMAND_TYPE, number), Some(wanted), "{number:#x}");
        }
    }

    #[test]
    fn each_property_of_floating_point_numbers_has_the_bit_of_the_interface() {
        // CL_FP_*, from the lowest bit on.
        for (bit, wanted) in [
            UR_DEVICE_FP_CAPABILITY_FLAG_DENORM,
            UR_DEVICE_FP_CAPABILITY_FLAG_INF_NAN,
            UR_DEVICE_FP_CAPABILITY_FLAG_ROUND_TO_NEAREST,
            UR_DEVICE_FP_CAPABILITY_FLAG_ROUND_TO_ZERO,
            UR_DEVICE_FP_CAPABILITY_FLAG_ROUND_TO_INF,
            UR_DEVICE_FP_CAPABILITY_FLAG_FMA,
            UR_DEVICE_FP_CAPABILITY_FLAG_SOFT_FLOAT,
            UR_DEVICE_FP_CAPABILITY_FLAG_CORRECTLY_ROUNDED_DIVIDE_SQRT,
        ]
        .into_iter()
        .enumerate()
        {
            assert_eq!(word(FP_CONFIG, 1 << bit), Some(wanted), "{bit}");
        }
        assert_eq!(word(FP_CONFIG, 0xff).map(u32::count_ones), Some(8));
    }

    #[test]
    fn memory_images_and_samplers_have_the_numbers_of_the_interface() {
        // CL_MEM_TYPE_*_INTEL.
        let kinds = [0x4196, 0x4197, 0x4198, 0x4199].map(|number| word(USM_TYPE, number));
        let wanted = [UR_USM_TYPE_UNKNOWN, UR_USM_TYPE_HOST, UR_USM_TYPE_DEVICE, UR_USM_TYPE_SHARED];
        assert_eq!(kinds, wanted.map(Some));
        // CL_RGBA and CL_UNSIGNED_INT8, CL_R and CL_FLOAT.
        let [color, number] =
            [[0x10b5, 0x10da], [0x10b0, 0x10de]].map(|format| words::<4>(IMAGE_FORMAT, &format));
        assert_eq!(color, [UR_IMAGE_CHANNEL_ORDER_RGBA, UR_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8]);
        assert_eq!(number, [UR_IMAGE_CHANNEL_ORDER_R, UR_IMAGE_CHANNEL_TYPE_FLOAT]);
        // CL_ADDRESS_* and CL_FILTER_*.
        let modes = [0x1130, 0x1132, 0x1134].map(|number| word(ADDRESSING_MODE, number));
        let [none, clamp, mirrored] = [
            UR_SAMPLER_ADDRESSING_MODE_NONE,
            UR_SAMPLER_ADDRESSING_MODE_CLAMP,
            UR_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT,
        ];
        assert_eq!(modes, [none, clamp, mirrored].map(Some));
        assert_eq!(word(FILTER_MODE, 0x1141), Some(UR_SAMPLER_FILTER_MODE_LINEAR));
    }

    #[test]
    fn a_part_of_a_device_has_its_scheme_with_each_of_its_values() {
        // CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS and its end, and no scheme.
        assert_eq!(words::<8>(PARTITION_TYPE, &[0x1086, 4, 0]), [0x1086, 4]);
        assert_eq!(words::<8>(PARTITION_TYPE, &[0x1087, 2, 3, 0, 0]), [0x1087, 2, 0x1087, 3]);
        assert!(words::<8>(PARTITION_TYPE, &[0]).is_empty());
        assert_eq!(words::<8>(PARTITIONS, &[0x1086, 0, 0x1088]), [0x1086, 0x1088]);
    }
}
