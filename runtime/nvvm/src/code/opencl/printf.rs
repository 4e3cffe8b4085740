//! OpenCL.std's printf.

use crate::code::body::Body;
use crate::error::Result;
use crate::types::{AddressSpace, TypeKind};

impl Body<'_, '_> {
    pub(super) fn printf(&mut self, operands: &[u32]) -> Result<()> {
        let (&format, arguments) = operands.split_first().ok_or("an operand is missing")?;
        let format = self.generic_bytes(format)?;
        let mut types = Vec::new();
        let mut texts = vec![format!("i8* {format}")];
        for &argument in arguments {
            let (ty, value) = self.printed(argument)?;
            texts.push(format!("{ty} {value}"));
            types.push(ty);
        }
        let helper = self.helpers.printf(&types);
        let value = self.new_value(format_args!("call i32 @{helper}({})", texts.join(", ")));
        self.copy(self.result_type(), &value)
    }

    /// A pointer as a generic one to bytes.
    fn generic_bytes(&mut self, pointer: u32) -> Result<String> {
        let bytes = self.bytes_at(pointer)?;
        Ok(match bytes.space {
            AddressSpace::Generic => bytes.value,
            _ => self.new_value(format_args!("addrspacecast {} {} to i8*", bytes.ty(), bytes.value)),
        })
    }

    /// An argument as C hands it to a function with any number of them: its type and value.
    fn printed(&mut self, argument: u32) -> Result<(String, String)> {
        let ty = self.type_of(argument)?;
        let value = self.value(argument)?;
        Ok(match *self.kind(ty)? {
            TypeKind::Int(bits @ 1..=32) => ("i32".to_owned(), self.resize(&value, bits, 32)),
            TypeKind::Int(64) => ("i64".to_owned(), value),
            TypeKind::Float(64) => ("double".to_owned(), value),
            TypeKind::Float(_) => {
                let text = self.type_text(ty)?.to_owned();
                ("double".to_owned(), self.new_value(format_args!("fpext {text} {value} to double")))
            }
            TypeKind::Pointer { .. } => {
                let generic = self.generic_bytes(argument)?;
                ("i64".to_owned(), self.new_value(format_args!("ptrtoint i8* {generic} to i64")))
            }
            _ => {
                return Err(
                    "printf takes integers, floating-point numbers and pointers on CUDA, one by one".into()
                );
            }
        })
    }
}
