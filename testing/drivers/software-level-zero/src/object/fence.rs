//! Fences.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use level_zero_sys::*;

use crate::complaints::complain_here;
use crate::entry::{Answer, driver_calls};
use crate::object::flag::{Flag, Waited};
use crate::object::table;
use crate::poll::GRACE;
use crate::worker::Submitted;
use crate::{clock, faults};

/// A fence.
pub(crate) struct Fence {
    flag: Flag,
    in_flight: AtomicBool,
    _queue: Arc<dyn Any + Send + Sync>,
}
table::object!(Fence, 6, "fence");

impl Submitted for Fence {
    fn enter(&self) {
        if self.flag.is_set() || self.in_flight.swap(true, Ordering::AcqRel) {
            complain_here("the fence was not reset since its last use".to_owned());
        }
    }

    fn leave(&self) {
        self.in_flight.store(false, Ordering::Release);
        self.flag.set();
    }
}

impl Fence {
    /// Creates a fence that keeps its queue alive.
    pub(crate) fn new(desc: &ze_fence_desc_t, queue: Arc<dyn Any + Send + Sync>) -> Self {
        let flag = Flag::new(desc.flags & ZE_FENCE_FLAG_SIGNALED != 0);
        Self { flag, in_flight: AtomicBool::new(false), _queue: queue }
    }

    /// Complains if the submission is not done. A client that saw its last event may call this slightly too early.
    fn idle(&self) {
        let until = Instant::now() + GRACE;
        while self.in_flight.load(Ordering::Acquire) && Instant::now() < until {
            std::thread::yield_now();
        }
        if self.in_flight.load(Ordering::Acquire) && !faults::lost() {
            complain_here("a submission still needs the fence".to_owned());
        }
    }
}

pub(crate) fn fence(handle: ze_fence_handle_t) -> Answer<Arc<Fence>> {
    table::get(handle.0)
}

driver_calls! {
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
