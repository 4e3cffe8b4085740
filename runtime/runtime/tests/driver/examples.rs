//! The programs in `examples/`, on the plugin under test.

use std::path::{Path, PathBuf};

use libtest_mimic::Trial;
use sycl_pi_runtime::Device;
use testing_programs::open;
use testing_support::process::profile_folder;

#[path = "../../examples/add_two_vectors.rs"]
mod add_two_vectors;
#[path = "../../examples/device_global.rs"]
mod device_global;
#[path = "../../examples/linked_images.rs"]
mod linked_images;
#[path = "../../examples/specialization_constant.rs"]
mod specialization_constant;

type Test = fn(&Device);

pub(crate) fn all(plugin: &Path) -> Vec<Trial> {
    let tests: [(&str, Test); 4] = [
        ("add_two_vectors", |device| assert_eq!(add_two_vectors::run(device).unwrap(), [3.75; 1024])),
        ("device_global", |device| assert_eq!(device_global::run(device).unwrap(), 42)),
        ("linked_images", |device| assert_eq!(linked_images::run(device).unwrap(), 71)),
        ("specialization_constant", |device| {
            assert_eq!(specialization_constant::run(device).unwrap(), (300, 700));
        }),
    ];
    let folder = plugin.parent().map(Path::to_path_buf);
    let list = Trial::test("example::list_devices", move || {
        list_devices(folder.as_deref().unwrap_or(Path::new(".")));
        Ok(())
    });
    let others = tests.into_iter().map(|(name, test)| {
        let plugin: PathBuf = plugin.to_owned();
        Trial::test(format!("example::{name}"), move || {
            test(&open(&plugin).unwrap().first_device().unwrap());
            Ok(())
        })
    });
    std::iter::once(list).chain(others).collect()
}

/// Runs the example itself, in a user's environment.
fn list_devices(folder: &Path) {
    // `cargo run` would compile it and its dependencies again, with the features that it alone needs.
    let example = profile_folder().unwrap().join("examples/list_devices");
    let built = "cargo test -p sycl-pi-runtime builds it";
    let output = std::process::Command::new(example).env("PI_PLUGIN_PATH", folder).output().expect(built);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.starts_with("0: ") && text.contains(", driver "), "{text}");
}
