//! Modules: a program compiled for one device.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{CStr, CString, c_void};
use std::ptr::{null, null_mut};

use parking_lot::Mutex;
use sycl_pi_backend::spirv;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Result};

use crate::sys::{self, Address, Ze, log_failure, ze, *};

/// The values of specialization constants, copied when they are set.
pub(crate) type SpecializationConstants = BTreeMap<u32, Box<[u8]>>;

/// The device that a module is built for.
pub(crate) struct ModuleTarget {
    pub(crate) context: ze_context_handle_t,
    pub(crate) device: ze_device_handle_t,
    /// Whether the driver can build one module from several inputs.
    pub(crate) builds_several: bool,
}

/// The input of a module.
#[derive(Clone)]
pub(crate) struct ModuleInput {
    pub(crate) format: ze_module_format_t,
    pub(crate) bytes: std::sync::Arc<Vec<u8>>,
    pub(crate) options: String,
    pub(crate) constants: SpecializationConstants,
}

/// A built program on one device, which is one driver module, or several that are linked to each other.
pub(crate) struct Module {
    pub(crate) parts: Vec<ze_module_handle_t>,
    owned: bool,
    globals: Mutex<HashMap<CString, (usize, Address)>>,
}

/// A name that the compiler adds to modules with exported variables.
const SYMBOL_TABLE: &[u8] = b"Intel_Symbol_Table_Void_Program";

/// Returns the caller's compiler flags for a module, and those that its exports need on drivers before version 26.
fn flags(input: &ModuleInput, linked_later: bool) -> Result<String> {
    let mut flags = input.options.clone();
    if input.format != ZE_MODULE_FORMAT_IL_SPIRV {
        return Ok(flags);
    }
    let linkage = spirv::linkage(&input.bytes)?;
    if linkage.exports_functions || linked_later {
        flags.push_str(" -library-compilation");
    }
    if linkage.exports_variables {
        flags.push_str(" -ze-take-global-address");
    }
    Ok(flags)
}

/// Values of specialization constants in the driver's representation, whose structure points to these lists.
struct ConstantLists {
    ids: Vec<u32>,
    values: Vec<*const c_void>,
}

impl ConstantLists {
    fn new(constants: &SpecializationConstants) -> Self {
        Self {
            ids: constants.keys().copied().collect(),
            values: constants.values().map(|value| value.as_ptr().cast()).collect(),
        }
    }

    /// Returns the driver's description. It points into these lists, which must outlive it.
    fn desc(&mut self) -> ze_module_constants_t {
        ze_module_constants_t {
            numConstants: self.ids.len() as u32,
            pConstantIds: self.ids.as_ptr(),
            pConstantValues: self.values.as_mut_ptr(),
        }
    }
}

/// Returns the text of a log and destroys the log.
fn read_log(log: ze_module_build_log_handle_t) -> String {
    if log.is_null() {
        return String::new();
    }
    let read = || -> Result<String> {
        let ze = ze()?;
        let mut size = 0;
        ze.zeModuleBuildLogGetString(log, &mut size, null_mut())?;
        let mut text = vec![0_u8; size];
        ze.zeModuleBuildLogGetString(log, &mut size, text.as_mut_ptr().cast())?;
        text.truncate(size);
        let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
        Ok(String::from_utf8_lossy(&text[..end]).into_owned())
    };
    let text = read().unwrap_or_default();
    log_failure(ze().and_then(|ze| ze.zeModuleBuildLogDestroy(log)));
    text
}

fn c_text(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::new(ErrorCode::INVALID_BUILD_OPTIONS, "options have a NUL inside"))
}

/// Creates the driver's module from a description, and appends the driver's log.
fn create(target: &ModuleTarget, desc: &ze_module_desc_t, log: &mut String) -> Result<ze_module_handle_t> {
    let (mut module, mut own_log) = (ze_module_handle_t::NULL, ze_module_build_log_handle_t::NULL);
    let created = ze()?.zeModuleCreate(target.context, target.device, desc, &mut module, &mut own_log);
    let own_log = read_log(own_log);
    log.push_str(&own_log);
    created.map(|()| module).map_err(|error| with_log(sys::error_of(error), &own_log))
}

/// Links modules to each other, or one with itself, and appends the driver's log.
fn link(parts: &mut [ze_module_handle_t], log: &mut String) -> Result<()> {
    let mut own_log = ze_module_build_log_handle_t::NULL;
    let linked = ze()?.zeModuleDynamicLink(parts.len() as u32, parts.as_mut_ptr(), &mut own_log);
    log.push_str(&read_log(own_log));
    linked.map_err(sys::error_of)
}

/// Returns whether the driver reports that symbols of the module are imported.
fn has_imports(module: ze_module_handle_t) -> Result<bool> {
    let mut properties = ze_module_properties_t::default();
    ze()?.zeModuleGetProperties(module, &mut properties)?;
    Ok(properties.flags & ZE_MODULE_PROPERTY_FLAG_IMPORTS != 0)
}

/// Appends the start of the log to the error.
fn with_log(error: Error, log: &str) -> Error {
    const MOST: usize = 2000;
    let shown: String = log.trim().chars().take(MOST).collect();
    if shown.is_empty() { error } else { error.context(format!("build log: {shown}")) }
}

impl Module {
    /// Builds a module from one input, or from several that are linked. Appends the driver's logs, whether or not the
    /// build succeeds.
    pub(crate) fn build(
        target: &ModuleTarget,
        inputs: &[ModuleInput],
        link_options: &str,
        log: &mut String,
    ) -> Result<Self> {
        let is_spirv = |input: &ModuleInput| input.format == ZE_MODULE_FORMAT_IL_SPIRV;
        let module = match inputs {
            [input] => Self::adopt(Self::build_one(target, input, false, log)?, true),
            _ if inputs.iter().all(is_spirv) && target.builds_several => {
                Self::adopt(Self::build_together(target, inputs, link_options, log)?, true)
            }
            _ => Self::build_and_link(target, inputs, log)?,
        };
        match module.resolve_imports(inputs.len() > 1, log) {
            Ok(()) => Ok(module),
            Err(error) => {
                if log.is_empty() {
                    *log = error.to_string();
                }
                Err(with_log(error, log))
            }
        }
    }

    /// Wraps a driver module from a native handle.
    pub(crate) fn adopt(module: ze_module_handle_t, owned: bool) -> Self {
        Self { parts: vec![module], owned, globals: Mutex::default() }
    }

    fn build_one(
        target: &ModuleTarget,
        input: &ModuleInput,
        linked_later: bool,
        log: &mut String,
    ) -> Result<ze_module_handle_t> {
        let flags = c_text(&flags(input, linked_later)?)?;
        // `constants` points into `lists`, which live until the driver's call returns.
        let mut lists = ConstantLists::new(&input.constants);
        let constants = lists.desc();
        let desc = ze_module_desc_t {
            format: input.format,
            inputSize: input.bytes.len(),
            pInputModule: input.bytes.as_ptr(),
            pBuildFlags: flags.as_ptr(),
            pConstants: if constants.numConstants == 0 { null() } else { &constants },
            ..Default::default()
        };
        create(target, &desc, log)
    }

    /// Builds one module from several inputs with the driver's extension.
    fn build_together(
        target: &ModuleTarget,
        inputs: &[ModuleInput],
        link_options: &str,
        log: &mut String,
    ) -> Result<ze_module_handle_t> {
        let text_of = |input: &ModuleInput| c_text(&format!("{} {link_options}", input.options));
        let texts: Vec<CString> = inputs.iter().map(text_of).collect::<Result<_>>()?;
        let sizes: Vec<usize> = inputs.iter().map(|input| input.bytes.len()).collect();
        let mut starts: Vec<*const u8> = inputs.iter().map(|input| input.bytes.as_ptr()).collect();
        let mut options: Vec<_> = texts.iter().map(|text| text.as_ptr()).collect();
        let mut lists: Vec<ConstantLists> =
            inputs.iter().map(|input| ConstantLists::new(&input.constants)).collect();
        let descs: Vec<ze_module_constants_t> = lists.iter_mut().map(ConstantLists::desc).collect();
        let mut constants: Vec<*const ze_module_constants_t> = descs.iter().map(std::ptr::from_ref).collect();
        let several = ze_module_program_exp_desc_t {
            count: inputs.len() as u32,
            inputSizes: sizes.as_ptr(),
            pInputModules: starts.as_mut_ptr(),
            pBuildFlags: options.as_mut_ptr(),
            pConstants: constants.as_mut_ptr(),
            ..Default::default()
        };
        let desc = ze_module_desc_t {
            pNext: (&raw const several).cast(),
            format: ZE_MODULE_FORMAT_IL_SPIRV,
            // Drivers read only the list, but the loader's validation layer requires an input here.
            inputSize: inputs[0].bytes.len(),
            pInputModule: inputs[0].bytes.as_ptr(),
            ..Default::default()
        };
        create(target, &desc, log)
    }

    /// Builds a module for each input and links them to each other.
    fn build_and_link(target: &ModuleTarget, inputs: &[ModuleInput], log: &mut String) -> Result<Self> {
        // If this fails, the parts are destroyed with it.
        let mut module = Self { parts: Vec::new(), owned: true, globals: Mutex::default() };
        for input in inputs {
            module.parts.push(Self::build_one(target, input, true, log)?);
        }
        link(&mut module.parts, log).map_err(|error| with_log(error, log))?;
        Ok(module)
    }

    /// Checks that all imports resolve. Drivers build modules with imports and report success. Linking such a module
    /// with itself shows whether the names can be resolved, which some drivers do not try earlier. Kernels of a module
    /// with missing symbols cannot be created.
    fn resolve_imports(&self, linked: bool, log: &mut String) -> Result<()> {
        // If several parts were linked, they are already resolved, or the link failed.
        let [part] = self.parts.as_slice() else { return Ok(()) };
        if !has_imports(*part)? {
            return Ok(());
        }
        link(&mut [*part], log).map_err(|error| {
            let code = match error.code() {
                ErrorCode::LINK_PROGRAM_FAILURE if linked => ErrorCode::LINK_PROGRAM_FAILURE,
                ErrorCode::LINK_PROGRAM_FAILURE => ErrorCode::BUILD_PROGRAM_FAILURE,
                other => other,
            };
            let text = "the program imports symbols that nothing in it defines";
            Error::new(code, format!("{text}: {}", error.text()))
        })
    }

    /// Returns the names of all kernels.
    pub(crate) fn kernel_names(&self) -> Result<Vec<Vec<u8>>> {
        let ze = ze()?;
        let mut names = Vec::new();
        for part in &self.parts {
            let list = sys::list_of(|count, list| ze.zeModuleGetKernelNames(*part, count, list))?;
            names.extend(
                list.into_iter().map(sys::driver_text).filter(|name| name.as_slice() != SYMBOL_TABLE),
            );
        }
        Ok(names)
    }

    /// Returns the native binary, which is empty if there are several parts.
    pub(crate) fn binary(&self) -> Result<Vec<u8>> {
        let [part] = self.parts.as_slice() else { return Ok(Vec::new()) };
        let ze = ze()?;
        let mut size = 0;
        ze.zeModuleGetNativeBinary(*part, &mut size, null_mut())?;
        let mut bytes = vec![0; size];
        ze.zeModuleGetNativeBinary(*part, &mut size, bytes.as_mut_ptr())?;
        bytes.truncate(size);
        Ok(bytes)
    }

    /// Returns the answer of the first part that has one, or the last part's error.
    fn find<T>(&self, ask: impl Fn(Ze, ze_module_handle_t) -> Result<T>) -> Result<T> {
        let (ze, mut last) = (ze()?, None);
        for part in &self.parts {
            match ask(ze, *part) {
                Ok(found) => return Ok(found),
                Err(error) => last = Some(error),
            }
        }
        Err(last.unwrap_or_else(Error::not_built))
    }

    /// Creates a driver kernel.
    pub(crate) fn kernel(&self, name: &CStr) -> Result<ze_kernel_handle_t> {
        let desc = ze_kernel_desc_t { pKernelName: name.as_ptr(), ..Default::default() };
        self.find(|ze, part| {
            let mut kernel = ze_kernel_handle_t::NULL;
            ze.zeKernelCreate(part, &desc, &mut kernel).map(|()| kernel)
        })
    }

    /// Returns the address of a function.
    pub(crate) fn function(&self, name: &CStr) -> Result<u64> {
        self.find(|ze, part| {
            let mut address = null_mut();
            ze.zeModuleGetFunctionPointer(part, name.as_ptr(), &mut address)?;
            Ok(address.expose_provenance() as u64)
        })
    }

    /// Returns the size and address of a variable. The driver is queried once per name.
    pub(crate) fn global(&self, name: &CStr) -> Result<(usize, Address)> {
        if let Some(known) = self.globals.lock().get(name) {
            return Ok(*known);
        }
        let found = self.find(|ze, part| {
            let (mut size, mut address) = (0, null_mut());
            ze.zeModuleGetGlobalPointer(part, name.as_ptr(), &mut size, &mut address)?;
            Ok((size, Address::new(address)))
        });
        // Whatever the driver reports, it means that the program does not have the variable.
        let found = found.map_err(|error| match error.code() {
            ErrorCode::UNSUPPORTED_FEATURE => error.with_code(ErrorCode::INVALID_VALUE),
            _ => error,
        })?;
        self.globals.lock().insert(name.to_owned(), found);
        Ok(found)
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        if self.owned {
            for part in &self.parts {
                log_failure(ze().and_then(|ze| ze.zeModuleDestroy(*part)));
            }
        }
    }
}
