//! Tests of each rewrite with small modules.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod budgets;
mod chosen_pointers;
mod collectives;
mod common;
mod crossings;
mod divergent_loads;
mod drivers;
mod early_casts;
mod halves;
mod hints;
mod inline;
mod joins;
mod kept_pointers;
mod known_pointers;
mod layouts;
mod lone_barriers;
mod mixed_pointers;
mod names;
mod numbers;
mod order;
mod refusals;
mod small;
mod sub_groups;
mod vectors;
mod whole_built_ins;
