//! Collectives of work-groups and operations of sub-groups of one, of every kind and type. A kernel combines the results
//! of several operations by a polynomial, which is computed exactly here.

use sycl_pi_image::spirv::{Collectives, Needs, SubGroups};
use testing_legalize::{ITEMS, kernel};

use crate::host::Host;

const PARTS: [&str; 3] = ["Reduce", "InclusiveScan", "ExclusiveScan"];
const TYPES: [(&str, u32); 4] = [("%uchar", 8), ("%ushort", 16), ("%uint", 32), ("%ulong", 64)];
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Capabilities that operations of sub-groups need.
const OF_SUB_GROUPS: &str = r#"
    OpCapability SubgroupDispatch
    OpCapability GroupNonUniform
    OpCapability GroupNonUniformVote
    OpCapability GroupNonUniformArithmetic
    OpCapability GroupNonUniformBallot
    OpCapability GroupNonUniformShuffle
    OpCapability GroupNonUniformShuffleRelative
    OpCapability GroupNonUniformRotateKHR
    OpCapability SubgroupBallotKHR
    OpCapability SubgroupVoteKHR
    OpCapability SubgroupShuffleINTEL
    OpExtension "SPV_KHR_subgroup_rotate"
    OpExtension "SPV_KHR_shader_ballot"
    OpExtension "SPV_KHR_subgroup_vote"
    OpExtension "SPV_INTEL_subgroups"
"#;

const DECLARATIONS: &str = r#"
    OpCapability Groups
    OpCapability Int16
    OpCapability Float64
    OpCapability GroupUniformArithmeticKHR
    OpExtension "SPV_KHR_uniform_group_instructions"
    %ushort = OpTypeInt 16 0
    %double = OpTypeFloat 64
    %v2uint = OpTypeVector %uint 2
    %l_0 = OpConstant %ulong 0
    %l_1 = OpConstant %ulong 1
    %l_31 = OpConstant %ulong 31
    %l_32 = OpConstant %ulong 32
    %factor = OpConstant %ulong 0x9e3779b97f4a7c15
    %u_17 = OpConstant %uint 17
    %u_64 = OpConstant %uint 64
    %u_100 = OpConstant %uint 100
    %u_ffff = OpConstant %uint 0xffff
    %u_8000 = OpConstant %uint 0x8000
    %f_half = OpConstant %float 0.5
    %f_2 = OpConstant %float 2
"#;

/// The code of a kernel, whose results are combined one after the other.
struct Code {
    text: String,
    sums: usize,
}

impl Code {
    /// Starts with the work-item's number `%n`, from 1, and `%mixed`, which has bits at all places.
    fn new() -> Self {
        let text = "
            %from = OpInBoundsPtrAccessChain %p_uint %in %l
            %n = OpLoad %uint %from Aligned 4
            %n.l = OpUConvert %ulong %n
            %mixed = OpIMul %ulong %n.l %factor
            %w8 = OpUConvert %uchar %mixed
            %w16 = OpUConvert %ushort %mixed
            %w32 = OpUConvert %uint %mixed
            %w64 = OpCopyObject %ulong %mixed
            %odd.bit = OpBitwiseAnd %uint %n %u_1
            %odd = OpIEqual %bool %odd.bit %u_1
            %sum0 = OpCopyObject %ulong %l_0\n";
        Self { text: text.to_owned(), sums: 0 }
    }

    /// Adds the result of an operation. `to_long` is the instruction that makes it a `ulong`, without its operand.
    fn add(&mut self, operation: &str, to_long: &str) {
        let (before, sum) = (self.sums, self.sums + 1);
        self.sums = sum;
        self.text += &format!(
            "%r{sum} = {operation}
             %wide{sum} = {to_long} %r{sum}
             %scaled{sum} = OpIMul %ulong %sum{before} %l_31
             %sum{sum} = OpIAdd %ulong %scaled{sum} %wide{sum}\n"
        );
    }

    fn add_word(&mut self, operation: &str) {
        self.add(operation, "OpUConvert %ulong");
    }

    fn add_truth(&mut self, operation: &str) {
        let at = self.sums;
        self.text += &format!("%truth{at} = {operation}\n");
        self.add_word(&format!("OpSelect %uint %truth{at} %u_1 %u_0"));
    }

    /// Adds both components of a vector.
    fn add_pair(&mut self, operation: &str) {
        let at = self.sums;
        self.text += &format!("%pair{at} = {operation}\n");
        self.add_word(&format!("OpCompositeExtract %uint %pair{at} 0"));
        self.add_word(&format!("OpCompositeExtract %uint %pair{at} 1"));
    }

    /// Adds a floating-point number by its bits.
    fn add_float(&mut self, operation: &str, double: bool) {
        let at = self.sums;
        self.text += &format!("%float{at} = {operation}\n");
        match double {
            true => self.add(&format!("OpBitcast %ulong %float{at}"), "OpCopyObject %ulong"),
            false => self.add_word(&format!("OpBitcast %uint %float{at}")),
        }
    }

    fn module(&self, declarations: &str) -> Vec<u8> {
        let code = format!(
            "{}
             %upper = OpShiftRightLogical %ulong %sum{sums} %l_32
             %both = OpBitwiseXor %ulong %upper %sum{sums}
             %result = OpUConvert %uint %both
             %to = OpInBoundsPtrAccessChain %p_uint %out %l
             OpStore %to %result Aligned 4",
            self.text,
            sums = self.sums
        );
        kernel(&format!("{DECLARATIONS}\n{declarations}"), "%p_uint %in, %p_uint %out", &code).unwrap()
    }
}

/// Returns what a kernel writes: the columns have a result of an operation for each work-item.
fn combined(columns: &[Vec<u64>]) -> Vec<u32> {
    let of = |item: usize| {
        columns.iter().fold(0_u64, |sum, column| sum.wrapping_mul(31).wrapping_add(column[item]))
    };
    (0..ITEMS as usize).map(|item| (of(item) >> 32 ^ of(item)) as u32).collect()
}

/// Returns the results of one of `PARTS` over groups of that many work-items.
fn scanned<T: Copy>(
    column: &[T],
    group: usize,
    part: &str,
    identity: T,
    combine: impl Fn(T, T) -> T,
) -> Vec<T> {
    let of = |members: &[T]| -> Vec<T> {
        let up_to = |end: usize| members[..end].iter().fold(identity, |sum, value| combine(sum, *value));
        (0..members.len())
            .map(|at| match part {
                "Reduce" => up_to(members.len()),
                "InclusiveScan" => up_to(at + 1),
                _ => up_to(at),
            })
            .collect()
    };
    column.chunks(group).flat_map(of).collect()
}

/// Where operations take place: the name of the scope, how many work-items take part, and the driver's needs.
struct Place {
    scope: &'static str,
    declarations: &'static str,
    group: usize,
    needs: Needs,
}

fn places(host: &Host) -> [Place; 2] {
    let needs = Needs { most_items: host.facts.most_items, ..Needs::default() };
    [
        Place {
            scope: "%group",
            declarations: "",
            group: ITEMS as usize,
            needs: Needs { collectives: Collectives::ThroughLocalMemory, ..needs },
        },
        Place {
            scope: "%subgroup",
            declarations: OF_SUB_GROUPS,
            group: 1,
            needs: Needs { sub_groups: SubGroups::One, ..needs },
        },
    ]
}

fn check(host: &Host, code: &Code, place: &Place, expected: &[Vec<u64>], what: &str) {
    let found = host.results(&code.module(place.declarations), &place.needs, &ITEMS.to_string(), &[]);
    assert_eq!(found, Ok(combined(expected)), "{what} in a {}", place.scope);
}

fn numbers() -> impl Iterator<Item = u64> {
    1..=u64::from(ITEMS)
}

fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

fn signed(value: u64, bits: u32) -> i64 {
    value.cast_signed() << (64 - bits)
}

type Identity = fn(u32) -> u64;
type Combine = fn(u64, u64, u32) -> u64;

/// The operations on integers with their identities, which SPIR-V gives, by the number of bits.
const INTEGERS: [(&str, &str, Identity, Combine); 9] = [
    ("OpGroupIAdd", "IAdd", |_| 0, |a, b, _| a.wrapping_add(b)),
    ("OpGroupIMulKHR", "IMul", |_| 1, |a, b, _| a.wrapping_mul(b)),
    ("OpGroupUMin", "UMin", mask, |a, b, _| a.min(b)),
    ("OpGroupUMax", "UMax", |_| 0, |a, b, _| a.max(b)),
    (
        "OpGroupSMin",
        "SMin",
        |bits| mask(bits) >> 1,
        |a, b, bits| if signed(a, bits) < signed(b, bits) { a } else { b },
    ),
    (
        "OpGroupSMax",
        "SMax",
        |bits| 1 << (bits - 1),
        |a, b, bits| if signed(a, bits) > signed(b, bits) { a } else { b },
    ),
    ("OpGroupBitwiseAndKHR", "BitwiseAnd", mask, |a, b, _| a & b),
    ("OpGroupBitwiseOrKHR", "BitwiseOr", |_| 0, |a, b, _| a | b),
    ("OpGroupBitwiseXorKHR", "BitwiseXor", |_| 0, |a, b, _| a ^ b),
];

#[test]
#[ignore = "needs Intel's CPU runtime: cargo xtask env --driver intel-current -- TEST --ignored"]
fn integers_of_every_size_are_reduced_and_scanned() {
    let Some(host) = Host::without_needs() else { return };
    for place in places(&host) {
        for (name, non_uniform, identity, combine) in INTEGERS {
            let non_uniform = format!("OpGroupNonUniform{non_uniform}");
            let names = if place.group == 1 { vec![name, &non_uniform] } else { vec![name] };
            let (mut code, mut expected) = (Code::new(), Vec::new());
            for (name, part) in names.iter().flat_map(|name| PARTS.map(|part| (name, part))) {
                let mut expect = |bits: u32, column: Vec<u64>| {
                    let combine = |a, b| combine(a, b, bits) & mask(bits);
                    expected.push(scanned(&column, place.group, part, identity(bits), combine));
                };
                for (kind, bits) in TYPES {
                    let to_long = if bits == 64 { "OpCopyObject %ulong" } else { "OpUConvert %ulong" };
                    code.add(&format!("{name} {kind} {} {part} %w{bits}", place.scope), to_long);
                    expect(bits, numbers().map(|n| n.wrapping_mul(FACTOR) & mask(bits)).collect());
                }
                let vector = format!("%v{}", code.sums);
                code.text += &format!("{vector} = OpCompositeConstruct %v2uint %n %w32\n");
                code.add_pair(&format!("{name} %v2uint {} {part} {vector}", place.scope));
                expect(32, numbers().collect());
                expect(32, numbers().map(|n| n.wrapping_mul(FACTOR) & mask(32)).collect());
            }
            check(&host, &code, &place, &expected, name);
        }
    }
}

/// All results are exact in `float`.
#[test]
#[ignore = "needs Intel's CPU runtime: cargo xtask env --driver intel-current -- TEST --ignored"]
fn floats_of_every_size_are_reduced_and_scanned() {
    type Combine = fn(f64, f64) -> f64;
    let operations: [(&str, &str, f64, Combine); 4] = [
        ("OpGroupFAdd", "FAdd", 0.0, |a, b| a + b),
        ("OpGroupFMulKHR", "FMul", 1.0, |a, b| a * b),
        ("OpGroupFMin", "FMin", f64::INFINITY, f64::min),
        ("OpGroupFMax", "FMax", f64::NEG_INFINITY, f64::max),
    ];
    let Some(host) = Host::without_needs() else { return };
    for place in places(&host) {
        for (name, non_uniform, identity, combine) in operations {
            let is_product = non_uniform == "FMul";
            let non_uniform = format!("OpGroupNonUniform{non_uniform}");
            let names = if place.group == 1 { vec![name, &non_uniform] } else { vec![name] };
            let (mut code, mut expected) = (Code::new(), Vec::new());
            code.text += match is_product {
                true => "%f = OpSelect %float %odd %f_2 %f_half\n",
                false => {
                    "%part = OpBitwiseAnd %uint %w32 %u_ffff
                     %moved = OpISub %uint %part %u_8000
                     %f = OpConvertSToF %float %moved\n"
                }
            };
            code.text += "%d = OpFConvert %double %f\n";
            let column: Vec<f64> = numbers()
                .map(|n| match is_product {
                    true => [0.5, 2.0][n as usize % 2],
                    false => (n.wrapping_mul(FACTOR) & 0xffff) as f64 - 32768.0,
                })
                .collect();
            for (name, part) in names.iter().flat_map(|name| PARTS.map(|part| (name, part))) {
                let results = scanned(&column, place.group, part, identity, combine);
                code.add_float(&format!("{name} %float {} {part} %f", place.scope), false);
                expected.push(results.iter().map(|value| (*value as f32).to_bits().into()).collect());
                code.add_float(&format!("{name} %double {} {part} %d", place.scope), true);
                expected.push(results.iter().map(|value| value.to_bits()).collect());
            }
            check(&host, &code, &place, &expected, name);
        }
    }
}

#[test]
#[ignore = "needs Intel's CPU runtime: cargo xtask env --driver intel-current -- TEST --ignored"]
fn truths_are_reduced_scanned_and_voted_on() {
    type Combine = fn(bool, bool) -> bool;
    type Truth = fn(u64) -> bool;
    let operations: [(&str, &str, bool, Combine); 3] = [
        ("OpGroupLogicalAndKHR", "LogicalAnd", true, |a, b| a & b),
        ("OpGroupLogicalOrKHR", "LogicalOr", false, |a, b| a | b),
        ("OpGroupLogicalXorKHR", "LogicalXor", false, |a, b| a ^ b),
    ];
    let votes: [(&str, bool, Combine); 2] = [("All", true, |a, b| a & b), ("Any", false, |a, b| a | b)];
    let truths: [(&str, Truth); 5] = [
        ("%odd", |n| n % 2 == 1),
        ("%is.one", |n| n == 17),
        ("%is.other", |n| n != 17),
        ("%always", |_| true),
        ("%never", |_| false),
    ];
    let Some(host) = Host::without_needs() else { return };
    for place in places(&host) {
        let (mut code, mut expected) = (Code::new(), Vec::new());
        code.text += "%is.one = OpIEqual %bool %n %u_17
                      %is.other = OpINotEqual %bool %n %u_17
                      %always = OpULessThanEqual %bool %n %u_64
                      %never = OpUGreaterThan %bool %n %u_64\n";
        for (truth, of) in truths {
            let column: Vec<bool> = numbers().map(of).collect();
            let mut expect = |part, identity, combine: Combine| {
                let results = scanned(&column, place.group, part, identity, combine);
                expected.push(results.into_iter().map(u64::from).collect());
            };
            for (name, non_uniform, identity, combine) in operations {
                for part in PARTS {
                    code.add_truth(&format!("{name} %bool {} {part} {truth}", place.scope));
                    expect(part, identity, combine);
                    if place.group == 1 {
                        code.add_truth(&format!(
                            "OpGroupNonUniform{non_uniform} %bool %subgroup {part} {truth}"
                        ));
                        expect(part, identity, combine);
                    }
                }
            }
            for (name, identity, combine) in votes {
                code.add_truth(&format!("OpGroup{name} %bool {} {truth}", place.scope));
                expect("Reduce", identity, combine);
                if place.group == 1 {
                    for operation in [
                        format!("OpGroupNonUniform{name} %bool %subgroup {truth}"),
                        format!("OpSubgroup{name}KHR %bool {truth}"),
                    ] {
                        code.add_truth(&operation);
                        expect("Reduce", identity, combine);
                    }
                }
            }
        }
        check(&host, &code, &place, &expected, "truths");
    }
}

/// A work-item alone reads its own value, whatever it asks for.
#[test]
#[ignore = "needs Intel's CPU runtime: cargo xtask env --driver intel-current -- TEST --ignored"]
fn a_work_item_alone_reads_its_own_value() {
    let Some(host) = Host::without_needs() else { return };
    let [_, place] = places(&host);
    type Result = fn(u64) -> u64;
    let words: [(&str, Result); 20] = [
        ("OpSubgroupShuffleINTEL %uint %n %u_0", |n| n),
        ("OpSubgroupShuffleXorINTEL %uint %n %u_0", |n| n),
        ("OpSubgroupShuffleDownINTEL %uint %n %u_100 %u_0", |n| n),
        ("OpSubgroupShuffleDownINTEL %uint %n %u_100 %u_1", |_| 100),
        ("OpSubgroupShuffleUpINTEL %uint %u_100 %n %u_0", |n| n),
        ("OpSubgroupShuffleUpINTEL %uint %u_100 %n %u_1", |_| 100),
        ("OpSubgroupReadInvocationKHR %uint %n %u_0", |n| n),
        ("OpSubgroupFirstInvocationKHR %uint %n", |n| n),
        ("OpGroupBroadcast %uint %subgroup %n %u_0", |n| n),
        ("OpGroupNonUniformBroadcast %uint %subgroup %n %u_0", |n| n),
        ("OpGroupNonUniformBroadcastFirst %uint %subgroup %n", |n| n),
        ("OpGroupNonUniformShuffle %uint %subgroup %n %u_0", |n| n),
        ("OpGroupNonUniformShuffleXor %uint %subgroup %n %u_0", |n| n),
        ("OpGroupNonUniformShuffleUp %uint %subgroup %n %u_0", |n| n),
        ("OpGroupNonUniformShuffleDown %uint %subgroup %n %u_0", |n| n),
        ("OpGroupNonUniformRotateKHR %uint %subgroup %n %u_7", |n| n),
        ("OpGroupNonUniformBallotBitCount %uint %subgroup Reduce %own", |n| n % 2),
        ("OpGroupNonUniformBallotBitCount %uint %subgroup InclusiveScan %own", |n| n % 2),
        ("OpGroupNonUniformBallotBitCount %uint %subgroup ExclusiveScan %own", |_| 0),
        ("OpGroupNonUniformBallotFindLSB %uint %subgroup %first", |_| 0),
    ];
    let truths: [(&str, Result); 5] = [
        ("OpGroupNonUniformElect %bool %subgroup", |_| 1),
        ("OpGroupNonUniformAllEqual %bool %subgroup %n", |_| 1),
        ("OpSubgroupAllEqualKHR %bool %odd", |_| 1),
        ("OpGroupNonUniformInverseBallot %bool %subgroup %own", |n| n % 2),
        ("OpGroupNonUniformBallotBitExtract %bool %subgroup %own %u_0", |n| n % 2),
    ];
    // Their first words. All others are 0.
    let vectors: [(&str, Result); 7] = [
        ("OpSubgroupBallotKHR %v4uint %odd", |n| n % 2),
        ("OpGroupNonUniformBallot %v4uint %subgroup %odd", |n| n % 2),
        ("OpLoad %v4uint %SubgroupEqMask", |_| 1),
        ("OpLoad %v4uint %SubgroupGeMask", |_| 1),
        ("OpLoad %v4uint %SubgroupLeMask", |_| 1),
        ("OpLoad %v4uint %SubgroupGtMask", |_| 0),
        ("OpLoad %v4uint %SubgroupLtMask", |_| 0),
    ];
    let built_ins: [(&str, &str, Result); 6] = [
        ("SubgroupSize", "%uint", |_| 1),
        ("SubgroupMaxSize", "%uint", |_| 1),
        ("NumSubgroups", "%uint", |_| ITEMS.into()),
        ("NumEnqueuedSubgroups", "%uint", |_| ITEMS.into()),
        ("SubgroupId", "%uint", |n| n - 1),
        ("SubgroupLocalInvocationId", "%uint", |_| 0),
    ];
    let (mut code, mut expected) = (Code::new(), Vec::new());
    code.text += "%own = OpCompositeConstruct %v4uint %n %u_7 %u_7 %u_7
                  %first = OpCompositeConstruct %v4uint %u_1 %u_0 %u_0 %u_0\n";
    let mut expect = |of: Result| expected.push(numbers().map(of).collect());
    for (operation, of) in words {
        code.add_word(operation);
        expect(of);
    }
    for (operation, of) in truths {
        code.add_truth(operation);
        expect(of);
    }
    let mut declarations = format!("{OF_SUB_GROUPS}\n%p_in_v4uint = OpTypePointer Input %v4uint\n");
    for (operation, of) in vectors {
        if let Some(name) = operation.strip_prefix("OpLoad %v4uint %") {
            declarations +=
                &format!("%{name} = OpVariable %p_in_v4uint Input\nOpDecorate %{name} BuiltIn {name}\n");
        }
        let vector = format!("%vector{}", code.sums);
        code.text += &format!("{vector} = {operation}\n");
        let parts: [Result; 4] = [of, |_| 0, |_| 0, |_| 0];
        for (at, of) in parts.into_iter().enumerate() {
            code.add_word(&format!("OpCompositeExtract %uint {vector} {at}"));
            expect(of);
        }
    }
    for (name, kind, of) in built_ins {
        declarations +=
            &format!("%{name} = OpVariable %p_in_uint Input\nOpDecorate %{name} BuiltIn {name}\n");
        code.add_word(&format!("OpLoad {kind} %{name}"));
        expect(of);
    }
    let found = host.results(&code.module(&declarations), &place.needs, &ITEMS.to_string(), &[]);
    assert_eq!(found, Ok(combined(&expected)));
}

/// Values of several types of the work-item with the id (2, 1, 3), or (2, 1), in a group of three or two dimensions.
#[test]
#[ignore = "needs Intel's CPU runtime: cargo xtask env --driver intel-current -- TEST --ignored"]
fn a_broadcast_takes_the_work_item_of_that_id() {
    let Some(host) = Host::without_needs() else { return };
    let [place, _] = places(&host);
    let declarations = format!(
        "{DECLARATIONS}
         %v2ulong = OpTypeVector %ulong 2
         %l_2 = OpConstant %ulong 2
         %l_3 = OpConstant %ulong 3
         %l_4 = OpConstant %ulong 4
         %at.3 = OpConstantComposite %v3ulong %l_2 %l_1 %l_3
         %at.2 = OpConstantComposite %v2ulong %l_2 %l_1"
    );
    for (shape, rows, at, number) in
        [("4x2x8", 2, "%at.3", 2 + 4 * (1 + 2 * 3)), ("4x16x1", 16, "%at.2", 2 + 4)]
    {
        let declarations = format!("{declarations}\n%rows = OpConstant %ulong {rows}");
        let code = format!(
            "%y.l = OpCompositeExtract %ulong %k.id 1
             %z.l = OpCompositeExtract %ulong %k.id 2
             %planes = OpIMul %ulong %z.l %rows
             %line = OpIAdd %ulong %planes %y.l
             %before = OpIMul %ulong %line %l_4
             %own = OpIAdd %ulong %before %l
             %word = OpUConvert %uint %own
             %float.own = OpConvertUToF %float %word
             %byte = OpUConvert %uchar %own
             %mixed = OpIMul %ulong %own %factor
             %pair = OpCompositeConstruct %v2uint %word %u_7
             %a = OpGroupBroadcast %uint %group %word {at}
             %b.float = OpGroupBroadcast %float %group %float.own {at}
             %b = OpConvertFToU %uint %b.float
             %c.byte = OpGroupBroadcast %uchar %group %byte {at}
             %c = OpUConvert %uint %c.byte
             %d.long = OpGroupBroadcast %ulong %group %mixed {at}
             %d.upper = OpShiftRightLogical %ulong %d.long %l_32
             %d = OpUConvert %uint %d.upper
             %e.pair = OpGroupBroadcast %v2uint %group %pair {at}
             %e.0 = OpCompositeExtract %uint %e.pair 0
             %e.1 = OpCompositeExtract %uint %e.pair 1
             %e = OpIMul %uint %e.0 %e.1
             %ab = OpIAdd %uint %a %b
             %abc = OpIAdd %uint %ab %c
             %abcd = OpIAdd %uint %abc %d
             %result = OpIAdd %uint %abcd %e
             %to = OpInBoundsPtrAccessChain %p_uint %out %own
             OpStore %to %result Aligned 4"
        );
        let module = kernel(&declarations, "%p_uint %in, %p_uint %out", &code).unwrap();
        let long = (u64::from(number).wrapping_mul(FACTOR) >> 32) as u32;
        let expected = (3_u32 * number).wrapping_add(long).wrapping_add(7 * number);
        let found = host.results(&module, &place.needs, shape, &[]);
        assert_eq!(found, Ok(vec![expected; ITEMS as usize]), "{shape}");
    }
}
