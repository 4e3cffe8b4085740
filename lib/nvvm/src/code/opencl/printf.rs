//! OpenCL.std's printf.

use sycl_pi_image::spirv::Op;

use super::format::{Conversion, Piece, pieces};
use crate::code::body::Body;
use crate::constants::ConstantValue;
use crate::error::Result;
use crate::types::{AddressSpace, TypeKind};

/// The arguments of `vprintf`: a pointer to the text, and values with their types.
struct Print {
    format: String,
    arguments: Vec<(String, String)>,
}

impl Body<'_, '_> {
    pub(super) fn printf(&mut self, operands: &[u32]) -> Result<()> {
        let (&format, arguments) = operands.split_first().ok_or("an operand is missing")?;
        let known = self.text_at(format).and_then(|text| pieces(&text));
        let known = known.filter(|pieces| values_of(pieces) == arguments.len());
        let Print { format, arguments } = match known {
            Some(pieces) => self.print_of(&pieces, arguments)?,
            None => self.print_as_it_is(format, arguments)?,
        };
        let types: Vec<String> = arguments.iter().map(|(ty, _)| ty.clone()).collect();
        let mut texts = vec![format!("i8* {format}")];
        texts.extend(arguments.iter().map(|(ty, value)| format!("{ty} {value}")));
        let helper = self.helpers.printf(&types);
        let value = self.new_value(format_args!("call i32 @{helper}({})", texts.join(", ")));
        self.copy(self.result_type(), &value)
    }

    /// Passes on a text that is unknown or whose conversions do not match the arguments.
    fn print_as_it_is(&mut self, format: u32, arguments: &[u32]) -> Result<Print> {
        let format = self.generic_bytes(format)?;
        let arguments: Result<Vec<_>> = arguments.iter().map(|&argument| self.printed(argument)).collect();
        Ok(Print { format, arguments: arguments? })
    }

    /// Rewrites a text for `vprintf`, which knows no vectors and only two lengths.
    fn print_of(&mut self, pieces: &[Piece], arguments: &[u32]) -> Result<Print> {
        let (mut text, mut values, mut given) = (String::new(), Vec::new(), arguments.iter().copied());
        let mut next = || given.next().ok_or("printf has too few arguments");
        for piece in pieces {
            let conversion = match piece {
                Piece::Text(plain) => {
                    text.push_str(plain);
                    continue;
                }
                Piece::Conversion(conversion) => conversion,
            };
            for _ in 0..conversion.stars() {
                values.push(self.printed(next()?)?);
            }
            let argument = next()?;
            let count = self.program.types.scalar(self.type_of(argument)?)?.1;
            if conversion.lanes != count {
                return Err("printf prints a vector with %v and its width, and other values without".into());
            }
            for lane in 0..count.unwrap_or(1) {
                let (ty, value) = match count {
                    Some(_) => self.printed_lane(argument, lane)?,
                    None => self.printed(argument)?,
                };
                text.push_str(if lane > 0 { "," } else { "" });
                text.push_str(&conversion.text(ty == "i64" && conversion.kind != 'p'));
                let value = self.shortened(conversion, &ty, value);
                values.push((ty, value));
            }
        }
        let name = self.helpers.text(&text);
        let length = text.len() + 1;
        let format = format!(
            "addrspacecast (i8 addrspace(1)* getelementptr inbounds ([{length} x i8], [{length} x i8] addrspace(1)* @{name}, \
             i32 0, i32 0) to i8*)"
        );
        Ok(Print { format, arguments: values })
    }

    /// Truncates an integer of which the conversion prints 8 or 16 bits.
    fn shortened(&mut self, conversion: &Conversion, ty: &str, value: String) -> String {
        let Some(bits) = conversion.small.filter(|_| conversion.is_integer() && ty == "i32") else {
            return value;
        };
        let short = self.new_value(format_args!("trunc i32 {value} to i{bits}"));
        let extension = if conversion.is_signed() { "sext" } else { "zext" };
        self.new_value(format_args!("{extension} i{bits} {short} to i32"))
    }

    /// Returns the text that a pointer refers to, if it is constant.
    fn text_at(&self, pointer: u32) -> Option<String> {
        let mut id = pointer;
        let variable = loop {
            let inst = self.program.index.definition(id)?;
            let (from, indices) = match inst.opcode {
                Op::Variable => break inst,
                Op::Bitcast | Op::PtrCastToGeneric | Op::CopyObject => (inst.operand(2), &[][..]),
                Op::AccessChain
                | Op::InBoundsAccessChain
                | Op::PtrAccessChain
                | Op::InBoundsPtrAccessChain => (inst.operand(2), inst.operands.get(3..)?),
                Op::SpecConstantOp => match Op::from_u32(inst.operand(2))? {
                    Op::Bitcast | Op::PtrCastToGeneric => (inst.operand(3), &[][..]),
                    Op::AccessChain
                    | Op::InBoundsAccessChain
                    | Op::PtrAccessChain
                    | Op::InBoundsPtrAccessChain => (inst.operand(3), inst.operands.get(4..)?),
                    _ => return None,
                },
                _ => return None,
            };
            if !indices.iter().all(|&index| self.number(index) == Some(0)) {
                return None;
            }
            id = from;
        };
        let initial = self.program.constants.get(*variable.operands.get(3)?)?;
        let ConstantValue::Members(letters) = &initial.value else { return None };
        let letters: Option<Vec<u8>> =
            letters.iter().map(|letter| u8::try_from(letter.bits()?).ok()).collect();
        let letters = letters?;
        let end = letters.iter().position(|letter| *letter == 0)?;
        String::from_utf8(letters.get(..end)?.to_vec()).ok()
    }

    /// Casts a pointer to a generic pointer to bytes.
    pub(crate) fn generic_bytes(&mut self, pointer: u32) -> Result<String> {
        let bytes = self.bytes_at(pointer)?;
        Ok(match bytes.space {
            AddressSpace::Generic => bytes.value,
            _ => self.new_value(format_args!("addrspacecast {} {} to i8*", bytes.ty(), bytes.value)),
        })
    }

    /// Returns the type and value of an argument, promoted as C does for variadic functions.
    fn printed(&mut self, argument: u32) -> Result<(String, String)> {
        let ty = self.type_of(argument)?;
        if matches!(self.kind(ty)?, TypeKind::Pointer { .. }) {
            let generic = self.generic_bytes(argument)?;
            return Ok(("i64".to_owned(), self.new_value(format_args!("ptrtoint i8* {generic} to i64"))));
        }
        let value = self.value(argument)?;
        self.promoted(ty, value)
    }

    /// Returns one element of a vector.
    fn printed_lane(&mut self, argument: u32, lane: u32) -> Result<(String, String)> {
        let ty = self.program.types.scalar(self.type_of(argument)?)?.0;
        let value = self.lane_of(argument, lane)?;
        self.promoted(ty, value)
    }

    fn promoted(&mut self, ty: u32, value: String) -> Result<(String, String)> {
        Ok(match *self.kind(ty)? {
            TypeKind::Int(bits @ 1..=32) => ("i32".to_owned(), self.resize(&value, bits, 32)),
            TypeKind::Int(64) => ("i64".to_owned(), value),
            TypeKind::Float(64) => ("double".to_owned(), value),
            TypeKind::Float(_) => {
                let text = self.type_text(ty)?.to_owned();
                ("double".to_owned(), self.new_value(format_args!("fpext {text} {value} to double")))
            }
            _ => {
                return Err("printf takes integers, floating-point numbers and pointers on CUDA, and vectors if the text is a \
                            constant that has %v for them"
                    .into());
            }
        })
    }
}

/// Returns the number of arguments that the pieces of a text consume.
fn values_of(pieces: &[Piece]) -> usize {
    let values = |piece: &Piece| match piece {
        Piece::Text(_) => 0,
        Piece::Conversion(conversion) => 1 + conversion.stars(),
    };
    pieces.iter().map(values).sum()
}
