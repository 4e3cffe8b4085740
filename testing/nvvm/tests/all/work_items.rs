//! Ids and sizes of work-items, global offsets, printf, contraction.

use std::collections::BTreeSet;
use std::process::Command;

use sycl_pi_nvvm::{Options, Variant, translate};
use testing_nvvm::{bytes, elementwise, kernel, numbers};

use crate::gpu::{Arg, HostGpu, Launch};

const LAUNCH: Launch = Launch { groups: [2, 3, 2], items: [4, 2, 3] };

/// Returns every work-item of the launch: group and local id, in the order in which they write.
fn items() -> Vec<([u64; 3], [u64; 3])> {
    let mut all = Vec::new();
    for gz in 0..2 {
        for gy in 0..3 {
            for gx in 0..2 {
                for z in 0..3 {
                    for y in 0..2 {
                        for x in 0..4 {
                            all.push(([gx, gy, gz], [x, y, z]));
                        }
                    }
                }
            }
        }
    }
    all
}

/// Returns the value of the built-in variable for each work-item, in the order of `items`.
fn of_variable(name: &str, axis: Option<u32>, offset: [u64; 3]) -> Vec<u64> {
    let gpu = HostGpu::new(&[&showing(name, axis)], &Options::default()).unwrap();
    let takes_offset = gpu.translation.kernels[0].global_offset;
    assert_eq!(takes_offset, name == "GlobalInvocationId" || name == "GlobalOffset", "{name}");
    assert!(!gpu.translation.kernels[0].work_dim, "{name}");
    let hidden = if takes_offset { &offset[..] } else { &[] };
    run_with(&gpu, LAUNCH, hidden)
}

/// Returns these values for a kernel whose grid is folded into one dimension.
fn of_folded_variable(name: &str, axis: Option<u32>, offset: [u64; 3]) -> Vec<u64> {
    let mut options = Options::default();
    options.variant = Some(Variant { kernel: "k".to_owned(), folded: true, null_arguments: BTreeSet::new() });
    let gpu = HostGpu::new(&[&showing(name, axis)], &options).unwrap();
    let kernel = &gpu.translation.kernels[0];
    assert!(kernel.global_offset && kernel.work_dim && kernel.group_counts, "{name}");
    let [x, y, z] = LAUNCH.groups;
    let [first, second, third] = offset;
    run_with(&gpu, Launch { groups: [x * y * z, 1, 1], ..LAUNCH }, &[first, second, third, 3, x, y, z])
}

fn run_with(gpu: &HostGpu, launch: Launch, hidden: &[u64]) -> Vec<u64> {
    let mut args = vec![Arg::Buffer(vec![0; items().len() * 8])];
    args.extend(hidden.iter().map(|word| Arg::Value(bytes(&[*word]))));
    numbers(&gpu.run(launch, &args).unwrap()[0])
}

/// Assembles a module whose work-items write their value of the built-in variable, in the order of `items`.
fn showing(name: &str, axis: Option<u32>) -> Vec<u8> {
    let (ty, take) = match axis {
        Some(axis) => ("%v3ulong", format!("%value = OpCompositeExtract %ulong %loaded {axis}")),
        None => ("%ulong", "%value = OpCopyObject %ulong %loaded".to_owned()),
    };
    let declarations = format!(
        "%p_in = OpTypePointer Input {ty}
         %builtin = OpVariable %p_in Input
         OpDecorate %builtin BuiltIn {name}
         %of_group = OpVariable %p_v3ulong Input
         OpDecorate %of_group BuiltIn WorkgroupId
         %l_3 = OpConstant %ulong 3
         %l_24 = OpConstant %ulong 24
         %l_4 = OpConstant %ulong 4"
    );
    let code = format!(
        "%loaded = OpLoad {ty} %builtin
         {take}
         %g = OpLoad %v3ulong %of_group
         %gx = OpCompositeExtract %ulong %g 0
         %gy = OpCompositeExtract %ulong %g 1
         %gz = OpCompositeExtract %ulong %g 2
         %a = OpIMul %ulong %gz %l_3
         %b = OpIAdd %ulong %a %gy
         %c = OpIMul %ulong %b %l_2
         %d = OpIAdd %ulong %c %gx
         %first = OpIMul %ulong %d %l_24
         %e = OpIMul %ulong %k.z %l_2
         %f = OpIAdd %ulong %e %k.y
         %h = OpIMul %ulong %f %l_4
         %i = OpIAdd %ulong %h %l
         %k.z = OpCompositeExtract %ulong %k.id 2
         %place = OpIAdd %ulong %first %i
         %at = OpPtrAccessChain %p_ulong %out %place
         OpStore %at %value"
    );
    let code = code.replace("%k.z = OpCompositeExtract %ulong %k.id 2\n", "");
    kernel(&declarations, "%p_ulong %out", &code).unwrap()
}

/// An address in a variable with a constant index is that of one number.
#[test]
#[ignore = "needs LLVM 14"]
fn a_number_of_a_built_in_variable_is_chosen_by_its_index() {
    let expected: [fn(u64) -> u64; 3] = [|at| at % 4, |at| at / 4 % 2, |at| at / 8];
    for (axis, expected) in expected.into_iter().enumerate() {
        let declarations = "%p_in_ulong = OpTypePointer Input %ulong\n%l_4 = OpConstant %ulong 4";
        let code = format!(
            "%number = OpAccessChain %p_in_ulong %id %u_{axis}
             %value = OpLoad %ulong %number
             %planes = OpIMul %ulong %k.z %l_2
             %rows = OpIAdd %ulong %planes %k.y
             %first = OpIMul %ulong %rows %l_4
             %place = OpIAdd %ulong %first %l
             %at = OpPtrAccessChain %p_ulong %out %place
             OpStore %at %value"
        );
        let module = kernel(declarations, "%p_ulong %out", &code).unwrap();
        let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
        let launch = Launch { groups: [1; 3], items: [4, 2, 3] };
        let out = numbers::<u64>(&gpu.run(launch, &[Arg::Buffer(vec![0; 24 * 8])]).unwrap()[0]);
        assert_eq!(out, (0..24).map(expected).collect::<Vec<_>>(), "{axis}");
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn ids_and_sizes_in_every_dimension() {
    const OFFSET: [u64; 3] = [1000, 1 << 33, 7];
    type Expected = fn([u64; 3], [u64; 3], usize) -> u64;
    let cases: [(&str, Expected); 8] = [
        ("NumWorkgroups", |_, _, axis| LAUNCH.groups[axis]),
        ("WorkgroupSize", |_, _, axis| LAUNCH.items[axis]),
        ("EnqueuedWorkgroupSize", |_, _, axis| LAUNCH.items[axis]),
        ("WorkgroupId", |group, _, axis| group[axis]),
        ("LocalInvocationId", |_, local, axis| local[axis]),
        ("GlobalInvocationId", |group, local, axis| {
            group[axis] * LAUNCH.items[axis] + local[axis] + OFFSET[axis]
        }),
        ("GlobalSize", |_, _, axis| LAUNCH.groups[axis] * LAUNCH.items[axis]),
        ("GlobalOffset", |_, _, axis| OFFSET[axis]),
    ];
    for (name, expected) in cases {
        for axis in 0..3 {
            let found = of_variable(name, Some(axis), OFFSET);
            let all = items().into_iter().map(|(group, local)| expected(group, local, axis as usize));
            assert_eq!(found, all.collect::<Vec<_>>(), "{name} {axis}");
        }
    }
}

/// CUDA's grids are small in y and z. Their work-groups are enumerated in x, with x varying fastest.
#[test]
#[ignore = "needs LLVM 14"]
fn ids_and_sizes_in_a_grid_that_is_folded_into_one_dimension() {
    const OFFSET: [u64; 3] = [1000, 1 << 33, 7];
    for name in ["NumWorkgroups", "WorkgroupId", "GlobalInvocationId", "GlobalSize", "GlobalOffset"] {
        for axis in 0..3 {
            let axis = Some(axis);
            assert_eq!(
                of_folded_variable(name, axis, OFFSET),
                of_variable(name, axis, OFFSET),
                "{name} {axis:?}"
            );
        }
    }
    for name in ["GlobalLinearId", "LocalInvocationIndex"] {
        assert_eq!(of_folded_variable(name, None, OFFSET), of_variable(name, None, OFFSET), "{name}");
    }
}

#[test]
fn a_folded_kernel_that_asks_for_no_work_group_takes_nothing_more() {
    let module = kernel("", "%p_uint %out", "OpStore %out %x").unwrap();
    let mut options = Options::default();
    let plain = translate(&[&module], &options).unwrap();
    options.variant = Some(Variant { kernel: "k".to_owned(), folded: true, null_arguments: BTreeSet::new() });
    assert_eq!(translate(&[&module], &options).unwrap(), plain);
}

#[test]
#[ignore = "needs LLVM 14"]
fn linear_ids_and_sub_groups() {
    type Expected = fn([u64; 3], [u64; 3]) -> u64;
    let linear = |[x, y, z]: [u64; 3]| (z * 2 + y) * 4 + x;
    let _ = linear;
    let cases: [(&str, Expected); 7] = [
        ("LocalInvocationIndex", |_, [x, y, z]| (z * 2 + y) * 4 + x),
        ("GlobalLinearId", |group, local| {
            let at = |axis: usize| group[axis] * LAUNCH.items[axis] + local[axis];
            (at(2) * 6 + at(1)) * 8 + at(0)
        }),
        // 24 work-items are less than a full sub-group.
        ("SubgroupSize", |_, _| 24),
        ("SubgroupMaxSize", |_, _| 32),
        ("NumSubgroups", |_, _| 1),
        ("SubgroupId", |_, _| 0),
        ("SubgroupLocalInvocationId", |_, [x, y, z]| (z * 2 + y) * 4 + x),
    ];
    for (name, expected) in cases {
        let found = of_variable(name, None, [0; 3]);
        let all = items().into_iter().map(|(group, local)| expected(group, local));
        assert_eq!(found, all.collect::<Vec<_>>(), "{name}");
    }
}

/// The number of dimensions follows the offset, also in a function that is called by address.
#[test]
#[ignore = "needs LLVM 14"]
fn a_kernel_is_told_how_many_dimensions_the_launch_has() {
    let declarations = "
        %builtin = OpVariable %p_in_uint Input
        OpDecorate %builtin BuiltIn WorkDim
        %get.type = OpTypeFunction %uint %uint
        %p_get = OpTypePointer 5605 %get.type
        %pointer = OpConstantFunctionPointerINTEL %p_get %get";
    let code = "
        %direct = OpFunctionCall %uint %get %x
        %indirect = OpFunctionPointerCallINTEL %uint %pointer %u_100
        %sum = OpIAdd %uint %direct %indirect
        %at = OpPtrAccessChain %p_uint %out %l
        OpStore %at %sum
        OpReturn
        OpFunctionEnd
        %get = OpFunction %uint None %get.type
        %more = OpFunctionParameter %uint
        %get.entry = OpLabel
        %dimensions = OpLoad %uint %builtin
        %both = OpIAdd %uint %dimensions %more
        OpReturnValue %both
        OpFunctionEnd";
    let module = kernel(declarations, "%p_uint %out", code).unwrap();
    let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
    let kernel = &gpu.translation.kernels[0];
    assert!(kernel.global_offset && kernel.work_dim);
    for dimensions in 1..=3_u64 {
        let hidden = [0, 0, 0, dimensions].map(|word| Arg::Value(bytes(&[word])));
        let args = [vec![Arg::Buffer(vec![0; 16])], hidden.to_vec()].concat();
        let out = numbers::<u32>(&gpu.run(Launch::group(4), &args).unwrap()[0]);
        let expected = (0..4).map(|x| x + 100 + 2 * dimensions as u32);
        assert_eq!(out, expected.collect::<Vec<_>>());
    }
}

/// A function that is called by address takes the arguments that any such function needs, and so do its callers.
#[test]
fn functions_that_are_called_by_address_take_what_any_of_them_needs() {
    let declarations = "
        %builtin = OpVariable %p_in_uint Input
        OpDecorate %builtin BuiltIn WorkDim
        %get.type = OpTypeFunction %uint %uint
        %p_get = OpTypePointer 5605 %get.type
        %first = OpConstantFunctionPointerINTEL %p_get %outer
        %second = OpConstantFunctionPointerINTEL %p_get %plain";
    // `k` calls by name what calls by address. Only `get` reads the variable, and `plain` calls nothing.
    let code = "
        %sum = OpFunctionCall %uint %middle %x
        OpStore %out %sum
        OpReturn
        OpFunctionEnd
        %middle = OpFunction %uint None %get.type
        %m = OpFunctionParameter %uint
        %middle.entry = OpLabel
        %m1 = OpFunctionPointerCallINTEL %uint %first %m
        %m2 = OpFunctionPointerCallINTEL %uint %second %m1
        OpReturnValue %m2
        OpFunctionEnd
        %plain = OpFunction %uint None %get.type
        %p = OpFunctionParameter %uint
        %plain.entry = OpLabel
        OpReturnValue %p
        OpFunctionEnd
        %outer = OpFunction %uint None %get.type
        %o = OpFunctionParameter %uint
        %outer.entry = OpLabel
        %o1 = OpFunctionCall %uint %get %o
        OpReturnValue %o1
        OpFunctionEnd
        %get = OpFunction %uint None %get.type
        %g = OpFunctionParameter %uint
        %get.entry = OpLabel
        %dimensions = OpLoad %uint %builtin
        OpReturnValue %dimensions
        OpFunctionEnd";
    let module = kernel(declarations, "%p_uint %out", code).unwrap();
    let translation = translate(&[&module], &Options::default()).unwrap();
    let kernel = &translation.kernels[0];
    assert!(kernel.refused.is_none() && kernel.global_offset && kernel.work_dim);
    // Three words of the offset and the number of dimensions, for the kernel, its body and the four functions.
    let heads = translation.ir.lines().filter(|line| line.starts_with("define "));
    let hidden = heads.filter(|head| head.matches("i64 ").count() == 4);
    assert_eq!(hidden.count(), 6, "{}", translation.ir);
}

/// The offset is passed through calls, but only where it is needed.
#[test]
#[ignore = "needs LLVM 14"]
fn a_called_function_sees_the_global_offset() {
    let declarations = "
        %global = OpVariable %p_v3ulong Input
        OpDecorate %global BuiltIn GlobalInvocationId
        %get.type = OpTypeFunction %ulong";
    let code = "
        %id.x = OpFunctionCall %ulong %middle
        %at = OpPtrAccessChain %p_ulong %out %l
        OpStore %at %id.x
        OpReturn
        OpFunctionEnd
        %middle = OpFunction %ulong None %get.type
        %middle.entry = OpLabel
        %inner = OpFunctionCall %ulong %get
        OpReturnValue %inner
        OpFunctionEnd
        %get = OpFunction %ulong None %get.type
        %get.entry = OpLabel
        %all = OpLoad %v3ulong %global
        %first = OpCompositeExtract %ulong %all 0
        OpReturnValue %first
        OpFunctionEnd";
    let module = kernel(declarations, "%p_ulong %out", code).unwrap();
    let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
    let offset = [500_u64, 0, 0].map(|offset| Arg::Value(bytes(&[offset])));
    let args = [vec![Arg::Buffer(vec![0; 24])], offset.to_vec()].concat();
    let out = gpu.run(Launch::group(3), &args).unwrap();
    assert_eq!(numbers::<u64>(&out[0]), [500, 501, 502]);
}

#[test]
#[ignore = "needs LLVM 14"]
fn printf_prints_numbers_and_texts() {
    // The driver prints to standard output, which the test harness does not capture.
    const PRINTS: &str = "PI_TEST_PRINTS";
    if std::env::var_os(PRINTS).is_none() {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "--include-ignored", "work_items::printf_prints_numbers_and_texts"]);
        let output = child.env(PRINTS, "1").output().unwrap();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{printed}");
        let mut lines: Vec<&str> = printed.lines().filter(|line| line.starts_with("item ")).collect();
        lines.sort_unstable();
        assert_eq!(lines, ["item 0: 0 0.00%", "item 1: 10000000000 0.50%", "item 2: 20000000000 1.00%"]);
        return;
    }
    let text = |name: &str, text: &str| {
        let bytes: Vec<u8> = text.bytes().chain([0]).collect();
        let ids: Vec<String> = (0..bytes.len()).map(|at| format!("%{name}.{at}")).collect();
        let mut lines: String =
            bytes.iter().zip(&ids).map(|(byte, id)| format!("{id} = OpConstant %uchar {byte}\n")).collect();
        lines += &format!("%{name}.length = OpConstant %uint {}\n", bytes.len());
        lines += &format!(
            "%{name}.type = OpTypeArray %uchar %{name}.length\n%{name}.p = OpTypePointer UniformConstant %{name}.type\n"
        );
        lines += &format!("%{name}.value = OpConstantComposite %{name}.type {}\n", ids.join(" "));
        lines + &format!("%{name} = OpVariable %{name}.p UniformConstant %{name}.value\n")
    };
    let declarations = text("format", "%s %d: %ld %.2f%%\n")
        + &text("word", "item")
        + "%c_uchar = OpTypePointer UniformConstant %uchar\n%half_of = OpConstant %float 0.5";
    let code = "
        %f = OpInBoundsAccessChain %c_uchar %format %u_0
        %w = OpInBoundsAccessChain %c_uchar %word %u_0
        %big = OpIMul %ulong %l %factor
        %number = OpConvertUToF %float %x
        %part = OpFMul %float %number %half_of
        %answer = OpExtInst %uint %cl printf %f %w %x %big %part
        %at = OpPtrAccessChain %p_uint %out %l
        OpStore %at %answer";
    let declarations = declarations + "\n%factor = OpConstant %ulong 10000000000";
    let module = kernel(&declarations, "%p_uint %out", code).unwrap();
    let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
    let out = gpu.run(Launch::group(3), &[Arg::Buffer(vec![9; 12])]).unwrap();
    assert_eq!(numbers::<u32>(&out[0]), [0; 3]);
}

/// Returns the line of the translation that computes the result.
fn line(declarations: &str, instruction: &str, options: &Options) -> (String, bool) {
    let code = format!("%r = {instruction}");
    let module = elementwise(declarations, &["%float", "%float"], "%float", &code).unwrap();
    let translation = translate(&[&module], options).unwrap();
    let is_it = |line: &&str| line.contains(" fmul ") || line.contains(" fadd ");
    (translation.ir.lines().find(is_it).unwrap().trim().to_owned(), translation.contraction_off)
}

#[test]
fn decorations_say_what_floating_point_instructions_may_become() {
    let cases = [
        ("", " fmul float"),
        ("OpDecorate %r FPFastMathMode 0", " fmul float"),
        ("OpDecorate %r FPFastMathMode 1", " fmul nnan float"),
        ("OpDecorate %r FPFastMathMode 2", " fmul ninf float"),
        ("OpDecorate %r FPFastMathMode 15", " fmul nnan ninf nsz arcp float"),
        ("OpDecorate %r FPFastMathMode 16", " fmul fast float"),
        ("OpDecorate %r FPFastMathMode 0x10000", " fmul contract float"),
        ("OpDecorate %r FPFastMathMode 0x20000", " fmul reassoc float"),
    ];
    for (decoration, expected) in cases {
        let (line, off) = line(decoration, "OpFMul %float %v0 %v1", &Options::default());
        assert!(line.contains(expected), "{decoration}: {line}");
        assert!(!off);
    }
    let mut relaxed = Options::default();
    relaxed.fast_relaxed_math = true;
    assert!(line("", "OpFMul %float %v0 %v1", &relaxed).0.contains(" fmul fast float"));
}

#[test]
fn contraction_is_off_where_the_kernel_says_so_whatever_decorations_say() {
    let strict = "OpExecutionMode %k ContractionOff";
    let (plain, off) = line(strict, "OpFMul %float %v0 %v1", &Options::default());
    assert!(off && plain.contains(" fmul float"), "{plain}");
    let fast = format!("{strict}\nOpDecorate %r FPFastMathMode 16");
    let (fast, _) = line(&fast, "OpFMul %float %v0 %v1", &Options::default());
    assert!(fast.contains(" fmul nnan ninf nsz arcp reassoc float"), "{fast}");
    // Another kernel of the program permits contraction explicitly, because the whole program is compiled without.
    let declarations = "
        OpEntryPoint Kernel %other \"other\"
        OpExecutionMode %other ContractionOff
        %other.type = OpTypeFunction %void";
    let code = "
        %v = OpConvertUToF %float %x
        %product = OpFMul %float %v %v
        OpReturn
        OpFunctionEnd
        %other = OpFunction %void None %other.type
        %other.entry = OpLabel
        OpReturn
        OpFunctionEnd";
    let module = kernel(declarations, "%p_uint %out", code).unwrap();
    let translation = translate(&[&module], &Options::default()).unwrap();
    assert!(
        translation.contraction_off && translation.ir.contains("fmul contract float"),
        "{}",
        translation.ir
    );
}

/// Functions that the kernel reaches by name and by address.
#[test]
fn contraction_is_off_in_all_that_such_a_kernel_reaches() {
    let declarations = "
        OpExecutionMode %k ContractionOff
        %get.type = OpTypeFunction %float %float
        %p_get = OpTypePointer 5605 %get.type
        %pointer = OpConstantFunctionPointerINTEL %p_get %third";
    let product = |name: &str, more: &str| {
        format!(
            "%{name} = OpFunction %float None %get.type
             %{name}.v = OpFunctionParameter %float
             %{name}.entry = OpLabel
             %{name}.r = OpFMul %float %{name}.v %{name}.v
             {more}
             OpReturnValue %{name}.r
             OpFunctionEnd\n"
        )
    };
    let code = [
        "%v = OpConvertUToF %float %x
         %got = OpFunctionCall %float %first %v
         OpReturn
         OpFunctionEnd\n"
            .to_owned(),
        product("first", "%next = OpFunctionCall %float %second %first.r"),
        product("second", "%far = OpFunctionPointerCallINTEL %float %pointer %second.r"),
        product("third", ""),
    ]
    .concat();
    let module = kernel(declarations, "%p_uint %out", &code).unwrap();
    let ir = translate(&[&module], &Options::default()).unwrap().ir;
    let products: Vec<&str> = ir.lines().filter(|line| line.contains(" fmul ")).collect();
    assert_eq!(products.len(), 3);
    assert!(products.iter().all(|line| line.contains(" fmul float")), "{products:?}");
}

/// The launch checks them, and the driver needs the annotations.
#[test]
fn sizes_of_work_groups_are_told_and_annotated() {
    let declarations = "
        OpExecutionMode %k LocalSize 4 2 1
        OpExecutionMode %k LocalSizeHint 8 3 1
        OpExecutionMode %k MaxWorkgroupSizeINTEL 16 5 2";
    let module = kernel(declarations, "%p_uint %out", "").unwrap();
    let translation = translate(&[&module], &Options::default()).unwrap();
    let kernel = &translation.kernels[0];
    assert_eq!(kernel.required_work_group_size, Some([4, 2, 1]));
    assert_eq!(kernel.work_group_size_hint, Some([8, 3, 1]));
    assert_eq!(kernel.max_work_group_size, Some([16, 5, 2]));
    for annotation in [
        "!\"reqntidx\", i32 4, !\"reqntidy\", i32 2, !\"reqntidz\", i32 1",
        "!\"maxntidx\", i32 16, !\"maxntidy\", i32 5, !\"maxntidz\", i32 2",
    ] {
        assert!(translation.ir.contains(annotation), "{}", translation.ir);
    }
}

#[test]
fn functions_are_inlined_as_they_say() {
    // DontInline is bit 1, and OptNone, with which the driver decides, bit 16.
    for (control, expected) in [("0", false), ("0x2", true), ("0x10002", false)] {
        let code = format!(
            "%got = OpFunctionCall %uint %get
             OpStore %out %got
             OpReturn
             OpFunctionEnd
             %get = OpFunction %uint {control} %get.type
             %get.entry = OpLabel
             OpReturnValue %u_7
             OpFunctionEnd"
        );
        let module = kernel("%get.type = OpTypeFunction %uint", "%p_uint %out", &code).unwrap();
        let ir = translate(&[&module], &Options::default()).unwrap().ir;
        let noinline = ir.lines().any(|line| line.starts_with("define ") && line.contains(" noinline "));
        assert_eq!(noinline, expected, "{control}: {ir}");
    }
}

/// Each clock advances, and both ways to read it agree.
#[test]
#[ignore = "needs LLVM 14"]
fn clocks_go_on() {
    for scope in ["%device", "%group", "%subgroup"] {
        let code = format!(
            "%first = OpReadClockKHR %ulong {scope}
            %pair = OpReadClockKHR %v2uint {scope}
            %second = OpBitcast %ulong %pair
            %r = OpISub %ulong %second %first"
        );
        let module = elementwise("", &[], "%ulong", &code).unwrap();
        let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
        let out = numbers::<u64>(&gpu.run(Launch::group(4), &[Arg::Buffer(vec![0; 32])]).unwrap()[0]);
        assert!(out.iter().all(|ticks| *ticks < 60_000_000_000), "{scope}: {out:?}");
    }
}
