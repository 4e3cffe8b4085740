//! Messages about unknown names, with suggestions of similar names.

use std::sync::Arc;

use super::choose::refusal;
use crate::call::Device;
use crate::error::Error;
use crate::registry::{Image, Registry};

/// Returns the most similar names, at most three.
pub(crate) fn near<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let limit = (name.len() / 4).clamp(2, 12);
    let mut found: Vec<(usize, &str)> = names
        .filter_map(|other| {
            let distance = distance(name.as_bytes(), other.as_bytes(), limit)?;
            Some((distance, other))
        })
        .collect();
    found.sort_unstable();
    found.truncate(3);
    found.into_iter().map(|(_, name)| name).collect()
}

/// Returns the edit distance if it is at most `limit`.
fn distance(one: &[u8], other: &[u8], limit: usize) -> Option<usize> {
    if one.len().abs_diff(other.len()) > limit {
        return None;
    }
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut corner = i;
        let mut left = i + 1;
        let mut least = left;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (cell, b) in row.iter_mut().skip(1).zip(other) {
            let here = (corner + usize::from(a != b)).min(left + 1).min(*cell + 1);
            corner = *cell;
            *cell = here;
            left = here;
            least = least.min(here);
        }
        if least > limit {
            return None;
        }
    }
    row.last().copied().filter(|&found| found <= limit)
}

/// Returns the readable part of a mangled name: `VAdd` for `_ZTS4VAdd`.
pub(crate) fn readable(name: &str) -> String {
    let rest = name.strip_prefix("_ZTS").or_else(|| name.strip_prefix("_Z"));
    let Some(mut rest) = rest else { return name.into() };
    rest = rest.strip_prefix('N').unwrap_or(rest);
    let mut parts = Vec::new();
    loop {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let Some((count, tail)) = rest.split_at_checked(digits) else { break };
        let Ok(count) = count.parse::<usize>() else { break };
        let Some((part, tail)) = tail.split_at_checked(count) else { break };
        parts.push(part);
        rest = tail;
    }
    if parts.is_empty() { name.into() } else { format!("{} ({name})", parts.join("::")) }
}

/// Makes a PI_ERROR_INVALID_KERNEL_NAME error with advice.
pub(crate) fn no_kernel(registry: &Registry, name: &str) -> Error {
    let images = registry.images().len();
    let names = registry.kernel_names();
    let mut text = format!("No kernel named {} was found", readable(name));
    if images == 0 {
        text.push_str(": no device image is registered; the link step may have dropped the device code");
    } else {
        text.push_str(&format!(" in {images} registered images with {} kernels", names.len()));
        let near = near(name, names.iter().map(AsRef::as_ref));
        if !near.is_empty() {
            text.push_str(&format!("; is it {}?", near.join(" or ")));
        }
    }
    Error::NotFound(text)
}

/// Makes the error for a device global that is in no image and is registered with no host variable.
pub(crate) fn no_global(registry: &Registry, unique_id: &str) -> Error {
    let mut names = registry.global_names();
    names.sort_unstable();
    names.dedup();
    let near = near(unique_id, names.iter().map(AsRef::as_ref));
    let hint = if near.is_empty() { String::new() } else { format!("; is it {}?", near.join(" or ")) };
    Error::NotFound(format!(
        "no device global {unique_id} is known: register its image first, or its host variable \
         (Registry::add_device_global, pi_runtime_add_device_global){hint}"
    ))
}

/// Makes the error for a kernel that exists only for other devices, with the reasons why this device can run none of
/// its images.
pub(crate) fn no_image(name: &str, images: &[Arc<Image>], device: &Device) -> Error {
    let why = |image: &Arc<Image>| {
        let unselected = || {
            format!(
                "The plugin does not take it for this device (piextDeviceSelectBinary). (image {})",
                image.name()
            )
        };
        refusal(image, device).unwrap_or_else(unselected)
    };
    let reasons: Vec<String> = images.iter().map(why).collect();
    Error::KernelNotSupported(match reasons.as_slice() {
        [only] => only.clone(),
        all => {
            format!("Kernel {} is in no image that {device:?} can run:\n{}", readable(name), all.join("\n"))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_misses() {
        let names = ["_Z2fbi", "_Z2fci", "_Z6helperi", "_Z9something"];
        assert_eq!(near("_Z2fdi", names.into_iter()), ["_Z2fbi", "_Z2fci"]);
        assert_eq!(near("_Z6helpeRi", names.into_iter()), ["_Z6helperi"]);
        assert!(near("_Z7nowherei", names.into_iter()).is_empty());
    }

    #[test]
    fn names_are_read() {
        assert_eq!(readable("_ZTS4VAdd"), "VAdd (_ZTS4VAdd)");
        assert_eq!(readable("_ZTSN2ns1KE"), "ns::K (_ZTSN2ns1KE)");
        assert_eq!(readable("plain"), "plain");
    }
}
