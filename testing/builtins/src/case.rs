//! A test case: a function of one type on one vector width, with its operands, code and expected results.

use std::rc::Rc;

use crate::expected::Expected;
use crate::types::{Scalar, WIDTHS, type_id};

/// The operands of all work-items, with `lanes` scalars for each.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) ty: Scalar,
    pub(crate) lanes: usize,
    pub(crate) bits: Rc<Vec<u64>>,
}

/// The results of all work-items.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    pub(crate) ty: Scalar,
    pub(crate) lanes: usize,
    pub(crate) expected: Rc<Vec<Expected>>,
    /// Whether the code stores the result itself, at `%$at0` and so on.
    pub(crate) by_code: bool,
}

/// The computation of a kernel. Its code uses the operands `%$v0`, `%$v1`, which are vectors or scalars, and
/// defines `%$r0`, `%$r1`. `$` stands for the kernel's own prefix. Kernels share types and constants, so their names
/// are without a prefix.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) function: String,
    /// OpenCL C's name of the scalar type.
    pub(crate) ty: String,
    pub(crate) inputs: Vec<Input>,
    pub(crate) outputs: Vec<Output>,
    pub(crate) declarations: String,
    /// The function's variables, which come first.
    pub(crate) variables: String,
    pub(crate) code: String,
    /// The number of work-items in a work-group, if that matters.
    pub(crate) group: Option<usize>,
    pub(crate) bound: Option<f64>,
}

impl Case {
    pub(crate) fn items(&self) -> usize {
        self.outputs.first().map_or(0, |output| output.expected.len() / output.lanes)
    }
}

/// Columns of scalars, from which vectors of every width are formed.
pub(crate) struct Elements {
    pub(crate) function: String,
    pub(crate) ty: String,
    pub(crate) inputs: Vec<(Scalar, Vec<u64>)>,
    pub(crate) outputs: Vec<(Scalar, Vec<Expected>)>,
    pub(crate) bound: Option<f64>,
}

impl Elements {
    /// Creates cases of these widths. `code` receives the width of vectors.
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

/// The parts of a kernel that a function defines.
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

/// Calls a function of OpenCL.std with this number of operands.
pub(crate) fn call(name: &str, result: Scalar, lanes: usize, operands: usize) -> String {
    let operands: Vec<String> = (0..operands).map(|at| format!("%$v{at}")).collect();
    format!("%$r0 = OpExtInst {} %cl {name} {}\n", type_id(result, lanes), operands.join(" "))
}
