//! A session of the C API: one device with a queue, over the images of the process.
#![expect(unsafe_code, reason = "C functions: the caller vouches for its pointers")]

use std::ffi::{CString, c_char, c_void};
use std::fmt;
use std::path::Path;

use parking_lot::Mutex;
use sycl_pi_core::pi_device_binaries_struct;
use sycl_pi_runtime::binaries::read_binaries;
use sycl_pi_runtime::{
    Arg, BuildOptions, Context, Device, Discovery, Error, ImageError, NdRange, Plugin, Queue, QueueOptions,
    Registry, Result, Runtime, SpecValues, Usm, UsmKind,
};

use crate::fail::{bytes, fenced, items, room, text};

/// `pi_runtime`: a device with an in-order queue, and the allocated memory.
pub struct Session {
    device: Device,
    /// Created at first use, so a program that only prepares kernels starts no worker threads of the driver.
    queue: Mutex<Option<Queue>>,
    runtime: Mutex<Runtime>,
    values: Mutex<SpecValues>,
    memory: Mutex<Vec<Usm<u8>>>,
    /// The device's name as a C string.
    device_name: CString,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("device", &self.device_name).finish_non_exhaustive()
    }
}

/// `pi_runtime_arg`: an argument of a kernel.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CArg {
    /// `pi_runtime_arg_kind`: 0 for a value, 1 for an address, 2 for work-group memory, 3 for nothing.
    pub kind: i32,
    /// The size in bytes of a value or of work-group memory.
    pub size: usize,
    /// The address of the value, or the address itself.
    pub data: *const c_void,
}

impl Session {
    /// Returns the runtime, with the build options of the session.
    pub(crate) fn runtime(&self) -> Runtime {
        self.runtime.lock().clone()
    }

    pub(crate) fn queue(&self) -> Result<Queue> {
        let mut made = self.queue.lock();
        if let Some(queue) = &*made {
            return Ok(queue.clone());
        }
        let queue = Queue::new(self.runtime().context(), &self.device, QueueOptions::default())?;
        Ok(made.insert(queue).clone())
    }
}

/// # Safety
/// `session` is null or a session that was not closed.
pub(crate) unsafe fn session<'s>(session: *const Session) -> Result<&'s Session> {
    // SAFETY: guaranteed by the caller.
    unsafe { session.as_ref() }.ok_or_else(|| Error::Invalid("the session is null".into()))
}

/// Opens a plugin and one of its devices, numbered from 0 across all platforms. Without a plugin, the device is chosen
/// from all plugins that are found and whose devices `ONEAPI_DEVICE_SELECTOR` leaves visible.
///
/// # Safety
/// `plugin` is null or ends with a zero byte, and the file is trusted like a program; `out` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_runtime_open(plugin: *const c_char, device: u32, out: *mut *mut Session) -> i32 {
    fenced(|| {
        sycl_pi_logger::start("libpi_runtime.so");
        if out.is_null() {
            return Err(Error::Invalid("the pointer for the session is null".into()));
        }
        let device = if plugin.is_null() {
            Discovery::from_env()?.device(device as usize)?
        } else {
            // SAFETY: guaranteed by the caller.
            let path = unsafe { text(plugin, "the plugin's path") }?;
            // SAFETY: the caller trusts the file.
            let devices = unsafe { Plugin::open(Path::new(path)) }?.devices()?;
            let count = devices.len();
            let none = || Error::NoDevice(format!("{path} offers {count}, number {device} was asked for"));
            devices.into_iter().nth(device as usize).ok_or_else(none)?
        };
        // Each plugin has its own gate, behind which calls of this library would wait while a thread forks.
        static REGISTERED: Mutex<Vec<Plugin>> = Mutex::new(Vec::new());
        let (plugin, mut registered) = (device.plugin(), REGISTERED.lock());
        if !registered.contains(&plugin) {
            registered.push(plugin);
            sycl_pi_host_process::register();
        }
        drop(registered);
        let context = Context::new(std::slice::from_ref(&device))?;
        let runtime = Runtime::new(&context, Registry::process());
        let (queue, values, memory) = (Mutex::default(), Mutex::default(), Mutex::default());
        let device_name = CString::new(device.info().name.replace('\0', " ")).unwrap_or_default();
        let runtime = Mutex::new(runtime);
        let made = Session { device, queue, runtime, values, memory, device_name };
        // SAFETY: `out` is valid.
        unsafe { out.write(Box::into_raw(Box::new(made))) };
        Ok(())
    })
}

/// Closes a session and frees everything allocated in it.
///
/// # Safety
/// `session` is null or a session that was not closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_runtime_close(session: *mut Session) {
    if !session.is_null() {
        fenced(|| {
            // SAFETY: `pi_runtime_open` created it, and the caller no longer uses it.
            drop(unsafe { Box::from_raw(session) });
            Ok(())
        });
    }
}

/// Returns the name of the session's device, valid until the session is closed, or null without a session.
///
/// # Safety
/// `this` is null or a session that was not closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_runtime_device_name(this: *const Session) -> *const c_char {
    // SAFETY: guaranteed by the caller.
    unsafe { this.as_ref() }.map_or(std::ptr::null(), |session| session.device_name.as_ptr())
}

/// Registers images in the form in which compiled objects contain them.
///
/// # Safety
/// `binaries` is null or valid during the call, and a compiler made its images.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_runtime_register(binaries: *const pi_device_binaries_struct) -> i32 {
    fenced(|| {
        // SAFETY: guaranteed by the caller.
        let read = unsafe { read_binaries(binaries) };
        let images: std::result::Result<Vec<_>, _> = read.into_iter().collect();
        let images = images.map_err(ImageError::from)?;
        // SAFETY: guaranteed by the caller.
        let (_, mut errors) = unsafe { Registry::process().add_module(images) };
        errors.pop().map_or(Ok(()), |error| Err(error.into()))
    })
}

/// Registers a SPIR-V module with its properties, as `.prop` or `.props.json` text, or null for a module without
/// properties.
///
/// # Safety
/// `name` and `properties` are null or end with a zero byte; `code` has `size` bytes, which a compiler made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_runtime_register_spirv(
    name: *const c_char,
    code: *const c_void,
    size: usize,
    properties: *const c_char,
) -> i32 {
    fenced(|| {
        // SAFETY: guaranteed by the caller.
        let (name, code) = unsafe { (text(name, "the image's name")?, bytes(code, size, "the code")?) };
        let properties = match properties.is_null() {
            true => None,
            // SAFETY: guaranteed by the caller.
            false => Some(unsafe { text(properties, "the properties") }?),
        };
        // SAFETY: guaranteed by the caller.
        unsafe { Registry::process().add_spirv(name, code, properties) }.map(drop)
    })
}

/// Compiles OpenCL C to SPIR-V and registers it, like `Registry::add_source`. The options are separated by spaces.
///
/// # Safety
/// `name`, `source` and `options` are null or end with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_runtime_register_source(
    name: *const c_char,
    source: *const c_char,
    options: *const c_char,
) -> i32 {
    fenced(|| {
        // SAFETY: guaranteed by the caller.
        let (name, source) = unsafe { (text(name, "the source's name")?, text(source, "the source")?) };
        let options = match options.is_null() {
            true => "",
            // SAFETY: guaranteed by the caller.
            false => unsafe { text(options, "the options") }?,
        };
        let options: Vec<&str> = options.split_ascii_whitespace().collect();
        Registry::process().add_source_with_options(name, source, &options).map(drop)
    })
}

/// Registers the images of a program, library or object file. A name without a slash is first looked up among the
/// loaded libraries. Malformed images are skipped: the result is then an error that names them, and the others are
/// registered.
///
/// # Safety
/// `file` is null or ends with a zero byte; a compiler made its images.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_runtime_register_file(file: *const c_char) -> i32 {
    fenced(|| {
        // SAFETY: guaranteed by the caller.
        let file = unsafe { text(file, "the file's name") }?;
        let registry = Registry::process();
        // SAFETY: guaranteed by the caller.
        let from_file = || unsafe { registry.add_file(Path::new(file)) };
        let added = match file.contains('/') {
            true => from_file(),
            // SAFETY: guaranteed by the caller.
            false => match unsafe { registry.add_loaded(file) } {
                Err(Error::NotFound(_)) => from_file(),
                added => added,
            },
        };
        let (_, mut errors) = added?;
        match (errors.pop(), errors.is_empty()) {
            (None, _) => Ok(()),
            (Some(error), true) => Err(error.into()),
            (Some(error), false) => {
                errors.push(error);
                Err(ImageError::Several(errors).into())
            }
        }
    })
}

/// Sets a specialization constant for later launches; a null name resets all constants.
///
/// # Safety
/// `name` is null or ends with a zero byte; `value` has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_runtime_set_constant(
    this: *mut Session,
    name: *const c_char,
    value: *const c_void,
    size: usize,
) -> i32 {
    fenced(|| {
        // SAFETY: guaranteed by the caller.
        let this = unsafe { session(this) }?;
        if name.is_null() {
            *this.values.lock() = SpecValues::new();
            return Ok(());
        }
        // SAFETY: guaranteed by the caller.
        let (name, value) = unsafe { (text(name, "the constant's name")?, bytes(value, size, "the value")?) };
        this.values.lock().set_bytes(name, value).map(drop)
    })
}

/// Sets build options for later launches, which follow those of the images and of the environment; null for none.
///
/// # Safety
/// `this` is null or a session that was not closed. The options are null or end with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_runtime_set_build_options(
    this: *mut Session,
    compile: *const c_char,
    link: *const c_char,
) -> i32 {
    fenced(|| {
        // SAFETY: guaranteed by the caller.
        let this = unsafe { session(this) }?;
        let mut options = BuildOptions::from_env();
        if !compile.is_null() {
            // SAFETY: guaranteed by the caller.
            options = options.append_compile(unsafe { text(compile, "the compile options") }?);
        }
        if !link.is_null() {
            // SAFETY: guaranteed by the caller.
            options = options.append_link(unsafe { text(link, "the link options") }?);
        }
        let mut runtime = this.runtime.lock();
        *runtime = runtime.with_build_options(options);
        Ok(())
    })
}

/// Allocates memory that both the host and the device can access.
///
/// # Safety
/// `out` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_runtime_alloc(this: *mut Session, size: usize, out: *mut *mut c_void) -> i32 {
    fenced(|| {
        // SAFETY: guaranteed by the caller.
        let this = unsafe { session(this) }?;
        if out.is_null() {
            return Err(Error::Invalid("the place for the address is null".into()));
        }
        let memory = Usm::<u8>::new(this.runtime().context(), &this.device, UsmKind::Shared, size)?;
        // SAFETY: `out` is valid.
        unsafe { out.write(memory.address() as *mut c_void) };
        this.memory.lock().push(memory);
        Ok(())
    })
}

/// Frees memory once the queue is finished.
///
/// # Safety
/// Nothing uses the memory any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_runtime_free(this: *mut Session, memory: *mut c_void) -> i32 {
    fenced(|| {
        // SAFETY: guaranteed by the caller.
        let this = unsafe { session(this) }?;
        let mut all = this.memory.lock();
        let at = all.iter().position(|other| other.address() == memory as usize);
        let at = at.ok_or_else(|| Error::Invalid("the memory does not belong to this session".into()))?;
        let memory = all.swap_remove(at);
        drop(all);
        drop(memory);
        Ok(())
    })
}

/// Launches a kernel by its name and waits for it. If `local` is null, the driver chooses the groups.
///
/// # Safety
/// `kernel` ends with a zero byte, `global` and `local` have `dimensions` sizes, `args` has `arg_count` arguments whose
/// pointers are valid. The kernel accesses only the memory of its arguments, with the same requirements as for
/// `Kernel::launch` in Rust.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_runtime_launch(
    this: *mut Session,
    kernel: *const c_char,
    dimensions: u32,
    global: *const usize,
    local: *const usize,
    args: *const CArg,
    arg_count: u32,
) -> i32 {
    fenced(|| {
        // SAFETY: guaranteed by the caller.
        let (this, name) = unsafe { (session(this)?, text(kernel, "the kernel's name")?) };
        let count = dimensions as usize;
        if !(1..=3).contains(&count) || global.is_null() {
            return Err(Error::NdRange(format!("{dimensions} dimensions were given, or no sizes")));
        }
        // SAFETY: the array has `count` sizes.
        let mut range = NdRange::new(unsafe { std::slice::from_raw_parts(global, count) })?;
        if !local.is_null() {
            // SAFETY: the array has `count` sizes.
            range = range.with_local_size(unsafe { std::slice::from_raw_parts(local, count) })?;
        }
        // SAFETY: the array has `arg_count` arguments.
        let given = unsafe { items(args, arg_count as usize, "the arguments") }?;
        let mut list = room(given.len())?;
        for arg in given {
            list.push(match arg.kind {
                // SAFETY: guaranteed by the caller.
                0 => Arg::bytes(unsafe { bytes(arg.data, arg.size, "an argument") }?),
                // SAFETY: guaranteed by the caller.
                1 => unsafe { Arg::address(arg.data as usize) },
                2 => Arg::local(arg.size),
                3 => Arg::removed(),
                other => return Err(Error::Invalid(format!("{other} is not a kind of argument"))),
            });
        }
        let values = this.values.lock().clone();
        let kernel = this.runtime().kernel(&this.device, name, &values)?;
        // SAFETY: guaranteed by the caller.
        unsafe { kernel.launch(&this.queue()?, range, &list) }?.wait()
    })
}

/// Prepares a kernel by its name, like a launch does.
///
/// # Safety
/// `kernel` is null or ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_runtime_prepare(this: *mut Session, kernel: *const c_char) -> i32 {
    fenced(|| {
        // SAFETY: guaranteed by the caller.
        let (this, name) = unsafe { (session(this)?, text(kernel, "the kernel's name")?) };
        let values = this.values.lock().clone();
        this.runtime().kernel(&this.device, name, &values).map(drop)
    })
}

/// Prepares several kernels by their names: all programs first, then the kernels.
///
/// # Safety
/// `kernels` is null or has `count` elements, each null or ending with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_runtime_prepare_all(
    this: *mut Session,
    kernels: *const *const c_char,
    count: usize,
) -> i32 {
    fenced(|| {
        // SAFETY: guaranteed by the caller.
        let this = unsafe { session(this) }?;
        // SAFETY: it has this many elements, as the caller guarantees.
        let kernels = unsafe { items(kernels, count, "the names of the kernels") }?;
        // SAFETY: guaranteed by the caller.
        let name = |&kernel: &*const c_char| unsafe { text(kernel, "a kernel's name") };
        let mut names = room(kernels.len())?;
        for kernel in kernels {
            names.push(name(kernel)?);
        }
        let values = this.values.lock().clone();
        this.runtime().kernels(&this.device, &names, &values).map(drop)
    })
}

/// Returns the number of the process's programs that were loaded from the cache on disk, and the number that were
/// built.
///
/// # Safety
/// `loaded` and `built` are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_runtime_cache_counts(
    this: *mut Session,
    loaded: *mut u64,
    built: *mut u64,
) -> i32 {
    fenced(|| {
        // SAFETY: guaranteed by the caller.
        let stats = unsafe { session(this) }?.runtime().caches().store().stats();
        for (to, count) in [(loaded, stats.hits), (built, stats.builds)] {
            if !to.is_null() {
                // SAFETY: it is valid.
                unsafe { to.write(count) };
            }
        }
        Ok(())
    })
}
