//! The known faults of PoCL.

use crate::spirv::legalize::driver_facts::{DriverFacts, POCL};
use crate::spirv::legalize::known_fault::{EVER, KnownFault};
use crate::spirv::legalize::needs::{Casts, Collectives, SubGroups, VectorFunctions};

pub(super) const FAULTS: &[KnownFault] = &[
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
        fault: "on a CPU, it runs one work-item at a time, where programs with a race expect more",
        program: "raced",
        set: |needs, facts| needs.missing_barriers = facts.is_cpu,
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
];

/// Without sines on a CPU, whose functions come from a library of vectors.
fn sines(facts: &DriverFacts) -> VectorFunctions {
    if facts.is_cpu { VectorFunctions::WithoutSines } else { VectorFunctions::Native }
}

/// Without long vectors on a CPU, whose functions have C's convention of calls.
fn long(facts: &DriverFacts) -> VectorFunctions {
    if facts.is_cpu { VectorFunctions::WithoutLong } else { VectorFunctions::Native }
}
