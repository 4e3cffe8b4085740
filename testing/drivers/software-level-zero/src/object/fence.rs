//! Fences.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use level_zero_sys::*;

use crate::caller::{desc, write};
use crate::entry::{Answer, driver_calls};
use crate::object::flag::{Flag, Waited};
use crate::object::queue::{Queue, queue};
use crate::object::table;
use crate::report::complain_here;
use crate::worker::GRACE;
use crate::{clock, faults};

/// A fence.
pub(crate) struct Fence {
    flag: Flag,
    in_flight: AtomicBool,
    _queue: Arc<Queue>,
}
table::object!(Fence, 6, "fence");

impl Fence {
    /// Given to a submission.
    pub(crate) fn enter(&self) {
        if self.flag.is_set() || self.in_flight.swap(true, Ordering::AcqRel) {
            complain_here("the fence was not reset since its last use".to_owned());
        }
    }

    /// A complaint where the submission is not done. A client that saw its last event may be here a little early.
    fn idle(&self) {
        let until = Instant::now() + GRACE;
        while self.in_flight.load(Ordering::Acquire) && Instant::now() < until {
            std::thread::yield_now();
        }
        if self.in_flight.load(Ordering::Acquire) && !faults::lost() {
            complain_here("a submission still needs the fence".to_owned());
        }
    }

    /// The submission is done.
    pub(crate) fn signal(&self) {
        self.in_flight.store(false, Ordering::Release);
        self.flag.set();
    }
}

pub(crate) fn fence(handle: ze_fence_handle_t) -> Answer<Arc<Fence>> {
    table::get(handle.0)
}

driver_calls! {
    fn zeFenceCreate(
        hCommandQueue: ze_command_queue_handle_t,
        from: *const ze_fence_desc_t,
        phFence: *mut ze_fence_handle_t,
    ) {
        let queue = queue(hCommandQueue)?;
        let flag = Flag::new(desc(from)?.flags & ZE_FENCE_FLAG_SIGNALED != 0);
        let fence = Fence { flag, in_flight: AtomicBool::new(false), _queue: queue };
        write(phFence, ze_fence_handle_t(table::insert(fence)))
    }

    fn zeFenceDestroy(hFence: ze_fence_handle_t) {
        table::remove::<Fence>(hFence.0)?.idle();
        Ok(())
    }

    fn zeFenceHostSynchronize(hFence: ze_fence_handle_t, timeout: u64) {
        match fence(hFence)?.flag.wait(clock::deadline(timeout), faults::lost) {
            Waited::Set => Ok(()),
            Waited::TimedOut => Err(ZE_RESULT_NOT_READY),
            Waited::GaveUp => Err(ZE_RESULT_ERROR_DEVICE_LOST),
        }
    }

    fn zeFenceQueryStatus(hFence: ze_fence_handle_t) {
        if fence(hFence)?.flag.is_set() {
            return Ok(());
        }
        faults::alive()?;
        Err(ZE_RESULT_NOT_READY)
    }

    fn zeFenceReset(hFence: ze_fence_handle_t) {
        let fence = fence(hFence)?;
        fence.idle();
        fence.flag.reset();
        Ok(())
    }
}
