//! What programs work on: contexts with devices, queues, places in memory, and what the driver has.

/// Bytes of a place: 8 rows of 16. Commands by rows touch the first 8 bytes of each.
pub(crate) const PLACE: usize = 128;
/// From one row to the next.
pub(crate) const PITCH: usize = 16;
/// Bytes and number of the rows.
pub(crate) const ROW: usize = 8;

/// The memory that a place is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    Buffer,
    /// USM of a device of the context.
    Device(usize),
    /// USM that the host and a device share.
    Shared(usize),
    Host,
}

/// A place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) context: usize,
    pub(crate) memory: Memory,
}

/// A queue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueShape {
    pub(crate) context: usize,
    pub(crate) device: usize,
    pub(crate) in_order: bool,
}

/// What may be asked of the driver.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Can {
    /// A blocking write is complete when its call returns. OpenCL promises only that the caller's memory is free again, and
    /// Intel's CPU runtime does a short write later.
    pub(crate) blocking_writes_complete: bool,
    /// A marker with a list is behind the queue's barriers too. Those of Intel's CPU runtime are behind their list alone, and so are
    /// prefetches, for which OpenCL has a marker.
    pub(crate) markers_heed_barriers: bool,
    /// Copies of rows of USM.
    pub(crate) rows: bool,
    pub(crate) native_events: bool,
    /// Events that the caller completes.
    pub(crate) user_events: bool,
    pub(crate) command_buffers: bool,
    /// Reads, writes and fills in a command buffer.
    pub(crate) recorded_transfers: bool,
    pub(crate) recorded_fills: bool,
    /// Changes of recorded launches.
    pub(crate) updates: bool,
}

/// All of it. Numbers of contexts, queues and places are indices into these lists.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// How many devices each context has.
    pub(crate) contexts: Vec<usize>,
    pub(crate) queues: Vec<QueueShape>,
    pub(crate) places: Vec<Place>,
    pub(crate) can: Can,
}

impl Shape {
    /// Whether the device of a queue reaches a place.
    pub(crate) fn reaches(&self, context: usize, device: usize, place: usize) -> bool {
        let place = self.places[place];
        place.context == context
            && match place.memory {
                Memory::Buffer | Memory::Host => true,
                Memory::Device(own) | Memory::Shared(own) => own == device,
            }
    }

    /// Whether a place is a buffer, which the plugin may move between the devices of its context.
    pub(crate) fn moves(&self, place: usize) -> bool {
        let place = self.places[place];
        place.memory == Memory::Buffer && self.contexts[place.context] > 1
    }
}
