//! Modules and their build logs.

use std::collections::BTreeSet;
use std::ffi::{CString, c_char, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use level_zero_sys::*;
use parking_lot::Mutex;

use crate::caller::{bytes, chained, desc, fill, fill_bytes, list as items, read, text, update, write};
use crate::cl::{Input, Program};
use crate::complaints::complain_here;
use crate::config::config;
use crate::entry::{Answer, driver_calls};
use crate::object::context::{Context, context};
use crate::object::device::{Device, device};
use crate::object::{native, program_cache, table};
use crate::spirv::{Reflection, reflect};
use crate::{allocations, faults, requests};

/// A module.
pub(crate) struct Module {
    pub(crate) inputs: Vec<Input>,
    /// The original build flags.
    pub(crate) flags: String,
    pub(crate) reflection: Reflection,
    /// Functions that have to come from other modules.
    pub(crate) imports: BTreeSet<String>,
    /// The built program. `None` before linking.
    pub(crate) program: Mutex<Option<Arc<Program>>>,
    pub(crate) kernels: AtomicU32,
    names: Vec<CString>,
    variables: Mutex<BTreeSet<usize>>,
    pub(crate) context: Arc<Context>,
    device: Arc<Device>,
}
table::object!(Module, 9, "module");

/// A log.
pub(crate) struct BuildLog(CString);
table::object!(BuildLog, 10, "build log");

pub(crate) fn module(handle: ze_module_handle_t) -> Answer<Arc<Module>> {
    table::get(handle.0)
}

impl Module {
    /// Returns whether one of these build flags is set.
    pub(crate) fn has_flag(&self, flags: &[&str]) -> bool {
        self.flags.split_whitespace().any(|flag| flags.contains(&flag))
    }
}

/// Writes a log if it is requested.
pub(crate) fn give_log(place: *mut ze_module_build_log_handle_t, text: &str) -> Answer {
    if place.is_null() {
        return Ok(());
    }
    let text = CString::new(text.replace('\0', "")).unwrap_or_default();
    write(place, ze_module_build_log_handle_t(table::insert(BuildLog(text))))
}

/// Returns the options that OpenCL supports. Like drivers, ignores others.
fn options(flags: &str) -> String {
    const KNOWN: [&str; 9] = [
        "-cl-opt-disable",
        "-cl-mad-enable",
        "-cl-no-signed-zeros",
        "-cl-unsafe-math-optimizations",
        "-cl-finite-math-only",
        "-cl-fast-relaxed-math",
        "-cl-denorms-are-zero",
        "-cl-single-precision-constant",
        "-cl-uniform-work-group-size",
    ];
    let translate = |flag| match flag {
        "-ze-opt-disable" => Some("-cl-opt-disable"),
        flag => KNOWN.contains(&flag).then_some(flag),
    };
    flags.split_whitespace().filter_map(translate).collect::<Vec<_>>().join(" ")
}

/// Ids and values of specialization constants. The error is the log of a failed build.
type Constants = Result<Vec<(u32, Vec<u8>)>, String>;

fn constants(address: *const ze_module_constants_t, reflection: &Reflection) -> Answer<Constants> {
    if address.is_null() {
        return Ok(Ok(Vec::new()));
    }
    let from = read(address)?;
    let ids = items(from.numConstants, from.pConstantIds)?;
    let values = items(from.numConstants, from.pConstantValues)?;
    let mut constants = Vec::new();
    for (id, value) in ids.iter().zip(values) {
        let Some(size) = reflection.constants.get(id) else {
            return Ok(Err(String::new()));
        };
        constants.push((*id, bytes(*value, *size)?.to_vec()));
    }
    Ok(Ok(constants))
}

/// Returns the inputs of the module, which are one or several SPIR-V modules.
fn inputs(from: &ze_module_desc_t) -> Answer<Result<Vec<(Input, Reflection)>, String>> {
    let program: Option<*mut ze_module_program_exp_desc_t> =
        chained(from.pNext, ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC);
    let mut parts = Vec::new();
    match program {
        None => parts.push((from.inputSize, from.pInputModule, from.pBuildFlags, from.pConstants)),
        Some(program) => {
            let program = read(program.cast_const())?;
            let modules = items(program.count, program.pInputModules)?;
            let sizes = items(program.count, program.inputSizes)?;
            for (index, (size, module)) in sizes.iter().zip(modules).enumerate() {
                let flags = if program.pBuildFlags.is_null() {
                    std::ptr::null()
                } else {
                    items(program.count, program.pBuildFlags)?.get(index).copied().unwrap_or(std::ptr::null())
                };
                let constants = if program.pConstants.is_null() {
                    std::ptr::null()
                } else {
                    items(program.count, program.pConstants)?.get(index).copied().unwrap_or(std::ptr::null())
                };
                parts.push((*size, *module, flags, constants));
            }
        }
    }
    let (mut inputs, mut all_flags) = (Vec::new(), Vec::new());
    for (size, module, flags, constants_at) in parts {
        if size == 0 {
            return Err(ZE_RESULT_ERROR_INVALID_SIZE);
        }
        let spirv = bytes(module.cast(), size)?.to_vec();
        let reflection = reflect(&spirv);
        let constants = match constants(constants_at, &reflection)? {
            Ok(constants) => constants,
            Err(log) => return Ok(Err(log)),
        };
        all_flags.push(text(flags).trim().to_owned());
        inputs.push((Input { spirv, options: options(&text(flags)), constants }, reflection));
    }
    requests::record(format!("flags {all_flags:?}"));
    Ok(Ok(inputs))
}

struct Made {
    module: Module,
    log: String,
}

/// Creates a module. The inner error is the log of a failed build.
fn make(context: Arc<Context>, device: Arc<Device>, from: &ze_module_desc_t) -> Answer<Result<Made, String>> {
    let (parts, flags, binary) = match from.format {
        ZE_MODULE_FORMAT_IL_SPIRV => match inputs(from)? {
            Ok(parts) => (parts, text(from.pBuildFlags), Vec::new()),
            Err(log) => return Ok(Err(log)),
        },
        ZE_MODULE_FORMAT_NATIVE => {
            let saved = native::read(bytes(from.pInputModule.cast(), from.inputSize)?)
                .ok_or(ZE_RESULT_ERROR_INVALID_NATIVE_BINARY)?;
            let parts = saved.inputs.into_iter().map(|input| (reflect(&input.spirv), input));
            (parts.map(|(reflection, input)| (input, reflection)).collect(), saved.flags, saved.binary)
        }
        _ => return Err(ZE_RESULT_ERROR_INVALID_ENUMERATION),
    };
    let mut reflection = Reflection::default();
    let mut inputs = Vec::new();
    for (input, part) in parts {
        // The underlying OpenCL runtime may crash because of it.
        if let Some(name) = part.exports.iter().find(|name| reflection.exports.contains(*name)) {
            return Ok(Err(format!("error : {name}: symbol multiply defined\n")));
        }
        if let Some(name) = part.kernels.keys().find(|name| reflection.kernels.contains_key(*name)) {
            return Ok(Err(format!("error : {name}: symbol multiply defined\n")));
        }
        reflection.kernels.extend(part.kernels);
        reflection.imports.extend(part.imports);
        reflection.exports.extend(part.exports);
        reflection.globals.extend(part.globals);
        reflection.broken = reflection.broken.or(part.broken);
        inputs.push(input);
    }
    let imports: BTreeSet<String> = reflection.imports.difference(&reflection.exports).cloned().collect();
    let mut log = String::new();
    let program = if let Some(what) = &reflection.broken {
        // Intel's driver returns success and has no kernels, or its compiler crashes.
        complain_here(format!("broken SPIR-V: {what}"));
        reflection.kernels.clear();
        None
    } else if !binary.is_empty() {
        match Program::load(&binary).or_else(|_| program_cache::build(&inputs)) {
            Ok(program) => Some(program),
            Err(log) => return Ok(Err(log)),
        }
    } else if imports.is_empty() {
        match program_cache::build(&inputs) {
            Ok(program) => Some(program),
            Err(log) => return Ok(Err(log)),
        }
    } else {
        for name in &imports {
            log.push_str(&format!("error : unresolved external symbol {name}\n"));
        }
        None
    };
    let mut names: Vec<CString> =
        reflection.kernels.keys().filter_map(|name| CString::new(name.as_str()).ok()).collect();
    if !reflection.exports.is_empty() {
        names.push(c"Intel_Symbol_Table_Void_Program".to_owned());
    }
    let module = Module {
        inputs,
        flags,
        reflection,
        imports,
        program: Mutex::new(program.map(Arc::new)),
        kernels: AtomicU32::new(0),
        names,
        variables: Mutex::default(),
        context,
        device,
    };
    Ok(Ok(Made { module, log }))
}

/// Implements `zeModuleCreate` and injects its faults itself, so that a build that is made to fail still has a log.
fn create(
    hContext: ze_context_handle_t,
    hDevice: ze_device_handle_t,
    from: *const ze_module_desc_t,
    phModule: *mut ze_module_handle_t,
    phBuildLog: *mut ze_module_build_log_handle_t,
) -> Answer {
    if let Some(result) = faults::next("zeModuleCreate") {
        if result == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE {
            give_log(phBuildLog, "error: this failure was injected")?;
        }
        return Err(result);
    }
    let (context, device) = (context(hContext)?, device(hDevice)?);
    faults::alive()?;
    match make(context, device, &desc(from)?)? {
        Ok(made) => {
            give_log(phBuildLog, &made.log)?;
            write(phModule, ze_module_handle_t(table::insert(made.module)))
        }
        Err(log) => {
            give_log(phBuildLog, &log)?;
            Err(ZE_RESULT_ERROR_MODULE_BUILD_FAILURE)
        }
    }
}

/// Counts the call and runs `create`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn zeModuleCreate(
    hContext: ze_context_handle_t,
    hDevice: ze_device_handle_t,
    from: *const ze_module_desc_t,
    phModule: *mut ze_module_handle_t,
    phBuildLog: *mut ze_module_build_log_handle_t,
) -> ze_result_t {
    static CALL: crate::entry::Call = crate::entry::Call::new("zeModuleCreate");
    CALL.run(false, || create(hContext, hDevice, from, phModule, phBuildLog))
}

driver_calls! {
    fn zeModuleDestroy(hModule: ze_module_handle_t) {
        let module = table::remove::<Module>(hModule.0)?;
        module.variables.lock().iter().for_each(|address| allocations::remove_variable(*address));
        let kernels = module.kernels.load(Ordering::Relaxed);
        if kernels > 0 {
            complain_here(format!("{kernels} kernels of the module are still there"));
        }
        Ok(())
    }

    fn zeModuleGetProperties(hModule: ze_module_handle_t, pModuleProperties: *mut ze_module_properties_t) {
        let module = module(hModule)?;
        update(pModuleProperties, |properties| {
            properties.flags =
                if module.imports.is_empty() { 0 } else { ZE_MODULE_PROPERTY_FLAG_IMPORTS };
        })
    }

    fn zeModuleGetKernelNames(hModule: ze_module_handle_t, pCount: *mut u32, pNames: *mut *const c_char) {
        let module = module(hModule)?;
        let names: Vec<*const c_char> = module.names.iter().map(|name| name.as_ptr()).collect();
        fill(pCount, pNames, &names)
    }

    fn zeModuleGetNativeBinary(hModule: ze_module_handle_t, pSize: *mut usize, pModuleNativeBinary: *mut u8) {
        let module = module(hModule)?;
        let binary = module.program.lock().as_ref().map(|program| program.binary()).unwrap_or_default();
        fill_bytes(pSize, pModuleNativeBinary, &native::write(&module.inputs, &module.flags, &binary))
    }

    fn zeModuleGetGlobalPointer(
        hModule: ze_module_handle_t,
        pGlobalName: *const c_char,
        pSize: *mut usize,
        pptr: *mut *mut c_void,
    ) {
        let module = module(hModule)?;
        let name = text(pGlobalName);
        if config().take_address && !module.has_flag(&["-ze-take-global-address", "-cl-take-global-address"]) {
            return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
        }
        let program = module.program.lock().clone().ok_or(ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED)?;
        let (address, size) = program.global(&name).ok_or(ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
        if module.variables.lock().insert(address.addr()) {
            let device = ze_device_handle_t(std::ptr::without_provenance_mut(module.device.handle));
            allocations::add_variable(address.addr(), size, module.context.handle, device, module.device.root);
        }
        write_pair(pSize, size, pptr, address)
    }

    fn zeModuleGetFunctionPointer(
        hModule: ze_module_handle_t,
        pFunctionName: *const c_char,
        pfnFunction: *mut *mut c_void,
    ) {
        let module = module(hModule)?;
        let name = text(pFunctionName);
        if !module.reflection.kernels.contains_key(&name) {
            // Runtimes have no addresses for ordinary functions.
            return Err(ZE_RESULT_ERROR_INVALID_FUNCTION_NAME);
        }
        let program = module.program.lock().clone().ok_or(ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED)?;
        write(pfnFunction, program.kernel_address(&name).ok_or(ZE_RESULT_ERROR_INVALID_FUNCTION_NAME)?)
    }

    fn zeModuleBuildLogDestroy(hModuleBuildLog: ze_module_build_log_handle_t) {
        table::remove::<BuildLog>(hModuleBuildLog.0).map(drop)
    }

    fn zeModuleBuildLogGetString(
        hModuleBuildLog: ze_module_build_log_handle_t,
        pSize: *mut usize,
        pBuildLog: *mut c_char,
    ) {
        let log = table::get::<BuildLog>(hModuleBuildLog.0)?;
        fill_bytes(pSize, pBuildLog.cast(), log.0.as_bytes_with_nul())
    }
}

/// Writes a size and an address if they are requested.
fn write_pair(
    size_at: *mut usize,
    size: usize,
    address_at: *mut *mut c_void,
    address: *mut c_void,
) -> Answer {
    crate::caller::write_if(size_at, size);
    crate::caller::write_if(address_at, address);
    Ok(())
}
