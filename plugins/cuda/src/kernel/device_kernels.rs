//! The forms of a kernel on one device, for launches with different needs.

use std::sync::OnceLock;

use parking_lot::Mutex;
use sycl_pi_backend::Result;

use crate::kernel::device_kernel::DeviceKernel;
use crate::program::launch_needs::LaunchNeeds;

/// The forms of a kernel on one device. None is removed before the kernel is destroyed, so lookups take no lock.
#[derive(Default)]
pub(crate) struct DeviceKernels {
    /// For launches without particular needs.
    pub(crate) ordinary: OnceLock<DeviceKernel>,
    first: Link,
    building: Mutex<()>,
}

type Link = OnceLock<Box<KernelForm>>;

/// A form, and a link to the next one.
struct KernelForm {
    needs: LaunchNeeds,
    /// `None` if it cannot be built and the launches do without it.
    kernel: Option<DeviceKernel>,
    next: Link,
}

impl DeviceKernels {
    /// Returns the kernel for launches with particular needs, which is built the first time, or `None` if they do without
    /// it. An error is not cached.
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
        let form = KernelForm { needs: needs.clone(), kernel, next: Link::new() };
        Ok(place.get_or_init(|| Box::new(form)).kernel.as_ref())
    }

    /// Returns the form for such launches, or the place for it.
    fn find(&self, needs: &LaunchNeeds) -> std::result::Result<&KernelForm, &Link> {
        let mut place = &self.first;
        while let Some(form) = place.get() {
            if form.needs == *needs {
                return Ok(form);
            }
            place = &form.next;
        }
        Err(place)
    }
}

#[cfg(test)]
mod tests {
    use sycl_pi_backend::Error;

    use super::*;

    #[test]
    fn a_form_is_built_once_and_an_error_is_tried_again() {
        let kernels = DeviceKernels::default();
        let folded = LaunchNeeds { folded: true, ..LaunchNeeds::default() };
        let null = LaunchNeeds { null_arguments: [2].into(), ..LaunchNeeds::default() };
        let mut builds = 0;
        for needs in [&folded, &null, &folded, &null] {
            let found = kernels.get(needs, || {
                builds += 1;
                Ok(None)
            });
            assert!(found.is_ok_and(|found| found.is_none()));
        }
        assert_eq!(builds, 2);
        let both = LaunchNeeds { folded: true, ..null };
        for _ in 0..2 {
            assert!(kernels.get(&both, || Err(Error::not_built())).is_err());
        }
    }
}
