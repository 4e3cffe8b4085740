//! Values of kernel arguments. They are stored because updating a recorded launch sets them again.

use smallvec::SmallVec;
use sycl_pi_backend::Shared;
use sycl_pi_backend::api::Arg;

use super::mem::{Mem, MemHandle};
use super::sampler::{Sampler, SamplerHandle};
use crate::sys::Address;

/// The value of an argument: bytes, or only a size for local memory and null pointers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArgumentValue {
    pub(crate) size: usize,
    bytes: SmallVec<[u8; 16]>,
}

impl ArgumentValue {
    /// Converts an argument of `kernel_set_arg`. Like in the vendor's plugin, eight zero bytes may be a null pointer,
    /// which the driver accepts only without a value.
    pub(crate) fn new(arg: Arg<'_>) -> Self {
        match arg {
            Arg::Value(bytes) if bytes.len() == 8 && bytes.iter().all(|byte| *byte == 0) => Self::null(8),
            Arg::Value(bytes) => Self { size: bytes.len(), bytes: SmallVec::from_slice(bytes) },
            Arg::Local(size) => Self::null(size),
        }
    }

    /// Creates an address argument, or a null pointer.
    pub(crate) fn address(address: Address) -> Self {
        Self::new(Arg::Value(&address.number().to_ne_bytes()))
    }

    /// Creates an argument for a memory object, or a null pointer.
    pub(crate) fn mem(mem: Option<&MemHandle>) -> Self {
        Self::address(mem.map_or(Address::NULL, |mem| Address::from_number(mem.argument())))
    }

    fn null(size: usize) -> Self {
        Self { size, bytes: SmallVec::new() }
    }

    /// Returns the start of the bytes, or null if there are none.
    pub(crate) fn start(&self) -> *const core::ffi::c_void {
        if self.bytes.is_empty() { std::ptr::null() } else { self.bytes.as_ptr().cast() }
    }
}

/// The current arguments of a kernel, and the objects that they refer to.
#[derive(Clone, Default)]
pub(crate) struct SetArguments {
    /// Values by index. `None` if nothing was set, or if others set it on the driver's kernel.
    pub(crate) values: Vec<Option<ArgumentValue>>,
    pub(crate) mems: Vec<(u32, Shared<Mem>)>,
    samplers: Vec<(u32, Shared<Sampler>)>,
}

/// The previous value, which must be dropped while no lock is held.
pub(crate) struct Replaced {
    /// Whether there was a value.
    pub(crate) had_value: bool,
    _mem: Option<(u32, Shared<Mem>)>,
}

impl SetArguments {
    /// Creates the list for a kernel with `count` arguments.
    pub(crate) fn new(count: usize) -> Self {
        Self { values: vec![None; count], ..Self::default() }
    }

    /// Stores a value. The index must be valid for the kernel.
    pub(crate) fn put(
        &mut self,
        index: u32,
        value: ArgumentValue,
        mem: Option<&MemHandle>,
        sampler: Option<&SamplerHandle>,
    ) -> Replaced {
        let had_value = self.values[index as usize].replace(value).is_some();
        let mut before = None;
        if !self.mems.is_empty() || mem.is_some() {
            let at = self.mems.iter().position(|(of, _)| *of == index);
            before = at.map(|at| self.mems.swap_remove(at));
            self.mems.extend(mem.map(|mem| (index, mem.share())));
        }
        if !self.samplers.is_empty() || sampler.is_some() {
            self.samplers.retain(|(of, _)| *of != index);
            self.samplers.extend(sampler.map(|sampler| (index, sampler.share())));
        }
        Replaced { had_value, _mem: before }
    }
}
