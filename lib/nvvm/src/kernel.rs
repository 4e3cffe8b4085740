//! Kernels: entry points that receive a launch's parameters and call the function with the code.

use std::fmt::Write;

use sycl_pi_image::spirv::{ExecutionMode, Op, StorageClass};

use crate::error::Result;
use crate::names::DYNAMIC;
use crate::program::{KernelEntry, Program};
use crate::signature::Passing;
use crate::translation::{Argument, Kernel};
use crate::types::{AddressSpace, TypeKind};

/// The least alignment of local memory that a host provides, in bytes: enough for every vector.
const LOCAL_ALIGNMENT: u64 = 16;

/// Returns a kernel without code, which cannot run on the device.
pub(crate) fn refused(entry: &KernelEntry, reason: String) -> Kernel {
    Kernel { refused: Some(reason), ..named(entry) }
}

fn named(entry: &KernelEntry) -> Kernel {
    Kernel {
        name: entry.name.clone(),
        symbol: entry.symbol.clone(),
        sub_group_size: entry.size.items(),
        required_sub_group_size: entry.required_size,
        ..Kernel::default()
    }
}

/// Writes an entry point, adds its annotations, and describes how it is launched. Sets `dynamic` if it uses dynamic
/// shared memory.
pub(crate) fn write(
    program: &Program<'_>,
    entry: &KernelEntry,
    out: &mut String,
    annotations: &mut Vec<String>,
    dynamic: &mut bool,
) -> Result<Kernel> {
    let mut kernel = named(entry);
    let (mut heads, mut types, mut lines, mut passed) = (Vec::new(), Vec::new(), String::new(), Vec::new());
    for (at, parameter) in program.parameters(entry.function)?.iter().enumerate() {
        let ty = program.types.text(parameter.ty)?;
        match (program.types.kind(parameter.ty)?, parameter.passing) {
            (_, Passing::Value(pointee)) => {
                let value = program.types.text(pointee)?;
                if let Some(words) = aligned_words(program, pointee, parameter.align)? {
                    heads.push(format!("{words} %a{at}.words"));
                    types.push(words.clone());
                    let _ = writeln!(
                        lines,
                        "  %a{at}.p = alloca {value}, align 8\n  %a{at}.q = bitcast {value}* %a{at}.p to {words}*\n  \
                         store {words} %a{at}.words, {words}* %a{at}.q, align 8\n  \
                         %a{at} = load {value}, {value}* %a{at}.p, align 8"
                    );
                } else {
                    heads.push(format!("{value} %a{at}"));
                    types.push(value.to_owned());
                }
                passed.push(format!("{value} %a{at}"));
                kernel.arguments.push(value_of(program, pointee)?);
            }
            (_, Passing::Memory(pointee)) => {
                let attribute = program.byval(pointee)?;
                let align = parameter.align.unwrap_or(program.types.layout(pointee)?.align);
                heads.push(format!("{ty} {attribute} align {align} %a{at}"));
                types.push(ty.to_owned());
                passed.push(format!("{ty} {attribute} align {align} %a{at}"));
                kernel.arguments.push(value_of(program, pointee)?);
            }
            (TypeKind::Pointer { space: AddressSpace::Shared, pointee }, _) => {
                *dynamic = true;
                heads.push(format!("i32 %a{at}.offset"));
                types.push("i32".to_owned());
                let base = format!("[0 x i8], [0 x i8] addrspace(3)* @{DYNAMIC}, i32 0, i32 %a{at}.offset");
                let _ = writeln!(lines, "  %a{at}.byte = getelementptr {base}");
                let _ = writeln!(lines, "  %a{at} = bitcast i8 addrspace(3)* %a{at}.byte to {ty}");
                passed.push(format!("{ty} %a{at}"));
                let align = program.types.layout(*pointee).map_or(1, |layout| layout.align);
                let align = align.max(parameter.align.unwrap_or(1)).max(LOCAL_ALIGNMENT);
                kernel.arguments.push(Argument::Local { align });
            }
            (TypeKind::Pointer { space: AddressSpace::Generic, pointee }, _)
                if is_private(program, parameter.ty) =>
            {
                return Err(format!("argument {at} points to private memory of type %{pointee}").into());
            }
            (TypeKind::SampledImage { .. }, _) => {
                return Err(format!(
                    "argument {at}: images as arguments are not supported on CUDA, only their handles"
                )
                .into());
            }
            (TypeKind::Pointer { .. }, _) => {
                heads.push(format!("{ty} %a{at}"));
                types.push(ty.to_owned());
                passed.push(format!("{ty} %a{at}"));
                kernel.arguments.push(Argument::Pointer);
            }
            _ => {
                heads.push(format!("{ty} %a{at}"));
                types.push(ty.to_owned());
                passed.push(format!("{ty} %a{at}"));
                kernel.arguments.push(value_of(program, parameter.ty)?);
            }
        }
    }
    kernel.global_offset = program.reach.takes_offset(entry.function);
    kernel.work_dim = program.reach.takes_work_dim(entry.function);
    kernel.group_counts = program.reach.takes_group_counts(entry.function);
    for name in program.reach.hidden(entry.function) {
        heads.push(format!("i64 {name}"));
        passed.push(format!("i64 {name}"));
        types.push("i64".to_owned());
    }
    if *program.types.kind(program.returns(entry.function)?)? != TypeKind::Void {
        return Err("a kernel returns nothing".into());
    }
    let symbol = &entry.symbol;
    let (heads, passed, types) = (heads.join(", "), passed.join(", "), types.join(", "));
    let body = program.function_symbol((entry.function, entry.size));
    let _ = writeln!(
        out,
        "define void @{symbol}({heads}) convergent nounwind {{\n{lines}  call void @{body}({passed})"
    );
    let _ = writeln!(out, "  ret void\n}}\n");
    annotate(program, entry, &types, &mut kernel, annotations)?;
    Ok(kernel)
}

/// Returns the integer array that replaces a packed structure aligned by its callers. A packed structure would be
/// loaded byte by byte.
fn aligned_words(program: &Program<'_>, pointee: u32, align: Option<u64>) -> Result<Option<String>> {
    let layout = program.types.layout(pointee)?;
    let word = align.unwrap_or(1).min(8);
    let is_better = word > layout.align && layout.size % word == 0;
    Ok(is_better.then(|| format!("[{} x i{}]", layout.size / word, 8 * word)))
}

fn value_of(program: &Program<'_>, ty: u32) -> Result<Argument> {
    let layout = program.types.layout(ty)?;
    Ok(Argument::Value { size: layout.size, align: layout.align })
}

fn is_private(program: &Program<'_>, ty: u32) -> bool {
    let inst = program.index.definition(ty);
    inst.is_some_and(|inst| inst.storage_class() == Some(StorageClass::Function))
}

/// Annotates a kernel, with the work-group sizes that its execution modes request.
fn annotate(
    program: &Program<'_>,
    entry: &KernelEntry,
    types: &str,
    kernel: &mut Kernel,
    annotations: &mut Vec<String>,
) -> Result<()> {
    let mut modes = vec!["!\"kernel\", i32 1".to_owned()];
    for inst in program.modes(entry.function) {
        let size = |at: usize| match (inst.opcode, inst.operands.get(at)) {
            (Op::ExecutionModeId, Some(&id)) => {
                Ok(program.constants.required(id)?.bits().unwrap_or(1) as u32)
            }
            _ => Ok(inst.operand(at)),
        };
        let sizes: [Result<u32>; 3] = [2, 3, 4].map(size);
        let [Ok(x), Ok(y), Ok(z)] = sizes else {
            let [x, y, z] = sizes;
            return x.and(y).and(z).map(drop);
        };
        let sizes = [x, y, z];
        match ExecutionMode::from_u32(inst.operand(1)) {
            Some(ExecutionMode::LocalSize | ExecutionMode::LocalSizeId) => {
                kernel.required_work_group_size = Some(sizes);
                modes.push(format!(
                    "!\"reqntidx\", i32 {}, !\"reqntidy\", i32 {}, !\"reqntidz\", i32 {}",
                    sizes[0], sizes[1], sizes[2]
                ));
            }
            Some(ExecutionMode::LocalSizeHint) => kernel.work_group_size_hint = Some(sizes),
            Some(ExecutionMode::MaxWorkgroupSizeINTEL) => {
                kernel.max_work_group_size = Some(sizes);
                modes.push(format!(
                    "!\"maxntidx\", i32 {}, !\"maxntidy\", i32 {}, !\"maxntidz\", i32 {}",
                    sizes[0], sizes[1], sizes[2]
                ));
            }
            _ => {}
        }
    }
    annotations.push(format!("void ({types})* @{}, {}", entry.symbol, modes.join(", ")));
    Ok(())
}
