//! In-order queues with a single list.

use sycl_pi_backend::Result;

use super::strategy::{BarrierKind, BarrierWaits, EngineKind, MAIN, Placement, Strategy, pending};
use crate::driver::{CommandList, EventRef, LazyList};

/// A list, and the mechanism that keeps its commands in order.
pub(crate) struct InOrder {
    list: LazyList,
    last: Option<EventRef>,
    order: Order,
}

enum Order {
    /// Each command waits for the event of the one before it.
    Chained,
    /// The driver keeps the list in order.
    Drivers {
        /// The last command on a foreign list, which the order of this list does not cover.
        foreign: Option<EventRef>,
    },
}

impl InOrder {
    /// Creates the strategy for an unordered list.
    pub(crate) fn chained(list: LazyList) -> Self {
        Self { list, last: None, order: Order::Chained }
    }

    /// Creates the strategy for a list that the driver keeps in order.
    pub(crate) fn of_driver(list: LazyList) -> Self {
        Self { list, last: None, order: Order::Drivers { foreign: None } }
    }
}

impl Strategy for InOrder {
    fn place(&mut self, _: EngineKind, waits: &mut Vec<EventRef>) -> Placement {
        let behind = match &mut self.order {
            Order::Chained => {
                waits.extend(pending(&self.last).cloned());
                None
            }
            Order::Drivers { foreign } => {
                if pending(foreign).is_none() {
                    *foreign = None;
                }
                waits.extend(foreign.clone());
                self.last.as_ref()
            }
        };
        let host_dependent = waits.iter().chain(behind).any(|event| event.is_host_dependent());
        Placement { list: MAIN, host_dependent }
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
        if let Order::Drivers { foreign } = &mut self.order {
            *foreign = Some(event.clone());
        }
    }

    fn barrier(&self, _: BarrierKind) -> (EngineKind, BarrierWaits) {
        (EngineKind::Main, BarrierWaits::None)
    }

    fn barrier_appended(&mut self, _: &EventRef) {}

    fn chain(&self, _: Option<usize>) -> Option<usize> {
        Some(0)
    }

    fn idle(&mut self) {
        self.last = None;
        if let Order::Drivers { foreign } = &mut self.order {
            *foreign = None;
        }
    }

    fn destroy(&mut self) {
        self.list.destroy();
    }
}
