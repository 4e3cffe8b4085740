//! NVVM IR as what a compiler for the processor takes: the GPU's own becomes calls of C functions.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::{Context, Result};
use regex::{Captures, Regex};

use crate::{ptx, textures};

/// A module for the processor: its IR with a function `launch(i8** arguments)`, and the C functions that it needs.
pub(crate) struct HostModule {
    pub(crate) ir: String,
    pub(crate) c: String,
}

/// What every C file starts with.
const HEAD: &str = "#include <fenv.h>\n#include <stdint.h>\n#include <string.h>\n#include <time.h>\n#pragma STDC FENV_ACCESS ON\n\
    uint16_t half_of(double, int);\ndouble double_of_half(uint16_t);\nuint32_t ptx_activemask(void *);\n";

/// Makes the module that launches a kernel.
pub(crate) fn for_host(ir: &str, kernel: &str) -> Result<HostModule> {
    let without_target: String = ir
        .lines()
        .filter(|line| !line.starts_with("target ") && !line.starts_with('!'))
        .fold(String::new(), |text, line| text + line + "\n");
    let mut functions: BTreeMap<String, (String, String)> = BTreeMap::new();
    let mut problem = None;
    let assembly = Regex::new(
        "call ([^@\"\n]*?) asm (?:sideeffect )?\"([^\"]*)\", \"[^\"]*\"\\(((?:[^()]|\\([0-9]+\\))*)\\)( convergent)?",
    )?;
    let ir = assembly.replace_all(&without_target, |found: &Captures<'_>| {
        let [result, instruction, operands] =
            [1, 2, 3].map(|at| found.get(at).map_or("", |part| part.as_str()));
        let types: Vec<&str> = split(operands)
            .into_iter()
            .map(|operand| operand.rsplit_once(' ').map_or("", |(ty, _)| ty))
            .collect();
        let key = format!("{result} {instruction} {types:?}");
        let number = functions.len();
        if !functions.contains_key(&key) {
            let name = format!("ptx_{number}");
            match ptx::function(&name, instruction, result, &types) {
                Ok(c) => {
                    let declaration = format!("declare {result} @{name}({})\n", types.join(", "));
                    functions.insert(key.clone(), (declaration, c));
                }
                Err(error) => problem = Some(error.context(instruction.to_owned())),
            }
        }
        let name = functions.get(&key).and_then(|(text, _)| text.split(['@', '(']).nth(1)).unwrap_or("");
        format!("call {result} @{name}({operands})")
    });
    if let Some(problem) = problem {
        return Err(problem);
    }
    let intrinsic = Regex::new(r"@llvm\.nvvm\.([a-z0-9.]+)")?;
    let mut ir = intrinsic
        .replace_all(&ir, |found: &Captures<'_>| {
            format!("@nvvm_{}", found.get(1).map_or("", |name| name.as_str()).replace('.', "_"))
        })
        .replace("@vprintf(", "@vprintf_of_gpu(");
    let mut c = HEAD.to_owned();
    for (declaration, function) in functions.values() {
        ir.push_str(declaration);
        c.push_str(function);
    }
    let mut ir = textures::with_bodies(&ir)?;
    ir += &launcher(&ir, kernel)?;
    Ok(HostModule { ir, c })
}

/// A function that calls the kernel as a driver does: with the addresses of its parameters.
fn launcher(ir: &str, kernel: &str) -> Result<String> {
    let head = format!("define void @{kernel}(");
    let line = ir.lines().find(|line| line.starts_with(&head)).context("the kernel is not there")?;
    let end = line.rfind(") ").context("the kernel's head does not end")?;
    let mut text = "define void @launch(i8** %list) {\n".to_owned();
    let mut passed = Vec::new();
    for (at, parameter) in split(line.get(head.len()..end).unwrap_or_default()).into_iter().enumerate() {
        let (ty, _) = parameter.rsplit_once(' ').context("a parameter without a name")?;
        let _ = writeln!(
            text,
            "  %e{at} = getelementptr i8*, i8** %list, i32 {at}\n  %p{at} = load i8*, i8** %e{at}"
        );
        if let Some((pointer, attributes)) = ty.split_once(" byval") {
            let _ = writeln!(text, "  %v{at} = bitcast i8* %p{at} to {pointer}");
            // Newer compilers want the type in the attribute.
            let pointee = pointer.strip_suffix('*').unwrap_or(pointer);
            passed.push(format!("{pointer} byval({pointee}){} %v{at}", attributes.trim_start_matches("()")));
        } else {
            let _ = writeln!(
                text,
                "  %c{at} = bitcast i8* %p{at} to {ty}*\n  %v{at} = load {ty}, {ty}* %c{at}, align 1"
            );
            passed.push(format!("{ty} %v{at}"));
        }
    }
    let _ = writeln!(text, "  call void @{kernel}({})\n  ret void\n}}", passed.join(", "));
    Ok(text)
}

/// The parts of a list, which have commas only inside brackets.
fn split(list: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_u32, 0);
    for (at, letter) in list.char_indices() {
        match letter {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(list.get(start..at).unwrap_or_default().trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = list.get(start..).unwrap_or_default().trim();
    parts.extend((!last.is_empty()).then_some(last));
    parts
}
