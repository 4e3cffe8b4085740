//! Names of SPIR-V's numbers, as in the specification.

use std::collections::HashMap;
use std::sync::LazyLock;

use sycl_pi_image::spirv::{
    AddressingModel, BuiltIn, CLOp, Capability, Decoration, ExecutionMode, ExecutionModel, FPRoundingMode,
    FunctionParameterAttribute, GroupOperation, LinkageType, MemoryModel, Op, StorageClass, grammar,
};

/// Instructions by their names, e.g. `OpIAdd`.
pub(crate) static OPCODES: LazyLock<HashMap<String, Op>> = LazyLock::new(|| {
    let named = |number: u16| Some((format!("Op{}", grammar::name(number)?), Op::from_u32(number.into())?));
    (0..u16::MAX).filter_map(named).collect()
});

/// The numbers of OpenCL.std's instructions by their names, e.g. `fabs`.
static OPENCL: LazyLock<HashMap<String, u32>> = LazyLock::new(|| {
    (0..1000).filter_map(|number| Some((format!("{:?}", CLOp::from_u32(number)?), number))).collect()
});

/// Words whose meaning depends on the position, or that are masks.
const WORDS: &[(&str, u32)] = &[
    ("SubgroupSizeMode", ExecutionMode::SubgroupSize as u32),
    // Masks
    ("None", 0),
    ("Aligned", 2),
];

/// Returns the number of a word. If it has several meanings, the tests use the first one here.
pub(crate) fn number(word: &str) -> Option<u32> {
    let special = WORDS.iter().find(|(name, _)| *name == word).map(|(_, number)| *number);
    special
        .or_else(|| word.parse().ok().map(|class: StorageClass| class as u32))
        .or_else(|| word.parse().ok().map(|decoration: Decoration| decoration as u32))
        .or_else(|| word.parse().ok().map(|built_in: BuiltIn| built_in as u32))
        .or_else(|| word.parse().ok().map(|mode: ExecutionMode| mode as u32))
        .or_else(|| word.parse().ok().map(|capability: Capability| capability as u32))
        .or_else(|| word.parse().ok().map(|model: AddressingModel| model as u32))
        .or_else(|| word.parse().ok().map(|model: MemoryModel| model as u32))
        .or_else(|| word.parse().ok().map(|model: ExecutionModel| model as u32))
        .or_else(|| word.parse().ok().map(|mode: FPRoundingMode| mode as u32))
        .or_else(|| word.parse().ok().map(|linkage: LinkageType| linkage as u32))
        .or_else(|| word.parse().ok().map(|attribute: FunctionParameterAttribute| attribute as u32))
        .or_else(|| word.parse().ok().map(|operation: GroupOperation| operation as u32))
        .or_else(|| OPENCL.get(word).copied())
}
