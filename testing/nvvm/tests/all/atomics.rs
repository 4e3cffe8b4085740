//! Atomic operations, each with many work-items at once.

use sycl_pi_nvvm::{Options, translate};
use testing_nvvm::{bytes, kernel, numbers};

use crate::gpu::{Arg, HostGpu, Launch};

const ITEMS: u64 = 96;

/// Returns the results of 96 work-items, and the second element of a buffer whose elements were all `start`. `%v`
/// is the work-item's number. Checks that all results are different if `distinct`.
fn left(ty: &str, start: u64, declarations: &str, code: &str) -> (Vec<u64>, u64) {
    let size = match ty {
        "%uchar" => 1,
        "%ushort" => 2,
        "%uint" => 4,
        _ => 8,
    };
    let pointer = ty.replacen('%', "%p_", 1);
    let convert = if ty == "%uint" { "OpCopyObject" } else { "OpUConvert" };
    let code = format!(
        "%v = {convert} {ty} %x
         %p = OpPtrAccessChain {pointer} %out %l_1
         {code}
         %old.wide = {} %ulong %old
         %old.at = OpPtrAccessChain %p_ulong %olds %l
         OpStore %old.at %old.wide",
        if ty == "%ulong" { "OpCopyObject" } else { "OpUConvert" }
    );
    let module = kernel(declarations, &format!("{pointer} %out, %p_ulong %olds"), &code).unwrap();
    let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
    let element = &start.to_le_bytes()[..size];
    let memory = element.repeat(4);
    let out = gpu
        .run(Launch::group(ITEMS), &[Arg::Buffer(memory), Arg::Buffer(vec![0; 8 * ITEMS as usize])])
        .unwrap();
    let at = |place: usize| {
        let mut bytes = [0; 8];
        bytes[..size].copy_from_slice(&out[0][place * size..(place + 1) * size]);
        u64::from_le_bytes(bytes)
    };
    for neighbour in [0, 2, 3] {
        assert_eq!(at(neighbour), start, "{ty}: element {neighbour} is another's");
    }
    (numbers(&out[1]), at(1))
}

const TYPES: [(&str, u32); 4] = [("%uchar", 8), ("%ushort", 16), ("%uint", 32), ("%ulong", 64)];

fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

#[test]
#[ignore = "needs LLVM 14"]
fn sums_lose_nothing_and_answer_what_was_there() {
    for (ty, bits) in TYPES {
        let (mut olds, sum) = left(ty, 5, "", &format!("%old = OpAtomicIIncrement {ty} %p %device %relaxed"));
        assert_eq!(sum, 5 + ITEMS, "{ty}");
        olds.sort_unstable();
        assert_eq!(olds, (5..5 + ITEMS).collect::<Vec<_>>(), "{ty}: each saw another value");
        let (_, sum) = left(ty, 5, "", &format!("%old = OpAtomicISub {ty} %p %group %acq_rel %v"));
        let expected = 5_u64.wrapping_sub((0..ITEMS).sum::<u64>()) & mask(bits);
        assert_eq!(sum, expected, "{ty}");
        let (_, sum) = left(ty, 5, "", &format!("%old = OpAtomicIAdd {ty} %p %device %seq_cst %v"));
        assert_eq!(sum, (5 + (0..ITEMS).sum::<u64>()) & mask(bits), "{ty}");
        let (_, sum) = left(ty, 200, "", &format!("%old = OpAtomicIDecrement {ty} %p %device %relaxed"));
        assert_eq!(sum, 200 - ITEMS, "{ty}");
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn limits_know_signs() {
    for (ty, bits) in TYPES {
        // As a signed number the start is below all values 0 to 95, as an unsigned one above.
        let start = 1 << (bits - 1);
        for (name, expected) in [("SMin", start), ("UMin", 0), ("SMax", ITEMS - 1), ("UMax", start)] {
            let (_, found) =
                left(ty, start, "", &format!("%old = OpAtomic{name} {ty} %p %device %relaxed %v"));
            assert_eq!(found, expected, "{name} of {ty}");
        }
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn bits_are_combined() {
    for (ty, bits) in TYPES {
        let declarations = format!("%seven = OpConstant {ty} 7");
        let few = format!("%few = OpBitwiseAnd {ty} %v %seven\n");
        for (name, start, expected) in [
            ("Or", 0x50 & mask(bits), 0x57),
            ("And", 0x57, 0),
            ("Xor", 0x50, 0x50 ^ (0..ITEMS).fold(0, |sum, item| sum ^ (item & 7))),
        ] {
            let code = format!("{few}%old = OpAtomic{name} {ty} %p %device %relaxed %few");
            assert_eq!(left(ty, start, &declarations, &code).1, expected, "{name} of {ty}");
        }
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn exchanges_hand_every_value_on() {
    for (ty, _) in TYPES {
        let (olds, last) = left(ty, 120, "", &format!("%old = OpAtomicExchange {ty} %p %device %relaxed %v"));
        let mut all = olds;
        all.push(last);
        all.sort_unstable();
        assert_eq!(all, (0..ITEMS).chain([120]).collect::<Vec<_>>(), "{ty}");
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn only_the_first_compare_and_exchange_succeeds() {
    for (ty, _) in TYPES {
        let declarations = format!("%start = OpConstant {ty} 120");
        let code = format!("%old = OpAtomicCompareExchange {ty} %p %device %relaxed %relaxed %v %start");
        let (olds, last) = left(ty, 120, &declarations, &code);
        let winners = olds.iter().filter(|old| **old == 120).count();
        assert_eq!(winners, 1, "{ty}");
        let winner = olds.iter().position(|old| *old == 120).unwrap() as u64;
        assert_eq!(last, winner, "{ty}");
        assert!(olds.iter().all(|old| *old == 120 || *old == winner), "{ty}");
    }
}

/// CUDA has one order for both outcomes.
#[test]
fn the_stronger_order_of_a_compare_and_exchange_is_taken() {
    let of = |equal: &str, unequal: &str| {
        let code = format!("%old = OpAtomicCompareExchange %uint %out %device {equal} {unequal} %x %u_0");
        let module = kernel("", "%p_uint %out", &code).unwrap();
        translate(&[&module], &Options::default()).unwrap().ir
    };
    let strongest = of("%seq_cst", "%seq_cst");
    assert_ne!(of("%relaxed", "%relaxed"), strongest);
    assert_eq!(of("%seq_cst", "%relaxed"), strongest);
    assert_eq!(of("%relaxed", "%seq_cst"), strongest);
}

#[test]
#[ignore = "needs LLVM 14"]
fn loads_and_stores_of_every_width() {
    for (ty, bits) in TYPES {
        let code = format!("%old = OpAtomicLoad {ty} %p %device %seq_cst");
        let start = 0x8877_6655_4433_2211 & mask(bits);
        let (olds, _) = left(ty, start, "", &code);
        assert!(olds.iter().all(|old| *old == start), "{ty}");
        let declarations = format!("%seven = OpConstant {ty} 7");
        let code =
            format!("OpAtomicStore %p %device %relaxed %seven\n%old = OpAtomicLoad {ty} %p %device %relaxed");
        assert_eq!(left(ty, 1, &declarations, &code).1, 7, "{ty}");
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn floating_point_numbers_are_summed_and_limited_in_shared_and_global_memory() {
    let declarations = "
        %w_float = OpTypePointer Workgroup %float
        %shared = OpVariable %w_float Workgroup
        %zero = OpConstant %float 0
        %big = OpConstant %float 1000";
    let code = "
        %is.first = OpIEqual %bool %x %u_0
        OpSelectionMerge %ready None
        OpBranchConditional %is.first %first %ready
        %first = OpLabel
        OpStore %shared %zero
        OpBranch %ready
        %ready = OpLabel
        OpControlBarrier %group %group %acq_rel
        %f = OpConvertUToF %float %x
        %d = OpFConvert %double %f
        %half.x = OpFConvert %half %f
        %a = OpAtomicFAddEXT %float %shared %group %relaxed %f
        %b = OpAtomicFAddEXT %double %out %device %relaxed %d
        %c = OpAtomicFMaxEXT %float %more %device %relaxed %f
        %more.1 = OpPtrAccessChain %p_float %more %l_1
        %e = OpAtomicFMinEXT %float %more.1 %device %relaxed %f
        OpControlBarrier %group %group %acq_rel
        OpSelectionMerge %done None
        OpBranchConditional %is.first %last %done
        %last = OpLabel
        %sum = OpLoad %float %shared
        %more.2 = OpPtrAccessChain %p_float %more %l_2
        OpStore %more.2 %sum
        OpBranch %done
        %done = OpLabel";
    let module = kernel(declarations, "%p_double %out, %p_float %more", code).unwrap();
    let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
    let args = [Arg::Buffer(bytes(&[0.5_f64])), Arg::Buffer(bytes(&[-3.0_f32, 1000.0, 0.0]))];
    let out = gpu.run(Launch::group(ITEMS), &args).unwrap();
    let sum = (ITEMS * (ITEMS - 1) / 2) as f64;
    assert_eq!(numbers::<f64>(&out[0]), [sum + 0.5]);
    assert_eq!(numbers::<f32>(&out[1]), [95.0, 0.0, sum as f32]);
}

#[test]
#[ignore = "needs LLVM 14"]
fn a_flag_is_taken_once() {
    let code = "
        %taken = OpAtomicFlagTestAndSet %bool %out %device %acq_rel
        %was = OpSelect %uint %taken %u_1 %u_0
        %count = OpPtrAccessChain %p_uint %out %l_1
        %old = OpAtomicIAdd %uint %count %device %relaxed %was";
    let module = kernel("", "%p_uint %out", code).unwrap();
    let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
    let out = gpu.run(Launch::group(ITEMS), &[Arg::Buffer(vec![0; 8])]).unwrap();
    assert_eq!(numbers::<u32>(&out[0])[1], ITEMS as u32 - 1);
}

#[test]
#[ignore = "needs LLVM 14"]
fn a_flag_that_is_cleared_is_taken_again() {
    let code = "
        %first = OpAtomicFlagTestAndSet %bool %out %device %acq_rel
        %taken = OpAtomicFlagTestAndSet %bool %out %device %acq_rel
        OpAtomicFlagClear %out %device %seq_cst
        %again = OpAtomicFlagTestAndSet %bool %out %device %acq_rel
        %a = OpSelect %uint %first %u_1 %u_0
        %b = OpSelect %uint %taken %u_2 %u_0
        %c = OpSelect %uint %again %u_4 %u_0
        %ab = OpIAdd %uint %a %b
        %abc = OpIAdd %uint %ab %c
        %at = OpPtrAccessChain %p_uint %out %l_1
        OpStore %at %abc";
    let module = kernel("", "%p_uint %out", code).unwrap();
    let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
    let out = gpu.run(Launch::group(1), &[Arg::Buffer(vec![0; 8])]).unwrap();
    assert_eq!(numbers::<u32>(&out[0])[1], 2);
}

/// `SPV_EXT_shader_atomic_float_min_max`: the result of a number and NaN is the number.
#[test]
#[ignore = "needs LLVM 14"]
fn a_number_replaces_what_is_none_as_the_least_and_the_greatest() {
    for name in ["OpAtomicFMinEXT", "OpAtomicFMaxEXT"] {
        let code = format!(
            "%one = OpConvertUToF %float %u_1
             %old = {name} %float %out %device %relaxed %one"
        );
        let module = kernel("", "%p_float %out", &code).unwrap();
        let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
        let out = gpu.run(Launch::group(1), &[Arg::Buffer(bytes(&[f32::NAN]))]).unwrap();
        assert_eq!(numbers::<f32>(&out[0]), [1.0], "{name}");
    }
}

/// PTX has no load that releases and no store that acquires.
#[test]
fn loads_and_stores_have_the_part_of_an_order_that_ptx_has_for_them() {
    let declarations = "%acquire = OpConstant %uint 2\n%release = OpConstant %uint 4";
    for (order, load, store) in [
        ("%relaxed", "relaxed", "relaxed"),
        ("%acquire", "acquire", "relaxed"),
        ("%release", "relaxed", "release"),
        ("%acq_rel", "acquire", "release"),
    ] {
        let code = format!(
            "%old = OpAtomicLoad %uint %out %device {order}\nOpAtomicStore %out %device {order} %old"
        );
        let module = kernel(declarations, "%p_uint %out", &code).unwrap();
        let ir = translate(&[&module], &Options::default()).unwrap().ir;
        for instruction in [format!("\"ld.{load}.gpu."), format!("\"st.{store}.gpu.")] {
            assert!(ir.contains(&instruction), "{order}: {instruction} in {ir}");
        }
    }
    // A scope that is no constant may be the widest, and so may an order.
    let module = kernel("", "%p_uint %out", "%old = OpAtomicLoad %uint %out %x %relaxed").unwrap();
    let ir = translate(&[&module], &Options::default()).unwrap().ir;
    assert!(ir.contains("\"ld.relaxed.sys."), "{ir}");
}
