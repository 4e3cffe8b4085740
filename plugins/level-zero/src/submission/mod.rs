//! How a queue brings commands to the driver, in which order, and what it holds until they are complete.
//!
//! A queue has one submission strategy, chosen when the queue is created. The strategy decides which command list a command
//! goes to, and which events the command waits for beside its wait list. [`CommandTracker`] does the rest, the same for all.

mod append_target;
mod in_flight;
pub(crate) mod in_order;
pub(crate) mod rotating;
mod strategy;
mod tracker;
pub(crate) mod unordered;

pub(crate) use append_target::AppendTarget;
pub(crate) use strategy::{EngineKind, Strategy};
pub(crate) use tracker::{CommandToAppend, CommandTracker};
