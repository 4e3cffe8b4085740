//! Launches.

use std::sync::Arc;

use level_zero_sys::*;

use crate::caller::{list as items, read};
use crate::command::{Place, Work};
use crate::complaints::complain_here;
use crate::entry::{Answer, driver_calls};
use crate::object::kernel::kernel;
use crate::object::list::{List, Sync, list};

/// Returns a list on which kernels may be launched.
fn compute_list(handle: ze_command_list_handle_t) -> Answer<Arc<List>> {
    let list = list(handle)?;
    if list.group()?.flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE == 0 {
        complain_here("a kernel on a copy engine".to_owned());
        return Err(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
    }
    Ok(list)
}

fn launch(
    list: ze_command_list_handle_t,
    kernel_handle: ze_kernel_handle_t,
    groups: *const ze_group_count_t,
    sync: Sync,
) -> Answer {
    let list = compute_list(list)?;
    let launch = kernel(kernel_handle)?.launch()?;
    let groups = read(groups)?;
    let groups = [groups.groupCountX, groups.groupCountY, groups.groupCountZ];
    if groups.contains(&0) {
        complain_here("a group count is 0".to_owned());
    }
    list.append(sync, Work::Launch { launch, groups })
}

driver_calls! {
    fn zeCommandListAppendLaunchKernel(
        hCommandList: ze_command_list_handle_t,
        hKernel: ze_kernel_handle_t,
        pLaunchFuncArgs: *const ze_group_count_t,
        signal: ze_event_handle_t,
        count: u32,
        waits: *mut ze_event_handle_t,
    ) {
        launch(hCommandList, hKernel, pLaunchFuncArgs, Sync { signal, count, waits })
    }

    fn zeCommandListAppendLaunchCooperativeKernel(
        hCommandList: ze_command_list_handle_t,
        hKernel: ze_kernel_handle_t,
        pLaunchFuncArgs: *const ze_group_count_t,
        signal: ze_event_handle_t,
        count: u32,
        waits: *mut ze_event_handle_t,
    ) {
        launch(hCommandList, hKernel, pLaunchFuncArgs, Sync { signal, count, waits })
    }

    fn zeCommandListAppendLaunchKernelIndirect(
        hCommandList: ze_command_list_handle_t,
        hKernel: ze_kernel_handle_t,
        pLaunchArgumentsBuffer: *const ze_group_count_t,
        signal: ze_event_handle_t,
        count: u32,
        waits: *mut ze_event_handle_t,
    ) {
        let list = compute_list(hCommandList)?;
        let launches = vec![kernel(hKernel)?.launch()?];
        let groups = Place::new(pLaunchArgumentsBuffer.expose_provenance());
        list.append(Sync { signal, count, waits }, Work::LaunchIndirect { launches, count: None, groups })
    }

    fn zeCommandListAppendLaunchMultipleKernelsIndirect(
        hCommandList: ze_command_list_handle_t,
        numKernels: u32,
        phKernels: *mut ze_kernel_handle_t,
        pCountBuffer: *const u32,
        pLaunchArgumentsBuffer: *const ze_group_count_t,
        signal: ze_event_handle_t,
        numWaits: u32,
        waits: *mut ze_event_handle_t,
    ) {
        let list = compute_list(hCommandList)?;
        let launches = items(numKernels, phKernels)?
            .iter()
            .map(|handle| kernel(*handle)?.launch())
            .collect::<Answer<Vec<_>>>()?;
        let count = Some(Place::new(pCountBuffer.expose_provenance()));
        let groups = Place::new(pLaunchArgumentsBuffer.expose_provenance());
        let sync = Sync { signal, count: numWaits, waits };
        list.append(sync, Work::LaunchIndirect { launches, count, groups })
    }
}
