//! A workload with a bit of everything in the interface, for tests of failures in the driver.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Table;
use testing_support::{image_desc, last_error};

use crate::code;
use crate::fixture::{CALLEE, CALLS, KERNELS, VARIABLE};

/// Where a workload ended early.
#[derive(Debug)]
pub struct Failure {
    /// The entry point.
    pub call: &'static str,
    /// Its return code.
    pub code: pi_result,
    /// Its message.
    pub text: String,
    /// The result of a later command on the same queue, if there was one.
    pub later: Option<pi_result>,
}

/// The created objects, which are always released in reverse order.
#[derive(Default)]
struct Undo(Vec<Box<dyn FnOnce()>>);

impl Drop for Undo {
    fn drop(&mut self) {
        while let Some(undo) = self.0.pop() {
            undo();
        }
    }
}

macro_rules! step {
    ($state:expr, $name:ident($($arg:expr),* $(,)?)) => {{
        let code = code!($state.pi, $name($($arg),*));
        if code != 0 {
            return Err($state.failure(stringify!($name), code));
        }
    }};
}

macro_rules! undo {
    ($state:expr, $name:ident($($arg:expr),* $(,)?)) => {{
        let pi = $state.pi;
        $state.undo.0.push(Box::new(move || {
            let _ = code!(pi, $name($($arg),*));
        }));
    }};
}

struct Work {
    pi: &'static Table,
    undo: Undo,
    queue: pi_queue,
    ask_later: bool,
    /// Memory that commands read and write. A command whose call failed may still use it, so it is freed after the
    /// queue.
    host: Vec<Vec<u8>>,
}

impl Work {
    fn failure(&self, call: &'static str, code: pi_result) -> Failure {
        let text = last_error(self.pi);
        let ask = self.ask_later && !self.queue.is_null();
        let later = ask.then(|| code!(self.pi, piEnqueueEventsWait(self.queue, 0, null(), null_mut())));
        Failure { call, code, text, later }
    }

    /// Host memory for commands.
    fn host(&mut self, bytes: &[u8]) -> *mut c_void {
        let mut bytes = bytes.to_vec();
        let start = bytes.as_mut_ptr().cast();
        self.host.push(bytes);
        start
    }

    /// The event of a command, for a later wait.
    fn event(&mut self, event: pi_event) -> pi_event {
        undo!(self, piEventRelease(event));
        event
    }
}

/// Uses every family of entry points once or twice, and releases all objects. With `ask_later`, tries one more command
/// after a failure.
pub fn work(pi: &'static Table, ask_later: bool) -> Result<(), Failure> {
    let mut work = Work { pi, undo: Undo::default(), queue: null_mut(), ask_later, host: Vec::new() };
    let result = steps(&mut work);
    if result.is_err() && !work.queue.is_null() {
        // Memory must not be freed while a command uses it.
        let _ = code!(pi, piQueueFinish(work.queue));
    }
    result
}

fn steps(work: &mut Work) -> Result<(), Failure> {
    let (mut platform, mut count, mut device) = (null_mut(), 0, null_mut());
    step!(work, piPlatformsGet(0, null_mut(), &mut count));
    if count == 0 {
        return Err(work.failure("piPlatformsGet", PI_ERROR_INVALID_PLATFORM));
    }
    step!(work, piPlatformsGet(1, &mut platform, null_mut()));
    step!(work, piDevicesGet(platform, PI_DEVICE_TYPE_GPU, 1, &mut device, null_mut()));
    let mut context = null_mut();
    step!(work, piContextCreate(null(), 1, &device, None, null_mut(), &mut context));
    undo!(work, piContextRelease(context));
    let mut queue = null_mut();
    let flags = PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE | PI_QUEUE_FLAG_PROFILING_ENABLE;
    step!(work, piQueueCreate(context, device, flags, &mut queue));
    undo!(work, piQueueRelease(queue));
    work.queue = queue;
    let memory = usm(work, context, device, queue)?;
    buffers(work, context, queue)?;
    programs(work, context, device, queue, memory)?;
    images(work, context, queue)?;
    natives(work, context, queue)?;
    step!(work, piQueueFinish(queue));
    Ok(())
}

fn usm(
    work: &mut Work,
    context: pi_context,
    device: pi_device,
    queue: pi_queue,
) -> Result<*mut c_void, Failure> {
    let (mut small, mut large, mut host, mut shared) = (null_mut(), null_mut(), null_mut(), null_mut());
    step!(work, piextUSMDeviceAlloc(&mut small, context, device, null_mut(), 256, 0));
    undo!(work, piextUSMFree(context, small));
    step!(work, piextUSMDeviceAlloc(&mut large, context, device, null_mut(), 8 << 20, 0));
    undo!(work, piextUSMFree(context, large));
    step!(work, piextUSMHostAlloc(&mut host, context, null_mut(), 256, 0));
    undo!(work, piextUSMFree(context, host));
    step!(work, piextUSMSharedAlloc(&mut shared, context, device, null_mut(), 256, 0));
    undo!(work, piextUSMFree(context, shared));
    let (mut first, mut second) = (null_mut(), null_mut());
    step!(work, piextUSMEnqueueMemset(queue, small, 1, 256, 0, null(), &mut first));
    let first = work.event(first);
    step!(work, piextUSMEnqueueMemcpy(queue, 0, host, small, 256, 1, &first, &mut second));
    let second = work.event(second);
    step!(work, piextUSMEnqueuePrefetch(queue, shared, 256, 0, 0, null(), null_mut()));
    step!(work, piextUSMEnqueueMemAdvise_until_14_37(queue, shared, 256, PI_MEM_ADVICE_RESET, null_mut()));
    step!(work, piextUSMEnqueueMemcpy2D(queue, 0, large, 64, small, 64, 32, 4, 1, &second, null_mut()));
    step!(work, piEventsWait(1, &second));
    let mut kind: pi_usm_type = 0;
    let room = (&raw mut kind).cast();
    step!(
        work,
        piextUSMGetMemAllocInfo(context, small, PI_MEM_ALLOC_TYPE, size_of_val(&kind), room, null_mut())
    );
    let mut status: pi_event_status = 0;
    let (name, room) = (PI_EVENT_INFO_COMMAND_EXECUTION_STATUS, (&raw mut status).cast());
    step!(work, piEventGetInfo(second, name, 4, room, null_mut()));
    let mut start = 0_u64;
    let room = (&raw mut start).cast();
    step!(work, piEventGetProfilingInfo(second, PI_PROFILING_INFO_COMMAND_START, 8, room, null_mut()));
    Ok(small)
}

fn buffers(work: &mut Work, context: pi_context, queue: pi_queue) -> Result<(), Failure> {
    let start = work.host(&[3; 1024]);
    let (mut buffer, mut part) = (null_mut(), null_mut());
    let flags = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY;
    step!(work, piMemBufferCreate(context, flags, 1024, start, &mut buffer, null()));
    undo!(work, piMemRelease(buffer));
    let mut region = pi_buffer_region_struct { origin: 0, size: 512 };
    let (how, region) = (PI_BUFFER_CREATE_TYPE_REGION, (&raw mut region).cast());
    step!(work, piMemBufferPartition(buffer, PI_MEM_FLAGS_ACCESS_RW, how, region, &mut part));
    undo!(work, piMemRelease(part));
    let word = [1_u8, 2, 3, 4];
    let pattern = word.as_ptr().cast();
    step!(work, piEnqueueMemBufferWrite(queue, buffer, 1, 0, 1024, start, 0, null(), null_mut()));
    step!(work, piEnqueueMemBufferFill(queue, buffer, pattern, 4, 0, 64, 0, null(), null_mut()));
    step!(work, piEnqueueMemBufferFill(queue, buffer, pattern, 3, 0, 96, 0, null(), null_mut()));
    step!(work, piEnqueueMemBufferCopy(queue, buffer, buffer, 0, 512, 256, 0, null(), null_mut()));
    let mut map = null_mut();
    step!(
        work,
        piEnqueueMemBufferMap(queue, buffer, 1, PI_MAP_WRITE, 0, 128, 0, null(), null_mut(), &mut map)
    );
    step!(work, piEnqueueMemUnmap(queue, buffer, map, 0, null(), null_mut()));
    step!(work, piEnqueueMemBufferRead(queue, part, 1, 0, 512, start, 0, null(), null_mut()));
    Ok(())
}

fn programs(
    work: &mut Work,
    context: pi_context,
    device: pi_device,
    queue: pi_queue,
    memory: *mut c_void,
) -> Result<(), Failure> {
    let (mut program, mut kernel, none) = (null_mut(), null_mut(), c"".as_ptr());
    step!(work, piProgramCreate(context, KERNELS.as_ptr().cast(), KERNELS.len(), &mut program));
    undo!(work, piProgramRelease(program));
    step!(work, piProgramBuild(program, 1, &device, none, None, null_mut()));
    step!(work, piKernelCreate(program, c"add".as_ptr(), &mut kernel));
    undo!(work, piKernelRelease(kernel));
    for index in 0..3 {
        step!(work, piextKernelSetArgPointer(kernel, index, 8, (&raw const memory).cast()));
    }
    let mut event = null_mut();
    for global in [8_usize, 7, 16] {
        step!(work, piEnqueueKernelLaunch(queue, kernel, 1, &0, &global, null(), 0, null(), &mut event));
        event = work.event(event);
    }
    step!(work, piEventsWait(1, &event));
    let mut sizes = 0_usize;
    let room = (&raw mut sizes).cast();
    step!(work, piProgramGetInfo(program, PI_PROGRAM_INFO_BINARY_SIZES, 8, room, null_mut()));
    let mut variables = null_mut();
    step!(work, piProgramCreate(context, VARIABLE.as_ptr().cast(), VARIABLE.len(), &mut variables));
    undo!(work, piProgramRelease(variables));
    step!(work, piProgramBuild(variables, 1, &device, none, None, null_mut()));
    let (name, from) = (c"_Z7Counter".as_ptr(), work.host(&[5, 0, 0, 0]));
    step!(
        work,
        piextEnqueueDeviceGlobalVariableWrite(queue, variables, name, 1, 4, 0, from, 0, null(), null_mut())
    );
    let mut parts = [null_mut(); 2];
    for (part, il) in parts.iter_mut().zip([CALLS, CALLEE]) {
        step!(work, piProgramCreate(context, il.as_ptr().cast(), il.len(), part));
        let part = *part;
        undo!(work, piProgramRelease(part));
        step!(work, piProgramCompile(part, 1, &device, none, 0, null(), null_mut(), None, null_mut()));
    }
    let mut whole = null_mut();
    let code = code!(
        work.pi,
        piProgramLink(context, 1, &device, none, 2, parts.as_ptr(), None, null_mut(), &mut whole)
    );
    // A failed link leaves a program with its log.
    if !whole.is_null() {
        undo!(work, piProgramRelease(whole));
    }
    if code != 0 {
        return Err(work.failure("piProgramLink", code));
    }
    Ok(())
}

fn images(work: &mut Work, context: pi_context, queue: pi_queue) -> Result<(), Failure> {
    let format = pi_image_format {
        image_channel_order: PI_IMAGE_CHANNEL_ORDER_RGBA,
        image_channel_data_type: PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
    };
    let desc = image_desc(PI_MEM_TYPE_IMAGE2D, [8, 4, 1]);
    let mut image = null_mut();
    step!(work, piMemImageCreate(context, PI_MEM_FLAGS_ACCESS_RW, &format, &desc, null_mut(), &mut image));
    undo!(work, piMemRelease(image));
    let start = work.host(&[7; 128]);
    let mut origin = pi_image_offset_struct { x: 0, y: 0, z: 0 };
    let mut region = pi_image_region_struct { width: 8, height: 4, depth: 1 };
    step!(
        work,
        piEnqueueMemImageWrite(queue, image, 1, &mut origin, &mut region, 0, 0, start, 0, null(), null_mut())
    );
    step!(
        work,
        piEnqueueMemImageRead(queue, image, 1, &mut origin, &mut region, 0, 0, start, 0, null(), null_mut())
    );
    let mut sampler = null_mut();
    let properties = [
        pi_sampler_properties::from(PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS),
        0,
        PI_SAMPLER_PROPERTIES_ADDRESSING_MODE,
        PI_SAMPLER_ADDRESSING_MODE_CLAMP.into(),
        PI_SAMPLER_PROPERTIES_FILTER_MODE,
        PI_SAMPLER_FILTER_MODE_NEAREST.into(),
        0,
    ];
    step!(work, piSamplerCreate(context, properties.as_ptr(), &mut sampler));
    undo!(work, piSamplerRelease(sampler));
    Ok(())
}

fn natives(work: &mut Work, context: pi_context, queue: pi_queue) -> Result<(), Failure> {
    let (mut native, mut user) = (0, null_mut());
    step!(work, piextQueueGetNativeHandle_until_12_27(queue, &mut native));
    step!(work, piEventCreate(context, &mut user));
    undo!(work, piEventRelease(user));
    let mut event = null_mut();
    step!(work, piEnqueueEventsWaitWithBarrier(queue, 0, null(), &mut event));
    let event = work.event(event);
    step!(work, piextEventGetNativeHandle(event, &mut native));
    step!(work, piEventsWait(1, &event));
    Ok(())
}
