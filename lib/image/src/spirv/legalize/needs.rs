//! The properties that a driver needs a module to have.

/// The work-group collectives that a driver lacks or computes wrongly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Collectives {
    /// None, so that the driver's own are used.
    #[default]
    Native,
    /// Products, and bitwise and logical operations (SPV_KHR_uniform_group_instructions).
    WithoutProducts,
    /// All.
    ThroughLocalMemory,
}

/// The functions on vectors that a driver computes wrongly. They are called for one component at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum VectorFunctions {
    /// None, so that the driver's own are used.
    #[default]
    Native,
    /// Sines, cosines and tangents of floats.
    WithoutSines,
    /// These, and all functions that take vectors of more than 16 bytes, except for geometric ones.
    WithoutLong,
}

/// The modules in which each work-item becomes its own sub-group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum SubGroups {
    /// None, so that sub-groups are the driver's own.
    #[default]
    Native,
    /// Those in which no kernel requires a size.
    OneUnlessRequired,
    /// All. Kernels that require another size are refused.
    One,
}

/// How to rewrite casts of generic pointers that return null if the pointer points to other memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Casts {
    /// They are kept.
    #[default]
    Native,
    /// They do not check to which memory the pointer points. This is for CPUs, which have a single memory.
    Unchecked,
    /// Kernels that contain them are refused.
    Refused,
}

/// The rewrites that a driver needs. By default, there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Drops aliasing, loop controls and cache controls, and merge instructions that are out of place.
    pub no_hints: bool,
    /// Drops the controls of loops, such as requests to unroll them.
    pub no_loop_controls: bool,
    /// Places each block of a function after those that dominate it.
    pub ordered_blocks: bool,
    /// Lists in each entry point all variables that it reaches.
    pub whole_interfaces: bool,
    /// Drops the packing of structures if it makes no difference, and refuses kernels that take other packed structures
    /// by value.
    pub natural_layouts: bool,
    /// Replaces LLVM's saturating intrinsics by OpenCL's instructions.
    pub saturating_instructions: bool,
    /// Computes products of 24-bit integers and absolute values with operations that may overflow.
    pub wrapping_integers: bool,
    /// The functions that are called for one component of a vector at a time.
    pub vector_functions: VectorFunctions,
    /// Computes functions and conversions of numbers that the driver gets wrong in special cases, such as remainders of
    /// large quotients.
    pub exact_functions: bool,
    /// Computes `nextafter` by the bits of its argument.
    pub exact_nextafter: bool,
    /// Returns NaN for remainders by zero, without a division.
    pub remainders_by_zero: bool,
    /// Computes what saturates by other instructions if the driver does not saturate constants.
    pub saturated_constants: bool,
    /// Hides that integers are small where they are converted to floats.
    pub hidden_small_integers: bool,
    /// Forbids other orders of sums, and other simplifications that IEEE 754 does not allow.
    pub exact_arithmetic: bool,
    /// Reduces the arguments of trigonometric functions of doubles.
    pub reduced_angles: bool,
    /// Copies objects as values of their types.
    pub typed_copies: bool,
    /// Loads built-in vectors as a whole, where only a component is used too.
    pub whole_built_ins: bool,
    /// Computes functions of half-precision numbers in single precision.
    pub halves_as_floats: bool,
    /// How casts of generic pointers are rewritten.
    pub casts: Casts,
    /// Casts generic pointers before other pointers are computed from them.
    pub early_casts: bool,
    /// Tells the memory of generic pointers that are loaded from a variable, and of those that are made of other pointers.
    pub kept_pointers: bool,
    /// Adds barriers that a program lacks between writing to local memory and reading what other work-items wrote.
    pub missing_barriers: bool,
    /// Keeps the memory for results of functions across barriers.
    pub kept_results: bool,
    /// Makes the addresses of loads that may not be made look different to each work-item.
    pub divergent_loads: bool,
    /// Names functions that have no name.
    pub named_functions: bool,
    /// Refuses kernels that use variables in global memory.
    pub no_global_variables: bool,
    /// The modules in which each work-item becomes its own sub-group.
    pub sub_groups: SubGroups,
    /// Makes loops look different to each work-item.
    pub varying_loops: bool,
    /// Makes values that a loop computes look different to each work-item outside the loop.
    pub varying_loop_values: bool,
    /// Keeps the driver from repeating loads.
    pub lasting_loads: bool,
    /// Keeps LLVM from moving accesses past others that may be to the same memory.
    pub ordered_accesses: bool,
    /// Leads all ways of a branch through the barrier of one of them, and inlines all functions of modules with barriers.
    pub shared_barriers: bool,
    /// The work-group collectives that are computed through local memory.
    pub collectives: Collectives,
    /// The most work-items of a work-group, each of which then needs 8 bytes of local memory.
    pub most_items: u32,
}

impl Needs {
    /// Returns whether the driver accepts modules unchanged.
    pub fn is_none(&self) -> bool {
        Self { most_items: 0, ..*self } == Self::default()
    }
}
