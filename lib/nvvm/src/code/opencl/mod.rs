//! Extended instructions: the functions of OpenCL.std.

mod common;
mod dispatch;
mod float;
mod format;
mod geometry;
mod integer;
mod library;
mod memory;
mod printf;
mod two_results;

use sycl_pi_image::spirv::CLOp;
use sycl_pi_image::spirv::grammar::InstructionSet;

use crate::code::body::Body;
use crate::error::Result;

/// The scalar type in which a function computes.
#[derive(Clone, Debug)]
struct ScalarType {
    ty: u32,
    bits: u32,
    /// LLVM's spelling.
    text: String,
}

impl Body<'_, '_> {
    /// Translates a function of OpenCL.std. Instructions that do not affect the computation are skipped.
    pub(crate) fn extended_instruction(&mut self) -> Result<()> {
        let set = self.program.index.sets.get(&self.operand(2)).map(String::as_str).unwrap_or_default();
        match InstructionSet::from_name(set) {
            InstructionSet::OpenCl => {}
            InstructionSet::Debug | InstructionSet::NonSemantic => return Ok(()),
            InstructionSet::Other => {
                return Err(format!("instructions of {set:?} are not supported on CUDA").into());
            }
        }
        // If the result has no type, this error comes first.
        self.kind(self.program.types.scalar(self.result_type())?.0)?;
        let number = self.operand(3);
        let function = CLOp::from_u32(number)
            .ok_or_else(|| format!("OpenCL.std instruction {number} is not supported on CUDA"))?;
        self.opencl(function, self.inst.operands.get(4..).unwrap_or_default())
    }

    /// Computes each scalar of the result, all of which are floating-point numbers.
    fn each_float(
        &mut self,
        operands: &[u32],
        mut each: impl FnMut(&mut Self, &ScalarType, &[String]) -> Result<String>,
    ) -> Result<()> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        let scalar = ScalarType { ty, bits: self.float_bits(ty)?, text: self.type_text(ty)?.to_owned() };
        self.lanes(operands, |body, values| each(body, &scalar, values))
    }

    /// Computes each scalar of the result, all of which are integers.
    fn each_integer(
        &mut self,
        operands: &[u32],
        mut each: impl FnMut(&mut Self, &ScalarType, &[String]) -> Result<String>,
    ) -> Result<()> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        let bits = self.int_bits(ty)?;
        if bits > 64 {
            return Err("integers of more than 64 bits are not supported here".into());
        }
        let scalar = ScalarType { ty, bits, text: format!("i{bits}") };
        self.lanes(operands, |body, values| each(body, &scalar, values))
    }
}

/// Returns the values, which must be this many operands.
fn operands_of<const COUNT: usize>(values: &[String]) -> Result<[&str; COUNT]> {
    let all: Vec<&str> = values.iter().map(String::as_str).collect();
    all.try_into().map_err(|all: Vec<&str>| match all.len() < COUNT {
        true => "an operand is missing".into(),
        false => format!("there are {} operands for {COUNT}", all.len()).into(),
    })
}
