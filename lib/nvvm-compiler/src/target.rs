//! libnvvm's architectures.

/// The target of a compilation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NvvmTarget {
    /// The architecture, such as `compute_90`.
    pub arch: String,
    /// Whether it takes the IR of a recent LLVM, instead of that of LLVM 7 with typed pointers.
    pub modern: bool,
    /// The release of libnvvm, such as `12.9.86`.
    pub release: String,
}

/// Architectures supported by any release of libnvvm, oldest first. PTX for one runs on all later ones.
const ARCHITECTURES: [u32; 19] =
    [50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120];
/// The first architecture that takes the IR of a recent LLVM.
const MODERN: u32 = 100;

/// Returns the architectures whose PTX runs on a device of the given compute capability (90 for 9.0), best first.
pub(crate) fn architectures(capability: u32) -> impl Iterator<Item = u32> {
    let older = ARCHITECTURES.into_iter().rev().filter(move |arch| *arch < capability);
    std::iter::once(capability).chain(older)
}

impl NvvmTarget {
    /// Returns the target with the given number, for the given release of libnvvm.
    pub(crate) fn new(number: u32, release: &str) -> Self {
        Self { arch: format!("compute_{number}"), modern: number >= MODERN, release: release.to_owned() }
    }

    /// Returns the target of the given architecture (`compute_90`), for the given release of libnvvm, or `None` if the
    /// text is not an architecture.
    pub fn named(arch: &str, release: &str) -> Option<Self> {
        let number = arch.strip_prefix("compute_")?.parse().ok()?;
        Some(Self::new(number, release))
    }
}

/// A module without code, in both dialects. libnvvm compiles it if it supports the architecture.
pub(crate) const EMPTY_MODULE: &str = concat!(
    "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-",
    "f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\n",
    "target triple = \"nvptx64-nvidia-cuda\"\n",
    "define void @empty() {\n  ret void\n}\n",
    "!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n",
);

/// Returns the release of libnvvm, which is in a comment of its PTX, or else the PTX version.
pub(crate) fn release_of(ptx: &str) -> String {
    let after = |mark: &str| {
        let rest = ptx.split_once(mark)?.1;
        rest.split_ascii_whitespace().next().map(str::to_owned)
    };
    after(", V").or_else(|| after(".version ").map(|version| format!("of PTX {version}"))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_known_by_its_architecture() {
        for number in [75, 100] {
            let target = NvvmTarget::new(number, "12.9.86");
            assert_eq!(NvvmTarget::named(&target.arch, &target.release), Some(target));
        }
        assert_eq!(NvvmTarget::named("sm_90", ""), None);
    }

    #[test]
    fn the_devices_own_architecture_comes_first_then_older_ones() {
        assert_eq!(architectures(90).take(3).collect::<Vec<_>>(), [90, 89, 88]);
        assert_eq!(architectures(95).take(2).collect::<Vec<_>>(), [95, 90], "a GPU that nobody knows yet");
        assert_eq!(architectures(121).take(2).collect::<Vec<_>>(), [121, 120]);
        assert_eq!(architectures(35).collect::<Vec<_>>(), [35]);
    }

    #[test]
    fn the_dialect_changes_with_blackwell() {
        assert!(!NvvmTarget::new(90, "12.9.86").modern);
        assert!(NvvmTarget::new(100, "12.9.86").modern);
    }

    #[test]
    fn the_release_is_read_from_the_ptx() {
        let ptx = "// Cuda compilation tools, release 12.9, V12.9.86\n// Based on NVVM 7.0.1\n.version 8.8\n";
        assert_eq!(release_of(ptx), "12.9.86");
        assert_eq!(release_of(".version 8.8\n"), "of PTX 8.8");
    }
}
