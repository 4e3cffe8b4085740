//! All integration tests as one program, which is linked only once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod assembler;
mod budgets;
mod carry;
mod common;
mod compare;
mod constant_shapes;
mod constants;
mod continued;
mod derive;
mod design;
mod emulate;
mod filter;
mod functions;
mod groups;
mod link;
mod mismatch;
mod mutations;
mod opcodes;
mod operands;
mod pieces;
mod portable;
mod properties;
mod split;
mod texts;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod unwrap;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod wrap;
