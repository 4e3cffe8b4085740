//! Names of SPIR-V's numbers, as the specification writes them.

use std::collections::HashMap;
use std::sync::LazyLock;

use rspirv::spirv::OpenclStd100Op;
use sycl_pi_image::spirv::grammar;

/// Numbers of instructions by their names, `OpIAdd`.
pub(crate) static OPCODES: LazyLock<HashMap<String, u16>> = LazyLock::new(|| {
    (0..u16::MAX).filter_map(|number| Some((format!("Op{}", grammar::name(number)?), number))).collect()
});

/// Numbers of OpenCL.std's instructions by their names, `fabs`.
static OPENCL: LazyLock<HashMap<String, u32>> = LazyLock::new(|| {
    (0..1000)
        .filter_map(|number| Some((format!("{:?}", OpenclStd100Op::from_u32(number)?), number)))
        .collect()
});

/// Words that instructions have for numbers. None has two meanings among those that are used here.
const WORDS: &[(&str, u32)] = &[
    // Capabilities
    ("Addresses", 4),
    ("Linkage", 5),
    ("Kernel", 6),
    ("Int64", 11),
    // Storage classes
    ("UniformConstant", 0),
    ("Input", 1),
    ("Workgroup", 4),
    ("CrossWorkgroup", 5),
    ("Function", 7),
    ("Generic", 8),
    // Memory model
    ("Physical64", 2),
    ("OpenCL", 2),
    // Decorations
    ("SpecId", 1),
    ("BuiltIn", 11),
    ("SaturatedConversion", 28),
    ("FuncParamAttr", 38),
    ("FPRoundingMode", 39),
    ("FPFastMathMode", 40),
    ("LinkageAttributes", 41),
    ("Alignment", 44),
    ("HostAccessINTEL", 6147),
    // Rounding modes
    ("RTE", 0),
    ("RTZ", 1),
    ("RTP", 2),
    ("RTN", 3),
    // Linkage
    ("Export", 0),
    ("Import", 1),
    // Attributes of parameters
    ("ByVal", 2),
    // Built-in variables
    ("NumWorkgroups", 24),
    ("WorkgroupSize", 25),
    ("WorkgroupId", 26),
    ("LocalInvocationId", 27),
    ("GlobalInvocationId", 28),
    ("LocalInvocationIndex", 29),
    ("WorkDim", 30),
    ("GlobalSize", 31),
    ("EnqueuedWorkgroupSize", 32),
    ("GlobalOffset", 33),
    ("GlobalLinearId", 34),
    ("SubgroupSize", 36),
    ("SubgroupMaxSize", 37),
    ("NumSubgroups", 38),
    ("SubgroupId", 40),
    ("SubgroupLocalInvocationId", 41),
    // Execution modes
    ("LocalSize", 17),
    ("ContractionOff", 31),
    ("SubgroupSizeMode", 35),
    // Masks
    ("None", 0),
    ("Aligned", 2),
    // Parts of group operations
    ("Reduce", 0),
    ("InclusiveScan", 1),
    ("ExclusiveScan", 2),
];

/// The number that a word stands for.
pub(crate) fn number(word: &str) -> Option<u32> {
    let named = WORDS.iter().find(|(name, _)| *name == word).map(|(_, number)| *number);
    named.or_else(|| OPENCL.get(word).copied())
}
