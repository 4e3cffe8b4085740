//! Tests of operations of work-groups and sub-groups: reductions, scans, votes, broadcasts, shuffles.
//!
//! A work-group consists of a whole sub-group and half of one.

use std::rc::Rc;

use dashu_base::Abs;
use dashu_int::IBig;

use super::entry::{Amount, Entry};
use super::integers::cut;
use crate::case::{Case, Input, Output};
use crate::expected::Expected;
use crate::inputs::{self, STEP};
use crate::number::{Format, Real, exact, power_of_two, whole};
use crate::types::{FLOATS, Scalar, UINT, integers};

const SUB_GROUP: usize = 32;

/// The operation of a reduction.
#[derive(Clone, Copy)]
enum Combine {
    Bits(fn(u64, u64) -> u64),
    /// An operation that depends on the type's signedness.
    Ordered(fn(IBig, IBig) -> IBig),
    Sum,
    Product,
    Least,
    Greatest,
}

/// A reduction, with the names of the instructions for whole groups and for the active work-items.
struct Reduction {
    whole: &'static str,
    there: &'static str,
    combine: Combine,
    signs: &'static [bool],
}

const fn integer(whole: &'static str, there: &'static str, of: fn(u64, u64) -> u64) -> Reduction {
    Reduction { whole, there, combine: Combine::Bits(of), signs: &[false] }
}

const REDUCTIONS: &[Reduction] = &[
    integer("OpGroupIAdd", "OpGroupNonUniformIAdd", u64::wrapping_add),
    integer("OpGroupIMulKHR", "OpGroupNonUniformIMul", u64::wrapping_mul),
    integer("OpGroupUMin", "OpGroupNonUniformUMin", |a, b| a.min(b)),
    integer("OpGroupUMax", "OpGroupNonUniformUMax", |a, b| a.max(b)),
    integer("OpGroupBitwiseAndKHR", "OpGroupNonUniformBitwiseAnd", |a, b| a & b),
    integer("OpGroupBitwiseOrKHR", "OpGroupNonUniformBitwiseOr", |a, b| a | b),
    integer("OpGroupBitwiseXorKHR", "OpGroupNonUniformBitwiseXor", |a, b| a ^ b),
    Reduction {
        whole: "OpGroupSMin",
        there: "OpGroupNonUniformSMin",
        combine: Combine::Ordered(IBig::min),
        signs: &[true],
    },
    Reduction {
        whole: "OpGroupSMax",
        there: "OpGroupNonUniformSMax",
        combine: Combine::Ordered(IBig::max),
        signs: &[true],
    },
    Reduction { whole: "OpGroupFAdd", there: "OpGroupNonUniformFAdd", combine: Combine::Sum, signs: &[] },
    Reduction {
        whole: "OpGroupFMulKHR",
        there: "OpGroupNonUniformFMul",
        combine: Combine::Product,
        signs: &[],
    },
    Reduction { whole: "OpGroupFMin", there: "OpGroupNonUniformFMin", combine: Combine::Least, signs: &[] },
    Reduction {
        whole: "OpGroupFMax",
        there: "OpGroupNonUniformFMax",
        combine: Combine::Greatest,
        signs: &[],
    },
];

/// The work-items that take part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Among {
    Group,
    SubGroup,
    There,
    Clusters,
}

const ALL: [(Among, &str); 4] = [
    (Among::Group, "of work-groups"),
    (Among::SubGroup, "of sub-groups"),
    (Among::There, "of sub-groups"),
    (Among::Clusters, "of clusters"),
];
const CLUSTER: usize = 8;

pub(crate) fn entries() -> impl Iterator<Item = Entry> {
    let reductions = REDUCTIONS.iter().flat_map(|row| {
        [("", row.whole), ("NonUniform", row.there)]
            .into_iter()
            .map(move |(kind, name)| Entry::new(name, move |amount| reductions(row, kind.is_empty(), amount)))
    });
    reductions.chain(MOVES.iter().map(|row| Entry::new(row.name, move |amount| moves(row, amount))))
}

fn reductions(row: &'static Reduction, is_whole: bool, amount: Amount) -> Vec<Case> {
    let types: Vec<Scalar> = match row.signs {
        [] => FLOATS.to_vec(),
        signs => integers().filter(|ty| signs.contains(&ty.is_signed())).collect(),
    };
    let among =
        ALL.into_iter().filter(|(among, _)| matches!(among, Among::Group | Among::SubGroup) == is_whole);
    let mut cases = Vec::new();
    for (among, words) in among {
        let parts: &[&str] = match among {
            Among::Clusters => &["ClusteredReduce"],
            _ => &["Reduce", "InclusiveScan", "ExclusiveScan"],
        };
        for part in parts {
            for ty in &types {
                cases.push(reduction(row, among, part, *ty, words, amount));
            }
        }
    }
    cases
}

fn reduction(row: &Reduction, among: Among, part: &str, ty: Scalar, words: &str, amount: Amount) -> Case {
    let bits = values(row, ty, amount);
    let width = match among {
        Among::Group => STEP,
        Among::Clusters => CLUSTER,
        _ => SUB_GROUP,
    };
    let mut expected = Vec::new();
    for group in bits.chunks(STEP).flat_map(|group| group.chunks(width)) {
        for at in 0..group.len() {
            let taken = match part {
                "InclusiveScan" => &group[..=at],
                "ExclusiveScan" => &group[..at],
                _ => group,
            };
            expected.push(combined(row, ty, taken));
        }
    }
    let name = if matches!(among, Among::Group | Among::SubGroup) { row.whole } else { row.there };
    let scope = if among == Among::Group { "%i_group" } else { "%i_subgroup" };
    let cluster = if among == Among::Clusters { format!(" %u_{CLUSTER}") } else { String::new() };
    let code = format!("%$r0 = {name} %{} {scope} {part} %$v0{cluster}\n", ty.id());
    case(&format!("{name} {part} {words}"), ty, bits, ty, expected, code)
}

fn case(
    function: &str,
    ty: Scalar,
    bits: Vec<u64>,
    result: Scalar,
    expected: Vec<Expected>,
    code: String,
) -> Case {
    Case {
        function: function.to_owned(),
        ty: ty.name().to_owned(),
        inputs: vec![Input { ty, lanes: 1, bits: Rc::new(bits) }],
        outputs: vec![Output { ty: result, lanes: 1, expected: Rc::new(expected), by_code: false }],
        declarations: String::new(),
        variables: String::new(),
        code,
        group: Some(STEP),
        bound: Some(0.0),
    }
}

/// Returns numbers that cannot overflow for sums and products, and otherwise any numbers except NaN.
fn values(row: &Reduction, ty: Scalar, amount: Amount) -> Vec<u64> {
    let bits = inputs::columns(&[ty], &[], amount.count.min(99), amount.seed).swap_remove(0);
    let Some(format) = ty.format() else { return bits };
    let limits = match row.combine {
        Combine::Sum => Some((-10, 8)),
        Combine::Product => Some((-1, 0)),
        _ => None,
    };
    let fits = |bits: &u64| {
        let value = format.value(*bits);
        match (limits, value.real()) {
            (None, _) => !value.is_nan(),
            (Some((least, most)), Some(real)) => {
                let size = exact(real).abs();
                size >= power_of_two(least) && size < power_of_two(most) * whole(3) * power_of_two(-1)
            }
            _ => false,
        }
    };
    let kept: Vec<u64> = bits.into_iter().filter(fits).collect();
    kept.iter().cycle().take(kept.len().next_multiple_of(STEP).max(STEP)).copied().collect()
}

fn combined(row: &Reduction, ty: Scalar, taken: &[u64]) -> Expected {
    match (row.combine, ty.format()) {
        (Combine::Bits(of), _) => {
            let identity = match row.whole {
                "OpGroupIMulKHR" => 1,
                "OpGroupUMin" | "OpGroupBitwiseAndKHR" => ty.mask(),
                _ => 0,
            };
            Expected::Bits(taken.iter().fold(identity, |sum, bits| of(sum, *bits)) & ty.mask())
        }
        (Combine::Ordered(of), _) => {
            let (least, greatest) = ty.range();
            let identity = IBig::from(if row.whole == "OpGroupSMin" { greatest } else { least });
            let all = taken.iter().map(|bits| IBig::from(ty.integer(*bits)));
            Expected::Bits(cut(&all.fold(identity, of), ty.bits()))
        }
        (combine, Some(format)) => of_floats(combine, format, taken),
        (_, None) => Expected::Any,
    }
}

fn of_floats(combine: Combine, format: Format, taken: &[u64]) -> Expected {
    let reals = || taken.iter().filter_map(|bits| format.value(*bits).real().map(exact));
    let steps = power_of_two(-(format.digits as isize)) * whole(2 * taken.len().max(1));
    match combine {
        Combine::Sum => {
            let real = reals().fold(Real::ZERO, |sum, x| sum + x);
            let size = reals().fold(Real::ZERO, |sum, x| sum + x.abs());
            Expected::Within { real, tolerance: size * steps }
        }
        Combine::Product => {
            let real = reals().fold(whole(1), |product, x| product * x);
            let tolerance = exact(&real).abs() * steps + power_of_two(format.least_unit() + 6);
            Expected::Within { real, tolerance }
        }
        _ => {
            let greatest = matches!(combine, Combine::Greatest);
            let order = |bits: &u64| {
                // Orders floating-point numbers like integers.
                let bits = *bits;
                let sign = format.zero(true);
                if bits & sign == 0 { i128::from(bits) } else { -i128::from(bits & !sign) }
            };
            let chosen = if greatest {
                taken.iter().max_by_key(|bits| order(bits))
            } else {
                taken.iter().min_by_key(|bits| order(bits))
            };
            match chosen {
                None => Expected::Bits(format.infinity(greatest)),
                // Either zero is right.
                Some(bits) if order(bits) == 0 => Expected::OneOf(vec![0, format.zero(true)]),
                Some(bits) => Expected::Bits(*bits),
            }
        }
    }
}

/// A move of values or a vote. In the code, `T` is the type and `S` the scope. `of` computes a work-item's result
/// from the values of its group and its index in the group.
struct Move {
    name: &'static str,
    code: &'static str,
    of_groups: bool,
    of: fn(&[u64], usize) -> Option<u64>,
    votes: bool,
}

const fn moved(name: &'static str, code: &'static str, of: fn(&[u64], usize) -> Option<u64>) -> Move {
    Move { name, code, of_groups: false, of, votes: false }
}

const fn vote(
    name: &'static str,
    code: &'static str,
    of_groups: bool,
    of: fn(&[u64], usize) -> Option<u64>,
) -> Move {
    Move { name, code, of_groups, of, votes: true }
}

fn all(group: &[u64], _: usize) -> Option<u64> {
    Some(group.iter().all(|bits| bits & 1 == 1).into())
}

fn any(group: &[u64], _: usize) -> Option<u64> {
    Some(group.iter().any(|bits| bits & 1 == 1).into())
}

fn ballot(group: &[u64]) -> u64 {
    group.iter().enumerate().map(|(at, bits)| (bits & 1) << at).sum()
}

fn equal(group: &[u64], _: usize) -> Option<u64> {
    Some(group.iter().all(|bits| Some(bits) == group.first()).into())
}

const MOVES: &[Move] = &[
    Move {
        of_groups: true,
        ..moved("OpGroupBroadcast", "%$r0 = OpGroupBroadcast T %i_group %$v0 %l_37\n", |group, _| {
            group.get(37).copied()
        })
    },
    moved(
        "OpGroupBroadcast of sub-groups",
        "%$r0 = OpGroupBroadcast T %i_subgroup %$v0 %u_5\n",
        |group, _| group.get(5).copied(),
    ),
    moved(
        "OpGroupNonUniformBroadcast",
        "%$r0 = OpGroupNonUniformBroadcast T %i_subgroup %$v0 %u_9\n",
        |group, _| group.get(9).copied(),
    ),
    moved(
        "OpGroupNonUniformBroadcastFirst",
        "%$r0 = OpGroupNonUniformBroadcastFirst T %i_subgroup %$v0\n",
        |group, _| group.first().copied(),
    ),
    moved(
        "OpGroupNonUniformShuffle",
        "%$r0 = OpGroupNonUniformShuffle T %i_subgroup %$v0 %u_3\n",
        |group, _| group.get(3).copied(),
    ),
    moved(
        "OpGroupNonUniformShuffleXor",
        "%$r0 = OpGroupNonUniformShuffleXor T %i_subgroup %$v0 %u_7\n",
        |group, at| group.get(at ^ 7).copied(),
    ),
    moved(
        "OpGroupNonUniformShuffleUp",
        "%$r0 = OpGroupNonUniformShuffleUp T %i_subgroup %$v0 %u_3\n",
        |group, at| group.get(at.checked_sub(3)?).copied(),
    ),
    moved(
        "OpGroupNonUniformShuffleDown",
        "%$r0 = OpGroupNonUniformShuffleDown T %i_subgroup %$v0 %u_3\n",
        |group, at| group.get(at + 3).copied(),
    ),
    moved(
        "OpGroupNonUniformRotateKHR",
        "%$r0 = OpGroupNonUniformRotateKHR T %i_subgroup %$v0 %u_5 %u_8\n",
        |group, at| group.get(at / 8 * 8 + (at + 5) % 8).copied(),
    ),
    moved(
        "OpGroupNonUniformQuadBroadcast",
        "%$r0 = OpGroupNonUniformQuadBroadcast T %i_subgroup %$v0 %u_2\n",
        |group, at| group.get(at / 4 * 4 + 2).copied(),
    ),
    moved(
        "OpGroupNonUniformQuadSwap",
        "%$r0 = OpGroupNonUniformQuadSwap T %i_subgroup %$v0 %u_2\n",
        |group, at| group.get(at ^ 3).copied(),
    ),
    vote("OpGroupAll", "%$b = OpGroupAll %bool %i_group %$c\n", true, all),
    vote("OpGroupAny", "%$b = OpGroupAny %bool %i_group %$c\n", true, any),
    vote("OpGroupAll of sub-groups", "%$b = OpGroupAll %bool %i_subgroup %$c\n", false, all),
    vote("OpGroupAny of sub-groups", "%$b = OpGroupAny %bool %i_subgroup %$c\n", false, any),
    vote("OpGroupNonUniformAll", "%$b = OpGroupNonUniformAll %bool %i_subgroup %$c\n", false, all),
    vote("OpGroupNonUniformAny", "%$b = OpGroupNonUniformAny %bool %i_subgroup %$c\n", false, any),
    vote(
        "OpGroupNonUniformAllEqual",
        "%$b = OpGroupNonUniformAllEqual %bool %i_subgroup %$v0\n",
        false,
        equal,
    ),
    vote("OpGroupNonUniformElect", "%$b = OpGroupNonUniformElect %bool %i_subgroup\n", false, |_, at| {
        Some((at == 0).into())
    }),
    vote(
        "OpGroupNonUniformInverseBallot",
        "%$m = OpGroupNonUniformBallot %v4uint %i_subgroup %$c\n%$b = OpGroupNonUniformInverseBallot %bool %i_subgroup %$m\n",
        false,
        |group, at| Some(group[at] & 1),
    ),
    moved(
        "OpGroupNonUniformBallot",
        "%$n = OpBitwiseAnd %uint %$v0 %u_1\n%$c = OpINotEqual %bool %$n %u_0\n\
         %$m = OpGroupNonUniformBallot %v4uint %i_subgroup %$c\n%$r0 = OpCompositeExtract %uint %$m 0\n",
        |group, _| Some(ballot(group)),
    ),
    moved(
        "OpGroupNonUniformBallotBitCount",
        "%$n = OpBitwiseAnd %uint %$v0 %u_1\n%$c = OpINotEqual %bool %$n %u_0\n\
         %$m = OpGroupNonUniformBallot %v4uint %i_subgroup %$c\n\
         %$r0 = OpGroupNonUniformBallotBitCount %uint %i_subgroup InclusiveScan %$m\n",
        |group, at| Some(ballot(&group[..=at]).count_ones().into()),
    ),
    moved(
        "OpGroupNonUniformBallotFindLSB",
        "%$n = OpBitwiseAnd %uint %$v0 %u_1\n%$c = OpINotEqual %bool %$n %u_0\n\
         %$m = OpGroupNonUniformBallot %v4uint %i_subgroup %$c\n%$r0 = OpGroupNonUniformBallotFindLSB %uint %i_subgroup %$m\n",
        |group, _| (ballot(group) != 0).then(|| ballot(group).trailing_zeros().into()),
    ),
    moved(
        "OpGroupNonUniformBallotFindMSB",
        "%$n = OpBitwiseAnd %uint %$v0 %u_1\n%$c = OpINotEqual %bool %$n %u_0\n\
         %$m = OpGroupNonUniformBallot %v4uint %i_subgroup %$c\n%$r0 = OpGroupNonUniformBallotFindMSB %uint %i_subgroup %$m\n",
        |group, _| (ballot(group) != 0).then(|| (63 - ballot(group).leading_zeros()).into()),
    ),
];

fn moves(row: &'static Move, amount: Amount) -> Vec<Case> {
    let types: Vec<Scalar> = match row.votes || row.name.contains("Ballot") {
        true => vec![UINT],
        false => integers().filter(|ty| !ty.is_signed()).chain(FLOATS).collect(),
    };
    types.into_iter().map(|ty| one_move(row, ty, amount)).collect()
}

fn one_move(row: &Move, ty: Scalar, amount: Amount) -> Case {
    let mut bits = inputs::columns(&[ty], &[], amount.count.min(99), amount.seed).swap_remove(0);
    if row.votes {
        // Groups in which all work-items vote yes, and groups in which all vote no.
        bits.extend(vec![1; STEP]);
        bits.extend(vec![2; STEP]);
    }
    let width = if row.of_groups { STEP } else { SUB_GROUP };
    let mut expected = Vec::new();
    for group in bits.chunks(STEP).flat_map(|group| group.chunks(width)) {
        for at in 0..group.len() {
            expected.push(match (row.of)(group, at) {
                Some(bits) if ty.format().is_some_and(|format| format.is_nan(bits)) => Expected::Nan,
                Some(bits) => Expected::Bits(bits),
                None => Expected::Any,
            });
        }
    }
    let code = match row.votes {
        true => format!(
            "%$n = OpBitwiseAnd %uint %$v0 %u_1\n%$c = OpINotEqual %bool %$n %u_0\n{}%$r0 = OpSelect %uint %$b %u_1 %u_0\n",
            row.code
        ),
        false => row.code.replace(" T ", &format!(" %{} ", ty.id())),
    };
    case(row.name, ty, bits, ty, expected, code)
}
