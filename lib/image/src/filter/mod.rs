//! Decides which images a target can run ("Behavior for optional kernel features", Changes specific to AOT mode).

mod config;

pub use config::{DeviceConfig, DeviceEntry};

use crate::aspect;
use crate::property::Requirements;

/// The device configuration included in this crate.
pub const DEFAULT_CONFIG: &str = include_str!("devices.yaml");

/// The reason why a target cannot run an image.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// The image needs aspects that the target lacks.
    #[error("needs {}", in_words(.0))]
    Aspects(Vec<u32>),
    /// The image needs a sub-group size that the target lacks.
    #[error("needs sub-group size {0}")]
    SubGroupSize(u32),
    /// The image is for other targets.
    #[error("is only for {}", in_words(.0))]
    FixedTarget(Vec<u32>),
}

fn in_words(aspects: &[u32]) -> String {
    let names: Vec<String> = aspects.iter().map(|&number| aspect::describe(number)).collect();
    names.join(", ")
}

/// Makes the three checks of the design's aspect filter tool, and returns `Ok` if the image may stay. An image for
/// fixed targets has no other requirements, because its builder declares that it runs there.
pub fn check(image: &Requirements, target: &DeviceEntry) -> Result<(), Unfit> {
    let lacks = |number: &u32| !target.has(*number);
    if let Some(targets) = &image.fixed_targets {
        let fits = !targets.iter().all(lacks);
        return if fits { Ok(()) } else { Err(Unfit::FixedTarget(targets.clone())) };
    }
    let missing: Vec<u32> = image.aspects.iter().flatten().copied().filter(lacks).collect();
    if !missing.is_empty() {
        return Err(Unfit::Aspects(missing));
    }
    let sizes = image.sub_group_sizes.iter().flatten();
    if let Some(&size) = sizes.into_iter().find(|size| !target.sub_group_sizes.contains(size)) {
        return Err(Unfit::SubGroupSize(size));
    }
    Ok(())
}
