//! Work-groups: votes, reductions, scans, broadcasts, and the equivalents for sub-groups. Shuffles and ballots are
//! in `sub_groups.rs`.

use sycl_pi_nvvm::{Options, translate};
pub(crate) use testing_nvvm::parted::{each, mixed};
use testing_nvvm::{bytes, elementwise, kernel, numbers};

use crate::gpu::{Arg, HostGpu, Launch};

/// Sizes of work-groups with full and partial last sub-groups.
const SIZES: [u64; 5] = [1, 20, 32, 45, 128];

/// Sizes of sub-groups.
pub(crate) const WIDTHS: [usize; 3] = [8, 16, 32];

/// Declares the size of sub-groups of the kernel `k`.
pub(crate) fn sized(width: usize) -> String {
    format!("OpExecutionMode %k SubgroupSizeMode {width}")
}

/// Runs an elementwise module on each size.
pub(crate) fn on_sizes(
    module: &[u8],
    column: impl Fn(u64) -> Vec<u32>,
    expected: impl Fn(&[u32]) -> Vec<u32>,
) {
    let gpu = HostGpu::new(&[module], &Options::default()).unwrap();
    for size in SIZES {
        let column = column(size);
        let args = [Arg::Buffer(vec![0; size as usize * 4]), Arg::Buffer(bytes(&column))];
        let out = numbers::<u32>(&gpu.run(Launch::group(size), &args).unwrap()[0]);
        assert_eq!(out, expected(&column), "{size} work-items");
    }
}

/// Computes a reduction, an inclusive or an exclusive scan over groups of that many work-items.
pub(crate) fn scanned(
    column: &[u32],
    group: usize,
    part: &str,
    identity: u32,
    combine: impl Fn(u32, u32) -> u32,
) -> Vec<u32> {
    column
        .chunks(group)
        .flat_map(|chunk| {
            let mut sum = identity;
            let mut all: Vec<u32> = chunk
                .iter()
                .map(|value| {
                    let before = sum;
                    sum = combine(sum, *value);
                    if part == "ExclusiveScan" { before } else { sum }
                })
                .collect();
            if part == "Reduce" {
                all.fill(sum);
            }
            all
        })
        .collect()
}

type Combine = fn(u32, u32) -> u32;
const INTEGERS: [(&str, u32, Combine); 5] = [
    ("OpGroupIAdd", 0, u32::wrapping_add),
    ("OpGroupUMin", u32::MAX, u32::min),
    ("OpGroupUMax", 0, u32::max),
    ("OpGroupSMax", 0x8000_0000, |a, b| a.cast_signed().max(b.cast_signed()).cast_unsigned()),
    ("OpGroupIMulKHR", 1, u32::wrapping_mul),
];

#[test]
#[ignore = "needs LLVM 14"]
fn groups_reduce_and_scan() {
    let in_sub_groups = WIDTHS.map(|width| ("%subgroup", width, width));
    let in_groups = [("%group", 32, usize::MAX), ("%group", 8, usize::MAX)];
    for (scope, sub_group, width) in in_groups.into_iter().chain(in_sub_groups) {
        // How values are combined does not depend on the size.
        let some = if sub_group == 32 { INTEGERS.len() } else { 2 };
        for (name, identity, combine) in INTEGERS.into_iter().take(some) {
            for part in ["Reduce", "InclusiveScan", "ExclusiveScan"] {
                let code = format!("%r = {name} %uint {scope} {part} %v0");
                let module = elementwise(&sized(sub_group), &["%uint"], "%uint", &code).unwrap();
                on_sizes(&module, mixed, |column| {
                    scanned(column, width.min(column.len()), part, identity, combine)
                });
            }
        }
    }
}

/// The operations of work-groups and of active work-items, with the identities that SPIR-V gives. Floats are given by their bits.
type Operation = (&'static str, &'static str, u32, Combine);

fn of_floats(combine: impl Fn(f32, f32) -> f32) -> impl Fn(u32, u32) -> u32 {
    move |a, b| combine(f32::from_bits(a), f32::from_bits(b)).to_bits()
}

const ALL_INTEGERS: [Operation; 9] = [
    ("OpGroupIAdd", "IAdd", 0, u32::wrapping_add),
    ("OpGroupIMulKHR", "IMul", 1, u32::wrapping_mul),
    ("OpGroupUMin", "UMin", u32::MAX, u32::min),
    ("OpGroupUMax", "UMax", 0, u32::max),
    ("OpGroupSMin", "SMin", 0x7fff_ffff, |a, b| a.cast_signed().min(b.cast_signed()).cast_unsigned()),
    ("OpGroupSMax", "SMax", 0x8000_0000, |a, b| a.cast_signed().max(b.cast_signed()).cast_unsigned()),
    ("OpGroupBitwiseAndKHR", "BitwiseAnd", u32::MAX, |a, b| a & b),
    ("OpGroupBitwiseOrKHR", "BitwiseOr", 0, |a, b| a | b),
    ("OpGroupBitwiseXorKHR", "BitwiseXor", 0, |a, b| a ^ b),
];
const ALL_FLOATS: [Operation; 4] = [
    ("OpGroupFAdd", "FAdd", 0, |a, b| of_floats(|a, b| a + b)(a, b)),
    ("OpGroupFMulKHR", "FMul", 0x3f80_0000, |a, b| of_floats(|a, b| a * b)(a, b)),
    ("OpGroupFMin", "FMin", 0x7f80_0000, |a, b| of_floats(f32::min)(a, b)),
    ("OpGroupFMax", "FMax", 0xff80_0000, |a, b| of_floats(f32::max)(a, b)),
];
const ALL_TRUTHS: [Operation; 5] = [
    ("OpGroupLogicalAndKHR", "LogicalAnd", 1, |a, b| a & b),
    ("OpGroupLogicalOrKHR", "LogicalOr", 0, |a, b| a | b),
    ("OpGroupLogicalXorKHR", "LogicalXor", 0, |a, b| a ^ b),
    // Votes, which have no parts.
    ("OpGroupAll", "All", 1, |a, b| a & b),
    ("OpGroupAny", "Any", 0, |a, b| a | b),
];

/// The results of all operations of a type are combined by a polynomial.
#[test]
#[ignore = "needs LLVM 14"]
fn every_operation_is_reduced_and_scanned_over_all_and_over_the_active_work_items() {
    const WIDTH: usize = 16;
    type Value = fn(u32) -> u32;
    // Numbers, powers of 2 with both signs whose products and sums are exact, and truths of which few are true or false.
    let number: Value = |at| at.wrapping_mul(2_654_435_761);
    let float: Value = |at| [0.5_f32, 2.0, -2.0, -0.5][at as usize % 4].to_bits();
    let rare: Value = |at| u32::from(at % 32 == 13);
    let frequent: Value = |at| u32::from(at % 32 != 13);
    let plain = ["%uint", "OpCopyObject %uint %v0", "OpCopyObject %uint"];
    let bitcast = ["%float", "OpBitcast %float %v0", "OpBitcast %uint"];
    let truth = ["%bool", "OpINotEqual %bool %v0 %u_0", ""];
    let cases: [([&str; 3], &[Operation], Value); 4] = [
        (plain, &ALL_INTEGERS, number),
        (bitcast, &ALL_FLOATS, float),
        (truth, &ALL_TRUTHS, rare),
        (truth, &ALL_TRUTHS, frequent),
    ];
    for ([ty, from, to], operations, value) in cases {
        let mut code = format!("%value = {from}\n%sum0 = OpCopyObject %uint %u_0\n");
        let mut taken = Vec::new();
        for (of_groups, of_active, identity, combine) in operations {
            let of_active = format!("OpGroupNonUniform{of_active}");
            for (name, scope, group) in [
                (*of_groups, "%group", usize::MAX),
                (*of_groups, "%subgroup", WIDTH),
                (of_active.as_str(), "%subgroup", WIDTH),
            ] {
                let is_vote = of_groups.len() == "OpGroupAll".len();
                let parts = ["Reduce", "InclusiveScan", "ExclusiveScan"];
                for part in parts.into_iter().take(if is_vote { 1 } else { 3 }) {
                    let (before, at) = (taken.len(), taken.len() + 1);
                    let operation = if is_vote { "" } else { part };
                    code += &format!("%result{at} = {name} {ty} {scope} {operation} %value\n");
                    code += &match to {
                        "" => format!("%word{at} = OpSelect %uint %result{at} %u_1 %u_0\n"),
                        to => format!("%word{at} = {to} %result{at}\n"),
                    };
                    code += &format!("%more{at} = OpIMul %uint %sum{before} %u_100\n");
                    code += &format!("%sum{at} = OpIAdd %uint %more{at} %word{at}\n");
                    taken.push((group, part, *identity, *combine));
                }
            }
        }
        code += &format!("%r = OpCopyObject %uint %sum{}", taken.len());
        let module = elementwise(&sized(WIDTH), &["%uint"], "%uint", &code).unwrap();
        on_sizes(
            &module,
            |size| (0..size as u32).map(value).collect(),
            |column| {
                let results = taken.iter().map(|(group, part, identity, combine)| {
                    scanned(column, (*group).min(column.len()), part, *identity, combine)
                });
                results.fold(vec![0; column.len()], |sums: Vec<u32>, results| {
                    let both = sums.into_iter().zip(results);
                    both.map(|(sum, result)| sum.wrapping_mul(100).wrapping_add(result)).collect()
                })
            },
        );
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn groups_reduce_other_types() {
    for (ty, add) in [
        ("%ushort", "OpGroupIAdd"),
        ("%ulong", "OpGroupIAdd"),
        ("%double", "OpGroupFAdd"),
        ("%half", "OpGroupFAdd"),
    ] {
        let (to, from) = match ty {
            "%double" | "%half" => (format!("OpConvertUToF {ty}"), "OpConvertFToU %uint"),
            _ => (format!("OpUConvert {ty}"), "OpUConvert %uint"),
        };
        let code = format!("%w = {to} %v0\n%g = {add} {ty} %group InclusiveScan %w\n%r = {from} %g");
        let module = elementwise("", &["%uint"], "%uint", &code).unwrap();
        on_sizes(
            &module,
            |size| (0..size as u32).map(|at| at % 5).collect(),
            |column| scanned(column, column.len(), "InclusiveScan", 0, u32::wrapping_add),
        );
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn groups_vote_and_broadcast() {
    let code = "
        %is = OpIEqual %bool %v0 %u_1
        %any.group = OpGroupAny %bool %group %is
        %all.group = OpGroupAll %bool %group %is
        %any.sub = OpGroupAny %bool %subgroup %is
        %all.sub = OpGroupAll %bool %subgroup %is
        %a = OpSelect %uint %any.group %u_1 %u_0
        %b = OpSelect %uint %all.group %u_2 %u_0
        %c = OpSelect %uint %any.sub %u_4 %u_0
        %d = OpSelect %uint %all.sub %u_8 %u_0
        %ab = OpIAdd %uint %a %b
        %cd = OpIAdd %uint %c %d
        %votes = OpIAdd %uint %ab %cd
        %zero = OpGroupBroadcast %uint %group %x %l_0
        %last = OpGroupBroadcast %uint %group %v0 %size
        %own = OpGroupBroadcast %uint %subgroup %x %u_0
        %shifted = OpShiftLeftLogical %uint %last %u_4
        %far = OpShiftLeftLogical %uint %own %u_16
        %one = OpBitwiseOr %uint %votes %shifted
        %two = OpBitwiseOr %uint %one %far
        %r = OpIAdd %uint %two %zero";
    let columns: [fn(u64) -> Vec<u32>; 3] = [
        |size| vec![1; size as usize],
        |size| vec![0; size as usize],
        |size| (0..size as u32).map(|at| u32::from(at < 32)).collect(),
    ];
    for (width, column) in WIDTHS.into_iter().flat_map(|width| columns.map(|column| (width, column))) {
        let declarations = sized(width) + "\n%u_8 = OpConstant %uint 8\n%size = OpConstant %ulong 0";
        let module = elementwise(&declarations, &["%uint"], "%uint", code).unwrap();
        on_sizes(&module, column, |column| {
            let vote = |values: &[u32]| {
                u32::from(values.contains(&1)) | u32::from(values.iter().all(|value| *value == 1)) << 1
            };
            let whole = vote(column);
            let of = |(at, _): (usize, &u32)| {
                let first = at / width * width;
                let sub = vote(&column[first..column.len().min(first + width)]);
                whole | sub << 2 | column[0] << 4 | (first as u32) << 16
            };
            column.iter().enumerate().map(of).collect()
        });
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn a_broadcast_in_three_dimensions_takes_the_work_item_of_that_id() {
    let code = "
        %own.y = OpIMul %uint %y %u_100
        %own.z = OpIMul %uint %z %tenk
        %own.xy = OpIAdd %uint %x %own.y
        %own = OpIAdd %uint %own.xy %own.z
        %which = OpCompositeConstruct %v3ulong %l_2 %l_1 %l_0
        %r = OpGroupBroadcast %uint %group %own %which
        %line = OpCompositeExtract %ulong %k.id 1
        %plane = OpCompositeExtract %ulong %k.id 2
        %rows = OpIMul %ulong %plane %l_2
        %row = OpIAdd %ulong %rows %line
        %first = OpIMul %ulong %row %four
        %index = OpIAdd %ulong %first %l
        %at = OpPtrAccessChain %p_uint %out %index
        OpStore %at %r";
    let declarations = "%tenk = OpConstant %uint 10000\n%four = OpConstant %ulong 4";
    let module = kernel(declarations, "%p_uint %out", code).unwrap();
    let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
    let launch = Launch { groups: [1; 3], items: [4, 2, 3] };
    let out = numbers::<u32>(&gpu.run(launch, &[Arg::Buffer(vec![0; 96])]).unwrap()[0]);
    assert_eq!(out, vec![102; 24]);
}

/// OpenCL C specification, async_work_group_copy: for vectors of three, all four components are copied.
#[test]
#[ignore = "needs LLVM 14"]
fn asynchronous_copies_of_vectors_of_three_copy_the_fourth_component() {
    for (scalar, bytes) in [("uint", 4), ("uchar", 1)] {
        let declarations = format!(
            "%event = OpTypeEvent
             %f_event = OpTypePointer Function %event
             %no_event = OpConstantNull %event
             %v3 = OpTypeVector %{scalar} 3
             %g_v3 = OpTypePointer CrossWorkgroup %v3
             %s_v3 = OpTypePointer Workgroup %v3"
        );
        let code = "
            %events = OpVariable %f_event Function
            %first = OpGroupAsyncCopy %event %group %local %in %l_2 %l_1 %no_event
            OpStore %events %first Aligned 8
            OpGroupWaitEvents %group %u_1 %events
            %second = OpGroupAsyncCopy %event %group %out %local %l_2 %l_2 %first
            OpStore %events %second Aligned 8
            OpGroupWaitEvents %group %u_1 %events";
        let module = kernel(&declarations, "%g_v3 %out, %g_v3 %in, %s_v3 %local", code).unwrap();
        let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
        let vector = 4 * bytes;
        let input: Vec<u8> = (1..=2 * vector as u8).collect();
        let args = [Arg::Buffer(vec![0; 4 * vector]), Arg::Buffer(input.clone()), Arg::Value(bytes_of(64))];
        let out = gpu.run(Launch::group(8), &args).unwrap().swap_remove(0);
        assert_eq!(out[..vector], input[..vector], "{scalar}");
        assert_eq!(out[2 * vector..3 * vector], input[vector..], "{scalar}");
        assert_eq!(out[vector..2 * vector], vec![0; vector], "{scalar}: the stride leaves these out");
    }
}

fn bytes_of(number: u32) -> Vec<u8> {
    bytes(&[number])
}

/// A barrier orders the memory of its own work-group. With a wider scope there are fences before and after it.
#[test]
fn a_barrier_for_other_work_groups_has_fences_on_both_sides() {
    let of = |memory: &str| {
        let module =
            kernel("", "%p_uint %out", &format!("OpControlBarrier %group {memory} %seq_cst")).unwrap();
        let ir = sycl_pi_nvvm::translate(&[&module], &Options::default()).unwrap().ir;
        let calls = ir.lines().filter(|line| line.trim_start().starts_with("call void @__spirv_"));
        let words = calls.map(|line| if line.contains("fence") { "fence" } else { "barrier" });
        // The kernel's own calls come first. Helpers have no such calls.
        words.collect::<Vec<_>>()
    };
    assert_eq!(of("%group"), ["barrier"]);
    assert_eq!(of("%device"), ["fence", "barrier", "fence"]);
    // All devices, and the host.
    assert_eq!(of("%u_0"), ["fence", "barrier", "fence"]);
}

/// The next reduction overwrites the values that sub-groups exchange, so no work-item may leave before all have read
/// them. The software GPU runs the work-items so that this never shows.
#[test]
fn work_items_leave_a_reduction_when_all_have_read_its_parts() {
    for how in ["Reduce", "InclusiveScan", "ExclusiveScan"] {
        let code = format!("%sum = OpGroupIAdd %uint %group {how} %u_1\nOpStore %out %sum");
        let module = kernel("", "%p_uint %out", &code).unwrap();
        let ir = sycl_pi_nvvm::translate(&[&module], &Options::default()).unwrap().ir;
        let (_, helper) = ir.split_once("define internal i32 @__spirv_workgroup_").unwrap();
        let (helper, _) = helper.split_once("\n}").unwrap();
        let (_, behind_the_loop) = helper.split_once("\ndone:\n").unwrap();
        let first = behind_the_loop.lines().next().unwrap_or_default();
        assert!(
            first.trim_start().starts_with("call void @__spirv_") && first.contains("barrier"),
            "{how}: {first}"
        );
    }
}

/// Every second of 20 numbers is copied to local memory, and from there to every third position.
#[test]
#[ignore = "needs LLVM 14"]
fn asynchronous_copies_are_made_by_the_whole_work_group() {
    let declarations = "
        %event = OpTypeEvent
        %f_event = OpTypePointer Function %event
        %no_event = OpConstantNull %event
        %count = OpConstant %ulong 20
        %two = OpConstant %ulong 2
        %three = OpConstant %ulong 3";
    let code = "
        %events = OpVariable %f_event Function
        %first = OpGroupAsyncCopy %event %group %local %in %count %two %no_event
        OpStore %events %first Aligned 8
        OpGroupWaitEvents %group %u_1 %events
        %second = OpGroupAsyncCopy %event %group %out %local %count %three %first
        OpStore %events %second Aligned 8
        OpGroupWaitEvents %group %u_1 %events";
    let module = kernel(declarations, "%p_uint %out, %p_uint %in, %s_uint %local", code).unwrap();
    let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
    let numbers_in: Vec<u32> = (100..140).collect();
    let expected: Vec<u32> = (0..60).map(|at| if at % 3 == 0 { 100 + at / 3 * 2 } else { 0 }).collect();
    for size in [1, 8, 20, 45] {
        let args = [Arg::Buffer(vec![0; 240]), Arg::Buffer(bytes(&numbers_in)), Arg::Value(bytes(&[64_u32]))];
        let out = numbers::<u32>(&gpu.run(Launch::group(size), &args).unwrap()[0]);
        assert_eq!(out, expected, "{size} work-items");
    }
}

/// Relaxed semantics order nothing, and a work-item sees its own memory in order. Semantics that are no constant may be
/// the strongest.
#[test]
fn barriers_of_memory_have_fences_where_they_order_something() {
    let declarations = "%own = OpConstant %uint 4\n%no_order = OpConstant %uint 0x300";
    let fences = |scope: &str, semantics: &str| -> Vec<String> {
        let code = format!("OpMemoryBarrier {scope} {semantics}");
        let module = kernel(declarations, "%p_uint %out", &code).unwrap();
        let ir = translate(&[&module], &Options::default()).unwrap().ir;
        let calls = ir.lines().filter(|line| line.starts_with("  call void @") && line.contains("fence"));
        calls.map(str::to_owned).collect()
    };
    assert_eq!(fences("%device", "%acq_rel").len(), 1);
    assert_eq!(fences("%subgroup", "%acq_rel").len(), 1);
    assert!(fences("%device", "%no_order").is_empty());
    assert!(fences("%own", "%acq_rel").is_empty());
    assert_ne!(fences("%device", "%acq_rel"), fences("%device", "%seq_cst"));
    assert_eq!(fences("%device", "%x"), fences("%device", "%seq_cst"));
    assert_eq!(fences("%x", "%acq_rel"), fences("%u_0", "%acq_rel"));
    assert_ne!(fences("%x", "%acq_rel"), fences("%device", "%acq_rel"));
}
