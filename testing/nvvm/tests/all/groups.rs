//! Work-groups and sub-groups: barriers, votes, reductions, scans, shuffles, blocks, ballots.

use sycl_pi_nvvm::Options;
use testing_nvvm::{Arg, HostGpu, Launch, bytes, elementwise, kernel, numbers};

/// Sizes of work-groups with whole and partial last sub-groups.
const SIZES: [u64; 5] = [1, 20, 32, 45, 128];

/// Runs an elementwise module on each size.
fn on_sizes(module: &[u8], column: impl Fn(u64) -> Vec<u32>, expected: impl Fn(&[u32]) -> Vec<u32>) {
    let gpu = HostGpu::new(&[module], &Options::default()).unwrap();
    for size in SIZES {
        let column = column(size);
        let args = [Arg::Buffer(vec![0; size as usize * 4]), Arg::Buffer(bytes(&column))];
        let out = numbers::<u32>(&gpu.run(Launch::group(size), &args).unwrap()[0]);
        assert_eq!(out, expected(&column), "{size} work-items");
    }
}

fn mixed(size: u64) -> Vec<u32> {
    (0..size as u32).map(|at| at.wrapping_mul(2_654_435_761) >> 7).collect()
}

/// A reduction, an inclusive and an exclusive scan over groups of that many work-items.
fn scanned(
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
#[ignore = "needs clang-14"]
fn groups_reduce_and_scan() {
    for (scope, width) in [("%group", usize::MAX), ("%subgroup", 32)] {
        for (name, identity, combine) in INTEGERS {
            for part in ["Reduce", "InclusiveScan", "ExclusiveScan"] {
                let code = format!("%r = {name} %uint {scope} {part} %v0");
                let module = elementwise("", &["%uint"], "%uint", &code).unwrap();
                on_sizes(&module, mixed, |column| {
                    scanned(column, width.min(column.len()), part, identity, combine)
                });
            }
        }
    }
}

#[test]
#[ignore = "needs clang-14"]
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
#[ignore = "needs clang-14"]
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
    let declarations = "%u_8 = OpConstant %uint 8\n%size = OpConstant %ulong 0";
    let module = elementwise(declarations, &["%uint"], "%uint", code).unwrap();
    let columns: [fn(u64) -> Vec<u32>; 3] = [
        |size| vec![1; size as usize],
        |size| vec![0; size as usize],
        |size| (0..size as u32).map(|at| u32::from(at < 32)).collect(),
    ];
    for column in columns {
        on_sizes(&module, column, |column| {
            let vote = |values: &[u32]| {
                u32::from(values.contains(&1)) | u32::from(values.iter().all(|value| *value == 1)) << 1
            };
            let whole = vote(column);
            let of = |(at, _): (usize, &u32)| {
                let first = at / 32 * 32;
                let sub = vote(&column[first..column.len().min(first + 32)]);
                whole | sub << 2 | column[0] << 4 | (first as u32) << 16
            };
            column.iter().enumerate().map(of).collect()
        });
    }
}

#[test]
#[ignore = "needs clang-14"]
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

/// The value of the lane that a shuffle takes, within sub-groups of 32; the own one where there is none.
fn taken(column: &[u32], from: impl Fn(u32) -> u32) -> Vec<u32> {
    (0..column.len())
        .map(|at| {
            let (first, lane) = (at / 32 * 32, at as u32 % 32);
            let lane = from(lane);
            if lane < 32 { column[first + lane as usize] } else { column[at] }
        })
        .collect()
}

#[test]
#[ignore = "needs clang-14"]
fn sub_groups_shuffle() {
    type From = fn(u32) -> u32;
    let cases: [(&str, From); 7] = [
        ("OpSubgroupShuffleINTEL %uint %v0 %turned", |lane| 31 - lane),
        ("OpSubgroupShuffleXorINTEL %uint %v0 %u_7", |lane| lane ^ 7),
        ("OpGroupNonUniformShuffle %uint %subgroup %v0 %turned", |lane| 31 - lane),
        ("OpGroupNonUniformShuffleXor %uint %subgroup %v0 %u_16", |lane| lane ^ 16),
        ("OpGroupNonUniformShuffleUp %uint %subgroup %v0 %u_3", |lane| lane.wrapping_sub(3)),
        ("OpGroupNonUniformShuffleDown %uint %subgroup %v0 %u_2", |lane| lane + 2),
        ("OpGroupNonUniformBroadcast %uint %subgroup %v0 %u_7", |_| 7),
    ];
    for (instruction, from) in cases {
        let code = format!(
            "%own.lane = OpLoad %uint %lane\n%turned = OpISub %uint %u_31 %own.lane\n%r = {instruction}"
        );
        let module = elementwise("", &["%uint"], "%uint", &code).unwrap();
        let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
        let column = mixed(64);
        let args = [Arg::Buffer(vec![0; 256]), Arg::Buffer(bytes(&column))];
        let out = numbers::<u32>(&gpu.run(Launch::group(64), &args).unwrap()[0]);
        assert_eq!(out, taken(&column, from), "{instruction}");
    }
}

/// Up and down take from two values side by side, as if the second followed the first.
#[test]
#[ignore = "needs clang-14"]
fn intels_shuffles_go_along_two_values() {
    for (name, down) in [("Down", true), ("Up", false)] {
        let code = format!(
            "%other = OpIAdd %uint %v0 %u_100\n%r = OpSubgroupShuffle{name}INTEL %uint %v0 %other %u_3"
        );
        let module = elementwise("", &["%uint"], "%uint", &code).unwrap();
        let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
        let column: Vec<u32> = (0..32).collect();
        let args = [Arg::Buffer(vec![0; 128]), Arg::Buffer(bytes(&column))];
        let out = numbers::<u32>(&gpu.run(Launch::group(32), &args).unwrap()[0]);
        // First and second value of the 32 lanes: 0..32 and 100..132.
        let both: Vec<u32> = (0..32).chain(100..132).collect();
        let expected: Vec<u32> =
            (0..32_usize).map(|lane| if down { both[lane + 3] } else { both[lane + 32 - 3] }).collect();
        assert_eq!(out, expected, "{name}");
    }
}

#[test]
#[ignore = "needs clang-14"]
fn shuffles_carry_every_width() {
    for ty in ["%uchar", "%ushort", "%ulong", "%half", "%float", "%double"] {
        let (size, code) = (
            match ty {
                "%uchar" => 1,
                "%ushort" | "%half" => 2,
                "%float" => 4,
                _ => 8,
            },
            format!("%r = OpSubgroupShuffleXorINTEL {ty} %v0 %u_1"),
        );
        let module = elementwise("", &[ty], ty, &code).unwrap();
        let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
        let column: Vec<u8> = (0..32 * size as u32).map(|at| (at * 7 + 1) as u8 & 0x3f).collect();
        let args = [Arg::Buffer(vec![0; column.len()]), Arg::Buffer(column.clone())];
        let out = gpu.run(Launch::group(32), &args).unwrap();
        let expected: Vec<u8> =
            column.chunks(size * 2).flat_map(|pair| [&pair[size..], &pair[..size]].concat()).collect();
        assert_eq!(out[0], expected, "{ty}");
    }
}

#[test]
#[ignore = "needs clang-14"]
fn blocks_are_read_and_written_side_by_side() {
    let code = "
        %block = OpSubgroupBlockReadINTEL %v4uint %in
        %twice = OpIAdd %v4uint %block %block
        OpSubgroupBlockWriteINTEL %out %twice";
    let module = kernel("", "%p_uint %out, %p_uint %in", code).unwrap();
    let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
    let column: Vec<u32> = (0..128).collect();
    let args = [Arg::Buffer(vec![0; 512]), Arg::Buffer(bytes(&column))];
    let out = numbers::<u32>(&gpu.run(Launch::group(32), &args).unwrap()[0]);
    assert_eq!(out, column.iter().map(|value| value * 2).collect::<Vec<_>>());
    // Which element a lane gets shows in what it writes alone.
    let code = "
        %block = OpSubgroupBlockReadINTEL %v4uint %in
        %second = OpCompositeExtract %uint %block 1
        %at = OpPtrAccessChain %p_uint %out %l
        OpStore %at %second";
    let module = kernel("", "%p_uint %out, %p_uint %in", code).unwrap();
    let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
    let args = [Arg::Buffer(vec![0; 128]), Arg::Buffer(bytes(&column))];
    let out = numbers::<u32>(&gpu.run(Launch::group(32), &args).unwrap()[0]);
    assert_eq!(out, (32..64).collect::<Vec<_>>());
}

/// Only those that run here together take part.
#[test]
#[ignore = "needs clang-14"]
fn work_items_in_a_branch_ask_and_reduce_among_themselves() {
    let code = "
        %own.lane = OpLoad %uint %lane
        %low = OpULessThan %bool %own.lane %u_7
        OpSelectionMerge %end None
        OpBranchConditional %low %few %many
        %few = OpLabel
        %few.sum = OpGroupNonUniformIAdd %uint %subgroup InclusiveScan %v0
        OpBranch %end
        %many = OpLabel
        %odd = OpBitwiseAnd %uint %x %u_1
        %is.odd = OpIEqual %bool %odd %u_1
        %ballot = OpGroupNonUniformBallot %v4uint %subgroup %is.odd
        %bits = OpCompositeExtract %uint %ballot 0
        %elected = OpGroupNonUniformElect %bool %subgroup
        %flag = OpSelect %uint %elected %u_1 %u_0
        %many.sum = OpIAdd %uint %bits %flag
        OpBranch %end
        %end = OpLabel
        %r = OpPhi %uint %few.sum %few %many.sum %many";
    let module = elementwise("", &["%uint"], "%uint", code).unwrap();
    let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
    let column = mixed(32);
    let args = [Arg::Buffer(vec![0; 128]), Arg::Buffer(bytes(&column))];
    let out = numbers::<u32>(&gpu.run(Launch::group(32), &args).unwrap()[0]);
    let mut sum = 0_u32;
    let expected: Vec<u32> = (0..32_u32)
        .map(|lane| {
            if lane < 7 {
                sum = sum.wrapping_add(column[lane as usize]);
                return sum;
            }
            0xaaaa_aaaa & !0x7f | u32::from(lane == 7)
        })
        .collect();
    assert_eq!(out, expected);
}

#[test]
#[ignore = "needs clang-14"]
fn ballots_are_asked_for_bits() {
    let questions = [
        "%b = OpGroupNonUniformInverseBallot %bool %subgroup %v0.v\n%r = OpSelect %uint %b %u_1 %u_0",
        "%b = OpGroupNonUniformBallotBitExtract %bool %subgroup %v0.v %u_7\n%r = OpSelect %uint %b %u_1 %u_0",
        "%r = OpGroupNonUniformBallotBitCount %uint %subgroup Reduce %v0.v",
        "%r = OpGroupNonUniformBallotBitCount %uint %subgroup InclusiveScan %v0.v",
        "%r = OpGroupNonUniformBallotBitCount %uint %subgroup ExclusiveScan %v0.v",
        "%r = OpGroupNonUniformBallotFindLSB %uint %subgroup %v0.v",
        "%r = OpGroupNonUniformBallotFindMSB %uint %subgroup %v0.v",
    ];
    for (number, question) in questions.iter().enumerate() {
        let code = format!("%v0.v = OpCompositeConstruct %v4uint %v0 %u_0 %u_0 %u_0\n{question}");
        let module = elementwise("", &["%uint"], "%uint", &code).unwrap();
        let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
        let column: Vec<u32> = mixed(32).iter().map(|value| value | 0x80).collect();
        let args = [Arg::Buffer(vec![0; 128]), Arg::Buffer(bytes(&column))];
        let out = numbers::<u32>(&gpu.run(Launch::group(32), &args).unwrap()[0]);
        for (lane, (found, word)) in out.iter().zip(&column).enumerate() {
            let bits: Vec<usize> = (0..32).filter(|bit| word >> bit & 1 == 1).collect();
            let below = bits.iter().filter(|bit| **bit < lane).count();
            let expected = match number {
                0 => usize::from(bits.contains(&lane)),
                1 => usize::from(bits.contains(&7)),
                2 => bits.len(),
                3 => below + usize::from(bits.contains(&lane)),
                4 => below,
                5 => bits[0],
                _ => bits[bits.len() - 1],
            };
            assert_eq!(*found as usize, expected, "{question} of {word:#x} in lane {lane}");
        }
    }
}

/// Every second of 20 numbers is copied to local memory, and from there to every third place.
#[test]
#[ignore = "needs clang-14"]
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
