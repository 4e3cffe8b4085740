//! All tests as a single program, which is linked once.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod atomics;
mod bfloat16;
mod constants;
mod control_flow;
mod conversions;
mod divergence;
mod floats;
mod gpu;
mod groups;
mod images;
mod integers;
mod libnvvm;
mod library;
mod matrices;
mod memory;
mod opencl_std;
mod printed;
mod refused;
mod remainders;
mod stand_ins;
mod sub_groups;
mod variants;
mod vectors;
mod work_items;
