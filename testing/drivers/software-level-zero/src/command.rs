//! Commands: the events that they wait for, their work, and the events that they signal.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use level_zero_sys::*;

use crate::cl::{Argument, ClImage, ClKernel, ClQueue, Part, runtime};
use crate::line::Line;
use crate::object::event::Event;
use crate::{allocations, clock};

/// The number of events that commands were appended to wait for.
pub(crate) static AWAITED: Line<AtomicU64> = Line(AtomicU64::new(0));

/// The number of commands executed on the devices.
pub(crate) static EXECUTED: Line<AtomicU64> = Line(AtomicU64::new(0));

/// A command.
pub(crate) struct Command {
    /// The call that appended it.
    pub(crate) name: &'static str,
    pub(crate) waits: Vec<Arc<Event>>,
    pub(crate) work: Work,
    pub(crate) signal: Option<Arc<Event>>,
}

/// An address, and whether it was in an allocation when the command was appended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) address: usize,
    known: bool,
    /// The bytes from the address to the end of the allocation, or any number outside of allocations.
    room: usize,
    /// The state of the allocations at the time of the look-up.
    changes: u64,
}

impl Place {
    pub(crate) fn new(address: usize) -> Self {
        let changes = allocations::changes();
        let found = allocations::find(address);
        let room = found.map_or(usize::MAX, |(start, allocation)| allocation.size - (address - start));
        Self { address, known: found.is_some(), room, changes }
    }

    /// Returns another address of the same memory, which is looked up when it is used.
    fn moved(self, address: usize) -> Self {
        Self { address, changes: 0, ..self }
    }

    /// Returns whether `size` bytes are unknown, or are all inside one allocation.
    #[inline]
    pub(crate) fn has_room(&self, size: usize) -> bool {
        size <= self.room
    }

    fn check(&self, size: usize) -> Result<*mut u8, String> {
        // For each command the device avoids the lock that clients' threads use.
        if allocations::changes() == self.changes && self.has_room(size) {
            return Ok(std::ptr::with_exposed_provenance_mut(self.address));
        }
        if self.known && allocations::find(self.address).is_none() {
            return Err("the memory was freed before the command was executed".to_owned());
        }
        if !allocations::bounded(self.address, size) {
            return Err("goes beyond the end of the allocation".to_owned());
        }
        Ok(std::ptr::with_exposed_provenance_mut(self.address))
    }
}

/// A kernel with all its parameters at the time when its launch was appended.
#[derive(Clone)]
pub(crate) struct Launch {
    pub(crate) kernel: Arc<ClKernel>,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) offset: [usize; 3],
    pub(crate) group_size: [usize; 3],
}

/// The rows and slices of a copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    pub(crate) start: usize,
    pub(crate) pitch: usize,
    pub(crate) slice_pitch: usize,
}

/// The work of a command.
pub(crate) enum Work {
    /// Only waits and signals.
    Nothing,
    Copy {
        to: Place,
        from: Place,
        size: usize,
    },
    CopyRegion {
        to: Place,
        to_rows: Rows,
        from: Place,
        from_rows: Rows,
        extent: [usize; 3],
    },
    Fill {
        to: Place,
        pattern: Vec<u8>,
        size: usize,
    },
    Launch {
        launch: Launch,
        groups: [u32; 3],
    },
    /// The group counts are read when the command is executed.
    LaunchIndirect {
        launches: Vec<Launch>,
        count: Option<Place>,
        groups: Place,
    },
    Reset(Arc<Event>),
    Timestamp(Place),
    QueryTimestamps {
        events: Vec<Arc<Event>>,
        to: Place,
        offsets: Option<Vec<usize>>,
    },
    ImageToMemory {
        image: Arc<ClImage>,
        part: Part,
        to: Place,
    },
    MemoryToImage {
        image: Arc<ClImage>,
        part: Part,
        from: Place,
    },
    ImageToImage {
        from: Arc<ClImage>,
        origin: [usize; 3],
        to: Arc<ClImage>,
        target: [usize; 3],
        region: [usize; 3],
    },
}

impl Command {
    /// Marks the command as submitted, so that its events are in use.
    pub(crate) fn enter(&self) {
        self.waits.iter().chain(&self.signal).for_each(|event| event.enter());
    }

    /// Marks the command as done or abandoned.
    pub(crate) fn leave(&self) {
        self.waits.iter().chain(&self.signal).for_each(|event| event.leave());
    }

    /// Returns whether the command may be reordered with others. Barriers, signals, waits and resets keep their
    /// position.
    pub(crate) fn is_free(&self) -> bool {
        !matches!(self.work, Work::Nothing | Work::Reset(_) | Work::Timestamp(_))
    }

    /// Returns whether it can be executed now.
    pub(crate) fn is_ready(&self) -> bool {
        self.waits.iter().all(|event| event.is_set())
    }

    /// Executes the work. The error is a message.
    pub(crate) fn execute(&self, queue: &mut Option<ClQueue>) -> Result<(), String> {
        EXECUTED.fetch_add(1, Ordering::Relaxed);
        match &self.work {
            Work::Nothing => Ok(()),
            Work::Copy { to, from, size } => {
                let (to, from) = (to.check(*size)?, from.check(*size)?);
                // SAFETY: inside allocations, or memory that the client guarantees.
                unsafe { std::ptr::copy(from, to, *size) };
                Ok(())
            }
            Work::CopyRegion { to, to_rows, from, from_rows, extent } => {
                copy_region(*to, *to_rows, *from, *from_rows, *extent)
            }
            Work::Fill { to, pattern, size } => fill(to.check(*size)?, pattern, *size),
            Work::Launch { launch, groups } => run(launch, *groups, queue),
            Work::LaunchIndirect { launches, count, groups } => indirect(launches, *count, *groups, queue),
            Work::Reset(event) => {
                event.reset();
                Ok(())
            }
            Work::Timestamp(to) => {
                let to = to.check(8)?.cast::<u64>();
                // SAFETY: inside an allocation, or memory that the client guarantees.
                unsafe { to.write_unaligned(clock::ticks()) };
                Ok(())
            }
            Work::QueryTimestamps { events, to, offsets } => query(events, *to, offsets.as_deref()),
            Work::ImageToMemory { image, part, to } => {
                let to = to.check(1)?.addr();
                image.read(with_queue(queue)?, part, to).map_err(code)
            }
            Work::MemoryToImage { image, part, from } => {
                let from = from.check(1)?.addr();
                image.write(with_queue(queue)?, part, from).map_err(code)
            }
            Work::ImageToImage { from, origin, to, target, region } => {
                from.copy(with_queue(queue)?, *origin, to, *target, *region).map_err(code)
            }
        }
    }
}

fn code(code: i32) -> String {
    format!("the OpenCL runtime answered {code}")
}

fn with_queue(queue: &mut Option<ClQueue>) -> Result<&ClQueue, String> {
    match queue {
        Some(queue) => Ok(queue),
        none => Ok(none.insert(ClQueue::new(runtime()?).map_err(code)?)),
    }
}

fn copy_region(
    to: Place,
    to_rows: Rows,
    from: Place,
    from_rows: Rows,
    [width, height, depth]: [usize; 3],
) -> Result<(), String> {
    for slice in 0..depth {
        for row in 0..height {
            let at = |place: Place, rows: Rows| {
                let address = place.address + rows.start + slice * rows.slice_pitch + row * rows.pitch;
                place.moved(address).check(width)
            };
            let (to, from) = (at(to, to_rows)?, at(from, from_rows)?);
            // SAFETY: inside allocations, or memory that the client guarantees.
            unsafe { std::ptr::copy(from, to, width) };
        }
    }
    Ok(())
}

fn fill(to: *mut u8, pattern: &[u8], size: usize) -> Result<(), String> {
    match pattern {
        [] => return Err("the pattern is empty".to_owned()),
        // SAFETY: inside an allocation, or memory that the client guarantees.
        [byte] => unsafe { to.write_bytes(*byte, size) },
        pattern => {
            let mut at = 0;
            while at < size {
                let length = pattern.len().min(size - at);
                // SAFETY: the same as above, and `at + length` is at most `size`.
                unsafe { std::ptr::copy_nonoverlapping(pattern.as_ptr(), to.add(at), length) };
                at += length;
            }
        }
    }
    Ok(())
}

fn run(launch: &Launch, groups: [u32; 3], queue: &mut Option<ClQueue>) -> Result<(), String> {
    if groups.contains(&0) {
        return Ok(());
    }
    for argument in &launch.arguments {
        if let Argument::Pointer(address) = argument
            && !allocations::reachable(*address)
        {
            return Err("an argument's memory was freed before the kernel was executed".to_owned());
        }
    }
    let [x, y, z] = launch.group_size;
    let [gx, gy, gz] = groups.map(|count| count as usize);
    let queue = with_queue(queue)?;
    launch
        .kernel
        .run(queue, &launch.arguments, launch.offset, [x * gx, y * gy, z * gz], launch.group_size)
        .map_err(code)
}

fn indirect(
    launches: &[Launch],
    count: Option<Place>,
    groups: Place,
    queue: &mut Option<ClQueue>,
) -> Result<(), String> {
    let count = match count {
        // SAFETY: inside an allocation, or memory that the client guarantees.
        Some(place) => unsafe { place.check(4)?.cast::<u32>().read_unaligned() as usize },
        None => launches.len(),
    };
    let table = groups.check(size_of::<ze_group_count_t>() * launches.len())?.cast::<ze_group_count_t>();
    for (index, launch) in launches.iter().take(count).enumerate() {
        // SAFETY: the same as above. The table has an entry for each launch.
        let groups = unsafe { table.add(index).read_unaligned() };
        run(launch, [groups.groupCountX, groups.groupCountY, groups.groupCountZ], queue)?;
    }
    Ok(())
}

fn query(events: &[Arc<Event>], to: Place, offsets: Option<&[usize]>) -> Result<(), String> {
    let each = size_of::<ze_kernel_timestamp_result_t>();
    for (index, event) in events.iter().enumerate() {
        let offset = offsets.and_then(|offsets| offsets.get(index).copied()).unwrap_or(index * each);
        let to = to.moved(to.address + offset).check(each)?.cast::<ze_kernel_timestamp_result_t>();
        // SAFETY: inside an allocation, or memory that the client guarantees.
        unsafe { to.write_unaligned(event.timestamps().unwrap_or_default()) };
    }
    Ok(())
}
