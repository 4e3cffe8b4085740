//! The filters' names for backends and device types, and suggestions for misspelled names.

use crate::DeviceType;

/// Every backend that a selector may name.
pub(super) const BACKENDS: [&str; 6] =
    ["opencl", "level_zero", "cuda", "hip", "esimd_emulator", "native_cpu"];

/// Returns the device type that a selector's word refers to.
pub(super) fn device_type(word: &str) -> Option<DeviceType> {
    match word {
        "cpu" => Some(DeviceType::Cpu),
        "gpu" => Some(DeviceType::Gpu),
        "acc" | "fpga" => Some(DeviceType::Accelerator),
        _ => None,
    }
}

/// Returns the backend that was probably meant.
pub(super) fn similar_backend(word: &str) -> Option<&'static str> {
    let usual = match word {
        "l0" | "ze" | "levelzero" | "level-zero" | "level_0" => Some("level_zero"),
        "ocl" | "cl" => Some("opencl"),
        "nvidia" => Some("cuda"),
        "amd" | "rocm" => Some("hip"),
        _ => None,
    };
    usual.or_else(|| BACKENDS.into_iter().find(|name| distance(name, word) <= 2))
}

/// Returns the edit distance: the number of letters to change, add or remove.
pub fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut last = i + 1;
        let mut next = vec![last];
        for (pair, to) in row.windows(2).zip(&b) {
            let &[diagonal, above] = pair else { continue };
            last = (diagonal + usize::from(from != *to)).min(above + 1).min(last + 1);
            next.push(last);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("opencl", "opencl"), 0);
        assert_eq!(distance("opencl", "opncl"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(similar_backend("openlc"), Some("opencl"));
        assert_eq!(similar_backend("vulkan"), None);
    }
}
