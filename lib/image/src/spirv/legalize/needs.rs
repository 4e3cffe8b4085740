//! What a driver needs of a module.

/// The work-group collectives that a driver lacks or has wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Collectives {
    /// None: its own are used.
    #[default]
    Native,
    /// Products, and bitwise and logical operations (SPV_KHR_uniform_group_instructions).
    WithoutProducts,
    /// All.
    ThroughLocalMemory,
}

/// What becomes of casts of generic pointers that return null if the pointer is to other memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Casts {
    /// They stay.
    #[default]
    Native,
    /// They do not ask what the pointer is to. This is for CPUs, whose memories are one.
    Unchecked,
    /// Kernels that have them are refused.
    Refused,
}

/// The rewrites that a driver needs. The default is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Aliasing, loop controls and cache controls are dropped, and merges that are out of place.
    pub no_hints: bool,
    /// Loops have no controls, such as those that ask for unrolling.
    pub no_loop_controls: bool,
    /// Each block of a function stands after those that dominate it.
    pub ordered_blocks: bool,
    /// Entry points list all variables that they reach.
    pub whole_interfaces: bool,
    /// Structures are not packed where that makes no difference, and kernels that take other packed ones by value are
    /// refused.
    pub natural_layouts: bool,
    /// LLVM's saturating intrinsics are OpenCL's.
    pub saturating_instructions: bool,
    /// Casts of generic pointers.
    pub casts: Casts,
    /// Kernels that use variables in global memory are refused.
    pub no_global_variables: bool,
    /// Each work-item is a sub-group of its own.
    pub sub_groups_of_one: bool,
    /// The work-group collectives that are computed through local memory.
    pub collectives: Collectives,
    /// The most work-items of a work-group, for which local memory is needed then: 8 bytes each.
    pub most_items: u32,
}

impl Needs {
    /// Returns whether the driver takes modules as they are.
    pub fn is_none(&self) -> bool {
        Self { most_items: 0, ..*self } == Self::default()
    }
}
