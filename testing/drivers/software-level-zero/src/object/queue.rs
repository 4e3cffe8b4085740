//! Command queues.

use std::sync::Arc;

use level_zero_sys::*;

use crate::caller::{desc, list as items, write};
use crate::complaints::complain_here;
use crate::entry::{Answer, driver_calls};
use crate::faults;
use crate::object::context::{Context, context};
use crate::object::device::{check_queue, device};
use crate::object::fence::{Fence, fence};
use crate::object::list::list;
use crate::object::table;
use crate::worker::{Job, Worker};

/// A queue.
pub(crate) struct Queue {
    worker: Worker,
    ordinal: u32,
    synchronous: bool,
    context: Arc<Context>,
}
table::object!(Queue, 4, "command queue");

impl Drop for Queue {
    fn drop(&mut self) {
        self.worker.stop();
    }
}

fn queue(handle: ze_command_queue_handle_t) -> Answer<Arc<Queue>> {
    table::get(handle.0)
}

driver_calls! {
    fn zeCommandQueueCreate(
        hContext: ze_context_handle_t,
        hDevice: ze_device_handle_t,
        from: *const ze_command_queue_desc_t,
        phCommandQueue: *mut ze_command_queue_handle_t,
    ) {
        let context = context(hContext)?;
        device(hDevice)?;
        faults::alive()?;
        let from = desc(from)?;
        check_queue(&from)?;
        let synchronous = from.mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
        let queue = Queue { worker: Worker::new(false)?, ordinal: from.ordinal, synchronous, context };
        write(phCommandQueue, ze_command_queue_handle_t(table::insert(queue)))
    }

    fn zeCommandQueueDestroy(hCommandQueue: ze_command_queue_handle_t) {
        table::remove::<Queue>(hCommandQueue.0)?.worker.stop();
        Ok(())
    }

    fn zeCommandQueueExecuteCommandLists(
        hCommandQueue: ze_command_queue_handle_t,
        numCommandLists: u32,
        phCommandLists: *mut ze_command_list_handle_t,
        hFence: ze_fence_handle_t,
    ) {
        let queue = queue(hCommandQueue)?;
        faults::alive()?;
        if numCommandLists == 0 {
            return Err(ZE_RESULT_ERROR_INVALID_SIZE);
        }
        let mut jobs = Vec::new();
        for handle in items(numCommandLists, phCommandLists)? {
            let list = list(*handle)?;
            if list.ordinal != queue.ordinal {
                complain_here("the list is for another queue group".to_owned());
                return Err(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
            }
            if !Arc::ptr_eq(&list.context, &queue.context) {
                complain_here("the list is of another context".to_owned());
                return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
            }
            jobs.push(list.job()?);
        }
        if !hFence.is_null() {
            jobs.push(Job::Fence(fence(hFence)?));
        }
        queue.worker.submit(jobs);
        if queue.synchronous { queue.worker.synchronize(u64::MAX) } else { Ok(()) }
    }

    fn zeCommandQueueSynchronize(hCommandQueue: ze_command_queue_handle_t, timeout: u64) {
        queue(hCommandQueue)?.worker.synchronize(timeout)
    }

    fn zeFenceCreate(
        hCommandQueue: ze_command_queue_handle_t,
        from: *const ze_fence_desc_t,
        phFence: *mut ze_fence_handle_t,
    ) {
        let fence = Fence::new(&desc(from)?, queue(hCommandQueue)?);
        write(phFence, ze_fence_handle_t(table::insert(fence)))
    }
}
