//! Declarations that all kernels share.

use anyhow::Result;

/// Types and constants: `%uint`, `%p_uint` (global memory), `%u_7` and so on. All of it is valid in OpenCL.
const COMMON: &str = r#"
OpCapability Addresses
OpCapability Linkage
OpCapability Kernel
OpCapability Int8
OpCapability Int64
OpCapability GenericPointer
%cl = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
; OpenCL C 2.0: before it, Intel's CPU runtime has no LocalInvocationIndex.
OpSource 3 200000
%void = OpTypeVoid
%bool = OpTypeBool
%uchar = OpTypeInt 8 0
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%float = OpTypeFloat 32
%v4uint = OpTypeVector %uint 4
%v3ulong = OpTypeVector %ulong 3
%v2float = OpTypeVector %float 2
%p_uint = OpTypePointer CrossWorkgroup %uint
%g_uint = OpTypePointer Generic %uint
%p_v3ulong = OpTypePointer Input %v3ulong
%p_in_uint = OpTypePointer Input %uint
%true = OpConstantTrue %bool
%u_0 = OpConstant %uint 0
%u_1 = OpConstant %uint 1
%u_3 = OpConstant %uint 3
%u_4 = OpConstant %uint 4
%u_7 = OpConstant %uint 7
%u_16 = OpConstant %uint 16
%u_31 = OpConstant %uint 31
; scopes
%device = OpConstant %uint 1
%group = OpConstant %uint 2
%subgroup = OpConstant %uint 3
; memory semantics
%seq_cst = OpConstant %uint 0x310
%id = OpVariable %p_v3ulong Input
OpDecorate %id BuiltIn LocalInvocationId
"#;

/// Assembles a module with the common types and one kernel `k`, whose code can use `%x` and `%y`, the local id as
/// `%uint`, and `%l`, which is `%x` as `%ulong`. `parameters` are `%type %name` pairs separated by commas.
///
/// # Errors
/// Fails at a line that is not an instruction, and for an undefined name.
pub fn kernel(declarations: &str, parameters: &str, code: &str) -> Result<Vec<u8>> {
    let parameters: Vec<(&str, &str)> =
        parameters.split(',').filter_map(|parameter| parameter.trim().split_once(' ')).collect();
    let types: Vec<&str> = parameters.iter().map(|(kind, _)| *kind).collect();
    let mut text = format!("{COMMON}\nOpEntryPoint Kernel %k \"k\"\n{declarations}\n");
    text +=
        &format!("%k.type = OpTypeFunction %void {}\n%k = OpFunction %void None %k.type\n", types.join(" "));
    for (kind, name) in &parameters {
        text += &format!("{name} = OpFunctionParameter {kind}\n");
    }
    text += "%entry = OpLabel\n%k.id = OpLoad %v3ulong %id Aligned 32\n";
    text += "%l = OpCompositeExtract %ulong %k.id 0\n%x = OpUConvert %uint %l\n";
    text += "%k.y = OpCompositeExtract %ulong %k.id 1\n%y = OpUConvert %uint %k.y\n";
    text += code;
    if !code.contains("OpFunctionEnd") {
        text += "\nOpReturn\nOpFunctionEnd\n";
    }
    testing_nvvm::assemble(&text)
}
