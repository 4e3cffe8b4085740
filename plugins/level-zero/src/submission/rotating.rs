//! Out-of-order queues with several lists, each kept in order by the driver. Commands are distributed in rotation.
//!
//! A command that depends on an earlier one of the same list needs no event to wait for. If a command is complete, the
//! commands before it on its list are complete too. Commands that depend on the host have an unordered list, so that
//! they cannot block other commands.

use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result};

use super::strategy::{BarrierKind, BarrierWaits, EngineKind, MAIN, Placement, Strategy, pending};
use crate::driver::{CommandList, EngineDesc, EventRef, LazyList, is_same};

/// The maximum number of lists for kernels.
const MOST_LISTS: usize = 4;
/// The list for copies.
const COPY: usize = MOST_LISTS;
/// The list for commands that depend on the host. It is the only unordered one.
const HOST_DEPENDENT: usize = MOST_LISTS + 1;

/// Several in-order lists for kernels, one for copies, and one for commands that depend on the host.
pub(crate) struct Rotating {
    /// Lists for kernels. The first one is the main list.
    kernels: Vec<OrderedList>,
    copy: Option<OrderedList>,
    host_dependent: LazyList,
    /// The last barrier, which later commands come after.
    last_barrier: Option<EventRef>,
    /// The list for kernels that was used last.
    current: usize,
}

struct OrderedList {
    list: LazyList,
    /// The last command, until it is released.
    last: Option<EventRef>,
    /// Whether a command of the list waits for the queue's last barrier, so that all later ones come after it too.
    is_behind_barrier: bool,
}

impl OrderedList {
    fn new(engine: EngineDesc) -> Self {
        Self { list: LazyList::new(engine), last: None, is_behind_barrier: false }
    }

    fn ends_with(&self, event: &EventRef) -> bool {
        self.last.as_ref().is_some_and(|last| is_same(event, last))
    }
}

impl Rotating {
    /// `sub_slices` is the number of parts of the device that can each work on a separate kernel. More lists than that
    /// have no benefit, and each has overhead in the driver. It is 0 if the driver does not report it.
    pub(crate) fn new(engine: EngineDesc, copy: Option<EngineDesc>, sub_slices: u32) -> Self {
        let lists = if sub_slices == 0 { MOST_LISTS } else { MOST_LISTS.min(sub_slices as usize) };
        Self {
            kernels: (0..lists).map(|_| OrderedList::new(engine)).collect(),
            copy: copy.map(OrderedList::new),
            host_dependent: LazyList::new(EngineDesc { in_order: false, ..engine }),
            last_barrier: None,
            current: MAIN,
        }
    }

    fn ordered(&self, list: usize) -> Option<&OrderedList> {
        if list == COPY { self.copy.as_ref() } else { self.kernels.get(list) }
    }

    fn ordered_mut(&mut self, list: usize) -> Option<&mut OrderedList> {
        if list == COPY { self.copy.as_mut() } else { self.kernels.get_mut(list) }
    }

    /// Returns the list whose last command the next one waits for, or else an idle list, or else the next in turn.
    fn next_list(&mut self, waits: &[EventRef]) -> usize {
        let is_awaited = |list: &OrderedList| waits.iter().any(|event| list.ends_with(event));
        if !waits.is_empty()
            && let Some(list) = self.kernels.iter().position(is_awaited)
        {
            return list;
        }
        let is_idle = |list: &OrderedList| pending(&list.last).is_none();
        self.kernels.iter().position(is_idle).unwrap_or_else(|| {
            self.current = (self.current + 1) % self.kernels.len();
            self.current
        })
    }
}

impl Strategy for Rotating {
    fn place(&mut self, engine: EngineKind, waits: &mut Vec<EventRef>) -> Placement {
        let barrier = pending(&self.last_barrier).cloned();
        let host_dependent = waits.iter().chain(&barrier).any(|event| event.is_host_dependent());
        let list = match engine {
            EngineKind::Main => MAIN,
            _ if host_dependent => HOST_DEPENDENT,
            EngineKind::Copy if self.copy.is_some() => COPY,
            EngineKind::Compute | EngineKind::Copy => self.next_list(waits),
        };
        let is_behind_barrier = self.ordered(list).is_some_and(|list| list.is_behind_barrier);
        waits.extend(barrier.filter(|_| !is_behind_barrier));
        Placement { list, host_dependent }
    }

    fn is_implied(&self, list: usize, event: &EventRef) -> bool {
        self.ordered(list).is_some_and(|list| list.ends_with(event))
    }

    fn list(&mut self, list: usize) -> Result<&mut CommandList> {
        if list == HOST_DEPENDENT {
            return self.host_dependent.get();
        }
        let no_list = || Error::new(ErrorCode::INVALID_QUEUE, "the queue has no such command list");
        self.ordered_mut(list).ok_or_else(no_list)?.list.get()
    }

    fn appended(&mut self, list: usize, event: &EventRef) {
        if let Some(list) = self.ordered_mut(list) {
            list.last = Some(event.clone());
            list.is_behind_barrier = true;
        }
    }

    fn before_foreign_list(&self) -> Option<&EventRef> {
        pending(&self.last_barrier)
    }

    fn appended_to_foreign_list(&mut self, _: &EventRef) {}

    fn barrier(&self, kind: BarrierKind) -> (EngineKind, BarrierWaits) {
        match kind {
            BarrierKind::Barrier => (EngineKind::Main, BarrierWaits::OtherLists),
            // A marker may wait on any list.
            BarrierKind::Marker => (EngineKind::Compute, BarrierWaits::AllLists),
        }
    }

    fn barrier_appended(&mut self, event: &EventRef) {
        self.last_barrier = Some(event.clone());
        for (number, list) in self.kernels.iter_mut().enumerate() {
            list.is_behind_barrier = number == MAIN;
        }
        if let Some(copy) = &mut self.copy {
            copy.is_behind_barrier = false;
        }
    }

    fn chain(&self, list: Option<usize>) -> Option<usize> {
        list.filter(|list| *list != HOST_DEPENDENT)
    }

    fn most_host_waits(&self) -> usize {
        2
    }

    fn released(&mut self, list: usize, event: &EventRef) {
        if let Some(list) = self.ordered_mut(list)
            && list.ends_with(event)
        {
            list.last = None;
        }
    }

    fn idle(&mut self) {
        self.last_barrier = None;
    }

    fn destroy(&mut self) {
        self.kernels.iter_mut().chain(&mut self.copy).for_each(|list| list.list.destroy());
        self.host_dependent.destroy();
    }
}
