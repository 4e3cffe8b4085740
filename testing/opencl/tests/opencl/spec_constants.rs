//! Specialization constants.

use std::ffi::{CStr, c_void};
use std::ptr::null_mut;

use testing_opencl::kernels::{SPEC_ARRAY, SPEC_SCALAR, SPEC_STRUCT};
use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "spec_constants",
        [
            defaults_where_none_is_set,
            every_size_takes_effect_in_any_order,
            the_last_value_wins,
            the_value_is_copied_at_the_call,
            a_structure_member_takes_effect,
            an_array_element_takes_effect,
            an_unknown_number_is_refused,
            a_wrong_size_is_refused,
            null_is_refused,
        ],
        isolated[a_module_without_functions_is_refused]
    );
}

fn set<T: Copy>(f: &Fixture, program: pi_program, id: u32, value: T) -> Result<(), CallError> {
    let start = (&raw const value).cast();
    call!(f.pi, piextProgramSetSpecializationConstant(program, id, size_of::<T>(), start))
}

/// What the program's kernel writes.
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

const LOW: f64 = 0x7788 as f64;

fn scalars(f: &Fixture, program: pi_program) -> Vec<f64> {
    values(f, program, c"_ZTS10SpecScalar", 7)
}

fn defaults_where_none_is_set() {
    let f = Fixture::new();
    let program = f.spirv(SPEC_SCALAR);
    assert_eq!(scalars(&f, *program), [42.0, 1.5, 2.25, 1.0, 99.0, -7.0, LOW]);
}

fn every_size_takes_effect_in_any_order() {
    let f = Fixture::new();
    let program = f.spirv(SPEC_SCALAR);
    set(&f, *program, 6, 0xabcd_0000_0000_1234_u64).unwrap();
    set(&f, *program, 0, -5_i32).unwrap();
    set(&f, *program, 3, 0_u8).unwrap();
    set(&f, *program, 2, -0.125_f64).unwrap();
    set(&f, *program, 5, 300_i16).unwrap();
    set(&f, *program, 1, 0.5_f32).unwrap();
    set(&f, *program, 4, 7_i8).unwrap();
    assert_eq!(scalars(&f, *program), [-5.0, 0.5, -0.125, 0.0, 7.0, 300.0, 0x1234 as f64]);
}

fn the_last_value_wins() {
    let f = Fixture::new();
    let program = f.spirv(SPEC_SCALAR);
    set(&f, *program, 0, 1_i32).unwrap();
    set(&f, *program, 0, 2_i32).unwrap();
    assert_eq!(scalars(&f, *program)[0], 2.0);
}

fn the_value_is_copied_at_the_call() {
    let f = Fixture::new();
    let program = f.spirv(SPEC_SCALAR);
    let mut value = Box::new(77_i32);
    let start = (&raw const *value).cast();
    ok!(f.pi, piextProgramSetSpecializationConstant(*program, 0, 4, start));
    *value = 0;
    drop(value);
    assert_eq!(scalars(&f, *program)[0], 77.0);
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

fn a_wrong_size_is_refused() {
    let f = Fixture::new();
    let program = f.spirv(SPEC_SCALAR);
    calls::expect_refusal(set(&f, *program, 0, 1_u64), &[PI_ERROR_INVALID_VALUE]);
    calls::expect_refusal(set(&f, *program, 3, 1_u32), &[PI_ERROR_INVALID_VALUE]);
}

fn null_is_refused() {
    let f = Fixture::new();
    let program = f.spirv(SPEC_SCALAR);
    let none = std::ptr::null();
    refused!(f.pi, piextProgramSetSpecializationConstant(*program, 0, 4, none), PI_ERROR_INVALID_VALUE);
}
