//! The objects that a batch starts with: a device, a context, queues, a built program with its kernels, and memory
//! of each kind.

use std::ffi::c_char;
use std::path::Path;
use std::ptr::{null, null_mut};

use anyhow::{Result, bail};
use libloading::os::unix::Library;
use sycl_pi_core::*;
use sycl_pi_loader::{Backend, Plugin, Table, Version};

use crate::enumerators::Enumerators;
use crate::memory::{LONGEST, Memory};
use crate::pools::{Block, Kind, Pools};
use crate::random::Random;

/// OpenCL C for drivers that do not support SPIR-V, SPIR-V, PTX, and a shared object for the software CUDA driver.
const SOURCE: &str = include_str!("../../kernels/basic.cl");
pub(crate) const SPIRV: &[u8] = include_bytes!("../../kernels/basic.spv");
pub(crate) const GLOBALS: &[u8] = include_bytes!("../../../lib/image/tests/images/dg_init.spv");
pub(crate) const CONSTANTS: &[u8] = include_bytes!("../../../lib/image/tests/images/spec_scalar.spv");
const PTX: &[u8] = include_bytes!("../../kernels/cuda/basic.ptx");
const HOST_CODE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/basic.so"));

/// A parameter of one of the kernels.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parameter {
    Memory,
    Int,
    Local,
}

/// The launched kernels with their parameters. Each stays within 1 MiB for the sizes that are used.
pub(crate) const KERNELS: [(&str, &[Parameter]); 9] = [
    ("fill_index", &[Parameter::Memory]),
    ("add_value", &[Parameter::Memory, Parameter::Int]),
    ("nothing", &[]),
    ("local_sum", &[Parameter::Memory, Parameter::Local]),
    ("fixed_size", &[Parameter::Memory]),
    ("count_places", &[Parameter::Memory]),
    ("global_ids", &[Parameter::Memory]),
    ("is_null", &[Parameter::Memory, Parameter::Memory]),
    ("copy_bytes", &[Parameter::Memory, Parameter::Memory]),
];

/// The size of the memory that kernels work on, and of the larger buffers.
pub(crate) const LARGE: usize = 1 << 20;

/// The objects and data from which calls are generated.
pub(crate) struct Fixture {
    pub(crate) pi: &'static Table,
    pub(crate) version: Version,
    pub(crate) backend: Backend,
    pub(crate) random: Random,
    pub(crate) enumerators: Enumerators,
    pub(crate) memory: Memory,
    pub(crate) pools: Pools,
    /// Memory for kernels' arguments, which is never freed. `None` if the device has no shared memory.
    pub(crate) usm: Option<u64>,
    /// A buffer for the same purpose, which is never released.
    pub(crate) buffer: u64,
    /// The built program's binary.
    pub(crate) binary: Vec<u8>,
    /// Whether the plugin owns its objects, so that it refuses stale handles and handles of another kind instead of
    /// following them.
    pub(crate) owns_objects: bool,
    /// Whether truncated binaries are tried. The driver checks them, and drivers crash on them.
    pub(crate) damaged_binaries: bool,
    /// Whether to skip events of other contexts, and images in place of buffers (`foreign.rs`).
    pub(crate) misplaced_objects_break: bool,
}

impl Fixture {
    /// Opens the plugin and creates the first objects. Skips those that the device does not support.
    pub(crate) fn new(path: &Path, version: Version, random: Random, owns_objects: bool) -> Result<Self> {
        // SAFETY: the file is the plugin under test, which the caller trusts.
        let plugin = unsafe { Plugin::open_version(path, version) }?;
        let Some(backend) = Backend::of_file(path) else { bail!("the file's name tells no backend") };
        let pi: &'static Table = Box::leak(Box::new(plugin)).table();
        let (enumerators, memory) = (Enumerators::read()?, Memory::new()?);
        let mut fixture = Self {
            pi,
            version,
            backend,
            random,
            enumerators,
            memory,
            owns_objects,
            damaged_binaries: false,
            misplaced_objects_break: false,
            pools: Pools::default(),
            usm: None,
            buffer: 0,
            binary: Vec::new(),
        };
        fixture.set_up(path)?;
        Ok(fixture)
    }

    fn set_up(&mut self, path: &Path) -> Result<()> {
        let pi = self.pi;
        let (mut platforms, mut devices) = ([null_mut(); 8], [null_mut(); 16]);
        let (mut count, mut device_count) = (0, 0);
        // SAFETY: every pointer points to room for the reported number of handles.
        unsafe {
            pi.piPlatformsGet(8, platforms.as_mut_ptr(), &mut count)?;
            for platform in platforms.into_iter().take(count as usize) {
                self.pools.add(Kind::Platform, platform as u64, true);
                let found = pi.piDevicesGet(
                    platform,
                    PI_DEVICE_TYPE_ALL,
                    16,
                    devices.as_mut_ptr(),
                    &mut device_count,
                );
                if found.is_ok() {
                    for device in devices.into_iter().take(device_count as usize) {
                        self.pools.add(Kind::Device, device as u64, true);
                    }
                }
            }
        }
        let Some(device) = self.pools.of(Kind::Device).first().map(|device| device.handle as pi_device)
        else {
            bail!("the plugin finds no device: install or name its driver");
        };
        let (mut context, mut queue, mut buffer) = (null_mut(), null_mut(), null_mut());
        // SAFETY: live handles, valid lists, and room for the results.
        unsafe {
            pi.piContextCreate(null(), 1, &device, None, null_mut(), &mut context)?;
            self.pools.add(Kind::Context, context as u64, true);
            for flags in [0, PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE] {
                let mut list = [PI_QUEUE_FLAGS, flags, 0];
                let made = match pi.piextQueueCreate {
                    Some(_) => pi.piextQueueCreate(context, device, list.as_mut_ptr(), &mut queue),
                    None => pi.piQueueCreate(context, device, flags, &mut queue),
                };
                match made {
                    Ok(()) => self.pools.add(Kind::Queue, queue as u64, true),
                    Err(error) if flags == 0 => return Err(error.into()),
                    Err(_) => {}
                }
            }
            let flags = PI_MEM_FLAGS_ACCESS_RW;
            pi.piMemBufferCreate(context, flags, LARGE, null_mut(), &mut buffer, null())?;
        }
        self.buffer = buffer as u64;
        self.pools.add(Kind::Mem, self.buffer, true);
        self.misplaced_objects_break = self.breaks_over_misplaced_objects();
        self.shared_memory(context, device);
        self.program(path, context, device);
        Ok(())
    }

    fn shared_memory(&mut self, context: pi_context, device: pi_device) {
        for device_memory in [false, true] {
            for size in [LARGE, 1 << 16] {
                let mut start = null_mut();
                // SAFETY: live handles and room for the result.
                let made = unsafe {
                    if device_memory {
                        self.pi.piextUSMDeviceAlloc(&mut start, context, device, null_mut(), size, 0)
                    } else {
                        self.pi.piextUSMSharedAlloc(&mut start, context, device, null_mut(), size, 0)
                    }
                };
                if made.is_ok() {
                    let (start, size, context) = (start as u64, size as u64, context as u64);
                    self.pools.blocks.push(Block { start, size, context, pinned: true });
                    self.usm.get_or_insert(start);
                }
            }
        }
    }

    /// Creates the program and its kernels from the first form that the driver supports.
    fn program(&mut self, path: &Path, context: pi_context, device: pi_device) {
        let pi = self.pi;
        let mut program = null_mut();
        // SAFETY: live handles, whole modules, and room for the result.
        let made = unsafe {
            match self.backend {
                Backend::Cuda => [HOST_CODE, PTX].into_iter().any(|code| {
                    let (length, start) = (code.len(), code.as_ptr());
                    let status = null_mut();
                    pi.piProgramCreateWithBinary(
                        context,
                        1,
                        &device,
                        &length,
                        &start,
                        0,
                        null(),
                        status,
                        &mut program,
                    )
                    .and_then(|()| pi.piProgramBuild(program, 1, &device, c"".as_ptr(), None, null_mut()))
                    .is_ok()
                }),
                _ => {
                    pi.piProgramCreate(context, SPIRV.as_ptr().cast(), SPIRV.len(), &mut program).is_ok()
                        || from_source(path, context, &mut program)
                }
            }
        };
        if !made {
            return;
        }
        self.pools.add(Kind::Program, program as u64, true);
        let (mut size, mut kernel) = (0_usize, null_mut());
        // SAFETY: live handles and room for the results. The binary's room is as large as the plugin reports.
        unsafe {
            if self.backend != Backend::Cuda
                && pi.piProgramBuild(program, 1, &device, c"".as_ptr(), None, null_mut()).is_err()
            {
                return;
            }
            for (number, (name, _)) in KERNELS.iter().enumerate() {
                let Ok(name) = std::ffi::CString::new(*name) else { continue };
                if pi.piKernelCreate(program, name.as_ptr(), &mut kernel).is_ok() {
                    self.pools.add(Kind::Kernel, kernel as u64, true);
                    if let Some(object) = self.pools.find(Kind::Kernel, kernel as u64) {
                        object.kernel = Some(number);
                    }
                }
            }
            let (word, out) = (size_of::<usize>(), (&raw mut size).cast());
            if pi.piProgramGetInfo(program, PI_PROGRAM_INFO_BINARY_SIZES, word, out, null_mut()).is_ok()
                && size < LONGEST
            {
                let mut binary = vec![0_u8; size];
                let mut place = binary.as_mut_ptr();
                let out = (&raw mut place).cast();
                if pi.piProgramGetInfo(program, PI_PROGRAM_INFO_BINARIES, word, out, null_mut()).is_ok() {
                    self.binary = binary;
                }
            }
        }
    }

    /// Sets arguments that the kernel can work with.
    pub(crate) fn prepare(&self, kernel: u64, number: usize) {
        let (pi, raw) = (self.pi, kernel as pi_kernel);
        for (index, parameter) in KERNELS[number].1.iter().enumerate() {
            let (index, value, buffer) = (index as u32, 7_i32, self.buffer as pi_mem);
            // A failure shows when the kernel is launched.
            // SAFETY: live handles, and arguments that match the kernel's declaration.
            let _ = unsafe {
                match (parameter, self.usm) {
                    (Parameter::Int, _) => pi.piKernelSetArg(raw, index, 4, (&raw const value).cast()),
                    (Parameter::Local, _) => pi.piKernelSetArg(raw, index, 4096, null()),
                    (Parameter::Memory, Some(start)) => {
                        pi.piextKernelSetArgPointer(raw, index, size_of::<usize>(), (&raw const start).cast())
                    }
                    (Parameter::Memory, None) => match pi.piextKernelSetArgMemObj {
                        Some(_) => pi.piextKernelSetArgMemObj(raw, index, null(), &buffer),
                        None => pi.piextKernelSetArgMemObj_until_12_27(raw, index, &buffer),
                    },
                }
            };
        }
    }

    /// Completes the user events and all queues. Needed before a call that would wait forever, or that frees memory
    /// that a command uses.
    pub(crate) fn settle(&mut self, queues_too: bool) {
        for event in std::mem::take(&mut self.pools.open_events) {
            // The event may already be set. SAFETY: the event's last reference is kept until here.
            let _ = unsafe { self.pi.piEventSetStatus(event as pi_event, PI_EVENT_COMPLETE) };
            if let Some(event) = self.pools.find(Kind::Event, event) {
                event.pinned = false;
            }
        }
        if queues_too {
            for queue in self.pools.of(Kind::Queue) {
                // A queue whose commands failed reports that. SAFETY: a live handle.
                let _ = unsafe { self.pi.piQueueFinish(queue.handle as pi_queue) };
            }
        }
    }
}

type CreateWithSource = unsafe extern "C" fn(
    pi_context,
    pi_uint32,
    *const *const c_char,
    *const usize,
    *mut pi_program,
) -> pi_result;

/// Creates a program from OpenCL C with the exported function, which newer tables lack.
fn from_source(path: &Path, context: pi_context, program: &mut pi_program) -> bool {
    // SAFETY: the library is already loaded. This finds it again, and it stays loaded.
    let Ok(library) = (unsafe { Library::new(path) }) else { return false };
    // SAFETY: the symbol has this signature in every plugin that exports it.
    let function = unsafe { library.get::<CreateWithSource>(b"piclProgramCreateWithSource\0") };
    let function = function.map(|symbol| *symbol);
    std::mem::forget(library);
    let (Ok(function), Ok(source)) = (function, std::ffi::CString::new(SOURCE)) else { return false };
    // SAFETY: a NUL-terminated text, and room for the result.
    unsafe { function(context, 1, &source.as_ptr(), null(), program) == PI_SUCCESS }
}
