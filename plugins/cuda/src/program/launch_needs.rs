//! Requirements of some launches on their kernel.

use std::collections::BTreeSet;
use std::ffi::CStr;
use std::fmt;

use sycl_pi_nvvm::Variant;

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

impl LaunchNeeds {
    /// Returns whether the kernel must be translated again from SPIR-V.
    pub(crate) fn is_translated_again(&self) -> bool {
        self.folded || !self.null_arguments.is_empty()
    }

    /// Returns the kernel with the given name in the form that such launches need.
    pub(crate) fn variant_of(&self, kernel: &CStr) -> Variant {
        Variant {
            kernel: kernel.to_string_lossy().into_owned(),
            folded: self.folded,
            null_arguments: self.null_arguments.clone(),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launch_says_what_it_needs() {
        let needs = LaunchNeeds { folded: true, null_arguments: [1, 3].into(), few_registers: false };
        let text = needs.to_string();
        assert!(text.contains("more work-groups") && text.contains("arguments {1, 3}"), "{text}");
    }
}
