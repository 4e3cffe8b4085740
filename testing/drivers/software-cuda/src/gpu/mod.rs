//! A multiprocessor: what code that the stand-in for libnvvm compiled calls, and how its work-items are run.
//!
//! Work-items run one after the other on one stack. Where one waits for others (barriers, votes, shuffles), it stays on its stack,
//! and the next one starts on another. What NVVM's intrinsics and PTX's instructions do is written from NVIDIA's documents.

mod atomics;
mod clock;
mod conversions;
mod fiber;
mod group;
mod half;
mod intrinsics;
mod mathematics;
mod printf;
mod rounding;
mod texture;

pub(crate) use group::{Launch, Room, run};
