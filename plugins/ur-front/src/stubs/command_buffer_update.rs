//! Updates of recorded launches.

use sycl_pi_backend::api::{Arg, LaunchUpdate, NewArg};
use sycl_pi_backend::{Counted, NdRange};

use super::prelude::*;
use crate::command_buffer::{CommandBuffer, CommandHandle, command_buffer};

/// Reads the description of an update in any layout, because they have the same fields.
macro_rules! decode {
    ($desc:ident, $point:expr, $kernel:expr) => {
        // SAFETY: the description's counts and lists belong together, by the contract of the C function.
        unsafe {
            decoded::<B>(
                $point,
                $kernel,
                (
                    slice($desc.numNewMemObjArgs as usize, $desc.pNewMemObjArgList, "pNewMemObjArgList"),
                    slice($desc.numNewPointerArgs as usize, $desc.pNewPointerArgList, "pNewPointerArgList"),
                    slice($desc.numNewValueArgs as usize, $desc.pNewValueArgList, "pNewValueArgList").map(
                        |args| {
                            args.iter()
                                .map(|arg| (arg.argIndex, arg.argSize as usize, arg.pNewValueArg))
                                .collect::<Vec<_>>()
                        },
                    ),
                ),
                (
                    $desc.newWorkDim,
                    $desc.pNewGlobalWorkOffset,
                    $desc.pNewGlobalWorkSize,
                    $desc.pNewLocalWorkSize,
                ),
            )
        }
    };
}

#[entry]
pub unsafe extern "C" fn urCommandBufferUpdateKernelLaunchExp<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, numKernelUpdates: u32,
    pUpdateKernelLaunch: *const ur_exp_command_buffer_update_kernel_launch_desc_t,
) -> Result<()> {
    // SAFETY: `hCommandBuffer` is null or a live handle.
    let buffer = unsafe { command_buffer::<B>(hCommandBuffer)? };
    address(pUpdateKernelLaunch, "pUpdateKernelLaunch")?;
    // SAFETY: `pUpdateKernelLaunch` is null or has `numKernelUpdates` entries.
    let list = unsafe { slice(numKernelUpdates as usize, pUpdateKernelLaunch, "pUpdateKernelLaunch")? };
    let updates: Vec<Update<'_, B>> = list
        .iter()
        .map(|desc| {
            // SAFETY: `desc.hCommand` is null or a live handle.
            let point = point_in(buffer, unsafe {
                counted::<CommandHandle>(desc.hCommand, "hCommand of an entry of pUpdateKernelLaunch")?
            })?;
            decode!(desc, point, desc.hNewKernel)
        })
        .collect::<Result<_>>()?;
    update(buffer, &updates)
}

#[entry]
pub unsafe extern "C" fn urCommandBufferUpdateKernelLaunchExp_until_2025_0<B: Backend>(
    hCommand: ur_exp_command_buffer_command_handle_t,
    pUpdateKernelLaunch: *const ur_exp_command_buffer_update_kernel_launch_desc_t_until_2025_0,
) -> Result<()> {
    // SAFETY: `hCommand` is null or a live handle.
    let command = unsafe { counted::<CommandHandle>(hCommand, "hCommand")? };
    // SAFETY: `pUpdateKernelLaunch` is null or what its type says.
    let desc = unsafe { value(pUpdateKernelLaunch, "pUpdateKernelLaunch")? };
    let update_of = decode!(desc, command.point, core::ptr::null_mut());
    // SAFETY: `command.buffer()` is null or a live handle.
    update(unsafe { command_buffer::<B>(command.buffer())? }, &[update_of?])
}

#[entry]
pub unsafe extern "C" fn urCommandBufferUpdateKernelLaunchExp_until_2025_1<B: Backend>(
    hCommand: ur_exp_command_buffer_command_handle_t,
    pUpdateKernelLaunch: *const ur_exp_command_buffer_update_kernel_launch_desc_t_until_2025_1,
) -> Result<()> {
    // SAFETY: `hCommand` is null or a live handle.
    let command = unsafe { counted::<CommandHandle>(hCommand, "hCommand")? };
    // SAFETY: `pUpdateKernelLaunch` is null or what its type says.
    let desc = unsafe { value(pUpdateKernelLaunch, "pUpdateKernelLaunch")? };
    let update_of = decode!(desc, command.point, desc.hNewKernel);
    // SAFETY: `command.buffer()` is null or a live handle.
    update(unsafe { command_buffer::<B>(command.buffer())? }, &[update_of?])
}

/// An update of a launch, with its list of arguments.
struct Update<'a, B: Backend> {
    point: SyncPoint,
    kernel: Option<&'a B::Kernel>,
    args: Vec<(u32, NewArg<'a, B>)>,
    range: Option<NdRange<'a>>,
}

/// Lists of new arguments: memory objects, addresses, and values as index, size and pointer.
type ArgLists<'a> = (
    Result<&'a [ur_exp_command_buffer_update_memobj_arg_desc_t]>,
    Result<&'a [ur_exp_command_buffer_update_pointer_arg_desc_t]>,
    Result<Vec<(u32, usize, *const c_void)>>,
);

/// # Safety
///
/// The pointers must be null or point to what they name.
unsafe fn decoded<'a, B: Backend>(
    point: SyncPoint, kernel: ur_kernel_handle_t, (mems, pointers, values): ArgLists<'a>,
    (dims, offset, global, local): (u32, *mut usize, *mut usize, *mut usize),
) -> Result<Update<'a, B>> {
    let mut args = Vec::new();
    // SAFETY: guaranteed by the caller.
    unsafe {
        for arg in mems? {
            let mem = object_or_null::<B::Mem>(arg.hNewMemObjArg, "hNewMemObjArg")?.map(|mem| &***mem);
            let access = arg.pProperties.as_ref().map(|properties| MemAccess(properties.memoryAccess));
            args.push((arg.argIndex, NewArg::Mem(access.filter(|access| access.0 != 0), mem)));
        }
        for arg in pointers? {
            // This points to the new address, whereas `urKernelSetArgPointer` takes the address itself.
            let pointer = arg.pNewPointerArg.cast::<*const c_void>();
            let pointer = if pointer.is_null() { core::ptr::null() } else { pointer.read_unaligned() };
            args.push((arg.argIndex, NewArg::Pointer(pointer)));
        }
        for (index, size, place) in values? {
            let local = Arg::Local(size);
            let arg = if place.is_null() { local } else { Arg::Value(bytes(size, place, "pNewValueArg")?) };
            args.push((index, NewArg::Plain(arg)));
        }
        let kernel = object_or_null::<B::Kernel>(kernel, "hNewKernel")?.map(|kernel| &***kernel);
        let range = if dims == 0 { None } else { Some(nd_range(dims, offset, global, local)?) };
        Ok(Update { point, kernel, args, range })
    }
}

/// Returns the sync point of a command, if it belongs to the command buffer.
fn point_in<B: Backend>(buffer: &Counted<CommandBuffer<B>>, command: &CommandHandle) -> Result<SyncPoint> {
    if command.buffer() == buffer.handle() {
        return Ok(command.point);
    }
    let text = "hCommand belongs to another command buffer than hCommandBuffer";
    Err(Error::new(ErrorCode::INVALID_COMMAND_BUFFER_KHR, text))
}

fn update<B: Backend>(buffer: &CommandBuffer<B>, updates: &[Update<'_, B>]) -> Result<()> {
    let updates: Vec<_> = updates
        .iter()
        .map(|Update { point, kernel, args, range }| LaunchUpdate {
            point: *point,
            kernel: *kernel,
            args,
            range: *range,
        })
        .collect();
    B::command_buffer_update(buffer.of_backend(), &updates)
}
