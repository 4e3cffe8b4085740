//! Launches. Layouts from 2026.1.1 on receive a kernel's arguments with the launch, as their runtimes pass them; in
//! earlier layouts a separate call sets each argument.

use std::collections::{BTreeMap, HashMap};
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::{LazyLock, Mutex, PoisonError};

use sycl_pi_core::*;
use sycl_pi_host_process::inside;
use sycl_ur_core::*;

use crate::Layout;

use super::Bridge;
use super::stubs::stubs;

/// An argument that was set and is passed with each launch.
#[derive(Clone, Debug)]
pub(super) enum KeptArgument {
    Value(Vec<u8>),
    Local(usize),
    Pointer(usize),
    Mem(usize, ur_mem_flags_t),
    Sampler(usize),
}

type Kept = HashMap<usize, BTreeMap<u32, KeptArgument>>;

static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);

/// Runs `work` with the stored arguments. A fork in another thread waits for the lock, so that the child finds it free.
fn with_kept<T: Default>(work: impl FnOnce(&mut Kept) -> T) -> T {
    let locked = || work(&mut KEPT.lock().unwrap_or_else(PoisonError::into_inner));
    // The adapter refuses the calls of a child for which the lock may be held.
    inside(locked, T::default)
}

/// Returns whether the layout's runtimes pass the arguments with the launch.
pub(super) fn with_arguments(layout: Layout) -> bool {
    layout >= Layout::V2026_1_1
}

/// Stores an argument for the kernel's launches.
pub(super) fn keep(kernel: pi_kernel, index: u32, argument: KeptArgument) {
    with_kept(|kept| {
        kept.entry(kernel as usize).or_default().insert(index, argument);
    });
}

/// Clears the arguments of a new kernel, because another kernel may have had the same address.
pub(super) fn forget(kernel: pi_kernel) {
    with_kept(|kept| {
        kept.remove(&(kernel as usize));
    });
}

/// Returns the first device of the kernel's context.
///
/// # Safety
/// The kernel is null or a live handle of this adapter.
pub(super) unsafe fn device_of_kernel(
    ur: &Bridge,
    kernel: ur_kernel_handle_t,
) -> Result<ur_device_handle_t, ur_result_t> {
    let mut context: ur_context_handle_t = null_mut();
    let mut devices: [ur_device_handle_t; 64] = [null_mut(); 64];
    // SAFETY: the caller's kernel, and valid places.
    unsafe {
        let place = (&raw mut context).cast();
        let result = ur.calls.urKernelGetInfo(kernel, UR_KERNEL_INFO_CONTEXT, 8, place, null_mut());
        if result != UR_RESULT_SUCCESS {
            return Err(result);
        }
        let (size, place) = (size_of_val(&devices), devices.as_mut_ptr().cast());
        let result = ur.calls.urContextGetInfo(context, UR_CONTEXT_INFO_DEVICES, size, place, null_mut());
        if result == UR_RESULT_SUCCESS { Ok(devices[0]) } else { Err(result) }
    }
}

fn argument(index: u32, argument: &KeptArgument) -> ur_exp_kernel_arg_properties_t {
    let (kind, size, value) = match argument {
        KeptArgument::Value(bytes) => {
            let value = ur_exp_kernel_arg_value_t { value: bytes.as_ptr().cast() };
            (UR_EXP_KERNEL_ARG_TYPE_VALUE, bytes.len(), value)
        }
        KeptArgument::Local(size) => {
            (UR_EXP_KERNEL_ARG_TYPE_LOCAL, *size, ur_exp_kernel_arg_value_t { value: null() })
        }
        KeptArgument::Pointer(pointer) => {
            let value = ur_exp_kernel_arg_value_t { pointer: *pointer as *const c_void };
            (UR_EXP_KERNEL_ARG_TYPE_POINTER, size_of::<usize>(), value)
        }
        KeptArgument::Mem(mem, flags) => {
            let tuple = ur_exp_kernel_arg_mem_obj_tuple_t { hMem: *mem as ur_mem_handle_t, flags: *flags };
            let value = ur_exp_kernel_arg_value_t { memObjTuple: tuple };
            (UR_EXP_KERNEL_ARG_TYPE_MEM_OBJ, size_of::<usize>(), value)
        }
        KeptArgument::Sampler(sampler) => {
            let value = ur_exp_kernel_arg_value_t { sampler: *sampler as ur_sampler_handle_t };
            (UR_EXP_KERNEL_ARG_TYPE_SAMPLER, size_of::<usize>(), value)
        }
    };
    ur_exp_kernel_arg_properties_t {
        stype: UR_STRUCTURE_TYPE_EXP_KERNEL_ARG_PROPERTIES,
        pNext: null_mut(),
        type_: kind,
        index,
        size,
        value,
    }
}

/// A kernel's kept arguments, copied so that they stay where they are.
pub(super) struct KeptArguments {
    kept: Vec<(u32, KeptArgument)>,
    /// The list that UR takes.
    pub(super) list: Vec<ur_exp_kernel_arg_properties_t>,
}

/// Sets a kernel's stored arguments one by one, because a launch in a command buffer takes none before 2026.2.
///
/// # Safety
/// The caller vouches for the kernel and its arguments.
pub(super) unsafe fn set_kept(ur: &Bridge, kernel: pi_kernel) -> ur_result_t {
    let (calls, handle) = (&ur.calls, kernel.cast());
    for (index, argument) in arguments_of(kernel).kept {
        // SAFETY: the caller vouches for the arguments.
        let result = unsafe {
            match argument {
                KeptArgument::Value(bytes) => {
                    calls.urKernelSetArgValue(handle, index, bytes.len(), null(), bytes.as_ptr().cast())
                }
                KeptArgument::Local(size) => calls.urKernelSetArgLocal(handle, index, size, null()),
                KeptArgument::Pointer(pointer) => {
                    calls.urKernelSetArgPointer(handle, index, null(), pointer as *const c_void)
                }
                KeptArgument::Mem(mem, _) => {
                    calls.urKernelSetArgMemObj(handle, index, null(), mem as ur_mem_handle_t)
                }
                KeptArgument::Sampler(sampler) => {
                    calls.urKernelSetArgSampler(handle, index, null(), sampler as ur_sampler_handle_t)
                }
            }
        };
        if result != UR_RESULT_SUCCESS {
            return result;
        }
    }
    UR_RESULT_SUCCESS
}

/// Returns the arguments of a kernel.
pub(super) fn arguments_of(kernel: pi_kernel) -> KeptArguments {
    let kept = with_kept(|kept| kept.get(&(kernel as usize)).cloned()).unwrap_or_default();
    let kept: Vec<_> = kept.into_iter().collect();
    let list = kept.iter().map(|(index, kept)| argument(*index, kept)).collect();
    KeptArguments { kept, list }
}

/// The parameters of a launch other than its arguments.
struct Range {
    dimensions: u32,
    offset: *const usize,
    global: *const usize,
    local: *const usize,
    count: u32,
    events: *const ur_event_handle_t,
    event: *mut ur_event_handle_t,
}

/// # Safety
/// The caller vouches for all arguments.
unsafe fn launch(
    ur: &Bridge,
    queue: pi_queue,
    kernel: pi_kernel,
    range: Range,
    cooperative: bool,
) -> ur_result_t {
    let (queue, handle) = (queue.cast(), kernel.cast());
    let Range { dimensions, offset, global, local, count, events, event } = range;
    let extra = ur_kernel_launch_ext_properties_t {
        stype: UR_STRUCTURE_TYPE_KERNEL_LAUNCH_EXT_PROPERTIES,
        pNext: null_mut(),
        flags: UR_KERNEL_LAUNCH_FLAG_COOPERATIVE,
    };
    let extra = if cooperative { &raw const extra } else { null() };
    let calls = &ur.calls;
    // SAFETY: the caller vouches for the arguments; the structures are complete.
    unsafe {
        match ur.layout() {
            Layout::V2025_0 | Layout::V2025_1 | Layout::V2025_2 if cooperative => calls
                .urEnqueueCooperativeKernelLaunchExp(
                    queue, handle, dimensions, offset, global, local, count, events, event,
                ),
            Layout::V2025_0 | Layout::V2025_1 | Layout::V2025_2 => calls.urEnqueueKernelLaunch_until_2025_2(
                queue, handle, dimensions, offset, global, local, count, events, event,
            ),
            Layout::V2025_3 => {
                let property = ur_kernel_launch_property_t {
                    id: UR_KERNEL_LAUNCH_PROPERTY_ID_COOPERATIVE,
                    value: ur_kernel_launch_property_value_t { cooperative: 1 },
                };
                let (length, list) = if cooperative { (1, &raw const property) } else { (0, null()) };
                calls.urEnqueueKernelLaunch_until_2025_3(
                    queue, handle, dimensions, offset, global, local, length, list, count, events, event,
                )
            }
            layout if with_arguments(layout) => {
                let arguments = arguments_of(kernel);
                let (length, list) = (arguments.list.len() as u32, arguments.list.as_ptr());
                let list = if length == 0 { null() } else { list };
                calls.urEnqueueKernelLaunchWithArgsExp(
                    queue, handle, dimensions, offset, global, local, length, list, extra, count, events,
                    event,
                )
            }
            _ => calls.urEnqueueKernelLaunch(
                queue, handle, dimensions, offset, global, local, extra, count, events, event,
            ),
        }
    }
}

stubs! { ur;
    fn piEnqueueKernelLaunch(queue: pi_queue, kernel: pi_kernel, work_dim: pi_uint32, global_work_offset: *const usize, global_work_size: *const usize, local_work_size: *const usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event)
        [queue PI_ERROR_INVALID_QUEUE, kernel PI_ERROR_INVALID_KERNEL]
    {
        let range = Range {
            dimensions: work_dim, offset: global_work_offset, global: global_work_size, local: local_work_size,
            count: num_events_in_wait_list, events: event_wait_list.cast(), event: event.cast(),
        };
        launch(ur, queue, kernel, range, false)
    }
    fn piextEnqueueCooperativeKernelLaunch(queue: pi_queue, kernel: pi_kernel, work_dim: pi_uint32, global_work_offset: *const usize, global_work_size: *const usize, local_work_size: *const usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event)
        [queue PI_ERROR_INVALID_QUEUE, kernel PI_ERROR_INVALID_KERNEL]
    {
        let range = Range {
            dimensions: work_dim, offset: global_work_offset, global: global_work_size, local: local_work_size,
            count: num_events_in_wait_list, events: event_wait_list.cast(), event: event.cast(),
        };
        launch(ur, queue, kernel, range, true)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use super::*;

    /// Forks `count` children that store an argument. Returns how many did not end within a second.
    fn children_that_hang(count: usize) -> usize {
        let hangs = |_: &usize| {
            // SAFETY: the child calls what is tested, and ends without handlers.
            let child = unsafe { libc::fork() };
            if child == 0 {
                // SAFETY: the alarm ends a child that waits for a lock.
                unsafe { libc::alarm(1) };
                keep(null_mut(), 0, KeptArgument::Local(4));
                // SAFETY: no handler runs.
                unsafe { libc::_exit(0) };
            }
            let mut status = -1;
            // SAFETY: the process's own child, and a valid place.
            unsafe { libc::waitpid(child, &mut status, 0) };
            status != 0
        };
        (0..count).filter(hangs).count()
    }

    #[test]
    fn a_forked_child_finds_the_lock_free() {
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            for index in 0..4 {
                let stop = &stop;
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        keep(null_mut(), index, KeptArgument::Value(vec![0; 64]));
                    }
                });
            }
            let hung = children_that_hang(50);
            stop.store(true, Ordering::Relaxed);
            assert_eq!(hung, 0);
        });
    }
}
