//! PI's numbers equal those of the backends' types, so the front passes them on unchanged.

use std::path::Path;

use bitflags::Flags;
use sycl_pi_backend::types::*;

use crate::declared;

/// Returns the name, type and value of every number of PI.
fn integers() -> Vec<(String, String, i128)> {
    let constants = declared::constants(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../pi-core/src")));
    constants
        .into_iter()
        .filter_map(|one| Some((one.number()?, one)))
        .map(|(value, one)| (one.name, one.ty, value))
        .collect()
}

/// Returns the names and numbers of a type.
fn flags<T: Flags<Bits: Into<u64>>>() -> Vec<(&'static str, i128)> {
    T::FLAGS.iter().map(|flag| (flag.name(), i128::from(flag.value().bits().into()))).collect()
}

macro_rules! numbers {
    ($type:ident) => {
        $type::ALL.iter().map(|(name, value)| (*name, value.0 as i128)).collect::<Vec<_>>()
    };
}

/// Returns PI's types with the corresponding numbers of the backends.
fn types() -> Vec<(&'static str, Vec<(&'static str, i128)>)> {
    vec![
        ("pi_result", numbers!(ErrorCode)),
        ("pi_platform_info", numbers!(PlatformInfo)),
        ("pi_platform_backend", numbers!(PlatformBackend)),
        ("pi_device_type", flags::<DeviceType>()),
        ("pi_device_info", numbers!(DeviceInfo)),
        ("pi_device_mem_cache_type", numbers!(DeviceMemCacheType)),
        ("pi_device_local_mem_type", numbers!(DeviceLocalMemType)),
        ("pi_device_fp_config", flags::<FpConfig>()),
        ("pi_device_exec_capabilities", flags::<ExecCapabilities>()),
        ("pi_memory_order_capabilities", flags::<MemoryOrders>()),
        ("pi_memory_scope_capabilities", flags::<MemoryScopes>()),
        ("pi_device_partition_property", numbers!(PartitionProperty)),
        ("pi_device_affinity_domain", flags::<AffinityDomain>()),
        ("pi_usm_capabilities", flags::<UsmCapabilities>()),
        ("pi_peer_attr", numbers!(PeerAttribute)),
        ("pi_context_info", numbers!(ContextInfo)),
        ("pi_queue_info", numbers!(QueueInfo)),
        ("pi_queue_properties", flags::<QueueFlags>()),
        ("pi_mem_type", numbers!(MemType)),
        ("pi_mem_info", numbers!(MemInfo)),
        ("pi_mem_flags", flags::<MemFlags>()),
        ("pi_map_flags", flags::<MapFlags>()),
        ("pi_mem_obj_access", numbers!(MemAccess)),
        ("pi_image_info", numbers!(ImageInfo)),
        ("pi_image_channel_order", numbers!(ImageChannelOrder)),
        ("pi_image_channel_type", numbers!(ImageChannelType)),
        ("pi_image_copy_flags", numbers!(ImageCopyDirection)),
        ("pi_program_info", numbers!(ProgramInfo)),
        ("pi_program_build_info", numbers!(ProgramBuildInfo)),
        ("pi_program_build_status", numbers!(ProgramBuildStatus)),
        ("pi_program_binary_type", numbers!(ProgramBinaryType)),
        ("pi_kernel_info", numbers!(KernelInfo)),
        ("pi_kernel_group_info", numbers!(KernelGroupInfo)),
        ("pi_kernel_sub_group_info", numbers!(KernelSubGroupInfo)),
        ("pi_kernel_exec_info", numbers!(KernelExecInfo)),
        ("pi_kernel_cache_config", numbers!(KernelCacheConfig)),
        ("pi_event_info", numbers!(EventInfo)),
        ("pi_event_status", numbers!(EventStatus)),
        ("pi_command_type", numbers!(CommandType)),
        ("pi_profiling_info", numbers!(ProfilingInfo)),
        ("pi_sampler_info", numbers!(SamplerInfo)),
        ("pi_sampler_addressing_mode", numbers!(SamplerAddressingMode)),
        ("pi_sampler_filter_mode", numbers!(SamplerFilterMode)),
        ("pi_sampler_cubemap_filter_mode", numbers!(SamplerCubemapFilterMode)),
        ("pi_mem_alloc_info", numbers!(UsmAllocInfo)),
        ("pi_usm_type", numbers!(UsmType)),
        ("pi_usm_migration_flags", flags::<UsmMigrationFlags>()),
        ("pi_usm_mem_properties", flags::<UsmAllocFlags>()),
        ("pi_mem_advice", flags::<MemAdvice>()),
    ]
}

/// Constants that the front reads itself, and the one that PI misspells.
const NOT_PASSED_ON: [&str; 5] = [
    "PI_QUEUE_FLAGS",
    "PI_QUEUE_COMPUTE_INDEX",
    "PI_MEM_ALLOC_FLAGS",
    "PI_MEM_USM_ALLOC_BUFFER_LOCATION",
    "PI_MEM_ALLOC_WRTITE_COMBINED",
];

/// Queries that exist in Unified Runtime but not in PI.
const NOT_OF_PI: &[(&str, u32)] = &[
    ("pi_device_info", DeviceInfo::MAX_READ_WRITE_IMAGE_ARGS.0),
    ("pi_device_info", DeviceInfo::NATIVE_COMMAND_SUPPORT.0),
    ("pi_device_info", DeviceInfo::HOST_TASK_SUPPORT.0),
    ("pi_device_info", DeviceInfo::TIMESTAMP_SUPPORT.0),
    ("pi_device_info", DeviceInfo::DEVICE_WAIT_SUPPORT.0),
    ("pi_device_info", DeviceInfo::VIRTUAL_MEMORY_SUPPORT.0),
    ("pi_device_info", DeviceInfo::LAUNCH_UPDATE_SUPPORT.0),
    ("pi_device_info", DeviceInfo::IPC_MEMORY_SUPPORT.0),
    ("pi_device_info", DeviceInfo::HOST_MEMORY_REGISTER_SUPPORT.0),
    ("pi_device_info", DeviceInfo::CLUSTER_LAUNCH_SUPPORT.0),
    ("pi_device_info", DeviceInfo::LAUNCH_LOCAL_MEMORY_SUPPORT.0),
    ("pi_device_info", DeviceInfo::DEVICE_MEMORY_EXPORT_SUPPORT.0),
    ("pi_device_info", DeviceInfo::IPC_PHYSICAL_MEMORY_SUPPORT.0),
    ("pi_device_info", DeviceInfo::IPC_EVENT_SUPPORT.0),
    ("pi_device_info", DeviceInfo::REUSABLE_EVENT_SUPPORT.0),
    ("pi_device_info", DeviceInfo::COOPERATIVE_LAUNCH_SUPPORT.0),
    ("pi_device_info", DeviceInfo::PEER_ACCESS_SUPPORT.0),
    ("pi_device_info", DeviceInfo::NATIVE_ASSERT_SUPPORT.0),
    ("pi_device_info", DeviceInfo::HOST_PIPE_SUPPORT.0),
    ("pi_device_info", DeviceInfo::KERNEL_CLOCK_SUPPORT.0),
    ("pi_image_info", ImageInfo::ARRAY_SIZE.0),
    ("pi_image_info", ImageInfo::NUM_MIP_LEVELS.0),
    ("pi_image_info", ImageInfo::NUM_SAMPLES.0),
    ("pi_program_info", ProgramInfo::IL.0),
    ("pi_kernel_info", KernelInfo::NUM_REGS.0),
];

#[test]
fn every_number_of_a_backend_is_the_one_that_pi_has_under_that_name() {
    let integers = integers();
    for (pi_type, ours) in types() {
        let is_of_pi =
            |number: i128| NOT_OF_PI.iter().all(|(of, query)| *of != pi_type || i128::from(*query) != number);
        for (name, number) in ours.into_iter().filter(|(_, number)| is_of_pi(*number)) {
            let found = integers.iter().any(|(pi_name, of, value)| {
                *of == pi_type
                    && *value == number
                    && (pi_name.to_uppercase().ends_with(name) || name == "WRITE_COMBINED")
            });
            assert!(found, "{pi_type} has no {name} with the number {number}");
        }
    }
}

#[test]
fn every_number_of_pi_is_known_to_backends() {
    let integers = integers();
    for (pi_type, ours) in types() {
        for (pi_name, of, value) in &integers {
            if of == pi_type && !NOT_PASSED_ON.contains(&pi_name.as_str()) {
                let known = ours.iter().any(|(_, number)| number == value);
                assert!(known, "{pi_name} = {value} of {pi_type} has no counterpart");
            }
        }
    }
}

#[test]
fn keys_of_allocation_properties_are_the_same() {
    assert_eq!(usm_property::ALLOC_FLAGS, sycl_pi_core::PI_MEM_ALLOC_FLAGS);
    assert_eq!(usm_property::BUFFER_LOCATION, sycl_pi_core::PI_MEM_USM_ALLOC_BUFFER_LOCATION);
}

#[test]
fn what_a_backend_does_not_support_is_an_invalid_operation() {
    assert_eq!(
        sycl_pi_front::convert::result(ErrorCode::UNSUPPORTED_FEATURE),
        sycl_pi_core::PI_ERROR_INVALID_OPERATION
    );
}
