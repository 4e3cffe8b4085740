//! The environment of cases: the table, a device, and a context, queue and program that live as long as the
//! process.

mod code;
pub(crate) mod commands;
mod data;
mod device;
mod owned;
mod property;

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::ptr::{null, null_mut};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use sycl_pi_core::*;
use sycl_pi_loader::{Backend, CallError, Plugin, Table};
use testing_ur_host::Behind;

pub(crate) use code::{BASIC, CALLEE, CALLS, DG_INIT, DG_SCOPE, DeviceCode, Module, SPEC_SCALAR};
pub(crate) use data::{FILLS, Usm, bytes_of, filled, ramp};
pub(crate) use owned::Owned;
pub(crate) use property::Property;

use crate::cli::Arguments;
use crate::interface::Interface;
use crate::outcome::{Failure, Verdict};

/// The plugin at one version, and one of its devices.
pub(crate) struct Env {
    /// The function table.
    pub(crate) pi: &'static Table,
    /// Its version.
    pub(crate) version: Version,
    /// The adapter behind the table, unless the table is a plugin's.
    behind: Option<Behind>,
    /// Whether only the interface's own codes are accepted, with a message.
    pub(crate) strict: bool,
    /// How long a case may wait for a condition, which is slightly less than its time limit.
    pub(crate) patience: Duration,
    /// The backend.
    pub(crate) backend: Backend,
    /// The plugin's file.
    pub(crate) path: PathBuf,
    /// The device's platform.
    pub(crate) platform: pi_platform,
    /// The device.
    pub(crate) device: pi_device,
    context: Cell<pi_context>,
    queue: Cell<pi_queue>,
    program: Cell<pi_program>,
    /// Failed releases.
    late: RefCell<Vec<CallError>>,
}

impl Env {
    /// Opens the plugin at one version, or the adapter in one layout, and finds the device.
    pub(crate) fn new(arguments: &Arguments, interface: Interface) -> Result<Self> {
        let Arguments { device: number, strict, timeout, .. } = arguments;
        let path = arguments.plugin();
        let (number, strict) = (*number, *strict);
        let version = interface.version();
        let (plugin, behind) = match interface {
            // SAFETY: the file is the plugin under test, which the caller trusts.
            Interface::Pi(version) => (unsafe { Plugin::open_version(path, version) }?, None),
            Interface::Ur(layout) => {
                crate::skip::through_ur();
                // SAFETY: the file is the adapter under test, which the caller trusts.
                let (plugin, behind) = unsafe { testing_ur_host::open(path, layout) }?;
                (plugin, Some(behind))
            }
        };
        let pi: &'static Table = Box::leak(Box::new(plugin)).table();
        let (platform, device) = find_device(pi, number)?;
        let told = arguments.backend.or_else(|| Backend::of_file(path)).or_else(|| of_platform(pi, platform));
        let backend = told.context(
            "neither the file's name nor its platform tells the backend: pass --backend opencl, level_zero or cuda",
        )?;
        let (context, queue, program) = (Cell::new(null_mut()), Cell::new(null_mut()), Cell::new(null_mut()));
        let (path, late) = (path.to_owned(), RefCell::default());
        let patience = Duration::from_secs(*timeout) * 5 / 6;
        Ok(Self {
            pi,
            version,
            behind,
            strict,
            patience,
            backend,
            path,
            platform,
            device,
            context,
            queue,
            program,
            late,
        })
    }

    /// Returns the process's own context of the device.
    pub(crate) fn context(&self) -> Verdict<pi_context> {
        if self.context.get().is_null() {
            self.context.set(self.raw_context(&[self.device])?);
        }
        Ok(self.context.get())
    }

    /// Returns the process's own in-order queue.
    pub(crate) fn queue(&self) -> Verdict<pi_queue> {
        if self.queue.get().is_null() {
            self.queue.set(self.raw_queue(self.context()?, self.device, 0)?);
        }
        Ok(self.queue.get())
    }

    /// Returns the process's own built program of basic kernels.
    pub(crate) fn program(&self) -> Verdict<pi_program> {
        if self.program.get().is_null() {
            let program = self.create(&BASIC)?;
            self.build(*program, c"")?;
            self.program.set(program.into_raw());
        }
        Ok(self.program.get())
    }

    /// Creates another context of the device.
    pub(crate) fn new_context(&self) -> Verdict<Owned<'_, pi_context>> {
        self.context_of(&[self.device])
    }

    /// Creates a context of devices.
    pub(crate) fn context_of(&self, devices: &[pi_device]) -> Verdict<Owned<'_, pi_context>> {
        Ok(self.own_context(self.raw_context(devices)?))
    }

    /// Creates another queue in the process's context.
    pub(crate) fn new_queue(&self, flags: pi_queue_properties) -> Verdict<Owned<'_, pi_queue>> {
        self.queue_in(self.context()?, self.device, flags)
    }

    /// Creates a queue in a context.
    pub(crate) fn queue_in(
        &self,
        context: pi_context,
        device: pi_device,
        flags: pi_queue_properties,
    ) -> Verdict<Owned<'_, pi_queue>> {
        Ok(self.own_queue(self.raw_queue(context, device, flags)?))
    }

    fn raw_context(&self, devices: &[pi_device]) -> Verdict<pi_context> {
        let count = devices.len() as u32;
        Ok(made!(self, |out| piContextCreate(null(), count, devices.as_ptr(), None, null_mut(), out)))
    }

    /// Creates a queue with the call that the version's runtimes use.
    fn raw_queue(
        &self,
        context: pi_context,
        device: pi_device,
        flags: pi_queue_properties,
    ) -> Verdict<pi_queue> {
        let mut list = [PI_QUEUE_FLAGS, flags, 0, 0, 0];
        if self.pi.piextQueueCreate.is_some() {
            Ok(made!(self, |out| piextQueueCreate(context, device, list.as_mut_ptr(), out)))
        } else {
            Ok(made!(self, |out| piQueueCreate(context, device, flags, out)))
        }
    }

    /// Skips the case before this version.
    pub(crate) fn since(&self, version: Version) -> Verdict {
        if self.version >= version { Ok(()) } else { Err(Failure::skip(crate::skip::NOT_IN_VERSION)) }
    }

    /// Returns the adapter behind the table. Cases of adapters only run with one.
    pub(crate) fn ur(&self) -> Verdict<Behind> {
        self.behind.ok_or_else(|| Failure::fail("", "an adapter", "a plugin"))
    }

    /// Skips the case for other backends.
    pub(crate) fn only(&self, backend: Backend) -> Verdict {
        if self.backend == backend { Ok(()) } else { Err(Failure::skip(crate::skip::OTHER_BACKEND)) }
    }

    /// Waits for an event and releases it.
    pub(crate) fn wait(&self, event: pi_event) -> Verdict {
        ok!(self, piEventsWait(1, &event));
        ok!(self, piEventRelease(event));
        Ok(())
    }

    /// Returns an event's status.
    pub(crate) fn status(&self, event: pi_event) -> Verdict<pi_int32> {
        Ok(get!(self, piEventGetInfo(event, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS) as pi_int32))
    }

    /// Returns the reference counts of the process's own objects, for the balance after a case.
    pub(crate) fn counts(&self) -> [Option<u32>; 3] {
        let (context, queue, program) = (self.context.get(), self.queue.get(), self.program.get());
        let mut counts = [None; 3];
        let mut read = |index: usize, there: bool, ask: &dyn Fn(*mut u32) -> Result<(), CallError>| {
            let mut count = 0_u32;
            if there && ask(&mut count).is_ok() {
                counts[index] = Some(count);
            }
        };
        let size = size_of::<u32>();
        read(0, !context.is_null(), &|out| {
            call!(
                self,
                piContextGetInfo(context, PI_CONTEXT_INFO_REFERENCE_COUNT, size, out.cast(), null_mut())
            )
        });
        read(1, !queue.is_null(), &|out| {
            call!(self, piQueueGetInfo(queue, PI_QUEUE_INFO_REFERENCE_COUNT, size, out.cast(), null_mut()))
        });
        read(2, !program.is_null(), &|out| {
            call!(
                self,
                piProgramGetInfo(program, PI_PROGRAM_INFO_REFERENCE_COUNT, size, out.cast(), null_mut())
            )
        });
        counts
    }

    /// Waits for everything in the process's own queue.
    pub(crate) fn settle(&self) -> Verdict {
        if !self.queue.get().is_null() {
            ok!(self, piQueueFinish(self.queue.get()));
        }
        match self.late.borrow_mut().pop() {
            Some(error) => Err(Failure::from(error)),
            None => Ok(()),
        }
    }

    /// Releases the process's own objects.
    pub(crate) fn close(&self) {
        // A failure cannot be reported any more.
        for program in [self.program.take()].into_iter().filter(|program| !program.is_null()) {
            let _ = call!(self, piProgramRelease(program));
        }
        for queue in [self.queue.take()].into_iter().filter(|queue| !queue.is_null()) {
            let _ = call!(self, piQueueRelease(queue));
        }
        for context in [self.context.take()].into_iter().filter(|context| !context.is_null()) {
            let _ = call!(self, piContextRelease(context));
        }
    }
}

/// Returns the backend that a platform reports. Versions before 14.37 cannot report it.
fn of_platform(pi: &'static Table, platform: pi_platform) -> Option<Backend> {
    let mut backend = pi_platform_backend::default();
    let room = (&raw mut backend).cast();
    // SAFETY: the room has the given size.
    let asked = unsafe {
        pi.piPlatformGetInfo(platform, PI_EXT_PLATFORM_INFO_BACKEND, size_of_val(&backend), room, null_mut())
    };
    match backend {
        _ if asked.is_err() => None,
        PI_EXT_PLATFORM_BACKEND_OPENCL => Some(Backend::OpenCl),
        PI_EXT_PLATFORM_BACKEND_LEVEL_ZERO => Some(Backend::LevelZero),
        PI_EXT_PLATFORM_BACKEND_CUDA => Some(Backend::Cuda),
        _ => None,
    }
}

fn find_device(pi: &'static Table, number: usize) -> Result<(pi_platform, pi_device)> {
    let all = all_devices(pi).map_err(|error| anyhow!("no device: {}", crate::outcome::answer(error)))?;
    if all.is_empty() {
        // Plugins explain this in the message of the last error, although nothing failed.
        let why = pi.last_error_message();
        bail!("no device: {}", why.as_deref().unwrap_or("install or name the driver"));
    }
    let found = all.len();
    all.into_iter().nth(number).ok_or_else(|| anyhow!("there is no device {number}: {found} were found"))
}

fn all_devices(pi: &'static Table) -> Result<Vec<(pi_platform, pi_device)>, CallError> {
    let mut count = 0;
    // SAFETY: the output pointer is valid.
    unsafe { pi.piPlatformsGet(0, null_mut(), &mut count)? };
    let mut platforms = vec![null_mut(); count as usize];
    if count > 0 {
        // SAFETY: room for `count` handles.
        unsafe { pi.piPlatformsGet(count, platforms.as_mut_ptr(), null_mut())? };
    }
    let mut all = Vec::new();
    for platform in platforms {
        let mut count = 0;
        // SAFETY: the output pointer is valid.
        unsafe { pi.piDevicesGet(platform, PI_DEVICE_TYPE_ALL, 0, null_mut(), &mut count)? };
        let mut devices = vec![null_mut(); count as usize];
        if count > 0 {
            // SAFETY: room for `count` handles.
            unsafe {
                pi.piDevicesGet(platform, PI_DEVICE_TYPE_ALL, count, devices.as_mut_ptr(), null_mut())?
            };
        }
        all.extend(devices.into_iter().map(|device| (platform, device)));
    }
    Ok(all)
}
