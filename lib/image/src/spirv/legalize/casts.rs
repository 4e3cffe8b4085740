//! Casts generic pointers without checking which memory they point to.
//!
//! PoCL 7.1 crashes when it compiles a module with two `OpGenericCastToPtrExplicit` to global memory for a CPU. Such a
//! cast returns null for a pointer to other memory. On a CPU, all memories are one, so the cast cannot tell the
//! difference: PoCL 6.0, which compiles it, returns the pointer in any case. On other devices it can.
//!
//! rusticl on a CPU crashes when it runs such a cast of a pointer whose memory it does not know.

use rspirv::spirv::Op;

use super::draft::Draft;
use super::line::Line;
use super::needs::Casts;
use crate::spirv::SpirvError;

/// Replaces each explicit cast, or refuses it.
pub(super) fn rewrite(draft: &mut Draft, casts: Casts) -> Result<(), SpirvError> {
    if casts == Casts::Native {
        return Ok(());
    }
    draft.rewrite(|_, line, code| {
        if line.opcode() != Op::GenericCastToPtrExplicit {
            code.push(line);
            return Ok(());
        }
        if casts == Casts::Refused {
            return Err(SpirvError::whole(
                "OpGenericCastToPtrExplicit crashes the compiler for one device of the context, and only that device \
                 can do without it",
            ));
        }
        // The last operand is the storage class, which the result's type has too.
        code.push(Line::new(Op::GenericCastToPtr, line.operands.get(..3).unwrap_or_default()));
        Ok(())
    })
}
