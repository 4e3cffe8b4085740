//! Determines the build data that `pi --version` prints: the commit and the target, if they are known.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=SYCL_PI_COMMIT");
    let told = std::env::var("SYCL_PI_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = told.or_else(of_checkout).unwrap_or_else(|| "unknown commit".into());
    println!("cargo:rustc-env=SYCL_PI_BUILT_FROM={commit}");
    println!("cargo:rustc-env=SYCL_PI_TARGET={}", std::env::var("TARGET").unwrap_or_default());
    println!("cargo:rustc-env=SYCL_PI_PROFILE={}", std::env::var("PROFILE").unwrap_or_default());
}

/// Returns the commit of the checkout in which this is built. Cargo packages have no commit.
fn of_checkout() -> Option<String> {
    let git = |words: &[&str]| {
        let output =
            Command::new("git").args(words).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
    };
    // This file changes with every change of the branch.
    if let Some(head) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={head}");
    }
    git(&["rev-parse", "--short=10", "HEAD"])
}
