//! The functions of OpenCL.std. Each occurs in a test, and those that no other file tests are tested here.

use std::fs;
use std::path::Path;

use sycl_pi_image::spirv::CLOp;
use sycl_pi_nvvm::{Options, translate};
use testing_nvvm::functions::{OF_NUMBERS, OTHERS};
use testing_nvvm::limits::{LEFT_OUT, MORE_OF_ONE, MORE_OF_TWO, OF_ONE, OF_TWO, WITHOUT_ULP};
use testing_nvvm::{bytes, elementwise, kernel, numbers};

use crate::gpu::{Arg, HostGpu, Launch, compute};

/// Returns all functions of the enumeration.
fn functions() -> impl Iterator<Item = String> {
    (0..1000).filter_map(CLOp::from_u32).map(|function| format!("{function:?}"))
}

/// A function is tested if its name is in quotation marks, or is called in SPIR-V code. Those in libnvvm.rs do not
/// count, because it only compiles them.
#[test]
fn every_function_is_in_a_test() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let running = files.filter(|file| !file.ends_with("libnvvm.rs"));
    let tests: String = running.map(|file| fs::read_to_string(file).unwrap()).collect();
    let is_tested =
        |name: &String| tests.contains(&format!("\"{name}\"")) || tests.contains(&format!("%cl {name} "));
    let untested: Vec<String> = functions().filter(|name| !is_tested(name)).collect();
    assert!(untested.is_empty(), "{untested:?}");
}

/// The largest errors are measured on a GPU, for each function of floating-point numbers. A function that is in no list
/// of functions.rs is noticed as well.
#[test]
fn every_function_of_numbers_has_its_errors_measured() {
    let lists = [OF_ONE, MORE_OF_ONE, OF_TWO, MORE_OF_TWO].concat();
    let measured = |name: &str| !LEFT_OUT.contains(&name) && lists.iter().any(|(known, ..)| *known == name);
    let (of_numbers, others) = (OF_NUMBERS.concat(), OTHERS.concat());
    for name in functions() {
        let name = name.as_str();
        if !of_numbers.contains(&name) {
            assert!(others.contains(&name), "{name} is in no list of testing/nvvm/src/functions.rs");
        } else if !name.starts_with("half_") && !name.starts_with("native_") {
            assert_ne!(
                measured(name),
                WITHOUT_ULP.contains(&name),
                "{name} is either measured by pi-cuda-ulp or in WITHOUT_ULP"
            );
        }
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn products_of_24_bits() {
    let (b, c) = ([5_u32, 2, 9, 50_000], [1_u32, 7, 8, 9]);
    for (product, sum, a) in [
        ("s_mul24", "s_mad24", [3_u32, 0x7f_ffff, u32::MAX, 70_000]),
        ("u_mul24", "u_mad24", [3, 0xff_ffff, 0, 70_000]),
    ] {
        let products: Vec<u32> = a.iter().zip(b).map(|(a, b)| a.wrapping_mul(b)).collect();
        let sums: Vec<u32> = products.iter().zip(c).map(|(ab, c)| ab.wrapping_add(c)).collect();
        let code = format!("%r = OpExtInst %uint %cl {product} %v0 %v1");
        let module = elementwise("", &["%uint"; 2], "%uint", &code).unwrap();
        assert_eq!(compute::<u32>(&module, &[bytes(&a), bytes(&b)], 4).unwrap(), products, "{product}");
        let code = format!("%r = OpExtInst %uint %cl {sum} %v0 %v1 %v2");
        let module = elementwise("", &["%uint"; 3], "%uint", &code).unwrap();
        assert_eq!(compute::<u32>(&module, &[bytes(&a), bytes(&b), bytes(&c)], 4).unwrap(), sums, "{sum}");
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn two_numbers_become_one_of_twice_the_width() {
    for name in ["s_upsample", "u_upsample"] {
        let code = format!("%r = OpExtInst %ushort %cl {name} %v0 %v1");
        let module = elementwise("", &["%uchar"; 2], "%ushort", &code).unwrap();
        let columns = [vec![0x12, 0xff, 0x80], vec![0x34, 0x80, 0xff]];
        assert_eq!(compute::<u16>(&module, &columns, 3).unwrap(), [0x1234, 0xff80, 0x80ff], "{name}");
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn exponents_and_numbers_that_are_none() {
    let module = elementwise("", &["%float"], "%uint", "%r = OpExtInst %uint %cl ilogb %v0").unwrap();
    let found: Vec<u32> = compute(&module, &[bytes(&[1.0_f32, 8.0, 0.3, -1e10])], 4).unwrap();
    assert_eq!(found.into_iter().map(u32::cast_signed).collect::<Vec<_>>(), [0, 3, -2, 33]);
    let module = elementwise("", &["%uint"], "%float", "%r = OpExtInst %float %cl nan %v0").unwrap();
    let found: Vec<f32> = compute(&module, &[bytes(&[0_u32, 5, u32::MAX])], 3).unwrap();
    assert!(found.iter().all(|number| number.is_nan()), "{found:?}");
}

/// A hint has no effect.
#[test]
#[ignore = "needs LLVM 14"]
fn memory_is_as_it_was_after_a_prefetch() {
    let code = "%n = OpExtInst %void %cl prefetch %in0 %l_2\n%r = OpCopyObject %uint %v0";
    let module = elementwise("", &["%uint"], "%uint", code).unwrap();
    assert_eq!(compute::<u32>(&module, &[bytes(&[7_u32, 8])], 2).unwrap(), [7, 8]);
}

/// Vectors of three are contiguous, or at every fourth half if they are aligned.
#[test]
#[ignore = "needs LLVM 14"]
fn vectors_of_halves_in_memory_are_read_and_rounded_as_asked() {
    let declarations = "%third = OpConstant %float 0.333333\n%v3float = OpTypeVector %float 3";
    let code = "
        %read = OpExtInst %v3float %cl vloada_halfn %l_1 %in 3
        %s0 = OpExtInst %void %cl vstorea_halfn %read %l_1 %out
        %s1 = OpExtInst %void %cl vstore_halfn %read %l_0 %out
        %thirds = OpCompositeConstruct %v3float %third %third %third
        %s2 = OpExtInst %void %cl vstore_halfn_r %thirds %l_0 %rounded RTP
        %s3 = OpExtInst %void %cl vstorea_halfn_r %thirds %l_1 %rounded RTZ";
    let module = kernel(declarations, "%p_half %out, %p_half %in, %p_half %rounded", code).unwrap();
    let input: [u16; 8] = [0, 0, 0, 0, 0x3c00, 0x4000, 0xc400, 0];
    let args = [Arg::Buffer(vec![0; 16]), Arg::Buffer(bytes(&input)), Arg::Buffer(vec![0; 16])];
    let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
    let out = gpu.run(Launch::group(1), &args).unwrap();
    assert_eq!(numbers::<u16>(&out[0]), [0x3c00, 0x4000, 0xc400, 0, 0x3c00, 0x4000, 0xc400, 0]);
    // 0.333333 is between 0x3555 and 0x3556.
    let [up, down] = [0x3556, 0x3555];
    assert_eq!(numbers::<u16>(&out[2]), [up, up, up, 0, down, down, down, 0]);
}

/// libdevice has no fast functions of double.
#[test]
fn fast_functions_are_those_of_float_in_fast_code() {
    let called = |ty: &str, is_fast| {
        let code = format!("%r = OpExtInst {ty} %cl cos %v0");
        let module = elementwise("", &[ty], ty, &code).unwrap();
        let mut options = Options::default();
        options.fast_relaxed_math = is_fast;
        let ir = translate(&[&module], &options).unwrap().ir;
        let call = ir.lines().find(|line| line.contains("call") && line.contains("@__nv_")).unwrap();
        call.split_once("@__nv_").unwrap().1.split('(').next().unwrap().to_owned()
    };
    assert_eq!((called("%float", false), called("%float", true)), ("cosf".into(), "fast_cosf".into()));
    assert_eq!((called("%double", false), called("%double", true)), ("cos".into(), "cos".into()));
}
