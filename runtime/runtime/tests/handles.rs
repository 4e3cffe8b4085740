//! Checks that the handles may be shared by threads.
#![allow(clippy::unwrap_used, missing_docs)]

use sycl_pi_runtime::*;

fn any_thread<T: Send + Sync + 'static>() {}

#[test]
fn handles_are_send_and_sync() {
    any_thread::<Plugin>();
    any_thread::<Platform>();
    any_thread::<Device>();
    any_thread::<Context>();
    any_thread::<Queue>();
    any_thread::<Event>();
    any_thread::<Usm<f32>>();
    any_thread::<Buffer<f32>>();
    any_thread::<Registry>();
    any_thread::<Image>();
    any_thread::<Runtime>();
    any_thread::<Kernel>();
    any_thread::<Caches>();
    any_thread::<Discovery>();
    any_thread::<SpecValues>();
    any_thread::<Error>();
}

#[test]
fn arguments_are_send_and_sync() {
    fn any_thread<T: Send + Sync>(_: &T) {}
    any_thread(&Arg::local(4));
}

/// A shared library that uses this crate must not export the functions that DPC++ calls.
#[test]
fn the_crate_defines_no_c_symbol() {
    let mut folders = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(std::result::Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = std::fs::read_to_string(&path).unwrap();
                for attribute in ["no_mangle", "unsafe(export_name"] {
                    assert!(!text.contains(attribute), "{}: {attribute}", path.display());
                }
            }
        }
    }
}
