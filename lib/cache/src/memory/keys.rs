//! Keys of programs and kernels in memory. Identifiers are numbers that the runtime assigns and never reuses.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use hashbrown::Equivalent;

/// The inputs of a program's build other than its images.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    /// Values of specialization constants.
    pub spec_constants: Arc<[u8]>,
    /// The device's identifier.
    pub device: u64,
    /// Build options, combined from the images, the API and the environment.
    pub options: Arc<str>,
}

/// The key of a program, made of its images and the settings of its build.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProgramKey {
    images: Arc<[u64]>,
    variant: Variant,
}

impl ProgramKey {
    /// Creates the key of a program of these images, in any order.
    pub fn new(images: impl IntoIterator<Item = u64>, variant: Variant) -> Self {
        let mut images: Vec<u64> = images.into_iter().collect();
        images.sort_unstable();
        Self { images: images.into(), variant }
    }

    /// Returns the images' identifiers, in order.
    pub fn images(&self) -> &[u64] {
        &self.images
    }

    /// Returns the other inputs of the build.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }
}

/// Where a kernel's name is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// In an OS module: the program or a shared library.
    Module(u64),
    /// In a device image.
    Image(u64),
}

/// The key of a kernel: {name} => {OS module or image, constants, options, device}.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelKey {
    /// The kernel's name.
    pub name: Arc<str>,
    /// The module or image of the request.
    pub origin: Origin,
    /// The other inputs of its program's build.
    pub variant: Variant,
}

/// A [`KernelKey`] with borrowed parts, for lookups without allocating a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KernelQuery<'a> {
    /// The kernel's name.
    pub name: &'a str,
    /// The module or image of the request.
    pub origin: Origin,
    /// Values of specialization constants.
    pub spec_constants: &'a [u8],
    /// The device's identifier.
    pub device: u64,
    /// Build options.
    pub options: &'a str,
}

impl KernelKey {
    /// Returns the key with borrowed parts.
    pub fn query(&self) -> KernelQuery<'_> {
        KernelQuery {
            name: &self.name,
            origin: self.origin,
            spec_constants: &self.variant.spec_constants,
            device: self.variant.device,
            options: &self.variant.options,
        }
    }
}

impl Hash for KernelKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.query().hash(state);
    }
}

impl Equivalent<KernelKey> for KernelQuery<'_> {
    fn equivalent(&self, key: &KernelKey) -> bool {
        *self == key.query()
    }
}

impl From<&KernelQuery<'_>> for KernelKey {
    fn from(query: &KernelQuery<'_>) -> Self {
        Self {
            name: query.name.into(),
            origin: query.origin,
            variant: Variant {
                spec_constants: query.spec_constants.into(),
                device: query.device,
                options: query.options.into(),
            },
        }
    }
}

/// One image of a program to link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedImage {
    /// The image's identifier.
    pub id: u64,
    /// The OS module that registered it.
    pub module: u64,
    /// The kernels that it defines.
    pub kernels: Vec<Arc<str>>,
}

/// The images of a program to link. The first is the one that needs the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkPlan {
    /// The images.
    pub images: Vec<PlannedImage>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Libraries are loaded in any order.
    #[test]
    fn the_order_of_a_programs_images_makes_no_other_key() {
        let variant = || Variant { spec_constants: [1].into(), device: 7, options: "".into() };
        let key = |images: [u64; 3]| ProgramKey::new(images, variant());
        assert_eq!(key([3, 1, 2]), key([1, 2, 3]));
        assert_eq!(key([3, 1, 2]).images(), [1, 2, 3]);
        assert_ne!(key([3, 1, 1]), key([1, 2, 3]));
    }
}
