//! Kernels of SPIR-V that are translated once more, for launches that need them otherwise.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::OnceLock;

use parking_lot::Mutex;
use sycl_pi_backend::Result;

use crate::device_kernel::DeviceKernel;

/// What a launch needs of its kernel beyond what every launch does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LaunchNeeds {
    /// Whether the work-groups of all dimensions are in the first one.
    pub(crate) folded: bool,
    /// Arguments that are null pointers, by index.
    pub(crate) null_arguments: BTreeSet<u32>,
    /// Whether its work-groups are so large that registers have to be few.
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

/// The variants of a kernel on one device. None is taken out before the kernel goes, so that who looks for one takes no lock.
#[derive(Default)]
pub(crate) struct KernelVariants {
    first: Link,
    building: Mutex<()>,
}

type Link = OnceLock<Box<KernelVariant>>;

/// A variant, and the next one.
struct KernelVariant {
    needs: LaunchNeeds,
    /// None where it cannot be built, and the launches do without.
    kernel: Option<DeviceKernel>,
    next: Link,
}

impl KernelVariants {
    /// The variant for such launches, which is built the first time; none where they do without. An error is not kept.
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

    /// The variant of that kind, or the place for it.
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
