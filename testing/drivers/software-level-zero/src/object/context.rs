//! Contexts.

use std::sync::Arc;
use std::time::Instant;

use level_zero_sys::*;

use crate::caller::{desc, list, write};
use crate::complaints::complain_here;
use crate::entry::{Answer, driver_calls};
use crate::object::device::device;
use crate::object::{driver, table};
use crate::poll::GRACE;
use crate::{allocations, faults};

/// A context. Its children keep it alive.
pub(crate) struct Context {
    pub(crate) handle: usize,
}
table::object!(Context, 3, "context");

pub(crate) fn context(handle: ze_context_handle_t) -> Answer<Arc<Context>> {
    table::get(handle.0)
}

fn create(
    hDriver: ze_driver_handle_t,
    from: *const ze_context_desc_t,
    out: *mut ze_context_handle_t,
) -> Answer {
    driver::check(hDriver)?;
    desc(from)?;
    let (handle, _) = table::insert_with(|handle| Context { handle: handle.addr() });
    write(out, ze_context_handle_t(handle))
}

driver_calls! {
    fn zeContextCreate(
        hDriver: ze_driver_handle_t,
        from: *const ze_context_desc_t,
        phContext: *mut ze_context_handle_t,
    ) {
        create(hDriver, from, phContext)
    }

    fn zeContextCreateEx(
        hDriver: ze_driver_handle_t,
        from: *const ze_context_desc_t,
        numDevices: u32,
        phDevices: *mut ze_device_handle_t,
        phContext: *mut ze_context_handle_t,
    ) {
        for one in list(numDevices, phDevices)? {
            device(*one)?;
        }
        create(hDriver, from, phContext)
    }

    fn zeContextDestroy(hContext: ze_context_handle_t) {
        let context = table::remove::<Context>(hContext.0)?;
        // Objects that another thread has just finished using are released in a moment.
        let until = Instant::now() + GRACE;
        while Arc::strong_count(&context) > 1 && Instant::now() < until {
            std::thread::yield_now();
        }
        let objects = Arc::strong_count(&context) - 1;
        let allocations = allocations::of_context(context.handle);
        if objects + allocations > 0 {
            complain_here(format!("{objects} objects and {allocations} allocations of the context are still there"));
        }
        Ok(())
    }

    fn zeContextGetStatus(hContext: ze_context_handle_t) {
        context(hContext)?;
        faults::alive()
    }

    fn zeContextSystemBarrier(hContext: ze_context_handle_t, hDevice: ze_device_handle_t) {
        context(hContext)?;
        device(hDevice).map(drop)
    }
}
