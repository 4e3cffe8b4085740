//! Kernel launches: their properties, and arguments passed with the launch.
#![expect(unsafe_code, reason = "the caller's pointers and handles")]

use std::ffi::c_void;

use sycl_pi_backend::api::{Arg, Backend};
use sycl_pi_backend::types::{ErrorCode, MemAccess};
use sycl_pi_backend::{Dependencies, Error, LaunchProperties, NdRange, Result};
use sycl_ur_core::*;

use crate::convert::error;
use crate::handle::Handle;
use crate::view::{self, known_flags};

/// Launches a kernel, with or without properties.
pub(crate) fn run<B: Backend>(
    queue: &B::Queue, kernel: &B::Kernel, range: NdRange<'_>, properties: Option<LaunchProperties>,
    dependencies: Dependencies<'_, B::Event>,
) -> Result<()> {
    match properties {
        None => B::enqueue_kernel_launch(queue, kernel, range, dependencies),
        Some(properties) => run_with::<B>(queue, kernel, range, properties, dependencies),
    }
}

#[inline(never)]
fn run_with<B: Backend>(
    queue: &B::Queue, kernel: &B::Kernel, range: NdRange<'_>, properties: LaunchProperties,
    dependencies: Dependencies<'_, B::Event>,
) -> Result<()> {
    match properties {
        LaunchProperties { cluster: None, local_memory: 0, cooperative: false } => {
            B::enqueue_kernel_launch(queue, kernel, range, dependencies)
        }
        LaunchProperties { cluster: None, local_memory: 0, cooperative: true } => {
            B::enqueue_cooperative_kernel_launch(queue, kernel, range, dependencies)
        }
        _ => B::enqueue_kernel_launch_with_properties(queue, kernel, range, &properties, dependencies)
            .map_err(|error| match error.code() {
                ErrorCode::UNSUPPORTED_FEATURE => {
                    error.context("launchPropList: a cluster or work-group memory")
                }
                _ => error,
            }),
    }
}

/// Returns the properties of a launch of `dims` dimensions, or `None` if there are no properties. A null pointer means
/// no properties.
///
/// # Safety
///
/// `properties` must be null or point to properties, and the structures chained to them must match their types.
pub(crate) unsafe fn properties(
    dims: u32, properties: *const ur_kernel_launch_ext_properties_t,
) -> Result<Option<LaunchProperties>> {
    // SAFETY: guaranteed by the caller.
    let Some(properties) = (unsafe { properties.as_ref() }) else { return Ok(None) };
    if properties.flags == 0 && properties.pNext.is_null() {
        return Ok(None);
    }
    // SAFETY: guaranteed by the caller.
    unsafe { chained_properties(dims, properties).map(Some) }
}

/// # Safety
///
/// The structures chained to `properties` must match their types.
unsafe fn chained_properties(
    dims: u32, properties: &ur_kernel_launch_ext_properties_t,
) -> Result<LaunchProperties> {
    known_flags(properties.flags, !UR_KERNEL_LAUNCH_FLAGS_MASK, "launchPropList->flags")?;
    let cooperative = properties.flags & UR_KERNEL_LAUNCH_FLAG_COOPERATIVE != 0;
    let mut asked = LaunchProperties { cooperative, ..LaunchProperties::default() };
    let mut next = properties.pNext.cast_const().cast::<ur_base_properties_t>();
    // SAFETY: each structure starts with its type, which identifies it, and a pointer to the next one or null.
    unsafe {
        while let Some(structure) = next.as_ref() {
            match structure.stype {
                UR_STRUCTURE_TYPE_KERNEL_LAUNCH_CLUSTER_PROPERTY => {
                    let property = next.cast::<ur_kernel_launch_cluster_property_t>().read();
                    asked.cluster = Some(cluster(dims, property.clusterDim)?);
                }
                UR_STRUCTURE_TYPE_KERNEL_LAUNCH_WORKGROUP_PROPERTY => {
                    let property = next.cast::<ur_kernel_launch_workgroup_property_t>().read();
                    asked.local_memory = property.workgroup_mem_size;
                }
                stype => return Err(unknown(format!("a structure of type {stype}"))),
            }
            next = structure.pNext.cast_const().cast();
        }
    }
    Ok(asked)
}

/// The number of an entry of a property list, and the words of its value, regardless of which member of the union the
/// caller has written.
pub(crate) type Listed = (ur_kernel_launch_property_id_t, [u32; 3]);

/// Returns properties like [`properties`] does, from the lists of layouts up to 2025.3. Their numbers are the same.
pub(crate) fn listed_properties(
    dims: u32, list: impl ExactSizeIterator<Item = Listed>,
) -> Result<Option<LaunchProperties>> {
    if list.len() == 0 {
        return Ok(None);
    }
    let mut asked = LaunchProperties::default();
    for (id, words) in list {
        match id {
            UR_KERNEL_LAUNCH_PROPERTY_ID_IGNORE
            | UR_KERNEL_LAUNCH_PROPERTY_ID_OPPORTUNISTIC_QUEUE_SERIALIZE => {}
            UR_KERNEL_LAUNCH_PROPERTY_ID_COOPERATIVE => asked.cooperative = words[0] != 0,
            UR_KERNEL_LAUNCH_PROPERTY_ID_CLUSTER_DIMENSION => asked.cluster = Some(cluster(dims, words)?),
            UR_KERNEL_LAUNCH_PROPERTY_ID_WORK_GROUP_MEMORY => {
                asked.local_memory = words[0] as usize | (words[1] as usize) << 32;
            }
            id => return Err(unknown(format!("property {id}"))),
        }
    }
    Ok(Some(asked))
}

/// Returns the cluster sizes in the order of the index space. SYCL's last dimension is the first of a launch: libsycl
/// reverses the sizes of the index space, but not those of the cluster.
fn cluster(dims: u32, mut sizes: [u32; 3]) -> Result<[u32; 3]> {
    if sizes.contains(&0) {
        return Err(Error::invalid_value(format!(
            "launchPropList: a cluster of {sizes:?} work-groups is none"
        )));
    }
    sizes[..(dims as usize).min(3)].reverse();
    Ok(sizes)
}

fn unknown(what: String) -> Error {
    Error::unsupported(format!("launchPropList: {what}, which no backend knows"))
}

/// Sets the arguments passed with the launch.
///
/// # Safety
///
/// The pointers of each entry must be valid for its type and size.
pub(crate) unsafe fn set_args<B: Backend>(
    kernel: &Handle<B::Kernel>, args: &[ur_exp_kernel_arg_properties_t],
) -> Result<()> {
    for arg in args {
        // SAFETY: the caller wrote the union's member that the type names, and guarantees the rest.
        unsafe {
            match arg.type_ {
                UR_EXP_KERNEL_ARG_TYPE_VALUE => {
                    let value = view::bytes(arg.size, arg.value.value, "value of an entry of pArgs")?;
                    B::kernel_set_arg(kernel, arg.index, Arg::Value(value))?;
                }
                UR_EXP_KERNEL_ARG_TYPE_POINTER => {
                    let address: *const c_void = arg.value.pointer;
                    B::kernel_set_arg_pointer(kernel, arg.index, address)?;
                }
                UR_EXP_KERNEL_ARG_TYPE_MEM_OBJ => {
                    let tuple = arg.value.memObjTuple;
                    let mem = view::object_or_null::<B::Mem>(tuple.hMem, "hMem of an entry of pArgs")?;
                    let access = Some(MemAccess(tuple.flags)).filter(|access| access.0 != 0);
                    B::kernel_set_arg_mem_obj(kernel, arg.index, access, mem.map(|mem| &***mem))?;
                }
                UR_EXP_KERNEL_ARG_TYPE_LOCAL => B::kernel_set_arg(kernel, arg.index, Arg::Local(arg.size))?,
                UR_EXP_KERNEL_ARG_TYPE_SAMPLER => {
                    let sampler =
                        view::object::<B::Sampler>(arg.value.sampler, "sampler of an entry of pArgs")?;
                    B::kernel_set_arg_sampler(kernel, arg.index, sampler)?;
                }
                unknown => {
                    let text = format!("the type {unknown} of an entry of pArgs is unknown");
                    return Err(error(UR_RESULT_ERROR_INVALID_ENUMERATION, text));
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use std::ptr::null_mut;

    use super::*;

    #[test]
    fn a_list_of_properties_is_read_as_a_whole() {
        let list = [
            (UR_KERNEL_LAUNCH_PROPERTY_ID_COOPERATIVE, [1, 0, 0]),
            (UR_KERNEL_LAUNCH_PROPERTY_ID_IGNORE, [7, 7, 7]),
            (UR_KERNEL_LAUNCH_PROPERTY_ID_CLUSTER_DIMENSION, [1, 2, 1]),
            (UR_KERNEL_LAUNCH_PROPERTY_ID_WORK_GROUP_MEMORY, [5, 1, 0]),
        ];
        let asked = listed_properties(2, list.into_iter()).unwrap().unwrap();
        assert_eq!((asked.cooperative, asked.cluster), (true, Some([2, 1, 1])));
        // The size has 64 bits.
        assert_eq!(asked.local_memory, (1 << 32) + 5);
        let not = [(UR_KERNEL_LAUNCH_PROPERTY_ID_COOPERATIVE, [0; 3])];
        assert!(!listed_properties(1, not.into_iter()).unwrap().unwrap().cooperative);
        assert!(listed_properties(1, [].into_iter()).unwrap().is_none());
    }

    #[test]
    fn a_chain_of_properties_is_read_to_its_end() {
        let mut memory = ur_kernel_launch_workgroup_property_t {
            stype: UR_STRUCTURE_TYPE_KERNEL_LAUNCH_WORKGROUP_PROPERTY,
            pNext: null_mut(),
            workgroup_mem_size: 99,
        };
        let mut cluster = ur_kernel_launch_cluster_property_t {
            stype: UR_STRUCTURE_TYPE_KERNEL_LAUNCH_CLUSTER_PROPERTY,
            pNext: (&raw mut memory).cast(),
            clusterDim: [1, 2, 3],
        };
        let list = ur_kernel_launch_ext_properties_t {
            stype: UR_STRUCTURE_TYPE_KERNEL_LAUNCH_EXT_PROPERTIES,
            pNext: (&raw mut cluster).cast(),
            flags: UR_KERNEL_LAUNCH_FLAG_COOPERATIVE,
        };
        // SAFETY: a chain of two structures.
        let asked = unsafe { properties(3, &list) }.unwrap().unwrap();
        assert_eq!((asked.cooperative, asked.cluster, asked.local_memory), (true, Some([3, 2, 1]), 99));
    }
}
