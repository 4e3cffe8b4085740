//! Tests of functions of OpenCL.std on memory, and of those that only move values: vectors at any scalar's address,
//! `half` in memory, shuffles.

use std::rc::Rc;

use super::conversions::float_from;
use super::entry::{Amount, Entry};
use crate::case::{Case, Input, Output};
use crate::expected::Expected;
use crate::inputs;
use crate::number::{DOUBLE, FLOAT, HALF, Rounding};
use crate::types::{FLOATS, Scalar, UINT, integers, type_id};

const HALVES: Scalar = Scalar::Float(HALF);
const MODES: [(&str, Rounding); 4] = [
    ("RTE", Rounding::NearestEven),
    ("RTZ", Rounding::TowardsZero),
    ("RTP", Rounding::Up),
    ("RTN", Rounding::Down),
];

pub(crate) fn entries() -> impl Iterator<Item = Entry> {
    let half = |name: &'static str, is_aligned| {
        Entry::new(name, move |amount| loads_of_half(name, is_aligned, amount))
    };
    let stores = [
        "vstore_half",
        "vstore_half_r",
        "vstore_halfn",
        "vstore_halfn_r",
        "vstorea_halfn",
        "vstorea_halfn_r",
    ];
    [
        Entry::new("vloadn", |amount| vectors("vloadn", amount)),
        Entry::new("vstoren", |amount| vectors("vstoren", amount)),
        half("vload_half", false),
        half("vload_halfn", false),
        half("vloada_halfn", true),
        Entry::new("shuffle", |amount| shuffles("shuffle", amount)),
        Entry::new("shuffle2", |amount| shuffles("shuffle2", amount)),
        Entry::new("prefetch", prefetch),
        Entry::new("printf", printf),
    ]
    .into_iter()
    .chain(stores.map(|name| Entry::new(name, move |amount| stores_of_half(name, amount))))
}

fn column(ty: Scalar, amount: Amount) -> Vec<u64> {
    inputs::columns(&[ty], &[], amount.count.min(99), amount.seed).swap_remove(0)
}

fn case(function: &str, ty: Scalar, inputs: Vec<Input>, output: Output, code: String) -> Case {
    Case {
        function: function.to_owned(),
        ty: ty.name().to_owned(),
        inputs,
        outputs: vec![output],
        declarations: String::new(),
        variables: String::new(),
        code,
        group: None,
        bound: Some(0.0),
    }
}

/// Expects the same bits, except for NaN.
fn same(ty: Scalar, bits: u64) -> Expected {
    if ty.format().is_some_and(|format| format.is_nan(bits)) { Expected::Nan } else { Expected::Bits(bits) }
}

fn vectors(name: &'static str, amount: Amount) -> Vec<Case> {
    let types = integers().filter(|ty| !ty.is_signed()).chain(FLOATS).enumerate();
    let all = types
        .flat_map(|(number, ty)| amount.widths(number).into_iter().skip(1).map(move |lanes| (ty, lanes)));
    all.map(|(ty, lanes)| {
        let bits = column(ty, amount);
        let expected = bits.iter().map(|bits| same(ty, *bits)).collect();
        let input = Input { ty, lanes, bits: Rc::new(bits) };
        let is_store = name == "vstoren";
        let output = Output { ty, lanes, expected: Rc::new(expected), by_code: is_store };
        let code = match is_store {
            true => format!("%$s = OpExtInst %void %cl {name} %$v0 %$g %$out0\n"),
            false => format!("%$r0 = OpExtInst {} %cl {name} %$g %$in0 {lanes}\n", type_id(ty, lanes)),
        };
        case(name, ty, vec![input], output, code)
    })
    .collect()
}

/// Returns the number of scalars that a vector occupies. Aligned vectors of three occupy four.
fn room(lanes: usize, is_aligned: bool) -> usize {
    if is_aligned && lanes == 3 { 4 } else { lanes }
}

fn widths(name: &str, amount: Amount) -> Vec<usize> {
    if name.contains("halfn") {
        amount.widths(1).into_iter().chain([3, 16]).filter(|lanes| *lanes > 1).collect()
    } else {
        vec![1]
    }
}

fn loads_of_half(name: &'static str, is_aligned: bool, amount: Amount) -> Vec<Case> {
    let load = |lanes: usize| {
        let (bits, stride) = (column(HALVES, amount), room(lanes, is_aligned));
        let ty = Scalar::Float(FLOAT);
        let used = bits.iter().enumerate().filter(|(at, _)| at % stride < lanes);
        let expected =
            used.map(|(_, bits)| float_from(&HALF.value(*bits), FLOAT, Rounding::NearestEven)).collect();
        let count = if lanes > 1 { format!(" {lanes}") } else { String::new() };
        let code = format!("%$r0 = OpExtInst {} %cl {name} %$g %$in0{count}\n", type_id(ty, lanes));
        let input = Input { ty: HALVES, lanes: stride, bits: Rc::new(bits) };
        case(name, ty, vec![input], Output { ty, lanes, expected: Rc::new(expected), by_code: false }, code)
    };
    widths(name, amount).into_iter().map(load).collect()
}

fn stores_of_half(name: &'static str, amount: Amount) -> Vec<Case> {
    let modes: Vec<(&str, Rounding)> =
        if name.ends_with("_r") { MODES.to_vec() } else { vec![("", Rounding::NearestEven)] };
    let sources = [FLOAT, DOUBLE].into_iter().flat_map(|from| modes.iter().map(move |mode| (from, *mode)));
    let all = sources.flat_map(|way| widths(name, amount).into_iter().map(move |lanes| (way, lanes)));
    all.map(|((from, (mode, rounding)), lanes)| {
        let ty = Scalar::Float(from);
        let (bits, stride) = (column(ty, amount), room(lanes, name.starts_with("vstorea")));
        let mut expected = Vec::new();
        for item in bits.chunks(lanes) {
            expected.extend(item.iter().map(|bits| float_from(&from.value(*bits), HALF, rounding)));
            expected.extend(vec![Expected::Any; stride - lanes]);
        }
        let code = format!("%$s = OpExtInst %void %cl {name} %$v0 %$g %$out0 {mode}\n");
        let input = Input { ty, lanes, bits: Rc::new(bits) };
        let output = Output { ty: HALVES, lanes: stride, expected: Rc::new(expected), by_code: true };
        case(name, ty, vec![input], output, code)
    })
    .collect()
}

fn shuffles(name: &'static str, amount: Amount) -> Vec<Case> {
    let types = integers().filter(|ty| !ty.is_signed()).chain(FLOATS).enumerate();
    let sizes = |number: usize| match amount.is_sample {
        true => vec![([2, 4, 8, 16][number % 4], [4, 2, 16, 8][number % 4])],
        false => [2, 4, 8, 16].into_iter().flat_map(|from| [2, 4, 8, 16].map(|to| (from, to))).collect(),
    };
    let all = types.flat_map(|(number, ty)| sizes(number).into_iter().map(move |sizes| (ty, sizes)));
    all.map(|(ty, (from, to))| shuffle(name, ty, [from, to], amount)).collect()
}

/// In each number of the mask, only the bits needed to select a scalar count.
fn shuffle(name: &str, ty: Scalar, [from, to]: [usize; 2], amount: Amount) -> Case {
    let sources = if name == "shuffle2" { 2 } else { 1 };
    let mask_type = Scalar::Int { bits: ty.bits(), signed: false };
    let items = inputs::STEP;
    let repeated =
        |bits: Vec<u64>, count: usize| -> Vec<u64> { bits.into_iter().cycle().take(count).collect() };
    let first = repeated(column(ty, amount), items * from);
    let mut second = first.clone();
    second.reverse();
    let mask = repeated(column(mask_type, amount), items * to);
    let mut expected = Vec::new();
    for item in 0..items {
        let all = [&first, &second].into_iter().take(sources);
        let all: Vec<u64> = all.flat_map(|all| &all[item * from..(item + 1) * from]).copied().collect();
        let picked = mask[item * to..(item + 1) * to].iter().map(|at| all[*at as usize & (all.len() - 1)]);
        expected.extend(picked.map(|bits| same(ty, bits)));
    }
    let mut inputs: Vec<Input> = [first, second]
        .into_iter()
        .take(sources)
        .map(|bits| Input { ty, lanes: from, bits: Rc::new(bits) })
        .collect();
    inputs.push(Input { ty: mask_type, lanes: to, bits: Rc::new(mask) });
    let operands: Vec<String> = (0..inputs.len()).map(|at| format!("%$v{at}")).collect();
    let code = format!("%$r0 = OpExtInst {} %cl {name} {}\n", type_id(ty, to), operands.join(" "));
    case(name, ty, inputs, Output { ty, lanes: to, expected: Rc::new(expected), by_code: false }, code)
}

/// A prefetch is a hint, and changes nothing.
fn prefetch(amount: Amount) -> Vec<Case> {
    let bits = column(UINT, amount);
    let expected = bits.iter().map(|bits| Expected::Bits(*bits)).collect();
    let input = Input { ty: UINT, lanes: 1, bits: Rc::new(bits) };
    let code = "%$n = OpExtInst %void %cl prefetch %$in0 %l_1\n%$r0 = OpCopyObject %uint %$v0\n".to_owned();
    vec![case(
        "prefetch",
        UINT,
        vec![input],
        Output { ty: UINT, lanes: 1, expected: Rc::new(expected), by_code: false },
        code,
    )]
}

/// Only checks that 0 is returned, not the printed text.
fn printf(_: Amount) -> Vec<Case> {
    let input = Input { ty: UINT, lanes: 1, bits: Rc::new(vec![7]) };
    let letters = "printf %u\n\0";
    let names: Vec<String> = (0..letters.len()).map(|at| format!("%$c{at}")).collect();
    let mut declarations = format!("%$text = OpTypeArray %uchar %u_{}\n", letters.len());
    for (name, letter) in names.iter().zip(letters.bytes()) {
        declarations += &format!("{name} = OpConstant %uchar {letter}\n");
    }
    declarations += &format!("%$value = OpConstantComposite %$text {}\n", names.join(" "));
    declarations += "%$pointer = OpTypePointer UniformConstant %$text\n%$letter = OpTypePointer UniformConstant %uchar\n\
                     %$format = OpVariable %$pointer UniformConstant %$value\n";
    let code =
        "%$f = OpInBoundsAccessChain %$letter %$format %u_0\n%$r0 = OpExtInst %uint %cl printf %$f %$v0\n"
            .to_owned();
    let output = Output { ty: UINT, lanes: 1, expected: Rc::new(vec![Expected::Bits(0)]), by_code: false };
    vec![Case { declarations, ..case("printf", UINT, vec![input], output, code) }]
}
