//! Tests of `select`, which tests all bits of a scalar condition, but only the highest bit of a vector's.

use super::entry::Amount;
use crate::case::{Case, Code, Elements, call};
use crate::expected::Expected;
use crate::inputs;
use crate::types::{FLOATS, Scalar, integers};

pub(crate) fn cases(amount: Amount) -> Vec<Case> {
    let types = integers().chain(FLOATS).enumerate();
    types
        .flat_map(|(number, ty)| {
            let widths = amount.widths(number);
            let (scalar, vectors) = widths.split_at(1);
            let mut cases = of_type(ty, amount, scalar, |condition, _| condition != 0);
            cases.extend(of_type(ty, amount, vectors, |condition, bits| condition >> (bits - 1) & 1 != 0));
            cases
        })
        .collect()
}

fn of_type(ty: Scalar, amount: Amount, widths: &[usize], takes: impl Fn(u64, usize) -> bool) -> Vec<Case> {
    let condition = Scalar::Int { bits: ty.bits(), signed: true };
    let types = [ty, ty, condition];
    let columns = inputs::columns(&types, &[], amount.count, amount.seed);
    let rows = columns[0].len();
    let chosen = |at: usize| {
        let second = takes(columns[2][at], ty.bits());
        Expected::Bits(columns[usize::from(second)][at])
    };
    let expected = (0..rows).map(chosen).collect();
    let elements = Elements {
        function: "select".to_owned(),
        ty: ty.name().to_owned(),
        inputs: types.into_iter().zip(columns.clone()).collect(),
        outputs: vec![(ty, expected)],
        bound: Some(0.0),
    };
    elements.cases(widths, |lanes| Code::plain(call("select", ty, lanes, 3)))
}
