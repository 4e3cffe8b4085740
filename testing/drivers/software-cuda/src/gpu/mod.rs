//! A multiprocessor: the functions that code of the fake libnvvm calls, and the execution of its work-items.
//!
//! Work-items run one after the other on one stack. If one waits for others (barriers, votes, shuffles), it is
//! suspended on its stack, and the next one starts on another. The semantics of NVVM's intrinsics and PTX's
//! instructions are implemented from NVIDIA's documents.

mod assert;
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
