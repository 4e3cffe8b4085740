//! Which query of the backend answers a query of Unified Runtime, and in which form.

use std::ptr::null_mut;

use sycl_pi_backend::types::{DeviceInfo as D, ErrorCode};
use sycl_ur_core::*;
use sycl_ur_front::stubs::*;

use crate::fake::{Fake, Handles, address, answer, fail, handles, lack, noted, refuse};

/// The result of a query, its bytes, and what the backend was asked.
type Answer = (ur_result_t, Vec<u8>, Vec<String>);

/// Asks with room for eight bytes.
fn ask(query: impl FnOnce(usize, *mut std::ffi::c_void, *mut usize) -> ur_result_t) -> Answer {
    let (mut bytes, mut size) = (vec![0xee_u8; 8], 0);
    noted();
    let result = query(8, bytes.as_mut_ptr().cast(), &mut size);
    bytes.truncate(size);
    (result, bytes, noted())
}

fn of_device(of: Handles, name: ur_device_info_t) -> Answer {
    // SAFETY: a live handle and room for the answer.
    ask(|size, value, size_ret| unsafe { urDeviceGetInfo::<Fake>(of.device, name, size, value, size_ret) })
}

/// Features and limits whose answers are alike on the devices at hand.
#[test]
fn a_query_of_a_device_is_about_what_its_name_says() {
    let pairs = [
        (UR_DEVICE_INFO_VENDOR_ID, D::VENDOR_ID),
        (UR_DEVICE_INFO_DEVICE_ID, D::DEVICE_ID),
        (UR_DEVICE_INFO_MAX_READ_IMAGE_ARGS, D::MAX_READ_IMAGE_ARGS),
        (UR_DEVICE_INFO_MAX_WRITE_IMAGE_ARGS, D::MAX_WRITE_IMAGE_ARGS),
        (UR_DEVICE_INFO_MAX_READ_WRITE_IMAGE_ARGS, D::MAX_READ_WRITE_IMAGE_ARGS),
        (UR_DEVICE_INFO_IMAGE2D_MAX_WIDTH, D::IMAGE2D_MAX_WIDTH),
        (UR_DEVICE_INFO_IMAGE2D_MAX_HEIGHT, D::IMAGE2D_MAX_HEIGHT),
        (UR_DEVICE_INFO_IMAGE3D_MAX_WIDTH, D::IMAGE3D_MAX_WIDTH),
        (UR_DEVICE_INFO_IMAGE3D_MAX_HEIGHT, D::IMAGE3D_MAX_HEIGHT),
        (UR_DEVICE_INFO_IMAGE3D_MAX_DEPTH, D::IMAGE3D_MAX_DEPTH),
        (UR_DEVICE_INFO_IMAGE_MAX_BUFFER_SIZE, D::IMAGE_MAX_BUFFER_SIZE),
        (UR_DEVICE_INFO_IMAGE_MAX_ARRAY_SIZE, D::IMAGE_MAX_ARRAY_SIZE),
        (UR_DEVICE_INFO_ERROR_CORRECTION_SUPPORT, D::ERROR_CORRECTION_SUPPORT),
        (UR_DEVICE_INFO_HOST_UNIFIED_MEMORY, D::HOST_UNIFIED_MEMORY),
        (UR_DEVICE_INFO_AVAILABLE, D::AVAILABLE),
        (UR_DEVICE_INFO_COMPILER_AVAILABLE, D::COMPILER_AVAILABLE),
        (UR_DEVICE_INFO_LINKER_AVAILABLE, D::LINKER_AVAILABLE),
        (UR_DEVICE_INFO_QUEUE_ON_DEVICE_PROPERTIES, D::QUEUE_ON_DEVICE_PROPERTIES),
        (UR_DEVICE_INFO_QUEUE_ON_HOST_PROPERTIES, D::QUEUE_ON_HOST_PROPERTIES),
        (UR_DEVICE_INFO_PREFERRED_INTEROP_USER_SYNC, D::PREFERRED_INTEROP_USER_SYNC),
        (UR_DEVICE_INFO_PARTITION_MAX_SUB_DEVICES, D::PARTITION_MAX_SUB_DEVICES),
        (UR_DEVICE_INFO_MAX_NUM_SUB_GROUPS, D::MAX_NUM_SUB_GROUPS),
        (UR_DEVICE_INFO_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, D::SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS),
        (UR_DEVICE_INFO_USM_HOST_SUPPORT, D::USM_HOST_SUPPORT),
        (UR_DEVICE_INFO_USM_DEVICE_SUPPORT, D::USM_DEVICE_SUPPORT),
        (UR_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT, D::USM_SINGLE_SHARED_SUPPORT),
        (UR_DEVICE_INFO_USM_CROSS_SHARED_SUPPORT, D::USM_CROSS_SHARED_SUPPORT),
        (UR_DEVICE_INFO_USM_SYSTEM_SHARED_SUPPORT, D::USM_SYSTEM_SHARED_SUPPORT),
        (UR_DEVICE_INFO_GPU_EU_COUNT, D::GPU_EU_COUNT),
        (UR_DEVICE_INFO_GPU_EU_SIMD_WIDTH, D::GPU_EU_SIMD_WIDTH),
        (UR_DEVICE_INFO_GPU_EU_SLICES, D::GPU_SLICES),
        (UR_DEVICE_INFO_GPU_EU_COUNT_PER_SUBSLICE, D::GPU_EU_COUNT_PER_SUBSLICE),
        (UR_DEVICE_INFO_GPU_SUBSLICES_PER_SLICE, D::GPU_SUBSLICES_PER_SLICE),
        (UR_DEVICE_INFO_GPU_HW_THREADS_PER_EU, D::GPU_HW_THREADS_PER_EU),
        (UR_DEVICE_INFO_IMAGE_SRGB, D::IMAGE_SRGB),
        (UR_DEVICE_INFO_BUILD_ON_SUBDEVICE, D::BUILD_ON_SUBDEVICE),
        (UR_DEVICE_INFO_ATOMIC_64, D::ATOMIC_64),
        (UR_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES, D::ATOMIC_MEMORY_ORDER_CAPABILITIES),
        (UR_DEVICE_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES, D::ATOMIC_MEMORY_SCOPE_CAPABILITIES),
        (UR_DEVICE_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES, D::ATOMIC_FENCE_ORDER_CAPABILITIES),
        (UR_DEVICE_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES, D::ATOMIC_FENCE_SCOPE_CAPABILITIES),
        (UR_DEVICE_INFO_MEMORY_BUS_WIDTH, D::MEMORY_BUS_WIDTH),
        (UR_DEVICE_INFO_MEMORY_CLOCK_RATE, D::MEMORY_CLOCK_RATE),
        (UR_DEVICE_INFO_ASYNC_BARRIER, D::CUDA_ASYNC_BARRIER),
        (UR_DEVICE_INFO_MEM_CHANNEL_SUPPORT, D::MEM_CHANNEL_SUPPORT),
        (UR_DEVICE_INFO_MAX_REGISTERS_PER_WORK_GROUP, D::MAX_REGISTERS_PER_WORK_GROUP),
        (UR_DEVICE_INFO_IP_VERSION, D::IP_VERSION),
        (UR_DEVICE_INFO_COMMAND_BUFFER_SUPPORT_EXP, D::COMMAND_BUFFER_SUPPORT),
        (UR_DEVICE_INFO_GRAPH_RECORD_AND_REPLAY_SUPPORT_EXP, D::COMMAND_BUFFER_SUPPORT),
        (UR_DEVICE_INFO_BINDLESS_IMAGES_SUPPORT_EXP, D::BINDLESS_IMAGES_SUPPORT),
        (UR_DEVICE_INFO_BINDLESS_IMAGES_SHARED_USM_SUPPORT_EXP, D::BINDLESS_IMAGES_SHARED_USM_SUPPORT),
        (UR_DEVICE_INFO_BINDLESS_IMAGES_1D_USM_SUPPORT_EXP, D::BINDLESS_IMAGES_1D_USM_SUPPORT),
        (UR_DEVICE_INFO_BINDLESS_IMAGES_2D_USM_SUPPORT_EXP, D::BINDLESS_IMAGES_2D_USM_SUPPORT),
        (UR_DEVICE_INFO_MIPMAP_SUPPORT_EXP, D::MIPMAP_SUPPORT),
        (UR_DEVICE_INFO_MIPMAP_ANISOTROPY_SUPPORT_EXP, D::MIPMAP_ANISOTROPY_SUPPORT),
        (UR_DEVICE_INFO_MIPMAP_LEVEL_REFERENCE_SUPPORT_EXP, D::MIPMAP_LEVEL_REFERENCE_SUPPORT),
        (UR_DEVICE_INFO_EXTERNAL_MEMORY_IMPORT_SUPPORT_EXP, D::INTEROP_MEMORY_IMPORT_SUPPORT),
        (UR_DEVICE_INFO_EXTERNAL_SEMAPHORE_IMPORT_SUPPORT_EXP, D::INTEROP_SEMAPHORE_IMPORT_SUPPORT),
        (UR_DEVICE_INFO_CUBEMAP_SUPPORT_EXP, D::CUBEMAP_SUPPORT),
        (UR_DEVICE_INFO_CUBEMAP_SEAMLESS_FILTERING_SUPPORT_EXP, D::CUBEMAP_SEAMLESS_FILTERING_SUPPORT),
        (UR_DEVICE_INFO_VIRTUAL_MEMORY_SUPPORT, D::VIRTUAL_MEMORY_SUPPORT),
        (UR_DEVICE_INFO_TIMESTAMP_RECORDING_SUPPORT_EXP, D::TIMESTAMP_SUPPORT),
        (UR_DEVICE_INFO_ENQUEUE_NATIVE_COMMAND_SUPPORT_EXP, D::NATIVE_COMMAND_SUPPORT),
        (UR_DEVICE_INFO_ENQUEUE_HOST_TASK_SUPPORT_EXP, D::HOST_TASK_SUPPORT),
        (UR_DEVICE_INFO_DEVICE_WAIT_SUPPORT_EXP, D::DEVICE_WAIT_SUPPORT),
        (UR_DEVICE_INFO_IPC_MEMORY_SUPPORT_EXP, D::IPC_MEMORY_SUPPORT),
        (UR_DEVICE_INFO_MEMORY_EXPORT_EXPORTABLE_DEVICE_MEM_EXP, D::DEVICE_MEMORY_EXPORT_SUPPORT),
        (UR_DEVICE_INFO_IPC_PHYSICAL_MEMORY_SUPPORT_EXP, D::IPC_PHYSICAL_MEMORY_SUPPORT),
        (UR_DEVICE_INFO_IPC_EVENT_SUPPORT_EXP, D::IPC_EVENT_SUPPORT),
        (UR_DEVICE_INFO_REUSABLE_EVENTS_SUPPORT_EXP, D::REUSABLE_EVENT_SUPPORT),
        (UR_DEVICE_INFO_CLUSTER_LAUNCH_EXP, D::CLUSTER_LAUNCH_SUPPORT),
        (UR_DEVICE_INFO_LAUNCH_PROPERTIES_SUPPORT_EXP, D::LAUNCH_LOCAL_MEMORY_SUPPORT),
        (UR_DEVICE_INFO_USM_HOST_ALLOC_REGISTER_SUPPORT_EXP, D::HOST_MEMORY_REGISTER_SUPPORT),
        (UR_DEVICE_INFO_USM_P2P_SUPPORT_EXP, D::PEER_ACCESS_SUPPORT),
        (UR_DEVICE_INFO_USE_NATIVE_ASSERT, D::NATIVE_ASSERT_SUPPORT),
        (UR_DEVICE_INFO_HOST_PIPE_READ_WRITE_SUPPORT, D::HOST_PIPE_SUPPORT),
        (UR_DEVICE_INFO_ESIMD_SUPPORT, D::ESIMD_SUPPORT),
    ];
    let of = Layout::ALL.map(handles);
    for (name, wanted) in pairs {
        // In the layouts that have the query.
        let answers: Vec<Answer> =
            of.iter().map(|of| of_device(*of, name)).filter(|(_, _, asked)| !asked.is_empty()).collect();
        assert!(!answers.is_empty(), "{wanted:?}");
        for (result, _, asked) in answers {
            assert_eq!((result, asked), (UR_RESULT_SUCCESS, vec![format!("{wanted:?}")]), "{name:#x}");
        }
    }
}

#[test]
fn what_every_backend_has_or_lacks_is_not_asked() {
    let of = handles(Layout::V2026_2);
    let same = |name| {
        let (result, bytes, asked) = of_device(of, name);
        assert_eq!((result, asked.len()), (UR_RESULT_SUCCESS, 0), "{name:#x}");
        bytes
    };
    for name in [
        UR_DEVICE_INFO_USM_CONTEXT_MEMCPY_SUPPORT_EXP,
        UR_DEVICE_INFO_USM_POOL_SUPPORT,
        UR_DEVICE_INFO_ASYNC_USM_ALLOCATIONS_SUPPORT_EXP,
        UR_DEVICE_INFO_PROGRAM_SET_SPECIALIZATION_CONSTANTS,
        UR_DEVICE_INFO_MULTI_DEVICE_COMPILE_SUPPORT_EXP,
    ] {
        assert_eq!(same(name), [1], "{name:#x}");
    }
    for name in [
        UR_DEVICE_INFO_KERNEL_SET_SPECIALIZATION_CONSTANTS,
        UR_DEVICE_INFO_COMMAND_BUFFER_EVENT_SUPPORT_EXP,
        UR_DEVICE_INFO_COMMAND_BUFFER_SUBGRAPH_SUPPORT_EXP,
        UR_DEVICE_INFO_BINDLESS_UNIQUE_ADDRESSING_PER_DIM_SUPPORT_EXP,
        UR_DEVICE_INFO_BINDLESS_IMAGES_GATHER_SUPPORT_EXP,
        UR_DEVICE_INFO_DYNAMIC_LINK_SUPPORT_EXP,
    ] {
        assert_eq!(same(name), [0], "{name:#x}");
    }
}

/// A device without half precision lacks all of its capabilities, and one without bindless images has limits of 0.
#[test]
fn what_a_device_does_not_tell_is_nothing() {
    let of = handles(Layout::V2026_2);
    for (name, refused) in [
        (UR_DEVICE_INFO_HALF_FP_CONFIG, D::HALF_FP_CONFIG),
        (UR_DEVICE_INFO_IMAGE_PITCH_ALIGN_EXP, D::IMAGE_PITCH_ALIGN),
        (UR_DEVICE_INFO_MAX_IMAGE_LINEAR_WIDTH_EXP, D::MAX_IMAGE_LINEAR_WIDTH),
    ] {
        refuse(&[refused]);
        let (result, bytes, _) = of_device(of, name);
        assert_eq!(result, UR_RESULT_SUCCESS, "{name:#x}");
        assert!(bytes.iter().all(|byte| *byte == 0), "{name:#x}: {bytes:?}");
    }
    refuse(&[]);
    for (name, wanted) in [
        (UR_DEVICE_INFO_IMAGE_PITCH_ALIGN_EXP, D::IMAGE_PITCH_ALIGN),
        (UR_DEVICE_INFO_MIPMAP_MAX_ANISOTROPY_EXP, D::MIPMAP_MAX_ANISOTROPY),
        (UR_DEVICE_INFO_MAX_IMAGE_LINEAR_WIDTH_EXP, D::MAX_IMAGE_LINEAR_WIDTH),
        (UR_DEVICE_INFO_MAX_IMAGE_LINEAR_HEIGHT_EXP, D::MAX_IMAGE_LINEAR_HEIGHT),
        (UR_DEVICE_INFO_MAX_IMAGE_LINEAR_PITCH_EXP, D::MAX_IMAGE_LINEAR_PITCH),
    ] {
        let (_, _, asked) = of_device(of, name);
        assert!(asked.iter().all(|asked| *asked == format!("{wanted:?}")), "{name:#x}: {asked:?}");
    }
}

/// A slice has sub-slices, each of which is a compute unit of SYCL.
#[test]
fn compute_units_are_the_sub_slices_of_all_slices_or_what_the_backend_counts() {
    let of = handles(Layout::V2026_2);
    let (three, four, sixty) = (3_u32.to_ne_bytes(), 4_u32.to_ne_bytes(), 60_u32.to_ne_bytes());
    let [slices, sub_slices] = [D::GPU_SLICES, D::GPU_SUBSLICES_PER_SLICE];
    answer(&[(slices, &three), (sub_slices, &four), (D::MAX_COMPUTE_UNITS, &sixty)]);
    for (unknown, units) in [(vec![], 12_u32), (vec![slices], 60), (vec![sub_slices], 60)] {
        refuse(&unknown);
        let (result, bytes, _) = of_device(of, UR_DEVICE_INFO_NUM_COMPUTE_UNITS);
        assert_eq!((result, bytes), (UR_RESULT_SUCCESS, units.to_ne_bytes().to_vec()), "{unknown:?}");
    }
}

/// `CL_DEVICE_TYPE_CPU` is 2 and `CL_DEVICE_TYPE_GPU` 4.
#[test]
fn only_a_gpu_with_the_memory_of_the_host_is_integrated() {
    let of = handles(Layout::V2026_2);
    for (kind, unified, wanted) in [(4_u64, 1_u32, 1), (4, 0, 0), (2, 1, 0), (5, 1, 1)] {
        answer(&[(D::TYPE, &kind.to_ne_bytes()), (D::HOST_UNIFIED_MEMORY, &unified.to_ne_bytes())]);
        let (result, bytes, _) = of_device(of, UR_DEVICE_INFO_IS_INTEGRATED_GPU);
        assert_eq!((result, bytes), (UR_RESULT_SUCCESS, vec![wanted]), "{kind} {unified}");
    }
}

/// In 2025.0 whether launches can be updated, and later what of them: all but the events.
#[test]
fn what_can_be_updated_is_a_boolean_at_first_and_then_flags() {
    use sycl_ur_core as ur;
    let name = UR_DEVICE_INFO_COMMAND_BUFFER_UPDATE_CAPABILITIES_EXP;
    let all = ur::UR_DEVICE_COMMAND_BUFFER_UPDATE_CAPABILITY_FLAG_KERNEL_ARGUMENTS
        | ur::UR_DEVICE_COMMAND_BUFFER_UPDATE_CAPABILITY_FLAG_LOCAL_WORK_SIZE
        | ur::UR_DEVICE_COMMAND_BUFFER_UPDATE_CAPABILITY_FLAG_GLOBAL_WORK_SIZE
        | ur::UR_DEVICE_COMMAND_BUFFER_UPDATE_CAPABILITY_FLAG_GLOBAL_WORK_OFFSET
        | ur::UR_DEVICE_COMMAND_BUFFER_UPDATE_CAPABILITY_FLAG_KERNEL_HANDLE;
    for layout in Layout::ALL {
        let of = handles(layout);
        for (lacking, flags, byte) in [(vec![], all, 1_u8), (vec![D::LAUNCH_UPDATE_SUPPORT], 0, 0)] {
            lack(&lacking);
            let wanted = if layout == Layout::V2025_0 { vec![byte] } else { flags.to_ne_bytes().to_vec() };
            let (result, bytes, _) = of_device(of, name);
            assert_eq!((result, bytes), (UR_RESULT_SUCCESS, wanted), "{layout:?} without {lacking:?}");
        }
    }
}

/// Number 4 was the source in 2025.0.
#[test]
fn a_program_tells_its_source_in_2025_0_and_its_spir_v_later() {
    for layout in Layout::ALL {
        let of = handles(layout);
        // SAFETY: a live handle and room for the answer.
        let (result, _, asked) = ask(|size, value, size_ret| unsafe {
            urProgramGetInfo::<Fake>(of.program, UR_PROGRAM_INFO_IL, size, value, size_ret)
        });
        let wanted = if layout == Layout::V2025_0 { "SOURCE" } else { "IL" };
        assert_eq!((result, asked), (UR_RESULT_SUCCESS, vec![wanted.to_owned()]), "{layout:?}");
    }
}

#[test]
fn an_allocation_tells_what_its_name_says_and_its_pool_if_it_has_one() {
    let of = handles(Layout::V2026_2);
    let of_memory = |name| {
        // SAFETY: a live handle, an address that nothing reads, and room for the answer.
        ask(|size, value, size_ret| unsafe {
            urUSMGetMemAllocInfo::<Fake>(of.context, address(0x5000), name, size, value, size_ret)
        })
    };
    for (name, wanted, length) in [
        (UR_USM_ALLOC_INFO_TYPE, "TYPE", 4),
        (UR_USM_ALLOC_INFO_SIZE, "SIZE", 8),
        (UR_USM_ALLOC_INFO_BASE_PTR, "BASE_PTR", 4),
    ] {
        let (result, bytes, asked) = of_memory(name);
        assert_eq!((result, bytes.len(), asked), (0, length, vec![wanted.to_owned()]));
    }
    assert_eq!(of_memory(UR_USM_ALLOC_INFO_POOL), (UR_RESULT_ERROR_INVALID_VALUE, vec![], vec![]));
    assert_eq!(of_memory(77), (UR_RESULT_ERROR_INVALID_ENUMERATION, vec![], vec![]));
}

#[test]
fn launches_have_the_properties_that_the_device_has() {
    let of = handles(Layout::V2026_2);
    let all = [
        (D::COOPERATIVE_LAUNCH_SUPPORT, UR_KERNEL_LAUNCH_PROPERTIES_FLAG_COOPERATIVE),
        (D::CLUSTER_LAUNCH_SUPPORT, UR_KERNEL_LAUNCH_PROPERTIES_FLAG_CLUSTER_DIMENSION),
        (D::LAUNCH_LOCAL_MEMORY_SUPPORT, UR_KERNEL_LAUNCH_PROPERTIES_FLAG_WORK_GROUP_MEMORY),
    ];
    let every = all.iter().fold(0, |every, (_, bit)| every | bit);
    for (feature, bit) in all {
        lack(&[feature]);
        let (_, bytes, _) = of_device(of, UR_DEVICE_INFO_KERNEL_LAUNCH_CAPABILITIES);
        assert_eq!(bytes, (every & !bit).to_ne_bytes(), "without {feature:?}");
    }
}

/// The queries of contexts about atomics were dropped after 2025.1; the number of a device's work-groups came in
/// 2026.2, in place of another query; the platform names its adapter since 2025.2.
#[test]
fn queries_belong_to_the_layouts_that_have_them() {
    for layout in Layout::ALL {
        let of = handles(layout);
        for (name, wanted) in [
            (5, "ATOMIC_MEMORY_ORDER_CAPABILITIES"),
            (6, "ATOMIC_MEMORY_SCOPE_CAPABILITIES"),
            (7, "ATOMIC_FENCE_ORDER_CAPABILITIES"),
            (8, "ATOMIC_FENCE_SCOPE_CAPABILITIES"),
        ] {
            // SAFETY: a live handle and room for the answer.
            let (result, _, asked) = ask(|size, value, size_ret| unsafe {
                urContextGetInfo::<Fake>(of.context, name, size, value, size_ret)
            });
            let has_it = layout <= Layout::V2025_1;
            let found = if has_it { UR_RESULT_SUCCESS } else { UR_RESULT_ERROR_INVALID_ENUMERATION };
            assert_eq!(result, found, "{layout:?} {name}");
            assert_eq!(asked, if has_it { vec![wanted.to_owned()] } else { Vec::new() }, "{layout:?}");
        }
        let (_, _, asked) = of_device(of, UR_DEVICE_INFO_MAX_WORK_GROUPS);
        let asks = asked.iter().any(|asked| asked == "MAX_GLOBAL_WORK_GROUPS");
        assert_eq!(asks, layout >= Layout::V2026_2, "{layout:?}: {asked:?}");
        // SAFETY: a live handle and room for the answer.
        let (result, bytes, _) = ask(|size, value, size_ret| unsafe {
            urPlatformGetInfo::<Fake>(of.platform, UR_PLATFORM_INFO_ADAPTER, size, value, size_ret)
        });
        assert_eq!(result == UR_RESULT_SUCCESS, layout >= Layout::V2025_2, "{layout:?}");
        assert!(bytes.len() == 8 || result == UR_RESULT_ERROR_INVALID_ENUMERATION, "{layout:?}: {result}");
    }
}

#[test]
fn queries_of_kernels_and_images_are_about_what_their_names_say() {
    let of = handles(Layout::V2026_2);
    for (name, wanted) in [
        (UR_KERNEL_SUB_GROUP_INFO_MAX_SUB_GROUP_SIZE, "MAX_SUB_GROUP_SIZE"),
        (UR_KERNEL_SUB_GROUP_INFO_MAX_NUM_SUB_GROUPS, "MAX_NUM_SUB_GROUPS"),
        (UR_KERNEL_SUB_GROUP_INFO_COMPILE_NUM_SUB_GROUPS, "COMPILE_NUM_SUB_GROUPS"),
        (UR_KERNEL_SUB_GROUP_INFO_SUB_GROUP_SIZE_INTEL, "COMPILE_SUB_GROUP_SIZE_INTEL"),
    ] {
        // SAFETY: live handles and room for the answer.
        let (_, bytes, asked) = ask(|size, value, size_ret| unsafe {
            urKernelGetSubGroupInfo::<Fake>(of.kernel, of.device, name, size, value, size_ret)
        });
        assert!(asked.iter().all(|asked| asked == wanted) && bytes.len() == 4, "{wanted}: {asked:?}");
    }
    for (name, wanted) in [
        (UR_KERNEL_GROUP_INFO_WORK_GROUP_SIZE, "WORK_GROUP_SIZE"),
        (UR_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE, "LOCAL_MEM_SIZE"),
        (UR_KERNEL_GROUP_INFO_PRIVATE_MEM_SIZE, "PRIVATE_MEM_SIZE"),
        (UR_KERNEL_GROUP_INFO_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, "PREFERRED_WORK_GROUP_SIZE_MULTIPLE"),
    ] {
        // SAFETY: live handles and room for the answer.
        let (_, bytes, asked) = ask(|size, value, size_ret| unsafe {
            urKernelGetGroupInfo::<Fake>(of.kernel, of.device, name, size, value, size_ret)
        });
        assert!(asked.iter().all(|asked| asked == wanted) && bytes.len() == 8, "{wanted}: {asked:?}");
    }
    for (name, wanted, length) in [
        (UR_IMAGE_INFO_ELEMENT_SIZE, "ELEMENT_SIZE", 8),
        (UR_IMAGE_INFO_ROW_PITCH, "ROW_PITCH", 8),
        (UR_IMAGE_INFO_SLICE_PITCH, "SLICE_PITCH", 8),
        (UR_IMAGE_INFO_WIDTH, "WIDTH", 8),
        (UR_IMAGE_INFO_HEIGHT, "HEIGHT", 8),
        (UR_IMAGE_INFO_DEPTH, "DEPTH", 8),
        (UR_IMAGE_INFO_ARRAY_SIZE, "ARRAY_SIZE", 8),
        (UR_IMAGE_INFO_NUM_MIP_LEVELS, "NUM_MIP_LEVELS", 4),
        (UR_IMAGE_INFO_NUM_SAMPLES, "NUM_SAMPLES", 4),
    ] {
        // SAFETY: a live handle and room for the answer.
        let (_, bytes, asked) = ask(|size, value, size_ret| unsafe {
            urMemImageGetInfo::<Fake>(of.mem, name, size, value, size_ret)
        });
        assert!(asked.iter().all(|asked| asked == wanted) && bytes.len() == length, "{wanted}: {asked:?}");
    }
    for (name, wanted) in [(0, "ACCESS_SUPPORTED"), (1, "ATOMICS_SUPPORTED")] {
        // SAFETY: live handles and room for the answer.
        let (_, _, asked) = ask(|size, value, size_ret| unsafe {
            urUsmP2PPeerAccessGetInfoExp::<Fake>(of.device, of.device, name, size, value, size_ret)
        });
        assert!(!asked.is_empty() && asked.iter().all(|asked| asked == wanted), "{asked:?}");
    }
}

/// `ur_api.h` says the type of each answer: "[uint32_t]" or "[size_t]".
#[test]
fn numbers_have_the_size_of_their_type() {
    let of = handles(Layout::V2026_2);
    // SAFETY: live handles and room for the answers.
    let lengths = unsafe {
        [
            ask(|size, value, ret| urQueueGetInfo::<Fake>(of.queue, UR_QUEUE_INFO_SIZE, size, value, ret)),
            ask(|size, value, ret| {
                urProgramGetInfo::<Fake>(of.program, UR_PROGRAM_INFO_NUM_KERNELS, size, value, ret)
            }),
            ask(|size, value, ret| {
                urProgramGetInfo::<Fake>(of.program, UR_PROGRAM_INFO_NUM_DEVICES, size, value, ret)
            }),
            ask(|size, value, ret| {
                urKernelGetInfo::<Fake>(of.kernel, UR_KERNEL_INFO_NUM_ARGS, size, value, ret)
            }),
        ]
    };
    assert_eq!(lengths.map(|(result, bytes, _)| (result, bytes.len())), [4, 8, 4, 4].map(|size| (0, size)));
    // Whatever the size of the backend's answer.
    for number in [&5_u64.to_ne_bytes()[..], &5_u32.to_ne_bytes()] {
        answer(&[(D::MAX_COMPUTE_QUEUE_INDICES, number), (D::FREE_MEMORY, number)]);
        let (_, bytes, _) = of_device(of, UR_DEVICE_INFO_MAX_COMPUTE_QUEUE_INDICES);
        assert_eq!(bytes, 5_u32.to_ne_bytes());
        let (_, bytes, _) = of_device(of, UR_DEVICE_INFO_GLOBAL_MEM_FREE);
        assert_eq!(bytes, 5_u64.to_ne_bytes());
    }
}

/// A query that is defined but has no answer here is told apart from a number that is no query.
#[test]
fn a_query_without_an_answer_is_no_unknown_number() {
    let of = handles(Layout::V2026_2);
    let [unsupported, invalid] =
        [UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION, UR_RESULT_ERROR_INVALID_ENUMERATION];
    let of_kernel = |name| {
        // SAFETY: a live handle and room for the answer.
        ask(|size, value, ret| unsafe { urKernelGetInfo::<Fake>(of.kernel, name, size, value, ret) }).0
    };
    let of_group = |name| {
        // SAFETY: live handles and room for the answer.
        let group = |size, value, ret| unsafe {
            urKernelGetGroupInfo::<Fake>(of.kernel, of.device, name, size, value, ret)
        };
        ask(group).0
    };
    let of_image = |name| {
        let mut value = 0_u64;
        let room = (&raw mut value).cast();
        // SAFETY: live handles, and room for eight bytes.
        unsafe { urBindlessImagesImageGetInfoExp::<Fake>(of.context, 0x1000, name, room, null_mut()) }
    };
    assert_eq!(of_kernel(UR_KERNEL_INFO_SPILL_MEM_SIZE), unsupported);
    assert_eq!(of_group(UR_KERNEL_GROUP_INFO_COMPILE_MAX_WORK_GROUP_SIZE), unsupported);
    assert_eq!(of_group(UR_KERNEL_GROUP_INFO_COMPILE_MAX_LINEAR_WORK_GROUP_SIZE), unsupported);
    assert_eq!(of_image(UR_IMAGE_INFO_NUM_SAMPLES), unsupported);
    assert_eq!([of_kernel(0x7000), of_group(0x7000), of_image(0x7000)], [invalid; 3]);
    // Of image memory, which is not the driver's object.
    noted();
    for (name, wanted) in
        [(UR_IMAGE_INFO_WIDTH, "WIDTH"), (UR_IMAGE_INFO_HEIGHT, "HEIGHT"), (UR_IMAGE_INFO_DEPTH, "DEPTH")]
    {
        assert_eq!(of_image(name), UR_RESULT_SUCCESS);
        assert!(noted().iter().all(|asked| asked == wanted));
    }
    let null = of_image_at(of, 0);
    assert_eq!(null, UR_RESULT_ERROR_INVALID_NULL_HANDLE);
}

fn of_image_at(of: Handles, memory: usize) -> ur_result_t {
    let room = address(0);
    let mut size = 0;
    // SAFETY: a live handle, and room for the size alone.
    unsafe {
        urBindlessImagesImageGetInfoExp::<Fake>(of.context, memory, UR_IMAGE_INFO_WIDTH, room, &mut size)
    }
}

/// A backend refuses what it does not know; other failures stay what they are.
#[test]
fn a_query_that_a_backend_lacks_is_unsupported_and_other_failures_are_not() {
    let of = handles(Layout::V2026_2);
    for (code, wanted) in [
        (ErrorCode::INVALID_VALUE, UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION),
        (ErrorCode::UNSUPPORTED_FEATURE, UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION),
        (ErrorCode::OUT_OF_RESOURCES, UR_RESULT_ERROR_OUT_OF_RESOURCES),
    ] {
        // The same bytes, a word, a boolean.
        for name in [UR_DEVICE_INFO_VENDOR_ID, UR_DEVICE_INFO_QUEUE_PROPERTIES, UR_DEVICE_INFO_AVAILABLE] {
            fail(code);
            assert_eq!(of_device(of, name).0, wanted, "{name:#x} {code:?}");
        }
    }
}

/// However long it is: 25 words of 8 bytes become as many of 4.
#[test]
fn a_long_list_is_answered_as_a_whole() {
    let of = handles(Layout::V2026_2);
    let words: Vec<u64> = (0x1086..0x1086 + 25).collect();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    answer(&[(D::PARTITION_PROPERTIES, &bytes)]);
    let (mut list, mut size) = (vec![0_u32; 32], 0);
    let (name, room) = (UR_DEVICE_INFO_SUPPORTED_PARTITIONS, list.as_mut_ptr().cast());
    // SAFETY: a live handle and room for the answer.
    let result = unsafe { urDeviceGetInfo::<Fake>(of.device, name, 128, room, &mut size) };
    assert_eq!((result, size), (UR_RESULT_SUCCESS, 100));
    let wanted: Vec<u32> = words.iter().map(|word| *word as u32).chain([0; 7]).collect();
    assert_eq!(list, wanted);
}
