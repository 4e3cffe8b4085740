//! Kernels from SPIR-V that are translated again for launches with special requirements.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::OnceLock;

use parking_lot::Mutex;
use sycl_pi_backend::Result;

use crate::kernel::device_kernel::DeviceKernel;

/// The requirements of a launch on its kernel beyond those of every launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LaunchNeeds {
    /// Whether the work-groups of all dimensions are folded into the first one.
    pub(crate) folded: bool,
    /// Arguments that are null pointers, by index.
    pub(crate) null_arguments: BTreeSet<u32>,
    /// Whether its work-groups are so large that few registers must be used.
    pub(crate) few_registers: bool,
}

impl fmt::Display for LaunchNeeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.folded {
            true => f.write_str("a launch of more work-groups than CUDA has in a dimension")?,
            false => f.write_str("a launch")?,
        }
        if !self.null_arguments.is_empty() {
            write!(f, " with null pointers as arguments {:?}", self.null_arguments)?;
        }
        Ok(())
    }
}

/// The variants of a kernel on one device. None is removed before the kernel is destroyed, so lookups take no lock.
#[derive(Default)]
pub(crate) struct KernelVariants {
    first: Link,
    building: Mutex<()>,
}

type Link = OnceLock<Box<KernelVariant>>;

/// A variant, and a link to the next one.
struct KernelVariant {
    needs: LaunchNeeds,
    /// `None` if it cannot be built and the launches do without it.
    kernel: Option<DeviceKernel>,
    next: Link,
}

impl KernelVariants {
    /// Returns the variant for such launches, which is built the first time, or `None` if they do without it. An error
    /// is not cached.
    pub(crate) fn get(
        &self,
        needs: &LaunchNeeds,
        build: impl FnOnce() -> Result<Option<DeviceKernel>>,
    ) -> Result<Option<&DeviceKernel>> {
        if let Ok(known) = self.find(needs) {
            return Ok(known.kernel.as_ref());
        }
        let _building = self.building.lock();
        let place = match self.find(needs) {
            Ok(known) => return Ok(known.kernel.as_ref()),
            Err(place) => place,
        };
        let kernel = build()?;
        let variant = KernelVariant { needs: needs.clone(), kernel, next: Link::new() };
        Ok(place.get_or_init(|| Box::new(variant)).kernel.as_ref())
    }

    /// Returns the variant of the given kind, or the place for it.
    fn find(&self, needs: &LaunchNeeds) -> std::result::Result<&KernelVariant, &Link> {
        let mut place = &self.first;
        while let Some(variant) = place.get() {
            if variant.needs == *needs {
                return Ok(variant);
            }
            place = &variant.next;
        }
        Err(place)
    }
}

#[cfg(test)]
mod tests {
    use sycl_pi_backend::Error;

    use super::*;

    #[test]
    fn a_variant_is_built_once_and_an_error_is_tried_again() {
        let variants = KernelVariants::default();
        let folded = LaunchNeeds { folded: true, ..LaunchNeeds::default() };
        let null = LaunchNeeds { null_arguments: [2].into(), ..LaunchNeeds::default() };
        let mut builds = 0;
        for needs in [&folded, &null, &folded, &null] {
            let found = variants.get(needs, || {
                builds += 1;
                Ok(None)
            });
            assert!(found.is_ok_and(|found| found.is_none()));
        }
        assert_eq!(builds, 2);
        let both = LaunchNeeds { folded: true, ..null };
        for _ in 0..2 {
            assert!(variants.get(&both, || Err(Error::not_built())).is_err());
        }
    }

    #[test]
    fn a_launch_says_what_it_needs() {
        let needs = LaunchNeeds { folded: true, null_arguments: [1, 3].into(), few_registers: false };
        let text = needs.to_string();
        assert!(text.contains("more work-groups") && text.contains("arguments {1, 3}"), "{text}");
    }
}
