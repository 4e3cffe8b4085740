//! Writes a function as text.

use std::collections::HashMap;
use std::fmt::Write;

use sycl_pi_image::spirv::{FunctionControl, FunctionSpan, Inst, Op};

use crate::code::body::Body;
use crate::code::edges::Edges;
use crate::error::{Error, Reason, Result};
use crate::helpers::Helpers;
use crate::masks::GIVEN;
use crate::program::{Program, describe};
use crate::signature::Passing;
use crate::subgroup_size::SubgroupSize;

/// Longer text, in bytes, is refused.
pub(crate) const LONGEST: usize = 256 << 20;

/// Writes a function.
pub(crate) fn write(
    program: &Program<'_>,
    helpers: &mut Helpers,
    (span, size): (FunctionSpan, SubgroupSize),
    out: &mut String,
) -> Result<(), Error> {
    let Some(first) = program.index.module.inst(span.first) else { return Ok(()) };
    // The error message is built only if there is an error.
    let at = |inst: &Inst<'_>, reason: Reason| Error::Instruction {
        function: program.function_name(span.id),
        instruction: describe(inst),
        reason: reason.0,
    };
    let is_kernel = program.entry_of(span.id).is_some();
    let mut body = Body {
        program,
        helpers,
        out,
        span,
        size,
        inst: first,
        builtin_pointers: HashMap::new(),
        temporaries: 0,
        block: 0,
        edges: Edges::between_blocks(program, span),
    };
    let prologue = head(&mut body, is_kernel).map_err(|reason| at(&first, reason))?;
    let mut open = false;
    let mut blocks = 0_u32;
    for inst in program.index.module.range(span.first, span.end) {
        body.inst = inst;
        match inst.opcode {
            Op::Label if open => return Err(at(&inst, "the block before does not end".into())),
            Op::Label => (open, blocks) = (true, blocks + 1),
            Op::Function | Op::FunctionParameter | Op::FunctionEnd | Op::Line | Op::NoLine => {
                continue;
            }
            _ if !open => return Err(at(&inst, "the instruction is in no block".into())),
            _ => {}
        }
        body.translate().map_err(|reason| at(&inst, reason))?;
        if inst.opcode == Op::Label && blocks == 1 {
            body.out.push_str(&prologue);
        }
        if ends_block(inst.opcode) {
            open = false;
        }
        if body.out.len() > LONGEST {
            return Err(at(&inst, "the function is too large".into()));
        }
    }
    if open {
        return Err(at(&first, "the last block does not end".into()));
    }
    body.out.push_str("}\n\n");
    Ok(())
}

fn ends_block(opcode: Op) -> bool {
    (Op::Branch..=Op::Unreachable).contains(&opcode)
}

/// Writes a function's header, and returns the lines with which its first block begins.
fn head(body: &mut Body<'_, '_>, is_kernel: bool) -> Result<String> {
    let program = body.program;
    let mut parameters = Vec::new();
    let mut prologue = String::new();
    let instructions = program.index.module.range(body.span.first, body.span.end);
    let labels = instructions.filter(|inst| inst.opcode == Op::Label).map(|inst| inst.operand(0));
    for variable in labels.flat_map(|label| program.masks.variables(label)) {
        let _ = writeln!(prologue, "  {variable} = alloca i32, align 4");
    }
    for parameter in program.parameters(body.span.id)? {
        let (id, ty) = (parameter.id, program.types.text(parameter.ty)?);
        parameters.push(match parameter.passing {
            Passing::Direct => format!("{ty} %v{id}"),
            Passing::Value(pointee) => {
                let value = program.types.text(pointee)?;
                let align = program.types.layout(pointee)?.align.max(parameter.align.unwrap_or(1));
                let _ = writeln!(prologue, "  %v{id} = alloca {value}, align {align}");
                let _ = writeln!(prologue, "  store {value} %v{id}.value, {value}* %v{id}, align {align}");
                format!("{value} %v{id}.value")
            }
            Passing::Memory(pointee) => {
                let align = parameter.align.unwrap_or(program.types.layout(pointee)?.align);
                format!("{ty} {} align {align} %v{id}", program.byval(pointee)?)
            }
        });
    }
    parameters.extend(program.reach.hidden(body.span.id).iter().map(|name| format!("i64 {name}")));
    if program.masks.given.contains(&body.span.id) {
        parameters.push(format!("i32 {GIVEN}"));
    }
    let control = FunctionControl::from_bits_retain(body.inst.operand(2));
    let inline = match is_kernel {
        true => "alwaysinline ",
        false if control.contains(FunctionControl::OPT_NONE_EXT) => "",
        false if control.contains(FunctionControl::DONT_INLINE) => "noinline ",
        false => "",
    };
    let returns = program.types.text(program.returns(body.span.id)?)?;
    let parameters = parameters.join(", ");
    let symbol = program.function_symbol((body.span.id, body.size));
    let linkage = if program.is_exported((body.span.id, body.size)) { "" } else { "internal " };
    let _ = writeln!(
        body.out,
        "define {linkage}{returns} @{symbol}({parameters}) {inline}convergent nounwind {{"
    );
    Ok(prologue)
}
