//! Submission of a queue's commands to the driver, their order, and the objects held until they are complete.
//!
//! A queue has one submission strategy, chosen when the queue is created. The strategy determines the command list for
//! each command, and the events that the command waits for in addition to its wait list. [`CommandTracker`] does
//! everything else, in the same way for all strategies.

mod append_target;
mod in_flight;
pub(crate) mod in_order;
pub(crate) mod rotating;
mod strategy;
mod tracker;
pub(crate) mod unordered;

pub(crate) use append_target::AppendTarget;
pub(crate) use strategy::{BarrierKind, EngineKind, Strategy};
pub(crate) use tracker::{BarrierAfter, CommandToAppend, CommandTracker};
