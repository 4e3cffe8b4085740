//! Tests of each rewrite with small modules.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod budgets;
mod chosen_pointers;
mod collectives;
mod common;
mod divergent_loads;
mod drivers;
mod early_casts;
mod exact_arithmetic;
mod halves;
mod hints;
mod inline;
mod kept_pointers;
mod kept_results;
mod known_pointers;
mod lasting_loads;
mod layouts;
mod loop_values;
mod missing_barriers;
mod mixed_pointers;
mod names;
mod numbers;
mod order;
mod ordered_accesses;
mod refusals;
mod shared_barriers;
mod small;
mod sub_groups;
mod typed_copies;
mod varying_loops;
mod vectors;
mod whole_built_ins;
