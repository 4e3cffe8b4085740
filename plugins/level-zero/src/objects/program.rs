//! Programs: their origin, and their builds.

use std::collections::HashMap;
use std::ffi::CStr;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Counted, Error, Result, Shared};

use super::context::{Context, ContextHandle};
use super::device::Device;
use crate::argument_sizes::{ArgumentSizes, argument_sizes};
use crate::driver::{Module, ModuleInput, SpecializationConstants};
use crate::sys::*;

/// A program.
pub struct Program {
    pub(crate) origin: ProgramOrigin,
    /// The SPIR-V modules that it was linked from.
    pub(crate) linked_from: Vec<Arc<Vec<u8>>>,
    /// Read when the first kernel is created.
    arguments: OnceLock<HashMap<Box<[u8]>, ArgumentSizes>>,
    pub(crate) constants: Mutex<SpecializationConstants>,
    pub(crate) builds: Mutex<ProgramBuilds>,
    /// Last field, because modules must be destroyed before their context.
    pub(crate) context: Shared<Context>,
}

pub(crate) type ProgramHandle = Counted<Program>;

sycl_pi_backend::counted_kinds!(Program: RawProgram, INVALID_PROGRAM, "program";);

/// The origin of a program.
pub(crate) enum ProgramOrigin {
    Il(Arc<Vec<u8>>),
    /// One native binary per device.
    Binaries(Vec<(Shared<Device>, Arc<Vec<u8>>)>),
    /// Linked from others, or a driver module from a native handle.
    None,
}

/// The state of a program's builds.
#[derive(Default)]
pub(crate) struct ProgramBuilds {
    /// Whether it was compiled for linking.
    pub(crate) compiled: bool,
    pub(crate) options: String,
    pub(crate) devices: Vec<DeviceBuild>,
}

/// A build for one device.
pub(crate) struct DeviceBuild {
    pub(crate) device: ze_device_handle_t,
    pub(crate) module: Option<Arc<Module>>,
    pub(crate) log: String,
}

impl Program {
    pub(crate) fn new(context: &ContextHandle, origin: ProgramOrigin) -> Self {
        Self {
            context: context.share(),
            origin,
            linked_from: Vec::new(),
            arguments: OnceLock::new(),
            constants: Mutex::default(),
            builds: Mutex::default(),
        }
    }

    /// Returns the sizes of a kernel's arguments as far as they are known. A native binary does not contain them.
    pub(crate) fn argument_sizes(&self, kernel: &CStr) -> Option<&ArgumentSizes> {
        let own = match &self.origin {
            ProgramOrigin::Il(il) => Some(il.as_slice()),
            ProgramOrigin::Binaries(_) | ProgramOrigin::None => None,
        };
        let modules = own.into_iter().chain(self.linked_from.iter().map(|il| il.as_slice()));
        self.arguments.get_or_init(|| argument_sizes(modules)).get(kernel.to_bytes())
    }

    /// Returns the module for a device, or that of its parent device.
    pub(crate) fn module(&self, device: &Device) -> Result<Arc<Module>> {
        let builds = self.builds.lock();
        let mut device = Some(device);
        while let Some(at) = device {
            let build = builds.devices.iter().find(|build| build.device == at.ze);
            if let Some(module) = build.and_then(|build| build.module.clone()) {
                return Ok(module);
            }
            device = at.parent.as_deref().map(|parent| &**parent);
        }
        Err(not_built())
    }

    /// Returns every existing module, with its device.
    pub(crate) fn modules(&self) -> Result<Vec<(ze_device_handle_t, Arc<Module>)>> {
        let builds = self.builds.lock();
        let modules: Vec<_> =
            builds.devices.iter().filter_map(|build| Some((build.device, build.module.clone()?))).collect();
        if modules.is_empty() { Err(not_built()) } else { Ok(modules) }
    }

    /// Returns all SPIR-V modules of the program.
    pub(crate) fn il(&self) -> Vec<Arc<Vec<u8>>> {
        match &self.origin {
            ProgramOrigin::Il(il) => vec![il.clone()],
            ProgramOrigin::Binaries(_) | ProgramOrigin::None => self.linked_from.clone(),
        }
    }

    /// Returns the input that the driver receives for a device.
    pub(crate) fn input(&self, device: &Device, options: &str) -> Result<ModuleInput> {
        let (format, bytes) = match &self.origin {
            ProgramOrigin::Il(il) => (ZE_MODULE_FORMAT_IL_SPIRV, il.clone()),
            ProgramOrigin::Binaries(binaries) => {
                let root = device.root().ze;
                let fits = |of: ze_device_handle_t| of == device.ze || of == root;
                let found = binaries.iter().find(|(of, _)| fits(of.ze));
                let (_, bytes) = found.ok_or_else(|| {
                    Error::new(ErrorCode::INVALID_DEVICE, "the program has no binary for the device")
                })?;
                (ZE_MODULE_FORMAT_NATIVE, bytes.clone())
            }
            ProgramOrigin::None => {
                return Err(Error::new(ErrorCode::INVALID_OPERATION, "the program is linked already"));
            }
        };
        Ok(ModuleInput { format, bytes, options: options.into(), constants: self.constants.lock().clone() })
    }
}

#[cold]
pub(crate) fn not_built() -> Error {
    Error::new(ErrorCode::INVALID_PROGRAM_EXECUTABLE, "the program is not built for the device")
}
