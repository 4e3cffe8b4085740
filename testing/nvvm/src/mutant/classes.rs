//! Instructions that can replace each other because their operands and results have the same types.

/// A list of instructions.
type Class = &'static [&'static str];

/// Comparisons of integers.
pub const INTEGER_COMPARISONS: Class = &[
    "OpIEqual",
    "OpINotEqual",
    "OpUGreaterThan",
    "OpSGreaterThan",
    "OpUGreaterThanEqual",
    "OpSGreaterThanEqual",
    "OpULessThan",
    "OpSLessThan",
    "OpULessThanEqual",
    "OpSLessThanEqual",
];

/// Comparisons of floating-point numbers.
pub const FLOAT_COMPARISONS: Class = &[
    "OpFOrdEqual",
    "OpFOrdNotEqual",
    "OpFOrdLessThan",
    "OpFOrdGreaterThan",
    "OpFOrdLessThanEqual",
    "OpFOrdGreaterThanEqual",
    "OpFUnordEqual",
    "OpFUnordNotEqual",
    "OpFUnordLessThan",
    "OpFUnordGreaterThan",
    "OpFUnordLessThanEqual",
    "OpFUnordGreaterThanEqual",
];

const CLASSES: &[Class] = &[
    &["OpIAdd", "OpISub", "OpIMul", "OpBitwiseOr", "OpBitwiseXor", "OpBitwiseAnd"],
    &["OpShiftLeftLogical", "OpShiftRightLogical", "OpShiftRightArithmetic"],
    &["OpUDiv", "OpSDiv", "OpUMod", "OpSRem", "OpSMod"],
    &["OpNot", "OpSNegate", "OpBitCount"],
    INTEGER_COMPARISONS,
    &["OpLogicalAnd", "OpLogicalOr", "OpLogicalEqual", "OpLogicalNotEqual"],
    &["OpUConvert", "OpSConvert"],
    &["OpFAdd", "OpFSub", "OpFMul", "OpFDiv"],
    FLOAT_COMPARISONS,
    &["OpIsNan", "OpIsInf", "OpIsFinite", "OpIsNormal", "OpSignBitSet"],
    &["OpConvertSToF", "OpConvertUToF"],
    &["OpConvertFToS", "OpConvertFToU"],
];

/// The classes of functions of OpenCL.std. `s_mad_sat` and `u_mad_sat` are left out, because their sums overflow on
/// Intel's CPU runtime.
const EXT_CLASSES: &[Class] = &[
    &[
        "s_max",
        "s_min",
        "u_max",
        "u_min",
        "s_abs_diff",
        "u_abs_diff",
        "s_hadd",
        "u_hadd",
        "s_rhadd",
        "u_rhadd",
        "s_add_sat",
        "u_add_sat",
        "s_sub_sat",
        "u_sub_sat",
        "s_mul_hi",
        "u_mul_hi",
        "rotate",
    ],
    &["clz", "ctz", "popcount", "s_abs", "u_abs"],
    &["bitselect", "s_mad_hi", "u_mad_hi"],
    &["fabs", "floor", "ceil", "trunc", "rint", "round"],
    &["fmax", "fmin", "maxmag", "minmag", "fdim"],
];

/// Returns the instructions that can replace one.
pub(super) fn class_of(opcode: &str) -> Option<Class> {
    CLASSES.iter().find(|class| class.contains(&opcode)).copied()
}

/// Returns the functions of OpenCL.std that can replace one.
pub(super) fn ext_class_of(name: &str) -> Option<Class> {
    EXT_CLASSES.iter().find(|class| class.contains(&name)).copied()
}
