//! Modules and kernels, with the OpenCL CPU runtime of the environment.
#![expect(unsafe_code, reason = "the tests call a driver")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::ffi::{CStr, c_void};

use common::{Bench, bench, code};
use level_zero_sys::*;

const BASIC: &[u8] = include_bytes!("../../../kernels/software-level-zero/basic.spv");
const NEEDS: &[u8] = include_bytes!("../../../kernels/software-level-zero/needs.spv");
const GIVES: &[u8] = include_bytes!("../../../kernels/software-level-zero/gives.spv");
const SPEC: &[u8] = include_bytes!("../../../kernels/software-level-zero/spec.spv");
const WHY: &str = "needs an OpenCL CPU runtime that takes SPIR-V";

fn log_text(b: &Bench, log: ze_module_build_log_handle_t) -> String {
    let mut size = 0;
    // SAFETY: a live log, and as much room as it reported.
    unsafe {
        b.ze.zeModuleBuildLogGetString(log, &mut size, std::ptr::null_mut()).unwrap();
        let mut bytes = vec![0_u8; size];
        b.ze.zeModuleBuildLogGetString(log, &mut size, bytes.as_mut_ptr().cast()).unwrap();
        b.ze.zeModuleBuildLogDestroy(log).unwrap();
        bytes.pop();
        String::from_utf8(bytes).unwrap()
    }
}

fn module(
    b: &Bench,
    bytes: &[u8],
    format: ze_module_format_t,
    flags: &CStr,
    constants: Option<&ze_module_constants_t>,
) -> Result<ze_module_handle_t, (ze_result_t, String)> {
    let desc = ze_module_desc_t {
        format,
        inputSize: bytes.len(),
        pInputModule: bytes.as_ptr(),
        pBuildFlags: flags.as_ptr(),
        pConstants: constants.map_or(std::ptr::null(), std::ptr::from_ref),
        ..Default::default()
    };
    let (mut module, mut log) = (ze_module_handle_t::NULL, ze_module_build_log_handle_t::NULL);
    // SAFETY: live handles, room for the answers.
    let answer = unsafe { b.ze.zeModuleCreate(b.context, b.device, &desc, &mut module, &mut log) };
    let log = if log.is_null() { String::new() } else { log_text(b, log) };
    answer.map(|()| module).map_err(|error| (error.result, log))
}

fn kernel(b: &Bench, module: ze_module_handle_t, name: &CStr) -> ze_kernel_handle_t {
    let desc = ze_kernel_desc_t { pKernelName: name.as_ptr(), ..Default::default() };
    let mut kernel = ze_kernel_handle_t::NULL;
    // SAFETY: live handles, room for the answer.
    unsafe { b.ze.zeKernelCreate(module, &desc, &mut kernel) }.expect(WHY);
    kernel
}

fn set<T>(b: &Bench, kernel: ze_kernel_handle_t, index: u32, value: &T) {
    // SAFETY: a live kernel, a value of that size.
    unsafe { b.ze.zeKernelSetArgumentValue(kernel, index, size_of::<T>(), std::ptr::from_ref(value).cast()) }
        .unwrap();
}

/// Launches and waits.
fn run(b: &Bench, kernel: ze_kernel_handle_t, groups: u32, size: u32) {
    let list = b.immediate();
    let pool = b.pool(1);
    let done = b.event(pool, 0);
    let count = ze_group_count_t { groupCountX: groups, groupCountY: 1, groupCountZ: 1 };
    // SAFETY: live handles.
    unsafe {
        b.ze.zeKernelSetGroupSize(kernel, size, 1, 1).unwrap();
        b.ze.zeCommandListAppendLaunchKernel(list, kernel, &count, done, 0, std::ptr::null_mut()).unwrap();
        b.ze.zeEventHostSynchronize(done, u64::MAX).unwrap();
        b.ze.zeCommandListDestroy(list).unwrap();
        b.ze.zeEventDestroy(done).unwrap();
        b.ze.zeEventPoolDestroy(pool).unwrap();
    }
}

fn words<T: Copy>(memory: *mut c_void, count: usize) -> Vec<T> {
    // SAFETY: the driver's memory is host memory of this length.
    unsafe { std::slice::from_raw_parts(memory.cast::<T>(), count) }.to_vec()
}

fn done(b: &Bench, module: ze_module_handle_t, kernels: &[ze_kernel_handle_t]) {
    // SAFETY: live handles.
    unsafe {
        kernels.iter().for_each(|kernel| b.ze.zeKernelDestroy(*kernel).unwrap());
        b.ze.zeModuleDestroy(module).unwrap();
    }
}

#[test]
#[ignore = "needs an OpenCL CPU runtime that takes SPIR-V"]
fn kernels_execute_with_every_kind_of_argument() {
    let b = bench();
    let module = module(&b, BASIC, ZE_MODULE_FORMAT_IL_SPIRV, c"-g -ze-unknown", None).expect(WHY);
    let memory = b.alloc(256);
    let ids = kernel(&b, module, c"ids");
    set(&b, ids, 0, &memory);
    set(&b, ids, 1, &100_i32);
    run(&b, ids, 8, 4);
    assert_eq!(words::<i32>(memory, 32), (100..132).collect::<Vec<i32>>());
    let turn = kernel(&b, module, c"turn");
    set(&b, turn, 0, &memory);
    // SAFETY: a live kernel; local memory has no value.
    unsafe { b.ze.zeKernelSetArgumentValue(turn, 1, 16, std::ptr::null()) }.unwrap();
    run(&b, turn, 1, 4);
    assert_eq!(words::<i32>(memory, 5), [103, 102, 101, 100, 104]);
    let pairs = kernel(&b, module, c"pairs");
    set(&b, pairs, 0, &memory);
    set(&b, pairs, 1, &(-3_i32, 1_i64 << 40));
    run(&b, pairs, 1, 1);
    assert_eq!(words::<i64>(memory, 2)[1], 1 << 40);
    done(&b, module, &[ids, turn, pairs]);
    b.free(memory);
    assert_eq!(b.complaints(), 0, "{}", b.report());
}

#[test]
#[ignore = "needs an OpenCL CPU runtime that takes SPIR-V"]
fn a_group_of_the_largest_sub_group_size_is_one_sub_group() {
    let b = bench();
    let module = module(&b, BASIC, ZE_MODULE_FORMAT_IL_SPIRV, c"", None).expect(WHY);
    let kernel = kernel(&b, module, c"sub_groups");
    let mut properties = ze_kernel_properties_t::default();
    // SAFETY: a live kernel, room for the answer.
    unsafe { b.ze.zeKernelGetProperties(kernel, &mut properties) }.unwrap();
    let size = properties.maxSubgroupSize;
    let memory = b.alloc(8 * size as usize);
    set(&b, kernel, 0, &memory);
    run(&b, kernel, 2, size);
    assert_eq!(words::<i32>(memory, 2 * size as usize), vec![1; 2 * size as usize]);
    done(&b, module, &[kernel]);
    b.free(memory);
}

#[test]
#[ignore = "needs an OpenCL CPU runtime that takes SPIR-V"]
fn variables_have_addresses_that_kernels_and_copies_share() {
    let b = bench();
    let module_of = |flags| module(&b, BASIC, ZE_MODULE_FORMAT_IL_SPIRV, flags, None).expect(WHY);
    let (mut size, mut at) = (0, std::ptr::null_mut());
    let plain = module_of(c"");
    // SAFETY: live handles, room for the answers.
    let answer = unsafe { b.ze.zeModuleGetGlobalPointer(plain, c"counter".as_ptr(), &mut size, &mut at) };
    assert_eq!(code(answer), ZE_RESULT_ERROR_INVALID_ARGUMENT, "without -ze-take-global-address");
    done(&b, plain, &[]);
    let module = module_of(c"-ze-take-global-address");
    // SAFETY: live handles, room for the answers.
    unsafe { b.ze.zeModuleGetGlobalPointer(module, c"counter".as_ptr(), &mut size, &mut at) }.unwrap();
    assert_eq!((size, words::<i32>(at, 1)), (4, vec![5]));
    let memory = b.alloc(4);
    let count = kernel(&b, module, c"count");
    set(&b, count, 0, &memory);
    run(&b, count, 1, 1);
    assert_eq!((words::<i32>(memory, 1), words::<i32>(at, 1)), (vec![6], vec![6]));
    done(&b, module, &[count]);
    b.free(memory);
    assert_eq!(b.complaints(), 0, "{}", b.report());
}

#[test]
#[ignore = "needs an OpenCL CPU runtime that takes SPIR-V"]
fn specialization_constants_and_native_binaries() {
    let b = bench();
    let value = 1234_u32;
    let values = [(&raw const value).cast::<c_void>()];
    let constants = ze_module_constants_t {
        numConstants: 1,
        pConstantIds: &7,
        pConstantValues: values.as_ptr().cast_mut(),
    };
    let memory = b.alloc(4);
    let built = module(&b, SPEC, ZE_MODULE_FORMAT_IL_SPIRV, c"", Some(&constants)).expect(WHY);
    let mut binary = Vec::new();
    let mut size = 0;
    // SAFETY: live handles, and as much room as reported.
    unsafe {
        b.ze.zeModuleGetNativeBinary(built, &mut size, std::ptr::null_mut()).unwrap();
        binary.resize(size, 0_u8);
        b.ze.zeModuleGetNativeBinary(built, &mut size, binary.as_mut_ptr()).unwrap();
    }
    let loaded = module(&b, &binary, ZE_MODULE_FORMAT_NATIVE, c"", None).expect(WHY);
    for module in [built, loaded] {
        let store = kernel(&b, module, c"store");
        set(&b, store, 0, &memory);
        run(&b, store, 1, 1);
        assert_eq!(words::<u32>(memory, 1), [1234]);
        done(&b, module, &[store]);
    }
    let native = module(&b, SPEC, ZE_MODULE_FORMAT_NATIVE, c"", None);
    assert_eq!(native.map_err(|error| error.0), Err(ZE_RESULT_ERROR_INVALID_NATIVE_BINARY));
    let unknown = ze_module_constants_t { pConstantIds: &8, ..constants };
    let refused = module(&b, SPEC, ZE_MODULE_FORMAT_IL_SPIRV, c"", Some(&unknown));
    assert_eq!(refused, Err((ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, String::new())));
    b.free(memory);
    assert_eq!(b.complaints(), 0, "{}", b.report());
}

#[test]
#[ignore = "needs an OpenCL CPU runtime that takes SPIR-V"]
fn modules_are_linked_to_what_they_import() {
    let b = bench();
    let spirv = ZE_MODULE_FORMAT_IL_SPIRV;
    let needs = module(&b, NEEDS, spirv, c"", None).expect(WHY);
    let closed = module(&b, GIVES, spirv, c"", None).expect(WHY);
    let gives = module(&b, GIVES, spirv, c"-library-compilation", None).expect(WHY);
    let desc = ze_kernel_desc_t { pKernelName: c"doubled".as_ptr(), ..Default::default() };
    let mut unlinked = ze_kernel_handle_t::NULL;
    let mut log = ze_module_build_log_handle_t::NULL;
    // SAFETY: live handles, room for the answers.
    unsafe {
        let answer = b.ze.zeKernelCreate(needs, &desc, &mut unlinked);
        assert_eq!(code(answer), ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);
        let answer = b.ze.zeModuleDynamicLink(2, [needs, closed].as_mut_ptr(), &mut log);
        assert_eq!(code(answer), ZE_RESULT_ERROR_MODULE_LINK_FAILURE, "not built as a library");
        assert!(log_text(&b, log).contains("twice"));
        b.ze.zeModuleDynamicLink(2, [needs, gives].as_mut_ptr(), std::ptr::null_mut()).expect(WHY);
    }
    let memory = b.alloc(4);
    let doubled = kernel(&b, needs, c"doubled");
    set(&b, doubled, 0, &memory);
    set(&b, doubled, 1, &21_i32);
    run(&b, doubled, 1, 1);
    assert_eq!(words::<i32>(memory, 1), [42]);
    done(&b, needs, &[doubled]);
    done(&b, closed, &[]);
    done(&b, gives, &[]);
    b.free(memory);
    assert_eq!(b.complaints(), 0, "{}", b.report());
}

#[test]
#[ignore = "needs an OpenCL CPU runtime that takes SPIR-V"]
fn launches_that_are_wrong_are_refused() {
    let b = bench();
    let module = module(&b, BASIC, ZE_MODULE_FORMAT_IL_SPIRV, c"", None).expect(WHY);
    let ids = kernel(&b, module, c"ids");
    let list = b.immediate();
    let groups = ze_group_count_t { groupCountX: 1, groupCountY: 1, groupCountZ: 1 };
    let word = 0_u64;
    // SAFETY: live handles. The driver detects a foreign address.
    unsafe {
        let foreign = (&raw const word).cast::<c_void>();
        let answer = b.ze.zeKernelSetArgumentValue(ids, 0, 8, (&raw const foreign).cast());
        assert_eq!(code(answer), ZE_RESULT_ERROR_INVALID_ARGUMENT);
        assert_eq!(b.complaints(), 1, "{}", b.report());
        b.ze.zeKernelSetGroupSize(ids, 1, 1, 1).unwrap();
        let answer = b.ze.zeCommandListAppendLaunchKernel(
            list,
            ids,
            &groups,
            ze_event_handle_t::NULL,
            0,
            std::ptr::null_mut(),
        );
        assert_eq!(code(answer), ZE_RESULT_ERROR_INVALID_ARGUMENT);
        assert_eq!(b.complaints(), 2, "an unset argument: {}", b.report());
        let shaped = kernel(&b, module, c"shaped");
        let answer = b.ze.zeKernelSetGroupSize(shaped, 4, 1, 1);
        assert_eq!(code(answer), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
        b.ze.zeCommandListDestroy(list).unwrap();
        done(&b, module, &[ids, shaped]);
    }
}
