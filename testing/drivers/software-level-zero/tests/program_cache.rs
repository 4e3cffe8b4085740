//! Programs that are stored on disk. A separate process, because the variable is global.
#![expect(unsafe_code, reason = "the tests call a driver")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::ffi::CStr;
use std::fs;
use std::path::{Path, PathBuf};

use common::{Bench, bench_with, code};
use level_zero_sys::*;

const BASIC: &[u8] = include_bytes!("../../../kernels/software-level-zero/basic.spv");
const GIVES: &[u8] = include_bytes!("../../../kernels/software-level-zero/gives.spv");
/// The bytes before the binary's length: a magic number and no build flags.
const FRONT: usize = 16;

/// Builds a module, creates a kernel, and destroys both.
fn build(b: &Bench, spirv: &[u8], name: &CStr) -> ze_result_t {
    let desc = ze_module_desc_t {
        format: ZE_MODULE_FORMAT_IL_SPIRV,
        inputSize: spirv.len(),
        pInputModule: spirv.as_ptr(),
        ..Default::default()
    };
    let (mut module, mut kernel) = (ze_module_handle_t::NULL, ze_kernel_handle_t::NULL);
    let kernel_desc = ze_kernel_desc_t { pKernelName: name.as_ptr(), ..Default::default() };
    // SAFETY: live handles, room for the answers.
    unsafe {
        let no_log = std::ptr::null_mut();
        b.ze.zeModuleCreate(b.context, b.device, &desc, &mut module, no_log)
            .expect("needs an OpenCL CPU runtime that takes SPIR-V");
        let answer = code(b.ze.zeKernelCreate(module, &kernel_desc, &mut kernel));
        if !kernel.is_null() {
            b.ze.zeKernelDestroy(kernel).unwrap();
        }
        b.ze.zeModuleDestroy(module).unwrap();
        answer
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// Returns the file's binary, and the rest after it.
fn parts(file: &[u8]) -> (&[u8], &[u8]) {
    let (length, rest) = file[FRONT..].split_first_chunk::<8>().unwrap();
    rest.split_at(u64::from_le_bytes(*length) as usize)
}

#[test]
#[ignore = "needs an OpenCL CPU runtime that takes SPIR-V"]
fn programs_are_kept_and_built_anew_where_the_file_is_damaged() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("programs-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let b = bench_with(Some(("PI_SOFT_ZE_CACHE", folder.to_str().unwrap())));

    assert_eq!(build(&b, BASIC, c"ids"), ZE_RESULT_SUCCESS);
    let basic = files(&folder).pop().expect("the program is kept");
    assert_eq!(build(&b, GIVES, c"ids"), ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
    let gives = files(&folder).into_iter().find(|file| *file != basic).expect("another file");

    // If it contains another program, the file shows whether it is used.
    let (whole, other) = (fs::read(&basic).unwrap(), fs::read(&gives).unwrap());
    let ((_, inputs), (binary, _)) = (parts(&whole), parts(&other));
    let swapped = [&whole[..FRONT], &(binary.len() as u64).to_le_bytes(), binary, inputs].concat();
    fs::write(&basic, swapped).unwrap();
    assert_eq!(build(&b, BASIC, c"ids"), ZE_RESULT_ERROR_INVALID_KERNEL_NAME);

    for damaged in [&whole[..whole.len() - 1], &other, b""] {
        fs::write(&basic, damaged).unwrap();
        assert_eq!(build(&b, BASIC, c"ids"), ZE_RESULT_SUCCESS);
        assert_eq!(parts(&fs::read(&basic).unwrap()).1, inputs, "the file is whole again");
    }
    assert_eq!(files(&folder).len(), 2);
    fs::remove_dir_all(&folder).unwrap();
}
