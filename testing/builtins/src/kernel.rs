//! Creates SPIR-V kernels, with several cases per module.

use std::fmt::Write;

use crate::case::Case;
use crate::types::{FLOATS, Scalar, WIDTHS, integers, type_id};

const HEAD: &str = "OpCapability Addresses
OpCapability Linkage
OpCapability Kernel
OpCapability Vector16
OpCapability Int8
OpCapability Int16
OpCapability Int64
OpCapability Float16
OpCapability Float64
OpCapability GenericPointer
OpCapability Groups
OpCapability Int64Atomics
OpCapability GroupNonUniform
OpCapability GroupNonUniformVote
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformShuffle
OpCapability GroupNonUniformShuffleRelative
%cl = OpExtInstImport \"OpenCL.std\"
OpMemoryModel Physical64 OpenCL
%void = OpTypeVoid
%bool = OpTypeBool
";

/// Returns the type of a pointer to a scalar in a storage class.
pub(crate) fn pointer_id(class: &str, pointee: &str) -> String {
    format!("%{class}_{}", pointee.trim_start_matches('%'))
}

fn prelude() -> String {
    let mut text = HEAD.to_owned();
    let scalars: Vec<Scalar> = integers().filter(|ty| !ty.is_signed()).chain(FLOATS).collect();
    for ty in &scalars {
        let what = if ty.format().is_some() { "OpTypeFloat" } else { "OpTypeInt" };
        let sign = if ty.format().is_some() { "" } else { " 0" };
        let _ = writeln!(text, "%{} = {what} {}{sign}", ty.id(), ty.bits());
    }
    for lanes in WIDTHS {
        for ty in &scalars {
            let id = type_id(*ty, lanes);
            if lanes > 1 {
                let _ = writeln!(text, "{id} = OpTypeVector %{} {lanes}", ty.id());
            }
            for class in ["CrossWorkgroup", "Workgroup", "Function"] {
                let _ = writeln!(text, "{} = OpTypePointer {class} {id}", pointer_id(class, &id));
            }
        }
        if lanes > 1 {
            let _ = writeln!(text, "%v{lanes}bool = OpTypeVector %bool {lanes}");
        }
    }
    for number in 0..64 {
        let _ = writeln!(
            text,
            "%l_{number} = OpConstant %ulong {number}\n%u_{number} = OpConstant %uint {number}"
        );
    }
    // Scopes and memory semantics.
    text +=
        "%i_device = OpConstant %uint 1\n%i_group = OpConstant %uint 2\n%i_subgroup = OpConstant %uint 3\n";
    text += "%i_barrier = OpConstant %uint 0x110\n%i_relaxed = OpConstant %uint 0\n%true = OpConstantTrue %bool\n%false = OpConstantFalse %bool\n";
    text += "%Input_v3ulong = OpTypePointer Input %v3ulong\n";
    for name in ["GlobalInvocationId", "LocalInvocationId"] {
        let _ =
            writeln!(text, "%{name} = OpVariable %Input_v3ulong Input\nOpDecorate %{name} BuiltIn {name}");
    }
    text
}

/// Returns the text of a module with kernels `k0`, `k1`, which compute the cases.
pub(crate) fn module(cases: &[&Case]) -> String {
    let mut text = prelude();
    let mut functions = String::new();
    for (at, case) in cases.iter().enumerate() {
        let own = |text: &str| text.replace('$', &format!("k{at}."));
        let _ = writeln!(text, "OpEntryPoint Kernel %k{at} \"k{at}\" %GlobalInvocationId %LocalInvocationId");
        text += &own(&case.declarations);
        text.push('\n');
        functions += &own(&function(at, case, &mut text));
    }
    text + &functions
}

fn function(at: usize, case: &Case, declarations: &mut String) -> String {
    let inputs = case.inputs.iter().map(|input| input.ty);
    let parameters: Vec<String> = inputs
        .chain(case.outputs.iter().map(|output| output.ty))
        .map(|ty| pointer_id("CrossWorkgroup", ty.id()))
        .collect();
    // SPIR-V does not allow two types with the same operands, and rusticl refuses them.
    let kind: String = parameters.iter().map(|ty| ty.replace('%', "_")).collect();
    let declaration = format!("%kernel{kind} = OpTypeFunction %void {}\n", parameters.join(" "));
    if !declarations.contains(&declaration) {
        *declarations += &declaration;
    }
    let mut text = format!("%k{at} = OpFunction %void None %kernel{kind}\n");
    for (number, ty) in parameters.iter().enumerate() {
        let (name, number) = match number.checked_sub(case.inputs.len()) {
            None => ("in", number),
            Some(number) => ("out", number),
        };
        let _ = writeln!(text, "%${name}{number} = OpFunctionParameter {ty}");
    }
    text += "%$entry = OpLabel\n";
    text += &case.variables;
    text += "%$g3 = OpLoad %v3ulong %GlobalInvocationId\n%$g = OpCompositeExtract %ulong %$g3 0\n";
    text += "%$l3 = OpLoad %v3ulong %LocalInvocationId\n%$l = OpCompositeExtract %ulong %$l3 0\n";
    for (number, input) in case.inputs.iter().enumerate() {
        let (ty, lanes) = (input.ty, input.lanes);
        let mut parts = Vec::new();
        for lane in 0..lanes {
            let name = format!("%$v{number}.{lane}");
            let name = if lanes == 1 { format!("%$v{number}") } else { name };
            text += &address(&format!("%$in{number}"), &format!("{name}.at"), ty, lanes, lane);
            let _ = writeln!(text, "{name} = OpLoad %{} {name}.at", ty.id());
            parts.push(name);
        }
        if lanes > 1 {
            let _ = writeln!(
                text,
                "%$v{number} = OpCompositeConstruct {} {}",
                type_id(ty, lanes),
                parts.join(" ")
            );
        }
    }
    for (number, output) in case.outputs.iter().enumerate() {
        text += &address(&format!("%$out{number}"), &format!("%$at{number}"), output.ty, output.lanes, 0);
    }
    text += &case.code;
    for (number, output) in case.outputs.iter().enumerate().filter(|(_, output)| !output.by_code) {
        let (ty, lanes) = (output.ty, output.lanes);
        if lanes == 1 {
            let _ = writeln!(text, "OpStore %$at{number} %$r{number}");
            continue;
        }
        for lane in 0..lanes {
            let name = format!("%$r{number}.{lane}");
            text += &address(&format!("%$out{number}"), &format!("{name}.at"), ty, lanes, lane);
            let _ = writeln!(text, "{name} = OpCompositeExtract %{} %$r{number} {lane}", ty.id());
            let _ = writeln!(text, "OpStore {name}.at {name}");
        }
    }
    text + "OpReturn\nOpFunctionEnd\n"
}

/// Computes the address of a lane's scalar in the work-item's data.
fn address(base: &str, name: &str, ty: Scalar, lanes: usize, lane: usize) -> String {
    let pointer = pointer_id("CrossWorkgroup", ty.id());
    format!(
        "{name}.i = OpIMul %ulong %$g %l_{lanes}\n{name}.j = OpIAdd %ulong {name}.i %l_{lane}\n\
         {name} = OpPtrAccessChain {pointer} {base} {name}.j\n"
    )
}
