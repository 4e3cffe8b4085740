//! Commands of a queue that can be enqueued with any wait list, for the rules common to all. Host pipes and native
//! kernels are not included. Other cases test their wait lists.

use std::ffi::{CStr, c_void};
use std::ptr::null_mut;

use sycl_pi_core::*;
use sycl_pi_loader::CallError;

use super::{DG_SCOPE, Env, Owned, Usm};
use crate::outcome::{Failure, Verdict};

/// The last arguments of an enqueue call: the count and start of the wait list, and the output event.
type Enqueue<'a> = Box<dyn Fn(pi_uint32, *const pi_event, *mut pi_event) -> Result<(), CallError> + 'a>;

/// A command.
pub(crate) struct Command<'a> {
    /// Its C name.
    pub(crate) name: &'static str,
    /// Enqueues it.
    pub(crate) enqueue: Enqueue<'a>,
}

/// The objects that the commands use.
pub(crate) struct Objects<'e> {
    env: &'e Env,
    /// The queue of the commands.
    pub(crate) queue: pi_queue,
    one: Owned<'e, pi_mem>,
    two: Owned<'e, pi_mem>,
    kernel: Option<Owned<'e, pi_kernel>>,
    usm: Option<Usm<'e>>,
    /// Two images of one pixel.
    images: Option<[Owned<'e, pi_mem>; 2]>,
    /// A program with a variable that the host can access.
    program: Option<Owned<'e, pi_program>>,
    command_buffer: Option<Owned<'e, pi_ext_command_buffer>>,
    /// Whether the device fills and copies rows of USM.
    has_2d: bool,
    host: *mut c_void,
}

/// The name of `dg_scope.cpp`'s variable on the host.
const SCOPED: &CStr = c"_Z6Scoped";

const SIZE: usize = 256;

impl<'e> Objects<'e> {
    /// Creates buffers, USM, a kernel, images, a program with a variable, and a command buffer, if the device
    /// supports them.
    pub(crate) fn new(env: &'e Env, queue: pi_queue) -> Verdict<Self> {
        let host = Box::leak(Box::new([0_u8; SIZE])).as_mut_ptr().cast();
        let kernel = there(env.kernel(c"nothing"))?;
        let usm = there(env.shared(SIZE))?;
        let (images, command_buffer) = (there(images(env))?, there(command_buffer(env))?);
        let (one, two, program) = (env.blank(SIZE)?, env.blank(SIZE)?, there(program(env, queue))?);
        let has_2d = usm.as_ref().is_some_and(|usm| has_2d(env, queue, usm));
        Ok(Self { env, queue, one, two, kernel, usm, images, program, command_buffer, has_2d, host })
    }

    /// Returns harmless commands for `queue`.
    pub(crate) fn commands(&self, queue: pi_queue) -> Vec<Command<'_>> {
        let mut list = Vec::new();
        macro_rules! command {
            ($name:ident($($arg:expr),*)) => {
                // A table in front of an adapter lacks functions that Unified Runtime does not have.
                if self.env.pi.$name.is_some() {
                    list.push(Command {
                        name: stringify!($name),
                        enqueue: Box::new(move |count, events, out| {
                            call!(self.env, $name(queue, $($arg,)* count, events, out))
                        }),
                    })
                }
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
            if self.has_2d {
                let pattern = [7_u8; 4].as_ptr().cast();
                command!(piextUSMEnqueueFill2D(ptr, 16, 4, pattern, 8, 2));
                command!(piextUSMEnqueueMemset2D(ptr, 16, 1, 8, 2));
                command!(piextUSMEnqueueMemcpy2D(PI_FALSE, ptr, 16, host, 16, 8, 2));
            }
        }
        if let Some([first, second]) = &self.images {
            let (first, second) = (**first, **second);
            let origin = || Box::leak(Box::new([0_usize; 3])) as *mut usize;
            let one_pixel = || Box::leak(Box::new([1_usize; 3])) as *mut usize;
            let (at, extent) = (origin().cast(), one_pixel().cast());
            command!(piEnqueueMemImageRead(first, PI_FALSE, at, extent, 0, 0, host));
            command!(piEnqueueMemImageWrite(first, PI_FALSE, at, extent, 0, 0, host));
            command!(piEnqueueMemImageCopy(first, second, at, at, extent));
            let (at, extent): (*const usize, *const usize) = (origin(), one_pixel());
            command!(piEnqueueMemImageFill(first, host, at, extent));
        }
        if let Some(program) = &self.program {
            let program = **program;
            let name = SCOPED.as_ptr();
            command!(piextEnqueueDeviceGlobalVariableWrite(program, name, PI_FALSE, 16, 0, host));
            command!(piextEnqueueDeviceGlobalVariableRead(program, name, PI_FALSE, 16, 0, host));
        }
        if let Some(buffer) = &self.command_buffer {
            let buffer = **buffer;
            list.push(Command {
                name: "piextEnqueueCommandBuffer",
                enqueue: Box::new(move |count, events, out| {
                    call!(self.env, piextEnqueueCommandBuffer(buffer, queue, count, events, out))
                }),
            });
        }
        list.push(Command {
            name: "piEnqueueMemBufferMap",
            enqueue: Box::new(move |count, events, out| {
                self.map(queue, count, events, out).map(|address| self.unmap_at_last(address))
            }),
        });
        list.push(Command {
            name: "piEnqueueMemUnmap",
            enqueue: Box::new(move |count, events, out| {
                let mut mapped = null_mut();
                let address = self.map(self.queue, 0, std::ptr::null(), &mut mapped)?;
                // An out-of-order queue may run the two in any order.
                let mapped = self.env.own_event(mapped);
                call!(self.env, piEventsWait(1, &*mapped))?;
                let done = call!(self.env, piEnqueueMemUnmap(queue, one, address, count, events, out));
                if done.is_err() {
                    self.unmap_at_last(address);
                }
                done
            }),
        });
        list
    }

    fn map(
        &self,
        queue: pi_queue,
        count: pi_uint32,
        events: *const pi_event,
        out: *mut pi_event,
    ) -> Result<*mut c_void, CallError> {
        let (buffer, flags, mut address) = (*self.one, PI_MAP_READ | PI_MAP_WRITE, null_mut());
        let to = &raw mut address;
        call!(
            self.env,
            piEnqueueMemBufferMap(queue, buffer, PI_FALSE, flags, 0, SIZE, count, events, out, to)
        )?;
        Ok(address)
    }

    /// Unmaps a mapping once it is complete, and waits until later commands can use the buffer.
    fn unmap_at_last(&self, address: *mut c_void) {
        let (queue, buffer, none) = (self.queue, *self.one, std::ptr::null());
        let _ = call!(self.env, piQueueFinish(queue));
        let _ = call!(self.env, piEnqueueMemUnmap(queue, buffer, address, 0, none, null_mut()));
        let _ = call!(self.env, piQueueFinish(queue));
    }

    /// Returns a finished event of the queue.
    pub(crate) fn event(&self) -> Verdict<Owned<'e, pi_event>> {
        let queue = self.queue;
        let event = made!(self.env, |out| piEnqueueEventsWait(queue, 0, std::ptr::null(), out));
        Ok(self.env.own_event(event))
    }

    /// Enqueues each command with a wait list, and passes its result and event to `look`.
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

fn images(env: &Env) -> Verdict<[Owned<'_, pi_mem>; 2]> {
    env.need_images()?;
    let format = pi_image_format {
        image_channel_order: PI_IMAGE_CHANNEL_ORDER_RGBA,
        image_channel_data_type: PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
    };
    // SAFETY: all members are numbers or pointers.
    let mut desc: pi_image_desc = unsafe { std::mem::zeroed() };
    (desc.image_type, desc.image_width, desc.image_height) = (PI_MEM_TYPE_IMAGE2D, 4, 4);
    let (context, flags) = (env.context()?, PI_MEM_FLAGS_ACCESS_RW);
    let image = || -> Verdict<Owned<'_, pi_mem>> {
        Ok(env.own_mem(made!(env, |out| piMemImageCreate(context, flags, &format, &desc, null_mut(), out))))
    };
    Ok([image()?, image()?])
}

fn command_buffer(env: &Env) -> Verdict<Owned<'_, pi_ext_command_buffer>> {
    let mut buffer = null_mut();
    let (context, device) = (env.context()?, env.device);
    let desc = pi_ext_command_buffer_desc {
        stype: PI_EXT_STRUCTURE_TYPE_COMMAND_BUFFER_DESC,
        pNext: std::ptr::null(),
        properties: null_mut(),
    };
    if env.pi.piextCommandBufferCreate.is_none()
        || call!(env, piextCommandBufferCreate(context, device, &desc, &mut buffer)).is_err()
    {
        return Err(Failure::skip(crate::skip::NO_COMMAND_BUFFERS));
    }
    let buffer = env.own_command_buffer(buffer);
    ok!(env, piextCommandBufferFinalize(*buffer));
    Ok(buffer)
}

fn program(env: &Env, queue: pi_queue) -> Verdict<Owned<'_, pi_program>> {
    env.since(sycl_pi_loader::Version::V12_27)?;
    if env.backend != sycl_pi_loader::Backend::Cuda {
        env.need_spirv()?;
    }
    let program = env.built(&DG_SCOPE)?;
    let (name, mut value, none) = (SCOPED.as_ptr(), [0_u8; 16], std::ptr::null());
    let to = value.as_mut_ptr().cast();
    let read = call!(
        env,
        piextEnqueueDeviceGlobalVariableRead(queue, *program, name, PI_TRUE, 16, 0, to, 0, none, null_mut())
    );
    if read.is_ok() { Ok(program) } else { Err(Failure::skip(crate::skip::NO_GLOBALS)) }
}

fn has_2d(env: &Env, queue: pi_queue, usm: &Usm<'_>) -> bool {
    let (to, none) = (usm.ptr, std::ptr::null());
    env.pi.piextUSMEnqueueMemset2D.is_some()
        && call!(env, piextUSMEnqueueMemset2D(queue, to, 16, 1, 8, 2, 0, none, null_mut())).is_ok()
}

/// Returns `None` for what the device does not support.
pub(crate) fn there<T>(made: Verdict<T>) -> Verdict<Option<T>> {
    match made {
        Ok(made) => Ok(Some(made)),
        Err(Failure::Skip(_)) => Ok(None),
        Err(fail) => Err(fail),
    }
}

impl Drop for Objects<'_> {
    fn drop(&mut self) {
        // The commands read our host memory and buffers.
        let _ = call!(self.env, piQueueFinish(self.queue));
    }
}
