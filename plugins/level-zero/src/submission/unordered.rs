//! Out-of-order queues with unordered lists, for drivers before version 1.7 of the specification. Each has one list,
//! and another one for copies if the device has a copy engine. The only order comes from wait lists and barriers.

use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result};

use super::strategy::{BarrierKind, BarrierWaits, EngineKind, MAIN, Placement, Strategy, pending};
use crate::driver::{CommandList, EventRef, LazyList};

const COPY: usize = 1;

/// One unordered list, and one for copies.
pub(crate) struct Unordered {
    main: LazyList,
    copy: Option<LazyList>,
    /// The last barrier, which later commands come after. On the main list, the driver ensures this.
    last_barrier: Option<EventRef>,
}

impl Unordered {
    pub(crate) fn new(main: LazyList, copy: Option<LazyList>) -> Self {
        Self { main, copy, last_barrier: None }
    }
}

impl Strategy for Unordered {
    fn place(&mut self, engine: EngineKind, waits: &mut Vec<EventRef>) -> Placement {
        let barrier = pending(&self.last_barrier);
        let host_dependent = waits.iter().chain(barrier).any(|event| event.is_host_dependent());
        if engine != EngineKind::Copy || self.copy.is_none() {
            return Placement { list: MAIN, host_dependent };
        }
        waits.extend(barrier.cloned());
        Placement { list: COPY, host_dependent }
    }

    fn list(&mut self, list: usize) -> Result<&mut CommandList> {
        if list == MAIN {
            return self.main.get();
        }
        let no_list = || Error::new(ErrorCode::INVALID_QUEUE, "the queue has no list for copies");
        self.copy.as_mut().ok_or_else(no_list)?.get()
    }

    fn appended(&mut self, _: usize, _: &EventRef) {}

    fn before_foreign_list(&self) -> Option<&EventRef> {
        pending(&self.last_barrier)
    }

    fn appended_to_foreign_list(&mut self, _: &EventRef) {}

    fn barrier(&self, _: BarrierKind) -> (EngineKind, BarrierWaits) {
        (EngineKind::Main, BarrierWaits::OtherLists)
    }

    fn barrier_appended(&mut self, event: &EventRef) {
        self.last_barrier = Some(event.clone());
    }

    fn chain(&self, _: Option<usize>) -> Option<usize> {
        None
    }

    fn idle(&mut self) {
        self.last_barrier = None;
    }

    fn destroy(&mut self) {
        self.main.destroy();
        self.copy.iter_mut().for_each(LazyList::destroy);
    }
}
