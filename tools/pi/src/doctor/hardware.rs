//! Checks the processor, and whether graphics devices may be opened.

use std::fs::{self, OpenOptions};
use std::path::PathBuf;

use super::finding::Finding;

pub fn check(findings: &mut Vec<Finding>) {
    let entries = fs::read_dir("/dev/dri").into_iter().flatten().flatten();
    let mut nodes: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    nodes.retain(|node| node.file_name().is_some_and(|name| name.to_string_lossy().starts_with("renderD")));
    nodes.sort();
    if nodes.is_empty() {
        findings.push(Finding::info("There is no graphics device here (/dev/dri/renderD*)"));
    }
    for node in nodes {
        let opened = OpenOptions::new().read(true).write(true).open(&node);
        findings.push(match opened {
            Ok(_) => Finding::ok(format!("{} may be opened", node.display())),
            Err(error) => Finding::warning(format!("{} may not be opened: {error}", node.display()))
                .why("without it, a GPU driver finds no device and reports no error")
                .fix("join the group that owns it (sudo usermod -aG render $USER) and log in again"),
        });
    }
}

/// Returns whether this is an AMD processor with AVX-512.
pub fn is_amd_with_avx512() -> bool {
    describes_amd_with_avx512(&fs::read_to_string("/proc/cpuinfo").unwrap_or_default())
}

fn describes_amd_with_avx512(text: &str) -> bool {
    let value = |key: &str| {
        let line = text.lines().find(|line| line.starts_with(key));
        line.and_then(|line| line.split_once(':')).map(|(_, value)| value).unwrap_or_default()
    };
    value("vendor_id").trim() == "AuthenticAMD"
        && value("flags").split_whitespace().any(|flag| flag == "avx512f")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors() {
        let text =
            |vendor: &str, flags: &str| format!("processor : 0\nvendor_id\t: {vendor}\nflags\t: {flags}\n");
        assert!(describes_amd_with_avx512(&text("AuthenticAMD", "sse avx2 avx512f")));
        assert!(!describes_amd_with_avx512(&text("AuthenticAMD", "sse avx2")));
        assert!(!describes_amd_with_avx512(&text("GenuineIntel", "avx512f")));
        assert!(!describes_amd_with_avx512(""));
    }
}
