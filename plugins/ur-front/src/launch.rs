//! Kernel launches: their properties, and arguments that come with the launch.

use std::ffi::c_void;

use sycl_pi_backend::api::{Arg, Backend};
use sycl_pi_backend::types::MemAccess;
use sycl_pi_backend::{Dependencies, Error, NdRange, Result};
use sycl_ur_core::*;

use crate::convert::error;
use crate::handle::Handle;
use crate::view;

/// Launches a kernel, cooperatively or not.
#[inline(always)]
pub(crate) fn run<B: Backend>(
    queue: &B::Queue,
    kernel: &B::Kernel,
    range: NdRange<'_>,
    is_cooperative: bool,
    dependencies: Dependencies<'_, B::Event>,
) -> Result<()> {
    if is_cooperative {
        B::enqueue_cooperative_kernel_launch(queue, kernel, range, dependencies)
    } else {
        B::enqueue_kernel_launch(queue, kernel, range, dependencies)
    }
}

/// Whether the properties of a launch ask for all work-groups at once. No properties is a null pointer.
///
/// # Safety
///
/// `properties` is null or points to them.
#[inline(always)]
pub(crate) unsafe fn is_cooperative(properties: *const ur_kernel_launch_ext_properties_t) -> Result<bool> {
    // SAFETY: passed on.
    let Some(properties) = (unsafe { properties.as_ref() }) else { return Ok(false) };
    let supported = UR_KERNEL_LAUNCH_FLAG_COOPERATIVE | UR_KERNEL_LAUNCH_FLAG_OPPORTUNISTIC_QUEUE_SERIALIZE;
    if properties.flags & !supported != 0 || !properties.pNext.is_null() {
        return Err(unsupported());
    }
    Ok(properties.flags & UR_KERNEL_LAUNCH_FLAG_COOPERATIVE != 0)
}

/// As [`is_cooperative`], of the list of properties that 2025.3 has.
pub(crate) fn is_cooperative_in_list(properties: &[ur_kernel_launch_property_t]) -> Result<bool> {
    let mut is_cooperative = false;
    for property in properties {
        match property.id {
            UR_KERNEL_LAUNCH_PROPERTY_ID_IGNORE
            | UR_KERNEL_LAUNCH_PROPERTY_ID_OPPORTUNISTIC_QUEUE_SERIALIZE => {}
            UR_KERNEL_LAUNCH_PROPERTY_ID_COOPERATIVE => {
                // SAFETY: the number says which member the caller has written; every bit pattern is a number.
                is_cooperative = unsafe { property.value.cooperative } != 0
            }
            _ => return Err(unsupported()),
        }
    }
    Ok(is_cooperative)
}

#[cold]
fn unsupported() -> Error {
    Error::unsupported(
        "launchPropList has a property that this backend does not have: clusters or work-group memory",
    )
}

/// Sets the arguments that come with a launch.
///
/// # Safety
///
/// Each entry's pointers are valid for what its type and size say.
#[inline(always)]
pub(crate) unsafe fn set_args<B: Backend>(
    kernel: &Handle<B::Kernel>,
    args: &[ur_exp_kernel_arg_properties_t],
) -> Result<()> {
    for arg in args {
        // SAFETY: the type says which member of the union the caller has written; the rest is the caller's promise.
        unsafe {
            match arg.type_ {
                UR_EXP_KERNEL_ARG_TYPE_VALUE => {
                    let value = view::bytes(arg.size, arg.value.value, "value of an entry of pArgs")?;
                    B::kernel_set_arg(kernel, arg.index, Arg::Value(value))?;
                }
                UR_EXP_KERNEL_ARG_TYPE_POINTER => {
                    let address: *const c_void = arg.value.pointer;
                    B::kernel_set_arg_pointer(kernel, arg.index, address)?;
                }
                UR_EXP_KERNEL_ARG_TYPE_MEM_OBJ => {
                    let tuple = arg.value.memObjTuple;
                    let mem = view::object_or_null::<B::Mem>(tuple.hMem, "hMem of an entry of pArgs")?;
                    let access = Some(MemAccess(tuple.flags)).filter(|access| access.0 != 0);
                    B::kernel_set_arg_mem_obj(kernel, arg.index, access, mem.map(|mem| &***mem))?;
                }
                UR_EXP_KERNEL_ARG_TYPE_LOCAL => B::kernel_set_arg(kernel, arg.index, Arg::Local(arg.size))?,
                UR_EXP_KERNEL_ARG_TYPE_SAMPLER => {
                    let sampler =
                        view::object::<B::Sampler>(arg.value.sampler, "sampler of an entry of pArgs")?;
                    B::kernel_set_arg_sampler(kernel, arg.index, sampler)?;
                }
                unknown => {
                    let text = format!("the type {unknown} of an entry of pArgs is unknown");
                    return Err(error(UR_RESULT_ERROR_INVALID_ENUMERATION, text));
                }
            }
        }
    }
    Ok(())
}
