//! The steps that threads take.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Result, ensure};
use sycl_pi_core::*;

use super::thread::Thread;
use super::{SLOT, Shared};
use crate::host::call;

/// Calls an entry point that must succeed, and counts the call.
macro_rules! ok {
    ($thread:expr, $name:ident($($arg:expr),* $(,)?)) => {{
        $thread.counts.calls += 1;
        let host = &$thread.shared.host;
        call!(host, $name($($arg),*))?;
    }};
}

/// Checks a result, and counts the check.
macro_rules! same {
    ($thread:expr, $wanted:expr, $got:expr) => {{
        let (wanted, got) = ($wanted, $got);
        ensure!(wanted == got, "{got:?} came, {wanted:?} was expected");
        $thread.counts.checks += 1;
    }};
}

/// # Safety
/// `data` must point to a counter.
unsafe extern "C" fn counted(_event: pi_event, _status: pi_int32, data: *mut c_void) {
    // SAFETY: the counter outlives every callback, because the run waits for all of them.
    unsafe { &*data.cast::<AtomicU64>() }.fetch_add(1, Ordering::SeqCst);
}

impl Thread<'_, '_> {
    /// Writes the thread's own part of the shared buffer, and reads it back.
    pub(crate) fn slot(&mut self) -> Result<()> {
        let (queue, mem, bytes) = (self.queue(), self.shared.slots, 4 * SLOT);
        let (at, value) = (self.index * bytes, self.pick(1 << 30) as i32);
        let (values, mut back) = ([value; SLOT], [0_i32; SLOT]);
        let (from, to) = (values.as_ptr().cast(), back.as_mut_ptr().cast());
        let mut event = null_mut();
        ok!(self, piEnqueueMemBufferWrite(queue, mem, PI_FALSE, at, bytes, from, 0, null(), &mut event));
        ok!(self, piEnqueueMemBufferRead(queue, mem, PI_TRUE, at, bytes, to, 1, &event, null_mut()));
        ok!(self, piEventRelease(event));
        same!(self, values, back);
        Ok(())
    }

    /// Adds to its buffer with its kernel, without waiting.
    pub(crate) fn launch(&mut self) -> Result<()> {
        let (host, queue, value) = (self.shared.host, self.shared.host.queue, self.pick(100) as i32);
        let event = host.add(queue, self.kernel, self.sums, value, 16)?;
        self.counts.calls += 3;
        self.wanted = self.wanted.wrapping_add(value);
        ok!(self, piEventRelease(event));
        Ok(())
    }

    /// Checks the sum of all of its launches.
    pub(crate) fn sum(&mut self) -> Result<()> {
        let host = self.shared.host;
        let values = host.read(host.queue, self.sums, 16)?;
        self.counts.calls += 1;
        same!(self, vec![self.wanted; 16], values);
        Ok(())
    }

    /// Uses a queue that no other thread knows.
    pub(crate) fn own_queue(&mut self) -> Result<()> {
        let host = self.shared.host;
        let queue = host.new_queue(0)?;
        let mem = host.buffer(&[1; 256])?;
        let (pattern, mut event) = ((self.pick(1 << 20) as i32).to_ne_bytes(), null_mut());
        ok!(
            self,
            piEnqueueMemBufferFill(queue, mem, pattern.as_ptr().cast(), 4, 0, 512, 0, null(), &mut event)
        );
        let values = host.read(queue, mem, 256)?;
        let wanted: Vec<i32> =
            (0..256).map(|index| if index < 128 { i32::from_ne_bytes(pattern) } else { 1 }).collect();
        same!(self, wanted, values);
        ok!(self, piEventRelease(event));
        ok!(self, piMemRelease(mem));
        ok!(self, piQueueRelease(queue));
        self.counts.calls += 3;
        Ok(())
    }

    /// Releases an out-of-order queue before its command completes.
    pub(crate) fn released_queue(&mut self) -> Result<()> {
        let host = self.shared.host;
        let queue = host.new_queue(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE)?;
        let (mem, own) = (host.buffer(&[5; 1024])?, self.queue());
        let event = host.add(queue, self.kernel, mem, 2, 1024)?;
        ok!(self, piQueueRelease(queue));
        ok!(self, piQueueFinish(own));
        host.finish(event)?;
        same!(self, vec![7; 1024], host.read(own, mem, 1024)?);
        ok!(self, piMemRelease(mem));
        self.counts.calls += 8;
        Ok(())
    }

    /// Posts an event for others to wait for.
    pub(crate) fn post(&mut self) -> Result<()> {
        let (queue, mut event) = (self.queue(), null_mut());
        ok!(self, piEnqueueEventsWait(queue, 0, null(), &mut event));
        ok!(self, piQueueFlush(queue));
        let mut events = self.shared.events.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if events.len() < 64 {
            events.push(event.expose_provenance());
            return Ok(());
        }
        drop(events);
        ok!(self, piEventRelease(event));
        Ok(())
    }

    /// Enqueues commands that wait for events that other threads have posted.
    pub(crate) fn wait(&mut self) -> Result<()> {
        let mut taken = Vec::new();
        for _ in 0..3 {
            let number = self.pick(64) as usize;
            let mut events = self.shared.events.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            if number < events.len() {
                taken.push(std::ptr::with_exposed_provenance_mut(events.swap_remove(number)));
            }
        }
        if taken.is_empty() {
            return Ok(());
        }
        let (queue, count, mut event): (_, _, pi_event) = (self.queue(), taken.len() as u32, null_mut());
        ok!(self, piEnqueueEventsWaitWithBarrier(queue, count, taken.as_ptr(), &mut event));
        ok!(self, piEventsWait(1, &event));
        for taken in taken.into_iter().chain([event]) {
            let mut status: pi_int32 = -1;
            let (name, place) = (PI_EVENT_INFO_COMMAND_EXECUTION_STATUS, (&raw mut status).cast());
            ok!(self, piEventGetInfo(taken, name, 4, place, null_mut()));
            same!(self, PI_EVENT_COMPLETE, status);
            ok!(self, piEventRelease(taken));
        }
        Ok(())
    }

    /// Retains and releases every shared object.
    pub(crate) fn references(&mut self) -> Result<()> {
        let (host, mem) = (self.shared.host, self.shared.slots);
        ok!(self, piContextRetain(host.context));
        ok!(self, piQueueRetain(host.queue));
        ok!(self, piProgramRetain(host.program));
        ok!(self, piMemRetain(mem));
        let mut context: pi_context = null_mut();
        let place = (&raw mut context).cast();
        ok!(self, piQueueGetInfo(host.queue, PI_QUEUE_INFO_CONTEXT, 8, place, null_mut()));
        same!(self, host.context, context);
        ok!(self, piMemRelease(mem));
        ok!(self, piProgramRelease(host.program));
        ok!(self, piQueueRelease(host.queue));
        ok!(self, piContextRelease(host.context));
        Ok(())
    }

    /// Makes a mistake, and checks that the last error's text belongs to this thread.
    pub(crate) fn refused(&mut self) -> Result<()> {
        let host = self.shared.host;
        self.counts.calls += 2;
        let (text, word) = if self.index.is_multiple_of(2) {
            (call!(host, piQueueFinish(null_mut())), "piQueueFinish")
        } else {
            (call!(host, piMemRelease(null_mut())), "piMemRelease")
        };
        let Err(error) = text else { anyhow::bail!("{word} takes null") };
        ensure!(error.to_string().contains(word), "the text of {word} is another's: {error}");
        self.counts.checks += 1;
        Ok(())
    }

    /// Uses a buffer and a part of it.
    pub(crate) fn buffers(&mut self) -> Result<()> {
        let host = self.shared.host;
        let mem = host.buffer(&[5; 2048])?;
        let mut region = pi_buffer_region_struct { origin: 4096, size: 4096 };
        let (place, mut part) = ((&raw mut region).cast(), null_mut());
        let (flags, kind) = (PI_MEM_FLAGS_ACCESS_RW, PI_BUFFER_CREATE_TYPE_REGION);
        ok!(self, piMemBufferPartition(mem, flags, kind, place, &mut part));
        ok!(self, piMemRelease(mem));
        let (queue, kernel) = (self.queue(), self.kernel);
        let event = host.add(queue, kernel, part, 2, 1024)?;
        host.finish(event)?;
        same!(self, vec![7; 1024], host.read(queue, part, 1024)?);
        ok!(self, piMemRelease(part));
        self.counts.calls += 7;
        Ok(())
    }

    /// Sets and copies shared USM, and reads it on the host.
    pub(crate) fn usm(&mut self) -> Result<()> {
        let (host, queue, size) = (self.shared.host, self.queue(), 64 << self.pick(8));
        let (value, mut one, mut two): (_, *mut c_void, *mut c_void) =
            (self.pick(256) as u8, null_mut(), null_mut());
        ok!(self, piextUSMSharedAlloc(&mut one, host.context, host.device, null_mut(), size, 0));
        ok!(self, piextUSMSharedAlloc(&mut two, host.context, host.device, null_mut(), size, 0));
        let (mut known, name) = (0_usize, PI_MEM_ALLOC_SIZE);
        let room = (&raw mut known).cast();
        ok!(self, piextUSMGetMemAllocInfo(host.context, one, name, size_of::<usize>(), room, null_mut()));
        same!(self, size, known);
        let mut event = null_mut();
        ok!(self, piextUSMEnqueueMemset(queue, one, value.into(), size, 0, null(), &mut event));
        ok!(self, piextUSMEnqueueMemcpy(queue, PI_TRUE, two, one, size, 1, &event, null_mut()));
        ok!(self, piEventRelease(event));
        // SAFETY: shared USM of that size, which no command uses anymore.
        let bytes = unsafe { std::slice::from_raw_parts(two.cast::<u8>(), size) };
        same!(self, None, bytes.iter().find(|byte| **byte != value));
        ok!(self, piextUSMFree(host.context, one));
        ok!(self, piextUSMFree(host.context, two));
        Ok(())
    }

    /// Records a command buffer, runs it twice, and releases it.
    pub(crate) fn command_buffer(&mut self) -> Result<()> {
        let (host, queue) = (self.shared.host, self.shared.host.queue);
        let buffer = self.shared.new_command_buffer()?;
        let (mem, value) = (host.buffer(&[0; 64])?, self.pick(1000) as i32);
        host.set_mem(self.kernel, 0, mem)?;
        ok!(self, piKernelSetArg(self.kernel, 1, 4, (&raw const value).cast()));
        let kernel = self.kernel;
        let point = null_mut();
        ok!(self, piextCommandBufferNDRangeKernel(buffer, kernel, 1, &0, &64, null(), 0, null(), point));
        ok!(self, piextCommandBufferFinalize(buffer));
        for round in 1..=2 {
            let mut event = null_mut();
            ok!(self, piextEnqueueCommandBuffer(buffer, queue, 0, null(), &mut event));
            host.finish(event)?;
            same!(self, vec![round * value; 64], host.read(queue, mem, 64)?);
        }
        ok!(self, piextCommandBufferRelease(buffer));
        ok!(self, piMemRelease(mem));
        self.counts.calls += 9;
        Ok(())
    }

    /// Requests a callback when a command completes. A backend without callbacks must refuse it.
    pub(crate) fn callback(&mut self) -> Result<()> {
        let (host, queue, mut event) = (self.shared.host, self.queue(), null_mut());
        let shared: &Shared<'_> = self.shared;
        ok!(self, piEnqueueEventsWait(queue, 0, null(), &mut event));
        let data = std::ptr::from_ref(&shared.called_back).cast_mut().cast();
        self.counts.calls += 1;
        shared.callbacks.fetch_add(1, Ordering::SeqCst);
        let set = call!(host, piEventSetCallback(event, PI_EVENT_COMPLETE, Some(counted), data));
        if let Err(error) = set {
            shared.callbacks.fetch_sub(1, Ordering::SeqCst);
            ensure!(error.code() == Some(PI_ERROR_INVALID_OPERATION), "{error}");
        }
        ok!(self, piEventRelease(event));
        Ok(())
    }

    /// Builds the program again while other threads work.
    pub(crate) fn build(&mut self) -> Result<()> {
        let program = self.shared.host.new_program(self.shared.plugin, self.shared.code)?;
        ok!(self, piProgramRelease(program));
        self.counts.calls += 2;
        Ok(())
    }
}
