//! Kernels.

use std::ffi::{c_char, c_void};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use level_zero_sys::*;
use opencl_sys::{CL_INVALID_KERNEL_NAME, CL_KERNEL_LOCAL_MEM_SIZE, CL_KERNEL_PRIVATE_MEM_SIZE};
use parking_lot::Mutex;

use crate::allocations;
use crate::caller::{bytes, chained, desc, fill_bytes, text, update, write};
use crate::cl::{Argument, ClKernel};
use crate::command::Launch;
use crate::complaints::complain_here;
use crate::entry::{Answer, driver_calls};
use crate::object::module::{Module, module};
use crate::object::properties::max_group;
use crate::object::{image, table};
use crate::requests;
use crate::spirv::{ArgKind, KernelInfo};

/// A kernel.
pub(crate) struct Kernel {
    module: Arc<Module>,
    name: String,
    info: KernelInfo,
    kernel: Arc<ClKernel>,
    state: Mutex<State>,
}
table::object!(Kernel, 11, "kernel");

struct State {
    arguments: Vec<Option<Argument>>,
    group_size: Option<[u32; 3]>,
    offset: [u32; 3],
    access: u32,
}

pub(crate) fn kernel(handle: ze_kernel_handle_t) -> Answer<Arc<Kernel>> {
    table::get(handle.0)
}

impl Kernel {
    /// Returns the kernel in its current state, ready to be launched later.
    pub(crate) fn launch(&self) -> Answer<Launch> {
        let state = self.state.lock();
        let mut arguments = Vec::with_capacity(state.arguments.len());
        for (index, argument) in state.arguments.iter().enumerate() {
            match argument {
                Some(argument) => arguments.push(argument.clone()),
                None => {
                    complain_here(format!("argument {index} of {} was never set", self.name));
                    return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
                }
            }
        }
        let Some(group_size) = state.group_size else {
            complain_here(format!("the group size of {} was never set", self.name));
            return Err(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
        };
        Ok(Launch {
            kernel: self.kernel.clone(),
            arguments,
            offset: state.offset.map(|one| one as usize),
            group_size: group_size.map(|one| one as usize),
        })
    }

    fn argument(&self, kind: ArgKind, size: usize, value: *const c_void) -> Answer<Argument> {
        let wrong_size = |expected: usize| {
            complain_here(format!("{size} bytes for an argument of {expected} of {}", self.name));
            Err(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE)
        };
        match kind {
            ArgKind::Local if !value.is_null() => {
                complain_here("local memory has no value".to_owned());
                Err(ZE_RESULT_ERROR_INVALID_ARGUMENT)
            }
            ArgKind::Local => Ok(Argument::Local(size)),
            ArgKind::Value(Some(expected)) if size < expected => wrong_size(expected),
            // Drivers treat null as zeros, and clients rely on it.
            ArgKind::Value(expected) => {
                let size = expected.unwrap_or(size);
                let zeros = || Ok(vec![0; size]);
                let value = if value.is_null() { zeros() } else { bytes(value, size).map(<[u8]>::to_vec) };
                value.map(Argument::Value)
            }
            ArgKind::Pointer | ArgKind::Image | ArgKind::Sampler if size != 8 => wrong_size(8),
            ArgKind::Pointer | ArgKind::Image | ArgKind::Sampler => {
                let word = if value.is_null() { &[0; 8][..] } else { bytes(value, 8)? };
                let word = usize::from_ne_bytes(word.try_into().unwrap_or_default());
                let handle: *mut c_void = std::ptr::without_provenance_mut(word);
                match kind {
                    ArgKind::Image => Ok(Argument::Image(image::image(ze_image_handle_t(handle))?.cl())),
                    ArgKind::Sampler => {
                        Ok(Argument::Sampler(image::sampler(ze_sampler_handle_t(handle))?.cl()))
                    }
                    _ if allocations::reachable(word) => Ok(Argument::Pointer(word)),
                    _ => {
                        complain_here("an argument's address is in no allocation".to_owned());
                        Err(ZE_RESULT_ERROR_INVALID_ARGUMENT)
                    }
                }
            }
        }
    }
}

/// Returns the largest divisor of `size` up to `most`.
fn divisor(size: u32, most: u32) -> u32 {
    (1..=most.min(size).max(1)).rev().find(|divisor| size.is_multiple_of(*divisor)).unwrap_or(1)
}

driver_calls! {
    fn zeKernelCreate(
        hModule: ze_module_handle_t,
        from: *const ze_kernel_desc_t,
        phKernel: *mut ze_kernel_handle_t,
    ) {
        let module = module(hModule)?;
        let name = text(desc(from)?.pKernelName);
        let program = module.program.lock().clone();
        let Some(program) = program else {
            return Err(if module.imports.is_empty() {
                ZE_RESULT_ERROR_INVALID_KERNEL_NAME
            } else {
                ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED
            });
        };
        let info = module.reflection.kernels.get(&name).ok_or(ZE_RESULT_ERROR_INVALID_KERNEL_NAME)?.clone();
        let kernel = ClKernel::new(&program, &name).map_err(|code| match code {
            CL_INVALID_KERNEL_NAME => ZE_RESULT_ERROR_INVALID_KERNEL_NAME,
            code => {
                complain_here(format!("the OpenCL runtime answered {code} for {name}"));
                ZE_RESULT_ERROR_UNKNOWN
            }
        })?;
        let arguments = vec![None; info.arguments.len()];
        let state = State { arguments, group_size: None, offset: [0; 3], access: 0 };
        module.kernels.fetch_add(1, Ordering::Relaxed);
        let kernel = Kernel { module, name, info, kernel: Arc::new(kernel), state: Mutex::new(state) };
        write(phKernel, ze_kernel_handle_t(table::insert(kernel)))
    }

    fn zeKernelDestroy(hKernel: ze_kernel_handle_t) {
        table::remove::<Kernel>(hKernel.0)?.module.kernels.fetch_sub(1, Ordering::Relaxed);
        Ok(())
    }

    fn zeKernelSetArgumentValue(
        hKernel: ze_kernel_handle_t,
        argIndex: u32,
        argSize: usize,
        pArgValue: *const c_void,
    ) {
        let kernel = kernel(hKernel)?;
        let kind = *kernel.info.arguments.get(argIndex as usize).ok_or(ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
        let argument = kernel.argument(kind, argSize, pArgValue)?;
        if let Some(place) = kernel.state.lock().arguments.get_mut(argIndex as usize) {
            *place = Some(argument);
        }
        Ok(())
    }

    fn zeKernelSetGroupSize(hKernel: ze_kernel_handle_t, x: u32, y: u32, z: u32) {
        let kernel = kernel(hKernel)?;
        let total = u64::from(x).saturating_mul(u64::from(y)).saturating_mul(u64::from(z));
        let required = kernel.info.group_size;
        if total == 0 || total > u64::from(max_group()) || (required != [0; 3] && required != [x, y, z]) {
            return Err(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
        }
        kernel.state.lock().group_size = Some([x, y, z]);
        Ok(())
    }

    fn zeKernelSuggestGroupSize(
        hKernel: ze_kernel_handle_t,
        globalSizeX: u32,
        globalSizeY: u32,
        globalSizeZ: u32,
        groupSizeX: *mut u32,
        groupSizeY: *mut u32,
        groupSizeZ: *mut u32,
    ) {
        let kernel = kernel(hKernel)?;
        let [x, y, z] = match kernel.info.group_size {
            [0, 0, 0] => {
                let x = divisor(globalSizeX, 256.min(max_group()));
                let y = divisor(globalSizeY, (256 / x).max(1));
                [x, y, divisor(globalSizeZ, (256 / (x * y)).max(1))]
            }
            required => required,
        };
        write(groupSizeX, x)?;
        write(groupSizeY, y)?;
        write(groupSizeZ, z)
    }

    fn zeKernelSuggestMaxCooperativeGroupCount(hKernel: ze_kernel_handle_t, totalGroupCount: *mut u32) {
        let kernel = kernel(hKernel)?;
        let set = kernel.state.lock().group_size.is_some();
        if !set {
            complain_here("the group size was never set".to_owned());
        }
        write(totalGroupCount, 1)
    }

    fn zeKernelSetIndirectAccess(hKernel: ze_kernel_handle_t, flags: ze_kernel_indirect_access_flags_t) {
        requests::record(format!("flags {flags}"));
        kernel(hKernel)?.state.lock().access = flags;
        Ok(())
    }

    fn zeKernelGetIndirectAccess(
        hKernel: ze_kernel_handle_t,
        pFlags: *mut ze_kernel_indirect_access_flags_t,
    ) {
        let access = kernel(hKernel)?.state.lock().access;
        write(pFlags, access)
    }

    fn zeKernelGetSourceAttributes(hKernel: ze_kernel_handle_t, pSize: *mut u32, pString: *mut *mut c_char) {
        kernel(hKernel)?;
        if !pString.is_null() {
            let text = crate::caller::read(pString)?;
            write(text, 0)?;
        }
        write(pSize, 1)
    }

    fn zeKernelSetCacheConfig(hKernel: ze_kernel_handle_t, flags: ze_cache_config_flags_t) {
        requests::record(format!("flags {flags}"));
        kernel(hKernel).map(drop)
    }

    fn zeKernelSetGlobalOffsetExp(hKernel: ze_kernel_handle_t, x: u32, y: u32, z: u32) {
        kernel(hKernel)?.state.lock().offset = [x, y, z];
        Ok(())
    }

    fn zeKernelSchedulingHintExp(hKernel: ze_kernel_handle_t, _pHint: *mut ze_scheduling_hint_exp_desc_t) {
        kernel(hKernel).map(drop)
    }

    fn zeKernelGetName(hKernel: ze_kernel_handle_t, pSize: *mut usize, pName: *mut c_char) {
        let mut name = kernel(hKernel)?.name.clone().into_bytes();
        name.push(0);
        fill_bytes(pSize, pName.cast(), &name)
    }

    fn zeKernelGetProperties(hKernel: ze_kernel_handle_t, pKernelProperties: *mut ze_kernel_properties_t) {
        let kernel = kernel(hKernel)?;
        let widest = match kernel.info.sub_group_size {
            // Clients create groups of one sub-group with it, so that it has to match the kernel's execution.
            0 => kernel.kernel.sub_group_size(max_group() as usize).unwrap_or(1),
            required => required,
        };
        update(pKernelProperties, |properties| {
            properties.numKernelArgs = kernel.info.arguments.len() as u32;
            let [x, y, z] = kernel.info.group_size;
            properties.requiredGroupSizeX = x;
            properties.requiredGroupSizeY = y;
            properties.requiredGroupSizeZ = z;
            properties.requiredNumSubGroups = 0;
            properties.requiredSubgroupSize = kernel.info.sub_group_size;
            properties.maxSubgroupSize = widest;
            properties.maxNumSubgroups = max_group() / widest.max(1);
            properties.localMemSize = kernel.kernel.info(CL_KERNEL_LOCAL_MEM_SIZE) as u32;
            properties.privateMemSize = kernel.kernel.info(CL_KERNEL_PRIVATE_MEM_SIZE) as u32;
            properties.spillMemSize = 0;
            properties.uuid = ze_kernel_uuid_t::default();
            let preferred: Option<*mut ze_kernel_preferred_group_size_properties_t> =
                chained(properties.pNext, ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES);
            if let Some(preferred) = preferred {
                let _ = update(preferred, |preferred| preferred.preferredMultiple = widest);
            }
        })
    }
}
