//! The plugin's objects for programs. They are never released, except for queues, which are recreated now and then.

use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use anyhow::{Context as _, Result, anyhow, bail};
use sycl_pi_core::*;
use sycl_pi_loader::{Backend, Plugin, Table, Version};
use testing_ur_host::Behind;

use crate::cli::{Arguments, Interface};
use crate::code;
use crate::draw::LOGS;
use crate::shape::{Can, Memory, PLACE, Place, QueueShape, Shape};

/// The location of a place.
#[derive(Clone, Copy)]
pub(crate) enum At {
    Buffer(pi_mem),
    Usm(*mut u8),
}

/// A context and its objects.
pub(crate) struct Context {
    pub(crate) handle: pi_context,
    pub(crate) devices: Vec<pi_device>,
    /// `copy_bytes` and `slow`.
    pub(crate) copy: pi_kernel,
    pub(crate) slow: pi_kernel,
    /// The memory of each device's slow kernel.
    pub(crate) scratch: Vec<*mut u8>,
    /// The logs, then one place filled with each value, in USM of the host.
    pinned: *mut u8,
}

/// All objects.
pub(crate) struct World {
    pub(crate) pi: &'static Table,
    pub(crate) behind: Option<Behind>,
    pub(crate) version: Version,
    pub(crate) shape: Shape,
    pub(crate) contexts: Vec<Context>,
    pub(crate) queues: Vec<pi_queue>,
    pub(crate) places: Vec<At>,
    /// The content of each place between programs.
    pub(crate) initial: Vec<Vec<u8>>,
    /// As many bytes as `pinned`, in the program's own memory.
    pageable: *mut u8,
    pub(crate) device: String,
}

/// The size of logs and values.
const HOST: usize = (LOGS + 256) * PLACE;

fn with_values(start: *mut u8) -> *mut u8 {
    for value in 0..256 {
        // SAFETY: host memory of `HOST` bytes.
        unsafe { start.add((LOGS + value) * PLACE).write_bytes(value as u8, PLACE) };
    }
    start
}

impl World {
    /// Opens the file and creates all objects.
    pub(crate) fn new(arguments: &Arguments) -> Result<Self> {
        let (file, interface) = (&arguments.file, arguments.interface());
        let (plugin, behind) = match interface {
            // SAFETY: the file is the plugin under test, which the caller trusts.
            Interface::Pi(version) => (unsafe { Plugin::open_version(file, version) }?, None),
            Interface::Ur(layout) => {
                // SAFETY: the file is the adapter under test, which the caller trusts.
                let (plugin, behind) = unsafe { testing_ur_host::open(file, layout) }?;
                (plugin, Some(behind))
            }
        };
        let pi: &'static Table = Box::leak(Box::new(plugin)).table();
        let backend = Backend::of_file(file).context("the file's name tells no backend")?;
        let devices = devices(pi, arguments.device)?;
        let shape =
            Shape { contexts: Vec::new(), queues: Vec::new(), places: Vec::new(), can: Can::default() };
        let pageable = with_values(Box::leak(vec![0_u8; HOST].into_boxed_slice()).as_mut_ptr());
        let device = code::name(pi, devices[0])?;
        let (contexts, queues, places, initial) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let version = pi.version();
        let mut world =
            Self { pi, behind, version, shape, contexts, queues, places, initial, pageable, device };
        world.add_context(backend, &devices[..1])?;
        // All devices together, or parts of the only one, or a second context of it.
        let several = if devices.len() > 1 { devices[..2].to_vec() } else { world.parts(devices[0]) };
        world.add_context(backend, if several.len() > 1 { &several } else { &devices[..1] })?;
        world.make_queues()?;
        world.probe(backend);
        // New memory has arbitrary content.
        for place in 0..world.places.len() {
            world.initial[place] = world.content(place)?;
        }
        Ok(world)
    }

    /// Returns the halves of a device, if the driver can partition it.
    fn parts(&self, device: pi_device) -> Vec<pi_device> {
        let (mut units, mut parts) = (0_u32, [null_mut(); 2]);
        // SAFETY: room for a number, and for two devices.
        unsafe {
            let room = (&raw mut units).cast();
            let asked =
                self.pi.piDeviceGetInfo(device, PI_DEVICE_INFO_MAX_COMPUTE_UNITS, 4, room, null_mut());
            let list = [PI_DEVICE_PARTITION_EQUALLY, (units / 2) as isize, 0];
            let made = self.pi.piDevicePartition(device, list.as_ptr(), 2, parts.as_mut_ptr(), null_mut());
            if asked.is_err() || made.is_err() { Vec::new() } else { parts.to_vec() }
        }
    }

    fn add_context(&mut self, backend: Backend, devices: &[pi_device]) -> Result<()> {
        let (pi, number, count) = (self.pi, self.contexts.len(), devices.len());
        let mut handle = null_mut();
        // SAFETY: live handles, and room for the context.
        unsafe { pi.piContextCreate(null(), count as u32, devices.as_ptr(), None, null_mut(), &mut handle)? };
        let program = code::program(pi, backend, handle, devices)?;
        let kernel = |name: &CStr| -> Result<pi_kernel> {
            let mut kernel = null_mut();
            // SAFETY: a built program, and room for the kernel.
            unsafe { pi.piKernelCreate(program, name.as_ptr(), &mut kernel)? };
            Ok(kernel)
        };
        let (copy, slow) = (kernel(c"copy_bytes")?, kernel(c"slow")?);
        self.shape.contexts.push(count);
        let mut add = |memory, at| {
            self.shape.places.push(Place { context: number, memory });
            self.places.push(at);
            self.initial.push(vec![0; PLACE]);
        };
        for _ in 0..3 {
            let (mut mem, zeros) = (null_mut(), vec![0_u8; PLACE]);
            let (flags, start) =
                (PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY, zeros.as_ptr().cast_mut().cast());
            // SAFETY: bytes to copy, and room for the buffer.
            unsafe { pi.piMemBufferCreate(handle, flags, PLACE, start, &mut mem, null())? };
            add(Memory::Buffer, At::Buffer(mem));
        }
        let mut scratch = Vec::new();
        let (mut pinned, none) = (null_mut::<c_void>(), null_mut());
        // SAFETY: room for the addresses.
        unsafe {
            pi.piextUSMHostAlloc(&mut pinned, handle, none, HOST + 2 * PLACE, 0)?;
            for place in 0..2 {
                add(Memory::Host, At::Usm(pinned.cast::<u8>().add(HOST + place * PLACE)));
            }
            for (index, device) in devices.iter().enumerate() {
                let mut start = null_mut::<c_void>();
                pi.piextUSMDeviceAlloc(&mut start, handle, *device, none, 3 * PLACE, 0)?;
                for place in 0..2 {
                    add(Memory::Device(index), At::Usm(start.cast::<u8>().add(place * PLACE)));
                }
                scratch.push(start.cast::<u8>().add(2 * PLACE));
                if pi.piextUSMSharedAlloc(&mut start, handle, *device, none, 2 * PLACE, 0).is_ok() {
                    for place in 0..2 {
                        add(Memory::Shared(index), At::Usm(start.cast::<u8>().add(place * PLACE)));
                    }
                }
            }
        }
        let pinned = with_values(pinned.cast());
        let devices = devices.to_vec();
        self.contexts.push(Context { handle, devices, copy, slow, scratch, pinned });
        Ok(())
    }

    /// Creates in-order and out-of-order queues for each device of each context. One of them records times.
    pub(crate) fn make_queues(&mut self) -> Result<()> {
        for queue in self.queues.drain(..) {
            // SAFETY: the reference belongs to this object.
            unsafe { self.pi.piQueueRelease(queue)? };
        }
        self.shape.queues.clear();
        for (number, context) in self.contexts.iter().enumerate() {
            for (index, device) in context.devices.iter().enumerate() {
                let out_of_order = PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE;
                let kinds = [0, 0, out_of_order, out_of_order, out_of_order | PI_QUEUE_FLAG_PROFILING_ENABLE];
                for flags in kinds {
                    let (mut queue, mut list) = (null_mut(), [PI_QUEUE_FLAGS, flags, 0]);
                    let handle = context.handle;
                    // SAFETY: live handles, a list that ends with 0, and room for the queue.
                    unsafe {
                        match self.pi.piextQueueCreate {
                            Some(_) => {
                                self.pi.piextQueueCreate(handle, *device, list.as_mut_ptr(), &mut queue)?
                            }
                            None => self.pi.piQueueCreate(handle, *device, flags, &mut queue)?,
                        }
                    }
                    self.queues.push(queue);
                    let in_order = flags & out_of_order == 0;
                    self.shape.queues.push(QueueShape { context: number, device: index, in_order });
                }
            }
        }
        Ok(())
    }

    /// Queries features that not every driver has.
    fn probe(&mut self, backend: Backend) {
        let (pi, queue, context) = (self.pi, self.queues[0], &self.contexts[0]);
        let (to, from) = (self.log(0, 0, true), self.constant(0, 0, true));
        let mut can = Can {
            user_events: self.version == Version::V9_11,
            blocking_writes_complete: backend != Backend::OpenCl,
            markers_heed_barriers: backend != Backend::OpenCl,
            ..Can::default()
        };
        // SAFETY: live handles, memory of that size, and room for the new objects.
        unsafe {
            can.rows = pi.piextUSMEnqueueMemcpy2D.is_some()
                && pi
                    .piextUSMEnqueueMemcpy2D(queue, PI_TRUE, to, 16, from, 16, 8, 8, 0, null(), null_mut())
                    .is_ok();
            let (mut event, mut native, mut other) = (null_mut(), 0, null_mut());
            if pi.piEnqueueEventsWait(queue, 0, null(), &mut event).is_ok() {
                can.native_events = pi.piextEventGetNativeHandle(event, &mut native).is_ok()
                    && pi.piextEventCreateWithNativeHandle(native, context.handle, 0, &mut other).is_ok();
                let _ = pi.piEventsWait(1, &event);
                let _ = pi.piEventRelease(event);
                if can.native_events {
                    let _ = pi.piEventRelease(other);
                }
            }
        }
        self.shape.can = can;
        self.probe_command_buffers();
    }

    /// Returns a command's own place on the host to write to.
    pub(crate) fn log(&self, context: usize, log: usize, pinned: bool) -> *mut c_void {
        let start = if pinned { self.contexts[context].pinned } else { self.pageable };
        start.wrapping_add(log * PLACE).cast()
    }

    /// Returns a place on the host filled with a value.
    pub(crate) fn constant(&self, context: usize, value: u8, pinned: bool) -> *mut c_void {
        self.log(context, LOGS + usize::from(value), pinned)
    }

    /// Clears the logs.
    pub(crate) fn clear_logs(&self) {
        for start in self.contexts.iter().map(|context| context.pinned).chain([self.pageable]) {
            // SAFETY: host memory, which no command uses between programs.
            unsafe { start.write_bytes(0, LOGS * PLACE) };
        }
    }

    /// Returns what a command logged.
    pub(crate) fn logged(&self, context: usize, log: usize, pinned: bool) -> Vec<u8> {
        let start = self.log(context, log, pinned).cast::<u8>();
        // SAFETY: host memory of that size, and all commands are complete.
        unsafe { std::slice::from_raw_parts(start, PLACE) }.to_vec()
    }
}

/// Returns the devices of the platform of the device with that number, which comes first.
fn devices(pi: &Table, number: usize) -> Result<Vec<pi_device>> {
    let (mut platforms, mut count) = ([null_mut(); 16], 0);
    // SAFETY: room for 16 handles.
    unsafe { pi.piPlatformsGet(16, platforms.as_mut_ptr(), &mut count)? };
    let mut before = 0;
    for platform in platforms.into_iter().take(count as usize) {
        let (mut devices, mut count) = (vec![null_mut(); 64], 0);
        // SAFETY: room for 64 handles.
        unsafe { pi.piDevicesGet(platform, PI_DEVICE_TYPE_ALL, 64, devices.as_mut_ptr(), &mut count)? };
        devices.truncate(count as usize);
        if number < before + devices.len() {
            devices.rotate_left(number - before);
            return Ok(devices);
        }
        before += devices.len();
    }
    if before == 0 {
        bail!("the plugin finds no device: install or name its driver");
    }
    Err(anyhow!("there is no device {number}: {before} were found"))
}
