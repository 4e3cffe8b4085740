//! Dynamic linking.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use level_zero_sys::*;

use crate::caller::{list as items, read};
use crate::cl::Input;
use crate::entry::{Answer, driver_calls};
use crate::object::module::{Module, give_log, module};
use crate::object::program_cache;

const EXPORTS: [&str; 2] = ["-library-compilation", "-ze-library-compilation"];

/// Returns the modules that `module` needs, including itself first, and the names that none of `all` defines.
fn closure(module: &Arc<Module>, all: &[Arc<Module>]) -> (Vec<Arc<Module>>, BTreeSet<String>) {
    let mut found: Vec<Arc<Module>> = vec![module.clone()];
    let mut missing = BTreeSet::new();
    let mut open: VecDeque<String> = module.imports.iter().cloned().collect();
    while let Some(name) = open.pop_front() {
        if found.iter().any(|module| module.reflection.exports.contains(&name)) {
            continue;
        }
        let exporter =
            all.iter().find(|module| module.reflection.exports.contains(&name) && module.has_flag(&EXPORTS));
        match exporter {
            Some(exporter) => {
                open.extend(exporter.imports.iter().cloned());
                found.push(exporter.clone());
            }
            None => drop(missing.insert(name)),
        }
    }
    (found, missing)
}

/// Links each module that needs others. The inner error is the log.
fn link(modules: &[Arc<Module>]) -> Result<(), String> {
    for module in modules.iter().filter(|module| !module.imports.is_empty()) {
        if module.program.lock().is_some() {
            continue;
        }
        let (parts, missing) = closure(module, modules);
        if !missing.is_empty() {
            let name_it = |name: &String| {
                format!("error : unresolved external symbol {name}\nUnresolved Symbol <{name}>\n")
            };
            return Err(missing.iter().map(name_it).collect());
        }
        let inputs: Vec<Input> = parts.iter().flat_map(|part| part.inputs.iter().cloned()).collect();
        *module.program.lock() = Some(Arc::new(program_cache::build(&inputs)?));
    }
    Ok(())
}

driver_calls! {
    fn zeModuleDynamicLink(
        numModules: u32,
        phModules: *mut ze_module_handle_t,
        phLinkLog: *mut ze_module_build_log_handle_t,
    ) {
        let modules: Vec<Arc<Module>> =
            items(numModules, phModules)?.iter().map(|handle| module(*handle)).collect::<Answer<_>>()?;
        if modules.is_empty() {
            return Err(ZE_RESULT_ERROR_INVALID_SIZE);
        }
        match link(&modules) {
            Ok(()) => give_log(phLinkLog, ""),
            Err(log) => {
                give_log(phLinkLog, &log)?;
                Err(ZE_RESULT_ERROR_MODULE_LINK_FAILURE)
            }
        }
    }

    fn zeModuleInspectLinkageExt(
        pInspectDesc: *mut ze_linkage_inspection_ext_desc_t,
        numModules: u32,
        phModules: *mut ze_module_handle_t,
        phLog: *mut ze_module_build_log_handle_t,
    ) {
        let flags = read(pInspectDesc.cast_const())?.flags;
        let mut log = String::new();
        for handle in items(numModules, phModules)? {
            let module = module(*handle)?;
            if flags & ZE_LINKAGE_INSPECTION_EXT_FLAG_IMPORTS != 0 {
                module.imports.iter().for_each(|name| log.push_str(&format!("import {name}\n")));
            }
            if flags & ZE_LINKAGE_INSPECTION_EXT_FLAG_EXPORTS != 0 {
                module.reflection.exports.iter().for_each(|name| log.push_str(&format!("export {name}\n")));
            }
        }
        give_log(phLog, &log)
    }
}
