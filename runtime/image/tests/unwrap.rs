//! What is wrapped comes out again, of objects, libraries and programs; damaged files are errors.
#![allow(clippy::unwrap_used, clippy::panic)]
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod common;

use std::process::Command;

use sycl_pi_image::ImageParts;
use sycl_pi_image::unwrap::unwrap;
use sycl_pi_image::wrap::wrap;

/// The same but for the name, which is the file's.
fn unnamed(image: ImageParts<'static>) -> ImageParts<'static> {
    ImageParts { name: "".into(), ..image }
}

fn all() -> Vec<ImageParts<'static>> {
    common::images().iter().map(|image| unnamed(image.parts().into_owned())).collect()
}

#[test]
fn all_images_come_out_of_an_object() {
    let object = wrap(&all()).unwrap();
    let found = unwrap("images.o", &object).unwrap();
    assert_eq!(found[80].name, "images.o image 80");
    assert!(found.into_iter().map(unnamed).eq(all()));
}

/// Linked, the same pointers are written in three other ways: for a loader, by the linker, and with names stripped.
#[test]
fn and_of_libraries_and_programs() {
    let folder = tempfile::tempdir().unwrap();
    let object = folder.path().join("images.o");
    std::fs::write(&object, wrap(&all()).unwrap()).unwrap();
    let stubs = folder.path().join("stubs.c");
    let source = "void __sycl_register_lib(void *p) {} void __sycl_unregister_lib(void *p) {} int main(void) { return 0; }";
    std::fs::write(&stubs, source).unwrap();
    for flags in [["-shared", "-fPIC"], ["-pie", "-fPIE"], ["-no-pie", "-fno-pie"], ["-pie", "-s"]] {
        let linked = folder.path().join("linked");
        let mut cc = Command::new("cc");
        // Without a C compiler there is nothing to link with.
        let Ok(output) = cc.args(flags).arg(&stubs).arg(&object).arg("-o").arg(&linked).output() else {
            return;
        };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let found = unwrap("linked", &std::fs::read(&linked).unwrap()).unwrap();
        assert!(found.into_iter().map(unnamed).eq(all()), "{flags:?}");
    }
}

#[test]
fn files_without_images() {
    let error = |bytes: &[u8]| unwrap("a", bytes).unwrap_err().to_string();
    assert!(error(b"\x7fELF").starts_with("a: "), "{}", error(b"\x7fELF"));
    assert_eq!(error(&wrap(&[]).unwrap()), "a: there is no device image in this ELF file");
}

/// A file cut off or changed anywhere: an error or other images, never a panic.
#[test]
fn damaged_files() {
    let object = wrap(&all()[..6]).unwrap();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    let mut errors = 0;
    for _ in 0..2000 {
        let mut bytes = object.clone();
        match random(4) {
            0 => bytes.truncate(random(object.len())),
            1 => {
                let at = random(bytes.len() - 8);
                bytes[at..at + 8].fill(0xff);
            }
            _ => {
                // Headers of the file and of sections, where sizes and offsets are.
                let at = if random(2) == 0 { random(64) } else { object.len() - 1 - random(1200) };
                bytes[at] = random(256) as u8;
            }
        }
        errors += u32::from(unwrap("a", &bytes).is_err());
    }
    assert!(errors > 100, "{errors}");
}
