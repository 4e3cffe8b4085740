//! Kernel arguments.

use core::ffi::c_void;
use std::collections::BTreeSet;

use sycl_pi_backend::types::{ErrorCode, MemAccess};
use sycl_pi_backend::{Counted, Error, Result, Shared};

use crate::kernel::kernel_parameters::KernelParameters;
use crate::mem::Mem;
use crate::memory::buffer_use::BufferUse;
use crate::program::spirv::Parameter;
use crate::sys::ArgumentList;

/// The current arguments of a kernel.
#[derive(Clone)]
pub(crate) struct KernelArgs {
    pub(crate) params: ArgumentList,
    /// The parameters of the kernel, if they are known.
    pub(crate) parameters: KernelParameters,
    /// Whether every argument of such a kernel was found to be set.
    complete: bool,
    /// Arguments of local memory, by index.
    locals: Vec<LocalArgument>,
    /// Bytes of local memory before those of the arguments.
    reserved: usize,
    /// Bytes of all local memory: the reserved bytes and those of the arguments.
    pub(crate) local_memory: usize,
    /// Arguments whose address depends on the device.
    mems: Vec<MemArgument>,
    /// Arguments of a kernel from SPIR-V that are null pointers, by index.
    null_arguments: BTreeSet<u32>,
}

/// An argument of a buffer in a context of several devices.
#[derive(Clone)]
struct MemArgument {
    index: usize,
    mem: Shared<Mem>,
    /// Whether the kernel may write it.
    writes: bool,
}

/// An argument of local memory.
#[derive(Clone, Copy)]
struct LocalArgument {
    index: usize,
    size: usize,
    alignment: usize,
}

/// The largest alignment that a local memory argument needs, which is that of the largest vector type.
const LOCAL_ALIGNMENT: usize = 128;
/// Minimum number of bytes that a kernel from SPIR-V gets if it has arguments of local memory. OpenCL's devices round
/// up, and programs rely on it: dpctl 0.21 reads past the end in its kernels for boolean indices.
const LEAST_LOCAL_MEMORY: usize = 4096;
/// More arguments than any kernel has. A larger index is a mistake.
pub(crate) const MAX_ARGS: usize = 4096;

impl KernelArgs {
    pub(crate) fn new(parameters: KernelParameters) -> Self {
        Self {
            params: ArgumentList::new(),
            parameters,
            complete: false,
            locals: Vec::new(),
            reserved: 0,
            local_memory: 0,
            mems: Vec::new(),
            null_arguments: BTreeSet::new(),
        }
    }

    /// Sets an argument to bytes.
    #[inline]
    pub(crate) fn set(&mut self, index: u32, bytes: &[u8]) -> Result<()> {
        let index = checked(index)?;
        if self.parameters.are_known() {
            self.check_known(index, bytes)?;
        }
        if !self.locals.is_empty() || !self.mems.is_empty() {
            self.forget(index);
        }
        self.params.set(index, bytes);
        Ok(())
    }

    /// Sets an argument to an address.
    #[inline(always)]
    pub(crate) fn set_pointer(&mut self, index: u32, pointer: *const c_void) -> Result<()> {
        self.set(index, &(pointer.expose_provenance() as u64).to_le_bytes())
    }

    /// Checks an argument of a kernel from SPIR-V, and records whether it is a null pointer.
    #[cold]
    fn check_known(&mut self, index: usize, bytes: &[u8]) -> Result<()> {
        let is_null = self.parameters.check_value(index, bytes.len())? == Some(Parameter::Pointer)
            && bytes == [0; size_of::<u64>()];
        let index = index as u32;
        if is_null {
            self.null_arguments.insert(index)
        } else {
            self.null_arguments.remove(&index)
        };
        Ok(())
    }

    /// Returns whether an argument of a kernel from SPIR-V is a null pointer.
    #[inline(always)]
    pub(crate) fn has_null(&self) -> bool {
        !self.null_arguments.is_empty()
    }

    /// Returns the arguments that are null pointers, by index.
    pub(crate) fn null_arguments(&self) -> &BTreeSet<u32> {
        &self.null_arguments
    }

    /// Discards the previous value of an argument.
    #[cold]
    fn forget(&mut self, index: usize) {
        self.mems.retain(|other| other.index != index);
        let before = self.locals.len();
        self.locals.retain(|local| local.index != index);
        if self.locals.len() != before {
            self.assign_offsets();
        }
    }

    /// Sets an argument to a memory object, or to a null pointer. Without an access, the kernel may write it.
    pub(crate) fn set_mem(
        &mut self,
        index: u32,
        access: Option<MemAccess>,
        mem: Option<&Counted<Mem>>,
    ) -> Result<()> {
        let Some(mem) = mem else { return self.set(index, &0_u64.to_le_bytes()) };
        if mem.context.devices.len() == 1 {
            return self.set(index, &mem.kernel_argument(0)?.to_le_bytes());
        }
        self.set(index, &0_u64.to_le_bytes())?;
        // Its address is set at the launch.
        self.null_arguments.remove(&index);
        let writes = access != Some(MemAccess::READ_ONLY);
        self.mems.push(MemArgument { index: index as usize, mem: mem.share(), writes });
        Ok(())
    }

    /// Sets an argument to the given number of bytes of local memory.
    pub(crate) fn set_local(&mut self, index: u32, size: usize) -> Result<()> {
        let at = checked(index)?;
        let alignment = match self.parameters.get(at)? {
            None => size.clamp(1, LOCAL_ALIGNMENT),
            Some(Parameter::Local(alignment)) => alignment.max(1),
            // A size without a value means a null pointer.
            Some(Parameter::Pointer) => return self.set(index, &0_u64.to_le_bytes()),
            Some(Parameter::Value(_)) => {
                let text = format!("no value for argument {index}, which is not local memory");
                return Err(Error::new(ErrorCode::INVALID_ARG_VALUE, text));
            }
        };
        self.mems.retain(|other| other.index != at);
        let local = LocalArgument { index: at, size, alignment };
        match self.locals.binary_search_by_key(&at, |local| local.index) {
            Ok(place) => self.locals[place] = local,
            Err(place) => self.locals.insert(place, local),
        }
        self.assign_offsets();
        Ok(())
    }

    /// Reserves local memory before that of the arguments.
    pub(crate) fn reserve_local_memory(&mut self, size: usize) {
        if self.reserved != size {
            self.reserved = size;
            self.assign_offsets();
        }
    }

    /// Assigns each argument of local memory its offset in the work-group's block, which is its value.
    fn assign_offsets(&mut self) {
        let mut end = self.reserved;
        for LocalArgument { index, size, alignment } in &self.locals {
            // A size that exceeds every device stays too large, so that the launch refuses it.
            let offset = end.checked_next_multiple_of(*alignment).unwrap_or(usize::MAX);
            self.params.set(*index, &(offset as u64).to_le_bytes());
            end = offset.saturating_add(*size);
        }
        let least = if self.parameters.count().is_some() && end > 0 { LEAST_LOCAL_MEMORY } else { 0 };
        self.local_memory = end.max(least);
    }

    /// Refuses a launch of a kernel from SPIR-V if an argument is missing.
    #[inline(always)]
    pub(crate) fn check_complete(&mut self) -> Result<()> {
        match self.parameters.count() {
            Some(count) if !self.complete => self.find_missing(count),
            _ => Ok(()),
        }
    }

    #[cold]
    fn find_missing(&mut self, count: usize) -> Result<()> {
        if let Some(missing) = (0..count).find(|index| !self.params.is_set(*index)) {
            let text = format!("argument {missing} of {count} is not set");
            return Err(Error::new(ErrorCode::INVALID_KERNEL_ARGS, text));
        }
        self.complete = true;
        Ok(())
    }

    /// Returns the memory objects that are resolved at the launch.
    #[inline(always)]
    pub(crate) fn buffer_uses(&self) -> Vec<BufferUse<'_>> {
        self.mems.iter().map(|MemArgument { mem, writes, .. }| BufferUse { mem, writes: *writes }).collect()
    }

    /// Sets the addresses that memory objects have on the context's device with the given index.
    #[inline(always)]
    pub(crate) fn resolve(&mut self, index: usize) -> Result<()> {
        if !self.mems.is_empty() {
            let Self { params, mems, .. } = self;
            for argument in mems.iter() {
                params.set(argument.index, &argument.mem.kernel_argument(index)?.to_le_bytes());
            }
        }
        Ok(())
    }
}

#[inline(always)]
fn checked(index: u32) -> Result<usize> {
    let index = index as usize;
    if index < MAX_ARGS { Ok(index) } else { Err(Error::too_many_arguments(index)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(args: &mut KernelArgs, index: usize) -> u64 {
        args.params.bytes(index).map(u64::from_le_bytes).unwrap()
    }

    #[test]
    fn local_memory_has_offsets_that_suit_its_size_and_what_is_reserved() {
        let mut args = KernelArgs::new(KernelParameters::new(None));
        for (index, size) in [(2, 12), (0, 4), (4, 256)] {
            args.set_local(index, size).unwrap();
        }
        // The offsets are in the order of the arguments. 12 is not a power of two, but its offset is still a multiple
        // of it.
        let offsets = |args: &mut KernelArgs| [0, 2, 4].map(|index| value(args, index));
        assert_eq!((offsets(&mut args), args.local_memory), ([0, 12, 128], 384));
        args.reserve_local_memory(100);
        assert_eq!((offsets(&mut args), args.local_memory), ([100, 108, 128], 384));
        args.reserve_local_memory(0);
        // The arguments now have another size and another kind of value.
        args.set_local(2, 256).unwrap();
        assert_eq!((offsets(&mut args), args.local_memory), ([0, 128, 384], 640));
        args.set(2, &7_u64.to_le_bytes()).unwrap();
        assert_eq!((offsets(&mut args), args.local_memory), ([0, 7, 128], 384));
        args.set_pointer(2, std::ptr::without_provenance(9)).unwrap();
        assert_eq!(value(&mut args, 2), 9);
    }

    #[test]
    fn arguments_of_spirv_suit_the_kernel() {
        let parameters = [Parameter::Value(4), Parameter::Pointer, Parameter::Local(16)];
        let mut args = KernelArgs::new(KernelParameters::new(Some(&parameters)));
        let code = |result: Result<()>| result.map_err(|error| error.code()).err();
        assert_eq!(code(args.check_complete()), Some(ErrorCode::INVALID_KERNEL_ARGS));
        assert_eq!(code(args.set(0, &[1; 8])), Some(ErrorCode::INVALID_ARG_SIZE));
        assert_eq!(code(args.set(1, &[1; 4])), Some(ErrorCode::INVALID_ARG_SIZE));
        assert_eq!(code(args.set(2, &[1; 8])), Some(ErrorCode::INVALID_ARG_VALUE));
        assert_eq!(code(args.set_local(0, 8)), Some(ErrorCode::INVALID_ARG_VALUE));
        assert_eq!(code(args.set(3, &[1; 8])), Some(ErrorCode::INVALID_ARG_INDEX));
        assert_eq!(code(args.set(0, &[1; 4])), None);
        assert_eq!(args.local_memory, 0);
        // A size without a value is a null pointer.
        assert_eq!(code(args.set_local(1, 8)), None);
        assert_eq!(value(&mut args, 1), 0);
        assert_eq!(code(args.check_complete()), Some(ErrorCode::INVALID_KERNEL_ARGS));
        args.reserve_local_memory(5);
        assert_eq!(code(args.set_local(2, 8)), None);
        assert_eq!((value(&mut args, 2), args.local_memory), (16, LEAST_LOCAL_MEMORY));
        assert_eq!(code(args.check_complete()), None);
    }

    #[test]
    fn null_pointers_are_known_until_they_are_set_again() {
        let parameters = [Parameter::Pointer, Parameter::Value(8), Parameter::Pointer];
        let mut args = KernelArgs::new(KernelParameters::new(Some(&parameters)));
        let known = |args: &KernelArgs| args.null_arguments().iter().copied().collect::<Vec<_>>();
        for index in 0..3 {
            args.set(index, &[0; 8]).unwrap();
        }
        assert_eq!((known(&args), args.has_null()), (vec![0, 2], true));
        assert_eq!(known(&args.clone()), [0, 2]);
        args.set_pointer(0, std::ptr::without_provenance(9)).unwrap();
        assert_eq!(known(&args), [2]);
        args.set(2, &[1; 8]).unwrap();
        assert!(!args.has_null());
        args.set_mem(0, None, None).unwrap();
        assert_eq!(known(&args), [0]);
        // For kernels compiled ahead of time, it is unknown which arguments are pointers.
        let mut args = KernelArgs::new(KernelParameters::new(None));
        args.set(0, &[0; 8]).unwrap();
        assert!(!args.has_null());
    }

    #[test]
    fn an_index_past_any_kernels_is_refused() {
        let mut args = KernelArgs::new(KernelParameters::new(None));
        assert!(args.set(4095, &[1]).is_ok());
        assert_eq!(args.set(4096, &[1]).unwrap_err().code(), ErrorCode::INVALID_ARG_INDEX);
    }
}
