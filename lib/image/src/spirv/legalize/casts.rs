//! Casts generic pointers without asking what they point to.
//!
//! PoCL 7.1 crashes while it compiles a module with two `OpGenericCastToPtrExplicit` to global memory. Such a cast returns null for a
//! pointer to other memory. A CPU cannot tell, because all its memories are one, so PoCL 6.0, which compiles it,
//! returns the pointer too.

use rspirv::spirv::Op;

use super::draft::Draft;
use super::line::Line;
use crate::spirv::error::SpirvError;

/// Replaces each explicit cast.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    draft.rewrite(|_, line, code| {
        code.push(match line.opcode() {
            // The last operand is the storage class, which the result's type has too.
            Op::GenericCastToPtrExplicit => {
                Line::new(Op::GenericCastToPtr, line.operands.get(..3).unwrap_or_default())
            }
            _ => line,
        });
        Ok(())
    })
}
