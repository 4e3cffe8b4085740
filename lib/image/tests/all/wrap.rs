//! Wrapped images register themselves in a program that a C compiler links.

use std::path::Path;
use std::process::Command;

use sycl_pi_image::wrap::{WrapError, wrap};
use sycl_pi_image::{ImageParts, Value};

use crate::common;

fn expected(image: &ImageParts<'_>) -> String {
    let mut text =
        format!("image 1 4 2 {} [{}] {} 07230203\n", image.target, image.compile_options, image.bytes.len());
    for entry in &image.entries {
        text += &format!("entry {entry}\n");
    }
    for set in &image.property_sets {
        text += &format!("set {}\n", set.name);
        for property in &set.properties {
            text += &match &property.value {
                Value::Uint32(number) => format!("{} 1 {number}\n", property.name),
                Value::ByteArray(bytes) | Value::Other(_, bytes) => {
                    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                    format!("{} 2 {} {hex}\n", property.name, bytes.len())
                }
            };
        }
    }
    text
}

#[test]
fn registers_all_images() {
    let images = common::images();
    let parts: Vec<ImageParts<'_>> = images.iter().map(|image| image.parts()).collect();
    let folder = tempfile::tempdir().unwrap();
    let object = folder.path().join("images.o");
    std::fs::write(&object, wrap(&parts).unwrap()).unwrap();
    let program = folder.path().join("program");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrap.c");
    let linked = Command::new("cc")
        .arg("-Wl,-z,text,--fatal-warnings")
        .arg(&source)
        .arg(&object)
        .arg("-o")
        .arg(&program)
        .output()
        .expect("the tests need a C compiler");
    assert!(linked.status.success(), "{}", String::from_utf8_lossy(&linked.stderr));
    let run = Command::new(&program).output().unwrap();
    let text = String::from_utf8(run.stdout).unwrap();
    let images: String = parts.iter().map(expected).collect();
    assert_eq!(text, format!("register 1 81\n{images}main\nunregister 81\n"));
}

#[test]
fn what_c_cannot_hold() {
    let image = ImageParts::new("a", "x\0y", Vec::new());
    assert_eq!(wrap(&[image]), Err(WrapError::ZeroByte { image: "a".into(), text: "x\0y".into() }));
}
