//! Numbers and names of instructions and decorations.

use sycl_pi_image::spirv::{Decoration, Index, Module, Op, grammar};

use crate::assembler::Assembler;

#[test]
fn an_instruction_that_the_grammar_does_not_know_keeps_its_number() {
    for number in 0..=u16::MAX {
        let Ok(module) =
            Module::from_words(vec![0x0723_0203, 0x0001_0000, 0, 10, 0, 1 << 16 | u32::from(number)])
        else {
            // It continues another instruction, or applies a group that is not there.
            continue;
        };
        let Some(inst) = module.inst(0) else {
            // It is not in the result, because groups are written out for their targets. This one has no targets.
            assert_eq!(u32::from(number), Op::DecorationGroup as u32);
            continue;
        };
        assert_eq!(inst.raw_opcode, number);
        match grammar::name(number) {
            Some(_) => assert_eq!(inst.opcode as u32, u32::from(number)),
            None => assert_eq!(inst.opcode, Op::Nop),
        }
    }
}

/// intel/llvm writes the numbers of a draft, other compilers those of the registry.
#[test]
fn a_decoration_of_a_draft_is_the_one_of_the_registry() {
    for number in [6147, Decoration::HostAccessINTEL as u32] {
        let mut module = Assembler::new();
        module.push_text(Op::Decorate, &[5, number, 2], "unique", &[]);
        let module = module.module();
        let index = Index::new(&module).unwrap();
        assert_eq!(index.decorations(5, Decoration::HostAccessINTEL).count(), 1, "{number}");
    }
}
