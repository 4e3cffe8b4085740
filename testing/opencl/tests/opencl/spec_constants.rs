//! Tests of specialization constants.

use std::ffi::{CStr, c_void};
use std::ptr::null_mut;

use testing_opencl::kernels::{SPEC_ARRAY, SPEC_SCALAR, SPEC_STRUCT};
use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "spec_constants",
        [a_structure_member_takes_effect, an_array_element_takes_effect, an_unknown_number_is_refused,],
        isolated[a_module_without_functions_is_refused]
    );
}

fn set<T: Copy>(f: &Fixture, program: pi_program, id: u32, value: T) -> Result<(), CallError> {
    let start = (&raw const value).cast();
    call!(f.pi, piextProgramSetSpecializationConstant(program, id, size_of::<T>(), start))
}

/// Returns what the program's kernel writes.
fn values<T: Copy>(f: &Fixture, program: pi_program, kernel: &CStr, count: usize) -> Vec<T> {
    f.build(program, c"").unwrap();
    let kernel = f.kernel(program, kernel);
    let size = count * size_of::<T>();
    let pointer: *mut c_void =
        made!(f.pi, |out| piextUSMSharedAlloc(out, f.context, f.device, null_mut(), size, 0));
    f.set_pointer(*kernel, 0, pointer);
    f.launch(*kernel, 1);
    // SAFETY: one of the `count` values that the kernel has written into shared memory.
    let values = (0..count).map(|index| unsafe { pointer.cast::<T>().add(index).read() }).collect();
    ok!(f.pi, piextUSMFree(f.context, pointer));
    values
}

fn a_structure_member_takes_effect() {
    let f = Fixture::new();
    let read = |program| values::<f64>(&f, program, c"_ZTS10SpecStruct", 6);
    let expected = [5.0, 6.5, 116.0, 77.0, 122.0, 9.0];
    assert_eq!(read(*f.spirv(SPEC_STRUCT)), expected);
    let program = f.spirv(SPEC_STRUCT);
    set(&f, *program, 3, -1_i32).unwrap();
    set(&f, *program, 4, 7_u8).unwrap();
    assert_eq!(read(*program), [5.0, 6.5, 116.0, -1.0, 7.0, 9.0]);
}

fn an_array_element_takes_effect() {
    let f = Fixture::new();
    let read = |program| values::<f32>(&f, program, c"_ZTS9SpecArray", 5);
    assert_eq!(read(*f.spirv(SPEC_ARRAY)), [1.0, 3.0, 5.0, 10.0, 40.0]);
    let program = f.spirv(SPEC_ARRAY);
    set(&f, *program, 2, 0.25_f32).unwrap();
    set(&f, *program, 8, 41_i32).unwrap();
    assert_eq!(read(*program), [1.0, 0.25, 5.0, 10.0, 41.0]);
}

fn an_unknown_number_is_refused() {
    let f = Fixture::new();
    let program = f.spirv(SPEC_SCALAR);
    let refusal = set(&f, *program, 12345, 1_i32);
    // CL_INVALID_SPEC_ID (-71) has no name in PI.
    let text = calls::expect_refusal(refusal, &[PI_ERROR_INVALID_VALUE, -71, PI_ERROR_UNKNOWN]);
    assert!(text.contains("12345"), "{text}");
}

/// Intel's CPU runtime of 2026 ends the process over it.
fn a_module_without_functions_is_refused() {
    let f = Fixture::new();
    // Magic, version, generator, bound, schema; the capabilities Addresses and Kernel; the memory model.
    let words: [u32; 12] = [0x0723_0203, 0x1_0000, 0, 8, 0, 0x2_0011, 4, 0x2_0011, 6, 0x3_000e, 2, 2];
    let il: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let program = f.spirv(&il);
    calls::expect_refusal(set(&f, *program, 2, 1_i32), &[PI_ERROR_INVALID_OPERATION]);
}
