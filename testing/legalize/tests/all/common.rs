//! Modules before and after.

use std::process::Command;

use sycl_pi_image::spirv::{
    Casts, Collectives, Inst, Module, Needs, Op, SubGroups, VectorFunctions, legalize,
};
use testing_legalize::programs;

/// The needs of a driver that accepts modules unchanged.
pub(crate) const NONE: Needs = Needs {
    no_hints: false,
    no_loop_controls: false,
    ordered_blocks: false,
    whole_interfaces: false,
    natural_layouts: false,
    saturating_instructions: false,
    wrapping_integers: false,
    vector_functions: VectorFunctions::Native,
    exact_functions: false,
    exact_nextafter: false,
    remainders_by_zero: false,
    saturated_constants: false,
    hidden_small_integers: false,
    exact_arithmetic: false,
    reduced_angles: false,
    typed_copies: false,
    whole_built_ins: false,
    halves_as_floats: false,
    casts: Casts::Native,
    early_casts: false,
    kept_pointers: false,
    missing_barriers: false,
    kept_results: false,
    divergent_loads: false,
    named_functions: false,
    no_global_variables: false,
    sub_groups: SubGroups::Native,
    varying_loops: false,
    varying_loop_values: false,
    lasting_loads: false,
    ordered_accesses: false,
    shared_barriers: false,
    collectives: Collectives::Native,
    most_items: 0,
};

/// The needs of a driver that needs everything, and refuses nothing.
pub(crate) fn everything() -> Needs {
    let facts = sycl_pi_image::spirv::DriverFacts::named("rusticl-26.1").unwrap();
    Needs {
        casts: Casts::Unchecked,
        no_global_variables: false,
        varying_loops: true,
        varying_loop_values: true,
        lasting_loads: true,
        ordered_accesses: true,
        shared_barriers: true,
        wrapping_integers: true,
        remainders_by_zero: true,
        saturated_constants: true,
        hidden_small_integers: true,
        typed_copies: true,
        vector_functions: VectorFunctions::WithoutLong,
        ..Needs::of(&facts)
    }
}

/// Returns the module of a small kernel.
pub(crate) fn program(name: &str) -> Vec<u8> {
    programs().unwrap().into_iter().find(|program| program.name == name).unwrap().module
}

/// Assembles a kernel with two buffers.
pub(crate) fn kernel(declarations: &str, code: &str) -> Vec<u8> {
    testing_legalize::kernel(declarations, "%p_uint %in, %p_uint %out", code).unwrap()
}

/// Rewrites a module, and checks that `spirv-val` accepts the result if it is installed.
pub(crate) fn made(module: &[u8], needs: &Needs) -> Module {
    let bytes = legalize(module, needs).unwrap().module;
    if needs.no_hints && needs.whole_interfaces {
        check(&bytes);
    }
    Module::parse(&bytes).unwrap()
}

fn check(bytes: &[u8]) {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, bytes).unwrap();
    let Ok(output) = Command::new("spirv-val").args(["--target-env", "spv1.6"]).arg(file.path()).output()
    else {
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Returns the instructions with this opcode, as their operands.
pub(crate) fn of(module: &Module, opcode: Op) -> Vec<Vec<u32>> {
    let found = module.instructions().filter(|inst| inst.opcode == opcode);
    found.map(|inst: Inst<'_>| inst.operands.to_vec()).collect()
}

/// Returns how many instructions have this opcode.
pub(crate) fn count(module: &Module, opcode: Op) -> usize {
    of(module, opcode).len()
}
