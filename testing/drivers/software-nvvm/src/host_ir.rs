//! Converts NVVM IR to IR for the processor: features of the GPU become calls of the software driver's functions.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::textures;

/// The start of every module.
const HEAD: &str = "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128\"\n\
    target triple = \"x86_64-unknown-linux-gnu\"\n";

/// The functions of libdevice that the software driver implements, because the processor's library does not have
/// them.
const OF_DRIVER: &str = include_str!("../../software-cuda/src/gpu/mathematics.rs");

/// The local memory of the largest possible launch.
const SHARED: usize = 232_448;

#[allow(clippy::unwrap_used, reason = "constant expressions")]
static ASSEMBLY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        "call ([^@\"\n]*?) asm (?:sideeffect )?\"([^\"]*)\", \"[^\"]*\"\\(((?:[^()]|\\([0-9]+\\))*)\\)( convergent)?",
    )
    .unwrap()
});
#[allow(clippy::unwrap_used, reason = "constant expressions")]
static INTRINSIC: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"@llvm\.nvvm\.([a-z0-9.]+)").unwrap());
#[allow(clippy::unwrap_used, reason = "constant expressions")]
static LIBRARY: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"@__nv_(fast_)?([a-z0-9]+)").unwrap());

/// A structure that a call copies. LLVM 7 takes its type from the pointer, LLVM 14 from the attribute.
#[allow(clippy::unwrap_used, reason = "a constant expression")]
static COPIED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(%s[0-9]+)\* byval ").unwrap());

/// Returns the module for the processor.
pub(crate) fn rewrite(module: &str) -> String {
    let mut text = String::with_capacity(module.len() + HEAD.len());
    text.push_str(HEAD);
    for line in module.lines().filter(|line| !line.starts_with("target ") && !line.starts_with('!')) {
        text.push_str(line);
        text.push('\n');
    }
    let mut declarations = BTreeSet::new();
    let text = ASSEMBLY.replace_all(&text, |found: &Captures<'_>| {
        let [result, instruction, operands] =
            [1, 2, 3].map(|at| found.get(at).map_or("", |part| part.as_str()));
        let types =
            split(operands).into_iter().map(|operand| operand.rsplit_once(' ').map_or("", |(ty, _)| ty));
        let types: Vec<&str> = types.collect();
        let name = function_of(instruction);
        // Pointers of all types and spaces are the same to the function.
        let simple: Vec<&str> = types.iter().map(|ty| if ty.ends_with('*') { "i8*" } else { ty }).collect();
        declarations.insert(format!("declare {result} @{name}({}) convergent nounwind\n", simple.join(", ")));
        let callee = if simple == types {
            format!("@{name}")
        } else {
            format!("bitcast ({result} ({})* @{name} to {result} ({})*)", simple.join(", "), types.join(", "))
        };
        format!("call {result} {callee}({operands})")
    });
    let text = COPIED.replace_all(&text, "$1* byval($1) ");
    let text = INTRINSIC.replace_all(&text, |found: &Captures<'_>| {
        format!("@nvvm_{}", found.get(1).map_or("", |name| name.as_str()).replace('.', "_"))
    });
    let text = LIBRARY.replace_all(&text, |found: &Captures<'_>| {
        let name = found.get(2).map_or("", |name| name.as_str());
        if OF_DRIVER.contains(&format!("fn __nv_{name}(")) {
            format!("@__nv_{name}")
        } else {
            format!("@{name}")
        }
    });
    let mut text = text.replace("@vprintf(", "@vprintf_of_gpu(").replace("@__assertfail(", "@assertfail_of_gpu(").replace(
        "@__dyn = external addrspace(3) global [0 x i8], align 128",
        &format!(
            "@__dyn_room = internal addrspace(3) global [{SHARED} x i8] zeroinitializer, align 128\n\
             @__dyn = internal alias [0 x i8], bitcast ([{SHARED} x i8] addrspace(3)* @__dyn_room to [0 x i8] addrspace(3)*)"
        ),
    );
    text.extend(declarations);
    textures::with_bodies(&without_repeated_declarations(&text))
}

/// Removes repeated declarations. A function and its fast form in libdevice are the same function here, and a
/// module must declare a function once.
fn without_repeated_declarations(text: &str) -> String {
    let mut declared = BTreeSet::new();
    let mut kept = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if !line.starts_with("declare ") || declared.insert(line) {
            kept.push_str(line);
        }
    }
    kept
}

/// Returns the driver's function for an instruction such as `atom.relaxed.gpu.global.add.u32 $0, [$1], $2;`. Every
/// access has the strongest ordering, so that order, scope and space are not part of the name. Orders and scopes that
/// PTX does not have are part of it, so that the driver lacks the function.
fn function_of(instruction: &str) -> String {
    let (word, _) = instruction.split_once([' ', ';']).unwrap_or((instruction, ""));
    let parts: Vec<&str> = word.split('.').collect();
    let kept = match parts.as_slice() {
        ["fence", "sc" | "acq_rel", "cta" | "gpu" | "sys"] => &parts[..0],
        ["ld", "relaxed" | "acquire", "cta" | "gpu" | "sys", rest @ ..]
        | ["st", "relaxed" | "release", "cta" | "gpu" | "sys", rest @ ..]
        | ["atom", "relaxed" | "acquire" | "release" | "acq_rel", "cta" | "gpu" | "sys", rest @ ..] => {
            rest.strip_prefix(&["global"]).or(rest.strip_prefix(&["shared"])).unwrap_or(rest)
        }
        [_, rest @ ..] => rest,
        [] => &[],
    };
    let operation = parts.first().copied().unwrap_or_default();
    ["ptx", operation].iter().chain(kept).copied().collect::<Vec<_>>().join("_")
}

/// Splits a list, in which commas also occur inside brackets.
pub(crate) fn split(list: &str) -> Vec<&str> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_and_its_fast_form_are_declared_once() {
        let both =
            "declare float @__nv_expf(float) nounwind\ndeclare float @__nv_fast_expf(float) nounwind\n";
        assert_eq!(rewrite(both).matches("declare float @expf(").count(), 1);
    }

    #[test]
    fn a_structure_that_is_copied_has_its_type_in_the_attribute() {
        let text = rewrite("define internal void @f1(i64 %v2, %s3* byval align 8 %v4) {\n");
        assert!(text.contains("(i64 %v2, %s3* byval(%s3) align 8 %v4)"), "{text}");
    }

    #[test]
    fn functions_that_the_processors_library_lacks_are_the_drivers() {
        for (name, becomes) in [
            ("__nv_sinpi", "@__nv_sinpi("),
            ("__nv_rsqrtf", "@__nv_rsqrtf("),
            ("__nv_norm4df", "@__nv_norm4df("),
            ("__nv_sin", "@sin("),
            ("__nv_erff", "@erff("),
        ] {
            assert!(rewrite(&format!("declare double @{name}(double)\n")).contains(becomes), "{name}");
        }
    }

    #[test]
    fn instructions_become_functions_without_order_scope_and_space() {
        assert_eq!(function_of("atom.acq_rel.gpu.global.add.u32 $0, [$1], $2;"), "ptx_atom_add_u32");
        assert_eq!(function_of("fence.sc.sys;"), "ptx_fence");
        assert_eq!(function_of("cvt.rz.f16.f32 $0, $1;"), "ptx_cvt_rz_f16_f32");
        assert_eq!(function_of("activemask.b32 $0;"), "ptx_activemask_b32");
        // PTX has neither a load with release semantics nor a warp scope, and the driver has no such function.
        assert_eq!(function_of("ld.release.gpu.u32 $0, [$1];"), "ptx_ld_release_gpu_u32");
        assert_eq!(function_of("fence.sc.warp;"), "ptx_fence_sc_warp");
    }
}
