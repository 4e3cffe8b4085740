//! Every command that can be put into a queue, ready to be enqueued with any wait list: for the rules common to all.

use std::ffi::c_void;
use std::ptr::null_mut;

use sycl_pi_core::*;
use sycl_pi_loader::CallError;

use super::{Env, Owned, Usm};
use crate::outcome::{Failure, Verdict};

/// Whatever an enqueue call takes after the command: count and start of the wait list, the out event.
type Enqueue<'a> = Box<dyn Fn(pi_uint32, *const pi_event, *mut pi_event) -> Result<(), CallError> + 'a>;

/// A command.
pub(crate) struct Command<'a> {
    /// Its C name.
    pub(crate) name: &'static str,
    /// Puts it into the queue.
    pub(crate) enqueue: Enqueue<'a>,
}

/// What the commands work on.
pub(crate) struct Objects<'e> {
    env: &'e Env,
    /// The queue that they go to.
    pub(crate) queue: pi_queue,
    one: Owned<'e, pi_mem>,
    two: Owned<'e, pi_mem>,
    kernel: Option<Owned<'e, pi_kernel>>,
    usm: Option<Usm<'e>>,
    host: *mut c_void,
}

const SIZE: usize = 256;

impl<'e> Objects<'e> {
    /// Buffers, USM and a kernel, where the device has them.
    pub(crate) fn new(env: &'e Env, queue: pi_queue) -> Verdict<Self> {
        let host = Box::leak(Box::new([0_u8; SIZE])).as_mut_ptr().cast();
        let kernel = there(env.kernel(c"nothing"))?;
        let usm = there(env.shared(SIZE))?;
        Ok(Self { env, queue, one: env.blank(SIZE)?, two: env.blank(SIZE)?, kernel, usm, host })
    }

    /// Commands that do nothing bad, into `queue`.
    pub(crate) fn commands(&self, queue: pi_queue) -> Vec<Command<'_>> {
        let mut list = Vec::new();
        macro_rules! command {
            ($name:ident($($arg:expr),*)) => {
                list.push(Command {
                    name: stringify!($name),
                    enqueue: Box::new(move |count, events, out| {
                        call!(self.env, $name(queue, $($arg,)* count, events, out))
                    }),
                })
            };
        }
        let offset = pi_buff_rect_offset_struct { x_bytes: 0, y_scalar: 0, z_scalar: 0 };
        let region = pi_buff_rect_region_struct { width_bytes: 8, height_scalar: 2, depth_scalar: 2 };
        let (one, two, host) = (*self.one, *self.two, self.host);
        let zero = move || Box::leak(Box::new(offset)) as pi_buff_rect_offset;
        let (here, there, part) = (zero(), zero(), Box::leak(Box::new(region)) as pi_buff_rect_region);
        command!(piEnqueueMemBufferRead(one, PI_FALSE, 0, SIZE, host));
        command!(piEnqueueMemBufferWrite(one, PI_FALSE, 0, SIZE, host));
        command!(piEnqueueMemBufferReadRect(one, PI_FALSE, here, there, part, 8, 16, 8, 16, host));
        command!(piEnqueueMemBufferWriteRect(one, PI_FALSE, here, there, part, 8, 16, 8, 16, host));
        command!(piEnqueueMemBufferCopy(one, two, 0, 0, SIZE));
        command!(piEnqueueMemBufferCopyRect(one, two, here, there, part, 8, 16, 8, 16));
        command!(piEnqueueMemBufferFill(one, [7_u8; 4].as_ptr().cast(), 4, 0, SIZE));
        command!(piEnqueueEventsWait());
        command!(piEnqueueEventsWaitWithBarrier());
        if let Some(kernel) = &self.kernel {
            let kernel = **kernel;
            command!(piEnqueueKernelLaunch(kernel, 1, &0, &1, std::ptr::null()));
        }
        if let Some(usm) = &self.usm {
            let ptr = usm.ptr;
            command!(piextUSMEnqueueMemset(ptr, 1, SIZE));
            command!(piextUSMEnqueueMemcpy(PI_FALSE, ptr, host, SIZE));
            command!(piextUSMEnqueuePrefetch(ptr, SIZE, 0));
        }
        list
    }

    /// One finished event of the queue.
    pub(crate) fn event(&self) -> Verdict<Owned<'e, pi_event>> {
        let queue = self.queue;
        let event = made!(self.env, |out| piEnqueueEventsWait(queue, 0, std::ptr::null(), out));
        Ok(self.env.own_event(event))
    }

    /// Enqueues each command with a wait list and gives its result and event.
    pub(crate) fn each(
        &self,
        queue: pi_queue,
        events: &[pi_event],
        mut look: impl FnMut(&Command<'_>, Result<(), CallError>, pi_event) -> Verdict,
    ) -> Verdict {
        for command in self.commands(queue) {
            let mut event = null_mut();
            let list = if events.is_empty() { std::ptr::null() } else { events.as_ptr() };
            let result = (command.enqueue)(events.len() as u32, list, &mut event);
            look(&command, result, event)?;
        }
        Ok(())
    }
}

/// None for what the device lacks.
fn there<T>(made: Verdict<T>) -> Verdict<Option<T>> {
    match made {
        Ok(made) => Ok(Some(made)),
        Err(Failure::Skip(_)) => Ok(None),
        Err(fail) => Err(fail),
    }
}

impl Drop for Objects<'_> {
    fn drop(&mut self) {
        // The commands read host memory and buffers of ours.
        let _ = call!(self.env, piQueueFinish(self.queue));
    }
}
