//! Queries of all objects except devices.

use std::ffi::c_void;
use std::sync::atomic::Ordering;

use sycl_pi_backend::api::*;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Result};
use sycl_ur_core::*;

use crate::capture::check_takes_commands;
use crate::convert::error;
use crate::encode::{self, Encode};
use crate::handle::{Handle, origin};
use crate::info::{Answer, unknown_query};

const SIZE: Encode = encode::SIZE;

pub(crate) fn platform<B: Backend>(
    platform: &Handle<B::Platform>, name: ur_platform_info_t, answer: Answer,
) -> Result<()> {
    let origin = origin(platform);
    let (query, encode) = match name {
        UR_PLATFORM_INFO_NAME => (PlatformInfo::NAME, Encode::Same),
        UR_PLATFORM_INFO_VENDOR_NAME => (PlatformInfo::VENDOR, Encode::Same),
        UR_PLATFORM_INFO_VERSION => (PlatformInfo::VERSION, Encode::Same),
        UR_PLATFORM_INFO_EXTENSIONS => (PlatformInfo::EXTENSIONS, Encode::Same),
        UR_PLATFORM_INFO_PROFILE => (PlatformInfo::PROFILE, Encode::Same),
        UR_PLATFORM_INFO_BACKEND => return answer.value(encode::backend(B::interface())),
        UR_PLATFORM_INFO_ADAPTER if origin.layout >= Layout::V2025_2 => {
            return answer.value(crate::adapter::get(origin));
        }
        _ => return Err(unknown_query(name, false)),
    };
    answer.answered_by(encode, origin, |info| B::platform_info(platform, query, info))
}

pub(crate) fn context<B: Backend>(
    context: &Handle<B::Context>, name: ur_context_info_t, answer: Answer,
) -> Result<()> {
    let has_atomics = origin(context).layout <= Layout::V2025_1;
    let (query, encode) = match name {
        UR_CONTEXT_INFO_NUM_DEVICES => (ContextInfo::NUM_DEVICES, Encode::Same),
        UR_CONTEXT_INFO_DEVICES => (ContextInfo::DEVICES, Encode::Handles),
        UR_CONTEXT_INFO_REFERENCE_COUNT => return answer.value(context.reference_count()),
        UR_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT => (ContextInfo::USM_MEMCPY2D_SUPPORT, encode::BOOL),
        UR_CONTEXT_INFO_USM_FILL2D_SUPPORT => (ContextInfo::USM_FILL2D_SUPPORT, encode::BOOL),
        5 if has_atomics => (ContextInfo::ATOMIC_MEMORY_ORDER_CAPABILITIES, encode::FLAGS),
        6 if has_atomics => (ContextInfo::ATOMIC_MEMORY_SCOPE_CAPABILITIES, encode::FLAGS),
        7 if has_atomics => (ContextInfo::ATOMIC_FENCE_ORDER_CAPABILITIES, encode::FLAGS),
        8 if has_atomics => (ContextInfo::ATOMIC_FENCE_SCOPE_CAPABILITIES, encode::FLAGS),
        _ => return Err(unknown_query(name, false)),
    };
    answer.answered_by(encode, origin(context), |info| B::context_info(context, query, info))
}

pub(crate) fn queue<B: Backend>(
    queue: &Handle<B::Queue>, name: ur_queue_info_t, answer: Answer,
) -> Result<()> {
    let (query, encode) = match name {
        UR_QUEUE_INFO_CONTEXT => (QueueInfo::CONTEXT, Encode::Handles),
        UR_QUEUE_INFO_DEVICE => (QueueInfo::DEVICE, Encode::Handles),
        UR_QUEUE_INFO_DEVICE_DEFAULT => (QueueInfo::DEVICE_DEFAULT, Encode::Handles),
        UR_QUEUE_INFO_FLAGS => (QueueInfo::PROPERTIES, encode::FLAGS),
        UR_QUEUE_INFO_REFERENCE_COUNT => return answer.value(queue.reference_count()),
        UR_QUEUE_INFO_SIZE => (QueueInfo::SIZE, encode::U32),
        UR_QUEUE_INFO_EMPTY => {
            // The host cannot see what kernels have enqueued.
            check_takes_commands::<B>(queue)?;
            (QueueInfo::EMPTY, encode::BOOL)
        }
        _ => return Err(unknown_query(name, false)),
    };
    answer.answered_by(encode, origin(queue), |info| B::queue_info(queue, query, info))
}

pub(crate) fn mem<B: Backend>(mem: &Handle<B::Mem>, name: ur_mem_info_t, answer: Answer) -> Result<()> {
    let (query, encode) = match name {
        UR_MEM_INFO_SIZE => (MemInfo::SIZE, SIZE),
        UR_MEM_INFO_CONTEXT => (MemInfo::CONTEXT, Encode::Handles),
        UR_MEM_INFO_REFERENCE_COUNT => return answer.value(mem.reference_count()),
        _ => return Err(unknown_query(name, false)),
    };
    answer.answered_by(encode, origin(mem), |info| B::mem_info(mem, query, info))
}

pub(crate) fn image<B: Backend>(image: &Handle<B::Mem>, name: ur_image_info_t, answer: Answer) -> Result<()> {
    let (query, encode) = match name {
        UR_IMAGE_INFO_FORMAT => (ImageInfo::FORMAT, encode::IMAGE_FORMAT),
        UR_IMAGE_INFO_ELEMENT_SIZE => (ImageInfo::ELEMENT_SIZE, SIZE),
        UR_IMAGE_INFO_ROW_PITCH => (ImageInfo::ROW_PITCH, SIZE),
        UR_IMAGE_INFO_SLICE_PITCH => (ImageInfo::SLICE_PITCH, SIZE),
        UR_IMAGE_INFO_WIDTH => (ImageInfo::WIDTH, SIZE),
        UR_IMAGE_INFO_HEIGHT => (ImageInfo::HEIGHT, SIZE),
        UR_IMAGE_INFO_DEPTH => (ImageInfo::DEPTH, SIZE),
        UR_IMAGE_INFO_ARRAY_SIZE => (ImageInfo::ARRAY_SIZE, SIZE),
        UR_IMAGE_INFO_NUM_MIP_LEVELS => (ImageInfo::NUM_MIP_LEVELS, Encode::Same),
        UR_IMAGE_INFO_NUM_SAMPLES => (ImageInfo::NUM_SAMPLES, Encode::Same),
        _ => return Err(unknown_query(name, false)),
    };
    answer.answered_by(encode, origin(image), |info| B::mem_image_info(image, query, info))
}

pub(crate) fn sampler<B: Backend>(
    sampler: &Handle<B::Sampler>, name: ur_sampler_info_t, answer: Answer,
) -> Result<()> {
    let (query, encode) = match name {
        UR_SAMPLER_INFO_REFERENCE_COUNT => return answer.value(sampler.reference_count()),
        UR_SAMPLER_INFO_CONTEXT => (SamplerInfo::CONTEXT, Encode::Handles),
        UR_SAMPLER_INFO_NORMALIZED_COORDS => (SamplerInfo::NORMALIZED_COORDS, encode::BOOL),
        UR_SAMPLER_INFO_ADDRESSING_MODE => (SamplerInfo::ADDRESSING_MODE, encode::ADDRESSING_MODE),
        UR_SAMPLER_INFO_FILTER_MODE => (SamplerInfo::FILTER_MODE, encode::FILTER_MODE),
        _ => return Err(unknown_query(name, false)),
    };
    answer.answered_by(encode, origin(sampler), |info| B::sampler_info(sampler, query, info))
}

pub(crate) fn program<B: Backend>(
    program: &Handle<B::Program>, name: ur_program_info_t, answer: Answer,
) -> Result<()> {
    let (query, encode) = match name {
        UR_PROGRAM_INFO_REFERENCE_COUNT => return answer.value(program.reference_count()),
        UR_PROGRAM_INFO_CONTEXT => (ProgramInfo::CONTEXT, Encode::Handles),
        UR_PROGRAM_INFO_NUM_DEVICES => (ProgramInfo::NUM_DEVICES, Encode::Same),
        UR_PROGRAM_INFO_DEVICES => (ProgramInfo::DEVICES, Encode::Handles),
        // Number 4 was the source in 2025.0.
        UR_PROGRAM_INFO_IL if origin(program).layout == Layout::V2025_0 => {
            (ProgramInfo::SOURCE, Encode::Same)
        }
        UR_PROGRAM_INFO_IL => (ProgramInfo::IL, Encode::Same),
        UR_PROGRAM_INFO_BINARY_SIZES => (ProgramInfo::BINARY_SIZES, Encode::Same),
        UR_PROGRAM_INFO_BINARIES => (ProgramInfo::BINARIES, Encode::Same),
        UR_PROGRAM_INFO_NUM_KERNELS => (ProgramInfo::NUM_KERNELS, SIZE),
        UR_PROGRAM_INFO_KERNEL_NAMES => (ProgramInfo::KERNEL_NAMES, Encode::Same),
        _ => return Err(unknown_query(name, false)),
    };
    answer.answered_by(encode, origin(program), |info| B::program_info(program, query, info))
}

pub(crate) fn program_build<B: Backend>(
    program: &Handle<B::Program>, device: &B::Device, name: ur_program_build_info_t, answer: Answer,
) -> Result<()> {
    let (query, encode) = match name {
        UR_PROGRAM_BUILD_INFO_STATUS => (ProgramBuildInfo::STATUS, encode::BUILD_STATUS),
        UR_PROGRAM_BUILD_INFO_OPTIONS => (ProgramBuildInfo::OPTIONS, Encode::Same),
        UR_PROGRAM_BUILD_INFO_LOG => (ProgramBuildInfo::LOG, Encode::Same),
        UR_PROGRAM_BUILD_INFO_BINARY_TYPE => (ProgramBuildInfo::BINARY_TYPE, encode::BINARY_TYPE),
        _ => return Err(unknown_query(name, false)),
    };
    answer.answered_by(encode, origin(program), |info| B::program_build_info(program, device, query, info))
}

pub(crate) fn kernel<B: Backend>(
    kernel: &Handle<B::Kernel>, name: ur_kernel_info_t, answer: Answer,
) -> Result<()> {
    let (query, encode) = match name {
        UR_KERNEL_INFO_FUNCTION_NAME => (KernelInfo::FUNCTION_NAME, Encode::Same),
        UR_KERNEL_INFO_NUM_ARGS => (KernelInfo::NUM_ARGS, encode::U32),
        UR_KERNEL_INFO_REFERENCE_COUNT => return answer.value(kernel.reference_count()),
        UR_KERNEL_INFO_CONTEXT => (KernelInfo::CONTEXT, Encode::Handles),
        UR_KERNEL_INFO_PROGRAM => (KernelInfo::PROGRAM, Encode::Handles),
        UR_KERNEL_INFO_ATTRIBUTES => (KernelInfo::ATTRIBUTES, Encode::Same),
        UR_KERNEL_INFO_NUM_REGS => (KernelInfo::NUM_REGS, Encode::Same),
        UR_KERNEL_INFO_SPILL_MEM_SIZE => return Err(unknown_query(name, true)),
        _ => return Err(unknown_query(name, false)),
    };
    answer.answered_by(encode, origin(kernel), |info| B::kernel_info(kernel, query, info))
}

pub(crate) fn kernel_group<B: Backend>(
    kernel: &Handle<B::Kernel>, device: &B::Device, name: ur_kernel_group_info_t, answer: Answer,
) -> Result<()> {
    let (query, encode) = match name {
        UR_KERNEL_GROUP_INFO_GLOBAL_WORK_SIZE => (KernelGroupInfo::GLOBAL_WORK_SIZE, Encode::Same),
        UR_KERNEL_GROUP_INFO_WORK_GROUP_SIZE => (KernelGroupInfo::WORK_GROUP_SIZE, SIZE),
        UR_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE => {
            (KernelGroupInfo::COMPILE_WORK_GROUP_SIZE, Encode::Same)
        }
        UR_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE => (KernelGroupInfo::LOCAL_MEM_SIZE, SIZE),
        UR_KERNEL_GROUP_INFO_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => {
            (KernelGroupInfo::PREFERRED_WORK_GROUP_SIZE_MULTIPLE, SIZE)
        }
        UR_KERNEL_GROUP_INFO_PRIVATE_MEM_SIZE => (KernelGroupInfo::PRIVATE_MEM_SIZE, SIZE),
        UR_KERNEL_GROUP_INFO_COMPILE_MAX_WORK_GROUP_SIZE
        | UR_KERNEL_GROUP_INFO_COMPILE_MAX_LINEAR_WORK_GROUP_SIZE => return Err(unknown_query(name, true)),
        _ => return Err(unknown_query(name, false)),
    };
    answer.answered_by(encode, origin(kernel), |info| B::kernel_group_info(kernel, device, query, info))
}

pub(crate) fn kernel_sub_group<B: Backend>(
    kernel: &Handle<B::Kernel>, device: &B::Device, name: ur_kernel_sub_group_info_t, answer: Answer,
) -> Result<()> {
    let query = match name {
        UR_KERNEL_SUB_GROUP_INFO_MAX_SUB_GROUP_SIZE => KernelSubGroupInfo::MAX_SUB_GROUP_SIZE,
        UR_KERNEL_SUB_GROUP_INFO_MAX_NUM_SUB_GROUPS => KernelSubGroupInfo::MAX_NUM_SUB_GROUPS,
        UR_KERNEL_SUB_GROUP_INFO_COMPILE_NUM_SUB_GROUPS => KernelSubGroupInfo::COMPILE_NUM_SUB_GROUPS,
        UR_KERNEL_SUB_GROUP_INFO_SUB_GROUP_SIZE_INTEL => KernelSubGroupInfo::COMPILE_SUB_GROUP_SIZE_INTEL,
        _ => return Err(unknown_query(name, false)),
    };
    answer.answered_by(encode::U32, origin(kernel), |info| {
        B::kernel_sub_group_info(kernel, device, query, &[], info)
    })
}

pub(crate) fn event<B: Backend>(
    event: &Handle<B::Event>, name: ur_event_info_t, answer: Answer,
) -> Result<()> {
    let (query, encode) = match name {
        UR_EVENT_INFO_COMMAND_QUEUE => (EventInfo::COMMAND_QUEUE, Encode::Handles),
        UR_EVENT_INFO_CONTEXT => (EventInfo::CONTEXT, Encode::Handles),
        UR_EVENT_INFO_COMMAND_TYPE if event.kept().load(Ordering::Relaxed) => {
            return answer.value(UR_COMMAND_ENQUEUE_GRAPH_EXP);
        }
        UR_EVENT_INFO_COMMAND_TYPE => (EventInfo::COMMAND_TYPE, encode::COMMAND_TYPE),
        UR_EVENT_INFO_COMMAND_EXECUTION_STATUS => (EventInfo::COMMAND_EXECUTION_STATUS, encode::EVENT_STATUS),
        UR_EVENT_INFO_REFERENCE_COUNT => return answer.value(event.reference_count()),
        _ => return Err(unknown_query(name, false)),
    };
    answer.answered_by(encode, origin(event), |info| B::event_info(event, query, info))
}

pub(crate) fn usm_alloc<B: Backend>(
    context: &Handle<B::Context>, address: *const c_void, name: ur_usm_alloc_info_t, answer: Answer,
) -> Result<()> {
    let (query, encode) = match name {
        UR_USM_ALLOC_INFO_TYPE => (UsmAllocInfo::TYPE, encode::USM_TYPE),
        UR_USM_ALLOC_INFO_BASE_PTR => (UsmAllocInfo::BASE_PTR, Encode::Same),
        UR_USM_ALLOC_INFO_SIZE => (UsmAllocInfo::SIZE, SIZE),
        UR_USM_ALLOC_INFO_DEVICE => (UsmAllocInfo::DEVICE, Encode::Handles),
        UR_USM_ALLOC_INFO_POOL => {
            return match crate::pool::pool_of(address) {
                pool if pool.is_null() => {
                    Err(error(UR_RESULT_ERROR_INVALID_VALUE, "pMem: the allocation belongs to no pool"))
                }
                pool => answer.value(pool),
            };
        }
        _ => return Err(unknown_query(name, false)),
    };
    answer.answered_by(encode, origin(context), |info| B::usm_mem_alloc_info(context, address, query, info))
}

pub(crate) fn peer<B: Backend>(
    device: &Handle<B::Device>, peer: &Handle<B::Device>, name: ur_exp_peer_info_t, answer: Answer,
) -> Result<()> {
    let query = match name {
        0 => PeerAttribute::ACCESS_SUPPORTED,
        1 => PeerAttribute::ATOMICS_SUPPORTED,
        _ => return Err(error(UR_RESULT_ERROR_INVALID_ENUMERATION, format!("propName {name} is unknown"))),
    };
    let ask = |info: sycl_pi_backend::Info<'_>| B::peer_access_info(device, peer, query, info);
    answer.answered_by(encode::U32, origin(device), ask).map_err(|failure: Error| failure)
}
