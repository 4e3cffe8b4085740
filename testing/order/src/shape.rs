//! The objects of programs: contexts with devices, queues, places in memory, and the driver's features.

/// The size of a place: 8 rows of 16 bytes. Commands by rows access the first 8 bytes of each.
pub(crate) const PLACE: usize = 128;
/// The distance of two rows.
pub(crate) const PITCH: usize = 16;
/// The size and number of the rows.
pub(crate) const ROW: usize = 8;

/// The memory that contains a place.
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

/// The features of a driver.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Can {
    /// Whether a blocking write is complete when its call returns. OpenCL only promises that the caller's memory may be
    /// reused, and Intel's CPU runtime performs a short write later.
    pub(crate) blocking_writes_complete: bool,
    /// Whether a marker with a list also waits for the queue's barriers. Markers of Intel's CPU runtime only wait for
    /// their list, and so do prefetches, for which OpenCL has a marker.
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

/// All objects and features. Numbers of contexts, queues and places are indices into these lists.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// The number of devices of each context.
    pub(crate) contexts: Vec<usize>,
    pub(crate) queues: Vec<QueueShape>,
    pub(crate) places: Vec<Place>,
    pub(crate) can: Can,
}

impl Shape {
    /// Returns whether the device of a queue can access a place.
    pub(crate) fn reaches(&self, context: usize, device: usize, place: usize) -> bool {
        let place = self.places[place];
        place.context == context
            && match place.memory {
                Memory::Buffer | Memory::Host => true,
                Memory::Device(own) | Memory::Shared(own) => own == device,
            }
    }

    /// Returns whether a place is a buffer, which the plugin may move between the devices of its context.
    pub(crate) fn moves(&self, place: usize) -> bool {
        let place = self.places[place];
        place.memory == Memory::Buffer && self.contexts[place.context] > 1
    }
}
