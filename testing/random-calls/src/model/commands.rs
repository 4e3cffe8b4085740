//! The commands of an episode. Each is given to the plugin and, if it accepts it, applied to the model's bytes.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::CallError;

use super::rooms::{Memory, SIZE, Target};
use super::{Episode, Model};

/// Lengths of patterns.
const LENGTHS: [usize; 20] =
    [1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 32, 48, 64, 100, 128, 129, 200, 256, 300, 1000];
/// One in this number of fills of a buffer exceeds the end, and must be refused.
const PAST_THE_END: usize = 12;

/// A call's further arguments: queue, wait list, and the address for the event.
type Enqueue<'a> = dyn FnOnce(pi_queue, u32, *const pi_event, *mut pi_event) -> Result<(), CallError> + 'a;

impl Model {
    /// Performs one command.
    pub(super) fn command(&mut self, episode: &mut Episode<'_>) -> Result<(), String> {
        let Some(target) = episode.random.of(&self.targets) else { return Ok(()) };
        self.know(target.room)?;
        match (episode.random.below(8), target.memory) {
            (0..=3, _) => self.fill(episode, target),
            (4, Memory::Usm(start)) => self.fill_rows(episode, target, start),
            (5, _) => self.read(episode, target),
            (6, _) => self.write(episode, target),
            _ => self.copy(episode, target),
        }
    }

    /// Reads the room's bytes if they are unknown.
    fn know(&mut self, room: usize) -> Result<(), String> {
        let (pi, queue) = (self.pi, self.queues[0]);
        let room = &mut self.rooms[room];
        if !room.is_known {
            room.bytes = room.read(pi, queue).map_err(|error| format!("a first read: {error}"))?;
            room.is_known = true;
        }
        Ok(())
    }

    /// Enqueues a command after those that used the rooms before. Returns whether it was accepted.
    fn enqueue(
        &mut self,
        episode: &mut Episode<'_>,
        name: &str,
        text: String,
        rooms: &[usize],
        call: Box<Enqueue<'_>>,
    ) -> bool {
        let index = episode.random.below(self.queues.len());
        let mut waits = Vec::new();
        for (queue, event) in rooms.iter().filter_map(|room| self.rooms[*room].last) {
            // The first queue keeps the order by itself.
            if queue != 0 || index != 0 || episode.random.one_in(2) {
                waits.push(event);
            }
        }
        let (count, list) = (waits.len() as u32, if waits.is_empty() { null() } else { waits.as_ptr() });
        let mut event = null_mut();
        episode.begin(format!("{name} in queue {index}: {text}"));
        let result = call(self.queues[index], count, list, &mut event);
        if !episode.done(name, result) {
            return false;
        }
        episode.events.push(event);
        for room in rooms {
            self.rooms[*room].last = Some((index, event));
        }
        true
    }

    /// Returns the model's bytes of a range for writing.
    fn bytes(&mut self, target: Target, at: usize, size: usize) -> &mut [u8] {
        let room = &mut self.rooms[target.room];
        room.is_written = true;
        &mut room.bytes[target.origin + at..target.origin + at + size]
    }

    fn fill(&mut self, episode: &mut Episode<'_>, target: Target) -> Result<(), String> {
        let pattern = pattern(episode);
        let length = pattern.len();
        let at = place(episode, target.size - length);
        let most = (target.size - at) / length;
        let past_the_end = matches!(target.memory, Memory::Buffer(_)) && episode.random.one_in(PAST_THE_END);
        let count = if past_the_end { most + 1 } else { 1 + episode.random.below(most) };
        let size = count * length;
        let text = format!("{count} times {length} bytes at {at} of {}", self.name(target));
        let is_recorded = episode.random.one_in(3);
        let is_done = if is_recorded {
            self.recorded_fill(episode, target, &pattern, (at, size), text)
        } else {
            let (pi, from) = (self.pi, pattern.as_ptr().cast::<c_void>());
            match target.memory {
                Memory::Buffer(buffer) => {
                    let call = move |queue, n, waits, event| {
                        // SAFETY: live handles, and a pattern that outlives the call.
                        unsafe {
                            pi.piEnqueueMemBufferFill(queue, buffer, from, length, at, size, n, waits, event)
                        }
                    };
                    self.enqueue(episode, "piEnqueueMemBufferFill", text, &[target.room], Box::new(call))
                }
                Memory::Usm(start) if length == 1 => {
                    let (to, value) = ((start + at as u64) as *mut c_void, i32::from(pattern[0]));
                    let call = move |queue, n, waits, event| {
                        // SAFETY: a live queue, and memory of that size.
                        unsafe { pi.piextUSMEnqueueMemset(queue, to, value, size, n, waits, event) }
                    };
                    self.enqueue(episode, "piextUSMEnqueueMemset", text, &[target.room], Box::new(call))
                }
                Memory::Usm(start) => {
                    let to = (start + at as u64) as *mut c_void;
                    let call = move |queue, n, waits, event| {
                        // SAFETY: a live queue, memory of that size, and a pattern that outlives the call.
                        unsafe {
                            pi.piextUSMEnqueueFill2D(queue, to, size, length, from, size, 1, n, waits, event)
                        }
                    };
                    self.enqueue(episode, "piextUSMEnqueueFill2D", text, &[target.room], Box::new(call))
                }
            }
        };
        if past_the_end {
            episode.refused = None;
            return if is_done { Err("a fill past the end of a buffer is done".to_owned()) } else { Ok(()) };
        }
        if is_done {
            self.bytes(target, at, size)
                .chunks_exact_mut(length)
                .for_each(|part| part.copy_from_slice(&pattern));
        }
        Ok(())
    }

    /// Fills through a command buffer that runs once.
    fn recorded_fill(
        &mut self,
        episode: &mut Episode<'_>,
        target: Target,
        pattern: &[u8],
        (at, size): (usize, usize),
        text: String,
    ) -> bool {
        let (pi, from, length, none) =
            (self.pi, pattern.as_ptr().cast::<c_void>(), pattern.len(), null_mut());
        let mut commands = null_mut();
        let Some((context, device)) = self.place_of_queue() else { return false };
        // SAFETY: live handles, a pattern that outlives the call, memory of that size, and room for the result.
        let recorded = unsafe {
            pi.piextCommandBufferCreate(context, device, null(), &mut commands)
                .and_then(|()| match target.memory {
                    Memory::Buffer(buffer) => pi.piextCommandBufferMemBufferFill(
                        commands,
                        buffer,
                        from,
                        length,
                        at,
                        size,
                        0,
                        null(),
                        none,
                    ),
                    Memory::Usm(start) => {
                        let to = (start + at as u64) as *mut c_void;
                        pi.piextCommandBufferFillUSM(commands, to, from, length, size, 0, null(), none)
                    }
                })
                .and_then(|()| pi.piextCommandBufferFinalize(commands))
        };
        let is_recorded = recorded.is_ok();
        episode.begin(format!("a recorded fill: {text}"));
        let is_recorded = episode.done("piextCommandBufferFinalize", recorded) && is_recorded;
        let call = move |queue, n, waits, event| {
            // SAFETY: live handles.
            unsafe { pi.piextEnqueueCommandBuffer(commands, queue, n, waits, event) }
        };
        let name = "piextEnqueueCommandBuffer";
        let is_done = is_recorded && self.enqueue(episode, name, text, &[target.room], Box::new(call));
        if !commands.is_null() {
            // SAFETY: the reference belongs to the model.
            let _ = unsafe { pi.piextCommandBufferRelease(commands) };
        }
        is_done
    }

    /// Returns the context and device of the queues.
    fn place_of_queue(&self) -> Option<(pi_context, pi_device)> {
        let (mut context, mut device, size) =
            (null_mut::<c_void>(), null_mut::<c_void>(), size_of::<usize>());
        let (queue, none) = (self.queues[0], null_mut());
        // SAFETY: a live queue, and room for one handle each.
        unsafe {
            self.pi
                .piQueueGetInfo(queue, PI_QUEUE_INFO_CONTEXT, size, (&raw mut context).cast(), none)
                .and_then(|()| {
                    self.pi.piQueueGetInfo(queue, PI_QUEUE_INFO_DEVICE, size, (&raw mut device).cast(), none)
                })
                .ok()?;
        }
        Some((context.cast(), device.cast()))
    }

    /// Fills rows with gaps between them, with any pitch.
    fn fill_rows(&mut self, episode: &mut Episode<'_>, target: Target, start: u64) -> Result<(), String> {
        let pattern = pattern(episode);
        let length = pattern.len();
        let width = length * (1 + episode.random.below(target.size / 2 / length));
        let pitch = width + episode.random.below(130);
        let height = 1 + episode.random.below(((target.size - width) / pitch + 1).min(9));
        let at = place(episode, target.size - (pitch * (height - 1) + width));
        let (pi, to, from) = (self.pi, (start + at as u64) as *mut c_void, pattern.as_ptr().cast());
        let text = format!(
            "{height} rows of {width} bytes by {length}, pitch {pitch}, at {at} of {}",
            self.name(target)
        );
        let call = move |queue, n, waits, event| {
            // SAFETY: a live queue, memory of these rows, and a pattern that outlives the call.
            unsafe {
                pi.piextUSMEnqueueFill2D(queue, to, pitch, length, from, width, height, n, waits, event)
            }
        };
        if self.enqueue(episode, "piextUSMEnqueueFill2D", text, &[target.room], Box::new(call)) {
            for row in 0..height {
                let row = self.bytes(target, at + row * pitch, width);
                row.chunks_exact_mut(length).for_each(|part| part.copy_from_slice(&pattern));
            }
        }
        Ok(())
    }

    fn write(&mut self, episode: &mut Episode<'_>, target: Target) -> Result<(), String> {
        let (at, size) = range(episode, target.size);
        let source: Vec<u8> = (0..size).map(|_| episode.random.word() as u8).collect();
        let (pi, from, blocking) = (self.pi, source.as_ptr().cast(), episode.random.below(2) as pi_bool);
        let text = format!("{size} bytes of the host to {at} of {}", self.name(target));
        let taken = match target.memory {
            Memory::Buffer(buffer) => {
                let call = move |queue, n, waits, event| {
                    // SAFETY: live handles, and host memory that outlives the episode.
                    unsafe {
                        pi.piEnqueueMemBufferWrite(queue, buffer, blocking, at, size, from, n, waits, event)
                    }
                };
                self.enqueue(episode, "piEnqueueMemBufferWrite", text, &[target.room], Box::new(call))
            }
            Memory::Usm(start) => {
                let to = (start + at as u64) as *mut c_void;
                let call = move |queue, n, waits, event| {
                    // SAFETY: live handles, and host memory that outlives the episode.
                    unsafe { pi.piextUSMEnqueueMemcpy(queue, blocking, to, from, size, n, waits, event) }
                };
                self.enqueue(episode, "piextUSMEnqueueMemcpy", text, &[target.room], Box::new(call))
            }
        };
        if taken {
            self.bytes(target, at, size).copy_from_slice(&source);
        }
        episode.sources.push(source);
        Ok(())
    }

    fn read(&mut self, episode: &mut Episode<'_>, target: Target) -> Result<(), String> {
        let (at, size) = range(episode, target.size);
        let mut room = vec![0_u8; size];
        let (pi, to, blocking) = (self.pi, room.as_mut_ptr().cast(), episode.random.below(2) as pi_bool);
        let text = format!("{size} bytes at {at} of {} to the host", self.name(target));
        let taken = match target.memory {
            Memory::Buffer(buffer) => {
                let call = move |queue, n, waits, event| {
                    // SAFETY: live handles, and host memory that outlives the episode.
                    unsafe {
                        pi.piEnqueueMemBufferRead(queue, buffer, blocking, at, size, to, n, waits, event)
                    }
                };
                self.enqueue(episode, "piEnqueueMemBufferRead", text, &[target.room], Box::new(call))
            }
            Memory::Usm(start) => {
                let from = (start + at as u64) as *const c_void;
                let call = move |queue, n, waits, event| {
                    // SAFETY: live handles, and host memory that outlives the episode.
                    unsafe { pi.piextUSMEnqueueMemcpy(queue, blocking, to, from, size, n, waits, event) }
                };
                self.enqueue(episode, "piextUSMEnqueueMemcpy", text, &[target.room], Box::new(call))
            }
        };
        let start = target.origin + at;
        let wanted = self.rooms[target.room].bytes[start..start + size].to_vec();
        // A refused command writes nothing.
        let wanted = if taken { wanted } else { vec![0; size] };
        episode.reads.push((room, wanted));
        Ok(())
    }

    /// Copies to another room of the same kind, as bytes or as a box.
    fn copy(&mut self, episode: &mut Episode<'_>, to: Target) -> Result<(), String> {
        let Some(from) = episode.random.of(&self.targets).filter(|from| from.room != to.room) else {
            return Ok(());
        };
        self.know(from.room)?;
        let (pi, rooms) = (self.pi, [from.room, to.room]);
        let region = [32, 4, 2].map(|most| 1 + episode.random.below(most));
        let [source, goal] = [from, to].map(|target| Rows::new(episode, region, target.size));
        let text =
            format!("{region:?} from {source:?} of {} to {goal:?} of {}", self.name(from), self.name(to));
        let taken = match (from.memory, to.memory) {
            (Memory::Buffer(src), Memory::Buffer(dst)) => {
                let [source, goal] = [source, goal].map(|rows| (rows.origin(), rows.row, rows.slice));
                let mut region = pi_buff_rect_region_struct {
                    width_bytes: region[0],
                    height_scalar: region[1],
                    depth_scalar: region[2],
                };
                let call = move |queue, n, waits, event| {
                    let (mut from, mut to) = (source.0, goal.0);
                    // SAFETY: live handles, and structures that outlive the call.
                    unsafe {
                        pi.piEnqueueMemBufferCopyRect(
                            queue,
                            src,
                            dst,
                            &raw mut from,
                            &raw mut to,
                            &raw mut region,
                            source.1,
                            source.2,
                            goal.1,
                            goal.2,
                            n,
                            waits,
                            event,
                        )
                    }
                };
                self.enqueue(episode, "piEnqueueMemBufferCopyRect", text, &rooms, Box::new(call))
            }
            (Memory::Usm(src), Memory::Usm(dst)) => {
                // One slice: rows of unified shared memory.
                let (from, to) =
                    ((src + source.start as u64) as *const c_void, (dst + goal.start as u64) as *mut c_void);
                let call = move |queue, n, waits, event| {
                    // SAFETY: a live queue, and memory of these rows.
                    unsafe {
                        pi.piextUSMEnqueueMemcpy2D(
                            queue, PI_FALSE, to, goal.row, from, source.row, region[0], region[1], n, waits,
                            event,
                        )
                    }
                };
                self.enqueue(episode, "piextUSMEnqueueMemcpy2D", text, &rooms, Box::new(call))
            }
            _ => return Ok(()),
        };
        let slices = if matches!(to.memory, Memory::Usm(_)) { 1 } else { region[2] };
        if taken {
            for (slice, row) in (0..slices).flat_map(|slice| (0..region[1]).map(move |row| (slice, row))) {
                let start = from.origin + source.at(slice, row);
                let bytes = self.rooms[from.room].bytes[start..start + region[0]].to_vec();
                self.bytes(to, goal.at(slice, row), region[0]).copy_from_slice(&bytes);
            }
        }
        Ok(())
    }

    fn name(&self, target: Target) -> String {
        let part = if target.size < SIZE { " (a part)" } else { "" };
        format!("{}{part} {}", self.rooms[target.room].name, target.room)
    }
}

/// The positions of a box's rows in memory.
#[derive(Clone, Copy, Debug)]
struct Rows {
    start: usize,
    row: usize,
    slice: usize,
}

impl Rows {
    /// Returns random positions in this number of bytes, which is more than any box needs.
    fn new(episode: &mut Episode<'_>, [width, height, depth]: [usize; 3], size: usize) -> Self {
        let row = width + episode.random.below(17);
        let slice = row * (height + episode.random.below(3));
        let last = slice * (depth - 1) + row * (height - 1) + width;
        Self { start: episode.random.below(size - last + 1), row, slice }
    }

    fn at(&self, slice: usize, row: usize) -> usize {
        self.start + slice * self.slice + row * self.row
    }

    /// Returns the start as a corner within a slice and a row.
    fn origin(&self) -> pi_buff_rect_offset_struct {
        let (z, rest) = (self.start / self.slice, self.start % self.slice);
        pi_buff_rect_offset_struct { x_bytes: rest % self.row, y_scalar: rest / self.row, z_scalar: z }
    }
}

/// Returns a pattern, sometimes a single repeated byte.
fn pattern(episode: &mut Episode<'_>) -> Vec<u8> {
    let length = episode.random.of(&LENGTHS).unwrap_or(1);
    if episode.random.one_in(8) {
        return vec![episode.random.word() as u8; length];
    }
    (0..length).map(|_| episode.random.word() as u8).collect()
}

/// Returns an offset up to a limit, often an aligned one.
fn place(episode: &mut Episode<'_>, limit: usize) -> usize {
    let at = episode.random.below(limit + 1);
    let step = episode.random.of(&[1, 1, 4, 16, 128]).unwrap_or(1);
    at - at % step
}

/// Returns a nonempty range.
fn range(episode: &mut Episode<'_>, size: usize) -> (usize, usize) {
    let at = place(episode, size - 1);
    (at, 1 + episode.random.below(size - at))
}
