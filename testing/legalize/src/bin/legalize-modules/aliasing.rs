//! Modules without what they say about aliasing. `spirv-val` up to 2025.5 refuses its declarations outside functions,
//! which all modules of DPC++ 2025 have.

use sycl_pi_image::spirv::{Capability, Decoration, MemoryAccess, Op};

const EXTENSION: &[u8] = b"SPV_INTEL_memory_access_aliasing\0";
const HEADER: usize = 5;

/// Returns the module without declarations and uses of aliasing. Fits modules in the order of bytes of this machine.
pub(crate) fn without(module: &[u8]) -> Vec<u8> {
    let words: Vec<u32> = module.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
    let (header, mut rest) = words.split_at(HEADER.min(words.len()));
    let mut kept = header.to_vec();
    while let Some(&first) = rest.first() {
        let length = ((first >> 16) as usize).clamp(1, rest.len());
        let (instruction, after) = rest.split_at(length);
        rest = after;
        if !is_aliasing(instruction) {
            kept.extend(without_operands(instruction));
        }
    }
    kept.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn operand(instruction: &[u32], at: usize) -> u32 {
    instruction.get(at).copied().unwrap_or_default()
}

fn is(instruction: &[u32], opcodes: &[Op]) -> bool {
    opcodes.iter().any(|opcode| *opcode as u32 == operand(instruction, 0) & 0xffff)
}

fn is_aliasing(instruction: &[u32]) -> bool {
    const DECLARATIONS: [Op; 3] =
        [Op::AliasDomainDeclINTEL, Op::AliasScopeDeclINTEL, Op::AliasScopeListDeclINTEL];
    let is_number = |at, number: u32| operand(instruction, at) == number;
    let text = || instruction.iter().skip(1).flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    is(instruction, &DECLARATIONS)
        || (is(instruction, &[Op::Capability]) && is_number(1, Capability::MemoryAccessAliasingINTEL as u32))
        || (is(instruction, &[Op::DecorateId])
            && (is_number(2, Decoration::AliasScopeINTEL as u32)
                || is_number(2, Decoration::NoAliasINTEL as u32)))
        || (is(instruction, &[Op::Extension]) && text().starts_with(EXTENSION))
}

/// Returns an instruction without the lists that an access to memory names. They are its last operands.
fn without_operands(instruction: &[u32]) -> Vec<u32> {
    let mut words = instruction.to_vec();
    let at = match () {
        () if is(instruction, &[Op::Load]) => 4,
        () if is(instruction, &[Op::Store]) => 3,
        () => return words,
    };
    for bit in [MemoryAccess::ALIAS_SCOPE_INTEL_MASK, MemoryAccess::NO_ALIAS_INTEL_MASK] {
        if operand(&words, at) & bit.bits() != 0 {
            words.pop();
            words.iter_mut().skip(at).take(1).for_each(|mask| *mask &= !bit.bits());
        }
    }
    let length = (words.len() as u32) << 16;
    words.iter_mut().take(1).for_each(|first| *first = length | (*first & 0xffff));
    words
}
