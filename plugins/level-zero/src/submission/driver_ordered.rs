//! In-order queues on a list that the driver keeps in order.

use sycl_pi_backend::Result;

use super::strategy::{BarrierWaits, EngineKind, MAIN, Placement, Strategy, pending};
use crate::driver::{CommandList, EventRef, LazyList};

/// One list in order.
pub(crate) struct DriverOrdered {
    list: LazyList,
    last: Option<EventRef>,
    /// The last command on a foreign list, which the order of this list does not cover.
    foreign: Option<EventRef>,
}

impl DriverOrdered {
    pub(crate) fn new(list: LazyList) -> Self {
        Self { list, last: None, foreign: None }
    }
}

impl Strategy for DriverOrdered {
    fn place(&mut self, _: EngineKind, waits: &mut Vec<EventRef>) -> Placement {
        if pending(&self.foreign).is_none() {
            self.foreign = None;
        }
        waits.extend(self.foreign.clone());
        let behind = waits.iter().chain(&self.last);
        Placement { list: MAIN, host_dependent: behind.into_iter().any(|event| event.is_host_dependent()) }
    }

    fn list(&mut self, _: usize) -> Result<&mut CommandList> {
        self.list.get()
    }

    fn appended(&mut self, _: usize, event: &EventRef) {
        self.last = Some(event.clone());
    }

    fn before_foreign_list(&self) -> Option<&EventRef> {
        pending(&self.last)
    }

    fn appended_to_foreign_list(&mut self, event: &EventRef) {
        self.last = Some(event.clone());
        self.foreign = Some(event.clone());
    }

    fn barrier(&self, _: bool) -> (EngineKind, BarrierWaits) {
        (EngineKind::Main, BarrierWaits::None)
    }

    fn barrier_appended(&mut self, _: &EventRef) {}

    fn chain(&self, _: Option<usize>) -> Option<usize> {
        Some(0)
    }

    fn idle(&mut self) {
        (self.last, self.foreign) = (None, None);
    }

    fn destroy(&mut self) {
        self.list.destroy();
    }
}
