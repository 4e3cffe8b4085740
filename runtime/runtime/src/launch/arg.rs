//! Kernel arguments, and how they are set.
#![expect(unsafe_code, reason = "arguments as bytes")]

use std::sync::Arc;

use sycl_pi_image::spirv::ArgumentKind;

use super::NdRange;
use crate::build::BuiltProgram;
use crate::call::{Buffer, BufferHandle, Context, Element, Queue, RawKernel, Setting, Usm, bytes_of};
use crate::error::{Error, Result};
use crate::registry::RequiredSize;

/// An argument of a kernel. It borrows the value, the allocation or the buffer.
#[derive(Clone, Copy)]
pub struct Arg<'a>(ArgValue<'a>);

#[derive(Clone, Copy)]
enum ArgValue<'a> {
    Value(&'a [u8]),
    Pointer { address: usize, context: &'a Context },
    Address(usize),
    Buffer(BufferHandle<'a>),
    Local(usize),
    Removed,
}

impl std::fmt::Debug for Arg<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.describe())
    }
}

impl<'a> Arg<'a> {
    /// Creates an argument from a value: a number, or an array of numbers.
    pub fn value<T: Element>(value: &'a T) -> Self {
        Self(ArgValue::Value(bytes_of(std::slice::from_ref(value))))
    }

    /// Creates an argument from the bytes of a structure on the device.
    pub fn bytes(bytes: &'a [u8]) -> Self {
        Self(ArgValue::Value(bytes))
    }

    /// Creates an argument from an allocation.
    pub fn usm<T: Element>(memory: &'a Usm<T>) -> Self {
        Self(ArgValue::Pointer { address: memory.address(), context: memory.context() })
    }

    /// Creates an argument from an address, or 0 for a null pointer.
    ///
    /// # Safety
    /// The address is 0, or the kernel can access the memory there. That memory must belong to the context of the
    /// launch and stay allocated until the kernel is complete.
    pub const unsafe fn address(address: usize) -> Self {
        Self(ArgValue::Address(address))
    }

    /// Creates an argument from a buffer.
    pub fn buffer<T: Element>(buffer: &'a Buffer<T>) -> Self {
        Self(ArgValue::Buffer(BufferHandle::new(buffer)))
    }

    /// Creates an argument for work-group memory of this size in bytes.
    pub const fn local(bytes: usize) -> Self {
        Self(ArgValue::Local(bytes))
    }

    /// Creates a placeholder for an argument that the compiler removed.
    pub const fn removed() -> Self {
        Self(ArgValue::Removed)
    }

    fn describe(&self) -> String {
        match self.0 {
            ArgValue::Value(bytes) => format!("a value of {} bytes", bytes.len()),
            ArgValue::Pointer { .. } | ArgValue::Address(_) => "an address".into(),
            ArgValue::Buffer(_) => "a buffer".into(),
            ArgValue::Local(bytes) => format!("{bytes} bytes of work-group memory"),
            ArgValue::Removed => "nothing".into(),
        }
    }

    fn fits(&self, kind: &ArgumentKind) -> bool {
        match (self.0, kind) {
            (
                ArgValue::Value(bytes),
                ArgumentKind::Value(Some(size)) | ArgumentKind::Structure(Some(size)),
            ) => bytes.len() as u64 == *size,
            (ArgValue::Value(_), ArgumentKind::Value(None) | ArgumentKind::Structure(None)) => true,
            (ArgValue::Local(_), ArgumentKind::Pointer(storage)) => *storage == "local",
            (
                ArgValue::Pointer { .. } | ArgValue::Address(_) | ArgValue::Buffer(_),
                ArgumentKind::Pointer(storage),
            ) => *storage != "local",
            _ => false,
        }
    }
}

/// The arguments in a kernel's code, and their kinds.
pub(crate) struct ArgumentLayout {
    /// For each argument of the source, whether it was removed. Excludes the buffer of specialization constants.
    removed: Option<Vec<bool>>,
    /// The number of arguments in the code, excluding the buffer.
    kept: Option<usize>,
    kinds: Option<Vec<ArgumentKind>>,
    buffer: SpecBuffer,
    /// Whether it is unknown if the code takes the buffer. It does if one argument less than `kept` is given.
    buffer_may_be_kept: bool,
    work_group: Option<RequiredSize>,
}

/// The buffer of specialization constants, the last argument of kernels that use constants.
enum SpecBuffer {
    /// The code does not take the buffer.
    None,
    /// Specialization is native, but the code still has the argument, which is set to null.
    Empty,
    /// The buffer with the values.
    Filled(Buffer<u8>),
}

impl ArgumentLayout {
    pub(crate) fn new(program: &Arc<BuiltProgram>, kernel: &RawKernel) -> Result<Self> {
        let name: &str = kernel.name();
        let image = program.images.iter().find(|image| image.kernels().iter().any(|other| **other == *name));
        let properties = image.map(|image| image.properties());
        let mask = properties.and_then(|properties| properties.param_opt.get(name));
        let mut removed: Option<Vec<bool>> =
            mask.map(|mask| (0..mask.arguments).map(|index| mask.is_removed(index)).collect());
        let kinds = image.map(|image| image.argument_kinds(name)).transpose()?.flatten();
        let kinds = kinds.map(<[ArgumentKind]>::to_vec);
        let mut kept = kinds.as_ref().map(Vec::len).or_else(|| kernel.argument_count());
        kept = kept.or_else(|| mask.and_then(|mask| usize::try_from(mask.kept()).ok()));
        // A mask that contradicts the code is ignored.
        let follows = |mask: &Vec<bool>| Some(mask.iter().filter(|gone| !**gone).count()) == kept;
        if !removed.as_ref().is_none_or(follows) {
            removed = None;
        }
        let (mut buffer, mut buffer_may_be_kept) = (SpecBuffer::None, false);
        if let Some(image) = image.filter(|image| !image.properties().spec_constants.is_empty()) {
            // A kernel that uses no constants may share the image; its last argument is an ordinary one.
            let takes = image.takes_spec_buffer(name)?;
            let is_last = match removed.as_mut() {
                Some(removed) => removed.pop_if(|last| *last || takes.unwrap_or(true)) == Some(false),
                // Kernels compiled with -O0 and free functions have no mask.
                None => takes == Some(true),
            };
            buffer_may_be_kept = removed.is_none() && takes.is_none();
            if is_last {
                kept = kept.map(|kept| kept.saturating_sub(1));
            }
            if is_last || buffer_may_be_kept {
                buffer = program
                    .spec_buffer(image.id())
                    .map_or(SpecBuffer::Empty, |buffer| SpecBuffer::Filled(buffer.clone()));
            }
        }
        let work_group = image.map(|image| image.required_work_group_size(name)).transpose()?.flatten();
        Ok(Self { removed, kept, kinds, buffer, buffer_may_be_kept, work_group })
    }

    pub(crate) fn written(&self) -> Option<usize> {
        self.removed.as_ref().map(Vec::len).or(self.kept)
    }

    /// Sets all arguments.
    pub(crate) fn fill(
        &self,
        setting: &Setting<'_>,
        name: &str,
        context: &Context,
        args: &[Arg<'_>],
    ) -> Result<()> {
        let as_written = self.removed.as_ref().filter(|removed| removed.len() == args.len());
        let left_out = self.buffer_may_be_kept && self.kept == Some(args.len() + 1);
        if as_written.is_none() && !left_out && self.kept.is_some_and(|kept| kept != args.len()) {
            return Err(self.wrong_count(name, args.len()));
        }
        let mut index = 0;
        for (position, arg) in args.iter().enumerate() {
            if as_written.is_some_and(|removed| removed.get(position) == Some(&true)) {
                continue;
            }
            if let Some(kind) = self.kinds.as_ref().and_then(|kinds| kinds.get(index as usize))
                && !arg.fits(kind)
            {
                return Err(Error::invalid(format!(
                    "argument {position} of kernel {name} is {}, but {} was given",
                    describe_kind(kind),
                    arg.describe()
                )));
            }
            match arg.0 {
                ArgValue::Value(bytes) => setting.value(index, bytes)?,
                ArgValue::Pointer { address, context: own } => {
                    same(own, context, name, position)?;
                    setting.pointer(index, address)?;
                }
                ArgValue::Address(address) => setting.pointer(index, address)?,
                ArgValue::Buffer(buffer) => {
                    same(buffer.context, context, name, position)?;
                    setting.buffer(index, Some(buffer))?;
                }
                ArgValue::Local(bytes) => setting.local(index, bytes)?,
                ArgValue::Removed => {
                    return Err(Error::invalid(format!("argument {position} of kernel {name} is not given")));
                }
            }
            index += 1;
        }
        match &self.buffer {
            _ if self.buffer_may_be_kept && !left_out => Ok(()),
            SpecBuffer::None => Ok(()),
            SpecBuffer::Empty => setting.buffer(index, None),
            SpecBuffer::Filled(buffer) => setting.buffer(index, Some(BufferHandle::new(buffer))),
        }
    }

    fn wrong_count(&self, name: &str, given: usize) -> Error {
        let kept = self.kept.unwrap_or(0);
        let removed = self.removed.as_ref().map_or(0, |removed| removed.len() - kept.min(removed.len()));
        let how = match removed {
            0 => String::new(),
            _ => format!(", or {} with those that the compiler removed", kept + removed),
        };
        Error::invalid(format!("kernel {name} takes {kept} arguments{how}, but {given} were given"))
    }

    /// Fails with errc::nd_range unless the range matches the kernel and the device.
    pub(crate) fn check_range(&self, name: &str, range: &NdRange, queue: &Queue) -> Result<()> {
        if let Some(required) = &self.work_group {
            let local = range.local().unwrap_or(&[]);
            if !required.is(local) {
                let given = match range.local() {
                    None => "no local size was given".to_owned(),
                    Some(local) if required.dimensions_count && local.len() != required.sizes.len() => {
                        format!("a local size of {} dimensions was given", local.len())
                    }
                    Some(local) => format!("the local size is {local:?}"),
                };
                return Err(Error::NdRange(format!(
                    "kernel {name} has a required work-group size of {:?}, but {given}",
                    required.sizes
                )));
            }
        }
        let Some(local) = range.local() else { return Ok(()) };
        let device = queue.device();
        let total = local.iter().try_fold(1_u64, |product, &size| product.checked_mul(size as u64));
        if let Some(most) = device.info().max_work_group_size
            && total.is_none_or(|total| total > most)
        {
            return Err(Error::NdRange(format!(
                "groups of {local:?} have more work-items than the {most} that {device:?} takes"
            )));
        }
        match beyond(local, device.max_work_item_sizes()) {
            None => Ok(()),
            Some((size, most)) => Err(Error::NdRange(format!(
                "groups of {local:?} have {size} work-items in a dimension, {device:?} takes {most}"
            ))),
        }
    }
}

fn describe_kind(kind: &ArgumentKind) -> String {
    match kind {
        ArgumentKind::Pointer("local") => "work-group memory".into(),
        ArgumentKind::Pointer(storage) => format!("an address ({storage})"),
        ArgumentKind::Structure(Some(size)) => format!("a structure of {size} bytes"),
        ArgumentKind::Value(Some(size)) => format!("a value of {size} bytes"),
        ArgumentKind::Structure(None) | ArgumentKind::Value(None) => "a value".into(),
        ArgumentKind::Object => "an image, a sampler or a similar object".into(),
    }
}

/// Returns the first size of a work-group that exceeds the limit of its dimension, with that limit. Sizes are in SYCL's
/// order, limits in the driver's.
fn beyond(local: &[usize], limits: &[usize]) -> Option<(usize, usize)> {
    local.iter().rev().copied().zip(limits.iter().copied()).find(|(size, most)| size > most)
}

fn same(own: &Context, context: &Context, name: &str, position: usize) -> Result<()> {
    if own == context {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "argument {position} of kernel {name} belongs to another context than the queue"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_size_of_a_work_group_has_the_limit_of_its_dimension() {
        // As on NVIDIA's GPUs, whose last dimension is the smallest. SYCL's first dimension is the driver's last.
        const LIMITS: [usize; 3] = [1024, 512, 64];
        assert_eq!(beyond(&[64, 512, 1024], &LIMITS), None);
        assert_eq!(beyond(&[65, 1, 1], &LIMITS), Some((65, 64)));
        assert_eq!(beyond(&[1, 513, 1], &LIMITS), Some((513, 512)));
        assert_eq!(beyond(&[1025], &LIMITS), Some((1025, 1024)));
        assert_eq!(beyond(&[512, 1024], &LIMITS), None, "two dimensions are the driver's first two");
        assert_eq!(beyond(&[513, 1024], &LIMITS), Some((513, 512)));
    }
}
