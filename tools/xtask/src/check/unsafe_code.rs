//! Unsafe code is at a boundary and nowhere else. Clippy checks that each piece has a SAFETY comment.

use std::path::Path;

use anyhow::Result;
use regex::Regex;

use super::{Findings, sources};

/// Folders and files that may have unsafe code: the boundaries to callers, drivers and loaded plugins, and the tests of these.
const BOUNDARIES: [&str; 44] = [
    "benches/",
    "plugins/backend/",
    "plugins/cuda/src/sys/",
    "plugins/dynload/",
    "plugins/host-process/src/variable.rs",
    "plugins/level-zero-sys/",
    "plugins/level-zero/src/sys/",
    "plugins/opencl/src/retain.rs",
    "plugins/opencl/src/sys/",
    "plugins/opencl/tests/",
    "plugins/pi-front/",
    "plugins/shells/",
    "plugins/ur-front/",
    "runtime/cache/tests/host.rs",
    "runtime/loader/",
    "runtime/mkl/",
    "runtime/pi_runtime/",
    "runtime/runtime/examples/",
    "runtime/runtime/src/binaries",
    "runtime/runtime/src/build/",
    "runtime/runtime/src/call/",
    "runtime/runtime/src/kernel.rs",
    "runtime/runtime/src/launch/arg.rs",
    "runtime/runtime/src/registry/mod.rs",
    "runtime/runtime/src/registry/file.rs",
    "runtime/runtime/tests/",
    "runtime/ur-host/",
    "testing/conformance/",
    "testing/cuda/",
    "testing/drivers/",
    "testing/fuzz/",
    "testing/level-zero/",
    "testing/models/",
    "testing/opencl/",
    "testing/pi-over-ur/",
    "testing/programs/",
    "testing/random-calls/",
    "testing/robustness/",
    "testing/support/",
    "testing/ur-host/",
    "tools/pi-nvvm/src/sys/",
    "tools/pi-nvvm/tests/program.rs",
    "tools/pi/src/plugins.rs",
    "tools/pi/src/sycl/calls.rs",
];

/// A block, an implementation, a trait, an attribute, or a function with a name. Types of function pointers and blocks of
/// foreign declarations do not match.
const UNSAFE: &str = r#"\bunsafe\s*(\{|\(|(impl|trait)\b|(extern\s+)?fn\s+[\w$])"#;

/// Names every piece of unsafe code elsewhere.
pub(crate) fn run(root: &Path) -> Result<Findings> {
    let pattern = Regex::new(UNSAFE)?;
    let mut findings = Vec::new();
    for source in sources::read(root, &[], &["rs"])? {
        if !BOUNDARIES.iter().any(|folder| source.path.starts_with(folder)) {
            let finding = |line| format!("{}:{line}: unsafe code outside of a boundary", source.path);
            findings.extend(lines(&pattern, &source.code()).into_iter().map(finding));
        }
    }
    Ok(findings)
}

/// The lines with unsafe code.
fn lines(pattern: &Regex, code: &str) -> Vec<usize> {
    let line_of = |at: usize| code[..at].matches('\n').count() + 1;
    pattern.find_iter(code).map(|found| line_of(found.start())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(code: &str) -> Vec<usize> {
        lines(&Regex::new(UNSAFE).unwrap(), code)
    }

    #[test]
    fn blocks_implementations_functions_and_attributes_are_unsafe_code() {
        for code in [
            "fn f() { unsafe { g() } }",
            "unsafe impl Send for A {}",
            "unsafe fn f() {}",
            "pub unsafe extern fn f() {}",
            "#[unsafe(no_mangle)] fn f() {}",
            "macro_rules! m { () => { unsafe { g() } } }",
        ] {
            assert_eq!(found(code), [1], "{code}");
        }
    }

    #[test]
    fn types_and_declarations_are_not() {
        for code in
            ["type F = unsafe extern fn(u32);", "type F = unsafe fn(u32);", "unsafe extern { fn f(); }"]
        {
            assert!(found(code).is_empty(), "{code}");
        }
    }

    #[test]
    fn lines_are_those_of_the_source() {
        assert_eq!(found("\n\nunsafe impl A for B {}"), [3]);
    }
}
