//! A function of one type on one width of vectors: what a kernel computes, from what, and what it has to give.

use std::rc::Rc;

use crate::expected::Expected;
use crate::types::{Scalar, WIDTHS, type_id};

/// Operands of all work-items: so many scalars for each of them.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) ty: Scalar,
    pub(crate) lanes: usize,
    pub(crate) bits: Rc<Vec<u64>>,
}

/// Results of all work-items.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    pub(crate) ty: Scalar,
    pub(crate) lanes: usize,
    pub(crate) expected: Rc<Vec<Expected>>,
    /// Whether the code stores the result itself, at `%$at0` and so on.
    pub(crate) by_code: bool,
}

/// What a kernel computes. Its code has the operands `%$v0`, `%$v1`, vectors or scalars, and defines `%$r0`, `%$r1`. `$` stands for the
/// kernel's own prefix; of types and constants, which kernels share, the names have none.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) function: String,
    /// OpenCL C's name of the scalar type.
    pub(crate) ty: String,
    pub(crate) inputs: Vec<Input>,
    pub(crate) outputs: Vec<Output>,
    pub(crate) declarations: String,
    /// Variables of the function, which come first.
    pub(crate) variables: String,
    pub(crate) code: String,
    /// The work-items of a work-group, where that matters.
    pub(crate) group: Option<usize>,
    pub(crate) bound: Option<f64>,
}

impl Case {
    pub(crate) fn items(&self) -> usize {
        self.outputs.first().map_or(0, |output| output.expected.len() / output.lanes)
    }
}

/// Columns of scalars, which vectors of every width are made of.
pub(crate) struct Elements {
    pub(crate) function: String,
    pub(crate) ty: String,
    pub(crate) inputs: Vec<(Scalar, Vec<u64>)>,
    pub(crate) outputs: Vec<(Scalar, Vec<Expected>)>,
    pub(crate) bound: Option<f64>,
}

impl Elements {
    /// The cases of these widths. `code` gets the type of the first result and the names of the operands.
    pub(crate) fn cases(self, widths: &[usize], code: impl Fn(usize) -> Code) -> Vec<Case> {
        let inputs: Vec<_> = self.inputs.into_iter().map(|(ty, bits)| (ty, Rc::new(bits))).collect();
        let outputs: Vec<_> =
            self.outputs.into_iter().map(|(ty, expected)| (ty, Rc::new(expected))).collect();
        let case = |&lanes: &usize| {
            let Code { declarations, variables, code } = code(lanes);
            Case {
                function: self.function.clone(),
                ty: self.ty.clone(),
                inputs: inputs
                    .iter()
                    .map(|(ty, bits)| Input { ty: *ty, lanes, bits: bits.clone() })
                    .collect(),
                outputs: outputs
                    .iter()
                    .map(|(ty, expected)| Output {
                        ty: *ty,
                        lanes,
                        expected: expected.clone(),
                        by_code: false,
                    })
                    .collect(),
                declarations,
                variables,
                code,
                group: None,
                bound: self.bound,
            }
        };
        WIDTHS.iter().filter(|lanes| widths.contains(lanes)).map(case).collect()
    }
}

/// The parts of a kernel that a function gives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) declarations: String,
    pub(crate) variables: String,
    pub(crate) code: String,
}

impl Code {
    pub(crate) fn plain(code: String) -> Self {
        Self { code, ..Self::default() }
    }
}

/// A call of a function of OpenCL.std on so many operands.
pub(crate) fn call(name: &str, result: Scalar, lanes: usize, operands: usize) -> String {
    let operands: Vec<String> = (0..operands).map(|at| format!("%$v{at}")).collect();
    format!("%$r0 = OpExtInst {} %cl {name} {}\n", type_id(result, lanes), operands.join(" "))
}
