//! Numbers of decorations.

use rspirv::spirv::Decoration;

/// Numbers that the registry lacks. They come from the draft `SPV_INTEL_global_variable_decorations`, which intel/llvm
/// writes. The registry has the same decorations under other numbers, those of `SPV_INTEL_global_variable_host_access`
/// and `SPV_INTEL_global_variable_fpga_decorations`.
const DRAFT: [(u32, Decoration); 3] = [
    (6147, Decoration::HostAccessINTEL),
    (6148, Decoration::InitModeINTEL),
    // `ImplementInCSRINTEL` in the draft.
    (6149, Decoration::ImplementInRegisterMapINTEL),
];

/// Returns the decoration with this number in the registry or the draft.
pub(crate) fn from_number(number: u32) -> Option<Decoration> {
    let draft = || DRAFT.iter().find(|(drafted, _)| *drafted == number).map(|(_, decoration)| *decoration);
    Decoration::from_u32(number).or_else(draft)
}
