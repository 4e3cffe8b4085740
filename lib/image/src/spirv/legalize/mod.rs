//! Rewrites a module so that an OpenCL driver accepts it and computes the right results.
//!
//! The rewrites that a driver needs are data: [`Needs`] is computed from the driver's facts about itself and from
//! [`known_faults`].

mod arithmetic;
mod barriers;
mod casts;
mod chosen_pointers;
mod collectives;
mod divergent_loads;
mod draft;
mod driver_facts;
mod drivers;
mod early_casts;
mod exact_arithmetic;
mod flow;
mod global_variables;
mod groups;
mod halves;
mod hints;
mod inline;
mod interface;
mod kept_pointers;
mod kept_results;
mod known_fault;
mod known_faults;
mod known_pointers;
mod lasting_loads;
mod line;
mod loop_values;
mod loops;
mod missing_barriers;
mod mixed_pointers;
mod named_drivers;
mod names;
mod natural;
mod needs;
mod numbers;
mod order;
mod ordered_accesses;
mod reach;
mod refusal;
mod saturate;
mod scope;
mod shared_barriers;
mod sub_groups;
mod typed_copies;
mod varying_loops;
mod vector_type;
mod vectors;
mod whole_built_ins;
mod work_items;
mod wrapping;

use std::borrow::Cow;

use super::Index;
use super::Module;
use super::SpirvError;
use draft::Draft;
pub use driver_facts::DriverFacts;
pub use known_fault::KnownFault;
pub use known_faults::known_faults;
pub use needs::{Casts, Collectives, Needs, SubGroups, VectorFunctions};
pub use refusal::Refusal;

/// A module in a form that a driver accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Legalized<'m> {
    /// The module without the refused kernels and functions.
    pub module: Cow<'m, [u8]>,
    /// The kernels, and the functions for other modules, that the driver cannot be made to run.
    pub refused: Vec<Refusal>,
}

/// Rewrites a module of either byte order for a driver. If the driver needs nothing, or accepts this module as it is,
/// the module's own bytes are returned.
///
/// # Errors
/// Fails if the module is malformed or has no ids left. Also fails if every kernel uses a feature that the driver
/// cannot be made to have, such as sub-groups of a certain size.
pub fn legalize<'m>(module: &'m [u8], needs: &Needs) -> Result<Legalized<'m>, SpirvError> {
    if needs.is_none() {
        return Ok(Legalized { module: Cow::Borrowed(module), refused: Vec::new() });
    }
    let parsed = Module::parse(module)?;
    let mut refused = Vec::new();
    let mut rest: Option<Module> = None;
    loop {
        let current = rest.as_ref().unwrap_or(&parsed);
        let index = Index::new(current)?;
        let mut draft = Draft::new(current)?;
        rewrite(&index, &mut draft, needs)?;
        if draft.faults.is_empty() {
            let made = draft.finish()?;
            let module = if made == parsed { Cow::Borrowed(module) } else { Cow::Owned(made.to_bytes()?) };
            return Ok(Legalized { module, refused });
        }
        rest = Some(refusal::without(&index, &draft.faults, &mut refused)?);
    }
}

/// Makes all rewrites that a driver needs. Notes in the draft which functions and variables the driver cannot run.
fn rewrite(index: &Index<'_>, draft: &mut Draft, needs: &Needs) -> Result<(), SpirvError> {
    let sub_groups_of_one = match needs.sub_groups {
        SubGroups::Native => false,
        SubGroups::OneUnlessRequired => !sub_groups::is_size_required(draft),
        SubGroups::One => true,
    };
    if needs.no_global_variables {
        global_variables::check(index, draft)?;
    }
    if needs.no_hints {
        hints::drop(draft)?;
    }
    if needs.no_loop_controls {
        hints::drop_loop_controls(draft);
    }
    if needs.ordered_blocks {
        order::rewrite(draft)?;
    }
    if needs.saturating_instructions {
        saturate::rewrite(draft)?;
    }
    if needs.wrapping_integers {
        wrapping::rewrite(draft)?;
    }
    if needs.hidden_small_integers {
        numbers::widened::rewrite(draft)?;
    }
    if needs.exact_functions {
        numbers::rewrite(draft)?;
    }
    if needs.exact_nextafter {
        numbers::rewrite_nextafter(draft)?;
    }
    if needs.remainders_by_zero {
        numbers::rewrite_remainders_by_zero(draft)?;
    }
    // It computes what the intrinsics were replaced by.
    if needs.saturated_constants {
        numbers::saturation::rewrite(draft)?;
    }
    if needs.reduced_angles {
        numbers::angles::rewrite(draft)?;
    }
    if needs.natural_layouts {
        natural::rewrite(index, draft);
    }
    if needs.typed_copies {
        typed_copies::rewrite(index, draft)?;
    }
    if needs.whole_built_ins {
        whole_built_ins::rewrite(index, draft)?;
    }
    casts::rewrite(draft, needs.casts)?;
    if needs.early_casts {
        inline::rewrite(draft)?;
    }
    if needs.kept_pointers {
        chosen_pointers::rewrite(draft)?;
        mixed_pointers::check(draft);
        kept_pointers::rewrite(draft)?;
        known_pointers::rewrite(draft)?;
    }
    if needs.early_casts {
        early_casts::rewrite(draft)?;
    }
    if sub_groups_of_one {
        sub_groups::rewrite(draft)?;
    }
    collectives::rewrite(draft, needs.collectives, needs.halves_as_floats, needs.most_items)?;
    if sub_groups_of_one || needs.collectives != Collectives::Native {
        groups::drop_unused(draft);
    }
    // Operations of groups have functions in them.
    if needs.halves_as_floats {
        halves::rewrite(draft)?;
    }
    // Functions of half-precision numbers are those of longer vectors now.
    vectors::rewrite(draft, needs.vector_functions)?;
    // Operations of groups have barriers in them.
    if needs.shared_barriers && draft.functions.iter().any(barriers::waits) {
        inline::inline_all(draft)?;
    }
    if needs.missing_barriers {
        missing_barriers::rewrite(draft)?;
    }
    if needs.kept_results {
        kept_results::rewrite(draft)?;
    }
    if needs.varying_loops {
        varying_loops::rewrite(draft)?;
    }
    if needs.shared_barriers {
        shared_barriers::rewrite(draft)?;
    }
    if needs.varying_loop_values {
        loop_values::rewrite(draft)?;
    }
    if needs.lasting_loads {
        lasting_loads::rewrite(draft)?;
    }
    if needs.ordered_accesses {
        ordered_accesses::rewrite(index, draft)?;
    }
    // It uses the lanes of sub-groups.
    if needs.divergent_loads {
        divergent_loads::rewrite(draft)?;
    }
    if needs.named_functions {
        names::rewrite(draft)?;
    }
    if needs.exact_arithmetic {
        exact_arithmetic::rewrite(draft)?;
    }
    // Other rewrites may have added variables.
    if needs.whole_interfaces
        || needs.divergent_loads
        || sub_groups_of_one
        || needs.collectives != Collectives::Native
    {
        interface::rewrite(draft)?;
    }
    Ok(())
}
