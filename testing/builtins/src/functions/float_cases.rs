//! Creates cases of functions of floating-point numbers.

use std::fmt::Write;

use super::entry::{Amount, Entry};
use super::floats::{Kind, ROWS, Row};
use crate::answer::{Answer, Operands};
use crate::case::{Case, Code, Elements, call};
use crate::expected::Expected;
use crate::inputs;
use crate::kernel::pointer_id;
use crate::types::{FLOATS, INT, Scalar, type_id};

pub(crate) fn entries() -> impl Iterator<Item = Entry> {
    ROWS.iter()
        .enumerate()
        .map(|(number, row)| Entry::new(row.name, move |amount| cases(row, number, amount)))
}

fn cases(row: &'static Row, number: usize, amount: Amount) -> Vec<Case> {
    let of_type = FLOATS.iter().zip(row.ulps).filter(|(_, ulps)| !ulps.is_nan());
    of_type
        .enumerate()
        .flat_map(|(at, (ty, _))| {
            let place = FLOATS.iter().position(|known| known == ty).unwrap_or(0);
            // Each type gets a different width.
            elements(row, place, *ty, amount).map_or_else(Vec::new, |all| {
                all.cases(&amount.widths(number + at), |lanes| code(row, *ty, lanes))
            })
        })
        .collect()
}

fn kind_of(kind: Kind, ty: Scalar) -> Scalar {
    match kind {
        Kind::Own => ty,
        Kind::Int => INT,
        Kind::Bits => Scalar::Int { bits: ty.bits(), signed: false },
    }
}

fn elements(row: &Row, place: usize, ty: Scalar, amount: Amount) -> Option<Elements> {
    let format = ty.format()?;
    let types: Vec<Scalar> = row.operands.iter().map(|kind| kind_of(*kind, ty)).collect();
    let corners: Vec<Vec<u64>> = row
        .operands
        .iter()
        .map(|kind| if *kind == Kind::Int { inputs::exponents() } else { Vec::new() })
        .collect();
    let columns = inputs::columns(&types, &corners, amount.count, amount.seed);
    let rows = columns.first()?.len();
    let expected = |of: fn(&Operands) -> Answer, ulps: f64| -> Vec<Expected> {
        let one = |at: usize| {
            let bits: Vec<u64> = columns.iter().map(|column| column[at]).collect();
            let operands = Operands::new(format, &types, bits);
            match is_beyond(row, &operands) {
                true => Expected::Any,
                false => of(&operands).within(format, ulps),
            }
        };
        (0..rows).map(one).collect()
    };
    let mut outputs = vec![(kind_of(row.result, ty), expected(row.of, row.ulps[place]))];
    if let Some(second) = row.second {
        outputs.push((kind_of(second.kind, ty), expected(second.of, second.ulps[place])));
    }
    let inputs = types.into_iter().zip(columns.clone()).collect();
    let bound = Some(row.ulps[place]);
    Some(Elements { function: row.name.to_owned(), ty: ty.name().to_owned(), inputs, outputs, bound })
}

/// Returns whether an operand is beyond the range for which the function is defined.
fn is_beyond(row: &Row, operands: &Operands) -> bool {
    let size = |at: usize| operands.values[at].real().map(|real| real.to_f64().value().abs());
    row.most.is_finite() && (0..operands.values.len()).any(|at| size(at).is_some_and(|size| size > row.most))
}

fn code(row: &Row, ty: Scalar, lanes: usize) -> Code {
    let result = kind_of(row.result, ty);
    let mut code = call(row.name, result, lanes, row.operands.len());
    let Some(second) = row.second else { return Code::plain(code) };
    let other = type_id(kind_of(second.kind, ty), lanes);
    code.insert_str(code.trim_end().len(), " %$room");
    let _ = writeln!(code, "%$r1 = OpLoad {other} %$room");
    let variables = format!("%$room = OpVariable {} Function\n", pointer_id("Function", &other));
    Code { variables, code, ..Code::default() }
}
