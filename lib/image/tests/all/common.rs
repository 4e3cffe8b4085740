//! The test images.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use sycl_pi_image::ImageParts;

/// A test image and its files.
pub(crate) struct TestImage {
    pub(crate) name: String,
    pub(crate) json: String,
    pub(crate) bytes: Vec<u8>,
}

impl TestImage {
    pub(crate) fn parts(&self) -> ImageParts<'_> {
        sycl_pi_image::text::read_json(&self.name, &self.json, &self.bytes).unwrap()
    }
}

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/images")
}

/// Returns one image by its name.
pub(crate) fn image(name: &str) -> TestImage {
    let json = std::fs::read_to_string(folder().join(format!("{name}.props.json")));
    let bytes = std::fs::read(folder().join(format!("{name}.spv")));
    TestImage { name: name.into(), json: json.expect(name), bytes: bytes.expect(name) }
}

/// Returns all 81 images.
pub(crate) fn images() -> Vec<TestImage> {
    let files =
        std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> =
        files.filter_map(|file| file.strip_suffix(".props.json").map(str::to_owned)).collect();
    names.sort();
    assert_eq!(names.len(), 81);
    names.iter().map(|name| image(name)).collect()
}

/// Checks that `spirv-val` accepts the result if it accepts the original. Checks nothing if `spirv-val` is not
/// installed.
pub(crate) fn validate_like(name: &str, original: &[u8], made: &[u8]) {
    if complaint(original) == Some(None)
        && let Some(Some(text)) = complaint(made)
    {
        panic!("{name}: {text}");
    }
}

/// Returns the message of `spirv-val`, or `None` if it is not installed.
pub(crate) fn complaint(bytes: &[u8]) -> Option<Option<String>> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, bytes).unwrap();
    let mut command = std::process::Command::new("spirv-val");
    let output = command.args(["--target-env", "spv1.4"]).arg(file.path()).output().ok()?;
    Some((!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned()))
}
