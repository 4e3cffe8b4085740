//! Translates a program's modules to one module of NVVM IR.

use std::collections::BTreeMap;
use std::fmt::Write;

use sycl_pi_image::spirv::{Index, LinkOptions, Module, link, linked_spec_ids};

use crate::divergence::masks;
use crate::error::Error;
use crate::functions::Functions;
use crate::helpers::Helpers;
use crate::kernel;
use crate::names::DYNAMIC;
use crate::options::Options;
use crate::program::Program;
use crate::translation::Translation;

const HEADER: &str = "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n\n";

/// Translates all modules of a program, and resolves imports to exports of the same name.
pub fn translate(modules: &[&[u8]], options: &Options) -> Result<Translation, Error> {
    let read = |(number, bytes): (usize, &&[u8])| {
        Module::parse(bytes).map_err(|source| Error::Module { number, source })
    };
    let parsed: Vec<Module> = modules.iter().enumerate().map(read).collect::<Result<_, _>>()?;
    let look = |(number, module)| Index::new(module).map_err(|source| Error::Module { number, source });
    let indices: Vec<Index<'_>> = parsed.iter().enumerate().map(look).collect::<Result<_, _>>()?;
    if let [index] = indices.as_slice() {
        return one(index, options);
    }
    let names: Vec<String> = (0..indices.len()).map(|number| format!("module {number}")).collect();
    let named: Vec<(&str, &Index<'_>)> = names.iter().map(String::as_str).zip(&indices).collect();
    let linked = link(&named, LinkOptions::allowing_missing()).map_err(Error::Link)?;
    let index = Index::new(&linked).map_err(Error::Link)?;
    // The ids of constants are local to each module, so an id may have changed in the linked module.
    let mut values = BTreeMap::new();
    for (ids, own) in linked_spec_ids(&named).map_err(Error::Link)?.iter().zip(&options.specialization) {
        values.extend(own.iter().filter_map(|(id, value)| Some((*ids.get(id)?, value.clone()))));
    }
    one(&index, &Options { specialization: vec![values], ..options.clone() })
}

fn one(index: &Index<'_>, options: &Options) -> Result<Translation, Error> {
    let mut program = Program::new(index, options)?;
    program.masks = masks(&program);
    let mut helpers = Helpers::default();
    let mut translation =
        Translation { contraction_off: program.reach.has_strict(), ..Translation::default() };
    let written = Functions::write(&program, &mut helpers)?;
    let (mut kernels, mut annotations, mut dynamic) = (String::new(), Vec::new(), false);
    let mut running = program.exported();
    for entry in &program.entries {
        let refused = entry.refused.clone().or_else(|| written.refusal(entry));
        let kernel = match refused {
            None => kernel::write(&program, entry, &mut kernels, &mut annotations, &mut dynamic)
                .map_err(|reason| format!("kernel {}: {}", entry.name, reason.0)),
            Some(reason) => Err(reason),
        };
        if kernel.is_ok() {
            running.push((entry.function, entry.size));
        }
        translation.kernels.push(kernel.unwrap_or_else(|reason| kernel::refused(entry, reason)));
    }
    let functions = written.text(&program, &running);
    let length = functions.len() + kernels.len() + program.variables.len();
    let mut ir = String::with_capacity(length + 4096);
    ir.push_str(HEADER);
    program.types.definitions(&mut ir).map_err(|reason| reason.in_declaration("the structures"))?;
    if dynamic {
        let _ = writeln!(ir, "@{DYNAMIC} = external addrspace(3) global [0 x i8], align 128");
    }
    ir.push_str(&program.variables);
    ir.push('\n');
    ir.push_str(&functions);
    ir.push_str(&kernels);
    helpers.write(&mut ir);
    metadata(&annotations, &mut ir);
    translation.globals.clone_from(&program.globals);
    translation.libdevice = helpers.libdevice;
    translation.function_pointers = program.reach.by_address().next().is_some();
    translation.ir = ir;
    Ok(translation)
}

fn metadata(annotations: &[String], out: &mut String) {
    let _ = writeln!(out, "!nvvmir.version = !{{!0}}\n!0 = !{{i32 2, i32 0}}");
    if !annotations.is_empty() {
        let list: Vec<String> = (1..=annotations.len()).map(|number| format!("!{number}")).collect();
        let _ = writeln!(out, "!nvvm.annotations = !{{{}}}", list.join(", "));
    }
    for (at, annotation) in annotations.iter().enumerate() {
        let _ = writeln!(out, "!{} = !{{{annotation}}}", at + 1);
    }
}
