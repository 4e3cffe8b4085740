//! Events that commands signal again, and their names for other processes. The backends' own tests open such an event
//! in a second process.

use std::ptr::{null, null_mut};

use sycl_ur_core::*;

use super::features::need;
use super::handles::calls;
use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{Verdict, check, same, same_code};
use crate::values::UrResult;

pub(super) const CASES: &[Case] = &[case("UR-62", "urEventCreateExp", reusable)];

/// A barrier signals it instead of a new event. It has a name if it is for other processes.
fn reusable(f: &Env) -> Verdict {
    need(f, "urEventCreateExp")?;
    let shares = need(f, "urIPCGetEventHandleExp").is_ok();
    let (calls, context, device, queue) =
        (calls(f)?, f.context()?.cast(), f.device.cast(), f.queue()?.cast());
    let create = |flags, place: &mut ur_event_handle_t| {
        let desc = ur_exp_event_desc_t { stype: UR_STRUCTURE_TYPE_EXP_EVENT_DESC, pNext: null(), flags };
        // SAFETY: live handles, and room for the event.
        unsafe { calls.urEventCreateExp(context, device, &desc, place) }
    };
    let mut event = null_mut();
    same_code("an unknown flag", UR_RESULT_ERROR_INVALID_ENUMERATION, create(1 << 31, &mut event))?;
    let both = UR_EXP_EVENT_FLAG_IPC_EXP | UR_EXP_EVENT_FLAG_ENABLE_PROFILING;
    same_code("times of a shared event", UR_RESULT_ERROR_INVALID_VALUE, create(both, &mut event))?;
    let flags = if shares { UR_EXP_EVENT_FLAG_IPC_EXP } else { 0 };
    same_code("urEventCreateExp", UR_RESULT_SUCCESS, create(flags, &mut event))?;
    let (mut name, mut size) = (null_mut(), 0);
    // SAFETY: live handles, room for the results, and each object is released once.
    unsafe {
        same_code("a wait before any signal", UR_RESULT_SUCCESS, calls.urEventWait(1, &event))?;
        for _ in 0..2 {
            let mut place = event;
            let code = calls.urEnqueueEventsWaitWithBarrierExt(queue, null(), 0, null(), &mut place);
            same(
                "code and event of the barrier",
                (UrResult(UR_RESULT_SUCCESS), event),
                (UrResult(code), place),
            )?;
            same_code("urEventWait", UR_RESULT_SUCCESS, calls.urEventWait(1, &event))?;
        }
        if shares {
            let code = calls.urIPCGetEventHandleExp(event, &mut name, &mut size);
            same_code("urIPCGetEventHandleExp", UR_RESULT_SUCCESS, code)?;
            check("a name", !name.is_null() && size > 0, "bytes", size)?;
            let mut opened = null_mut();
            let code = calls.urIPCOpenEventHandleExp(context, name, size - 1, &mut opened);
            same_code("a byte less", UR_RESULT_ERROR_INVALID_VALUE, code)?;
            let put = || calls.urIPCPutEventHandleExp(context, name);
            same_code("urIPCPutEventHandleExp", UR_RESULT_SUCCESS, put())?;
            same_code("the second time", UR_RESULT_ERROR_INVALID_VALUE, put())?;
        }
        same_code("urEventRelease", UR_RESULT_SUCCESS, calls.urEventRelease(event))
    }
}
