//! In-order queues on lists without an order: each command waits for the event of the one before it.

use sycl_pi_backend::Result;

use super::strategy::{BarrierWaits, EngineKind, MAIN, Placement, Strategy, pending};
use crate::driver::{CommandList, EventRef, LazyList};

/// One list; the order is in the wait lists.
pub(crate) struct Chained {
    list: LazyList,
    last: Option<EventRef>,
}

impl Chained {
    pub(crate) fn new(list: LazyList) -> Self {
        Self { list, last: None }
    }
}

impl Strategy for Chained {
    fn place(&mut self, _: EngineKind, waits: &mut Vec<EventRef>) -> Placement {
        waits.extend(pending(&self.last).cloned());
        Placement { list: MAIN, host_dependent: waits.iter().any(|event| event.is_host_dependent()) }
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
    }

    fn barrier(&self, _: bool) -> (EngineKind, BarrierWaits) {
        (EngineKind::Main, BarrierWaits::None)
    }

    fn barrier_appended(&mut self, _: &EventRef) {}

    fn chain(&self, _: Option<usize>) -> Option<usize> {
        Some(0)
    }

    fn idle(&mut self) {
        self.last = None;
    }

    fn destroy(&mut self) {
        self.list.destroy();
    }
}
