//! Determines the rewrites that a driver needs from its answers about itself and from its known faults.

use super::driver_facts::DriverFacts;
use super::known_faults::known_faults;
use super::needs::{Casts, Needs, SubGroups};

impl Needs {
    /// Returns the rewrites that the driver needs for a device.
    pub fn of(facts: &DriverFacts) -> Self {
        let mut needs = Self {
            sub_groups: if facts.most_sub_groups == Some(0) { SubGroups::One } else { SubGroups::Native },
            most_items: facts.most_items,
            ..Self::default()
        };
        let faults = known_faults().filter(|fault| fault.is_of(facts));
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
                hidden_small_integers: all.hidden_small_integers | needs.hidden_small_integers,
                exact_arithmetic: all.exact_arithmetic | needs.exact_arithmetic,
                reduced_angles: all.reduced_angles | needs.reduced_angles,
                remainders_by_zero: all.remainders_by_zero | needs.remainders_by_zero,
                saturated_constants: all.saturated_constants | needs.saturated_constants,
                typed_copies: all.typed_copies | needs.typed_copies,
                whole_built_ins: all.whole_built_ins | needs.whole_built_ins,
                halves_as_floats: all.halves_as_floats | needs.halves_as_floats,
                casts: if needs.casts == Casts::Native { all.casts } else { needs.casts },
                early_casts: all.early_casts | needs.early_casts,
                kept_pointers: all.kept_pointers | needs.kept_pointers,
                missing_barriers: all.missing_barriers | needs.missing_barriers,
                kept_results: all.kept_results | needs.kept_results,
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
