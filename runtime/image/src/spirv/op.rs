//! Numbers of the SPIR-V specification that this crate acts on, under the specification's names.
#![allow(non_upper_case_globals, missing_docs)]

pub const MAGIC: u32 = 0x0723_0203;

pub const OpUndef: u16 = 1;
pub const OpSource: u16 = 3;
pub const OpName: u16 = 5;
pub const OpMemberName: u16 = 6;
pub const OpString: u16 = 7;
pub const OpLine: u16 = 8;
pub const OpExtension: u16 = 10;
pub const OpExtInstImport: u16 = 11;
pub const OpExtInst: u16 = 12;
pub const OpMemoryModel: u16 = 14;
pub const OpEntryPoint: u16 = 15;
pub const OpExecutionMode: u16 = 16;
pub const OpCapability: u16 = 17;
pub const OpTypeVoid: u16 = 19;
pub const OpTypeBool: u16 = 20;
pub const OpTypeInt: u16 = 21;
pub const OpTypeFloat: u16 = 22;
pub const OpTypeVector: u16 = 23;
pub const OpTypeImage: u16 = 25;
pub const OpTypeSampler: u16 = 26;
pub const OpTypeSampledImage: u16 = 27;
pub const OpTypeArray: u16 = 28;
pub const OpTypeStruct: u16 = 30;
pub const OpTypeOpaque: u16 = 31;
pub const OpTypePointer: u16 = 32;
pub const OpTypeFunction: u16 = 33;
pub const OpTypeEvent: u16 = 34;
pub const OpTypePipe: u16 = 38;
pub const OpTypeForwardPointer: u16 = 39;
pub const OpConstantTrue: u16 = 41;
pub const OpConstantFalse: u16 = 42;
pub const OpConstant: u16 = 43;
pub const OpConstantComposite: u16 = 44;
pub const OpConstantNull: u16 = 46;
pub const OpSpecConstantTrue: u16 = 48;
pub const OpSpecConstantFalse: u16 = 49;
pub const OpSpecConstant: u16 = 50;
pub const OpSpecConstantComposite: u16 = 51;
pub const OpSpecConstantOp: u16 = 52;
pub const OpFunction: u16 = 54;
pub const OpFunctionParameter: u16 = 55;
pub const OpFunctionEnd: u16 = 56;
pub const OpFunctionCall: u16 = 57;
pub const OpVariable: u16 = 59;
pub const OpLoad: u16 = 61;
pub const OpStore: u16 = 62;
pub const OpPtrAccessChain: u16 = 67;
pub const OpInBoundsPtrAccessChain: u16 = 70;
pub const OpDecorate: u16 = 71;
pub const OpMemberDecorate: u16 = 72;
pub const OpDecorationGroup: u16 = 73;
pub const OpGroupDecorate: u16 = 74;
pub const OpGroupMemberDecorate: u16 = 75;
pub const OpCompositeConstruct: u16 = 80;
pub const OpCompositeExtract: u16 = 81;
pub const OpCompositeInsert: u16 = 82;
pub const OpBitcast: u16 = 124;
pub const OpINotEqual: u16 = 171;
pub const OpAtomicLoad: u16 = 227;
pub const OpAtomicStore: u16 = 228;
pub const OpAtomicXor: u16 = 242;
pub const OpLabel: u16 = 248;
pub const OpSwitch: u16 = 251;
pub const OpNoLine: u16 = 317;
pub const OpModuleProcessed: u16 = 330;
pub const OpExecutionModeId: u16 = 331;
pub const OpDecorateId: u16 = 332;
pub const OpExtInstWithForwardRefsKHR: u16 = 4433;
pub const OpConstantFunctionPointerINTEL: u16 = 5600;
pub const OpFunctionPointerCallINTEL: u16 = 5601;
pub const OpAssumeTrueKHR: u16 = 5630;
pub const OpExpectKHR: u16 = 5631;
pub const OpDecorateString: u16 = 5632;
pub const OpMemberDecorateString: u16 = 5633;
pub const OpAtomicFAddEXT: u16 = 6035;
pub const OpAtomicFMinEXT: u16 = 5614;
pub const OpAtomicFMaxEXT: u16 = 5615;

/// Whether an instruction defines a specialization constant.
pub fn is_spec_constant(opcode: u16) -> bool {
    (OpSpecConstantTrue..=OpSpecConstantOp).contains(&opcode)
}

/// Storage classes.
pub mod storage {
    pub const UniformConstant: u32 = 0;
    pub const Workgroup: u32 = 4;
    pub const CrossWorkgroup: u32 = 5;
    pub const Function: u32 = 7;
    pub const Generic: u32 = 8;
}

/// Decorations.
pub mod decoration {
    pub const SpecId: u32 = 1;
    pub const CPacked: u32 = 10;
    pub const BuiltIn: u32 = 11;
    pub const Constant: u32 = 22;
    pub const FuncParamAttr: u32 = 38;
    pub const LinkageAttributes: u32 = 41;
    pub const Alignment: u32 = 44;
    pub const UserSemantic: u32 = 5635;
    pub const HostAccessINTEL: u32 = 6147;
    pub const InitModeINTEL: u32 = 6148;
    pub const ImplementInCSRINTEL: u32 = 6149;
}

/// Execution modes.
pub mod mode {
    pub const LocalSize: u32 = 17;
    pub const LocalSizeHint: u32 = 18;
    pub const SubgroupSize: u32 = 35;
    pub const LocalSizeId: u32 = 38;
    pub const MaxWorkgroupSizeINTEL: u32 = 5893;
    pub const MaxWorkDimINTEL: u32 = 5894;
}

/// Capabilities.
pub mod capability {
    pub const Linkage: u32 = 5;
    pub const Kernel: u32 = 6;
    pub const Vector16: u32 = 7;
    pub const Float16Buffer: u32 = 8;
    pub const Float16: u32 = 9;
    pub const Float64: u32 = 10;
    pub const Int64: u32 = 11;
    pub const Int64Atomics: u32 = 12;
    pub const Int16: u32 = 22;
    pub const Int8: u32 = 39;
    pub const GenericPointer: u32 = 38;
    pub const VectorComputeINTEL: u32 = 5617;
    pub const ExpectAssumeKHR: u32 = 5629;
    pub const KernelAttributesINTEL: u32 = 5892;
    pub const OptNoneINTEL: u32 = 6094;
}
