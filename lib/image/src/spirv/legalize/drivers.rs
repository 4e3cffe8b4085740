//! Determines the rewrites that a driver needs from its answers about itself and from its known faults.

use super::needs::{Casts, Collectives, Needs, SubGroups, VectorFunctions};

/// A driver's answers about itself and one device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DriverFacts {
    /// `CL_PLATFORM_NAME`.
    pub platform: String,
    /// The first two numbers of `CL_DRIVER_VERSION`.
    pub version: (u32, u32),
    /// Whether `CL_DEVICE_TYPE` is a CPU.
    pub is_cpu: bool,
    /// Whether `CL_DEVICE_EXTENSIONS` lists `cl_khr_fp16`.
    pub has_halves: bool,
    /// Whether the device is this computer's processor, and has instructions that convert half-precision numbers.
    pub converts_halves: bool,
    /// `CL_DEVICE_MAX_NUM_SUB_GROUPS`, if the driver supports this query.
    pub most_sub_groups: Option<u32>,
    /// `CL_DEVICE_MAX_WORK_GROUP_SIZE`.
    pub most_items: u32,
}

/// A fault of a driver, and the rewrite that avoids it.
#[derive(Debug)]
pub struct KnownFault {
    /// The name of its platform.
    pub platform: &'static str,
    /// The first version that is known to have the fault.
    pub since: (u32, u32),
    /// The first later version that is known not to have it.
    pub before: (u32, u32),
    /// The behavior without the rewrite.
    pub fault: &'static str,
    /// The program that shows it, either one of `testing/legalize/src/kernels.rs` or a kernel of a stock library.
    pub program: &'static str,
    set: fn(&mut Needs, &DriverFacts),
}

/// No version without the fault is known.
const EVER: (u32, u32) = (u32::MAX, u32::MAX);

pub(super) const POCL: &str = "Portable Computing Language";
pub(super) const RUSTICL: &str = "rusticl";

/// The known faults.
pub const KNOWN_FAULTS: [KnownFault; 60] = [
    KnownFault {
        platform: POCL,
        since: (6, 0),
        before: EVER,
        fault: "collectives that multiply are calls of functions that it does not have",
        program: "products",
        set: |needs, _| needs.collectives = Collectives::WithoutProducts,
    },
    KnownFault {
        platform: POCL,
        since: (6, 0),
        before: (7, 1),
        fault: "a vote whether all work-items of a work-group agree returns the opposite",
        program: "all",
        set: |needs, _| needs.collectives = Collectives::ThroughLocalMemory,
    },
    KnownFault {
        platform: POCL,
        since: (6, 0),
        before: (7, 1),
        fault: "collectives of a work-group of one or two work-items call a function that it does not have",
        program: "pair",
        set: |needs, _| needs.collectives = Collectives::ThroughLocalMemory,
    },
    KnownFault {
        platform: POCL,
        since: (6, 0),
        before: (7, 1),
        fault: "the largest sub-group of a kernel is a whole work-group, which is none of the sizes that it lists",
        program: "dpctl.tensor.sort on 20000 elements of int32",
        set: |needs, _| needs.sub_groups = SubGroups::OneUnlessRequired,
    },
    KnownFault {
        platform: POCL,
        // 6.0 has the same function, but an older LLVM, which draws no conclusion from it.
        since: (7, 1),
        before: EVER,
        fault: "a product of signed integers of 24 bits is assumed to have at most 31",
        program: "product",
        set: |needs, _| needs.wrapping_integers = true,
    },
    KnownFault {
        platform: POCL,
        since: (6, 0),
        before: EVER,
        fault: "the absolute value of the smallest integer is assumed to be positive",
        program: "smallest",
        set: |needs, _| needs.wrapping_integers = true,
    },
    KnownFault {
        platform: POCL,
        since: (6, 0),
        before: EVER,
        fault: "on a CPU, the sine of a float in a vector is wrong if another component is large",
        program: "sines",
        set: |needs, facts| needs.vector_functions = needs.vector_functions.max(sines(facts)),
    },
    KnownFault {
        platform: POCL,
        since: (6, 0),
        before: (7, 1),
        fault: "on a CPU, functions on vectors that are longer than a register compute with other memory",
        program: "long",
        set: |needs, facts| needs.vector_functions = needs.vector_functions.max(long(facts)),
    },
    KnownFault {
        platform: POCL,
        since: (6, 0),
        before: (7, 1),
        fault: "on a CPU, shuffles and stores of such vectors do the same",
        program: "shuffled",
        set: |needs, facts| needs.vector_functions = needs.vector_functions.max(long(facts)),
    },
    KnownFault {
        platform: POCL,
        since: (6, 0),
        before: EVER,
        fault: "the first work-item decides for all where each goes after a barrier that not all paths pass",
        program: "joined",
        set: |needs, _| needs.shared_barriers = true,
    },
    KnownFault {
        platform: POCL,
        since: (6, 0),
        before: EVER,
        fault: "it does the same if some of them return there",
        program: "returned",
        set: |needs, _| needs.shared_barriers = true,
    },
    KnownFault {
        platform: POCL,
        since: (6, 0),
        before: EVER,
        fault: "it does the same if some of them go on at another place",
        program: "parted",
        set: |needs, _| needs.shared_barriers = true,
    },
    KnownFault {
        platform: POCL,
        since: (6, 0),
        before: EVER,
        fault: "it has no functions of half-precision numbers, although it computes with them",
        program: "halves",
        set: |needs, facts| needs.halves_as_floats = facts.converts_halves && !facts.has_halves,
    },
    KnownFault {
        platform: POCL,
        since: (7, 1),
        before: EVER,
        fault: "the first work-item is early before a conditional block that has nothing but a barrier",
        program: "lone",
        set: |needs, _| needs.shared_barriers = true,
    },
    KnownFault {
        platform: POCL,
        since: (7, 1),
        before: EVER,
        fault: "it aborts, or takes values of other work-items, after a switch with barriers in some of its cases",
        program: "switched",
        set: |needs, _| needs.shared_barriers = true,
    },
    KnownFault {
        platform: POCL,
        since: (7, 1),
        before: EVER,
        fault: "before a collective, it loses what a function that it inlines stores in a variable",
        program: "stored",
        set: |needs, _| needs.shared_barriers = true,
    },
    KnownFault {
        platform: POCL,
        since: (7, 1),
        before: EVER,
        fault: "it aborts while it compiles a switch around a loop that all work-items repeat as often",
        program: "counted",
        set: |needs, _| needs.varying_loops = true,
    },
    KnownFault {
        platform: POCL,
        since: (7, 1),
        before: EVER,
        fault: "it runs code before or behind a loop twice if that is in a conditional block",
        program: "single",
        set: |needs, _| needs.varying_loops = true,
    },
    KnownFault {
        platform: POCL,
        since: (6, 0),
        before: EVER,
        fault: "behind a barrier, all work-items get what a loop computed for the last one, even if others left it earlier",
        program: "left",
        set: |needs, _| needs.varying_loop_values = true,
    },
    KnownFault {
        platform: POCL,
        since: (7, 1),
        before: EVER,
        fault: "it repeats a load behind a barrier, although the memory has changed",
        program: "shifted",
        set: |needs, _| needs.lasting_loads = true,
    },
    KnownFault {
        platform: POCL,
        since: (6, 0),
        before: EVER,
        fault: "on a CPU, it moves accesses to elements of a short array past one at a variable index",
        program: "swapped",
        set: |needs, facts| needs.ordered_accesses = facts.is_cpu,
    },
    KnownFault {
        platform: POCL,
        since: (6, 0),
        before: EVER,
        fault: "nextafter of the constant 0 goes down to positive numbers",
        program: "from_zero",
        set: |needs, _| needs.exact_nextafter = true,
    },
    KnownFault {
        platform: POCL,
        since: (7, 1),
        before: EVER,
        fault: "what it computes next to the remainder of constants by 0 may be anything",
        program: "by_zero",
        set: |needs, _| needs.remainders_by_zero = true,
    },
    KnownFault {
        platform: POCL,
        since: (7, 1),
        before: EVER,
        fault: "it crashes while it compiles a second OpGenericCastToPtrExplicit to global memory for a CPU",
        program: "casts",
        set: |needs, facts| needs.casts = if facts.is_cpu { Casts::Unchecked } else { Casts::Native },
    },
    KnownFault {
        platform: POCL,
        since: (7, 1),
        before: EVER,
        fault: "it takes hours to compile a request to unroll a loop with barriers",
        program: "unrolled",
        set: |needs, _| needs.no_loop_controls = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "it refuses aliasing outside functions, and merges that do not stand before a branch",
        program: "hints",
        set: |needs, _| needs.no_hints = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "it refuses blocks that stand before one that dominates them",
        program: "order",
        set: |needs, _| needs.ordered_blocks = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (26, 1),
        before: EVER,
        fault: "it refuses decorations that are repeated",
        program: "repeated",
        set: |needs, _| needs.no_hints = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (26, 1),
        before: EVER,
        fault: "it refuses variables of a function after other code",
        program: "late",
        set: |needs, _| needs.ordered_blocks = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "it refuses entry points of SPIR-V 1.4 that do not list all variables, which no other driver looks at",
        program: "interface",
        set: |needs, _| needs.whole_interfaces = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "it reads members of packed structures that are passed by value from wrong places",
        program: "packed",
        set: |needs, _| needs.natural_layouts = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "it reads each number of an argument from the multiple of its size before it",
        program: "unaligned",
        set: |needs, _| needs.natural_layouts = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "it does not resolve LLVM's saturating intrinsics",
        program: "saturate",
        set: |needs, _| needs.saturating_instructions = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "it returns 0 for the sign of -0",
        program: "sign",
        set: |needs, _| needs.exact_functions = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "it turns infinity, and doubles that are too large, into what is not a number when it converts them to halves",
        program: "narrowed",
        set: |needs, _| needs.exact_functions = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "it rounds doubles below the smallest float away from zero, except to the nearest float",
        program: "rounded",
        set: |needs, _| needs.exact_functions = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "it leaves out conversions to a narrower type and back, which round",
        program: "back",
        set: |needs, _| needs.exact_functions = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "its fmod and OpFRem of doubles are wrong if the quotient is large",
        program: "remainders",
        set: |needs, _| needs.exact_functions = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "its remquo and remainder of doubles are, too",
        program: "nearest",
        set: |needs, _| needs.exact_functions = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "its ldexp changes the exponent of infinity and of what is not a number",
        program: "scaled",
        set: |needs, _| needs.exact_functions = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "its nextafter returns the first of two zeros",
        program: "next",
        set: |needs, _| needs.exact_nextafter = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "its s_mad_sat of 64-bit integers overflows without need",
        program: "saturated",
        set: |needs, _| needs.exact_functions = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "on a CPU, its sine, cosine and tangent of doubles above 16 are off by about 1e-16 times the double",
        program: "angles",
        set: |needs, facts| needs.reduced_angles = facts.is_cpu,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        // 26.1 does not have it, and those before it were not tried.
        before: (26, 1),
        fault: "its sums and differences of constants overflow where they have to saturate",
        program: "folded",
        set: |needs, _| needs.saturated_constants = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: (26, 1),
        fault: "it does not raise negative constants to 0 when it converts them to unsigned integers, saturated",
        program: "raised",
        set: |needs, _| needs.saturated_constants = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: (26, 1),
        fault: "it takes a product with 0 for 0, even if the other number is infinite or none",
        program: "zero",
        set: |needs, _| needs.float_controls = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "it never finishes compiling an access through a cast of a pointer computed from a generic pointer in memory",
        program: "computed",
        set: |needs, _| needs.early_casts = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "it does not finish either if the cast is in a function that is called with the pointer",
        program: "called",
        set: |needs, _| needs.early_casts = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        // 26.1 does not have it, and those before it were not tried.
        before: (26, 1),
        fault: "it crashes on a CPU at a function with branches that has no name",
        program: "nameless",
        set: |needs, facts| needs.named_functions = facts.is_cpu,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "it never finishes compiling some kernels that load a component of a built-in vector through a pointer",
        program: "component",
        set: |needs, _| needs.whole_built_ins = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "it takes a generic pointer that a function is called with for a pointer to global memory",
        program: "given",
        set: |needs, _| (needs.early_casts, needs.kept_pointers) = (true, true),
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "functions of OpenCL.std write through generic pointers to wrong places in some kernels",
        program: "dpnp.frexp on 9 elements of float32",
        set: |needs, _| needs.kept_pointers = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "it takes generic pointers in memory for pointers to global memory",
        program: "kept",
        set: |needs, _| needs.kept_pointers = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "it does the same with a generic pointer that is chosen among pointers to different memories",
        program: "mixed",
        set: |needs, _| needs.kept_pointers = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "it crashes on a CPU at OpGenericCastToPtrExplicit of a generic pointer in memory",
        program: "checked",
        set: |needs, facts| needs.casts = if facts.is_cpu { Casts::Unchecked } else { needs.casts },
    },
    KnownFault {
        platform: RUSTICL,
        // 25.0 does not have it, and those before 26.1 were not tried.
        since: (25, 1),
        before: EVER,
        fault: "on a CPU, it makes a load at an address that all work-items have, even after the end of their loop",
        program: "list",
        set: |needs, facts| needs.divergent_loads = facts.is_cpu,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 1),
        before: EVER,
        fault: "it makes such loads in short conditional blocks, too, even if no work-item runs the block",
        program: "guarded",
        set: |needs, facts| needs.divergent_loads = facts.is_cpu,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "it does not support variables in global memory, and crashes or aborts on them",
        program: "variables",
        set: |needs, _| needs.no_global_variables = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "it computes work-group collectives over sub-groups",
        program: "sums",
        set: |needs, _| needs.collectives = Collectives::ThroughLocalMemory,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        before: EVER,
        fault: "kernels with its sub-groups compute wrong results",
        program: "dpctl.tensor.sqrt on float32",
        set: |needs, _| needs.sub_groups = SubGroups::One,
    },
];

/// Without sines on a CPU, whose functions come from a library of vectors.
fn sines(facts: &DriverFacts) -> VectorFunctions {
    if facts.is_cpu { VectorFunctions::WithoutSines } else { VectorFunctions::Native }
}

/// Without long vectors on a CPU, whose functions have C's convention of calls.
fn long(facts: &DriverFacts) -> VectorFunctions {
    if facts.is_cpu { VectorFunctions::WithoutLong } else { VectorFunctions::Native }
}

impl KnownFault {
    /// Returns whether a driver has the fault.
    pub fn is_of(&self, facts: &DriverFacts) -> bool {
        self.platform == facts.platform && (self.since..self.before).contains(&facts.version)
    }
}

impl Needs {
    /// Returns the rewrites that the driver needs for a device.
    pub fn of(facts: &DriverFacts) -> Self {
        let mut needs = Self {
            sub_groups: if facts.most_sub_groups == Some(0) { SubGroups::One } else { SubGroups::Native },
            most_items: facts.most_items,
            ..Self::default()
        };
        let faults = KNOWN_FAULTS.iter().filter(|fault| fault.is_of(facts));
        faults.for_each(|fault| (fault.set)(&mut needs, facts));
        needs
    }

    /// Returns the rewrites that the driver needs for a program that is built for all of these devices.
    pub fn of_all(devices: &[DriverFacts]) -> Self {
        let mut all = Self::default();
        for facts in devices {
            let needs = Self::of(facts);
            all = Self {
                no_hints: all.no_hints | needs.no_hints,
                no_loop_controls: all.no_loop_controls | needs.no_loop_controls,
                ordered_blocks: all.ordered_blocks | needs.ordered_blocks,
                whole_interfaces: all.whole_interfaces | needs.whole_interfaces,
                natural_layouts: all.natural_layouts | needs.natural_layouts,
                saturating_instructions: all.saturating_instructions | needs.saturating_instructions,
                wrapping_integers: all.wrapping_integers | needs.wrapping_integers,
                vector_functions: all.vector_functions.max(needs.vector_functions),
                exact_nextafter: all.exact_nextafter | needs.exact_nextafter,
                exact_functions: all.exact_functions | needs.exact_functions,
                float_controls: all.float_controls | needs.float_controls,
                reduced_angles: all.reduced_angles | needs.reduced_angles,
                remainders_by_zero: all.remainders_by_zero | needs.remainders_by_zero,
                saturated_constants: all.saturated_constants | needs.saturated_constants,
                whole_built_ins: all.whole_built_ins | needs.whole_built_ins,
                halves_as_floats: all.halves_as_floats | needs.halves_as_floats,
                casts: if needs.casts == Casts::Native { all.casts } else { needs.casts },
                early_casts: all.early_casts | needs.early_casts,
                kept_pointers: all.kept_pointers | needs.kept_pointers,
                divergent_loads: all.divergent_loads | needs.divergent_loads,
                named_functions: all.named_functions | needs.named_functions,
                no_global_variables: all.no_global_variables | needs.no_global_variables,
                sub_groups: all.sub_groups.max(needs.sub_groups),
                varying_loops: all.varying_loops | needs.varying_loops,
                varying_loop_values: all.varying_loop_values | needs.varying_loop_values,
                lasting_loads: all.lasting_loads | needs.lasting_loads,
                ordered_accesses: all.ordered_accesses | needs.ordered_accesses,
                shared_barriers: all.shared_barriers | needs.shared_barriers,
                collectives: all.collectives.max(needs.collectives),
                most_items: all.most_items.max(needs.most_items),
            };
        }
        if all.casts == Casts::Unchecked && !devices.iter().all(|facts| facts.is_cpu) {
            all.casts = Casts::Refused;
        }
        all
    }
}
