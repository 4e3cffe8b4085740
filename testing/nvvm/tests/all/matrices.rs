//! Cooperative matrices: products of every type, shape and layout, and their components.

use sycl_pi_nvvm::{Options, translate};
use testing_nvvm::matrices::{Product, sizes};
use testing_nvvm::{Random, bytes, damaged, kernel, numbers};

use crate::gpu::{Arg, HostGpu, Launch};

use crate::groups::{WIDTHS, sized};

#[test]
#[ignore = "needs LLVM 14"]
fn products_are_exact_in_every_type_shape_and_layout() {
    for product in Product::all() {
        let gpu = HostGpu::new(&[&product.module().unwrap()], &Options::default()).unwrap();
        let out = gpu
            .run(Launch::group(product.work_items() as u64), &product.memories().map(Arg::Buffer))
            .unwrap();
        assert_eq!(out[0], product.expected(), "{product:?}");
    }
}

/// Computes with components, one by one in memory and all at once, whichever work-item holds them.
#[test]
#[ignore = "needs LLVM 14"]
fn components_are_numbers_like_others() {
    for width in WIDTHS {
        let declarations = format!(
            "{}\n{}%m = OpTypeCooperativeMatrixKHR %float %subgroup %n_8 %n_16 %n_2
             %f_m = OpTypePointer Function %m
             %f_float = OpTypePointer Function %float
             %half_m = OpTypeCooperativeMatrixKHR %half %subgroup %n_8 %n_16 %n_2
             %stride = OpConstant %ulong 16
             %two = OpConstant %float 2
             %twos = OpConstantComposite %m %two
             %ten = OpConstant %float 10",
            sized(width),
            sizes(&[8, 16])
        );
        // (x * x + 2 * x) as a half. Then 10 is added to each component in memory, and the first one is extracted.
        let code = "
            %room = OpVariable %f_m Function
            %v = OpCooperativeMatrixLoadKHR %m %in %n_0 %stride 0
            %square = OpFMul %m %v %v
            %twice = OpMatrixTimesScalar %m %v %two
            %other.twos = OpCompositeConstruct %m %two
            %none = OpFSub %m %twos %other.twos
            %some = OpFAdd %m %square %twice
            %sum = OpFAdd %m %some %none
            %small = OpFConvert %half_m %sum
            %large = OpFConvert %m %small
            OpStore %room %large
            %length = OpCooperativeMatrixLengthKHR %uint %m
            OpBranch %check
            %check = OpLabel
            %at = OpPhi %uint %u_0 %entry %next %again
            %more = OpULessThan %bool %at %length
            OpLoopMerge %done %again None
            OpBranchConditional %more %again %done
            %again = OpLabel
            %place = OpAccessChain %f_float %room %at
            %old = OpLoad %float %place
            %new = OpFAdd %float %old %ten
            OpStore %place %new
            %next = OpIAdd %uint %at %u_1
            OpBranch %check
            %done = OpLabel
            %changed = OpLoad %m %room
            %first = OpCompositeExtract %float %changed 0
            %back = OpCompositeInsert %m %first %changed 0
            OpCooperativeMatrixStoreKHR %out %back %n_0 %stride 0
            %len.at = OpPtrAccessChain %p_uint %lengths %l
            OpStore %len.at %length";
        let module = kernel(&declarations, "%p_float %out, %p_float %in, %p_uint %lengths", code).unwrap();
        let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
        let column: Vec<f32> = (0..128).map(|at| (at % 23) as f32).collect();
        let args = [vec![0; 512], bytes(&column), vec![0; width * 4]].map(Arg::Buffer);
        let out = gpu.run(Launch::group(width as u64), &args).unwrap();
        let expected: Vec<f32> = column.iter().map(|x| x * x + 2.0 * x + 10.0).collect();
        assert_eq!(numbers::<f32>(&out[0]), expected, "{width}");
        // Together the work-items hold each component once.
        assert_eq!(numbers::<u32>(&out[2]).iter().sum::<u32>(), 128, "{width}");
    }
}

/// A refusal says which matrix or operand it is about.
#[test]
fn what_no_work_item_can_hold_is_refused() {
    let refused = |declarations: &str, code: &str| {
        let declarations = format!("{}\n{}{declarations}", sized(16), sizes(&[8, 16, 24]));
        let module = kernel(&declarations, "%p_float %out", code).unwrap();
        translate(&[&module], &Options::default()).unwrap().kernels.remove(0).refused.unwrap()
    };
    let matrix = |scope: &str, columns: usize| {
        format!("%m = OpTypeCooperativeMatrixKHR %float {scope} %n_8 %n_{columns} %n_2\n")
    };
    let load = "%v = OpCooperativeMatrixLoadKHR %m %out %n_0 %l_1 0";
    for (declarations, code, why) in [
        (matrix("%group", 16), load, "cooperative matrices belong to a sub-group on CUDA"),
        (
            matrix("%subgroup", 24),
            load,
            "cooperative matrices of 24 columns in sub-groups of 16 work-items are not supported on CUDA",
        ),
        (
            matrix("%subgroup", 16),
            "%v = OpCooperativeMatrixLoadKHR %m %out %n_2 %l_1 0",
            "the layout 2 of a cooperative matrix is not supported on CUDA",
        ),
        (
            matrix("%subgroup", 16),
            "%v = OpCooperativeMatrixLoadKHR %m %out %n_0 %l_1 0\n%w = OpCooperativeMatrixMulAddKHR %m %v %v %v 0",
            "an operand of a product of cooperative matrices has another use",
        ),
        (
            matrix("%subgroup", 16),
            "%v = OpCooperativeMatrixLoadKHR %m %out %n_0 %l_1 0\n%w = OpCooperativeMatrixMulAddKHR %m %v %v %v 16",
            "products of cooperative matrices that saturate are not supported on CUDA",
        ),
    ] {
        let reason = refused(&declarations, code);
        assert!(reason.ends_with(why), "{reason}");
    }
}

/// A damaged module is translated or refused. It neither crashes the process nor produces endless text.
#[test]
fn damaged_matrices_are_translated_or_refused() {
    let mut random = Random::new(1);
    for product in Product::all() {
        let module = product.module().unwrap();
        for _ in 0..100 {
            let damaged = damaged(&module, &mut random);
            if let Ok(translation) = translate(&[&damaged], &Options::default()) {
                assert!(translation.ir.len() < 4 << 20, "{product:?}: {}", translation.ir.len());
            }
        }
    }
}
