//! Misplaced objects that break Intel's CPU runtimes after the call itself:
//! `testing/robustness/programs/opencl_faults.c`.
//!
//! An out-of-order queue refuses events of another context, and the next command then ends the process (foreign-event).
//! An in-order queue leaves such an event behind, and the runtime of 2026 crashes at exit because of it (refused-event).
//! If a command for buffers gets an image, bytes are taken for pixels (image-as-buffer). Other drivers get all of
//! these.

use std::ptr::null_mut;

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::arguments::Call;
use crate::fixture::Fixture;
use crate::pools::Kind;

/// The maximum length of a list backed by memory.
const LONGEST: u64 = 64;

impl Fixture {
    /// Returns whether the driver is one of Intel's CPU runtimes.
    pub(crate) fn breaks_over_misplaced_objects(&self) -> bool {
        const INTEL: &[u8] = b"Intel";
        let Some(platform) = self.pools.of(Kind::Platform).first() else { return false };
        let mut vendor = [0_u8; 256];
        let (platform, room) = (platform.handle as pi_platform, vendor.as_mut_ptr().cast());
        // SAFETY: a live handle, and a buffer of the reported size.
        let asked = unsafe {
            self.pi.piPlatformGetInfo(platform, PI_PLATFORM_INFO_VENDOR, vendor.len(), room, null_mut())
        };
        asked.is_ok()
            && self.backend == Backend::OpenCl
            && vendor.windows(INTEL.len()).any(|part| part == INTEL)
    }

    /// Replaces each image in a command for buffers with a buffer.
    pub(crate) fn without_images_as_buffers(&mut self, call: &mut Call) {
        if !call.entry.name.contains("MemBuffer") || call.entry.name == "piMemBufferPartition" {
            return;
        }
        for at in 0..call.params.len() {
            let word = call.words.get(at).copied().unwrap_or(0);
            let is_mem = call.params.get(at).is_some_and(|(_, ty)| *ty == "pi_mem");
            if is_mem && word != 0 && self.is_image(word) {
                call.words[at] = self.buffer;
            }
        }
    }

    fn is_image(&self, mem: u64) -> bool {
        let (mut width, size) = (0_u64, size_of::<u64>());
        let (mem, room) = (mem as pi_mem, (&raw mut width).cast());
        // SAFETY: a live handle, and room for the answer.
        unsafe { self.pi.piMemImageGetInfo(mem, PI_IMAGE_INFO_WIDTH, size, room, null_mut()) }.is_ok()
    }

    /// Removes events of other contexts from the wait list of a command.
    pub(crate) fn without_foreign_events(&mut self, call: &mut Call) {
        for (count, list) in
            [("num_events_in_wait_list", "event_wait_list"), ("num_events_in_waitlist", "events_waitlist")]
        {
            let (length, start) = (call.get(count), call.get(list));
            if length == 0 || length > LONGEST || start == 0 {
                continue;
            }
            let queue = call.get("queue") | call.get("command_queue");
            if queue == 0 {
                return;
            }
            let context = self.context_of_queue(queue);
            let events: Vec<u64> = (0..length as usize).map(|at| self.memory.read(start, at)).collect();
            let own: Vec<u64> = events
                .iter()
                .copied()
                .filter(|event| *event == 0 || self.context_of_event(*event) == context)
                .collect();
            if own.len() < events.len() {
                let start = if own.is_empty() { 0 } else { self.memory.put_words(&own) };
                call.set(count, own.len() as u64);
                call.set(list, start);
            }
        }
    }

    fn context_of_queue(&self, queue: u64) -> u64 {
        let (mut context, size) = (0_u64, size_of::<u64>());
        let (queue, room) = (queue as pi_queue, (&raw mut context).cast());
        // SAFETY: a live handle, and room for the answer. Without an answer the context stays 0.
        let _ = unsafe { self.pi.piQueueGetInfo(queue, PI_QUEUE_INFO_CONTEXT, size, room, null_mut()) };
        context
    }

    fn context_of_event(&self, event: u64) -> u64 {
        let (mut context, size) = (0_u64, size_of::<u64>());
        let (event, room) = (event as pi_event, (&raw mut context).cast());
        // SAFETY: a live handle, and room for the answer. Without an answer the context stays 0.
        let _ = unsafe { self.pi.piEventGetInfo(event, PI_EVENT_INFO_CONTEXT, size, room, null_mut()) };
        context
    }
}
